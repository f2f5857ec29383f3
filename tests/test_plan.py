"""What a test will do, said beforehand: the decision list, and that the tests keep to it."""

import copy
import dataclasses
import pickle
import warnings

import numpy as np
import pytest
from extras import needs
from test_ratio import RATIO, sentences

import pairedperm
from pairedperm import (
    BudgetError,
    InputError,
    PairedCounts,
    Plan,
    Ratio,
    compare,
    paired_permutation_test,
    plan,
    structured_permutation_test,
)
from pairedperm.convolution import ProductLaw
from pairedperm.metric import METRICS

ALTERNATIVES = ("two-sided", "greater", "less")


def largest(sums):
    return sums.max(axis=-1)


def scores(n, size, seed=0):
    return np.random.default_rng(seed).integers(0, size, (2, n))


def rows(n, size, m=2, seed=0):
    return np.random.default_rng(seed).integers(0, size, (2, n, m))


def labels(n, n_classes=2, seed=0):
    return np.random.default_rng(seed).integers(0, n_classes, (3, n))


# The decision list, rule by rule


@pytest.mark.parametrize(
    ("arguments", "options", "rank"),
    [
        # no example differs
        (([1, 2], [1, 2]), {}, 0),
        (([1, 2], [1, 2]), {"alternative": "greater"}, 0),
        (([[1, 2]], [[1, 2]]), {"score": RATIO}, 0),
        (([[1, 2]], [[1, 2]]), {"score": RATIO, "alternative": "less"}, 0),
        (([[1, 2]], [[1, 2]]), {"score": largest, "alternative": "less"}, 0),
        (([[1, 2]], [[1, 2]], largest), {}, 0),
        (([0, 1, 1], [0, 1, 1], [0, 0, 1]), {}, 0),
        (([0, 1, 1], [0, 1, 1], [0, 0, 1]), {"metric": "f1", "average": "macro"}, 0),
        # the scores are the same, and the test two-sided
        (([1, 0, 3], [0, 1, 3]), {}, 1),
        (([[1, 2], [0, 1]], [[0, 1], [1, 2]]), {"score": RATIO}, 1),
        (([[1, 2], [0, 3]], [[0, 3], [1, 2]]), {"score": RATIO}, 1),
        (([[1, 2], [0, 1], [4, 0]], [[0, 1], [1, 2], [4, 0]]), {"score": largest}, 1),
        (([[1, 2], [0, 7], [5, 9]], [[0, 7], [2, 2], [4, 9]]), {"score": largest}, 2),
        # only one assignment is as extreme, or two
        (([1] * 90, [0] * 90), {}, 1),
        (([1] * 90, [0] * 90), {"alternative": "greater"}, 1),
        (([0] * 90, [2] * 90), {"alternative": "less"}, 1),
        (([[1, 5]] * 90, [[0, 5]] * 90), {"score": RATIO}, 1),
        # or all but one, or all
        (([0] * 90, [1] * 90), {"alternative": "greater"}, 1),
    ],
)
def test_rule_1(arguments, options, rank):
    found = plan(*arguments, **options)
    assert (found.method, found.rank, found.grid, found.n_points, found.n_bytes) == (
        *("exact", rank, (1,), 1, 0),
    )
    assert found.reason == "p is known without a sum"
    tight = plan(*arguments, **options, max_frequencies=1, max_bytes=1, method="exact")
    assert tight == found  # whatever the budget is


