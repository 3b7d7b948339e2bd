# The error of each cell of a table, in per cent. The caller sets file, data (lines: column, row, error, text), cols, rows,
# words, more, x_name, y_name, reach (the greatest error with a colour of its own); and the tics of x and y.
set datafile separator whitespace
unset datafile columnheaders
cell = 40
tall = rows * cell
eval picture(file, 620, 56 + 24 + tall + 50)
eval caption
set multiplot
eval panel(90, 56 + 24, 430, tall)
# Blue: simulated faster than published, white: as fast, orange: slower.
set palette defined (-1 '#08306b', -0.6 '#2b7bba', -0.25 '#a6cbe3', 0 '#fbfbfb', 0.25 '#f3c48a', 0.6 '#d9730d', 1 '#7f2704') maxcolors 255
set border 15 linecolor rgb rule
set xrange [-0.5:cols - 0.5]
set yrange [rows - 0.5:-0.5]
set xlabel x_name textcolor rgb ink noenhanced offset 0,0.2
set label 5 y_name at screen at_x(12), screen at_y(56 + 12) left textcolor rgb ink noenhanced
set cbrange [-reach:reach]
set cblabel 'error, %' textcolor rgb ink offset 0.5,0
eval colourbar(530, 56 + 24, 12, tall)
set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind fillcolor rgb nothing fillstyle solid noborder
pale(v) = abs(v) < 0.45 * reach
plot data using 1:2:($1 - 0.49):($1 + 0.49):($2 - 0.48):($2 + 0.48):3 with boxxyerror fillcolor palette notitle, \
    data using 1:2:(pale($3) ? strcol(4) : '') with labels font ',10.5' textcolor rgb mark_dark notitle, \
    data using 1:2:(pale($3) ? '' : strcol(4)) with labels font ',10.5' textcolor rgb '#ffffff' notitle, \
    data using 1:2:($3 == $3 ? '' : strcol(4)) with labels font ',10.5' textcolor rgb ink notitle
eval shown('cells')
unset multiplot
