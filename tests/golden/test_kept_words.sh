#!/bin/sh
# Words that ARCHITECTURE keeps for one thing are of one room in names of types too; of functions test_house holds it.
set -eu
cd "$(dirname "$0")/../.."
# Headers below $1 that give a type one of the words in another room than its own.
breaches() {
    while read -r word room; do
        grep -rnE "^(} fs_$word(_[a-z0-9_]+)?;|(typedef )?(struct|enum) fs_$word(_[a-z0-9_]+)? \{)" --include='*.h' \
            "$1/sim" "$1/models" "$1/workloads" "$1/reports" "$1/validation" "$1/registry" | grep -v "^$1/$room/" || true
    done <<'WORDS'
tree sim/yaml
walk workloads/paths
books models/ipu
point sim/workload
run sim/workload
tell none
WORDS
}
found=$(breaches .)
[ -z "$found" ] || {
    echo "words of another room (ARCHITECTURE, One word, one thing):"
    echo "$found"
    exit 1
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for folder in sim models/overlay workloads reports validation registry; do mkdir -p "$scratch/$folder"; done
printf 'typedef struct fs_tree_planted {\n    int a;\n} fs_tree_planted;\n' >"$scratch/models/overlay/planted.h"
[ "$(breaches "$scratch" | wc -l)" -eq 2 ] || {
    echo "a planted word was not noticed"
    exit 1
}
