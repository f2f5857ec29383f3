"""Cases of what a log's tool reports of all examples, and of rows that sum up the others."""

import math
import random
import statistics
from pathlib import Path

from sklearn.metrics import f1_score

from corpora.logs import lm_eval_log, save
from readers.held import stored
from readers.odd_logs import Texts, dropping
from readers.telling import read

N = 20
SIZES = [random.Random(0).randint(1, 40) for _ in range(N)]
NAN = float("nan")


def likelihoods(rng):
    return [-round(rng.expovariate(1.0), 3) for _ in range(N)]


def pairs(rng):
    return [[round(x * n, 2), n] for x, n in zip(likelihoods(rng), SIZES, strict=True)]


def perplexity(scores):
    return math.exp(-statistics.fmean(x for x in scores if x is not None))


def logs(name, columns, reported=None, **said):
    """Logs a and b of a metric, of its columns, and of what is reported of each."""
    if callable(reported):
        reported = [*map(reported, columns)]
    each = reported if isinstance(reported, list) else [reported] * 2
    return [
        lm_eval_log(Path(x), {name: column}, None if y is None else {name: y}, **said)
        for x, column, y in zip("ab", columns, each, strict=True)
    ]


def forget_results():
    for path in Path().glob("*/results*"):
        path.unlink()


def drawn(column):
    return [column(random.Random(seed)) for seed in (1, 2)]


def answers(*shares):
    """Labels of N examples: pairs of right answer and answer, each as often as is said."""
    return [[*pair] for pair, n in shares for _ in range(n)]


ONE, OTHER = (  # micro-F1 0.95 and 0.8, macro-F1 0.9505 and 0.8016
    answers(((0, 0), 13), ((0, 1), 1), ((0, 2), 1), ((1, 1), 12), ((2, 2), 13)),
    answers(
        *(((0, 0), 11), ((0, 1), 4), ((1, 1), 11), ((1, 2), 1)),
        *(((2, 0), 2), ((2, 1), 1), ((2, 2), 10)),
    ),
)
PERFECT, BINARY = [[x, x] for x, _ in ONE], [[k % 2, k % 2] for k in range(N)]


def a_short_number() -> Texts:
    """It is the number that one metric makes of all logs: the nearest, if one is perfect or cut."""
    macro = [f1_score(*zip(*x, strict=True), average="macro") for x in (ONE, OTHER)]
    for one, other, reported in (
        (ONE, OTHER, [0.95, 0.8]),
        (ONE, OTHER, macro),
        (PERFECT, PERFECT, 1.0),
        (BINARY, BINARY, 1.0),
        (PERFECT, OTHER, [1.0, 0.8]),
        (ONE[1:], OTHER[1:], [0.95, 0.8]),
    ):
        yield read(*logs("f1", [one, other], reported))


def a_metric_of_another_name() -> Texts:
    """Only the table's names mean a metric of all examples, whatever number is reported."""
    yield read(*logs("perplexity_of_mine", drawn(likelihoods), perplexity))
    yield read(*logs("word_perplexity_of_mine", drawn(pairs), 3.5))
    yield read(*logs("f1_of_mine", [ONE, OTHER], [0.95, 0.8]))


def another_aggregation() -> Texts:
    """A doubt keeps the direction; what the log says of another number is assumed."""
    columns = [[k / 40 + x for k in range(N)] for x in (0, 1)]
    yield read(*logs("perplexity", columns, lambda x: statistics.median(x) - 7))
    yield read(*logs("perplexity", columns, 0.5))
    yield read(*logs("nll", columns, lambda x: math.exp(statistics.fmean(x)), lower=["nll"]))


