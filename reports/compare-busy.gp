# Each tile at its place on the chip: how busy its workers were, in each run and against the base.
load 'style.gp'
load 'run.gp'
file = 'compare-busy'
kind = 'chip'
measure = 'busy'
unit = 'busy, %'
low = busy_high / 1000.0 # logarithmic
high = busy_high
reach = busy_reach
tall = chip_height_0 > 60 ? 1.5 : 1.15
words = 'Which tiles work'
more = 'Share of each tile''s worker cycles in compute phases that went into kernels, logarithmic; the difference in percentage points. Numbers: level of a router, G: generator. A spare tile counts as idle in differences.'
load 'compare-grid.gp'
