#!/bin/sh
# Calls of the host that fail, one at a time, as SQLite tries them: allocations, opens, reads, writes, syncs, renames, folders and
# processes of a run, a sweep, a report, a merge, an export and a validation. After each: a status and words, nothing damaged under
# a final name, and the next try gives the same bytes.
# FOAMSIM_FAULTS: of each call in each command, how many places are tried, spread over all there are (0: one place in a third of the
# pairs; 100000: all). FOAMSIM_ALLOCATIONS: the same for allocations alone. FOAMSIM_FAULTS_OF: only these commands. System calls fail
# by strace, allocations by tests/faults.
set -u
LC_ALL=C
program=$(readlink -f "${FOAMSIM:-build/foamsim}")
library=$(dirname "$program")/tests/faults.so
compare=$(readlink -f tools/compare-runs)
export FOAMSIM_DATA="$PWD" OMP_NUM_THREADS=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "test_faults: $1"
    [ -f "$work/words" ] && sed 's/^/    /' "$work/words"
    exit 1
}
if ! strace -o /dev/null true 2>/dev/null; then
    echo "skipped: strace cannot be used here"
    exit 77
fi
[ -f "$library" ] || fail "$library is missing: make test-programs"
places=${FOAMSIM_FAULTS:-0}
calls_places=$places
sed "s/width: 96, height: 72/width: 24, height: 16/" tests/system/small.yaml >"$work/small.yaml"
cd "$work" || exit 1
export XDG_CACHE_HOME="$work/cache" SLURM_TEST="$work/slurm" PATH="$work/bin:$PATH"
cat >sweep.yaml <<'end'
name: s
base: small.yaml
axes: [{ key: machine.clock, values: [1 GHz, 1.33 GHz] }]
end
mkdir -p v/cases v/standins bin slurm
sed '1d; /^name:/d' small.yaml >v/standins/small-1.yaml
cat >v/cases/rows.yaml <<'end'
title: Rows
source: Tab. 1
about: Times.
ensemble: small
scored: true
order: device.seconds
axes:
  - { key: workload.batching.per_batch, values: [1, 2], names: [1 row, 2 rows] }
figures:
  - { name: first, variant: 1 row, figure: device.seconds, published: 0.02, use: calibrate }
  - { name: time, figure: device.seconds, published: [0.02, 0.02], use: predict }
