#!/bin/sh
# What a page suggests can be set: every --set of it, and every setting that comes near a rung of the ladder, of runs of each
# workload, over ports and over a network, is accepted by --check of the same run. FOAMSIM_SUGGESTIONS=shipped: of shipped experiments.
set -eu
program=${FOAMSIM:-build/foamsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tried=0

# Suggestions, one a line, the settings that go together: of the page, and those of page.json that gain too little for it.
suggested() {
    grep -oE '<code>--set [^<]*</code>( <code>--set [^<]*</code>)*' "$work/page.html" | sed 's/<[^>]*>//g; s/&quot;/"/g' || true
    sed -n 's/^ *"near": "\(.*\)",*$/\1/p' "$work/run/page.json" | sed 's/[^ ]*=/--set &/g'
}

# run EXPERIMENT [--set KEY=VALUE ...]: of that run.
of() {
    "$program" run "$@" --quiet --force --out "$work/run" >"$work/words" 2>&1 || {
        echo "test_suggestions: run $*: $(cat "$work/words")"
        exit 1
    }
    "$program" report "$work/run" -o "$work/page.html" >/dev/null 2>&1
    suggested | sort -u >"$work/suggested"
    while read -r sets; do
        tried=$((tried + 1))
        # shellcheck disable=SC2086 # settings have no blanks
        "$program" run "$@" $sets --check >"$work/words" 2>&1 || {
            echo "test_suggestions: the page of run $* suggests $sets, which is refused:"
            cat "$work/words"
            exit 1
        }
        [ -z "${VERBOSE:-}" ] || echo "$* : $sets"
    done <"$work/suggested"
}

if [ "${FOAMSIM_SUGGESTIONS:-}" = shipped ]; then
    for experiment in demo treelets gaussians program engine; do
        of "$experiment"
    done
    of demo --set machine=gc200-mesh --set machine.exchange.noc.detail=sampled
else
    # Not treelets: their run of absolute figures has tiles of 1 KB, which hold no other treelets.
    for kind in foam program gaussians pathtrace smallpaint hierarchy traffic fabric; do
        of "tests/golden/absolute/$kind.yaml"
    done
    mesh="--set machine.exchange.kind=noc --set machine.exchange.mode=dynamic --set machine.exchange.noc.size=[8,12]"
    small=tests/system/small.yaml
    of $small
    # shellcheck disable=SC2086 # settings have no blanks
    of $small $mesh
    # shellcheck disable=SC2086
    of $small $mesh --set machine.exchange.noc.detail=sampled
    of $small --set machine.exchange.mode=dynamic --set machine.execution=decoupled
fi
[ "$tried" -ge 10 ] || {
    echo "test_suggestions: pages suggest $tried settings"
    exit 1
}
