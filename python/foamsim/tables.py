"""Tables with units, and files that are checked while they are read."""

import collections
import contextlib
import csv
import json

from .errors import FoamsimError

__all__ = ["Figure", "Setting", "Table"]


@contextlib.contextmanager
def reading(path):
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


def frame(table, pandas):
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


def typed(columns):
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


def read_csv(path):
    with reading(path), open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, strict=True))
    if not rows:
        raise FoamsimError(f"{path}: expected a line of columns, found nothing")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise FoamsimError(f"{path}:{number}: expected {len(rows[0])} cells, found {len(row)}")
    return rows[0], rows[1:]


def _no_number(word):
    raise ValueError(f"{word} is no number of JSON")


def read_json(path):
    """An object, as all files of a run folder hold one."""
    with reading(path), open(path, encoding="utf-8") as file:
        tree = json.load(file, parse_constant=_no_number)
    if not isinstance(tree, dict):
        raise FoamsimError(f"{path}: expected an object, found {str(tree)[:40]!r}")
    return tree


def flat(tree, prefix=""):
    """Leaves of nested objects by dotted names; a list's places are numbers."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for name, value in items:
        if isinstance(value, (dict, list)):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value
