#!/bin/sh
# shellcheck disable=SC1091,SC2154 # what compare.sh sets
# One page for whoever decides, of a run, a comparison and a sweep: what it says is what the figures say; without Chromium the
# HTML stays and that is said; with it (make page) the PDF has one page.
set -eu
. tests/support/pages/compare.sh
run() {
    name=$1
    shift
    "$program" run tests/system/small.yaml --quiet "$@" --out "$work/$name" >/dev/null 2>&1 || fail "the run $name failed"
}
run quad
run mesh --set overlay.kind=mesh
cat >"$work/sweep.yaml" <<END
name: two
base: $PWD/tests/system/small.yaml
axes:
  - { key: overlay.kind, values: [quadtree, mesh] }
  - { key: machine.clock, values: [1.33 GHz, 1.6 GHz] }
objectives:
  - { figure: device.seconds, better: smaller }
END
"$program" sweep "$work/sweep.yaml" --store "$work/s.db" --quiet >/dev/null
fast=$(awk -v a="$(figure quad device.seconds)" -v b="$(figure mesh device.seconds)" 'BEGIN { print a <= b ? "quad" : "mesh" }')

"$program" report "$work/quad" --boss "$work/run.html" >"$work/words" 2>&1 || fail "run: $(cat "$work/words")"
"$program" compare "$work/mesh" "$work/quad" --boss "$work/compare.html" >"$work/words" 2>&1 || fail "compare: $(cat "$work/words")"
"$program" report "$work/s.db" --boss "$work/sweep.html" >"$work/words" 2>&1 || fail "sweep: $(cat "$work/words")"
for page in run compare sweep; do
    grep -q '<h3>How sure</h3>' "$work/$page.html" || fail "$page: how sure is not said"
    ! grep -qE "https?:|src=\"[^d]|@import|url\([^#]" "$work/$page.html" || fail "$page wants a network"
done
grep -q "<h1>Build $fast: " "$work/compare.html" || fail "compare: does not build $fast"
grep -q "<h3>Second best: $([ "$fast" = quad ] && echo mesh || echo quad)</h3>" "$work/compare.html" || fail "compare: no second best"
# Of a comparison the baseline is the base: the first run, or the one that is named.
"$program" compare "$work/$fast" "$work/$([ "$fast" = quad ] && echo mesh || echo quad)" --base 2 --boss "$work/held.html" >"$work/words" 2>&1 || fail "compare: $(cat "$work/words")"
grep -q "The baseline is $([ "$fast" = quad ] && echo mesh || echo quad)\." "$work/held.html" || fail "compare: the baseline is not named"
grep -q 'less than the baseline' "$work/held.html" || fail "compare: no distance to the baseline"
# What is best, against the baseline (the base as it is: a quadtree at 1.33 GHz), what limits it then, and what it costs.
best=$("$program" query "$work/s.db" best --csv --quiet | awk -F, 'NR == 2 { print $3 }')
gain=$(awk -v a="$best" -v b="$(figure quad device.seconds)" 'BEGIN { printf "%.3g", 100 * (1 - a / b) }')
sed 's/\xc2\xa0/ /g' "$work/sweep.html" >"$work/sweep.txt"
grep -q "<h1>Build $([ "$fast" = quad ] && echo quadtree || echo mesh), 1.6 GHz: .* ms, $gain % less time than the baseline; [a-z].* [0-9]* %" "$work/sweep.txt" ||
    fail "sweep: another verdict than $gain % less time: $(grep '<h1>' "$work/sweep.txt")"
for row in 'machine.clock</th><td><b>1.6 GHz</b> <span class="unit">the baseline: 1.33 GHz' 'area of a chip</th><td><b>161 mm2</b>' 'power, mean</th>' \
    '18.8 % of the limit; as the baseline'; do
    grep -qF "$row" "$work/sweep.txt" || fail "sweep: not said: $row"
done
grep -q -e '--robust' "$work/sweep.html" || fail "sweep: what was not varied is not said"
rate=$(figure quad device.frames_per_second | cut -c1-4)
grep -q "<th scope=\"row\">frames a second</th><td><b>$rate" "$work/run.html" || fail "run: not $rate frames/s"

