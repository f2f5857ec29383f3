"""What the page says of files and of columns, without a page."""

import json
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
from words import p_with_certificate

from extras import on_posix
from pairedperm import Budget, compare
from pairedperm.__main__ import main
from properties import one_in
from space.uploads import HOSTILE, table

SPACE = Path(__file__).parents[2] / "metrics" / "paired_perm"
EXAMPLES = SPACE / "examples"
LOGS = Path(__file__).parents[2] / "examples" / "ci_gate"


def example(name):
    return Upload(str(EXAMPLES / name), name)


def texts(checks):
    return [x.text for x in checks]


def said(answer, text):
    (check,) = [x for x in answer.checks if text in x.text]
    return check


def test_clear_difference():
    answer = of_files(
        example("logistic_regression.csv"), example("decision_tree.csv"), None, Asked()
    )
    assert answer.sentences == [
        "Luck rarely gives such a difference: logistic_regression is better than decision_tree by "
        "5.83 percentage points.",
        "Chance alone would give a difference this large, or larger, in 0.43% of cases.",
    ]
    assert answer.p == (
        "p = 0.00434 (certified: the true value lies in [0.00434350967407, 0.00434350967408])"
    )
    assert dict(answer.table)["examples that differ"] == "22"
    assert "| p | 0.00434 |" in answer.section


def test_too_few():
    answer = of_files(example("logistic_regression.csv"), example("naive_bayes.csv"), None, Asked())
    assert answer.sentences[0] == "These 240 examples cannot tell them apart."


def test_scores():
    answer = of_files(
        example("logistic_regression.jsonl"), example("naive_bayes.jsonl"), None, Asked()
    )
    assert answer.result.method == "bracket"
    assert re.match(r"p = 0.00708 \(certified: the true value lies in \[0\.00708053", answer.p)


@one_in(2)
@pytest.mark.parametrize(
    ("one", "two", "first"),
    [
        ([1, 2, 3], [1, 2, 3], "The two do not differ on any example."),
        ([1], [0], "One example cannot tell them apart."),
        ([1, 0, 1], [0, 1, 1], "These 3 examples cannot tell them apart: both score 0.67."),
        ([*range(1, 2001)], [*range(2, 2001), 1], "These 2,000 examples cannot tell them apart: "
         "both score 1,000.50."),
        ([0.501, *[0, 1] * 5000], [0.5, *[1, 0] * 5000], "These 10,001 examples cannot tell them "
         "apart."),
    ],
)  # fmt: skip
def test_no_difference(one, two, first):
    answer = of_columns(*("\n".join(map(str, x)) for x in (one, two)), "", Asked())
    assert answer.sentences[0] == first


@pytest.mark.parametrize("better", ["lower", "higher"])
def test_winner(better):
    """Of errors the system with fewer wins."""
    a, b = "\n".join("3" * 9), "\n".join("1" * 9)
    answer = of_columns(a, b, "", Asked(better=better, name1="large", name2="small"))
    first, second = ("small", "large") if better == "lower" else ("large", "small")
    assert f"{first} is better than {second} by 2.00." in answer.sentences[0]
    assert said(answer, "as you say").text.startswith(better.capitalize())


def test_sentences_are_short():
    for other in ("decision_tree", "naive_bayes"):
        pair = example("logistic_regression.csv"), example(f"{other}.csv")
        for sentence in of_files(*pair, None, Asked()).sentences:
            assert len(sentence.split()) < 25


def test_sampled(folder):
    values = [[k * 0.3 % 1 + k * 1e-15 for k in range(n, n + 60)] for n in (0, 7)]
    result = compare(*values, None, "mean_score", method="monte_carlo", rng=0)
    assert re.fullmatch(
        r"p = [\d.]+ \(sampled: 99% interval [\d.]+ to [\d.]+, seed 0\)", p_with_certificate(result)
    )


def test_tiny_p():
    """An underflowing p has a certificate for its logarithm."""
    answer = of_columns("\n".join("1" * 2000), "\n".join("0" * 2000), "", Asked())
    assert "p = 1.74e-602 (certified: its natural logarithm lies in [-1385." in answer.p
    assert "in fewer than 1 of 10,000 cases" in answer.sentences[1]


def test_checks_when_nothing_is_given(folder):
    answer = of_files(table("a.jsonl", "score", [1, 2]), table("b.jsonl", "score", [2, 1]), None,
                      Asked())  # fmt: skip
    assert texts(answer.checks) == [
        "Paired by id: 2 examples of both files; no id is left out.",
        "No id occurs twice in a file.",
        "No groups are given: examples count as independent of each other.",
        "Scores are taken from the files: no references are needed.",
        "The files hold no documents: equal ids are taken as equal examples.",
        "The files hold no prompts, so it is not known whether they differ.",
        "Higher scores are better, by the metric's name.",
        "One metric is in both files: score.",
        "The files name no task.",
    ]
    good = [True, True, None, None, None, None, True, True, None]
    assert [x.is_good for x in answer.checks] == good
    page = answer_page(answer)
    assert page.count("○") == page.count(">not checked: ") == good.count(None)


