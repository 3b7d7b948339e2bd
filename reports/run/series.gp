# Panels one below the other over the rows of a table. The caller sets file, words, more, data, iterations, row (what one is),
# panels and, for each, plot_name, plot_label, plot_top, plot_scale, plot_cut, plot_lines, of them plot_areas (the first, from the back
# to the front), plot_from (lines before); for each line line_label, line_colour, line_at (its column); marks, mark_at, mark_text.
set datafile separator whitespace
unset datafile columnheaders
left = 95
breadth = 960
high(k) = k == 1 ? 330 : k == panels ? 310 : 230
total = 0
do for [k = 1:panels] { total = total + high(k) + 17 }
eval picture(file, left + breadth + 185, 85 + total + 43)
eval caption
set multiplot
set xrange [-0.5:iterations - 0.5]
set format x ''
set grid xtics ytics linecolor rgb '#ececec' linewidth 1
set key at graph 1.01, graph 1 left top vertical Left reverse samplen 1.2 spacing 1.25 width -2
set style fill solid 1.0 noborder
drop = 85
do for [k = 1:panels] {
    eval panel(left, drop, breadth, high(k))
    drop = drop + high(k) + 17
    first = int(plot_from[k])
    areas = int(plot_areas[k])
    lines = int(plot_lines[k])
    scale = plot_scale[k]
    set yrange [0:plot_top[k]]
    set ylabel plot_label[k] noenhanced textcolor rgb ink offset 0.5,0
    unset label
    unset arrow
    set label 1 plot_cut[k] at graph 0.995, graph 0.96 right noenhanced textcolor rgb faint font ',10.5' front
    # Where a part of the run ends; its words stand in the last panel.
    do for [m = 1:marks] {
        set arrow 10 + m from mark_at[m] - 0.5, graph 0 to mark_at[m] - 0.5, graph 1 nohead linecolor rgb faint dashtype (6,4) front
        if (k == panels) {
            height = 0.96 - 0.06 * (m > 1 && abs(mark_at[m] - mark_at[m > 1 ? m - 1 : 1]) < 0.15 * iterations)
            if (mark_at[m] > 0.85 * iterations) {
                set label 30 + m mark_text[m] at mark_at[m] - 0.5, graph height right offset -0.6,0 noenhanced textcolor rgb faint font ',10.5' front
            } else {
                set label 30 + m mark_text[m] at mark_at[m] - 0.5, graph height left offset 0.6,0 noenhanced textcolor rgb faint font ',10.5' front
            }
        }
    }
    if (k == panels) {
        set format x '%.0f'
        set xlabel row noenhanced textcolor rgb ink
    }
    if (areas > 0 && lines > areas) {
        plot for [j = 1:areas] data using 1:(column(int(line_at[first + j])) / scale) with filledcurves x1 fillcolor rgb line_colour[first + j] title line_label[first + j], \
            for [j = areas + 1:lines] data using 1:(column(int(line_at[first + j])) / scale) with lines linewidth 1.5 linecolor rgb line_colour[first + j] title line_label[first + j]
    } else { if (areas > 0) {
        plot for [j = 1:areas] data using 1:(column(int(line_at[first + j])) / scale) with filledcurves x1 fillcolor rgb line_colour[first + j] title line_label[first + j]
    } else {
        plot for [j = 1:lines] data using 1:(column(int(line_at[first + j])) / scale) with lines linewidth 1.4 linecolor rgb line_colour[first + j] title line_label[first + j]
    } }
    eval shown(plot_name[k])
}
unset multiplot
