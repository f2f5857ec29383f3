"""What a log's tool reports of all examples, against the metric that its name means."""

import copy
import json
import math
import pickle
import random
import statistics

import pytest
from sklearn.metrics import f1_score, matthews_corrcoef

from corpora.logs import and_task_u, lm_eval_log, save
from extras import needs
from pairedperm import InputError, compare, gate, gate_suite
from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.comparisons import compare_all
from pairedperm.readers.examples import flips
from pairedperm.readers.lm_eval import read as read_lm_eval
from pairedperm.readers.text_file import TextFile
from pairedperm.scoring import BLEU, F1, TER, BitsPerByte, ChrF, MatthewsCorrelation, Perplexity

N = 40
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


@pytest.fixture
def two(tmp_path):
    """Two logs, of a case or of given columns, and their entries."""

    def write(name, report=True, digits=None, columns=None, **said):
        entry, score, _ = CASES[name]
        columns = columns or [entry(random.Random(seed)) for seed in (1, 2)]
        paths = []
        for folder, column in zip("ab", columns, strict=True):
            value = score(column) if callable(score) else None
            value = value if digits is None else round(value, digits)
            results = {name: value} if report is True else report
            paths.append(lm_eval_log(tmp_path / folder, {name: column}, results, **said))
        return paths, columns

    return write


@pytest.mark.parametrize(
    ("name", "digits"), [*((x, None) for x in CASES), ("perplexity", 2), ("f1", 2), ("bleu", 1)]
)
def test_the_reported_score_is_compared(name, digits, two):
    paths, columns = two(name, digits=digits)
    metric = CASES[name][2]
    runs = read_runs(*paths)
    assert runs.metrics == (name,)
    examples = runs.examples()
    assert (examples.metric, examples.name, examples.doubts) == (metric, name, [])
    assert examples.direction == (metric.lower_is_better, "log")
    found = runs.compare(method="monte_carlo", n_resamples=1000, rng=0)
    wanted = [CASES[name][1](x) for x in columns]
    assert [found.score1, found.score2] == pytest.approx(wanted, rel=1e-9)
    assert found.metric == metric.name
    assert sum(map(len, flips(examples))) == found.n_wins + found.n_losses
    assert found.n_differing > 10


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
    ("columns", "reported", "metric", "others"),
    [
        ((ONE, OTHER), (0.95, 0.8), F1(average="micro"), []),
        ((ONE, OTHER), ("macro", "macro"), F1(average="macro"), []),
        ((ONE, perfect(ONE)), (0.95, 1.0), F1(average="micro"), []),
        ((OTHER, OTHER), ("weighted", "weighted"), F1(average="weighted"), []),
        ((perfect(ONE), OTHER), (1, 0.8), F1(average="micro"), []),
        ((perfect(BINARY), BINARY), (1.0, "binary"), F1(), []),
        ((perfect(ONE),) * 2, (1.0, 1.0), F1(average="macro"), ["micro-averaged F1"]),
        ((perfect(BINARY),) * 2, (1.0, 1.0), F1(), ["macro-averaged F1"]),
        # rounded, all make it, and the nearest is compared
        ((ONE[1:], OTHER[1:]), (0.95, 0.8), F1(average="macro"), ["weighted F1"]),
    ],
)
def test_a_short_number(columns, reported, metric, others, tmp_path):
    """It is the number that one metric makes of all logs, or it is said that others make it too."""
    for folder, column, value in zip("ab", columns, reported, strict=True):
        right, own = zip(*column, strict=True)
        if isinstance(value, str):
            value = f1_score(right, own, average=value)
        lm_eval_log(tmp_path / folder, {"f1": column}, {"f1": value})
    found = read_runs(tmp_path / "a", tmp_path / "b").examples()
    assert found.metric == metric
    assert len(found.doubts) == bool(others)
    assert all(x in str(found.doubts[0]) for x in others)


