"""Registration and loading: where modules go, from a wheel and a checkout."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import pairedperm
from interpreter import python
from pairedperm.hf import module

LOAD = """
import socket

def refuse(*arguments, **options):
    raise AssertionError("the network was asked for")

socket.socket.connect = socket.getaddrinfo = refuse
import evaluate, pairedperm
evaluate.logging.set_verbosity_error()  # it tells that it searched the Hub
module = evaluate.load("paired_perm")
result = module.compute(predictions1=[1], predictions2=[0], references=[1])
print(type(module).__name__, result["p"])
module = pairedperm.load("paired_bootstrap", "scores")
print(type(module).__name__, module.config_name)
"""


def test_idempotent():
    path = pairedperm.register()
    content = path.read_bytes()
    assert pairedperm.register() == path
    assert path.read_bytes() == content
    assert path.name == "paired_perm.py"
    assert [p.name for p in path.parent.parent.iterdir() if len(p.name) == 64] == [path.parent.name]


@pytest.fixture
def alone(tmp_path, monkeypatch):
    """The script of paired_perm in a cache of its own."""
    from evaluate import config

    monkeypatch.setattr(config, "HF_MODULES_CACHE", tmp_path / "cache")
    return pairedperm.register()


def test_two_releases(alone, monkeypatch, tmp_path):
    """Each has a folder of its own, and evaluate takes the last that was registered."""
    other = tmp_path / "script.py"
    other.write_text("'another release'", "utf-8")
    own = module._script
    for k in range(4):
        monkeypatch.setattr(module, "_script", own if k % 2 else lambda _: other)
        script = pairedperm.register()
        assert (script == alone) == (k % 2 == 1)
        assert script.read_bytes() == (other.read_bytes() if k % 2 == 0 else alone.read_bytes())
        scripts = [*alone.parent.parent.glob("?" * 64 + "/*.py")]
        assert len(scripts) == 2
        assert max(scripts, key=lambda x: x.stat().st_mtime) == script


def test_many_at_once(alone):
    content = alone.read_bytes()
    shutil.rmtree(alone.parent)
    with ThreadPoolExecutor(6) as pool:
        assert {*pool.map(lambda _: pairedperm.register(), range(60))} == {alone}
    assert [*alone.parent.iterdir()] == [alone]
    assert alone.read_bytes() == content


def test_repairs_a_damaged_script(registered):
    content = registered.read_bytes()
    registered.write_text("half a scr", "utf-8")
    assert pairedperm.register() == registered
    assert registered.read_bytes() == content


@pytest.mark.thorough
def test_honours_the_environment(tmp_path):
    """From an empty cache, without the network, and without a word on stderr."""
    home = dict.fromkeys(("HF_HOME", "HF_MODULES_CACHE"), str(tmp_path / "elsewhere"))
    path = python("-m", "pairedperm", "register", cwd=tmp_path, **home)
    assert Path(path).is_relative_to(tmp_path / "elsewhere")
    out, err = python("-c", LOAD, cwd=tmp_path, with_stderr=True, **home)
    assert (out, err) == ("PairedPerm 1.0\nPairedBootstrap scores\n", "")


def test_incomplete_installation(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "__file__", str(tmp_path / "pairedperm" / "x.py"))
    with pytest.raises(FileNotFoundError, match="missing from this installation"):
        pairedperm.register()
