#!/bin/sh
# Installed below a prefix, the program runs from another folder without its checkout, holds no path of the machine that built it,
# and leaves without a trace; it finds its data by the rule of sim/host/places.h, and says where it looked.
set -u
build=${BUILD:-build}
here=$PWD
scratch=$(mktemp -d "${TMPDIR:-/tmp}/install.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
wrong=0
complain() {
    echo "$*"
    wrong=1
}
unset FOAMSIM_DATA MAKEFLAGS MAKELEVEL
export XDG_CACHE_HOME="$scratch/cache"

mkdir -p "$scratch/tree/opt/share/mine"
echo kept >"$scratch/tree/opt/share/mine/file"
(cd "$scratch/tree" && find . | sort) >"$scratch/before"
DESTDIR=$scratch/tree PREFIX=/opt/tools "$here/tools/install-tree" install "$build" >"$scratch/said" || complain "install: $(cat "$scratch/said")"
installed=$scratch/tree/opt/tools

# No path of this machine: neither the checkout's nor the prefix's, in no file.
grep -rlF -e "$here" -e "$scratch" "$installed" && complain "a path of the machine that built it"
grep -q "^f /opt/tools/bin/foamsim$" "$installed/share/foamsim/installed" || complain "the list lacks the program"

# From another folder, by its own data: a run and its report.
mkdir "$scratch/elsewhere"
cd "$scratch/elsewhere" || exit 1
cp "$here/tests/system/small.yaml" small.yaml
"$installed/bin/foamsim" run small.yaml --quiet --out run >out 2>err || complain "run: $(cat err)"
[ -f run/image.png ] || complain "no picture"
if command -v gnuplot >/dev/null; then
    "$installed/bin/foamsim" report run --quiet >out 2>err || complain "report: $(cat err)"
    [ -f run/pictures/report.html ] || complain "no page"
fi
"$installed/bin/foamsim" list machines | grep -q gc200 || complain "no list of machines"

# The library, as a program finds it: the example, compiled and run. It finds program and data by its own place.
if command -v pkg-config >/dev/null; then
    cp "$here/examples/c/overlays.c" .
    export PKG_CONFIG_PATH="$installed/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$scratch/tree"
    # shellcheck disable=SC2046 # words on purpose
    ${CC:-cc} -std=c17 -Wall -Wextra -Werror overlays.c $(pkg-config --cflags --libs foamsim) -o overlays || complain "the example does not compile"
    export LD_LIBRARY_PATH="$installed/lib"
    (unset FOAMSIM && ./overlays "$PWD/small.yaml" runs quadtree mesh) >out 2>err || complain "the example: $(cat err)"
    [ "$(grep -c 'compute .* cycles$' out)" -eq 2 ] || complain "the example says: $(cat out)"
    (unset FOAMSIM && ./overlays "$PWD/small.yaml" runs starling) >out 2>err && complain "the example took a network that is none"
    grep -q 'overlay.kind: expected one of quadtree' err || complain "the example does not say what is wrong: $(cat err)"
    unset LD_LIBRARY_PATH
fi

# The package for Python finds library, program and data by its own place.
if command -v python3 >/dev/null; then
    module=$(dirname "$(dirname "$(find "$installed/lib" -name library.py)")")
    (cd / && unset FOAMSIM FOAMSIM_LIBRARY && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$module python3 -W error -c '
import foamsim, sys
foamsim.run(sys.argv[1], {"machine.clock": "1 GHz"}, output=sys.argv[2], record=sys.argv[3], progress=False)
with foamsim.explore(sys.argv[3], store=sys.argv[3] + ".db") as explored:  # its page is installed, too
    import urllib.request
    page = urllib.request.urlopen(explored.address).read().decode()
    assert "/api/price" in page and "{{" not in page and "--role-0" in page and len(page) > 50000
assert foamsim.price(sys.argv[1], sys.argv[3], {"machine.clock": "2 GHz"})["device.seconds"] > 0' "$scratch/elsewhere/small.yaml" "$scratch/python" "$scratch/activity") 2>err ||
        complain "the package for Python: $(tail -n 3 err)"
fi

# Through a link, as /usr/local/bin may hold one.
ln -s "$installed/bin/foamsim" link
./link config check small.yaml 2>err || complain "through a link: $(cat err)"

# A program alone says what it looked for, and where; a folder that is named must hold data; data of the folder where one stands
# are never taken.
mkdir -p alone/bin
cp "$installed/bin/foamsim" alone/bin/
cp -R "$installed/share/foamsim/configs" "$installed/share/foamsim/reports" .
alone/bin/foamsim list 2>err && complain "data from nowhere"
grep -q "no data: looked for configs/ and reports/ in $scratch/elsewhere/alone/share/foamsim and in $scratch/elsewhere/alone " err ||
    complain "not said where it looked: $(cat err)"
FOAMSIM_DATA=$scratch alone/bin/foamsim list 2>err && complain "a folder without data was taken"
grep -q "FOAMSIM_DATA=$scratch: expected a folder with configs/" err || complain "not said what is wrong: $(cat err)"
FOAMSIM_DATA=$installed/share/foamsim alone/bin/foamsim config check small.yaml 2>err || complain "named data: $(cat err)"
FOAMSIM_CONFIGS=$installed/share/foamsim/configs "$installed/bin/foamsim" list 2>err && complain "an old variable was passed over"
grep -q "FOAMSIM_CONFIGS is not read any more: FOAMSIM_DATA names" err || complain "an old variable: $(cat err)"
alone/bin/foamsim --help >out 2>err || complain "help needs data: $(cat err)"

# Data beside the program that are somebody else's are not taken.
if [ "$(id -u)" -eq 0 ]; then
    mkdir -p alone/share
    cp -R "$installed/share/foamsim" alone/share/
    alone/bin/foamsim list >out 2>err || complain "own data were not taken: $(cat err)"
    chown 12345 alone/share/foamsim
    alone/bin/foamsim list >out 2>err && complain "data of another person were taken"
fi

# Gone without a trace, beside what was there.
cd "$here" || exit 1
DESTDIR=$scratch/tree PREFIX=/opt/tools tools/install-tree uninstall || complain "uninstall"

# A prefix of any letters.
odd='/opt/c,d&e\1 f'
DESTDIR=$scratch/odd PREFIX=$odd tools/install-tree install "$build" >"$scratch/said" || complain "install: $(cat "$scratch/said")"
grep -qxF "prefix=$odd" "$scratch/odd$odd"/lib/pkgconfig/foamsim.pc || complain "foamsim.pc: $(head -n 1 "$scratch/odd$odd"/lib/pkgconfig/foamsim.pc)"
DESTDIR=$scratch/odd PREFIX=$odd tools/install-tree uninstall || complain "uninstall of $odd"
(cd "$scratch/tree" && find . | sort) >"$scratch/after"
cmp -s "$scratch/before" "$scratch/after" || complain "left: $(diff "$scratch/before" "$scratch/after")"
DESTDIR=$scratch/tree PREFIX=/opt/tools tools/install-tree uninstall 2>"$scratch/err" && complain "uninstalled what was not there"
DESTDIR=$scratch/tree PREFIX=opt tools/install-tree install "$build" 2>"$scratch/err" && complain "a prefix that is no whole path"
exit $wrong
