# Who computes how long when.
load 'style.gp'
load 'run.gp'
file = 'compute'
table = 'cycles'
unit = 'compute, cycles'
least = work_most > 1000 ? work_most / 1000 : 1
most = work_most
words = sprintf('Where the work is: at most %.3g million cycles on one tile (tile %d, iteration %d)', work_most / 1e6, work_tile, \
    work_when)
more = 'compute cycles of each tile, each iteration, logarithmic over three decades. Grey: no work.'
load 'matrix.gp'
