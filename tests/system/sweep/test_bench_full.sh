#!/bin/sh
# tools/measure.c says what a command took and passes its status on; tools/bench-full's table of a small frame.
set -eu
BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "$1" >&2
    exit 1
}
# 60 MB for a third of a second, in a child of the command
"$BUILD/measure" "$work/cost" sh -c 'head -c 60000000 /dev/zero | { sleep 0.3; tail -c 60000000 | wc -c; }' >"$work/said"
grep -qx 60000000 "$work/said" || fail "the command's output is not its own: $(cat "$work/said")"
awk '{ v[$1] = $2 } END { exit !(v["seconds"] >= 0.3 && v["cpu_seconds"] > 0 && v["peak_bytes"] > 55e6 && NR == 3) }' \
    "$work/cost" || fail "measured: $(cat "$work/cost")"
status=0
"$BUILD/measure" "$work/cost" sh -c 'exit 3' || status=$?
[ $status -eq 3 ] || fail "status $status instead of 3"
status=0
"$BUILD/measure" "$work/cost" sh -c 'kill -KILL $$' || status=$?
[ $status -eq 137 ] || fail "status $status instead of 128 + 9"

EXPERIMENT=tests/system/small.yaml BENCH=$work/bench BUILD=$BUILD tools/bench-full >"$work/table" || fail "bench-full: status $?"
grep -qx 'tests/system/small.yaml: 20000 cells' "$work/table" || fail "$(cat "$work/table")"
awk '/kept$/ { kept++ } /of it: / { parts++ } END { exit !(kept == 3 && parts == 5) }' "$work/table" || fail "$(cat "$work/table")"
grep -A 1 'of it: mesh' "$work/table" | grep -q '  of it: mesh  *[0-9]' || fail "$(cat "$work/table")"
status=0
EXPERIMENT=$work/nothing.yaml BENCH=$work/bench BUILD=$BUILD tools/bench-full 2>"$work/words" || status=$?
[ $status -eq 2 ] || fail "an experiment that is not there: status $status"
grep -q 'nothing.yaml' "$work/words" || fail "an experiment that is not there: $(cat "$work/words")"
