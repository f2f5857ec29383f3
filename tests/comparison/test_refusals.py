"""What `compare` refuses: columns without labels or that do not fit, metrics and options."""

import datasets
import numpy as np

from corpora.planned import labels as drawn_labels
from extras import needs
from pairedperm import compare, paired_permutation_test
from pairedperm.scoring import F1
from refusals import asks, refusal, refuses

SPAN = np.timedelta64(1, "ns")
MASKED = np.ma.array([1, 0], mask=[0, 1])
HOT = [[0, 1], [1, 0]]
IN_ROWS = "For logits or probabilities, pass the labels, argmax(-1)."
ARE_LABELS = "Labels are integers, bools or strings."


def first(column, other=(1, 0)):
    """With this as the first column; each of the others is right."""
    return compare(column, [*other], [*other])


def all_of(column, *arguments, **options):
    return compare(column, column, column, *arguments, **options)


def of_tensor(change):
    torch = needs("torch", "transformers")
    return first(change(torch, torch.tensor([1, 0])))


def of_dataset(*column):
    return first(datasets.Dataset.from_dict({"p": column})["p"], "ab")


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
    all_of([[], []])
    # -> `references` holds no label
    # missing labels
    first([1, None])
    # -> `predictions1`[1] is missing (None). Drop the example
    first([1, float("nan")])
    # -> `predictions1`[1] is missing (nan)
    of_dataset("a", None)
    # -> `predictions1`[1] is missing (None)
    first([[1], [None]], [[1], [0]])
    # -> `predictions1`[1][0] is missing (None)
    all_of([[1, 0], MASKED], "f1", average="micro", multilabel=True)
    # -> `predictions1`[1][1] is missing (None)
    compare([1, 0], [1, 0], [1, np.inf])
    # -> `references`[1] is a float, inf (float) … For numeric scores
    first([b"a", b"b"])
    # -> `predictions1`[0] is no label: b'a' (bytes).
    all_of(["a", {"b"}])
    # -> `predictions1`[1] is a set, {'b'} (set): metrics that take sets of labels need
    #    multilabel=True.
    first([1, np.array(SPAN)])
    # -> `predictions1`[1] is no label: … 64
    first(np.array([1, 2], dtype="m8[ns]"))
    # -> `predictions1`[0] is no label: … 64
    first([[1, 2], [3, 2**70]], [[1, 2], [1, 2]])
    # -> `predictions1`[1][1] is an integer beyond int64, 1180591620717411303424 (int). Subtract
    #    a constant … number the labels anew
    # of one type
    first(["1"], [1])
    # -> `predictions1` holds strings ('1') and `references` holds integers (1): no label could
    #    match … ClassLabel's int2str
    first([["x" * 10**5], ["a"]], [[1], [2]])
    # -> `predictions1` holds strings ('xxx … x…x … x') and `references` holds integers (1)
    all_of([["a"], ["b", 2]])
    # -> `predictions1` mixes strings and integers: 'a' (str) and, at [1][1], 2 (int)
    # of one form
    first([[1], 2], [[1], [2]])
    # -> `predictions1` mixes sequences and single labels: entry 0 is a sequence, entry 1 is 2
    #    (int). Give every
    first(HOT)
    # -> `predictions1` has a sequence of labels per example, `references` has single labels. … It
    #    looks one-hot: pass the labels, np.argmax(rows, -1).
    compare([0, 1], [0, 1], HOT)
    # -> `references` has a sequence of labels per example, `predictions1` has single labels. … It
    #    looks one-hot
    compare([0, 1], [0, 1], [[0], [1]])
    # -> `references` … Each sequence holds one label: pass np.ravel of it.
    first([[0, 2]], [0])
    # -> `predictions1` … Give all columns and batches in the same form. For runs, give both systems
    #    lists of them … all columns in one call.
    compare([0], [0], [[0, 2]])
    # -> `references` … Give all columns and batches in the same form.
    # no columns
    first(np.dtype("f8"))
    # -> `predictions1` must be a sequence … got dtype('f
    of_tensor(lambda _, x: x.float().requires_grad_())
    # -> `predictions1` … is a float
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
    all_of([1, 0], "f1", pos_label=10**5000)
    # -> `pos_label` … a very large integer


test_refusals_in_rows = asks(
    # what is no label
    refusal(
        lambda: first([0.2, 0.7]),
        "predictions1",
        f"[0] is a float, 0.2 (float). {ARE_LABELS} For numeric scores use paired_permutation_test",
        "pass the labels, argmax(-1) of rows, or p > 0.5 if each example has one.",
    ),
    refusal(
        lambda: first([np.longdouble(1), 0]),
        *("predictions1", "[0] is a float", f"{ARE_LABELS} Convert class ids with astype(int)."),
    ),
    refusal(
        lambda: first([[1.0, 0.0], [0.0, 1.0]]),
        "predictions1",
        f"[0][0] is a float, 1.0 (float). {ARE_LABELS} Convert class ids with astype(int).",
        IN_ROWS,
    ),
    refusal(
        lambda: first(np.array([[0.5, 0.25], [2.5, -1.0]], dtype=np.float32)),
        *("predictions1", f"[0][0] is a float, 0.5 (float). {ARE_LABELS} {IN_ROWS}"),
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
    of_metric(["f1"])
    # -> `metric` must be one of … got ['f1'] (list).
    of_metric("macro-F1")
    # -> `metric` … mean metric='f1', average='macro'?
    of_metric("accuracy_macro")
    # -> `metric` … mean metric='accuracy'?
    of_metric("acc")
    # -> `metric` … mean metric='accuracy'?
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
    compare(*COLUMNS, zzz=1)
    # -> TypeError: unexpected option 'zzz'. Options of metric 'accuracy' and of the test:
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
