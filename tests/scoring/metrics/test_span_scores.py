"""Scores of spans: seqeval's, and p against all swaps, and random ones of seqeval's own counts."""

import math

import numpy as np
import pytest
from hypothesis import given
from seqeval import scheme as seqeval_schemes

from corpora.tagged import TYPES, sentences
from oracles import ratios as oracle
from oracles import spans as truth
from oracles.vectors import ALTERNATIVES
from pairedperm import InputError, compare
from pairedperm.hf.label_stream import LabelStream
from properties import cases, generators

NAMES = ("predictions1", "predictions2", "references")
METRICS = ("span_precision", "span_recall", "span_f1")
by_chance = pytest.mark.filterwarnings("ignore:.*holds no label")
each = pytest.mark.parametrize("metric", METRICS)


of_schemes = pytest.mark.parametrize("scheme", truth.SCHEMES)


def strict(scheme):
    """The options of a metric."""
    return {} if scheme is None else {"mode": "strict", "scheme": scheme}


def ratio_rows(metric, columns, types=None, scheme=None):
    one, two = (truth.counts(column, columns[2], types, scheme) for column in columns[:2])
    return truth.ratio_rows(metric, one, two)


@each
@by_chance
@cases(2)
@given(rng=generators)
def test_scores_are_seqevals(metric, rng):
    """Malformed tags included; where they run over a sentence's end seqeval counts otherwise."""
    columns = sentences(rng, int(rng.integers(1, 40)), malformed=0.1 * rng.integers(0, 2))
    for zero_division in (0, 1):
        result = compare(*columns, metric, zero_division=zero_division)
        for score, predictions in zip((result.score1, result.score2), columns[:2], strict=True):
            expected = truth.score(metric, predictions, columns[2], zero_division)
            assert score == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    "metric",
    [x if x == "span_f1" else pytest.param(x, marks=pytest.mark.thorough) for x in METRICS],
)
@by_chance
@given(rng=generators)
def test_p_is_that_of_all_swaps(metric, rng):
    """Also of some types, where a denominator may be 0 after a swap."""
    columns = sentences(rng, int(rng.integers(1, 11)), (0.5, 0.6), malformed=0.05)

    for types in (None, ["PER"], ["LOC", "ORG"]):
        rows = ratio_rows(metric, columns, types)
        if types is not None and not set(types) <= found_types(columns):
            continue  # of which compare warns, or which it refuses
        for zero_division in (0, 0.5, 1):
            for alternative in ALTERNATIVES:
                options = {"labels": types, "zero_division": zero_division}
                result = compare(*columns, metric, alternative=alternative, **options)
                assert result.pvalue == pytest.approx(
                    float(oracle.brute_force(rows, alternative, zero_division)), rel=1e-12
                )


def found_types(columns):
    return {kind for column in columns for tags in column for kind, *_ in truth.entities(tags)}


@pytest.mark.thorough
@each
@pytest.mark.parametrize("scheme", [None, "IOB2", "IOBES"])
def test_p_is_that_of_random_swaps(metric, scheme):
    """Of 40,000 swaps of seqeval's counts of each sentence, within four standard errors."""
    n_swaps, rng = 40_000, np.random.default_rng(22)
    columns = sentences(rng, 300, malformed=0.1 if scheme else 0.0, scheme=scheme)
    rows = np.array(ratio_rows(metric, columns, scheme=scheme))
    total, half = rows[:, :2] + rows[:, 2:], rows[:, :2] - rows[:, 2:]
    signs = rng.integers(0, 2, (n_swaps, len(rows)), dtype=np.int8) * 2 - 1
    sums = signs.astype(np.float32) @ half  # integers, exact
    one, two = (total.sum(axis=0) + sums) / 2, (total.sum(axis=0) - sums) / 2
    differences = one[:, 0] / one[:, 1] - two[:, 0] / two[:, 1]
    observed = rows[:, 0].sum() / rows[:, 1].sum() - rows[:, 2].sum() / rows[:, 3].sum()
    near = abs(observed) * (1 - 1e-12)
    sampled = np.count_nonzero(np.abs(differences) >= near) / n_swaps
    result = compare(*columns, metric, **strict(scheme))
    assert result.statistic == pytest.approx(observed, rel=1e-12)
    assert (result.method, result.n_differing > 50) == ("exact", True)
    assert 0.001 < result.pvalue < 0.999
    error = math.sqrt(result.pvalue * (1 - result.pvalue) / n_swaps)
    assert abs(sampled - result.pvalue) <= 4 * error
    assert float(oracle.pvalue(rows.tolist())) == pytest.approx(result.pvalue, rel=1e-12)


