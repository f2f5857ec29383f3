"""Answers without a page: what is printed, how much is read, and work that does not end."""

import gzip
import importlib
import os
import re
import subprocess
import sys
import time
from operator import attrgetter
from pathlib import Path

import pytest
import worker

from extras import needs, on_posix
from interpreter import CHECKOUT
from pairedperm import BudgetError, InputError
from pairedperm.model_card import significance_section
from pairedperm.readers import read_runs
from readers.held import HELD, rows
from refusals import refuses
from space.uploads import HOSTILE, answered, asked, table

GUIDE = CHECKOUT / "examples" / "guide" / "hugging_face.md"
EXAMPLES = CHECKOUT / "metrics" / "paired_perm" / "examples"
TABLE = [
    line.strip("|").split("|")
    for line in GUIDE.read_text("utf-8").splitlines()
    if re.match(r"\|.*\| `[\w.]+` \|$", line)
]
UNITS = {"": 1, "MB": 2**20, "GB": 2**30, "minutes": 60, "seconds": 1}
YES, NO = "yes\nyes\nyes\nno\n", "no\r\nno\r\nno\r\nno"


def test_what_the_package_prints(folder):
    """Of files, with the section and two pictures; a warning is the last line."""
    one, two = (EXAMPLES / f"{x}.csv" for x in ("logistic_regression", "decision_tree"))
    found = answered([str(one)], [str(two)])
    runs = read_runs(one, two)
    result = runs.compare(rng=0)
    said = result.told([*runs.systems]).sentences
    assert found["text"] == "\n".join([str(runs), *said])
    names = {"name1": "logistic_regression", "name2": "decision_tree"}
    assert found["section"] == significance_section(result, **names)
    for picture in ("null.png", "interval.png"):
        assert Path(picture).read_bytes().startswith(b"\x89PNG")
    constant = answered("3\n" * 9, "1\n" * 9, lower_is_better="True")
    assert constant["text"].splitlines()[-1].startswith("p tests symmetry about 1, not the mean")


@pytest.fixture
def without_pictures(monkeypatch):
    """Those take most of the time."""

    def nothing(*_, **__):
        raise BudgetError("too large")

    for name in ("plot_null_distribution", "plot_leaderboard"):
        monkeypatch.setattr(worker, name, nothing)


@pytest.mark.parametrize(
    ("boxes", "options", "told"),
    [
        ((YES, NO, YES), {}, ": 100.0% against 25.0%."),
        (
            (YES, NO, YES),
            {"metric": "f1", "pos_label": "yes"},
            "The F1 for label 'yes' of A does not",
        ),
        (
            (YES, NO, YES),
            {"metric": "f1", "average": "macro"},
            ": 100.0% against 20.0%.",
        ),
        (('"\n,\n"a"', '"\n,\na', '"\n,\n"a"'), {}, ": 100.0% against 66.7%."),
        (("0.25\n0.5\n0.75", "0\n0\n0\n"), {}, ": 0.50 against 0.00."),
        ((f"{YES}no", NO, YES), {"on_missing": "drop"}, "4 examples matched by id"),
    ],
)
def test_lines(folder, without_pictures, boxes, options, told):
    """Quotes, commas and either end of a line; numbers of lines are the ids."""
    assert told in " ".join(answered(*boxes, **options)["text"].split())


@pytest.mark.parametrize("name", ["lm_eval", "harbor", "swe_bench, instances"])
def test_files_of_a_run(tmp_path, folder, without_pictures, name):
    """All go into one box: a file, or several, of which some have one name."""
    held = HELD[name]
    boxes = []
    for system, scores in (("a", (1, 0, 1, 1, 0)), ("b", (0, 0, 1, 0, 0))):
        path = held.written(tmp_path / "logs" / system, rows(*scores))
        files = sorted(x for x in path.rglob("*") if x.is_file()) if path.is_dir() else [path]
        boxes.append([*map(str, files)])
    said = answered(*boxes, metric=held.metric)["text"].split()
    assert re.search(r" gives p = 0\.5 ", " ".join(said))


