"""compare_dataset: the same results as compare, whatever holds the columns."""

import enum

import datasets
import numpy as np
import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, IterableDataset, Sequence, Value
from small import COLUMNS, SCORES

from pairedperm import InputError, compare, paired_permutation_test
from pairedperm.hf import compare_dataset, dataset
from pairedperm.hf.label_columns import class_label

NAMES = ["neg", "neu", "pos"]


def corpus(n, rng=None):
    """Three columns of ids from 0 to 2; system 1 is a little better."""
    rng = rng or np.random.default_rng(1)
    references = rng.integers(0, 3, n)
    columns = {"references": references}
    for name, accuracy in (("predictions1", 0.8), ("predictions2", 0.75)):
        columns[name] = np.where(rng.random(n) < accuracy, references, rng.integers(0, 3, n))
    return {name: columns[name].tolist() for name in COLUMNS}


def named(column):
    return [NAMES[label] if isinstance(label, int) else named(label) for label in column]


IDS = corpus(500)
EXPECTED = compare(**IDS)
SENTENCES = {
    name: [
        column[i : i + length]
        for i, length in zip(range(0, 480, 8), [3, 8, 0, 1] * 15, strict=True)
    ]
    for name, column in IDS.items()
}
EXPECTED_OF_SENTENCES = compare(**SENTENCES)


@pytest.fixture(autouse=True, params=[7, 10_000], ids=["batches", "one batch"])
def rows(request, monkeypatch):
    monkeypatch.setattr(dataset, "_ROWS", request.param)
    monkeypatch.setattr(dataset, "_STREAMED_ROWS", request.param)


def kinds_of(stored):
    yield stored
    yield stored.with_format("torch" if importable("torch") else "numpy")
    yield stored.flatten_indices() if stored._indices else stored.select(range(len(stored)))
    yield stored.to_iterable_dataset()
    yield stored.to_iterable_dataset(num_shards=3)
    yield IterableDataset.from_generator(lambda: iter(stored.with_format(None)))  # no features


def importable(module):
    try:
        __import__(module)
    except ImportError:
        return False
    return True


@pytest.mark.parametrize("spell", [list, named], ids=["ids", "names"])
@pytest.mark.parametrize(
    ("columns", "expected"),
    [(IDS, EXPECTED), (SENTENCES, EXPECTED_OF_SENTENCES)],
    ids=["labels", "sequences"],
)
def test_kinds_of_datasets(columns, expected, spell):
    stored = Dataset.from_dict({name: spell(column) for name, column in columns.items()})
    for kind in kinds_of(stored):
        assert compare_dataset(kind) == expected
    assert compare_dataset(stored.shuffle(seed=1)) == expected


@pytest.mark.parametrize("nested", [False, True], ids=["labels", "sequences"])
def test_class_labels(nested):
    """Names or ids, one column or another, in the same order of names or not."""
    columns, expected = (SENTENCES, EXPECTED_OF_SENTENCES) if nested else (IDS, EXPECTED)
    plain = Dataset.from_dict({k: named(column) for k, column in columns.items()})

    def cast(whole, name, names):
        feature = ClassLabel(names=names)
        return whole.cast_column(name, Sequence(feature) if nested else feature)

    names = NAMES[::-1]
    one = cast(plain, "references", NAMES)
    two = cast(one, "predictions1", names)
    three = cast(two, "predictions2", [*names, "other"])
    swapped = cast(plain, "predictions1", names)
    ids = one.remove_columns("predictions2").add_column("predictions2", columns["predictions2"])
    for stored in (one, two, three, swapped, ids):
        assert compare_dataset(stored) == expected
        assert compare_dataset(stored.to_iterable_dataset()) == expected


def test_class_label_predictions_and_plain_ids():
    stored = Dataset.from_dict(IDS).cast_column("predictions1", ClassLabel(names=NAMES))
    assert compare_dataset(stored) == EXPECTED


def test_class_label_of_a_feature():
    feature = ClassLabel(names=NAMES)
    for kind in (feature, [feature], Sequence(feature), datasets.LargeList(feature)):
        assert class_label(kind) is feature
    assert class_label(Value("int64")) is class_label([Value("int64")]) is class_label(None) is None


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint64", "bool", "large_string"])
def test_types_of_arrow(dtype):
    columns = {name: [x > 0 for x in column] for name, column in IDS.items()}
    stored = Dataset.from_dict(columns).cast(Features(dict.fromkeys(columns, Value("int64"))))
    assert compare_dataset(stored.cast(Features(dict.fromkeys(columns, Value(dtype))))) == compare(
        **columns
    )


