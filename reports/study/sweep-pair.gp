# The best feasible figure for each two values of a pair of axes. The caller sets file, data (lines: column, row, value,
# text), cols, rows, words, more, x_name, y_name, unit, low, high, log_c, reverse (1: large is good), the tics of x and y and written (1: cells
# have room for their values).
set datafile separator whitespace
unset datafile columnheaders
cell = rows > 8 ? 28 : 36
tall = rows * cell
eval picture(file, 620, 56 + 14 + tall + 50)
eval caption
set multiplot
eval panel(150, 56 + 14, 370, tall)
if (reverse) {
    set palette defined (0 '#440154', 1 '#472c7a', 2 '#3b518b', 3 '#2c718e', 4 '#21908d', 5 '#27ad81', 6 '#5cc863', 7 '#aadc32', 8 '#fde725') maxcolors 64
} else {
    set palette defined (0 '#fde725', 1 '#aadc32', 2 '#5cc863', 3 '#27ad81', 4 '#21908d', 5 '#2c718e', 6 '#3b518b', 7 '#472c7a', 8 '#440154') maxcolors 64
}
set border 15 linecolor rgb rule
set xrange [-0.5:cols - 0.5]
set yrange [rows - 0.5:-0.5]
set xlabel x_name textcolor rgb ink noenhanced offset 0,0.2
set label 5 y_name at graph 0, graph 1 left offset 0,0.6 textcolor rgb ink noenhanced
if (log_c) { set logscale cb }
set cbrange [low:high]
set label 6 unit at screen at_x(530), screen at_y(56 + 6) left textcolor rgb ink noenhanced
if (rows < 4) { set cbtics (low, high) } # room for two numbers
set format cb (high >= 10000 ? '%.0s%c' : '%.3g')
eval colourbar(530, 56 + 14, 12, tall)
set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind fillcolor rgb nothing fillstyle solid noborder
part(v) = high > low ? (log_c ? log(v / low) / log(high / low) : (v - low) / (high - low)) : 0
bright(v) = reverse ? part(v) > 0.5 : part(v) < 0.5
set style fill solid 1.0 noborder
plot data using 1:2:($1 - 0.49):($1 + 0.49):($2 - 0.48):($2 + 0.48):3 with boxxyerror fillcolor palette notitle, \
    data using 1:2:(written && bright($3) ? strcol(4) : '') with labels font ',9' textcolor rgb mark_dark notitle, \
    data using 1:2:(written && !bright($3) ? strcol(4) : '') with labels font ',9' textcolor rgb '#ffffff' notitle
eval shown('cells')
unset multiplot
