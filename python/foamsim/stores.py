"""Stores of sweeps, read only."""

import collections
import os
import sqlite3

from . import program, shown
from .errors import FoamsimError
from .tables import Table, frame

__all__ = ["Store", "Sweep"]


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
        return frame(Table(names, zip(*columns.values()), units), pandas)

    def _unit(self, sweep, axis, cells):
        """That of the axis' parameter; "" of words, and where the points do not agree."""
        if not any(isinstance(cell, (int, float)) for cell in cells):
            return ""
        units = {row[0] for row in self._base.execute(
            "SELECT DISTINCT unit FROM parameters WHERE name = ? AND point IN "
            "(SELECT point FROM members WHERE experiment = ?)", (axis, sweep))}
        return units.pop() if len(units) == 1 else ""

    def page(self, sweep=None):
        """The path of the sweep's page (None: the latest), made anew: STORE.html."""
        return self._write(os.path.splitext(self.path)[0] + ".html", sweep)

    def _write(self, path, sweep=None):
        program.ask(["report", *(["--sweep", sweep] if sweep else []), "--output", path, "--", self.path])
        return path

    def best(self, sweep=None, top=1):
        """The best feasible points by each objective, best first: rows with objective, value, unit, label and figures."""
        answer = program.ask_json(["query", "--json", "--top", str(top), *(["--sweep", sweep] if sweep else []), "--", self.path, "best"])
        told = {row["label"]: row for row in self.points(sweep, pandas=False)}
        return [
            {"objective": row["objective"], "rank": row["rank"], "value": row["value"], "unit": row["unit"], "label": row["point"],
             "point": told.get(row["point"])} for row in answer["rows"]]

    def front(self, sweep=None, by=None, pandas=None):
        """The feasible points that no other beats in both of two objectives (by: two figures; None: the first two of the sweep), from
        the best in the first to the best in the second: a row a point with its axes, the two figures and its label."""
        answer = program.ask_json(["query", "--json", *(["--by", ",".join(by)] if by else []), *(["--sweep", sweep] if sweep else []),
                                   "--", self.path, "front"])
        names = list(answer["rows"][0]) if answer["rows"] else []
        units = {name: answer["units"].get(name, "") for name in names}
        return frame(Table(names, [list(row.values()) for row in answer["rows"]], units), pandas)

    def _repr_html_(self):
        return shown.first_screen(self._write)


class Sweep:
    """What a sweep or a search has found. `summary` are settings and figures of the best point by the first objective; `points()` is
    a row a point, `best()` the best ones, `front()` what trades against what, `store` the Store."""

    def __init__(self, path, name=None):
        self.path, self.name = path, name
        self.store = Store(path)

    def points(self, figures=None, pandas=None):
        return self.store.points(self.name, figures, pandas)

    def best(self, top=1):
        return self.store.best(self.name, top)

    def front(self, by=None, pandas=None):
        return self.store.front(self.name, by, pandas)

    @property
    def summary(self):
        best = self.best()
        if not best:
            raise FoamsimError(f"{self.path}: no point is feasible")
        return best[0]["point"]

    @property
    def page(self):
        return self.store.page(self.name)

    def close(self):
        self.store.close()

    def _repr_html_(self):
        return shown.first_screen(lambda page: self.store._write(page, self.name)) or shown.table(self.points(pandas=False))
