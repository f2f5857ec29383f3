"""The options that say which logs are read, and which metric of them with which options."""

from pathlib import Path

import fsspec
import pytest

from commands.columns import answers, references
from corpora.logs import log
from pairedperm import compare, paired_permutation_test
from properties import one_in

TEXTS = ("compare", "text1.jsonl", "text2.jsonl")


METRICS = [
    ("text", ("--metric", "accuracy"), ("accuracy", {})),
    ("text", (), ("accuracy", {})),
    ("text", ("--metric", "f1", "-o", "average=macro"), ("f1", {"average": "macro"})),
    ("text", ("--metric", "f1", "-o", "pos_label=a"), ("f1", {"pos_label": "a"})),
    ("text", ("--metric", "f1", "-o", " pos-label=b"), ("f1", {"pos_label": "b"})),
    ("int", ("--metric", "f1", "-o", "pos_label=1"), ("f1", {"pos_label": 1})),
    (
        "text",
        ("--metric", "f1", "-o", "average=micro", "-o", "labels=a,b"),
        ("f1", {"average": "micro", "labels": ["a", "b"]}),
    ),
    (
        "text",
        ("--metric", "f1", "-o", "average=micro", "-o", 'labels=["a", "b"]'),
        ("f1", {"average": "micro", "labels": ["a", "b"]}),
    ),
    (
        "int",
        ("--metric", "f1", "-o", "average=macro", "-o", "labels=1,2"),
        ("f1", {"average": "macro", "labels": [1, 2]}),
    ),
    (
        "int",
        ("--metric", "fbeta", "-o", "beta=0.5", "-o", "average=macro"),
        ("fbeta", {"beta": 0.5, "average": "macro"}),
    ),
    ("text", ("--metric", "squad_exact_match"), ("squad_exact_match", {})),
]


@one_in(3)
@pytest.mark.parametrize(("kind", "flags", "asked"), METRICS, ids=lambda x: " ".join(map(str, x)))
def test_metrics_of_predictions(logs, found, kind, flags, asked):
    metric, options = asked
    one, two = f"{kind}1", f"{kind}2"
    columns = answers(one), answers(two), references(one)
    expected = compare(*columns, metric, confidence_level=0.95, **options).to_dict()
    result = found("compare", f"{one}.jsonl", f"{two}.jsonl", *flags)
    assert {key: result[key] for key in expected} == expected


TEXT_LABELS = ["1", "2", "None", "true", "2,1", "True", "False"]


@pytest.mark.parametrize("text", ["1", "2,1", "true", "None", "True", "False"])
def test_labels_that_are_texts_stay_texts(write, found, text):
    """In JSON or Python they would be something else."""
    for k, column in enumerate((TEXT_LABELS, ["1"] * 7), 1):
        write(f"a{k}.jsonl", prediction=column, reference=TEXT_LABELS)
    arguments = ("compare", "a1.jsonl", "a2.jsonl", "--metric", "f1")
    out = found(*arguments, "-o", f"pos_label={text}")
    assert out["metric_options"]["pos_label"] == text


@pytest.mark.parametrize(("text", "label"), [("True", True), ("false", False), ("1", 1)])
def test_labels_that_are_no_texts_are_as_in_python(write, found, text, label):
    """Of truth values as of numbers: what the references are."""
    right = [True, False, True, True] * 4 if isinstance(label, bool) else [1, 0, 2, 1] * 4
    write("a1.jsonl", prediction=right[1:] + right[:1], reference=right)
    write("a2.jsonl", prediction=right, reference=right)
    arguments = ("compare", "a1.jsonl", "a2.jsonl", "--metric", "f1", "-o", f"pos_label={text}")
    assert found(*arguments)["metric_options"]["pos_label"] == label


def test_labels_of_sets(write, found):
    """They are of the type of what is in the sets."""
    right = [["1", "2"], ["2"], []] * 4
    write("a1.jsonl", prediction=[["1"], ["2"], ["1"]] * 4, reference=right)
    write("a2.jsonl", prediction=[["1"], ["1"], ["1"]] * 4, reference=right)
    flags = ("-o", "multilabel=true", "-o", "labels=1,2", "-o", "average=micro")
    out = found("compare", "a1.jsonl", "a2.jsonl", "--metric", "f1", *flags)
    assert out["metric_options"]["labels"] == ["1", "2"]
    assert out["n_wins"] == 4


def test_references_and_missing(logs, found, write, said):
    """Of the ids that both have, or of none."""
    out = found("compare", "plain1.jsonl", "plain2.jsonl", "--references", "right.jsonl")
    assert out["p"] == found(*TEXTS)["p"]
    fsspec.filesystem("memory").pipe("/right.jsonl", Path("right.jsonl").read_bytes())
    flags = ("--references", "memory://right.jsonl")
    assert out == found("compare", "plain1.jsonl", "plain2.jsonl", *flags)
    write("part.jsonl", id=[3, 4, 5], prediction=["a", "b", "a"], reference=["a", "b", "a"])
    out = said("compare", "text1.jsonl", "part.jsonl", "--on-missing", "drop")
    assert "3 examples matched by id\nleft out: 17 not in part.jsonl: 0, 1, 2, 6, 7" in out


def test_repeats(write, found):
    for name, scores in (("a", [1, 1, 0, 1]), ("b", [0, 1, 0, 0])):
        write(f"{name}.jsonl", id=[7, 7, 8, 8], score=scores)
    out = found("compare", "a.jsonl", "b.jsonl", "--repeats")
    expected = paired_permutation_test([1, 0.5], [0.5, 0])
    assert (out["n"], out["p"], out["score1"]) == (2, expected.pvalue, 0.75)


def test_columns(write, found):
    """Each has a name; groups are swapped together."""
    for k, right in enumerate(("aaaabb", "aabbbb"), 1):
        write(
            f"a{k}.jsonl", key=[*"uvwxyz"], answer=[*right], gold=["a"] * 6, doc=[1, 1, 2, 2, 3, 3]
        )
    flags = ("--id", "key", "--prediction", "answer", "--reference", "gold", "--group", "doc")
    out = found("compare", "a1.jsonl", "a2.jsonl", *flags)
    expected = compare([*"aaaabb"], [*"aabbbb"], ["a"] * 6, groups=[1, 1, 2, 2, 3, 3])
    assert (out["n_groups"], out["p"]) == (3, expected.pvalue)


def test_documents_that_are_meant_to_differ(write, said, refused):
    """The ids are listed, and the flag that lets ids alone tell."""
    for k, order in enumerate(("ab", "ba")):
        documents = {"doc": [{"options": [*order]}] * 2, "target": ["a"] * 2}
        write(f"{k}.jsonl", doc_id=[1, 2], resps=[[], []], acc=[k, k], **documents)
    message = refused("compare", "0.jsonl", "1.jsonl", "--metric", "acc")
    assert "2 stand for different documents: 1, 2. If documents are meant to differ" in message
    assert "match by id alone, --same-documents id" in message
    out = said("compare", "0.jsonl", "1.jsonl", "--metric", "acc", "--same-documents", "id")
    assert "by id alone: documents differ on 2 of them" in out


def test_two_systems_of_one_file(found):
    path = str(log("promptfoo/results.json"))
    flags = ("--on-missing", "drop", "--metric", "score")
    result = found("compare", path, path, "--system", "two", "--system", "one", *flags)
    assert (result["system1"], result["score1"], result["score2"]) == ("two", 0.75, 0.75)
