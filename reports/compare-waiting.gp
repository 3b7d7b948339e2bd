# Iterations of each ray beyond its shortest way through the overlay, most of them spent in front of full lanes.
load 'style.gp'
load 'run.gp'
file = 'compare-waiting'
kind = 'pixel'
measure = 'waiting'
unit = 'iterations'
low = waiting_low
high = waiting_high
reach = waiting_reach
tall = map_height_0 > 0 ? map_height_0 / (1.0 * map_width_0) : map_height_1 / (1.0 * map_width_1)
words = 'Where rays wait'
more = 'Iterations of each ray beyond its shortest way through the overlay, most of them spent in front of full lanes.'.(block > 1 ? sprintf(' Each dot: the mean of %d x %d pixels.', block, block) : '').' One scale for all runs, up to the 99.5th percentile.'
load 'compare-grid.gp'
