#!/bin/sh
# `foamsim report` on a small run: one file without a network, the same bits again, opened by Chromium without a word in its
# console and with every picture, plot and hidden value drawn; what cannot be reported is refused with a sentence.
set -eu
program=${FOAMSIM:-build/foamsim}
work=$(mktemp -d)
here=$(pwd)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "test_report_page: $1"
    exit 1
}
"$program" run tests/system/small.yaml --quiet --out "$work/run" >/dev/null
"$program" report "$work/run" >"$work/words" 2>&1 || fail "report failed: $(cat "$work/words")"
page=$work/run/pictures/report.html
[ -s "$page" ] || fail "no pictures/report.html"
[ "$(wc -c <"$page")" -lt 3000000 ] || fail "the page of a small run has $(wc -c <"$page") bytes"
! grep -qE "https?:|src=\"[^d]|@import|url\([^#]" "$page" || fail "the page wants a network: $(grep -oE '.{30}(https?:|@import|url\().{30}' "$page" | head -1)"
# The page has the sections that page.json lists, in its order and with its titles.
sections() { sed -n '/"sections"/,$s/^      "\(id\|title\)": "\(.*\)",*$/\2/p' "$1/page.json"; }
shown() { sed -n 's/^<section id="\([^"]*\)".*/\1/p; s/^<h2 id="[^"]*-title">\([^<]*\)<.*/\1/p' "$1"; }
as_planned() {
    sections "$1" >"$work/planned"
    [ "$(wc -l <"$work/planned")" -ge 10 ] || fail "$1/page.json: $(wc -l <"$work/planned") lines of sections"
    for left_out in $3; do sed -i "/^$left_out\$/,+1d" "$work/planned"; done
    shown "$2" >"$work/shown"
    cmp -s "$work/planned" "$work/shown" || fail "$1: page.json and the page differ: $(diff "$work/planned" "$work/shown" | head -5)"
    while read -r id; do
        grep -q "<a href=\"#$id\">" "$2" || fail "the contents do not name $id"
        read -r _
    done <"$work/planned"
}
as_planned "$work/run" "$page" ""
for plot in iterations occupancy compute chip-busy chip-bytes chip-sram visits waiting histograms fills; do
    grep -q "id=\"$plot-chart\"" "$page" || fail "no chart $plot"
done
"$program" report "$work/run" -o "$work/again.html" 2>/dev/null
! grep -qE '&lt;/?(b|br|p|i|td|th|span|code|a)( [^>]*)?&gt;' "$page" || fail "markup is shown as text"
cmp -s "$page" "$work/again.html" || fail "the same run gives another page"

# The first screen shows what was rendered and where the chip worked: one square for each tile that has a role.
sed -n '/class="sight"/,/class="hbars"/p' "$page" >"$work/sight"
[ "$(grep -c 'src="data:image/png' "$work/sight")" -eq 1 ] || fail "no picture on the first screen"
squares=$(grep -o 'h1.0v1.0h-1.0z' "$work/sight" | wc -l)
roles=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "role") at = i; next } $at != "spare" { n++ } END { print n }' "$work/run/tiles.csv")
[ "$squares" -eq "$roles" ] || fail "$squares squares on the first screen, and $roles tiles with a role"

# What would help names settings, or what would have to be built; test_suggestions.sh tries them.
sed -n '/id="what-ifs"/,/^<\/div>$/p' "$page" >"$work/levers"
[ "$(grep -c 'class="badge"' "$work/levers")" -eq "$(grep -c -e '--set' -e 'it takes' "$work/levers")" ] || fail "a change without a lever: $(cat "$work/levers")"

# A part of the time is "under 1 %" below half a per cent: barriers, not a host with two or three per cent.
"$program" run tests/system/small.yaml --quiet --set machine.host.launch='80 us' --out "$work/parts" >/dev/null
"$program" report "$work/parts" -o "$work/parts.html" >/dev/null 2>&1
part() { awk -F, -v of="device.cycles_$1" '$1 == "device.cycles" { all = $3 } $1 == of { x = $3 } END { print 100 * x / all }' "$work/parts/stats.csv"; }
awk -v h="$(part host)" -v s="$(part sync)" 'BEGIN { exit !(h > 1 && h < 4.5 && s < 0.5) }' || fail "the parts are $(part host) and $(part sync) %"
[ "$(sed -n '/id="time-chart"/,/^<\/div>$/p' "$work/parts.html" | grep -c '<b>under 1 %</b>')" -eq 1 ] || fail "what is under 1 % is wrong"

# Synthetic rays have no pixels and no shards; views have a page over all and one each.
"$program" run configs/experiments/traffic-uniform.yaml --quiet --out "$work/traffic" >/dev/null
"$program" report "$work/traffic" -o "$work/traffic.html" 2>"$work/words" || fail "traffic: $(cat "$work/words")"
as_planned "$work/traffic" "$work/traffic.html" "memory"
grep -q 'Left out, as the run wrote no table for it: Memory (memory.csv).<' "$work/traffic.html" || fail "traffic: nothing is said of memory.csv"
# Its own figures, as stats.csv has them: load, latency, refused rays.
figure() { awk -F, -v name="$1" '$1 == name { printf "%.0f", $3 }' "$work/traffic/stats.csv" | sed ':a; s/\B[0-9]\{3\}\>/,&/; ta'; }
grep -q "<span>latency</span><b>$(figure latency.mean)</b><span>cycles, mean; $(figure latency.zero_load) when alone</span>" "$work/traffic.html" ||
    fail "traffic: no card with the latency $(figure latency.mean)"
