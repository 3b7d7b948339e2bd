# How far each uncertain parameter moves a case's times: a bar from its low to its high value. The caller sets the tics of y, file, data
# (lines: row, change at low, change at high, "low value", "high value", in per cent), rows, words, more, reach and
# mend (the change that would take the mean error away; NaN: not known).
set datafile separator whitespace
unset datafile columnheaders
cell = 30
tall = rows * cell
eval picture(file, 620, 56 + 24 + tall + 50)
eval caption
set multiplot
eval panel(232, 56 + 24, 372, tall)
set border 1 linecolor rgb faint
set xrange [-reach:reach]
set yrange [rows - 0.5:-0.5]
set grid xtics linecolor rgb '#ececec' linewidth 1
set xlabel 'change of the time, %' textcolor rgb ink offset 0,0.2
set arrow 1 from 0, graph 0 to 0, graph 1 nohead linewidth 1 linecolor rgb ink front
if (mend == mend && abs(mend) < reach) {
    set arrow 2 from mend, graph 0 to mend, graph 1 nohead linewidth 1.2 dashtype (6, 4) linecolor rgb faint back
    set label 2 'would mend the mean error' at mend, graph 1 offset 0,0.6 center textcolor rgb '#d55e00' font ',10.5'
}
# A value is written beyond its end of the bar; where both ends lie on one side the nearer one is not
# written, as an empty text: gnuplot 5.4 crashes at one label without a place.
place(value) = value == value ? value : 0
plot data using (0.5 * $2):1:(0.5 * abs($2)):(0.3) with boxxyerror fillcolor rgb '#56b4e9' notitle, \
    data using (0.5 * $3):1:(0.5 * abs($3)):(0.3) with boxxyerror fillcolor rgb '#e69f00' notitle, \
    data using (place($2)):1:($2 < 0 && $2 <= $3 ? strcol(4) : '') with labels font ',10.5' right offset -0.6,0 textcolor rgb ink noenhanced notitle, \
    data using (place($2)):1:($2 >= 0 && $2 > $3 ? strcol(4) : '') with labels font ',10.5' left offset 0.6,0 textcolor rgb ink noenhanced notitle, \
    data using (place($3)):1:($3 < 0 && $3 < $2 ? strcol(5) : '') with labels font ',10.5' right offset -0.6,0 textcolor rgb ink noenhanced notitle, \
    data using (place($3)):1:($3 >= 0 && $3 >= $2 ? strcol(5) : '') with labels font ',10.5' left offset 0.6,0 textcolor rgb ink noenhanced notitle
eval shown('rows')
unset multiplot
