"""The entries of .eval_results: which one an update means, what goes with its value, its file.

What an update writes is in `words.txt`.
"""

import os

import numpy as np
import pytest
import yaml

from corpora.cards import RESULT, refused
from extras import on_posix
from model_card.said import IDS, THERE
from pairedperm.model_card import update

NOTE = "[paired_perm: p = 0.25 against small, n = 6]"
TAGGED = "  notes: With tools\n"
SIGNED = "  verifyToken: abc\n  date: 2026-01-01\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "README.md").write_text("# A\n", "utf-8")
    return tmp_path


def entries(folder, name="org-imdb--default.yaml"):
    return yaml.safe_load((folder / ".eval_results" / name).read_text("utf-8"))


def there(folder):
    return {x.name: x.read_text("utf-8") for x in (folder / ".eval_results").iterdir()}


def updated(folder, **fields):
    """The names of the files that are new or other than before; twice changes nothing."""
    (folder / ".eval_results").mkdir(exist_ok=True)
    before = there(folder)
    update(folder, RESULT, name2="small", eval_results={**IDS, **fields})
    once = there(folder)
    update(folder, RESULT, name2="small", eval_results={**IDS, **fields})
    assert there(folder) == once
    return [name for name, text in sorted(once.items()) if before.get(name) != text]


def hle(more="", value=0.22, **dataset):
    ids = {"id": "org/imdb", "task_id": "default", **dataset}
    return f"- dataset: {ids}\n  value: {value}\n{more}"


def placed(folder, *texts):
    (folder / ".eval_results").mkdir()
    for name, text in zip("abc", texts, strict=False):
        (folder / ".eval_results" / f"{name}.yaml").write_text(text, "utf-8")


def test_the_hub_reads_it(folder):
    from huggingface_hub import parse_eval_result_entries

    assert updated(folder) == ["org-imdb--default.yaml"]
    (entry,) = parse_eval_result_entries(entries(folder))
    assert (entry.value, entry.source_url, entry.source_name) == (0.83, "https://u", NOTE)


def test_the_hub_takes_no_name_without_a_url(folder):
    message = "`eval_results`: p is written nowhere, .* without a url.* Add a 'source_url'"
    with pytest.warns(UserWarning, match=message):
        updated(folder, source_url=None)
    assert [*entries(folder)[0]] == ["dataset", "value"]


@pytest.mark.parametrize(
    ("texts", "fields", "wanted"),
    [
        ((hle(), hle(TAGGED)), {"notes": "with  TOOLS "}, "b.yaml"),
        ((hle(), hle(TAGGED)), {}, "a.yaml"),
        ((hle(TAGGED), hle()), {"notes": None}, "b.yaml"),
        ((hle(), hle(TAGGED)), {"notes": "without"}, "org-imdb--default--without.yaml"),
        ((hle(TAGGED, task_id="x"),), {}, "org-imdb--default.yaml"),
        ((hle(), hle(revision="r")), {"dataset_revision": "r"}, "b.yaml"),
        ((hle(revision="q"),), {"dataset_revision": "r"}, "a.yaml"),
        ((THERE,), {"value": np.float64(0.8), "notes": "no tools"}, "a.yaml"),
        ((hle(),), {"dataset_id": "../x"}, "-x--default.yaml"),  # no hidden file
    ],
)
def test_which_entry_is_meant(folder, texts, fields, wanted):
    placed(folder, *texts)
    assert updated(folder, **fields) == [wanted]


@pytest.mark.parametrize(
    ("there", "fields", "token", "date"),
    [
        (hle(SIGNED), {}, None, None),
        (hle(SIGNED, value=0.83), {}, "abc", "2026-01-01"),
        (hle(SIGNED), {"verify_token": "new"}, "new", None),
        (hle(SIGNED, value=0.83), {"date": "2026-11-21"}, "abc", "2026-11-21"),
        (hle(SIGNED, value=0.83), {"dataset_revision": "r"}, "abc", "2026-01-01"),
        (hle(SIGNED, value=0.83, revision="q"), {"dataset_revision": "r"}, None, None),
    ],
)
def test_token_and_date_go_with_the_value(folder, there, fields, token, date):
    placed(folder, there)
    updated(folder, **fields)
    (entry,) = entries(folder, "a.yaml")
    found = entry.get("verifyToken"), entry.get("date") and str(entry.get("date"))
    assert (entry["value"], *found) == (0.83, token, date)


def test_nothing_is_changed_if_one_file_cannot_be_written(folder, monkeypatch):
    def fail(source, target):
        raise PermissionError("no")

    monkeypatch.setattr(os, "replace", fail)
    refused(folder, "cannot be written: no. Nothing was changed", eval_results=IDS)
    assert [path.name for path in folder.iterdir()] == ["README.md"]


def test_hidden_files_are_no_entries(folder):
    """As macOS puts them beside each file on some disks."""
    placed(folder)
    (folder / ".eval_results" / "._a.yaml").write_bytes(b"\x00\x05\x16\x07\xff")
    update(folder, RESULT, name2="small", eval_results=IDS)
    assert entries(folder)[0]["source"]["name"] == NOTE


def test_long_notes(folder):
    """They are whole in the entry, and cut in the name of its file."""
    one, other = (f"{'x' * 400}{tail}" for tail in "ab")
    (name,) = updated(folder, notes=one)
    assert len(name) < 150
    assert entries(folder, name)[0]["notes"] == one
    message = "is there without an entry .*: rename it, or give other notes"
    refused(folder, message, eval_results={**IDS, "notes": other})


@on_posix
def test_no_regular_file(folder):
    os.mkfifo(folder / ".eval_results")
    message = (
        r"`eval_results`: '.*\.eval_results' is no folder: move it, or leave `eval_results` out"
    )
    refused(folder, message, eval_results=IDS)
    (folder / ".eval_results").unlink()
    placed(folder)
    os.mkfifo(folder / ".eval_results" / "other.yml")
    message = "`eval_results`: other.yml cannot be read: it is a pipe, no regular file: save"
    refused(folder, message, eval_results=IDS)


def test_an_old_huggingface_hub(folder, monkeypatch):
    import huggingface_hub

    monkeypatch.delitem(huggingface_hub.__dict__, "EvalResultEntry", raising=False)
    monkeypatch.setattr(huggingface_hub, "__getattr__", None.__getattribute__)
    refused(folder, "`eval_results` needs a newer huggingface_hub", eval_results=IDS)
