# shellcheck shell=sh disable=SC2034 # program is for whoever reads this
# Of tests of pages and of `foamsim compare`: the program, a folder for what the test writes, how a test fails, runs. Read by
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
# A run of an experiment, made once for all tests of this program: run NAME EXPERIMENT [OPTION ...], as $work/NAME.
run() {
    name=$1
    shift
    of=${BUILD:-build}/tests/runs/$(stat -Lc %Y-%s "$program")-$(echo "$*" | cksum | tr ' ' -)
    if [ ! -d "$of" ] || [ -n "$(find configs tests/system/small.yaml -newer "$of" | head -1)" ]; then
        rm -rf "$of"
        mkdir -p "${of%/*}"
        "$program" run "$@" --quiet --out "$of.$$" >/dev/null 2>&1 || fail "the run $name failed"
        mv -T "$of.$$" "$of" 2>/dev/null || rm -rf "$of.$$" # another test was faster
    fi
    mkdir -p "$(dirname "$work/$name")"
    cp -r "$of" "$work/$name"
}
