#!/bin/sh
# A small run is drawn: every picture is there, each can be drawn again alone, figures agree with the run's own, and what
# is no run folder is refused.
set -eu
program=${FOAMSIM:-build/foamsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "test_pictures: $1"
    exit 1
}

"$program" run tests/system/small.yaml --quiet --out "$work/run" >/dev/null
words=$(reports/draw "$work/run" 2>&1) || fail "draw failed: $words"
[ -z "$words" ] || fail "draw complained: $words"

signature=$(printf '\211PNG')
for picture in visits waiting occupancy chip-busy chip-bytes chip-sram compute fills phases histograms; do
    png=$work/run/pictures/$picture.png
    [ -s "$png" ] || fail "$picture.png is missing"
    [ "$(head -c 4 "$png")" = "$signature" ] || fail "$picture.png is no PNG"
    [ "$(wc -c <"$png")" -gt 10000 ] || fail "$picture.png is empty"
    rm "$png"
    (cd "$work/run/pictures" && gnuplot "$picture.gp") >"$work/words" 2>&1 || fail "$picture.gp alone: $(cat "$work/words")"
    [ -s "$png" ] || fail "$picture.gp alone leaves no picture"
done

# The shards of a scene.
"$program" scene partition garden-20k --kind metis --shards 64 --quiet --plot "$work/shards" >/dev/null || fail "scene partition --plot"
[ "$(head -c 4 "$work/shards/partition.png")" = "$signature" ] || fail "partition.png is no PNG"
rm "$work/shards/partition.png"
(cd "$work/shards" && LC_ALL=C.UTF-8 gnuplot partition.gp) >"$work/words" 2>&1 || fail "partition.gp alone: $(cat "$work/words")"
[ ! -s "$work/words" ] || fail "partition.gp complained: $(cat "$work/words")"
[ "$(wc -c <"$work/shards/partition.png")" -gt 10000 ] || fail "partition.png is empty"

# Means in the pictures' titles come from hops.csv by awk; the run counted them on its own.
agree() {
    drawn=$(sed -n "s/.*$1 = \([0-9.]*\);.*/\1/p" "$work/run/pictures/run.gp")
    counted=$(awk -F, -v name="$2" '$1 == name { print $3 }' "$work/run/stats.csv")
    awk -v a="$drawn" -v b="$counted" 'BEGIN { exit !(a != "" && b != "" && (a - b) ^ 2 < 1e-10) }' ||
        fail "$1 is $drawn in the pictures and $2 is $counted in stats.csv"
}
agree tracer_visits_mean hops.tracer_mean
agree router_visits_mean hops.router_mean

refused() {
    what=$1
    shift
    status=0
    reports/draw "$@" >"$work/words" 2>&1 || status=$?
    [ $status -eq 2 ] || fail "$what: exit status $status, not 2"
    grep -q "$what" "$work/words" || fail "expected a message with \"$what\", found: $(cat "$work/words")"
}
refused "no such folder" "$work/nowhere"
mkdir "$work/empty"
refused "not a run folder" "$work/empty"
refused "no picture" "$work/run" landscape
sed -i '1s/waiting/wading/' "$work/run/hops.csv"
refused "no column waiting" "$work/run"
echo "pictures: ok"
