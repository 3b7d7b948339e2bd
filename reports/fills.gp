# How full lanes are: one count for each lane and iteration, by the kind of the tile that it leads to.
load 'style.gp'
load 'run.gp'
left = 95
breadth = 1090
tall = svg ? 150 : 215
if (!exists('d_lane_fill_router_sum')) { d_lane_fill_router_sum = 0 }
panels = d_lane_fill_router_sum > 0 ? 2 : 1
eval picture('fills', left + breadth + 40, panels * (tall + 85) + 72)
array name = ['lanes into tracers', 'lanes into routers']
array word = ['lane_fill_tracer', 'lane_fill_router']
array none = [d_lane_fill_tracer_none, panels > 1 ? d_lane_fill_router_none : 0]
array full = [d_lane_fill_tracer_full, panels > 1 ? d_lane_fill_router_full : 0]
array total = [d_lane_fill_tracer_sum, d_lane_fill_router_sum]
array most = [d_lane_fill_tracer_max, panels > 1 ? d_lane_fill_router_max : 0]
array tallest = [d_lane_fill_tracer_tallest, panels > 1 ? d_lane_fill_router_tallest : 1]
array colour = [tracer_colour, router_colour]
fullest = panels > 1 && most[2] > most[1] ? 2 : 1
all_full = panels > 1 ? full[1] + full[2] : full[1]
all_total = panels > 1 ? total[1] + total[2] : total[1]
eval caption(all_full > 0 ? sprintf('How full lanes are: full in %.2g %% of all cases', 100.0 * all_full / all_total) \
    : sprintf('How full lanes are: never more than %d %%', most[fullest] + 1), \
    run_name.': each lane in each iteration by the share of its capacity that it held, logarithmic counts. Empty: ' \
    .sprintf('%.1f %% of the cases of tracers', 100.0 * none[1] / (total[1] > 0 ? total[1] : 1)) \
    .(panels > 1 ? sprintf(', %.1f %% of those of routers.', 100.0 * none[2] / total[2]) : '.'))
set multiplot
set logscale y
log_y = 1
set format y '10^{%T}'
set ylabel 'lanes x iterations' textcolor rgb ink offset 0.5,0
set grid xtics ytics linecolor rgb '#ececec' linewidth 1
set xrange [-1.5:101.5]
set xtics 0, 10
do for [i = 1:panels] {
    eval panel(left, 80 + (i - 1) * (tall + 85), breadth, tall)
    set yrange [0.7:8 * tallest[i]]
    set xlabel name[i].': rays held, % of the capacity' textcolor rgb ink offset 0,0.3
    if (i == 1) { plot $d_lane_fill_tracer using 1:2:($1 - 0.45):($1 + 0.45):(0.5):2 with boxxyerror fillcolor rgb colour[1] notitle }
    if (i == 2) { plot $d_lane_fill_router using 1:2:($1 - 0.45):($1 + 0.45):(0.5):2 with boxxyerror fillcolor rgb colour[2] notitle }
    eval shown(word[i])
    unset label 101
    unset label 102
}
unset multiplot
