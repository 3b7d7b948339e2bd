#!/bin/sh
# Absolute figures: for each workload a small run (tests/golden/absolute/NAME.yaml) whose every figure stands in NAME.csv, as
# arithmetic that was worked out from the machine's parameters and the scene, not from the program. A row is
#
#     figure,arithmetic,words     what the run must give; @name is another row's number; null, in, out are words
#     =name,arithmetic,words      a number on the way there
#     figure,held VALUE,words     what has no short derivation: the words say which independent twin plays it
#     <FILE                       the rows of FILE: what all tables of one machine have
#     ...                         figures without a row are left out, as another table of this workload has them
#
# Figures that a table does not have are a fault, and so are rows that no run has, and a kind of workload without a table.
set -eu
LC_ALL=C
export LC_ALL
program=${FOAMSIM:-build/foamsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
for kind in $("$program" params | sed -n 's/^workload\/\([a-z]*\):.*/\1/p'); do
    # shellcheck disable=SC2046 # names without spaces
    grep -q "kind: $kind\b" $(printf '%s\n' tests/golden/absolute/*.csv | sed 's/csv$/yaml/') || {
        echo "test_absolute: workload $kind has no table of absolute figures"
        status=1
    }
done
for table in tests/golden/absolute/*.csv; do
    name=$(basename "$table" .csv)
    "$program" run "tests/golden/absolute/$name.yaml" --quiet --no-cache --out "$work/$name" >"$work/words" 2>&1 || {
        echo "test_absolute: $name: $(cat "$work/words")"
        exit 1
    }
    # A program for awk: its numbers in the order of the rows, which name only those before them.
    awk '/^</ { rows = "tests/golden/absolute/" substr($0, 2); while ((getline <rows) > 0) print; next } { print }' "$table" | awk -F, '
        /^#/ || NF == 0 { next }
        /^\.\.\./ { print "BEGIN { some = 1 }"; next }
        {
            how = $2
            if (how ~ /^held /) { sub(/^held /, "", how); if (how !~ /^[-0-9.]/) how = "\"" how "\"" }
            else if (how ~ /^[a-z]+$/) how = "\"" how "\""
            while (match(how, /@[a-zA-Z_0-9.]+/))
                how = substr(how, 1, RSTART - 1) "v[\"" substr(how, RSTART + 1, RLENGTH - 1) "\"]" substr(how, RSTART + RLENGTH)
            if (how ~ /v\["/) { rest = how; while (match(rest, /v\["[^"]*"\]/)) {
                of = substr(rest, RSTART + 3, RLENGTH - 5); rest = substr(rest, RSTART + RLENGTH)
                if (!(of in known)) printf "no row %s before %s\n", of, $1 > "/dev/stderr" } }
            figure = $1
            sub(/^=/, "", figure)
            known[figure] = 1
            printf "BEGIN { v[\"%s\"] = (%s)%s }\n", figure, how, $1 ~ /^=/ ? "" : "; wanted[\"" figure "\"] = 1"
        }' >"$work/$name.awk"
    cat >>"$work/$name.awk" <<'AWK'
FNR == 1 { next }
{
    figure = $1; value = $3 == "true" ? 1 : $3 == "false" ? 0 : $3
    if (!(figure in wanted)) { if (some) next; printf "test_absolute: %s: %s has no row\n", name, figure; bad = 1; next }
    delete wanted[figure]; all++
    hand = v[figure]
    if (hand ~ /^[a-z]/ || value ~ /^[a-z]/) { if (hand "" == value "") next }
    else if ((hand - value) ^ 2 <= (1e-9 * hand) ^ 2) next
    printf "test_absolute: %s: %s is %s, worked out %.12g\n", name, figure, $3, hand; bad = 1
}
END {
    for (figure in wanted) { printf "test_absolute: %s: the run has no %s\n", name, figure; bad = 1 }
    if (!bad) printf "%s: %d figures\n", name, all
    exit bad
}
AWK
    awk -F, -v name="$name" -f "$work/$name.awk" "$work/$name/stats.csv" || status=1
done
exit $status
