#!/bin/sh
# `foamsim report` on a small run: one file without a network, the same bits again, opened by Chromium without a word in its
# console and with every picture, plot and hidden value drawn; what cannot be reported is refused with a sentence.
set -eu
program=${FOAMSIM:-build/foamsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "test_report_page: $1"
    exit 1
}
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not installed"; exit 77; }

"$program" run tests/system/small.yaml --quiet --out "$work/run" >/dev/null
"$program" report "$work/run" >"$work/words" 2>&1 || fail "report failed: $(cat "$work/words")"
page=$work/run/pictures/report.html
[ -s "$page" ] || fail "no pictures/report.html"
[ "$(wc -c <"$page")" -lt 3000000 ] || fail "the page of a small run has $(wc -c <"$page") bytes"
! grep -qE "https?:|src=\"[^d]|@import|url\(" "$page" || fail "the page wants a network: $(grep -oE '.{30}(https?:|@import|url\().{30}' "$page" | head -1)"
for id in findings summary images iterations tiles chip pixels distributions levels lanes ladder memory configuration files; do
    grep -q "<section id=\"$id\"" "$page" || fail "no section $id"
    grep -q "<a href=\"#$id\">" "$page" || fail "the contents do not name $id"
done
for plot in phases occupancy compute chip-busy chip-bytes chip-sram visits waiting histograms fills; do
    [ -s "$work/run/pictures/$plot.svg" ] || fail "no pictures/$plot.svg"
    grep -q "id=\"plot-$plot-hover\"" "$page" || fail "nothing to hover in $plot"
done
"$program" report "$work/run" -o "$work/again.html" 2>/dev/null
! grep -qE '&lt;/?(b|br|p|i|td|th|span|code|a)( [^>]*)?&gt;' "$page" || fail "markup is shown as text"
cmp -s "$page" "$work/again.html" || fail "the same run gives another page"

# Synthetic rays have no pixels and no shards; views have a page over all and one each.
"$program" run configs/experiments/traffic-uniform.yaml --quiet --out "$work/traffic" >/dev/null
"$program" report "$work/traffic" -o "$work/traffic.html" 2>"$work/words" || fail "traffic: $(cat "$work/words")"
! grep -v '<script\|base64' "$work/traffic.html" | grep -qw 'nan' || fail "traffic: a figure that is not a number"
sed 's/position: .*, look_at: \[[^]]*\], //' tests/system/small.yaml >"$work/views.yaml"
echo 'views: { kind: orbit, count: 2, centre: [0.1, 0.2, 0.6], radius: 3, height: 1, start: 20 deg }' >>"$work/views.yaml"
"$program" run "$work/views.yaml" --quiet --out "$work/views" >/dev/null
"$program" report "$work/views" 2>"$work/words" || fail "views: $(cat "$work/words")"
grep -q 'id="view-1"' "$work/views/pictures/report.html" || fail "views: no thumbnail of the second"
"$program" report "$work/views/view-1" 2>"$work/words" || fail "view-1: $(cat "$work/words")"
[ -s "$work/views/view-1/pictures/report.html" ] || fail "view-1: no page"

refused() {
    what=$1
    shift
    status=0
    "$@" >"$work/words" 2>&1 || status=$?
    [ $status -eq 2 ] || fail "$what: exit status $status, not 2"
    grep -q "$what" "$work/words" || fail "expected a message with \"$what\", found: $(cat "$work/words")"
}
mkdir "$work/empty" "$work/bin"
refused "empty" "$program" report "$work/empty"
refused "nowhere" "$program" report "$work/nowhere"
"$program" run tests/system/small.yaml --quiet --set run.outputs=summary --out "$work/figures" >/dev/null
refused "figures only" "$program" report "$work/figures"
command=$(sed -n 's/.*foamsim \(run .*\)/\1/p' "$work/words")
# shellcheck disable=SC2086 # words on purpose
"$program" $command --quiet >/dev/null || fail "not what the message says: $command"
"$program" report "$work/figures-full" 2>"$work/words" || fail "figures-full: $(cat "$work/words")"
for tool in sh awk sed cut wc grep head tr mkdir; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
refused "gnuplot is not installed" env PATH="$work/bin" "$program" report "$work/run"

# Opens a page: no word in the console, everything drawn.
browser=$(command -v chromium || command -v chromium-browser || true)
[ -n "$browser" ] || { echo "skipped the browser: chromium is not installed"; exit 77; }
opened() {
    "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" --enable-logging=stderr \
        --virtual-time-budget=20000 --dump-dom "file://$1" >"$work/dom" 2>"$work/console" ||
        fail "chromium failed on $1: $(tail -3 "$work/console")"
    ! grep -q 'CONSOLE' "$work/console" || fail "$1: the console says: $(grep CONSOLE "$work/console" | head -3)"
    body=$(grep -o '<body[^>]*>' "$work/dom")
    echo "$body" | grep -q 'data-drawn="ok"' || fail "$1: not all is drawn: $body"
}
opened "$work/traffic.html"
opened "$work/views/pictures/report.html"
opened "$page"
echo "$body" | grep -q 'data-plots="10"' || fail "not ten plots: $body"
echo "$body" | grep -q 'data-hovers="10"' || fail "not ten plots to hover: $body"
echo "report page: ok"
