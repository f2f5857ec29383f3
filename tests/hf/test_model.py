"""What only looks like a pipeline: what it gives is no label, or not one for each row."""

import pytest
from datasets import Dataset, Features, Image, Value

from corpora.stand_ins import IN_WORDS, PAIRS, StandIn, classifier, never, tagger, token
from extras import needs
from pairedperm import InputError
from pairedperm.errors import describe
from pairedperm.hf import predict_and_compare

GOOD = [{"label": "neg", "score": 0.5}, {"label": "pos", "score": 0.5}]


@pytest.mark.parametrize(
    "output",
    [
        {},
        None,
        "neg",
        [],
        [None],
        {"label": None},
        {"label": ["neg"]},
        {"label": 10**5000},
        [{"label": "neg"}, {"label": "pos"}],
        [{"label": "neg", "score": "0.1"}, {"label": "pos", "score": 0.5}],
    ],
    ids=describe,
)
def test_outputs_without_a_label(output):
    pipeline = StandIn("text-classification", [GOOD[0], output])
    with pytest.raises(
        InputError, match=r"`pipeline2`, row 1: the pipeline must give a dict with 'label' and"
    ):
        predict_and_compare(classifier("neg", "neg"), pipeline, PAIRS)


def test_outputs_of_one_label_need_no_score():
    first = StandIn("text-classification", [{"label": "neg"}, [{"label": "pos"}]])
    second = StandIn("text-classification", [GOOD[:1], [GOOD[0] | {"score": 0.4}, GOOD[1]]])
    result, dataset = predict_and_compare(first, second, PAIRS)
    assert dataset["predictions1"][:] == dataset["predictions2"][:] == ["neg", "pos"]
    assert result.score1 == 1.0


@pytest.mark.parametrize(
    "output",
    [
        None,
        5,
        [None],
        [{"entity": "X"}],
        [token(None, 0, 1)],
        [token(["X"], 0, 1)],
        [token("X", "0", 1)],
        [token("X", 0, 0.5)],
    ],
    ids=str,
)
def test_outputs_without_tokens(output):
    dataset = Dataset.from_dict({"tokens": [["a"]], "tags": [["X"]]})
    good = tagger([token("X", 0, 1)])
    with pytest.raises(
        InputError, match=r"`pipeline2`, row 0: the pipeline must give a list of dicts with 'enti"
    ):
        predict_and_compare(good, tagger(output), dataset, **IN_WORDS)


class Answering(StandIn):
    """Gives all its outputs, however many inputs there are."""

    def __call__(self, inputs, **options):
        return self.outputs


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        (GOOD[:1], "`pipeline1` must give an output for each of 2 rows, got 1$"),
        (GOOD + GOOD[:1], "`pipeline1` must give an output for each of 2 rows, got 2 and more"),
        (None, "`pipeline1` must give an output for each row, got None"),
    ],
    ids=["too few", "too many", "none"],
)
def test_outputs_that_are_not_one_a_row(outputs, message):
    with pytest.raises(InputError, match=message.replace("1$", r"1\.")):
        predict_and_compare(Answering("text-classification", outputs), never(), PAIRS)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (5, r"`pipeline1`: its model's config.id2label must be a dict, got 5"),
        ({0: ["neg"]}, r"`pipeline1` has the label \['neg'\] \(list\): it must be an integer, or"),
        ({0: None}, r"`pipeline1` has the label None"),
    ],
)
def test_labels_of_a_model_that_are_none(config, message):
    pipeline = never()
    pipeline.model.config.id2label = config
    for mapping in (None, {0: "neg"}):
        with pytest.raises(InputError, match=message):
            predict_and_compare(pipeline, never(), PAIRS, label_mapping=mapping)


@pytest.mark.parametrize("mapping", [None, {"neg": "\ud800"}, {"\ud800": "\ud800"}])
def test_labels_that_no_dataset_holds(mapping):
    label = "neg" if mapping == {"neg": "\ud800"} else "\ud800"
    pipeline = classifier(label, label, labels=())
    with pytest.raises(InputError, match=r"`pipeline1` has.*(\\ud800|without lone surrogates)"):
        predict_and_compare(
            pipeline, classifier("neg", "neg"), PAIRS, label_mapping=(mapping, None)
        )


@pytest.mark.parametrize("task", [["a"], {}, 5])
def test_no_task(task):
    with pytest.raises(InputError, match=r"`pipeline1` must be a .* got one for "):
        predict_and_compare(never(task), never(), PAIRS)


@pytest.mark.parametrize("size", [True, 2.5, "2", -1])
def test_no_batch_size(size):
    with pytest.raises(InputError, match="`batch_size` must be a positive integer, got"):
        predict_and_compare(never(), never(), PAIRS, batch_size=size)


def test_texts_that_are_images():
    needs("PIL", "plot")  # with which datasets writes such a column
    features = Features(text=Image(), label=Value("string"))
    dataset = Dataset.from_dict({"text": ["a"], "label": ["neg"]}, features=features)
    with pytest.raises(
        InputError, match="`input_column`: the column 'text' is of the type Image, and holds no"
    ):
        predict_and_compare(never(), never(), dataset)
