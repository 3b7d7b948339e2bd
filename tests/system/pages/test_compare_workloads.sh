#!/bin/sh
# `foamsim compare -o` of other workloads than a renderer: traffic by latency and load, a program by its steps; their pages have
# the sections and pictures that fit them.
set -eu
. tests/support/pages/compare.sh
compare() { "$program" compare "$@" >"$work/words" 2>&1 || fail "compare failed: $(cat "$work/words")"; }
whole() {
    ! grep -v 'http://www.w3.org/2000/svg' "$1" | grep -qE "https?:|src=\"[^d]|@import|url\([^#]" || fail "the page wants a network"
    ! grep -qF "$work" "$1" || fail "the page names folders of this machine"
}

# Synthetic rays: latency, load and what is refused stand first and in words, with pictures that fit them.
run calm configs/experiments/traffic-uniform.yaml --set workload.load=0.1 --set workload.measure=300
run fat-calm configs/experiments/traffic-uniform.yaml --set workload.load=0.1 --set workload.measure=300 --set overlay=fat-tree
compare "$work/calm" "$work/fat-calm" -o "$work/traffic.html"
whole "$work/traffic.html"
grep -q '^mean latency ' "$work/words" || fail "traffic: no mean latency in the table: $(head -12 "$work/words")"
[ "$(sed -n '/^figure /{n;s/  .*//p}' "$work/words")" = "mean latency" ] || fail "traffic: latency is not the first figure"
for words in 'load accepted' 'load bound' 'rays refused'; do grep -q "^$words " "$work/words" || fail "traffic: no $words"; done
grep -q '<ol class="findings">' "$work/traffic.html" || fail "traffic: no verdict"
sed -n '/<ol class="findings">/,/<\/ol>/p' "$work/traffic.html" | grep -q 'mean latency is' || fail "traffic: the verdict does not speak of latency"
for sentence in 'Of its parts, the warm-up takes [0-9,]* cycles [a-z]*, the measurement' 'No ray ever waits for a full lane in either'; do
    tr '\n' ' ' <"$work/words" | tr -s ' ' | grep -q "$sentence" || fail "traffic: the verdict does not say \"$sentence\": $(cat "$work/words")"
done
for id in distributions time chip-visits levels; do
    grep -q "<section id=\"$id\"" "$work/traffic.html" || fail "traffic: no section $id"
done
for id in images tiles pixels ladder; do
    ! grep -q "<section id=\"$id\"" "$work/traffic.html" || fail "traffic: a section $id"
done
for id in tails-distributions phases flow rays chip-rays; do
    grep -q "class=\"chart\" id=\"$id-chart\"" "$work/traffic.html" || fail "traffic: no chart $id"
done
# Loads are questions, overlays are configurations: a matrix.
run busy configs/experiments/traffic-uniform.yaml --set workload.load=0.2 --set workload.measure=300
run fat-busy configs/experiments/traffic-uniform.yaml --set workload.load=0.2 --set workload.measure=300 --set overlay=fat-tree
compare "$work/calm" "$work/fat-calm" "$work/busy" "$work/fat-busy" -o "$work/loads.html"
grep -q '<section id="matrix"' "$work/loads.html" || fail "traffic: no matrix of loads and overlays"

# A program: its steps side by side, and roles that its author named.
for machine in gc200 bow; do
    run "program-$machine" configs/experiments/program.yaml --set machine=$machine
done
compare "$work/program-gc200" "$work/program-bow" -o "$work/program.html"
whole "$work/program.html"
for id in steps time tiles chip; do
    grep -q "<section id=\"$id\"" "$work/program.html" || fail "program: no section $id"
done
step=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { print $c["name"]; exit }' "$work/program-gc200/steps.csv")
grep -q "<th[^>]*>$step</th>" "$work/program.html" || fail "program: the step $step is no group of rows"


# What changed of it in words: steps by their names where both have the same; the length of a pass where another program runs.
says() { tr '\n' ' ' <"$work/words" | tr -s ' ' | grep -q -e "$1" || fail "expected \"$1\", found: $(cat "$work/words")"; }
run dot configs/experiments/program.yaml --set workload.file=configs/programs/dot.yaml
run dear configs/experiments/program.yaml --set workload.file=configs/programs/dot.yaml --set 'machine.tile.vertex_overhead=400 cycles'
compare "$work/dot" "$work/dear"
says 'dear takes [0-9.]* % more time than dot: the time of a pass is'
gap=$(paste -d, "$work/dot/steps.csv" "$work/dear/steps.csv" | awk -F, '$2 == "sum" { print $16 - $6 }')
says "Of its steps, .*, \"sum\" $gap more\."
says 'Workers are busy in [0-9.]* % instead of'
compare "$work/program-gc200" "$work/dot"
says 'They do not do the same work: another program\.'
! grep -q 'It runs\|Of an iteration' "$work/words" || fail "the time of another program is compared"
says 'The exchange moves [0-9.]* [A-Za-z]* instead of'
! grep -q 'Of its steps' "$work/words" || fail "programs with other steps are compared step by step"

browser=$(command -v chromium || command -v chromium-browser || true)
[ -n "$browser" ] || { echo "skipped the browser: chromium is not installed"; exit 77; }
. tests/support/pages/browser.sh
opened "$work/traffic.html" 5
opened "$work/program.html" 3
echo "compare workloads: ok"
