#!/bin/sh
# `foamsim new study NAME` writes a sweep that runs as it is, and touches nothing that stands there.
set -u
program=$(realpath "${FOAMSIM:-build/foamsim}")
here=$PWD
scratch=$(mktemp -d "${TMPDIR:-/tmp}/study.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
wrong=0
complain() {
    echo "$*"
    wrong=1
}
cp tests/system/small.yaml "$scratch"
cd "$scratch" || exit 1
export XDG_CACHE_HOME="$scratch/cache"
"$program" new study mine --base small.yaml >said 2>&1 || complain "new: $(cat said)"
grep -q "^next: foamsim sweep mine.yaml --dry-run$" said || complain "new says: $(cat said)"
"$program" sweep mine.yaml --store mine.db --quiet >said 2>&1 || complain "sweep: $(cat said)"
[ "$("$program" query mine.db table --json | grep -o '"feasible": true' | wc -l)" -eq 8 ] || complain "not 8 feasible points"
echo mine >mine.yaml
"$program" new study mine >said 2>&1
[ $? -eq 2 ] && grep -q "mine.yaml exists already: --force replaces it" said || complain "over a file: $(cat said)"
[ "$(cat mine.yaml)" = mine ] || complain "the file was touched"
"$program" new study ../mine >said 2>&1
[ $? -eq 2 ] && grep -q 'expected a name of letters' said || complain "a path: $(cat said)"
"$program" new essay mine >said 2>&1
[ $? -eq 2 ] && grep -q 'expected study, found "essay"' said || complain "an essay: $(cat said)"
cd "$here" && "$program" new study "study$$" >/dev/null && "$program" sweep "study$$.yaml" --dry-run >said.$$ 2>&1 || complain "dry run: $(cat said.$$)"
rm -f "study$$.yaml" said.$$
exit "$wrong"
