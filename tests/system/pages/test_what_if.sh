#!/bin/sh
# docs/what-if.md: every command of it does what it says, from a fresh folder: runs of seconds, pages and rays whole, longer runs and
# settings of the demo by a check, sweeps and searches by their dry run.
set -u
program=$(realpath "${FOAMSIM:-build/foamsim}")
here=$PWD
scratch=$(mktemp -d "${TMPDIR:-/tmp}/whatif.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export XDG_CACHE_HOME="$scratch/cache"
mkdir build && ln -s "$program" build/foamsim && ln -s "$here/configs" configs
"$program" run demo --quiet -o demo >/dev/null || exit 1

# One a line: what stands in code blocks and between backticks, joined over line ends.
# shellcheck disable=SC2016 # backticks of the document
tr '\n' ' ' <"$here/docs/what-if.md" | grep -o '`[^`]*`' | tr -d '`' | sed 's/  */ /g' >spans
sed -n 's/^    \(build\/foamsim .*\)/\1/p' "$here/docs/what-if.md" | sed 's/ *#.*//' >blocks
grep '^build/foamsim ' spans | cat blocks - | awk '!seen[$0]++' >commands
grep '^--set ' spans | grep -v '[=]\.\.\.\|[A-Z]$' | sort -u >settings
[ "$(wc -l <commands)" -ge 15 ] || { echo "only $(wc -l <commands) commands"; exit 1; }
wrong=0
tried=0
while read -r line; do
    case $line in
    *' validate '*) continue ;; # as `make validate` does
    *' sweep '* | *' search '*) line="$line --dry-run" ;;
    *' query '* | *'--cluster'* | *'--boss'*) continue ;; # of a store of that sweep; a browser
    *' run '*grove.k=* | *' run '*machine=gc200-*) line="$line --check" ;; # half a minute and more each
    *' run '*) line=$(echo "$line" | sed 's/ run / run --quiet --force /') ;;
    esac
    tried=$((tried + 1))
    # shellcheck disable=SC2086 # words on purpose
    sh -c "$line" >said 2>&1 </dev/null || { echo "$line: $(tail -n 2 said)"; wrong=1; }
done <commands
while read -r line; do
    tried=$((tried + 1))
    # shellcheck disable=SC2086 # words on purpose
    "$program" run demo $line --check >said 2>&1 </dev/null ||
        for other in engine box treelets traffic-uniform spheres-nif; do
            "$program" run $other $line --check >said2 2>&1 </dev/null && break
        done || { echo "$line: $(tail -n 2 said)"; wrong=1; }
done <settings
echo "$tried tried"
exit "$wrong"
