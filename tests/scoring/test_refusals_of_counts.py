"""What counts of pairs are refused, alone, added, stored, or of a metric that they do not fit."""

from pairedperm import (
    PairedCounts,
    paired_counts,
    paired_permutation_test,
    structured_permutation_test,
)
from refusals import refuses
from scoring.counted import COUNTS, altered

ONE, TWO = PairedCounts.from_rows([1], [0]), PairedCounts.from_rows([[1, 2]], [[0, 2]])
OF_F1 = COUNTS["f1"]
DIFFERING = [0.5, 1.25, 2.5, 3.75, 9.1], [0, 1, 1, 5, 7.3]


def run(counts, *rest, **options):
    return paired_permutation_test(counts, *rest, **options)


def with_columns(kind, columns):
    """With some of the rows' columns only."""
    rows = {name: getattr(COUNTS[kind], name)[:, columns].tolist() for name in ("rows1", "rows2")}
    return altered(kind, **rows)


def added(*kinds):
    return sum(COUNTS[kind] for kind in kinds)


def of_columns(*columns, **options):
    """Counts of systems that are always right."""
    return [paired_counts(x, x, x, **options) for x in columns]


def unlabelled():
    parts = of_columns(["a", "b"], ["b", "c"], metric="f1", average="macro")
    return sum(PairedCounts.from_json(part.to_json(labels=False)) for part in parts)


@refuses
def test_refusals():
    # columns
    PairedCounts([1, 0], [0, 1], [1, -2])
    # -> `multiplicities` must be numbers of examples, integers from 0: `multiplicities`[1] is -2
    PairedCounts([1, 0], [0, 1], [1e16, 2])
    # -> `multiplicities` has 1e+16 (float), a float that may have been rounded. Give integers
    PairedCounts([1, 0], [0, 1], [2**62, 2**62])
    # -> `multiplicities` must add up to at most 2^63 - 1 examples, got 9.22e+18. Were shards
    #    added more than once?
    PairedCounts([1, 0], [0, 1, 1], [1, 1])
    # -> `rows1` and `rows2` must have the same length, got 2 and 3. Pair the examples by id first
    PairedCounts.from_rows([[1, 2]], [1])
    # -> `counts1` and `counts2` must have rows of the same length, got shapes (1, 2) and (1,)
    PairedCounts.from_rows([[]] * 2, [1])
    # -> `counts1` … got shape (2, 0)
    # sums of parts
    ONE + TWO
    # -> cannot add paired counts of different shapes: one was made of columns of shape (n,), the
    #    other of (n, 2). Count the same numbers of every example in all parts
    ONE + 1
    # -> TypeError: unsupported operand type(s) for +
    PairedCounts.from_rows([2**60], [0]) + PairedCounts.from_rows([0.25], [0])
    # -> NoLatticeError: `rows1` holds 1.15e+18, which exceeds int64 in units of 0.01, those of
    #    the other scores. Round
    added("f1", "f1", "macro")
    # -> cannot add counts of different metrics: one is of f1(pos_label='x'), another of
    #    f1(average='macro'). Count all parts under the same metric, with the same options
    added("integers", "accuracy")
    # -> one is of bare numbers, of no metric, another of accuracy()
    added("accuracy", "groups")
    # -> cannot add counts of groups to counts without groups. Give the groups of all parts, or of
    sum(of_columns(["a", "b"], [0, 1]))
    # -> cannot add counts of labels of different types: some parts have integers, others strings.
    #    Give the labels of all parts in one type
    (
        sum(
            PairedCounts.from_dict(x.to_dict() | {"kind": None, "sha256": None})
            for x in of_columns(["a", "b"], [0, 1], metric="f1", average="macro")
        )
    )
    # -> cannot add counts of classes of different types: some parts have int, others str. Give
    # tests of counts
    run(PairedCounts([1], [0], [0]))
    # -> `counts1` is an empty PairedCounts: at least one example is needed
    run(PairedCounts(*DIFFERING, [1, 1, 2**60, 1, 1]), method="exact")
    # -> so many are too many to certify p
    run(ONE, [1])
    # -> `counts2` must be left out where `counts1` is a PairedCounts: it holds both systems'
    #    counts
    structured_permutation_test(TWO, TWO, sum)
    # -> `stay` must be a column of rows, got PairedCounts(n=1
    run([1, 2])
    # -> `counts2` is missing: pass the scores of both systems, or one PairedCounts
    run(TWO)
    # -> `counts1` must count one number per example, shape (n,), got PairedCounts(n=1,
    #    n_distinct=1, shape=(n, 2)): rows have no score of their own. Pass one,
    #    score=Ratio(numerator,
    run(ONE, groups=[1])
    # -> `groups` must be left out where `counts1` is a PairedCounts, which does not tell its
    #    examples apart. Count a row for each group: the sums of its examples
    run(OF_F1, score=sum)
    # -> `score` must be left out where `counts1` knows its metric, f1(pos_label='x')
    # scores that cannot be counted
    run(sum(paired_counts([x], [x], [x], "f1", pos_label="q") for x in "xyx"))
    # -> `pos_label`: 'q' occurs neither in the predictions nor in the references, which have
    #    'x', 'y'.
    # altered ones
    run(altered("accuracy", metric_options={"metric": "f1"}))
    # -> `counts1` is of accuracy(metric='f1'): unexpected option 'metric'
    run(altered("f1", metric="mean_score", metric_options=None))
    # -> `counts1` is of mean_score(), which has other rows than … (rows in place of numbers). Was
    #    it altered?
    run(with_columns("f1", [0, 1]))
    # -> `counts1` is of f1(pos_label='x'), which has other rows than PairedCounts(n=6,
    #    n_distinct=3, shape=(n, 2), metric='f1') (`score` has 3 weights and the rows of `counts1`
    #    have 2 entries … Was it altered? Count the predictions anew
    # stored ones
    PairedCounts.from_dict([("format", "pairedperm counts")])
    # -> `counts` must be what `PairedCounts.to_dict` gave, with the format 'pairedperm counts',
    #    got
    PairedCounts.from_dict(OF_F1.to_dict() | {"version": 3})
    # -> `counts` have the version 3, and this release reads 1 and 2. Install the release of
    PairedCounts.from_json("{")
    # -> `counts` must be the text of `to_json`: Expecting property name enclosed in double quotes
    PairedCounts.from_json(OF_F1.to_json().replace('"x"', "-Infinity"))
    # -> `counts` … `to_json`: -Infinity is no number of JSON
    PairedCounts.from_dict(OF_F1.to_dict() | {"multiplicities": [2, 1, 1, 3]})
    # -> `counts` were altered: the SHA-256 of the table is … , and it states ' … Ask for the
    #    counts anew
    # of a metric
    paired_counts([0.1234567890123456, 1 / 3], [0.5, 0.25], None, "mean_score")
    # -> these scores cannot be counted: `predictions1`[0] is 0.123456789 … Give shares as
    #    Fractions, or times their common denominator
    unlabelled()
    # -> cannot add counts whose classes are numbered: their labels were left out, so classes cannot
    #    be matched. Add counts with labels, as `to_json()` writes them
    PairedCounts.from_dict(OF_F1.to_dict() | {"metric_options": {"beta": {1}}})
    # -> `counts` are damaged: Object of type set is not JSON serializable. Write them anew.
