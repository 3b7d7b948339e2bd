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
"$program" report "$work/run" --plots >"$work/words" 2>&1 || fail "report failed: $(cat "$work/words")"

signature=$(printf '\211PNG')
for picture in visits waiting occupancy chip-busy chip-bytes chip-sram compute fills iterations histograms; do
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

# Means in the pictures' titles come from hops.csv; the run counted them on its own.
agree() {
    drawn=$(sed -n "s/^words = .*: $1.*/\\$2/p" "$work/run/pictures/visits.gp")
    counted=$(awk -F, -v name="$3" '$1 == name { printf "%.1f", $3 }' "$work/run/stats.csv")
    [ "${drawn:-nothing}" = "$counted" ] || fail "$3 is $drawn in the pictures and $counted in stats.csv"
}
both='\([0-9.]*\) tracer and \([0-9.]*\) router visits each'
agree "$both" 1 hops.tracer_mean
agree "$both" 2 hops.router_mean

refused() {
    what=$1
    shift
    status=0
    "$program" report "$@" >"$work/words" 2>&1 || status=$?
    [ $status -eq 2 ] || fail "$what: exit status $status, not 2"
    grep -q "$what" "$work/words" || fail "expected a message with \"$what\", found: $(cat "$work/words")"
}
refused "no such run folder" "$work/nowhere"
mkdir "$work/empty"
refused "no run folder" "$work/empty"
sed -i '1s/waiting/wadings/' "$work/run/hops.csv"
refused "waiting" "$work/run"
echo "pictures: ok"
