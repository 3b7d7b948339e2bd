#!/bin/sh
# `foamsim compare`: a run against itself has no differences; differing settings are found; thresholds fail in the worse
# direction only; a matrix equals what awk makes of the summaries; what cannot be compared is refused with a sentence.
set -eu
. tests/support/pages/compare.sh
compare() {
    status=0
    "$program" compare "$@" >"$work/out" 2>"$work/err" || status=$?
}

run one tests/system/small.yaml
run two tests/system/small.yaml --set workload.batching.per_batch=1
run full tests/system/small.yaml --set workload.payload=full

# Against itself, and against a copy: equal in all, also with the narrowest thresholds.
cp -r "$work/one" "$work/copy"
for other in one copy; do
    compare "$work/one" "$work/$other" --threshold device.seconds=0 --threshold image.psnr_db=0% --threshold pace.tracer=0 \
        --json "$work/equal.json" --csv "$work/equal.csv"
    [ $status -eq 0 ] || fail "a run against itself: exit status $status: $(cat "$work/err")"
    says "exactly as fast as"
    says "equal in every figure"
    says "the same in every parameter"
    awk -F, 'NR > 1 && $NF != "" && $NF + 0 != 0 { print "difference: " $0; exit 1 }' "$work/equal.csv" ||
        fail "a run differs from itself"
    ! grep -q '"exceeded": true' "$work/equal.json" || fail "a threshold is exceeded by the same run"
done

# Two settings: the key with both values, the time with the sign that the summaries give, the configuration's only change.
compare "$work/one" "$work/two" --json "$work/two.json"
[ $status -eq 0 ] || fail "exit status $status without a threshold"
says "parameter one (base) two workload.batching.per_batch 2 1 figure "
a=$(figure one device.seconds) b=$(figure two device.seconds)
word=$(awk -v a="$a" -v b="$b" 'BEGIN { print b < a ? "less" : "more" }')
percent=$(awk -v a="$a" -v b="$b" 'BEGIN { d = 100 * (b - a) / a; d = d < 0 ? -d : d; printf "%.*g", d < 10 ? 2 : 3, d }')
says "two takes $percent % $word time than one"

# Thresholds, in the direction of worse: iterations of the second run are more, those of the first are fewer.
more=$(awk -v a="$(figure one device.iterations)" -v b="$(figure two device.iterations)" 'BEGIN { printf "%.17g", 100 * (b - a) / a }')
awk -v m="$more" 'BEGIN { exit !(m > 1) }' || fail "the test wants more iterations in its second run, has $more %"
compare "$work/one" "$work/two" -q --threshold "device.iterations=$more%"
[ $status -eq 0 ] || fail "exactly at the threshold: exit status $status"
compare "$work/one" "$work/two" -q --threshold "device.iterations=$(awk -v m="$more" 'BEGIN { print m - 0.5 }')"
[ $status -eq 1 ] || fail "beyond the threshold: exit status $status"
[ ! -s "$work/out" ] || fail "--quiet printed: $(cat "$work/out")"
grep -q "two: device.iterations is .* worse than in one" "$work/err" || fail "the threshold says: $(cat "$work/err")"
compare "$work/one" "$work/two" -q --base 2 --threshold device.iterations=0
[ $status -eq 0 ] || fail "fewer iterations are no worse: exit status $status"
compare "$work/one" "$work/two" -q --threshold pace.tracer=0 # no direction: any change
[ $status -eq 1 ] || fail "a figure without a direction: exit status $status"
cp -r "$work/one" "$work/lower" # less PSNR is worse, more is not
sed -i 's/"psnr_db": [0-9.]*/"psnr_db": 20.5/' "$work/lower/summary.json"
sed -i '/"summary.json"/,/bytes/s/"bytes": [0-9]*/"bytes": '"$(wc -c <"$work/lower/summary.json")"'/' "$work/lower/manifest.json"
compare "$work/one" "$work/lower" -q -t image.psnr_db=10
[ $status -eq 1 ] || fail "a worse picture passes: exit status $status $(cat "$work/err")"
compare "$work/lower" "$work/one" -q -t image.psnr_db=0
[ $status -eq 0 ] || fail "a better picture fails: exit status $status"

