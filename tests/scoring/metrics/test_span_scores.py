"""Scores of spans, of any scheme, type and form of tags, against seqeval."""

from fractions import Fraction
from functools import partial

from corpora.tagged import sentences
from oracles import spans as truth
from scoring.contract import Contract, check_metric

METRICS = ("span_precision", "span_recall", "span_f1")


def strict(scheme):
    """The options of a metric."""
    return {} if scheme is None else {"mode": "strict", "scheme": scheme}


def tags(rng, n):
    """Of a scheme or none, also malformed, all types or some; sometimes as ids, some ignored."""
    schemes = [None] * 3 + [*truth.SCHEMES]
    scheme = schemes[rng.integers(len(schemes))]
    malformed = float(rng.choice([0.0, 0.1, 0.2]))
    columns = sentences(rng, n, (0.4, 0.5), malformed=malformed, scheme=scheme)
    options = strict(scheme)
    if rng.random() < 0.5:
        options["zero_division"] = float(rng.choice([0.5, 1.0]))
    if rng.random() < 0.3:
        names = sorted({"O"}.union(*(row for x in columns for row in x)))
        options["label_names"] = rng.permutation(names).tolist()
        columns = [[[options["label_names"].index(x) for x in y] for y in z] for z in columns]
        columns[2] = [[x if rng.random() < 0.9 else -100 for x in row] for row in columns[2]]
    seen = [read(x, columns[2], options.get("label_names")) for x in columns]
    *_, right = ({kind for row in x for kind, *_ in spans_of(row, scheme)} for x in seen)
    if right and rng.random() < 0.5:  # those that only one system predicts are not there for both
        some = rng.choice(sorted(right), int(rng.integers(1, len(right) + 1)), replace=False)
        options["labels"] = some.tolist() + ["GPE"] * int(rng.integers(2))
    return tuple(columns), options


def spans_of(row, scheme):
    return truth.entities(row) if scheme is None else truth.strict_entities(row, scheme)


def read(column, references, label_names=None):
    """The tags of places that the references do not ignore."""
    if label_names is None:
        return column
    return [
        [label_names[x] for x, right in zip(*pair, strict=True) if right != -100]
        for pair in zip(column, references, strict=True)
    ]


def ratio(metric, predictions, references, label_names=None, **options):
    """By seqeval's spans of each sentence."""
    one, right = (read(x, references, label_names) for x in (predictions, references))
    sums = truth.counts(one, right, options.get("labels"), options.get("scheme")).sum(axis=0)
    numerator, denominator = (int(sums @ w) for w in truth.WEIGHTS[metric])
    without = Fraction(options.get("zero_division", 0))
    return Fraction(numerator, denominator) if denominator else without


def by_seqeval(metric, predictions, references, label_names=None, labels=None, **options):
    """Of all types, 0 or 1 without any; where tags run over a sentence's end it joins them."""
    if labels is not None or options.get("zero_division") == 0.5:
        return None
    if "scheme" in options:
        options["scheme"] = truth.SCHEMES[options["scheme"]]
    one, right = (read(x, references, label_names) for x in (predictions, references))
    return truth.score(metric, one, right, **options)


test_contract = check_metric(
    *(
        Contract(x, tags, partial(ratio, x), library=partial(by_seqeval, x), share=0.2)
        for x in METRICS
    )
)
