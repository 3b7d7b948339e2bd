# Iterations from the birth of each ray to its pixel.
load 'style.gp'
load 'run.gp'
file = 'compare-alive'
kind = 'pixel'
measure = 'alive'
unit = 'iterations'
low = alive_low
high = alive_high
reach = alive_reach
tall = map_height_0 > 0 ? map_height_0 / (1.0 * map_width_0) : map_height_1 / (1.0 * map_width_1)
words = 'How long rays live'
more = 'Iterations from the birth of each ray to its pixel.'.(block > 1 ? sprintf(' Each dot: the mean of %d x %d pixels.', block, block) : '').' One scale for all runs, up to the 99.5th percentile.'
load 'compare-grid.gp'
