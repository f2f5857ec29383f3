"""What only logs of lm-evaluation-harness have, beside what `test_formats` asks of all."""

import hashlib
import json
import math
from functools import partial
from pathlib import Path

import pytest
from scipy.stats import binomtest

from corpora.logs import GATE, lm_eval, lm_eval_files, lm_eval_log, objects, save
from pairedperm import InputError
from pairedperm.readers import read_folder, read_runs
from readers.held import first_run

ONE, TWO = lm_eval("logistic_regression"), lm_eval("naive_bayes")


def first(path, other=None, **options):
    """The first run of two."""
    return first_run(path, ONE if other is None else other, **options)


# only the first is right, only the second; accuracies in tests/logs/README.md
FLIPS = {
    ("baseline", "candidate"): (7, 4, 0.9125, 0.9),
    ("baseline", "worse"): (18, 4, 0.9125, 0.8541666666666666),
    ("candidate", "worse"): (13, 2, 0.9, 0.8541666666666666),
}


@pytest.mark.parametrize("pair", FLIPS)
def test_ci_gate(pair):
    """As McNemar's exact test."""
    wins, losses, *scores = FLIPS[pair]
    runs = read_runs(*(GATE / x for x in pair))
    found = runs.compare("acc,none")
    assert [found.score1, found.score2] == pytest.approx(scores, rel=1e-15)
    assert (found.n_wins, found.n_losses, found.n) == (wins, losses, 240)
    assert found.pvalue == pytest.approx(binomtest(wins, wins + losses).pvalue, rel=1e-12)


LISTED = [None, True, 10**20, 1e-7, math.nan, math.inf, "\n", '"', "\u2028", "\ud800", "é", [], {}]


def hashed(text):
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def test_documents_of_logs_with_and_without_hashes(tmp_path):
    """An old version hashed as the harness does now: the same documents; it named no metrics."""
    deep = []
    for _ in range(200):
        deep = [deep, "\n"]
    listed = [*LISTED, {"q": LISTED, "": {"a": 1}}, deep]
    of_all = [{"doc_id": k, "resps": [], "acc": 1} for k in range(len(listed))]
    old = [x | {"doc": y, "target": "t"} for x, y in zip(of_all, listed, strict=True)]
    texts = [json.dumps(x, indent=2, ensure_ascii=False) for x in listed]
    hashes = [{"target_hash": hashed("t"), "doc_hash": hashed(x)} for x in texts]
    new = [x | y for x, y in zip(of_all, hashes, strict=True)]
    one, two = (save(tmp_path / f"{x}.jsonl", y) for x, y in (("a", old), ("b", new)))
    assert len(read_runs(one, two).ids) == len(listed)
    changed = save(tmp_path / "c.jsonl", [old[0] | {"target": "another"}, *old[1:]])
    for other in (one, two):
        with pytest.raises(InputError, match="1 stand for different documents: 0"):
            read_runs(changed, other)


GROUP = {"exact_match,strict": 0.5, "exact_match,flexible": 0.75}
FILTERS = {"filter_list": [{"name": "strict", "filter": []}, {"name": "flexible"}]}
OLD_RESULTS = {
    "results": {"gsm8k_cot": GROUP},
    "configs": {
        "gsm8k_cot": FILTERS
        | {"metric_list": [{"metric": "exact_match", "higher_is_better": True}, "x"]}
    },
    "versions": {"gsm8k_cot": 2.0},
    "config": {"model": "hf", "model_args": "pretrained=org/small,peft=org/tuned,dtype=float"},
}
OLD_NAME = "pretrained__org__small,peft__org__tuned,dtype__float_gsm8k_cot.jsonl"


def old_log(folder, name=OLD_NAME, results=OLD_RESULTS, scores=((1, 0, 0, 1), (1, 1, 0, 1))):
    """As versions 0.4.0 to 0.4.2 write it: a list, filter by filter, and neither is named."""
    lines = [
        {"doc_id": k, "doc": {"question": f"{k}"}, "target": k, "arguments": [["q", {}]]}
        | {"resps": [["x"]], "filtered_resps": ["x"], "exact_match": float(x)}
        for of_filter in scores
        for k, x in enumerate(of_filter)
    ]
    folder.mkdir(exist_ok=True)
    save(folder / "results.json", json.dumps(results, indent=2))
    return save(folder / name, json.dumps(lines, indent=2))


@pytest.mark.parametrize(
    "name",
    [OLD_NAME, OLD_NAME.removesuffix("l"), "samples_gsm8k_cot.json"],  # of scripts
)
def test_versions_before_0_4_3(name, tmp_path):
    run = first(old_log(tmp_path / "a", name), old_log(tmp_path / "b", name))
    assert (run.task, run.version, run.model) == ("gsm8k_cot", "2.0", "org/tuned")
    assert run.scores == {
        "exact_match,strict": [1, 0, 0, 1],
        "exact_match,flexible": [1, 1, 0, 1],
    }
    assert run.lower_is_better == dict.fromkeys(run.scores, False)


@pytest.mark.parametrize(
    "results",
    [
        OLD_RESULTS | {"config": {"model_args": "pretrained=another"}},  # of the last evaluation
        {},
    ],
)
def test_old_results_of_another_run(results, tmp_path):
    run = first(*(old_log(tmp_path / x, results=results, scores=[(1, 0)]) for x in "ab"))
    assert (run.task, run.version, run.model, run.lower_is_better) == ("", "", "", {})
    assert run.scores == {"exact_match": [1, 0]}