@pytest.mark.parametrize("name", CASES)
def test_without_results_names_tell(name, two):
    paths, _ = two(name, report=None)
    if name in BY_NAME:
        found = read_runs(*paths).examples()
        assert (found.metric, found.direction.source) == (CASES[name][2], "log")
    else:
        assert read_runs(*paths).metrics == ()


@pytest.mark.parametrize("name", [x for x in CASES if x not in BY_NAME])
@pytest.mark.parametrize("silent", ["a", "b"])
def test_the_results_of_one_log_tell(name, silent, two, tmp_path):
    """The other log may hold the same; without results none contradicts."""
    paths, _ = two(name)
    whole = read_runs(*paths).examples()
    (results,) = (tmp_path / silent).glob("results*")
    results.unlink()
    runs = read_runs(*paths)
    assert runs.metrics == (name,)
    assert "left out" not in str(runs)
    for found in (runs.examples(), runs.examples(name)):
        assert (found.metric, found.systems) == (whole.metric, whole.systems)
        (doubt,) = found.doubts
        assert f"though no number is reported with {paths['ab'.index(silent)]}" in str(doubt)


@pytest.mark.parametrize("name", ["ppl_of_mine", "f1_of_mine", "word_perplexity_of_mine"])
def test_another_name_is_not_tried(name, two):
    """Only the table's names mean a metric of all examples, whatever number is reported."""
    known = {"ppl_of_mine": "perplexity", "f1_of_mine": "f1"}.get(name, "word_perplexity")
    entry, score, _ = CASES[known]
    columns = [entry(random.Random(seed)) for seed in (1, 2)]
    paths, _ = two(known, columns=columns)
    for path, column in zip(paths, columns, strict=True):
        lm_eval_log(path.parent, {name: column}, {name: score(column)})
    runs = read_runs(*paths)
    if known == "perplexity":  # numbers, whose mean is another
        examples = runs.examples()
        assert (len(examples.doubts), examples.direction.source) == (2, "assumed")
    else:
        assert "of which no known metric makes the" in str(runs)
        assert runs.metrics == ()


@pytest.mark.parametrize("report", [None, {"f1": 0.123}])
def test_a_named_average(report, two):
    """It is compared where the results do not tell which one, and a note says what differs."""
    paths, columns = two("f1", report=report)
    runs = read_runs(*paths)
    assert runs.metrics == ()
    with pytest.raises(InputError, match=r"Say which F1 is meant, metric='f1' with average=…\.$"):
        runs.examples("f1")
    with pytest.raises(InputError, match="Say which F1 is meant"):
        runs.examples()
    found = runs.examples("f1", average="micro")
    assert found.metric == F1(average="micro")
    assert len(found.doubts) == (0 if report is None else 2)
    assert all("0.123 is reported with" in str(x) for x in found.doubts)
    right = [x for x, _ in columns[0]]
    wanted = compare(*([y for _, y in x] for x in columns), right, "f1", average="micro")
    asked = {"metric_options": {"average": "micro"}}
    if report is None:
        assert runs.compare("f1", **asked).pvalue == wanted.pvalue
    else:
        with pytest.warns(UserWarning, match="but the micro-averaged F1 of its 40 scores is"):
            assert runs.compare("f1", **asked).pvalue == wanted.pvalue


def test_a_named_average_beside_the_reported_one(two):
    paths, _ = two("f1")
    assert read_runs(*paths).examples(average="binary").doubts == []
    assert len(read_runs(*paths).examples(average="macro").doubts) == 2


def test_perplexities_are_no_logarithms(two):
    """Numbers above 0 are averaged, and lower is better by their name."""
    paths, _ = two("perplexity", report=None, columns=[[3.5] * N, [9.0] * N])
    found = read_runs(*paths).compare(constant="system")
    assert (found.metric, found.score1, found.n_wins) == ("mean_score", 3.5, N)


