"""Runs that are refused: tasks, metrics, and examples that lack what a metric takes."""

import json
import math
from pathlib import Path

import datasets

from corpora.logs import LOGS, SYSTEMS, changed, every_eval_ever, lm_eval, lm_eval_log, save
from corpora.logs import rows_of as rows
from pairedperm import gate
from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.read import compare_all
from pairedperm.scoring import F1
from refusals import refuses

ONE, TWO, THREE = (next(LOGS.glob(f"lm_eval/*{x}")) for x in SYSTEMS)
NAN, INF = math.nan, math.inf
OF_BOTH = "acc", "exact_match,strict-match"


def of(*tables, **options):
    """Read tables a, b and so on."""
    paths = [save(Path(f"{x}.jsonl"), y) for x, y in zip("abc", tables, strict=False)]
    return (read_runs if len(paths) == 2 else read_folder)(*paths, **options)


def named(name, *values):
    """Logs a and b of the metric with values, and results."""
    for folder, (column, result) in zip("ab", values, strict=True):
        lm_eval_log(Path(folder), {name: column}, {name: result})
    return read_runs("a", "b")


def tasks(*places):
    found = [read_runs(ONE, TWO, task=x) for x in ("findings", "tumors")]
    return [found[k] for k in places]


def folders(*names):
    """Copies of a log of lm-evaluation-harness in folders, with these results beside."""
    log = lm_eval("naive_bayes")
    for name, results in names:
        path = changed(log, Path(name), dict)
        beside = path.name.replace("samples_tumors", "results").removesuffix("l")
        save(path.with_name(beside), json.dumps(results))
    return [x for x, _ in names]


def two_of_one_model():
    folders(("a", {"model_name": "m"}))
    (log, results) = (next(Path("a").glob(f"{x}*")) for x in ("samples", "results"))
    for path in (log, results):
        save(path.with_name(path.name.replace("2026", "2027")), path.read_bytes())
    return read_folder("a")


def scored(*columns):
    """Compare two datasets by score."""
    tables = [datasets.Dataset.from_dict({"id": [*range(3)], "score": x}) for x in columns]
    return read_runs(*tables).compare()


@refuses
def test_tasks():
    read_folder()
    # -> `paths` is missing: name a folder with the logs of all systems, or log
    two_of_one_model()
    # -> there are two runs of m on task 'tumors', a … and a … . Name the file of one
    read_runs("a", "b", task=3)
    # -> `task` must be a name, as text, or None, got 3
    read_runs(ONE, TWO).compare()
    # -> `task` is missing, and the logs have several: 'findings', 'tumors'. Name one.
    read_runs(*[every_eval_ever(x, task="findings") for x in SYSTEMS[:2]]).examples()
    # -> `task` … the logs have several: 'findings/strict-match', 'findings/flexible-extract'.
    read_runs(ONE, THREE)
    # -> `path2` has no run of task 'findings', only of task 'tumors'. Compare runs of the same …
    #    or name one, task=….
    (read_runs(lm_eval("decision_tree"), lm_eval("naive_bayes", "findings"), on_missing="drop"))
    # -> `path1` has no run of task 'findings', only of task 'tumors'
    read_runs(ONE, THREE, task="findings")
    # -> `task` must be one of those in `path2`, 'tumors', got 'findings'
    read_folder(ONE, THREE, task="tumours")
    # -> `task` must be one of those in `paths`, 'findings', 'tumors', got 'tumours' … Did you
    #    mean 'tumors'?
    read_folder(ONE, THREE)
    # -> `paths` must hold two or more systems for each task, but holds only one for task 'fin …
    #    Add logs, or name a task, task=….
    of(rows(score=[1]))
    # -> `paths` … holds only one for a task without a name: a.jsonl. Add logs
    read_folder(ONE, TWO, THREE)
    # -> `paths` does not hold all systems for all tasks: 2 of task 'findings', 3 of task 'tum …
    #    Name a task, task=…, or rank the systems that each task has, on_missing='drop'.
    read_runs(*folders(*((x, {"versions": {"tumors": x}}) for x in "ab")))
    # -> the runs are of different versions of task 'tumors': … is a; … is b. Evaluate both
    #    systems with the same version.
    of(rows(score=[1]), rows(score=[0])) and read_runs(".", "a.jsonl")
    # -> `path1` holds 2 runs: a.jsonl, b.jsonl. Name the file of one run, or put them into
    (read_folder(*[x.parent for x in map(lm_eval, SYSTEMS)], task="tumors").compare("acc"))
    # -> a comparison takes two runs, but there are 3: use `leaderboard`.


