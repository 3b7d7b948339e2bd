# How full each tile's SRAM is.
load 'style.gp'
load 'run.gp'
file = 'chip-sram'
unit = 'KiB of SRAM'
low = 0
high = sram_most > 0 ? sram_most / 1024 : 1.0
logarithmic = 0
measure(busy, total, sram) = sram / 1024.0
words = sprintf('Where memory is short: the fullest tile, %s %d, holds %.1f KiB', sram_role, sram_tile, sram_most / 1024)
more = run_name.': bytes of all allocations of a tile; memory.csv names them.'
load 'chip.gp'
