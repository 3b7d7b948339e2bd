# docs/images/study-gaussians.png from gaussians.csv (in this folder: gnuplot gaussians.gp).
load '../../reports/plot/style.gp'
eval picture('../images/study-gaussians', 1180, 520)
words = 'Primitives that go to neighbours want a mesh; rays that cross the scene want few lanes'
more = 'A frame. Left: copies of 16,000 Gaussians on 1,024 tiles of a C600. Right: 19,200 rays of the foam on 1,024 tracers of a GC200, above a bar its steps. Predicted.'
eval caption
set border 3
set multiplot
set style data histograms
set style histogram rowstacked
set boxwidth 0.7
set grid y linecolor rgb rule
set xtics rotate by -28 noenhanced
rows(name) = sprintf("< awk -F, 'NR == 1 || $1 == \"%s\"' gaussians.csv", name)
eval panel(80, 110, 660, 300)
set xrange [-0.6:8.6]
set yrange [0:44]
set ylabel 'ms a frame' textcolor rgb ink
set key at graph 0.99, graph 0.98 right top samplen 2
plot rows('gaussians') using 3:xtic(2) linecolor rgb palette_of[1] title 'route', '' using 4 linecolor rgb palette_of[6] title 'blend', \
    '' using 5 linecolor rgb palette_of[2] title 'exchange'
unset label 101
unset label 102
eval panel(840, 110, 290, 300)
set xrange [-0.6:3.6]
set yrange [0:100]
set key at graph 0.99, graph 0.98 right top samplen 2
plot rows('foam') using 3:xtic(2) linecolor rgb palette_of[1] title 'march and route', '' using 5 linecolor rgb palette_of[2] title 'exchange', \
    '' using ($0):($3 + 4):(sprintf('%s', strcol(6))) with labels textcolor rgb faint notitle
