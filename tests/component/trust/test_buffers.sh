#!/bin/sh
# Buffers that nobody gave follow the SRAM: the paper's sizes on its tile; elsewhere what the exchange gains by. Each is, file
# by file, the run that gives the same bytes.
set -eu
FOAMSIM=${FOAMSIM:-build/foamsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/x.yaml" <<'END'
machine: gc200-small
scene: { generate: { kind: garden, cells: 1000, seed: 3 } }
workload:
  kind: foam
  camera: { position: [1.7, -3.6, 1.5], look_at: [0.1, 0.2, 0.6], up: [0, 0, 1], fov_y: 50 deg, width: 60, height: 40 }
  partition: { kind: kd, shards: 64 }
END
run() { # NAME SRAM MODE BUFFERS-OF-ROUTER-AND-OTHERS
    set -- "$1" --set "machine.memory.sram=$2" --set "machine.exchange.mode=$3" ${4:+--set "overlay.router_buffer=$4"} \
        ${5:+--set "overlay.tracer_buffer=$5" --set "overlay.generator_buffer=$5"}
    name=$1
    shift
    "$FOAMSIM" run "$work/x.yaml" --quiet -o "$work/$name" "$@" >/dev/null
}
same() { # A B
    for file in iterations lanes tiles memory; do
        cmp "$work/$1/$file.csv" "$work/$2/$file.csv"
    done
}
number=0
while read -r sram mode router others; do
    number=$((number + 1))
    run "auto$number" "$sram" "$mode"
    run "given$number" "$sram" "$mode" "$router" "$others"
    same "auto$number" "given$number"
done <<'END'
624KiB static 576000B 115200B
624KiB dynamic 576000B 115200B
1MiB static 576000B 115200B
1MiB dynamic 0B 0B
256KiB static 0B 115200B
END
# Asked for, they stay what they are, and are refused.
status=0
"$FOAMSIM" run "$work/x.yaml" --check --set machine.memory.sram=256KiB --set overlay.router_buffer=576000B >/dev/null 2>"$work/said" || status=$?
[ "$status" -eq 2 ]
grep -q 'do not fit in SRAM' "$work/said"
# The word is written as it is read.
grep -q 'router_buffer: auto' "$work/auto5/resolved.yaml"
"$FOAMSIM" run "$work/auto5/resolved.yaml" --quiet -o "$work/again" >/dev/null
same auto5 again