end
# A Slurm that runs all tasks and ends the command before it looks: their results lie beside the store.
cat >bin/sbatch <<'end'
#!/bin/sh
for script; do :; done
last=$(sed -n 's/^#SBATCH --array=0-\([0-9]*\).*/\1/p' "$script")
for i in $(seq 0 "$last"); do SLURM_ARRAY_TASK_ID=$i sh "$script" >/dev/null 2>&1; done
kill -9 "$PPID"
end
printf '#!/bin/sh\nexit 0\n' | tee bin/squeue >bin/scancel
chmod +x bin/*

# What is tried: a command, how it begins anew, what it leaves to be looked at.
run() { "$@" run small.yaml -q --force --out out; }
sweep() { "$@" sweep sweep.yaml -q --jobs 1 --store s.db --retry; }
report() { "$@" report kept -o page.html; }
merge() { "$@" merge m.db; }
export_() { "$@" query kept.db export; }
validate() { "$@" validate --from v --quick --retry -q --jobs 1 -o val; }

clear_run() { rm -rf out out.partial out.old.partial; }
clear_sweep() { rm -rf s.db*; }
clear_report() { rm -rf page.html; }
clear_merge() { rm -rf m.db* && cp -R cluster/. .; }
clear_export_() { :; }
clear_validate() { rm -rf val; }

# What a store says, all of it: nothing of a try that failed stays in it.
exported() { "$program" query "$1" export >exported 2>asked; }
whole_run() { [ ! -e out ] || "$compare" kept out >/dev/null; }
whole_store() { [ ! -s "$1" ] || { "$program" query "$1" table >asked 2>&1; ! grep -q damaged asked; }; }
whole_sweep() { whole_store s.db; }
whole_merge() { whole_store m.db; }
whole_report() { [ ! -e page.html ] || cmp -s kept.html page.html; }
whole_export_() { whole_store kept.db; }
# A figure whose point failed is missing, in a line of its own.
whole_validate() { whole_store val/validation.db && { [ ! -e val/results.csv ] || [ "$(wc -l <val/results.csv)" -eq "$(wc -l <kept.csv)" ]; }; }
same_run() { whole_run && [ -e out ]; }
same_sweep() { exported s.db && cmp -s exported kept.export; }
same_merge() { exported m.db && cmp -s exported kept.export; }
same_report() { whole_report && [ -e page.html ]; }
same_export_() { cmp -s words kept.all; }
same_validate() { cmp -s val/results.csv kept.csv; }

"$program" run small.yaml -q --out kept >/dev/null || fail "the run itself"
{ "$program" sweep sweep.yaml -q --jobs 1 --store kept.db >/dev/null && exported kept.db && mv exported kept.export && export_ "$program" >kept.all; } ||
    fail "the sweep itself"
"$program" sweep sweep.yaml --store m.db --cluster slurm >words 2>&1
{ mkdir cluster && mv m.db* cluster && clear_merge && "$program" merge m.db >words 2>&1 && same_merge; } || fail "the merge itself"
{ validate "$program" >words 2>&1 && cp val/results.csv kept.csv; } || fail "the validation itself"
commands="run sweep merge export_ validate"
if command -v gnuplot >/dev/null; then
    "$program" report kept -o kept.html 2>words || fail "the report itself"
    commands="$commands report"
fi

# Status and words of a fault, what stands after it, and the next try.
look() {
    case $status in
    0 | 1 | 2) ;;
    127) grep -q "loading shared libraries" words || fail "$what: status 127" ;;
    13[45]) # the C library, its loader and the OpenMP runtimes end the process themselves
        grep -q -e "^OMP: Error" -e "libgomp" -e "^terminate called" -e "dl-" -e "cannot allocate" words || fail "$what: status $status" ;;
    *) fail "$what: status $status" ;;
    esac
    grep -q "defect at" words && fail "$what: a defect"
    [ "$status" -eq 0 ] || [ -s words ] || grep -q 'write(2,.*INJECTED' trace || fail "$what: status $status without a word"
    "whole_$1" || fail "$what: something damaged stands under its final name"
    "$1" "$program" >words 2>asked || { cat asked >>words; fail "$what: the next try fails"; }
    "same_$1" || fail "$what: the next try gives something else"
}

# One system call: command, call, error, place.
try_call() {
    "clear_$1"
    "$1" timeout 60 strace -f --seccomp-bpf -qq -e trace="$2" -e inject="$2:error=$3:when=$4" -o trace "$program" >words 2>&1
    status=$?
    grep -q INJECTED trace || return 0
    what="$1: $2 number $4 gives $3"
    faults=$((faults + 1))
    look "$1"
}

# One allocation: command, place.
try_allocation() {
    "clear_$1"
    rm -f log
    "$1" timeout 60 env LD_PRELOAD="$library" FAULT_LOG="$work/log" FAULT_AT="$2" "$program" >words 2>&1
    status=$?
    grep -q failed log || return 0
    what="$1: allocation number $2 fails"
    faults=$((faults + 1))
    look "$1"
}

# `places` of the 1 to COUNT, spread evenly, beginning at another one each time.
pairs=0
spread() {
    pairs=$((pairs + 1))
    if [ "$places" -eq 0 ]; then
        [ $(((pairs + pairs / 12) % 3)) -eq 0 ] && echo $((1 + pairs * 37 % $1))
    elif [ "$places" -ge "$1" ]; then
        seq 1 "$1"
    else
        for i in $(seq 0 $((places - 1))); do echo $((1 + (i * $1 / places + pairs * 37 % $1) % $1)); done
    fi
}

calls="openat:EMFILE read:EIO pread64:EIO write:ENOSPC pwrite64:EIO fsync:EIO rename:EACCES renameat:EACCES mkdir:ENOSPC unlink:EACCES
ftruncate:EIO clone,fork,vfork,clone3:EAGAIN"
faults=0
for command in ${FOAMSIM_FAULTS_OF:-$commands}; do
    "clear_$command"
    "$command" strace -f --seccomp-bpf -qq -e trace="$(echo "$calls" | sed 's/:[A-Z]*//g' | tr ' \n' ',,')" -o all "$program" >words 2>&1
    for call in $calls; do
        name=${call%:*}
        case $command:$name in report:openat | report:read | report:pread64 | report:unlink) continue ;; esac # of gnuplot, thousands
        count=$(awk -v names=",$name," '{ sub(/\(.*/, "", $2) } index(names, "," $2 ",") && ++n[$1 $2] > most { most = n[$1 $2] }
            END { print most + 0 }' all)
        [ "$count" -gt 0 ] || continue
        spread "$count" >where
        while read -r place; do try_call "$command" "$name" "${call#*:}" "$place"; done <where
    done
    "clear_$command"
    rm -f log
    "$command" env LD_PRELOAD="$library" FAULT_LOG="$work/log" "$program" >words 2>&1
    places=${FOAMSIM_ALLOCATIONS:-$places}
    spread "$(sort -n log | tail -n 1 | sed 's/ .*//')" >where
    places=$calls_places
    while read -r place; do try_allocation "$command" "$place"; done <where
done
echo "faults: $faults tried"