@refuses
def test_metrics():
    tasks(1)[0].compare()
    # -> `metric` is missing, and the runs have several: 'acc', 'acc_norm'. Name one.
    tasks(1)[0].suite(3)
    # -> `metric` must be
    tasks(1)[0].examples([])
    # -> `metric` must be
    tasks(1)[0].compare({1: 2})
    # -> `metric` must be
    read_runs(ONE, TWO).suite(OF_BOTH, groups={"tumors": {}})
    # -> 16 ids have no group: 31, 32
    read_runs(ONE, TWO).suite(OF_BOTH, average="macro")
    # -> task 'findings': `average` is no option of 'exact_match,strict-match'
    read_runs(ONE, TWO).suite("acc")
    # -> NoMetricError: task 'findings': `metric` …
    tasks(0)[0].compare("exact_match")
    # -> NoMetricError: `metric` … lacks 'exact_match'. It has 'exact_match,strict-match', '
    tasks(1)[0].compare(F1(pos_label=1))
    # -> `metric` 'f1' needs predictions, and … has none. It has 'acc', 'acc_norm'.
    of(rows(score=[1]), rows(prediction=["x"])).compare()
    # -> NoMetricError: the runs have no metric in common: a.jsonl has 'score'; b.jsonl has
    #    predictions.
    of(rows(prediction=["x"]), rows(score=[1])).compare("accuracy")
    # -> NoMetricError: `metric` … a.jsonl lacks 'accuracy'. It has predictions
    of(rows(a=[1], b=[2]), rows(a=[None], b=[2]), score=["a", "b"]).compare("a")
    # -> NoMetricError: `metric` … b.jsonl lacks 'a'. It has 'b'.
    compare_all(tasks(0, 1), metrics=["f7"])
    # -> NoMetricError: `metric` … findings_ … lacks 'f7'. It has 'exact_match,st
    compare_all(tasks(1, 1), metrics=["f7"])
    # -> NoMetricError: `metric` … tumors_ … lacks 'f7'. It has 'acc', 'acc_norm'.
    of(rows(prediction=[1]), rows(prediction=[1])).compare()
    # -> `references` is missing: the runs hold none, and metric 'accuracy' needs them. Give a
    tasks(1)[0].compare("acc", metric_options={"k": 1})
    # -> `k` is no option of 'acc', whose scores were logged: leave it out.
    of(*[rows(prediction=[1, 0], reference=[1, 1])] * 2).compare(lower_is_better=True)
    # -> `lower_is_better` is for scores that were logged: for accuracy higher is better. Leave it
    (
        named("perplexity", ([-1.0, -2.0], math.exp(1.5)), ([-1.0, -3.0], math.exp(2.0))).compare(
            lower_is_better=False
        )
    )
    # -> `lower_is_better` … for perplexity lower is better. Leave it out
    (
        read_runs(
            *folders(*((x, {"higher_is_better": {"tumors": {"acc": x == "a"}}}) for x in "ab"))
        ).compare("acc")
    )
    # -> the logs differ on whether a lower 'acc' is better: say lower_is_better=True or …
    #    lower_is_better=False.
    named("perplexity", ([-1.0, -2.0], math.exp(1.5)), ([1.5, 1.5], 1.5)).compare()
    # -> the logs make different scores of 'perplexity': perplexity in a … ; mean in b … Evaluate
    #    all systems with the same version of the task.
    (named("f1", ([[1, 1], [0, 1], [1, 0]], 0.5), ([[1, 1], [1, 1], [1, 0]], 0.8)).compare())
    # -> the runs do not hold the same examples: 1 have different references … of f1:
    #    1.
    named("f1", ([[1, 1], [0, 1]], 0.123), ([[1, 1], [0, 1]], 0.123)).examples()
    # -> NoMetricError: the runs have no metric in common: a … has no scores: 'f1' holds [1, 1]
    #    (list), of … which no known metric makes the 0.123 of the results
    named("mcc", ([[1, 1], [0, 1]], 0.123), ([[1, 1], [0, 1]], 0.123)).examples()
    # -> NoMetricError: the runs have no metric in common: a … has no scores: 'mcc' holds [1, 1]
    #    (list), of … which no known metric makes the 0.123 of the results … A score is one number
    #    for each example, no list or text. Compute it from what is logged, and compare tables of
    named("bypass", ([999, 999], 999), ([999, 999], 999)).compare()
    # -> NoMetricError: the runs have no metric in common: a … has no scores: 'bypass' holds a
    #    stand-in for answers that were generated and not scored (--predict_only); b … A score is
    named("bypass", ([None], 999), ([None], 999)).compare("bypass")
    # -> NoMetricError: `metric` 'bypass' is no number per example in a … , but a stand-in for …
    #    Compute it


