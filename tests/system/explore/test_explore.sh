#!/bin/sh
# foamsim explore without a browser: who is let in, what is answered in which words, the same bits as `foamsim price`, runs beside the
# page, pins in a store that a kill does not take away, a page of the pins.
set -eu
command -v python3 >/dev/null || exit 77
work=$(mktemp -d "${TMPDIR:-/tmp}/explore.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"
cp tests/system/small.yaml tests/golden/absolute/traffic.yaml "$work/"
# What a killed server leaves is in TMPDIR, and goes with the test.
TMPDIR="$work/tmp" PYTHONPATH=tests/support/pages PYTHONDONTWRITEBYTECODE=1 python3 - "$work" <<'EOF'
import http.client, json, os, shutil, signal, socket, subprocess, sys, time
from explored import PROGRAM, Session, figures, flat, run, same, seeded, settings

work = sys.argv[1]
draw = seeded()
s = Session("small.yaml", "--set", "workload.batching.per_batch=3", "--export", "pins.html", folder=work)

# ---- who is let in ----
price = s.target("/api/price")
assert s.raw("GET", price)[0] == 200
assert s.raw("GET", price, {"Origin": f"http://127.0.0.1:{s.port}"})[0] == 200
for wrong in ("/api/price", "/", "/api/price?token=", f"/api/price?token={'0' * 32}", f"/api/price?token={s.token}0"):
    assert s.raw("GET", wrong)[0] == 403, wrong
for headers in ({"Host": "example.org"}, {"Host": f"127.0.0.1:{s.port + 1}"}, {"Host": ""}, {"Origin": "http://example.org"}, {"Origin": "null"}):
    assert s.raw("GET", price, headers)[0] == 403, headers
assert s.raw("GET", s.target("/etc/passwd"))[0] == 404 and s.raw("GET", s.target("/api/save"))[0] == 405
with socket.create_connection(("127.0.0.1", s.port), timeout=30) as door:  # refused before it is read
    door.sendall(f"POST {s.target('/api/pin', pin='large')} HTTP/1.1\r\nHost: 127.0.0.1:{s.port}\r\nContent-Length: {10 << 20}\r\n\r\n".encode())
    assert door.recv(100).startswith(b"HTTP/1.1 413 "), "a body of 10 MB was let in"
    try:
        door.sendall(b"x" * (10 << 20))
    except OSError:
        pass
assert s.ask("/api/pins") == []
for other in set(a[4][0] for a in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)) - {"127.0.0.1", "127.0.1.1"}:
    with socket.socket() as door:  # no other address of this host
        assert door.connect_ex((other, s.port)) != 0, other

# ---- a thousand requests in a second: what is too much is refused, and the server goes on ----
door = http.client.HTTPConnection("127.0.0.1", s.port, timeout=60)
begun, seen = time.monotonic(), {}
while sum(seen.values()) < 1000:
    door.request("GET", s.target("/api/runs"))
    answer = door.getresponse()
    answer.read()
    seen[answer.status] = seen.get(answer.status, 0) + 1
took = time.monotonic() - begun
assert set(seen) <= {200, 429} and seen[200] <= 600 + 320 * took, (seen, took)
assert took > 1.2 or 429 in seen, (seen, took)
time.sleep(0.5)
s.price()

# ---- words of the command line ----
for text in ("machine.clokc=1 GHz", "machine.clock=-1 GHz", "nonsense=3"):
    said = s.ask("/api/price", [text], status=400)["error"]
    line = subprocess.run([PROGRAM, "run", "small.yaml", "--set", "workload.batching.per_batch=3", "--set", text, "--check"], cwd=work, capture_output=True, text=True)
    assert line.returncode == 2 and line.stderr.replace("foamsim: ", "").strip() == said, (line.stderr, said)
same(s.price(["name=another"]), figures(s.price()), "a name")  # a key as any other
answer = s.ask("/api/price", ["overlay.kind=mesh"], status=400)
assert answer["runs"] and "overlay.kind is quadtree there, mesh here" in answer["error"], answer

# ---- the same bits as `foamsim price`, from the YAML that is downloaded; ladder and tiles are those of a run ----
subprocess.run([PROGRAM, "run", "small.yaml", "--quiet", "--set", "workload.batching.per_batch=3", "--record-activity", "small.activity", "--output", "whole"], cwd=work, check=True, stdout=subprocess.DEVNULL)
points = [settings(draw) for _ in range(20)]
for i, sets in enumerate(points):
    with open(f"{work}/p{i}.yaml", "w", encoding="utf-8") as file:
        file.write(s.ask("/api/yaml", sets))
lines = subprocess.run([PROGRAM, "price", "small.activity", *(f"p{i}.yaml" for i in range(len(points)))], cwd=work, check=True, capture_output=True, text=True).stdout
for sets, line in zip(points, lines.splitlines()):
    same(s.price(sets), flat(json.loads(line)["summary"]), sets)
sets = points[0]
answer = s.price(sets)
same(answer, run("p0.yaml", [], "p0", cwd=work), sets)
with open(f"{work}/p0/ladder.csv", encoding="utf-8") as file:
    import csv
    rows = list(csv.DictReader(file))
assert [(r["name"], r["kind"], int(r["cycles"]), float(r["seconds"]), float(r["joules"]), r["sets"]) for r in rows] == \
    [(r["name"], r["kind"], r["cycles"], r["seconds"], r["joules"], r["sets"]) for r in answer["ladder"]], answer["ladder"]
