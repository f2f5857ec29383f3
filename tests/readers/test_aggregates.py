"""What a log's tool reports of all examples, against the metric that its name means."""

import math
import pickle
import random
import statistics

import pytest
from sklearn.metrics import f1_score, matthews_corrcoef

from corpora.logs import and_task_u, lm_eval_log, save
from extras import needs
from pairedperm import InputError, gate, gate_suite
from pairedperm.readers import read_runs
from pairedperm.readers.log import Run, with_repeats
from pairedperm.readers.metrics import flips
from pairedperm.readers.read import compare_all
from pairedperm.scoring import BLEU, F1, TER, BitsPerByte, ChrF, MatthewsCorrelation, Perplexity
from properties import one_in
from readers.held import stored

N = 20
RNG = random.Random(0)
SIZES = [RNG.randint(1, 40) for _ in range(N)]
GOLD = [RNG.randint(0, 1) for _ in range(N)]
WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "mat", "in", "house", "big", "small"]
RIGHT = [" ".join(RNG.choices(WORDS, k=8)) for _ in range(N)]


def likelihoods(rng):
    return [-round(rng.expovariate(1.0), 3) for _ in range(N)]


def pairs(rng):
    return [[round(x * n, 2), n] for x, n in zip(likelihoods(rng), SIZES, strict=True)]


def labels(rng):
    return [[x, x if rng.random() < 0.7 else 1 - x] for x in GOLD]


def texts(rng, write=list):
    def other(text):
        return " ".join(x if rng.random() < 0.7 else rng.choice(WORDS) for x in text.split())

    return [write((x, other(x))) for x in RIGHT]


def per_unit(entries):
    return -math.fsum(x for x, _ in entries) / sum(n for _, n in entries)


def of_sacrebleu(name):
    def score(entries):
        references, own = zip(*entries, strict=True)
        references = [x if isinstance(x, str) else x[0] for x in references]
        own = [x if isinstance(x, str) else x[0] for x in own]
        return getattr(needs("sacrebleu", "mt"), name)(own, [references]).score

    return score


# the metric's name, what is logged, what the harness reports of it, and the metric
CASES = {
    "perplexity": (likelihoods, lambda x: math.exp(-statistics.fmean(x)), Perplexity()),
    "word_perplexity": (pairs, lambda x: math.exp(per_unit(x)), Perplexity()),
    "byte_perplexity": (pairs, lambda x: math.exp(per_unit(x)), Perplexity()),
    "bits_per_byte": (pairs, lambda x: per_unit(x) / math.log(2), BitsPerByte()),
    "f1": (labels, lambda x: f1_score(*zip(*x, strict=True)), F1()),
    "mcc": (labels, lambda x: matthews_corrcoef(*zip(*x, strict=True)), MatthewsCorrelation()),
    "bleu": (texts, of_sacrebleu("corpus_bleu"), BLEU()),
    "chrf": (lambda rng: texts(rng, lambda x: [[x[0]], x[1]]), of_sacrebleu("corpus_chrf"), ChrF()),
    "ter": (lambda rng: texts(rng, lambda x: [x[0], [x[1]]]), of_sacrebleu("corpus_ter"), TER()),
}
BY_NAME = ("perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte")


def columns_of(name):
    return [CASES[name][0](random.Random(seed)) for seed in (1, 2)]


@pytest.fixture
def logs(tmp_path):
    """Logs a and b of a metric, of its columns, and of what is reported of each."""

    def write(name, columns, reported=None, **said):
        if callable(reported):
            reported = [*map(reported, columns)]
        each = reported if isinstance(reported, list) else [reported] * 2
        return [
            lm_eval_log(tmp_path / x, {name: column}, None if y is None else {name: y}, **said)
            for x, column, y in zip("ab", columns, each, strict=True)
        ]

    return write


