# Two maps over the image, side by side, or the left one alone if `sides` is 1: the caller sets words, more and, for left (1)
# and right (2), column, unit, name, low, high (the colour range) and note; and `widest`, the greatest
# width of a map in dots, if it is not 900, and step, if a value stands for step x step pixels.
map_width = width * (width < 640 ? (640 + width - 1) / width : 1)
if (!exists('widest')) { widest = 900 }
map_width = svg ? 455 : map_width > widest ? widest : map_width
map_height = int(map_width * height / (1.0 * width) + 0.5)
across = map_width + 160
if (!exists('sides')) { sides = 2 }
if (!exists('step')) { step = 1 }
eval picture(file, sides * across + 10, map_height + 152)
eval caption
set multiplot
unset datafile columnheaders
set datafile separator whitespace
set xrange [-0.5:width - 0.5]
set yrange [height - 0.5:-0.5]
set xtics autofreq
set xlabel 'pixel x' textcolor rgb ink offset 0,0.4
set ylabel 'pixel y' textcolor rgb ink offset 1,0
do for [side = 1:sides] {
    left = 75 + (side - 1) * across
    eval panel(left, 105, map_width, map_height)
    eval colourbar(left + map_width + 14, 105, 16, map_height)
    set cbrange [low[side]:high[side]]
    if (high[side] - low[side] > 8) { set cbtics autofreq } else { set cbtics 1 }
    set cblabel unit[side] textcolor rgb ink offset 0.5,0
    set label 1 '{/:Bold '.name[side].'}  {/=10.5 '.note[side].'}' at graph 0, screen at_y(92) left \
        textcolor rgb ink
    # Pixels that no ray of the frame reached show the grey behind the map.
    set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind fillcolor rgb nothing fillstyle solid noborder
    plot source[side].'.map' matrix using ($1 * step + (step - 1) / 2.0):($2 * step + (step - 1) / 2.0):($3 < 0 ? NaN : $3) \
        with image notitle
    eval shown(source[side])
    unset label 101
    unset label 102
}
unset multiplot
