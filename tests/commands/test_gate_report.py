"""The report of `pairedperm gate`: a file of Markdown, and the summary of a GitHub step."""

import itertools
import json
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from interpreter import CHECKOUT
from pairedperm.__main__ import main
from properties import one_in
from results.shown import references

RUNS = CHECKOUT / "examples" / "ci_gate"
OLD = ("gate", "new.jsonl", "--baseline", "old.jsonl")
CODES = {0: "PASS", 1: "FAIL", 3: "INCONCLUSIVE"}


def test_the_summary_of_github(logs, here, said, monkeypatch):
    """Two gates in one step are both there."""
    summary = here / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    out = said(*OLD)
    first = summary.read_text("utf-8")
    assert first.startswith(
        "## Gate: score\n\n**PASS**: no significant loss of new against old was found. This does "
    )
    said("gate", "low.jsonl", "--baseline", "old.jsonl", code=1)
    both = summary.read_text("utf-8")
    assert both.startswith(first)
    assert "**FAIL**: low is significantly worse than old." in both
    assert both.count("## Gate: score\n") == 2
    assert [*out.splitlines()][-1] in first


@pytest.mark.parametrize(("name", "code"), [("low", 1), ("new", 0)])
def test_a_summary_that_cannot_be_written(logs, here, capsys, monkeypatch, name, code):
    """The verdict stands."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here))
    assert main(["gate", f"{name}.jsonl", "--baseline", "old.jsonl"]) == code
    out, err = capsys.readouterr()
    assert out.startswith(CODES[code])
    assert err.startswith("warning: the report was not written to $GITHUB_STEP_SUMMARY: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("flags", [("--metric", "acc"), ("--metric=acc", "--margin=0.2")])
def test_the_summary_names_task_and_metric(here, said, monkeypatch, flags):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here / "summary.md"))
    said("gate", RUNS / "candidate", "--baseline", RUNS / "baseline", *flags)
    assert (here / "summary.md").read_text("utf-8").startswith("## Gate: tumors, acc\n\n**PASS**: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ("gate", "*new*.jsonl", "--baseline", "old.jsonl"),
        (*OLD, "--metric", "f1"),
        (*OLD, "--markdown", "."),
        (*OLD, "--nope"),
        (*OLD, "--alpha", "0.1", "--alpha", "0.2"),
        ("gate", "new.jsonl"),
        ("gate",),
    ],
    ids=" ".join,
)
def test_the_summary_of_an_error(logs, here, refused, monkeypatch, arguments):
    """It says that there is no verdict, why, and of which gate."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here / "summary.md"))
    message = refused(*arguments)
    heading, error, command = filter(None, rendered(here / "summary.md").split("\n"))
    assert heading == "Gate"
    assert error == f"ERROR: there is no verdict on the candidate. {message}"
    assert command.replace("'", "") == f"command: pairedperm {' '.join(arguments)}"


@pytest.mark.parametrize(
    "candidate",
    [
        ("none",),
        ("none", "http://x?key=secret"),
        ("zip://x::http://me:secret@127.0.0.1:9/x.zip?key=secret",),
        ("simplecache::http://127.0.0.1:9/x?key=a'secret",),
    ],
)
def test_keys_in_urls_are_in_no_summary(here, refused, monkeypatch, candidate):
    """Which may be shown in a pull request: of a log that cannot be read, and of a usage error."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here / "summary.md"))
    said = refused("gate", *candidate, "--baseline=http://127.0.0.1:9/y?key=secret")
    assert "secret" not in said
    text = (here / "summary.md").read_text("utf-8")
    assert "127.0.0.1:9/y" in text
    assert "secret" not in text


def test_only_a_gate_writes_a_summary(logs, here, refused, said, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here / "summary.md"))
    refused("compare", "none", "old.jsonl")
    refused("gates")
    said("gate", "--help")
    assert not (here / "summary.md").exists()


def test_a_summary_of_an_error_that_cannot_be_written(here, capsys, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here))
    assert main(["gate", "none", "--baseline", "old.jsonl"]) == 2
    error, warned = capsys.readouterr().err.splitlines()
    assert error.startswith("error: CANDIDATE: none cannot be read")
    assert warned.startswith("warning: the report was not written to $GITHUB_STEP_SUMMARY: ")


def test_a_report(logs, here, said, monkeypatch):
    """It is written whole, and replaces another."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here / "summary.md"))
    (here / "report.md").write_text("before" * 1000, "utf-8")
    said(*OLD, "--markdown", "report.md")
    report = (here / "report.md").read_text("utf-8")
    assert report + "\n" == (here / "summary.md").read_text("utf-8")
    said(*OLD, "--markdown", "report.md", "--json")
    assert (here / "report.md").read_text("utf-8") == report
    assert "- 100 examples matched by id\n" in report
    assert "- lost: 8 (82, 83, 84, 85, 86, 87, 88, 89)\n" in report


def test_a_report_beside_the_inputs(logs, here, write, said):
    """The name of a folder that another begins with is another; and twice is as once."""
    write("inputs/new.jsonl", score=[1] * 100)
    (here / "inputs2").mkdir()
    for _ in range(2):
        out = said(
            *("gate", "inputs", "--baseline", "old.jsonl"),
            *("--markdown", Path("inputs2", "report.md")),
        )
        assert "100 examples matched by id" in out
    assert "- gained: 10 (" in (here / "inputs2" / "report.md").read_text("utf-8")


