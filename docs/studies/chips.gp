# docs/images/study-chips.png from chips.csv (in this folder: gnuplot chips.gp).
load '../../reports/plot/style.gp'
eval picture('../images/study-chips', 1180, 520)
words = 'Sixteen chips render 2.2 times as fast as one: the tree deepens, one shard stays hot'
more = 'A garden at 640 x 480 on 1 to 16 GC200s, 1,024 shards a chip. Left: time of a frame. Right: where it goes, 1,000,000 cells.'
eval caption
set border 3
set multiplot
eval panel(90, 90, 480, 350)
set logscale xy 2
set xrange [0.9:18]
set yrange [0.05:1]
set xtics (1, 4, 8, 16)
set ytics ('0.05 s' 0.05, '0.1 s' 0.1, '0.2 s' 0.2, '0.4 s' 0.4, '0.8 s' 0.8)
set grid y linecolor rgb rule
set xlabel 'chips' textcolor rgb ink
set key at graph 0.45, graph 0.28 left top samplen 2
series(name) = sprintf("< awk -F, 'NR == 1 || $1 == \"%s\"' chips.csv", name)
plot 0.885 / x with lines linecolor rgb rule linewidth 2 title 'n times as fast', \
    series('strong 1M') using 2:3 with linespoints pointtype 7 linecolor rgb palette_of[1] linewidth 2 title '1,000,000 cells', \
    series('strong 250k') using 2:3 with linespoints pointtype 5 linecolor rgb palette_of[2] linewidth 2 title '250,000 cells', \
    series('weak') using 2:3 with linespoints pointtype 9 linecolor rgb palette_of[3] linewidth 2 title '250,000 a chip'
unset label 101
unset label 102
unset logscale
unset grid
set xlabel 'chips' textcolor rgb ink
eval panel(690, 90, 400, 350)
set style data histograms
set style histogram rowstacked
set boxwidth 0.62
set xrange [-0.6:3.6]
set yrange [0:0.95]
set xtics ('1' 0, '4' 1, '8' 2, '16' 3)
set ytics 0.2 format '%.1f s'
set key at graph 0.98, graph 0.98 right top reverse Left invert
plot series('strong 1M') using 4 linecolor rgb compute_colour title 'compute', '' using 5 linecolor rgb exchange_colour title 'exchange on chips', \
    '' using 6 linecolor rgb sync_colour title 'between chips', '' using 7 linecolor rgb host_colour title 'host'
