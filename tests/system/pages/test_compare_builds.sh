#!/bin/sh
# tools/compare-builds finds a program equal to itself, and says which figure another one gives otherwise; a new column that is
# listed as allowed counts as no difference, one that is not does.
# shellcheck disable=SC2016 # what a program does is expanded when it runs
set -eu
FOAMSIM=${FOAMSIM:-build/foamsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$1"; cat "$work/out"; exit 1; }

# A program that runs foamsim and then changes what it wrote: $1 is a command with the run folder in $run.
program() {
    mkdir -p "$work/other"
    cat >"$work/other/foamsim" <<PROGRAM
#!/bin/sh
"$(realpath "$FOAMSIM")" "\$@" || exit
for run in "\$@"; do :; done
$1
PROGRAM
    chmod +x "$work/other/foamsim"
}
compare() { tools/compare-builds --quick "$FOAMSIM" "$1" traffic-uniform >"$work/out" 2>&1; }

compare "$FOAMSIM" || fail "a program differs from itself"
grep -q '^17 same, 0 differ$' "$work/out" || fail "not seventeen files"

program 'sed -i "s/^\(latency.mean,[^,]*\),[^,]*/\1,1/" "$run/stats.csv"'
compare "$work/other/foamsim" && fail "another latency went unnoticed"
grep -q '^    stats.csv: latency.mean/value: .* is 1 now$' "$work/out" || fail "the figure is not named"
grep -q '^16 same, 1 differ$' "$work/out" || fail "not one file"

program 'sed -i "s/,less,/,more,/" "$run/stats.csv"'
compare "$work/other/foamsim" || fail "a column that may differ counts as a difference"

program 'sed -i "1s/\$/,worse/; 2,\$s/\$/,less/" "$run/stats.csv"'
compare "$work/other/foamsim" && fail "a column that may not be new went unnoticed"

program 'rm "$run/tiles.csv"; sed -i "s/\"mean\": [0-9.]*/\"mean\": 3.5/" "$run/summary.json"'
compare "$work/other/foamsim" && fail "a file that is gone went unnoticed"
grep -q '^    tiles.csv: only in OLD$' "$work/out" || fail "the file that is gone is not named"
grep -q '^    summary.json: latency.mean: .* is 3.5 now$' "$work/out" || fail "the key is not named"

tools/compare-builds "$FOAMSIM" "$work/nothing" >"$work/out" 2>&1 && fail "a program that does not exist was compared"
exit 0
