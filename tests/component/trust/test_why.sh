#!/bin/sh
# A setting that changes no time says what fixed it, on a sweep's page, in its summary and in a comparison, and says
# nothing where it counts; each axis says what its values do to phases and iterations.
set -eu
FOAMSIM=${FOAMSIM:-build/foamsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/sweep.yaml" <<END
name: why
base:
  machine: gc200-small
  scene: { generate: { kind: uniform, cells: 2000 } }
  workload: { kind: foam, partition: { shards: 16 }, camera: { position: [1.7, -3.6, 1.5], look_at: [0.1, 0.2, 0.6], width: 32, height: 24 } }
axes:
  - { key: machine.memory.sram, values: [624 KiB, 1 MiB] }
  - { key: overlay.kind, values: [quadtree, tree] }
  - { key: machine.exchange.bytes_per_cycle, values: [4 B/cycle, 8 B/cycle] }
END
"$FOAMSIM" sweep "$work/sweep.yaml" --store "$work/why.db" --quiet >/dev/null
"$FOAMSIM" report "$work/why.db" -o "$work/why.html" --quiet
sed 's/<[^>]*>//g' "$work/why.html" >"$work/why.txt"
has() { grep -qF -- "$1" "$2" || { echo "not said: $1"; exit 1; }; }
has 'Why an axis matters' "$work/why.txt"
has 'machine.memory.sram changes nothing of device.seconds: overlay.router_buffer = auto' "$work/why.txt"
has 'machine.memory.sram counts with overlay.router_buffer=0 B' "$work/why.txt"
grep -q '<tr><th scope="col" class="text" title="machine.exchange.bytes_per_cycle">' "$work/why.html" ||
    { echo "why: the values of an axis are no columns: $(grep -o '<th[^>]*bytes_per_cycle[^<]*<[^<]*<[^<]*' "$work/why.html" | head -3)"; exit 1; }
has 'overlay.kind changes nothing: with all else equal, every figure is the same.' "$work/why.txt"
has 'exchange.bytes_per_cycle = 4 B/cycle against 8 B/cycle: exchange takes' "$work/why.txt"
[ "$(grep -c 'bytes_per_cycle counts with' "$work/why.txt")" -eq 0 ]

# Two runs: with given buffers SRAM changes no time and that is said; where lanes take what is left nothing is.
run() { "$FOAMSIM" run "$work/run.yaml" --quiet --force -o "$@" >/dev/null; }
"$FOAMSIM" query "$work/why.db" show 0 >"$work/run.yaml"
run "$work/a"
run "$work/b" --set machine.memory.sram=1MiB
"$FOAMSIM" compare "$work/a" "$work/b" 2>&1 | tr -s "\n " " " >"$work/same"
has 'exactly as fast' "$work/same"
has 'machine.memory.sram changes no time: overlay.router_buffer = auto' "$work/same"
run "$work/c" --set overlay.router_buffer=0B
run "$work/d" --set overlay.router_buffer=0B --set machine.memory.sram=1MiB
"$FOAMSIM" compare "$work/c" "$work/d" 2>&1 | tr -s "\n " " " >"$work/other"
if grep -q 'changes no time' "$work/other"; then
    echo "said of a setting that counts"
    exit 1
fi
# Left to the rule of SRAM: more than the paper's changes nothing under a static exchange, and that is said; less counts.
run "$work/e" --set machine.memory.sram=256KiB
"$FOAMSIM" compare "$work/a" "$work/e" 2>&1 | tr -s "\n " " " >"$work/less"
if grep -q 'machine.memory.sram changes no time' "$work/less"; then
    echo "said of less SRAM, which counts"
    exit 1
fi
