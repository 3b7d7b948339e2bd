# What each shard needs: the paper's Fig. 11, by `foamsim scene partition --plot DIR`, which leaves shards.csv and kind.gp.
load 'style.gp'
load 'kind.gp'
left = 95
breadth = 1090
tall = 150
array column = ['cells', 'neighbour_cells', 'adjacency', 'neighbour_shards']
array word = ['local cells', 'neighbour cells', 'adjacency entries', 'neighbouring shards']
array colour = [tracer_colour, router_colour, generator_colour, host_colour]
array most[4]
array mean[4]
do for [i = 1:4] {
    stats 'shards.csv' using column[i] name 'S' nooutput
    most[i] = S_max
    mean[i] = S_mean
}
shards = int(S_records)
eval picture('partition', left + breadth + 40, 4 * (tall + 45) + 125)
eval caption(sprintf('%s: %s shards, the largest with %s cells and %s adjacency entries', kind, grouped(shards), \
    grouped(int(most[1])), grouped(int(most[3]))), \
    'Each shard by its number; dashed: the mean of all. What a tile holds beside its lanes follows from these (paper, Fig. 11).')
set multiplot
set grid ytics linecolor rgb '#ececec' linewidth 1
set xrange [-0.5:shards - 0.5]
set format x ''
do for [i = 1:4] {
    eval panel(left, 95 + (i - 1) * (tall + 45), breadth, tall)
    set yrange [0:most[i] > 0 ? 1.08 * most[i] : 1]
    set label 1 sprintf('%s: mean %.1f, most %s', word[i], mean[i], grouped(int(most[i]))) at graph 0,1.1 left textcolor rgb ink
    if (i == 4) { set format x '%g'; set xlabel 'shard' textcolor rgb ink offset 0,0.3 }
    plot 'shards.csv' using 1:column[i] with fillsteps linecolor rgb colour[i] notitle, \
         mean[i] with lines dashtype 2 linecolor rgb ink notitle
    eval shown(column[i])
    unset label 101
    unset label 102
}
unset multiplot