@refuses
def test_refusals():
    answered("a\nb", "a\nc")
    # -> A: A.csv has the score 'a' … for id '1', but a score is a number
    answered(f"{YES}no", NO, YES)
    # -> 1 not in B.csv: '5'
    answered([table("a.jsonl", "s", [1], t=[0])], [table("b.jsonl", "s", [1])], score="u")
    # -> A: A/a.jsonl has no column 'u' … 's'
    answered([table(f"{HOSTILE}.txt", "s", [1])], [table("b.jsonl", "s", [1])])
    # -> A: 'A/<img src=x onerror=alert(1)>.txt' is of no known format


@pytest.mark.parametrize("name", ["x.jsonl", "x.eval", "x.parquet"])
def test_what_is_compressed(folder, monkeypatch, name):
    """1 MB in 1 KB, whatever its name says."""
    if name == "x.eval":
        needs("inspect_ai", "inspect")
    monkeypatch.setattr(worker, "MAX_EXPANDED", 2**19)
    path = Path(name).absolute()
    path.write_bytes(gzip.compress(bytes(2**20)))
    with pytest.raises(InputError, match=r"A/x.* would take more than 524,288 bytes"):
        answered([str(path)], [str(path)])


def test_what_the_budget_does_not_allow(folder, monkeypatch):
    """It is sampled, and the page says so; a picture of too many points is left out."""
    boxes = [*map("\n".join, ("abc" * 8, "aabbccab" * 3, "abcabcab" * 3))]
    monkeypatch.setattr(worker, "MAX_DRAWN", 1)
    assert "p is estimated" not in answered(*boxes, metric="f1", average="macro")["text"]
    assert not Path("null.png").exists()
    monkeypatch.setattr(worker, "MAX_POINTS", 1)
    assert "p is estimated" in answered(*boxes, metric="f1", average="macro")["text"]


@pytest.fixture
def running(monkeypatch):
    """Runs a code in the place of the other process."""

    def run(code, **limits):
        for name, value in limits.items():
            monkeypatch.setattr(worker, name, value)
        monkeypatch.setattr(worker, "idle", [])
        own = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", code]
        monkeypatch.setattr(
            worker,
            "started",
            lambda: subprocess.Popen(command, stdin=subprocess.PIPE, encoding="utf-8", env=own),
        )
        found = worker.ask(asked(YES, NO, YES))
        (idle,) = worker.idle  # the next answer's
        idle.kill()
        idle.communicate()
        return found

    return run


def test_in_another_process(running):
    found = running("import worker; worker.main()")
    assert found["text"].startswith("A, B\n4 examples")
    assert found["null"].startswith(b"\x89PNG")


def test_what_does_not_end(running):
    """The process is ended, and another one is ready."""
    start = time.monotonic()
    assert running("while True: pass", DEADLINE=1)["text"].startswith("The answer takes more than")
    assert time.monotonic() - start < 30


@on_posix
@pytest.mark.parametrize(
    "code",
    [
        "raise SystemExit(3)",
        "import worker; worker.MAX_MEMORY = 2**27\n"
        "worker.answer = lambda _: {'text': 'x' * 2**28}; worker.main()",
    ],
)
def test_what_breaks(running, code):
    assert running(code)["text"].startswith("The comparison ended without an answer")


def test_before_anything_is_computed(folder, monkeypatch):
    monkeypatch.setattr(worker, "started", None)
    assert worker.ask(asked(" \n", NO))["text"] == "A is missing."
    assert worker.ask(asked(YES, None))["text"] == "B is missing."
    gone = worker.ask(asked([str(GUIDE)], [f"{GUIDE}x"], None))
    assert gone["text"] == "B is missing: uploads are kept for 10 minutes."
    long = worker.ask(asked(YES, "0" * (worker.MAX_PASTED + 1)))
    assert long["text"] == "B has more than 1,048,576 characters: upload files."


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[2].strip(" `"))
def test_the_guide_says_what_the_code_holds(row):
    """1 GB is 2^30 bytes, also where Python counts characters."""
    number, _, unit = row[1].strip().partition(" ")
    module, name = re.fullmatch(r" `([a-z_.]+)\.([A-Z].+)` ", row[2]).groups()
    place = module if module == "worker" else f"pairedperm.{module}"
    held = attrgetter(name)(importlib.import_module(place))
    assert int(number.replace(",", "")) * UNITS[unit] == held
