#!/bin/sh
# A sweep on a Slurm that is two scripts: what each state of a task does to its points. A real Slurm: make test-cluster.
set -u
program=$(realpath "${FOAMSIM:-build/foamsim}")
dir=$(mktemp -d "${TMPDIR:-/tmp}/foamsim-cluster.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin"
export XDG_CACHE_HOME="$dir/cache" SLURM_TEST="$dir/slurm" PATH="$dir/bin:$PATH" OMP_NUM_THREADS=1
mkdir "$SLURM_TEST"
cd "$dir" || exit 1
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

# Tasks run at once, one after the other; $SLURM_TEST/end.N holds the state that the array's task N is to end in instead.
cat >bin/sbatch <<'END'
#!/bin/sh
for script; do :; done
name=$(sed -n 's/^#SBATCH --job-name=//p' "$script")
last=$(sed -n 's/^#SBATCH --array=0-\([0-9]*\).*/\1/p' "$script")
log=$(sed -n 's/^#SBATCH --output="\(.*\)"/\1/p' "$script")
number=$(($(cat "$SLURM_TEST/number" 2>/dev/null || echo 0) + 1))
echo $number >"$SLURM_TEST/number"
i=0
while [ $i -le "$last" ]; do
    state=COMPLETED
    if [ -e "$SLURM_TEST/end.$i" ]; then
        state=$(cat "$SLURM_TEST/end.$i")
        rm "$SLURM_TEST/end.$i"
        case $state in
        TIMEOUT | OUT_OF_MEMORY) # it was begun, and no more
            key=$(sed -n 's/.*"key": "\([0-9a-f]*\)".*/\1/p' "$(dirname "$script")/chunk-$i.json" | head -n 1)
            printf . >"$(dirname "$script")/starts/$key"
            ;;
        FAILED) echo "a word of despair" >"$(echo "$log" | sed "s/%a/$i/")" ;;
        esac
    else
        SLURM_ARRAY_TASK_ID=$i sh "$script" >"$(echo "$log" | sed "s/%a/$i/")" 2>&1 || state=FAILED
    fi
    echo "${number}_$i $state 0 None" >>"$SLURM_TEST/$name"
    i=$((i + 1))
