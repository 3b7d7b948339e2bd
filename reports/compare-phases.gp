# The cycles of each iteration by phase, compute by the role that set the pace: runs one below the other, on the same axes.
# phases_top is the height of the axis in million cycles; change it in run.gp. Host visits may tower over it.
load 'style.gp'
load 'run.gp'
set datafile separator whitespace
unset datafile columnheaders
file = 'compare-phases'
left = 95
breadth = 930
height = 210
eval picture(file, 1240, 92 + runs * (height + 34) + 24)
eval caption('Where the time goes, iteration by iteration', 'Cycles of each iteration by phase, compute in the colour of the role that set the pace. The same axes for all runs; the area is the time. Host visits that tower over the rest are cut.')
set multiplot
longest_run = 0
do for [i = 0:runs - 1] {
    if (value(sprintf('phases_%d', i)) && value(sprintf('iterations_%d', i)) > longest_run) { longest_run = value(sprintf('iterations_%d', i)) }
}
set xrange [-0.5:longest_run - 0.5]
K = phases_top < 0.1 ? 1000.0 : 1 # runs of short iterations
set yrange [0:K * phases_top]
set grid xtics ytics linecolor rgb '#ececec' linewidth 1
set ylabel (K > 1 ? 'thousand cycles' : 'million cycles') textcolor rgb ink offset 0.5,0
set key at graph 1.01, graph 1 left top vertical Left reverse samplen 1.2 spacing 1.25 width -2
do for [i = 0:runs - 1] {
    if (value(sprintf('phases_%d', i))) {
        eval panel(left, 92 + i * (height + 34), breadth, height)
        set format x (i == runs - 1 ? '%.0f' : '')
        if (i == runs - 1) { set xlabel 'iteration' textcolor rgb ink }
        if (i > 0) { unset key }
        set label 1 label[i + 1].(i == 0 ? '  (base)' : '') at graph 0, graph 1 left offset 0,0.6 noenhanced textcolor rgb ink font ',12'
        data = sprintf('phases-%d.dat', i)
        # Without a host visit in every iteration its edge would hide the rest: from the back to the front.
        plot data using 1:(K * ($2 + $3 + $4 + $5 + $6 + $7)) with filledcurves x1 fillcolor rgb host_colour title 'host', \
            data using 1:(K * ($2 + $3 + $4 + $5 + $6)) with filledcurves x1 fillcolor rgb exchange_colour title 'exchange', \
            data using 1:(K * ($2 + $3 + $4 + $5)) with filledcurves x1 fillcolor rgb sync_colour title 'sync', \
            data using 1:(K * ($2 + $3 + $4)) with filledcurves x1 fillcolor rgb generator_colour title 'compute: generator', \
            data using 1:(K * ($2 + $3)) with filledcurves x1 fillcolor rgb router_colour title 'compute: router', \
            data using 1:(K * $2) with filledcurves x1 fillcolor rgb tracer_colour title 'compute: tracer'
        eval shown(sprintf('run-%d', i))
        unset label 101
        unset label 102
    }
}
unset multiplot
