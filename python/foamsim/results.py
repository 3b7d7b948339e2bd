"""What came of an experiment: a run's folder, a price."""

import collections.abc
import html
import os

from . import program, shown
from .errors import FoamsimError, NoSuchFigure
from .tables import Figure, Setting, Table, flat, frame, read_csv, read_json, reading, typed

__all__ = ["Priced", "Prices", "Run", "Summary"]


class Summary(collections.abc.Mapping):
    """The values of figures by name: numbers, words, True, False, and None for what does not apply. A name that is none is a
    FoamsimError that says which is near."""

    def __init__(self, names, value):
        self._names, self._value = names, value

    def __getitem__(self, name):
        try:
            return self._value(name)
        except KeyError:
            raise NoSuchFigure(name, self._names) from None

    def __contains__(self, name):
        return name in self._names

    def __iter__(self):
        return iter(self._names)

    def __len__(self):
        return len(self._names)

    def __repr__(self):
        return f"Summary({dict(self)!r})"


class Result:
    """Has `summary`, values of figures by name, and `figures`, by name with value, unit and description."""

    def __getitem__(self, name):
        """The value of a figure: a number, a word, True, False or None."""
        return self.summary[name]

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td>{html.escape(f.name)}</td><td>{html.escape(str(f.value))}</td><td>{html.escape(f.unit)}</td>"
            f"<td>{html.escape(f.description)}</td></tr>" for f in self.figures.values())
        return f"<table><tr><th>figure</th><th>value</th><th>unit</th><th>meaning</th></tr>{rows}</table>"


class Run(Result):
    """A run folder. `summary` and `figures` by name, `settings` by name, `findings` as sentences, `tables` by name, `views`."""

    def __init__(self, folder):
        self.path = os.fspath(folder)
        manifest = read_json(os.path.join(self.path, "manifest.json"))
        try:
            self.version = manifest["foamsim"]
            self.files = {f["file"]: f for f in manifest["files"]}
        except (KeyError, TypeError):
            raise FoamsimError(f"{self.path}: manifest.json is none of a run") from None
        with reading(os.path.join(self.path, "manifest.json")):
            for name, entry in self.files.items():
                self._check(name, entry)
        with reading(os.path.join(self.path, "summary.json")):
            self._told = self._figures()

    def _check(self, name, entry):
        if name.startswith("/") or ".." in name.split("/"):
            raise FoamsimError(f"{self.path}: manifest.json: {name!r} is no file of the folder")
        try:
            size = os.stat(os.path.join(self.path, name)).st_size
        except OSError:
            raise FoamsimError(f"{self.path}: {name} is missing") from None
        if size != entry.get("bytes", size):
            raise FoamsimError(f"{self.path}: {name} has {size} bytes, its manifest says {entry.get('bytes')}")

    def _figures(self):
        told = {}
        if "stats.csv" in self.files:
            columns, rows = read_csv(os.path.join(self.path, "stats.csv"))
            told = {row[0]: dict(zip(columns, row)) for row in rows if row}
        summary = read_json(os.path.join(self.path, "summary.json"))
        return {
            name: Figure(name, value, told.get(name, {}).get("unit", ""), told.get(name, {}).get("description", ""))
            for name, value in flat(summary)
        }

    @property
    def figures(self):
        return self._told

    @property
    def summary(self):
        return Summary(self._told, lambda name: self._told[name].value)

    @property
    def tables(self):
        return sorted(name[:-4] for name in self.files if name.endswith(".csv") and "/" not in name)

    def table(self, name, pandas=None):
        """The table of that name ("iterations"), its columns typed."""
        file = name if name.endswith(".csv") else name + ".csv"
        if file not in self.files:
            raise FoamsimError(f"{self.path}: no table {name!r}; there are {', '.join(self.tables)}")
        columns, rows = read_csv(os.path.join(self.path, file))
        with reading(os.path.join(self.path, "manifest.json")):
            units = dict(zip(self.files[file].get("columns", []), self.files[file].get("units", [])))
        with reading(os.path.join(self.path, file)):
            cells = typed([[row[i] for row in rows] for i in range(len(columns))])
        return frame(Table(columns, zip(*cells), {c: units.get(c, "") for c in columns}), pandas)

    @property
    def settings(self):
        """Every parameter by "section.key", as a text with its unit."""
        columns, rows = read_csv(os.path.join(self.path, "parameters.csv"))
        found = {}
        for row in rows:
            cell = dict(zip(columns, row))
            key = ".".join(cell[part] for part in ("section", "key") if cell.get(part)) or cell.get("name", "")
            found[key] = Setting(key, *(cell.get(part, "") for part in Setting._fields[1:]))
        return found

    @property
    def findings(self):
        if "findings.json" not in self.files:
            return []
        path = os.path.join(self.path, "findings.json")
        with reading(path):
            return [finding["text"] for finding in read_json(path)["findings"]]

    @property
    def views(self):
        """The runs of an experiment with several views."""
        runs = []
        while os.path.isfile(os.path.join(self.path, f"view-{len(runs)}", "manifest.json")):
            runs.append(Run(os.path.join(self.path, f"view-{len(runs)}")))
        return runs

    @property
    def page(self):
        """The path of its page, the file of `foamsim report`, which is made when there is none. One that lies there already is whoever's
        the folder is."""
        page = os.path.join(self.path, "pictures", "report.html")
        if not os.path.isfile(page):
            program.ask(["report", "--", self.path])
        return page

    def _repr_html_(self):
        return shown.first_screen(lambda page: program.ask(["report", "--output", page, "--", self.path])) or super()._repr_html_()


class Priced(Result):
    """What the run of an experiment would give, from a recording. `sets` are the settings that it was asked with."""

    def __init__(self, handle, names, sets):
        self._handle, self._names, self.sets = handle, names, sets

    @property
    def summary(self):
        return Summary(self._names, lambda name: self._handle.figure(name).value)

    @property
    def figures(self):
        return {name: self._handle.figure(name) for name in self._names}

    def unit(self, name):
        return self._handle.figure(name).unit if name in self._names else self.summary[name]

    def __repr__(self):
        return f"Priced({self.sets!r})"


class Prices(list):
    """Priced points in the order of their settings."""

    def table(self, figures=None, pandas=None):
        """A row a point: its settings, then these figures (None: all)."""
        keys = list(dict.fromkeys(key for priced in self for key in priced.sets))
        names = list(figures) if figures is not None else list(self[0].summary) if self else []
        units = {**dict.fromkeys(keys, ""), **{name: self[0].unit(name) for name in names if self}}
        rows = ([priced.sets.get(key) for key in keys] + [priced.summary[name] for name in names] for priced in self)
        return frame(Table(keys + names, rows, units), pandas)

    def _repr_html_(self):
        return shown.table(self.table(["device.seconds"], pandas=False) if self and "device.seconds" in self[0].summary else self.table(pandas=False))
