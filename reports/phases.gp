# Where the time goes, iteration by iteration: cycles by phase, what each role needs, who set the pace, rays by role.
load 'style.gp'
load 'run.gp'
left = 95
breadth = 960
computes = compute_share > 0
shrunk = computes ? 0 : 248 # no second panel
eval picture('phases', left + breadth + 185, 1062 - shrunk)
pace_word = tracer_pace >= router_pace && tracer_pace >= generator_pace ? sprintf('tracers in %.0f %%', 100 * tracer_pace) : \
    router_pace >= generator_pace ? sprintf('routers in %.0f %%', 100 * router_pace) : \
    sprintf('the generator in %.0f %%', 100 * generator_pace)
eval caption(computes ? \
    sprintf('What the frame waits for: %.0f %% compute, paced by %s of the iterations', 100 * compute_share, pace_word) : \
    sprintf('What the rays wait for: %.0f %% exchange, %.0f %% barriers', 100 * exchange_share, 100 * sync_share), \
    sprintf('%s: %s iterations, %.1f million cycles: compute %.1f %%, exchange %.1f %%, sync %.2f %%, host %.1f %%.', \
    run_name, grouped(iterations), cycles / 1e6, 100 * compute_share, 100 * exchange_share, 100 * sync_share, 100 * host_share))
set multiplot
set xrange [-0.5:iterations - 0.5]
set format x ''
set grid xtics ytics linecolor rgb '#ececec' linewidth 1
set key at graph 1.01, graph 1 left top vertical Left reverse samplen 1.2 spacing 1.25 width -2
set style fill solid 1.0 noborder
big = most_device_cycles >= 1e5
M = big ? 1e-6 : 1e-3
unit = big ? 'million cycles' : 'thousand cycles'
K = 1e-3
data = 'iterations.csv' # every row stands at its left and right edge
at(t) = column('at')
phase(name) = column(name) * M
# `eval mark(n, iteration, height, text)`: where a part of the run ends, in a panel whose plot follows.
mark(n, when, height, text) = when > 0 && when < iterations ? sprintf("set arrow %d from %g, graph 0 to %g, graph 1 nohead linecolor rgb faint dashtype (6,4) front", n, when - 0.5, when - 0.5) \
    .(text eq '' ? '' : sprintf("; set label %d '%s' at %g, graph %g %s textcolor rgb faint font ',10' front", n, text, when - 0.5, height, when > 0.85 * iterations ? 'right offset -0.6,0' : 'left offset 0.6,0')) : ''

# 1. The phases, stacked, compute by the role that set the pace; a host visit that towers over the rest is cut, and said.
tracer_part(t) = phase('paced_tracer')
router_part(t) = tracer_part(0) + phase('paced_router')
compute_part(t) = router_part(0) + phase('paced_generator')
sync_part(t) = compute_part(0) + phase('sync')
device_part(t) = sync_part(0) + phase('exchange')
whole(t) = device_part(0) + phase('host')
top = 1.08 * most_device_cycles * M
tallest = most_cycles * M
top = tallest < 2 * top ? 1.04 * tallest : 1.5 * top
eval panel(left, 85, breadth, 330)
set yrange [0:top]
set ylabel unit.' an iteration' textcolor rgb ink offset 0.5,0
set label 1 (tallest > top ? sprintf('host visits cut: up to %.1f %s', tallest, unit) : '') at graph 0.995, graph 0.96 right \
    textcolor rgb faint font ',10' front
eval mark(2, filled, 0.96, '')
eval mark(3, injected, 0.96, '')
plot data using (at(0)):(whole(0)) with filledcurves x1 fillcolor rgb host_colour title 'host', \
     data using (at(0)):(device_part(0)) with filledcurves x1 fillcolor rgb exchange_colour title 'exchange', \
     data using (at(0)):(sync_part(0)) with filledcurves x1 fillcolor rgb sync_colour title 'sync', \
     data using (at(0)):(compute_part(0)) with filledcurves x1 fillcolor rgb generator_colour title 'compute: generator', \
     data using (at(0)):(router_part(0)) with filledcurves x1 fillcolor rgb router_colour title 'compute: router', \
     data using (at(0)):(tracer_part(0)) with filledcurves x1 fillcolor rgb tracer_colour title 'compute: tracer'
eval shown('phases')
unset label
unset arrow

# 2. What each role's slowest tile needs.
if (computes) {
eval panel(left, 432, breadth, 230)
set yrange [0:*]
set ylabel 'slowest tile, '.unit textcolor rgb ink offset 0.5,0
plot \
    data using (at(0)):(phase('compute_tracer')) with lines linewidth 1.4 linecolor rgb tracer_colour title 'tracer', \
     data using (at(0)):(phase('compute_router')) with lines linewidth 1.4 linecolor rgb router_colour title 'router', \
     data using (at(0)):(phase('compute_generator')) with lines linewidth 1.4 linecolor rgb generator_colour title 'generator', \
     data using (at(0)):(phase('compute_camera')) with lines linewidth 1 dashtype (6,4) linecolor rgb ink \
         title "camera's shard"
eval shown('slowest')
}

# 3. Rays in flight: on tracers, on routers of each level, on the generator; the backlog besides.
eval panel(left, 680 - shrunk, breadth, 310)
set format x '%.0f'
set xlabel 'iteration' textcolor rgb ink
set ylabel 'thousand rays in buffers' textcolor rgb ink offset 0.5,0
set yrange [0:most_in_flight > 0 ? 1.15 * K * most_in_flight : 1]
array shade = ['#fbe3b0', '#f4c869', '#e69f00', '#b87a00', '#855500', '#5c3a00', '#3d2600']
held(level) = sum [l = 1:level] column(sprintf('rays_level_%d', l))
on_routers(level) = K * (column('rays_tracers') + (level > 0 ? held(level) : 0))
eval mark(2, filled, 0.96, 'first ray home')
eval mark(3, injected, abs(injected - filled) < 0.15 * iterations ? 0.9 : 0.96, 'last rays injected')
plot data using (at(0)):(on_routers(levels) + K * column('rays_generator')) with filledcurves x1 \
        fillcolor rgb generator_colour title 'generator', \
     for [i = 1:levels] data using (at(0)):(on_routers(levels + 1 - i)) with filledcurves x1 \
        fillcolor rgb shade[(levels - i + 7) % 7 + 1] title sprintf('routers, level %d', levels + 1 - i), \
     data using (at(0)):(K * column('rays_tracers')) with filledcurves x1 fillcolor rgb tracer_colour title 'tracers', \
     data using (at(0)):(most_backlog > 0 ? K * column('backlog') : NaN) with lines linewidth 1.6 \
         linecolor rgb ink title (most_backlog > 0 ? 'backlog ring' : '')
eval shown('rays')
unset multiplot
