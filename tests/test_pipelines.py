"""Pipelines on a dataset: tiny models that are trained here, and stand-ins for awkward ones."""

import random
from types import SimpleNamespace

import numpy as np
import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Sequence, Value
from extras import needs

from pairedperm import InputError, compare
from pairedperm.hf import compare_dataset, predict_and_compare
from pairedperm.hf.tasks import TASKS

GOOD, BAD = ["good", "fine", "great"], ["bad", "dull", "poor"]
OTHER = ["the", "film", "was", "a", "plot"]
NAMES = ["neg", "pos"]


def reviews():
    """Texts with a right label: the second word's, whatever the last one says."""
    rng = random.Random(0)
    rows = []
    for _ in range(120):
        label = rng.randrange(2)
        words = [rng.choice(OTHER), rng.choice(GOOD if label else BAD), rng.choice(OTHER)]
        rows.append({"text": " ".join([*words, rng.choice(GOOD + BAD)]), "label": label})
    return Dataset.from_list(rows).cast_column("label", ClassLabel(names=NAMES))


def sentences():
    """Words, and for each whether it praises: O, or B-GOOD."""
    rng = random.Random(1)
    rows = []
    for _ in range(60):
        words = [rng.choice(GOOD + BAD + OTHER) for _ in range(rng.randrange(1, 9))]
        rows.append({"tokens": words, "tags": [int(word in GOOD) for word in words]})
    feature = Sequence(ClassLabel(names=["O", "B-GOOD"]))
    return Dataset.from_list(rows).cast_column("tags", feature)


REVIEWS, SENTENCES = reviews(), sentences()
TEXTS, LABELS = REVIEWS["text"][:], REVIEWS["label"][:]
IN_WORDS = {"input_column": "tokens", "label_column": "tags"}


@pytest.fixture(scope="module")
def classifiers():
    """The better one first; the second knows its labels by number only."""
    from tiny_models import tiny_pipeline

    task = "text-classification"
    return (
        tiny_pipeline(task, TEXTS, LABELS, NAMES, 30),
        tiny_pipeline(task, TEXTS, LABELS, ["LABEL_0", "LABEL_1"], 2),
    )


@pytest.fixture(scope="module")
def taggers():
    from tiny_models import tiny_pipeline

    texts = [" ".join(words) for words in SENTENCES["tokens"][:]]
    arguments = "token-classification", texts, SENTENCES["tags"][:], ["O", "B-GOOD"]
    return tiny_pipeline(*arguments, 30), tiny_pipeline(*arguments, 1)


MEANING = (None, {"LABEL_0": "neg", "LABEL_1": "pos"})


def test_text_classification(classifiers, capfd):
    capfd.readouterr()
    result, dataset = predict_and_compare(*classifiers, REVIEWS, label_mapping=MEANING)
    shown = capfd.readouterr().err
    assert "Predicting with pipeline1: 100%" in shown
    assert "Predicting with pipeline2: 100%" in shown
    first, second = ([output["label"] for output in p(TEXTS)] for p in classifiers)
    second = [MEANING[1][label] for label in second]
    assert dataset["predictions1"][:] == first
    assert dataset["predictions2"][:] == second
    assert dataset.remove_columns(["predictions1", "predictions2"]).to_list() == REVIEWS.to_list()
    assert result == compare(first, second, [NAMES[label] for label in LABELS])
    assert result.score1 > result.score2
    assert result.pvalue < 1e-3
    assert compare_dataset(dataset, references="label") == result


@pytest.mark.parametrize("batch_size", [None, 1, 7])
@pytest.mark.parametrize("form", ["names", "ids", "texts"])
def test_forms_of_labels(classifiers, batch_size, form):
    expected = predict_and_compare(*classifiers, REVIEWS, label_mapping=MEANING)
    dataset, mapping = REVIEWS, {"LABEL_0": "neg", "LABEL_1": "pos"}
    if form == "ids":
        dataset = REVIEWS.cast_column("label", Value("int64"))
        mapping = {"neg": 0, "pos": 1, "LABEL_0": 0, "LABEL_1": 1}
    elif form == "texts":
        names = [NAMES[label] for label in LABELS]
        dataset = REVIEWS.remove_columns("label").add_column("label", names)
    else:
        mapping = {"LABEL_0": 0, "LABEL_1": 1}
    result, predicted = predict_and_compare(
        *classifiers, dataset, label_mapping=mapping, batch_size=batch_size
    )
    assert result == expected.result
    if form == "ids":
        assert [NAMES[x] for x in predicted["predictions1"]] == expected.dataset["predictions1"][:]
        assert predicted.features["predictions1"] == Value("int64")
    else:
        assert predicted["predictions1"][:] == expected.dataset["predictions1"][:]


