"""foamsim from Python: runs, sweeps, searches, prices; run folders and stores as data frames with units.

    import foamsim
    run = foamsim.run("first-look", {"machine.clock": "1.5 GHz"}, output="quick", record="quick.activity")
    run.summary["device.seconds"]          # a plain number
    run.figures["device.seconds"].unit     # "s"
    steps = run.table("iterations")        # a DataFrame; steps.attrs["units"]["compute"] is "cycles"

    prices = foamsim.price("first-look", "quick.activity", [{"machine.clock": f"{c} GHz"} for c in (1, 1.5, 2)])
    prices.table(["device.seconds"])       # a row a price

    points = foamsim.open_store("quick.db").points()     # a row a point of the latest sweep: axes, then figures

In a notebook a result shows the first screen of its page. Without pandas, or with pandas=False, a table is a Table: a list of dicts,
one a row, with `columns` and `units`. What does not apply (null, an empty cell) is None in a Table and missing in a data frame. What
is wrong is a FoamsimError with file, line, column and the nearest right word; any other exception is a fault of foamsim.

Folders and stores are read by this package alone. For the rest it needs the library libfoamsim.so.0 and the program foamsim: those
that were installed with it, or that $FOAMSIM_LIBRARY and $FOAMSIM name.
"""

from .errors import Fault, FoamsimError, NoSuchFigure
from .explored import Explored
from .library import Recording
from .results import Priced, Prices, Run, Summary
from .stores import Store, Sweep
from .tables import Figure, Setting, Table
from .work import Comparison, Validation, compare, explore, price, run, search, sweep, validate

__all__ = ["run", "sweep", "search", "price", "explore", "compare", "validate", "open_run", "open_store", "open_recording", "Run", "Priced", "Prices",
           "Summary", "Store", "Sweep", "Comparison", "Validation", "Explored", "Recording", "Table", "Figure", "Setting", "Fault", "FoamsimError",
           "NoSuchFigure"]


def open_run(folder):
    """The run in a folder. FoamsimError: it is none, or not whole."""
    return Run(folder)


def open_store(path):
    """A store of sweeps. FoamsimError: it is none."""
    return Store(path)


def open_recording(file):
    """An activity recording, for many calls of price()."""
    return Recording(file)
