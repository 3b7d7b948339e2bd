# How often values occur, a panel for each kind of value. The caller sets file, words, more, axis, panels, logarithmic (0 or 1:
# the values' axis), narrow (1: lines instead of boxes) and for each panel label_of, colour, word, mean, median, late, most,
# least, tallest, other (counts of a second curve; 0: none) and other_word; file-K.dat has value and count.
set datafile separator whitespace
unset datafile columnheaders
left = 95
breadth = 1090
tall = panels == 1 ? 260 : svg ? 150 : 215
eval picture(file, left + breadth + 40, panels * (tall + 85) + 72)
eval caption
set multiplot
set logscale y
log_y = 1
set format y '%.0s%c'
set ylabel axis noenhanced textcolor rgb ink offset 0.5,0
set grid xtics ytics linecolor rgb '#ececec' linewidth 1
set style fill solid 1.0 noborder
if (logarithmic) { set logscale x; log_x = 1 }
set key at graph 0.995, graph 0.8 right top Left reverse samplen 1.2 textcolor rgb ink
# A value of 0 stands at 0.5 on a logarithmic axis.
place(v) = logarithmic && v < 1 ? 0.5 : v
low(v) = logarithmic && v < 1 ? 0.35 : v - 0.5
high(v) = logarithmic && v < 1 ? 0.7 : v + 0.5
do for [i = 1:panels] {
    eval panel(left, 80 + (i - 1) * (tall + 85), breadth, tall)
    if (logarithmic) {
        set xtics (1, 2, 3, 5, 7, 10, 20, 30, 50, 70, 100, 200, 300, 500, 700, 1000, 2000, 3000, 5000, 7000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000)
        if (least[i] < 1) { set xtics add ('0' 0.5) }
        set xrange [(least[i] > 1 ? least[i] - 0.5 : least[i] == 1 ? 0.8 : 0.33):(most[i] > 1 ? most[i] + 0.5 : 3)]
    } else {
        set xrange [-0.01 * most[i] - 0.5:1.02 * most[i] + 0.5]
    }
    set yrange [0.7:8 * tallest[i]]
    set xlabel label_of[i].sprintf(' (%smost %s)', logarithmic ? 'logarithmic; ' : '', grouped(int(most[i]))) noenhanced textcolor rgb ink offset 0,0.3
    set arrow 1 from place(mean[i]), graph 0 to place(mean[i]), graph 1 nohead front linecolor rgb ink linewidth 1.2
    set arrow 2 from place(median[i]), graph 0 to place(median[i]), graph 1 nohead front linecolor rgb faint linewidth 1.2 dashtype (2,3)
    set arrow 3 from place(late[i]), graph 0 to place(late[i]), graph 1 nohead front linecolor rgb faint linewidth 1 dashtype (6,4)
    set label 1 sprintf('median %s, mean %.4g, 99.9th percentile %s ', grouped(int(median[i])), mean[i], grouped(int(late[i]))) at graph 0.995, graph 0.92 \
        right front textcolor rgb ink
    data = sprintf('%s-%d.dat', file, i)
    if (narrow) {
        plot data using 1:2 with impulses linewidth 1.2 linecolor rgb colour[i] notitle
    } else { if (other[i] > 0) {
        plot data using (place($1)):2:(low($1)):(high($1)):(0.5):2 with boxxyerror fillcolor rgb colour[i] fillstyle solid noborder title 'as it was', \
            sprintf('%s-%d-other.dat', file, i) using (place($1)):2 with lines linewidth 1.4 linecolor rgb sync_colour title other_word[i]
    } else {
        plot data using (place($1)):2:(low($1)):(high($1)):(0.5):2 with boxxyerror fillcolor rgb colour[i] fillstyle solid noborder notitle
    } }
    eval shown(word[i])
    unset label 101
    unset label 102
}
unset multiplot
