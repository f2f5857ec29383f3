"""Registration: where the module goes, from a wheel and a checkout, and the command line."""

import contextlib
import os
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import pairedperm
from pairedperm.__main__ import main
from pairedperm.hf import registration

CHECKOUT = Path(__file__).parents[2]


def python(*arguments, cwd, **variables):
    """Run a new interpreter in a directory of its own; what it prints."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("HF_")}
    environment.update({"HF_EVALUATE_OFFLINE": "1", "PYTHONPATH": str(CHECKOUT), **variables})
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


LOAD = (
    "import evaluate; columns = dict(predictions1=[1], predictions2=[0], references=[1]); "
    "print(evaluate.load('paired_perm').compute(**columns)['p'])"
)


def test_idempotent():
    path = pairedperm.register()
    before = path.stat().st_mtime_ns
    assert pairedperm.register() == path
    assert path.stat().st_mtime_ns == before
    assert path.name == "paired_perm.py"
    assert [p.name for p in path.parent.parent.iterdir() if len(p.name) == 64] == [path.parent.name]


def test_replaces_an_older_version(registered):
    old = registered.parent.parent / ("0" * 64)
    old.mkdir()
    (old / "paired_perm.py").write_text("raise RuntimeError('an old version')", "utf-8")
    os.utime(old / "paired_perm.py", (2**32, 2**32))  # even if it looks newer
    assert pairedperm.register() == registered
    assert not old.exists()


def test_many_at_once_upgrade(registered):
    def upgrade(_):
        for version in "123456789":
            old = registered.parent.parent / (version * 64)
            with contextlib.suppress(FileExistsError):  # it may be vanishing right now
                old.mkdir()
            pairedperm.register()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(upgrade, range(6)))
    assert pairedperm.register() == registered
    assert [p.name for p in registered.parent.parent.glob("?" * 64)] == [registered.parent.name]


def test_repairs_a_damaged_script(registered):
    content = registered.read_bytes()
    registered.write_text("half a scr", "utf-8")
    assert pairedperm.register() == registered
    assert registered.read_bytes() == content


@pytest.mark.parametrize(
    "variable", ["HF_HOME", pytest.param("HF_MODULES_CACHE", marks=pytest.mark.thorough)]
)
def test_honours_the_environment(tmp_path, variable):
    home = {variable: str(tmp_path / "elsewhere")}
    path = python("-m", "pairedperm", "register", cwd=tmp_path, **home)
    assert Path(path).is_relative_to(tmp_path / "elsewhere")
    assert python("-c", LOAD, cwd=tmp_path, **home) == "1.0"


@pytest.mark.thorough
def test_works_from_a_wheel(tmp_path):
    build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path)]
    python("-m", "pip", *build, str(CHECKOUT), cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    code = "import pairedperm; print(pairedperm.__file__, pairedperm.register())"
    places = {"PYTHONPATH": str(site), "HF_HOME": str(tmp_path / "home")}
    file, path = python("-c", code, cwd=tmp_path, **places).split()
    assert Path(file).is_relative_to(site)
    assert Path(path).read_bytes() == (CHECKOUT / "metrics/paired_perm/paired_perm.py").read_bytes()


def test_cache_that_cannot_be_written(tmp_path, monkeypatch):
    from evaluate import config

    (tmp_path / "file").write_text("not a directory", "utf-8")
    monkeypatch.setattr(config, "HF_MODULES_CACHE", tmp_path / "file")
    with pytest.raises(pairedperm.InputError, match=r"cannot register.*Set HF_HOME"):
        pairedperm.register()
    assert main(["register"]) == 1


def test_incomplete_installation(monkeypatch, tmp_path):
    monkeypatch.setattr(registration, "__file__", str(tmp_path / "pairedperm" / "x.py"))
    with pytest.raises(FileNotFoundError, match="missing from this installation"):
        pairedperm.register()


# The command line


def test_register_command(registered, capsys):
    assert main(["register"]) == 0
    assert capsys.readouterr().out.strip() == str(registered)


def test_help_fits_a_terminal(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for arguments in (["--help"], ["register", "--help"]):
        with pytest.raises(SystemExit) as exit_:
            main(arguments)
        assert exit_.value.code == 0
        out = capsys.readouterr().out
        assert "register" in out
        assert max(map(len, out.splitlines())) <= 80


def test_version_and_usage(capsys):
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out.strip() == pairedperm.__version__
    with pytest.raises(SystemExit) as exit_:
        main([])
    assert exit_.value.code == 2


def test_importing_is_light(tmp_path):
    code = "import sys, pairedperm; print({'evaluate', 'datasets', 'pandas'} & set(sys.modules))"
    assert python("-c", code, cwd=tmp_path) == "set()"
