#!/bin/sh
# `foamsim compare -o`: one file without a network, the same bits again, every picture with its script and data beside it,
# opened by Chromium without a word in its console and with every plot and hidden value drawn; runs that fit each other only
# in part, and a matrix of runs, have a page too.
set -eu
. tests/support/pages/compare.sh
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not installed"; exit 77; }
run() {
    name=$1
    shift
    "$program" run tests/system/small.yaml --quiet "$@" --out "$work/$name" >/dev/null 2>&1 || fail "the run $name failed"
}
compare() { "$program" compare "$@" >"$work/words" 2>&1 || fail "compare failed: $(cat "$work/words")"; }
whole() {
    ! grep -qE "https?:|src=\"[^d]|@import|url\(" "$1" || fail "the page wants a network"
    ! grep -qF "$work" "$1" || fail "the page names folders of this machine"
}

# Narrow lanes: rays wait, so that every map has something to show.
run narrow --set overlay.router_buffer='40 kB'
run fat --set overlay=fat-tree --set overlay.router_buffer='60 kB'
compare "$work/narrow" "$work/fat" -o "$work/compare.html"
page=$work/compare.html
whole "$page"
[ "$(wc -c <"$page")" -lt 2000000 ] || fail "the page of two small runs has $(wc -c <"$page") bytes"
for id in verdict configuration figures image time queues chip pixels distributions levels ladder; do
    grep -q "<section id=\"$id\"" "$page" || fail "no section $id"
    grep -q "<a href=\"#$id\">" "$page" || fail "the contents do not name $id"
done
for plot in waiting alive router_visits tracer_visits chip_busy chip_rays held phases tails-distributions; do
    [ -s "$work/compare_pictures/compare-$plot.png" ] || fail "no compare-$plot.png"
    [ -s "$work/compare_pictures/compare-$plot.svg" ] || fail "no compare-$plot.svg"
done
for id in phases held chip_busy chip_rays map-waiting map-alive map-router_visits map-tracer_visits; do
    grep -q "id=\"$id-hover\"" "$page" || fail "nothing to hover in $id"
done
# Axes in thousands and millions end a little above the largest value: below a thousand of those, or five.
awk '/^place = .* scale = / { sub(/;/, "", $0); for (i = 1; i < NF; i++) { if ($i == "scale") s = $(i + 2) + 0; if ($i == "top") t = $(i + 2) + 0 }
    if (s > 1 && t > 1050 || s == 1e6 && t > 500) bad = 1; n++ } END { exit bad || !n }' "$work"/compare_pictures/compare-*.gp ||
    fail "an axis is too long: $(grep -h '^place = ' "$work"/compare_pictures/compare-*.gp)"
cp "$page" "$work/first.html"
rm -r "$page" "$work/compare_pictures"
compare "$work/narrow" "$work/fat" -o "$page"
cmp -s "$page" "$work/first.html" || fail "the same runs give another page"

# A picture is drawn again alone, with another range.
sed -i 's/waiting_high = [0-9.]*/waiting_high = 3/' "$work/compare_pictures/run.gp"
rm "$work/compare_pictures/compare-waiting.png"
(cd "$work/compare_pictures" && gnuplot compare-waiting.gp) >"$work/words" 2>&1 || fail "compare-waiting.gp alone: $(cat "$work/words")"
[ -s "$work/compare_pictures/compare-waiting.png" ] || fail "compare-waiting.gp alone leaves no picture"

# Pixels that a difference map shows are those of hops.csv.
awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; file++; next }
    { v[file, $c["y"], $c["x"]] = $c["alive"]; if ($c["x"] > w) w = $c["x"]; if ($c["y"] > h) h = $c["y"] }
    END { for (y = 0; y <= h; y++) for (x = 0; x <= w; x++) {
        a = v[1, y, x]; b = v[2, y, x]
        printf "%s%s", a < 0 || b < 0 ? "NaN" : b - a, x < w ? " " : "\n" } }' \
    "$work/narrow/hops.csv" "$work/fat/hops.csv" | cmp -s - "$work/compare_pictures/alive-1-less.map" ||
    fail "alive-1-less.map is not the difference of the two hops.csv"

# Another size of the frame and another chip: what fits is compared, what does not is said.
run other --set workload.camera.width=48 --set workload.camera.height=40 --set machine=gc200
compare "$work/narrow" "$work/other" -o "$work/other.html"
[ "$(grep -c "no difference can be drawn" "$work/other.html")" -eq 2 ] || fail "nothing is said of what cannot be compared"
run full --set overlay.router_buffer='40 kB' --set workload.payload=full
compare "$work/narrow" "$work/fat" "$work/full" -o "$work/three.html"
whole "$work/three.html"

# A matrix: no pictures, any number of runs.
for payload in half full; do
    for batch in 1 2; do
        run "b$batch-$payload" --set workload.payload=$payload --set workload.batching.per_batch=$batch
    done
done
compare "$work/b1-half" "$work/b2-half" "$work/b1-full" "$work/b2-full" -o "$work/matrix.html"
grep -q '<section id="matrix"' "$work/matrix.html" || fail "no matrix"
[ ! -e "$work/matrix_pictures" ] || fail "a matrix draws pictures of runs"

# Several views: figures are means, pictures of the view that differs most.
for overlay in quadtree fat-tree; do
    run "views-$overlay" --set overlay=$overlay --set workload.camera.width=40 --set workload.camera.height=30 \
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
opened "$page" 9 8
opened "$work/other.html" 9 8
opened "$work/views.html" 8 7
opened "$work/matrix.html" 0 0
echo "compare page: ok"
