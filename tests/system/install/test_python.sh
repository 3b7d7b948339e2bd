#!/bin/sh
# The package for Python against a real run and a real store, with pandas where it is there and without; what it runs, prices, sweeps and
# compares.
set -eu
here=$PWD
program=$(realpath "${FOAMSIM:-build/foamsim}")
library=${FOAMSIM_LIBRARY:-$(dirname "$program")/api/libfoamsim.so.0}
command -v python3 >/dev/null || {
    echo "test_python: skipped, there is no python3"
    exit 77
}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/python.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export XDG_CACHE_HOME="$scratch/cache" PYTHONDONTWRITEBYTECODE=1
cp "$here/tests/system/small.yaml" .
"$program" run small.yaml --quiet --out run >/dev/null
cat >tiny.yaml <<'END'
name: tiny
base: small.yaml
axes:
  - { key: overlay.kind, values: [quadtree, mesh] }
  - { key: workload.batching.per_batch, values: [1, 2] }
  - { key: machine.memory.sram, values: [624 KiB] }
objectives:
  - { figure: device.seconds, better: smaller }
END
"$program" sweep tiny.yaml --store tiny.db --quiet >/dev/null
"$program" query tiny.db table --json >answers.json
export FOAMSIM="$program" FOAMSIM_LIBRARY="$library" FOAMSIM_DATA="$here" SMALL="$scratch/small.yaml" RUN="$scratch/run" STORE="$scratch/tiny.db" ANSWERS="$scratch/answers.json" MODULE="${MODULE:-$here/python}"
cd "$here/python"
PANDAS=0 python3 -W error -m unittest -q test_foamsim
if python3 -c 'import pandas' 2>/dev/null; then
    python3 -m unittest -q test_foamsim
fi
