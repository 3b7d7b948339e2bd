# A published table as lines, and what was simulated. The caller sets file, data (block k: series k: x, published, median,
# least, most, least and most over uncertain parameters, 1 if lanes saturate), published (0: a trend alone is, so there is
# nothing in its column and those of the uncertain parameters), series, series_name, heading (before the
# names), words, more, x_name, y_name, low_x, high_x, low_y, high_y; and the tics of x and of y (which is
# logarithmic, so that an error is as long everywhere).
set datafile separator whitespace
unset datafile columnheaders
array palette_of[8] = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9', '#8b95a1', '#3b518b']
eval picture(file, 620, 56 + 350)
eval caption
set multiplot
upper = 56 + 26
eval panel(74, upper, 530, 56 + 296 - upper)
set grid xtics ytics linecolor rgb '#ececec' linewidth 1
set xlabel x_name textcolor rgb ink noenhanced offset 0,0.2
set ylabel y_name textcolor rgb ink noenhanced offset 0.5,0
set xrange [low_x:high_x]
set yrange [low_y:high_y]
set logscale y
log_y = 1
set format y (high_y >= 10000 ? '%.1s%c' : '%g')
unset key
# Above the panel: the series by colour, or, for one alone, its three marks.
if (series > 1) {
    set label 200 heading at screen at_x(74), screen at_y(56 + 10) left noenhanced textcolor rgb ink
    first = 74 + 6.4 * strlen(heading) + 16
    do for [k = 1:series] {
        x = first + (k - 1) * (604.0 - first) / series
        set arrow 200 + k from screen at_x(x), screen at_y(56 + 10) to screen at_x(x + 16), screen at_y(56 + 10) nohead linewidth 2.2 linecolor rgb palette_of[k]
        set label 200 + k series_name[k] at screen at_x(x + 22), screen at_y(56 + 10) left noenhanced textcolor rgb ink
    }
}
if (series == 1) {
    set object 200 rectangle from screen at_x(74), screen at_y(56 + 6) to screen at_x(94), screen at_y(56 + 14) fillcolor rgb palette_of[1] fillstyle transparent solid 0.16 noborder
    set label 200 'range over stand-ins' at screen at_x(100), screen at_y(56 + 10) left noenhanced textcolor rgb ink
    set arrow 201 from screen at_x(260), screen at_y(56 + 10) to screen at_x(284), screen at_y(56 + 10) nohead linewidth 1.8 linecolor rgb palette_of[1]
    set label 201 'median' at screen at_x(290), screen at_y(56 + 10) left noenhanced textcolor rgb ink
}
if (series == 1 && published) {
    set arrow 202 from screen at_x(370), screen at_y(56 + 10) to screen at_x(394), screen at_y(56 + 10) nohead linewidth 1.8 dashtype (8, 5) linecolor rgb '#d55e00'
    set label 202 'published' at screen at_x(400), screen at_y(56 + 10) left noenhanced textcolor rgb ink
}
dodge = series > 1 ? 0.011 * (high_x - low_x) : 0
aside(k) = dodge * (k - 0.5 * (series + 1))
if (!published) {
    plot for [k = 1:series] data index k - 1 using 1:4:5 with filledcurves fillcolor rgb palette_of[k] fillstyle transparent solid 0.16 noborder notitle, \
        for [k = 1:series] data index k - 1 using 1:3 with linespoints linewidth 1.8 pointtype 7 pointsize 0.6 linecolor rgb palette_of[k] notitle
} else { if (series == 1) {
    plot data index 0 using 1:4:5 with filledcurves fillcolor rgb palette_of[1] fillstyle transparent solid 0.16 noborder notitle, \
        data index 0 using 1:6:(0):($7 - $6) with vectors nohead linewidth 1 linecolor rgb faint notitle, \
        data index 0 using 1:3 with lines linewidth 1.8 linecolor rgb palette_of[1] notitle, \
        data index 0 using 1:3 with points pointtype 7 pointsize 0.6 linecolor rgb palette_of[1] notitle, \
        data index 0 using 1:2 with lines linewidth 1.8 dashtype (8, 5) linecolor rgb '#d55e00' notitle, \
        data index 0 using 1:2 with points pointtype 6 pointsize 0.9 linewidth 1.8 linecolor rgb '#d55e00' notitle
} else {
    plot for [k = 1:series] data index k - 1 using ($1 + aside(k)):4:(0):($5 - $4) with vectors nohead linewidth 1.1 linecolor rgb palette_of[k] notitle, \
        for [k = 1:series] data index k - 1 using 1:2 with lines linewidth 1.4 dashtype (6, 4) linecolor rgb palette_of[k] notitle, \
        for [k = 1:series] data index k - 1 using 1:2 with points pointtype 6 pointsize 0.7 linewidth 1.4 linecolor rgb palette_of[k] notitle, \
        for [k = 1:series] data index k - 1 using ($1 + aside(k)):3 with lines linewidth 1.8 linecolor rgb palette_of[k] notitle, \
        for [k = 1:series] data index k - 1 using ($1 + aside(k)):3 with points pointtype 7 pointsize 0.65 linecolor rgb palette_of[k] notitle
} }
eval shown('dots')
unset multiplot