def test_lambada(two):
    """The better model has the lower perplexity, of logarithms that are higher."""
    columns = [[round(m + x / 50, 2) for x in range(-19, 21)] for m in (-0.92, -2.3)]
    paths, _ = two("perplexity", columns=columns, lower=["perplexity"])
    found = read_runs(*paths).compare()
    assert (round(found.score1, 2), round(found.score2, 2)) == (2.48, 9.87)
    assert (found.n_wins, found.n_losses) == (N, 0)
    assert found.pvalue == compare(*columns, None, "mean_score").pvalue
    assert read_runs(*paths).leaderboard().scores == {"a": found.score1, "b": found.score2}


@pytest.mark.parametrize(
    ("report", "says"),
    [
        (lambda x: statistics.median(x) - 7, "the mean of its 40 scores is"),
        (lambda x: 0.5, "0.5 is reported with"),
    ],
)
def test_another_aggregation(report, says, two):
    """Nothing tells which way is better: neither the log nor the name."""
    columns = [[k / 40 + x for k in range(N)] for x in (0, 1)]
    paths, _ = two("perplexity", columns=columns, report={"perplexity": report(columns[0])})
    runs = read_runs(*paths)
    assert runs.examples().direction == (False, "assumed")
    assert runs.examples(lower_is_better=True).direction == (True, "caller")
    one, two_ = map(str, runs.examples().doubts)
    assert says in one
    assert says in two_
    for ask in (runs.compare, runs.leaderboard):
        with pytest.warns(UserWarning, match="is reported with") as warned:
            ask()
        assert [str(x.message) for x in warned] == [f"{one}.", f"{two_}."]


def test_a_doubt_keeps_the_direction(tmp_path):
    """The worse model is not ranked first; that lower is better is only assumed."""
    for folder, more in (("a", 0.0), ("b", 1.0)):
        column = [0.5 + k / 40 + more for k in range(N)]
        value = math.exp(statistics.fmean(column))
        lm_eval_log(tmp_path / folder, {"nll": column}, {"nll": value}, lower=["nll"])
    runs = read_runs(tmp_path / "a", tmp_path / "b")
    assert runs.examples().direction == (True, "assumed")
    with pytest.warns(UserWarning, match="is reported with"):
        board = runs.leaderboard()
    assert [row["system"] for row in board.to_dict()["systems"]] == ["a", "b"]


@pytest.mark.parametrize(
    ("column", "value", "agrees"),
    [
        ([0, 1, 1], 0.6666666666666666, True),
        ([0, 1, 1], 0.667, True),
        ([0, 1, 1], 0.67, True),
        ([0, 1, 1], 66.7, True),  # in percent
        ([0, 1, 1], 0.6666667, True),
        ([0, 1, 1], 0.6667667, False),
        ([0, 1, 1], 0.7, False),
        ([0, 1, 1], 1, False),
        ([0, 0, 1, 1], 0.5, True),
        ([0.1, 0.2, 0.4], 0.2, False),  # the median
        ([0, 1, 1], "N/A", True),
        ([0, 1, 1], None, True),
        ([0, 1, 1], float("nan"), True),
        ([0, 1, float("nan")], 0.5, True),
        ([0, 1, None], 0.25, True),  # what is missing is not known
    ],
)
def test_a_mean_to_the_digits_that_are_written(column, value, agrees, tmp_path):
    path = lm_eval_log(tmp_path / "a", {"acc": column}, {"acc": value})
    (run,) = read_lm_eval(TextFile("path1", path))
    assert (run.doubts == {}) is agrees
    assert [*run.scores] == ["acc"]


