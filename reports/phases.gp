# Where the time goes, iteration by iteration: cycles by phase, what each role needs, who set the pace, rays by role.
load 'style.gp'
load 'run.gp'
left = 95
breadth = 1090
eval picture('phases', left + breadth + 175, 1130)
pace_word = tracer_pace >= router_pace && tracer_pace >= generator_pace ? sprintf('tracers in %.0f %%', 100 * tracer_pace) : \
    router_pace >= generator_pace ? sprintf('routers in %.0f %%', 100 * router_pace) : \
    sprintf('the generator in %.0f %%', 100 * generator_pace)
eval caption(sprintf('What the frame waits for: %.0f %% compute, paced by %s of the iterations', 100 * compute_share, pace_word), \
    sprintf('%s: %s iterations, %.1f million cycles: compute %.1f %%, exchange %.1f %%, sync %.2f %%, host %.1f %%.', \
    run_name, grouped(iterations), cycles / 1e6, 100 * compute_share, 100 * exchange_share, 100 * sync_share, 100 * host_share))
set multiplot
set xrange [-0.5:iterations - 0.5]
set format x ''
set grid xtics ytics linecolor rgb '#ececec' linewidth 1
set key at graph 1.01, graph 1 left top vertical Left reverse samplen 1.2 spacing 1.25 width -2
set style fill solid 1.0 noborder
M = 1e-6
phase(name) = column(name) * M
# Steps go from half an iteration before to half an iteration after: the last row stands twice.
data = "< awk -F, -v OFS=, '{ print } END { $1++; print }' ../iterations.csv"
from(t) = column('iteration') - 0.5

# 1. The phases, stacked; a host visit that towers over the rest is cut, and said to be.
compute_sync(t) = phase('compute') + phase('sync')
device_part(t) = compute_sync(0) + phase('exchange')
whole(t) = device_part(0) + phase('host')
top = 1.08 * most_device_cycles * M
tallest = most_cycles * M
top = tallest < 2 * top ? 1.04 * tallest : 1.5 * top
eval panel(left, 85, breadth, 330)
set yrange [0:top]
set ylabel 'million cycles' textcolor rgb ink offset 0.5,0
set label 1 (tallest > top ? sprintf('host visits cut: up to %.1f million', tallest) : '') at graph 0.995, graph 0.96 right \
    textcolor rgb faint font ',10' front
plot data using (from(0)):(whole(0)) with fillsteps fillcolor rgb host_colour title 'host', \
     data using (from(0)):(device_part(0)) with fillsteps fillcolor rgb exchange_colour title 'exchange', \
     data using (from(0)):(compute_sync(0)) with fillsteps fillcolor rgb sync_colour title 'sync', \
     data using (from(0)):(phase('compute')) with fillsteps fillcolor rgb compute_colour title 'compute'
unset label

# 2. Who set the pace.
eval panel(left, 432, breadth, 22)
set yrange [0:1]
unset ytics
unset grid
unset ylabel
set label 1 'pace' at graph -0.008, graph 0.5 right textcolor rgb ink
paced(role) = strcol('pace_role') eq role ? 1 : NaN
unset key
plot data using (column('iteration')):(0.5):(0.5 + 0.6 * iterations / breadth):(0.5 * paced('tracer')) with boxxyerror fillcolor rgb tracer_colour, \
     data using (column('iteration')):(0.5):(0.5 + 0.6 * iterations / breadth):(0.5 * paced('router')) with boxxyerror fillcolor rgb router_colour, \
     data using (column('iteration')):(0.5):(0.5 + 0.6 * iterations / breadth):(0.5 * paced('generator')) with boxxyerror fillcolor rgb generator_colour
unset label

# 3. What each role's slowest tile needs.
eval panel(left, 472, breadth, 230)
set key
set ytics autofreq nomirror out scale 0.6 textcolor rgb ink
set grid xtics ytics linecolor rgb '#ececec' linewidth 1
set yrange [0:*]
set ylabel 'slowest tile, million cycles' textcolor rgb ink offset 0.5,0
plot data using (from(0)):(phase('compute_tracer')) with steps linewidth 1.4 linecolor rgb tracer_colour title 'tracer', \
     data using (from(0)):(phase('compute_router')) with steps linewidth 1.4 linecolor rgb router_colour title 'router', \
     data using (from(0)):(phase('compute_generator')) with steps linewidth 1.4 linecolor rgb generator_colour title 'generator', \
     data using (from(0)):(phase('compute_camera')) with steps linewidth 1 dashtype 2 linecolor rgb ink \
         title "camera's shard"

# 4. Rays in flight: on tracers, on routers of each level, on the generator; the backlog besides.
K = 1e-3
eval panel(left, 725, breadth, 310)
set format x '%.0f'
set xlabel 'iteration' textcolor rgb ink
set ylabel 'thousand rays in buffers' textcolor rgb ink offset 0.5,0
set yrange [0:most_in_flight > 0 ? 1.15 * K * most_in_flight : 1]
levels = group_level[1] - 1
array shade = ['#fbe3b0', '#f4c869', '#e69f00', '#b87a00', '#855500', '#5c3a00', '#3d2600']
held(level) = sum [l = 1:level] column(sprintf('rays_level_%d', l))
on_routers(level) = K * (column('rays_tracers') + (level > 0 ? held(level) : 0))
if (injected < iterations) {
    set arrow 1 from injected - 0.5, graph 0 to injected - 0.5, graph 1 nohead linecolor rgb faint dashtype 2 front
    set label 1 ' last rays injected' at injected - 0.5, graph 0.96 left textcolor rgb faint font ',10' front
}
plot data using (from(0)):(on_routers(levels) + K * column('rays_generator')) with fillsteps \
        fillcolor rgb generator_colour title 'generator', \
     for [i = 1:levels] data using (from(0)):(on_routers(levels + 1 - i)) with fillsteps \
        fillcolor rgb shade[(levels - i) % 7 + 1] title sprintf('routers, level %d', levels + 1 - i), \
     data using (from(0)):(K * column('rays_tracers')) with fillsteps fillcolor rgb tracer_colour title 'tracers', \
     data using (from(0)):(most_backlog > 0 ? K * column('backlog') : NaN) with steps linewidth 1.6 \
         linecolor rgb '#000000' title (most_backlog > 0 ? 'backlog ring' : '')
unset multiplot
