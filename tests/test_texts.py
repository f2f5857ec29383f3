"""Scores of texts: word error rate, SQuAD's exact match and token F1, against plain twins."""

import json
import re
import string
import sys
from collections import Counter
from fractions import Fraction
from itertools import product

import evaluate
import numpy as np
import pytest
from datasets import Dataset, DatasetDict
from extras import needs
from stand_ins import PAIRS, never

from pairedperm import InputError, compare, share_problem
from pairedperm.hf import compare_dataset, predict_and_compare
from pairedperm.text_stream import TextStream

NAMES = ("predictions1", "predictions2", "references")
SQUAD = ("squad_exact_match", "squad_f1")
ALTERNATIVES = ("two-sided", "greater", "less")


# Plain twins


def distance(one, other):
    """Levenshtein's: words inserted, deleted or replaced."""
    before = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (a != b)))
        before = row
    return before[-1]


def normalize_answer(text):
    """As SQuAD's script says it: lower case, punctuation, articles, white space."""
    text = "".join(ch for ch in text.lower() if ch not in set(string.punctuation))
    text = re.sub(r"\b(a|an|the)\b", " ", text)
    return " ".join(text.split())


def f1_of(prediction, right):
    words, right_words = normalize_answer(prediction).split(), normalize_answer(right).split()
    common = Counter(words) & Counter(right_words)
    n_same = sum(common.values())
    if n_same == 0:
        return Fraction(0)
    precision, recall = Fraction(n_same, len(words)), Fraction(n_same, len(right_words))
    return 2 * precision * recall / (precision + recall)


def exact_of(prediction, right):
    return Fraction(normalize_answer(prediction) == normalize_answer(right))


TWINS = {"squad_exact_match": exact_of, "squad_f1": f1_of}


def shares(metric, predictions, references):
    """The score of each example, that of its best reference."""
    references = [[right] if isinstance(right, str) else right for right in references]
    pairs = zip(predictions, references, strict=True)
    return [max(TWINS[metric](given, right) for right in rights) for given, rights in pairs]


def brute_force(scores1, scores2, alternative):
    """All 2^n swaps of fractions whose mean is compared."""
    observed, n_extreme = sum(scores1) - sum(scores2), 0
    for signs in product((1, -1), repeat=len(scores1)):
        d = sum(s * (a - b) for s, a, b in zip(signs, scores1, scores2, strict=True))
        if alternative == "two-sided":
            n_extreme += abs(d) >= abs(observed)
        else:
            n_extreme += d >= observed if alternative == "greater" else d <= observed
    return Fraction(n_extreme, 2 ** len(scores1))


WORDS = ["the", "A", "an", "cat,", "Cat", "cat", "sat", "on", "mat!", "the-mat", "1066", "'", ""]


def random_text(rng, longest=6):
    return " ".join(rng.choice(WORDS, int(rng.integers(0, longest))).tolist())


def random_answers(rng, n, n_right=3):
    """Texts of three columns; references have some right answers each."""
    references = [
        [random_text(rng) for _ in range(int(rng.integers(1, n_right + 1)))] for _ in range(n)
    ]
    columns = [
        [x[0] if rng.random() < share else random_text(rng) for x in references]
        for share in (0.5, 0.2)
    ]
    return dict(zip(NAMES, (*columns, references), strict=True))


# Word error rate


def transcripts(rng, n):
    words = ["one", "two", "three", "two."]
    return {
        name: [rng.choice(words, int(rng.integers(0, 6))).tolist() for _ in range(n)]
        for name in NAMES
    }


def test_word_errors_by_hand():
    needs("rapidfuzz", "wer")
    one = ["the cat sat on the mat", "a", "on  the\tmat\n"]
    two = ["cat sits on a mat", "", "on the mat"]
    right = ["the cat sat on the mat", "a b", "on the mat"]
    result = compare(one, two, right, "word_error_rate")
    # of 6 + 2 + 3 words: one is inserted by system 1; system 2 lacks "the", "a", "b", and has
    # "sits" for "sat" and "a" for "the"
    assert (result.score1, result.score2) == (1 / 11, 5 / 11)
    assert (result.n, result.n_differing, result.metric) == (3, 2, "word_error_rate")
    assert result.pvalue == 0.5
    assert result.statistic < 0  # lower is better
    assert compare(["a b c d"], ["a"], ["a"], "word_error_rate").score1 == 3.0


