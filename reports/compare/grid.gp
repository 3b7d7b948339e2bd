# Maps of several runs on one scale, and their differences from the base (the first run): the caller sets file, words, more,
# kind ('pixel' or 'chip'), measure (the data's name), unit, low, high, reach (the greatest difference that has a colour of
# its own) and tall (dots of a panel's height for each of its width).
# Two runs stand in one row with their difference; of more runs the differences stand below them.
set datafile separator whitespace
unset datafile columnheaders
# Blue: less than the base, white: as much, orange: more.
difference_palette = "set palette defined (-1 '#08306b', -0.6 '#2b7bba', -0.25 '#a6cbe3', 0 '#fbfbfb', 0.25 '#f3c48a', 0.6 '#d9730d', 1 '#7f2704') maxcolors 255"
value_palette = "set palette defined (0 '#440154', 1 '#472c7a', 2 '#3b518b', 3 '#2c718e', 4 '#21908d', 5 '#27ad81', 6 '#5cc863', 7 '#aadc32', 8 '#fde725') maxcolors 256"
gone = '#b9bec4' # no value in a map of differences
pair = runs == 2
left = 60
space = 28
bar = 96 # a colour bar with its numbers
breadth = int(pair ? (1240 - left - space - 2 * bar) / 3.0 : (1240 - left - bar - (runs - 1) * space) / (1.0 * runs))
height = int(breadth * tall + 0.5)
height = height > 800 ? 800 : height
rows_of_panels = pair ? 1 : 2
across(i) = left + i * (breadth + space)
eval picture(file, 1240, 92 + rows_of_panels * (height + 62) - (kind eq 'chip' ? 46 : 22))
eval caption
set multiplot
cut(text) = strlen(text) > breadth / 8 ? text[1:int(breadth / 8) - 1].'...' : text
set border 15 linecolor rgb rule
if (kind eq 'chip') { unset xtics; unset ytics } else { set xtics autofreq; set ytics autofreq; set tics in }
set cblabel unit textcolor rgb ink offset 0.5,0
set cbtics autofreq scale 0.6
set format cb (high >= 10000 ? '%.0s%c' : '%g')
there(i) = value(sprintf('%s_%d', kind eq 'chip' ? 'chip' : 'pixels', i))
comparable(i) = value(sprintf('same_%s_%d', kind eq 'chip' ? 'chip' : 'pixels', i))
cells_x(i) = value(sprintf('%s_width_%d', kind eq 'chip' ? 'chip' : 'map', i))
cells_y(i) = value(sprintf('%s_height_%d', kind eq 'chip' ? 'chip' : 'map', i))
scale = kind eq 'chip' ? 1 : block
# Marks on a chip: white on dark cells, dark on bright ones.
bright = kind eq 'chip' ? low * (high / low) ** 0.6 : low + 0.6 * (high - low)

eval value_palette
if (kind eq 'chip') { set logscale cb }
set cbrange [low:high]
do for [i = 0:runs - 1] {
    if (there(i)) {
        eval panel(across(i), 92, breadth, height)
        set format y (i == 0 ? '%.0f' : '')
        if (i == runs - 1) { eval colourbar(across(i) + breadth + 10, 92, 14, height) } else { unset colorbox }
        set label 1 cut(label[i + 1]).(i == 0 ? '  (base)' : '') at graph 0, graph 1 left offset 0,0.7 noenhanced textcolor rgb ink font ',12'
        set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind fillcolor rgb nothing fillstyle solid noborder
        set xrange [-0.5 * scale:(cells_x(i) - 0.5) * scale]
        set yrange [(cells_y(i) - 0.5) * scale:-0.5 * scale]
        data = sprintf('%s-%d.map', measure, i)
        if (kind eq 'chip') {
            marks = sprintf('%s-%d.marks', measure, i)
            marked = breadth / cells_x(i) >= 9 && height / cells_y(i) >= 12 # letters where a cell has room for them
            plot data matrix using 1:2:($3 < low ? low : $3) with image notitle, \
                marks using 1:2:(marked && $4 < bright ? strcol(3) : '') with labels font ',10.5' textcolor rgb '#ffffff' notitle, \
                marks using 1:2:(marked && $4 >= bright ? strcol(3) : '') with labels font ',10.5' textcolor rgb mark_dark notitle
        } else {
            plot data matrix using ($1 * scale):($2 * scale):3 with image notitle
        }
        eval shown(sprintf('run-%d', i))
        unset label 101
        unset label 102
    }
}
eval difference_palette
unset logscale cb
# No range at all: no two runs differ, and every cell is white.
set cbrange [reach > 0 ? -reach : -1:reach > 0 ? reach : 1]
set cblabel 'difference, '.unit
set format cb (reach >= 10000 ? '%.0s%c' : '%g')
set format y ''
do for [i = 1:runs - 1] {
    if (comparable(i)) {
        set label 2 (reach == 0 ? 'no difference' : '') at graph 0.5, graph 0.5 center textcolor rgb mark_dark front
        if (pair) { eval panel(across(2) + bar - space, 92, breadth, height) } else { eval panel(across(i), 92 + height + 62, breadth, height) }
        if (i == runs - 1) {
            eval pair ? colourbar(across(2) + bar - space + breadth + 10, 92, 14, height) \
                : colourbar(across(i) + breadth + 10, 92 + height + 62, 14, height)
        } else { unset colorbox }
        set label 1 (pair ? 'difference' : cut(label[i + 1]).' - base') at graph 0, graph 1 left offset 0,0.7 noenhanced textcolor rgb ink font ',12'
        set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind fillcolor rgb gone fillstyle solid noborder
        set xrange [-0.5 * scale:(cells_x(i) - 0.5) * scale]
        set yrange [(cells_y(i) - 0.5) * scale:-0.5 * scale]
        plot sprintf('%s-%d-less.map', measure, i) matrix using ($1 * scale):($2 * scale):3 with image notitle
        eval shown(sprintf('less-%d', i))
    }
}
unset multiplot
