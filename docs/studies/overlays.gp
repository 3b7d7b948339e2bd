# docs/images/study-overlays.png from overlays-garden.csv and overlays-flowers.csv (in this folder: gnuplot overlays.gp).
load '../../reports/plot/style.gp'
eval picture('../images/study-overlays', 1180, 700)
words = 'Wider tops pay where lanes run full; a second tracer where the camera sets the pace'
more = 'Device time against the quadtree, same view and batch; a dot for each of four views. Frames that never finish are left out.'
eval caption
batches = 'rows-1 rows-2 rows-3 columns-1 columns-2 columns-3 columns-4 columns-5'
names = 'fat-tree-top2 fat-tree-upper fat-tree double-tree camera-twice'
colours = '#999999 #56b4e9 #0072b2 #d55e00 #009e73'
place(row) = (at = NaN, sum [i = 1:8] (strstrt(row, word(batches, i)) > 0 ? (at = i, 0) : 0), at)
unset key
set border 3
set multiplot
set yrange [-48:27]
set xrange [0.4:8.6]
set grid y linecolor rgb rule
set format y '%+.0f %%'
do for [s = 1:2] {
    scene = word('garden flowers', s)
    eval panel(90, s == 1 ? 90 : 380, 900, 250)
    set label 1 (s == 1 ? 'garden-200k, generated' : 'flowers, captured, 786,372 cells') at graph 0.01, graph 1.05 textcolor rgb ink
    set arrow 1 from 0.4, 0 to 8.6, 0 nohead linecolor rgb faint
    set arrow 2 from 3.5, -48 to 3.5, 27 nohead linecolor rgb rule
    if (s == 2) { set xtics ('1 row' 1, '2 rows' 2, '3 rows' 3, '1 column' 4, '2 columns' 5, '3 columns' 6, '4 columns' 7, '5 columns' 8) } else { set xtics ('' 1, '' 2, '' 3, '' 4, '' 5, '' 6, '' 7, '' 8) }
    plot for [n = 1:5] sprintf('overlays-%s.csv', scene) \
        using (stringcolumn(2) eq word(names, n) && stringcolumn(4) eq 'true' && stringcolumn(6) ne '' ? place(stringcolumn(1)) + 0.14 * (n - 3) : NaN):6 \
        with points pointtype 7 pointsize 1.1 linecolor rgb word(colours, n) notitle
    unset label 102
    unset label 101
}
do for [n = 1:5] {
    set label 10 + n word(names, n) at screen 0.865, screen 0.80 - 0.045 * n textcolor rgb word(colours, n)
}
unset border; unset xtics; unset ytics; unset label 1; unset arrow 1; unset arrow 2
plot NaN notitle
unset multiplot
