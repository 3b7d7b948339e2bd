# Who holds rays when.
load 'style.gp'
load 'run.gp'
file = 'occupancy'
table = 'occupancy'
unit = 'rays held'
least = 1
most = held_most
words = sprintf('Where rays queue: at most %s rays on one tile (tile %d, iteration %d)', grouped(int(held_most)), held_tile, \
    held_when)
more = 'rays in the in buffers of each tile, each iteration, from the generator down to the tracers. Grey: none.'
load 'matrix.gp'
