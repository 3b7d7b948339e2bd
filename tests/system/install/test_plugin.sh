#!/bin/sh
# An overlay and a workload, compiled outside of the tree against the installed headers, loaded by the installed program: they run, alone and
# in a sweep; what was compiled for another foamsim is refused with both numbers; a file that asks for a plug-in loads none.
set -u
build=${BUILD:-build}
here=$PWD
scratch=$(mktemp -d "${TMPDIR:-/tmp}/plugin.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
wrong=0
complain() {
    echo "$*"
    wrong=1
}
command -v pkg-config >/dev/null || {
    echo "test_plugin: skipped, there is no pkg-config"
    exit 77
}
unset FOAMSIM_DATA FOAMSIM_PLUGINS
export XDG_CACHE_HOME="$scratch/cache"
DESTDIR=$scratch/tree PREFIX=/opt "$here/tools/install-tree" install "$build" >/dev/null || exit 1
foamsim=$scratch/tree/opt/bin/foamsim
export PKG_CONFIG_PATH="$scratch/tree/opt/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$scratch/tree"
cd "$scratch" || exit 1
cp "$here/examples/plugin/"*.c "$here/tests/system/small.yaml" .
# object NAME: NAME.so of NAME.c.
object() {
    # shellcheck disable=SC2046 # words on purpose
    ${CC:-cc} -shared -fPIC -Wall -Wextra -Werror $(pkg-config --cflags foamsim-plugin) "$1.c" -o "$1.so" || complain "$1.c does not compile"
}
# refused TEXT WORD...: foamsim WORD... ends with status 2 and says TEXT.
refused() {
    text=$1
    shift
    "$foamsim" "$@" >out 2>err
    status=$?
    [ "$status" -eq 2 ] || complain "foamsim $*: status $status"
    grep -qF "$text" err || complain "foamsim $*: $(cat err)"
}
# figure RUN NAME: of summary.json's device.
figure() { sed -n "s/^ *\"$2\": \([0-9.]*\),*$/\1/p" "$1/summary.json" | head -n 1; }
object hub
object relay

# ---- an overlay ----
"$foamsim" --plugin ./hub.so list overlay-kinds | grep -q '^hub  *groups of shards' || complain "hub is not listed"
"$foamsim" params overlay/hub --plugin ./hub.so | grep -q 'group: integer' || complain "hub has no parameters"
"$foamsim" run small.yaml --plugin ./hub.so --set overlay.kind=hub --quiet --out hub >out 2>err || complain "hub: $(cat err)"
grep -q '^ *kind: hub' hub/resolved.yaml || complain "hub is not in resolved.yaml"
FOAMSIM_PLUGINS=$scratch/hub.so "$foamsim" run hub/resolved.yaml --quiet --out again >out 2>err || complain "again: $(cat err)"
cmp -s hub/summary.json again/summary.json || complain "the same run gave other figures"
cat >sweep.yaml <<'END'
name: hubs
base: small.yaml
axes:
  - points:
      - { name: mesh, set: { overlay: { kind: mesh } } }
      - { name: hub, set: { overlay: { kind: hub, group: 8 } } }
objectives:
  - { figure: device.seconds, better: smaller }
END
"$foamsim" sweep sweep.yaml --plugin ./hub.so --store hubs.db --quiet >out 2>err || complain "sweep: $(cat err)"
[ "$("$foamsim" query hubs.db points | grep -c "done")" -eq 2 ] || complain "points: $("$foamsim" query hubs.db points)"

# ---- its digest is in the key of its points, and in no other's ----
keys() { "$foamsim" query "$1" table --json | grep -o '"key": "[0-9a-f]*"'; }
keys hubs.db >first
sed -i 's/on a ring of routers",/in a ring of routers",/' hub.c
object hub
"$foamsim" sweep sweep.yaml --plugin ./hub.so --store hubs.db --quiet >out 2>err || complain "sweep: $(cat err)"
keys hubs.db >second
[ "$(sed -n 1p first)" = "$(sed -n 1p second)" ] || complain "a plug-in that a point does not use changed its key"
[ "$(sed -n 2p first)" != "$(sed -n 2p second)" ] || complain "a point of another plug-in has the same key"

# ---- a workload: its closed form, both details, its tables ----
printf 'machine: gc200-small\nworkload: { kind: relay, tiles: 64, adds: 600 }\n' >relay.yaml
for detail in phase event; do
    "$foamsim" run relay.yaml --plugin ./relay.so --set run.detail=$detail --quiet --out $detail >out 2>err || complain "relay: $(cat err)"
done
[ "$(figure phase cycles)" = "$(figure event cycles)" ] || complain "phase and event differ"
"$foamsim" config show relay.yaml --plugin ./relay.so >resolved 2>err || complain "show: $(cat err)"
launch=$(sed -n 's/^ *\(vertex_overhead\|runall\|join\): \([0-9]*\).*/\2/p' resolved | awk '{ sum += $1 } END { print sum }')
[ "$(figure phase cycles_compute)" = $((10 * (launch + 100 * 3 * 6))) ] || complain "compute: $(figure phase cycles_compute), launch $launch"
[ "$(wc -l <phase/iterations.csv)" -eq 11 ] || complain "no ten iterations"
grep -q '^relay.round_cycles,cycles,' phase/stats.csv || complain "no figure of its own"
refused "expected at most the machine's" run relay.yaml --plugin ./relay.so --set workload.tiles=99999

# ---- what is refused ----
refused 'found "hub"; one that a plug-in brings needs --plugin FILE.so' run small.yaml --set overlay.kind=hub
refused "absent.so: No such file" run small.yaml --plugin ./absent.so
refused "small.yaml: no plug-in that can be loaded" run small.yaml --plugin ./small.yaml
cp hub.so copy.so
echo >>copy.so
refused 'copy.so: there is a kind "hub" of the section overlay already' run small.yaml --plugin ./hub.so --plugin ./copy.so
# other NAME FIELDS: a plug-in that says so of itself.
other() {
    printf '#include "registry/plugin.h"\nextern const fs_plugin foamsim_plugin;\nconst fs_plugin foamsim_plugin = {%s};\n' "$2" >"$1.c"
    object "$1"
}
other newer '.abi = FS_PLUGIN_ABI + 1'
refused "newer.so: compiled for ABI 3 of plug-ins, this foamsim has 2: compile it again with its headers" run small.yaml --plugin ./newer.so
other older '.abi = FS_PLUGIN_ABI, .version = "0.0.9", .overlay_abi = FS_OVERLAY_ABI, .workload_abi = FS_ABI'
refused "older.so: compiled for foamsim 0.0.9, this is" run small.yaml --plugin ./older.so
other stale '.abi = FS_PLUGIN_ABI, .version = FS_VERSION, .overlay_abi = FS_OVERLAY_ABI - 1, .workload_abi = FS_ABI'
refused "of overlays, this foamsim has" run small.yaml --plugin ./stale.so
printf 'int nothing;\n' >empty.c
object empty
refused "empty.so: no plug-in of foamsim: it has no FS_PLUGIN" run small.yaml --plugin ./empty.so

# ---- files load nothing: an object that leaves a mark as soon as it is loaded ----
cat >evil.c <<'END'
#include <stdio.h>
__attribute__((constructor)) static void leave(void) {
    FILE *file = fopen("canary", "w");
    if (file != NULL)
        fclose(file);
}
END
object evil
for text in 'plugins: [./evil.so]' 'plugin: ./evil.so' 'overlay: { kind: ./evil.so }' 'overlay: { kind: "./evil.so:hub" }' 'overlay: ./evil.so' \
    'overlay: { plugin: ./evil.so }' 'workload: { kind: ./evil.so }' 'run: { plugin: ./evil.so }' 'environment: { FOAMSIM_PLUGINS: ./evil.so }'; do
    { sed '/^overlay:/d' small.yaml; echo "$text"; } >asks.yaml
    "$foamsim" run asks.yaml --quiet --out asked --force >out 2>err
    status=$?
    [ "$status" -eq 2 ] || complain "$text: status $status, $(cat err)"
    [ ! -e canary ] || complain "$text: was loaded"
done
"$foamsim" run small.yaml --plugin ./evil.so >out 2>err
[ -e canary ] || complain "the mark proves nothing"
exit $wrong
