"""Which entry of .eval_results an update means, and what goes with its value."""

import pytest
import yaml

from corpora.cards import RESULT
from pairedperm.model_card import update

IDS = {"dataset_id": "org/imdb", "task_id": "default", "value": 0.83, "source_url": "https://u"}
TAGGED = "  notes: With tools\n"
SIGNED = "  verifyToken: abc\n  date: 2026-01-01\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "README.md").write_text("# A\n", "utf-8")
    return tmp_path


def entries(folder, name):
    return yaml.safe_load((folder / ".eval_results" / name).read_text("utf-8"))


def updated(folder, **fields):
    update(folder, RESULT, name2="small", eval_results=IDS | fields)


def hle(more="", value=0.22, **dataset):
    ids = {"id": "org/imdb", "task_id": "default", **dataset}
    return f"- dataset: {ids}\n  value: {value}\n{more}"


def placed(folder, *texts):
    (folder / ".eval_results").mkdir()
    for name, text in zip("abc", texts, strict=False):
        (folder / ".eval_results" / f"{name}.yaml").write_text(text, "utf-8")


def changed(folder, **fields):
    """The names of the files that are new or other than before."""

    def there():
        return {x.name: x.read_text("utf-8") for x in (folder / ".eval_results").iterdir()}

    before = there()
    updated(folder, **fields)
    return [name for name, text in sorted(there().items()) if before.get(name) != text]


@pytest.mark.parametrize(
    ("texts", "fields", "wanted"),
    [
        ((hle(), hle(TAGGED)), {"notes": "With tools"}, "b.yaml"),
        ((hle(), hle(TAGGED)), {"notes": "with  TOOLS "}, "b.yaml"),
        ((hle(), hle(TAGGED)), {}, "a.yaml"),
        ((hle(TAGGED), hle()), {"notes": None}, "b.yaml"),
        ((hle(), hle(TAGGED)), {"notes": "without"}, "org-imdb--default--without.yaml"),
        ((hle(TAGGED),), {"notes": ""}, "org-imdb--default.yaml"),
        ((hle(TAGGED, task_id="x"),), {}, "org-imdb--default.yaml"),
        ((hle() + hle(TAGGED), hle(task_id="x")), {"notes": "With tools"}, "a.yaml"),
        ((hle(), hle(revision="r")), {"dataset_revision": "r"}, "b.yaml"),
        ((hle(revision="q"), hle()), {}, "b.yaml"),
        ((hle(revision="q"),), {"dataset_revision": "r"}, "a.yaml"),
    ],
)
def test_variants_are_told_apart_by_notes(folder, texts, fields, wanted):
    placed(folder, *texts)
    assert changed(folder, **fields) == [wanted]
    assert changed(folder, **fields) == []


@pytest.mark.parametrize(
    ("there", "fields", "token", "date"),
    [
        (hle(SIGNED), {}, None, None),
        (hle(SIGNED, value=0.83), {}, "abc", "2026-01-01"),
        (hle(SIGNED, value="'0.83'"), {}, None, None),
        (hle(SIGNED), {"date": "2026-11-21"}, None, "2026-11-21"),
        (hle(SIGNED), {"verify_token": "new"}, "new", None),
        (hle(SIGNED, value=0.83), {"date": "2026-11-21"}, "abc", "2026-11-21"),
        (hle(SIGNED, value=0.83), {"dataset_revision": "r"}, "abc", "2026-01-01"),
        (hle(SIGNED, value=0.83, revision="q"), {"dataset_revision": "r"}, None, None),
        (hle(SIGNED, value=0.83, revision="q"), {}, "abc", "2026-01-01"),
    ],
)
def test_token_and_date_go_with_the_value(folder, there, fields, token, date):
    placed(folder, there)
    updated(folder, **fields)
    (entry,) = entries(folder, "a.yaml")
    found = entry.get("verifyToken"), entry.get("date") and str(entry.get("date"))
    assert (entry["value"], *found) == (0.83, token, date)


@pytest.mark.parametrize("source", ["text", "[x]", "{url: }", "~"])
def test_sources_that_are_none(folder, source):
    placed(folder, hle(f"  source: {source}\n"))
    updated(folder, source_url="https://u")
    found = {"url": "https://u", "name": "[paired_perm: p = 0.25 against small, n = 6]"}
    assert entries(folder, "a.yaml")[0]["source"] == found
