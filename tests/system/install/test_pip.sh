#!/bin/sh
# `pip install .` from a checkout: the package has its program, library and data, runs and prices from another folder, and all places that
# say the version say that of sim/base/version.h.
set -u
here=$PWD
scratch=$(mktemp -d "${TMPDIR:-/tmp}/pip.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
wrong=0
complain() {
    echo "$*"
    wrong=1
}
version=$(sed -n 's/^#define FS_VERSION *"\(.*\)"/\1/p' sim/base/version.h)
grep -q "^version: $version$" CITATION.cff || complain "CITATION.cff has another version than sim/base/version.h, $version"
python=
for try in python3 /usr/bin/python3; do
    if "$try" -c 'import setuptools, wheel, pip' 2>/dev/null; then python=$try; fi
done
[ -n "$python" ] || {
    echo "test_pip: skipped, no python3 has pip, setuptools and wheel (Debian: python3-pip python3-setuptools python3-wheel)"
    [ "$wrong" -eq 0 ] && exit 77
    exit 1
}
unset FOAMSIM FOAMSIM_LIBRARY FOAMSIM_DATA MAKEFLAGS MAKELEVEL
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1 XDG_CACHE_HOME="$scratch/cache" PYTHONDONTWRITEBYTECODE=1
"$python" -m pip install --quiet --no-build-isolation --no-deps --no-index --target "$scratch/site" . >"$scratch/said" 2>&1 ||
    complain "pip install: $(tail -n 5 "$scratch/said")"
rm -rf python/foamsim.egg-info build/lib.* build/bdist.*
[ -d "$scratch/site/foamsim-$version.dist-info" ] || complain "pip says another version than $version"
cp tests/system/small.yaml "$scratch"
cd "$scratch" || exit 1
PYTHONPATH=$scratch/site "$python" -W error -c '
import foamsim
foamsim.run("small.yaml", {"machine.clock": "1 GHz"}, output="run", record="activity", progress=False)
assert foamsim.price("small.yaml", "activity", {"machine.clock": "2 GHz"})["device.seconds"] > 0' 2>err || complain "the package: $(tail -n 3 err)"
PYTHONPATH=$scratch/site "$scratch/site/bin/foamsim" --version | grep -q "^foamsim $version " || complain "the command foamsim does not start"
grep -rlF "$here" site/foamsim && complain "a path of the machine that built it"
exit "$wrong"