@one_in(2)
@pytest.mark.parametrize(
    ("name", "digits"), [*((x, None) for x in CASES), ("perplexity", 2), ("f1", 2), ("bleu", 1)]
)
def test_the_reported_score_is_compared(name, digits, logs):
    """Without results names tell, of likelihoods."""
    (_, score, metric), columns = CASES[name], columns_of(name)
    wanted = [*map(score, columns)]
    paths = logs(name, columns, [x if digits is None else round(x, digits) for x in wanted])
    runs = read_runs(*paths)
    assert runs.metrics == (name,)
    examples = runs.examples()
    assert (examples.metric, examples.name, examples.doubts) == (metric, name, [])
    assert examples.direction == (metric.lower_is_better, "log")
    found = runs.compare(method="monte_carlo", n_resamples=9, rng=0)
    assert [found.score1, found.score2] == pytest.approx(wanted, rel=1e-9)
    assert found.metric == metric.name
    assert sum(map(len, flips(examples))) == found.n_wins + found.n_losses
    assert found.n_differing > 5
    next(paths[len(name) % 2].parent.glob("results*")).unlink()
    runs = read_runs(*paths)
    assert (runs.metrics, "left out" in str(runs)) == (
        ((name,), False) if name in BY_NAME else ((), True)
    )
    if name in BY_NAME:
        assert (runs.examples().metric, runs.examples().direction.source) == (metric, "log")


def test_entries_of_repeats_have_no_mean():
    scores, metrics = {"f1": [(0, 1), (1, 1), (0, 1)]}, {"f1": (F1(),)}
    run = Run(path="x", format="", ids=["b", "a", "b"], scores=scores, aggregated=metrics)
    assert with_repeats(run).scores["f1"] == [None, (1, 1)]


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
BINARY = labels(random.Random(1))


def perfect(column):
    return [[right, right] for right, _ in column]


@pytest.mark.parametrize(
    ("columns", "reported", "metric"),
    [
        ((ONE, OTHER), (0.95, 0.8), F1(average="micro")),
        ((ONE, OTHER), ("macro", "macro"), F1(average="macro")),
        ((perfect(ONE),) * 2, (1.0, 1.0), F1(average="macro")),
        ((perfect(BINARY),) * 2, (1.0, 1.0), F1()),
        # one system is perfect: the other tells
        ((perfect(ONE), OTHER), (1.0, 0.8), F1(average="micro")),
        # rounded, all make it, and the nearest is compared
        ((ONE[1:], OTHER[1:]), (0.95, 0.8), F1(average="macro")),
    ],
)
def test_a_short_number(columns, reported, metric, logs):
    """It is the number that one metric makes of all logs."""
    numbers = [
        f1_score(*zip(*x, strict=True), average=y) if isinstance(y, str) else y
        for x, y in zip(columns, reported, strict=True)
    ]
    found = read_runs(*logs("f1", columns, numbers)).examples()
    assert (found.metric, found.doubts) == (metric, [])


@pytest.mark.parametrize("name", ["perplexity", "f1", "word_perplexity"])
def test_another_name_is_not_tried(name, logs):
    """Only the table's names mean a metric of all examples, whatever number is reported."""
    runs = read_runs(*logs(f"{name}_of_mine", columns_of(name), CASES[name][1]))
    if name == "perplexity":  # numbers, whose mean is another
        assert (len(runs.examples().doubts), runs.examples().direction.source) == (2, "assumed")
    else:
        assert "of which no known metric makes the" in str(runs)
        assert runs.metrics == ()


@pytest.mark.parametrize(
    ("name", "number", "says", "direction"),
    [  # nothing tells which way is better; what the log says of another number is assumed
        ("perplexity", lambda x: statistics.median(x) - 7, "the mean of its 20 scores is", False),
        ("perplexity", 0.5, "0.5 is reported with", False),
        ("nll", lambda x: math.exp(statistics.fmean(x)), "is reported with", True),
    ],
)
def test_another_aggregation(name, number, says, direction, logs):
    """A doubt keeps the direction: the worse model is not ranked first."""
    columns = [[k / 40 + x for k in range(N)] for x in (0, 1)]
    runs = read_runs(*logs(name, columns, number, lower=["nll"]))
    assert runs.examples().direction == (direction, "assumed")
    assert runs.examples(lower_is_better=True).direction == (True, "caller")
    doubts = [*map(str, runs.examples().doubts)]
    assert [says in x for x in doubts] == [True, True]
    for ask in (runs.compare, runs.leaderboard):
        with pytest.warns(UserWarning, match="is reported with") as warned:
            found = ask()
        assert [str(x.message) for x in warned] == [f"{x}." for x in doubts]
    assert found.to_dict()["systems"][0]["system"] == ("a" if direction else "b")


