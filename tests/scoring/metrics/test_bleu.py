"""BLEU, against sacrebleu: scores, scores of sums, p-values of all swaps and of some."""

import numpy as np
import pytest
from hypothesis import given

from corpora.sentences import sentences, tagged
from doors import in_batches, in_one, of_dataset, of_module
from extras import needs
from oracles import translations as oracle
from pairedperm import InputError, compare, plan
from pairedperm.scoring import BLEU
from properties import cases, generators

sacrebleu = needs("sacrebleu.metrics", "mt")
TOKENIZERS = [None, "13a", "intl", "zh", "char", "none"]


def random_options(rng):
    method = str(rng.choice(["exp", "floor", "add-k", "none"]))
    value = rng.choice([None, 0.0, 0.3, 1.0]) if method in ("floor", "add-k") else None
    return {
        "lowercase": bool(rng.integers(2)),
        "tokenize": TOKENIZERS[rng.integers(len(TOKENIZERS))],
        "smooth_method": method,
        "smooth_value": value,
        "max_ngram_order": int(rng.integers(1, 7)),
        "effective_order": bool(rng.integers(2)),
    }


def score_of(options):
    """Of sums as sacrebleu has them, by its own function."""
    metric = BLEU(**options)
    n = metric.max_ngram_order
    given_to = {name: getattr(metric, name) for name in metric.takes()}
    of_score = {name: given_to[name] for name in ("smooth_method", "smooth_value")}
    of_score |= {"max_ngram_order": n, "effective_order": metric.effective_order}

    def score(sums):
        correct, total = sums[2 : n + 2], sums[n + 2 : 2 * n + 2]
        length, reference = map(int, sums[:2])
        return sacrebleu.BLEU.compute_bleu(correct, total, length, reference, **of_score).score

    return score


def tables_of(columns, options):
    metric = BLEU(**options)
    rows = metric.rows(*metric.read(tuple(columns.values())))
    return [x.astype(float) for x in rows.tables]


@cases(10)
@given(rng=generators)
def test_scores_are_sacrebleus(rng):
    """Of few sentences, many of which have no n-gram in common, or no word."""
    columns = sentences(rng, int(rng.integers(1, 5)), int(rng.integers(1, 4)))
    options = random_options(rng)
    oracle.assert_scores(BLEU(**options), sacrebleu.BLEU(**options), columns, compare)


@cases(10)
@given(rng=generators)
def test_score_of_sums_is_sacrebleus(rng):
    """Of sums that may be 0, also those that no texts have."""
    options = random_options(rng)
    n = options["max_ngram_order"]
    lengths = rng.integers(0, 4, (40, 2)) * rng.integers(1, 30, (40, 2))
    total = rng.integers(0, 4, (40, n)) * rng.integers(1, 9, (40, n))
    correct = rng.binomial(total, rng.choice([0.0, 0.1, 0.5, 1.0], (40, 1)))
    lengths[:, 0] *= correct.any(axis=1)  # without words nothing matches
    lengths[:, 0] += correct.any(axis=1)
    sums = np.hstack((lengths, correct, total, np.ones((40, 1)))).astype(float)
    found = BLEU(**options).score_with(1)(sums)
    score = score_of(options)
    assert found == pytest.approx([score(row) for row in sums.tolist()], rel=1e-12, abs=1e-12)


def test_real_scores():
    columns = tagged(0, 400)
    for options in ({}, {"tokenize": "none", "max_ngram_order": 6}, {"lowercase": True}):
        result = compare(**columns, metric="bleu", rng=0, method="monte_carlo", **options)
        expected = oracle.scores(sacrebleu.BLEU(**options), columns)
        assert [result.score1, result.score2] == pytest.approx(expected, rel=1e-12)


@cases(0.4)
@given(rng=generators)
def test_p_of_few_sentences_is_that_of_all_swaps(rng):
    columns = sentences(rng, int(rng.integers(1, 7)), int(rng.integers(1, 3)))
    options = random_options(rng)
    metric, counter = BLEU(**options), sacrebleu.BLEU(**options)
    oracle.assert_pvalues(metric, counter, columns, compare, ("exact", "enumeration"))


