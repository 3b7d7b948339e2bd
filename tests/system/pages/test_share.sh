#!/bin/sh
# A run handed over as one file: report and compare open it as its folder, and leave nothing behind. The index of a folder lists runs,
# packed runs and stores, with pictures and links to the pages beside them, and what cannot be read with its reason.
set -eu
program=$(realpath "${FOAMSIM:-build/foamsim}")
here=$PWD
work=$(mktemp -d "${TMPDIR:-/tmp}/share.XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() {
    echo "test_share: $*"
    exit 1
}
cp "$here/tests/system/small.yaml" "$work/"
cd "$work"
mkdir tmp all all/sub
export TMPDIR="$work/tmp"
"$program" run small.yaml --quiet --out 'all/a <b> run' >/dev/null
"$program" run small.yaml --quiet --out all/quick --set machine.clock=1.6GHz >/dev/null

# ---- one file ----
[ "$("$program" pack all/quick -o quick.tar.zst)" = quick.tar.zst ] || fail "pack does not name the file"
if "$program" pack all/quick -o quick.tar.zst 2>said; then fail "replaced a file"; fi
grep -q 'exists already' said || fail "$(cat said)"
"$program" pack all/quick/ -o again.tar.zst >/dev/null
cmp quick.tar.zst again.tar.zst || fail "the same run, other bits"
"$program" compare all/quick quick.tar.zst --json same.json >/dev/null
! grep -q '"section"' same.json || fail "a packed run differs from itself"
"$program" compare 'all/a <b> run' quick.tar.zst >said
grep -q 'faster' said || fail "compare: $(cat said)"
"$program" report quick.tar.zst --quiet
"$program" report all/quick -o folder.html --quiet
cmp quick.html folder.html || fail "another page than the folder's"
head -c 4000 quick.tar.zst >all/sub/cut.tar.zst
if "$program" report all/sub/cut.tar.zst 2>said; then fail "took what is cut off"; fi
grep -q 'cut.tar.zst: no run that foamsim has packed: it is cut off' said || fail "$(cat said)"
# what is wrong in it is said of the file that was given
cp -r all/quick wrong
printf '"%s"\n' "$(head -c 300 wrong/stats.csv | tr -d '"\n')" >wrong/stats.csv
sed -i '/"file": "stats.csv"/,/}/s/"bytes": [0-9]*/"bytes": '"$(wc -c <wrong/stats.csv)"'/' wrong/manifest.json
tar -c wrong | zstd -q >wrong.tar.zst
if "$program" report wrong.tar.zst 2>said; then fail "took a damaged run"; fi
if ! grep -q '^foamsim: wrong.tar.zst/stats.csv:' said || grep -q scratch said; then fail "$(cat said)"; fi
if "$program" pack all 2>said; then fail "packed what is no run"; fi
[ -z "$(ls tmp)" ] || fail "left in TMPDIR: $(ls tmp)"

# ---- the index ----
mv quick.tar.zst all/sub/
cat >tiny.yaml <<'END'
name: tiny & fine
base: small.yaml
axes:
  - { key: machine.clock, values: [1 GHz, 2 GHz] }
END
"$program" sweep tiny.yaml --store all/tiny.db --quiet --report all/tiny.html >/dev/null
"$program" report all/quick --quiet
"$program" index all --quiet
page=all/index.html
[ "$(grep -c 'src="data:image/png' "$page")" -eq 3 ] || fail "not a picture for each run"
grep -q 'href="./quick/pictures/report.html"' "$page" || fail "no link to the run's page"
grep -q 'href="./tiny.html">tiny.db: tiny &amp; fine</a>' "$page" || fail "no link to the sweep's page"
grep -q '<td class="text">a &lt;b&gt; run</td>\|>a &lt;b&gt; run<' "$page" || fail "a name is markup"
grep -q '2 of 2 points done, 2 feasible; best: clock=2 GHz' "$page" || fail "the sweep is not summed up"
grep -q 'cannot be read.*sub/cut.tar.zst.*cut off' "$page" || fail "what cannot be read is not said"
! grep -qE 'https?:' "$page" || fail "the page wants a network"
cp "$page" before.html
"$program" index all --quiet
cmp "$page" before.html || fail "the same folder, another index"
if "$program" index tmp 2>said; then fail "an index of nothing"; fi
grep -q 'neither run nor store' said || fail "$(cat said)"
[ -z "$(ls tmp)" ] || fail "left in TMPDIR: $(ls tmp)"