@pytest.mark.parametrize(
    ("column", "value", "agrees"),
    [
        ([0, 1, 1], 0.6666666666666666, True),
        ([0, 1, 1], 0.667, True),
        ([0, 1, 1], 66.7, True),  # in percent
        ([0, 1, 1], 0.6667667, False),
        ([0, 1, 1], 0.7, False),
        ([0, 0, 1, 1], 0.5, True),
        ([0.1, 0.2, 0.4], 0.2, False),  # the median
        ([0, 1, 1], "N/A", True),
        ([0, 1, 1], float("nan"), True),
        ([0, 1, float("nan")], 0.5, True),
        ([0, 1, None], 0.25, True),  # what is missing is not known
        # -1 is a score: the mean of the others is not what is reported, or others are below 0
        ([-1, 1, 1], 0.9, False),
        ([-1, -2, 1], 1, False),
    ],
)
def test_a_mean_to_the_digits_that_are_written(column, value, agrees, logs):
    runs = read_runs(*logs("acc", [column] * 2, value), on_missing="drop")
    assert len(runs.examples("acc").doubts) == (0 if agrees else 2)
    assert len(runs.examples("acc").ids) == sum(x is not None and x == x for x in column)


def of_ruler(folder, *n_right, report=True):
    """RULER: of 20 documents, the first 10 are of 4096 tokens and the others of 8192; -1 is none.

    No document has 16384. What is reported is as its `aggregate_metrics` does it.
    """
    short, long = ([1.0] * k + [0.0] * (10 - k) for k in n_right)
    columns = {"4096": short + [-1.0] * 10, "8192": [-1.0] * 10 + long, "16384": [-1.0] * 20}
    means = {"4096": n_right[0] / 10, "8192": n_right[1] / 10, "16384": -1}
    return lm_eval_log(folder, columns, means if report is True else report)


def test_a_number_that_stands_for_no_score(tmp_path):
    """The tool leaves it out of its mean, and the examples are left out of both logs."""
    runs = read_runs(of_ruler(tmp_path / "a", 7, 4), of_ruler(tmp_path / "b", 9, 8))
    assert runs.metrics == ("4096", "8192")  # none is of 16384 tokens
    said = "left out: 16384 of a: no number per example, but only -1, which is no score"
    assert said in str(runs)
    found = runs.examples("4096")
    assert (found.ids, found.doubts) == ([*range(10)], [])
    (left_out,) = found.unmatched
    why = "10 scored -1 in 4096, which its reported mean leaves out: 10, 11, 12, 13, 14, 15, 16, "
    assert str(left_out).startswith(why)
    assert runs.leaderboard("4096").scores == {"a": 0.7, "b": 0.9}
    both, _ = compare_all([runs])
    assert [x["p"] for x in both.tests] == [0.5, 0.125]  # 2 and 4 differ: 2 / 4 and 2 / 16


@pytest.mark.parametrize("also", [None, {"8192": 0.4}], ids=["no results", "of another metric"])
def test_a_number_of_which_nothing_is_reported(also, tmp_path):
    """It may stand for no score: each comparison says so, and a gate decides no margin by it."""
    paths = of_ruler(tmp_path / "a", 7, 4, report=also), of_ruler(tmp_path / "b", 9, 8, report=also)
    found = read_runs(*paths).examples("4096")
    for path, doubt in zip(paths, found.doubts, strict=True):
        assert doubt.startswith(f"4096 is -1 in 10 of 20 examples of {path}: a tool may write")
    assert (len(found.ids), found.direction.source) == (20, "assumed")
    with pytest.warns(UserWarning, match="4096 is -1 in 10 of 20 examples of "):
        result = read_runs(*paths).compare("4096")
    assert gate(result).verdict == "pass"
    with pytest.raises(InputError, match=r"no results beside the log tell.* A margin is of the"):
        gate(result, margin=0.3)


