"""What comparisons refuse: columns, metrics, options, decisions, plans, systems and tasks."""

import numpy as np
import pandas as pd

from corpora.pilots import f1_pilot, labels
from corpora.planned import labels as drawn_labels
from corpora.results import result
from extras import needs
from pairedperm import (
    PairedCounts,
    SequentialTest,
    adjust,
    compare,
    compare_many,
    compare_suite,
    compare_suites,
    equivalence_test,
    examples_needed,
    gate,
    gate_suite,
    paired_counts,
    paired_permutation_test,
    power,
    preference,
    score_interval,
    structured_permutation_test,
)
from pairedperm.scoring import F1, MeanScore
from refusals import asks, refusal, refuses

SPAN = np.timedelta64(1, "ns")
MASKED = np.ma.array([1, 0], mask=[0, 1])
HOT = [[0, 1], [1, 0]]
IN_ROWS = "For logits or probabilities, pass the labels, argmax(-1), or p > 0.5."
OF_FLOATS = "Convert class ids with astype(int). For numeric scores use paired_permutation_test"
ARE_LABELS = "Labels are integers, bools or strings."


def first(column, other=(1, 0)):
    """With this as the first column; each of the others is right."""
    return compare(column, [*other], [*other])


def all_of(column, *arguments, **options):
    return compare(column, column, column, *arguments, **options)


def of_tensor(change):
    torch = needs("torch", "transformers")
    return first(change(torch, torch.tensor([1, 0])))


@refuses
def test_refusals_of_columns():
    # how many
    compare([1, 0], [1], [1, 0])
    # -> `predictions2` has 1 examples and `references` has 2 … the same length. Pair the examples
    #    by id first.
    first(None)
    # -> `predictions1` is missing: pass one label, or label sequence, per example
    compare([[1], [1, 2]], [[1], [1]], [[1], [1, 2]])
    # -> `predictions2`[1] has 1 labels and `references`[1] has 2: give a prediction as many
    #    labels … (metric='exact_match' takes any number)
    # missing labels
    first([1, None])
    # -> `predictions1`[1] is missing (None). Drop the example
    first([1, float("nan")])
    # -> `predictions1`[1] is missing (nan)
    first([[1], [None]], [[1], [0]])
    # -> `predictions1`[1][0] is missing (None)
    compare([1, 0], [1, 0], [1, np.inf])
    # -> `references`[1] is a float, inf (float) … For numeric scores
    first([1, np.array(np.timedelta64(1, "ns"))])
    # -> `predictions1`[1] is no label: … 64
    first([b"a", b"b"])
    # -> `predictions1`[0] is no label: b'a' (bytes).
    all_of(["a", {"b"}])
    # -> `predictions1`[1] is a set, {'b'} (set): metrics that take sets of labels need
    #    multilabel=True.
    first(np.array([1, 2], dtype="m8[ns]"))
    # -> `predictions1`[0] is no label: … 64
    first([[1, 2], [3, 2**70]], [[1, 2], [1, 2]])
    # -> `predictions1`[1][1] is an integer beyond int64, 1180591620717411303424 (int). Subtract
    #    a constant … number the labels anew
    # of one type
    first(["1"], [1])
    # -> `predictions1` holds strings ('1') and `references` holds integers (1). Give all … with
    #    labels of one type. … ClassLabel's int2str
    all_of([["a"], ["b", 2]])
    # -> `predictions1` mixes strings and integers: 'a' (str) and, at [1][1], 2 (int)
    # of one form
    first([[1], 2], [[1], [2]])
    # -> `predictions1` mixes sequences and single labels: entry 0 is a sequence, entry 1 is 2
    #    (int). Give every
    first(HOT)
    # -> `predictions1` holds sequences of labels and `references` holds single labels. Give all
    #    columns and batches in one form, with labels of one type. Of one-hot rows pass
    #    np.argmax(rows, -1), of rows with one label np.ravel(rows), of class ids their names,
    #    ClassLabel's int2str. For runs, give both systems lists of them, and all … in one call.
    # no columns
    first(np.dtype("f8"))
    # -> `predictions1` must be a sequence … got dtype('f
    of_tensor(lambda torch, x: x.to(torch.bfloat16))
    # -> `predictions1` is a tensor that numpy cannot hold: … Convert it first, with .float(),
    #    .long() or .to_dense().
    of_tensor(lambda torch, x: [x.to_sparse(), x])
    # -> `predictions1`[0] … cannot hold
    # answers
    compare(["a"], ["a"], [np.ma.array(["a", "b"], mask=[0, 1])], "squad_f1")
    # -> `references`[0] must be a text, a list of texts
    # labels of options
    all_of([1, 0], "f1", pos_label=SPAN)
    # -> `pos_label` must be a label … timedelta64
    all_of([1, 0], "f1", average="micro", labels=MASKED)
    # -> `labels`[1] must be a label … got None (NoneType)
    all_of([1, 0], "f1", average="micro", pos_label=10**5000)
    # -> `pos_label` … For one label: labels=[a very large integer]