grep -q "<span>rays</span><b>$(figure rays.delivered)</b><span>delivered; $(figure rays.refused) refused</span>" "$work/traffic.html" ||
    fail "traffic: no card with the rays"
for word in offered accepted bound; do
    grep -q "<th scope=\"row\">$word <span class=\"unit\">rays/kilocycle</span></th>" "$work/traffic.html" || fail "traffic: no load $word"
done
for plot in latency iterations chip-bytes; do
    grep -q "id=\"$plot-chart\"" "$work/traffic.html" || fail "traffic: no chart $plot"
done
! grep -qE '(tracer|router|generator)s? in [0-9]+ %' "$work/traffic.html" || fail "traffic: words about a pace that nobody set"
! grep -v '<script\|base64' "$work/traffic.html" | grep -qw 'nan' || fail "traffic: a figure that is not a number"
# A program has its page from its plan alone: steps, tiles by pass, the chip, and roles that its author named.
"$program" run configs/experiments/program.yaml --quiet --out "$work/steps" >/dev/null
"$program" report "$work/steps" -o "$work/steps.html" 2>"$work/words" || fail "program: $(cat "$work/words")"
as_planned "$work/steps" "$work/steps.html" ""
role=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { print $c["role"]; exit }' "$work/steps/tiles.csv")
grep -q "paced by $role in 100 % of them" "$work/steps.html" || fail "program: nobody sets the pace"
grep -q "<h3>Where the chip works: the busiest tile, $role [0-9]*, works" "$work/steps.html" || fail "program: no busiest tile of the role $role"
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
# A run without tables has a page with what it has, and says how to get the rest; it wants no gnuplot.
for tool in sh awk sed cut wc grep head tr mkdir; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
"$program" run tests/system/small.yaml --quiet --set run.outputs=summary --out "$work/figures" >/dev/null
env PATH="$work/bin" "$program" report "$work/figures" -o "$work/figures.html" 2>"$work/words" || fail "figures only: $(cat "$work/words")"
for id in findings summary ladder configuration files; do
    grep -q "<section id=\"$id\"" "$work/figures.html" || fail "figures only: no section $id"
done
! grep -q '<section id="iterations"' "$work/figures.html" || fail "figures only: a section of iterations"
command=$(sed -n 's/.*Left out.*: Iterations.*foamsim \(run .*\)<.*/\1/p' "$work/figures.html")
[ -n "$command" ] || fail "figures only: what is left out is not said"
# shellcheck disable=SC2086 # words on purpose
(cd "$work" && "$here/$program" $command --quiet) >/dev/null || fail "not what the page says: $command"
"$program" report "$work/figures-full" 2>"$work/words" || fail "figures-full: $(cat "$work/words")"
as_planned "$work/figures-full" "$work/figures-full/pictures/report.html" ""

# A folder of an earlier foamsim has no page.json: a plain page, and how to get the other.
cp -r "$work/figures" "$work/earlier"
rm "$work/earlier/page.json"
sed '/^    {$/{N;/page.json/{N;N;N;d}}' "$work/figures/manifest.json" >"$work/earlier/manifest.json"
"$program" report "$work/earlier" -o "$work/earlier.html" 2>"$work/words" || fail "an earlier folder: $(cat "$work/words")"
for id in findings summary configuration files; do
    grep -q "<section id=\"$id\"" "$work/earlier.html" || fail "an earlier folder: no section $id"
done
grep -q 'has no page.json.*foamsim run earlier/resolved.yaml -o again' "$work/earlier.html" || fail "an earlier folder: the way out is not said"
refused "gnuplot is not installed" env PATH="$work/bin" "$program" report "$work/run" --plots