# The reasons come from the plan and its tables: parts under their names, tiles of a role, and the level whose lanes are full.
compare "$work/one" "$work/two"
says "Of its parts, filling the pipeline takes .*the drain"
run fat tests/system/small.yaml --set overlay.kind=fat_tree
compare "$work/one" "$work/fat"
says "No ray ever waits for a full lane in either of the two: another overlay"
says "It takes 1 more router tile: 22 instead of 21\."
run narrow tests/system/small.yaml --set overlay.router_buffer='4 KiB'
compare "$work/one" "$work/narrow"
where=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    $c["part"] == "all" { n = $c["turned_away"]; sum += n; if (n > most) { most = n; role = $c["role"]; level = $c["level"] } }
    END { where = role "s"; if (role == "router") where = where " of level " level
          if (sum > 0) printf "%s in narrow (%.0f %%", where, 100 * most / sum }' "$work/narrow/levels.csv")
[ -n "$where" ] || fail "narrow lanes turned no ray away"
says "Rays find their lane full mostly towards $where of them)\."
! grep -q "No ray ever waits" "$work/out" || fail "rays wait, and the verdict says they do not"

# Full lanes that change nothing, as tracers set the pace: the same run with rays turned away in its table.
cp -r "$work/one" "$work/crowded"
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } $1 == "all" && $2 == "router" && $3 == 1 { $c["turned_away"] = 100 } 1' \
    "$work/one/levels.csv" >"$work/crowded/levels.csv"
sed -i '/"levels.csv"/,/bytes/s/"bytes": [0-9]*/"bytes": '"$(wc -c <"$work/crowded/levels.csv")"'/' "$work/crowded/manifest.json"
pace=$(awk -v p="$(figure one pace.tracer)" 'BEGIN { printf "%.*g %%", p < 0.1 ? 2 : 3, 100 * p }')
compare "$work/one" "$work/crowded"
says "Rays find their lane full mostly towards routers of level 1 in crowded (100 % of them)\."
says "More full lanes hardly change the time, as tracers set the pace in $pace and $pace of the iterations\."
compare "$work/crowded" "$work/one"
says "Fewer full lanes hardly change the time"

# A matrix: rows are seeds and batchings, columns payloads; every number again from the summaries.
for seed in 1 2; do
    for batch in 1 3; do
        for payload in half mixed full; do
            run "m/s$seed-b$batch-$payload" tests/system/small.yaml --set scene.generate.seed=$seed --set workload.batching.per_batch=$batch \
                --set workload.payload=$payload --set scene.generate.cells=8000
        done
    done
