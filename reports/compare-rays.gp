# Each tile at its place on the chip: how many rays it handled, in each run and against the base.
load 'style.gp'
load 'run.gp'
file = 'compare-rays'
kind = 'chip'
measure = 'rays'
unit = 'rays handled'
low = rays_high / 1000.0 # logarithmic
high = rays_high
reach = rays_reach
tall = chip_height_0 > 60 ? 1.5 : 1.15
words = 'Which tiles rays pass'
more = 'Rays that each tile handled over the run, logarithmic; the difference is not. Numbers: level of a router, G: generator. A spare tile counts as idle in differences.'
load 'compare-grid.gp'