@pytest.mark.parametrize(
    ("arguments", "options", "reason"),
    [
        (scores(60, 6), {}, "all swaps are counted in one big integer"),
        (scores(30, 2**40), {}, "all swaps are counted in two halves"),
        (scores(500, 300), {}, "the laws of two halves of the examples are added"),
        (scores(3000, 60), {}, "a tilted sum on a line"),
        (scores(3000, 60), {"alternative": "less"}, "a tilted sum on a line"),
        ((scores(3000, 60) / 100), {}, "a tilted sum on a line"),
        (labels(60, seed=1), {}, "all swaps are counted in one big integer"),
        (labels(60, seed=1), {"metric": "recall"}, "all swaps are counted in one big integer"),
    ],
)
def test_rule_2(arguments, options, reason):
    found = plan(*arguments, **options)
    assert (found.method, found.rank, found.reason) == ("exact", 1, reason)
    assert found.grid == (found.n_points,)
    assert found.n_points > 1
    assert found.n_bytes > 0


def test_rule_2_of_a_ratio_on_a_line():
    """A denominator that is the same for both systems."""
    columns = rows(3000, 60)
    columns[1, :, 1] = columns[0, :, 1]
    found = plan(*columns, score=RATIO)
    assert (found.method, found.rank, found.reason) == ("exact", 1, "a tilted sum on a line")
    assert found == plan(*columns[:, :, 0])


def test_rule_2_beyond_the_budget():
    counts = scores(2000, 3000)
    assert plan(*counts, max_bytes=10**6).reason == "a tilted sum on a line"
    found = plan(*counts, max_frequencies=1000, max_bytes=10**6)
    assert (found.method, found.rank) == ("monte_carlo", 1)
    assert found.reason.startswith("p is sampled, for the exact p-value needs ")
    assert "`max_frequencies` allows 1e+03" in found.reason
    # the few examples that are counted otherwise
    few = scores(30, 2**40)
    assert plan(*few, max_frequencies=1).method == "exact"
    found = plan(*few, max_bytes=10**5)
    assert found.method == "monte_carlo"
    assert "Or set `max_bytes` to " in found.reason
    assert plan(*scores(200, 2**50)).method == "monte_carlo"


@pytest.mark.parametrize(
    ("arguments", "options", "reason"),
    [
        (rows(15, 6), {"score": RATIO}, "all swaps are counted"),
        (rows(100, 9), {"score": RATIO}, "tilted sums in the plane"),
        (labels(500), {"metric": "f1"}, "tilted sums in the plane"),
        (labels(500), {"metric": "f1", "average": "macro"}, "tilted sums in the plane"),
        (labels(500), {"metric": "matthews_correlation"}, "tilted sums in the plane"),
        (labels(25), {"metric": "f1"}, "all swaps are counted"),
    ],
)
def test_rule_3(arguments, options, reason):
    found = plan(*arguments, **options)
    assert (found.method, found.rank, found.reason) == ("exact", 2, reason)
    assert len(found.grid) == 2
    assert found.n_points == found.grid[0] * found.grid[1] > 1
    assert found.n_bytes > 0


def test_rule_3_may_turn_out_otherwise():
    """How many frequencies p takes is known when it is computed."""
    columns = rows(80, 10**7)
    columns[:, :, 1] += columns[:, :, 0]
    assert plan(*columns, score=RATIO).method == "exact"
    with pytest.warns(UserWarning, match="p is sampled, for the exact p-value needs a Fourier"):
        assert paired_permutation_test(*columns, score=RATIO, rng=0).method == "monte_carlo"


@pytest.mark.parametrize(
    ("arguments", "options", "rank"),
    [
        (rows(30, 6), {"score": largest}, 2),
        (rows(30, 6, m=3, seed=1), {"score": largest}, 3),
        (scores(30, 6), {"score": np.sqrt}, 1),
        ((*rows(30, 6, m=4), largest), {}, 4),
        ((*scores(30, 6), np.abs), {}, 1),
        (labels(60, 3), {"metric": "f1", "average": "macro"}, 5),
    ],
)
def test_rule_4(arguments, options, rank):
    found = plan(*arguments, **options)
    assert (found.rank, found.method == "exact") == (rank, found.n_points <= 2**24)
    if found.method == "monte_carlo":
        assert rank >= 4
        return
    assert found.reason.startswith("all sums, by ")
    assert found.n_points == np.prod(found.grid) > 1
    assert found.n_bytes >= 8 * found.n_points  # masses are float64