@pytest.mark.thorough
@pytest.mark.parametrize(("start", "stop"), [(300, 600), (0, 2077)])
def test_p_of_real_data(start, stop):
    """Against 40,000 swaps, or so, scored one after the other by sacrebleu."""
    columns, n = tagged(start, stop), 40_000
    score, rng = score_of({}), np.random.default_rng(5)
    rows1, rows2 = tables_of(columns, {})
    differences = oracle.sampled(rows1, rows2, score, n, rng)
    truth = oracle.share(differences, score(rows1.sum(0)) - score(rows2.sum(0)), "two-sided")
    result = compare(**columns, metric="bleu", method="monte_carlo", n_resamples=n, rng=1)
    assert oracle.is_near(result.pvalue, truth, n, n)
    assert result.pvalue_interval[0] <= result.pvalue <= result.pvalue_interval[1]
    if stop == 600:  # few numbers of matches differ: the sums are on a small grid
        exact = compare(**columns, metric="bleu")
        assert (exact.method, exact.interval) == ("exact", "certified")
        assert oracle.is_near(exact.pvalue, truth, n, n)


def test_sacrebleus_own_test():
    """Its paired approximate randomization, of the same scores."""
    from sacrebleu.significance import PairedTest

    columns, n = tagged(300, 900), 5000
    systems = [(name, columns[name]) for name in oracle.SYSTEMS]
    streams = oracle.streams(columns["references"])
    test = PairedTest(systems, {"BLEU": sacrebleu.BLEU()}, streams, "ar", n_samples=n)
    _, found = test()
    one, two = found["BLEU"]
    result = compare(**columns, metric="bleu", method="monte_carlo", n_resamples=40_000, rng=0)
    assert [result.score1, result.score2] == pytest.approx([one.score, two.score], rel=1e-12)
    assert oracle.is_near(two.p_value, result.pvalue, n, 40_000)


def test_bootstrap():
    columns, n = tagged(300, 600), 4000
    score, rng = score_of({}), np.random.default_rng(6)
    rows1, rows2 = tables_of(columns, {})
    observed = score(rows1.sum(0)) - score(rows2.sum(0))
    differences = np.array(oracle.resampled(rows1, rows2, score, n, rng))
    truth = oracle.share(differences - observed, observed, "two-sided")
    result = compare(**columns, metric="bleu", test="bootstrap", rng=2)
    assert result.statistic == pytest.approx(observed, rel=1e-12)
    assert (result.method, result.metric) == ("monte_carlo", "bleu")
    assert oracle.is_near(truth, result.pvalue, n, result.n_resamples)
    low, high = np.quantile(differences, [0.025, 0.975])
    width = high - low
    assert result.confidence_interval.low == pytest.approx(low, abs=width / 10)
    assert result.confidence_interval.high == pytest.approx(high, abs=width / 10)


def test_sampled_by_itself():
    """Where lengths differ too, the sums take too many values to look at all."""
    columns = sentences(np.random.default_rng(3), 300, 2)
    planned = plan(*columns.values(), metric="bleu")
    assert (planned.method, planned.rank > 8) == ("monte_carlo", True)
    with pytest.warns(UserWarning, match="p is estimated from 9,999 .* because the exact p-val"):
        result = compare(**columns, metric="bleu", rng=0, n_resamples=9999)
    assert result.method == "monte_carlo"
    sampled = compare(**columns, metric="bleu", method="monte_carlo", rng=0)
    assert result.pvalue == sampled.pvalue
    assert "BLEU" in result.summary("a", "b")
    assert "points" in result.summary("a", "b")


