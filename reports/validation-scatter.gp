# Published against simulated, both axes logarithmic, with the diagonal and a band of +-7 % around it. The caller sets file,
# data (block k: the figures of kind k: published, median, least, most), kinds (the blocks that hold something, as a
# string of 0s and 1s), words, more, unit, low, high (of both axes) and marks (tics for both).
set datafile separator whitespace
unset datafile columnheaders
array colour_of[4] = ['#0072b2', '#d55e00', '#009e73', '#8b95a1']
array name_of[4] = ['predicted', 'predicted, lanes saturate', 'for calibration', 'structure']
array point_of[4] = [7, 9, 5, 13]
eval picture(file, 620, 56 + 470)
eval caption(words, more)
set multiplot
eval panel(74, 56 + 10, 530, 410)
set logscale xy
log_x = 1
log_y = 1
set xrange [low:high]
set yrange [low:high]
eval 'set xtics '.marks
eval 'set ytics '.marks
set format xy '%g'
if (high >= 10000) { set format xy '%.0s%c' }
set grid xtics ytics linecolor rgb '#ececec' linewidth 1
set xlabel 'published'.(unit eq '' ? '' : ', '.unit) textcolor rgb ink noenhanced offset 0,0.2
set ylabel 'simulated'.(unit eq '' ? '' : ', '.unit) textcolor rgb ink noenhanced offset 0.5,0
set key bottom right Left reverse samplen 1 spacing 1.25 box linecolor rgb rule
band = 0.07
set samples 2
plot '+' using (low * (high / low) ** $0):((1 - band) * low * (high / low) ** $0):((1 + band) * low * (high / low) ** $0) \
        with filledcurves fillcolor rgb '#f0f0f0' title 'within 7 %', \
    '+' using (low * (high / low) ** $0):(low * (high / low) ** $0) with lines linewidth 1.2 linecolor rgb faint title 'equal', \
    for [k = 1:4] data index k - 1 using 1:3:(0):($4 - $3) with vectors nohead linewidth 1.3 linecolor rgb colour_of[k] notitle, \
    for [k = 1:4] data index k - 1 using 1:2 with points pointtype point_of[k] pointsize 0.75 linecolor rgb colour_of[k] notitle, \
    for [k = 1:4] NaN with points pointtype point_of[k] pointsize 0.75 \
        linecolor rgb colour_of[k] title (kinds[k:k] eq '1' ? name_of[k] : '')
eval shown('dots')
unset multiplot