def test_rule_4_depends_on_the_budget():
    columns = rows(30, 6, m=3, seed=1)
    _, _, _, n_points, n_bytes, _ = dataclasses.astuple(plan(*columns, score=largest))
    for limits, method in (
        ({"max_frequencies": n_points, "max_bytes": n_bytes}, "exact"),
        ({"max_frequencies": n_points - 1}, "monte_carlo"),
        ({"max_bytes": n_bytes - 1}, "monte_carlo"),
    ):
        for found in (
            plan(*columns, score=largest, **limits),
            plan(*columns, largest, **limits),
        ):
            assert (found.method, found.n_points) == (method, n_points)
            assert f"`{next(iter(limits))}` allows" in found.reason or method == "exact"


def test_binomial_laws():
    """Each example moves one column: independent parts, of which each is one-dimensional."""
    counts = PairedCounts(np.eye(3, dtype=int), np.zeros((3, 3)), [10, 20, 30])
    found = plan(counts, score=largest)
    assert (found.rank, found.reason) == (3, "all sums, by binomial laws")
    assert sorted(found.grid) == [11, 21, 31]


def test_rule_5():
    columns = rows(500, 30, m=10)
    found = plan(*columns, score=largest)
    assert (found.method, found.rank, found.n_points > 2**40) == ("monte_carlo", 10, True)
    assert found.reason.startswith("p is sampled, for the exact p-value needs the null distribut")
    with pytest.warns(UserWarning, match="p is sampled, for") as warned:
        result = paired_permutation_test(*columns, score=largest, rng=0)
    assert result.method == "monte_carlo"
    assert str(warned[0].message) == found.reason
    many = PairedCounts(np.eye(9, dtype=int), np.zeros((9, 9)), [10**4] * 9)
    found = plan(many, score=largest)
    assert (found.method, found.grid) == ("monte_carlo", None)  # not laid out
    assert found.n_points > 2**40


@pytest.mark.parametrize("method", ["monte_carlo", "importance_sampling"])
def test_on_request(method):
    for arguments, options in (
        (scores(20, 5), {}),
        (rows(20, 5), {"score": RATIO}),
        (rows(20, 5), {"score": largest}),
        ((*rows(20, 5), largest), {}),
        (labels(20), {}),
        (([1], [1]), {}),
        (rows(500, 30, m=10), {"score": largest}),  # no warning, no error
        (scores(200, 2**50), {}),
    ):
        found = plan(*arguments, method=method, **options)
        assert (found.method, found.reason) == (method, f"asked for with method={method!r}")
        assert found.rank == plan(*arguments, **options).rank


# The tests keep to it


def random_problem(rng):
    """A test, what it is given, and whether its cost is known beforehand."""
    n, size = int(rng.choice([1, 2, 5, 15, 40])), int(rng.choice([2, 4, 30]))
    m = int(rng.integers(1, 4))
    columns = rng.integers(0, size, (2, n, m))
    columns[1] = np.where(rng.random((n, 1)) < 0.3, columns[0], columns[1])
    kind = rng.integers(6)
    if kind == 0:
        unit = rng.choice([1, 10, 1000])
        return paired_permutation_test, tuple(columns[:, :, 0] / unit), {}, True
    if kind == 1:
        weights = np.eye(m, dtype=int)[[0, -1]]
        score = Ratio(*weights, zero_division=float(rng.choice([0.0, 1.0])))
        return paired_permutation_test, tuple(columns), {"score": score}, False
    if kind == 2:
        return paired_permutation_test, tuple(columns), {"score": largest}, True
    if kind == 3:
        return structured_permutation_test, (*columns, largest), {}, True
    if kind == 4:
        counts = PairedCounts(*columns, rng.integers(1, 5, n))
        return paired_permutation_test, (counts,), {"score": largest}, True
    n_classes = int(rng.choice([2, 3]))
    metric, options = OF_LABELS[rng.integers(len(OF_LABELS))]
    corpus = rng.integers(0, n_classes, (3, n))
    corpus[:2, 0] = corpus[2, 0] = 1  # which is selected
    return compare, tuple(corpus), {"metric": metric, **options}, False


