"""compare_dataset: labels by name and by id, ClassLabels and mappings."""

import enum
import tracemalloc

import datasets
import numpy as np
import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, IterableDataset, Sequence, Value

from corpora.small import COLUMNS
from pairedperm import compare
from pairedperm.hf import compare_dataset, dataset_columns
from pairedperm.hf.dataset import class_label
from properties import one_in

NAMES = ["lo", "mid", "hi"]  # no order of the alphabet
NUMBERED = [f"LABEL_{x}" for x in range(3)]
NAMED = ClassLabel(names=NAMES)
IDS = np.random.default_rng(1).integers(0, 3, (3, 40)).tolist()
FORMS = {  # how a column holds its labels: what stands for each name, and the type
    "words": (NAMES, Value("string")),
    "ids": (range(3), Value("int64")),
    "numbered": (NUMBERED, Value("string")),
    "named": (range(3), NAMED),
    "turned": ([2, 1, 0], ClassLabel(names=[*NAMES[::-1], "other"])),
    "lettered": (range(3), ClassLabel(names=[*"ABC"])),
}
BY_TEXT = dict(zip(NUMBERED, NAMES, strict=True))
BY_ID = dict(enumerate(NAMES))
TO_ID = {name: np.int64(k) for k, name in enumerate(NUMBERED)}
KAPPA = {"metric": "cohen_kappa", "weights": "quadratic"}


def dataset_of(forms, nested=False):
    columns, features = {}, {}
    for name, form, ids in zip(COLUMNS, forms, IDS, strict=True):
        labels, kind = FORMS[form]
        column = [labels[x] for x in ids]
        columns[name] = rows_of(column) if nested else column
        features[name] = Sequence(kind) if nested else kind
    return Dataset.from_dict(columns, features=Features(features))


def rows_of(column):
    return [column[k : k + k % 4] for k in range(0, 37, 3)]


WORDS = [[NAMES[x] for x in ids] for ids in IDS]
EXPECTED = {False: compare(*WORDS), True: compare(*map(rows_of, WORDS))}


@one_in(7)
@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize(
    ("one", "two", "right", "mapping"),
    [
        # Names or ids, numbered alike or not.
        ("turned", "words", "named", None),
        ("turned", "ids", "named", None),
        # Mappings go before names; what they name may be ids.
        ("numbered", "ids", "words", BY_TEXT | BY_ID),
        ("numbered", "ids", "words", [BY_TEXT, {np.int64(k): v for k, v in BY_ID.items()}]),
        ("numbered", "ids", "named", (TO_ID, None)),
        ("numbered", "ids", "ids", TO_ID),
        ("lettered", "words", "named", (dict(zip("ABC", NAMES, strict=True)), None)),
        ("lettered", "words", "named", (dict(zip("ABC", range(3), strict=True)), {})),
    ],
)
def test_forms_of_labels(one, two, right, mapping, nested, batches):
    stored = dataset_of((one, two, right), nested)
    for kind in (stored, stored.to_iterable_dataset()):
        assert compare_dataset(kind, label_mapping=mapping) == EXPECTED[nested]


@pytest.mark.parametrize(
    ("given", "by_name"),
    [
        ({"metric": "f1", "pos_label": np.int64(2)}, {"pos_label": "hi"}),
        ({"metric": "f1", "average": "micro", "labels": range(2)}, {"labels": ["lo", "mid"]}),
        ({"metric": "balanced_accuracy"}, {}),
        (KAPPA, {"labels": NAMES}),
        (KAPPA | {"labels": ["mid", 0, np.int64(2)]}, {"labels": ["mid", "lo", "hi"]}),
    ],
)
def test_options_are_names_or_ids(given, by_name):
    stored = dataset_of(["named"] * 3)
    assert compare_dataset(stored, **given) == compare(*WORDS, **given | by_name)


def test_names_that_options_have_by_themselves():
    """The second of two names counts; that of no row is warned of; tags name their entities."""
    columns = {name: [x > 0 for x in ids] for name, ids in zip(COLUMNS, IDS, strict=True)}
    stored = Dataset.from_dict(columns).cast_column("references", ClassLabel(names=["-", "+"]))
    found = compare_dataset(stored, metric="f1")
    assert found.pvalue == compare(**columns, metric="f1").pvalue
    assert found.metric_options == {"pos_label": "+"}
    with pytest.warns(UserWarning, match="`labels`: 'other' occurs neither"):
        compare_dataset(dataset_of(["turned"] * 3), metric="recall", average="macro", labels=[0, 3])
    tags = ["O", "B-PER", "I-PER"]
    spelled = [rows_of([tags[x] for x in ids]) for ids in IDS]
    columns = {name: rows_of(ids) for name, ids in zip(COLUMNS, IDS, strict=True)}
    kinds = Features(dict.fromkeys(columns, Sequence(ClassLabel(names=tags))))
    stored = Dataset.from_dict(columns, features=kinds)
    expected = compare(*spelled, "span_precision", labels=["PER"])
    assert compare_dataset(stored, metric="span_precision", labels=["PER"]) == expected


