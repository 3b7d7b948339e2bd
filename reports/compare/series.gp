# A panel of a series, runs one below the other on the same axes. The caller sets file, words, more, axis, measure (of
# series-MEASURE-RUN.dat), place, lines, line_label, line_colour (from the bottom of the stack up), stacked (0 or 1), top (the
# height of the axis, in units of scale) and scale. There are series_there_PLACE_RUN and rows_of_PLACE_RUN.
set datafile separator whitespace
unset datafile columnheaders
left = 95
breadth = 930
height = 210
eval picture(file, 1240, 92 + runs * (height + 34) + 24)
eval caption
set multiplot
there(i) = value(sprintf('series_there_%d_%d', place, i))
longest_run = 0
do for [i = 0:runs - 1] {
    if (there(i) && value(sprintf('rows_of_%d_%d', place, i)) > longest_run) { longest_run = value(sprintf('rows_of_%d_%d', place, i)) }
}
set xrange [-0.5:longest_run - 0.5]
set yrange [0:top]
set grid xtics ytics linecolor rgb '#ececec' linewidth 1
set ylabel axis noenhanced textcolor rgb ink offset 0.5,0
set key at graph 1.01, graph 1 left top vertical Left reverse samplen 1.2 spacing 1.25 width -2
do for [i = 0:runs - 1] {
    if (there(i)) {
        eval panel(left, 92 + i * (height + 34), breadth, height)
        set format x (i == runs - 1 ? '%.0f' : '')
        if (i == runs - 1) { set xlabel 'iteration' textcolor rgb ink }
        if (i > 0) { unset key }
        set label 1 label[i + 1].(i == 0 ? '  (base)' : '') at graph 0, graph 1 left offset 0,0.6 noenhanced textcolor rgb ink font ',12'
        data = sprintf('series-%s-%d.dat', measure, i)
        # From the back to the front: the top of the stack first.
        if (stacked) {
            plot for [k = 1:lines] data using 1:(column(lines - k + 2) / scale) with filledcurves x1 \
                fillcolor rgb line_colour[lines - k + 1] title line_label[lines - k + 1]
        } else {
            plot for [k = 1:lines] data using 1:(column(k + 1) / scale) with lines linewidth 1.3 \
                linecolor rgb line_colour[k] title line_label[k]
        }
        eval shown(sprintf('run-%d', i))
        unset label 101
        unset label 102
    }
}
unset multiplot
