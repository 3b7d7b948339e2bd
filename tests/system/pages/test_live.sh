#!/bin/sh
# The live page of a store: it is there while points run and reloads itself; told to end, it stays as a page that does not. A sweep
# with --live ends with that page, and leaves nobody behind who writes it.
set -eu
program=${FOAMSIM:-build/foamsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "test_live: $*"
    exit 1
}
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not installed"; exit 77; }
reloads() { grep -c 'http-equiv="refresh"' "$1" || true; }
cat >"$work/sweep.yaml" <<END
name: live
base: $PWD/tests/system/small.yaml
axes:
  - { key: overlay.kind, values: [quadtree, mesh] }
objectives:
  - { figure: device.seconds, better: smaller }
END
! "$program" sweep "$work/sweep.yaml" --store "$work/s.db" --live --quiet >"$work/words" 2>&1 || fail "--live without --report was taken"
grep -q 'expected --report FILE.html' "$work/words" || fail "not said: $(cat "$work/words")"
"$program" report "$work/s.db" --live -o "$work/watched.html" --quiet & # the store comes later
watcher=$!
"$program" sweep "$work/sweep.yaml" --store "$work/s.db" --report "$work/s.html" --live --quiet >/dev/null || fail "the sweep failed"
[ "$(reloads "$work/s.html")" -eq 0 ] || fail "the last page of a sweep reloads itself"
for _ in $(seq 300); do
    [ ! -s "$work/watched.html" ] || break
    sleep 0.1
done
[ "$(reloads "$work/watched.html")" -eq 1 ] || fail "a page of points that run does not reload itself"
kill -TERM "$watcher"
wait "$watcher" || fail "told to end, it failed"
[ "$(reloads "$work/watched.html")" -eq 0 ] || fail "the page that stays reloads itself"
sed 's|watched|s|g' "$work/watched.html" | cmp -s - "$work/s.html" || fail "both pages of one store differ"
! pgrep -f "$work/s.db --live" >/dev/null || fail "somebody still writes the page"
echo "live: ok"