done
compare "$work"/m/*-half "$work"/m/* --csv "$work/matrix.csv" --json "$work/matrix.json"
[ $status -eq 0 ] || fail "the matrix: $(cat "$work/err")"
for seed in 1 2; do
    for batch in 1 3; do
        base=$(figure "m/s$seed-b$batch-half" device.seconds)
        for payload in half mixed full; do
            echo "s$seed-b$batch,$payload,$(figure "m/s$seed-b$batch-$payload" device.seconds),$base"
        done
    done
done >"$work/expected.csv"
awk -F, '
FNR == NR { seconds[$1 "," $2] = $3; base[$1 "," $2] = $4; wanted++; next }
FNR == 1 { next }
{
    key = $1 "," $2
    if (!(key in seconds)) { print "unexpected cell " key; exit 1 }
    percent = 100 * ($5 - base[key]) / base[key]
    if ($5 != seconds[key] || (percent - $6) ^ 2 > 1e-18) { print key ": " $0 " not " seconds[key] ", " percent; exit 1 }
    found++
}
END { if (found != wanted) { print found " cells, not " wanted; exit 1 } }' "$work/expected.csv" "$work/matrix.csv" ||
    fail "the matrix is not that of the summaries"
for payload in mixed full; do
    sums=$(awk -F, -v p=$payload '$2 == p { n++; s += log($3 / $4); wins += $3 < $4; losses += $3 > $4 }
        END { printf "%d %d %.12g", wins, losses, exp(s / n) }' "$work/expected.csv")
    got=$(sed -n "/\"label\": \"$payload\"/,/\"ratio\"/p" "$work/matrix.json" |
        awk -F': ' '/faster/ { w = $2 + 0 } /slower/ { l = $2 + 0 } /"ratio"/ { r = $2 + 0 } END { printf "%d %d %.12g", w, l, r }')
    [ "$sums" = "$got" ] || fail "column $payload: $got, expected $sums"
done

# A figure of which more is better may decide: with rays a second in the first place the same columns win the same rows, the
# same run is best, and the verdict's words and --boss say so.
cp -r "$work/m" "$work/rate"
cp -r "$work/one" "$work/two" "$work/rate"
for dir in "$work"/rate/*; do
    sed -i '/^device.rays_per_second,/s/,104,/,1,/' "$dir/stats.csv"
    sed -i '/"stats.csv"/,/bytes/s/"bytes": [0-9]*/"bytes": '"$(wc -c <"$dir/stats.csv")"'/' "$dir/manifest.json"
done
wins() {
    compare "$1"/s1-*-half "$1"/s1-* "$1"/s2-b1-* --json "$work/wins.json"
    grep -E '"(faster|equal|slower)"' "$work/wins.json"
}
[ "$(wins "$work/rate")" = "$(wins "$work/m")" ] || fail "more is better: $(wins "$work/rate")"
best=$(test "$word" = less && echo two || echo one)
cp -r "$work/rate/one" "$work/third"
compare "$work/rate/one" "$work/rate/two" "$work/third"
says "From the best: $best "
other=$(test "$word" = less && echo better || echo worse)
compare "$work/rate/one" "$work/rate/two" --boss "$work/pair.pdf"
says "two is $other than one: its rays a second is [0-9.]* % "
if [ -e "$work/pair.html" ]; then
    grep -q "Build $best: rays a second" "$work/pair.html" || fail "--boss builds another: $(grep '<h1' "$work/pair.html")"
fi

# With the payload among what is asked nothing is left to make columns of: one list of runs.
compare "$work"/m/* --group workload.payload
[ $status -eq 0 ] || fail "--group: $(cat "$work/err")"
! grep -q "geometric mean" "$work/out" || fail "a matrix without columns"
[ "$(grep -c '^s[12]-b[13]-' "$work/out")" -eq 12 ] || fail "not a line for each of 12 runs: $(cat "$work/out")"

refused() {
    what=$1
    shift
    compare "$@"
    [ $status -eq 2 ] || fail "$what: exit status $status, not 2"
    grep -q "$what" "$work/err" || fail "expected a message with \"$what\", found: $(cat "$work/err")"
}
mkdir "$work/empty"
refused "an argument is missing" "$work/one"
refused "no manifest.json" "$work/one" "$work/empty"
refused "no such run folder" "$work/one" "$work/nowhere"
refused "did you mean \"device.seconds\"" "$work/one" "$work/two" --threshold device.second=5
refused "expected NAME=PERCENT" "$work/one" "$work/two" --threshold device.seconds
refused "expected a number" "$work/one" "$work/two" --threshold device.seconds=much
refused "expected 1 to 2" "$work/one" "$work/two" --base 3
head -c 100 "$work/two/tiles.csv" >"$work/short" && mv "$work/short" "$work/two/tiles.csv"
refused "the run folder is damaged" "$work/one" "$work/two"
echo "compare: ok"
