#!/bin/sh
# No two files define a function or a datum of the same name for all: an archive links one of them in silence, and its
# callers may have meant the other.
set -eu
program=${FOAMSIM:-build/foamsim}
library=$(dirname "$program")/libfoamsim.a
nm --defined-only --extern-only "$library" >/dev/null 2>&1 || {
    echo "test_symbols: skipped, nm cannot read $library"
    exit 0
}
twice=$(nm --defined-only --extern-only "$library" 2>/dev/null | awk 'NF == 3 && $2 ~ /^[TDRB]$/ { print $3 }' | sort | uniq -d)
[ -z "$twice" ] || {
    echo "test_symbols: defined in two files: $twice"
    exit 1
}
