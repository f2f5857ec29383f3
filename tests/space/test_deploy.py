"""A Space: a folder with a wheel beside the page, and nothing installed."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
pytestmark = pytest.mark.thorough
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
