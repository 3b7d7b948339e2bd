# One row of cells a tile, one column an iteration (or a link, a frame), in groups from the top down. The caller sets file, words, more,
# unit, things ("tiles"), along ("iteration"), linear (colours, else logarithmic), groups, group_name, group_tiles, group_rows, iterations, pool (iterations of a column), most and least (the colour range;
# cells below `least` but above 0 have its colour, those of 0 stay grey); file-K.map holds the cells of group K.
set datafile separator whitespace
unset datafile columnheaders
left = 150
breadth = 960
gap = 7
# A group's height in dots grows with the root of its tiles, so that one router and a thousand tracers are both seen.
tall(n) = n > 256 ? n : int(14 + 13.5 * sqrt(n) + 0.5)
total = 0
do for [g = 1:groups] { total = total + tall(group_rows[g]) + gap }
eval picture(file, left + breadth + 120, total + 142)
eval caption
set multiplot
set border 15 linecolor rgb rule
set xrange [-0.5:iterations - 0.5]
set format cb '%.0s%c'
if (!linear) { set logscale cb }
set cbrange [linear ? 0 : least:most > least ? most : 2 * least]
set cbtics scale 0.6
set cblabel unit noenhanced textcolor rgb ink offset 0.5,0
eval colourbar(left + breadth + 16, 80, 16, total - gap)
unset ytics
set format x ''
offset_y = 80
do for [g = 1:groups] {
    n = int(group_tiles[g])
    h = tall(group_rows[g])
    eval panel(left, offset_y, breadth, h)
    offset_y = offset_y + h + gap
    set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind fillcolor rgb nothing fillstyle solid noborder
    set label 1 group_name[g] at screen at_x(left - 12), graph 0.5 right \
        offset 0,(n > 8 ? 0.5 : 0) noenhanced textcolor rgb ink
    set label 2 (n > 8 ? sprintf('%s %s', grouped(n), things) : '') at screen at_x(left - 12), graph 0.5 right \
        offset 0,-0.6 textcolor rgb faint font ',10.5'
    if (g == groups) {
        set format x '%.0f'
        set xlabel along textcolor rgb ink
    }
    # An image needs two rows: a tile alone in its group stands twice.
    rows = group_rows[g] > 1 ? group_rows[g] : 2
    set yrange [rows - 0.5:-0.5]
    plot sprintf("%s-%d.map", file, g) \
        matrix using ($1 * pool + (pool - 1) / 2.0):2:($3 > 0 ? ($3 < least ? least : $3) : NaN) with image notitle
    eval shown(sprintf('group-%d', g))
    unset colorbox
    unset label 101
    unset label 102
}
unset multiplot