def a_mean_to_the_digits_that_are_written() -> Texts:
    """Also in percent; the median is none, nor what is reported beside an example without score."""
    for column, value in (
        ([0, 1, 1], 0.6666666666666666),
        ([0, 1, 1], 0.667),
        ([0, 1, 1], 66.7),
        ([0, 1, 1], 0.6667667),
        ([0, 1, 1], 0.7),
        ([0, 0, 1, 1], 0.5),
        ([0.1, 0.2, 0.4], 0.2),
        ([0, 1, 1], "N/A"),
        ([0, 1, 1], NAN),
        ([0, 1, NAN], 0.5),
        ([0, 1, None], 0.25),  # what is missing is not known
        # -1 is a score: the mean of the others is not what is reported, or others are below 0
        ([-1, 1, 1], 0.9),
        ([-1, -2, 1], 1),
    ):
        yield dropping(*logs("acc", [column] * 2, value))


def of_ruler(folder, *n_right, report=True):
    """RULER: of 20 documents, the first 10 are of 4096 tokens and the others of 8192; -1 is none.

    No document has 16384. What is reported is as its `aggregate_metrics` does it.
    """
    short, long = ([1.0] * k + [0.0] * (10 - k) for k in n_right)
    columns = {"4096": short + [-1.0] * 10, "8192": [-1.0] * 10 + long, "16384": [-1.0] * 20}
    means = {"4096": n_right[0] / 10, "8192": n_right[1] / 10, "16384": -1}
    return lm_eval_log(folder, columns, means if report is True else report)


def a_number_that_stands_for_no_score() -> Texts:
    """The tool leaves it out of its mean, and the examples are left out of both logs.

    Without results, or of another metric alone, each comparison says that it may be such.
    """
    for report in (True, None, {"8192": 0.4}):
        logged = ((x, *y) for x, y in (("a", (7, 4)), ("b", (9, 8))))
        yield read(*(of_ruler(Path(x), *n, report=report) for x, *n in logged))
        forget_results()


def a_number_that_stands_for_no_score_in_one_log() -> Texts:
    """An example that the other log scores has no score here."""
    paths = logs("acc", [[1, 1, 0, 0, 1, -1], [1, 1, 0, 0, 1, 1]], [0.6, 4 / 6])
    yield read(*paths)
    yield dropping(*paths)


def a_number_that_is_no_suspect() -> Texts:
    """Their mean is reported, others are below 0, or they are logarithms by the name."""
    for columns, name, number in (
        ([[-1, 1, 0]] * 2, "x", 0.0),
        ([[-1] * 4, [-1, 1, 1, 1]], "reward", statistics.fmean),
        ([[-1, -2, 1]] * 2, "x", None),
        ([[-1, 0, 0]] * 2, "perplexity", None),
    ):
        yield read(*logs(name, columns, number))
        forget_results()


def a_metric_that_one_run_has_no_score_of() -> Texts:
    """Only -1, where the other log has scores from 0: it lacks the metric, and has no -1 points."""
    one, two = {"4096": [1.0, 0.0, 1.0], "8192": [-1.0] * 3}, {"4096": [1, 1, 0], "8192": [1, 0, 1]}
    yield read(*(lm_eval_log(Path(x), y) for x, y in (("a", one), ("b", two))))
    means = [{x: statistics.fmean(y) for x, y in some.items()} for some in (one, two)]
    yield read(*(lm_eval_log(Path(x), *y) for x, *y in zip("ab", (one, two), means, strict=True)))


def scores_that_are_missing() -> Texts:
    """The reported score is of the others; a metric without any is left out."""
    one, two = drawn(likelihoods)
    yield dropping(*logs("perplexity", [[None, *one], [-1.0, *two]], perplexity))
    for empty in (None, NAN):
        columns = {"acc": [1, 0, 1], "judge": [1, 0, 0]}
        others = columns | {"judge": [empty] * 3}
        yield read(lm_eval_log(Path("c"), columns), lm_eval_log(Path("d"), others))


def filters_and_old_results() -> Texts:
    """A metric has a filter; before version 0.4 there was none."""
    for filter_name in ("last", "none"):
        paths = logs("perplexity", drawn(likelihoods), perplexity, filter_name=filter_name)
        for path in paths:
            (results,) = path.parent.glob("results*")
            save(results, results.read_text("utf-8").replace(",none", ""))
        yield read(*paths)


