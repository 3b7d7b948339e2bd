#!/bin/sh
# Two runs of one configuration, with one and with two threads, are equal in every byte that counts; running the first
# one's resolved.yaml gives it again; compare-runs sees a single changed byte.
set -eu
program=${FOAMSIM:-build/foamsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" run tests/system/small.yaml --quiet --threads 1 --out "$work/one" >/dev/null
"$program" run tests/system/small.yaml --quiet --threads 2 --out "$work/two" >/dev/null
"$program" run "$work/one/resolved.yaml" --quiet --out "$work/again" >/dev/null
tools/compare-runs "$work/one" "$work/two" "$work/again"

changed() {
    if tools/compare-runs "$work/one" "$work/two" >/dev/null 2>&1; then
        echo "compare-runs did not see: $1"
        exit 1
    fi
}
cp "$work/two/tiles.csv" "$work/tiles.csv"
sed -i '2s/tracer/tracing/' "$work/two/tiles.csv"
changed "a changed word in tiles.csv"
mv "$work/tiles.csv" "$work/two/tiles.csv"
mv "$work/two/lanes.csv" "$work/lanes.csv"
changed "a missing file"
mv "$work/lanes.csv" "$work/two/lanes.csv"
echo "# a comment" >>"$work/two/resolved.yaml"
echo '{}' >"$work/two/host.json"
tools/compare-runs "$work/one" "$work/two"
sed -i 's/^name: .*/name: other/' "$work/two/resolved.yaml"
changed "another name in resolved.yaml"
