#!/bin/sh
# A search finds what the whole sweep finds, the same with any number of jobs and after a kill, runs nothing that a store
# holds, and says what is wrong with its file.
set -eu
FOAMSIM=${FOAMSIM:-build/foamsim}
case $FOAMSIM in /*) ;; *) FOAMSIM=$PWD/$FOAMSIM ;; esac
FOAMSIM_DATA=${FOAMSIM_DATA:-$PWD}
export FOAMSIM_DATA
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "$*"
    exit 1
}
cat >space.yaml <<'YAML'
name: space
base:
  machine: gc200-small
  scene: { generate: { kind: garden, cells: 2000, seed: 7 } }
  workload:
    kind: foam
    camera: { position: [2.1, -2.9, 1.7], look_at: [0.1, 0.2, 0.6], width: 24, height: 18 }
    partition: { kind: kd, shards: 64 }
    batching: { per_batch: 3, idle: 10 }
axes:
  - { key: overlay.kind, values: [quadtree, mesh] }
  - { key: overlay.router_buffer, values: [700 kB, 576 kB], when: { overlay.kind: quadtree } }
  - { key: machine.exchange.mode, values: [static, dynamic] }
  - { key: machine.clock, values: [1 GHz, 2 GHz, 3 GHz] }
  - { key: machine.tile.workers, values: [4, 6, 8, 12] }
objectives:
  - { figure: device.seconds }
  - { figure: memory.peak_bytes }
constraints:
  - { figure: image.psnr_db, at_least: 30 }
YAML
{
    cat space.yaml
    printf 'budget: 30\nbatch: 6\n'
} >search.yaml

# Nothing is run before it is asked for, and the space is counted.
"$FOAMSIM" search search.yaml --store none.db --dry-run >dry.txt
grep -q '^5 axes, 72 points; 30 of them in batches of 6' dry.txt || fail "$(cat dry.txt)"
[ ! -e none.db ] || fail "a dry run left a store"

"$FOAMSIM" search search.yaml --allow-failures --store one.db --jobs 1 >out.txt 2>err.txt
[ "$(cat out.txt)" = one.db ] || fail "$(cat out.txt)"
grep -q '^foamsim: 30 of 72 points looked at: 0 known' err.txt || grep -q '30 of 72 points looked at: 0 known' err.txt || fail "$(cat err.txt)"
"$FOAMSIM" search search.yaml --allow-failures --store two.db --jobs 2 --quiet >/dev/null
"$FOAMSIM" query one.db export >one.txt
"$FOAMSIM" query two.db export >two.txt
cmp one.txt two.txt || fail "the number of jobs changes a search"
[ "$(grep -c '^judgement,' one.txt)" -eq 1 ] || fail "the search is not judged"
[ "$(grep -c '^member,' one.txt)" -eq 30 ] || fail "a search of 30 points has others"

# The whole sweep knows nothing better, and a search of its store runs nothing.
"$FOAMSIM" sweep space.yaml --allow-failures --store all.db --quiet >/dev/null
for figure in device.seconds memory.peak_bytes; do
    a=$("$FOAMSIM" query one.db best --by $figure --top 1 --csv | sed -n 2p | cut -d, -f3)
    b=$("$FOAMSIM" query all.db best --by $figure --top 1 --csv | sed -n 2p | cut -d, -f3)
    [ "$a" = "$b" ] || fail "$figure: the search found $a, the sweep $b"
done
"$FOAMSIM" search search.yaml --allow-failures --store all.db >/dev/null 2>err.txt
grep -q '30 known, 0 run, 0 replayed, 0 priced' err.txt || fail "$(cat err.txt)"

# The page says what was found and what is left, and nothing of main effects; that of a sweep has no such section.
"$FOAMSIM" report one.db -o one.html >/dev/null 2>&1
for text in '<section id="search"' 'The search looked at 30 of 72 points, 41.7 % of the space' 'he model expects' '<figure id="search-volume"' 'Search space'; do
    grep -qF "$text" one.html || fail "the page of a search lacks $text"
done
grep -qF '<section id="effects"' one.html && fail "main effects of a search"
"$FOAMSIM" report all.db --sweep space -o all.html >/dev/null 2>&1
grep -qF '<section id="search"' all.html || fail "the search of a full store has no section"

# Killed at some moments, and gone on with: the same store.
for moment in 0.15 0.3 0.5 0.8; do
    timeout -s KILL $moment "$FOAMSIM" search search.yaml --allow-failures --store kill.db --jobs 2 --quiet >/dev/null 2>&1 || true
done
known=$("$FOAMSIM" query kill.db points --csv 2>/dev/null | grep -c ',done' || true)
"$FOAMSIM" search search.yaml --allow-failures --store kill.db --jobs 2 >/dev/null 2>err.txt
[ "$(sed -n 's/.* looked at: \([0-9]*\) known.*/\1/p' err.txt)" -ge "$known" ] || fail "$known points were done: $(cat err.txt)"
"$FOAMSIM" query kill.db export >kill.txt
cmp one.txt kill.txt || fail "a kill changes a search"

# A wider budget goes on from where the first ended; a time is kept.
"$FOAMSIM" search search.yaml --allow-failures --store one.db --budget 36 >/dev/null 2>err.txt
grep -q '36 of 72 points looked at: 30 known' err.txt || fail "$(cat err.txt)"
"$FOAMSIM" search search.yaml --allow-failures --store one.db --budget 0.001s >/dev/null 2>err.txt
grep -q '6 of 72 points looked at: 6 known' err.txt || fail "$(cat err.txt)"
"$FOAMSIM" search search.yaml --allow-failures --store all.db --seed 2 --quiet >/dev/null
"$FOAMSIM" query all.db export | grep '^member,space' >seed.txt
grep '^member,space' one.txt | cmp -s - seed.txt && fail "another seed looks at the same points"

# What is wrong has its place.
refused() {
    if "$FOAMSIM" search "$@" --store no.db >/dev/null 2>err.txt; then fail "not refused: $*"; fi
    grep -q "$said" err.txt || fail "expected $said: $(cat err.txt)"
    [ ! -e no.db ] || fail "$* left a store"
}
for search in "$FOAMSIM_DATA"/configs/searches/*.yaml; do
    "$FOAMSIM" search "$search" --store none.db --dry-run | grep -q ' points; .* in batches of ' || fail "$search"
done
said='space.yaml: budget: expected a number of points or a time such as 30 min' && refused space.yaml
said='budget: expected a number of points (1 to 100000) or a time' && refused space.yaml --budget many
{ cat space.yaml; echo 'budget: 12 apples'; } >bad.yaml
said='bad.yaml:[0-9]*:[0-9]*: budget: expected a number of points or a time such as 30 min, found "12 apples"' && refused bad.yaml
{ cat space.yaml; printf 'budget: 12\nbatch: 0\n'; } >bad.yaml
said='bad.yaml:[0-9]*:8: batch: ' && refused bad.yaml
{ cat space.yaml; echo 'budgets: 12'; } >bad.yaml
said='bad.yaml:[0-9]*:1: .*budgets' && refused bad.yaml
if "$FOAMSIM" sweep search.yaml --store no.db >/dev/null 2>err.txt; then fail "a sweep takes a budget"; fi
grep -q budget err.txt || fail "$(cat err.txt)"
