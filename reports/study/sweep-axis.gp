# An objective against an axis: every point, and the means of the points of one colour. The caller sets file, data (blocks:
# colour k has its points in block 2 k, with the ends of what is uncertain or nan, its means in block 2 k + 1), colours, colour_name, words, more, x_name, y_name,
# end_at (of each colour, where its name stands beside the panel, 0 to 1 from below), low_x ... high_y, log_x, log_y, the tics of x, joined (1: the means are joined, as the axis has numbers), and knees: how many rings
# file.knee has (x, y, colour).
set datafile separator whitespace
unset datafile columnheaders
eval picture(file, 620, 56 + 330)
eval caption
set multiplot
breadth = colours > 1 ? 390 : 530
eval panel(74, 60, breadth, 272)
set grid xtics ytics linecolor rgb '#ececec' linewidth 1
set xlabel x_name textcolor rgb ink noenhanced offset 0,0.2
set ylabel y_name textcolor rgb ink noenhanced offset 0.5,0
if (log_x) { set logscale x }
if (log_y) { set logscale y; set ytics (1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7, 2e7, 5e7, 1e8, 2e8, 5e8, 1e9) }
set format y (high_y >= 10000 ? '%.1s%c' : '%g')
set xrange [low_x:high_x]
set yrange [low_y:high_y]
unset key
# The names of the series, where their lines end.
do for [k = 1:(colours > 1 ? colours : 0)] {
    set label 200 + k '' at screen at_x(74 + breadth + 14), graph end_at[k] point pointtype filled_of[k] pointsize 0.8 linecolor rgb palette_of[k]
    set label 220 + k colour_name[k] at screen at_x(74 + breadth + 24), graph end_at[k] left noenhanced textcolor rgb ink
}
tick = colours > 1 ? 0.27 / colours : 0.2
# Filled: feasible; hollow: infeasible.
plot for [k = 1:colours] data index 2 * k - 2 using 1:($4 == $4 ? $2 : NaN):4:5 with yerrorbars pointtype 0 linewidth 1 linecolor rgb faint notitle, \
    for [k = 1:colours] data index 2 * k - 2 using 1:($3 > 0 ? $2 : NaN) with points pointtype filled_of[k] pointsize 0.55 linecolor rgb palette_of[k] notitle, \
    for [k = 1:colours] data index 2 * k - 2 using 1:($3 > 0 ? NaN : $2) with points pointtype hollow_of[k] pointsize 0.7 linewidth 1.5 linecolor rgb palette_of[k] notitle, \
    for [k = 1:colours] data index 2 * k - 1 using 1:(joined ? $2 : NaN) with lines linewidth 1.8 linecolor rgb palette_of[k] notitle, \
    for [k = 1:colours] data index 2 * k - 1 using (joined ? NaN : $1 - tick):2:(2 * tick):(0) with vectors nohead linewidth 2.6 linecolor rgb palette_of[k] notitle, \
    for [k = 1:(knees > 0 ? colours : 0)] file.'.knee' using ($3 == k ? $1 : NaN):2 with points pointtype 6 pointsize 1.7 linewidth 2 linecolor rgb palette_of[k] notitle
eval shown('dots')
unset multiplot
