"""A number in a system's place: which columns are doubted, and that every door says so."""

import warnings
from fractions import Fraction

import pytest

from corpora.logs import save
from pairedperm import (
    InputError,
    compare,
    compare_many,
    compare_suite,
    compare_suites,
    gate,
    gate_suite,
    paired_bootstrap_test,
    paired_counts,
    paired_permutation_test,
)
from pairedperm.__main__ import main

DOUBT = "p tests symmetry about 0.95, not the mean."
IF_NUMBER = (
    "If it is a number, ask gate(score_interval(...)) with a threshold, in a shell --threshold."
)
IF_SYSTEM = "If it is a system, set constant='system'."
WARNED = f"{DOUBT} {IF_NUMBER} {IF_SYSTEM}"
RIGHT, NUMBER = [1] * 20, [0.95] * 20
SOME = [1, 0] * 10
HALF = [0.5] * 8
EACH = [0, 0.5, 1, 1, 0.5, 0, 1, 1]
WHOLE = [3, 4, 5, 4, 2, 3, 1, 2]


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
    (([x / 10 for x in range(20)], [0.7] * 20), {}, 0.7),  # scores, not right and wrong
    (([x**0.5 for x in range(20)], [0.7**0.5] * 20), {}, 0.7**0.5),  # that lie on no lattice
    (([Fraction(x, 3) for x in range(20)], [Fraction(2, 3)] * 20), {}, 2 / 3),
    ((WHOLE, [3] * 8), {}, 3.0),
    (([5] * 8, [3.5] * 8), {}, 3.5),  # of two numbers the one that is no integer
    # within 1e-9
    ((SOME, [0.95 + 9e-10, 0.95 - 9e-10] * 10), {}, 0.95),
    ((SOME, [0.95 + 2e-9, 0.95 - 2e-9] * 10), {}, None),
    ((SOME, [*NUMBER[:-1], 0.94]), {}, None),
    # a system that is always wrong, or always right
    ((RIGHT, SOME), {}, None),
    ((SOME, [1] * 20), {}, None),
    (([2, 1, 3, -1, 4, 5, 2], [0] * 7), {}, None),  # differences, preferences
    (([0.3, 0.1, 0.7, -0.1, 0.4, 0.5, 0.2], [1e-10] * 7), {}, None),
    ((WHOLE, [1] * 8), {}, 1.0),
    # a half, and wins, losses and ties
    ((EACH, HALF), {}, None),
    (([*EACH[:-1], 0.75], HALF), {}, 0.5),
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


def test_a_range_that_is_given():
    """An end of it is no number: a mean of scores up to 5 is 5 only if all are, and p is 1 then."""
    fives = [5] * 8, [0, 5, 0, 0, 5, 0, 0, 0], None, "mean_score"
    assert compare(*fives, score_range=(0, 5)).constant is None
    assert compare([1] * 8, [-1] * 8, *fives[2:], score_range=(-1, 1)).constant is None
    for columns, score_range, about in (
        *((fives[:2], x, 5) for x in ((0, 10), None)),
        (([1, 2, 3, 1, 2, 3, 1], [4] * 7), (1, 5), 4),
        ((RIGHT, NUMBER), (0, 1), 0.95),  # of two numbers that which is no end
    ):
        with pytest.warns(match=f"symmetry about {about},"):
            found = compare(*columns, None, "mean_score", score_range=score_range)
        assert found.constant == about


@pytest.mark.parametrize(
    ("columns", "advice"),
    [
        (([1, 2, 3, 4, 1, 2], [5] * 6), " If no score is beyond it, set score_range=(…, 5)."),
        (([5, 2, 3, 4, 3, 2], [1] * 6), " If no score is beyond it, set score_range=(1, …)."),
        (([5, 4, 5, 4, 4, 5], [3.5] * 6), ""),  # which is no end of a scale
    ],
)
def test_graded_scores_have_other_ways_out(columns, advice):
    """A test of scores takes no range."""
    said = f"p tests symmetry about {columns[1][0]:g}, not the mean."
    system = f" {IF_NUMBER} {IF_SYSTEM}"
    for call, expected in (
        (lambda: paired_permutation_test(*columns), f"{said}{system}"),
        (lambda: compare(*columns, None, "mean_score"), f"{said}{advice}{system}"),
    ):
        with pytest.warns(match="symmetry") as caught:
            result = call()
        assert str(caught[0].message) == expected
    with pytest.raises(InputError) as refused:
        gate(result)
    assert str(refused.value) == f"{said}{advice}{system}"


