"""Labels that may not be meant: a warning, judged of the whole; and what is no label."""

import re
import warnings
from functools import partial

import pytest

import doors
from doors import in_batches, in_one, of_dataset
from pairedperm import compare
from pairedperm.scoring.vocabulary import FREE_TEXT

REFS = ["pos", "neg", "neg", "pos"]
TAGS = [["B-PER", "I-PER", "O"], ["O", "B-LOC", "O"]]
OTHER_TAGS = [["B-PERSON", "I-PERSON", "O"], ["O", "B-PLACE", "O"]]
MICRO = {"metric": "f1", "average": "micro"}
SETS = {**MICRO, "multilabel": True}
MANY = [f"x{k}" for k in range(2000)]
MORE = [f"y{k}" for k in range(2000)]
NONE = "has only labels that no reference has: "


PREDICTED = [["x"], ["y"]], [["a"], []], [["a", "b"], ["b"]]
NUMBERS = [f"x{k:03}" for k in range(20)]
WARNED = [  # what a call warns of
    ((["LABEL_1", "LABEL_0"] * 2, REFS, REFS), {}, "[{'LABEL_0': ..., 'LABEL_1': ...}[x]"),
    ((["Pos", "Neg"] * 2, REFS, REFS), {}, "map them: [{'Neg': 'neg', 'Pos': 'pos'}[x] for x in"),
    ((["Pos", "good"] * 2, REFS, REFS), {}, "[{'Pos': 'pos', 'good': ...}[x] for x in"),
    (([7, 8], [0, 1], [0, 1]), {}, NONE + "7, 8. The references' labels are 0,"),
    ((NUMBERS, REFS * 5, REFS * 5), {}, "'x007' and 12 more. The"),
    ((OTHER_TAGS, TAGS, TAGS), {"metric": "span_f1"}, "are 'LOC', 'PER'. If these mean"),
    (PREDICTED, SETS, NONE + "'x', 'y'. The ref"),
    (([*"nnn"],) * 3, {"metric": "f1", "pos_label": "p"}, "`pos_label`: 'p' occurs neither"),
    ((REFS,) * 3, {**MICRO, "labels": ["neg", "neutral", 3]}, "`labels`: 'neutral', 3 occurs"),
    ((MANY,) * 3, {**MICRO, "labels": [*MANY, *MORE]}, "`labels`: 'y0', 'y1', "),
]


@pytest.mark.parametrize("door", [in_one, in_batches])
@pytest.mark.parametrize(("columns", "options", "said"), WARNED)
def test_warnings(columns, options, said, door):
    size = {"size": len(columns[0]) // 3 + 1} if door is in_batches else {}
    with pytest.warns(UserWarning, match=re.escape(said)) as found:
        result = door(*columns, **options, **size)
    assert len(found) == 1
    assert found[0].filename == doors.__file__
    assert result.score1 == float("labels" in options)


@pytest.mark.parametrize(
    ("column", "right", "options"),
    [
        (["Pos", "neg "], ["pos", "neg"], {}),
        ([["N", "V"], ["V"]], [["n", "v"], ["v"]], {}),
        ([["N", "V"], ["V"]], [{"n", "v"}, {"v"}], SETS),
    ],
    ids=["labels", "sequences", "sets"],
)
def test_the_mapping_that_a_warning_names_works(column, right, options):
    with pytest.warns(UserWarning, match=NONE) as found:
        compare(column, right, right, **options)
    source = str(found[0].message).partition("map them: ")[2].removesuffix(".")
    mapped = eval(source, {"predictions1": column})
    assert mapped == right
    assert compare(mapped, right, right, **options).score1 == 1.0


FREE = [[f"{name}{k}" for k in range(FREE_TEXT)] for name in "abc"]
MEANT = {  # nothing is said
    "binary": (([1, 1], [0, 1], [0, 0]), {}),
    "one class": ((["neg", "neg"], ["pos", "neg"], ["pos", "pos"]), {}),
    "nothing predicted": (([[], []], [["a"], ["a"]], [["a"], ["a"]]), SETS),
    "free text": ((["a cat"], ["two cats"], ["the cat"]), {"metric": "exact_match"}),
    "very many labels": (FREE, {}),
    "sets that ascend": (([[0, 1]] * 2, [[0, 1]] * 2, [[0, 1]] * 2), SETS),
    "sets of other sizes": (([[1, 0], [0]], [[0, 1], [0, 1]], [[1, 0], [1]]), SETS),
    "sets of other labels": (([[1, 0], [2, 0]], [[0, 1], [0, 1]], [[1, 0], [1, 0]]), SETS),
}


@pytest.mark.parametrize("door", [in_one, partial(in_batches, size=1000), of_dataset])
@pytest.mark.parametrize("name", MEANT)
def test_a_system_may_be_wrong_on_everything(name, door):
    columns, options = MEANT[name]
    sets = [[set(x) for x in column] for column in columns] if "multilabel" in options else columns
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert door(*columns, **options) == compare(*sets, **options)


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_a_match_in_any_batch_will_do(size):
    predictions, references = ["x", "x", "x", "x", "b"], ["a", "b", "a", "b", "b"]
    assert in_batches(predictions, references, references, size=size).score1 == 0.2
    columns = [["a", "a", "a", "a", "b", "a"]] * 3
    chosen = {"metric": "f1", "pos_label": "b"}
    assert in_batches(*columns, size=size, **chosen) == compare(*columns, **chosen)