with open(f"{work}/p0/tiles.csv", encoding="utf-8") as file:
    tiles = list(csv.DictReader(file))
assert [int(t["compute"]) for t in tiles] == answer["tiles"]["compute"] and [t["role"] for t in tiles] == answer["tiles"]["role"]
assert s.price(sets, figures="device.seconds")["figures"] == {"device.seconds": answer["figures"]["device.seconds"]}
assert answer["pace"] and abs(sum(p["share"] for p in answer["parts"]) - 1) < 1e-9
assert s.price(figures="device.seconds", draw="3")["figures"] != s.price(figures="device.seconds")["figures"]

# ---- what a price cannot change runs beside, and joins: prices go on from it ----
s.ask("/api/run", ["overlay.kind=mesh"], method="POST")
while s.ask("/api/runs")[0]["state"] == "running":
    time.sleep(0.05)
assert s.ask("/api/runs")[0]["state"] == "done", s.ask("/api/runs")
sets = ["overlay.kind=mesh", "machine.clock=1.9 GHz"]
same(s.price(sets), run("small.yaml", ["workload.batching.per_batch=3", *sets], "mesh", cwd=work), sets)
s.ask("/api/run", ["machine.clock=0 Hz"], method="POST", status=400)
for cells in (200000, 200001):  # two at once, and no third
    s.ask("/api/run", [f"scene.generate.cells={cells}"], method="POST")
third = s.ask("/api/run", ["scene.generate.cells=200002"], method="POST", status=400)["error"]
assert third.startswith("explore: 2 runs are under way"), third
for number in (1, 2):
    s.ask("/api/stop", method="POST", run=str(number))

# ---- what is wrong, in the words of the figure that tells: a machine beyond its limit, an answer that is not right ----
area = s.price(["machine.limits.area=1 mm2"])["wrong"]
assert [(w["figure"], w["held"]) for w in area] == [("limits.area", True)] and area[0]["text"].endswith(" % of machine.limits.area")
s.ask("/api/pin", ["machine.limits.area=1 mm2"], method="POST", pin="small")
with open(f"{work}/pins.html", encoding="utf-8") as file:
    page = file.read()
assert area[0]["text"] in page and ">infeasible<" not in page
s.ask("/api/unpin", method="POST", number=0)

# ---- what is no UTF-8 is refused, and takes no place in a list ----
for target in ("/api/pin?pin=%ff", "/api/pin?pin=x&machine.clock=%ff", "/api/price?%ff=1"):
    status, body = s.raw("GET" if "price" in target else "POST", f"{target}&token={s.token}")
    assert status == 400 and "UTF-8" in body, (target, status, body)
assert s.ask("/api/pins") == []

# ---- pins: a page beside, and a store that outlives a kill ----
s.ask("/api/pin", ["machine.clock=1.9 GHz"], method="POST", pin="fast <b>")
s.ask("/api/pin", ["overlay.kind=mesh"], method="POST", pin="mesh")
s.ask("/api/pin", [], method="POST", status=400, pin="mesh")
with open(f"{work}/pins.html", encoding="utf-8") as file:
    page = file.read()
assert "fast &lt;b&gt;" in page and "mesh" in page and "as it is" in page and s.token not in page
saved = s.ask("/api/save", method="POST")
os.kill(s.process.pid, signal.SIGKILL)
s.process.wait()
rows = subprocess.run([PROGRAM, "query", saved["store"], "points", "--csv"], check=True, capture_output=True, text=True).stdout
assert "fast <b>" in rows and "mesh" in rows and rows.count("done") == 2, rows
subprocess.run([PROGRAM, "report", saved["store"], "-o", f"{work}/store.html", "--quiet"], check=True, stdout=subprocess.DEVNULL)

# ---- a run, a recording, a workload without prices; an end by hand ----
whole = {name: value for name, value in run("small.yaml", ["workload.batching.per_batch=3"], "again", cwd=work).items()}
for what in ("whole", "small.activity"):
    s = Session(what, folder=work)
    same(s.price(), whole, what)
    assert s.end() == 0
quiet = subprocess.Popen([PROGRAM, "explore", "whole", "--no-browser", "--quiet"], cwd=work, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
quiet.stdout.readline()
quiet.send_signal(signal.SIGINT)
assert quiet.communicate(timeout=30) == ("", "") and quiet.returncode == 0  # Ctrl-C is how it ends
shutil.copy(f"{work}/traffic.yaml", os.path.join(os.fsencode(work), b"t\xff.yaml"))
s = Session(os.fsdecode(b"t\xff.yaml"), folder=work)
assert s.ask("/api/model")["subject"] == "t?.yaml" and s.end() == 0
s = Session("traffic.yaml", folder=work)
answer = s.price()
assert answer["layer"] == "run" and answer["figures"]["device.seconds"]["unit"] == "s"
assert s.ask("/api/price", ["machine.clock=1 GHz"], status=400)["runs"]
s.ask("/api/enter", method="POST")
s.ask("/api/leave", method="POST")
assert s.process.wait(30) == 0  # the last page was left
assert subprocess.run([PROGRAM, "explore", "nothing-of-that-name"], cwd=work, capture_output=True).returncode == 2
EOF
