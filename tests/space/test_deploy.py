"""A Space: a folder with a wheel beside the page, and nothing installed."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
ANSWER = """
import sys, pathlib
sys.path[:0] = map(str, pathlib.Path().glob("pairedperm-*.whl"))  # before what is installed
import pairedperm, answer, limits, page
assert ".whl" in pairedperm.__file__, pairedperm.__file__
names = "naive_bayes.csv", "decision_tree.csv"
one, two = (limits.Upload(f"examples/{x}", x) for x in names)
found = answer.of_files(one, two, None, answer.Asked())
print(found.p, len(page.answer_page(found)) > 10_000)
"""


@pytest.mark.thorough
def test_from_the_wheel_where_it_lies(built, tmp_path):
    """The package runs from its archive, which carries no page."""
    space = tmp_path / "space"
    shutil.copytree(CHECKOUT / "metrics" / "paired_perm", space)
    (wheel,) = built.glob("*.whl")
    shutil.copy2(wheel, space)
    with zipfile.ZipFile(wheel) as archive:
        names = [x for x in archive.namelist() if x.startswith("pairedperm/metrics/")]
    assert sorted(names) == [
        "pairedperm/metrics/paired_bootstrap/paired_bootstrap.py",
        "pairedperm/metrics/paired_perm/paired_perm.py",
    ]
    done = subprocess.run(
        [sys.executable, "-c", ANSWER], capture_output=True, encoding="utf-8", cwd=space
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("p = 0.0")
    assert done.stdout.endswith(" True\n")


@pytest.mark.parametrize("module", ["gradio", "matplotlib"])
def test_a_package_that_is_missing(module, tmp_path):
    """The page says how to get it, and ends."""
    (tmp_path / f"{module}.py").write_text("raise ImportError", "utf-8")
    if module != "gradio":  # which takes seconds to import
        (tmp_path / "gradio.py").touch()
    path = os.pathsep.join(map(str, (tmp_path, CHECKOUT)))
    done = subprocess.run(
        [sys.executable, CHECKOUT / "metrics" / "paired_perm" / "app.py"],
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert done.returncode == 1
    assert done.stderr.startswith('The page needs gradio and matplotlib: pip install "gradio>=6" ')
    assert len(done.stderr.splitlines()) == 1