def test_options_pass_through(classifiers):
    options = {"metric": "exact_match", "alternative": "less"}
    result, _ = predict_and_compare(
        *classifiers, REVIEWS, "text", "label", label_mapping=MEANING, **options
    )
    assert (result.metric, result.alternative) == ("exact_match", "less")
    assert result.pvalue > 0.99


def test_token_classification(taggers):
    result, dataset = predict_and_compare(*taggers, SENTENCES, **IN_WORDS, batch_size=4)
    assert all(
        [len(row) for row in dataset[name]] == [len(row) for row in SENTENCES["tokens"]]
        for name in ("predictions1", "predictions2")
    )
    tags = [[["O", "B-GOOD"][tag] for tag in row] for row in SENTENCES["tags"]]
    assert result == compare(dataset["predictions1"], dataset["predictions2"], tags)
    assert result.score1 == 1.0
    assert result.score1 > result.score2
    assert result.n == 60
    assert compare_dataset(dataset, references="tags") == result


def test_splits_formats_and_other_columns(classifiers):
    dataset = REVIEWS.add_column("id", list(range(120))).with_format("numpy").shuffle(seed=3)
    result, predicted = predict_and_compare(*classifiers, dataset, label_mapping=MEANING)
    assert result == predict_and_compare(*classifiers, REVIEWS, label_mapping=MEANING).result
    assert predicted["id"][:].tolist() == dataset["id"][:].tolist()


class StandIn:
    """A pipeline that gives what it is told; it keeps what it got."""

    def __init__(self, task, outputs, labels=("neg", "pos"), **config):
        self.task = task
        self.outputs = outputs
        self.model = SimpleNamespace(
            config=SimpleNamespace(id2label=dict(enumerate(labels)), **config)
        )

    def __call__(self, inputs, **options):
        self.options = options
        self.inputs = []
        for text, output in zip(inputs, self.outputs, strict=True):
            self.inputs.append(text)
            yield output


def classifier(*labels, **options):
    return StandIn("text-classification", [{"label": label} for label in labels], **options)


PAIRS = Dataset.from_dict({"text": ["a", "b"], "other": ["c", "d"], "label": ["neg", "pos"]})


def test_all_labels_of_a_text():
    many = StandIn(
        "text-classification",
        [[{"label": "neg", "score": 0.4}, {"label": "pos", "score": 0.6}]] * 2,
    )
    result, dataset = predict_and_compare(many, classifier("neg", "pos"), PAIRS)
    assert dataset["predictions1"][:] == ["pos", "pos"]
    assert (result.score1, result.score2) == (0.5, 1.0)


def test_pairs_of_texts():
    first, second = classifier("neg", "pos"), classifier("neg", "neg")
    predict_and_compare(first, second, PAIRS, second_input_column="other", batch_size=2)
    assert first.inputs == [{"text": "a", "text_pair": "c"}, {"text": "b", "text_pair": "d"}]
    assert first.options == {"truncation": True, "batch_size": 2}


def token(entity, start, end):
    return {"entity": entity, "start": start, "end": end}


def tagger(*outputs, labels=("X", "Y")):
    return StandIn("token-classification", outputs, labels=labels)


def test_the_first_token_of_a_word():
    """Offsets may begin at the space before a word; words may be of several tokens."""
    dataset = Dataset.from_dict({"tokens": [["ab", "c", "d"]], "tags": [["X", "Y", "Y"]]})
    outputs = [token("X", 0, 1), token("Y", 1, 2), token("X", 1, 3), token("Y", 2, 4)]
    first = tagger([*outputs, token("Y", 5, 6)])
    second = tagger([token("X", 0, 4), token("Y", 4, 6)])  # one token for two words
    result, dataset = predict_and_compare(first, second, dataset, **IN_WORDS)
    assert first.inputs == ["ab c d"]
    assert first.options == {"ignore_labels": [], "aggregation_strategy": "none"}
    assert dataset["predictions1"][:] == [["X", "Y", "Y"]]
    assert dataset["predictions2"][:] == [["X", "X", "Y"]]
    assert result.score2 == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        ([token("X", 0, 2)], r"`pipeline2`, row 0: word 1 of 3, 'c', has no token: the sentence"),
        ([token("X", 0, 2), token("X", 5, 6)], "word 1 of 3"),
        ([], "word 0 of 3, 'ab'"),
        ([token("X", None, None)], "does not say where its tokens stand: use a fast one"),
    ],
)
def test_words_without_a_token(outputs, message):
    dataset = Dataset.from_dict({"tokens": [["ab", "c", "d"]], "tags": [["X", "Y", "Y"]]})
    good = tagger([token("X", 0, 2), token("Y", 3, 4), token("Y", 5, 6)])
    with pytest.raises(InputError, match=message):
        predict_and_compare(good, tagger(outputs), dataset, **IN_WORDS)


