# The look of every picture: each script loads this first, then run.gp (the run's own figures, written by reports/draw).
# Palette: lightness rises evenly from dark violet to yellow, so order survives colour blindness and grey printing.
set encoding utf8
set decimalsign '.'
set datafile separator ','
set datafile columnheaders
set palette defined (0 '#440154', 1 '#472c7a', 2 '#3b518b', 3 '#2c718e', 4 '#21908d', 5 '#27ad81', 6 '#5cc863', \
                     7 '#aadc32', 8 '#fde725') maxcolors 256

# Categories, told apart by any eye: blue, orange, green, purple, grey.
ink = '#222222'
faint = '#707070'
rule = '#c8c8c8'
nothing = '#e4e4e4' # no value here: never written, no ray, no role
tracer_colour = '#0072b2'
router_colour = '#e69f00'
generator_colour = '#009e73'
host_colour = '#cc79a7'
compute_colour = '#3b518b'
sync_colour = '#d55e00'
exchange_colour = '#56b4e9'

set border 3 linecolor rgb faint linewidth 1
set tics nomirror out scale 0.6 textcolor rgb ink
set key noenhanced textcolor rgb ink
set style fill solid 1.0 noborder

# `eval picture(file, width, height)` opens a picture; `eval caption(words, more)` puts what to see on top of it.
font = 'DejaVu Sans'
set term unknown
picture(file, width, height) = sprintf("set terminal pngcairo size %d,%d font '%s,11' background '#ffffff'; set output '%s'; canvas_width = %d.0; canvas_height = %d.0", width, height, font, file, width, height)
caption(words, more) = sprintf("set label 101 \"{/:Bold=15 %s}\" at screen %g,%g left front textcolor rgb ink; set label 102 \"{/=11 %s}\" at screen %g,%g left front textcolor rgb faint", words, 24 / canvas_width, 1 - 26 / canvas_height, more, 24 / canvas_width, 1 - 52 / canvas_height)
# `eval panel(left, top, width, height)`: the axes' rectangle, in pixels from the upper left corner.
panel(left, top, width, height) = sprintf("set lmargin at screen %.6f; set rmargin at screen %.6f; set tmargin at screen %.6f; set bmargin at screen %.6f", (left) / canvas_width, ((left) + (width)) / canvas_width, 1 - (top) / canvas_height, 1 - ((top) + (height)) / canvas_height)
colourbar(left, top, width, height) = sprintf("set colorbox vertical user origin screen %.6f, screen %.6f size screen %.6f, screen %.6f noborder", (left) / canvas_width, 1 - ((top) + (height)) / canvas_height, (width) / canvas_width, (height) / canvas_height)

# 1234567 as 1,234,567.
_low(n) = sprintf('%03d', n - 1000 * (n / 1000))
grouped(n) = n >= 1000000 ? sprintf('%d,', n / 1000000) . _low(n / 1000) . ',' . _low(n) : \
             n >= 1000 ? sprintf('%d,', n / 1000) . _low(n) : sprintf('%d', n)
