"""What is compared under a metric: examples that each system has an entry of."""

import datasets
import pytest

from corpora.logs import lm_eval_log
from pairedperm import InputError, compare, compare_many
from pairedperm.readers import read_runs

NAN, INF = float("nan"), float("inf")


def rows_of(scores, **columns):
    names = ("score", *columns)
    return [
        {"id": k, **dict(zip(names, row, strict=True))}
        for k, row in enumerate(zip(scores, *columns.values(), strict=True))
    ]


def test_examples_without_a_score(two):
    paths = two(rows_of([1, None, 0, 1, 1]), rows_of([0, 1, NAN, NAN, 1]))
    examples = read_runs(*paths, on_missing="drop").examples()
    assert examples.ids == [0, 4]
    assert examples.systems == {"a": [1, 1], "b": [0, 1]}
    assert [x.ids for x in examples.unmatched] == [[1], [2, 3]]


def test_examples_with_an_infinite_score(two):
    """Of an answer that could not be parsed: JSON of Python writes them."""
    columns = [[1, INF, 0, 1, 1], [0, 1, 1, -INF, None]]
    logs = ([{"id": k, "acc": x} for k, x in enumerate(column)] for column in columns)
    examples = read_runs(*two(*logs), score="acc", on_missing="drop").examples()
    assert (examples.ids, examples.metric.score_range) == ([0, 2], (0.0, 1.0))
    assert [x.ids for x in examples.unmatched] == [[1], [3], [4]]
    assert [str(x).partition(" acc in ")[0] for x in examples.unmatched] == [
        *["1 with an infinite"] * 2,
        "1 without",
    ]


@pytest.mark.parametrize("on_missing", ["error", "drop"])
@pytest.mark.parametrize("empty", [None, NAN])
def test_a_metric_that_is_null_throughout(tmp_path, on_missing, empty):
    """It is left out and named, and the other one is compared."""
    columns = {"acc": [1, 0, 1], "judge": [1, 0, 0]}
    one = lm_eval_log(tmp_path / "a", columns)
    other = lm_eval_log(tmp_path / "b", columns | {"judge": [empty] * 3})
    runs = read_runs(one, other, on_missing=on_missing)
    assert runs.metrics == ("acc",)
    assert runs.compare().n == 3
    assert "left out: judge of b: no number per example, but only null or NaN" in str(runs)
    with pytest.raises(InputError, match=r"'judge' is no number per example in .*, but only"):
        runs.compare("judge")


@pytest.mark.parametrize("kind", ["predictions", "references"])
def test_examples_without_a_label(kind, two):
    right, answers = [1, 0, 1, 1], [1, None, 1, 0]
    if kind == "references":
        right, answers = answers, right
    one = rows_of([None] * 4, prediction=answers, reference=right)
    two_ = rows_of([None] * 4, prediction=[0, 0, 0, 0], reference=right)
    found = read_runs(*two(one, two_), on_missing="drop").compare()
    pick = [0, 2, 3]
    wanted = compare(
        [answers[k] for k in pick], [0, 0, 0], [right[k] for k in pick], confidence_level=0.95
    )
    assert found.to_dict() == wanted.to_dict()


def test_references_and_groups_that_one_log_lacks(two):
    """The other has them."""
    one = rows_of(
        [1, 0, 1], prediction=[1, 1, 1], reference=[1, None, None], group=[None, "y", None]
    )
    other = rows_of([1, 0, 1], prediction=[0, 1, 0], reference=[None, 0, 1], group=["x", None, "y"])
    examples = read_runs(*two(one, other)).examples("accuracy")
    assert (examples.references, examples.groups) == ([1, 0, 1], ["x", "y", "y"])
    assert read_runs(*two(one, other)).examples("score").references is None


def test_groups_of_examples_that_are_left(two):
    one = rows_of([1, None, 1, 0], group=[5, 5, 6, 6])
    other = rows_of([0, 1, 1, 1], group=[5, 5, 6, 6])
    examples = read_runs(*two(one, other), on_missing="drop").examples()
    assert (examples.ids, examples.groups) == ([0, 2, 3], [5, 6, 6])


GROUPS = {0: "x", 1: "x", 2: "y", 3: "y", 9: "z"}


def test_groups_by_id(two):
    """As a column of groups: logs of tools have none."""
    scores, others = [1, 1, 1, 0], [0, 1, 0, 0]
    column = [GROUPS[k] for k in range(4)]
    paths = two(rows_of(scores)[::-1], rows_of(others))
    runs = read_runs(*paths)
    wanted = compare(scores, others, None, "mean_score", groups=column)
    found = runs.compare(groups=GROUPS)
    assert (found.pvalue, found.n_groups) == (wanted.pvalue, 2)
    systems = {"a": scores, "b": others}
    board = compare_many(systems, None, "mean_score", of="score", groups=column)
    assert runs.leaderboard(groups=GROUPS) == board
    named = read_runs(*two(rows_of(scores, group=[1, 2, 3, 4]), rows_of(others)))
    assert (named.compare().n_groups, named.compare(groups=GROUPS).n_groups) == (4, 2)


def test_datasets_without_a_score():
    one, other = (
        datasets.Dataset.from_dict({"id": [1, 2, 3], "score": x})
        for x in ([None, 1.0, 0.0], [1.0, 0.0, 1.0])
    )
    for paths in ((one, other), (other, one)):
        assert read_runs(*paths, on_missing="drop").compare().n == 2
