"""What pyproject.toml cannot say: the version is that of sim/base/version.h, and the package holds what `make install` installs."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent


class WithProgram(build_py):
    """Builds the program and installs it with its data into foamsim/_installed, where the package looks first."""

    def run(self):
        super().run()
        prefix = Path(self.build_lib).resolve() / "foamsim" / "_installed"
        shutil.rmtree(prefix, ignore_errors=True)
        subprocess.run(["make", f"-j{os.cpu_count()}", "install", f"PREFIX={prefix}", "PYTHONDIR=python"], cwd=HERE, check=True)
        for spare in ("python", "include", "lib/pkgconfig"):
            shutil.rmtree(prefix / spare)
        for spare in ("share/foamsim/installed", "lib/libfoamsim.so"):
            (prefix / spare).unlink()


class OfOneMachine(Distribution):
    def has_ext_modules(self):
        return True


version = re.search(r'FS_VERSION\s+"(.*)"', (HERE / "sim/base/version.h").read_text())
setup(version=version.group(1), packages=["foamsim"], package_dir={"": "python"}, cmdclass={"build_py": WithProgram},
      distclass=OfOneMachine)
