"""libfoamsim.so by ctypes: checks, runs, prices (api/foamsim.h)."""

import ctypes
import functools
import os
import threading
import weakref

from . import program
from .errors import FoamsimError
from .tables import Figure

__all__ = ["Experiment", "Recording"]

_NAME = "libfoamsim.so.0"


class _Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("text", ctypes.c_char * 8192)]


class _Figure(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("unit", ctypes.c_char_p), ("description", ctypes.c_char_p), ("kind", ctypes.c_int),
                ("number", ctypes.c_double), ("text", ctypes.c_char_p)]


_HEARD = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_ulonglong, ctypes.c_ulonglong)


class _Options(ctypes.Structure):
    _fields_ = [("replace", ctypes.c_bool), ("threads", ctypes.c_int), ("progress", _HEARD), ("self", ctypes.c_void_p),
                ("record", ctypes.c_char_p), ("jobs", ctypes.c_int)]


@functools.lru_cache(maxsize=None)
def _library():
    up = [".."] * 4
    found = program.find(_NAME, "FOAMSIM_LIBRARY", [["_installed", "lib"], [*up, "lib"], [*up[:3]], [*up[:2], "build", "api"]]) or _NAME
    try:
        library = ctypes.CDLL(found)
    except OSError as reason:
        raise FoamsimError(f"{found} cannot be loaded: {reason}; $FOAMSIM_LIBRARY names it") from None
    pointer, text, error = ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(_Error)
    sets, figure = ctypes.POINTER(ctypes.c_char_p), ctypes.POINTER(_Figure)
    for name, result, arguments in (
        ("load", pointer, (text, sets, error)),
        ("change", pointer, (pointer, sets, error)),
        ("forget", None, (pointer,)),
        ("resolved", text, (pointer,)),
        ("run", ctypes.c_int, (pointer, text, ctypes.POINTER(_Options), error)),
        ("open_recording", pointer, (text, error)),
        ("close_recording", None, (pointer,)),
        ("price", pointer, (pointer, pointer, error)),
        ("get", ctypes.c_bool, (pointer, text, figure)),
        ("figure_at", ctypes.c_bool, (pointer, ctypes.c_size_t, figure)),
        ("close", None, (pointer,)),
    ):
        function = getattr(library, "foamsim_" + name)
        function.restype, function.argtypes = result, arguments
    return library


_place = threading.local()


def _error():
    """This thread's place for what is wrong: a call fills it or leaves it unchanged."""
    if not hasattr(_place, "error"):
        _place.error = _Error()
    return _place.error


def _checked(handle, error):
    if not handle:
        raise FoamsimError(error.text.decode("utf-8", "replace"))
    return handle


def _list(sets):
    array = (ctypes.c_char_p * (len(sets) + 1))()
    array[:] = [text.encode("utf-8") for text in sets] + [None]
    return array


class Experiment:
    """An experiment, checked: a file or a name of `foamsim list experiments`, under overrides "section.key=value"."""

    def __init__(self, config, sets=(), before=None):
        library, error = _library(), _error()
        if before is None:
            handle = library.foamsim_load(os.fsencode(config), _list(sets), error)
        else:
            handle = library.foamsim_change(before._handle, _list(sets), error)
        self._handle = _checked(handle, error)
        weakref.finalize(self, library.foamsim_forget, self._handle)

    def change(self, sets):
        return Experiment(None, sets, self)

    @property
    def resolved(self):
        """YAML with every parameter, which gives the same run again."""
        return _library().foamsim_resolved(self._handle).decode("utf-8", "replace")

    def run(self, folder, progress=None, **options):
        """Runs into the folder. options: replace, threads, jobs, record."""
        stopped = []

        def heard(_, task, done, total):
            try:
                return progress is None or progress(task.decode("utf-8", "replace"), done, total) is not False
            except BaseException as reason:  # it cannot pass through C: the run is stopped, and then it goes on
                stopped.append(reason)
                return False

        options = _Options(progress=_HEARD(heard), **options)
        error = _error()
        status = _library().foamsim_run(self._handle, os.fsencode(folder), options, error)
        if stopped:
            raise stopped[0]
        _checked(status == 0, error)


class Figures:
    """Figures of a priced experiment, read when they are asked for."""

    def __init__(self, handle):
        self._handle = handle
        weakref.finalize(self, _library().foamsim_close, handle)

    def figure(self, name):
        place = _Figure()
        if not _library().foamsim_get(self._handle, str(name).encode("utf-8"), place):
            raise KeyError(name)
        return _figure(place)

    def names(self):
        place, names = _Figure(), []
        while _library().foamsim_figure_at(self._handle, len(names), place):
            names.append(place.name.decode())
        return names


def _figure(place):
    text = place.text.decode("utf-8", "replace")
    if place.kind == 0:
        value = int(text) if text.lstrip("-").isdigit() else None if place.number != place.number else place.number
    else:
        value = place.number != 0 if place.kind == 1 else text
    return Figure(place.name.decode(), value, place.unit.decode(), place.description.decode())


class Recording:
    """An activity recording, opened once. One thread at a time."""

    def __init__(self, file):
        library, error = _library(), _error()
        self.file = os.fspath(file)
        self._handle = _checked(library.foamsim_open_recording(os.fsencode(self.file), error), error)
        weakref.finalize(self, library.foamsim_close_recording, self._handle)

    def price(self, experiment):
        error = _error()
        return Figures(_checked(_library().foamsim_price(self._handle, experiment._handle, error), error))