mkdir "$work/bin"
env PATH="$work/bin" "$program" report "$work/quad" --boss "$work/none.pdf" >"$work/words" 2>&1 || fail "without chromium: $(cat "$work/words")"
grep -q 'chromium is not installed: .*none.html prints as one page' "$work/words" || fail "without chromium: $(cat "$work/words")"
{ [ -s "$work/none.html" ] && [ ! -e "$work/none.pdf" ]; } || fail "without chromium: not the HTML alone"
# No file but the one that was asked for is written or taken away: not by a browser, of which this one prints where it is told ...
cat >"$work/bin/chromium" <<'END'
#!/bin/sh
for word; do case $word in --print-to-pdf=*) pdf=${word#*=} ;; file://*) page=${word#file://} ;; esac; done
while read -r line; do case $line in *"How sure"*) said=yes ;; esac; done <"$page"
printf '%%PDF-1.4 %s, a page that is printed whole\n%%%%EOF\n' "${said:-no page}" >"$pdf"
END
chmod +x "$work/bin/chromium"
mkdir "$work/tmp"
for page in run compare sweep; do
    echo precious >"$work/mine.html"
    echo precious >"$work/mine.pdf.partial"
    case $page in
    run) set -- report "$work/quad" ;;
    compare) set -- compare "$work/mesh" "$work/quad" ;;
    sweep) set -- report "$work/s.db" ;;
    esac
    env PATH="$work/bin" TMPDIR="$work/tmp" "$program" "$@" --boss "$work/mine.pdf" >"$work/words" 2>&1 || fail "$page: $(cat "$work/words")"
    grep -q 'PDF-1.4 yes' "$work/mine.pdf" || fail "$page: not what the browser printed"
    [ "$(cat "$work/mine.html" "$work/mine.pdf.partial" 2>&1)" = "precious
precious" ] || fail "$page: a file beside the PDF is gone"
    rm "$work/mine.pdf"
done
[ -z "$(ls "$work/tmp")" ] || fail "the browser's folder stays"
# ... nor where there is none: the page does not go over a file of its name.
status=0
mkdir "$work/empty"
env PATH="$work/empty" "$program" report "$work/quad" --boss "$work/mine.pdf" >"$work/words" 2>&1 || status=$?
{ [ "$status" -eq 1 ] && grep -q 'mine.html, which exists' "$work/words" && [ "$(cat "$work/mine.html")" = precious ]; } ||
    fail "without chromium over a file: status $status, $(cat "$work/words")"
# A name that says neither is no PDF.
status=0
"$program" report "$work/quad" --boss "$work/page.gif" >"$work/words" 2>&1 || status=$?
{ [ "$status" -eq 2 ] && grep -q 'expected the name of a .pdf or an .html file, found .*page.gif' "$work/words" && [ ! -e "$work/page.gif" ]; } ||
    fail "a name that is neither: status $status, $(cat "$work/words")"
# A browser that writes half a page and says that all is well: the PDF of before stays, and nothing of the half.
cat >"$work/bin/chromium" <<'END'
#!/bin/sh
for word; do case $word in --print-to-pdf=*) printf '%%PDF-1.4 half of a page, and then nothing more' >"${word#*=}" ;; esac; done
END
chmod +x "$work/bin/chromium"
echo before >"$work/kept.pdf"
status=0
env PATH="$work/bin" "$program" report "$work/quad" --boss "$work/kept.pdf" >"$work/words" 2>&1 || status=$?
{ [ "$status" -eq 1 ] && grep -q 'printed no whole page' "$work/words"; } || fail "half a PDF: status $status, $(cat "$work/words")"
{ [ "$(cat "$work/kept.pdf")" = before ] && [ ! -e "$work/kept.pdf.partial" ]; } || fail "half a PDF stays"
[ -n "${FOAMSIM_PAGES:-}" ] || { echo "boss: ok; the PDF is for make page"; exit 0; }
command -v chromium >/dev/null || { echo "skipped the PDF: chromium is not installed"; exit 77; }
"$program" report "$work/quad" --boss "$work/run.pdf" >"$work/words" 2>&1 || fail "PDF: $(cat "$work/words")"
"$program" report "$work/s.db" --boss "$work/sweep.pdf" >"$work/words" 2>&1 || fail "PDF: $(cat "$work/words")"
for page in run sweep; do
    [ "$(head -c 5 "$work/$page.pdf")" = "%PDF-" ] || fail "$page.pdf is none"
    [ "$(grep -ac '/Type /Page$' "$work/$page.pdf")" -eq 1 ] || fail "$page.pdf: $(grep -ac '/Type /Page$' "$work/$page.pdf") pages"
done
[ ! -e "$work/sweep.pdf.html" ] || fail "a page is left over"
echo "boss: ok"
