#!/bin/sh
# Every file that a point reads is in its key: a file that another one names as well. One byte more in any of them makes the point
# another one, and what was stored for it is not taken for the new.
set -eu
here=$PWD
program=$(realpath "${FOAMSIM:-build/foamsim}")
work=$(mktemp -d "${TMPDIR:-/tmp}/keys.XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() {
    echo "test_files_in_keys: $*"
    exit 1
}

# Of the sweep in the current folder: the key of its one point.
key() {
    "$program" sweep sweep.yaml --dry-run --checks 0 2>said | sed -n '1s/ .*//p'
}

# point NAME WORDS: a folder with an experiment of these words, in which the files are that it reads.
point() {
    mkdir "$work/$1"
    cd "$work/$1"
    printf 'name: %s\n%s\n' "$1" "$2" >experiment.yaml
    printf 'name: s\nbase: experiment.yaml\naxes: [ { key: run.seed, values: [1] } ]\n' >sweep.yaml
}

# Each file of the folder but experiment and sweep, whose values are in the key themselves.
each_file_counts() {
    first=$(key)
    [ -n "$first" ] || fail "$PWD: no key: $(cat said)"
    [ "$(key)" = "$first" ] || fail "$PWD: the same files, another key"
    count=0
    for file in *; do
        case $file in experiment.yaml | sweep.yaml | said) continue ;; esac
        cp "$file" "$work/kept"
        echo >>"$file"
        [ "$(key)" != "$first" ] || fail "$PWD: $file has another byte, and the key is the same"
        cp "$work/kept" "$file"
        count=$((count + 1))
    done
    [ "$(key)" = "$first" ] || fail "$PWD: the files are what they were, and the key is not"
    [ "$count" -eq "$1" ] || fail "$PWD: $count files instead of $1"
}

point program 'machine: gc200-small
workload: { kind: program, file: program.yaml }'
cp "$here/configs/programs/trace-events.csv" "$here/configs/programs/trace-transfers.csv" .
cp "$here/configs/programs/trace.yaml" program.yaml
each_file_counts 3

point mesh 'machine: gc200-small
scene: { kind: mesh, file: m.obj }
workload: { kind: pathtrace, width: 40, height: 24, samples: 2, rays_per_worker: 1, sampling: { drawn: 2 } }'
printf 'mtllib a.mtl\nmtllib b c.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\nusemtl blue\nf 1 2 3\n' >m.obj
printf 'newmtl red\nKd 0.8 0.1 0.1\n' >a.mtl
printf 'newmtl blue\nKd 0.1 0.1 0.8\n' >'b c.mtl'
each_file_counts 3

point foam 'machine: gc200-small
overlay: { kind: file, file: overlay.yaml }
scene: { file: foam.ply }
workload: { kind: foam, partition: { kind: kd, shards: 64 }, camera: { position: [2, -3, 2], look_at: [0, 0, 0], width: 8, height: 8 } }'
cp "$here/tests/fuzz/seeds/foam/ascii.ply" foam.ply
cp "$here/configs/overlays/networks/torus-64.yaml" overlay.yaml
each_file_counts 2

point calls 'machine: { base: gc200-small, exchange: { kind: noc, mode: dynamic, noc: { topology: mesh, size: [2, 2] } } }
workload: { kind: fabric, source: trace, trace: { network: calls.csv } }'
printf 'A,0,0,WRITE,NOC_0,0,1,1,64,10\n' >calls.csv
each_file_counts 1

point chips 'machine: wormhole
workload: { kind: fabric, file: trace.json }'
cp "$here/examples/files/trace.json" .
echo '{}' >trace.topology.json
each_file_counts 2

point ranks 'machine: { base: gc200-small, exchange: { kind: noc, mode: dynamic, noc: { topology: mesh, size: [2, 1] } } }
workload: { kind: fabric, source: tasks, file: step.1.et }'
cp "$here/examples/files/step.0.et" "$here/examples/files/step.1.et" .
echo '{"0": [0, 1]}' >step.json
each_file_counts 3

point graph 'machine: { base: gc200-small, exchange: { kind: noc, mode: dynamic, noc: { topology: file, file: graph.yaml } } }
workload: { kind: fabric, pattern: permutation, permutation: goals.csv }'
printf 'routers: 2\nlinks: [ { from: [0, 1], to: [1, 0], match: blocks } ]\n' >graph.yaml
printf 'node,goal\n0,1\n1,0\n' >goals.csv
each_file_counts 2

point rays 'machine: virtex5
scene: { kind: mesh, builtin: box }
workload: { kind: hierarchy, source: file, file: rays.txt }'
printf '0 0 5 0 0 -1\n' >rays.txt
each_file_counts 1

point primitives 'machine: gc200-small
scene: { kind: primitives, file: scene.yaml }
workload: { kind: smallpaint, image: { width: 24, height: 16 }, tile: { width: 8, height: 8 }, samples: 4, samples_per_step: 2 }'
cp "$here/tests/fuzz/seeds/primitives/scene.yaml" .
each_file_counts 1
