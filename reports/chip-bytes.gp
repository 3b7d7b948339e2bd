# How many bytes each tile sends and receives.
load 'style.gp'
load 'run.gp'
file = 'chip-bytes'
unit = 'MB sent and received'
high = bytes_most > 0 ? bytes_most / 1e6 : 1.0
logarithmic = bytes_least < bytes_most / 50 # a dynamic exchange: most tiles send little
low = logarithmic ? high / 1000 : 0
measure(busy, total, sram) = (column('bytes_in') + column('bytes_out')) / 1e6
words = sprintf('Where bytes move: most through %s %d, %.3g MB; least %.3g MB', bytes_role, bytes_tile, bytes_most / 1e6, \
    bytes_least / 1e6)
more = run_name.': bytes over the exchange in the whole run, both directions'.(logarithmic ? ', logarithmic.' : '.')
load 'chip.gp'
