"""What is wrong, and where."""

import collections
import difflib
import re

__all__ = ["Fault", "FoamsimError", "NoSuchFigure"]

# One line of an error: its file, line and column (None where it has none), the key, what would have been right, the line itself.
Fault = collections.namedtuple("Fault", "file line column key nearest text")

_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): (?P<rest>.*)", re.DOTALL)
_SET = re.compile(r"(?P<file>--set [^ =]+=.*?): (?P<rest>[\w.\[\]]+: .*)", re.DOTALL)
_KEY = re.compile(r"(?P<key>[A-Za-z_][\w.\[\]-]*): ")
_NEAREST = re.compile(r'did you mean "?([^"?]+)"?\?')


def _fault(text):
    place = _PLACE.match(text)
    named = place or _SET.match(text)
    rest = named["rest"] if named else text
    key, nearest = _KEY.match(rest), _NEAREST.search(rest)
    return Fault(
        named["file"] if named else None,
        int(place["line"]) if place else None,
        int(place["column"]) if place else None,
        key["key"] if key and named else None,
        nearest[1] if nearest else None,
        text,
    )


class FoamsimError(ValueError):
    """What is wrong with an experiment, a run, a folder or a store. `faults` has a Fault for each line that says so; `file`, `line`,
    `column`, `key` and `nearest` (the right word that is closest to a wrong one) are those of the first. Any other exception of this
    package is a fault of foamsim."""

    def __init__(self, text):
        super().__init__(text)
        self.faults = [_fault(line) for line in text.split("\n") if line.strip()]
        self.file, self.line, self.column, self.key, self.nearest = self.faults[0][:5] if self.faults else (None,) * 5


class NoSuchFigure(FoamsimError, KeyError):
    """A figure that a result does not have."""

    def __init__(self, name, names):
        close = difflib.get_close_matches(str(name), names, 1, 0.5)
        super().__init__(f"no figure {name!r}" + (f'; did you mean "{close[0]}"?' if close else ""))
        self.key, self.nearest = str(name), close[0] if close else None

    __str__ = ValueError.__str__
