"""What `predict_and_compare` refuses: before a model runs, and of what models give."""

import numpy as np
from datasets import ClassLabel, Dataset, DatasetDict, Sequence, Value

from corpora.stand_ins import (
    IN_WORDS,
    LABELS,
    NAMES,
    NUMBERED,
    PAIRS,
    REVIEWS,
    SENTENCES,
    StandIn,
    classifier,
    never,
    tagger,
    token,
)
from pairedperm.hf import predict_and_compare
from refusals import asks, refusal, refuses

GOOD = [{"label": "neg", "score": 0.5}, {"label": "pos", "score": 0.5}]
IDS = REVIEWS.cast_column("label", Value("int64"))
TAG_IDS = SENTENCES.cast_column("tags", Sequence(Value("int64")))
THREE = Dataset.from_dict({"text": ["a", "b", "c"], "label": ["x", "y", "z"]})
MICRO = {"metric": "f1", "average": "micro"}
WORDS = never("token-classification", labels=("X", "Y"))


class Answering(StandIn):
    """Gives all its outputs, however many inputs there are."""

    def __call__(self, inputs, **options):
        return self.outputs


def asking(one=None, two=None, data=REVIEWS, **options):
    """Of pipelines that never run if they are not given."""
    return predict_and_compare(one or never(), two or never(), data, **options)


def of(texts, labels, feature=None, **options):
    data = Dataset.from_dict({"text": texts, "label": labels})
    return asking(data=data.cast_column("label", feature) if feature else data, **options)


def of_words(tokens, tags, feature=None):
    data = Dataset.from_dict({"tokens": tokens, "tags": tags})
    return asking(WORDS, WORDS, data.cast_column("tags", feature) if feature else data, **IN_WORDS)


def answering(outputs):
    return asking(Answering("text-classification", outputs), data=PAIRS)


def labelling(output):
    """By the second pipeline, for the second row."""
    two = StandIn("text-classification", [GOOD[0], output])
    return asking(classifier("neg", "neg"), two, PAIRS)


def tagging(output):
    data = Dataset.from_dict({"tokens": [["ab", "c", "d"]], "tags": [["X", "Y", "Y"]]})
    good = tagger([token("X", 0, 2), token("Y", 3, 4), token("Y", 5, 6)])
    return asking(good, tagger(output), data, **IN_WORDS)


def configured(id2label, **options):
    pipeline = never()
    pipeline.model.config.id2label = id2label
    return asking(pipeline, data=PAIRS, **options)


def storing(label, mapping=None):
    pipeline = classifier(label, label, labels=())
    return asking(pipeline, classifier("neg", "neg"), PAIRS, label_mapping=(mapping, None))


def slip():
    numbered, meant = (*NUMBERED, "LABEL_2"), ("negative", "neu", "positive")
    mapping = dict(zip(numbered, meant, strict=True)), None
    return asking(never(labels=numbered), data=PAIRS, label_mapping=mapping)


GIVES = "the pipeline must give a dict with 'label' and 'score', or a list of them, got "
TOKENS = "the pipeline must give a list of dicts with 'entity', 'start' and 'end', got "