OF_LABELS = (
    ("accuracy", {}),
    ("exact_match", {}),
    *((metric, {"pos_label": 1}) for metric in ("precision", "recall", "f1", "jaccard")),
    *((metric, {"average": "macro"}) for metric in ("precision", "recall", "f1", "jaccard")),
    *((metric, {"average": "micro", "labels": [1]}) for metric in ("precision", "f1")),
    ("fbeta", {"pos_label": 1, "beta": 2}),
    ("fbeta", {"average": "macro", "beta": 0.5, "zero_division": 1.0}),
    ("balanced_accuracy", {}),
    ("matthews_correlation", {}),
)


@pytest.mark.parametrize("seed", range(10))
def test_methods_of_random_problems(seed):
    rng = np.random.default_rng(seed)
    for _ in range(15):
        test, arguments, options, _ = random_problem(rng)
        if test is not structured_permutation_test:
            options["alternative"] = str(rng.choice(ALTERNATIVES))
        options["method"] = str(rng.choice(["auto", "exact", "monte_carlo", "importance_sampling"]))
        options |= {"rng": 0, "n_resamples": 300}
        found = plan(*arguments, **options)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "only .* samples were extreme|p is sampled, for ")
            result = test(*arguments, **options)
        assert result.method == found.method, (test, arguments, options, found)
        assert found.rank <= max(result.n_differing, 1)


@pytest.mark.parametrize("seed", range(10))
def test_budgets_of_random_problems(seed):
    rng = np.random.default_rng(seed)
    n_beyond = 0
    for _ in range(15):
        test, arguments, options, is_known = random_problem(rng)
        options |= {"max_frequencies": int(rng.choice([1, 30, 1000]))}
        options |= {"max_bytes": int(rng.choice([100, 10**4, 10**6])), "rng": 0}
        found = plan(*arguments, **options)
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            result = test(*arguments, **options)
        assert len(warned) == (result.method == "monte_carlo")
        if not is_known and result.method != found.method:
            # a tail in the plane, the only one whose cost turns out later
            assert (found.method, found.rank, result.method) == ("exact", 2, "monte_carlo")
            continue
        assert result.method == found.method, (test, arguments, options, found)
        if found.method == "exact":
            assert test(*arguments, **options, method="exact") == result
            assert plan(*arguments, **options, method="exact") == found
            continue
        n_beyond += 1
        assert str(warned[0].message).startswith(found.reason)
        for function in (test, plan):
            with pytest.raises((BudgetError, InputError)) as raised:
                function(*arguments, **options, method="exact")
            assert found.reason.removeprefix("p is sampled, for ") in str(raised.value)
            assert "Or sample: method='monte_carlo'" in str(raised.value)
    assert n_beyond > 0