test_refusals_in_rows = asks(
    # what is no label
    refusal(
        lambda: first([0.2, 0.7]),
        "predictions1",
        f"[0] is a float, 0.2 (float). {ARE_LABELS} {OF_FLOATS}",
        IN_ROWS,
    ),
    refusal(
        lambda: first([[1.0, 0.0], [0.0, 1.0]]),
        "predictions1",
        f"[0][0] is a float, 1.0 (float). {ARE_LABELS} {OF_FLOATS}",
        IN_ROWS,
    ),
    refusal(
        lambda: all_of(np.zeros((2, 3, 4))),
        "predictions1",
        "must be of shape (n,), or (n, length) for label sequences, got shape (2, 3, 4). "
        + IN_ROWS,
    ),
    refusal(
        lambda: first([[[0.1, 0.9]], [[2.5, -1.0]]]),
        *("predictions1", f"[0][0] is no label: [0.1, 0.9] (list). {ARE_LABELS} {IN_ROWS}"),
    ),
    refusal(lambda: first([1, [2]]), "predictions1", f"[1] is no label: [2] (list). {ARE_LABELS}"),
)


COLUMNS = [0, 1, 1], [0, 1, 0], [0, 1, 1]
DECIMALS = np.random.default_rng(0).normal(size=(2, 200)).round(11)


def of_metric(metric, **options):
    return compare(*COLUMNS, metric, **options)


@refuses
def test_refusals_of_metrics():
    # metrics and their options
    of_metric("acuracy")
    # -> `metric` must be one of 'accuracy', 'exact_match', 'balanced_accuracy' … or an object
    #    such as pairedperm.scoring.F1(average='macro'), got 'acuracy' (str). … Did you mean
    #    metric='accuracy'?
    of_metric("macro-F1")
    # -> `metric` … mean metric='f1', average='macro'?
    of_metric("seqeval")
    # -> `metric` … mean metric='span_f1'?
    of_metric("nDCG@10")
    # -> `metric` … It is a mean of scores of the examples: compute these … evaluate.load(…,
    #    'scores').
    of_metric(F1(average="macro"), average="micro")
    # -> `average` is an option of the metric, but `metric` is an object with its own options,
    #    F1(average= … write F1(average=...), or metric='f1'.
    of_metric("accuracy", zero_division=0)
    # -> `zero_division` is no option of metric 'accuracy' … leave it out, or choose a metric that
    #    has it ('
    of_metric("f1", averge="macro")
    # -> TypeError: unexpected option 'averge'. Did you mean average=...? Options of metric 'f1' and
    #    of the
    of_metric("f1", seed=1)
    # -> TypeError: Did you mean rng=...? Options
    of_metric("f1", max_bytes=1)
    # -> TypeError: unexpected option 'max_bytes'. Did you mean budget={'max_bytes': ...}? Options
    of_metric("f1", progress=True)
    # -> TypeError: Did you mean datasets.disable_progress_bars()? Options
    # options of the test, and its budget
    compare(*COLUMNS, ties="exclude")
    # -> `ties` must be 'include' with test='permutation', got 'exclude' … 'exclude' is for
    #    test='bootstrap'
    compare(*COLUMNS, test="bootstrap", method="dp")
    # -> `method` 'dp' is for permutation tests. A bootstrap accepts 'auto', 'exact',
    #    'monte_carlo'.
    compare(*drawn_labels(400, 4), "f1", average="macro", method="exact")
    # -> BudgetError: the exact p-value needs the null distribution of the sums on a grid of
    #    2.74e+12 points … which no budget allows. Sample: method='monte_carlo'.
    paired_permutation_test(*DECIMALS, method="exact")
    # -> the scores have 11 decimals, too many … `budget` … Or use method='bracket'. Or sample:
    #    method='monte_carlo'