def of_ruler(folder, *n_right, report=True):
    """RULER: of 20 documents, the first 10 are of 4096 tokens and the others of 8192; -1 is none.

    No document has 16384. What is reported is as its `aggregate_metrics` does it.
    """
    short, long = ([1.0] * k + [0.0] * (10 - k) for k in n_right)
    columns = {"4096": short + [-1.0] * 10, "8192": [-1.0] * 10 + long, "16384": [-1.0] * 20}
    means = {"4096": n_right[0] / 10, "8192": n_right[1] / 10, "16384": -1}
    return lm_eval_log(folder, columns, means if report is True else report)


@pytest.mark.parametrize("also", [True, {}], ids=["both report", "one reports"])
def test_a_number_that_stands_for_no_score(also, tmp_path):
    """The tool leaves it out of its mean, and the examples are left out of both logs."""
    paths = of_ruler(tmp_path / "a", 7, 4), of_ruler(tmp_path / "b", 9, 8, report=also)
    runs = read_runs(*paths)
    assert runs.metrics == ("4096", "8192")  # none is of 16384 tokens
    assert "left out: 16384 of a: no number per example, but only -1, which is no score" in str(
        runs
    )
    found = runs.examples("4096")
    assert (found.ids, found.doubts) == ([*range(10)], [])
    (left_out,) = found.unmatched
    why = "10 scored -1 in 4096, which its reported mean leaves out: 10, 11, 12, 13, 14, 15, 16, "
    assert str(left_out).startswith(why)
    result = runs.compare("8192")
    assert (result.score1, result.score2, result.n) == (0.4, 0.8, 10)
    board = read_folder(*paths).leaderboard("4096")
    assert board.scores == {"a": 0.7, "b": 0.9}
    both, _ = compare_all([runs])
    assert [x["p"] for x in both.tests] == [0.5, 0.125]  # 2 and 4 differ: 2 / 4 and 2 / 16
    assert [x["p_adjusted"] for x in both.tests] == [0.5, 0.25]


@pytest.mark.parametrize("also", [None, {"8192": 0.4}], ids=["no results", "of another metric"])
def test_a_number_of_which_nothing_is_reported(also, tmp_path):
    """It may stand for no score: each comparison says so, and a gate decides no margin by it."""
    paths = of_ruler(tmp_path / "a", 7, 4, report=also), of_ruler(tmp_path / "b", 9, 8, report=also)
    runs = read_runs(*paths)
    found = runs.examples("4096")
    (doubt,) = map(str, found.doubts)
    assert doubt.startswith(f"4096 is -1 in 10 of 20 examples of {paths[0]} and in 10 of 20 ex")
    assert doubt.endswith("Give the logs with the results that the tool writes beside them")
    assert (found.is_reported, len(found.ids)) == (False, 20)
    assert found.direction.source == "assumed"  # as that of any unknown name
    with pytest.warns(UserWarning, match="4096 is -1 in 10 of 20 examples of "):
        result = runs.compare("4096")
    assert gate(result).verdict == "pass"
    with pytest.raises(InputError, match=r"Give the logs with the results .* A margin is of the"):
        gate(result, margin=0.3)


def test_a_margin_of_a_number_that_is_not_reported(tmp_path):
    """Python's gates refuse it as the command does, also of a result that was pickled."""
    for name, n in (("a", 8), ("b", 6)):
        log = lm_eval_log(tmp_path / name, {"acc": [1] * n + [0] * (12 - n)}, {"acc": n / 12})
        and_task_u(log, {"acc": 0.9})
    says = "task 'u': acc: 0.9 is reported with .* A margin is of the reported number: decide with"
    runs = read_runs(tmp_path / "a", tmp_path / "b")
    with pytest.warns(UserWarning, match=r"acc: 0\.9 is reported with"):
        suite = runs.suite()
    assert gate_suite(suite).passed
    for asked in ({"margin": 0.4}, {"task_margin": 0.4}, {"task_margin": {"t": 0.4, "u": 0.4}}):
        with pytest.raises(InputError, match=says):
            gate_suite(suite, **asked)
    with pytest.warns(UserWarning, match=r"acc: 0\.9 is reported with"):
        result = runs.tasks["u"].compare()
    assert gate(result).passed
    for kept in (result, pickle.loads(pickle.dumps(result)), copy.copy(result)):
        with pytest.raises(InputError, match=says.removeprefix("task 'u': ")):
            gate(kept, margin=0.4)
    assert gate(runs.tasks["t"].compare(), margin=0.4).passed


