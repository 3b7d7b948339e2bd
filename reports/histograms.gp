# How the rays of the first frame spread over tracer visits, router visits and iterations alive.
load 'style.gp'
load 'run.gp'
left = 95
breadth = 1090
tall = svg ? 150 : 215
panels = waiting_max > 0 ? 4 : 3
eval picture('histograms', left + breadth + 40, panels * (tall + 85) + 72)
eval caption(sprintf('How uneven the rays are: half live at most %d iterations, one in a thousand more than %d', \
    alive_median, alive_late), run_name.sprintf(': pixels of the first frame by what their ray went through; %s written', \
    grouped(written)).(unwritten > 0 ? sprintf(', %d never.', unwritten) : '.') \
    .(waiting_max > 0 ? sprintf(' Waiting makes the mean life %.3g instead of %.3g iterations.', alive_mean, shortest_mean) : ' No ray waited.'))
array name = ['tracer visits', 'router visits', 'iterations alive', 'iterations waited']
array word = ['tracer_visits', 'router_visits', 'alive', 'waiting']
array mean = [tracer_visits_mean, router_visits_mean, alive_mean, waiting_mean]
array median = [tracer_visits_median, router_visits_median, alive_median, waiting_median]
array late = [tracer_visits_late, router_visits_late, alive_late, waiting_late]
array most = [tracer_visits_max, router_visits_max, alive_max, waiting_max]
array least = [tracer_visits_min, router_visits_min, alive_min, waiting_min]
array tallest = [tracer_visits_tallest, router_visits_tallest, alive_tallest, waiting_tallest]
array colour = [tracer_colour, router_colour, compute_colour, sync_colour]
# A value of 0 stands at 0.5 on the logarithmic axis.
place(v) = v < 1 ? 0.5 : v
bars = "using (place($1)):2:($1 < 1 ? 0.35 : $1 - 0.5):($1 < 1 ? 0.7 : $1 + 0.5):(0.5):2 with boxxyerror fillcolor rgb colour[i] fillstyle solid noborder"
set multiplot
set logscale y
set format y '10^{%T}'
set ylabel 'pixels' textcolor rgb ink offset 0.5,0
set grid xtics ytics linecolor rgb '#ececec' linewidth 1
set style fill solid 1.0 noborder
set logscale x
log_x = 1
log_y = 1
set key at graph 0.995, graph 0.8 right top Left reverse samplen 1.2 textcolor rgb ink
do for [i = 1:panels] {
    eval panel(left, 80 + (i - 1) * (tall + 85), breadth, tall)
    set xtics (1, 2, 3, 5, 7, 10, 20, 30, 50, 70, 100, 200, 300, 500, 700, 1000, 2000, 3000, 5000, 7000, 10000, 20000, 50000)
    if (least[i] < 1) { set xtics add ('0' 0.5) }
    set xrange [(least[i] > 1 ? least[i] - 0.5 : least[i] == 1 ? 0.8 : 0.33):(most[i] > 1 ? most[i] + 0.5 : 3)]
    set yrange [0.7:8 * tallest[i]]
    set xlabel name[i].sprintf(' (logarithmic; most %d)', most[i]) textcolor rgb ink offset 0,0.3
    set arrow 1 from place(mean[i]), graph 0 to place(mean[i]), graph 1 nohead front linecolor rgb ink linewidth 1.2
    set arrow 2 from place(median[i]), graph 0 to place(median[i]), graph 1 nohead front linecolor rgb faint linewidth 1.2 dashtype (2,3)
    set arrow 3 from place(late[i]), graph 0 to place(late[i]), graph 1 nohead front linecolor rgb faint linewidth 1 dashtype (6,4)
    if (place(median[i]) > 2 * least[i] + 1) {
        set label 1 sprintf('median %d, mean %.3g ', median[i], mean[i]) at place(median[i] < mean[i] ? median[i] : mean[i]), graph 0.94 \
            right front textcolor rgb ink
        set label 3 sprintf('99.9th percentile %d ', late[i]) at place(late[i]), graph 0.94 right front textcolor rgb faint font ',10'
    } else {
        set label 1 '' at graph 0, graph 0
        set label 3 sprintf('median %d, mean %.3g, 99.9th percentile %d ', median[i], mean[i], late[i]) at graph 0.995, graph 0.92 \
            right front textcolor rgb ink
    }
    if (i == 1) { plot $tracer_visits @bars notitle }
    if (i == 2) { plot $router_visits @bars notitle }
    if (i == 3 && panels == 3) { plot $alive @bars notitle }
    if (i == 3 && panels == 4) { plot $alive @bars title 'as it was', \
        $shortest using (place($1)):2 with lines linewidth 1.4 linecolor rgb sync_colour title 'without waiting' }
    if (i == 4) { plot $waiting @bars notitle }
    eval shown(word[i])
    unset label 101
    unset label 102
}
unset multiplot
