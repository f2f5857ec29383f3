"""What `predict_and_compare` refuses: before a model runs, and of what models give."""

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
    never,
    tagger,
    token,
)
from pairedperm.hf import predict_and_compare
from refusals import refuses

GOOD = [{"label": "neg", "score": 0.5}, {"label": "pos", "score": 0.5}]
WORDS = never("token-classification", labels=("X", "Y"))


def asking(one=None, two=None, data=REVIEWS, **options):
    """Of pipelines that never run if they are not given."""
    return predict_and_compare(one or never(), two or never(), data, **options)


def of(texts, labels, feature=None, **options):
    data = Dataset.from_dict({"text": texts, "label": labels})
    return asking(data=data.cast_column("label", feature) if feature else data, **options)


def of_words(tokens, tags, feature=None):
    data = Dataset.from_dict({"tokens": tokens, "tags": tags})
    return asking(WORDS, WORDS, data.cast_column("tags", feature) if feature else data, **IN_WORDS)


def tagging(output):
    data = Dataset.from_dict({"tokens": [["ab", "c", "d"]], "tags": [["X", "Y", "Y"]]})
    good = tagger([token("X", 0, 2), token("Y", 3, 4), token("Y", 5, 6)])
    return asking(good, tagger(output), data, **IN_WORDS)


class Answering(StandIn):
    """Gives all its outputs, however many inputs there are."""

    def __call__(self, inputs, **options):
        return self.outputs


def answering(outputs):
    return asking(Answering("text-classification", outputs), data=PAIRS)


@refuses
def test_refusals():
    # Pipelines
    asking("a/model")
    # -> `pipeline1` and `pipeline2` must be transformers pipelines for one task, … or …
    #    'token-classification', that give one label and not several, got None (NoneType) and 'text
    asking(two=WORDS)
    # -> got 'text-classification' (str) and 'token-classification' (str)
    asking(two=never(problem_type="multi_label_classification"))
    # -> one label and not several, got None (NoneType) and 'multi_label_classification' (str)
    # Datasets
    asking(input_column="x")
    # -> `input_column` … there is no column 'x'. The columns are 'text'
    asking(second_input_column="x")
    # -> `second_input_column` … there is no column
    asking(data=DatasetDict(test=REVIEWS))
    # -> `dataset` must be a Dataset, to hold the predictions as columns, got DatasetDict … Pass …
    #    one split. Dataset.from_list(list(dataset)) makes one of a stream
    asking(data=REVIEWS.select([]))
    # -> there are no rows
    asking(data=REVIEWS.add_column("predictions2", LABELS))
    # -> `dataset` already has a column 'predictions2': rename it (rename_column) or remove
    # Rows
    asking(input_column="label")
    # -> `input_column` … row 0 of 'label' must be a text with a label in 'label', got … (int)
    of(["a", "b"], ["neg", None])
    # -> `label_column`[1] is missing
    of(["a", "b"], [0, -1], ClassLabel(names=NAMES))
    # -> `label_column`[1] is -1, which the ClassLabel of 2 names has not
    asking(data=SENTENCES, **IN_WORDS)
    # -> `input_column` … 'tokens' must be a text with a label in 'tags', got ['a'
    of_words([["a"], ["b", "c"]], [["X"], ["Y"]])
    # -> row 1 of 'tokens' must be … with a label for each … got ['b', 'c'] (list) and ['Y']
    of_words([["a"], [" "]], [["X"], ["Y"]])
    # -> `input_column` … row 1 of 'tokens' must be a list of words … got [' '] (list)
    of_words([[], []], [[], []], Sequence(Value("string")))
    # -> `label_column` holds no label: every sequence is empty
    # Metrics
    asking(metric="squad_f1")
    # -> `metric` must be a metric of labels, got 'squad_f1'
    asking(metric="f1", pos_label="positive")
    # -> `pos_label`: 'positive' occurs neither in the predictions nor in the references
    # Labels of models
    asking(two=never(labels=NUMBERED))
    # -> `pipeline2` has labels that no reference has: 'LABEL_0', 'LABEL_1'. The references' …
    #    labels are 'neg', 'pos'. If these mean the same, map them: label_mapping={'LABEL_0': ..., …
    #    'LABEL_1': ...}.
    (asking(two=never(labels=NUMBERED), label_mapping={"LABEL_0": "neg", "LABEL_1": "positive"}))
    # -> `pipeline2` … no reference has: 'LABEL_1' (mapped to 'positive')
    # Outputs
    answering(GOOD[:1])
    # -> `pipeline1` … , row 1: the pipeline must give each row one output of labels, as …
    #    transformers does, got None (NoneType)
    answering(GOOD * 2)
    # -> `pipeline1` … , row 2: the pipeline must give each row one output
    answering(None)
    # -> `pipeline1` … , row 0: the pipeline must give each row one output
    answering([{"label": "a\ud800", "score": 0.5}, GOOD[1]])
    # -> `pipeline1` … , row 0: the pipeline must give each row one output
    answering([GOOD[0], [{"label": "neg", "score": "0.1"}, GOOD[1]]])
    # -> `pipeline1` … , row 1: … got [{'label': 'neg', 'score': '0.1'}
    tagging([None])
    # -> `pipeline2` … , row 0: the pipeline must give each row one output … got [None]
    tagging([token("X", 0, 2), token("X", 5, 6)])
    # -> `pipeline2` … , row 0: word 1 of 3, 'c', has no token: the sentence is longer than the …
    #    model takes, or the tokenizer drops the word. Split such sentences, or leave them out
    tagging([token("X", None, None)])
    # -> `pipeline2` … tokenizer does not say where its tokens stand: use a fast one (Auto
