"""What is built: wheel and sdist hold what they should, and work where nothing else is."""

import email
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from extras import needs
from interpreter import python

CHECKOUT = Path(__file__).parents[1]
pytestmark = pytest.mark.thorough
SCRIPTS = {f"metrics/{name}/{name}.py" for name in ("paired_perm", "paired_bootstrap")}
FOLDERS = (".github", "examples", "metrics", "pairedperm", "tests")
USE = """
import sys
sys.path.insert(0, {elsewhere!r})
import pairedperm
assert {elsewhere!r} in pairedperm.__file__, pairedperm.__file__
module = pairedperm.load("paired_perm")
print(module.compute(predictions1=[1, 1], predictions2=[0, 0], references=[1, 1])["p"])
print(pairedperm.register().read_text("utf-8"), end="")
"""


def sources(*folders):
    """Files of the checkout that are no caches."""
    paths = (path for folder in folders for path in (CHECKOUT / folder).rglob("*"))
    names = {path.relative_to(CHECKOUT).as_posix() for path in paths if path.is_file()}
    return {name for name in names if "__pycache__" not in name and not name.endswith(".pyc")}


def in_wheel(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_holds_the_package(built):
    (wheel,) = built.glob("*.whl")
    names = {name for name in in_wheel(wheel) if ".dist-info/" not in name}
    assert names == sources("pairedperm") | {f"pairedperm/{name}" for name in SCRIPTS}
    (licence,) = (x for name, x in in_wheel(wheel).items() if name.endswith("/LICENSE"))
    assert licence == (CHECKOUT / "LICENSE").read_bytes()


def test_the_sdist_holds_the_checkout_and_builds_the_same_wheel(built, tmp_path):
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        root = archive.getnames()[0].split("/")[0]
        names = {x.name.removeprefix(f"{root}/") for x in archive.getmembers() if x.isfile()}
        archive.extractall(tmp_path, filter="data")
    own = {"LICENSE", "README.md", "pyproject.toml"}
    assert names - {"PKG-INFO", ".gitignore"} == sources(*FOLDERS) | own
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, check=True, cwd=tmp_path / root, stdout=subprocess.DEVNULL)
    wheels = [in_wheel(next(folder.glob("*.whl"))) for folder in (built, tmp_path)]
    assert wheels[0] == wheels[1]


def test_an_index_takes_both(built):
    needs("twine", "dev")
    command = [sys.executable, "-m", "twine", "check", "--strict", *map(str, built.iterdir())]
    checked = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert (checked.stdout.count("PASSED"), checked.returncode) == (2, 0), checked.stdout


def test_each_python_that_is_named_is_supported(built):
    """From the oldest that is accepted to the newest that CI runs, without a gap."""
    (wheel,) = built.glob("*.whl")
    (text,) = (x for name, x in in_wheel(wheel).items() if name.endswith("/METADATA"))
    metadata = email.message_from_bytes(text)
    named = re.findall(r"Python :: 3\.(\d+)$", "\n".join(metadata.get_all("Classifier")), re.M)
    oldest = metadata["Requires-Python"].removeprefix(">=3.")
    workflow = (CHECKOUT / ".github/workflows/ci.yml").read_text("utf-8")
    newest = max(map(int, re.findall(r"\b3\.(\d+)\b", workflow)))
    assert [*map(int, named)] == [*range(int(oldest), newest + 1)]


def test_the_wheel_works_elsewhere(built, tmp_path):
    """Installed into a folder of its own, and used from another: nothing is of the checkout.

    The script that it registers is ours. `.ci/run` asks more of it, in a new environment: smoke.py.
    """
    (wheel,) = built.glob("*.whl")
    elsewhere = tmp_path / "elsewhere"
    install = ["install", "--quiet", "--no-deps", "--target", str(elsewhere), str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True, cwd=tmp_path)
    code = USE.format(elsewhere=str(elsewhere))
    p, _, script = python("-c", code, cwd=tmp_path, HF_HOME=str(tmp_path / "home")).partition("\n")
    assert p == "0.5"
    assert script == (CHECKOUT / "metrics/paired_perm/paired_perm.py").read_text("utf-8").strip()
