"""predict_and_compare: what it does not take; no model runs."""

import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Sequence, Value

from corpora.stand_ins import (
    IN_WORDS,
    LABELS,
    NAMES,
    REVIEWS,
    SENTENCES,
    never,
)
from pairedperm import InputError
from pairedperm.hf import predict_and_compare


@pytest.mark.parametrize(
    ("pipelines", "message"),
    [
        (
            ("a/model", never()),
            r"`pipeline1` must be a transformers pipeline.* got 'a/model' \(str",
        ),
        ((never(), never("fill-mask")), "`pipeline2` must be .* got one for 'fill-mask'"),
        ((never(), never("token-classification")), "`pipeline1` is for .* and `pipeline2` for"),
        (
            (never(), never(problem_type="multi_label_classification")),
            "`pipeline2` predicts several labels a row",
        ),
    ],
)
def test_no_pipeline(pipelines, message):
    with pytest.raises(InputError, match=message):
        predict_and_compare(*pipelines, REVIEWS)


@pytest.mark.parametrize(
    ("dataset", "options", "message"),
    [
        (REVIEWS, {"input_column": "x"}, "`input_column`: there is no column 'x'. The .* 'text'"),
        (REVIEWS, {"label_column": "x"}, "`label_column`: there is no column 'x'"),
        (REVIEWS, {"second_input_column": "x"}, "`second_input_column`: there is no column"),
        (REVIEWS, {"input_column": "label"}, r"`input_column`: row 0 of 'label' must be a text"),
        (REVIEWS, {"alternative": "more"}, "`alternative`"),
        (REVIEWS, {"label_mapping": "x"}, "`label_mapping`"),
        (REVIEWS, {"batch_size": 0}, "`batch_size` must be a positive integer, got 0"),
        (DatasetDict(test=REVIEWS), {}, r"`dataset` must be one split: pass dataset\['test'\]"),
        (REVIEWS.to_iterable_dataset(), {}, "must be a Dataset, to hold .* got an IterableDataset"),
        (REVIEWS.select([]), {}, "there are no rows"),
        (
            REVIEWS.add_column("predictions2", LABELS),
            {},
            "already has a column 'predictions2': rename",
        ),
        (["a"], {}, "`dataset` must be a Dataset, got"),
        ({"text": ["a"], "label": [0]}, {}, "`dataset` must be a Dataset, got"),
        (SENTENCES, IN_WORDS, "`label_column`: 'tags' must hold one label for each row, not a"),
        (
            Dataset.from_dict({"text": ["a", None], "label": ["neg", "pos"]}),
            {},
            r"`input_column`: row 1 of 'text' must be a text, got None",
        ),
        (
            Dataset.from_dict({"text": ["a", "b", "c"], "label": ["neg", "pos", None]}),
            {},
            r"`references`\[2\] is missing",
        ),
        (
            Dataset.from_dict({"text": ["a", "b"], "label": [0, -1]}).cast_column(
                "label", ClassLabel(names=NAMES)
            ),
            {},
            r"`references`\[1\] is -1, which",
        ),
    ],
)
def test_bad_input(dataset, options, message):
    with pytest.raises(InputError, match=message):
        predict_and_compare(never(), never(), dataset, **options)


@pytest.mark.parametrize(
    ("tokens", "tags", "message"),
    [
        (
            [["a"], ["b", "c"]],
            [["X"], ["Y"]],
            "row 1 has 2 words in 'tokens' and 1 labels in 'tags'",
        ),
        ([["a"], None], [["X"], ["Y"]], "row 1 of 'tokens' must be a list of words, got None"),
        ([["a"], [" "]], [["X"], ["Y"]], r"row 1 of 'tokens' must be a list of words, got \[' '\]"),
        ([["a"], ["b", None]], [["X"], ["Y", "Y"]], "row 1 of 'tokens' must be a list of words"),
        (["a", "b"], [["X"], ["Y"]], "row 0 of 'tokens' must be a list of words, got 'a'"),
        ([["a"], ["b"]], ["X", "Y"], "must hold one label for each word, a list of them a row"),
    ],
)
def test_bad_sentences(tokens, tags, message):
    dataset = Dataset.from_dict({"tokens": tokens, "tags": tags})
    pipeline = never("token-classification", labels=("X", "Y"))
    with pytest.raises(InputError, match=message):
        predict_and_compare(pipeline, pipeline, dataset, **IN_WORDS)


def test_no_labels():
    dataset = Dataset.from_dict({"tokens": [[], []], "tags": [[], []]})
    pipeline = never("token-classification")
    for feature in (Value("string"), Value("int64"), ClassLabel(names=["X"])):
        typed = dataset.cast_column("tags", Sequence(feature))
        with pytest.raises(InputError, match="`label_column`: 'tags' holds no label, all rows are"):
            predict_and_compare(pipeline, pipeline, typed, **IN_WORDS)


NAMED = REVIEWS.cast_column("label", Value("int64"))
NUMBERS = SENTENCES.cast_column("tags", Sequence(Value("int64")))
THREE = Dataset.from_dict({"text": ["a", "b", "c"], "label": ["x", "y", "z"]})


@pytest.mark.parametrize(
    ("dataset", "options", "message"),
    [
        (REVIEWS, {"metric": None}, "`metric` must be one of"),
        (REVIEWS, {"metric": "f1", "average": "mean"}, "`average` must be one of"),
        (REVIEWS, {"pos_label": 1}, "`pos_label` is no option of metric 'accuracy'"),
        (REVIEWS, {"metric": "f1", "pos_label": 2}, "`pos_label` has 2, which the ClassLabel of"),
        (
            REVIEWS,
            {"metric": "f1", "average": "micro", "multilabel": True},
            "`multilabel` must be F",
        ),
        (REVIEWS, {"metric": "zero_one"}, "`metric` 'zero_one' takes sets of labels, but the"),
        (REVIEWS, {"metric": "squad_f1"}, "`metric` must be a metric of labels.*got 'squad_f1'"),
        (REVIEWS, {"metric": "span_f1"}, "`metric` 'span_f1' needs tags such as 'B-PER' for each"),
        (NUMBERS, IN_WORDS | {"metric": "span_f1"}, "'span_f1' needs tags"),
        (REVIEWS, {"metric": "f1", "pos_label": "positive"}, "'positive', which is no name of the"),
        (THREE, {"metric": "f1"}, "`pos_label` is missing: .*the references have others"),
        (THREE, {"metric": "f1", "pos_label": 1}, "`pos_label` has 1, but the .* labels are names"),
        (NAMED, {"metric": "f1", "pos_label": "pos"}, "has 'pos', but the .* labels are numbers"),
        (
            THREE,
            {"metric": "f1", "average": "micro", "labels": ["x", 1]},
            "`labels` has 1, but the references' labels are names",
        ),
    ],
)
def test_metrics_that_do_not_fit(dataset, options, message):
    task = "token-classification" if dataset is NUMBERS else "text-classification"
    with pytest.raises(InputError, match=message):
        predict_and_compare(never(task), never(task), dataset, **options)


def test_unknown_options():
    with pytest.raises(TypeError, match="unexpected option 'alternatve'"):
        predict_and_compare(never(), never(), REVIEWS, alternatve="less")
