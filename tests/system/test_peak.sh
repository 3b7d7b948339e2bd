#!/bin/sh
# The speed of light: issue slots, ports and memory in parts of their peak, held against what tiles.csv and memory.csv say of
# every tile; a run priced from its activity has the same; page and figures agree.
set -eu
program=${FOAMSIM:-build/foamsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "test_peak: $1"
    exit 1
}
figure() { awk -F, -v name="$2" '$1 == name { print $3 }' "$work/$1/stats.csv"; }
setting() { awk -F, -v section="$2" -v key="$3" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } $c["section"] == section && $c["key"] == key { print $c["value"] + 0 }' "$work/$1/parameters.csv"; }
near() { awk -v a="$2" -v b="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(a > 0 && d <= 1e-9 * a) }' || fail "$1: $2 and $3"; }

"$program" run tests/system/small.yaml --quiet --out "$work/foam" >/dev/null
"$program" run configs/experiments/traffic-uniform.yaml --quiet --out "$work/traffic" >/dev/null
"$program" run configs/experiments/program.yaml --quiet --out "$work/program" >/dev/null
for run in foam traffic program; do
    cycles=$(figure $run device.cycles)
    # busy: slots of a worker times the workers of a tile; of a worker that has them all.
    workers=$(setting $run machine tile.workers)
    port=$(setting $run machine exchange.bytes_per_cycle)
    awk -F, -v cycles="$cycles" -v workers="$workers" -v port="$port" '
        NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        { tiles++; busy += $c["busy"]; bytes += $c["bytes_out"] }
        END { printf "%.17g %.17g %d\n", busy / workers / (tiles * cycles), bytes / (port * tiles * cycles), tiles }' \
        "$work/$run/tiles.csv" >"$work/expected"
    read -r issue exchange tiles <"$work/expected"
    [ $run = traffic ] || near "$run: issue slots" "$(figure $run peak.issue)" "$issue"
    near "$run: exchange" "$(figure $run peak.exchange)" "$exchange"
    if [ -f "$work/$run/memory.csv" ]; then
        held=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { sum += $c["bytes"] } END { print sum }' "$work/$run/memory.csv")
        sram=$(awk -F, -v peak="$(figure $run memory.peak_bytes)" -v share="$(figure $run peak.sram_fullest)" 'BEGIN { printf "%.0f", peak / share }')
        near "$run: SRAM" "$(figure $run peak.sram)" "$(awk -v held="$held" -v tiles="$tiles" -v sram="$sram" 'BEGIN { printf "%.17g", held / tiles / sram }')"
    fi
    awk -F, '/^peak\./ && $3 != "" && $3 != "null" && ($3 < 0 || $3 > 1) { bad = 1 } END { exit bad }' "$work/$run/stats.csv" || fail "$run: more than all of a part"
done
# Twice the issue width is twice the peak.
"$program" run tests/system/small.yaml --quiet --set machine.tile.issue_width=2 --out "$work/wide" >/dev/null
near "issue width" "$(awk -v a="$(figure foam peak.issue)" -v b="$(figure foam device.cycles)" 'BEGIN { printf "%.17g", a * b }')" \
    "$(awk -v a="$(figure wide peak.issue)" -v b="$(figure wide device.cycles)" 'BEGIN { printf "%.17g", 2 * a * b }')"
echo "peak: ok"