def test_the_only_filter_need_not_be_named(tmp_path):
    """Versions before 0.4.7 did not name it. A line more than there are filters is one twice."""
    configs = {"gsm8k_cot": {"filter_list": [{"name": "strict"}]}}
    written = partial(old_log, results=OLD_RESULTS | {"configs": configs, "results": {}})
    one, two = (written(tmp_path / x, scores=[y]) for x, y in (("a", (1, 0)), ("b", (0, 0))))
    runs = read_runs(one, two)
    assert runs.metrics == ("exact_match,strict",)
    assert runs.compare("exact_match") == runs.compare("exact_match,strict")
    with pytest.raises(InputError, match="2 more than once in "):
        read_runs(one, written(tmp_path / "c", scores=[(1, 0)] * 2))


def test_json_of_lines(tmp_path):
    """As of the Open LLM Leaderboard: the name tells the task, and the results what they do."""
    (results,) = TWO.parent.glob("results_*.json")
    renamed = save(tmp_path / TWO.name.removesuffix("l"), TWO.read_bytes())
    alone = first(renamed)
    assert (alone.task, alone.model) == ("tumors", "")
    save(tmp_path / results.name, results.read_bytes())
    save(tmp_path / f"._{results.name}", b"\x00\x05\x16\x07")  # of macOS, of the same ending
    run = first(renamed)
    assert (run.task, run.version, run.model) == ("tumors", "Yaml", "scikit-learn/naive_bayes")


def test_results_of_another_name(tmp_path):
    """As `--output_path NAME.json` calls them: their date is that of the log."""
    for day, (name, errors) in enumerate((("good", [1, 2, 3, 4]), ("bad", [5, 6, 7, 8])), 1):
        for path, content in lm_eval_files({"steps": errors}, {"steps": 2}, ["steps"]).items():
            if path.startswith("results"):
                content = json.dumps(json.loads(content) | {"model_name": name})
            renamed = path.replace("results", name).replace("11-24", f"11-{day:02}")
            save(tmp_path / renamed, content)
            save(tmp_path / f"._{renamed}", b"\x00\x05\x16\x07")
    with pytest.warns(UserWarning, match="is reported with"):
        board = read_folder(tmp_path).leaderboard()
    assert [x["system"] for x in board.to_dict()["systems"]] == ["good", "bad"]


@pytest.mark.parametrize(
    "column",
    [
        [math.inf, -math.inf, 1.0],
        [10**400, 1, 2],
        [None, None, None],
        ["yes", "no", "no"],
        [[1, 2], [1, 2, 3], [1, 2]],
        [{"a": 1}, {"a": 2}, {"a": 3}],
        [[-1e308, 1]] * 3,
    ],
    ids=str,
)
def test_what_is_logged_may_be_anything(column, tmp_path):
    """A log is read, and its metrics that can be compared are: refusals come with a comparison."""
    names = ("perplexity", "word_perplexity", "bleu", "f1", "other")
    for value in (None, 0.5, -0.5, 10**400):
        columns = dict.fromkeys(names, column) | {"acc": [0, 1, 1]}
        written = (lm_eval_log(tmp_path / x, columns, dict.fromkeys(names, value)) for x in "ab")
        run = first(*written)
        assert run.scores["acc"] == [0, 1, 1]
        assert {*names, "acc"} == {*run.metrics, *run.left_out}


def test_logs_of_lmms_eval(tmp_path):
    """`<date>_samples_<task>.jsonl`, whose lines have an input and no list of metrics."""
    for model, scores in {"a": (1.0, 0.0), "b": (1.0, 1.0)}.items():
        (tmp_path / model).mkdir()
        start = tmp_path / model / "20250110_102231_"
        lines = [
            {"doc_id": k, "target": "x", "filtered_resps": ["x"], "doc_hash": f"{k}"}
            | {"exact_match": x, "input": "<image>?"}
            for k, x in enumerate(scores)
        ]
        save(Path(f"{start}samples_pope.jsonl"), lines)
        told = {"results": {"pope": {}}, "versions": {"pope": 1.0}, "model_name": f"org/{model}"}
        save(Path(f"{start}results.json"), json.dumps(told))
    runs = read_runs(tmp_path / "a", tmp_path / "b")
    assert (runs.task, [*runs.systems], runs.metrics) == (
        "pope",
        ["org/a", "org/b"],
        ("exact_match",),
    )
    assert {x.version for x in runs.systems.values()} == {"1.0"}


def test_a_dataset_that_lost_a_document(tmp_path):
    """Then all that follow have another doc_id: a place, by which neighbours would be paired."""

    def placed(path, name, first):
        lines = [x | {"doc_id": k} for k, x in enumerate(objects(path)[first:])]
        return save(tmp_path / name, lines)

    runs = read_runs(placed(ONE, "x.jsonl", 0), placed(TWO, "y.jsonl", 1), on_missing="drop")
    assert runs.ids == sorted(str(k) for k in range(1, 16))
    wins = [x["acc"] > y["acc"] for x, y in zip(objects(ONE), objects(TWO), strict=True)]
    assert runs.compare("acc").n_wins == sum(wins[1:])