# Decisions, plans, and several systems or tasks

FEW = labels(5, 2, 50)
RESULT = compare(*FEW)
ROWS = PairedCounts([[1, 2]], [[2, 2]], [3])


def of_statistic():
    return structured_permutation_test([1, 2], [2, 1], lambda sums: sums)


def equivalent(*columns, margin=0.1, **options):
    return equivalence_test(compare(*columns, **options), margin=margin)


def of_two_units(**options):
    return gate_suite(result("suite without an average"), **options)


def rounded(sums):
    """Without derivatives."""
    return np.floor(sums[..., 0] / 4.0 + 0.3)


def pilot_without_derivatives():
    one, two = [[1, 2], [1, 3], [2, 2]] * 3, [[1, 2], [0, 3], [1, 1]] * 3
    return paired_permutation_test(one, two, score=rounded)


@refuses
def test_refusals_of_decisions():
    # equivalence and the gate
    equivalent(*FEW, margin=2)
    # -> `margin` must be below 1, which no difference of accuracy exceeds, got 2.0 (float). … A
    #    percentage point of a share is 0.01.
    equivalent(*FEW, alternative="less")
    # -> `result` must be that of a two-sided permutation test of the candidate and the baseline …
    #    such as compare(new, old, references), got PairedResult(
    equivalent(*FEW, test="bootstrap")
    # -> `result` must be that of a two-sided permutation test … got PairedResult(
    equivalence_test([1, 2], margin=0.1)
    # -> `result` must be that of a two-sided permutation test … got [1, 2] (list).
    equivalent(*FEW, metric="f1", groups=[1, 2] * 25)
    # -> NoIntervalError: only 2 of 2 groups differ, too few for an asymptotic interval … Collect
    #    more groups.
    equivalence_test(paired_permutation_test([0.5, 1, 2], [1, 2, 4.5]), margin=0.1)
    # -> NoIntervalError: only 3 of 3 examples differ, too few … which needs 30. Collect more
    #    examples.
    equivalence_test(f1_pilot(), margin=0.2, alpha=0.004)
    # -> NoIntervalError: was measured up to a level of 99%
    (
        equivalence_test(
            paired_permutation_test(
                [0.5] * 40 + [0.25, 1.5] * 20,
                [0.25] * 40 + [0.0, 1.25] * 20,
                score=lambda sums: np.floor(sums[..., 0] / 1e9),
            ),
            margin=0.1,
        )
    )
    # -> NoIntervalError: the difference has no standard error, or it is 0: all examples say the
    #    same
    compare(*FEW, groups=[1, 2] * 25, largest_group=24)
    # -> `largest_group` must be the largest size that a group may have, got 24: one that was
    #    drawn has the size 25.
    compare(*FEW, "f1", largest_group=3)
    # -> `largest_group` is for the guaranteed interval, of the mean of scores in a known range.
    #    Leave it out
    compare(*FEW, largest_group=3, test="bootstrap")
    # -> `largest_group` is for the guaranteed interval of test='permutation'. Leave it out.
    power(compare(*FEW, groups=[*range(25)] * 2, largest_group=3), 100, margin=0.2)
    # -> `pilot` has the guaranteed interval, and its power with a margin is not known
    gate(RESULT, require="better", margin=0.1)
    # -> `margin` is for a candidate that may be as good: leave it out with require='better'
    gate_suite(compare_suite({"a": FEW}), margin=0.1, alpha=0.6)
    # -> `alpha` must be a number from 1e-12 to below 0.5, got 0.6 (float).
    score_interval({1, 2})
    # -> `predictions` must be a sequence with one entry per example
    gate_suite(compare_suite({"a": FEW}), require="above")
    # -> `require` must be one of 'not worse', 'better', got 'above' (str).
    of_two_units(margin=0.1)
    # -> `margin` is of the average, and there is none: 'accuracy' of task
    of_two_units(require="better")
    # -> require='better' is of the average, and there is none
    of_two_units(task_margin=0.1)
    # -> `task_margin` must be one for each task, a dict from task to
    of_two_units(task_margin={"right": 0.1, "seconds": -1})
    # -> `task_margin`['seconds'] must be a pos
    of_two_units(task_margin={"right": 2, "seconds": 1})
    # -> `task_margin` of task 'right' must be below 1
    # pilots and numbers of examples
    power((0.6, 0.5), 100)
    # -> `pilot` must be two shares of at least 0 and together at most 1, such as (0.06, 0.03)
    power((0.0, 0.0), 100)
    # -> `pilot` has no difference: both of its shares are 0
    power((True, 0.1), 100)
    # -> `pilot` must be a result of `compare` or `paired_permutation_test`, a PairedCounts, or
    #    the shares … got (True, 0.1) (tuple).
    power(compare([1, 1], [1, 1], [1, 0]), 100)
    # -> `pilot` has no difference: on all of its 2 examples both systems score the same … such as
    #    pilot=(0.06, 0.03)
    power(compare([1, 1], [0, 1], [1, 1], groups=[3, 3]), 100)
    # -> `pilot` has only one of the groups: it does not tell how they vary
    power(ROWS, 100)
    # -> `pilot` must count one number per example, got PairedCounts(n=3 … Pass the result of
    #    `paired_permutation_test` with its `score`.
    power(of_statistic(), 100)
    # -> `pilot` must be a comparison of scores
    examples_needed((0.1, 0.1))
    # -> `pilot` has no difference: as many examples speak for either system. Say by how much
    power(pilot_without_derivatives(), 100)
    # -> `pilot` has a score without derivatives … Say which shares of examples you expect to
    #    differ, such as pilot=(0.06, 0.03)
    examples_needed((0.1, 0.05), 0.05)
    # -> `power` must be above `alpha`, 0.05, got 0.05 (float).
    power((0.1, 0.1), 100, margin=1.0)
    # -> `margin` must be below 1, which no difference of right and wrong exceeds, got 1.0 (float).
    power((0.1, 0.1), 100, 0.5, margin=0.1)
    # -> `alpha` must be from 1e-12 to below 0.5 with a margin of such scores, got 0.5 (float).
    power(f1_pilot(), 100, 0.001, margin=0.1)
    # -> `alpha` must be from 0.005 to below 0.5 with a margin of such scores, got 0.001
    examples_needed((0.03, 0.06), margin=0.03)
    # -> `margin` must be above the supposed loss, 0.03, got 0.03 (float). No number of examples
    #    shows
    # a sequential test
    SequentialTest().update([1, 0], 1)
    # -> `score1` and `score2` must have the same
    SequentialTest().update([0.5, 1.5], [0, 0])
    # -> `score1` must be from 0 to 1, got 1.5. Divide the scores of both systems by their range.