@pytest.mark.parametrize("seed", range(5))
def test_word_error_rate(seed):
    """Texts, tokens and numbers of tokens, against a distance by dynamic programming."""
    needs("rapidfuzz", "wer")
    columns = transcripts(np.random.default_rng(seed), 9)
    right = columns["references"]
    n_words = sum(map(len, right))
    errors = [
        [Fraction(distance(a, b), n_words) for a, b in zip(columns[name], right, strict=True)]
        for name in NAMES[:2]
    ]
    for alternative in ALTERNATIVES:
        options = {"metric": "word_error_rate", "alternative": alternative}
        result = compare(**columns, **options)
        assert result.score1 == pytest.approx(float(sum(errors[0])), rel=1e-15)
        assert result.score2 == pytest.approx(float(sum(errors[1])), rel=1e-15)
        assert result.pvalue == float(brute_force(*errors, alternative))
        texts = {name: [" ".join(row) for row in rows] for name, rows in columns.items()}
        assert compare(**texts, **options) == result
        assert compare(**(columns | {"references": texts["references"]}), **options) == result
        number = {"one": 0, "two": 1, "three": 2, "two.": 3}
        numbers = {name: [[number[x] for x in row] for row in y] for name, y in columns.items()}
        assert compare(**numbers, **options) == result


def test_word_error_rate_needs_words():
    needs("rapidfuzz", "wer")
    message = "`references` holds no word: a rate needs one"
    for columns in ((["a", ""], ["", ""], ["", " \n"]), ([["a"], []], [["b"], []], [[], []])):
        with pytest.raises(InputError, match=message):
            compare(*columns, "word_error_rate")
    stream = TextStream("word_error_rate")
    stream.add({"predictions1": ["a"], "predictions2": ["b"], "references": [""]})
    with pytest.raises(InputError, match=message):
        stream.test({}, None)
    assert stream.test({name: ["a"] for name in NAMES}, None).score1 == 1.0


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([1, 2], ["a", "b"], ["a", "b"]), r"`predictions1` must hold a text, .*integers \(1\)"),
        ((["a"], ["b"], [3]), r"`references` must hold a text, .* got single integers \(3\)"),
        ((["a"], ["b", "c"], ["a", "b"]), "`predictions1` has 1 examples and `references` has 2"),
        ((["a"], None, ["a"]), "`predictions2` is missing"),
        (([["a"], None], ["a", "b"], ["a", "b"]), r"`predictions1`\[1\] is missing"),
        (([0.5], ["a"], ["a"]), r"`predictions1`\[0\] is a float"),
    ],
)
def test_columns_without_words(columns, message):
    with pytest.raises(InputError, match=message):
        compare(*columns, "word_error_rate")


