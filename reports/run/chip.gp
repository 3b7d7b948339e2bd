# A map of the chip, one cell a tile: the caller sets file, words, more, unit, legend, low, high, logarithmic (0 or 1), folds
# (columns of a half), columns (all), rows_a and rows_b (rows that are drawn of each half), spare_a and spare_b (words about tiles beyond
# them; '': none) and side (1: the chip lies on its side, the spine upright); file.dat has x, y, value (-1: the tile has no role) and
# mark (-: none) of each tile.
unset datafile columnheaders
pitch = 4.3                        # super-tile, in tiles
gap = 1.2                          # from the last row to the edge, in tiles
along = folds * pitch              # tiles across a half's columns
deep = rows_a + rows_b + 2 * gap   # and across its rows
across = side ? deep : along
down = side ? along : deep
cell_width = 960.0 / across
cell_width = cell_width > 60 ? 60 : cell_width
cell_height = 720.0 / down
cell_height = cell_height > 34 ? 34 : cell_height
left = side ? 110 : 70
breadth = int(across * cell_width + 0.5)
drop = int(down * cell_height + 0.5)
eval picture(file, left + breadth + (side ? 190 : 125), drop + 175)
eval caption
eval panel(left, 105, breadth, drop)
eval colourbar(left + breadth + (side ? 88 : 18), 105, 16, drop)
if (logarithmic) { set logscale cb; set format cb (low >= 1 ? "%.0s%c" : "%g") }
set cbrange [low:high]
set cblabel unit noenhanced textcolor rgb ink offset 0.8,0
if (side) {
    set xrange [-rows_a - gap:rows_b + gap]
    set yrange [-along + 0.15:0.15]
} else {
    set xrange [-0.15:along - 0.15]
    set yrange [-rows_b - gap:rows_a + gap]
}
unset border
unset xtics
unset ytics
fold(c) = c >= folds ? columns - 1 - c : c
every(pixels, least) = pixels >= least ? 1 : int(least / pixels) + 1
step = every(pitch * (side ? cell_height : cell_width), side ? 13 : 62)
do for [c = 0:columns - 1] {
    if (fold(c) % step == 0 && (c < folds ? rows_a : rows_b) > 0) {
        at = fold(c) * pitch + 2
        if (side) {
            if (c < folds) { set label 200 + c sprintf('column %d', c) at first -rows_a - gap, first -at right offset -0.4,0 textcolor rgb ink }
            if (c >= folds) { set label 200 + c sprintf('column %d', c) at first rows_b + gap, first -at left offset 0.4,0 textcolor rgb ink }
        } else {
            set label 200 + c sprintf('column %d', c) at first at, first (c < folds ? rows_a + gap + 0.5 : -rows_b - gap - 0.5) center textcolor rgb ink
        }
    }
}
step = every(side ? cell_width : cell_height, side ? 24 : 14)
most = rows_a > rows_b ? rows_a : rows_b
do for [r = 0:most - 1:step] {
    if (side) {
        if (r < rows_a) { set label 300 + r sprintf('%d', r) at first -r - 1.6, graph 1 center offset 0,0.6 textcolor rgb ink }
        if (r < rows_b) { set label 700 + r sprintf('%d', r) at first r + 1.6, graph 1 center offset 0,0.6 textcolor rgb ink }
    } else {
        if (r < rows_a) { set label 300 + r sprintf('%d', r) at first -0.4, first r + 1.6 right textcolor rgb ink }
        if (r < rows_b) { set label 700 + r sprintf('%d', r) at first -0.4, first -r - 1.6 right textcolor rgb ink }
    }
}
if (side) {
    set label 500 'row' at graph 0, graph 1 right offset -0.4,0.6 textcolor rgb faint
    set label 502 'exchange spine' at first 0, graph 0.5 center rotate by 90 textcolor rgb faint
    set label 503 spare_a at first -rows_a - gap, graph 0 left offset 0.4,-0.8 noenhanced textcolor rgb faint
    set label 504 spare_b at first rows_b + gap, graph 0 right offset -0.4,-0.8 noenhanced textcolor rgb faint
    set object 1 rectangle from -0.35, graph 0 to 0.35, graph 1 behind fillcolor rgb '#f0f0f0' fillstyle solid noborder
} else {
    set label 500 'row' at first -0.4, first rows_a + gap + 0.5 right textcolor rgb faint
    set label 502 'exchange spine' at graph 0.5, first 0 center textcolor rgb faint
    set label 503 spare_a at graph 1, graph 1 right offset 0,1.8 noenhanced textcolor rgb faint
    set label 504 spare_b at graph 1, graph 0 right offset 0,-1.8 noenhanced textcolor rgb faint
    set object 1 rectangle from graph 0, first -0.35 to graph 1, first 0.35 behind fillcolor rgb '#f0f0f0' fillstyle solid noborder
}
set label 505 legend at screen at_x(left), screen 22 / canvas_height left noenhanced textcolor rgb ink
raised(v) = v < low ? low : v
bright = logarithmic ? low * (high / low) ** 0.6 : low + 0.6 * (high - low)
data = file.'.dat'
# Letters where a cell has room for them.
marked = cell_width >= 9 && cell_height >= 12
mark(t) = marked ? strcol(4) : '-'
half_x = side ? 0.44 : 0.46
half_y = side ? 0.46 : 0.44
# The mark is white on dark cells and black on bright ones.
plot data using 1:($3 < 0 ? $2 : NaN):(half_x):(half_y) with boxxyerror fillcolor rgb nothing notitle, \
     '' using 1:($3 < 0 ? NaN : $2):(half_x):(half_y):(raised($3)) with boxxyerror fillcolor palette notitle, \
     '' using 1:(mark(0) ne '-' && raised($3) < bright ? $2 : NaN):(mark(0)) \
         with labels noenhanced font ',10.5' textcolor rgb '#ffffff' notitle, \
     '' using 1:(mark(0) ne '-' && raised($3) >= bright ? $2 : NaN):(mark(0)) \
         with labels noenhanced font ',10.5' textcolor rgb mark_dark notitle
eval shown('chip')
