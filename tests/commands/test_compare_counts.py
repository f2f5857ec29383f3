"""`pairedperm compare --counts`: the file, the card that names it, and where it is refused."""

import errno
import json
import os
import re
from pathlib import Path

import pytest

from corpora.score_files import paths
from extras import needs
from interpreter import CHECKOUT
from pairedperm import compare, publish, verify
from properties import one_in

RUNS = CHECKOUT / "examples" / "ci_gate"
REAL = ("compare", RUNS / "candidate", RUNS / "baseline", "--metric", "acc")
TEXTS = ("compare", "text1.jsonl", "text2.jsonl")
TWO = ("compare", "two1.jsonl", "two2.jsonl", "--score", "acc", "--score", "loss")
RIGHT = ("--references", "right.jsonl")
COUNTS = ("--counts", "counts.json")
WARNING = (
    "warning: the table holds the scores of single examples, sorted, because they are real-valued. "
    "Publish it only if these scores may be known.\n"
)


def columns(*names):
    """The predictions of both, and the references of the last."""
    logs = [
        [json.loads(x) for x in Path(f"{name}.jsonl").read_text("utf-8").splitlines()]
        for name in names
    ]
    return [
        *([x["prediction"] for x in log] for log in logs),
        [x["reference"] for x in logs[-1]],
    ]


def stored(name="counts.json"):
    return json.loads(Path(name).read_text("utf-8"), parse_constant=pytest.fail)


def everything():
    return {str(x): x.is_file() and x.read_bytes() for x in Path().rglob("*")}


@one_in(3)
@pytest.mark.parametrize(
    ("flags", "metric", "options"),
    [
        ((), "accuracy", {}),
        (("--alternative", "less"), "accuracy", {"alternative": "less"}),
        (("--metric", "f1", "-o", "average=macro"), "f1", {"average": "macro"}),
        (("--metric", "f1", "-o", "pos_label=a"), "f1", {"pos_label": "a"}),
    ],
)
def test_what_python_publishes(logs, said, flags, metric, options):
    """And what is printed is the same as without."""
    plain = said(*TEXTS, *flags)
    assert said(*TEXTS, *flags, *COUNTS) == plain
    expected = publish(compare(*columns("text1", "text2"), metric, **options))
    assert stored() == json.loads(json.dumps(expected))
    assert verify("counts.json").status == "confirmed"
    lines = Path("counts.json").read_text("utf-8").splitlines()
    assert len(lines) == len(expected) + 2  # a key a line


def test_of_an_evaluation_harness(said, found):
    """Of 240 examples 11 differ: 4 wins and 7 losses, 2 (1 + 11 + 55 + 165 + 330) of 2^11."""
    said(*REAL, *COUNTS)
    table = stored()
    pairs = zip(table["rows1"], table["rows2"], strict=True)
    counts = dict(zip(pairs, table["multiplicities"], strict=True))
    assert (counts[1, 0], counts[0, 1], sum(counts.values())) == (4, 7, 240)
    out = found("verify", "counts.json")
    assert out["fraction"] == "281/512"  # 1124 / 2048
    assert (out["status"], out["stated"]["metric_options"]["of"]) == ("confirmed", "acc")


def test_groups(write, said, found):
    for k, right in enumerate(("aaaabb", "aabbbb"), 1):
        write(f"a{k}.jsonl", prediction=[*right], reference=["a"] * 6, doc=[1, 1, 2, 2, 3, 3])
    said("compare", "a1.jsonl", "a2.jsonl", "--group", "doc", *COUNTS)
    assert stored()["sizes"] == [2, 2, 2][: len(stored()["rows1"])]
    out = found("verify", "counts.json")
    assert (out["fraction"], out["stated"]["n_groups"]) == ("1", 3)


@pytest.mark.parametrize("how", [(), ("--json",), ("--markdown",)], ids=" ".join)
def test_real_scores_are_warned_of(logs, write, said, how):
    """On stderr: what is printed can be read on."""
    arguments = ("compare", "real1.jsonl", "real2.jsonl", *how)
    plain = said(*arguments)
    out = said(*arguments, *COUNTS, err=WARNING)
    if how != ("--markdown",):
        assert out == plain
    assert stored()["format"] == "pairedperm counts"
    for k in (1, 2):
        write(f"fine{k}.jsonl", score=[x**0.5 / 7 + k * 1e-3 * x**2 for x in range(12)])
    said("compare", "fine1.jsonl", "fine2.jsonl", *COUNTS, err=WARNING)
    assert stored()["format"] == "pairedperm scores"
    assert stored()["rows1"] == sorted(stored()["rows1"])
    assert said("verify", "counts.json", "--json")


def test_an_older_table_is_replaced(logs, said):
    Path("counts.json").write_text("x" * 10**5, "utf-8")
    said(*TEXTS, *COUNTS)
    assert verify("counts.json").status == "confirmed"
    before = everything()
    said(*TEXTS, *COUNTS)
    assert everything() == before


# A card


