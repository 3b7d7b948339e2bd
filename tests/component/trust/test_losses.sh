#!/bin/sh
# A point that lost rays is infeasible unless the sweep file allows losses, and the page says why they were lost; so is one of a
# machine beyond its limits, unless the file allows that; k-d cuts and fat trees take any number of shards.
set -eu
FOAMSIM=${FOAMSIM:-build/foamsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
has() { grep -qF -- "$1" "$2" || { echo "not said: $1"; head -c 2000 "$2"; exit 1; }; }
cat >"$work/sweep.yaml" <<END
name: loss
base:
  machine: gc200-small
  scene: { generate: { kind: uniform, cells: 2000 } }
  overlay: { kind: quadtree, router_buffer: 3200 B, tracer_buffer: 640 B, generator_buffer: 640 B }
  workload: { kind: foam, partition: { shards: 16 }, camera: { position: [1.7, -3.6, 1.5], look_at: [0.1, 0.2, 0.6], width: 64, height: 48 } }
axes:
  - { key: overlay.generator_ring, values: [0, 4000] }
END
"$FOAMSIM" sweep "$work/sweep.yaml" --store "$work/loss.db" --quiet >/dev/null
"$FOAMSIM" query "$work/loss.db" table --csv --where rays.dropped\>0 --where feasible=0 >"$work/lost"
[ "$(wc -l <"$work/lost")" -eq 2 ] || { cat "$work/lost"; exit 1; }
status=0
"$FOAMSIM" query "$work/loss.db" table --figures rays.droped >"$work/said" 2>&1 || status=$?
[ "$status" -eq 2 ] || { echo "an unknown figure: status $status"; exit 1; }
has 'no point of the sweep loss has a figure "rays.droped"; did you mean "rays.dropped"?' "$work/said"
"$FOAMSIM" query "$work/loss.db" best --csv >"$work/best"
has 'generator_ring=4000' "$work/best"
"$FOAMSIM" report "$work/loss.db" -o "$work/loss.html" --quiet
sed 's/<[^>]*>//g' "$work/loss.html" >"$work/loss.txt"
has 'At worst (overlay.generator_ring = 0) ' "$work/loss.txt"
has 'rays were lost, as the generator' "$work/loss.txt"
has 'larger lanes or smaller batches (workload.batching.per_batch) would keep them.' "$work/loss.txt"
# A value whose points all lose rays has no mean, however fast they are.
sed -e 's/^name: loss/name: mean/' -e '$a\  - { key: machine.exchange.bytes_per_cycle, values: [4 B/cycle, 6 B/cycle, 8 B/cycle] }' "$work/sweep.yaml" >"$work/mean.yaml"
"$FOAMSIM" sweep "$work/mean.yaml" --store "$work/loss.db" --quiet --report "$work/mean.html" >/dev/null
sed 's/<[^>]*>//g' "$work/mean.html" >"$work/mean.txt"
has 'No point with overlay.generator_ring = 0 is feasible.' "$work/mean.txt"
has 'machine.exchange.bytes_per_cycle hardly matters for time on the device: with all else equal, at most 0.3' "$work/mean.txt"
has 'overlay.generator_ring: No point with overlay.generator_ring = 0 is feasible.' "$work/mean.txt"
sed 's/^name: loss/name: allowed\nlosses: allowed/' "$work/sweep.yaml" >"$work/allowed.yaml"
"$FOAMSIM" sweep "$work/allowed.yaml" --store "$work/loss.db" --quiet >/dev/null
"$FOAMSIM" query "$work/loss.db" best --csv >"$work/best"
has 'generator_ring=0' "$work/best"
sed -i 's/allowed$/maybe/' "$work/allowed.yaml"
if "$FOAMSIM" sweep "$work/allowed.yaml" --store "$work/loss.db" >/dev/null 2>"$work/said"; then exit 1; fi
has 'losses: expected allowed or refused' "$work/said"

# A machine beyond a limit is infeasible: of its area by itself, of its power where one is set.
sed -e 's/^name: loss/name: limits/' -e '/^  - { key/d' "$work/sweep.yaml" >"$work/limits.yaml"
cat >>"$work/limits.yaml" <<END
  - { key: machine.limits.area, values: [858 mm2, 100 mm2, 0 mm2] }
  - { key: machine.limits.power, values: [0 W, 1 W, 100 W] }
END
sed -i 's/generator_buffer: 640 B/generator_buffer: 640 B, generator_ring: 4000/' "$work/limits.yaml"
"$FOAMSIM" sweep "$work/limits.yaml" --store "$work/loss.db" --quiet --report "$work/limits.html" >/dev/null
"$FOAMSIM" query "$work/loss.db" table --csv --where feasible=1 --figures limits.area | tail -n +2 | cut -d, -f3,4 | tr '\n' ';' >"$work/kept"
[ "$(cat "$work/kept")" = '858 mm2,0 W;858 mm2,100 W;0 mm2,0 W;0 mm2,100 W;' ] || { cat "$work/kept"; exit 1; }
"$FOAMSIM" query "$work/loss.db" best --csv --where 'machine.limits.area=100 mm2' >"$work/best" 2>"$work/said"
[ "$(wc -l <"$work/best")" -eq 1 ]
has 'none of the 3 finished points of the sweep limits that --where leaves is feasible: 3 break limits.area <= 1, at best 1.61; 1 breaks limits.power <= 1, at best' "$work/said"
sed 's/<[^>]*>//g' "$work/limits.html" >"$work/limits.txt"
has 'a chip takes 161' "$work/limits.txt"
has 'of machine.limits.area' "$work/limits.txt"
has 'of machine.limits.power' "$work/limits.txt"
sed 's/\xc2\xa0/ /g' "$work/limits.html" >"$work/limits.txt"
has '<span>area of a chip, at the best</span><b>161 mm2</b><span>18.8 % of the limit, 858 mm2</span>' "$work/limits.txt"
has '161 mm2 (161 %)' "$work/limits.txt"
sed 's/^name: limits/name: beyond\nlimits: allowed/' "$work/limits.yaml" >"$work/beyond.yaml"
"$FOAMSIM" sweep "$work/beyond.yaml" --store "$work/loss.db" --quiet >/dev/null
[ "$("$FOAMSIM" query "$work/loss.db" table --csv --where feasible=1 | wc -l)" -eq 10 ]

# Limits that the file states hold for every point, over the base's machine: one die of two is cheap enough.
sed -e 's/^name: limits/name: stated\nlimits: { cost: 35, power: 0 W }/' -e '/machine.limits/d' "$work/limits.yaml" >"$work/stated.yaml"
echo '  - { key: machine.memory.sram, values: [624 KiB, 1248 KiB] }' >>"$work/stated.yaml"
"$FOAMSIM" sweep "$work/stated.yaml" --store "$work/loss.db" --quiet >/dev/null
"$FOAMSIM" query "$work/loss.db" table --csv --figures limits.cost | tail -n +2 | cut -d, -f3- | tr '\n' ';' >"$work/kept"
"$FOAMSIM" query "$work/loss.db" table --csv --where feasible=1 | tail -n +2 | cut -d, -f3 >"$work/cheap"
[ "$(cat "$work/cheap")" = '624 KiB' ] || { cat "$work/kept" "$work/cheap"; exit 1; }
sed -i 's/cost: 35/coost: 35/' "$work/stated.yaml"
if "$FOAMSIM" sweep "$work/stated.yaml" --store "$work/loss.db" >/dev/null 2>"$work/said"; then exit 1; fi
has 'machine.limits.coost: unknown key; expected one of area, power, sram or cost; did you mean "cost"' "$work/said"

# 13 shards under a fat tree of arity 3: three levels of routers.
"$FOAMSIM" query "$work/loss.db" show 1 --sweep beyond >"$work/run.yaml"
any() {
    "$FOAMSIM" run "$work/run.yaml" --quiet --force -o "$work/run" --set overlay.router_buffer=64KiB --set workload.partition.shards="$1" \
        --set overlay.kind="$2" ${3:+--set overlay.arity="$3"} >/dev/null
    grep -q '^complete,,true' "$work/run/stats.csv" || { echo "$2 of $1 shards is not complete"; exit 1; }
    awk -F, '$1 == "rays.finished" && $3 != 3072 { exit 1 }' "$work/run/stats.csv"
}
any 13 fat_tree 3
"$FOAMSIM" report "$work/run" -o "$work/run.html" --quiet
has '<span>area of a chip</span><b>161 mm2</b><span>18.8 % of the limit, 858 mm2</span>' "$work/run.html"
has '<span>power, mean</span>' "$work/run.html"
"$FOAMSIM" compare "$work/run" "$work/run" -o "$work/compare.html" >"$work/said"
sed -n '/<section id="verdict"/,/<\/section>/p' "$work/compare.html" | grep -q '>area of a chip</th>' || { echo "compare: no area in the verdict"; exit 1; }
has '161 mm2 (18.8 %)' "$work/compare.html"
any 31 fat_tree 8
any 50 tree
if "$FOAMSIM" run "$work/run.yaml" --check --set workload.partition.shards=50 2>"$work/said"; then exit 1; fi
has 'overlay.kind fat_tree or tree takes any number' "$work/said"
