"""The reader against a real run and a real store: $RUN, $STORE, and foamsim's own answers in $ANSWERS. $PANDAS=0 hides pandas."""

import csv
import json
import os
import shutil
import sqlite3
import sys
import tempfile
import unittest

if os.environ.get("PANDAS") == "0":
    sys.modules["pandas"] = None
sys.path.insert(0, os.environ.get("MODULE", os.path.dirname(os.path.abspath(__file__))))
import foamsim  # noqa: E402

try:
    import pandas
except ImportError:
    pandas = None

RUN, STORE, ANSWERS = (os.environ.get(name, "") for name in ("RUN", "STORE", "ANSWERS"))


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


if __name__ == "__main__":
    unittest.main()
