"""What a notebook or a terminal shows: how far a task is, the first screen of a page."""

import html
import os
import re
import sys
import tempfile
import time

from .errors import FoamsimError

__all__ = ["Progress", "first_screen", "table"]

# Of a first screen, in pixels of the page, in a notebook of 900 pixels: no script runs in the frame that could ask for what it needs.
_HEIGHT_OF_RUN, _HEIGHT = 1200, 780


def _notebook():
    """Shows and updates one line of HTML under a cell; None where there is no notebook."""
    shell = sys.modules.get("IPython")
    shell = shell.get_ipython() if shell is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import HTML, display

    return display(HTML(""), display_id=True), HTML


class Progress:
    """How far a task is: a bar under the cell of a notebook, a line on a terminal, nothing elsewhere. Call it with task, done and
    total (0: unknown); `close` it at the end."""

    def __init__(self):
        self._place, self._kind = _notebook() or (None, None)
        self._terminal = self._place is None and sys.stderr.isatty()
        self._last, self._shown = 0.0, False

    def __call__(self, task, done, total):
        now = time.monotonic()
        if not (self._place or self._terminal) or (now - self._last < 0.1 and done != total):
            return True
        self._last = now
        words = f"{task}: {done:,} of {total:,}" if total else f"{task}: {done:,}"
        if self._place:
            self._place.update(self._kind(
                f'<progress value="{done}" max="{total or 1}"></progress> <span>{html.escape(words)}</span>'))
        else:
            sys.stderr.write(f"\r\033[K{words}")
            sys.stderr.flush()
            self._shown = True
        return True

    def close(self):
        if self._place:
            self._place.update(self._kind(""))
        elif self._shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def first_screen(write):
    """The head and the first section of a page, in a frame of its own, so that its style and the notebook's do not meet and nothing in it
    runs. `write` makes the page at the path that it is given, in a folder that goes: what lies beside a run may be anybody's, and what
    lies beside a store is the person's. None where it cannot be made."""
    with tempfile.TemporaryDirectory() as scratch:
        page = os.path.join(scratch, "page.html")
        try:
            write(page)
            with open(page, encoding="utf-8") as file:
                text = file.read()
        except (FoamsimError, OSError):
            return None
    style = re.search(r"<style>.*?</style>", text, re.DOTALL)
    head = re.search(r"<header>.*?</header>", text, re.DOTALL)
    first = re.search(r"<section\b.*?</section>", text, re.DOTALL)
    if not (style and head and first):
        return None
    # Charts are drawn by the page's script.
    shown = re.sub(r'<figure [^>]*class="chart.*?</figure>|<script\b.*?</script>', "", first[0], flags=re.DOTALL)
    inside = (f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">{style[0]}</head>'
              f'<body>{head[0]}<main id="main">{shown}</main></body></html>')
    height = _HEIGHT_OF_RUN if 'class="first"' in shown else _HEIGHT
    return f'<iframe sandbox="" title="first screen" style="width:100%;height:{height}px;border:0" srcdoc="{html.escape(inside)}"></iframe>'


def table(rows, most=40):
    """The first rows of a Table as HTML."""
    def head(name):
        unit = rows.units.get(name, "")
        return html.escape(f"{name} [{unit}]" if unit else name)

    cells = "".join("<tr>" + "".join(f"<td>{html.escape(str(row[name]))}</td>" for name in rows.columns) + "</tr>" for row in rows[:most])
    more = f"<p>{len(rows) - most} more rows</p>" if len(rows) > most else ""
    return "<table><tr>" + "".join(f"<th>{head(name)}</th>" for name in rows.columns) + f"</tr>{cells}</table>{more}"
