#!/bin/sh
# Every command of docs/how-to/files.md works on the files that ship, and what it gives is what these files hold.
set -eu
here=$PWD
program=$(realpath "${FOAMSIM:-build/foamsim}")
work=$(mktemp -d "${TMPDIR:-/tmp}/files.XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() {
    echo "test_how_to_files: $*"
    exit 1
}
cd "$work"
mkdir build
ln -s "$program" build/foamsim
ln -s "$here/examples" "$here/configs" .

sed -n 's/^    \(build\/foamsim .*\)/\1/p' "$here/docs/how-to/files.md" >lines
commands=0
while read -r line; do
    eval "$line" >out 2>said || fail "$line: status $?: $(cat said)"
    commands=$((commands + 1))
done <lines
[ "$commands" -ge 20 ] || fail "$commands commands found, expected at least 20"

# figure RUN NAME: its value in stats.csv.
figure() {
    awk -F, -v name="$2" '$1 == name { print $3 }' "$1/stats.csv"
}
expect() {
    awk -v a="$(figure "$1" "$2")" -v b="$3" 'BEGIN { exit a == "" || a + 0 != b + 0 }' || fail "$1: $2: expected $3, found $(figure "$1" "$2")"
}
expect reads trace.packets 5
expect reads trace.bytes 232
expect late trace.packets 3
expect trace trace.packets 3
expect trace trace.bytes 5120
expect workload trace.packets 6
expect workload trace.bytes 20480
expect step trace.bytes 139264
[ "$(figure wider network.cycles)" -lt "$(figure step network.cycles)" ] || fail "wider links of ranks save no time"
grep -q '^machine,energy.int_op,110 fJ,.*ERT.yaml:9, chip.core\[0..63\].adder add' priced/parameters.csv ||
    fail "priced: the price's source is missing: $(grep energy.int_op priced/parameters.csv)"
grep -q '^machine,area.logic,78000 um2,' priced/parameters.csv || fail "priced: 52,000 um2 times 1.5 are not 78,000"

grep -q 'something near of: input_speedup 2: an input port' mesh/findings.json || fail "mesh: what is near is no finding"

# HotSpot: units tile the die, names agree, the sum of all powers is the run's energy.
awk '!/^#/ { area += $2 * $3; width = $4 + $2 > width ? $4 + $2 : width; height = $5 + $3 > height ? $5 + $3 : height; if (seen[$1]++) bad = 1 }
     END { d = area / (width * height) - 1; exit bad || d > 1e-6 || d < -1e-6 }' thermal/priced.flp || fail "units do not tile the die"
grep -v '^#' thermal/priced.flp | cut -f 1 | sort >units
head -1 thermal/priced.ptrace | tr '\t' '\n' | sort | cmp -s units - || fail "names of floorplan and power differ"
awk '$1 == "rest_0" { d = $2 * $3 * 1e6 / 112 - 1; found = 1 } END { exit !found || d > 1e-4 || d < -1e-4 }' thermal/priced.flp ||
    fail "the spine has not the area that no tile has"
interval=$(awk '/^-sampling/ { print $2 }' thermal/priced.config)
awk -v interval="$interval" -v energy="$(figure priced energy.joules)" \
    'NR > 1 { for (i = 1; i <= NF; i++) sum += $i * interval } END { d = sum / energy - 1; exit d > 1e-5 || d < -1e-5 }' \
    thermal/priced.ptrace || fail "powers do not add up to the energy"
grep -q "^system.energy.joules  *$(printf %.6f "$(figure priced energy.joules)") " statistics/stats.txt || fail "stats.txt lacks energy.joules"
[ "$(head -2 curves/booksim.csv | tail -1 | cut -d, -f 6)" != nan ] || fail "booksim.csv: no latency"

# A file runs twice to the same bytes, with its graph where resolved.yaml of the run finds it.
export XDG_CACHE_HOME="$work/cache"
for run in once twice; do build/foamsim run examples/files/tree.cfg -o $run --quiet >/dev/null || fail "tree.cfg does not run"; done
cmp -s once/resolved.yaml twice/resolved.yaml || fail "two runs of a file are not the same: $(diff once/resolved.yaml twice/resolved.yaml | head -4)"
build/foamsim run once/resolved.yaml -o again --quiet >/dev/null 2>said || fail "resolved.yaml of a file's run does not run: $(cat said)"
cmp -s once/stats.csv again/stats.csv || fail "resolved.yaml of a file's run gives other figures"

# What cannot be had stops the run with its place, and nothing is written.
printf 'topology = mesh; k = 4; n = 2;\nrouting_function = valiant;\n' >bad.cfg
if build/foamsim import bad.cfg -o bad.yaml >out 2>said; then fail "a routing function of another router ran"; fi
grep -q '^foamsim: bad.cfg:2:20: routing_function valiant: .*dor is the nearest' said || fail "$(cat said)"
[ ! -e bad.yaml ] || fail "a refused file left an experiment"
