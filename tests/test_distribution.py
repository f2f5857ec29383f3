"""What is built: wheel and sdist hold what they should, and work where nothing else is."""

import email
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import yaml

from extras import needs, needs_program
from interpreter import python
from pairedperm import __version__

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


@pytest.fixture
def step(tmp_path):
    """Run a step of the job that builds a release, on a copy of what it reads."""
    workflow = yaml.safe_load((CHECKOUT / ".github/workflows/release.yml").read_text("utf-8"))
    scripts = {x.get("id"): x.get("run") for x in workflow["jobs"]["build"]["steps"]}
    for name in ("README.md", "pyproject.toml", "pairedperm/results/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CHECKOUT / name, tmp_path / name)
    bash = needs_program("bash", install="apt-get install bash")
    known = {
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "REPOSITORY": "https://host.example/us/it",
    }

    def run(name, tag):
        return subprocess.run(
            [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", scripts[name]],
            cwd=tmp_path,
            env={**os.environ, **known, "TAG": tag},
            capture_output=True,
            encoding="utf-8",
        )

    return run


def test_a_tag_is_the_version(step, tmp_path):
    done = step("version", "v9.9.9")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("::error::The tag is v9.9.9, but the version of the package is ")
    assert not (tmp_path / "output").exists()
    assert step("version", f"v{__version__}").returncode == 0
    assert (tmp_path / "output").read_text("utf-8") == f"version={__version__}\n"


LINK = r'\]\(([^)\s]+)\)|src="([^"]+)"'


def at(kind, link):
    is_whole = not link or link.startswith(("#", "http"))
    return link if is_whole else f"https://host.example/us/it/{kind}/v9.9.9/{link}"


def test_links_lead_to_the_repository_from_an_index(step, tmp_path):
    text = (tmp_path / "README.md").read_text("utf-8")
    assert step("links", "v9.9.9").returncode == 0
    changed = (tmp_path / "README.md").read_text("utf-8")
    before, after = re.findall(LINK, text), re.findall(LINK, changed)
    assert len(before) > 10
    assert after == [(at("blob", link), at("raw", picture)) for link, picture in before]
    assert re.sub(LINK, "", changed) == re.sub(LINK, "", text)
