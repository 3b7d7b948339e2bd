# Which tiles of the chip work: busy share of their workers' time over the whole run.
load 'style.gp'
load 'run.gp'
file = 'chip-busy'
unit = 'busy, % of compute phases'
high = busiest > 0 ? 100 * busiest : 1.0
low = high / 1000
logarithmic = 1
measure(busy, total, sram) = total > 0 ? 100.0 * busy / total : 0
words = sprintf('Where the chip works: the busiest tile, %s %d, works %.1f %% of its time', busiest_role, busiest_tile, \
    100 * busiest)
more = sprintf('%s: worker cycles in kernels, of all in compute phases, logarithmic. Means: tracers %.2g %%, routers %.2g %%, generator %.2g %%.', \
    run_name, 100 * tracer_busy, 100 * router_busy, 100 * generator_busy)
load 'chip.gp'
