"""Runs the examples of documents (*.md, as doctest reads them) and the cells of notebooks (*.ipynb) that are named, in the current
folder: a cell's last line is shown as a notebook would show it. Needs neither a browser nor Jupyter."""

import ast
import doctest
import json
import os
import sys

sys.path.insert(0, os.environ.get("MODULE", os.path.dirname(os.path.abspath(__file__))))


def show(value):
    """What a cell's last line leaves: its HTML where it has some, else its text."""
    shown = value._repr_html_() if hasattr(value, "_repr_html_") else None
    if shown is None:
        shown = repr(value)
    if "Traceback" in shown or not shown:
        raise AssertionError(f"nothing to show of {value!r}")
    return shown


def run_cell(source, names, place):
    tree = ast.parse(source, place)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, place, "exec"), names)
    value = None if last is None else eval(compile(ast.Expression(last.value), place, "eval"), names)
    return "" if value is None else show(value)


def run_notebook(path):
    """The number of its cells of code."""
    with open(path, encoding="utf-8") as file:
        notebook = json.load(file)
    try:
        import nbformat
        nbformat.validate(nbformat.from_dict(notebook))
    except ImportError:
        assert notebook["nbformat"] == 4 and all(cell["cell_type"] in ("code", "markdown") for cell in notebook["cells"])
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert cells and not any(cell["outputs"] for cell in cells), f"{path}: cells with outputs, or none"
    names = {"__name__": "__main__"}
    shown = [run_cell("".join(cell["source"]), names, f"{path}, cell {i}") for i, cell in enumerate(cells)]
    return len(cells), sum(text.startswith("<iframe") for text in shown)


def main(paths):
    for path in paths:
        if path.endswith(".md"):
            failed, tried = doctest.testfile(path, module_relative=False)
            assert tried > 10, f"{path}: {tried} examples"
            if failed:
                sys.exit(f"{path}: {failed} of {tried} examples failed")
            print(f"{path}: {tried} examples")
        else:
            print("{}: {} cells, {} first screens".format(path, *run_notebook(path)))


if __name__ == "__main__":
    main(sys.argv[1:])
