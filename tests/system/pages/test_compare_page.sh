#!/bin/sh
# `foamsim compare -o`: one file without a network, the same bits again, nothing beside it, opened by Chromium without a word in its
# console and with every chart drawn; runs that fit each other only in part, and a matrix of runs, have a page too. That its charts
# show the runs' numbers: test_charts.
set -eu
. tests/support/pages/compare.sh
compare() { "$program" compare "$@" >"$work/words" 2>&1 || fail "compare failed: $(cat "$work/words")"; }
whole() {
    ! grep -v 'http://www.w3.org/2000/svg' "$1" | grep -qE "https?:|src=\"[^d]|@import|url\([^#]" || fail "the page wants a network"
    ! grep -qF "$work" "$1" || fail "the page names folders of this machine"
}

# Narrow lanes: rays wait, so that every map has something to show.
run narrow tests/system/small.yaml --set overlay.router_buffer='40 kB'
run fat tests/system/small.yaml --set overlay=fat-tree --set overlay.router_buffer='60 kB'
compare "$work/narrow" "$work/fat" -o "$work/compare.html"
page=$work/compare.html
whole "$page"
[ "$(wc -c <"$page")" -lt 500000 ] || fail "the page of two small runs has $(wc -c <"$page") bytes"
for id in verdict configuration figures images time tiles chip pixels distributions levels ladder all-figures; do
    grep -q "<section id=\"$id\"" "$page" || fail "no section $id"
    grep -q "<a href=\"#$id\">" "$page" || fail "the contents do not name $id"
done
for id in waiting alive router_visits tracer_visits chip-busy chip-rays occupancy phases tails-distributions; do
    grep -q "class=\"chart\" id=\"$id-chart\"" "$page" || fail "no chart $id"
done
[ ! -e "$work/compare_pictures" ] || fail "something stands beside the page"
# The longest table comes last; in it a digest wraps; shares of a limit that nobody set are in no table of main figures.
[ "$(grep -o '<section id="[a-z-]*"' "$page" | tail -1)" = '<section id="all-figures"' ] || fail "all figures are not last"
grep -q '<td class="number wrap"[^>]*>[0-9a-f]\{64\}</td>' "$page" || fail "a digest does not wrap"
! sed -n '/<section id="figures"/,/<\/section>/p' "$page" | grep -q "power, of its limit" || fail "a share of no limit"
cp "$page" "$work/first.html"
rm "$page"
compare "$work/narrow" "$work/fat" -o "$page"
cmp -s "$page" "$work/first.html" || fail "the same runs give another page"

# Another size of the frame and another chip: what fits is compared, what does not is said.
run other tests/system/small.yaml --set workload.camera.width=48 --set workload.camera.height=40 --set machine=gc200
compare "$work/narrow" "$work/other" -o "$work/other.html"
[ "$(grep -c "no difference can be drawn" "$work/other.html")" -eq 3 ] || fail "nothing is said of what cannot be compared"
run full tests/system/small.yaml --set overlay.router_buffer='40 kB' --set workload.payload=full
compare "$work/narrow" "$work/fat" "$work/full" -o "$work/three.html"
whole "$work/three.html"

# Several chips: said in a sentence, each with its outline and name on the map.
run four tests/system/small.yaml --set machine.chips=4
compare "$work/narrow" "$work/four" -o "$work/chips.html"
grep -q "It has 4 chips instead of 1\." "$work/words" || fail "chips are not counted: $(cat "$work/words")"
"$program" report "$work/four" -o "$work/four.html" >/dev/null 2>&1 || fail "report of four chips"
grep -q '<b>4 chips</b>' "$work/four.html" || fail "the page's first line does not say how many chips"
grep -q '; 4 of them: ' "$work/four.html" || fail "no area of all chips"
for chip in 0 1 2 3; do grep -q "\"text\": *\"chip $chip\"" "$work/chips.html" || fail "chip $chip has no name"; done

# A matrix: no pictures, any number of runs.
for payload in half full; do
    for batch in 1 2; do
        run "b$batch-$payload" tests/system/small.yaml --set workload.payload=$payload --set workload.batching.per_batch=$batch
    done
done
compare "$work/b1-half" "$work/b2-half" "$work/b1-full" "$work/b2-full" -o "$work/matrix.html"
grep -q '<section id="matrix"' "$work/matrix.html" || fail "no matrix"
! grep -q 'class="chart"' "$work/matrix.html" || fail "a matrix draws charts of runs"

# Several views: figures are means, pictures of the view that differs most.
for overlay in quadtree fat-tree; do
    run "views-$overlay" tests/system/small.yaml --set overlay=$overlay --set workload.camera.width=40 --set workload.camera.height=30 \
        --set 'views={kind: orbit, count: 3, centre: [0, 0, 0.6], radius: 3.4, height: 0.7}'
done
compare "$work/views-quadtree" "$work/views-fat-tree" -o "$work/views.html"
grep -q 'Over 3 views' "$work/words" || fail "the verdict does not speak of views"
grep -q '<section id="views"' "$work/views.html" || fail "no table of views"
mean=$(for v in 0 1 2; do awk -F, '$1 == "device.seconds" { print $3 }' "$work/views-quadtree/view-$v/stats.csv"; done |
    awk '{ s += $1 } END { printf "%.4g ms", 1000 * s / NR }')
grep -q "$mean" "$work/words" || fail "the mean over the views is $mean, but: $(cat "$work/words")"

browser=$(command -v chromium || command -v chromium-browser || true)
[ -n "$browser" ] || { echo "skipped the browser: chromium is not installed"; exit 77; }
. tests/support/pages/browser.sh
opened "$page" 9
opened "$work/other.html" 9
opened "$work/views.html" 8
opened "$work/matrix.html" 0
echo "compare page: ok"
