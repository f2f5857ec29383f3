"""compare_dataset: what it does not take, and where that stands."""

from itertools import product

import numpy as np
import pytest
from datasets import (
    ClassLabel,
    Dataset,
    DatasetDict,
    Features,
    Image,
    IterableDataset,
    Sequence,
    Value,
)

from corpora.labelled import IDS, NAMES
from corpora.small import COLUMNS
from extras import needs
from pairedperm import InputError
from pairedperm.hf import compare_dataset
from properties import one_in, some

pytestmark = pytest.mark.usefixtures("batches")


@one_in(5)
@pytest.mark.parametrize(
    ("kind", "place"),
    some([*product(("stored", "streamed", "without features"), (0, 12, 33))], every=4),
)
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
            compare_dataset(
                of(**columns | {"predictions2": column}), references=None, method="exact"
            )


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
    stored.info.features["predictions1"] = feature
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
            match=r"`references`: there is no column 'gold'\. The columns are 'a', 'b'\. "
            r"For scores, or for runs \(pass_at_k\), give references=None\.",
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


def test_no_dataset_in_a_dict_of_splits():
    splits = {"dev": Dataset.from_dict(COLUMNS), "test": DatasetDict()}
    with pytest.raises(
        InputError, match="'test': `dataset` must be a Dataset or an IterableDataset, g"
    ):
        compare_dataset(splits)


@pytest.mark.parametrize("wrong", ["LABEL_0", [{}], ({}, {}, {}), ({}, "a")])
def test_no_mapping(wrong):
    with pytest.raises(InputError, match="`label_mapping` must be a dict from"):
        compare_dataset(Dataset.from_dict(COLUMNS), label_mapping=wrong)


@pytest.mark.parametrize("wrong", [{"a": None}, {None: "a"}, {"a": 0.5}])
def test_no_labels_in_a_mapping(wrong):
    with pytest.raises(InputError, match="`label_mapping` must map labels to labels"):
        compare_dataset(Dataset.from_dict(COLUMNS), label_mapping=wrong)


@pytest.mark.parametrize("wrong", [np.timedelta64(5, "s"), 10**5000], ids=["span", "large"])
def test_a_mapping_to_what_no_column_holds(wrong):
    with pytest.raises(InputError, match="`label_mapping` must map labels to labels"):
        compare_dataset(Dataset.from_dict(COLUMNS), label_mapping={0: wrong})


@one_in(5)
@pytest.mark.parametrize("metric", ["span_f1", "accuracy", "exact_match"])
def test_columns_of_empty_sequences(metric):
    """Of one column, and of all; the other's labels are none of its own."""
    tags = Features(dict.fromkeys(COLUMNS, Sequence(Value("string"))))
    for one in ([["O"]], [[]]):
        columns = {"predictions1": [[]], "predictions2": one, "references": [[]]}
        stored = Dataset.from_dict(columns, features=tags)
        if metric == "accuracy" or (metric == "span_f1" and one == [["O"]]):
            with pytest.raises(InputError, match=r"has 1 labels and .* has 0|holds no label"):
                compare_dataset(stored, metric=metric)
        else:
            assert compare_dataset(stored, metric=metric).n == 1
    ids = Features(dict.fromkeys(COLUMNS, Sequence(Value("int64"))))
    columns = {"predictions1": [[]], "predictions2": [[]], "references": [[1]]}
    with pytest.raises(InputError, match=r"holds integers|has 0 labels"):
        compare_dataset(Dataset.from_dict(columns, features=ids), metric="span_f1")


@pytest.mark.parametrize("is_list", [False, True])
def test_columns_of_images(is_list):
    needs("PIL", "plot")  # with which datasets writes such a column
    features = Features(dict.fromkeys(COLUMNS, Value("string")))
    features["predictions1"] = Sequence(Image()) if is_list else Image()
    columns = {name: ["a"] for name in COLUMNS} | {"predictions1": [["a"]] if is_list else ["a"]}
    stored = Dataset.from_dict(columns, features=features)
    for kind in (stored, stored.to_iterable_dataset()):
        with pytest.raises(InputError, match="`predictions1`: the column 'predictions1' is of the"):
            compare_dataset(kind)


def test_long_names_are_cut_in_messages():
    names = [letter * 5000 for letter in "abc"]
    stored = Dataset.from_dict({name: ["x"] for name in names})
    for dataset, columns in ((stored, ("x", *names[1:])), ({"s" * 5000: stored}, [names[0], "x"])):
        with pytest.raises(
            InputError, match=r"there is no column 'x'\. The columns are 'aaa"
        ) as error:
            compare_dataset(dataset, *columns)
        assert len(str(error.value)) < 1500
    with pytest.raises(InputError, match=r"got array\(\[1, 2\]\) \(ndarray\)"):
        compare_dataset(stored, *names[:2], None, metric=np.array([1, 2]))


def test_long_labels_are_cut_in_messages():
    columns = {"predictions1": ["a" * 5000], "predictions2": ["b"], "references": ["c"]}
    with pytest.raises(InputError, match=r"labels that no reference has: 'a+…a+'\. The") as error:
        compare_dataset(Dataset.from_dict(columns), label_mapping={"x": "c"})
    assert len(str(error.value)) < 1500