@pytest.mark.parametrize("asked", ["result", "pickled", "suite"])
def test_a_margin_of_a_number_that_is_not_reported(asked, tmp_path):
    """Python's gates refuse it as the command does, also of a result that was pickled."""
    for name, n in (("a", 8), ("b", 6)):
        log = lm_eval_log(tmp_path / name, {"acc": [1] * n + [0] * (12 - n)}, {"acc": n / 12})
        and_task_u(log, {"acc": 0.9})
    runs = read_runs(tmp_path / "a", tmp_path / "b")
    decide = gate_suite if asked == "suite" else gate
    with pytest.warns(UserWarning, match=r"acc: 0\.9 is reported with"):
        found = runs.suite() if asked == "suite" else runs.tasks["u"].compare()
    found = pickle.loads(pickle.dumps(found)) if asked == "pickled" else found
    assert decide(found).passed
    with pytest.raises(
        InputError, match=r"0\.9 is reported with .* A margin is of the reported nu"
    ):
        decide(found, margin=0.4)
    assert gate(runs.tasks["t"].compare(), margin=0.4).passed


@pytest.mark.parametrize(
    ("columns", "name", "number"),
    [
        ([[-1, 1, 0]] * 2, "x", 0.0),  # what is reported is their mean
        ([[-1] * 4, [-1, 1, 1, 1]], "reward", statistics.fmean),
        ([[-1, -2, 1]] * 2, "x", None),  # others are below 0
        ([[-1, 0, 0]] * 2, "perplexity", None),  # logarithms, by the name
    ],
)
def test_a_number_that_is_no_suspect(columns, name, number, logs):
    found = read_runs(*logs(name, columns, number)).examples(name)
    assert found.doubts == []
    assert found.systems == dict(zip("ab", columns, strict=True))


@pytest.mark.parametrize("report", [True, None])
def test_a_metric_that_one_run_has_no_score_of(report, tmp_path):
    """Only -1, where the other log has scores from 0: it lacks the metric, and has no -1 points."""
    columns = {"4096": [1.0, 0.0, 1.0], "8192": [-1.0] * 3}, {"4096": [1, 1, 0], "8192": [1, 0, 1]}
    paths = []
    for folder, some in zip("ab", columns, strict=True):
        means = {x: statistics.fmean(y) for x, y in some.items()}
        paths.append(lm_eval_log(tmp_path / folder, some, report and means))
    assert read_runs(*paths).metrics == ("4096",)
    with pytest.raises(InputError, match=r"'8192' is no number per example in .* but only -1"):
        read_runs(*paths).compare("8192")


def test_a_number_that_stands_for_no_score_in_one_log(logs):
    """An example that the other log scores has no score here."""
    paths = logs("acc", [[1, 1, 0, 0, 1, -1], [1, 1, 0, 0, 1, 1]], [0.6, 4 / 6])
    with pytest.raises(InputError, match=r"Affected ids: 1 without acc in .*: 5"):
        read_runs(*paths).compare()
    assert read_runs(*paths, on_missing="drop").compare().n == 5


def test_scores_that_are_missing(logs):
    """The reported score is of the others."""
    columns = columns_of("perplexity")
    whole = [[x, *column] for x, column in zip((None, -1.0), columns, strict=True)]

    def of_scored(column):
        return CASES["perplexity"][1]([x for x in column if x is not None])

    paths = logs("perplexity", whole, of_scored)
    found = read_runs(*paths, on_missing="drop").examples()
    assert found.ids == [*range(1, N + 1)]
    assert found.systems == dict(zip("ab", columns, strict=True))


@pytest.mark.parametrize("filter_name", ["last", ""])
def test_filters_and_old_results(filter_name, logs):
    """A metric has a filter; before version 0.4 there was none."""
    columns = columns_of("perplexity")
    paths = logs("perplexity", columns, CASES["perplexity"][1], filter_name=filter_name or "none")
    for path in paths if not filter_name else ():
        (results,) = path.parent.glob("results*")
        save(results, results.read_text("utf-8").replace(",none", ""))
    runs = read_runs(*paths)
    assert runs.metrics == ("perplexity,last" if filter_name else "perplexity",)
    assert (runs.examples().metric, runs.examples().doubts) == (Perplexity(), [])


