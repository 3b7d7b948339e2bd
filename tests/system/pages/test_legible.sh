#!/bin/sh
# Pages of runs, of a comparison and of a sweep at 1400, 800 and 400 pixels, in Chromium: no letter below 10 pixels, with what the
# scale of a plot makes of it, and no page that scrolls sideways. Plots can be saved, tables too, and ticked points stand side by side.
set -eu
program=${FOAMSIM:-build/foamsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "test_legible: $1"
    exit 1
}
[ -n "${FOAMSIM_PAGES:-}" ] || { echo "skipped: for make page, which sets FOAMSIM_PAGES"; exit 77; }
browser=$(command -v chromium || command -v chromium-browser || true)
[ -n "$browser" ] || { echo "skipped: chromium is not installed"; exit 77; }

"$program" run tests/system/small.yaml --quiet --out "$work/a" >/dev/null
"$program" run tests/system/small.yaml --quiet --set overlay=fat-tree --out "$work/b" >/dev/null
"$program" run configs/experiments/traffic-uniform.yaml --quiet --out "$work/t" >/dev/null
cat >"$work/sweep.yaml" <<'END'
name: legible
base: BASE
axes:
  - { key: overlay.kind, values: [quadtree, mesh] }
  - { key: machine.exchange.bytes_per_cycle, values: [4 B/cycle, 8 B/cycle] }
objectives:
  - { figure: device.seconds, better: smaller }
END
sed -i "s|BASE|$PWD/tests/system/small.yaml|" "$work/sweep.yaml"
"$program" sweep "$work/sweep.yaml" --store "$work/s.db" --quiet >/dev/null 2>"$work/words" || fail "sweep: $(cat "$work/words")"
for page in a t; do "$program" report "$work/$page" -o "$work/$page.html" 2>/dev/null; done
"$program" report "$work/s.db" -o "$work/s.html" 2>/dev/null
"$program" compare "$work/a" "$work/b" -o "$work/c.html" >/dev/null 2>&1

see() { # page of frames
    "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" --enable-logging=stderr \
        --virtual-time-budget=60000 --dump-dom "file://$1" 2>"$work/console" >"$work/dom" || fail "chromium failed on $1"
    ! grep -q 'CONSOLE' "$work/console" || fail "the console says: $(grep CONSOLE "$work/console" | head -3)"
}
for page in a t s c; do
    { sed '/<\/body>/,$d' "$work/$page.html"; echo '<script>'; cat tests/support/pages/measure.js; echo '</script></body></html>'; } >"$work/framed.html"
    cat >"$work/frames.html" <<'END'
<!DOCTYPE html><body><script>
const said = [];
addEventListener('message', (event) => { said.push(event.data); if (said.length === 3) document.body.dataset.said = said.join('|'); });
for (const width of [1400, 800, 400]) {
  const frame = document.createElement('iframe');
  frame.style.cssText = `border:0;height:900px;width:${width}px`;
  frame.src = 'framed.html';
  document.body.append(frame);
}
</script></body>
END
    see "$work/frames.html"
    grep -ao 'data-said="[^"]*"' "$work/dom" | sed 's/data-said="//; s/"$//' | tr '|' '\n' >"$work/said"
    [ "$(grep -c 'least' "$work/said")" -eq 3 ] || fail "$page: not three widths: $(cat "$work/said")"
    while read -r width _ least rest; do
        awk -v least="$least" 'BEGIN { exit !(least >= 10) }' || fail "$page at $width pixels: letters of $least pixels $rest"
        wide=$(echo "$rest" | sed 's/.* wide \([0-9]*\) .*/\1/')
        [ "$wide" -le "$width" ] || fail "$page at $width pixels scrolls sideways: $wide"
        case $rest in *"plots 0"*) fail "$page at $width pixels: no plot was measured" ;; esac
    done <"$work/said"
done

# What a reader does on the page of the sweep.
{ sed '/<\/body>/,$d' "$work/s.html"; cat - <<'END'; } >"$work/driven.html"
<script>const drive = () => setTimeout(async () => {
  const said = [], saved = [], made = URL.createObjectURL;
  URL.createObjectURL = (blob) => { saved.push(blob); return made.call(URL, blob); };
  HTMLAnchorElement.prototype.click = function () { said.push(this.download); };
  const press = (box, words) => Array.from(box.querySelectorAll('.tools button')).find((button) => button.textContent === words).click();
  const figure = document.querySelector('figure');
  press(figure, 'SVG');
  press(document.getElementById('points'), 'CSV');
  const [svg, csv] = await Promise.all(saved.map((blob) => blob.text()));
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
  said.push(parsed.documentElement.tagName === 'svg' && parsed.querySelector('style').textContent.includes('--ink:#') && svg.includes('var(--ink)'));
  const lines = csv.trim().split('\n');
  said.push(lines.length === 5 && lines[0].includes('overlay.kind') && lines.every((line) => line.split(',').length >= 6));
  press(figure, 'PNG');
  for (let i = 0; i < 200 && saved.length < 3; i++) await new Promise((done) => setTimeout(done, 20));
  said.push(saved[2].type === 'image/png' && saved[2].size > 5000);
  const boxes = document.querySelectorAll('#points input.tick');
  boxes[0].click();
  boxes[1].click();
  const ticked = document.getElementById('ticked');
  const [diff, compare] = Array.from(ticked.querySelectorAll('code'), (code) => code.textContent);
  const keys = Array.from(document.querySelectorAll('#points .pick'), (button) => button.textContent);
  said.push(!ticked.hidden && ticked.querySelectorAll('tr').length === 4 && ticked.querySelectorAll('tr.differs').length >= 1);
  said.push(diff.endsWith(`diff ${keys[0]} ${keys[1]}`) && compare.endsWith(`foamsim compare ${keys[0]}_run ${keys[1]}_run -o compare.html`));
  location.hash = '#origin';
  await new Promise((done) => setTimeout(done, 100));
  said.push(document.querySelector('#origin > details').open);
  document.body.dataset.driven = said.join(' ');
  document.body.dataset.diff = diff;
}, 300);
if (document.body.dataset.drawn) drive();
else document.addEventListener('drawn', drive);</script></body></html>
END
see "$work/driven.html"
driven=$(grep -ao 'data-driven="[^"]*"' "$work/dom") || fail "the page could not be driven"
echo "$driven" | grep -q '\.svg [a-z0-9-]*\.csv true true [a-z0-9-]*\.png true true true true"' || fail "saving, ticking, folds: $driven"
# The command that it shows answers.
diff=$(grep -ao 'data-diff="[^"]*"' "$work/dom" | sed 's/data-diff="foamsim //; s/"$//')
# shellcheck disable=SC2086 # words on purpose
"$program" $diff >"$work/words" 2>&1 || fail "not what the page says: $diff: $(cat "$work/words")"
grep -q 'device.seconds' "$work/words" || fail "the two points do not differ: $(cat "$work/words")"
echo "legible: ok"
