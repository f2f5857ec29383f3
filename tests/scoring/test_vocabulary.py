"""Labels that cannot be meant: refused; or that may not be: a warning. Judged of the whole."""

import warnings

import numpy as np
import pytest

import doors
from doors import NAMES, in_batches, in_one, of_dataset
from pairedperm import InputError, compare
from pairedperm.hf.accumulator import LabelAccumulator
from pairedperm.scoring.metric import read_metric
from pairedperm.scoring.vocabulary import FREE_TEXT, LabelsToCheck, to_check_in_all

REFS = ["pos", "neg", "neg", "pos"]
TAGS = [["B-PER", "I-PER", "O"], ["O", "B-LOC", "O"]]


@pytest.fixture(params=[in_one, in_batches, of_dataset])
def door(request):
    return request.param


@pytest.fixture(params=[in_one, in_batches])
def warning_door(request):
    """Datasets refuse what these warn of."""
    return request.param


# Systems of whose labels no reference has any


@pytest.mark.parametrize(
    ("labels", "has", "mapping"),
    [
        (["LABEL_1", "LABEL_0"] * 2, "'LABEL_0', 'LABEL_1'", "{'LABEL_0': ..., 'LABEL_1': ...}"),
        (["Pos", "Neg"] * 2, "'Neg', 'Pos'", "{'Neg': 'neg', 'Pos': 'pos'}"),
        (["pos\n", " neg"] * 2, r"' neg', 'pos\n'", r"{' neg': 'neg', 'pos\n': 'pos'}"),
        (["Pos", "good"] * 2, "'Pos', 'good'", "{'Pos': 'pos', 'good': ...}"),
    ],
)
def test_no_label_of_the_references(warning_door, labels, has, mapping):
    with pytest.warns(UserWarning, match="has only labels that no reference has") as found:
        result = warning_door(REFS, labels, REFS)
    assert (result.score1, result.score2) == (1.0, 0.0)
    assert [str(warning.message) for warning in found] == [
        f"`predictions2` has only labels that no reference has: {has}. The references' labels are "
        f"'neg', 'pos'. If these mean the same, map them: [{mapping}[x] for x in predictions2]."
    ]
    assert found[0].filename == doors.__file__


@pytest.mark.parametrize(
    ("column", "right", "options"),
    [
        (["Pos", "neg "], ["pos", "neg"], {}),
        ([["N", "V"], ["V"]], [["n", "v"], ["v"]], {}),
        (
            [["N", "V"], ["V"]],
            [{"n", "v"}, {"v"}],
            {"metric": "f1", "average": "micro", "multilabel": True},
        ),
    ],
    ids=["labels", "sequences", "sets"],
)
def test_the_mapping_that_a_warning_names_works(column, right, options):
    with pytest.warns(UserWarning, match="has only labels that no reference has") as found:
        compare(column, right, right, **options)
    source = str(found[0].message).partition("map them: ")[2].removesuffix(".")
    mapped = eval(source, {"predictions1": column})
    assert mapped == right
    assert compare(mapped, right, right, **options).score1 == 1.0


def test_both_systems_without_a_label_of_the_references(warning_door):
    with pytest.warns(UserWarning, match="has only labels that no reference has") as found:
        warning_door(["a", "b"] * 9, ["c", "d"] * 9, ["e", "f"] * 9, metric="f1", average="macro")
    assert [str(w.message)[:14] for w in found] == ["`predictions1`", "`predictions2`"]


def test_integers_that_no_reference_has(warning_door):
    with pytest.warns(
        UserWarning, match="no reference has: 7, 8. The references' labels are 0, 1, 2"
    ):
        warning_door([7, 8, 7], [0, 1, 2], [0, 1, 2])


def test_many_labels_are_cut_in_warnings():
    labels = [f"x{k:03}" for k in range(20)]
    with pytest.warns(UserWarning, match=r"'x007' and 12 more. The .* 'x007': \.\.\., \.\.\.}\["):
        compare(labels, REFS * 5, REFS * 5)


def test_types_of_entities_that_no_reference_has():
    found = [[tag.replace("PER", "PERSON").replace("LOC", "PLACE") for tag in row] for row in TAGS]
    message = "has: 'PERSON', 'PLACE'. The .* are 'LOC', 'PER'. .* rename them in one of the col"
    for door in (in_one, in_batches, of_dataset):
        with pytest.warns(UserWarning, match=message):
            door(found, TAGS, TAGS, metric="span_f1")


def test_sets_without_a_label_of_the_references(warning_door):
    options = {"metric": "f1", "average": "micro", "multilabel": True}
    with pytest.warns(UserWarning, match="`predictions1` has only labels .* 'x', 'y'. The ref"):
        warning_door([["x"], ["y"]], [["a"], []], [["a", "b"], ["b"]], **options)


@pytest.mark.parametrize(
    "columns",
    [
        ([1, 1], [0, 1], [0, 0]),
        ([2, 2], [0, 0], [0, 0]),
        (["neg", "neg"], ["pos", "neg"], ["pos", "pos"]),
        ([[], []], [["a"], ["a"]], [["a"], ["a"]]),
    ],
    ids=["binary", "integers of one class", "one class", "nothing predicted"],
)
def test_a_system_may_be_wrong_on_everything(door, columns):
    is_sets = isinstance(columns[0][0], list)
    options = {"metric": "f1", "average": "micro", "multilabel": True} if is_sets else {}
    assert door(*columns, **options).score1 == 0.0


