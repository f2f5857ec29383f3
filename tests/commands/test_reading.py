"""The options that say which logs are read, and which metric of them with which options."""

from pathlib import Path

import fsspec
import pytest

from commands.files import TASKS, write_table, write_tasks
from corpora.logs import lm_eval_groups, log
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


def test_two_systems_of_one_file(found):
    path = log("promptfoo/results.json").as_posix()
    line = f"compare {path} {path} --system two --system one --on-missing drop --metric score"
    out = found(line)
    assert (out["system1"], out["score1"], out["score2"]) == ("two", 0.75, 0.75)


# Boards


@pytest.mark.parametrize(("is_by_size", "weights"), [(True, "size"), (False, "equal")])
def test_a_reported_average(here, found, is_by_size, weights):
    """One that other weights make is told, with those that the harness may have meant."""
    scores = {"g_a": [1, 0, 1, 1], "g_b": [0, 1]}
    of_systems = {"x": scores, "y": {task: [1 - x for x in y] for task, y in scores.items()}}
    for name, own in of_systems.items():
        lm_eval_groups(here / name, own, {"g": [*scores]}, is_by_size)
    line = "leaderboard x y --metric acc --weights"
    assert found(f"{line} {weights}")["matching"][-1].startswith("average w")
    (other,) = {"size", "equal"} - {weights}
    told = found(f"{line} {other}")["matching"][-2:]
    assert [x.partition(" of ")[0] for x in told] == [
        f"group 'g': 0.{x} is reported"
        for x in (("666667", "333333") if is_by_size else ("625", "375"))
    ]
    assert all(x.endswith(f"; weigh them otherwise, --weights {weights}") for x in told)


def test_what_is_left_out_stands_in_the_json_of_the_first(here, found):
    write_tasks(dict.fromkeys(("one", "three"), TASKS["a"]), "acc7")
    write_tasks(dict.fromkeys(("five", "four"), TASKS["a"]))
    boards = found("leaderboard tasks --metric acc")
    assert [x["task"] for x in boards] == ["five", "four"]
    assert [sum("left out" in x for x in y["matching"]) for y in boards] == [2, 0]
