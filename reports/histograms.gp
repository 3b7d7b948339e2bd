# How the rays of the first frame spread over tracer visits, router visits and iterations alive.
load 'style.gp'
load 'run.gp'
left = 95
breadth = 1130
tall = 215
eval picture('histograms', left + breadth + 40, 3 * (tall + 85) + 100)
eval caption(sprintf('How uneven the rays are: half live at most %d iterations, one in a thousand more than %d', \
    alive_median, alive_late), run_name.sprintf(': pixels of the first frame by what their ray went through; %s written', \
    grouped(written)).(unwritten > 0 ? sprintf(', %d never.', unwritten) : '.'))
array name = ['tracer visits', 'router visits', 'iterations alive']
array mean = [tracer_visits_mean, router_visits_mean, alive_mean]
array median = [tracer_visits_median, router_visits_median, alive_median]
array late = [tracer_visits_late, router_visits_late, alive_late]
array most = [tracer_visits_max, router_visits_max, alive_max]
array tallest = [tracer_visits_tallest, router_visits_tallest, alive_tallest]
array colour = [tracer_colour, router_colour, compute_colour]
bars = "with boxxyerror fillcolor rgb colour[i] fillstyle solid border rgb colour[i] notitle"
set multiplot
set logscale y
set format y '10^{%T}'
set ylabel 'pixels' textcolor rgb ink offset 0.5,0
set grid xtics ytics linecolor rgb '#ececec' linewidth 1
set style fill solid 1.0 noborder
set logscale x
set xtics (1, 2, 3, 5, 7, 10, 20, 30, 50, 70, 100, 200, 300, 500, 700, 1000, 2000, 3000, 5000, 7000, 10000, 20000, 50000)
do for [i = 1:3] {
    eval panel(left, 80 + (i - 1) * (tall + 85), breadth, tall)
    lowest = i == 1 ? tracer_visits_min : i == 2 ? router_visits_min : alive_min
    set xrange [(lowest > 1 ? lowest - 0.5 : 0.8):most[i] + 0.5]
    set yrange [0.7:8 * tallest[i]]
    set xlabel name[i].sprintf(' (logarithmic; most %d)', most[i]) textcolor rgb ink offset 0,0.3
    set arrow 1 from mean[i], graph 0 to mean[i], graph 1 nohead front linecolor rgb ink linewidth 1.2
    set arrow 2 from median[i], graph 0 to median[i], graph 1 nohead front linecolor rgb ink linewidth 1.2 dashtype 3
    set arrow 3 from late[i], graph 0 to late[i], graph 1 nohead front linecolor rgb faint linewidth 1 dashtype 2
    set label 1 sprintf('median %d, mean %.1f ', median[i], mean[i]) at (median[i] < mean[i] ? median[i] : mean[i]), graph 0.94 \
        right front textcolor rgb ink
    set label 3 sprintf('99.9th percentile %d ', late[i]) at late[i], graph 0.94 right front textcolor rgb faint font ',10'
    if (i == 1) { plot $tracer_visits using 1:2:($1 - 0.5):($1 + 0.5):(0.5):2 @bars }
    if (i == 2) { plot $router_visits using 1:2:($1 - 0.5):($1 + 0.5):(0.5):2 @bars }
    if (i == 3) { plot $alive using 1:2:($1 - 0.5):($1 + 0.5):(0.5):2 @bars }
    unset label 101
    unset label 102
}
unset multiplot
