# Visits of each ray at tracers before it ends.
load 'style.gp'
load 'run.gp'
file = 'compare-tracers'
kind = 'pixel'
measure = 'tracer_visits'
unit = 'visits'
low = tracer_visits_low
high = tracer_visits_high
reach = tracer_visits_reach
tall = map_height_0 > 0 ? map_height_0 / (1.0 * map_width_0) : map_height_1 / (1.0 * map_width_1)
words = 'Where rays cross shards'
more = 'Visits of each ray at tracers before it ends.'.(block > 1 ? sprintf(' Each dot: the mean of %d x %d pixels.', block, block) : '').' One scale for all runs, up to the 99.5th percentile.'
load 'compare-grid.gp'
