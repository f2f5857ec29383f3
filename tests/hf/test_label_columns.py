"""compare_dataset: labels by name and by id, ClassLabels and mappings."""

import enum
import tracemalloc

import datasets
import numpy as np
import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, IterableDataset, Sequence, Value

from corpora.labelled import EXPECTED, EXPECTED_OF_SENTENCES, IDS, NAMES, SENTENCES, named
from corpora.small import COLUMNS
from pairedperm import InputError, compare
from pairedperm.hf import compare_dataset
from pairedperm.hf.accumulator import UNCOUNTED_LABELS
from pairedperm.hf.label_columns import LabelColumns, class_label
from pairedperm.inputs import dataset_columns
from pairedperm.scoring.metric import read_metric
from properties import one_in, some

pytestmark = pytest.mark.usefixtures("batches")


@one_in(3)
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
    for stored in some((one, two, three, swapped, ids), every=2):
        assert compare_dataset(stored) == expected
        assert compare_dataset(stored.to_iterable_dataset()) == expected


def test_class_label_of_a_feature():
    feature = ClassLabel(names=NAMES)
    for kind in (feature, [feature], Sequence(feature), datasets.LargeList(feature)):
        assert class_label(kind) is feature
    assert class_label(Value("int64")) is class_label([Value("int64")]) is class_label(None) is None


@one_in(2)
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
    with pytest.raises(InputError):
        compare_dataset(ids)


def test_a_label_that_counts_as_wrong():
    predictions = ["neg", "mixed", "pos", "mixed"]
    columns = {"predictions1": predictions, "predictions2": ["neg"] * 4, "references": [0, 2, 2, 0]}
    stored = Dataset.from_dict(columns).cast_column("references", ClassLabel(names=NAMES))
    result = compare_dataset(stored, label_mapping={"mixed": "mixed"})
    assert (result.score1, result.score2) == (0.5, 0.5)


def test_wrong_on_everything_is_no_error():
    columns = {"predictions1": ["a", "a"], "predictions2": ["b", "b"], "references": ["a", "a"]}
    assert compare_dataset(Dataset.from_dict(columns)).pvalue == 0.5
    text = {"predictions1": ["x y", "z"], "predictions2": ["u", "v"], "references": ["a b", "c"]}
    stored = Dataset.from_dict(text)
    assert compare_dataset(stored, metric="exact_match").pvalue == 1.0
    text = {name: [[row] for row in column] for name, column in text.items()}
    same = {label: label for label in ("x y", "z", "u", "v")}
    assert compare_dataset(Dataset.from_dict(text), label_mapping=same).pvalue == 1.0


def test_ids_that_a_class_label_has_not():
    """A mark for none is not silently wrong."""
    stored = Dataset.from_dict(IDS).cast_column("references", ClassLabel(names=NAMES))
    none = [-1, *IDS["predictions2"][1:]]
    wrong = stored.remove_columns("predictions2").add_column("predictions2", none)
    result = compare_dataset(wrong, label_mapping={-1: -1})
    assert result == compare(IDS["predictions1"], none, IDS["references"])


def test_names_where_ids_were_said():
    """A stream's features are what it says, not what it has."""
    text, label = Value("string"), ClassLabel(names=NAMES)
    features = {"predictions1": text, "predictions2": text, "references": label}
    columns = {"predictions1": ["neg"] * 2, "predictions2": ["neg"] * 2}
    labels = LabelColumns(features, ({}, {}), read_metric("accuracy"))
    found = labels.read({**columns, "references": ["neg", "pos"]}, 0)
    read = [found[name] for name in ("predictions1", "predictions2", "references")]
    assert read_metric("accuracy").rows(*read).sums == ([1], [1])


def test_mappings_of_plain_labels():
    """A class that the data lack is no error."""
    text = [f"LABEL_{x}" for x in IDS["predictions1"]]
    names = {name: named(column) for name, column in IDS.items()}
    stored = Dataset.from_dict({**names, "predictions1": text})
    mapping = {"LABEL_0": "neg", "LABEL_1": "neu", "LABEL_2": "pos"}
    assert compare_dataset(stored, label_mapping=mapping) == EXPECTED
    slip = {**mapping, "LABEL_1": "neutral"}
    with pytest.warns(UserWarning, match="'LABEL_1', which `label_mapping` maps to 'neutral': no"):
        assert compare_dataset(stored, label_mapping=slip).score1 < EXPECTED.score1


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
    with pytest.warns(UserWarning, match=f"`predictions1` has 1, which .* maps to {2**70}: no"):
        assert compare_dataset(stored, label_mapping=({1: 2**70}, None)).score1 == 0.5


def test_numbers_that_no_reference_has():
    """What messages say of labels that no reference has works."""
    columns = {"predictions1": [7, 7, 7], "predictions2": [0, 1, 1], "references": [0, 1, 1]}
    stored = Dataset.from_dict(columns)
    assert compare_dataset(stored, label_mapping={7: 7}).score1 == 0.0
    text = Dataset.from_dict({**columns, "predictions1": ["a", "b", "?"]})
    mapping = ({"a": 0, "b": 1, "?": "?"}, None)
    assert compare_dataset(text, label_mapping=mapping).score1 == 2 / 3


def test_what_a_mapping_says_is_known_to_be_so():
    """Also of labels that are counted in several batches, none of which is right."""
    n = 3 * UNCOUNTED_LABELS
    columns = {
        "predictions1": ["7"] * n,
        "predictions2": ["x"] * n,
        "references": [0, 2] * (n // 2),
    }
    stored = Dataset.from_dict(columns).cast_column("references", ClassLabel(names=NAMES))
    result = compare_dataset(stored, label_mapping=({"7": "7"}, {"x": "neu"}))
    assert (result.score1, result.score2) == (0.0, 0.0)


def test_a_class_of_its_own():
    names = {name: named(column) for name, column in IDS.items()}
    upper = [name.upper() if name == "pos" else name for name in names["predictions1"]]
    stored = Dataset.from_dict({**names, "predictions1": upper})
    assert compare_dataset(stored).score1 < EXPECTED.score1  # a class of its own, perhaps


def test_warnings_come_once_and_say_where():
    stored = Dataset.from_dict({name: [f"c{i}" for i in range(50)] for name in COLUMNS})
    splits = DatasetDict(one=stored, two=stored)
    mapping = {f"c{i}": f"d{i}" for i in range(20)}
    with pytest.warns(UserWarning, match=r"'c0', .* and 12 more, which") as found:
        compare_dataset(splits, label_mapping=mapping)
    assert len(found) == 2  # systems
    assert {warning.filename for warning in found} == {__file__}


@pytest.mark.thorough
def test_memory_does_not_grow_with_free_text(monkeypatch):
    monkeypatch.setattr(dataset_columns, "STREAMED_ROWS", 256)

    def peak(n):
        def rows():
            for i in range(n):
                yield dict.fromkeys(COLUMNS, f"{i:08}" + "x" * 500)

        stream = IterableDataset.from_generator(rows)
        tracemalloc.start()
        compare_dataset(stream, metric="exact_match")
        _, found = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return found

    peak(100)
    assert peak(24_000) < 1.5 * peak(12_000)


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
