"""The entries of .eval_results: one gets the note."""

import os

import numpy as np
import pytest
import yaml

from corpora.cards import RESULT, refused
from extras import on_posix
from pairedperm.model_card import update

URL = "https://example.org"
IDS = {"dataset_id": "org/imdb", "task_id": "default", "value": 0.83, "source_url": URL}
NOTE = "[paired_perm: p = 0.25 against small on dev, n = 6]"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "README.md").write_text("# A\n", "utf-8")
    return tmp_path


def entries(folder, name="org-imdb--default.yaml"):
    return yaml.safe_load((folder / ".eval_results" / name).read_text("utf-8"))


def updated(folder, result=RESULT, name2="small", **fields):
    update(folder, result, name2=name2, dataset="dev", eval_results={**IDS, **fields})


def test_a_new_entry(folder):
    from huggingface_hub import parse_eval_result_entries

    updated(folder)
    expected = {"dataset": {"id": "org/imdb", "task_id": "default"}, "value": 0.83}
    assert entries(folder) == [{**expected, "source": {"url": URL, "name": NOTE}}]
    (entry,) = parse_eval_result_entries(entries(folder))
    assert (entry.value, entry.source_url, entry.source_name) == (0.83, URL, NOTE)
    content = (folder / ".eval_results" / "org-imdb--default.yaml").read_bytes()
    updated(folder)
    assert (folder / ".eval_results" / "org-imdb--default.yaml").read_bytes() == content


def test_fields_of_a_new_entry(folder):
    """The notes are a tag, also in the name of the file."""
    updated(folder, value=83.3, date="2026-11-21", source_name="Logs", notes=" no tools")
    assert entries(folder, "org-imdb--default--no-tools.yaml") == [
        {
            "dataset": {"id": "org/imdb", "task_id": "default"},
            "value": 83.3,
            "date": "2026-11-21",
            "source": {"url": URL, "name": f"Logs; {NOTE}"},
            "notes": "no tools",
        }
    ]


def test_the_hub_takes_no_name_without_a_url(folder):
    message = "`eval_results`: p is written nowhere, .* without a url.* Add a 'source_url'"
    with pytest.warns(UserWarning, match=message):
        updated(folder, source_url=None)
    assert [*entries(folder)[0]] == ["dataset", "value"]


THERE = """\
# ours
- dataset: {id: org/other, task_id: default}
  value: 3 # by hand
- dataset:
    id: "org/imdb"
    task_id: default
  value: 0.9
  source:
    url: https://example.org  # logs
    name: 'Logs'
  notes: 'no tools'  # so far
"""


def test_an_entry_that_is_there(folder):
    """Another file: its other bytes stay, and our note is replaced."""
    (folder / ".eval_results").mkdir()
    path = folder / ".eval_results" / "results.yaml"
    path.write_text(THERE, "utf-8")
    for result, name2 in ((RESULT, "tiny [x]"), (RESULT, "small")):
        updated(folder, result, name2, value=np.float64(0.8), notes="no tools")
        text = path.read_text("utf-8")
        assert text.startswith(THERE.partition("    name")[0].replace("0.9", "0.8"))
        assert text.endswith("  notes: 'no tools'  # so far\n")
        note = NOTE.replace("small", name2.replace("[", "(").replace("]", ")"))
        assert entries(folder, path.name)[1]["source"]["name"] == f"Logs; {note}"
    assert [x.name for x in path.parent.iterdir()] == ["results.yaml"]


def test_other_fields_stay(folder):
    (folder / ".eval_results").mkdir()
    path = folder / ".eval_results" / "a.yml"
    path.write_text(
        "- dataset: {id: org/imdb, task_id: default, revision: old}  # pinned\n"
        "  value: 1\n"
        "  source:\n"
        "    url: https://u  # ours\n"
        "    user: N\n",
        "utf-8",
    )
    updated(folder, dataset_revision="new", source_url="https://v")
    (entry,) = entries(folder, "a.yml")
    assert entry["dataset"]["revision"] == "new"
    assert entry["source"] == {"url": "https://v", "user": "N", "name": NOTE}
    assert "# pinned" in path.read_text("utf-8")
    assert "# ours" in path.read_text("utf-8")


def test_another_task_of_the_dataset(folder):
    """Another file: what is there stays as it is laid out."""
    updated(folder)
    content = (folder / ".eval_results" / "org-imdb--default.yaml").read_bytes()
    updated(folder, task_id="hard / er")
    assert entries(folder, "org-imdb--hard-er.yaml")[0]["dataset"]["task_id"] == "hard / er"
    assert (folder / ".eval_results" / "org-imdb--default.yaml").read_bytes() == content


def test_our_words_in_a_name_are_replaced_where_they_stand(folder):
    updated(folder, source_name="a [paired_perm: old.] b")
    assert entries(folder)[0]["source"]["name"] == f"a {NOTE} b"


def test_nothing_is_changed_if_one_file_cannot_be_written(folder, monkeypatch):
    import os

    def fail(source, target):
        raise PermissionError("no")

    monkeypatch.setattr(os, "replace", fail)
    refused(folder, "cannot be written: no. Nothing was changed", eval_results=IDS)
    assert [path.name for path in folder.iterdir()] == ["README.md"]


def test_hidden_files_are_no_entries(folder):
    """As macOS puts them beside each file on some disks."""
    (folder / ".eval_results").mkdir()
    (folder / ".eval_results" / "._a.yaml").write_bytes(b"\x00\x05\x16\x07\xff")
    updated(folder)
    assert entries(folder)[0]["source"]["name"] == NOTE
    for _ in range(2):
        updated(folder, dataset_id="../x")  # what is written is no hidden file
    assert entries(folder, "-x--default.yaml")[0]["dataset"]["id"] == "../x"


def test_long_notes(folder):
    """They are whole in the entry, and cut in the name of its file."""
    notes = [f"{'x' * 400}{tail}" for tail in "ab"]
    updated(folder, notes=notes[0])
    (path,) = (folder / ".eval_results").iterdir()
    assert len(path.name) < 150
    content = path.read_bytes()
    assert entries(folder, path.name)[0]["notes"] == notes[0]
    updated(folder, notes=notes[0])
    assert path.read_bytes() == content
    refused(
        folder,
        "is there without an entry .*: rename it, or give other notes",
        eval_results={**IDS, "notes": notes[1]},
    )
    path.rename(path.with_name("a.yaml"))
    updated(folder, notes=notes[1])
    assert len([*path.parent.iterdir()]) == 2


@on_posix
def test_no_regular_file(folder):
    os.mkfifo(folder / ".eval_results")
    message = (
        r"`eval_results`: '.*\.eval_results' is no folder: move it, or leave `eval_results` out"
    )
    refused(folder, message, eval_results=IDS)
    (folder / ".eval_results").unlink()
    (folder / ".eval_results").mkdir()
    os.mkfifo(folder / ".eval_results" / "other.yml")
    message = "`eval_results`: other.yml cannot be read: it is a pipe, no regular file: save"
    refused(folder, message, eval_results=IDS)


def test_an_old_huggingface_hub(folder, monkeypatch):
    import huggingface_hub

    monkeypatch.delitem(huggingface_hub.__dict__, "EvalResultEntry", raising=False)
    monkeypatch.setattr(huggingface_hub, "__getattr__", None.__getattribute__)
    refused(folder, "`eval_results` needs a newer huggingface_hub", eval_results=IDS)