def test_word_error_rate_without_rapidfuzz(monkeypatch):
    for module in [name for name in sys.modules if name.split(".")[0] == "rapidfuzz"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    with pytest.raises(
        ImportError, match=r"'word_error_rate' needs rapidfuzz: pip install 'pairedperm\[wer\]'"
    ):
        compare(["a"], ["b"], ["a"], "word_error_rate")
    assert compare(["x"], ["y"], ["x"], "squad_f1").score1 == 1.0


# Answers


@pytest.mark.parametrize(
    ("answer", "rights", "exact", "f1"),
    [
        ("The Cat.", ["cat"], 1, 1),
        ("a  cat\n", ["An, CAT!"], 1, 1),
        ("in 1066", ["1066"], 0, Fraction(2, 3)),  # precision 1/2, recall 1
        ("the black cat sat", ["a cat", "black cat"], 0, Fraction(4, 5)),  # 2/3 and 1: 2·2 / 5
        ("cat cat", ["cat"], 0, Fraction(2, 3)),  # one in common, not two
        ("cat dog cat", ["cat cat bird bird"], 0, Fraction(4, 7)),  # 2/3 and 2/4: 2·2 / (3 + 4)
        ("", [""], 1, 0),  # of no words none are in common
        ("the", ["a"], 1, 0),
        ("...", ["dog", "!"], 1, 0),
        ("dog", ["the cat", "a bird"], 0, 0),
        ("theatre", ["atre"], 0, 0),  # an article is a word
        ("the-cat", ["thecat"], 1, 1),  # punctuation goes first
        ("Zoë's", ["zoës"], 1, 1),
        ("«cat»", ["cat"], 0, 0),  # not among ASCII's punctuation
        ("a.b", ["ab"], 1, 1),
        ("a b", ["b"], 1, 1),
        ("x y z", ["x", "x y", "z y x w"], 0, Fraction(6, 7)),  # 2·3 / (3 + 4), after 1/2, 4/5
    ],
)
def test_answers_by_hand(answer, rights, exact, f1):
    for metric, expected in (("squad_exact_match", exact), ("squad_f1", f1)):
        result = compare([answer], ["no such answer"], [rights], metric)
        assert (result.score1, result.score2) == (float(expected), 0.0)
        assert shares(metric, [answer], [rights]) == [expected]


@pytest.mark.parametrize("metric", SQUAD)
@pytest.mark.parametrize("seed", range(4))
def test_squad(metric, seed):
    columns = random_answers(np.random.default_rng(seed), 10)
    one, two = (shares(metric, columns[name], columns["references"]) for name in NAMES[:2])
    for alternative in ALTERNATIVES:
        result = compare(**columns, metric=metric, alternative=alternative)
        assert result.score1 == pytest.approx(float(sum(one) / 10), rel=1e-15)
        assert result.score2 == pytest.approx(float(sum(two) / 10), rel=1e-15)
        assert result.pvalue == float(brute_force(one, two, alternative))
        assert (result.n, result.n_differing) == (
            10,
            sum(a != b for a, b in zip(one, two, strict=True)),
        )
    assert result.method == "exact"


def test_the_best_reference_counts():
    rng = np.random.default_rng(5)
    columns = random_answers(rng, 200)
    rights = columns["references"]
    for metric in SQUAD:
        expected = compare(**columns, metric=metric)
        assert expected.score1 == pytest.approx(
            float(sum(shares(metric, columns["predictions1"], rights)) / 200), rel=1e-14
        )
        turned = columns | {"references": [right[::-1] * 2 for right in rights]}
        assert compare(**turned, metric=metric) == expected
        first = compare(**(columns | {"references": [r[0] for r in rights]}), metric=metric)
        assert first.score1 < expected.score1


def as_dicts(columns):
    """As `evaluate`'s squad module takes them."""
    found = {
        name: [{"id": str(k), "prediction_text": text} for k, text in enumerate(columns[name])]
        for name in NAMES[:2]
    }
    found["references"] = [
        {"id": str(k), "answers": {"text": texts, "answer_start": [0] * len(texts)}}
        for k, texts in enumerate(columns["references"])
    ]
    return found


@pytest.mark.parametrize("metric", SQUAD)
def test_forms(metric):
    rng = np.random.default_rng(6)
    columns = random_answers(rng, 30)
    expected = compare(**columns, metric=metric)
    dicts = as_dicts(columns)
    assert compare(**dicts, metric=metric) == expected
    for name in NAMES[:2]:  # each in an order of its own
        shuffled = [dicts[name][k] for k in rng.permutation(30)]
        assert compare(**(dicts | {name: shuffled}), metric=metric) == expected
        assert compare(**(columns | {name: dicts[name]}), metric=metric) == expected
    moved = dicts | {"references": [dicts["references"][k] for k in rng.permutation(30)]}
    assert compare(**moved, metric=metric) == expected
    for references in (
        [{"answers": texts} for texts in columns["references"]],
        [{"text": texts} for texts in columns["references"]],
        [{"text": np.array(texts)} for texts in columns["references"]],
        tuple(map(tuple, columns["references"])),
        [np.array(texts) for texts in columns["references"]],
    ):
        assert compare(**(columns | {"references": references}), metric=metric) == expected
    texts = {name: np.array(columns[name]) for name in NAMES[:2]}
    assert compare(**(columns | texts), metric=metric) == expected
    single = columns | {"references": [texts[0] for texts in columns["references"]]}
    answers = [{"id": k, "answers": text} for k, text in enumerate(single["references"])]
    assert compare(**single, metric=metric) == compare(
        **(single | {"references": answers}), metric=metric
    )


def test_ids_are_positions_where_one_column_has_none():
    columns = {"predictions1": ["x", "y"], "predictions2": ["y", "x"]}
    right = [{"id": "b", "answers": ["x"]}, {"id": "a", "answers": ["y"]}]
    assert compare(**columns, references=right, metric="squad_f1").score1 == 1.0
    with_ids = [{"id": "a", "prediction_text": "x"}, {"id": "b", "prediction_text": "y"}]
    found = compare(with_ids, columns["predictions2"], right, "squad_f1")
    assert (found.score1, found.score2) == (0.0, 0.0)


def given(*ids, text="x"):
    return [{"id": key, "prediction_text": text} for key in ids]


def right(*ids):
    return [{"id": key, "answers": {"text": ["x"]}} for key in ids]


@pytest.mark.parametrize("metric", SQUAD)
@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ((given(1, 1), given(1, 2), right(1, 2)), "`predictions1` has the id 1 twice"),
        ((given(1, 2), given("u", "u"), right(2, 1)), "`predictions2` has the id 'u' twice"),
        ((given(1, 2), given(2, 1), right(1, 1)), "`references` has the id 1 twice"),
        (
            (given(1, 7, 2), given(1, 2, 3), right(3, 2, 1)),
            r"`predictions1` has no prediction for 1 of 3 ids, such as 3\. Give every question",
        ),
        (
            (given(1, 2), given("1", "2"), right(2, 1)),
            "`predictions2` has no prediction for 2 of 2 ids, such as 2",
        ),
        (
            ([*given(1), {"prediction_text": "x"}], given(1, 2), right(1, 2)),
            "`predictions1` has an 'id' in 1 of 2 examples: give all, or none",
        ),
        (
            (given(1, 2), given(1, 2), [*right(1), "x"]),
            "`references` has an 'id' in 1 of 2 examples",
        ),
        ((None, ["x"], ["x"]), "`predictions1` is missing: pass a text, or a dict with the key 'p"),
        ((["x"], ["x"], None), "`references` is missing: pass a text, a list of texts, or a dict"),
        (([], ["x"], ["x"]), "`predictions1` is empty: at least one example"),
        ((["x"], [5], ["x"]), r"`predictions2`\[0\] must be a text, .*, got 5 \(int\)"),
        ((["x", "y"], ["x", None], ["x", "y"]), r"`predictions2`\[1\] must be a text, .* None"),
        (([["x"]], ["x"], ["x"]), r"`predictions1`\[0\] must be a text, or a dict .*\['x'\]"),
        (([{"text": "x"}], ["x"], ["x"]), r"`predictions1`\[0\] must be a text, or a dict"),
        ((["x"], ["x"], [{"answer": "x"}]), r"`references`\[0\] must be a text, a list of texts"),
        ((["x"], ["x"], [["x", 5]]), r"`references`\[0\] must be a text, a list of texts"),
        ((["x"], ["x"], [{"answers": {"texts": ["x"]}}]), r"`references`\[0\] must be a text"),
        ((["x"], ["x"], [[]]), r"`references`\[0\] has no answer\. Leave unanswerable questions"),
        (
            (["x", "y"], ["x", "y"], [["x"], {"answers": {"text": []}}]),
            r"`references`\[1\] has no answer",
        ),
        ((["x"], ["x", "y"], ["x", "y"]), "`predictions1` has 1 examples and `references` has 2"),
        ((["x", "y"], ["x"], ["x", "y"]), "`predictions2` has 1 examples .*Pair the examples by"),
    ],
)
def test_bad_answers(metric, columns, message):
    with pytest.raises(InputError, match=message):
        compare(*columns, metric)