@pytest.mark.parametrize("is_reported", [True, False])
def test_lists_of_right_and_wrong(is_reported, logs):
    """IFEval's instructions: the harness averages over all of them, and a prompt is an example.

    4 of 5 against 1 of 5. The prompts differ by 0, 2 and 1: of all sums of 2 and 1 with signs, two
    of four are as large as 3.
    """
    name = "inst_level_strict_acc"
    columns = (
        [[True, False], [True, True], [True]],
        [[True, False], [False, False], [False]],
    )
    runs = read_runs(*logs(name, columns, [0.8, 0.2] if is_reported else None))
    assert runs.metrics == (name,)
    found = runs.compare(name)
    assert (found.score1, found.score2, found.n, found.pvalue) == (0.8, 0.2, 3, 0.5)


# Rows of tables that sum up the others

TOPICS = [0.3333, 0.1667, 0.5, 0.25, 0.1, 0.7, 0.2, 0.4]  # their mean is 0.33125, their sum 2.65
LOWER = [round(x - 0.1, 4) for x in TOPICS]
MEAN, SUM = statistics.fmean, math.fsum


def topics(folder, kind, named):
    """Two tables of topics, and of rows that are called so; as gdeval.pl or ir_measures do it."""
    paths = []
    for name, scores in (("a", LOWER), ("b", TOPICS)):
        rows = [*((f"q{k}", x) for k, x in enumerate(scores)), *named(scores)]
        topic, ndcg = zip(*rows, strict=True)
        table = {"measure": ["AP"] * len(rows), "topic": topic, "ndcg": ndcg}
        paths.append(stored(kind, folder, name, table))
    return read_runs(*paths, id="topic", score="ndcg", on_missing="drop")


def called(*names):
    """The mean, and then the sum, under these names."""
    return lambda scores: [
        (x, round(y(scores), 4)) for x, y in zip(names, (MEAN, SUM), strict=False)
    ]


def described(scores):
    """What pandas describes: the others go with the mean."""
    return [
        *(("count", 8), ("mean", MEAN(scores)), ("std", statistics.stdev(scores))),
        *(("min", min(scores)), ("25%", 0.2), ("50%", 0.3), ("75%", 0.4), ("max", 0.7)),
    ]


SUMMING = [
    *(["all"], ["amean"], ["Average", "Total"], ["mean"], ["OVERALL"], ["<all>"], ["_mean_"]),
    *(["Avg."], ["AVERAGE:"], ["Overall Score"], ["average_score"], ["macro avg"]),
    *(["weighted avg"], ["summary"], ["Mean", "Totals"], ["Mean Score", "Grand Total"]),
]
NAMED = [  # rows, and which are no examples
    *((called(*x), x) for x in SUMMING),
    (described, ["25%", "50%", "75%", "count", "max", "mean", "min", "std"]),
    (lambda x: [("all", 0.36)], []),  # not the mean
    (lambda x: [("all", None)], []),  # not a number
    (called("9"), []),  # no such name
    (called("std"), []),  # nothing beside which it stands
    (called("mean 1"), []),
]


@one_in(4)
@pytest.mark.parametrize(("named", "left_out"), NAMED)
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_rows_that_sum_up_the_others(kind, named, left_out, tmp_path):
    """They are no examples: 8 topics that all lose have p = 2 / 2^8, and a ninth would halve it."""
    runs = topics(tmp_path, kind, named)
    said = [x for x in str(runs).splitlines() if "sums up" in x]
    listed = ", ".join(map(repr, sorted(left_out)))
    assert said == [f"left out, because it sums up all others: {listed}"] * bool(left_out)
    if left_out:
        result = runs.compare()
        assert (result.n, result.pvalue, result.score1) == (8, 2 / 2**8, SUM(LOWER) / 8)


def test_a_total_of_right_answers(two):
    """It is no score beyond 1."""
    tables = [
        [*({"id": f"q{k}", "acc": x} for k, x in enumerate(y)), {"id": "Total", "acc": sum(y)}]
        for y in ([1, 1, 1, 0, 1, 1], [0, 0, 1, 0, 0, 0])
    ]
    result = read_runs(*two(*tables), score="acc").compare()
    assert (result.n, result.metric_options["score_range"]) == (6, [0, 1])


def test_an_example_called_all(two):
    """Its 1 is not the mean 0.995 or more of the others, though that prints as 1.00."""
    ids = ["all", *(f"w{k}" for k in range(600))]
    tables = ([{"id": x, "score": int(x != wrong)} for x in ids] for wrong in ("w0", "w1"))
    assert len(read_runs(*two(*tables)).ids) == 601