TWO = {"a": [1, 0], "b": [0, 1]}
BOARDS = {"a": (TWO, [1, 1]), "b": ({"b": [1], "a": [0]}, [1])}
TASKS = {"a": ([1, 0], [0, 1], [1, 1]), "b": ([1], [0], [1])}
SCORES = {"a": ([1, 0], [0, 1]), "b": ([1, 0], [0, 1])}
UNITS = {"a": "accuracy", "b": "cohen_kappa"}
RANGED, LOSS = MeanScore(score_range=(0, 1)), MeanScore(of="loss", lower_is_better=True)


def suite(**options):
    return compare_suite(TASKS, **options)


def by(column, **options):
    """With slices of three examples."""
    return compare_suite(([1, 0, 1], [0, 0, 1], [1, 1, 1]), by=column, **options)


@refuses
def test_refusals_of_several():
    # several systems
    compare_many({"a": [1]})
    # -> `systems` must hold at least 2, got 1: 'a'.
    compare_many([[1], [2]])
    # -> `systems` must be a dict from names to predictions, or a list of such pairs, got [[1],
    #    [2]] (list)
    compare_many(pd.DataFrame({1: [1], 2: [2]}))
    # -> `systems` must have names, as text, got 1 (int).
    compare_many({"a": [1], "a ": [2]})
    # -> `systems` holds 'a' twice: give each a name of its own
    compare_many({"large": [1], "small": [0]}, [1], baseline="smal")
    # -> `baseline` … Did you mean 'small'?
    compare_many(TWO, [1, 1], alternative="less")
    # -> `alternative` must be 'two-sided' where every pair is compared … Name a `baseline`.
    compare_many(TWO | {"c": [1]})
    # -> `systems`['c'] and `systems`['a'] must have the same length
    compare_many(TWO | {"c": PairedCounts.from_rows([1], [2])})
    # -> `systems`['c'] is a PairedCounts, of two systems: give each system's own scores
    compare_many(TWO, [1, 1], score=np.sum)
    # -> `score` is of counts: leave it out with `references` or a `metric`
    compare_many(TWO, average="macro")
    # -> `average` is an option of a metric, and `metric` is missing
    _ = compare_many(TWO, [1, 1], baseline="a").letters
    # -> `letters` needs every pair
    # several tasks
    compare_suite([TASKS["a"]])
    # -> `tasks` must be a dict from names to columns
    compare_suite({"a": [1, 2, 3, 4]})
    # -> `tasks`['a'] must be (predictions1, predictions2, references), got [1, 2, 3, 4] (list).
    compare_suite(TASKS | {"b": ([], [], [])})
    # -> `predictions1` of task 'b' is empty
    suite(groups={"a": [1, 2], "b": [1]}).average.confidence_interval()
    # -> NoIntervalError: tasks that share groups have no interval of their average
    suite(metric="f1", pos_label=1).average.confidence_interval(kind="studentised bootstrap")
    # -> NoIntervalError: at least two examples or groups of each task … got one … how they vary
    compare_suite(TASKS, weights="even")
    # -> `weights` must be 'equal', 'size' or a dict from task to number … got 'even'
    compare_suite(TASKS, weights={"a": 1})
    # -> `weights` lacks task 'b': it must have all tasks
    compare_suite(TASKS, weights={"a": 1, "b": 1, "c": 2})
    # -> `weights` has 'c' (str), which is no task: they are 'a', 'b'.
    compare_suite(TASKS, weights={"a": 1, "b": -1})
    # -> `weights`['b'] must be a number from 0, such as 2 or 0.25, got -1 (int).
    compare_suite(TASKS, weights={"a": 1, "b": "2"})
    # -> `weights` … got '2' (str)
    compare_suite(TASKS, weights={"a": 0, "b": 0})
    # -> `weights` are all 0: one must be positive
    compare_suite(TASKS, groups=[1, 2])
    # -> `groups` must be a dict from task to ids, got [1, 2] (list).
    compare_suite(TASKS, groups={"a": [1, None]})
    # -> `groups` of task 'a' must hold an id
    compare_suite(TASKS, metric={"a": "accuracy", "b": "f1"}, average="macro")
    # -> `average` is an option of one metric, but `metric` names several. Give objects, such as
    #    {'task':
    compare_suite(TASKS, metric=UNITS, weights="size")
    # -> `metric` 'accuracy' of task 'a' and 'cohen_kappa' of task 'b' differ in their unit: their
    #    average means nothing. Leave out `weights`.
    # slices of one list
    compare_suite(TASKS, by=[1, 2])
    # -> `tasks` must be (predictions1, predictions2, references) where `by` splits one list of exam
    by([1, 2])
    # -> `by` has 2 examples and `predictions1` has 3: all columns must have the same length. Pair
    by([1, 2, 2], groups=[1])
    # -> `by` has 3 examples and `groups` has 1: all columns
    by([1, 2, 2], groups={"1": [1], "2": [1, 2]})
    # -> `groups` must be a sequence with one entry per example
    by([1, None, 2])
    # -> `by` must hold an id for each example, an integer or string: `by`[1] is None (NoneType).
    #    Name the slice of each example by a text or an integer; numbers by their range, and an
    #    example without a slice by a name such as 'other'.
    by([1.0, 2.0, 2.0])
    # -> `by` must hold an id for each example, an integer or string: `by`[0] is 1.0 (float).
    by(["a", 1, "a"])
    # -> `by` has the id 1 (int) and `by` has the id 'a' (str): a text never equals an integer.
    by(["a b", "a  b", "c"])
    # -> `by` must name slices so that they print apart, and none blank, got 'a b' (str). Name the
    by(["a", "", "a"])
    # -> `by` must name slices so that they print apart, and none blank, got '' (str)
    by([10**400, 1, 1])
    # -> `by` must be a label, an integer, bool or string, got 1000
    by([1, 2, 2], weights={"1": 1})
    # -> `weights` lacks task '2': it must have all tasks
    compare_suite(([1, 0], None, [1, 1]), by=[1, 2])
    # -> `predictions2` of task '1' is missing
    # several systems on several tasks
    compare_suites(BOARDS, metric=UNITS)
    # -> `metric` … differ in their unit … Compare these tasks apart.
    compare_suites([1])
    # -> `tasks` must be a dict from names to (systems, references)
    compare_suites({"a": TWO})
    # -> `tasks`['a'] must be (systems, references), got {'a': [1, 0], 'b': [0, 1]} (dict).
    compare_suites({"a": ({"x": [1]}, [1])})
    # -> `systems` of task 'a' must hold at least 2, got 1: 'x'.
    compare_suites(BOARDS | {"c": (TWO | {"x": [1, 1]}, [1, 1])})
    # -> `tasks`['a'] lacks 'x': all tasks must have the same systems. Leave the others out.
    compare_suites(BOARDS | {"b": ({"b": [1], "a": [0, 1]}, [1])})
    # -> `systems`['a'] of task 'b' has 2 examples and `references` of task 'b' has 1
    # results that one has
    adjust([compare(*FEW), 0.25])
    # -> `results` must be a list of results … got 0.25 (float)
    # counts
    paired_counts([0.1 + 1e-17, 2**0.5], [0, 0], None, "mean_score")
    # -> `predictions1` … shares as Fractions
    paired_counts([[1], [0]], [[0], [0]], None, "pass_at_k", k=1, groups=[1, 1])
    # -> `groups` … single examples … `compare`, or count their scores, metric='mean_score'


