# How long synthetic rays are under way.
load 'style.gp'
load 'run.gp'
left = 95
breadth = 1090
tall = 260
eval picture('latency', left + breadth + 40, tall + 157)
eval caption(sprintf('How long a ray is under way: %s cycles in the mean, one in a hundred more than %s', \
    grouped(int(d_latency_mean + 0.5)), grouped(d_latency_late)), \
    run_name.sprintf(': rays by their cycles from birth to arrival; half take at most %s, the slowest %s.', grouped(d_latency_median), \
    grouped(d_latency_max)))
set logscale y
log_y = 1
set format y '10^{%T}'
set ylabel 'rays' textcolor rgb ink offset 0.5,0
set xlabel 'latency, cycles' textcolor rgb ink offset 0,0.3
set grid xtics ytics linecolor rgb '#ececec' linewidth 1
set xrange [0:1.02 * d_latency_max + 1]
set yrange [0.7:8 * d_latency_tallest]
set arrow 1 from d_latency_mean, graph 0 to d_latency_mean, graph 1 nohead front linecolor rgb ink linewidth 1.2
set arrow 3 from d_latency_late, graph 0 to d_latency_late, graph 1 nohead front linecolor rgb faint linewidth 1 dashtype (6,4)
set label 1 'mean ' at d_latency_mean, graph 0.94 right front textcolor rgb ink
set label 3 '99th percentile ' at d_latency_late, graph 0.84 right front textcolor rgb faint font ',10'
eval panel(left, 80, breadth, tall)
plot $d_latency using 1:2 with impulses linewidth 1.2 linecolor rgb tracer_colour notitle
eval shown('latency')
