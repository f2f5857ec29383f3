"""The options that say which logs are read, and which metric of them with which options."""

from pathlib import Path

import fsspec
import pytest

from commands.files import write_table
from commands.said import in_shell, made
from pairedperm import compare

PAIR = "compare a1.jsonl a2.jsonl"
TEXTS = ["1", "2", "None", "true", "2,1", "True", "False"]
SETS = [["1", "2"], ["2"], []] * 4
OF_SETS = "-o multilabel=true -o average=micro -o"


@pytest.mark.parametrize(
    ("given", "right", "wanted"),
    [  # in JSON or Python they would be something else
        *((f"-o pos_label={x}", TEXTS, {"pos_label": x}) for x in TEXTS if x != "true"),
        ("-o pos_label=True", [True, False, True, True] * 4, {"pos_label": True}),
        ("-o pos_label=false", [True, False, True, True] * 4, {"pos_label": False}),
        ("-o pos_label=1", [1, 0, 2, 1] * 4, {"pos_label": 1}),
        (f"{OF_SETS} labels=1,2", SETS, {"labels": ["1", "2"]}),
        ('-o average=micro -o \'labels=["1", "2"]\'', TEXTS, {"labels": ["1", "2"]}),
    ],
)
def test_labels_are_of_the_type_of_the_references(found, given, right, wanted):
    """Of sets, of what is in them."""
    write_table("a1", {"prediction": right[1:] + right[:1], "reference": right})
    write_table("a2", {"prediction": right, "reference": right})
    assert found(f"{PAIR} --metric f1 {given}")["metric_options"].items() >= wanted.items()


def test_a_direction_beside_perplexities(found):
    """It is that of the means; the perplexity has its own."""
    with in_shell(made().name):
        told = found("compare both/new both/old --lower-is-better")["tests"]
    assert {x["logged"]: x["n_wins"] for x in told} == {"mine": 0, "perplexity": 12}


def test_references(logs, found):
    """They may be a table of their own, or a URL."""
    fsspec.filesystem("memory").pipe("/right.jsonl", Path("right.jsonl").read_bytes())
    for place in ("right.jsonl", "memory://right.jsonl"):
        out = found(f"compare plain1.jsonl plain2.jsonl --references {place}")
        assert out["p"] == found("compare text1.jsonl text2.jsonl")["p"]


def test_columns(found):
    """Each has a name; groups are swapped together."""
    groups = [1, 1, 2, 2, 3, 3]
    for k, answers in enumerate(("aaaabb", "aabbbb"), 1):
        columns = {"key": [*"uvwxyz"], "answer": [*answers], "gold": ["a"] * 6, "doc": groups}
        write_table(f"a{k}", columns)
    out = found(f"{PAIR} --id key --prediction answer --reference gold --group doc")
    expected = compare([*"aaaabb"], [*"aabbbb"], ["a"] * 6, groups=groups)
    assert (out["n_groups"], out["p"]) == (3, expected.pvalue)