@refuses
def test_refusals_of_preferences():
    preference(["A", "B"])
    # -> `order` is missing, and not each item has both orders. Say order='random' if a coin drew
    #    it, order='balanced' … order='unknown' otherwise.
    preference(["A", "B"], items=[1, 1])
    # -> `order` is missing. Say order='both' if each item was judged in both, order='random'
    preference(["A", "B"], first=["A", "A"])
    # -> `order` is missing, and not each item has both orders. Say order='random'
    preference(["A", "B"], order="both")
    # -> `order` is 'both', and not each item has as many verdicts in either order
    preference(["A", "B"], items=[1, 1], first=["A", "A"], order="both")
    # -> `order` is 'both', and not each
    preference([1] * 10, first=["A"] * 10, order="random")
    # -> `order` is 'random', and system 1 stands first on 10 of 10 items. Say order='random' … un
    preference([1] * 4, first=["B"] * 3 + ["A"], order="balanced")
    # -> `order` is 'balanced', and system 1 stands first on 1 of 4 items
    preference(["A", "C"], order="random")
    # -> `verdicts` must name a system, 'A' or 'B', or be 'tie', or 1, -1 or 0: `verdicts`[1] is
    #    'C' (str). Set names=…
    preference([True, False], order="random")
    # -> `verdicts` must … `verdicts`[0] is True (bool)
    preference(["A", None], order="random")
    # -> `verdicts`[1] is None (NoneType). … Leave out an item without a verdict.
    preference(["A", [1]], order="random")
    # -> `verdicts`[1] is [1] (list)
    preference(["A", "model_a"], order="random")
    # -> `verdicts`[1] is 'model_a' (str). … such as 'first' or 'model_a', say who stands there,
    preference(["A", "A"], first=["A", "tie"], order="random")
    # -> `first` must name a system, 'A' or 'B': `first`[1] is 'tie' (str). Set names=…
    preference(["A", "A"], first=["A", 1], order="random")
    # -> `first`[1] is 1 (int)
    preference(["A"], first=["A", "A"], order="random")
    # -> `verdicts` has 1 examples and `first` has 2
    preference(["A"], items=[1, 2], order="random")
    # -> `items` has 2 examples and `verdicts` has 1
    preference(["A"], items=[0.5], order="random")
    # -> `items` must hold an id for each example
    preference([], order="random")
    # -> `verdicts` is empty
    preference(None, order="random")
    # -> `verdicts` is missing
    preference(["A"], order="random", names=("A", "A"))
    # -> `name1` and `name2` are both 'A'
    preference(["A"], order="random", alternative="less", confidence_level=0.9)
    # -> `alternative` must be 'two-sided'
