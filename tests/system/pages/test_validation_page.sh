#!/bin/sh
# `foamsim validate` on two small scenes and a made-up table: its page is one file without a network, opened by Chromium
# without a word in its console, everything drawn, with values under the pointer and a table that sorts and filters; its
# document has its pictures beside it.
set -eu
program=${FOAMSIM:-build/foamsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "test_validation_page: $1"
    exit 1
}
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not installed"; exit 77; }

mkdir -p "$work/from/cases" "$work/from/standins" "$work/from/papers"
cp tests/system/small.yaml "$work/from/standins/toy-1.yaml"
sed 's/seed: 7/seed: 8/' tests/system/small.yaml >"$work/from/standins/toy-2.yaml"
cat >"$work/from/papers/toy.yaml" <<'END'
tag: TOY
title: A toy
authors: N. Obody
where: nowhere
year: 2001
heading: A toy, predicted and measured against
document: toy
saturated: rows come in pairs
goals: { aim: 9 %, stretch: 1 %, order: 50 % }
measures:
  - { figure: device.seconds, name: times, one: time of a frame, priced: true }
draws: { count: 8 }
priors:
  - { key: machine.host.launch, prior: log, low: 0.1 ms, high: 1.0 ms, source: nowhere }
  - { key: machine.cost.scale, low: 70 %, high: 130 %, source: nowhere }
charts: [published-times, trend-seconds]
pace:
  about: Which kind of tile was last.
  shares:
    - { name: tracers, figure: pace.tracer, colour: tracer }
    - { name: routers, figure: pace.router, colour: router }
  means: []
pixels:
  - { column: tracer_visits, figure: hops.tracer_mean, name: tracer visits }
  - { column: router_visits, figure: hops.router_mean, name: router visits }
END
cat >"$work/from/cases/table.yaml" <<'END'
paper: toy
title: Rows & idle <iterations>
source: Tab. 9
about: A made-up table.
open: Which camera is not said.
ensemble: toy
scored: true
order: device.seconds
sets: { run.stream: true }
axes:
  - { key: workload.batching.per_batch, values: [1, 2], place: series, saturated: [2] }
  - { key: workload.batching.idle, values: [0, 10, 20], place: x }
figures:
  - { name: time, figure: device.seconds, use: predict, published: [[0.0100, 0.0110, 0.0120], [0.0105, 0.0115, 0.0125]] }
END
cat >"$work/from/cases/trend.yaml" <<'END'
paper: toy
title: Repeat count
source: Fig. 9
about: A made-up trend.
ensemble: toy
axes:
  - { key: workload.repeat, values: [1, 5, 20], place: x }
relations:
  - { name: time falls with the repeat count, figure: device.seconds, falls: [repeat 1, repeat 5, repeat 20] }
END
"$program" validate --from "$work/from" -o "$work/out" --docs "$work/docs" --cache "$work/cache" --quiet >"$work/table" 2>&1 ||
    fail "exit status $?"
page=$work/out/validation.html
[ -s "$page" ] || fail "no validation.html"
[ "$(wc -c <"$page")" -lt 5000000 ] || fail "the page has $(wc -c <"$page") bytes"
! sed "s|http://www.w3.org/||; s|url(#||" "$page" | grep -qE "https?:|src=\"[^d]|@import|url\(" || fail "the page wants a network"
! grep -v '<script\|base64' "$page" | grep -qw 'nan %' || fail "a figure that is not a number"
! grep -q "$work" "$page" "$work/docs/toy.md" || fail "a path of this host is shown"
[ -s "$work/docs/toy.md" ] || fail "no document"
grep -o 'toy/[a-z0-9-]*\.png' "$work/docs/toy.md" >"$work/pictures"
while read -r picture; do
    [ -s "$work/docs/$picture" ] || fail "no $picture"
done <"$work/pictures"
grep -q 'Published is the trend alone: time falls with the repeat count. It does on all of them.' "$page" ||
    fail "the page does not say the trend"
grep -q 'toy/trend-seconds.png' "$work/pictures" || fail "the document has no picture of the trend"
[ "$(wc -l <"$work/pictures")" -eq 2 ] || fail "the document shows other pictures than the paper's charts"
grep -q 'aim 9 %, stretch 1 %' "$work/docs/toy.md" || fail "the document has not the paper's goals"
[ ! -s "$work/table" ] || fail "--quiet speaks: $(head -2 "$work/table")"
cp "$page" "$work/first.html"
touch "$work/before"
"$program" validate --from "$work/from" -o "$work/out" --cache "$work/cache" --quiet >/dev/null
[ -z "$(find "$work/out/scenes" -name image.png -newer "$work/before")" ] || fail "a scene was run again"
cmp -s "$page" "$work/first.html" || fail "the same results give another page"

browser=$(command -v chromium || command -v chromium-browser || true)
[ -n "$browser" ] || { echo "skipped the browser: chromium is not installed"; exit 77; }
# What a user does: points at a dot and at a cell, sorts by the published value, filters.
cat "$page" - >"$work/driven.html" <<'END'
<script>setTimeout(() => {
  const said = [], tip = document.getElementById('tip');
  // What the tip says at some place of a chart that these words are under.
  const told = (chart, words) => {
    const svg = document.querySelector(`#${chart} svg`), box = svg.getBoundingClientRect();
    for (let x = box.left; x < box.right; x += 14) for (let y = box.top; y < box.bottom; y += 14) {
      svg.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: y }));
      if (!tip.hidden && words.test(tip.textContent)) return true;
    }
    return false;
  };
  said.push(told('published-times', /Rows & idle <iterations>: time.*published: 0.0\d+ s.*simulated: .*error: .* %/));
  said.push(told('table-seconds', /published: 0.011 s/));
  said.push(told('table-errors', /idle 20.*published: 0.0125 s/));
  said.push(told('trend-seconds', /Repeat count: repeat 5.*simulated: /));
  said.push(told('table-tornado', /machine.cost.scale: 70 % to 130 %/));
  const box = document.getElementById('all-figures'), rows = () => Array.from(box.querySelectorAll('tbody tr')).filter((row) => !row.hidden);
  const column = Array.from(box.querySelectorAll('thead th')).findIndex((head) => head.textContent === 'published');
  box.querySelectorAll('thead th')[column].querySelector('button').click();
  const values = rows().map((row) => parseFloat(row.cells[column].dataset.value)).filter((v) => !isNaN(v));
  said.push(rows().length === 7 && values.length === 6 && values.every((v, i) => i === 0 || values[i - 1] <= v));
  const text = box.querySelector('input'); text.value = 'idle 0.0125';
  text.dispatchEvent(new Event('input', { bubbles: true }));
  said.push(rows().length === 1 && box.querySelector('output').textContent === '1 of 7 figures');
  document.body.dataset.driven = said.join(' ');
}, 3000);</script>
END
"$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" --enable-logging=stderr \
    --virtual-time-budget=20000 --dump-dom "file://$work/driven.html" >"$work/dom" 2>"$work/console" ||
    fail "chromium failed: $(tail -3 "$work/console")"
! grep -q 'CONSOLE' "$work/console" || fail "the console says: $(grep CONSOLE "$work/console" | head -3)"
body=$(grep -o '<body[^>]*>' "$work/dom")
echo "$body" | grep -q 'data-drawn="ok"' || fail "not all is drawn: $body"
echo "$body" | grep -q 'data-plots="7"' || fail "not seven plots: $body"
echo "$body" | grep -q 'data-images="2"' || fail "not two scenes: $body"
echo "$body" | grep -q 'data-driven="true true true true true true true"' || fail "values, sorting, filtering: $body"
echo "validation page: ok"