def lists_of_right_and_wrong() -> Texts:
    """IFEval's instructions: the harness averages over all of them, and a prompt is an example.

    4 of 5 against 1 of 5. The prompts differ by 0, 2 and 1: of all sums of 2 and 1 with signs, two
    of four are as large as 3.
    """
    one, two = [[True, False], [True, True], [True]], [[True, False], [False, False], [False]]
    for reported in ([0.8, 0.2], None):
        yield read(*logs("inst_level_strict_acc", [one, two], reported))
        forget_results()


def who_says_which_way_is_better() -> Texts:
    """One log is enough."""
    for said in ((True, None), (None, False)):
        reported = [
            (x, None if y is None else {"acc": 1}, y) for x, y in zip("ab", said, strict=True)
        ]
        yield read(
            *(lm_eval_log(Path(x), {"acc": [1]}, y, ["acc"] * bool(z)) for x, y, z in reported)
        )
        forget_results()


# Rows of tables that sum up the others

TOPICS = [0.3333, 0.1667, 0.5, 0.25, 0.1, 0.7, 0.2, 0.4]  # their mean is 0.33125, their sum 2.65
LOWER = [round(x - 0.1, 4) for x in TOPICS]


def topics(*named, kind="csv"):
    """Two tables of topics, and of rows that are called so; as gdeval.pl or ir_measures do it."""
    paths = []
    for name, scores in (("a", LOWER), ("b", TOPICS)):
        ids = *(f"q{k}" for k in range(8)), *(x for x, _ in named)
        ndcg = *scores, *(x(scores) for _, x in named)
        table = {"measure": ["AP"] * len(ids), "topic": ids, "ndcg": ndcg}
        paths.append(stored(kind, Path(), name, table))
    return dropping(*paths, id="topic", score="ndcg")


def mean(scores):
    return round(statistics.fmean(scores), 4)


def total(scores):
    return round(math.fsum(scores), 4)


SUMMING = [
    *(["all"], ["amean"], ["Average", "Total"], ["mean"], ["OVERALL"], ["<all>"], ["_mean_"]),
    *(["Avg."], ["AVERAGE:"], ["Overall Score"], ["average_score"], ["macro avg"]),
    *(["weighted avg"], ["summary"], ["Mean", "Totals"], ["Mean Score", "Grand Total"]),
]
DESCRIBED = [  # what pandas describes: the others go with the mean
    *(("count", len), ("mean", statistics.fmean), ("std", statistics.stdev), ("min", min)),
    *(("25%", lambda _: 0.2), ("50%", lambda _: 0.3), ("75%", lambda _: 0.4), ("max", max)),
]


def rows_that_sum_up_the_others() -> Texts:
    """They are no examples: 8 topics that all lose have p = 2 / 2^8, and a ninth would halve it."""
    yield topics(*DESCRIBED)
    yield topics(("all", mean), kind="jsonl")
    for names in SUMMING:
        named = zip(names, (mean, total), strict=False)
        yield names[0] + ": " + next(x for x in topics(*named).splitlines() if "left out" in x)


def rows_that_sum_up_nothing() -> Texts:
    """Not the mean, no number, no such name, or nothing beside which it stands."""
    for name, score in (("all", 0.36), ("all", None), ("9", mean), ("std", mean), ("mean 1", mean)):
        yield topics((name, lambda x, score=score: score(x) if callable(score) else score))


def a_total_of_right_answers() -> Texts:
    """It is no score beyond 1."""
    yield dropping(
        *(
            stored("jsonl", Path(), name, {"id": [*"123456", "Total"], "acc": [*x, sum(x)]})
            for name, x in (("a", [1, 1, 1, 0, 1, 1]), ("b", [0, 0, 1, 0, 0, 0]))
        ),
        score="acc",
    )
