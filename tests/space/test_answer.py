"""Answers without a page: commands that repeat them, what is escaped; their words: `said.py`."""

import re
import shlex
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml
from answer import Asked, of_files
from limits import Upload
from page import answer_page, error_page, escaped
from pasted import of_columns

from extras import on_posix
from pairedperm import Budget
from pairedperm.__main__ import main
from space.uploads import HOSTILE, table

SPACE = Path(__file__).parents[2] / "metrics" / "paired_perm"


def repeated(command, capsys):
    """The p that the command prints."""
    words = shlex.split(command)
    assert words[0] == "pairedperm"
    assert main(words[1:]) == 0
    return re.search(r"\bp = ([\d.e-]+)", capsys.readouterr().out)[1]


@on_posix
@pytest.mark.parametrize("name", ["-b c.jsonl", "a.jsonl", f"{HOSTILE}'$x.jsonl"])
def test_the_command_repeats_it(folder, capsys, name):
    """Whatever the second file is called; of two with one name each is in a folder."""
    values = [1, 1, 1, 0, 1, 1, 1, 1], [0, 1, 0, 0, 0, 0, 0, 0]
    for place, column in zip(("A", "B"), values, strict=True):
        Path(place).mkdir()
        table(f"{place}/x.jsonl", "s", column)
    uploads = [Upload(f"{x}/x.jsonl", y) for x, y in zip("AB", ("a.jsonl", name), strict=True)]
    asked = Asked(columns=("id", "prediction", "reference", "s", "group"), better="lower")
    answer = of_files(*uploads, None, asked)
    places = ("A/a.jsonl", "B/a.jsonl") if name == "a.jsonl" else ("a.jsonl", name)
    for upload, place in zip(uploads, places, strict=True):
        Path(place).write_bytes(Path(upload.path).read_bytes())
    assert f"p = {repeated(answer.command, capsys)} " in answer.p


def test_the_command_has_the_options(folder, capsys):
    one = table("one.jsonl", "prediction", [*"yynynyyy"])
    two = table("two.jsonl", "prediction", [*"nnnyyyyn"])
    gold = table("gold.jsonl", "reference", [*"yynynyyy"])
    asked = Asked(metric="f1", average="binary", pos_label="y", name1="a b", is_dropped=True)
    answer = of_files(one, two, gold, asked)
    assert f"p = {repeated(answer.command, capsys)} " in answer.p


class Tags(HTMLParser):
    """The elements of a page, and whether each that is opened is closed."""

    def __init__(self, text):
        super().__init__()
        self.found, self.open, self.alts = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.add(tag)
        assert not any(name.startswith("on") for name, _ in attributes)
        if tag == "img":
            self.alts.append(dict(attributes)["alt"])
        else:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_all_that_came_is_escaped():
    name = f"{HOSTILE} ${{alert(1)}} {{{{constructor}}}} `x` **y** $z$"
    answer = of_columns("1\n" * 6, "0\n" * 6, "", Asked(name1=name, name2='"><script>'))
    page = answer_page(answer)
    tags = Tags(page)
    assert "script" not in tags.found
    assert not tags.open
    assert len(tags.alts) == 1
    assert not re.search(r"[{}`]|\$", page)
    assert escaped(name) in page
    assert Tags(error_page(name)).found == {"section", "h2", "p"}


def test_requirements():
    """A Space installs what the wheel beside it needs, as the package says."""
    tomllib = pytest.importorskip("tomllib", reason="Python before 3.11")
    with (SPACE.parents[1] / "pyproject.toml").open("rb") as opened:
        project = tomllib.load(opened)["project"]
    extras = project["optional-dependencies"]
    wanted = [x for x in project["dependencies"] if ";" not in x]
    wanted += [*extras["plot"], *extras["inspect"]]
    lines = (SPACE / "requirements.txt").read_text("utf-8").splitlines()
    assert [x for x in lines if not x.startswith("#")] == wanted


def test_card():
    """What the Hub asks of a Space's card."""
    _, block, _ = (SPACE / "README.md").read_text("utf-8").split("---\n", 2)
    found = yaml.safe_load(block)
    assert (found["sdk"], found["app_file"]) == ("gradio", "app.py")
    assert re.fullmatch(r"6\.\d+\.\d+", found["sdk_version"])
    assert len(found["short_description"]) <= 60
    assert {"evaluate", "comparison"} <= {*found["tags"]}


def test_what_the_budget_does_not_allow(monkeypatch):
    """It is sampled, and the page says so, with a picture of the samples.

    A picture that has too many points is left out.
    """
    columns = [*map("\n".join, ("abc" * 8, "aabbccab" * 3, "abcabcab" * 3))]
    asked = Asked(metric="f1", average="macro")
    answer = of_columns(*columns, asked)
    assert answer.result.pvalue_kind == "certified"
    monkeypatch.setattr("page.DRAWN", Budget(max_points=1, max_bytes=1))
    assert "too many points to draw" in answer_page(answer)
    monkeypatch.setattr("answer.BUDGET", Budget(max_points=1))
    answer = of_columns(*columns, asked)
    assert re.match(r"p = \S+ \(sampled: 99% interval \S+ to \S+, seed 0\)", answer.p)
    (found,) = [x for x in answer.checks if x.is_good is False]
    assert found.text.startswith("p is estimated from ")
    assert not re.search("`|rng|n_resamples|max_points|Raise", found.text)
    assert answer_page(answer).count("<img ") == 1