# The mean of ratios


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_denominators_without_a_common_one(monkeypatch, alternative):
    """As a function of the sums of numerators, the same p."""
    for seed in range(4):
        columns = random_answers(np.random.default_rng([7, seed]), 10 if seed < 3 else 40, 1)
        options = {"metric": "squad_f1", "alternative": alternative, "method": "exact"}
        expected = compare(**columns, **options)
        with monkeypatch.context() as context:
            context.setattr(share_problem, "_FINEST", 1)
            result = compare(**columns, **options)
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
        assert result.score1 == pytest.approx(expected.score1, abs=1e-15)
        assert result.statistic == pytest.approx(expected.statistic, abs=1e-15)
        if seed < 3:
            one, two = (
                shares("squad_f1", columns[name], columns["references"]) for name in NAMES[:2]
            )
            truth = float(brute_force(one, two, alternative))
            assert result.pvalue == pytest.approx(truth, rel=1e-12)


def long_answers(n):
    """Of up to 60 words: their F1 have hardly a common denominator."""
    rng = np.random.default_rng(8)

    def text(longest):
        return " ".join(f"w{k}" for k in rng.integers(0, 80, int(rng.integers(1, longest))))

    return {name: [text(60) for _ in range(n)] for name in NAMES}


def test_beyond_the_budget():
    columns = long_answers(150)
    with pytest.warns(UserWarning, match="p is sampled, for the exact p-value needs") as warned:
        result = compare(**columns, metric="squad_f1", n_resamples=999, rng=1)
    assert warned[0].filename == __file__
    assert (result.method, result.n_resamples) == ("monte_carlo", 999)
    one, two = (shares("squad_f1", columns[name], columns["references"]) for name in NAMES[:2])
    assert result.score1 == pytest.approx(float(sum(one) / 150), rel=1e-13)
    assert result.score2 == pytest.approx(float(sum(two) / 150), rel=1e-13)
    d = np.array([float(a - b) for a, b in zip(one, two, strict=True)])
    signs = np.random.default_rng(2).choice([-1.0, 1.0], (20_000, 150))
    share = np.mean(np.abs(signs @ d) >= abs(d.sum()))
    assert abs(result.pvalue - share) < 5 * np.sqrt(share / 999)


