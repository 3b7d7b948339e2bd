# Published against simulated, both axes logarithmic, with the diagonal and a band of what is aimed at (aim) around it. The caller
# sets file, data (block k: the figures of kind k: published, median, least, most), kinds (the blocks that hold something, as a
# string of 0s and 1s), words, more, unit, low, high (of both axes) and the tics of both.
set datafile separator whitespace
unset datafile columnheaders
array colour_of[4] = ['#0072b2', '#d55e00', '#009e73', '#8b95a1']
array name_of[4] = ['predicted', 'lanes saturate', 'calibration', 'structure']
array point_of[4] = [7, 9, 5, 13]
eval picture(file, 620, 56 + 470)
eval caption
set multiplot
eval panel(74, 56 + 28, 530, 392)
set logscale xy
log_x = 1
log_y = 1
set xrange [low:high]
set yrange [low:high]
set format xy '%g'
if (high >= 10000) { set format xy '%.0s%c' }
set grid xtics ytics linecolor rgb '#ececec' linewidth 1
set xlabel 'published'.(unit eq '' ? '' : ', '.unit) textcolor rgb ink noenhanced offset 0,0.2
set ylabel 'simulated'.(unit eq '' ? '' : ', '.unit) textcolor rgb ink noenhanced offset 0.5,0
unset key
# Above the panel, as data may lie anywhere in it: the band, the diagonal, and the kinds that there are.
set object 200 rectangle from screen at_x(74), screen at_y(56 + 6) to screen at_x(92), screen at_y(56 + 14) fillcolor rgb '#f0f0f0' fillstyle solid noborder
set label 200 sprintf('within %g %%', 100 * aim) at screen at_x(97), screen at_y(56 + 10) left noenhanced textcolor rgb ink
set arrow 201 from screen at_x(172), screen at_y(56 + 10) to screen at_x(190), screen at_y(56 + 10) nohead linewidth 1.2 linecolor rgb faint
set label 201 'equal' at screen at_x(195), screen at_y(56 + 10) left noenhanced textcolor rgb ink
x = 250
do for [k = 1:4] {
    if (kinds[k:k] eq '1') {
        set label 210 + k '' at screen at_x(x), screen at_y(56 + 10) point pointtype point_of[k] pointsize 0.75 linecolor rgb colour_of[k]
        set label 220 + k name_of[k] at screen at_x(x + 10), screen at_y(56 + 10) left noenhanced textcolor rgb ink
        x = x + 28 + 6.6 * strlen(name_of[k])
    }
}
band = aim
set samples 2
plot '+' using (low * (high / low) ** $0):((1 - band) * low * (high / low) ** $0):((1 + band) * low * (high / low) ** $0) \
        with filledcurves fillcolor rgb '#f0f0f0' notitle, \
    '+' using (low * (high / low) ** $0):(low * (high / low) ** $0) with lines linewidth 1.2 linecolor rgb faint notitle, \
    for [k = 1:4] data index k - 1 using 1:3:(0):($4 - $3) with vectors nohead linewidth 1.3 linecolor rgb colour_of[k] notitle, \
    for [k = 1:4] data index k - 1 using 1:2 with points pointtype point_of[k] pointsize 0.75 linecolor rgb colour_of[k] notitle
eval shown('dots')
unset multiplot
