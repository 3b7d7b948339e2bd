# A map of a network, an arrow for each link: the caller sets file, words, more, unit, high, grid (places are columns and rows), and
# x_low, x_high, y_low, y_high of the routers' places; file.dat has x, y, dx, dy and value of each link.
unset datafile columnheaders
set datafile separator whitespace
across = x_high - x_low + 1.4
down = y_high - y_low + 1.4
cell = 900.0 / across
cell = cell * down > 760 ? 760.0 / down : cell
cell = cell > 90 ? 90 : cell
breadth = int(across * cell + 0.5)
drop = int(down * cell + 0.5)
drop = drop < 160 ? 160 : drop # a row of routers
least = svg || bare ? 700 : 1080 # the words of a PNG
eval picture(file, 60 + breadth + 125 < least ? least : 60 + breadth + 125, drop + 165)
eval caption
eval panel(60, 105, breadth, drop)
eval colourbar(60 + breadth + 18, 105, 16, drop)
set cbrange [0:high]
set cblabel unit noenhanced textcolor rgb ink offset 0.8,0
set xrange [x_low - 0.7:x_high + 0.7]
set yrange [y_high + 0.7:y_low - 0.7]
unset border
step(n) = n > 8 ? int(2 ** ceil(log(n / 8.0) / log(2))) : 1
if (grid) {
    set xtics 0,step(x_high - x_low),floor(x_high) scale 0 textcolor rgb faint
    set ytics 0,step(y_high - y_low),floor(y_high) scale 0 textcolor rgb faint
    set xlabel 'column' textcolor rgb faint
    set ylabel 'row' textcolor rgb faint
} else {
    unset xtics
    unset ytics
}
# Dark ground, so that the busiest links are the brightest.
set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind fillcolor rgb '#120818' fillstyle solid noborder
thick = cell > 40 || y_high - y_low < 2 ? 4 : cell > 20 ? 3 : cell > 10 ? 2 : 1
plot file.'.dat' using 1:2:3:4:5 with vectors nohead linewidth thick linecolor palette notitle
eval shown('map')
