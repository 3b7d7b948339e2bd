# How many pixels have at least a value: the tails of all runs over one axis.
load 'style.gp'
load 'run.gp'
set datafile separator whitespace
unset datafile columnheaders
file = 'compare-histograms'
eval picture(file, 1240, 760)
eval caption('The tails', 'Per cent of the pixels whose ray has at least the value. The tail decides how many iterations a frame needs, the mean how much work there is.')
set multiplot
array measure = ['waiting', 'alive', 'router_visits', 'tracer_visits']
array words = ['iterations waiting', 'iterations alive', 'router visits', 'tracer visits']
array colour = ['#8b95a1', '#0072b2', '#e69f00', '#cc79a7']
array dashes = [1, 1, 2, 4]
set logscale y
log_y = 1
set yrange [0.001:110]
set xrange [0:*]
set format y '%g'
set grid xtics ytics linecolor rgb '#ececec' linewidth 1
set key top right noenhanced
do for [m = 1:4] {
    eval panel(75 + ((m - 1) % 2) * 610, 82 + ((m - 1) / 2) * 335, 530, 265)
    set xlabel words[m] textcolor rgb ink
    set ylabel '% of pixels' textcolor rgb ink offset 1,0
    plot for [i = 0:runs - 1] (value(sprintf('pixels_%d', i)) ? sprintf('%s-%d.count', measure[m], i) : '/dev/null') using 1:2 \
        with fsteps linewidth (i == 0 ? 4 : 1.5) dashtype dashes[i + 1] linecolor rgb colour[i + 1] title label[i + 1]
    unset label 101
    unset label 102
    unset key
}
unset multiplot