NASTY = ("a|b", "<b>x</b>", "`q`", "*x*", "[l](http://x)", "<img src=x>", "a_b", "&lt;")


@pytest.mark.parametrize("name", NASTY)
def test_ids_and_metrics_are_text_in_the_report(here, write, said, name):
    ids = [f"{name}\n# {k}" for k in range(6)]
    write("new.jsonl", id=ids, **{name: [0] * 6})
    write("old.jsonl", id=ids, **{name: [1] * 6})
    said(*OLD, "--score", name, "--higher-is-better", "--markdown", "report.md", code=1)
    shown = rendered(here / "report.md")
    assert f"mean {name}" in shown
    assert f"lost: 6 ('{name}\\n# 0', " in shown


def rendered(path):
    """The text of Markdown of one heading, a table, a list and nothing else."""
    text = path.read_text("utf-8").replace("&#8203;", "")  # nobody sees it
    tokens = MarkdownIt().enable("table").parse(text)
    inline = [x for token in tokens for x in token.children or ()]
    assert {x.type for x in inline} <= {"text", "text_special", "strong_open", "strong_close"}
    assert sum(x.type == "heading_open" for x in tokens) == 1
    return "\n".join("".join(x.content for x in token.children or ()) for token in tokens)


SIMILAR = [pytest.param(x, marks=pytest.mark.thorough) for x in ("*x*", "<img src=x>")]


@one_in(5)
@pytest.mark.parametrize("name", [*NASTY[:3], NASTY[4], *SIMILAR, "two\n# lines", "\x1b[31mred"])
def test_systems_are_text_in_the_report(here, said, name):
    for run, model in (("candidate", name), ("baseline", f"{name} old")):
        (here / run).mkdir()
        for path in (RUNS / run).iterdir():
            text = path.read_text("utf-8")
            if path.suffix == ".json":
                text = json.dumps(json.loads(text) | {"model_name": model})
            (here / run / path.name).write_text(text, "utf-8")
    said("gate", "candidate", "--baseline", "baseline", "--metric=acc", "--markdown=report.md")
    one = " ".join(name.split()).replace("\x1b", "\\x1b")
    verdict = f"PASS: no significant loss of {one} against {one} old was found."
    assert verdict in rendered(here / "report.md")


def test_a_metric_of_two_lines_is_one_line(here, write, said):
    write("new.jsonl", **{"one\n# two": [0] * 6})
    write("old.jsonl", **{"one\n# two": [1] * 6})
    said(*OLD, "--score", "one\n# two", "--higher-is-better", "--markdown", "report.md", code=1)
    assert "mean one # two" in rendered(here / "report.md")


@pytest.fixture
def notifying(here):
    """Logs of two systems on two tasks, whose names refer to people and to issues."""
    for run, model in (("candidate", "@cf/meta/llama-3-8b"), ("worse", "astropy/astropy#12907")):
        (here / run).mkdir()
        for path, k in itertools.product((RUNS / run).iterdir(), "12"):
            text = path.read_text("utf-8").replace("tumors", f"@task#{k}").replace('"acc', '"@acc#')
            if path.suffix == ".json":
                text = json.dumps(json.loads(text) | {"model_name": model})
            name = path.name.replace("tumors", f"@task#{k}").replace(".json", f"{k}.json")
            (here / run / name).write_text(text, "utf-8")


@pytest.mark.parametrize(
    "arguments",
    [
        ("gate", "candidate", "--baseline=worse", "--task=@task#1"),
        ("gate", "candidate", "--baseline=worse"),
        ("gate", "@candidate#1", "--baseline=https://github.com/a/b/issues/1"),
        ("compare", "candidate", "worse", "--markdown"),
        ("compare", "candidate", "worse", "--markdown", "--task=@task#1", "--dataset=@data#1"),
        ("suite", "candidate", "worse", "--markdown"),
        ("leaderboard", ".", "--markdown"),
    ],
    ids=" ".join,
)
def test_no_name_refers_to_anyone(notifying, here, capsys, monkeypatch, arguments):
    """A comment on GitHub would tell the people and the issues of these names."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here / "summary.md"))
    main([*arguments, "--metric=@acc#", "--higher-is-better"])
    summary, out = here / "summary.md", capsys.readouterr().out
    text = summary.read_text("utf-8") if summary.exists() else out
    assert "@&#8203;" in text
    assert references(text) == []


def test_ids_refer_to_nobody(here, write, said):
    ids = ["@cf", "GH-1", "astropy/astropy#12907", "https://github.com/a/b/issues/1", "pass@1", "a"]
    write("new.jsonl", id=ids, score=[0] * 5 + [1])
    write("old.jsonl", id=ids, score=[1] * 6)
    said(*OLD, "--markdown", "report.md")
    text = (here / "report.md").read_text("utf-8")
    assert "'pass@1'" in text
    assert references(text) == []
    assert f"lost: 5 ({', '.join(map(repr, ids[:5]))})" in rendered(here / "report.md")