@refuses
def test_examples():
    of(rows(score=[1, None, 0, 1]), rows(score=[0, 1, NAN, NAN])).compare()
    # -> not all examples are scored. Affected ids: 1 without score in a.jsonl: 1; 2 without … score
    #    in b.jsonl: 2, 3. If the system failed, count them as wrong, on_missing='wrong', or bound
    scored([1.0, 0.0, 1.0], [None, 1.0, 0.0])
    # -> 1 without score in the dataset … : 0
    of(rows(score=[1, None]), rows(score=[None, 1]), on_missing="drop").compare()
    # -> no example is left. Affected ids: 1 without score in a.jsonl: 1; 1 w
    of(*[rows(prediction=[1, None], reference=[1, 1])] * 2).compare()
    # -> Affected ids: 1 without a prediction in a.jsonl: 1; 1 without
    of(*[rows(prediction=[1, 1], reference=[1, None])] * 2).compare()
    # -> Affected ids: 1 without a reference: 1. Score them
    of(*[rows(score=[1, 0], group=["x", None])] * 2).compare()
    # -> 1 ids have no group: 1. Give an example without a group one of its own.
    of(*[rows(score=[1, 0])] * 2).compare(groups=["x", "y"])
    # -> `groups` must be a dict from the id of each example to its group, because examples are …
    #    matched by id, got ['x', 'y'] (list).
    of(*[rows(score=[1, 0, 1, 0])] * 2).leaderboard(groups={0: "x", "1": "x", 3: None})
    # -> 3 ids have no group: 1, 2, 3. Give an example without a
    of(*[rows(prediction=[[0, 0, 1]] * 3, reference=[2] * 3)] * 2).leaderboard()
    # -> the column of a and the column of b look one-hot
    of(rows(score=[1, 1]), rows(score=[1, INF])).compare()
    # -> not all examples are scored. Affected ids: 1 with an infinite score in b.jsonl: 1. If
    #    the system failed, … Otherwise leave them out, on_missing='drop'.
    of(*(rows(id=[1, 1], score=[1.0, x]) for x in (1.0, -INF)), repeats=True).compare()
    # -> 1 with an infinite score in b.jsonl: 1.


def lacking(**options):
    """The first lacks two examples, and the second one that both have."""
    one, two = rows(id=[1, 2, 3], acc=[1, 0, 1]), rows(id=[1, 2, 3, 4, 5], acc=[1, None, 0, 1, 1])
    return of(one, two, score="acc", **options)


def of_reals(n=40, **options):
    """The second lacks an example of real scores."""
    one = [k % 7 / 10 for k in range(n)]
    two = rows(score=[*(k % 5 / 10 for k in range(n - 1)), None])
    return of(rows(score=one), two, on_missing="bounds").compare(score_range=(0, 1), **options)


@refuses
def test_missing_scores():
    lacking(on_missing="wrong").compare()
    # -> not all examples are scored. Affected ids: 1 without acc in b.jsonl: 2. A missing score …
    #    of the second system that counts as wrong would help the first: bound what they may be, …
    #    on_missing='bounds', or leave them out, on_missing='drop'.
    lacking(on_missing="bounds").leaderboard()
    # -> `on_missing` is 'bounds', which only tells of one comparison of two systems, or of one …
    #    score. Name one metric of one task.
    lacking(on_missing="bounds").suite()
    # -> `on_missing` is 'bounds', which only tells of one comparison of two systems
    lacking(on_missing="bounds").compare(test="bootstrap")
    # -> `on_missing` is 'bounds', and p of a bootstrap may be largest between its ends. Use the
    of(*[rows(loss=[1, None])] * 2, score="loss", on_missing="bounds").compare()
    # -> `on_missing` is 'bounds', and the range of 'loss' is not known. Give it, score_range=(low
    of(*[rows(prediction=[1, None], reference=[1, 1])] * 2, on_missing="wrong").compare()
    # -> `on_missing` is 'wrong', which is for logged scores of each example. 'accuracy' has none.
    of(*[rows(score=[1, 0])] * 3, on_missing="wrong")
    # -> `on_missing` must be 'error' or 'drop' for a leaderboard and for reruns, got 'wrong'. If a
    of(*[rows(id=[1, 1], score=[1, 0])] * 2, on_missing="bounds").compare()
    # -> the runs do not hold the same examples. Affected ids: 1 more than once in a.jsonl: 1;
    compare_all([lacking(on_missing="bounds")] * 2)
    # -> `on_missing` must be 'error', 'drop' or 'wrong' for several metrics or tasks, got 'bounds'.
    gate(of_reals(), margin=0.2)
    # -> `on_missing` is 'bounds', and a verdict by a studentised interval is not bounded by two. …
    #    Its limits may fall as a missing score rises. Decide without a margin.
    gate(of_reals(), margin="2%")
    # -> `margin` is a share of the baseline's score, which missing scores move too. Give it in


def of_means():
    """The first system has two runs of an example."""
    again = rows(id=[1, 1, 2], score=[1, 0, 1], prediction=[1, 0, 1], reference=[1] * 3)
    once = rows(id=[1, 2], score=[1, 0], prediction=[1, 0], reference=[1] * 2)
    return of(again, once, repeats=True, runs="mean")


@refuses
def test_unequal_numbers_of_runs():
    of_means().compare("accuracy")
    # -> `runs` is 'mean', which is for logged scores of each example. 'accuracy' has none. Write
    of_means().leaderboard("score")
    # -> `runs` is 'mean', which only tells of one comparison of two systems
