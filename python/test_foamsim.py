"""The package against a real run and a real store: $RUN, $STORE, foamsim's own answers in $ANSWERS, and what it makes itself of $SMALL
in the current folder. $PANDAS=0 hides pandas."""

import csv
import io
import json
import os
import shutil
import sqlite3
import sys
import tempfile
import types
import unittest

if os.environ.get("PANDAS") == "0":
    sys.modules["pandas"] = None
sys.path.insert(0, os.environ.get("MODULE", os.path.dirname(os.path.abspath(__file__))))
import foamsim  # noqa: E402

try:
    import pandas
except ImportError:
    pandas = None

RUN, STORE, ANSWERS, SMALL = (os.environ.get(name, "") for name in ("RUN", "STORE", "ANSWERS", "SMALL"))


class Runs(unittest.TestCase):
    def setUp(self):
        self.run_ = foamsim.open_run(RUN)

    def test_figures_have_values_and_units(self):
        with open(os.path.join(RUN, "summary.json"), encoding="utf-8") as file:
            summary = json.load(file)
        self.assertEqual(self.run_["device.cycles"], summary["device"]["cycles"])
        self.assertIsInstance(self.run_["device.cycles"], int)
        self.assertEqual(self.run_.figures["device.seconds"].unit, "s")
        self.assertEqual(self.run_.figures["device.cycles"].unit, "cycles")
        self.assertTrue(self.run_.figures["device.cycles"].description)
        with self.assertRaises(KeyError):
            self.run_["device.parsecs"]

    def test_plain_tables_are_typed(self):
        steps = self.run_.table("iterations", pandas=False)
        self.assertEqual(len(steps), self.run_["device.iterations"])
        self.assertEqual(steps.units["compute"], "cycles")
        self.assertIsInstance(steps[0]["compute"], int)
        for name, figure in (("compute", "device.cycles_compute"), ("sync", "device.cycles_sync")):
            self.assertEqual(sum(steps.column(name)), self.run_[figure])
        self.assertIn("generator", steps.column("pace_role"))
        with open(os.path.join(RUN, "iterations.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([str(value) for value in steps.column("cycles")], [row["cycles"] for row in rows])

    def test_every_table_opens(self):
        self.assertIn("tiles", self.run_.tables)
        for name in self.run_.tables:
            table = self.run_.table(name, pandas=False)
            self.assertEqual(set(table.units), set(table.columns))
        with self.assertRaisesRegex(foamsim.FoamsimError, "no table 'nothing'; there are .*iterations"):
            self.run_.table("nothing")

    @unittest.skipIf(pandas is None, "no pandas")
    def test_frames_carry_units(self):
        steps, plain = self.run_.table("iterations"), self.run_.table("iterations", pandas=False)
        self.assertIsInstance(steps, pandas.DataFrame)
        self.assertEqual(steps.attrs["units"], plain.units)
        self.assertEqual(steps["compute"].sum(), self.run_["device.cycles_compute"])
        self.assertEqual(str(steps["compute"].dtype), "int64")
        self.assertEqual(list(steps.columns), plain.columns)
        self.assertEqual(steps["pace_role"].tolist(), plain.column("pace_role"))

    @unittest.skipIf(pandas is not None, "pandas is there")
    def test_without_pandas_tables_are_plain(self):
        self.assertIsInstance(self.run_.table("iterations"), foamsim.Table)
        with self.assertRaises(ImportError):
            self.run_.table("iterations", pandas=True)

    def test_settings_and_findings(self):
        batch = self.run_.settings["workload.batching.per_batch"]
        self.assertEqual(batch.value, "2")
        self.assertTrue(self.run_.settings["machine.clock"].unit)
        self.assertTrue(any("%" in text for text in self.run_.findings))
        self.assertEqual(self.run_.views, [])

    def test_every_fault_of_a_file_is_a_foamsim_error(self):
        """Whatever a file holds once the manifest no longer knows its size."""
        wrong = [b"", b"3", b"NaN", b"[1]", b'{"a": NaN}', b"[" * 100000, b'{"a":' * 5000, b"\xff\xfe\0", b'{"findings": 3}',
                 b'{"findings": [3]}', b"a,b\n" + b"x" * 200000 + b",1\n", b'a\n"', b"{}"]
        with tempfile.TemporaryDirectory() as scratch:
            folder = os.path.join(scratch, "run")
            shutil.copytree(RUN, folder)
            path = os.path.join(folder, "manifest.json")
            with open(path, encoding="utf-8") as file:
                manifest = json.load(file)
            for entry in manifest["files"]:
                entry.pop("bytes", None)
            with open(path, "w", encoding="utf-8") as file:
                json.dump(manifest, file)
            tried = 0
            for name in ("manifest.json", "summary.json", "stats.csv", "findings.json", "parameters.csv", "tiles.csv"):
                with open(os.path.join(folder, name), "rb") as file:
                    good = file.read()
                for text in wrong:
                    with open(os.path.join(folder, name), "wb") as file:
                        file.write(text)
                    try:
                        run = foamsim.open_run(folder)
                        run.findings, run.settings, run.table("tiles", pandas=False)
                    except foamsim.FoamsimError as reason:
                        self.assertIn("run", str(reason))
                        tried += 1
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(good)
            self.assertGreater(tried, 40)

    def test_what_is_damaged_is_refused(self):
        with tempfile.TemporaryDirectory() as scratch:
            copy = os.path.join(scratch, "run")
            with self.assertRaisesRegex(foamsim.FoamsimError, "manifest.json: cannot be read"):
                foamsim.open_run(copy)
            shutil.copytree(RUN, copy)
            with open(os.path.join(copy, "iterations.csv"), "a", encoding="utf-8") as file:
                file.write("1,2\n")
            with self.assertRaisesRegex(foamsim.FoamsimError, "iterations.csv has .* bytes, its manifest says"):
                foamsim.open_run(copy)
            with open(os.path.join(copy, "manifest.json"), "w", encoding="utf-8") as file:
                json.dump({"foamsim": "0", "files": [{"file": "../secret.csv", "bytes": 1}]}, file)
            with self.assertRaisesRegex(foamsim.FoamsimError, "is no file of the folder"):
                foamsim.open_run(copy)


class Stores(unittest.TestCase):
    def setUp(self):
        self.store = foamsim.open_store(STORE)
        self.addCleanup(self.store.close)

    def test_points_are_those_of_query(self):
        points = self.store.points(pandas=False)
        with open(ANSWERS, encoding="utf-8") as file:
            answer = json.load(file)
        told = answer["rows"]
        self.assertEqual(len(points), len(told))
        self.assertEqual(self.store.sweeps, ["tiny"])
        self.assertEqual(set(points.column("status")), {"done"})
        self.assertEqual(sorted(set(points.column("overlay.kind"))), ["mesh", "quadtree"])
        self.assertEqual(sorted(set(points.column("workload.batching.per_batch"))), [1, 2])
        self.assertEqual(points.units["device.seconds"], "s")
        self.assertEqual(points.units["machine.memory.sram"], "B")
        self.assertEqual(set(points.column("machine.memory.sram")), {624 * 1024})
        for name, unit in answer["units"].items():
            self.assertEqual(points.units[name], unit)
        for mine, theirs in zip(points, told):
            for name in ("device.seconds", "overlay.kind", "workload.batching.per_batch", "machine.memory.sram", "status"):
                self.assertEqual(mine[name], theirs[name])

    def test_figures_can_be_chosen(self):
        some = self.store.points("tiny", figures=["device.cycles"], pandas=False)
        self.assertEqual(some.columns[-1], "device.cycles")
        self.assertNotIn("device.seconds", some.columns)
        with self.assertRaisesRegex(foamsim.FoamsimError, "no sweep 'other'; there are tiny"):
            self.store.points("other")
        with self.assertRaisesRegex(foamsim.FoamsimError, "no point has a figure 'device.parsecs'"):
            self.store.points(figures=["device.parsecs"])

    @unittest.skipIf(pandas is None, "no pandas")
    def test_frames_of_points(self):
        points = self.store.points()
        self.assertEqual(points.attrs["units"]["device.cycles"], "cycles")
        best = points.groupby("overlay.kind")["device.seconds"].min()
        self.assertEqual(set(best.index), {"mesh", "quadtree"})
        self.assertEqual(str(points["device.cycles"].dtype), "int64")

    def test_what_is_no_store_is_refused(self):
        with tempfile.TemporaryDirectory() as scratch:
            with self.assertRaisesRegex(foamsim.FoamsimError, "no such store"):
                foamsim.open_store(os.path.join(scratch, "absent.db"))
            path = os.path.join(scratch, "text.db")
            with open(path, "w", encoding="utf-8") as file:
                file.write("no store" * 200)
            with self.assertRaisesRegex(foamsim.FoamsimError, "no store"):
                foamsim.open_store(path)
            path = os.path.join(scratch, "views.db")
            base = sqlite3.connect(path)
            base.execute("CREATE TABLE t (x)")
            base.execute("CREATE VIEW experiments AS SELECT 1 AS id, 'x' AS name, 1 AS entered, '' AS text")
            base.commit()
            base.close()
            with self.assertRaisesRegex(foamsim.FoamsimError, "it has no table experiments"):
                foamsim.open_store(path)


class Work(unittest.TestCase):
    """What the package does by the library and by the program."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.heard = []
        cls.activity = os.path.join(cls.scratch.name, "small.activity")
        cls.run_ = foamsim.run(SMALL, {"machine": {"clock": "1.5 GHz"}}, output=cls.at("run"), record=cls.activity,
                               progress=lambda *told: cls.heard.append(told))

    @classmethod
    def at(cls, name):
        return os.path.join(cls.scratch.name, name)

    def test_a_run_is_that_of_the_command(self):
        self.assertEqual(self.run_.settings["machine.clock"].value, "1.5 GHz")
        self.assertAlmostEqual(self.run_.summary["device.cycles"] / 1.5e9, self.run_.summary["device.seconds"], 9)
        self.assertEqual(len(self.run_.summary), len(self.run_.figures))
        self.assertEqual(self.run_.figures["device.seconds"].unit, "s")
        task, done, total = self.heard[-1]
        self.assertTrue(task and done == total > 0)
        with self.assertRaisesRegex(foamsim.FoamsimError, "run"):
            foamsim.run(SMALL, output=self.at("run"), progress=False)
        again = foamsim.run(SMALL, ["machine.clock=1.5 GHz"], output=self.at("run"), replace=True, threads=1, jobs=1, progress=False)
        self.assertEqual(dict(again.summary), dict(self.run_.summary))

    def test_what_progress_raises_stops_the_run(self):
        def interrupted(*_):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            foamsim.run(SMALL, output=self.at("stopped"), progress=interrupted)
        with self.assertRaisesRegex(foamsim.FoamsimError, "the run was stopped"):
            foamsim.run(SMALL, output=self.at("stopped"), progress=lambda *_: False)
        self.assertFalse(os.path.exists(self.at("stopped")))

    def test_errors_name_place_and_right_word(self):
        wrong = self.at("wrong.yaml")
        with open(wrong, "w", encoding="utf-8") as file:
            file.write(f"base: {SMALL}\nmachine:\n  clokc: 1 GHz\noverlay: {{ kind: quadtre }}\n")
        with self.assertRaises(foamsim.FoamsimError) as caught:
            foamsim.run(wrong, output=self.at("wrong"))
        self.assertEqual((caught.exception.file, caught.exception.line, caught.exception.column), (wrong, 3, 3))
        self.assertEqual((caught.exception.key, caught.exception.nearest), ("machine.clokc", "clock"))
        self.assertEqual([(f.line, f.nearest) for f in caught.exception.faults], [(3, "clock"), (4, "quadtree")])
        for call, nearest in (
            (lambda: foamsim.run(SMALL, {"machine.clokc": "1 GHz"}, output=self.at("wrong")), "clock"),
            (lambda: foamsim.price(SMALL, self.activity, {"machine.clokc": 1}), "clock"),
            (lambda: foamsim.sweep(SMALL, {"machine.clokc": ["1 GHz"]}, store=self.at("wrong.db"), progress=False), "clock"),
            (lambda: self.run_.summary["device.secnds"], "device.seconds"),
            (lambda: foamsim.price(SMALL, self.activity).summary["device.secnds"], "device.seconds"),
        ):
            with self.assertRaises(foamsim.FoamsimError) as caught:
                call()
            self.assertIn(nearest, caught.exception.nearest)
        with self.assertRaisesRegex(foamsim.FoamsimError, "found <object"):
            foamsim.run(SMALL, {"machine.clock": object()})
        with self.assertRaisesRegex(foamsim.FoamsimError, "another traffic: workload.batching.per_batch"):
            foamsim.price(SMALL, self.activity, {"workload.batching.per_batch": 1})

    def test_prices_are_the_runs_that_they_stand_for(self):
        priced = foamsim.price(SMALL, self.activity, {"machine.clock": "1.5 GHz"})
        self.assertEqual(dict(priced.summary), dict(self.run_.summary))
        self.assertEqual({n: f.unit for n, f in priced.figures.items()}, {n: f.unit for n, f in self.run_.figures.items()})
        self.assertIn("device.seconds", priced._repr_html_())
        sets = [{"machine.clock": f"{1 + i / 100} GHz"} for i in range(30)]
        opened = foamsim.open_recording(self.activity)
        alone, together = foamsim.price(SMALL, opened, sets), foamsim.price(SMALL, opened, sets, jobs=7)  # threads that 30 points do not divide into
        self.assertEqual([p.summary["device.seconds"] for p in alone], [p.summary["device.seconds"] for p in together])
        table = alone.table(["device.seconds", "device.cycles"], pandas=False)
        self.assertEqual((len(table), table.columns), (30, ["machine.clock", "device.seconds", "device.cycles"]))
        self.assertEqual(table.units["device.seconds"], "s")
        for i, row in enumerate(table):
            self.assertAlmostEqual(row["device.seconds"], row["device.cycles"] / (1e9 + 1e7 * i), 12)
        self.assertIn("30", str(len(alone)))
        self.assertIn("<table>", alone._repr_html_())

    def test_what_is_explored_answers_as_its_run(self):
        with foamsim.explore(self.activity, store=self.at("pins.db"), height=700) as explored:
            self.assertIn(f'src="{explored.address}"', explored._repr_html_())
            figures = explored.price([])["figures"]
            self.assertEqual({n: f["value"] for n, f in figures.items()}, dict(self.run_.summary))
            with self.assertRaisesRegex(foamsim.FoamsimError, 'did you mean "clock"'):
                explored.price(["machine.clokc=1 GHz"])
        with self.assertRaises(foamsim.FoamsimError):
            explored.price([])
        with self.assertRaisesRegex(foamsim.FoamsimError, "no-such"):
            foamsim.explore("no-such-experiment")

    def test_a_sweep_and_a_search_find_the_quickest(self):
        axes = {"machine.clock": ["1 GHz", "1.6 GHz"], "workload.batching.per_batch": [1, 2]}
        with foamsim.sweep(SMALL, axes, store=self.at("swept.db"), jobs=2, progress=False).store as store:
            points = store.points(pandas=False)
            best = min(points, key=lambda row: row["device.seconds"])
            self.assertEqual(len(points), 4)
            self.assertEqual(best["machine.clock"], 1.6e9)
            told = store.best()[0]
            self.assertEqual((told["label"], told["value"]), (best["label"], best["device.seconds"]))
            self.assertEqual(told["point"]["device.cycles"], best["device.cycles"])
            two = ("device.seconds", "energy.joules")
            beaten = lambda row: any(all(other[name] <= row[name] for name in two) and any(other[name] < row[name] for name in two) for other in points)
            front = store.front(by=two, pandas=False)
            self.assertEqual(sorted(row["point"] for row in front), sorted(row["label"] for row in points if not beaten(row)))
            self.assertEqual((front[0]["point"], front.units["device.seconds"]), (best["label"], "s"))
        found = foamsim.search(SMALL, axes, budget=4, seed=1, limits={"power": "1 kW"}, baseline=True, store=self.at("found.db"), progress=False)
        self.addCleanup(found.close)
        self.assertEqual(found.summary["device.seconds"], best["device.seconds"])
        self.assertEqual([row["label"] for row in found.points(pandas=False)][-1], "baseline")
        self.assertTrue(all(row["limits.power"] < 0.1 for row in found.points(pandas=False)))
        with self.assertRaisesRegex(foamsim.FoamsimError, "baseline: a sweep's file says them itself"):
            foamsim.sweep(SMALL, baseline=True)

    def test_runs_are_compared(self):
        compared = foamsim.compare(RUN, self.run_, thresholds={"device.cycles": 0.001})
        self.assertIn("clock", compared.verdict[1])
        row = next(row for row in compared.figures(pandas=False) if row["figure"] == "device.seconds")
        self.assertEqual([row[label] for label in compared.runs], [foamsim.open_run(RUN)["device.seconds"], self.run_["device.seconds"]])
        self.assertIn("machine.clock", [row["key"] for row in compared.settings(pandas=False)])
        self.assertEqual(str(compared).split("\n"), compared.verdict)
        self.assertEqual([foamsim.compare(RUN, self.run_, base=base).base for base in (None, 0, 1)], [compared.runs[base] for base in (0, 0, 1)])

    @unittest.skipIf(shutil.which("gnuplot") is None, "no gnuplot")
    def test_a_notebook_shows_the_first_screen(self):
        shown = self.run_._repr_html_()
        self.assertTrue(shown.startswith("<iframe ") and "What would help" in shown and "Limits" not in shown)
        self.assertNotIn("<script", shown)
        self.assertTrue(os.path.isfile(self.run_.page))

    @unittest.skipIf(shutil.which("gnuplot") is None, "no gnuplot")
    def test_a_page_that_lay_there_is_not_shown(self):
        folder = self.at("foreign")
        shutil.copytree(RUN, folder)
        os.makedirs(os.path.join(folder, "pictures"), exist_ok=True)
        with open(os.path.join(folder, "pictures", "report.html"), "w", encoding="utf-8") as file:
            file.write("<style></style><header></header><section><script>parent.document.title = 'evil'</script></section>")
        shown = foamsim.open_run(folder)._repr_html_()
        self.assertTrue("What would help" in shown and "evil" not in shown)
        self.assertTrue(shown.startswith('<iframe sandbox="" '))

    @unittest.skipIf(shutil.which("gnuplot") is None, "no gnuplot")
    def test_looking_at_a_store_writes_nothing_beside_it(self):
        folder = self.at("looked-at")
        os.mkdir(folder)
        shutil.copy(STORE, os.path.join(folder, "a.db"))
        with open(os.path.join(folder, "a.html"), "w", encoding="utf-8") as file:
            file.write("notes")
        with foamsim.Store(os.path.join(folder, "a.db")) as store:
            self.assertTrue(store._repr_html_().startswith("<iframe "))
        self.assertEqual([name for name in os.listdir(folder) if not name.startswith("a.db")], ["a.html"])
        with open(os.path.join(folder, "a.html"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "notes")

    def test_a_program_may_say_much_that_is_wrong(self):
        talker = self.at("talker")
        with open(talker, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nhead -c 1000000 /dev/zero | tr '\\0' x >&2\necho said\n")
        os.chmod(talker, 0o755)
        before = os.environ["FOAMSIM"]
        os.environ["FOAMSIM"] = talker
        try:
            self.assertEqual(foamsim.program.ask(["list"]), "said\n")
        finally:
            os.environ["FOAMSIM"] = before

    def test_progress_speaks_to_a_terminal_alone(self):
        class Terminal(io.StringIO):
            def isatty(self):
                return True

        for stream, words in ((Terminal(), "iterations: 3 of 3"), (io.StringIO(), "")):
            before, sys.stderr = sys.stderr, stream
            try:
                bar = foamsim.shown.Progress()
                bar("iterations", 3, 3)
                bar.close()
            finally:
                sys.stderr = before
            self.assertTrue(words in stream.getvalue() and (words or not stream.getvalue()))

    def test_progress_is_a_bar_under_a_cell(self):
        shown = []

        class Handle:
            def update(self, html):
                shown.append(html)

        display = types.ModuleType("IPython.display")
        display.HTML, display.display = str, lambda html, display_id: Handle()
        kernel = types.ModuleType("IPython")
        kernel.get_ipython, kernel.display = lambda: types.SimpleNamespace(kernel=True), display
        sys.modules.update({"IPython": kernel, "IPython.display": display})
        try:
            foamsim.price(SMALL, self.activity)
            foamsim.run(SMALL, output=self.at("barred"))
        finally:
            del sys.modules["IPython"], sys.modules["IPython.display"]
        self.assertIn('<progress value="', shown[0])
        self.assertEqual(shown[-1], "")


if __name__ == "__main__":
    unittest.main()
