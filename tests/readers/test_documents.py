"""When two documents are the same, and how a message shows two that differ."""

import pytest

from corpora.logs import changed, lm_eval
from pairedperm import InputError
from pairedperm.errors.wording import worded
from pairedperm.readers import read_runs
from pairedperm.readers.documents import Document, both_sides
from pairedperm.readers.matching import match
from pairedperm.readers.run import Run


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": 1, "b": 3}, {"a": 1, "b": 2}, False),
        ({"a": 1}, {"b": 1}, False),
        ({}, {"b": 1}, True),
        ({}, {}, True),
    ],
)
def test_parts_that_both_have(one, two, same):
    assert (Document(one) == Document(two)) is same
    assert (Document(two) != Document(one)) is not same
    assert Document(one) != [*one]


def test_parts_that_the_first_of_three_lacks():
    """As a log of before December 2025 lacks the choices, which two later ones have shuffled."""
    documents = [Document(input="q", **x) for x in ({}, {"choices": "ab"}, {"choices": "ba"})]
    runs = [run(x, document) for x, document in zip("abc", documents, strict=True)]
    assert match(runs[:2], "error").ids == match(runs[1::-1], "error").ids == [7]
    for some in (runs, runs[1:], runs[::-1]):
        with pytest.raises(InputError, match=r"different documents: 7\. Id 7: {'choices': '"):
            match(some, "error")


def run(path, document, **columns):
    return Run(path=path, format="lm_eval", ids=[7], documents=[document], **columns)


@pytest.mark.parametrize(
    ("one", "two", "said"),
    [
        ("x", "y", "Id 7: x in a; y in b"),
        ("x\n \ty", "x  y", ""),
        (
            Document(input="q" * 300, choices="[1, 2]"),
            Document(input="q" * 300, choices="[2, 1]"),
            "Id 7: {'choices': '[1, 2]'} in a; {'choices': '[2, 1]'} in b",
        ),
        (
            "q" * 300 + "1" * 100,
            "q" * 300 + "\x1b",
            f"Id 7: …{'q' * 20}{'1' * 58}… in a; …{'q' * 20}\\x1b in b",
        ),
    ],
)
def test_both_sides(one, two, said):
    """From shortly before they differ, and only the parts that do."""
    runs = run("a", one), run("c", None), run("b", two)
    assert worded(both_sides(7, runs, [one, None, two])) == said


def test_both_sides_are_read_again():
    """Where the logs hold hashes; not if a file is no longer the same."""
    texts = {"x": ["text"], "y": ["other"]}
    runs = [run(x, x, document_of=lambda _, x=x: next(iter(texts[x]))) for x in texts]
    assert worded(both_sides(7, runs, ["x", "y"])) == "Id 7: text in x; other in y"
    texts["y"].clear()
    assert worded(both_sides(7, runs, ["x", "y"])) == "Id 7: text in x; y in y"


def test_by_id_alone():
    """As for options that are shuffled."""
    runs = run("a", "x"), run("b", "y")
    with pytest.raises(
        InputError, match=r"no example is left\. .* Id 7: x in a; y in b\. If docum"
    ):
        match(runs, "drop")
    found = match(runs, "error", "id")
    assert (found.ids, found.n_documents) == ([7], 1)
    assert str(found) == "1 example matched by id\nby id alone: documents differ on 1 of them"
    same = match(runs[:1] * 2, "error", "id")
    assert (same.n_documents, str(same)) == (0, "1 example matched by id\nby id alone")


def test_options_that_are_shuffled(tmp_path):
    """The harness logs hashes, and the documents: these are shown."""
    one, two = lm_eval("logistic_regression"), lm_eval("naive_bayes")

    def shuffled(line):
        document = line["doc"] | {"label": 1 - line["doc"]["label"]}
        return line | {"doc": document, "doc_hash": line["doc_hash"][::-1]}

    other = changed(two, tmp_path / "x", shuffled)
    with pytest.raises(InputError, match=r"Id 31: {'label': 1} in .*; {'label': 0} in .*\. If"):
        read_runs(one, other)
    runs = read_runs(one, other, same_documents="id")
    assert "by id alone: documents differ on 16 of them" in str(runs)
    assert runs.compare("acc") == read_runs(one, two).compare("acc")
