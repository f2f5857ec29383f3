"""What `compare_dataset` refuses, and where that stands: rows are counted across batches."""

from unittest import mock

from datasets import (
    ClassLabel,
    Dataset,
    DatasetDict,
    Features,
    IterableDataset,
    Sequence,
    Value,
)

from corpora.small import COLUMNS, SCORES
from pairedperm.hf import compare_dataset, dataset_columns
from refusals import refuses

INTEGER = Value("int64")
NAMED = ClassLabel(names=["neg", "neu", "pos"])
OTHER = ClassLabel(names=["pos", "neu", "neg"])
TAGS = ["O", "B-PER", "I-PER"]
WORDS = ["neg", "neu", "pos"] * 3
IDS = [0, 1, 2] * 3
NUMBERED = [f"LABEL_{x}" for x in IDS]
LABELS = Dataset.from_dict(COLUMNS)
OF_SCORES = Dataset.from_dict(SCORES)
TEXTS = Dataset.from_dict({name: ["x"] for name in COLUMNS})
NOTHING = Features(dict.fromkeys(COLUMNS, INTEGER))
EMPTY = Dataset.from_dict({name: [] for name in COLUMNS}, features=NOTHING)
KAPPA = {"metric": "cohen_kappa", "weights": "linear"}
TOP = {"metric": "top_k_accuracy", "k": 1}


def rows(one, two=None, right=None, **features):
    """Of predictions and references; those of system 2 are those of system 1 if not given."""
    given = dict(zip(COLUMNS, (one, one if two is None else two, right), strict=True))
    data = Dataset.from_dict({name: x for name, x in given.items() if x is not None})
    for name, feature in features.items():
        data = data.cast_column(name, feature)
    return data


def labelled(one, two=None, right=IDS, **features):
    return rows(one, two, right, references=NAMED, **features)


def comparing(data, *names, **options):
    """In batches of seven rows."""
    with mock.patch.multiple(dataset_columns, STORED_ROWS=7, STREAMED_ROWS=7):
        return compare_dataset(data, *names, **options)


def mapping(data, *mappings, **options):
    given = mappings if len(mappings) > 1 else mappings[0]
    return comparing(data, label_mapping=given, **options)


def outside():
    """A column of sequences with an id that its ClassLabel has not, which nobody checked."""
    column = [[0, 1]] * 8
    data = rows([*column, [2, 3]], [*column, [2, 2]], [*column, [2, 2]])
    for features in (data.features, data.info.features):
        features["predictions1"] = Sequence(NAMED)
    return data


