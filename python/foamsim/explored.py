"""The page of `foamsim explore` in a frame: the program as a server, for as long as somebody holds it."""

import html
import json
import os
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request
import weakref

from . import program
from .errors import FoamsimError

__all__ = ["Explored", "start"]


def _end(process):
    if process.poll() is None:
        process.terminate()
        process.wait()
    process.stdout.close()


class Explored:
    """A session: shown by a notebook as its page. `address` opens it in any browser of this host. It ends with close(), with the
    last page of it that is closed, or with this object; use it in a `with` to be sure."""

    def __init__(self, process, address, height):
        self.address, self.height = address, height
        self._process, self._end = process, weakref.finalize(self, _end, process)

    def price(self, sets):
        """What the page is told of settings ["machine.clock=1.5 GHz", ...], as GET /api/price answers it."""
        place = urllib.parse.urlsplit(self.address)
        query = urllib.parse.urlencode([*urllib.parse.parse_qsl(place.query), *(text.split("=", 1) for text in sets)], quote_via=urllib.parse.quote)
        try:
            with urllib.request.urlopen(place._replace(path="/api/price", query=query).geturl()) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as reason:
            raise FoamsimError(json.load(reason)["error"]) from None
        except urllib.error.URLError as reason:
            raise FoamsimError(f"{self.address} does not answer: {reason.reason}") from None

    def close(self):
        self._end()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def _repr_html_(self):
        return f'<iframe src="{html.escape(self.address)}" title="foamsim explore" width="100%" height="{int(self.height)}" style="border:0"></iframe>'

    def __repr__(self):
        return f"Explored({self.address.partition('?')[0]})"


def start(subject, overrides, store, height):
    words = ["explore", subject, "--no-browser", "--quiet"]
    for text in overrides:
        words += ["--set", text]
    if store is not None:
        words += ["--store", os.fspath(store)]
    with tempfile.TemporaryFile() as wrong:
        try:
            process = subprocess.Popen([program.path(), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=wrong, text=True)
        except OSError as reason:
            raise FoamsimError(f"{program.path()} cannot be started: {reason.strerror}") from None
        try:
            address = process.stdout.readline().strip()
        except BaseException:
            _end(process)
            raise
        if address:
            return Explored(process, address, height)
        process.wait()
        process.stdout.close()
        wrong.seek(0)
        raise FoamsimError(program.said(wrong.read().decode("utf-8", "replace")) or f"{program.path()} explore ended with status {process.returncode}")
