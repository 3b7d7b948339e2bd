# shellcheck shell=sh disable=SC2034 # program is for whoever reads this
# Of tests of `foamsim compare`: the program, a folder for what the test writes, and how a test fails. Read by
# `. tests/support/pages/compare.sh`.
LC_ALL=C
export LC_ALL
program=${FOAMSIM:-build/foamsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "$(basename "$0" .sh): $1"
    exit 1
}
# A figure of a run's stats.csv.
figure() { awk -F, -v name="$2" '$1 == name { print $3 }' "$work/$1/stats.csv"; }
# What compare printed on $work/out, lines joined.
says() { tr '\n' ' ' <"$work/out" | tr -s ' ' | grep -q -e "$1" || fail "expected \"$1\", found: $(cat "$work/out")"; }