def test_a_card_holds_the_sum(logs, said, refused):
    needs("markdown_it", "card")
    card = Path("README.md")
    card.write_text("# A model\n", "utf-8")
    said(*TEXTS, *COUNTS, "--card", "README.md")
    (sha256,) = re.findall(r"SHA-256 of the table of counts \| ([0-9a-f]{64}) \|", card.read_text())
    assert sha256 == stored()["sha256"]
    assert said("verify", "counts.json", "--sha256", sha256).startswith("CONFIRMED: ")
    said("compare", "text2.jsonl", "text1.jsonl", "--counts", "b.json")
    message = refused("verify", "b.json", "--sha256", sha256)
    assert message.startswith("TABLE was altered: the SHA-256 of its table is ")
    said(*TEXTS, "--card", "README.md")
    assert "SHA-256" not in card.read_text("utf-8")


def test_markdown_holds_the_sum(logs, said):
    out = said(*TEXTS, *COUNTS, "--markdown")
    assert f"| SHA-256 of the table of counts | {stored()['sha256']} |\n" in out
    assert "SHA-256" not in said(*TEXTS, "--markdown")


def test_the_card_is_no_place_for_it(logs, refused):
    needs("markdown_it", "card")
    Path("README.md").write_text("# A model\n", "utf-8")
    refused(*TEXTS, "--counts", "README.md", "--card", "README.md")
    assert Path("README.md").read_text("utf-8") == "# A model\n"


def test_a_card_that_is_refused(logs, refused):
    needs("markdown_it", "card")
    before = everything()
    assert refused(*TEXTS, *COUNTS, "--card", "README.md").startswith("there is no card at 'READ")
    assert everything() == before


# Refused


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*TWO, *COUNTS), "--counts takes one comparison: name a --metric and a --task. Try 'pair"),
        ((*TEXTS, "--counts", "text1.jsonl"), "text1.jsonl is an input, or in an input folder."),
        ((*TEXTS, "--counts", "./text2.jsonl"), "text2.jsonl is an input, or in an input folder"),
        ((*TEXTS, "--counts", "."), ". is a folder: name a file to write."),
        ((*TEXTS, "--counts", "none/none/c.json"), "none/none/c.json cannot be written: No such"),
        ((*TEXTS, "--counts", "new.jsonl/c.json"), "new.jsonl/c.json cannot be written: "),
        ((*TEXTS, "--counts"), "Option '--counts' requires an argument. Try 'pairedperm compare"),
        ((*TEXTS, *COUNTS, "--json", "--markdown"), "--json and --markdown: choose one. Try 'pair"),
        ((*TEXTS, *COUNTS, "--metric", "nope"), "`--metric` must be one of"),
        (
            ("compare", "plain1.jsonl", "plain2.jsonl", *RIGHT, "--counts", "right.jsonl"),
            "right.jsonl is an input, or in an input folder. Name another file.",
        ),
    ],
    ids=lambda x: " ".join(map(str, x))[-40:] if isinstance(x, tuple) else "",
)
def test_refused(logs, refused, arguments, message):
    """Nothing is written, and no folder is left."""
    before = everything()
    assert refused(*arguments).startswith(message)
    assert everything() == before


@pytest.mark.parametrize("place", ["counts.json", "more/counts.json"])
def test_in_a_folder_of_logs(here, refused, place):
    """It would be read as one of them."""
    for name in ("candidate", "baseline"):
        (here / name / "more").mkdir(parents=True)
        for path in (RUNS / name).iterdir():
            (here / name / path.name).write_bytes(path.read_bytes())
    before = everything()
    arguments = ("compare", "candidate", "baseline", "--metric", "acc")
    message = f"candidate/{place} is an input, or in an input folder. Name another file."
    assert refused(*arguments, "--counts", f"candidate/{place}") == message
    assert everything() == before


@pytest.mark.parametrize("there", [True, False])
def test_what_cannot_be_replaced_stays(logs, refused, monkeypatch, there):
    """Nor is there a half of it."""
    if there:
        Path("counts.json").write_text("{}", "utf-8")
    before = everything()

    def closed(*_):
        raise PermissionError(errno.EACCES, "Permission denied", "counts.json")

    monkeypatch.setattr(os, "replace", closed)
    assert refused(*TEXTS, *COUNTS) == "counts.json cannot be written: Permission denied."
    assert everything() == before


@pytest.mark.parametrize("kind", ["art", "conll", "paired_perm_test"])
def test_files_of_scorers_are_the_counts(refused, kind):
    one, two = paths("muc")
    files = (one,) if kind == "paired_perm_test" else (one, two)
    message = refused("compare", *files, "--format", kind, *COUNTS)
    assert message.startswith(f"--counts is not for --format {kind}, whose files are the counts ")
    assert not Path("counts.json").exists()


def test_real_scores_of_groups(write, refused):
    for k in (1, 2):
        write(f"a{k}.jsonl", score=[x**0.5 / (7 + k) for x in range(12)], doc=[*"aabbccddeeff"])
    message = refused("compare", "a1.jsonl", "a2.jsonl", "--group", "doc", *COUNTS)
    assert "lie on no lattice" in message
    assert "Give shares as Fractions, or times their common denominator: " in message
    assert not Path("counts.json").exists()


def test_the_bootstrap_has_none(logs, refused, said):
    message = refused("bootstrap", *TEXTS[1:], *COUNTS)
    assert re.match("No such option:? '?--counts'?", message)
    assert "--counts" not in said("bootstrap", "--help")
    assert not Path("counts.json").exists()
