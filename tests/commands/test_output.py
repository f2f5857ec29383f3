"""What commands write: JSON that all readers take, files that are never half there, cards."""

import errno
import json
import os
import re
from pathlib import Path

import pytest

from commands.files import BOTH, LR_NB, TABLES, TEXTS, TWO, asked, run, write_table
from commands.said import in_shell, made
from extras import on_posix
from interpreter import CHECKOUT
from pairedperm import InputError, PairedCounts, compare, paired_counts, paired_permutation_test
from pairedperm.commands.output import write_text

COUNTED = f"{TEXTS} --counts counts.json"


def test_lone_surrogates_are_no_characters(here):
    write_text(here / "report.md", "a\ud800b")
    assert (here / "report.md").read_bytes() == b"a?b"


# Places


def there():
    return {str(x): x.is_file() and x.read_bytes() for x in Path().rglob("*")}


def test_a_card_in_the_folder_of_its_logs(logs, here):
    """It is no input; twice changes nothing, and `--json` writes it too."""
    (here / "model").mkdir()
    (here / "text1.jsonl").rename(here / "model" / "text1.jsonl")
    card = here / "model" / "README.md"
    card.write_text("# A model\n\nText.\n", "utf-8")
    line = "compare model text2.jsonl --name large --name text2 --card"
    asked(f"{line} model", "0 of large is significantly higher than that of text2")
    once = card.read_text("utf-8")
    assert "The accuracy of large is significantly higher than that of text2: " in once
    assert run(f"{line} model/README.md --json").code == 0
    assert card.read_text("utf-8") == once


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
@pytest.mark.parametrize("flag", ["--output", "--counts", "--card"])
def test_what_is_no_file_to_write(logs, here, flag):
    """A pipe was waited for, and a device replaced."""
    os.mkfifo(here / "pipe")
    asked(f"{TEXTS} {flag} pipe", "2 error: … is a pipe, a socket or a device")
    assert (here / "pipe").is_fifo()
    (here / "loop").symlink_to("loop")
    if flag == "--card":
        asked(f"{TEXTS} --card loop", "2 error: … 'loop', cannot be updated: ")


@pytest.mark.parametrize("is_there", [True, False])
def test_what_cannot_be_replaced_stays(logs, monkeypatch, is_there):
    """Nor is there a half of it."""
    if is_there:
        Path("counts.json").write_text("{}", "utf-8")
    before = there()

    def closed(*_):
        raise PermissionError(errno.EACCES, "Permission denied", "counts.json")

    monkeypatch.setattr(os, "replace", closed)
    asked(
        COUNTED,
        "2 error: counts.json cannot be written: Permission denied. Name another file.",
    )
    assert there() == before


# Counts


def stored():
    return json.loads(Path("counts.json").read_text("utf-8"), parse_constant=pytest.fail)


def recomputed(**options):
    """The test of the counts, as anyone can make it who has the file."""
    return paired_permutation_test(PairedCounts.from_json(json.dumps(stored())), **options)


@pytest.mark.parametrize(
    ("flags", "metric", "options"),
    [
        ("", "accuracy", {}),
        ("--metric f1 -o pos_label=a --alternative less", "f1", {"pos_label": "a"}),
    ],
)
def test_counts_are_those_of_python(logs, flags, metric, options):
    """Without labels; an older file is replaced, and what is printed is the same as without."""
    Path("counts.json").write_text("x" * 10**5, "utf-8")
    assert run(f"{COUNTED} {flags}") == run(f"{TEXTS} {flags}")
    assert run(f"{COUNTED} {flags} --output out.txt") == (0, "", "")
    assert Path("out.txt").read_text("utf-8") == run(f"{TEXTS} {flags}").out
    one, two = TABLES["text1"], TABLES["text2"]
    columns = one["prediction"], two["prediction"], one["reference"]
    expected = paired_counts(*columns, metric, **options)
    assert Path("counts.json").read_text("utf-8") == f"{expected.to_json(labels=False)}\n"
    alternative = {"alternative": "less" if flags else "two-sided"}
    assert recomputed(**alternative) == compare(*columns, metric, **options, **alternative)


def test_counts_of_groups(logs):
    assert run("compare group1.jsonl group2.jsonl --counts counts.json").code == 0
    assert recomputed().n_groups == 3


def test_real_scores_are_warned_of(here, found):
    """On stderr: what is printed can be read on. They are sorted, and say no more than p."""
    for k in (1, 2):
        write_table(f"fine{k}", {"score": [x**0.5 / 7 + k * 1e-3 * x**2 for x in range(12)]})
    _, out, err = run("compare fine1.jsonl fine2.jsonl --json --counts counts.json")
    assert err.startswith("warning: the table holds the scores of single examples, sorted, because")
    assert stored()["rows1"] == sorted(stored()["rows1"])
    assert json.loads(out) == found("compare fine1.jsonl fine2.jsonl")
    assert json.loads(out)["p_low"] <= recomputed().pvalue <= json.loads(out)["p_high"]


# The guide has every key of a command

GUIDE = (CHECKOUT / "examples" / "guide" / "results.md").read_text("utf-8")
TESTS, COMMANDS = "# The keys of a result", "## The JSON of the commands"
PRINTED = {  # runs of each command that together print every key
    "compare": ("one1.jsonl one2.jsonl", TWO[8:]),
    "bootstrap": ("two1.jsonl two2.jsonl --score acc", TWO[8:]),
    "leaderboard": ("one1.jsonl one2.jsonl", f"{LR_NB} {BOTH} --weights equal"),
    "gate": (
        "new.jsonl --baseline old.jsonl",
        "new.jsonl --baseline old.jsonl --margin 0.2 -o score_range=[0,1]",
        f"{LR_NB.replace(' ', ' --baseline ')} {BOTH} --task-margin 0.9",
    ),
    "suite": (f"{LR_NB} {BOTH}",),
    "power": ("new.jsonl old.jsonl", "--wins 0.06 --losses 0.03 -n 100"),
    "bounds": ("17 14 --n 20",),
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
def test_the_guide_has_every_key_of_a_command(found, command):
    with in_shell(made().name):
        printed = {x for line in PRINTED[command] for x in keys(found(f"{command} {line}"))}
    cells = [cells for cells in rows(COMMANDS) if command in words(cells[0])]
    listed = {key for _, key, _ in cells for key in words(key)}
    assert {command for cells in rows(COMMANDS) for command in words(cells[0])} == {*PRINTED}
    if "the keys above" not in [cell for _, cell, _ in cells]:
        assert printed == listed
        return
    of_tests = {key for cells in rows(TESTS) for key in words(cells[0])}
    assert listed <= printed <= listed | of_tests
    if command in ("compare", "bootstrap"):
        assert of_tests <= printed
