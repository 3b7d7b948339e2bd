#!/bin/sh
# The examples of docs/how-to/python.md and the cells of the notebooks, run as they stand, without a browser and without Jupyter.
set -eu
here=$PWD
program=$(realpath "${FOAMSIM:-build/foamsim}")
library=${FOAMSIM_LIBRARY:-$(dirname "$program")/api/libfoamsim.so.0}
for wanted in python3 gnuplot; do
    command -v "$wanted" >/dev/null || {
        echo "test_notebook: skipped, there is no $wanted"
        exit 77
    }
done
scratch=$(mktemp -d "${TMPDIR:-/tmp}/notebook.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
export XDG_CACHE_HOME="$scratch/cache" PYTHONDONTWRITEBYTECODE=1 FOAMSIM="$program" FOAMSIM_LIBRARY="$library" FOAMSIM_DATA="$here"
for document in docs/how-to/python.md examples/notebooks/*.ipynb; do
    mkdir "$scratch/here"
    (cd "$scratch/here" && python3 "$here/python/test_documents.py" "$here/$document") >"$scratch/said" || {
        cat "$scratch/said"
        exit 1
    }
    cat "$scratch/said"
    rm -rf "$scratch/here"
done
grep -q '^First: replicas' "$scratch/said" # the answer of next-chip.ipynb, on the machine as it is