@pytest.mark.parametrize(
    ("column", "name", "results"),
    [
        ([-1, 1, 0], "x", {"x": 0.0}),  # what is reported is their mean
        ([-1, -2, 1], "x", None),  # others are below 0
        ([-2, 1, 0], "x", None),  # not -1
        ([-1, 0, 0], "perplexity", None),  # logarithms, by the name
        ([1, 1, 0], "x", None),
    ],
)
def test_a_number_that_is_no_suspect(column, name, results, tmp_path):
    paths = [lm_eval_log(tmp_path / x, {name: column}, results) for x in "ab"]
    assert read_runs(*paths).examples(name).is_reported


def test_scores_of_tables_may_be_below_0(tmp_path):
    """Nobody but the caller says what -1 is in a table."""
    paths = [
        save(tmp_path / f"{x}.jsonl", [{"id": k, "score": y} for k, y in enumerate((-1, 1, 0, y))])
        for x, y in (("a", -1), ("b", 1))
    ]
    found = read_runs(*paths).examples()
    assert (found.doubts, found.is_reported, len(found.ids)) == ([], True, 4)


@pytest.mark.parametrize("report", [True, None])
def test_a_metric_that_one_run_has_no_score_of(report, tmp_path):
    """Only -1, where the other log has scores from 0: it lacks the metric, and has no -1 points."""
    columns = {"4096": [1.0, 0.0, 1.0], "8192": [-1.0] * 3}, {"4096": [1, 1, 0], "8192": [1, 0, 1]}
    paths = [
        lm_eval_log(
            tmp_path / x, some, report and {y: statistics.fmean(z) for y, z in some.items()}
        )
        for x, some in zip("ab", columns, strict=True)
    ]
    runs = read_runs(*paths)
    assert runs.metrics == ("4096",)
    assert "left out: 8192 of a: no number per example, but only -1, which is no score" in str(runs)
    for ask in (runs.compare, read_folder(*paths).leaderboard):
        with pytest.raises(InputError, match=r"'8192' is no number per example in .* but only -1"):
            ask("8192")


def test_a_reward_of_minus_one(tmp_path):
    """It is a score where the other run has it too, and its reported mean takes it in."""
    for name, column in (("a", [-1, -1, -1, -1]), ("b", [-1, 1, 1, 1])):
        lm_eval_log(tmp_path / name, {"reward": column}, {"reward": statistics.fmean(column)})
    found = read_runs(tmp_path / "a", tmp_path / "b").examples("reward")
    assert found.systems == {"a": [-1] * 4, "b": [-1, 1, 1, 1]}


def test_a_number_that_stands_for_no_score_in_one_log(tmp_path):
    """An example that the other log scores has no score here."""
    column = [1, 1, 0, 0, 1]
    lm_eval_log(tmp_path / "a", {"acc": [*column, -1]}, {"acc": 0.6})
    lm_eval_log(tmp_path / "b", {"acc": [*column, 1]}, {"acc": 4 / 6})
    paths = tmp_path / "a", tmp_path / "b"
    with pytest.raises(InputError, match=r"Affected ids: 1 without acc in .*: 5"):
        read_runs(*paths).compare()
    assert read_runs(*paths, on_missing="drop").compare().n == 5


