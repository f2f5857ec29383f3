"""`pairedperm register`: where the script is, and that it cannot be put there."""

import pytest

import pairedperm
from commands.files import run
from pairedperm.commands import register as command


def test_what_register_says(monkeypatch, here):
    monkeypatch.setattr(command, "register_modules", lambda: here / "paired_perm.py")
    assert run("register").out == f"{here / 'paired_perm.py'}\n"


@pytest.mark.thorough
def test_a_cache_that_cannot_be_written(here, registered, monkeypatch):
    from evaluate import config

    assert run("register").out == f"{registered}\n"
    (here / "file").write_text("not a directory", "utf-8")
    monkeypatch.setattr(config, "HF_MODULES_CACHE", here / "file")
    with pytest.raises(pairedperm.InputError) as expected:
        pairedperm.register()
    message = " ".join(str(expected.value).split())
    said = f"error: {message.replace('Before importing evaluate, set', 'Set')}\n"
    assert run("register") == (2, "", said)
