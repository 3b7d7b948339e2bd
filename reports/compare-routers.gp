# Visits of each ray at routers before it ends, the injection included.
load 'style.gp'
load 'run.gp'
file = 'compare-routers'
kind = 'pixel'
measure = 'router_visits'
unit = 'visits'
low = router_visits_low
high = router_visits_high
reach = router_visits_reach
tall = map_height_0 > 0 ? map_height_0 / (1.0 * map_width_0) : map_height_1 / (1.0 * map_width_1)
words = 'What the overlay asks of each ray'
more = 'Visits of each ray at routers before it ends, the injection included.'.(block > 1 ? sprintf(' Each dot: the mean of %d x %d pixels.', block, block) : '').' One scale for all runs, up to the 99.5th percentile.'
load 'compare-grid.gp'