@pytest.mark.parametrize(
    ("column", "value"), [([-1, 1, 1], 0.9), ([-1, -2, 1], 1), ([0, 1, 1], 1), ([-1, -1], -1)]
)
def test_a_number_that_is_a_score(column, value, tmp_path):
    """The mean of the others is not what is reported, or others are below 0, or it is not."""
    (run,) = read_lm_eval(TextFile("", lm_eval_log(tmp_path / "a", {"x": column}, {"x": value})))
    assert (run.sentinels, [*run.doubts]) == ({}, ["x"] * (value != -1))


def test_fewer_lines_than_were_scored(two):
    """What the names say of logarithms holds, with a word; of pairs of labels none is known."""
    for name, (entry, score, metric) in CASES.items():
        whole = [entry(random.Random(seed)) for seed in (1, 2)]
        paths, _ = two(name, columns=[x[:9] for x in whole], report={name: score(whole[0])})
        runs = read_runs(*paths)
        if name in BY_NAME:
            (_, doubt) = runs.examples().doubts
            assert f"the {metric.in_words} of its 9 scores is" in str(doubt)
            assert runs.examples().metric == metric
        else:
            which = "average of F1" if name == "f1" else "known metric"
            said = f"of which no {which} makes the {score(whole[0]):.6g} of the results"
            assert said in str(runs)


def test_scores_that_are_missing(tmp_path):
    """The reported score is of the others."""
    columns = [likelihoods(random.Random(seed)) for seed in (1, 2)]
    for folder, column, first in zip("ab", columns, (None, -1.0), strict=True):
        logged = [first, *column]
        value = math.exp(-statistics.fmean(x for x in logged if x is not None))
        lm_eval_log(tmp_path / folder, {"perplexity": logged}, {"perplexity": value})
    paths = [tmp_path / x for x in "ab"]
    found = read_runs(*paths, on_missing="drop").examples()
    assert found.ids == [*range(1, N + 1)]
    assert found.systems == dict(zip("ab", columns, strict=True))


def test_filters_and_old_results(tmp_path):
    """A metric has a filter; before version 0.4 there was none."""
    column = likelihoods(random.Random(0))
    value = math.exp(-statistics.fmean(column))
    path = lm_eval_log(
        tmp_path / "a", {"perplexity": column}, {"perplexity": value}, filter_name="last"
    )
    (run,) = read_lm_eval(TextFile("path1", path))
    assert run.aggregated["perplexity,last"].metrics == (Perplexity(),)
    path = lm_eval_log(tmp_path / "b", {"perplexity": column})
    beside = path.with_name(path.name.replace("samples_t", "results").removesuffix("l"))
    save(beside, json.dumps({"results": {"t": {"perplexity": value}}}))
    (run,) = read_lm_eval(TextFile("path1", path))
    assert run.aggregated["perplexity"].metrics == (Perplexity(),)


def test_a_document_that_comes_twice(two):
    paths, _ = two("f1")
    lines = paths[0].read_text("utf-8").splitlines()
    save(paths[0], "\n".join([*lines, lines[3]]))
    found = read_runs(*paths, on_missing="drop").examples()
    assert (len(found.ids), 3 in found.ids) == (N - 1, False)


TOPICS = [0.3333, 0.1667, 0.5, 0.25, 0.1, 0.7, 0.2, 0.4]  # their mean is 0.33125, their sum 2.65
LOWER = [round(x - 0.1, 4) for x in TOPICS]


def topics(path, rows, **columns):
    """Rows of topic and score, in a table or as ir_measures writes them."""
    if path.suffix == ".csv":  # as gdeval.pl
        lines = ["runid,topic,ndcg@20", *(f"x,{x},{y}" for x, y in rows)]
        return save(path, "\n".join(lines))
    return save(path, [{"query_id": x, "measure": "AP", "value": y, **columns} for x, y in rows])


