#!/bin/sh
# What a reading of the code found once and must not come back. Each rule is tried on a line that breaks it.
set -eu
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
program=${FOAMSIM:-build/foamsim}
sources() { git ls-files api sim formats models workloads reports validation registry | grep -E '\.(c|h|cpp)$'; }

# A comment of one line that the formatter shredded: its end stands alone on the next one.
shredded() { awk 'FNR == 1 { last = "" } /^ *\*\/$/ && last ~ /^ *\/\* / { print FILENAME ":" FNR ": the end of a comment alone on its line" } { last = $0 }' "$@"; }
# An assertion with a side effect: what it calls has to be done in builds without assertions too.
asserted() { grep -nE 'FS_ASSERT\([^,]*(\) *==? *FS_OK|\+\+|--|[^=!<>]=[^=])' "$@" /dev/null || true; }
# A pipe that a process started by another thread would inherit.
inherited() { grep -nE '(^|[^a-z_])pipe\(' "$@" /dev/null || true; }

printf '/* one line\n */\nint a;\n' >"$scratch/comment.c"
printf '    FS_ASSERT(add(x) == FS_OK, "add");\n' >"$scratch/assert.c"
printf '    if (pipe(ends) != 0)\n' >"$scratch/pipe.c"
[ -n "$(shredded "$scratch/comment.c")" ] && [ -n "$(asserted "$scratch/assert.c")" ] && [ -n "$(inherited "$scratch/pipe.c")" ]
# shellcheck disable=SC2046
found=$(shredded $(sources) && asserted $(sources) && inherited $(git ls-files api))
[ -z "$found" ] || {
    echo "$found"
    exit 1
}
grep -qx 'ReflowComments: false' .clang-format

# scene-kinds are those of scene.kind, not of scene.generate.kind.
"$program" list scene-kinds | grep -q '^primitives ' && "$program" list generators | grep -q '^garden '
# shellcheck disable=SC2251
! "$program" list scene-kinds | grep -q '^garden '
# Why each package is needed, once.
table=$(sed -n '/^| Debian package/,$p' ARCHITECTURE.md | sed '1,2d')
[ -z "$(echo "$table" | cut -d '|' -f 2 | sed 's/ *(.*)//; s/ //g; s/[,;]/\n/g' | grep . | sort | uniq -d)" ]
[ -z "$(echo "$table" | grep -E '\| *\|' || true)" ]
