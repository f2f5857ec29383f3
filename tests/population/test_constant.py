"""A number in a system's place: which columns are doubted, and that every door says so."""

import json
import math
import warnings
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from corpora.logs import save
from pairedperm import (
    InputError,
    compare,
    compare_many,
    compare_suite,
    compare_suites,
    equivalence_test,
    gate,
    gate_suite,
    paired_bootstrap_test,
    paired_counts,
    paired_permutation_test,
)
from pairedperm.__main__ import main
from pairedperm.model_card import significance_section
from pairedperm.readers import read_runs

DOUBT = "p tests symmetry about 0.95, not the mean."
REMEDY = "For right and wrong against a number use scipy.stats.binomtest."
SAID = f"{DOUBT} {REMEDY}"
WARNED = f"{SAID} If it is a system, set constant='system'."
RIGHT, NUMBER = [1] * 20, [0.95] * 20
SOME = [1, 0] * 10
HALF = [0.5] * 8
EACH = [0, 0.5, 1, 1, 0.5, 0, 1, 1]
WHOLE = [3, 4, 5, 4, 2, 3, 1, 2]


def size(number, n, alpha=Fraction(1, 20)):
    """How often p ≤ α where the true accuracy is the number: all outcomes, in fractions."""
    gain, loss = 1 - number, number  # of a right and of a wrong answer
    unit = Fraction(1, math.lcm(gain.denominator, loss.denominator))
    found = Fraction(0)
    for k in range(n + 1):
        law = Counter({0: 1})
        for step in [int(gain / unit)] * k + [int(loss / unit)] * (n - k):
            law = sum(
                (Counter({x + y: z for x, z in law.items()}) for y in (step, -step)), Counter()
            )
        observed = abs(int((k * gain - (n - k) * loss) / unit))
        p = Fraction(sum(z for x, z in law.items() if abs(x) >= observed), 2**n)
        found += math.comb(n, k) * number**k * (1 - number) ** (n - k) * (p <= alpha)
    return float(found)


def test_how_often_p_is_small_by_all_outcomes():
    """What the guide says: 36 % at 0.95 and 20 answers, where 5 % are promised."""
    assert round(size(Fraction(95, 100), 20), 3) == 0.359
    assert round(size(Fraction(9, 10), 20), 3) == 0.124