def test_options_and_metric():
    stored = Dataset.from_dict({"a": SENTENCES["predictions1"], "b": SENTENCES["predictions2"]})
    stored = stored.add_column("gold", SENTENCES["references"])
    result = compare_dataset(
        stored, "b", "a", "gold", "exact_match", alternative="less", method="exact"
    )
    expected = compare(
        SENTENCES["predictions2"],
        SENTENCES["predictions1"],
        SENTENCES["references"],
        "exact_match",
        alternative="less",
    )
    assert result == expected
    assert compare_dataset(stored, "a", "a", "gold").pvalue == 1.0
    for wrong, message in (
        ({"metric": "f2"}, "`metric`"),
        ({"alternative": "both"}, "`alternative`"),
        ({"max_bytes": -1}, "`max_bytes`"),
    ):
        with pytest.raises(InputError, match=message):
            compare_dataset(stored, "a", "b", "gold", **wrong)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int32"])
def test_scores(dtype):
    columns = dict(zip(("a", "b"), SCORES.values(), strict=True))
    if dtype == "int32":
        columns = {name: [round(8 * x) for x in column] for name, column in columns.items()}
    columns = {name: column * 3 for name, column in columns.items()}
    stored = Dataset.from_dict(columns, features=Features(dict.fromkeys("ab", Value(dtype))))
    expected = paired_permutation_test(*columns.values())
    for kind in (stored, stored.to_iterable_dataset()):
        assert compare_dataset(kind, "a", "b", None) == expected
    with pytest.raises(InputError, match="`metric` must be None without `references`"):
        compare_dataset(stored, "a", "b", None, "accuracy")
    with pytest.raises(InputError, match="`label_mapping` needs `references`"):
        compare_dataset(stored, "a", "b", None, label_mapping={})


def test_float32_scores_are_decimals():
    """0.1 as a float32 is no decimal as a double: it must stay in its own precision."""
    stored = Dataset.from_dict(
        {"a": [0.1, 0.3, 0.7], "b": [0.2, 0.1, 0.1]},
        features=Features(dict.fromkeys("ab", Value("float32"))),
    )
    for kind in (stored, stored.to_iterable_dataset()):
        assert compare_dataset(kind, "a", "b", None).score1 == pytest.approx(1.1 / 3, rel=1e-15)


def test_splits():
    splits = {"dev": corpus(30, np.random.default_rng(2)), "test": IDS}
    expected = {split: compare(**columns) for split, columns in splits.items()}
    whole = DatasetDict({split: Dataset.from_dict(columns) for split, columns in splits.items()})
    assert compare_dataset(whole) == expected
    streamed = {split: part.to_iterable_dataset() for split, part in whole.items()}
    assert compare_dataset(datasets.IterableDatasetDict(streamed)) == expected


def test_mapping():
    text = {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}
    columns = {**IDS, "references": named(IDS["references"])}
    columns["predictions1"] = [text[label] for label in IDS["predictions1"]]
    stored = Dataset.from_dict(columns)
    by_number = dict(enumerate(NAMES))
    by_text = {text[i]: name for i, name in by_number.items()}
    labelled = stored.cast_column("references", ClassLabel(names=NAMES))
    plain = labelled.cast_column("references", Value("int64"))
    ids = {name: i for i, name in enumerate(text.values())}
    for kind, mapping in (
        (stored, by_text | by_number),
        (stored, (by_text, by_number)),
        (stored, [by_text, {np.int64(k): v for k, v in by_number.items()}]),
        (labelled, by_text),  # ids need no mapping there
        (labelled, ids),
        (labelled, (ids, None)),
        (plain, {name: np.int64(i) for name, i in ids.items()}),
    ):
        assert compare_dataset(kind, label_mapping=mapping) == EXPECTED