@refuses
def test_refusals():
    # Pipelines
    asking("a/model")
    # -> `pipeline1` must be a transformers pipeline for 'text-classification' or …
    #    'token-classification', got 'a/model' (str)
    asking(two=never("fill-mask"))
    # -> `pipeline2` must be a transformers pipeline … got one for 'fill-mask' (str)
    asking(two=WORDS)
    # -> `pipeline1` is for 'text-classification' and `pipeline2` for 'token-classification' …
    #    pass two for one task
    asking(two=never(problem_type="multi_label_classification"))
    # -> `pipeline2` predicts several labels a row … only one a row can be compared here
    # Datasets
    asking(input_column="x")
    # -> `input_column` … there is no column 'x'. The columns are 'text'
    asking(second_input_column="x")
    # -> `second_input_column` … there is no column
    asking(data=DatasetDict(test=REVIEWS))
    # -> `dataset` must be one split: pass dataset['test'].
    asking(data=REVIEWS.to_iterable_dataset())
    # -> `dataset` must be a Dataset, to hold the predictions as columns, got an Iterable …
    #    Dataset.from_list(list(dataset)) makes one
    asking(data=REVIEWS.select([]))
    # -> there are no rows
    asking(data=REVIEWS.add_column("predictions2", LABELS))
    # -> `dataset` already has a column 'predictions2': rename it (rename_column) or remove
    # Rows
    asking(input_column="label")
    # -> `input_column` … row 0 of 'label' must be a text, got … (int)
    of(["a", "b"], ["neg", None])
    # -> `references`[1] is missing
    of(["a", "b"], [0, -1], ClassLabel(names=NAMES))
    # -> `references`[1] is -1, which its ClassLabel of 2 names has not
    asking(data=SENTENCES, **IN_WORDS)
    # -> `label_column` … 'tags' must hold one label for each row, not a list
    of_words([["a"], ["b"]], ["X", "Y"])
    # -> `label_column` … 'tags' must hold one label for each word, a list of them a row
    of_words([["a"], ["b", "c"]], [["X"], ["Y"]])
    # -> row 1 has 2 words in 'tokens' and 1 labels in 'tags': each word needs one
    of_words([["a"], None], [["X"], ["Y"]])
    # -> `input_column` … row 1 of 'tokens' must be a list of words, got None
    of_words([["a"], [" "]], [["X"], ["Y"]])
    # -> `input_column` … row 1 of 'tokens' must be a list of words, got [' '] (list)
    of_words(["a", "b"], [["X"], ["Y"]])
    # -> `input_column` … row 0 of 'tokens' must be a list of words, got 'a' (str)
    of_words([[], []], [[], []], Sequence(Value("string")))
    # -> `label_column` … 'tags' holds no label, all rows are empty
    # Metrics
    asking(**MICRO, multilabel=True)
    # -> `multilabel` must be False: the pipelines give each row one label
    asking(metric="subset_accuracy")
    # -> `metric` 'subset_accuracy' takes sets of labels, but the pipelines give each row one label
    asking(metric="squad_f1")
    # -> `metric` must be a metric of labels … got 'squad_f1'. Run the models yourself
    asking(metric="span_f1")
    # -> `metric` 'span_f1' needs tags such as 'B-PER' for each word. Pass pipelines for token
    asking(WORDS, WORDS, TAG_IDS, metric="span_f1", **IN_WORDS)
    # -> `metric` 'span_f1' needs tags … a label column of tag names or of their ClassLabel
    asking(metric="f1", pos_label=2)
    # -> `pos_label` has 2, which the ClassLabel of
    asking(metric="f1", pos_label="positive")
    # -> `pos_label` has 'positive', which is no name of the references' ClassLabel: name a
    asking(data=THREE, metric="f1")
    # -> `pos_label` is missing: with average='binary' it is 1 where all labels are 0 or 1 … the
    #    references have others. Say which label counts, or count all
    asking(data=THREE, **MICRO, labels=["x", 1])
    # -> `labels` has 1, but the references' labels are names
    asking(data=IDS, metric="f1", pos_label="pos")
    # -> `pos_label` has 'pos', but the references' labels are numbers
    # Labels of models
    configured(5)
    # -> `pipeline1` … its model's config.id2label must be a dict, got 5 (int)
    configured({0: ["neg"]})
    # -> `pipeline1` has the label ['neg'] (list): it must be an integer, or a string … Mend the
    #    id2label of its model's config
    configured({0: None}, label_mapping={0: "neg"})
    # -> `pipeline1` has the label None (NoneType): it must be an integer, or a string
    storing("\ud800")
    # -> `pipeline1` … '\ud800' (str) … without lone surrogates
    storing("neg", {"neg": "\ud800"})
    # -> `pipeline1` … without lone surrogates
    asking(two=never(labels=NUMBERED))
    # -> `pipeline2` has labels that no reference has: 'LABEL_0', 'LABEL_1'. The references' …
    #    labels are 'neg', 'pos'. If these mean the same, map them: label_mapping={'LABEL_0': ..., …
    #    'LABEL_1': ...}.
    (asking(two=never(labels=NUMBERED), label_mapping={"LABEL_0": "neg", "LABEL_1": "positive"}))
    # -> `pipeline2` … no reference has: 'LABEL_1' (mapped to 'positive')
    asking(never(labels=NUMBERED), label_mapping={"LABEL_0": 0, "LABEL_1": 2})
    # -> `pipeline1` … no reference has: 'LABEL_1' (mapped to 2)
    asking(data=IDS)
    # -> `pipeline1` … no reference has: 'neg', 'pos'. The references' labels are 0, 1. …
    #    label_mapping={'neg': ..., 'pos': ...}
    # Outputs
    answering(GOOD[:1])
    # -> `pipeline1` … an output for each of 2 rows, got 1.
    answering(GOOD * 2)
    # -> `pipeline1` … for each of 2 rows, got 2 and more.
    answering(None)
    # -> `pipeline1` must give an output for each row, got None (NoneType)
    tagging([token("X", 0, 2), token("X", 5, 6)])
    # -> `pipeline2` … , row 0: word 1 of 3, 'c', has no token: the sentence is longer than the …
    #    model takes, or the tokenizer drops the word. Split such sentences, or leave them out
    tagging([token("X", None, None)])
    # -> `pipeline2` … tokenizer does not say where its tokens stand: use a fast one (Auto


test_refusals_in_rows = asks(
    refusal(
        slip, "pipeline1", "has: 'LABEL_0' (mapped to 'negative'), 'LABEL_1' (mapped to 'neu')"
    ),
    *(
        refusal(lambda output=output: labelling(output), "pipeline2", f", row 1: {GIVES}", shown)
        for output, shown in (
            ({}, "{} (dict)"),
            ([], "[] (list)"),
            ([None], "[None] (list)"),
            (np.int64(1), "(int64)"),  # numpy raises IndexError where others raise TypeError
            ({"label": ["neg"]}, "{'label': ['neg']} (dict)"),
            ({"label": 10**5000}, "a very large integer (dict)"),
            ([{"label": "neg"}, GOOD[1]], "[{'label': 'neg'}"),
            ([{"label": "neg", "score": "0.1"}, GOOD[1]], "'score': '0.1'"),
        )
    ),
    *(
        refusal(lambda output=output: tagging(output), "pipeline2", f", row 0: {TOKENS}", shown)
        for output, shown in (
            (None, "None (NoneType)"),
            ([None], "[None] (list)"),
            (np.array([1]), "(ndarray)"),
            ([{"entity": "X"}], "[{'entity': 'X'}] (list)"),
            ([token(["X"], 0, 1)], "[{'end': 1, 'entity': ['X'], 'start': 0}]"),
            ([token("X", "0", 1)], "'start': '0'"),
            ([token("X", 0, 0.5)], "'end': 0.5"),
        )
    ),
)