# Opens a page: no word in the console, everything drawn.
[ -n "${FOAMSIM_PAGES:-}" ] || { echo "report page: ok; the browser is for make page"; exit 0; }
browser=$(command -v chromium || command -v chromium-browser || true)
[ -n "$browser" ] || { echo "skipped the browser: chromium is not installed"; exit 77; }
. tests/support/pages/browser.sh
charts() { grep -c '<script type="application/json" class="chart"' "$1"; }
opened "$work/traffic.html" "$(charts "$work/traffic.html")"
opened "$work/steps.html" "$(charts "$work/steps.html")"
opened "$work/views/pictures/report.html" 0
opened "$page" 14
# What the pointer shows, here moved by an arrow key, is the table's: the exchange of that iteration.
sed 's|</body>||; s|</html>||' "$page" >"$work/driven.html"
cat >>"$work/driven.html" <<'END'
<script>
const drive = () => {
  document.querySelectorAll('details').forEach((fold) => { fold.open = true; });
  document.getElementById('plot-iterations').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
  const tip = () => Array.from(document.getElementById('tip').children, (line) => line.textContent).join('|');
  document.body.dataset.tip = tip();
  const chartOf = (svg) => {
    const asked = { figure: svg.closest('figure') };
    document.dispatchEvent(new CustomEvent('save-values', { detail: asked }));
    return asked.chart;
  };
  const svg = document.getElementById('plot-occupancy');
  const last = chartOf(svg).laid.slice(-1)[0];
  const [s] = last.spec.series;
  const own = Array.from(s.value.slice(s.row * s.cols, (s.row + s.rows) * s.cols));
  const most = own.indexOf(Math.max(...own));
  const place = new DOMPoint(last.at.x.at(most % s.cols + 0.5), last.at.y.at(Math.floor(most / s.cols))).matrixTransform(svg.getScreenCTM());
  svg.dispatchEvent(new PointerEvent('pointermove', { clientX: place.x, clientY: place.y }));
  document.body.dataset.cell = tip();
  const map = document.getElementById('plot-chip-busy').closest('figure');
  const shown = () => {
    const panel = chartOf(map).panels[0];
    return [panel.title, ...Array.from(panel.series[0].value, (v, i) => `${panel.series[0].names[i].match(/\d+/)} ${v}`)].join('|');
  };
  const whole = shown();
  const slider = map.querySelector('.play input');
  slider.value = 7;
  slider.dispatchEvent(new Event('input'));
  document.body.dataset.frame = shown();
  const choice = map.querySelector('.play select');
  choice.value = -1;
  choice.dispatchEvent(new Event('change'));
  document.body.dataset.whole = shown() === whole;
  const button = map.querySelector('.play button');
  const texts = [button.textContent];
  slider.value = 0;
  button.click();
  texts.push(button.textContent, shown().split('|')[0]);
  button.click();
  document.body.dataset.played = [...texts, button.textContent].join('|');
};
if (document.body.dataset.drawn) drive();
else document.addEventListener('drawn', drive);
</script></body></html>
END
opened "$work/driven.html" 14
tip=$(echo "$body" | sed -n 's/.*data-tip="\([^"]*\)".*/\1/p')
at=$(echo "$tip" | sed -n 's/^iteration \([0-9]*\)|.*/\1/p')
[ -n "$at" ] || fail "nothing under the pointer: $tip"
wanted=$(awk -F, -v at="$at" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["iteration"] == at { print $c["exchange"] }' "$work/run/iterations.csv")
[ "$(echo "$tip" | tr -d , | tr '|' '\n' | sed -n 's/^exchange: \([0-9]*\) cycles$/\1/p')" = "$wanted" ] || fail "under the pointer stands $tip, the table has an exchange of $wanted cycles in iteration $at"
pace=$(awk -F, -v at="$at" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["iteration"] == at { print $c["pace_role"] " " $c["pace_tile"] }' "$work/run/iterations.csv")
echo "$tip" | tr '|' '\n' | grep -qx "pace: $pace" || fail "under the pointer stands $tip, and $pace set the pace"
# A matrix of several groups names the row that is pointed at: the table has that tile's value in that iteration.
of() { awk -F, -v tile="$1" -v column="$2" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["tile"] == tile { print $c[column] }' "$work/run/occupancy.csv"; }
tip=$(echo "$body" | sed -n 's/.*data-cell="\([^"]*\)".*/\1/p')
tile=$(echo "$tip" | sed -n 's/^[a-z]* \([0-9]*\).*, iteration [0-9]*|.*/\1/p') at=$(echo "$tip" | sed -n 's/.*, iteration \([0-9]*\)|.*/\1/p')
[ -n "$tile" ] || fail "no tile under the pointer: $tip"
[ "$(echo "$tip" | tr -d , | tr '|' '\n' | sed -n 's/^held: \([0-9]*\) rays$/\1/p')" = "$(of "$tile" "i$at")" ] || fail "under the pointer stands $tip, and the table has $(of "$tile" "i$at")"
# The map of the chip plays: at 7 it shows the rays that each tile holds in iteration 7, and then the whole run again.
frame=$(echo "$body" | sed -n 's/.*data-frame="\([^"]*\)".*/\1/p')
[ "${frame%%|*}" = "held, iteration 7" ] || fail "the map shows ${frame%%|*}"
echo "${frame#*|}" | tr '|' '\n' | grep -v NaN | sort >"$work/shown"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { print $c["tile"] " " $c["i7"] }' "$work/run/occupancy.csv" | sort >"$work/held"
[ "$(awk '$2 > 0' "$work/held" | wc -l)" -gt 1 ] || fail "nothing is held in iteration 7"
cmp -s "$work/shown" "$work/held" || fail "the map shows $(head -3 "$work/shown"), the table has $(head -3 "$work/held")"
echo "$body" | grep -q 'data-whole="true"' || fail "the map of the whole run does not come back"
echo "$body" | grep -q 'data-played="play|stop|held, iteration 0|play"' || fail "the button does not play: $body"
echo "report page: ok"