def test_mapped_class_labels():
    """What a mapping says goes before the names, and its keys may be ids or names."""
    stored = Dataset.from_dict({k: named(v) for k, v in IDS.items()})
    stored = stored.cast_column("references", ClassLabel(names=NAMES))
    other = ClassLabel(names=["A", "B", "C"])
    ids = stored.remove_columns("predictions1").add_column("predictions1", IDS["predictions1"])
    ids = ids.cast_column("predictions1", other)
    for mapping in (
        {"A": "neg", "B": "neu", "C": "pos"},
        dict(enumerate(NAMES)),
        {"A": 0, "B": 1, "C": 2},
    ):
        assert compare_dataset(ids, label_mapping=(mapping, None)) == EXPECTED
    with pytest.raises(InputError, match="`predictions1` holds labels that no reference has"):
        compare_dataset(ids)


def test_a_label_that_counts_as_wrong():
    predictions = ["neg", "mixed", "pos", "mixed"]
    columns = {"predictions1": predictions, "predictions2": ["neg"] * 4, "references": [0, 2, 2, 0]}
    stored = Dataset.from_dict(columns).cast_column("references", ClassLabel(names=NAMES))
    result = compare_dataset(stored, label_mapping={"mixed": "mixed"})
    assert (result.score1, result.score2) == (0.5, 0.5)
    with pytest.raises(InputError, match=r"no reference has: 'mixed'\. The references' labels are"):
        compare_dataset(stored)
    with pytest.raises(InputError, match="no reference has: 'mixed'"):  # a slip of the pen
        compare_dataset(stored, label_mapping={"mixed": "neural"})


@pytest.mark.parametrize("labelled", [True, False], ids=["ClassLabel", "plain"])
def test_labels_that_no_reference_has(labelled):
    """The remedy is in the message, and works."""
    text = [f"LABEL_{label}" for label in IDS["predictions1"]]
    stored = Dataset.from_dict({**IDS, "predictions1": text, "predictions2": text})
    feature = ClassLabel(names=NAMES) if labelled else Value("string")
    stored = stored.cast_column("references", ClassLabel(names=NAMES))
    if not labelled:
        stored = stored.remove_columns("references").add_column(
            "references", named(IDS["references"])
        )
    assert stored.features["references"] == feature
    with pytest.raises(
        InputError,
        match=r"`predictions1` holds labels that no reference has: 'LABEL_\d', 'LABEL_\d', "
        r"'LABEL_\d'\. The references' labels are 'neg', 'neu', 'pos'\. Say which are meant: "
        r"label_mapping={'LABEL_\d': 'neg', \.\.\.}",
    ):
        compare_dataset(stored)
    with pytest.raises(InputError, match="no reference has: 'LABEL_2'"):
        compare_dataset(stored, label_mapping={"LABEL_0": "neg", "LABEL_1": "neu", "LABEL_2": 7})


def test_labels_of_another_type():
    stored = Dataset.from_dict({**IDS, "references": named(IDS["references"])})
    with pytest.raises(InputError, match=r"no reference has: \d, \d, \d\. .* are 'neg'"):
        compare_dataset(stored)
    stored = Dataset.from_dict({**IDS, "predictions2": [str(x) for x in IDS["predictions2"]]})
    with pytest.raises(
        InputError, match=r"`predictions2` holds .* '\d', '\d', '\d'.*mapping={'\d'"
    ):
        compare_dataset(stored)


def test_wrong_on_everything_is_no_error():
    columns = {"predictions1": ["a", "a"], "predictions2": ["b", "b"], "references": ["a", "a"]}
    assert compare_dataset(Dataset.from_dict(columns)).pvalue == 0.5
    text = {"predictions1": ["x y", "z"], "predictions2": ["u", "v"], "references": ["a b", "c"]}
    stored = Dataset.from_dict(text)
    assert compare_dataset(stored, metric="exact_match").pvalue == 1.0
    with pytest.raises(InputError, match="no reference has: 'x y', 'z'"):
        compare_dataset(stored)
    text = {name: [[row] for row in column] for name, column in text.items()}
    same = {label: label for label in ("x y", "z", "u", "v")}
    assert compare_dataset(Dataset.from_dict(text), label_mapping=same).pvalue == 1.0


