"""Reads what foamsim leaves: run folders and stores of sweeps, as data frames with units.

    import foamsim
    run = foamsim.open_run("demo")
    run["device.seconds"]                  # 0.6008..., a plain number
    run.figures["device.seconds"].unit     # "s"
    steps = run.table("iterations")        # a DataFrame; steps.attrs["units"]["compute"] is "cycles"

    store = foamsim.open_store("quick.db")
    points = store.points()                # a row a point of the latest sweep: axes, then figures
    points.attrs["units"]["device.seconds"]

Without pandas, or with pandas=False, a table is a Table: a list of dicts, one a row, with `columns` and `units`. What does not
apply (null, an empty cell) is None in a Table and missing in a data frame. Nothing is ever written; what a folder or a store says
is checked, and a fault is a FoamsimError with its place.
"""

import collections
import contextlib
import csv
import json
import os
import sqlite3

__all__ = ["open_run", "open_store", "Run", "Store", "Table", "Figure", "Setting", "FoamsimError"]


class FoamsimError(ValueError):
    """What is wrong with a folder or a store, and where."""


@contextlib.contextmanager
def _reading(path):
    """Whatever a damaged file leads to is a FoamsimError that names it."""
    try:
        yield
    except FoamsimError:
        raise
    except OSError as reason:
        raise FoamsimError(f"{path}: cannot be read: {reason.strerror}") from None
    except RecursionError:
        raise FoamsimError(f"{path}: is nested too deeply") from None
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, csv.Error, OverflowError) as reason:
        raise FoamsimError(f"{path}: is damaged: {reason}") from None


Figure = collections.namedtuple("Figure", "name value unit description")
Setting = collections.namedtuple("Setting", "name value unit default origin confidence source description")


class Table(list):
    """Rows as dicts, in the order of the file; `columns` in their order, `units` by column ("" where it has none)."""

    def __init__(self, columns, rows, units):
        super().__init__(dict(zip(columns, row)) for row in rows)
        self.columns = list(columns)
        self.units = dict(units)

    def column(self, name):
        return [row[name] for row in self]


def _frame(table, pandas):
    """The table as it was asked for: None is a data frame where pandas can be imported."""
    if pandas is False:
        return table
    try:
        import pandas as pd
    except ImportError:
        if pandas:
            raise
        return table
    frame = pd.DataFrame({name: table.column(name) for name in table.columns}, columns=table.columns)
    frame.attrs["units"] = table.units
    return frame


def _typed(columns):
    """Whole columns as ints, else floats, else words; what is empty or null is None."""
    out = []
    for cells in columns:
        given = [c for c in cells if c not in ("", "null")]
        for kind in (int, float):
            try:
                for c in given:
                    if not set(c) <= set("+-.0123456789eE"):
                        raise ValueError(c)
                    kind(c)
            except ValueError:
                continue
            out.append([None if c in ("", "null") else kind(c) for c in cells])
            break
        else:
            out.append(list(cells))
    return out


def _read_csv(path):
    with _reading(path), open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, strict=True))
    if not rows:
        raise FoamsimError(f"{path}: expected a line of columns, found nothing")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise FoamsimError(f"{path}:{number}: expected {len(rows[0])} cells, found {len(row)}")
    return rows[0], rows[1:]


def _no_number(word):
    raise ValueError(f"{word} is no number of JSON")


def _read_json(path):
    """An object, as all files of a run folder hold one."""
    with _reading(path), open(path, encoding="utf-8") as file:
        tree = json.load(file, parse_constant=_no_number)
    if not isinstance(tree, dict):
        raise FoamsimError(f"{path}: expected an object, found {str(tree)[:40]!r}")
    return tree