XY, YX = ClassLabel(names=["x", "y"]), ClassLabel(names=["y", "x"])
TOP = {"metric": "top_k_accuracy", "k": 1}
RANKED = [["x", "y"]], [["y", "x"]], ["x"]
ORDER = {"metric": "cohen_kappa", "weights": "linear", "labels": ["odd", *NAMES]}
WITH_ODD = [["lo", "odd", "hi"], NAMES, NAMES]


@pytest.mark.parametrize(
    ("columns", "kinds", "options", "expected"),
    [
        (([[1, 0]], [[0, 1]], [0]), (Sequence(YX), Sequence(YX), XY), TOP, RANKED),
        ((*RANKED[:2], [0]), (Sequence(Value("string")),) * 2 + (XY,), TOP, RANKED),
        (([[0, 1]], [[1, 0]], [0]), (Sequence(Value("int64")),) * 2 + (XY,), TOP, RANKED),
        (([[1, 0]], [[0, 1]], ["x"]), (Sequence(YX),) * 2 + (Value("string"),), TOP, RANKED),
        (
            *(([0, 1], [0, 0], ["x", "y"]), (XY, YX, Value("string"))),
            *({"metric": "word_error_rate"}, [["x", "y"], ["y", "y"], ["x", "y"]]),
        ),
        (
            *((*WITH_ODD[:2], [0, 1, 2]), (Value("string"), Value("string"), NAMED)),
            *(ORDER | {"label_mapping": {"odd": "odd"}}, WITH_ODD),
        ),
    ],
)
def test_ranks_texts_and_orders(columns, kinds, options, expected):
    """Labels of such metrics are compared by name too; one beside an order has its place."""
    of_columns = Features(dict(zip(COLUMNS, kinds, strict=True)))
    stored = Dataset.from_dict(dict(zip(COLUMNS, columns, strict=True)), features=of_columns)
    asked = {name: x for name, x in options.items() if name != "label_mapping"}
    for kind in (stored, stored.to_iterable_dataset()):
        assert compare_dataset(kind, **options) == compare(*expected, **asked)


class Name(str, enum.Enum):
    LO = "lo"


@pytest.mark.parametrize(
    ("one", "right", "mapping", "score"),
    [
        (["lo", "mixed", "hi", "mixed"], ["lo", "hi", "hi", "lo"], {"mixed": "mixed"}, 0.5),
        ([0, -1, 2, 1], [0, 1, 2, 1], {-1: -1}, 0.75),  # a mark for none is not silently wrong
        (["a", "b", "?"], [0, 1, 1], {"a": 0, "b": 1, "?": "?"}, 2 / 3),
        (["a", "a", "A"], ["a", "b", "a"], None, 1 / 3),  # a class of its own, perhaps
        ([["x y"], ["z"]], [["a b"], ["c"]], {"x y": "x y", "z": "z"}, 0.0),
        (["A", "B"], ["lo", "b"], {np.str_("A"): Name.LO, "B": np.str_("b")}, 1.0),
        (["7"] * 60, [0, 2] * 30, {"7": "7"}, 0.0),  # in several batches
    ],
)  # fmt: skip
def test_labels_that_count_as_wrong(one, right, mapping, score, batches):
    """Also if a system is wrong on everything: what is known to be so is no error."""
    stored = Dataset.from_dict(dict(zip(COLUMNS, (one, right, right), strict=True)))
    for kind in (stored, stored.cast_column("references", NAMED)) if 2 in right else (stored,):
        result = compare_dataset(kind, label_mapping=(mapping, None))
        assert (result.score1, result.score2) == (score, 1.0)


def test_class_label_of_a_feature():
    for kind in (NAMED, [NAMED], Sequence(NAMED), datasets.LargeList(NAMED)):
        assert class_label(kind) is NAMED


def test_warnings_of_mappings():
    """A class that the data lack is no error; each system is warned of once, and where."""
    stored = dataset_of(("numbered", "words", "words"))
    with pytest.warns(UserWarning, match="'LABEL_1', which `label_mapping` maps to 'neutral': no"):
        found = compare_dataset(stored, label_mapping=BY_TEXT | {"LABEL_1": "neutral"})
    assert found.score1 < EXPECTED[False].score1
    many = Dataset.from_dict({name: [f"c{i}" for i in range(50)] for name in COLUMNS})
    mapping = {f"c{i}": f"d{i}" for i in range(20)}
    with pytest.warns(UserWarning, match=r"'c0', .* and 12 more, which") as found:
        compare_dataset(DatasetDict(one=many, two=many), label_mapping=mapping)
    assert [x.filename for x in found] == [__file__] * 2


def test_a_batch_without_a_reference(batches):
    """Then a ClassLabel's predictions are names all the same."""
    columns = [[0]] * 15, [[1]] * 15, [*[[]] * 10, *[["lo"]] * 5]
    kinds = Features(dict.fromkeys(COLUMNS, Sequence(NAMED)) | {"references": [Value("string")]})
    stored = Dataset.from_dict(dict(zip(COLUMNS, columns, strict=True)), features=kinds)
    for kind in (stored, stored.to_iterable_dataset()):
        result = compare_dataset(kind, metric="exact_match")
        assert (result.score1, result.score2) == (1 / 3, 0.0)


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
