"""Tasks whose metrics differ in direction or unit, in suites, boards and gates."""

import pytest
from hypothesis import given

from corpora.results import SECONDS
from pairedperm import compare, compare_suite, compare_suites, gate_suite
from pairedperm.comparison.suite import why_no_average
from pairedperm.results.several import adjusted
from pairedperm.scoring import (
    F1,
    Accuracy,
    CohenKappa,
    HammingLoss,
    LogLikelihood,
    MeanScore,
    Perplexity,
)
from properties import cases, generators

WORST = 3
SCORE = MeanScore(score_range=(0, WORST))
LOSS = MeanScore(score_range=(0, WORST), lower_is_better=True)
TURNED = MeanScore(score_range=(-WORST, 0))  # of losses below 0
OF_AVERAGE = (
    *("stat", "p", "p_low", "p_high", "score1", "score2", "alternative", "n", "n_groups"),
    *("n_differing", "n_wins", "n_losses", "n_ties", "standard_error", "stat_low", "stat_high"),
)


def drawn(rng):
    """Three tasks of small scores, of which the last ones count errors, and groups of some."""
    sizes = rng.integers(1, 5, 3).tolist()
    scores = {
        name: rng.integers(0, WORST + 1, (2, n)).tolist()
        for name, n in zip("abc", sizes, strict=True)
    }
    lower = {"b", "c"} if rng.random() < 0.5 else {"c"}
    groups = {x: rng.integers(0, 5, len(y[0])).tolist() for x, y in scores.items()}
    return scores, lower, groups if rng.random() < 0.5 else None


def with_losses(scores, lower):
    """The tasks and their metrics, first as they are, then with each loss below 0."""
    yield scores, {name: LOSS if name in lower else SCORE for name in scores}
    yield (
        {x: [[-z for z in y] for y in ys] if x in lower else ys for x, ys in scores.items()},
        {name: TURNED if name in lower else SCORE for name in scores},
    )


@given(generators)
@cases(0.5)
def test_losses_count_as_scores_below_0(rng):
    """They are the same in all but the task's own scores."""
    scores, lower, groups = drawn(rng)
    alternative = str(rng.choice(["two-sided", "greater", "less"]))
    asked = {"alternative": alternative, "groups": groups, "alpha": 0.3}
    mixed, plain = (compare_suite(*x, **asked) for x in with_losses(scores, lower))
    told, of_plain = mixed.to_dict(), plain.to_dict()
    assert {x: told[x] for x in OF_AVERAGE} == {x: of_plain[x] for x in OF_AVERAGE}
    assert mixed.p_adjusted == plain.p_adjusted
    assert mixed.average.lead() == mixed.average.statistic
    for one, other in zip(told["tasks"], of_plain["tasks"], strict=True):
        assert one["turned"] == (one["task"] in lower)
        assert one["stat"] == (-1 if one["turned"] else 1) * other["stat"]
        assert one["p"] == other["p"]
    if alternative == "two-sided":
        found = [gate_suite(x, alpha=0.3) for x in (mixed, plain)]
        assert [x.verdict for x in found] == [found[0].verdict] * 2
        assert [x.reasons for x in found] == [found[0].reasons] * 2
        assert [x.p_worse for x in found] == [found[0].p_worse] * 2


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_different_units_have_no_average(alternative):
    """The tasks stand for themselves; an alternative is that of the better system."""
    right, better = [1] * 12, ([1] * 12, [0] * 10 + [1] * 2)
    tasks = {"right": (*better, right), "seconds": better}
    metrics = {"right": "accuracy", "seconds": SECONDS}
    found = compare_suite(tasks, metrics, alternative=alternative)
    told, each = found.to_dict(), found.to_dict()["tasks"]
    assert found.average is told["stat"] is told["p"] is told["confidence_level"] is None
    assert [x["weight"] for x in each] == [None, None]
    assert (told["n_wins"], told["n_losses"], told["alternative"]) == (10, 10, alternative)
    turned = {"greater": "less"}.get(alternative, alternative)
    assert [x["alternative"] for x in each] == [alternative, turned]
    alone = [
        compare(*tasks["right"], alternative=alternative).pvalue,
        compare(*better, None, SECONDS, alternative=turned).pvalue,
    ]
    assert [x["p"] for x in each] == alone
    assert [*found.p_adjusted.values()] == adjusted(alone)


@pytest.mark.parametrize(
    ("metrics", "apart"),
    [
        ((Accuracy(), HammingLoss()), ""),
        ((Accuracy(), F1()), ""),
        ((Accuracy(), CohenKappa()), "unit"),
        ((SCORE, LOSS), ""),
        ((SCORE, TURNED), ""),
        ((SCORE, MeanScore(score_range=(0, 1))), "range"),
        ((SCORE, MeanScore()), ""),
        ((SCORE, SECONDS), "direction, and not both have a known range"),
        ((LogLikelihood(), Perplexity()), "direction, and not both have a known range"),
        ((MeanScore(), SCORE, MeanScore(score_range=(0, 1))), "range"),
        # told in linear time
        (tuple(MeanScore(of=f"m{k}", score_range=(0, 1)) for k in range(5_000)), ""),
        ((*[LOSS] * 5_000, MeanScore(of="other", score_range=(0, 2)), SECONDS), "range"),
    ],
    ids=lambda x: x or "none" if isinstance(x, str) else str(len(x)),
)
def test_which_metrics_have_an_average(metrics, apart):
    why = why_no_average({f"{k}": x for k, x in enumerate(metrics)})
    assert apart in why
    assert bool(apart) == bool(why)


def test_tasks_of_different_metrics():
    """A board's average is a mean score; errors are better if lower."""
    tasks = {x: ({"a": [0.5, 1], "b": [1, 0.25]},) for x in "xy"}
    metrics = {x: MeanScore(of=f"loss {x}", lower_is_better=True) for x in tasks}
    board = compare_suites(tasks, metrics)
    assert board.systems == ("b", "a")
    pair = board.pairs["b", "a"]
    assert (pair.metric, pair.metric_options) == ("mean_score", {"lower_is_better": True})
