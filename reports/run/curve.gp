# A curve of few points. The caller sets file, words, more, x_name and y_name; file.dat has x, y and whether a ring stands there.
set datafile separator whitespace
unset datafile columnheaders
eval picture(file, 700, 56 + 340)
eval caption
eval panel(80, 70, 560, 270)
set grid xtics ytics linecolor rgb '#ececec' linewidth 1
set xlabel x_name textcolor rgb ink noenhanced offset 0,0.2
set ylabel y_name textcolor rgb ink noenhanced offset 0.5,0
set logscale y
log_y = 1
set format y '%.0s%c'
set ytics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000)
unset key
plot file.'.dat' using 1:2 with lines linewidth 1.8 linecolor rgb palette_of[1], \
    file.'.dat' using 1:2 with points pointtype 7 pointsize 0.7 linecolor rgb palette_of[1], \
    file.'.dat' using ($3 > 0 ? $1 : NaN):2 with points pointtype 6 pointsize 2 linewidth 2 linecolor rgb palette_of[2]
eval shown('curve')