def test_ids_that_a_class_label_has_not():
    """An offset, or a mark for none, is not silently wrong."""
    stored = Dataset.from_dict(IDS).cast_column("references", ClassLabel(names=NAMES))
    shifted = [x + 1 for x in IDS["predictions1"]]
    wrong = stored.remove_columns("predictions1").add_column("predictions1", shifted)
    with pytest.raises(InputError, match=r"`predictions1` holds labels that no reference has: 3\."):
        compare_dataset(wrong)
    none = [-1, *IDS["predictions2"][1:]]
    wrong = stored.remove_columns("predictions2").add_column("predictions2", none)
    with pytest.raises(
        InputError, match=r"`predictions2` holds labels that no reference has: -1\."
    ):
        compare_dataset(wrong)
    result = compare_dataset(wrong, label_mapping={-1: -1})
    assert result == compare(IDS["predictions1"], none, IDS["references"])
    with pytest.raises(InputError, match="no reference has: 'mixed'"):
        compare_dataset(
            stored.remove_columns("predictions2").add_column("predictions2", ["mixed"] * 500),
            label_mapping={"mixed": 3, "neutral": "neutral"},
        )


def test_class_labels_that_number_differently():
    stored = Dataset.from_dict(IDS).cast_column("predictions1", ClassLabel(names=NAMES))
    both = stored.cast_column("predictions2", ClassLabel(names=NAMES))
    assert compare_dataset(both) == EXPECTED
    other = stored.cast_column("predictions2", ClassLabel(names=NAMES[::-1]))
    for kind in (other, other.to_iterable_dataset()):
        with pytest.raises(
            InputError, match="number their names differently, and `references` hol"
        ):
            compare_dataset(kind)


def test_names_that_a_class_label_has_not():
    """A stream's features are what it says, not what it has."""
    rows = [dict.fromkeys(COLUMNS, "neg"), {**dict.fromkeys(COLUMNS, "neg")}]
    rows[1]["references"] = "mixed"
    features = Features(
        {**dict.fromkeys(COLUMNS, Value("string")), "references": ClassLabel(names=NAMES)}
    )
    stream = IterableDataset.from_generator(lambda: iter(rows)).map(lambda x: x, features=features)
    with pytest.raises(
        InputError, match=r"`references`\[1\] is 'mixed', which its ClassLabel of 3"
    ):
        compare_dataset(stream)


def test_mappings_of_plain_labels():
    """A label that is left out is an error, a class that the data lack is not."""
    text = [f"LABEL_{x}" for x in IDS["predictions1"]]
    names = {name: named(column) for name, column in IDS.items()}
    stored = Dataset.from_dict({**names, "predictions1": text})
    mapping = {"LABEL_0": "neg", "LABEL_1": "neu", "LABEL_2": "pos"}
    assert compare_dataset(stored, label_mapping=mapping) == EXPECTED
    with pytest.raises(InputError, match=r"no reference has: 'LABEL_1'\."):
        compare_dataset(stored, label_mapping={"LABEL_0": "neg", "LABEL_2": "pos"})
    slip = {name: name.lower() for name in mapping}
    with pytest.raises(InputError, match=r"no reference has: 'LABEL_0', 'LABEL_1', 'LABEL_2'\."):
        compare_dataset(stored, label_mapping=slip)
    slip = {**mapping, "LABEL_1": "neutral"}
    with pytest.warns(
        UserWarning, match="'LABEL_1', which `label_mapping` takes for 'neutral': no"
    ):
        assert compare_dataset(stored, label_mapping=slip).score1 < EXPECTED.score1
    positive = Dataset.from_dict(
        {name: ["pos"] * 3 for name in COLUMNS} | {"predictions2": text[:3]}
    )
    with pytest.raises(InputError, match="`predictions2` holds labels that no reference has: 'LAB"):
        compare_dataset(positive)


def test_labels_of_other_string_types():
    class Name(str, enum.Enum):
        NEG = "neg"

    stored = Dataset.from_dict(
        {name: ["A", "B"] for name in COLUMNS} | {"references": ["neg", "b"]}
    )
    mapping = {np.str_("A"): Name.NEG, "B": np.str_("b")}
    assert compare_dataset(stored, label_mapping=mapping).score1 == 1.0


def test_large_integers():
    stored = Dataset.from_dict({name: [1, 2] for name in COLUMNS})
    assert compare_dataset(stored, label_mapping=({1: 2**70}, None)).score1 == 0.5


