#!/bin/sh
# Pages can be sent: the demo's has at most 2 MB, one of pictures of two million pixels at most 5 MB. Such pictures are reduced
# in the page, which leads to the whole ones beside it.
set -eu
FOAMSIM=${FOAMSIM:-build/foamsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "test_page_sizes: $*"
    exit 1
}
page() { # NAME LIMIT EXPERIMENT OPTION...
    name=$1 limit=$2
    shift 2
    "$FOAMSIM" run "$@" --quiet -o "$work/$name" >/dev/null || fail "the run $name failed"
    "$FOAMSIM" report "$work/$name" --quiet >/dev/null || fail "no page of $name"
    bytes=$(wc -c <"$work/$name/pictures/report.html")
    [ "$bytes" -le "$limit" ] || fail "the page of $name has $bytes bytes, more than $limit"
}
page demo 2000000 demo
page box 5000000 box --set workload.width=1440 --set workload.height=1440 --set workload.samples=1 --set workload.sampling.drawn=1 --set machine.chips=1
[ "$(cat "$work/box"/*.png | wc -c)" -gt 5000000 ] || fail "the pictures of box are too small to tell"
grep -o 'href="[^"]*">the whole picture' "$work/box/pictures/report.html" >"$work/links"
[ "$(wc -l <"$work/links")" -eq 4 ] || fail "not four links to whole pictures: $(cat "$work/links")"
sed 's/href="//; s/".*//' "$work/links" | while read -r file; do [ -s "$work/box/pictures/$file" ] || fail "$file is not there"; done
"$FOAMSIM" report "$work/box" -o "$work/elsewhere.html" --quiet >/dev/null
! grep -q 'the whole picture</a>' "$work/elsewhere.html" || fail "a page elsewhere has links"
[ "$(grep -c 'the run folder has the whole picture' "$work/elsewhere.html")" -eq 4 ] || fail "elsewhere: not said where the whole pictures are"
"$FOAMSIM" compare "$work/demo" "$work/demo" -o "$work/compare.html" --quiet >/dev/null
[ "$(wc -c <"$work/compare.html")" -le 5000000 ] || fail "the comparison has $(wc -c <"$work/compare.html") bytes"
"$FOAMSIM" sweep configs/sweeps/quick.yaml --store "$work/q.db" --report "$work/sweep.html" --quiet >/dev/null
[ "$(wc -c <"$work/sweep.html")" -le 1000000 ] || fail "the sweep's page has $(wc -c <"$work/sweep.html") bytes"