# Streams


def corpora():
    """By metric: columns that are long enough for batches."""
    rng = np.random.default_rng(9)
    found = {metric: random_answers(rng, 40) for metric in SQUAD}
    words = transcripts(rng, 40)
    return found | {"word_error_rate": {n: [" ".join(x) for x in y] for n, y in words.items()}}


CORPORA = corpora()


def slices(columns, size):
    for start in range(0, len(columns["references"]), size):
        yield {name: column[start : start + size] for name, column in columns.items()}


def expected_of(metric, **options):
    if metric == "word_error_rate":
        needs("rapidfuzz", "wer")
    return compare(**CORPORA[metric], metric=metric, **options)


@pytest.mark.parametrize("metric", CORPORA)
def test_batches_of_texts(registered, metric):
    expected = expected_of(metric, alternative="less").to_dict()
    module = evaluate.load("paired_perm", metric)
    for size in (1, 7, 40):
        for batch in slices(CORPORA[metric], size):
            module.add_batch(**batch)
        assert len(module) == 40
        assert module.compute(alternative="less") == expected
        assert len(module) == 0
    for row in zip(*CORPORA[metric].values(), strict=True):
        module.add(**dict(zip(NAMES, row, strict=True)))
    assert module.compute(metric=metric, alternative="less") == expected
    first, *others = slices(CORPORA[metric], 20)
    module.add_batch(**first)
    assert module.compute(**others[0], alternative="less") == expected


@pytest.mark.parametrize("metric", CORPORA)
def test_named_when_computed(paired_perm, metric):
    columns, expected = CORPORA[metric], expected_of(metric).to_dict()
    assert paired_perm.compute(**columns, metric=metric) == expected
    labels = {name: [1, 0, 1] for name in NAMES}
    assert paired_perm.compute(**labels) == compare(**labels).to_dict()  # as before
    with pytest.raises(InputError, match="is missing"):
        paired_perm.compute(predictions1=["x"], predictions2=["x"], metric="squad_f1")
    assert paired_perm.compute(**labels)["n"] == 3
    with pytest.raises(InputError, match="there is nothing to compare"):
        paired_perm.compute(metric=metric)


def test_named_too_late(paired_perm, registered):
    paired_perm.add_batch(**{name: ["x"] for name in NAMES})
    for module in (paired_perm, evaluate.load("paired_perm", "f1", pos_label="x")):
        with pytest.raises(InputError, match=r"`metric` 'squad_f1' is of texts, .*'squad_f1'\)"):
            module.compute(metric="squad_f1")
    assert paired_perm.compute()["n"] == 1


