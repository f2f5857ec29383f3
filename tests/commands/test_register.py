"""`pairedperm register`: where the script is, and that it cannot be put there."""

import pytest

import pairedperm
from pairedperm.commands import register as command


@pytest.mark.thorough
def test_the_script(registered, said):
    assert said("register") == f"{registered}\n"


def test_what_register_says(said, monkeypatch, here):
    monkeypatch.setattr(command, "register_modules", lambda: here / "paired_perm.py")
    assert said("register") == f"{here / 'paired_perm.py'}\n"


@pytest.mark.thorough
def test_a_cache_that_cannot_be_written(here, monkeypatch, refused):
    from evaluate import config

    (here / "file").write_text("not a directory", "utf-8")
    monkeypatch.setattr(config, "HF_MODULES_CACHE", here / "file")
    with pytest.raises(pairedperm.InputError) as expected:
        pairedperm.register()
    message = " ".join(str(expected.value).split())
    assert refused("register") == message.replace("Before importing evaluate, set", "Set")
