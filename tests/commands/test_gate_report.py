"""The report of `pairedperm gate` as a file; ids of what is lost."""

import json
import shlex
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from commands.files import GATED, asked, run, write_table
from corpora.logs import GATE
from properties import one_in
from results.shown import references

METRICS = (
    *("accuracy", "f1 -o average=macro", "f1 -o pos_label=a", "matthews_correlation"),
    *("hamming_loss", "squad_exact_match", "squad_f1"),
)


def test_a_report(logs):
    """It is whole, and replaces another."""
    Path("report.md").write_text("before" * 1000, "utf-8")
    out = run(f"{GATED} --markdown report.md").out
    report = Path("report.md").read_text("utf-8")
    assert report.startswith("## Gate: score\n")
    assert "Lost: 8 (82, 83, 84, 85, 86, 87, 88, 89)." in report
    assert out.splitlines()[-1] in report


def test_a_report_beside_the_inputs(logs):
    """The name of a folder that another begins with is another; and twice is as once."""
    write_table("inputs/new", {"score": [1] * 100})
    Path("inputs2").mkdir()
    for _ in range(2):
        asked("gate inputs --baseline old.jsonl --markdown inputs2/report.md", "0 PASS")
    assert "Gained: 10 (" in Path("inputs2", "report.md").read_text("utf-8")


def rendered(path):
    """The text of Markdown of one heading, a table, a list and nothing else."""
    text = path.read_text("utf-8").replace("&#8203;", "")  # nobody sees it
    tokens = MarkdownIt().enable("table").parse(text)
    inline = [x for token in tokens for x in token.children or ()]
    assert {x.type for x in inline} <= {"text", "text_special", "strong_open", "strong_close"}
    assert sum(x.type == "heading_open" for x in tokens) == 1
    return "\n".join("".join(x.content for x in token.children or ()) for token in tokens)


# Names are text

NASTY = "a|b <b>x</b> `q` *x* [l](http://x) <img src=x> a_b &lt; 1\n# 2 @me/x#12"


def test_ids_and_metrics_are_text_in_the_report(here):
    ids = [f"{NASTY}\n# {k}" for k in range(6)]
    write_table("new", {"id": ids, NASTY: [0] * 6})
    write_table("old", {"id": ids, NASTY: [1] * 6})
    line = f"{GATED} --score {shlex.quote(NASTY)} --higher-is-better --markdown report.md"
    asked(line, "1 FAIL")
    assert references((here / "report.md").read_text("utf-8")) == []  # on GitHub
    shown = rendered(here / "report.md")
    assert f"The mean {' '.join(NASTY.split())} of" in shown
    assert f"Lost: 6 ({ids[0]!r}, " in shown


def named(run, model):
    """A copy of a run of the gate, of another model."""
    Path(run).mkdir()
    for path in (GATE / run).iterdir():
        content = path.read_text("utf-8")
        if path.suffix == ".json":
            content = json.dumps(json.loads(content) | {"model_name": model})
        Path(run, path.name).write_text(content, "utf-8")


def test_systems_are_text(here):
    """In the report, and in a leaderboard, where each is one line."""
    name = "<b>x</b> `q` *x*\n# lines\tone \x1b[31m"
    named("candidate", name)
    named("baseline", f"{name} old")
    line = "gate candidate --baseline baseline --metric=acc --markdown=report.md"
    one = " ".join(name.split()).replace("\x1b", "\\x1b")
    assert run(line).code == 0
    shown = rendered(here / "report.md")
    assert f"PASS: no significant loss of {one} against {one} old was found." in shown
    out = run("leaderboard candidate baseline --metric acc").out
    assert all(x.isprintable() for x in out.splitlines())
    assert f"\n{one} old " in out


# Gained and lost


@one_in(3)
@pytest.mark.parametrize("metric", METRICS)
def test_ids_are_as_many_as_flips(logs, found, metric):
    out = found(f"gate text1.jsonl --baseline text2.jsonl --metric {metric}")
    assert (len(out["gained"]), len(out["lost"])) == (out["n_wins"], out["n_losses"])
    gained = (3,) if "pos_label=a" in metric else (2, 3)  # the others are right of no label a
    gained = (2,) if metric == "squad_f1" else gained  # an article is no word, and none is 0
    assert out["gained"] == [k for k in range(20) if k % 5 in gained]
    assert out["lost"] == []


def test_flips_of_repeated_labels_have_no_ids(here, found):
    """An example is several rows: it is counted as a group."""
    ids = [k // 2 for k in range(12)]
    for name, answers in (("a", "ab" * 6), ("b", "aa" * 6)):
        columns = {"id": ids, "prediction": [*answers], "reference": ["a"] * 12}
        write_table(name, columns)
    out = found("gate a.jsonl --baseline b.jsonl --metric accuracy --repeats", code=1)
    assert (out["n_groups"], out["gained"], out["lost"]) == (6, None, None)