@refuses
def test_refusals():
    # Datasets and columns
    comparing(None)
    # -> `dataset` must be a Dataset, an IterableDataset, or … got None (NoneType). …
    #    Dataset.from_dict and Dataset.from_pandas make one; for columns there is pairedperm.
    comparing({"dev": LABELS, "test": DatasetDict()})
    # -> split 'test': `dataset` must be a Dataset, an IterableDataset, or
    comparing(DatasetDict())
    # -> `dataset` has no splits
    comparing(EMPTY)
    # -> there are no rows: pass a dataset, or a split
    comparing(IterableDataset.from_generator(lambda: iter(())))
    # -> there are no rows: pass a dataset, or a split
    comparing(OF_SCORES, *SCORES, "gold")
    # -> `references` … there is no column 'gold'. The columns are 'predictions1', 'predictions2' …
    #    For scores, or for runs (pass_at_k), give references=None.
    comparing(LABELS, [1])
    # -> `predictions1` must be a column's name, got [1]
    # Options that need references
    comparing(LABELS, references=None, metric="accuracy")
    # -> `references` is missing, and metric 'accuracy' needs a column of them. If the
    mapping(LABELS, {}, references=None)
    # -> `label_mapping` must be left out where no labels are compared, got {} (dict)
    comparing(LABELS, references=None, pos_label=1)
    # -> `pos_label` must be left out where means of scores are compared, got 1 (int)
    mapping(TEXTS, {"x": "y"}, metric="squad_f1")
    # -> `label_mapping` must be left out where no labels are compared
    # Mappings
    mapping(LABELS, "LABEL_0")
    # -> `label_mapping` must be a dict from predicted labels to the references' labels, strings …
    #    or integers, or a pair of them, one for each system, got 'LABEL_0' (str)
    mapping(LABELS, {}, "a")
    # -> `label_mapping` must be a dict … ({}, 'a')
    mapping(LABELS, {"a": None})
    # -> `label_mapping` must be a dict … got {'a': None} (dict)
    # Labels that no reference has
    comparing(labelled(NUMBERED))
    # -> `predictions1` has labels that no reference has: 'LABEL_0', 'LABEL_1', 'LABEL_2'. … The
    #    references' labels are 'neg', 'neu', 'pos'. If these mean the same, map them: …
    #    label_mapping={'LABEL_0': ..., 'LABEL_1': ..., 'LABEL_2': ...}. A label that is mapped …
    #    to itself counts
    comparing(rows(NUMBERED, right=WORDS))
    # -> `predictions1` has only labels that no reference has: 'LABEL_0', 'LABEL_1', 'LABEL_2' …
    #    The references' labels are 'neg', 'neu', 'pos'. If … {'LABEL_0': ..., 'LABEL_1'
    comparing(rows([x.upper() for x in WORDS], right=WORDS))
    # -> map them: label_mapping={'NEG': 'neg', 'NEU': 'neu', 'POS': 'pos'}.
    mapping(labelled(NUMBERED), {"LABEL_0": "neg", "LABEL_1": "neu", "LABEL_2": 7})
    # -> `predictions1` … no reference has: 'LABEL_2' (mapped to 7).
    comparing(labelled([1, 2, 3] * 3, predictions2=INTEGER))
    # -> `predictions1` has labels that no reference has: 3.
    comparing(labelled(IDS, [-1, *IDS[1:]]))
    # -> `predictions2` has labels that no reference has: -1.
    comparing(rows(IDS, [str(x) for x in IDS], IDS))
    # -> `predictions2` … no reference has: '0', '1', '2'. … are 0, 1, 2. … mapping={'0': 0, '1'
    comparing(rows([f"{x:02}" for x in range(20)], right=WORDS[:2] * 10))
    # -> `predictions1` … '00', '01' … '07' and 12 more. The references' labels are 'neg', 'neu'
    # ClassLabels
    comparing(rows(IDS, right=IDS, predictions1=NAMED, predictions2=OTHER))
    # -> `references` holds numbers, and 'neg' is 0 in `predictions1` and 2 in `predictions2` …
    #    number their names differently. Give the references names
    comparing(outside())
    # -> `predictions1`[8][1] is 3, which the ClassLabel of 3 names has not. Filter
    comparing(labelled([IDS[:2]] * 9, right=[*[0] * 8, -1]), **TOP)
    # -> `references`[8] is -1, which the ClassLabel of 3 names has not … hidden
    comparing(labelled(IDS), metric="f1", pos_label=3)
    # -> `pos_label` has 3, which the ClassLabel of `references` has not: its ids are 0 to 2 …
    #    'neg', 'neu', 'pos'
    mapping(labelled(["odd", *WORDS[1:]], WORDS), {"odd": "odd"}, **KAPPA)
    # -> `labels` lacks 'odd' … order, this one too
    comparing(rows([[0, 1], [2]], right=[[0, 1], [2]]), metric="span_f1")
    # -> holds integers … label_names=['O', 'B-PER', ...] … ClassLabel's int2str
    # Places
    comparing(rows([["a", "b"]] * 9, [*[["a", "b"]] * 8, ["a"]], [["a", "b"]] * 9))
    # -> `predictions2`[8] has 1 labels and `references`[8]
    comparing(rows(["a"] * 8, right=[*[["a"]] * 7, ["b", "c"]]), metric="bleu")
    # -> has 1 texts for some sentences and 2 for others
