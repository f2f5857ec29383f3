"""A Space: a folder with a wheel beside the page, and nothing installed."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

CHECKOUT = Path(__file__).parents[2]
SPACE = CHECKOUT / "metrics" / "paired_perm"
ANSWER = """
import sys, pathlib
sys.path[:0] = map(str, pathlib.Path().glob("pairedperm-*.whl"))  # before what is installed
import pairedperm, worker
assert ".whl" in pairedperm.__file__, pairedperm.__file__
names = "naive_bayes.csv", "decision_tree.csv"
one, two = ([str(pathlib.Path("examples", x).absolute())] for x in names)
untouched = dict.fromkeys((*worker.OPTIONS, *worker.READING), "")
found = worker.ask({"A": one, "B": two, "references": None, **untouched})
print(found["text"], len(found["null"]) > 10_000)
worker.idle.pop().communicate("")
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
    assert "gives p = 0.0" in " ".join(done.stdout.split())
    assert done.stdout.endswith(" True\n")


def test_requirements():
    """A Space installs what the wheel beside it needs, as the package says."""
    tomllib = pytest.importorskip("tomllib", reason="Python before 3.11")
    with (CHECKOUT / "pyproject.toml").open("rb") as opened:
        project = tomllib.load(opened)["project"]
    extras = project["optional-dependencies"]
    wanted = [x for x in project["dependencies"] if ";" not in x]
    wanted += [*extras["plot"], *extras["inspect"]]
    lines = (SPACE / "requirements.txt").read_text("utf-8").splitlines()
    assert [x for x in lines if not x.startswith("#")] == wanted


def test_card():
    """What the Hub asks of a Space's card."""
    _, block, _ = (SPACE / "README.md").read_text("utf-8").split("---\n", 2)
    found = yaml.safe_load(block)
    assert (found["sdk"], found["app_file"]) == ("gradio", "app.py")
    assert re.fullmatch(r"6\.\d+\.\d+", found["sdk_version"])
    assert len(found["short_description"]) <= 60
    assert {"evaluate", "comparison"} <= {*found["tags"]}


def test_a_package_that_is_missing(tmp_path):
    """The page says how to get it, and ends."""
    (tmp_path / "gradio.py").touch()  # which takes seconds to import
    (tmp_path / "matplotlib.py").write_text("raise ImportError", "utf-8")
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