@pytest.mark.parametrize(
    "names",
    [
        *(["all"], ["amean"], ["Average", "Total"], ["mean"], ["OVERALL"], ["<all>"], ["_mean_"]),
        *(["__OVERALL__"], ["Avg."], ["AVERAGE:"], ["Overall Score"], ["average_score"]),
        *(["macro avg"], ["macro_average"], ["weighted avg"], ["summary"], ["Mean", "Totals"]),
        *(["Mean Score", "Grand Total"], ["MEAN "]),
    ],
)
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_row_that_sums_up_the_others(kind, names, tmp_path):
    """It is no example: 8 topics that all lose have p = 2 / 2^8, and with a ninth half of it."""
    paths = []
    for name, scores in (("a", LOWER), ("b", TOPICS)):
        sums = [round(math.fsum(scores) / 8, 4), round(math.fsum(scores), 4)]
        rows = [(str(k), x) for k, x in enumerate(scores, 1)]
        more = [*zip(names, sums, strict=False)]
        paths.append(topics(tmp_path / f"{name}.{kind}", [*rows, *more]))
    told = {"id": "query_id", "score": "value"}
    if kind == "csv":
        told = {"id": "topic", "score": "ndcg@20"}
    runs = read_runs(*paths, **told)
    listed = ", ".join(map(repr, sorted(names)))
    assert f"left out, because it sums up all others: {listed}" in str(runs)
    result = runs.compare()
    assert (result.n, result.pvalue) == (8, 2 / 2**8)
    assert read_folder(*paths, **told).leaderboard().scores["a"] == math.fsum(LOWER) / 8


@pytest.mark.parametrize(
    ("name", "own", "other"),
    [
        ("all", 0.34, 0.23125),  # not the mean of one file
        ("9", 0.33125, 0.23125),  # no such name
        ("all", None, 0.23125),  # not a number there
        ("std", 0.33125, 0.23125),  # nothing beside which it stands
        ("meaning", 0.33125, 0.23125),
        ("mean 1", 0.33125, 0.23125),
    ],
)
def test_a_row_that_is_an_example(name, own, other, tmp_path):
    for file, scores, last in (("a", TOPICS, own), ("b", LOWER, other)):
        rows = [*((str(k), x) for k, x in enumerate(scores)), (name, last)]
        topics(tmp_path / f"{file}.jsonl", rows)
    paths = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    assert name in read_runs(*paths, id="query_id", score="value").ids