@each
@pytest.mark.parametrize("zero_division", [0, 1])
def test_without_spans(metric, zero_division):
    """Nothing predicted, nothing right, or neither."""
    some, none = [["B-PER", "O"], ["O"], []], [["O", "O"], ["O"], []]
    for columns in ((some, none, some), (some, none, none), (none, none, some), (none,) * 3):
        result = compare(*columns, metric, zero_division=zero_division)
        for score, predictions in zip((result.score1, result.score2), columns[:2], strict=True):
            assert score == truth.score(metric, predictions, columns[2], zero_division)
        assert result.pvalue == 1.0  # one sentence differs, or none


@each
def test_types_that_are_chosen(metric):
    columns = sentences(np.random.default_rng(3), 200)
    of_types = [
        truth.SCORES[metric](columns[2], predictions, average=None) for predictions in columns[:2]
    ]
    for place, kind in enumerate(sorted(TYPES)):
        result = compare(*columns, metric, labels=[kind])
        assert result.metric_options == {"labels": [kind]}
        scores = [scores[place] for scores in of_types]
        assert [result.score1, result.score2] == pytest.approx(scores, rel=1e-12)
    assert compare(*columns, metric, labels=set(TYPES)).pvalue == compare(*columns, metric).pvalue
    with pytest.warns(UserWarning, match="`labels`: 'X' occurs neither .* types of entities"):
        compare(*columns, metric, labels=["PER", "X"])
    with pytest.raises(InputError, match=r"`labels`: 'B-PER' occurs .*types of entities: 'PER'"):
        compare(*columns, metric, labels=["B-PER"])


@pytest.mark.thorough
@each
@of_schemes
@by_chance
@given(rng=generators)
def test_strict_scores_are_seqevals(metric, scheme, rng):
    """Malformed tags included, also in a corpus: strict spans never cross sentences."""
    columns = sentences(rng, int(rng.integers(1, 30)), malformed=0.2, scheme=scheme)
    for zero_division in (0, 1):
        options = {"zero_division": zero_division, "mode": "strict"}
        result = compare(*columns, metric, scheme=scheme, **options)
        for score, predictions in zip((result.score1, result.score2), columns[:2], strict=True):
            kind = truth.SCHEMES[scheme]
            expected = truth.score(metric, predictions, columns[2], scheme=kind, **options)
            assert score == pytest.approx(expected, rel=1e-12, abs=1e-12)


@each
@of_schemes
@by_chance
@cases(0.2)
@given(rng=generators)
def test_strict_p_is_that_of_all_swaps(metric, scheme, rng):
    columns = sentences(rng, int(rng.integers(1, 9)), (0.5, 0.6), malformed=0.2, scheme=scheme)
    there = {
        kind
        for column in columns
        for tags in column
        for kind, *_ in truth.strict_entities(tags, scheme)
    }
    for types in (None, *({"PER"} & there)):
        rows = ratio_rows(metric, columns, types and {types}, scheme)
        for zero_division in (0, 1):
            options = {"zero_division": zero_division, "labels": types and [types]}
            result = compare(*columns, metric, **options, **strict(scheme))
            truth_of_p = oracle.brute_force(rows, zero_division=zero_division)
            assert result.pvalue == pytest.approx(float(truth_of_p), rel=1e-12)


@each
def test_types_of_a_scheme(metric):
    columns = sentences(np.random.default_rng(4), 100, malformed=0.1, scheme="IOBES")
    options = {"mode": "strict", "scheme": truth.SCHEMES["IOBES"]}
    of_types = [
        truth.SCORES[metric](columns[2], predictions, average=None, **options)
        for predictions in columns[:2]
    ]
    for place, kind in enumerate(sorted(TYPES)):
        result = compare(*columns, metric, labels=[kind], **strict("IOBES"))
        scores = [scores[place] for scores in of_types]
        assert [result.score1, result.score2] == pytest.approx(scores, rel=1e-12)


@each
def test_scheme_as_seqevals_class(metric):
    columns = sentences(np.random.default_rng(6), 20)
    result = compare(*columns, metric, mode="strict", scheme=seqeval_schemes.IOB2)
    assert result == compare(*columns, metric, mode="strict", scheme="IOB2")
    assert result.metric_options == {"mode": "strict", "scheme": "IOB2"}
    words = {"span_f1": "span F1"}.get(metric, metric.replace("_", " "))
    assert result.summary().startswith(f"The strict IOB2 {words} of system 1 does")
    of_a_type = compare(*columns, metric, mode="strict", scheme="IOB2", labels=["PER"])
    assert of_a_type.summary().startswith(f"The strict IOB2 {words} for PER of system 1")


