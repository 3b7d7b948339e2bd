#!/bin/sh
# Threads of the program that wait for others sleep at once, unless the user or one thread make that needless. The OpenMP runtime
# says what it was told, once for each start of the program.
set -u
LC_ALL=C
program=${FOAMSIM:-${BUILD:-build}/foamsim}
unset OMP_WAIT_POLICY GOMP_SPINCOUNT KMP_BLOCKTIME OMP_NUM_THREADS
wrong=0
# said SPINS STARTS [NAME=VALUE...]: so many turns before a thread sleeps, and so many starts, with these settings.
said() {
    spins=$1 starts=$2
    shift 2
    found=$(env OMP_DISPLAY_ENV=verbose "$@" "$program" --version 2>&1 | sed -n "s/.*GOMP_SPINCOUNT = '\(.*\)'/\1/p")
    if [ "$(echo "$found" | tail -n 1)" != "$spins" ] || [ "$(echo "$found" | wc -l)" -ne "$starts" ]; then
        echo "with '$*': expected $spins after $starts starts, found: $(echo "$found" | tr "\n" " ")"
        wrong=1
    fi
}
if ! OMP_DISPLAY_ENV=verbose "$program" --version 2>&1 | grep -q GOMP_SPINCOUNT; then
    echo "another runtime than libgomp: left out"
    exit 0
fi
said 0 2
said 0 1 OMP_WAIT_POLICY=passive
said 77 1 GOMP_SPINCOUNT=77
said 30000000000 1 OMP_WAIT_POLICY=active
exit $wrong
