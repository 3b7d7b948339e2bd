# How often each pixel's ray was handled on its way: by tracers (left) and by routers (right).
load 'style.gp'
load 'run.gp'
file = 'visits'
array source = ['tracer_visits', 'router_visits']
array name = ['tracer visits', 'router visits']
array unit = ['visits', 'visits']
array low = [tracer_visits_min, router_visits_min]
array high = [tracer_visits_cut, router_visits_cut]
array note = [sprintf('mean %.1f, median %d, most %d', tracer_visits_mean, tracer_visits_median, tracer_visits_max), \
              sprintf('mean %.1f, median %d, most %d', router_visits_mean, router_visits_median, router_visits_max)]
words = sprintf('Where rays travel far: %.1f tracer and %.1f router visits each', tracer_visits_mean, router_visits_mean)
more = run_name.': visits before a ray ends, the injection included. Bright: the path crosses many shards. ' \
    .'Colours stop at the 99.5th percentile.'.unwritten_note
load 'pixelmaps.gp'