def test_bounds_of_what_can_be_significant():
    """P of fewer than 1 - log2(α) differing examples is above α."""
    one = paired_permutation_test([1] * 5 + [0.95], [0.95] * 6)  # five differ: no warning
    with pytest.warns(match="symmetry"):
        two = paired_permutation_test([1] * 6, [0.95] * 6)
    for found, fine, coarse in ((one, 0.05, 0.1), (two, 0.01, 0.05)):  # 1 - log2(0.1) is 4.3
        assert DOUBT not in found.summary(alpha=fine)
        assert gate(found, alpha=fine).passed
        assert DOUBT in found.summary(alpha=coarse)
        with pytest.raises(InputError, match="symmetry"):
            gate(found, alpha=coarse)


def test_only_means_of_given_scores():
    """Not the rows of labels, of ratios and functions; the bootstrap is about the mean."""
    assert compare([1] * 20, [0] * 20, [1] * 20).constant is None
    rows = [[1, 2]] * 8, [[1, 3]] * 8
    ratio = paired_permutation_test(*rows, score=lambda x: x[..., 0] / x[..., 1])
    assert ratio.constant is None
    assert paired_bootstrap_test(RIGHT, NUMBER).pvalue == 0.0  # which the guide warns of
    drawn = paired_bootstrap_test(SOME, NUMBER)
    assert "symmetry" not in str(drawn) + drawn.summary()


# Every door says it

TASKS = {"easy": (RIGHT, NUMBER), "hard": (RIGHT, SOME), "odd": ([1] * 5, [0.9] * 5)}
SYSTEMS = {"right": RIGHT, "some": SOME, "number": NUMBER}
ALL_PAIRS = "For right and number, number and some: "
TO_NUMBER = "For right and number, some and number: "
DOORS = {  # a call, how the warning names the pair, and how texts do
    "metric": (lambda **x: compare(RIGHT, NUMBER, None, "mean_score", **x), "", ""),
    "suite": (lambda **x: compare_suite(TASKS, "mean_score", **x), "task 'easy': ", "easy: "),
    "baseline": (lambda **x: compare_many(SYSTEMS, baseline="number", **x), *[TO_NUMBER] * 2),
    "boards": (
        lambda **x: compare_suites({"a": (SYSTEMS,), "b": (SYSTEMS,)}, "mean_score", **x),
        *[ALL_PAIRS] * 2,
    ),
}


@pytest.mark.parametrize("door", DOORS)
def test_every_door_says_it(door):
    """Python warns at the caller's line, texts say it, but not of a system; gates refuse it."""
    call, warned, named = DOORS[door]
    with pytest.warns(UserWarning, match="symmetry") as caught:
        result = call()
    assert [(str(x.message), x.filename) for x in caught] == [(f"{warned}{WARNED}", __file__)]
    for text in (str(result), result.to_markdown(), result.to_latex()):
        words = " ".join(text.split())
        assert f"{named}{DOUBT}" in words
        assert words.count("symmetry") == 1
    assert "symmetry" not in str(call(constant="system"))
    if refuses := {"metric": gate, "suite": gate_suite}.get(door):
        with pytest.raises(InputError) as refused:
            refuses(result, margin=0.1)
        assert str(refused.value) == f"{warned}{WARNED}"


ADVICE = f"{IF_NUMBER} If it is a system, set --constant system."
LIKERT = [1, 2, 3, 4, 3, 2, 1], [5] * 7


@pytest.mark.parametrize(
    ("columns", "command", "status", "said"),
    [
        ((RIGHT, NUMBER), "compare", 0, f"warning: {DOUBT} {ADVICE}"),
        ((RIGHT, NUMBER), "gate", 2, f"error: {DOUBT} {ADVICE}"),
        (LIKERT, "gate", 2, "set -o score_range=[…,5]. If it is a number"),
    ],
)
def test_commands_say_it(tmp_path, monkeypatch, capsys, columns, command, status, said):
    """In their own names; what they advise is an option that they take."""
    monkeypatch.chdir(tmp_path)
    for system, scores in zip("ab", columns, strict=True):
        save(tmp_path / f"{system}.jsonl", [{"id": k, "score": x} for k, x in enumerate(scores)])
    asked = ["compare", "a.jsonl", "b.jsonl"]
    if command == "gate":
        asked = ["gate", "a.jsonl", "--baseline", "b.jsonl", "--higher-is-better"]
    assert main(asked) == status
    assert said in capsys.readouterr().err.splitlines()[-1]
    advised = ["-o", "score_range=[1,5]"] if columns is LIKERT else ["--constant", "system"]
    assert main([*asked, *advised]) == (1 if columns is LIKERT else 0)
    assert "symmetry" not in "".join(capsys.readouterr())
