#!/bin/sh
# `foamsim compare` of runs that do not do the same work, or not at the same clock: the verdict begins with that, and compares by
# one ray or path of the work, or not at all; a clock is the first reason, and what changed is told in time.
set -eu
. tests/support/pages/compare.sh
compare() { "$program" compare "$@" >"$work/out" 2>"$work/err" || fail "compare: $(cat "$work/err")"; }
first() { # what the verdict begins with, below the table of figures
    words=$(awk '/^(figure|run) / { table = 1 } /^$/ && table { getline; print; exit }' "$work/out")
    [ "$(echo "$words" | cut -c1-"${#1}")" = "$1" ] || fail "the verdict does not begin with \"$1\": $(cat "$work/out")"
}
# a over b of two runs, as per cent of b with one digit: percent A B.
percent() { awk -v a="$1" -v b="$2" 'BEGIN { d = 100 * (a / b - 1); d = d < 0 ? -d : d; printf "%.*g", d < 10 ? 2 : 3, d }'; }

run spheres configs/experiments/spheres-nif.yaml --set workload.width=288 --set workload.height=240 --set workload.samples=16 \
    --set workload.sampling.drawn=2 --set workload.rays_per_worker=2 --set machine.chips=1
run room configs/experiments/poplar-readme.yaml --set workload.image.width=160 --set workload.image.height=108 \
    --set workload.sampling.drawn=4
run engine configs/experiments/engine.yaml --set workload.camera.width=64 --set workload.camera.height=64
run foam tests/system/small.yaml
run smaller tests/system/small.yaml --set workload.camera.width=48 --set workload.camera.height=36
run program configs/experiments/program.yaml
run faster configs/experiments/program.yaml --set 'machine.clock=1.6 GHz'

# Two path tracers: by a path, with the rate that the summaries give.
compare "$work/spheres" "$work/room"
first "They do not do the same work: workload smallpaint against pathtrace"
says "another scene, picture 160 x 108 against 288 x 240, samples a pixel 200 against 16"
says "paths/s, [0-9.]* times fewer than spheres with .* paths/s: a path takes [0-9.]* [^ ]*s instead of"
says "A path takes [0-9.]* [^ ]*J instead of [0-9.]* [^ ]*J"
! grep -qE "room is .* than spheres" "$work/out" || fail "seconds of other work are compared: $(cat "$work/out")"
! grep -q -e "-> (none)" "$work/out" || fail "parameters of the other workload are listed"
says "and [0-9]* parameters that not all of the workloads and machines have"

# Machines of different kinds: a ray is what both count.
compare "$work/engine" "$work/foam" --json "$work/kinds.json"
first "They do not do the same work: workload foam against hierarchy"
time_of() { awk -v s="$(figure "$1" device.seconds)" -v n="$(figure "$1" "$2")" 'BEGIN { printf "%.17g", s / n }'; }
gap=$(percent "$(time_of engine rays.count)" "$(time_of foam rays.finished)")
says "foam does [0-9.]* k rays/s, $gap % fewer than engine with"
grep -A12 '"work.seconds"' "$work/kinds.json" | grep -q . || fail "the time of a ray is no figure of the comparison"

# Half as wide and high: the picture is what differs; energies and phases of the whole frames are not held against each other.
compare "$work/foam" "$work/smaller" -o "$work/smaller.html"
first "They do not do the same work: picture 48 x 36 against 96 x 72, 1,728 rays against 6,912."
! grep -qE "The run takes|Of its phases|It needs .* iterations" "$work/out" || fail "totals of other work are compared: $(cat "$work/out")"
grep -q '<h1[^>]*>They do not do the same work: .* smaller does [0-9.]* k rays/s' "$work/smaller.html" || fail "the page does not say so: $(grep -o '<h1.*</h1>' "$work/smaller.html")"

# Nothing in common: that is said, and no run is faster.
compare "$work/foam" "$work/program" --json "$work/none.json"
first "They do not do the same work: workload program against foam."
says "They count nothing alike: their times are not compared\."
! grep -qE "faster|slower" "$work/out" || fail "one of them is faster: $(cat "$work/out")"
! "$program" compare "$work/foam" "$work/program" --boss "$work/none.pdf" >/dev/null 2>&1 || fail "--boss decides all the same"

# Many runs: what is compared stands first.
compare "$work/foam" "$work/smaller" "$work/engine"
first "They do not do the same work: compared is the time of a ray."
says "From the fastest: engine "

# The same work on another clock: the clock first, then what takes less time; cycles of the two are not held against each other.
compare "$work/program" "$work/faster" -o "$work/clock.html"
first "faster takes 16.9 % less time than program (1.2 times as fast)"
says "against 22.39 µs\. Its clock is 20.3 % faster: 1.6 GHz instead of 1.33 GHz"
says "Of its phases, compute takes [0-9.]* [^ ]*s less\."
! grep -q "host visits take" "$work/out" || fail "the host, which takes the same time, takes more"
# The page: bars by time, so that the faster run's are shorter, and plots in time.
awk -F, '$1 == "device.seconds" { print $3 }' "$work/faster/stats.csv" >/dev/null
bars() { sed -n '/<section id="time"/,/<\/section>/p' "$work/clock.html" | grep -o 'class="stack[^/]*' | head -2; }
sed -n '/<section id="time"/,/<\/section>/p' "$work/clock.html" | grep -q '6.502 ms (77.7 %)' || fail "the host's time is not on the page"
[ "$(sed -n '/<section id="time"/,/<\/section>/p' "$work/clock.html" | grep -o '6.502 ms' | wc -l)" -eq 2 ] || fail "the host takes the same time in both: $(bars)"
grep -o 'id="phases-chart">.*' "$work/clock.html" | grep -q '"unit":"µs"' || fail "phases are not drawn in time"

# Units stand with every figure of a table.
says "area 784.5 mm2"
says "power density [0-9.]* W/mm2"
echo "compare of work: ok"