@pytest.mark.parametrize("label", ["LABEL_1", "POS"])
def test_one_class_with_labels_that_are_odd(warning_door, label):
    columns = [label] * 3, ["pos"] * 3, ["pos"] * 3
    with pytest.warns(UserWarning, match=f"only labels .* has: '{label}'. The .* are 'pos'"):
        warning_door(*columns)
    same = {label: label}  # wrong on purpose
    assert of_dataset(*columns, label_mapping=same).score1 == 0.0


def test_free_text_is_no_label(door):
    texts = ["a cat", "a dog"], ["two cats", "no dog"], ["the cat", "the dog"]
    assert door(*texts, metric="exact_match").score1 == 0.0


def test_very_many_labels_are_free_text(warning_door):
    several = [[f"{name}{k}" for k in range(FREE_TEXT)] for name in NAMES]
    size = {"size": 1000} if warning_door is in_batches else {}
    assert warning_door(*several, **size).score1 == 0.0


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_a_match_in_any_batch_will_do(size):
    predictions, references = ["x", "x", "x", "x", "b"], ["a", "b", "a", "b", "b"]
    assert in_batches(predictions, references, references, size=size).score1 == 0.2


# Labels that a metric selects


def test_pos_label_beside_a_single_class(door):
    with pytest.warns(UserWarning, match="`pos_label`: 'pos' occurs neither"):
        assert door(["neg"] * 3, ["neg"] * 3, ["neg"] * 3, metric="f1", pos_label="pos").score1 == 0


def test_some_labels_that_do_not_occur(door):
    options = {"metric": "f1", "average": "micro", "labels": ["neg", "neutral", 3]}
    with pytest.warns(UserWarning, match="`labels`: 'neutral', 3 occurs neither") as found:
        assert door(REFS, REFS, REFS, **options).score1 == 1.0
    assert len(found) == 1


@pytest.mark.parametrize("size", [1, 2, 3])
def test_selected_labels_are_judged_of_the_whole(size):
    columns = [["a", "a", "a", "a", "b", "a"]] * 3
    result = in_batches(*columns, metric="f1", pos_label="b", size=size)
    assert result == compare(*columns, "f1", pos_label="b")
    stream = LabelAccumulator(read_metric("f1", pos_label="z"))
    stream.add(dict(zip(NAMES, columns, strict=True)))
    with pytest.raises(InputError, match="'z' occurs neither"):
        stream.test({}, None)
    assert len(stream) == 6


def test_a_label_among_very_many(warning_door):
    labels = [f"x{k}" for k in range(FREE_TEXT + 10)]
    last = {"metric": "recall", "pos_label": labels[-1]}
    assert warning_door(labels, labels, labels, **last, **_size(warning_door)).score1 == 1.0


def _size(door):
    return {"size": 1000} if door is in_batches else {}


def test_many_selected_labels_are_looked_for_together():
    labels = [f"x{k}" for k in range(2000)]
    chosen = [*labels, *(f"y{k}" for k in range(2000))]
    with pytest.warns(UserWarning, match="`labels`: 'y0', 'y1', .* and 1,992 more occurs neither"):
        result = compare(*[labels * 5] * 3, "f1", average="micro", labels=chosen)
    assert result.score1 == 1.0


def test_nothing_occurs(door):
    empty = [[[], []]] * 3
    options = {"metric": "f1", "average": "micro", "labels": ["a"]}
    with pytest.warns(UserWarning, match="`labels`: 'a' occurs neither"):
        door(*empty, **options)


# Sets that look like rows of an indicator matrix


MICRO = {"metric": "f1", "average": "micro", "multilabel": True}


def test_two_columns_of_indicators(door):
    """Read as sets each is {0, 1}, so that both systems would be perfect."""
    columns = [[0, 1], [1, 0]], [[0, 1], [0, 1]], [[1, 0], [1, 0]]
    with pytest.raises(InputError, match="look like rows of an indicator matrix"):
        door(*columns, **MICRO)
    sets = [[np.flatnonzero(row).tolist() for row in column] for column in columns]
    assert door(*sets, **MICRO).score1 == 0.5


@pytest.mark.parametrize(
    "columns",
    [
        ([[0, 1], [0, 1]], [[0, 1], [0, 1]], [[0, 1], [0, 1]]),
        ([[1, 0], [0]], [[0, 1], [0, 1]], [[1, 0], [1]]),
        ([[1, 0], [2, 0]], [[0, 1], [0, 1]], [[1, 0], [1, 0]]),
    ],
    ids=["sets that ascend", "of other sizes", "of other labels"],
)
def test_sets_of_0_and_1(door, columns):
    sets = [[set(row) for row in column] for column in columns]
    assert door(*columns, **MICRO) == compare(*sets, **MICRO)


def test_sets_of_both_labels_are_no_indicators():
    both = [{1, 0}, {0, 1}]
    assert compare(both, both, both, **MICRO).score1 == 1.0


# Parts


def test_parts_together():
    some = LabelsToCheck(
        frozenset("xy"), (frozenset("a"), frozenset("b"), frozenset("c")), "", 2, True
    )
    other = LabelsToCheck(frozenset("xz"), (frozenset("d"), frozenset("b"), frozenset()), "", 2)
    labels = frozenset("ad"), frozenset("b"), frozenset("c")
    whole = LabelsToCheck(frozenset("x"), labels, "", 2, True)
    assert to_check_in_all([some, other]) == to_check_in_all([other, some]) == whole
    assert not to_check_in_all([other, other]).has_descending
    assert to_check_in_all([some, LabelsToCheck(*other[:2])]).one_hot == 0
    assert to_check_in_all([some, other._replace(one_hot=3)]).one_hot == 0
    assert to_check_in_all([some, None]) is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert to_check_in_all([None, None]) is None