def _flat(tree, prefix=""):
    """Leaves of nested objects by dotted names; a list's places are numbers."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for name, value in items:
        if isinstance(value, (dict, list)):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


class Run:
    """A run folder. `figures` by name, `settings` by name, `findings` as sentences, `tables` by name, `views`."""

    def __init__(self, folder):
        self.path = os.fspath(folder)
        manifest = _read_json(os.path.join(self.path, "manifest.json"))
        try:
            self.version = manifest["foamsim"]
            self.files = {f["file"]: f for f in manifest["files"]}
        except (KeyError, TypeError):
            raise FoamsimError(f"{self.path}: manifest.json is none of a run") from None
        with _reading(os.path.join(self.path, "manifest.json")):
            for name, entry in self.files.items():
                self._check(name, entry)
        with _reading(os.path.join(self.path, "summary.json")):
            self.figures = self._figures()

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
            columns, rows = _read_csv(os.path.join(self.path, "stats.csv"))
            told = {row[0]: dict(zip(columns, row)) for row in rows if row}
        summary = _read_json(os.path.join(self.path, "summary.json"))
        return {
            name: Figure(name, value, told.get(name, {}).get("unit", ""), told.get(name, {}).get("description", ""))
            for name, value in _flat(summary)
        }

    def __getitem__(self, name):
        """The value of a figure: a number, a word, True, False or None."""
        return self.figures[name].value

    @property
    def tables(self):
        return sorted(name[:-4] for name in self.files if name.endswith(".csv") and "/" not in name)

    def table(self, name, pandas=None):
        """The table of that name ("iterations"), its columns typed."""
        file = name if name.endswith(".csv") else name + ".csv"
        if file not in self.files:
            raise FoamsimError(f"{self.path}: no table {name!r}; there are {', '.join(self.tables)}")
        columns, rows = _read_csv(os.path.join(self.path, file))
        with _reading(os.path.join(self.path, "manifest.json")):
            units = dict(zip(self.files[file].get("columns", []), self.files[file].get("units", [])))
        with _reading(os.path.join(self.path, file)):
            typed = _typed([[row[i] for row in rows] for i in range(len(columns))])
        return _frame(Table(columns, zip(*typed), {c: units.get(c, "") for c in columns}), pandas)

    @property
    def settings(self):
        """Every parameter by "section.key", as a text with its unit."""
        columns, rows = _read_csv(os.path.join(self.path, "parameters.csv"))
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
        with _reading(path):
            return [finding["text"] for finding in _read_json(path)["findings"]]

    @property
    def views(self):
        """The runs of an experiment with several views."""
        runs = []
        while os.path.isfile(os.path.join(self.path, f"view-{len(runs)}", "manifest.json")):
            runs.append(Run(os.path.join(self.path, f"view-{len(runs)}")))
        return runs


class Store:
    """A store of sweeps, read only; sweeps that go on may be looked at. Use it in `with`, or close it."""

    def __init__(self, path):
        self.path = os.fspath(path)
        if not os.path.isfile(self.path):
            raise FoamsimError(f"{self.path}: no such store")
        address = "file:" + self.path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        self._base = sqlite3.connect(address + "?mode=ro", uri=True)
        try:
            self._base.execute("PRAGMA trusted_schema = OFF")
            kinds = dict(self._base.execute("SELECT name, type FROM sqlite_master"))
        except sqlite3.DatabaseError as reason:
            raise FoamsimError(f"{self.path}: no store: {reason}") from None
        for table in ("experiments", "axes", "members", "settings", "points", "statistics", "parameters"):
            if kinds.get(table) != "table":
                raise FoamsimError(f"{self.path}: no store of foamsim: it has no table {table}")

    def close(self):
        self._base.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def sweeps(self):
        """Names, the latest last."""
        return [row[0] for row in self._base.execute("SELECT name FROM experiments ORDER BY entered")]

    def _sweep(self, name):
        names = self.sweeps
        if name is None and names:
            name = names[-1]
        if name not in names:
            raise FoamsimError(f"{self.path}: no sweep {name!r}; there are {', '.join(names) or 'none'}")
        return self._base.execute("SELECT id FROM experiments WHERE name = ?", (name,)).fetchone()[0]

    def points(self, sweep=None, figures=None, pandas=None):
        """A row a point of the sweep (None: the latest): label, status, each axis, then figures by name (None: all that are
        known). An axis is a number in its base unit where it is one, else its word; a point that is not done has no figures."""
        number = self._sweep(sweep)
        axes = [row[0] for row in self._base.execute("SELECT name FROM axes WHERE experiment = ? ORDER BY axis", (number,))]
        members = self._base.execute(
            "SELECT m.position, m.point, m.label, p.status, p.error FROM members m JOIN points p ON p.id = m.point "
            "WHERE m.experiment = ? ORDER BY m.position", (number,)).fetchall()
        place = {member[0]: row for row, member in enumerate(members)}
        columns = {name: [member[i] for member in members] for i, name in ((2, "label"), (3, "status"), (4, "error"))}
        units = dict.fromkeys(columns, "")
        for axis, name in enumerate(axes):
            cells = [None] * len(members)
            for position, value, amount in self._base.execute(
                    "SELECT position, value, number FROM settings WHERE experiment = ? AND axis = ?", (number, axis)):
                cells[place[position]] = value if amount is None else int(amount) if amount == int(amount) else amount
            columns[name] = cells
            units[name] = self._unit(number, name, cells)
        rows = collections.defaultdict(list)
        for row, member in enumerate(members):
            rows[member[1]].append(row)
        wanted = None if figures is None else set(figures)
        for point, name, unit, value in self._base.execute(
                "SELECT s.point, s.name, s.unit, s.value FROM statistics s WHERE s.point IN "
                "(SELECT point FROM members WHERE experiment = ?) ORDER BY s.name, s.point", (number,)):
            if wanted is not None and name not in wanted:
                continue
            cells = columns.setdefault(name, [None] * len(members))
            units[name] = unit
            for row in rows[point]:
                cells[row] = value
        if wanted is not None:
            for name in figures:
                if name not in columns:
                    raise FoamsimError(f"{self.path}: no point has a figure {name!r}")
        names = list(columns)
        return _frame(Table(names, zip(*columns.values()), units), pandas)

    def _unit(self, sweep, axis, cells):
        """That of the axis' parameter; "" of words, and where the points do not agree."""
        if not any(isinstance(cell, (int, float)) for cell in cells):
            return ""
        units = {row[0] for row in self._base.execute(
            "SELECT DISTINCT unit FROM parameters WHERE name = ? AND point IN "
            "(SELECT point FROM members WHERE experiment = ?)", (axis, sweep))}
        return units.pop() if len(units) == 1 else ""


def open_run(folder):
    """The run in a folder. FoamsimError: it is none, or not whole."""
    return Run(folder)


def open_store(path):
    """A store of sweeps. FoamsimError: it is none."""
    return Store(path)