TEXTS = ["the cat sat", "on a mat", "twice"], ["a cat sat", "on the mat", "once"]
TAGS = [["B-PER", "I-PER", "O"], ["O", "B-LOC"]], [["B-PER", "O", "O"], ["B-LOC", "B-LOC"]]


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric(metric):
    rng = np.random.default_rng(9)
    arguments = tuple(rng.integers(0, 2, (3, 60)))
    options = {"beta": 2} if metric == "fbeta" else {}
    if metric == "span_f1":
        arguments = (*TAGS, TAGS[0])
    elif metric in ("word_error_rate", "squad_exact_match", "squad_f1"):
        arguments = (*TEXTS, ["the cat sat", "on the mat", "twice"])
        if metric == "word_error_rate":
            needs("rapidfuzz", "wer")
    for alternative in ALTERNATIVES:
        found = plan(*arguments, metric=metric, alternative=alternative, **options)
        result = compare(*arguments, metric=metric, alternative=alternative, **options)
        assert (found.method, result.method) == ("exact", "exact")
        assert 1 <= found.rank <= 2
        assert found == plan(*arguments, metric, alternative=alternative, **options)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (scores(200, 2**50), {}, r"points, more than 2\^31.* Or sample: method='monte_carlo', or"),
        (
            rows(300, 30, m=8),
            {"score": largest},
            r"null distribution .* on a grid of .*Or sample: method=",
        ),
        (
            (*rows(300, 30, m=8), largest),
            {},
            r"null distribution .* on a grid of .*Or sample: method=",
        ),
        (
            labels(400, 4),
            {"metric": "f1", "average": "macro"},
            r"null distribution .* on a grid .*Or sample: method",
        ),
    ],
)
def test_beyond_any_budget(arguments, options, message):
    if len(arguments) == 2:
        test = paired_permutation_test
    else:
        test = structured_permutation_test if callable(arguments[2]) else compare
    for function in (plan, test):
        with pytest.raises(BudgetError, match=message):
            function(*arguments, **options, method="exact")
    found = plan(*arguments, **options)
    with pytest.warns(UserWarning, match="p is sampled, for ") as warned:
        result = test(*arguments, **options, rng=0)
    assert found.method == result.method == "monte_carlo"
    assert str(warned[0].message).startswith(found.reason)


def test_beyond_the_budget_for_their_decimals():
    columns = np.random.default_rng(0).normal(size=(2, 300)).round(11)
    for function in (plan, paired_permutation_test):
        with pytest.raises(
            InputError, match=r"scores have 11 decimals, too many .* Or sample: met"
        ):
            function(*columns, method="exact")
    assert plan(*columns).method == "monte_carlo"


# Ways of calling


def test_the_arguments_say_which_test_is_meant():
    one, two = rows(30, 6)
    structured = plan(one, two, largest)
    assert structured == plan(one, two, statistic=largest)
    assert structured == plan(one, swap=two, statistic=largest)
    assert structured == plan(stay=one, swap=two, statistic=largest)
    assert structured == plan(statistic=largest, swap=two, stay=one)
    of_score = plan(one, two, score=RATIO)
    assert of_score == plan(counts1=one, counts2=two, score=RATIO)
    assert of_score == plan(score=RATIO, counts2=two, counts1=one)
    assert of_score == plan(PairedCounts.from_rows(one, two), score=RATIO)
    assert of_score == plan(counts1=PairedCounts.from_rows(one, two), score=RATIO)
    assert of_score.reason != structured.reason
    first, second, gold = labels(30)
    accuracy = plan(first, second, gold)
    assert accuracy == plan(first, second, gold, "accuracy")
    assert accuracy == plan(first, second, references=gold)
    assert accuracy == plan(predictions1=first, predictions2=second, references=gold)
    f1 = plan(first, second, gold, "f1")
    assert f1 == plan(first, second, gold, metric="f1")
    assert f1 == plan(first, second, gold, "f1", pos_label=1)
    assert f1 == plan(predictions1=first, predictions2=second, references=gold, metric="f1")
    assert f1.rank == 2 != accuracy.rank
    assert plan(*labels(60, 3), "f1", average="macro").rank > 2
    means = plan(first, second)  # of scores, not labels
    assert means == plan(counts1=first, counts2=second)
    assert means.n_points != accuracy.n_points