def test_checks_of_lines():
    checks = of_columns("1\n0", "0\n0", "", Asked(better="lower")).checks
    assert [(x.is_good, x.text.partition(":")[0].partition(",")[0]) for x in checks] == [
        (True, "Paired by line"),
        (None, "Lines have no ids"),
        (None, "No groups are given"),
        (True, "Lower scores are better"),
    ]


def test_checks_when_something_is(folder):
    groups = {"group": ["x", "x", "y"]}
    a = table("a.jsonl", "prediction", ["p", "q", "r"], [1, 2, 2], **groups)
    b = table("b.jsonl", "prediction", ["p", "q", "r"], [1, 3, 4], **groups)
    gold = table("gold.jsonl", "reference", ["p", "q"], [1, 9])
    answer = of_files(a, b, gold, Asked(is_dropped=True))
    shown = texts(answer.checks)
    assert "Left out: 1 more than once in a.jsonl: 2." in shown
    assert "Groups: 1, each swapped as a whole." in shown
    assert not any("No id occurs twice" in x for x in shown)
    assert any(x.startswith("References are matched by id too") for x in shown)
    assert not any(str(folder) in x for x in shown)


def test_a_row_that_sums_up(folder):
    a, b = (
        table(f"{x}.jsonl", "score", [*y, sum(y) / 4], [*"pqrs", "Avg."])
        for x, y in (("a", [0.25, 0.5, 0.5, 0.25]), ("b", [0.5, 0.75, 0.5, 0.5]))
    )
    shown = texts(of_files(a, b, None, Asked()).checks)
    assert shown[:2] == [
        "Paired by id: 4 examples of both files.",
        "Left out, because it sums up all others: 'Avg.'.",
    ]


def test_checks_of_logs():
    (a,), (b,) = (LOGS.glob(f"{x}/samples*") for x in ("candidate", "baseline"))
    answer = of_files(Upload(str(a), a.name), Upload(str(b), b.name), None, Asked())
    assert said(answer, "documents").text == (
        "The documents under each id are the same in both logs."
    )
    assert said(answer, "Prompts").text == "Prompts are the same in both logs."
    assert said(answer, "task").text == "One task is in both files: tumors."
    several = said(answer, "metric 'acc'")
    assert not several.is_good
    assert "also hold 'acc_norm'" in several.text
    assert answer.metrics == ["acc", "acc_norm"]
    assert (answer.name1, answer.name2) == ("system A", "system B")  # their names are long


def evaluations(name, tasks):
    """A log of Every Eval Ever of several tasks, each with the scores of its samples or None."""
    lines = [
        {"schema_version": "0.3", "sample_id": str(k), "evaluation_name": task, "error": x is None,
         "evaluation": {"score": x}}
        for task, column in tasks.items()
        for k, x in enumerate(column)
    ]  # fmt: skip
    Path(name).write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return Upload(name, name)


def test_the_first_task_that_has_scores(folder):
    one, two = (
        evaluations(f"{x}.jsonl", {"first": [None] * 5, "second": [x] * 5, "third": [1] * 5})
        for x in (0, 1)
    )
    answer = of_files(one, two, None, Asked())
    assert said(answer, "This is task 'second'. The files also hold 'first', 'third'")
    assert answer.result.pvalue == 1 / 16


def repeated(command, capsys):
    """The p that the command prints."""
    words = shlex.split(command)
    assert words[0] == "pairedperm"
    assert main(words[1:]) == 0
    return re.search(r"\bp = ([\d.e-]+)", capsys.readouterr().out)[1]


@on_posix
@pytest.mark.parametrize("name", ["b.jsonl", "-b c.jsonl", "a.jsonl", f"{HOSTILE}'$x.jsonl"])
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
    right = [*"abcabcab"] * 6
    one, two = ([*"abc" * 16], [*"aabbccab" * 6])
    columns = [*map("\n".join, (one, two, right))]
    asked = Asked(metric="f1", average="macro")
    answer = of_columns(*columns, asked)
    assert answer.result.interval == "certified"
    monkeypatch.setattr("page.DRAWN", Budget(max_points=1, max_bytes=1))
    assert "too many points to draw" in answer_page(answer)
    monkeypatch.setattr("answer.BUDGET", Budget(max_points=1))
    answer = of_columns(*columns, asked)
    assert re.match(r"p = \S+ \(sampled: 99% interval \S+ to \S+, seed 0\)", answer.p)
    (found,) = [x for x in answer.checks if x.is_good is False]
    assert found.text.startswith("p is estimated from ")
    assert " points (" in found.text
    assert ", above the limit of 1. It would take about" in found.text
    assert not re.search("`|rng|n_resamples|max_points|Raise", found.text)
    assert answer_page(answer).count("<img ") == 1