def test_another_metric_than_at_load(registered):
    module = evaluate.load("paired_perm", "squad_f1")
    module.add_batch(**{name: ["x"] for name in NAMES})
    for metric in ("accuracy", "squad_exact_match"):
        with pytest.raises(
            InputError, match=f"`metric` must be 'squad_f1', which was named .*, got '{metric}'"
        ):
            module.compute(metric=metric)
    with pytest.raises(InputError, match="`pos_label` is no option of metric 'squad_f1'"):
        module.compute(pos_label="x")
    with pytest.raises(InputError, match="`average` is no option of metric 'squad_f1'"):
        evaluate.load("paired_perm", "squad_f1", average="macro")
    assert module.compute(zero_division=None, labels=None)["n"] == 1


def test_bad_batches_are_not_added(registered):
    module = evaluate.load("paired_perm", "squad_exact_match")
    module.add_batch(**{name: ["x", "y"] for name in NAMES})
    bad = {name: ["x"] for name in NAMES} | {"references": [[]]}
    with pytest.raises(InputError, match=r"`references`\[0\] has no answer"):
        module.add_batch(**bad)
    with pytest.raises(InputError, match=r"no answer.*Examples added before, 2, are kept"):
        module.compute(**bad)
    assert module.compute()["n"] == 2


@pytest.mark.parametrize("metric", CORPORA)
def test_states_of_processes(metric):
    """They go through JSON; a process may have none."""
    expected = expected_of(metric)
    streams = []
    for part in slices(CORPORA[metric], 15):
        streams.append(TextStream(metric))
        for batch in slices(part, 4):
            streams[-1].add(batch)
    streams.insert(1, TextStream(metric))
    assert [len(stream) for stream in streams] == [15, 0, 15, 10]
    states = [json.loads(json.dumps(stream.state(None))) for stream in streams]
    for order in (states, states[::-1]):
        assert streams[1].test_states(order, None) == expected
        assert streams[0].test_states(order, metric, alternative="greater") == (
            expected_of(metric, alternative="greater")
        )
    assert streams[0].test_states(states[:1], None) != expected


# Datasets and pipelines


@pytest.mark.parametrize("streamed", [False, True], ids=["stored", "streamed"])
@pytest.mark.parametrize("metric", CORPORA)
def test_dataset_of_texts(batches, metric, streamed):
    dataset = Dataset.from_dict(CORPORA[metric])
    dataset = dataset.to_iterable_dataset() if streamed else dataset
    assert compare_dataset(dataset, metric=metric) == expected_of(metric)


@pytest.mark.parametrize("streamed", [False, True], ids=["stored", "streamed"])
@pytest.mark.parametrize("metric", SQUAD)
def test_dataset_with_answers(batches, metric, streamed):
    """As SQuAD has them: a struct of texts and where they start."""
    columns = CORPORA[metric]
    answers = [{"text": texts, "answer_start": [0] * len(texts)} for texts in columns["references"]]
    dataset = Dataset.from_dict(
        {"large": columns["predictions1"], "small": columns["predictions2"], "answers": answers}
    )
    names = ("large", "small", "answers")
    splits = DatasetDict(dev=dataset.select(range(9)), test=dataset)
    if streamed:
        dataset = dataset.to_iterable_dataset()
    assert compare_dataset(dataset, *names, metric, alternative="greater") == (
        expected_of(metric, alternative="greater")
    )
    if not streamed:
        dev = compare(**next(slices(columns, 9)), metric=metric)
        assert compare_dataset(splits, *names, metric) == {"dev": dev, "test": expected_of(metric)}


def test_dataset_where_an_answer_is_missing(batches):
    columns = {name: ["x"] * 12 for name in NAMES} | {"references": [["x"]] * 11 + [[]]}
    with pytest.raises(InputError, match=r"`references`\[11\] has no answer"):
        compare_dataset(Dataset.from_dict(columns), metric="squad_f1")


def test_options_of_labels_are_not_for_texts():
    dataset = Dataset.from_dict({name: ["x"] for name in NAMES})
    with pytest.raises(InputError, match="`label_mapping` is for labels; metric 'squad_f1' is of"):
        compare_dataset(dataset, metric="squad_f1", label_mapping={"x": "y"})
    with pytest.raises(InputError, match="`multilabel` is no option of metric 'squad_f1'"):
        compare_dataset(dataset, metric="squad_f1", multilabel=True)


@pytest.mark.parametrize("metric", CORPORA)
def test_pipelines_predict_no_texts(metric):
    with pytest.raises(InputError, match=f"`metric` must be one of labels, .*, got '{metric}'"):
        predict_and_compare(never(), never(), PAIRS, metric=metric)
