"""What every command writes: JSON that all readers take, and files that are never half there."""

import math
import os
import re

import pytest

from corpora.logs import LOGS
from extras import on_posix
from interpreter import CHECKOUT
from pairedperm import InputError
from pairedperm.__main__ import main
from pairedperm.commands.output import as_json, as_list, write_text


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_json_has_no_other_numbers(number):
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_json({"p": number})


def test_a_list():
    assert as_list(["*a*", "<b>"]) == "- \\*a\\*\n- &lt;b>"
    assert as_list([]) == ""


def test_lone_surrogates_are_no_characters(here):
    write_text(here / "report.md", "a\ud800b")
    assert (here / "report.md").read_bytes() == b"a?b"


# Of every command

OUTPUTS = [
    ("gate new.jsonl --baseline old.jsonl", 0),
    ("gate low.jsonl --baseline old.jsonl", 1),
    ("compare new.jsonl old.jsonl --json", 0),
    ("bounds 396 378 --n 500", 0),
]


@pytest.mark.parametrize(("line", "code"), OUTPUTS)
def test_what_would_be_printed(logs, here, said, line, code):
    """It is written, or nobody reads it; the code is the same."""
    printed = said(*line.split(), code=code)
    assert said(*line.split(), "--output", "out.txt", code=code) == ""
    assert (here / "out.txt").read_text("utf-8") == printed
    for flag in ("-q", "--quiet"):
        assert said(*line.split(), flag, code=code) == ""


def test_quiet_is_without_warnings(logs, said, capsys):
    same = ("compare", "old.jsonl", "old.jsonl")
    said(*same, err="warning: A and B are one file: a system is compared with itself.\n")
    assert said(*same, "-q") == ""
    assert said("compare", "none", "old.jsonl", "-q", code=2, err=NONE) == ""
    said(*same, err="warning: A and B are one file: a system is compared with itself.\n")


NONE = "error: A: none cannot be read: No such file or directory. Give the path of a log.\n"


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("old.jsonl", "old.jsonl is an input, or in an input folder. Name another file."),
        (".", ". is a folder: name a file to write."),
        ("none/out.txt/x", "none/out.txt/x cannot be written: "),
    ],
)
def test_where_no_output_is_written(logs, refusal_names, place, message):
    for line in (OUTPUTS[0][0], "leaderboard new.jsonl old.jsonl"):
        refusal_names((*line.split(), "--output", place), message)


def test_an_output_beside_others(logs, here, said, refusal_names):
    """Of two files that are written none replaces the other."""
    line = ("compare", "text1.jsonl", "text2.jsonl", "--counts", "c.json", "--output")
    refusal_names((*line, "c.json"), "c.json is an input, or in an input folder. Name another")
    assert said(*line, "out.txt") == ""
    assert (here / "out.txt").exists()
    assert (here / "c.json").exists()


@on_posix
def test_through_a_link(here):
    """An input stays one by another name; another file is replaced where it is."""
    (here / "log").write_text("log", "utf-8")
    (here / "other").write_text("before", "utf-8")
    for name, target in (("a", "log"), ("b", "other")):
        (here / name).symlink_to(here / target)
    with pytest.raises(InputError, match=r"a is an input, or in an input folder\. Name another"):
        write_text(here / "a", "report", (str(here / "log"),))
    write_text(here / "b", "report", (str(here / "log"),))
    assert ((here / "log").read_text(), (here / "other").read_text()) == ("log", "report")
    assert (here / "b").is_symlink()


@on_posix
def test_nothing_is_left_where_it_cannot_be_written(here):
    (here / "file").write_text("file", "utf-8")
    with pytest.raises(InputError, match=r"report\.md cannot be written: Not a directory\."):
        write_text(here / "file" / "report.md", "report")
    assert [x.name for x in here.iterdir()] == ["file"]


