#!/bin/sh
# What a run would refuse is refused by --check, config check and a dry run, each distinct error once with its points; a
# sweep with failed points exits 1; an axis over a kind drops the keys of the other kinds and says so.
set -eu
FOAMSIM=${FOAMSIM:-build/foamsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
has() { grep -qF -- "$1" "$2" || { echo "not said: $1"; cat "$2"; exit 1; }; }
# What the command says, and that it exits as expected.
exits() {
    wanted=$1
    shift
    status=0
    "$@" >"$work/said" 2>&1 || status=$?
    [ "$status" -eq "$wanted" ] || { echo "exit status $status, not $wanted: $*"; cat "$work/said"; exit 1; }
}
cat >"$work/small.yaml" <<END
machine: gc200-small
scene: { generate: { kind: uniform, cells: 2000 } }
workload:
  kind: foam
  partition: { shards: 16 }
  camera: { position: [1.7, -3.6, 1.5], look_at: [0.1, 0.2, 0.6], width: 32, height: 24 }
END
sweep() {
    printf 'name: %s\nbase: small.yaml\naxes:\n%s\n' "$1" "$2" >"$work/$1.yaml"
    sweep=$work/$1.yaml store=$work/$1.db
}

# Lanes that do not fit show when the experiment is made, with a word on what would help; not in its text.
exits 2 "$FOAMSIM" run "$work/small.yaml" --set machine.memory.sram=96KiB --set overlay.router_buffer=576000B --check
has 'do not fit in SRAM' "$work/said"
exits 2 "$FOAMSIM" config check "$work/small.yaml" --set machine.memory.sram=96KiB --set overlay.router_buffer=576000B
has 'do not fit in SRAM' "$work/said"
exits 2 "$FOAMSIM" config check "$work/small.yaml" --set scene.file=nowhere.ply
has 'nowhere.ply' "$work/said"
exits 0 "$FOAMSIM" config check "$work/small.yaml"
has 'all is well' "$work/said"

# A dry run says so of both points, once, and exits as the sweep does.
sweep full '  - { key: machine.memory.sram, values: [64 KiB, 96 KiB] }
  - { key: overlay.router_buffer, values: [576000 B] }'
exits 1 "$FOAMSIM" sweep "$sweep" --store "$store" --dry-run
[ "$(grep -c '^wrong: memory: ' "$work/said")" -eq 1 ] || { echo "not once"; cat "$work/said"; exit 1; }
has '(at 2 points, the first sram=64 KiB' "$work/said"
has 'checked 2 of 2 distinct configurations up to their first iteration' "$work/said"
[ ! -e "$store" ] || { echo "a dry run wrote a store"; exit 1; }
exits 1 "$FOAMSIM" sweep "$sweep" --store "$store"
has 'failed: memory: ' "$work/said"
has '2 of 2 points failed' "$work/said"
exits 0 "$FOAMSIM" sweep "$sweep" --store "$store" --allow-failures
exits 1 "$FOAMSIM" sweep "$sweep" --store "$store"

# A wrong point says why, once for all that are alike; one that is right is made.
sweep odd '  - { key: overlay.kind, values: [quadtree, mesh, tree] }
  - { key: overlay.router_buffer, values: [64 KiB, 128 KiB], when: { overlay.kind: [quadtree, mesh] } }'
exits 1 "$FOAMSIM" sweep "$sweep" --store "$store" --dry-run
has 'kind "quadtree" has it, this is kind "mesh" (at 2 points, the first kind=mesh' "$work/said"
[ "$(grep -c '^wrong: ' "$work/said")" -eq 1 ] || { echo "not once"; cat "$work/said"; exit 1; }

# An axis over a kind drops what the base says of another kind, as --set does.
cat >"$work/base.yaml" <<END
base: small.yaml
overlay: { kind: quadtree, router_buffer: 64 KiB }
END
sed 's/small.yaml/base.yaml/' "$sweep" >"$work/kinds.yaml"
sed -i '/router_buffer/d' "$work/kinds.yaml"
exits 0 "$FOAMSIM" sweep "$work/kinds.yaml" --store "$work/kinds.db" --allow-failures
has 'overlay.kind: mesh has no router_buffer' "$work/said"
has 'left out (at kind=mesh)' "$work/said"
if "$FOAMSIM" query "$work/kinds.db" points --failed --csv | grep -q 'unknown key'; then
    echo "a key of another kind is refused"
    exit 1
fi

# A value with a blank asks for quotes; each number of the hardware beyond what was measured is told.
exits 2 "$FOAMSIM" run "$work/small.yaml" --set machine.memory.sram=600 KiB --check
has 'a value with a blank needs quotes: "machine.memory.sram=600 KiB"' "$work/said"
exits 0 "$FOAMSIM" run "$work/small.yaml" --set machine.geometry.rows=30 -o "$work/rows" --trace "$work/t.json" \
    --trace-tiles router,tracer/8,generator
has 'Latencies of the 7 rows beyond 23 are extrapolated (exchange.latency_row)' "$work/rows/findings.json"
# A generator without a table beside a torus: the error names the key that mends it.
cat >"$work/torus.yaml" <<END
tiles:
  - { tiles: 0-15, role: tracer, table: true }
  - { tiles: 16, role: generator }
lanes:
  - { grid: [4, 4], tiles: 0-15, wrap: true }
  - { from: 16, to: [0, 5] }
END
exits 2 "$FOAMSIM" run "$work/small.yaml" --set overlay.kind=file --set overlay.file="$work/torus.yaml" --check
# shellcheck disable=SC2016
has 'all choices must be equally far: a generator takes a shortest way with `table: true`' "$work/said"
sed -i 's/role: generator }/role: generator, table: true }/' "$work/torus.yaml"
exits 0 "$FOAMSIM" run "$work/small.yaml" --set overlay.kind=file --set overlay.file="$work/torus.yaml" --check
# How long a large scene takes to be made is told before it is.
"$FOAMSIM" run "$work/small.yaml" --check --set scene.generate.cells=500000 --set scene.generate.seed=31 >/dev/null 2>"$work/said" &
large=$!
for _ in $(seq 200); do
    grep -q 'meshing' "$work/said" && break
    sleep 0.1
done
kill "$large"
wait "$large" 2>/dev/null || true
has 'meshing 500,000 sites, which takes about 6 s of an idle core' "$work/said"