done
echo "$number;test"
END
cat >bin/squeue <<'END'
#!/bin/sh
for word; do case $word in --name=*) cat "$SLURM_TEST/${word#--name=}" 2>/dev/null ;; esac; done
exit 0
END
printf '#!/bin/sh\nexit 0\n' >bin/scancel
chmod +x bin/*

cat >sweep.yaml <<'END'
name: states
base:
  machine: gc200-small
  overlay: { kind: quadtree }
  scene: { generate: { kind: uniform, cells: 2000, seed: 3 } }
  workload:
    kind: foam
    camera: { position: [1.7, -3.6, 1.5], look_at: [0.1, 0.2, 0.6], up: [0, 0, 1], fov_y: 50 deg, width: 32, height: 24 }
    partition: { kind: kd, shards: 64 }
axes:
  - { key: workload.batching.per_batch, values: [1, 2, 3, 4] }
END
# on_cluster STORE OPTION...
on_cluster() {
    store=$1
    shift
    "$program" sweep sweep.yaml --store "$store" --cluster slurm --allow-failures --chunk 0.1 "$@" >out 2>said
}
states() { "$program" query "$1" points --csv | grep -c "$2"; }

"$program" sweep sweep.yaml --store local.db --jobs 1 --quiet >/dev/null || fail "a local sweep"
"$program" query local.db export >local.csv || fail "its export"

on_cluster all.db || { cat said; fail "a sweep on the cluster"; }
"$program" query all.db export | diff local.csv - || fail "not what the local sweep gave"
[ "$(cat slurm/number)" = 1 ] || fail "more than one array"
grep -q 'tasks' said || fail "no words on tasks"
[ -e all.db.cluster/0001/closed ] || fail "the submission stays open"
[ ! -e all.db.cluster/0001/results ] || fail "merged results stay"
on_cluster all.db || fail "a second time"
[ "$(cat slurm/number)" = 1 ] || fail "what is done was sent again"

# A lost node, a failed task: the rest goes again and all is well.
echo NODE_FAIL >slurm/end.0
echo FAILED >slurm/end.1
on_cluster lost.db || { cat said; fail "a sweep with a lost node"; }
[ "$(cat slurm/number)" = 3 ] || fail "the rest went out in $(cat slurm/number) arrays"
"$program" query lost.db export | diff local.csv - || fail "not the same after a lost node"

# Limits: the point is failed, with what to do.
echo TIMEOUT >slurm/end.0
echo OUT_OF_MEMORY >slurm/end.1
on_cluster limits.db || { cat said; fail "a sweep with limits"; }
[ "$(states limits.db failed)" = 2 ] || fail "two points should have failed"
"$program" query limits.db points --json | grep -q -e --time || fail "no word on --time"
on_cluster limits.db --retry || fail "failed points again"
"$program" query limits.db export | diff local.csv - || fail "not the same after the second try"

# Nothing gets anywhere: status 1, the task's words, and no endless trying.
for i in 0 1 2 3; do echo FAILED >slurm/end.$i; done
before=$(cat slurm/number)
on_cluster none.db && fail "a sweep of which nothing ran"
grep -q 'a word of despair' said || { cat said; fail "no word of what the task said"; }
[ "$(cat slurm/number)" = $((before + 1)) ] || fail "it was tried again"
on_cluster none.db || fail "the same command goes on"

# A cancelled task is not sent again by this command, and is by the next.
echo CANCELLED >slurm/end.2
before=$(cat slurm/number)
on_cluster cancelled.db && fail "a cancelled sweep"
[ "$(cat slurm/number)" = $((before + 1)) ] || fail "a cancelled task was sent again"
on_cluster cancelled.db || fail "a cancelled sweep, again"
"$program" sweep sweep.yaml --store cancelled.db --cluster slurm --cancel --report cancelled.html --quiet >said 2>&1 ||
    { cat said; fail "to cancel what has ended"; }
[ -s cancelled.html ] || fail "no page after a cancel"

# Points that fail, before they go out or on the node, are results like any other.
{ cat sweep.yaml && echo '  - { key: workload.partition.shards, values: [64, 63, 0] }'; } >fails.yaml
"$program" sweep fails.yaml --store fails.db --jobs 1 --quiet >/dev/null 2>&1 && fail "a local sweep with failing points exits 0"
"$program" sweep fails.yaml --store fails.db --jobs 1 --quiet --allow-failures >/dev/null || fail "a local sweep with failing points"
"$program" sweep fails.yaml --store sent.db --cluster slurm --quiet --allow-failures >/dev/null || fail "a sweep with failing points"
"$program" query fails.db export >fails.csv || fail "its export"
"$program" query sent.db export | diff fails.csv - || fail "failed points are not the same"
[ "$(states sent.db failed)" = 8 ] || fail "eight points should have failed, not $(states sent.db failed)"

# Two commands on one store share the work; killed ones leave nothing half-done.
before=$(cat slurm/number)
on_cluster two.db &
other=$!
"$program" sweep sweep.yaml --store two.db --cluster slurm --chunk 0.1 --quiet >/dev/null || fail "one of two commands"
wait $other || fail "the other of two commands"
[ "$(cat slurm/number)" = $((before + 1)) ] || fail "two commands sent the points twice"
for delay in 0.05 0.15 0.3 0.6; do
    timeout -s KILL $delay "$program" sweep sweep.yaml --store killed.db --cluster slurm --chunk 0.1 --quiet >/dev/null 2>&1
done
on_cluster killed.db || { cat said; fail "a sweep after kills"; }
"$program" query killed.db export | diff local.csv - || fail "not the same after kills"

# A search sends its batches one after the other, as it runs them here; killed, it goes on and sends nothing twice.
{ cat sweep.yaml && printf '  - { key: machine.clock, values: [1 GHz, 1.2 GHz, 1.4 GHz, 1.6 GHz] }\nbudget: 12\nbatch: 4\n'; } >search.yaml
there() { "$program" search search.yaml --store "$1" --cluster slurm --chunk 0.1 2>said >/dev/null; }
"$program" search search.yaml --store here.db --jobs 1 --quiet >/dev/null || fail "a local search"
"$program" query here.db export >here.csv || fail "its export"
before=$(cat slurm/number)
there there.db || { cat said; fail "a search on the cluster"; }
"$program" query there.db export | diff here.csv - || fail "the cluster changes a search"
[ "$(cat slurm/number)" = $((before + 3)) ] || fail "three batches went out in $(($(cat slurm/number) - before)) arrays"
for delay in 0.1 0.25 0.4; do
    timeout -s KILL $delay "$program" search search.yaml --store cut.db --cluster slurm --chunk 0.1 --quiet >/dev/null 2>&1
done
known=$("$program" query cut.db points --csv 2>/dev/null | grep -c ',done')
there cut.db || { cat said; fail "a search after kills"; }
[ "$(sed -n 's/.* looked at: \([0-9]*\) known.*/\1/p' said)" -ge "${known:-0}" ] || { cat said; fail "$known points were known"; }
"$program" query cut.db export | diff here.csv - || fail "kills change a search on the cluster"

# What is uncertain is priced by the command that merges: the same judgement as here.
"$program" sweep sweep.yaml --store local.db --jobs 1 --quiet --robust --draws 20 >/dev/null || fail "a robust sweep here"
"$program" sweep sweep.yaml --store sure.db --cluster slurm --quiet --robust --draws 20 >/dev/null || fail "a robust sweep on the cluster"
"$program" query sure.db export | grep '^judgement' >sure.csv
"$program" query local.db export | grep '^judgement' | diff - sure.csv || fail "the cluster changes the judgement"
[ -s sure.csv ] || fail "no judgement"

# merge: what is no result stays, and is told.
"$program" merge local.db 2>said && fail "a store that was on no cluster"
grep -q 'nothing on a cluster' said || fail "why"
"$program" merge all.db >/dev/null 2>&1 || fail "merge with nothing to do"

# Wrong words.
on_cluster x.db --chunk soon && fail "--chunk soon"
"$program" sweep sweep.yaml --store x.db --cluster pbs 2>said && fail "--cluster pbs"
"$program" sweep sweep.yaml --store x.db --partition p 2>said && fail "--partition alone"
grep -q -e '--cluster slurm' said || fail "words on --partition"
rm bin/squeue
(PATH=$dir/bin:/usr/bin:/bin && ! command -v squeue >/dev/null) && {
    PATH=$dir/bin:/usr/bin:/bin on_cluster x.db && fail "without squeue"
    grep -q 'no squeue in PATH' said || fail "words on squeue"
}
exit $failed