def test_the_options_of_the_tests():
    """All are accepted, and those that matter do."""
    options = {
        "method": "auto",
        "max_frequencies": 100,
        "max_bytes": 10**6,
        "n_resamples": 10,
        "rng": 3,
        "confidence_level": 0.9,
        "progress": False,
    }
    one, two = rows(30, 6)
    assert plan(one, two, largest, **options).method == "monte_carlo"
    assert plan(one, two, score=largest, alternative="less", **options).method == "monte_carlo"
    assert plan(*labels(30), alternative="less", **options).method == "exact"
    wins = [1] * 20 + [0], [0] * 20 + [1]
    assert plan(*wins, alternative="greater").reason != "p is known without a sum"
    equal = [1, 0] * 9, [0, 1] * 9
    assert plan(*equal).n_points == 1 < plan(*equal, alternative="greater").n_points


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("method", "fast"),
        ("max_frequencies", 0),
        ("max_bytes", 1.5),
        ("n_resamples", 0),
        ("rng", "x"),
        ("confidence_level", 1.0),
        ("progress", 1),
    ],
)
def test_bad_options(option, value):
    for arguments in (([1], [0]), ([1], [0], np.abs), ([1], [0], [1])):
        with pytest.raises(InputError, match=f"`{option}` must be "):
            plan(*arguments, **{option: value})
    with pytest.raises(InputError, match="`alternative` must be one of"):
        plan([1], [0], alternative="bigger")


def test_bad_input_is_refused_as_by_the_test():
    for arguments, options, message in (
        (([1], [1, 2]), {}, "must have the same length, got 1 and 2"),
        (([1],), {}, "`counts2` is missing"),
        (([], []), {}, "`counts1` is empty"),
        (([1], [0], "abs"), {"method": "exact"}, "`references` must be"),
        (([1], [0], [1], "f2"), {}, "`metric` must be one of"),
        (([1], [0], [1], "f1"), {"beta": 2}, "`beta` is no option of metric 'f1'"),
        (([1], [0]), {"score": "f1"}, "`score` must be a pairedperm.Ratio"),
        (([1], [0]), {"statistic": "f1"}, "`statistic` must be a function of the sums"),
    ):
        with pytest.raises(InputError, match=message):
            plan(*arguments, **options)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((paired_permutation_test, [1], [0]), {}, "takes the arguments of a test, not the test it"),
        ((compare,), {}, "takes the arguments of a test, not the test itself"),
        (([[1, 2]], [[0, 1]], RATIO), {}, r"give a Ratio by name: plan\(counts1, counts2, score="),
        (
            (),
            {},
            "of paired_permutation_test: missing a required argument: 'counts1'. It has count",
        ),
        (
            ([1], [0]),
            {"n_samples": 9},
            "of paired_permutation_test: got an unexpected keyword argu",
        ),
        (
            ([1], [0], np.abs),
            {"alternative": "less"},
            "of structured_permutation_test: .*'alternat",
        ),
        (
            ([1], [0], np.abs, "exact"),
            {},
            "of structured_permutation_test: too many positional arg",
        ),
        (
            ([1],),
            {"statistic": np.abs},
            "of structured_permutation_test: missing .*: 'swap'. It ha",
        ),
        (
            ([1], [0]),
            {"metric": "f1"},
            "of compare: missing a required argument: 'references'. It ",
        ),
        (([1], [0]), {"pos_label": 1}, "of compare: missing a required argument: 'references'"),
        (
            ([1], [0], [1]),
            {"score": RATIO},
            "of compare: got an unexpected .*'score'. It has predic",
        ),
        (([1], [0], [1], "f1", 2), {}, "of compare: too many positional arguments"),
        (
            ([1], [0]),
            {"counts1": [1]},
            "of paired_permutation_test: multiple values for .*'counts1'",
        ),
        (
            ([1], [0]),
            {"statistic": np.abs, "metric": "f1"},
            "of structured_permutation_test: got an",
        ),
    ],
)
def test_type_errors(arguments, options, message):
    with pytest.raises(TypeError, match=message):
        plan(*arguments, **options)


# The plan itself


def test_a_plan_is_frozen():
    found = plan([1, 2], [0, 3])
    assert isinstance(found, Plan)
    for name in ("method", "rank", "n_points"):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(found, name, "exact")
    with pytest.raises((AttributeError, TypeError)):
        found.other = 1
    assert {field.name for field in dataclasses.fields(found)} == {
        *("method", "rank", "grid", "n_points", "n_bytes", "reason")
    }


