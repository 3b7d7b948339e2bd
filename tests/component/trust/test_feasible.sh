#!/bin/sh
# What the findings of a run say is wrong with it, and whether a sweep takes it for feasible, agree: the base of each shipped
# sweep with a small picture, as it is, on a machine beyond a limit, and with queues that lose what they hold.
set -eu
FOAMSIM=${FOAMSIM:-build/foamsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "test_feasible: $*"
    exit 1
}
# Findings name all their figures: 0 and null say that nothing is wrong.
wrong='"(dropped|lost_each|wrong|of_limit)": ([1-9]|0\.0*[1-9])'
for file in configs/sweeps/*.yaml; do
    name=$(basename "$file" .yaml)
    lost=
    case $name in
    engine-*) small='workload.camera.width: 32, workload.camera.height: 32, workload.checked: 512, run.statistics: full' lost='machine.traversal.queue: 1' ;;
    quick | next-chip | overlays-*)
        small='workload.camera.width: 64, workload.camera.height: 48, run.stream: false, run.frames: 1'
        lost='overlay.generator_ring: 0, overlay.generator_buffer: 640 B, overlay.router_buffer: 3200 B, overlay.tracer_buffer: 640 B'
        ;;
    chips-*) small='workload.camera.width: 64, workload.camera.height: 48, scene.generate.cells: 60000, machine.chips: 4, workload.partition.shards: 4096' ;;
    noc-load) small='workload.load: 0.1, machine.exchange.noc.buffer: 8' ;;
    npt-memory) small='scene.soup.triangles: 1000' ;;
    *) small='workload.width: 240, workload.height: 160, workload.samples: 1, workload.sampling.drawn: 1, workload.rays_per_worker: 1' ;;
    esac
    {
        echo "name: small"
        awk '/^base:/ { on = 1 } /^[a-z]/ && !/^base:/ { on = 0 } on' "$file"
        echo "axes:"
        echo "  - points:"
        echo "      - { name: as it is, set: { $small } }"
        echo "      - { name: too large, set: { $small, machine.limits.area: 1 mm2 } }"
        echo "      - { name: too hot, set: { $small, machine.limits.power: 1 mW } }"
        [ -z "$lost" ] || echo "      - { name: lossy, set: { $small, $lost } }"
    } >"$work/small.yaml"
    "$FOAMSIM" sweep "$work/small.yaml" --store "$work/$name.db" --quiet >/dev/null 2>"$work/said" || fail "$name: $(cat "$work/said")"
    "$FOAMSIM" query "$work/$name.db" table --csv --figures complete --quiet | tail -n +2 >"$work/points"
    [ "$(grep -c ',done,' "$work/points")" -eq "$(if [ -z "$lost" ]; then echo 3; else echo 4; fi)" ] || fail "$name: $(cat "$work/points")"
    while IFS=, read -r number key point _ feasible _; do
        "$FOAMSIM" query "$work/$name.db" show "$key" >"$work/run.yaml" 2>/dev/null
        "$FOAMSIM" run "$work/run.yaml" -o "$work/run" --force --quiet >/dev/null 2>"$work/said" || fail "$name, $point: $(cat "$work/said")"
        told=yes
        ! grep -qE "$wrong" "$work/run/findings.json" || told=no
        [ "$told" = "$feasible" ] || fail "$name, point $number, $point: feasible $feasible, and the findings say $told: $(grep -E "$wrong" "$work/run/findings.json")"
        case $point in
        'as it is') [ "$feasible" = yes ] || fail "$name: not feasible as it is" ;;
        *) [ "$feasible" = no ] || fail "$name, $point: feasible" ;;
        esac
    done <"$work/points"
done