def doubted(*columns, **options):
    """The number that a result doubts; a warning says it where p can be at most 0.05."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        result = paired_permutation_test(*columns, **options)
    assert len(heard) == (result.constant is not None)
    return result.constant


NUMBERS = [  # columns, options, and the number that is doubted
    ((RIGHT, NUMBER), {}, 0.95),
    ((NUMBER, RIGHT), {}, 0.95),  # whichever column it is
    ((SOME, NUMBER), {}, 0.95),
    (([0] * 20, [0.05] * 20), {}, 0.05),  # none of 20 right
    ((np.array(SOME, dtype=bool), NUMBER), {}, 0.95),
    (([x / 10 for x in range(20)], [0.7] * 20), {}, 0.7),  # scores, not right and wrong
    (([x**0.5 for x in range(20)], [0.7] * 20), {}, 0.7),  # that lie on no lattice
    (([x**0.5 for x in range(20)], [0.7**0.5] * 20), {}, 0.7**0.5),
    (([Fraction(x, 3) for x in range(20)], [Fraction(2, 3)] * 20), {}, 2 / 3),
    ((WHOLE, [3.5] * 8), {}, 3.5),
    ((WHOLE, [3] * 8), {}, 3.0),
    (([5] * 8, [3.5] * 8), {}, 3.5),  # of two numbers the one that is no integer
    (([3.5] * 8, [5] * 8), {}, 3.5),
    # within 1e-9
    ((SOME, [0.95 + 9e-10, 0.95 - 9e-10] * 10), {}, 0.95),
    ((SOME, [0.95 + 2e-9, 0.95 - 2e-9] * 10), {}, None),
    ((SOME, [*NUMBER[:-1], 0.94]), {}, None),
    ((SOME * 50, [0.95] * 999 + [0.5]), {}, None),  # only the last one tells
    # a system that is always wrong, or always right
    ((RIGHT, [0] * 20), {}, None),
    ((RIGHT, SOME), {}, None),
    ((SOME, [1] * 20), {}, None),
    (([2, 1, 3, -1, 4, 5, 2], [0] * 7), {}, None),  # differences, preferences
    (([0.3, 0.1, 0.7, -0.1, 0.4, 0.5, 0.2], [1e-10] * 7), {}, None),
    ((WHOLE, [1] * 8), {}, 1.0),
    # a half, and wins, losses and ties
    ((EACH, HALF), {}, None),
    (([1, 1, 0, 1, 1, 0, 1, 1], HALF), {}, None),
    (([*EACH[:-1], 0.75], HALF), {}, 0.5),
    (([1] * 8, HALF), {}, None),
    # groups: scores are those of the examples
    ((SOME, NUMBER), {"groups": [*range(10)] * 2}, 0.95),
    ((RIGHT, SOME), {"groups": [*range(10)] * 2}, None),
]


@pytest.mark.parametrize(("columns", "options", "number"), NUMBERS)
def test_which_columns_are_doubted(columns, options, number):
    assert doubted(*columns, **options) == (number if number is None else pytest.approx(number))
    assert doubted(*columns, **options, constant="system") is None
    assert result_of_counts(*columns, **options) == doubted(*columns, **options)


def result_of_counts(*columns, **options):
    """The same of distinct pairs with their multiplicities, or of sums over groups."""
    if any(isinstance(x, float) and x != round(x, 13) for x in [*columns[0], *columns[1]]):
        return doubted(*columns, **options)  # real numbers are not counted
    counts = paired_counts(*columns, None, "mean_score", **options)
    assert options == {} or counts.sizes is not None
    return doubted(counts)


def test_ends_of_a_range_that_is_given():
    columns = [5] * 8, [0, 5, 0, 0, 5, 0, 0, 0], None, "mean_score"
    assert compare(*columns, score_range=(0, 5)).constant is None
    assert compare([1] * 8, [-1] * 8, *columns[2:], score_range=(-1, 1)).constant is None
    for wider in ((0, 10), None):
        with pytest.warns(match="symmetry about 5,"):
            assert compare(*columns, score_range=wider).constant == 5.0


def test_an_end_of_a_range_is_no_number():
    """A mean of scores up to 5 is 5 only if all are: p is 1 then, whatever the other scores are."""
    graded = [1, 2, 3, 4, 1, 2, 3, 4], [5] * 8, None, "mean_score"
    assert compare(*graded, score_range=(1, 5)).constant is None
    assert compare(*graded[1::-1], *graded[2:], score_range=(1, 5)).constant is None
    with pytest.warns(match="symmetry about 4,"):
        compare([1, 2, 3, 1, 2, 3, 1], [4] * 7, *graded[2:], score_range=(1, 5))
    with pytest.warns(match=r"about 0\.95,"):  # of two numbers that which is no end
        compare(RIGHT, NUMBER, *graded[2:], score_range=(0, 1))


OF_ENDS = [  # columns, and the advice of a range
    (([1, 2, 3, 4, 1, 2], [5] * 6), " If no score is beyond it, set score_range=(…, 5)."),
    (([5, 2, 3, 4, 3, 2], [1] * 6), " If no score is beyond it, set score_range=(1, …)."),
    (([0, 5, 0, 0, 0, 0, 0], [5] * 7), " If no score is beyond it, set score_range=(…, 5)."),
    (([5, 2, 3, 4, 1, 2, 4], [3] * 7), ""),
    (([5, 4, 5, 4, 4, 5], [3.5] * 6), ""),  # which is no end of a scale
]


@pytest.mark.parametrize(("columns", "advice"), OF_ENDS)
def test_graded_scores_have_other_ways_out(columns, advice):
    """Scipy's test is of right and wrong."""
    said = f"p tests symmetry about {columns[1][0]:g}, not the mean."
    system = " If it is a system, set constant='system'."
    with pytest.warns(match="symmetry") as caught:
        result = compare(*columns, None, "mean_score")
    assert str(caught[0].message) == f"{said}{advice}{system}"
    assert said in result.summary()
    assert "scipy" not in result.summary() + significance_section(result)
    with pytest.raises(InputError) as refused:
        gate(result)
    assert str(refused.value) == f"{said}{advice}{system}"
    with pytest.warns(match="symmetry") as caught:  # which takes no range
        paired_permutation_test(*columns)
    assert str(caught[0].message) == f"{said}{system}"


def test_percents_are_right_or_wrong():
    with pytest.warns(match=r"symmetry about 95, .* scipy\.stats\.binomtest"):
        paired_permutation_test([100, 0] * 10, [95] * 20)
    with pytest.warns(match="symmetry") as caught:  # grades of right and wrong
        paired_permutation_test([0.9, 0.15] * 10, NUMBER)
    assert "scipy" not in str(caught[0].message)


