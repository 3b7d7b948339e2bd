# docs/images/study-next-chip.png from next-chip.csv and next-chip-1m.csv (in this folder: gnuplot next-chip.gp).
load '../../reports/plot/style.gp'
eval picture('../images/study-next-chip', 1180, 560)
words = 'Tiles for hot shards first; most other changes pay, or hurt, only behind them'
more = 'Device time against the chip as built (rings), and against the same chip with three tracers for each of eight hot shards (dots).'
eval caption
unset key
set border 3
eval panel(90, 90, 850, 350)
changes(scene) = sprintf("< awk -v of=changes -f ../../tools/study-next-chip.awk next-chip%s.csv", scene)
names = "'replicas: camera ×2' 1, 'four shards ×3' 2, 'eight shards ×3' 3, 'clock 1.85 GHz' 4, 'exchange dynamic' 5, 'exchange 8 B/cycle' 6, \
    'idle slots reused' 7, '7 more routers' 8, '85 more routers' 9, 'half the SRAM' 10, 'twice the SRAM' 11, 'two rows a batch' 12, 'three rows' 13, \
    '4 workers' 14, '8 workers' 15, '12 workers' 16"
eval 'set xtics ('.names.') rotate by -35 noenhanced scale 0'
set xrange [0.4:16.6]
set yrange [-58:38]
set ytics 10
set format y '%+.0f %%'
set grid y linecolor rgb rule
set arrow 1 from 0.4, 0 to 16.6, 0 nohead linecolor rgb faint
array colour[2] = ['#0072b2', '#d55e00']
array scene[2] = ['', '-1m']
array title_of[2] = ['garden-200k (the demo)', 'garden-1m']
do for [s = 1:2] {
    set label 10 + s title_of[s] at screen 0.815, screen 0.80 - 0.045 * s textcolor rgb colour[s]
}
set label 15 'ring: alone' at screen 0.815, screen 0.65 textcolor rgb faint
set label 16 'dot: behind eight ×3' at screen 0.815, screen 0.61 textcolor rgb faint
plot for [s = 1:2] changes(scene[s]) using ($0 + 1 + 0.24 * (s - 1.5)):2 with points pointtype 6 pointsize 1.3 linewidth 1.6 linecolor rgb colour[s], \
    for [s = 1:2] changes(scene[s]) using ($0 + 1 + 0.24 * (s - 1.5)):3 with points pointtype 7 pointsize 1.2 linecolor rgb colour[s]