@each
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mode": "strict"}, "`scheme` is missing: mode='strict' .* 'IOB1', 'IOB2', .*seqeval"),
        ({"scheme": "IOB2"}, "`scheme` is for mode='strict', got 'IOB2' without it: add mode="),
        ({"mode": "lenient"}, "`mode` must be 'strict' or None, got 'lenient'"),
        ({"mode": 1, "scheme": "IOB2"}, "`mode` must be 'strict' or None, got 1"),
        ({"mode": "strict", "scheme": "BIO"}, "`scheme` must be one of 'IOB1', .* got 'BIO'"),
        ({"mode": "strict", "scheme": int}, "`scheme` must be one of 'IOB1', .* got 'int'"),
        (strict("IOE2"), r"`predictions1`\[0\]\[1\] is 'B-X', which is no tag of scheme 'IOE2'"),
    ],
)
def test_what_is_no_scheme(metric, options, message):
    with pytest.raises(InputError, match=message):
        compare([["O", "B-X"]], [["O", "O"]], [["O", "B-X"]], metric, **options)


@each
def test_stream(metric):
    """In any batches, as all at once; some are of types that others have not."""
    columns = sentences(np.random.default_rng(5), 90, malformed=0.1)
    of_options = ({}, {"labels": ["PER", "ORG"]}, {"zero_division": 0.5}, strict("BILOU"))
    for options in of_options:
        if "scheme" in options:
            columns = sentences(np.random.default_rng(5), 90, malformed=0.1, scheme="BILOU")
        stream = LabelStream(metric, **options)
        for start in range(0, 90, 8):
            batch = {name: x[start : start + 8] for name, x in zip(NAMES, columns, strict=True)}
            stream.add(batch)
        assert stream.test({}, None) == compare(*columns, metric, **options)


@each
def test_what_is_no_option(metric):
    for options, message in (
        ({"average": "macro"}, f"`average` must be 'micro' for metric '{metric}', got 'macro'"),
        ({"average": None}, f"`average` must be 'micro' for metric '{metric}', got None"),
        ({"labels": [1]}, "`labels` must be types of entities, such as 'PER', got 1"),
        ({"zero_division": "warn"}, "`zero_division` must be a number from 0 to 1, got 'warn'"),
        ({"pos_label": "PER"}, rf"no option of metric '{metric}' .*labels=\['PER'\]"),
    ):
        with pytest.raises(InputError, match=message):
            compare([["O"]], [["O"]], [["O"]], metric, **options)


@each
@pytest.mark.parametrize(
    ("one", "right", "message"),
    [
        ([["O"], ["O"]], [["O"], ["O", "O"]], r"`predictions1`\[1\] has 1 labels and .* has 2"),
        ([["O"]], [["O"], ["O"]], "`predictions1` has 1 examples and `references` has 2"),
        ([[0]], [["O"]], "`predictions1` holds integers .* no label could match"),
        (["O"], ["B-X"], r"`predictions1` has single labels \('O'\): spans need a list of tags"),
        ([[0]], [[1]], r"`predictions1` holds integers \(0\): spans need tags such as 'B-PER'"),
        ([["O", "O"]], [["O", ""]], r"`references`\[0\]\[1\] is an empty tag: write 'O' outside"),
    ],
)
def test_columns_that_do_not_fit(metric, one, right, message):
    with pytest.raises(InputError, match=message):
        compare(one, one, right, metric)


def test_where_ids_are_wrong():
    columns = [[0, 1], [5, 0, 2]], [[0, 1], [0, 0, 0]], [[0, 1], [-100, -100, 0]]
    result = compare(*columns, "span_f1", label_names=["O", "B-X", "I-X"])
    assert (result.n_ignored, result.score1, result.score2) == (2, 2 / 3, 1.0)
    columns[0][1][2] = 7
    for names, message in (
        (["O", "B-X", "I-X"], r"`predictions1`\[1\]\[2\] is 7, which `label_names` lacks: .* 2"),
        (["O"], r"`predictions1`\[0\]\[1\] is 1, which `label_names` lacks: its ids are 0 to 0"),
    ):
        with pytest.raises(InputError, match=message):
            compare(*columns, "span_f1", label_names=names)
    columns[0][1][2] = 2
    options = {"label_names": ["O", "B-X", "E-X"], "mode": "strict", "scheme": "IOB2"}
    with pytest.raises(InputError, match=r"`predictions1`\[1\]\[2\] is 'E-X', which is no tag of"):
        compare(*columns, "span_f1", **options)
    with pytest.raises(InputError, match=r"`predictions1` has single labels \(0\): spans need a l"):
        compare([0], [0], [-100], "span_f1", label_names=["O"])
    with pytest.raises(InputError, match="`label_names` is no option of metric 'accuracy'"):
        compare(*columns, label_names=["O"])
