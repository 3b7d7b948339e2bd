# A map of the chip, one cell a tile: the caller sets file, words, more, unit, legend, low, high, logarithmic (0 or 1),
# chip_columns, chip_rows; file.dat has x, y, value (-1: the tile has no role) and mark (-: none) of each tile.
unset datafile columnheaders
folds = chip_columns > 1 ? chip_columns / 2 : 1
pitch = 4.3                        # super-tile, in tiles
half_of(c) = int(c) >= folds
fold(c) = half_of(c) ? chip_columns - 1 - c : c
cell_width = 1040 / (folds * pitch)
cell_height = folds > 4 ? 19 : 34
left = 70
breadth = int(folds * pitch * cell_width + 0.5)
drop = int((2 * chip_rows + 2.4) * cell_height + 0.5)
eval picture(file, left + breadth + 125, drop + 175)
eval caption
eval panel(left, 105, breadth, drop)
eval colourbar(left + breadth + 18, 105, 16, drop)
if (logarithmic) { set logscale cb }
set cbrange [low:high]
set cblabel unit noenhanced textcolor rgb ink offset 0.8,0
set xrange [-0.15:folds * pitch - 0.15]
set yrange [-chip_rows - 1.2:chip_rows + 1.2]
unset border
unset xtics
unset ytics
do for [c = 0:chip_columns - 1] {
    set label 200 + c sprintf('column %d', c) at fold(c) * pitch + 2, (half_of(c) ? -1 : 1) * (chip_rows + 1.7) center \
        textcolor rgb ink font ',10'
}
do for [r = 0:chip_rows - 1:(chip_rows > 12 ? 2 : 1)] {
    set label 300 + r sprintf('%d', r) at -0.4, r + 1.6 right textcolor rgb ink font ',9'
    set label 400 + r sprintf('%d', r) at -0.4, -r - 1.6 right textcolor rgb ink font ',9'
}
set label 500 'row' at -0.4, chip_rows + 1.7 right textcolor rgb faint font ',10'
set label 502 'exchange spine' at folds * pitch / 2.0, 0 center textcolor rgb faint font ',10'
set label 503 legend at screen at_x(left), screen 22 / canvas_height left noenhanced textcolor rgb ink font ',10'
set object 1 rectangle from -0.15, -0.35 to folds * pitch - 0.15, 0.35 behind fillcolor rgb '#f0f0f0' \
    fillstyle solid noborder
raised(v) = v < low ? low : v
bright = logarithmic ? low * (high / low) ** 0.6 : low + 0.6 * (high - low)
data = file.'.dat'
mark(t) = strcol(4)
# The mark is white on dark cells and black on bright ones.
plot data using 1:($3 < 0 ? $2 : NaN):(0.46):(0.44) with boxxyerror fillcolor rgb nothing notitle, \
     '' using 1:($3 < 0 ? NaN : $2):(0.46):(0.44):(raised($3)) with boxxyerror fillcolor palette notitle, \
     '' using 1:2:(mark(0) ne '-' && raised($3) < bright ? mark(0) : '') \
         with labels noenhanced font ',8' textcolor rgb '#ffffff' notitle, \
     '' using 1:2:(mark(0) ne '-' && raised($3) >= bright ? mark(0) : '') \
         with labels noenhanced font ',8' textcolor rgb mark_dark notitle
eval shown('chip')
