"""A session of foamsim explore: the server without a browser, asked as its page asks it."""

import atexit
import http.client
import json
import os
import random
import subprocess
import urllib.parse

PROGRAM = os.path.abspath(os.environ.get("FOAMSIM", "build/foamsim"))


class Session:
    def __init__(self, *words, folder="."):
        self.process = subprocess.Popen([PROGRAM, "explore", *words, "--no-browser", "--quiet"], stdout=subprocess.PIPE, text=True, cwd=folder)
        atexit.register(self.process.kill)  # of a test that failed
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:"), f"the first line is no address: {self.address!r}"
        parts = urllib.parse.urlsplit(self.address)
        self.port, self.token = parts.port, urllib.parse.parse_qs(parts.query)["token"][0]
        assert len(self.token) == 32

    def raw(self, method, target, headers=None, body=None):
        """Status and body of any request."""
        door = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            door.request(method, target, body=body, headers=headers or {})
            answer = door.getresponse()
            return answer.status, answer.read().decode()
        finally:
            door.close()

    def target(self, path, sets=(), **more):
        pairs = [("token", self.token), *(tuple(text.split("=", 1)) for text in sets), *more.items()]
        return f"{path}?{urllib.parse.urlencode(pairs, quote_via=urllib.parse.quote)}"

    def ask(self, path, sets=(), method="GET", status=200, **more):
        found, body = self.raw(method, self.target(path, sets, **more))
        assert found == status, f"{path} {sets}: {found}, {body[:500]}"
        return json.loads(body) if body[:1] in "{[" else body

    def price(self, sets=(), **more):
        return self.ask("/api/price", sets, **more)

    def end(self, patience=10):
        self.process.terminate()
        return self.process.wait(patience)


def flat(value, name=""):
    """What summary.json holds, by dotted names."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if pairs is None:
        return {name: value}
    out = {}
    for key, part in pairs:
        out.update(flat(part, f"{name}.{key}" if name else str(key)))
    return out


def figures(answer):
    return {name: figure["value"] for name, figure in answer["figures"].items()}


def run(experiment, sets, folder, **more):
    """The figures of a run, and its ladder.csv as rows of texts."""
    words = [PROGRAM, "run", experiment, "--quiet", "--force", "--threads", "1", "--output", folder]
    for text in sets:
        words += ["--set", text]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, **more)
    with open(os.path.join(more.get("cwd", "."), folder, "summary.json"), encoding="utf-8") as file:
        return flat(json.load(file))


def same(answer, summary, what):
    """Bit by bit: the same numbers of the same names."""
    found = figures(answer)
    wrong = [f"{name}: {found.get(name)!r} and {value!r}" for name, value in summary.items() if found.get(name, "nothing") != value]
    assert not wrong and len(found) == len(summary), f"{what}: {wrong[:5]} of {len(summary)}, {len(found)}"


def settings(draw):
    """Random prices, each written as a person would."""
    out = [f"machine.clock={draw.randint(800, 2400)} MHz"]
    some = [("machine.exchange.bytes_per_cycle", f"{draw.randint(1, 16)} B/cycle"), ("machine.sync.base", f"{draw.randint(0, 200)} cycles"),
            ("machine.host.launch", f"{draw.randint(50, 900)} us"), ("machine.tile.issue_width", f"{draw.randint(1, 6)}"),
            ("machine.tile.reuse_idle_slots", draw.choice(["true", "false"])), ("machine.exchange.mode", draw.choice(["static", "dynamic"])),
            ("machine.cost.f32_div", f"{draw.randint(0, 9)} slots"), ("machine.cost.pairing", f"{draw.randint(0, 100)} %"),
            ("machine.energy.sram_64", f"{draw.uniform(4, 10):.3f} pJ"), ("machine.energy.leakage", f"{draw.randint(12, 30)} mW"),
            ("machine.host.fused", draw.choice(["true", "false"])), ("machine.cost.scale", f"{draw.randint(60, 180)} %")]
    return out + [f"{key}={value}" for key, value in draw.sample(some, draw.randint(1, 6))]


def seeded():
    seed = int(os.environ.get("FOAMSIM_EXPLORE_SEED", random.SystemRandom().randrange(1 << 31)))
    print(f"FOAMSIM_EXPLORE_SEED={seed}")
    return random.Random(seed)
