# Tile by iteration, in groups from the top down: runs side by side on one scale and one axis. held_most is the brightest;
# change it in run.gp. The caller sets file, words, more and unit.
set datafile separator whitespace
unset datafile columnheaders
left = 130
space = 24
bar = 82
breadth = int((1240 - left - bar - (runs - 1) * space) / (1.0 * runs))
gap = 7
# A group's height in dots grows with the root of its tiles, so that one router and a thousand tracers are both seen.
tall(n) = n > 200 ? 200 : int(19 + 11 * sqrt(n) + 0.5)
total = 0
do for [g = 1:groups] { total = total + tall(group_rows[g]) + gap }
eval picture(file, 1240, total + 150)
eval caption
set multiplot
set border 15 linecolor rgb rule
set xrange [-0.5:longest - 0.5]
set logscale cb
set cbrange [1:held_most]
set cbtics scale 0.6
set cblabel unit noenhanced textcolor rgb ink offset 0.5,0
unset ytics
do for [i = 0:runs - 1] {
    offset_y = 92
    do for [g = 1:groups] {
        h = tall(group_rows[g])
        eval panel(left + i * (breadth + space), offset_y, breadth, h)
        n = value(sprintf('tiles_%d_%d', i, g - 1))
        unset label 1
        unset label 2
        unset label 3
        if (g == 1) { set label 3 label[i + 1].(i == 0 ? '  (base)' : '') at graph 0, graph 1 left offset 0,0.7 noenhanced textcolor rgb ink font ',12' }
        if (i == 0) {
            # How many tiles: of each run where they differ.
            alike = 1
            counted = ''
            do for [k = 0:runs - 1] {
                m = value(sprintf('tiles_%d_%d', k, g - 1))
                alike = alike && m == n
                counted = counted.(k > 0 ? ', ' : '').sprintf('%d', m)
            }
            counted = (alike ? sprintf('%d', n) : counted).(alike && n == 1 ? ' tile' : ' tiles')
            set label 1 group_name[g] at screen at_x(left - 12), graph 0.5 right offset 0,0.45 noenhanced textcolor rgb ink
            set label 2 counted at screen at_x(left - 12), graph 0.5 right offset 0,-0.55 textcolor rgb faint font ',10.5'
        }
        set format x (g == groups ? '%.0f' : '')
        if (g == groups) { set xlabel 'iteration' textcolor rgb ink } else { unset xlabel }
        if (i == runs - 1 && g == 1) { eval colourbar(left + i * (breadth + space) + breadth + 12, 92, 14, total - gap) } else { unset colorbox }
        set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind fillcolor rgb nothing fillstyle solid noborder
        if (n > 0 && value(sprintf('held_%d', i))) {
            set yrange [value(sprintf('rows_%d_%d', i, g - 1)) - 0.5:-0.5]
            plot sprintf('held-%d-%d.map', i, g - 1) matrix using ($1 * pool + (pool - 1) / 2.0):2:3 with image notitle
            eval shown(sprintf('run-%d-%d', i, g - 1))
        } else {
            set yrange [1:0]
            plot NaN notitle
        }
        unset label 101
        unset label 102
        offset_y = offset_y + h + gap
    }
}
unset multiplot
