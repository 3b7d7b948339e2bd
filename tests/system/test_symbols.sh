#!/bin/sh
# No two files define a function or a datum of the same name for all: an archive links one of them in silence, and its
# callers may have meant the other. The library for C shows no name but its own, and brings no simulator of events with it.
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

shared=$(dirname "$program")/api/libfoamsim.so.0
shown=$(nm -D --defined-only "$shared" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort)
declared=$(grep -o 'foamsim_[a-z_]*(' api/foamsim.h | tr -d '(' | sort -u)
[ "$shown" = "$declared" ] || {
    echo "test_symbols: $shared shows other names than foamsim.h:"
    echo "$shown" >"${TMPDIR:-/tmp}/shown.$$"
    echo "$declared" | diff - "${TMPDIR:-/tmp}/shown.$$" || true
    rm -f "${TMPDIR:-/tmp}/shown.$$"
    exit 1
}
if nm -D "$shared" | grep -q sc_main; then
    echo "test_symbols: $shared needs SystemC"
    exit 1
fi