def test_a_batch_without_a_reference():
    """Then a ClassLabel's predictions are names all the same."""
    feature = Sequence(ClassLabel(names=NAMES))
    columns = {
        "predictions1": [[0]] * 15,
        "predictions2": [[1]] * 15,
        "references": [*[[]] * 10, *[["neg"]] * 5],
    }
    stored = Dataset.from_dict(columns)
    for name in tuple(COLUMNS)[:2]:
        stored = stored.cast_column(name, feature)
    stream = IterableDataset.from_generator(lambda: iter(stored))
    stream = stream.map(
        lambda x: x, features=Features({**stored.features, "references": [Value("string")]})
    )
    for kind in (stored, stream):
        result = compare_dataset(kind, metric="exact_match")
        assert (result.score1, result.score2) == (1 / 3, 0.0)


def test_rows_that_were_chosen():
    """Shuffled, filtered, and joined from many parts."""
    stored = Dataset.from_dict({name: named(column) for name, column in IDS.items()})
    chosen = stored.shuffle(seed=5).filter(lambda x: x["references"] != "neu")
    assert chosen._indices is not None
    kept = [i for i, label in enumerate(IDS["references"]) if label != 1]
    expected = compare(*([column[i] for i in kept] for column in IDS.values()))
    assert compare_dataset(chosen) == expected
    parts = datasets.concatenate_datasets(
        [stored.select(range(i, i + 5)) for i in range(0, 500, 5)]
    )
    assert compare_dataset(parts) == EXPECTED
    assert compare_dataset(parts.shuffle(seed=1)) == EXPECTED
    scores = Dataset.from_dict({"a": [0.1, 0.2, 0.3], "b": [0.1, 0.1, 0.4]}).select([2, 0])
    assert compare_dataset(scores, "a", "b", None) == paired_permutation_test(
        [0.3, 0.1], [0.4, 0.1]
    )


def test_long_rows_come_in_small_batches(monkeypatch):
    monkeypatch.setattr(dataset, "_BYTES", 2000)
    stored = Dataset.from_dict({name: [column] * 3 for name, column in IDS.items()})
    n_labels = []
    read = dataset.LabelColumns.read
    monkeypatch.setattr(
        dataset.LabelColumns,
        "read",
        lambda self, columns, start: (
            n_labels.append(len(columns["references"])) or read(self, columns, start)
        ),
    )
    assert compare_dataset(stored).n == 3
    assert n_labels == [1, 1, 1]


def test_many_unknown_labels_are_counted():
    predictions = [f"{i:02}" for i in range(20)]
    stored = Dataset.from_dict(
        {"predictions1": predictions, "predictions2": predictions, "references": [0, 1] * 10}
    ).cast_column("references", ClassLabel(names=["a", "b"]))
    with pytest.raises(InputError, match=r"'07' and 12 more|'0\d' and \d+ more|'06'\. The ref"):
        compare_dataset(stored)


@pytest.mark.parametrize("kind", ["stored", "streamed", "without features"])
@pytest.mark.parametrize("place", [0, 12, 33])
def test_missing_values_are_placed(kind, place):
    labels = ["a", "b"] * 20

    def of(**columns):
        stored = Dataset.from_dict(columns)
        if kind == "streamed":
            return stored.to_iterable_dataset()
        if kind == "without features":
            return IterableDataset.from_generator(lambda: iter(stored))
        return stored

    with_none = [*labels[:place], None, *labels[place + 1 :]]
    sequences = [[label, "c"] for label in labels]
    nested = [*sequences[:place], ["a", None], *sequences[place + 1 :]]
    no_row = [*sequences[:place], None, *sequences[place + 1 :]]
    for good, bad, where in (
        (labels, with_none, rf"\[{place}\]"),
        (sequences, nested, rf"\[{place}\]\[1\]"),
        (sequences, no_row, rf"\[{place}\]"),
    ):
        columns = {"predictions1": good, "predictions2": good, "references": good}
        for name in columns:
            with pytest.raises(InputError, match=rf"`{name}`{where} is missing \(None\)"):
                compare_dataset(of(**columns | {name: bad}))
    scores = [0.5] * 40
    columns = {"predictions1": scores, "predictions2": scores}
    for bad, what in ((None, "is missing"), (np.nan, "is nan"), (1 / 3, "no decimal")):
        column = [*scores[:place], bad, *scores[place + 1 :]]
        with pytest.raises(InputError, match=rf"`predictions2`\[{place}\].*{what}"):
            compare_dataset(of(**columns | {"predictions2": column}), references=None)