@pytest.mark.parametrize("space", [(2, 3), (3, 3)])
def test_a_space_before_a_word_is_of_it(space):
    """As when models are trained on words: the first token of "c" is the space."""
    dataset = Dataset.from_dict({"tokens": [["ab", "c"]], "tags": [["X", "X"]]})
    pipeline = tagger([token("X", 0, 2), token("X", *space), token("Y", 3, 4)])
    assert predict_and_compare(pipeline, pipeline, dataset, **IN_WORDS).result.score1 == 1.0


def test_tokenizers_with_spaces():
    """The same as the labels of first tokens by `word_ids`, on words with and without a token."""
    tokenizers = needs("tokenizers", "transformers")
    transformers = needs("transformers", "transformers")
    words = ["New", "York", "is", "日本語", "🙂🙂", "x", "naïve", "a"]
    for pre_tokenizer in (
        tokenizers.pre_tokenizers.Metaspace(),
        tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=True),
    ):
        trained = tokenizers.Tokenizer(tokenizers.models.BPE())
        trained.pre_tokenizer = pre_tokenizer
        alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
        trained.train_from_iterator(
            ["New York is a x"] * 9 + ["日本語 🙂"],
            tokenizers.trainers.BpeTrainer(vocab_size=320, initial_alphabet=alphabet),
        )
        fast = transformers.PreTrainedTokenizerFast(tokenizer_object=trained)
        whole = fast(" ".join(words), return_offsets_mapping=True)
        tokens = fast.convert_ids_to_tokens(whole["input_ids"])
        output = [token(t, *span) for t, span in zip(tokens, whole["offset_mapping"], strict=True)]
        in_words = fast(words, is_split_into_words=True)
        ids = in_words.word_ids()
        first = [
            fast.convert_ids_to_tokens(in_words["input_ids"][ids.index(number)])
            for number in range(len(words))
        ]
        assert TASKS["token-classification"].labels(words, output) == first


def test_a_sentence_that_is_too_long(taggers):
    long = Dataset.from_dict({"tokens": [["good"] * 40], "tags": [["B-GOOD"] * 40]})
    with pytest.raises(InputError, match="word 32 of 40, 'good', has no token"):
        predict_and_compare(*taggers, long, **IN_WORDS, label_mapping={"O": "O"})


class Unused(StandIn):
    """What can be checked is checked before."""

    def __call__(self, inputs, **options):
        raise AssertionError("a model ran before the arguments were checked")


def never(task="text-classification", **options):
    return Unused(task, [], **options)


NUMBERED = ("LABEL_0", "LABEL_1")


def test_labels_that_no_reference_has():
    for dataset in (PAIRS, REVIEWS):
        with pytest.raises(
            InputError,
            match=r"`pipeline2` predicts labels that no reference has: 'LABEL_0', 'LABEL_1'\. The "
            r"references' labels are 'neg', 'pos'\. Say which are meant: "
            r"label_mapping={'LABEL_0': 'neg', \.\.\.}\.",
        ):
            predict_and_compare(never(), never(labels=NUMBERED), dataset)
        mapping = {"LABEL_0": "neg"}
        with pytest.raises(InputError, match="has: 'LABEL_1'"):
            predict_and_compare(never(), never(labels=NUMBERED), dataset, label_mapping=mapping)
    mapping = {"LABEL_0": "neg", "LABEL_1": "positive"}
    with pytest.raises(InputError, match="has: 'LABEL_1'"):
        predict_and_compare(never(), never(labels=NUMBERED), REVIEWS, label_mapping=mapping)
    with pytest.raises(InputError, match=r"'neg', 'pos'\. .* are 0, 1\. .*mapping={'neg': 0,"):
        predict_and_compare(never(), never(), REVIEWS.cast_column("label", Value("int64")))
    mapping = {"LABEL_0": 0, "LABEL_1": 2}
    with pytest.raises(InputError, match="has: 'LABEL_1'"):
        predict_and_compare(never(labels=NUMBERED), never(), REVIEWS, label_mapping=mapping)