def test_a_row_of_right_answers_that_sums_up(tmp_path):
    """Without it all scores are 0 or 1; other columns go with it."""
    for file, scores in (("a", [1, 1, 1, 0, 1, 1]), ("b", [0, 0, 1, 0, 0, 0])):
        rows = [{"id": f"q{k}", "acc": x, "group": k // 2} for k, x in enumerate(scores)]
        save(tmp_path / f"{file}.jsonl", [*rows, {"id": "Total", "acc": sum(scores)}])
    runs = read_runs(tmp_path / "a.jsonl", tmp_path / "b.jsonl", score="acc")
    result = runs.compare()
    assert (result.n_groups, result.score1, result.metric_options["score_range"]) == (
        *(3, 5 / 6),
        [0, 1],
    )


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_rows_beside_one_that_sums_up(kind, tmp_path):
    """They go with it, such as what pandas describes."""
    for file, scores in (("a", TOPICS), ("b", LOWER)):
        rows = [(f"q{k}", x) for k, x in enumerate(scores)]
        rows += [
            ("count", 8),
            ("mean", statistics.fmean(scores)),
            ("std", statistics.stdev(scores)),
        ]
        rows += [("min", min(scores)), ("25%", 0.2), ("50%", 0.3), ("75%", 0.4), ("max", 0.7)]
        topics(tmp_path / f"{file}.{kind}", rows)
    told = {"id": "query_id", "score": "value"}
    if kind == "csv":
        told = {"id": "topic", "score": "ndcg@20"}
    runs = read_runs(tmp_path / f"a.{kind}", tmp_path / f"b.{kind}", **told)
    assert runs.ids == [f"q{k}" for k in range(8)]
    assert "left out, because it sums up all others: '25%', '50%', '75%'" in str(runs)


def test_a_row_that_stands_elsewhere(tmp_path):
    """Functions are called so, and the mean is theirs too."""
    for file, scores in (("a", TOPICS), ("b", LOWER)):
        rows = [*zip(("max", "sum", *(f"f{k}" for k in range(6))), scores, strict=True)]
        rows += [("mean", round(statistics.fmean(scores), 4)), ("std", 0.2)]
        topics(tmp_path / f"{file}.jsonl", rows)
    runs = read_runs(tmp_path / "a.jsonl", tmp_path / "b.jsonl", id="query_id", score="value")
    assert runs.ids == [*(f"f{k}" for k in range(6)), "max", "sum"]


@pytest.mark.parametrize("score", ["p", "f", ["p", "f"], ["f", "p"]])
@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_what_sums_up_does_not_depend_on_what_is_asked(kind, score, tmp_path):
    """F is of the summed P and R, and so no mean of the others: those of P and R tell."""
    for file, shift in (("a", 0.0), ("b", 0.01)):
        table = {
            "": [0, 1, 2, 3],
            "id": ["x", "y", "z", "Average"],
            "p": [0.5 + shift, 0.75, 0.1, round((1.35 + shift) / 3, 4)],
            "r": [0.25, 0.5, 0.9, 0.55],
            "f": [0.3333, 0.6, 0.18, 0.4951],
            "said": ["a", "b", "c", ""],
        }
        path = tmp_path / f"{file}.{kind}"
        if kind == "parquet":
            needs("pyarrow", "datasets")
            import pyarrow as pa
            import pyarrow.parquet as pq

            pq.write_table(pa.table(table), path)
        elif kind == "csv":
            rows = zip(*table.values(), strict=True)
            save(path, "\n".join(",".join(map(str, x)) for x in (table, *rows)))
        else:
            save(
                path, [dict(zip(table, x, strict=True)) for x in zip(*table.values(), strict=True)]
            )
    runs = read_runs(*(tmp_path / f"{x}.{kind}" for x in "ab"), score=score)
    assert runs.ids == ["x", "y", "z"]
    assert "left out, because it sums up all others: 'Average'" in str(runs)


@pytest.mark.parametrize("n_wrong", [1, 2])
def test_an_example_called_all(n_wrong, tmp_path):
    """Its 1 is not the mean 0.995 or more of the others, though that prints as 1.00."""
    for file, wrong in (("a", {0}), ("b", {1, n_wrong})):
        rows = [{"id": f"w{k}", "score": int(k not in wrong)} for k in range(600)]
        save(tmp_path / f"{file}.jsonl", [*rows, {"id": "all", "score": 1}])
    runs = read_runs(tmp_path / "a.jsonl", tmp_path / "b.jsonl")
    assert len(runs.ids) == 601


@pytest.mark.parametrize("is_reported", [True, False])
def test_lists_of_right_and_wrong(is_reported, tmp_path):
    """IFEval's instructions: the harness averages over all of them, and a prompt is an example.

    4 of 5 against 1 of 5. The prompts differ by 0, 2 and 1: of all sums of 2 and 1 with signs, two
    of four are as large as 3.
    """
    name = "inst_level_strict_acc"
    new = [[True, False], [True, True], [True]]
    old = [[True, False], [False, False], [False]]
    columns = {"prompt_level_strict_acc": [False, True, True], name: new}, {name: old}
    reported = ({name: 0.8}, {name: 0.2}) if is_reported else (None, None)
    paths = [
        lm_eval_log(tmp_path / x, column, number)
        for x, column, number in zip("ab", columns, reported, strict=True)
    ]
    runs = read_runs(*paths)
    assert runs.metrics == (name,)
    found = runs.compare(name)
    assert (found.score1, found.score2, found.n, found.pvalue) == (0.8, 0.2, 3, 0.5)