def test_hidden_labels_are_placed():
    hidden = Dataset.from_dict({**IDS, "references": [*[0] * 17, *[-1] * 483]})
    hidden = hidden.cast_column("references", ClassLabel(names=NAMES))
    with pytest.raises(
        InputError, match=r"`references`\[17\] is -1, which its ClassLabel of 3 names has not"
    ):
        compare_dataset(hidden)
    tags = [[0, 1], [2]] * 10
    stored = Dataset.from_dict(
        {"predictions1": [*tags[:-1], [3]], "predictions2": tags, "references": tags}
    )
    feature = Sequence(ClassLabel(names=NAMES))
    stored = stored.cast_column("references", feature)
    stored.features["predictions1"] = feature  # what is stored need not be checked
    stored._info.features["predictions1"] = feature
    with pytest.raises(
        InputError, match=r"`predictions1`\[19\]\[0\] is 3, which its ClassLabel of 3"
    ):
        compare_dataset(stored)


def test_lengths_are_placed():
    sequences = [["a", "b"]] * 30
    short = [*sequences[:25], ["a"], *sequences[26:]]
    stored = Dataset.from_dict(
        {"predictions1": sequences, "predictions2": short, "references": sequences}
    )
    with pytest.raises(
        InputError, match=r"`predictions2`\[25\] has 1 labels and `references`\[25\]"
    ):
        compare_dataset(stored)


def test_no_such_column():
    stored = Dataset.from_dict({"a": [1], "b": [2]})
    streamed = IterableDataset.from_generator(lambda: iter(stored))
    for kind in (stored, stored.to_iterable_dataset(), streamed):
        with pytest.raises(
            InputError,
            match=r"`references`: there is no column 'gold'\. The columns are 'a', 'b'\.",
        ):
            compare_dataset(kind, "a", "b", "gold")
    with pytest.raises(InputError, match=r"split 'dev': `predictions2`: there is no column 'z'"):
        compare_dataset({"dev": stored}, "a", "z", "b")
    with pytest.raises(InputError, match=r"`predictions1` must be a column's name, got \[1\]"):
        compare_dataset(stored, [1], "b", "b")


def test_no_rows():
    features = Features(dict.fromkeys(COLUMNS, Value("int64")))
    empty = Dataset.from_dict({name: [] for name in COLUMNS}, features=features)
    for kind in (empty, IterableDataset.from_generator(lambda: iter(()))):
        with pytest.raises(InputError, match=r"^there are no rows: pass a dataset, or a split"):
            compare_dataset(kind)
    with pytest.raises(InputError, match="split 'test': there are no rows"):
        compare_dataset(DatasetDict(dev=Dataset.from_dict(COLUMNS), test=empty))
    with pytest.raises(InputError, match="`dataset` has no splits"):
        compare_dataset(DatasetDict())


@pytest.mark.parametrize("wrong", [COLUMNS["references"], None, "a/dataset", COLUMNS])
def test_no_dataset(wrong):
    with pytest.raises(InputError, match="`dataset` must be a Dataset, an IterableDataset, or"):
        compare_dataset(wrong)


@pytest.mark.parametrize("wrong", ["LABEL_0", [{}], ({}, {}, {}), ({}, "a")])
def test_no_mapping(wrong):
    with pytest.raises(InputError, match="`label_mapping` must be a dict from"):
        compare_dataset(Dataset.from_dict(COLUMNS), label_mapping=wrong)


@pytest.mark.parametrize("wrong", [{"a": None}, {None: "a"}, {"a": 0.5}])
def test_no_labels_in_a_mapping(wrong):
    with pytest.raises(InputError, match="`label_mapping` must map labels to labels"):
        compare_dataset(Dataset.from_dict(COLUMNS), label_mapping=wrong)


def test_a_progress_bar_that_can_be_hidden(capfd):
    stored = Dataset.from_dict(IDS)
    assert not datasets.utils.are_progress_bars_disabled()
    compare_dataset(DatasetDict(test=stored))
    assert "Comparing (test): 100%" in capfd.readouterr().err
    datasets.disable_progress_bars()
    try:
        compare_dataset(stored)
    finally:
        datasets.enable_progress_bars()
    assert capfd.readouterr().err == ""


def test_a_stream_is_read_once_in_small_batches():
    read = []

    def rows():
        for number in range(3000):
            read.append(number)
            yield {name: column[number % 500] for name, column in IDS.items()}

    assert compare_dataset(IterableDataset.from_generator(rows)).n == 3000
    assert read == list(range(3000))
