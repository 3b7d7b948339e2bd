#!/bin/sh
# Functions keep no state: no object of the program has data that can be written, but for those below, each with its reason.
# A planted one is noticed.
set -eu
cd "$(dirname "$0")/../.."
objects=$(dirname "${FOAMSIM:-build/foamsim}")/obj
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/allowed" <<'LIST'
api/experiment once: the library keeps remarks to itself, from its first experiment on
api/locale once plain: the locale of numbers with a point, made once
registry/plugin count loaded all: plug-ins that are loaded, as long as the process lives
registry/registry fs_overlay_kinds fs_registry_sections fs_registry_stats fs_registry_workloads overlay_kinds workload_kinds: plug-ins add to these lists before anything is read
sim/base/numbers text next: the last sixteen texts of numbers (numbers.h), of a thread
sim/host/places dir found: folders of the program, of its data and of this host's cache, asked once in each thread, as texts that last
sim/host/signals interrupted: the flag of a signal's handler
sim/host/voice quiet bar hearer hearer_self: the one stderr of a process, and who hears what goes there
sim/kernel/kernel created api_version_check __ioinit: SystemC has one simulation to a process; its own, and of the C++ library
LIST

# "sim/base/error name" for each object of data in the object files of a folder, without what compilers add to a name.
state_of() {
    find "$1" -path "$1/tests" -prune -o -name '*.o' -exec nm -A -f sysv {} + 2>/dev/null |
        awk -F'|' -v top="$1/" '$7 ~ /\.(data|bss|tdata|tbss)/ && $7 !~ /rel\.ro|DW\.ref/ && $4 !~ /SECTION/ {
            file = $1; sub(/\.o:.*/, "", file); sub(top, "", file)
            name = $1; sub(/.*\.o:/, "", name); gsub(/ /, "", name)
            if (name ~ /^_Z/) { sub(/E$/, "", name); sub(/.*[0-9]/, "", name) } else sub(/\.[0-9]+$/, "", name)
            print file, name
        }' | sort -u
}
# Those that nobody allowed: $2 is where the sources lie, as a file that is no more leaves an object.
breaches() {
    state_of "$1" | while read -r file name; do
        [ -f "$2/$file.c" ] || [ -f "$2/$file.cpp" ] || continue
        sed 's/:.*/ /' "$scratch/allowed" | grep "^$file .*\<$name " >/dev/null || echo "$file: $name can be written"
    done
}

if ! command -v nm >/dev/null || ! [ -d "$objects/sim" ]; then
    echo "skipped: no objects in $objects, or no nm"
    exit 77
fi
if nm "$objects/sim/base/error.o" | grep -q '__asan\|__ubsan'; then
    echo "skipped: sanitizers have data of their own"
    exit 77
fi
breaches "$objects" . >"$scratch/found"
if [ -s "$scratch/found" ]; then
    echo "functions keep no state; texts go into an arena, orders into what is sorted:"
    cat "$scratch/found"
    exit 1
fi
state_of "$objects" >"$scratch/state"
while IFS=: read -r names reason; do # each is still needed
    file=${names%% *}
    for name in ${names#* }; do
        if [ -z "$reason" ] || ! grep -qx "$file $name" "$scratch/state"; then
            echo "$file: $name is allowed without a reason, or nowhere"
            exit 1
        fi
    done
done <"$scratch/allowed"

mkdir -p "$scratch/obj/sim" "$scratch/sim"
cat >"$scratch/sim/planted.c" <<'C'
int next(void);
int *sorted(void);
int next(void) { static int count; return ++count; }
static int *sorting;
int *sorted(void) { return sorting++; }
const char *const words[] = {"a", "b"};
C
"${CC:-cc}" -O1 -fPIC -c "$scratch/sim/planted.c" -o "$scratch/obj/sim/planted.o"
seen=$(breaches "$scratch/obj" "$scratch" | sort | tr '\n' ' ')
[ "$seen" = "sim/planted: count can be written sim/planted: sorting can be written " ] || {
    echo "planted, and not noticed: $seen"
    exit 1
}
