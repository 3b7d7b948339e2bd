# Two objectives against each other, with the front of the feasible points. The caller sets file, data (block k: the points
# of colour k), edge (the corners of the front), members (its points), bars (their ranges), colours, colour_name, words, more, x_name, y_name, low_x ... high_y, log_x, log_y.
set datafile separator whitespace
unset datafile columnheaders
eval picture(file, 700, 56 + 400)
eval caption
set multiplot
eval panel(78, 56 + 14, 432, 330)
set grid xtics ytics linecolor rgb '#ececec' linewidth 1
set xlabel x_name textcolor rgb ink noenhanced offset 0,0.2
set ylabel y_name textcolor rgb ink noenhanced offset 0.5,0
marks = "(1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7, 2e7, 5e7, 1e8, 2e8, 5e8, 1e9)"
if (log_x) { set logscale x; eval 'set xtics '.marks }
if (log_y) { set logscale y; eval 'set ytics '.marks }
set format x (high_x >= 10000 ? '%.1s%c' : '%g')
set format y (high_y >= 10000 ? '%.1s%c' : '%g')
set xrange [low_x:high_x]
set yrange [low_y:high_y]
set key at graph 1.02, graph 1 left top vertical Left reverse samplen 1 spacing 1.2 width -2
plot bars using 1:2:3:4:5:6 with xyerrorbars pointtype 0 linewidth 1.1 linecolor rgb faint notitle, \
    edge using 1:2 with lines linewidth 1.6 linecolor rgb ink title 'the front', \
    members using 1:2 with points pointtype 6 pointsize 1.15 linewidth 1.2 linecolor rgb ink notitle, \
    for [k = 1:colours] data index k - 1 using 1:($3 > 0 ? $2 : NaN) with points pointtype filled_of[k] pointsize 0.65 linecolor rgb palette_of[k] title colour_name[k], \
    for [k = 1:colours] data index k - 1 using 1:($3 > 0 ? NaN : $2) with points pointtype hollow_of[k] pointsize 0.8 linewidth 1.5 linecolor rgb palette_of[k] notitle, \
    NaN with points pointtype 6 pointsize 0.8 linewidth 1.5 linecolor rgb faint title 'hollow: infeasible'
eval shown('dots')
unset multiplot
