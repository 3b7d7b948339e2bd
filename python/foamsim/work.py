"""What the package does: run, sweep, search, price, compare, validate."""

import collections.abc
import concurrent.futures
import json
import os
import shutil
import tempfile

from . import explored, program, shown
from .errors import FoamsimError
from .library import Experiment, Recording
from .results import Priced, Prices, Run
from .stores import Sweep
from .tables import Table, frame, read_csv, read_json, typed

__all__ = ["Comparison", "Validation", "compare", "explore", "price", "run", "search", "sweep", "validate"]


def _value(value):
    """As YAML has it."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        raise FoamsimError(f"a setting is a text, a number, true or false, or a list of them, found {value!r}") from None


def _pairs(sets, before=""):
    for key, value in sets.items():
        if isinstance(value, collections.abc.Mapping):
            yield from _pairs(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def _flat(sets):
    """Settings as {"section.key": value}: of such a mapping, of nested ones, of texts "section.key=value"."""
    if sets is None:
        return {}
    if isinstance(sets, collections.abc.Mapping):
        return dict(_pairs(sets))
    if isinstance(sets, str):
        sets = [sets]
    flat = {}
    for text in sets:
        if not isinstance(text, str) or "=" not in text:
            raise FoamsimError(f'expected "section.key=value", found {text!r}')
        key, _, value = text.partition("=")
        flat[key] = value
    return flat


def _overrides(sets):
    return [f"{key}={_value(value)}" for key, value in sets.items()]


def _progress(progress):
    """What is called with task, done and total; the bar of this package where nothing else was named, nothing with False."""
    if progress is False:
        return None
    return shown.Progress() if progress is None or progress is True else progress


def _close(progress):
    if isinstance(progress, shown.Progress):
        progress.close()


def _ask(words, progress, allowed=(0,)):
    progress = _progress(progress)
    try:
        return program.ask(words, progress, allowed)
    finally:
        _close(progress)


def _option(name, value):
    return [] if value is None or value is False else [f"--{name}"] if value is True else [f"--{name}", str(value)]


def run(config, sets=None, output=None, jobs=None, threads=None, replace=False, record=None, progress=None):
    """Runs an experiment (a file, or a name of `foamsim list experiments`) under settings {"machine.clock": "1.5 GHz", ...} into the
    folder `output` (None: runs/NAME) and returns its Run. `jobs`: views at a time; `threads` of the host; `replace` a folder of that name;
    `record` names the file of an activity recording, for price(). Ctrl-C ends the run, which then leaves nothing."""
    experiment = Experiment(config, _overrides(_flat(sets)))
    if output is None:
        first = experiment.resolved.split("\n", 1)[0]
        output = os.path.join("runs", json.loads(first.partition(":")[2]) if first.startswith("name: \"") else "run")
    bar = _progress(progress)
    try:
        experiment.run(output, bar, replace=replace, threads=threads or 0, jobs=jobs or 0, record=None if record is None else os.fsencode(record))
    finally:
        _close(bar)
    return Run(output)


def price(config, recording, sets=None, jobs=1):
    """Prices an experiment from an activity recording (a file that run(record=...) wrote, or a Recording): what its run would give, in
    about a millisecond and in this process. `sets`: one set of settings, and the answer is a Priced; or a list of them, and the answer
    is a Prices. `jobs`: threads, each with a recording of its own."""
    one = sets is None or isinstance(sets, (str, collections.abc.Mapping))
    points = [_flat(point) for point in ([sets] if one else sets)]
    base = Experiment(config)

    def part(points, opened):
        names, out = None, []
        for point in points:
            figures = opened.price(base.change(_overrides(point)) if point else base)
            names = names or figures.names()
            out.append(Priced(figures, names, point))
        return out

    first = recording if isinstance(recording, Recording) else Recording(recording)
    jobs = max(1, min(jobs, len(points)))
    if jobs == 1:
        priced = Prices(part(points, first))
    else:
        share = -(-len(points) // jobs)
        recordings = [first] + [Recording(first.file) for _ in range(jobs - 1)]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            parts = pool.map(part, (points[i * share:(i + 1) * share] for i in range(jobs)), recordings)
            priced = Prices(point for some in parts for point in some)
    return priced[0] if one else priced


def explore(config, sets=None, store=None, height=900):
    """The page of `foamsim explore` for an experiment, a Run, a run's folder or an activity recording, under settings: a notebook shows
    it in a frame, `height` pixels high. `store` names the file that its pins are saved to. The answer is an Explored."""
    if isinstance(config, Run):
        config = config.path
    elif isinstance(config, Recording):
        config = config.file
    return explored.start(os.fspath(config), _overrides(_flat(sets)), store, height)


def _experiment(config):
    return os.path.abspath(config) if os.path.isfile(config) else os.fspath(config)


def _space(config, axes, name, objectives=None, constraints=None, limits=None, baseline=None):
    """The file of a sweep, for a base and axes {"machine.clock": ["1 GHz", ...]}; JSON is YAML."""
    goals = [goal if isinstance(goal, collections.abc.Mapping) else {"figure": goal} for goal in objectives or ["device.seconds"]]
    return json.dumps({
        "name": name,
        "base": _experiment(config),
        "axes": [{"key": key, "values": list(values)} for key, values in axes.items()],
        "objectives": [{"better": "smaller", **goal} for goal in goals],
        **({"constraints": list(constraints)} if constraints else {}),
        **({"limits": limits} if limits else {}),
        **({"baseline": "base" if baseline is True else _experiment(baseline)} if baseline else {}),
    }, indent=1)


def _look(command, config, axes, store, words, progress, **goals):
    if axes is None and any(goals.values()):
        raise FoamsimError(f"{config}: {', '.join(key for key in goals if goals[key])}: a sweep's file says them itself; with an experiment give axes")
    name = os.path.splitext(os.path.basename(os.fspath(config)))[0]
    store = os.fspath(store) if store is not None else os.path.join("runs", name + ".db")
    with tempfile.TemporaryDirectory() as scratch:
        file = os.fspath(config)
        if axes is not None:
            name = os.path.splitext(os.path.basename(store))[0]
            file = os.path.join(scratch, name + ".yaml")
            with open(file, "w", encoding="utf-8") as out:
                out.write(_space(os.fspath(config), axes, name, **goals))
        _ask([command, *words, "--store", store, "--", file], progress)
    return Sweep(store)


def sweep(config, axes=None, objectives=None, constraints=None, limits=None, baseline=None, store=None, jobs=None, retry=False,
          allow_failures=False, progress=None):
    """Runs what the store (None: runs/NAME.db) does not hold yet of a sweep: a sweep file, or an experiment with `axes`
    {"machine.clock": ["1 GHz", "1.5 GHz"], ...} and `objectives`, figures to be small or {"figure": ..., "better": "larger"}. `limits`
    are those of machine.limits, {"power": "300 W", "cost": 250}; `baseline` is an experiment that points are held against, or True: the
    one without any axis. Returns a Sweep. What was interrupted goes on with the same call."""
    words = _option("jobs", jobs) + _option("retry", retry) + _option("allow-failures", allow_failures)
    return _look("sweep", config, axes, store, words, progress, objectives=objectives, constraints=constraints, limits=limits, baseline=baseline)


def search(config, axes=None, objectives=None, constraints=None, limits=None, baseline=None, budget=None, seed=None, store=None, jobs=None,
           progress=None):
    """Looks for the best points of a space within a budget (points, or a time: "30min"): a sweep's file, or an experiment and axes, as
    sweep() takes them. Returns a Sweep."""
    words = _option("jobs", jobs) + _option("budget", budget) + _option("seed", seed)
    return _look("search", config, axes, store, words, progress, objectives=objectives, constraints=constraints, limits=limits, baseline=baseline)


class Comparison:
    """What differs between runs: `verdict` in sentences, `worse` whether one is beyond a threshold, `base` its label."""

    def __init__(self, told, words):
        self._told, self._words = told, words
        self.base = told["base"]
        self.runs = [r["label"] for r in told["runs"]]
        self.verdict = [v["text"] for v in told["verdict"]]
        self.worse = any(t.get("worse") for t in told["thresholds"])

    def figures(self, pandas=None):
        """A row a figure: name, unit, then its value in each run."""
        rows = ([f["name"], f["unit"], *f["values"]] for f in self._told["figures"])
        return frame(Table(["figure", "unit", *self.runs], rows, dict.fromkeys(["figure", "unit", *self.runs], "")), pandas)

    def settings(self, pandas=None):
        """A row a parameter that differs, its value in each run."""
        rows = ([f'{s["section"]}.{s["key"]}', *s["values"]] for s in self._told["settings"])
        return frame(Table(["key", *self.runs], rows, dict.fromkeys(["key", *self.runs], "")), pandas)

    def write(self, page):
        """Writes the page with maps side by side; returns its path."""
        program.ask(["compare", "--output", os.fspath(page), *self._words], allowed=(0, 1))
        return os.fspath(page)

    def __str__(self):
        return "\n".join(self.verdict)

    def _repr_html_(self):
        return shown.first_screen(self.write) or shown.table(self.figures(pandas=False))


def compare(*runs, base=None, thresholds=None):
    """Compares runs (a Run or its folder each); the first is the base unless `base` is the place of another, from 0. `thresholds`
    {"device.seconds": 1.0}: per cent by which a figure may be worse."""
    folders = [r.path if isinstance(r, Run) else os.fspath(r) for r in runs]
    words = _option("base", None if base is None else base + 1)
    for name, percent in (thresholds or {}).items():
        words += ["--threshold", f"{name}={percent}"]
    with tempfile.TemporaryDirectory() as scratch:
        file = os.path.join(scratch, "compare.json")
        program.ask(["compare", "--json", file, *words, "--", *folders], allowed=(0, 1))
        return Comparison(read_json(file), [*words, "--", *folders])


class Validation:
    """How far simulated figures are from published ones: `figures()` a row a figure, `page` its path."""

    def __init__(self, folder):
        self.path, self.page = folder, os.path.join(folder, "validation.html")

    def figures(self, pandas=None):
        columns, rows = read_csv(os.path.join(self.path, "results.csv"))
        cells = typed([[row[i] for row in rows] for i in range(len(columns))])
        return frame(Table(columns, zip(*cells), dict.fromkeys(columns, "")), pandas)

    @property
    def summary(self):
        """The error of each scored figure: 0.1 is 10 % too much."""
        return {f'{row["case"]}.{row["figure"]}.{row["variant"]}': row["error"] for row in self.figures(pandas=False) if row["scored"] == "yes"}

    def _repr_html_(self):
        return shown.first_screen(lambda page: shutil.copy(self.page, page)) or shown.table(self.figures(pandas=False))


def validate(output="validation-out", paper=None, cases=None, quick=False, jobs=None, progress=None):
    """Simulates published figures (of one paper, of some cases, or all) and says how far off they are."""
    words = _option("paper", paper) + _option("cases", ",".join(cases) if cases else None) + _option("quick", quick) + _option("jobs", jobs)
    _ask(["validate", "--output", os.fspath(output), *words], progress)
    return Validation(os.fspath(output))