def test_systems_that_tie():
    columns = sentences(np.random.default_rng(4), 200, 2)
    same = columns | {"predictions2": [f"{x} " for x in columns["predictions1"]]}
    result = compare(**same, metric="bleu")
    assert (result.pvalue, result.n_differing, result.statistic) == (1.0, 0, 0.0)
    # the same sums, by other sentences
    turned = {
        name: [*one, *two]
        for name, one, two in (
            ("predictions1", columns["predictions1"], columns["predictions2"]),
            ("predictions2", columns["predictions2"], columns["predictions1"]),
            ("references", columns["references"], columns["references"]),
        )
    }
    result = compare(**turned, metric="bleu")
    assert (result.pvalue, result.statistic) == (1.0, 0.0)
    assert result.n_differing > 100
    nothing = compare(["a b", "c"], ["d", "e f"], ["x", "y"], "bleu")
    assert (nothing.score1, nothing.score2, nothing.pvalue) == (0.0, 0.0, 1.0)


def test_doors(registered):
    columns = sentences(np.random.default_rng(7), 40, 2)
    options = {"lowercase": True, "smooth_method": "floor", "smooth_value": 0.2}
    asked = {"method": "monte_carlo", "rng": 3}
    expected = compare(**columns, metric="bleu", **options, **asked)
    assert expected.metric_options == options
    assert in_one(*columns.values(), metric=BLEU(**options), **asked) == expected
    for door in (of_dataset, in_batches):
        assert door(*columns.values(), metric="bleu", **options, **asked) == expected
    for size in (0, 1, 7):
        found = of_module(*columns.values(), metric="bleu", size=size, **options, **asked)
        assert found == expected.to_dict()


def test_defaults_are_no_options():
    assert BLEU(tokenize="13a", smooth_value=None).options is None
    assert BLEU(smooth_method="floor", smooth_value=0.1) == BLEU(smooth_method="floor")
    assert repr(BLEU(max_ngram_order=2)) == "BLEU(max_ngram_order=2)"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tokenize": "13A"}, "`tokenize` must be one of '13a', 'intl', .*, got '13A'"),
        ({"tokenize": str.split}, "`tokenize` must be one of '13a', 'intl', .*, got <method 'spl"),
        ({"smooth_method": "exponential"}, "`smooth_method` must be one of 'exp', 'floor', 'add"),
        ({"smooth_value": 0.1}, "`smooth_value` is for smooth_method='floor' or 'add-k', got 0.1"),
        ({"smooth_method": "floor", "smooth_value": -1}, "must be a number from 0 to 1 with smo"),
        ({"smooth_method": "floor", "smooth_value": np.nan}, "must be a number from 0 to 1 with"),
        ({"smooth_method": "add-k", "smooth_value": 1e9}, "must be a number from 0 to 1000 with"),
        ({"smooth_method": "add-k", "smooth_value": "1"}, "must be a number from 0 to 1000 with"),
        ({"max_ngram_order": 0}, "`max_ngram_order` must be an integer from 1 to 100, got 0"),
        ({"effective_order": 1}, r"`effective_order` must be True or False, got 1 \(int\)"),
    ],
)
def test_options_that_there_are_not(options, message):
    with pytest.raises(InputError, match=message):
        compare(["a"], ["b"], ["a"], "bleu", **options)


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("\nJapanese tokenization requires extra dependencies\n\n  pip install it\n"),
        ImportError("Please install the sentencepiece library"),
        OSError("<urlopen error [Errno 101] Network is unreachable>"),
        KeyError("ja-mecab"),  # of an older version
        SystemExit(1),  # where a model is not what was expected
    ],
    ids=lambda error: type(error).__name__,
)
def test_tokenizers_that_are_not_there(monkeypatch, error):
    def counter(**options):
        assert options["tokenize"] == "ja-mecab"
        raise error

    monkeypatch.setattr(sacrebleu, "BLEU", counter)
    said = " ".join(str(error).split())
    with pytest.raises(InputError) as caught:
        compare(["a"], ["b"], ["a"], "bleu", tokenize="ja-mecab")
    assert str(caught.value) == (
        "`tokenize` 'ja-mecab' is one that sacrebleu cannot load here "
        f"({type(error).__name__}: {said}). Tokenizers that need no package or model are '13a', "
        "'intl', 'zh', 'char', 'none'."
    )
