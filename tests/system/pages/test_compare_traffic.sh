#!/bin/sh
# `foamsim compare` of a workload that is no renderer: its own figures come first, each in the direction that its row says,
# and the verdict speaks of them; a run whose stats.csv has only names is read by this foamsim's tables.
set -eu
. tests/support/pages/compare.sh
traffic="configs/experiments/traffic-uniform.yaml --set workload.warmup=10 --set workload.measure=60 --set workload.load=1.5"
compare() { "$program" compare "$@" >"$work/out" 2>"$work/err" || fail "compare: $(cat "$work/err")"; }
less_or_more() { awk -v a="$(figure quad "$1")" -v b="$(figure fat "$1")" 'BEGIN { print b < a ? "less" : "more" }'; }

# shellcheck disable=SC2086 # several words
run quad $traffic --set overlay.kind=quadtree
# shellcheck disable=SC2086
run fat $traffic --set overlay.kind=fat_tree

# Latency, load accepted, load bound and refused rays stand above the device's time.
compare "$work/quad" "$work/fat" --json "$work/both.json"
for label in "mean latency" "latency of 99 %" "load accepted" "load bound" "rays refused" "time on the device"; do
    grep -n "^$label  " "$work/out" | head -1 | cut -d: -f1
done >"$work/lines"
[ "$(wc -l <"$work/lines")" -eq 6 ] || fail "a label is missing: $(cat "$work/out")"
sort -nc "$work/lines" 2>/dev/null || fail "not in that order: $(cat "$work/out")"

# The directions: of latency and refused rays less is better, of load more.
better() { grep -A3 "\"name\": \"$1\"" "$work/both.json" | sed -n 's/.*"better": "\(.*\)".*/\1/p'; }
for pair in latency.mean=less latency.p99=less load.accepted=more load.bound=more rays.refused=less rays.delivered=more; do
    [ "$(better "${pair%=*}")" = "${pair#*=}" ] || fail "${pair%=*}: better is $(better "${pair%=*}"), expected ${pair#*=}"
done

# The verdict: the mean latency decides, with the sign and the size that the summaries give; then the load.
a=$(figure quad latency.mean) b=$(figure fat latency.mean)
percent=$(awk -v a="$a" -v b="$b" 'BEGIN { d = 100 * (b - a) / a; d = d < 0 ? -d : d; printf "%.*g", d < 10 ? 2 : 3, d }')
way=$(less_or_more latency.mean)
says "fat is $(test "$way" = less && echo better || echo worse) than quad: its mean latency is $percent % $way,"
says "Each source delivers [0-9.]* instead of [0-9.]* rays per 1,000 cycles"
says "By the routes the busiest port and tile allow"
! grep -q "frame\|picture" "$work/out" || fail "a verdict about a picture: $(cat "$work/out")"
compare "$work/fat" "$work/quad"
says "quad is $(test "$way" = less && echo worse || echo better) than fat: its mean latency is"

# Thresholds go by the same rows: the worse of the two breaks one of 0 %, the better does not.
status=0
"$program" compare "$work/quad" "$work/fat" --quiet --threshold latency.mean=0 2>/dev/null || status=$?
[ $status -eq "$(test "$way" = less && echo 0 || echo 1)" ] || fail "a threshold on latency: exit status $status"

# A run of an older foamsim: four columns. What it does not say is taken from the tables of this one.
cp -r "$work/fat" "$work/old"
sed 's/^\(name,unit,value,description\),.*/\1/; t; s/^\([^,]*,[^,]*,[^,]*\),.*/\1,old/' "$work/fat/stats.csv" >"$work/old/stats.csv"
sed -i '/"stats.csv"/,/bytes/s/"bytes": [0-9]*/"bytes": '"$(wc -c <"$work/old/stats.csv")"'/' "$work/old/manifest.json"
compare "$work/old" "$work/quad"
says "quad is $(test "$way" = less && echo worse || echo better) than old: its mean latency is"

# Many runs: a line each, with the workload's figures.
for i in 3 4 5 6 7 8 9; do cp -r "$work/fat" "$work/run-$i"; done
compare "$work/quad" "$work/fat" "$work"/run-*
says "run mean latency"
says "From the best: "
echo "compare of traffic: ok"
