# The look of every picture: each script loads this first, then one for its kind.
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
mark_dark = '#010101' # on bright cells, in dark pages too
compute_colour = '#3b518b'
sync_colour = '#d55e00'
exchange_colour = '#56b4e9'

# Series: a colour and a marker each, told apart by any eye (page.css has the colours of a dark page); hollow: infeasible.
array palette_of[8] = ['#006dc8', '#c7670b', '#009e73', '#a84086', '#242424', '#5298ce', '#734200', '#38257b']
array filled_of[8] = [7, 5, 9, 11, 13, 15, 3, 2]
array hollow_of[8] = [6, 4, 8, 10, 12, 14, 1, 1]

set border 3 linecolor rgb faint linewidth 1
set tics nomirror out scale 0.6 textcolor rgb ink
set key noenhanced textcolor rgb ink
set style fill solid 1.0 noborder

# `eval picture(name, width, height)` opens a picture, `eval caption` says what to see and what is drawn, from the variables `words` and
# `more`: on top of a PNG; beside an SVG in NAME.words, with the size and the panels, for the page that holds it. What somebody else
# wrote is in variables and never in what is evaluated. `format` is 'png', or
# 'svg' by `gnuplot -e "format = 'svg'" NAME.gp`. The first `head` dots of a canvas are the caption's; an SVG has none, nor has a
# PNG of a script that sets `bare` to 1 before it loads this: a document says beside it what to see.
if (!exists('format')) { format = 'png' }
svg = format eq 'svg'
log_x = 0 # 1: the axis is logarithmic (for eval shown)
log_y = 0
font = 'DejaVu Sans'
if (!exists('bare')) { bare = 0 }
head = svg || bare ? 56 : 0
set term unknown
picture(name, width, height) = sprintf("canvas_width = %d.0; canvas_height = %d.0; ", width, height - head).( \
    svg ? sprintf("set terminal svg size %d,%d standalone font '%s,11'; set output '%s.svg'; set print '%s.words'; print \"size\\t%d %d\"", \
        width, height - head, font, name, name, width, height - head) \
    : sprintf("set terminal pngcairo size %d,%d font '%s,%g' background '#ffffff'; set output '%s.png'", width, height - head, font, bare ? 8.5 : 11, name))
caption = svg ? 'print "title\t".words; print "caption\t".more' : bare ? 'head = 56' \
    : 'set label 101 words at screen 24 / canvas_width, 1 - 26 / canvas_height left front noenhanced font font.":Bold,15" textcolor rgb ink;' \
    .'set label 102 more at screen 24 / canvas_width, 1 - 52 / canvas_height left front noenhanced textcolor rgb faint'
# Dots from the upper left corner of a PNG as a part of the canvas.
at_x(dots) = dots / canvas_width
at_y(dots) = 1 - (dots - head) / canvas_height
# `eval panel(left, top, width, height)`: the axes' rectangle. `eval shown(name)`, after its plot, tells a page where it is
# and what is at its edges.
panel(left, top, width, height) = sprintf("set lmargin at screen %.6f; set rmargin at screen %.6f; set tmargin at screen %.6f; set bmargin at screen %.6f; panel_left = %g; panel_top = %g; panel_right = %g; panel_bottom = %g", at_x(left), at_x((left) + (width)), at_y(top), at_y((top) + (height)), left, (top) - head, (left) + (width), (top) + (height) - head)
shown(name) = svg ? sprintf("print sprintf(\"panel\\t%s %%g %%g %%g %%g %%.9g %%.9g %%.9g %%.9g %%d %%d\", panel_left, panel_top, panel_right, panel_bottom, GPVAL_X_MIN, GPVAL_X_MAX, GPVAL_Y_MIN, GPVAL_Y_MAX, log_x, log_y)", name) : ""
colourbar(left, top, width, height) = sprintf("set colorbox vertical user origin screen %.6f, screen %.6f size screen %.6f, screen %.6f noborder", at_x(left), at_y((top) + (height)), (width) / canvas_width, (height) / canvas_height)

# 1234567 as 1,234,567.
_low(n) = sprintf('%03d', n - 1000 * (n / 1000))
grouped(n) = n >= 1000000 ? sprintf('%d,', n / 1000000) . _low(n / 1000) . ',' . _low(n) : \
             n >= 1000 ? sprintf('%d,', n / 1000) . _low(n) : sprintf('%d', n)
