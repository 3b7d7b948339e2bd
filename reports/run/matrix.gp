# One row of cells a tile, one column an iteration, tiles grouped by level of the overlay. The caller sets file, table, words,
# more, unit, most and least (the colour range; cells below `least` stay grey).
left = 150
breadth = 960
gap = 7
# A group's height in dots grows with the root of its tiles, so that one router and a thousand tracers are both seen.
tall(n) = n > 256 ? n : int(14 + 13.5 * sqrt(n) + 0.5)
total = 0
do for [g = 1:groups] { total = total + tall(group_rows[g]) + gap }
eval picture(file, left + breadth + 120, total + 142)
eval caption(words, run_name.': '.more \
    .(tiles_pooled > 1 ? sprintf(' Each row of tracers: the fullest of %d.', tiles_pooled) : '') \
    .(pool > 1 ? sprintf(' Each column: the fullest of %d iterations.', pool) : ''))
set multiplot
set border 15 linecolor rgb rule
set xrange [-0.5 * pool:iterations - 0.5]
set logscale cb
set cbrange [least:most > least ? most : 2 * least]
set cbtics scale 0.6
set cblabel unit textcolor rgb ink offset 0.5,0
eval colourbar(left + breadth + 16, 80, 16, total - gap)
unset datafile columnheaders
unset ytics
set format x ''
offset_y = 80
do for [g = 1:groups] {
    n = group_tiles[g]
    h = tall(group_rows[g])
    eval panel(left, offset_y, breadth, h)
    offset_y = offset_y + h + gap
    set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind fillcolor rgb nothing fillstyle solid noborder
    label_text = group_role[g] eq 'router' ? sprintf('routers, level %d', group_level[g]) : \
        group_role[g].(n > 1 ? 's' : '')
    set label 1 label_text at screen at_x(left - 12), graph 0.5 right \
        offset 0,(n > 8 ? 0.5 : 0) textcolor rgb ink
    set label 2 (n > 8 ? sprintf('%s tiles', grouped(n)) : '') at screen at_x(left - 12), graph 0.5 right \
        offset 0,-0.6 textcolor rgb faint font ',9'
    if (g == groups) {
        set format x '%.0f'
        set xlabel 'iteration' textcolor rgb ink
    }
    # An image needs two rows: a tile alone in its group stands twice.
    rows = group_rows[g] > 1 ? group_rows[g] : 2
    set yrange [rows - 0.5:-0.5]
    plot sprintf("< grep '^%d,' %s.csv | cut -d, -f2-%s", group_level[g], table, n > 1 ? '' : " | sed 'p'") \
        matrix using ($1 * pool + (pool - 1) / 2.0):2:($3 > 0 ? ($3 < least ? least : $3) : NaN) with image notitle
    eval shown(sprintf('group-%d', g))
    unset colorbox
    unset label 101
    unset label 102
}
unset multiplot