GUIDE = (CHECKOUT / "examples" / "guide" / "results.md").read_text("utf-8")
TESTS, COMMANDS = "# The keys of a result", "## The JSON of the commands"
PAIR = ("one1.jsonl", "one2.jsonl")
TWO = ("two1.jsonl", "two2.jsonl", "--score", "acc", "--score", "loss")
OF = (LOGS / "lm_eval" / f"scikit-learn__{x}" for x in ("logistic_regression", "naive_bayes"))
TASKS = (*OF, "--metric", "acc", "--metric", "exact_match,strict-match")
PRINTED = {  # runs of each command that together print every key
    "compare": (PAIR, TWO),
    "bootstrap": (("two1.jsonl", "two2.jsonl", "--score", "acc"), TWO),
    "leaderboard": (PAIR, (*TASKS, "--weights", "equal")),
    "gate": (
        ("new.jsonl", "--baseline", "old.jsonl"),
        ("new.jsonl", "--baseline", "old.jsonl", "--margin", "0.2", "-o", "score_range=[0,1]"),
        (TASKS[0], "--baseline", *TASKS[1:], "--task-margin", "0.9"),
    ),
    "suite": (TASKS,),
    "power": (("new.jsonl", "old.jsonl"), ("--wins", "0.06", "--losses", "0.03", "-n", "100")),
    "bounds": (("17", "14", "--n", "20"),),
}


def rows(heading):
    """The cells of a table of the guide, without its header."""
    table = GUIDE.partition(f"{heading}\n")[2].partition("\n## ")[0]
    lines = [x.strip("|").split(" | ") for x in table.splitlines() if x.startswith("| ")]
    return lines[1:]


def words(cell):
    """What a cell has in backticks."""
    return {*re.findall(r"`(\w+)`", cell)}


def keys(found):
    """All keys of what was printed, but those of a metric's options."""
    if isinstance(found, list):
        return {key for each in found for key in keys(each)}
    if not isinstance(found, dict):
        return set()
    inner = (keys(x) for key, x in found.items() if key != "metric_options")
    return {*found}.union(*inner)


@pytest.mark.parametrize("command", PRINTED)
def test_the_guide_has_every_key_of_a_command(logs, found, command):
    printed = {key for arguments in PRINTED[command] for key in keys(found(command, *arguments))}
    cells = [cells for cells in rows(COMMANDS) if command in words(cells[0])]
    listed = {key for _, key, _ in cells for key in words(key)}
    assert {command for cells in rows(COMMANDS) for command in words(cells[0])} == {*PRINTED}
    if "the keys above" not in [cell for _, cell, _ in cells]:
        assert printed == listed
        return
    of_tests = {key for cells in rows(TESTS) for key in words(cells[0])}
    assert listed <= printed <= listed | of_tests
    of_bootstrap = {key for x in rows(TESTS) if "bootstrap only" in x[2] for key in words(x[0])}
    assert len(of_bootstrap) == 6
    if command in ("compare", "bootstrap"):
        left_out = {"stat_interval"} if command == "bootstrap" else of_bootstrap
        assert of_tests - left_out <= printed


def test_quiet_has_no_bars(logs, said, monkeypatch, terminal, capsys):
    monkeypatch.setattr("pairedperm.results.sampled.PATIENCE", 0.0)
    command = ["compare", "text1.jsonl", "text2.jsonl", "--method", "monte_carlo"]
    said(*command, "-q")
    main(command)
    assert "Sampling" in capsys.readouterr().err


@on_posix
@pytest.mark.parametrize("flag", ["--output", "--counts", "--card"])
def test_what_is_no_file_to_write(logs, here, refused, flag):
    """A pipe was waited for, and a device replaced."""
    os.mkfifo(here / "pipe")
    said = refused("compare", "new.jsonl", "old.jsonl", flag, "pipe")
    assert "is a pipe, no regular file" in said
    assert (here / "pipe").is_fifo()


@on_posix
def test_a_card_that_is_a_link_to_itself(logs, here, refused):
    (here / "loop").symlink_to("loop")
    said = refused("compare", "new.jsonl", "old.jsonl", "--card", "loop")
    assert "'loop', cannot be read: " in said