def test_bounds_of_what_can_be_significant():
    """P of fewer than 1 - log2(α) differing examples is above α."""
    one = paired_permutation_test([1] * 5 + [0.95], [0.95] * 6)  # five differ: no warning
    assert one.constant == 0.95
    assert DOUBT not in str(one)
    assert gate(one).passed
    assert DOUBT in one.summary(alpha=0.1)  # 1 - log2(0.1) is 4.3
    with pytest.raises(InputError, match="symmetry"):
        gate(one, alpha=0.1)
    with pytest.warns(match="symmetry"):
        two = paired_permutation_test([1] * 6, [0.95] * 6)
    assert DOUBT in two.summary()
    assert DOUBT not in two.summary(alpha=0.01)
    assert gate(two, alpha=0.01).passed
    with pytest.raises(InputError, match="symmetry"):
        gate(two)


def test_only_means_of_given_scores():
    """Not the rows of labels, of ratios and functions; the bootstrap is about the mean."""
    assert compare([1] * 20, [0] * 20, [1] * 20).constant is None
    rows = [[1, 2]] * 8, [[1, 3]] * 8
    ratio = paired_permutation_test(*rows, score=lambda x: x[..., 0] / x[..., 1])
    assert ratio.constant is None
    assert paired_bootstrap_test(RIGHT, NUMBER).pvalue == 0.0  # which the guide warns of
    drawn = paired_bootstrap_test(SOME, NUMBER)
    assert "symmetry" not in str(drawn) + drawn.summary()
    assert str(compare(SOME, NUMBER, None, "mean_score", test="bootstrap", constant="system"))


def test_python_warns_at_the_callers_line():
    for call in (
        lambda: paired_permutation_test(RIGHT, NUMBER),
        lambda: compare(RIGHT, NUMBER, None, "mean_score"),
        lambda: equivalence_test([0, 1, 1] * 20, [0.95] * 60, margin=0.5),
    ):
        with pytest.warns(UserWarning, match="symmetry") as caught:
            call()
        assert [(str(x.message), x.filename) for x in caught] == [(WARNED, __file__)]


def test_every_text_of_a_result_says_it():
    with pytest.warns(match="symmetry"):
        result = paired_permutation_test(RIGHT, NUMBER)
    with pytest.warns(match="symmetry"):
        margin = equivalence_test([0, 1, 1] * 20, [0.95] * 60, margin=0.5)
    for text in (
        *(str(result).replace("\n", " "), result.summary(), result.to_latex()),
        *(result.to_markdown(), significance_section(result), margin.summary()),
        *(significance_section(result.to_dict()), significance_section(margin.to_dict())),
    ):
        assert SAID in " ".join(text.split())
    assert result.to_dict()["constant"] == json.loads(json.dumps(result.to_dict()))["constant"]
    assert significance_section(result) == significance_section(result.to_dict())
    assert repr(result) == repr(paired_permutation_test(RIGHT, NUMBER, constant="system"))
    said = paired_permutation_test(RIGHT, NUMBER, constant="system")
    assert "symmetry" not in str(said) + said.summary() + significance_section(said)
    assert "constant" not in said.to_dict()
    assert said.pvalue == result.pvalue == 2.0**-19
    assert said.confidence_interval() == result.confidence_interval()
    assert gate(said).verdict == "pass"


def test_gates_refuse_it():
    with pytest.warns(match="symmetry"):
        result = paired_permutation_test(RIGHT, NUMBER)
    for asked in ({}, {"margin": 0.1}, {"require": "better"}):
        with pytest.raises(InputError) as caught:
            gate(result, **asked)
        assert str(caught.value) == WARNED


def test_suites_name_the_task():
    tasks = {"easy": (RIGHT, NUMBER), "hard": (RIGHT, SOME), "odd": ([1] * 5, [0.9] * 5)}
    with pytest.warns(UserWarning, match="symmetry") as caught:
        suite = compare_suite(tasks, "mean_score")
    assert [(str(x.message), x.filename) for x in caught] == [(f"task 'easy': {WARNED}", __file__)]
    for text in (str(suite), suite.to_markdown(), suite.to_latex()):
        text = " ".join(text.split())
        assert f"easy: {SAID}" in text
        assert text.count("symmetry") == 1
    assert [x.get("constant") for x in suite.to_dict()["tasks"]] == [0.95, None, 0.9]
    with pytest.raises(InputError) as refused:
        gate_suite(suite)
    assert str(refused.value) == f"task 'easy': {WARNED}"
    with pytest.raises(InputError, match=r"task 'odd'.*about 0\.9,"):
        gate_suite(compare_suite({"odd": tasks["odd"]}, "mean_score"), alpha=0.1)
    said = compare_suite(tasks, "mean_score", constant="system")
    assert "symmetry" not in str(said)
    assert gate_suite(said).passed