def test_a_class_that_the_data_lack():
    """Plain labels do not tell it from a slip of the pen: it is no error."""
    numbered = ("LABEL_0", "LABEL_1", "LABEL_2")
    mapping = {"LABEL_0": "neg", "LABEL_1": "neu", "LABEL_2": "pos"}
    first = classifier("LABEL_0", "LABEL_1", labels=numbered)
    with pytest.warns(
        UserWarning, match="predicts 'LABEL_1', which `label_mapping` takes for 'neu'"
    ):
        result, dataset = predict_and_compare(
            first, classifier("neg", "pos"), PAIRS, label_mapping=(mapping, None)
        )
    assert dataset["predictions1"][:] == ["neg", "neu"]
    assert result.score1 == 0.5
    knows_more = classifier("neg", "pos", labels=("neg", "neu", "pos"))
    assert predict_and_compare(knows_more, knows_more, PAIRS).result.score1 == 1.0
    slip = {**mapping, "LABEL_0": "negative", "LABEL_2": "positive"}
    with pytest.raises(InputError, match="has: 'LABEL_0', 'LABEL_1', 'LABEL_2'"):
        predict_and_compare(never(labels=numbered), never(), PAIRS, label_mapping=(slip, None))


def test_a_class_that_numbers_lack():
    dataset = Dataset.from_dict({"text": ["a", "b"], "label": [0, 1]})
    numbered = ("LABEL_0", "LABEL_1", "LABEL_2")
    outputs = ["LABEL_0", "LABEL_2"]
    mapping = {"LABEL_0": 0, "LABEL_1": 1, "LABEL_2": "LABEL_2"}
    with pytest.raises(InputError, match=r"'LABEL_2'.*mapped to a number that no reference has"):
        predict_and_compare(
            never(labels=numbered), never(labels=numbered), dataset, label_mapping=mapping
        )
    pipelines = classifier(*outputs, labels=numbered), classifier(*outputs, labels=numbered)
    mapping = {"LABEL_0": 0, 1: 1, 2: 7}  # ids of the model will do
    result, predicted = predict_and_compare(*pipelines, dataset, label_mapping=mapping)
    assert predicted["predictions1"][:] == [0, 7]
    assert result.score1 == 0.5


@pytest.mark.parametrize("labelled", [True, False])
def test_a_label_that_counts_as_wrong(labelled):
    dataset = PAIRS.cast_column("label", ClassLabel(names=NAMES)) if labelled else PAIRS
    labels = (*NAMES, "mixed")
    result, predicted = predict_and_compare(
        classifier("neg", "mixed", labels=labels),
        classifier("neg", "pos"),
        dataset,
        label_mapping={"mixed": "mixed"},
    )
    assert predicted["predictions1"][:] == ["neg", "mixed"]
    assert (result.score1, result.score2) == (0.5, 1.0)


def test_a_pipeline_that_does_not_name_its_labels():
    nameless = classifier("neg", "mixed")
    del nameless.model
    with pytest.raises(InputError, match=r"`pipeline1` predicts labels that no reference.*'mixed'"):
        predict_and_compare(nameless, classifier("neg", "neg"), PAIRS)


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
        (REVIEWS.select([]), {}, "`dataset` has no rows"),
        (REVIEWS.add_column("predictions2", LABELS), {}, "a column 'predictions2' already: rename"),
        (["a"], {}, "`dataset` must be a Dataset"),
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
    with pytest.raises(InputError, match="`label_column`: 'tags' holds no label, all rows are emp"):
        predict_and_compare(pipeline, pipeline, dataset, **IN_WORDS)


def test_empty_sentences():
    dataset = Dataset.from_dict({"tokens": [[], ["a"]], "tags": [[], ["X"]]})
    pipelines = tagger([], [token("X", 0, 1)]), tagger([], [token("Y", 0, 1)])
    result, dataset = predict_and_compare(*pipelines, dataset, **IN_WORDS, label_mapping={"Y": "Y"})
    assert dataset["predictions1"][:] == [[], ["X"]]
    assert (result.score1, result.score2, result.n) == (1.0, 0.0, 2)
    assert np.isclose(result.pvalue, 1.0)
