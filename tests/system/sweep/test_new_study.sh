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
# refused WORDS COMMAND...: status 2, and these words.
refused() {
    words=$1
    shift
    "$program" "$@" >said 2>&1
    if [ $? -ne 2 ] || ! grep -q "$words" said; then complain "$*: $(cat said)"; fi
}
echo mine >mine.yaml
refused 'mine.yaml exists already: --force replaces it' new study mine
[ "$(cat mine.yaml)" = mine ] || complain "the file was touched"
refused 'expected a name of letters' new study ../mine
refused 'expected study, found "essay"' new essay mine
mkdir shipped && cd shipped || exit 1
ln -s "$here/configs" configs
"$program" new study demo >/dev/null || complain "no study of the usual base"
"$program" sweep demo.yaml --dry-run >said 2>&1 || complain "dry run: $(cat said)"
exit "$wrong"
