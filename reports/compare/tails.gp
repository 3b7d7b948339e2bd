# How many values are at least so large: the tails of all runs over one axis, a panel each. The caller sets file, words, more,
# panels, and for each: measure (of tail-MEASURE-RUN.count), axis; there is tail_there_PANEL_RUN.
set datafile separator whitespace
unset datafile columnheaders
rows = (panels + 1) / 2
eval picture(file, 1240, 92 + rows * 335)
eval caption
set multiplot
array colour[4] = ['#8b95a1', '#0072b2', '#e69f00', '#cc79a7']
array dashes[4] = [1, 1, 2, 4]
set logscale y
log_y = 1
set yrange [0.001:110]
set xrange [0:*]
set format y '%g'
set grid xtics ytics linecolor rgb '#ececec' linewidth 1
set key bottom left Left reverse noenhanced
do for [m = 1:panels] {
    wide = panels == 1 ? 1140 : 530
    eval panel(75 + ((m - 1) % 2) * 610, 82 + ((m - 1) / 2) * 335, wide, 265)
    set xlabel axis[m] noenhanced textcolor rgb ink
    set ylabel '% that have at least so much' textcolor rgb ink offset 1,0
    plot for [i = 0:runs - 1] (value(sprintf('tail_there_%d_%d', m, i)) ? sprintf('tail-%s-%d.count', measure[m], i) : '/dev/null') using 1:2 \
        with fsteps linewidth (i == 0 ? 4 : 1.5) dashtype int(dashes[i + 1]) linecolor rgb colour[i + 1] title label[i + 1]
    unset label 101
    unset label 102
    unset key
}
unset multiplot
