# Latency against load of three networks of 1,024 tracers, from the tables that tools/load-sweep made (docs/traffic.md).
# From the top of the repository: gnuplot docs/traffic/load.gp
load 'reports/plot/style.gp'
eval picture('docs/images/traffic', 960, 620)
words = 'What 1,024 tracers can send each other: latency against load'
more = 'Uniform traffic, free routers, lanes without bound, dynamic exchange on a GC200. Dashed: what the busiest port would allow.'
eval caption
eval panel(95, 90, 820, 465)
set logscale xy
set xrange [0.004:9]
set yrange [1800:200000]
set xlabel 'offered load, rays per kilocycle and tracer' textcolor rgb ink
set ylabel 'mean latency, cycles' textcolor rgb ink
set format y '%.0f'
set grid linecolor rgb rule linewidth 0.5
set arrow from 0.26016, graph 0 to 0.26016, graph 1 nohead linecolor rgb compute_colour dashtype 2
set arrow from 1.85004, graph 0 to 1.85004, graph 1 nohead linecolor rgb router_colour dashtype 2
set arrow from 6.25612, graph 0 to 6.25612, graph 1 nohead linecolor rgb generator_colour dashtype 2
set key top left Left reverse
plot 'docs/traffic/quadtree.csv' using 'load':'latency.mean' with linespoints linewidth 2 pointtype 7 pointsize 0.8 \
         linecolor rgb compute_colour title 'quadtree: 341 routers', \
     'docs/traffic/fat-tree.csv' using 'load':'latency.mean' with linespoints linewidth 2 pointtype 5 pointsize 0.8 \
         linecolor rgb router_colour title 'fat tree, widths 1, 1, 2, 4, 8: 376 routers', \
     'docs/traffic/mesh.csv' using 'load':'latency.mean' with linespoints linewidth 2 pointtype 9 pointsize 0.9 \
         linecolor rgb generator_colour title 'mesh 32 x 32: tracers route'
