# docs/images/study-treelets.png from treelets.csv and treelets-sizes.csv (in this folder: gnuplot treelets.gp).
load '../../reports/plot/style.gp'
eval picture('../images/study-treelets', 1180, 520)
words = 'Without copies by load, a quantum and a scattered start, a chip loses more than half of its paths'
more = 'A grove cut into treelets on one Bow chip. Left: 315,392 triangles, one rule set otherwise. Right: scenes that fill the chip. Predicted.'
eval caption
set border 3
set multiplot
eval panel(90, 130, 600, 310)
set style data histograms
set style histogram clustered gap 1
set boxwidth 0.9
set xrange [-0.7:11.7]
set yrange [0:160]
set xtics rotate by -35 noenhanced
set grid y linecolor rgb rule
set ylabel 'steady rate, M paths/s' textcolor rgb ink
set key at graph 0.98, graph 0.98 right top
plot 'treelets.csv' using 2:xtic(1) linecolor rgb palette_of[1] title 'here', \
    '' using 3 linecolor rgb nothing title 'an independent program'
unset label 101
unset label 102
unset xtics
unset ylabel
eval panel(790, 90, 330, 350)
set logscale x
set xrange [0.25:10]
set yrange [0:190]
set xtics nomirror norotate ('0.32 M' 0.315, '1.26 M' 1.26, '5.05 M' 5.05)
set xlabel 'triangles' textcolor rgb ink
set key at graph 0.02, graph 0.3 left top samplen 2
series(name) = sprintf("< awk -F, 'NR == 1 || $1 == \"%s\"' treelets-sizes.csv", name)
plot series('450 KiB') using 2:3 with linespoints pointtype 7 linecolor rgb palette_of[1] linewidth 2 title '450 KiB', \
    series('112.5 KiB') using 2:3 with linespoints pointtype 5 linecolor rgb palette_of[2] linewidth 2 title '112.5 KiB', \
    series('225 KiB') using 2:3 with points pointtype 9 linecolor rgb palette_of[3] title '225 KiB', \
    'treelets-sizes.csv' using 2:4 with points pointtype 6 linecolor rgb faint title 'an independent program'
