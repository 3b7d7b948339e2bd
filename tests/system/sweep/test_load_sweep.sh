#!/bin/sh
# A sweep over loads gives a row for each, latency grows with load, and its first figures are those of a run by hand; the
# experiments and the picture's script that docs/traffic.md names are there.
set -eu
FOAMSIM=${FOAMSIM:-build/foamsim}
export FOAMSIM
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
small='--set machine.geometry.columns=4 --set machine.geometry.rows=6 --set workload.tracers=64 --set workload.measure=200'
# shellcheck disable=SC2086 # words on purpose
tools/load-sweep configs/experiments/traffic-uniform.yaml "0.5 1.5 2.5" $small >"$work/sweep.csv"
awk -F, '
    NR == 1 { if ($1 != "load" || $3 != "load.accepted" || $5 != "latency.mean" || NF != 10) exit 1; next }
    NF != 10 || $5 <= last || $3 < 0.95 * $1 || $3 > 1.05 * $1 { print "row " NR ": " $0; exit 1 }
    { last = $5 }
    END { if (NR != 4) exit 1 }' "$work/sweep.csv"
# shellcheck disable=SC2086
"$FOAMSIM" run configs/experiments/traffic-uniform.yaml --quiet --out "$work/run" $small --set workload.load=1.5 >/dev/null
latency=$(awk -F, '$1 == "latency.mean" { print $3 }' "$work/run/stats.csv")
grep -q "^1.5,.*,$latency," "$work/sweep.csv"
for name in uniform hotspot mesh; do
    "$FOAMSIM" run "configs/experiments/traffic-$name.yaml" --quiet --check
done
if tools/load-sweep configs/experiments/traffic-uniform.yaml >/dev/null 2>&1; then
    echo "a sweep without loads was not refused"
    exit 1
fi
