"""The program foamsim as a process: what is no run and no price."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

from .errors import FoamsimError

__all__ = ["ask", "ask_json", "find", "said"]

_WORD = "foamsim: "


def _beside(*parts):
    return os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), *parts))


def find(name, variable, places):
    """A file that came with this package: named by an environment variable, or in one of these places below it or above."""
    named = os.environ.get(variable)
    if named:
        return named
    for place in places:
        if os.path.isfile(_beside(*place, name)):
            return _beside(*place, name)
    return None


def path():
    """$FOAMSIM, else the one that was installed or built with this package, else the one in PATH."""
    up = [".."] * 4
    return find("foamsim", "FOAMSIM", [["_installed", "bin"], [*up, "bin"], [*up[:2], "build"]]) or shutil.which("foamsim") or "foamsim"


def main():
    """The command `foamsim` of a package that pip installed: the program itself, in this process's place."""
    try:
        os.execv(path(), ["foamsim", *sys.argv[1:]])
    except OSError as reason:
        sys.exit(f"{_WORD}{path()} cannot be started: {reason.strerror}")


def said(text):
    """What the program says is wrong, without the word that begins each of its lines."""
    lines = [line[len(_WORD):] if line.startswith(_WORD) else line for line in text.splitlines()]
    return "\n".join(lines).strip()


def ask(words, progress=None, allowed=(0,)):
    """Runs the program with these words and returns its answer. `progress` is called with task, done and total. A status that is not
    allowed is a FoamsimError."""
    environment = dict(os.environ)
    if progress is not None:
        environment["FOAMSIM_PROGRESS"] = "1"
    command = [words[0], "--quiet", *words[1:]]
    with tempfile.TemporaryFile() as wrong:  # no pipe: it would be full while its other one is read
        try:
            process = subprocess.Popen([path(), *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=wrong, text=True,
                                       encoding="utf-8", errors="replace", env=environment)
        except OSError as reason:
            raise FoamsimError(f"{path()} cannot be started: {reason.strerror}") from None
        answer = []
        try:
            for line in process.stdout:
                if progress is None or not line.startswith("progress "):
                    answer.append(line)
                    continue
                _, done, total, task = line.rstrip("\n").split(" ", 3)
                progress(task, int(done), int(total))
            process.wait()
        except BaseException:
            process.terminate()
            process.wait()
            raise
        finally:
            process.stdout.close()
        wrong.seek(0)
        why = wrong.read().decode("utf-8", "replace")
    if process.returncode not in allowed:
        raise FoamsimError(said(why) or f"{path()} {words[0]} ended with status {process.returncode}")
    return "".join(answer)


def ask_json(words):
    try:
        return json.loads(ask(words))
    except json.JSONDecodeError as reason:
        raise FoamsimError(f"{path()} {words[0]}: no JSON: {reason}") from None
