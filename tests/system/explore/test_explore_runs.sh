#!/bin/sh
# A hundred random settings of the page are runs, bit by bit; and one of every workload, priced where it has prices, run beside where not.
set -eu
command -v python3 >/dev/null || exit 77
work=$(mktemp -d "${TMPDIR:-/tmp}/explore.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"
cp tests/golden/absolute/*.yaml tests/golden/absolute/*.obj tests/golden/absolute/*.txt "$work/"
TMPDIR="$work/tmp" PYTHONPATH=tests/support/pages PYTHONDONTWRITEBYTECODE=1 python3 - "$work" <<'EOF'
import sys, time
from explored import Session, run, same, seeded, settings

work = sys.argv[1]
draw = seeded()
s = Session("foam.yaml", folder=work)
for i in range(100):
    sets = settings(draw)
    same(s.price(sets), run("foam.yaml", sets, "foam", cwd=work), sets)
assert s.end() == 0

priced = 0
for name in ("traffic", "fabric", "program", "smallpaint", "hierarchy", "pathtrace", "treelets", "chips"):
    s = Session(f"{name}.yaml", folder=work)
    prices = s.ask("/api/model")["prices"]
    priced += prices
    for sets in (["machine.clock=1.1 GHz"], ["machine.clock=900 MHz", "machine.limits.power=1 W"] if name != "hierarchy" else ["machine.clock=0.1 GHz"]):
        if not prices:
            s.ask("/api/run", sets, method="POST")
            while s.ask("/api/runs")[-1]["state"] == "running":
                time.sleep(0.02)
        answer = s.price(sets)
        same(answer, run(f"{name}.yaml", sets, name, cwd=work), (name, sets))
        assert answer["layer"] == ("price" if prices else "run") and answer["pace"] and answer["cards"], name
    assert s.end() == 0, name
assert priced >= 4
EOF
