"""Logs of lm-evaluation-harness, which wrote them."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from corpora.logs import GATE, SYSTEMS, changed, lm_eval, lm_eval_log, log, objects, save
from pairedperm import InputError, paired_permutation_test
from pairedperm.readers import lm_eval as lm_eval_logs
from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.examples import flips
from pairedperm.readers.formats import read_logs
from pairedperm.readers.lm_eval import read as read_lm_eval
from pairedperm.readers.read_options import ReadOptions
from pairedperm.readers.text_file import TextFile


def read(path):
    (run,) = read_lm_eval(TextFile("path1", path))
    return run


@pytest.mark.parametrize("system", [*SYSTEMS, "qdpv68r5"])
def test_what_a_log_says(system):
    path = lm_eval(system)
    run, lines = read(path), objects(path)
    assert (run.task, run.version, run.path) == ("tumors", "Yaml", str(path))
    assert run.model == (system if system == "qdpv68r5" else f"scikit-learn/{system}")
    assert run.ids == [x["doc_id"] for x in lines]
    assert run.scores == {name: [x[name] for x in lines] for name in ("acc", "acc_norm")}
    assert run.documents == [(x["doc_hash"], x["target_hash"]) for x in lines]
    assert run.prompts == [x["prompt_hash"] for x in lines]
    assert run.lower_is_better == {"acc": False, "acc_norm": False, "brier_score": True}
    assert [*run.left_out] == ["brier_score"]
    results = json.loads(next(path.parent.glob("results_*.json")).read_text("utf-8"))
    for name, scores in run.scores.items():
        mean = results["results"]["tumors"][f"{name},none"]
        assert sum(scores) / len(scores) == pytest.approx(mean, rel=1e-12)


def test_filters_are_metrics():
    path = lm_eval("naive_bayes", "findings")
    run, lines = read(path), objects(path)
    assert len(lines) == 16
    assert run.ids == [x["doc_id"] for x in lines if x["filter"] == "strict-match"]
    for name in ("strict-match", "flexible-extract"):
        wanted = [x["exact_match"] for x in lines if x["filter"] == name]
        assert run.scores[f"exact_match,{name}"] == wanted
    assert run.n_repeats is None
    runs = read_runs(path, lm_eval("logistic_regression", "findings"))
    assert runs.metrics == ("exact_match,strict-match", "exact_match,flexible-extract")
    assert [*runs.systems] == ["scikit-learn/naive_bayes", "scikit-learn/logistic_regression"]


def test_published():
    run = read(log("published/lm_eval/samples_*.jsonl"))
    assert (run.task, run.version, len(run.ids)) == ("math_perturbed_full", "1.0", 10)
    assert [*run.scores] == ["exact_match"]


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
    found = runs.compare("acc")
    assert [found.score1, found.score2] == pytest.approx(scores, rel=1e-15)
    assert (found.n_wins, found.n_losses, found.n) == (wins, losses, 240)
    p = binomtest(wins, wins + losses).pvalue
    assert found.pvalue == pytest.approx(p, rel=1e-12)
    for alternative in ("greater", "less"):
        p = binomtest(wins, wins + losses, alternative=alternative).pvalue
        assert runs.compare("acc", alternative=alternative).pvalue == pytest.approx(p, rel=1e-12)
    assert [*map(len, flips(runs.examples("acc")))] == [wins, losses]


def test_ci_gate_as_printed():
    first, second = ((GATE / x) for x in ("candidate", "worse"))
    assert read_runs(GATE / "baseline", first).compare("acc").pvalue == 0.548828125
    p = read_runs(GATE / "baseline", second).compare("acc,none").pvalue
    assert p == pytest.approx(0.00434351, abs=5e-9)


def test_as_aligned_by_hand(tmp_path):
    """Of half of the documents, in another order."""
    lines = [objects(lm_eval(x)) for x in ("logistic_regression", "qdpv68r5")]
    first, second = ({x["doc_id"]: x["acc_norm"] for x in y} for y in lines)
    common = sorted(first.keys() & second.keys())
    wanted = paired_permutation_test([first[x] for x in common], [second[x] for x in common])
    save(tmp_path / "x.jsonl", lines[0][::-1])
    runs = read_runs(tmp_path / "x.jsonl", lm_eval("qdpv68r5"), on_missing="drop")
    assert runs.ids == common
    found = runs.compare("acc_norm")
    assert (found.pvalue, found.statistic) == (wanted.pvalue, wanted.statistic)


def test_metrics_that_are_no_numbers():
    runs = read_runs(lm_eval("naive_bayes"), lm_eval("decision_tree"))
    said = "left out: brier_score of scikit-learn/naive_bayes: no number per example, but [1, '["
    assert said in str(runs)


def test_lines_without_hashes_or_names_of_metrics(tmp_path):
    """As older versions write them: the document and the target themselves are compared."""
    new = ("doc_hash", "target_hash", "prompt_hash", "metrics", "filter")

    def older(line):
        return {name: x for name, x in line.items() if name not in new}

    def other(line):
        return older(line) | ({"target": "7"} if line["doc_id"] == 38 else {})

    path = lm_eval("naive_bayes")
    one = changed(path, tmp_path / "one", older)
    run = read(one)
    assert [*run.scores] == ["acc", "acc_norm"]
    assert run.scores == read(path).scores
    assert read_runs(one, changed(path, tmp_path / "two", older)).matching.unmatched == []
    with pytest.raises(InputError, match="1 stand for different documents: 38"):
        read_runs(one, changed(path, tmp_path / "three", other))


OLD_RESULTS = {
    "results": {"gsm8k_cot": {"exact_match,strict": 0.5, "exact_match,flexible": 0.75}},
    "configs": {
        "gsm8k_cot": {
            "filter_list": [{"name": "strict", "filter": []}, {"name": "flexible"}],
            "metric_list": [{"metric": "exact_match", "higher_is_better": True}, "x"],
        }
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
    run = read(old_log(tmp_path, name))
    assert (run.task, run.version, run.model) == ("gsm8k_cot", "2.0", "org/tuned")
    assert run.scores == {
        "exact_match,strict": [1, 0, 0, 1],
        "exact_match,flexible": [1, 1, 0, 1],
    }
    assert run.lower_is_better == dict.fromkeys(run.scores, False)
    assert (run.n_repeats, run.doubts) == (None, {})
    assert run.documents[3] == (run.documents[3][0], lm_eval_logs._digest("3"))


@pytest.mark.parametrize(
    "results",
    [
        OLD_RESULTS | {"config": {"model_args": "pretrained=another"}},  # of the last evaluation
        OLD_RESULTS | {"configs": {}},
        {},
    ],
)
def test_old_results_of_another_run(results, tmp_path):
    run = read(old_log(tmp_path, results=results, scores=[(1, 0)]))
    assert (run.task, run.version, run.model, run.lower_is_better) == ("", "", "", {})
    assert run.scores == {"exact_match": [1, 0]}


def test_the_only_filter_need_not_be_named(tmp_path):
    """Versions before 0.4.7 did not name it. A line more than there are filters is one twice."""
    config = OLD_RESULTS["configs"]["gsm8k_cot"] | {"filter_list": [{"name": "strict"}]}
    results = OLD_RESULTS | {"configs": {"gsm8k_cot": config}, "results": {}}
    one, two = (
        old_log(tmp_path / x, results=results, scores=[y])
        for x, y in {"a": (1, 0, 0, 1), "b": (0, 0, 0, 1)}.items()
    )
    runs = read_runs(one, two)
    assert runs.metrics == ("exact_match,strict",)
    assert runs.compare("exact_match") == runs.compare("exact_match,strict")
    twice = old_log(tmp_path / "c", results=results)
    with pytest.raises(InputError, match="4 more than once in "):
        read_runs(one, twice)


def test_json_of_lines(tmp_path):
    """As of the Open LLM Leaderboard: the name tells the task, and the results what they do."""
    path = lm_eval("naive_bayes")
    (results,) = path.parent.glob("results_*.json")
    renamed = save(tmp_path / path.name.removesuffix("l"), path.read_bytes())
    alone = read(renamed)
    assert (alone.task, alone.model) == ("tumors", "")
    save(tmp_path / results.name, results.read_bytes())
    run = read(renamed)
    assert (run.task, run.version, run.model) == ("tumors", "Yaml", "scikit-learn/naive_bayes")
    assert len(read_runs(tmp_path, lm_eval("logistic_regression")).ids) == 16


def test_an_example_that_comes_twice(tmp_path):
    path = lm_eval("naive_bayes")
    lines = objects(path)
    other = lines[3] | {"doc_hash": "0"}
    for more, ids in (
        ([lines[2], lines[3]], "38, 40"),
        ([other], "40"),
        ([other, lines[2]], "38, 40"),
    ):
        twice = save(tmp_path / "twice.jsonl", [*lines, *more])
        runs = read_runs(path, twice, on_missing="drop")
        assert f"more than once in {twice}: {ids}" in str(runs)
        assert len(runs.ids) == 16 - len(ids.split(", "))


def test_a_dataset_that_lost_a_document(tmp_path):
    """Then all that follow have another doc_id: a place, by which neighbours would be paired."""
    one, two = lm_eval("logistic_regression"), lm_eval("naive_bayes")
    ids = iter(range(99))
    lost = objects(two)[0]["doc_id"]
    shifted = changed(
        two, tmp_path / "x", lambda x: None if x["doc_id"] == lost else x | {"doc_id": next(ids)}
    )
    lines = iter(range(99))
    first = changed(one, tmp_path / "y", lambda x: x | {"doc_id": next(lines)})
    runs = read_runs(first, shifted, on_missing="drop")
    right = [[x["acc"] for x in objects(y)] for y in (one, two)]
    assert runs.ids == sorted(str(k) for k in range(1, 16))
    assert runs.compare("acc").score1 == sum(right[0][1:]) / 15
    assert runs.compare("acc").n_wins == sum(right[0][k] > right[1][k] for k in range(1, 16))


def test_a_metric_that_some_lines_lack(tmp_path):
    path = lm_eval("naive_bayes")

    def fewer(line):
        line["acc"] = {38: None, 40: float("nan")}.get(line["doc_id"], line["acc"])
        return line | {"metrics": ["acc_norm"]} if line["doc_id"] == 31 else line

    few = changed(path, tmp_path / "few", fewer)
    runs = read_runs(path, few)
    assert runs.compare("acc_norm").n == 16
    assert read_runs(path, few, on_missing="drop").compare("acc").n == 13


def test_results_beside_that_are_hidden(tmp_path):
    """A file system of macOS writes such a file beside each, of the same ending."""
    log = lm_eval("naive_bayes")
    (results,) = log.parent.glob("results_*.json")
    for path in (log, results):
        save(tmp_path / path.name, path.read_bytes())
    save(tmp_path / f"._{results.name}", b"\x00\x05\x16\x07")
    assert read(tmp_path / log.name).model == "scikit-learn/naive_bayes"


def test_results_of_another_name(tmp_path):
    """As `--output_path NAME.json` calls them: their date is that of the log."""
    for day, (name, errors) in enumerate((("good", [1, 2, 3, 4]), ("bad", [5, 6, 7, 8])), 1):
        for path in lm_eval_log(
            tmp_path / "x", {"steps": errors}, {"steps": sum(errors) / 4}
        ).parent.iterdir():
            content = path.read_text("utf-8")
            if path.name.startswith("results"):
                told = {
                    "model_name": name,
                    "versions": {"t": 2},
                    "higher_is_better": {"t": {"steps": False}},
                }
                content = json.dumps(json.loads(content) | told)
            renamed = path.name.replace("results", name).replace("11-24", f"11-{day:02}")
            (tmp_path / "all").mkdir(exist_ok=True)
            save(tmp_path / "all" / renamed, content)
            save(tmp_path / "all" / f"._{renamed}", b"\x00\x05\x16\x07")
    runs = read_folder(tmp_path / "all")
    assert {x.version for x in runs.systems.values()} == {"2"}
    board = runs.leaderboard()
    assert board.scores == {"good": 2.5, "bad": 6.5}
    assert [x["system"] for x in board.to_dict()["systems"]] == ["good", "bad"]


@pytest.mark.parametrize(
    "content", ["{}", '{"versions": 3, "higher_is_better": {"tumors": {"acc": 1}}}']
)
def test_results_that_say_nothing(content, tmp_path):
    path = changed(lm_eval("naive_bayes"), tmp_path / "x", dict)
    assert (read(path).task, read(path).model) == ("tumors", "")  # nothing is beside it
    save(path.with_name(path.name.replace("samples_tumors", "results").removesuffix("l")), content)
    run = read(path)
    assert (run.version, run.model, run.lower_is_better) == ("", "", {})


def test_logs_without_hashes_have_those_of_the_harness(tmp_path):
    """Of an old version and a new one: the same documents."""
    hashes = ("doc_hash", "target_hash")
    path = lm_eval("naive_bayes")
    old = changed(path, tmp_path / "old", lambda x: {y: z for y, z in x.items() if y not in hashes})
    assert read(old).documents == read(path).documents


texts = st.text(st.characters(exclude_categories=())) | st.sampled_from(["\n", '"', "\u2028"])
leaves = st.none() | st.booleans() | st.integers() | st.floats() | texts
documents = st.recursive(
    leaves, lambda x: st.lists(x, max_size=4) | st.dictionaries(texts, x, max_size=4)
)


@given(documents)
def test_a_document_is_written_as_the_harness_writes_it(document):
    written = json.dumps(document, indent=2, ensure_ascii=False)
    assert lm_eval_logs._indented(document) == written


def test_a_deep_document():
    document = []
    for _ in range(600):
        document = [document, "\n"]
    assert lm_eval_logs._indented(document) == json.dumps(document, indent=2, ensure_ascii=False)


@pytest.mark.parametrize(
    "column",
    [
        [math.inf, -math.inf, 1.0],
        [-math.inf, -1.0, -2.0],
        [10**400, 1, 2],
        [None, None, None],
        ["yes", "no", "no"],
        [0.5, "no", [1, 2]],
        [[1, 2], [1, 2, 3], [1, 2]],
        [[1, "a"], [1, "b"], [1, "a"]],
        [{"a": 1}, {"a": 2}, {"a": 3}],
        [[-1.0, 0], [-2.0, 0], [0, 0]],
        [[-1e308, 1]] * 3,
        [["a", []], ["b", []], ["a", []]],
    ],
    ids=str,
)
def test_what_is_logged_may_be_anything(column, tmp_path):
    """A log is read, and its metrics that can be compared are: refusals come with a comparison."""
    names = ("perplexity", "word_perplexity", "bleu", "f1", "other")
    for value in (None, 0.5, -0.5, 10**400):
        columns = dict.fromkeys(names, column) | {"acc": [0, 1, 1]}
        run = read(lm_eval_log(tmp_path / "a", columns, dict.fromkeys(names, value)))
        assert run.scores["acc"] == [0, 1, 1]
        assert {*names, "acc"} == {*run.metrics, *run.left_out}


def test_logs_of_lmms_eval(tmp_path):
    """`<date>_samples_<task>.jsonl`, whose lines have an input and no list of metrics."""
    for model, scores in {"a": (1.0, 0.0), "b": (1.0, 1.0)}.items():
        folder = tmp_path / model
        folder.mkdir()
        for task in ("mmmu_val", "pope"):
            lines = [
                {"doc_id": k, "target": "x", "filtered_resps": ["x"], "doc_hash": f"{k}"}
                | {"exact_match": x, "input": "<image>?"}
                for k, x in enumerate(scores)
            ]
            save(folder / f"20250110_102231_samples_{task}.jsonl", lines)
        results = {
            "results": {"pope": {"exact_match,none": sum(scores) / 2}},
            "versions": {"pope": 1.0},
            "higher_is_better": {"pope": {"exact_match": True}},
            "model_name": f"org/{model}",
        }
        save(folder / "20250110_102231_results.json", json.dumps(results))
    runs = read_runs(tmp_path / "a", tmp_path / "b")
    assert [*runs.tasks] == ["mmmu_val", "pope"]
    pope = runs.tasks["pope"]
    assert ([*pope.systems], pope.metrics) == (["org/a", "org/b"], ("exact_match",))
    assert {x.version for x in pope.systems.values()} == {"1.0"}
    assert pope.compare().n_losses == 1


def test_logs_of_many_dates(tmp_path, monkeypatch):
    """Each finds the results of its date, and their folder is listed once."""
    dates = [f"2026-11-24T15-05-{k:02}.5" for k in range(20)]
    for k, date in enumerate(dates):
        save(tmp_path / f"samples_t{k}_{date}.jsonl", [{"doc_id": 1, "resps": [], "acc": 1}])
        results = json.dumps({"results": {}, "model_name": f"model {k}"})
        save(tmp_path / f"{'results' if k % 2 else 'NAME'}_{date}.json", results)
    listed = []
    monkeypatch.setattr(Path, "iterdir", lambda x, of=Path.iterdir: listed.append(x) or of(x))
    runs = read_logs("paths", tmp_path, ReadOptions())
    assert {x.task: x.model for x in runs} == {f"t{k}": f"model {k}" for k in range(20)}
    assert listed.count(tmp_path) == 1