def test_a_plan_is_made_of_plain_values():
    for arguments, options in (
        (scores(3000, 60), {}),
        (rows(60, 6), {"score": RATIO}),
        (rows(60, 6), {"score": largest}),
        (rows(300, 30, m=8), {"score": largest}),
        (labels(60, 3), {"metric": "f1", "average": "macro"}),
        (scores(200, 2**50), {}),
        (([1], [1]), {}),
    ):
        found = plan(*arguments, **options)
        assert pickle.loads(pickle.dumps(found)) == copy.deepcopy(found) == found
        assert hash(found) == hash(plan(*arguments, **options))
        assert (type(found.method), type(found.reason)) == (str, str)
        assert {type(found.rank), type(found.n_points), type(found.n_bytes)} == {int}
        assert found.grid is None or {type(length) for length in found.grid} == {int}
        assert repr(found).startswith(f"Plan(method={found.method!r}, rank={found.rank}, grid=(")


@pytest.fixture
def nothing_runs(monkeypatch):
    """Whatever computes a tail or a law, or samples swaps, fails."""

    def fails(*arguments, **options):
        raise AssertionError("something was computed")

    monkeypatch.setattr(ProductLaw, "computed", fails)
    for name in ("_counted", "_enumerated", "halved_lower_tail", "tilted_lower_tail"):
        monkeypatch.setattr(f"pairedperm.convolution.tail.{name}", fails)
    for name in ("tail_by_bands", "enumerate_planar_tail", "count_planar_tail"):
        monkeypatch.setattr(f"pairedperm.convolution.plane.{name}", fails)
    for name in ("sampled_pvalue", "importance_sampled_pvalue"):
        monkeypatch.setattr(f"pairedperm.decision.{name}", fails)


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (scores(60, 6), {}),
        (scores(30, 2**40), {}),
        (scores(500, 300), {}),
        (scores(3000, 60), {}),
        (rows(15, 6), {"score": RATIO}),
        (rows(100, 9), {"score": RATIO}),
        (rows(60, 6), {"score": largest}),
        ((*rows(60, 6), largest), {}),
        (labels(200), {}),
        (labels(200), {"metric": "f1"}),
        (labels(200), {"metric": "f1", "average": "macro"}),
        (labels(30, 3), {"metric": "f1", "average": "macro"}),
        (scores(20, 6), {"method": "monte_carlo"}),
        (scores(20, 6), {"method": "importance_sampling"}),
    ],
)
def test_nothing_is_computed(arguments, options, nothing_runs):
    plan(*arguments, **options)
    if len(arguments) == 2:
        test = paired_permutation_test
    else:
        test = structured_permutation_test if callable(arguments[2]) else compare
    with pytest.raises(AssertionError, match="something was computed"):
        test(*arguments, **options)


def test_a_function_is_only_tried():
    """On 66 sums, and not on all points of the grid."""
    n_rows = 0

    def statistic(sums):
        nonlocal n_rows
        n_rows += len(sums)
        return sums[..., 0] * sums[..., 1]

    found = plan(*rows(60, 30), statistic)
    assert found.n_points > 10**5
    assert 0 < n_rows < 1000
    n_rows = 0
    plan(*rows(60, 30), score=statistic)
    assert 0 < n_rows < 1000


def test_a_corpus_of_a_million_examples():
    """What a ratio of it takes is said without the test."""
    counted = sentences(np.random.default_rng(0), 2000)
    counts = PairedCounts(counted[:, :2], counted[:, 2:], [500] * 2000)
    found = plan(counts, score=RATIO)
    assert (found.method, found.rank) == ("exact", 2)
    assert found.n_bytes < 2**30


def test_it_is_public():
    assert {"plan", "Plan"} <= set(pairedperm.__all__)