def test_boards_name_the_pairs():
    systems = {"right": RIGHT, "some": SOME, "number": NUMBER}
    with pytest.warns(UserWarning, match="symmetry") as caught:
        boards = [
            compare_many(systems),
            compare_many(systems, baseline="number"),
            compare_suites({"a": (systems,), "b": (systems,)}, "mean_score"),
        ]
    assert len(caught) == len(boards)
    for board, warned in zip(boards, caught, strict=True):
        names = " and number, ".join(["right", "some"]) + " and number"
        if board.baseline is None:
            names = "right and number, number and some"
        assert str(warned.message) == f"{names}: {WARNED}"
        assert f"{names}: {SAID}" in " ".join(str(board).split())
        options = {"constant": "system", "baseline": board.baseline}
        assert "symmetry" not in str(compare_many(systems, **options))


@pytest.fixture
def logs(tmp_path, monkeypatch):
    """Two folders of two tasks with scores; one has a number everywhere."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    for system, columns in {"new": (RIGHT, RIGHT), "old": (NUMBER, SOME)}.items():
        (tmp_path / system).mkdir()
        for task, column in zip(("easy", "hard"), columns, strict=True):
            lines = [
                {"doc_id": k, "doc": k, "target": "x", "resps": [], "filter": "none", "acc": x}
                for k, x in enumerate(column)
            ]
            save(tmp_path / system / f"samples_{task}_2026-11-01T00-00-00.1.jsonl", lines)


@pytest.mark.parametrize("form", [[], ["--markdown"]])
@pytest.mark.parametrize(
    ("command", "where", "warned_where"),
    [
        (["compare", "new", "old", "--task", "easy"], "", ""),
        (["compare", "new", "old"], "easy and acc: ", "easy, acc: "),
        (["suite", "new", "old"], "easy: ", "task 'easy': "),
        (["leaderboard", "new", "old", "--task", "easy"], *["new and old: "] * 2),
    ],
)
def test_commands_say_it(logs, capsys, command, form, where, warned_where):
    assert main([*command, *form]) == 0
    out, err = capsys.readouterr()
    assert f"{where}{SAID}" in " ".join(out.split())
    advice = "If it is a system, set --constant system."
    assert err == f"warning: {warned_where}{SAID} {advice}\n"
    assert main([*command, *form, "--constant", "system"]) == 0
    assert "symmetry" not in "".join(capsys.readouterr())


def test_a_board_of_averages_says_it(logs, capsys):
    """Of one task that holds a number."""
    command = ["leaderboard", "new", "old", "--weights", "equal"]
    assert main(command) == 0
    said = f"new and old: {DOUBT}"
    assert capsys.readouterr().err == f"warning: {said} If it is a system, set --constant system.\n"
    assert main([*command, "--constant", "system"]) == 0
    assert "symmetry" not in "".join(capsys.readouterr())


@pytest.mark.parametrize("text", ["[1,5]", "(1, 5)", "1,5"])
def test_the_range_in_a_shell(text, tmp_path, monkeypatch, capsys):
    """The advised option is one that the command takes."""
    monkeypatch.chdir(tmp_path)
    for system, scores in (("new", [1, 2, 3, 4, 3, 2, 1]), ("old", [5] * 7)):
        save(tmp_path / f"{system}.jsonl", [{"id": k, "score": x} for k, x in enumerate(scores)])
    asked = ["gate", "new.jsonl", "--baseline", "old.jsonl", "--higher-is-better"]
    assert main(asked) == 2
    assert "set -o score_range=[…,5]. If it is a system" in capsys.readouterr().err
    assert main([*asked, "-o", f"score_range={text}"]) == 1
    assert capsys.readouterr().out.startswith("FAIL: new is significantly worse")


@pytest.mark.parametrize("task", [[], ["--task", "easy"]])
def test_the_gate_in_a_shell(logs, capsys, task):
    asked = ["gate", "new", "--baseline", "old", *task]
    assert main([*asked, *["-q"] * (not task)]) == 2  # or each task warns first
    where = "" if task else "task 'easy': "
    advice = "If it is a system, set --constant system."
    assert capsys.readouterr().err == f"error: {where}{SAID} {advice}\n"
    assert main([*asked, "--constant", "system"]) == 0


def test_readers_take_the_word(logs):
    runs = read_runs("new", "old")
    with pytest.warns(match="task 'easy': p tests"):
        assert SAID in " ".join(str(runs.suite()).split())
    assert "symmetry" not in str(runs.suite(constant="system"))
