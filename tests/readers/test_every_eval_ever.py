"""Logs of Every Eval Ever, which its converters wrote from those of other tools."""

import json
from fractions import Fraction

import pytest

from corpora.logs import LOGS, changed, every_eval_ever, lm_eval, log, objects, save
from pairedperm import InputError
from pairedperm.readers import read_runs
from pairedperm.readers.every_eval_ever import read as read_every_eval_ever
from pairedperm.readers.read import read_tasks
from pairedperm.readers.read_options import ReadOptions
from pairedperm.readers.text_file import TextFile


def read(path):
    return read_every_eval_ever(TextFile("path1", path))


@pytest.mark.parametrize("system", ["logistic_regression", "naive_bayes"])
def test_the_results_of_a_log_are_its_metrics(system):
    """The same scores as in the log that was converted."""
    path = every_eval_ever(system)
    (run,) = read(path)
    assert (run.task, run.model, run.version) == ("tumors", f"scikit-learn/{system}", "")
    lines = objects(lm_eval(system))
    assert run.ids == [str(x["doc_id"]) for x in lines]
    assert run.scores == {name: [x[name] for x in lines] for name in ("acc", "acc_norm")}
    assert run.lower_is_better == {"acc": False, "acc_norm": False}
    hashes = {x["sample_id"]: x for x in objects(path)}
    assert run.prompts == [hashes[x]["sample_hash"] for x in run.ids]
    metadata = [hashes[x]["metadata"] for x in run.ids]
    assert run.documents == [{x: y[x] for x in ("doc_hash", "target_hash")} for y in metadata]


def test_a_template_changes_the_hash_of_a_sample(tmp_path):
    """It is of the prompt: the document is the same."""

    def templated(line):
        return line | {"sample_hash": line["sample_hash"][::-1]}

    one, two = every_eval_ever("naive_bayes"), every_eval_ever("logistic_regression")
    runs = read_runs(one, changed(two, tmp_path / "x", templated))
    assert "prompts differ on 16 of them" in str(runs.matching)
    assert runs.compare("acc") == read_runs(one, two).compare("acc")


def perturbed(path, changes):
    """Rows as of HELM: each result of an example has a prompt of its own."""
    rows = [
        {"schema_version": "0.3.0", "model_id": path.name, "evaluation_name": "t"}
        | {"sample_id": f"id{k}", "evaluation_result_id": metric, "evaluation": {"score": k % 2}}
        | {"sample_hash": changes.get((k, metric), f"{k} {metric}")}
        | {"input": {"raw": f"{k} {metric} of {path.name}", "reference": []}}
        for k in range(4)
        for metric in ("em:test", "em:test:typos")
    ]
    return save(path, rows)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({(2, "em:test:typos"): "other"}, "1 stand for different documents: 'id2'"),
        ({(1, "em:test"): None}, ""),
        ({(0, "em:test"): "0 em:test:typos"}, "1 stand for different documents: 'id0'"),
    ],
)
def test_each_metric_may_have_a_prompt(changes, message, tmp_path):
    one, two = perturbed(tmp_path / "a_samples.jsonl", {}), tmp_path / "b_samples.jsonl"
    assert read_runs(one, perturbed(two, {})).metrics == ("em:test", "em:test:typos")
    if not message:
        assert read_runs(one, perturbed(two, changes)).matching.n_prompts == 0
        return
    with pytest.raises(InputError, match=rf"{message}\. If documents are meant to differ"):
        read_runs(one, perturbed(two, changes))
    by_id = read_runs(one, two, same_documents="id")
    assert (len(by_id.ids), by_id.matching.n_documents) == (4, 1)


def test_filters_are_tasks():
    """Which the converter makes of them."""
    paths = [every_eval_ever(x, task="findings") for x in ("logistic_regression", "naive_bayes")]
    for name in ("strict-match", "flexible-extract"):
        runs = read_runs(*paths, task=f"findings/{name}")
        assert runs.metrics == (f"exact_match:{name}",)
        other = read_runs(*(lm_eval(x, "findings") for x in ("logistic_regression", "naive_bayes")))
        wanted = other.compare(f"exact_match,{name}")
        assert runs.compare().pvalue == wanted.pvalue
        assert runs.compare().statistic == wanted.statistic


def test_errors_have_no_score():
    """The converter writes 0, whatever went wrong."""
    path = every_eval_ever("decision_tree", "inspect")
    (run,) = read(path)
    failed = [x["sample_id"] for x in objects(path) if x["error"]]
    assert len(failed) == 2
    assert [*run.scores] == ["match:accuracy"]
    scores = run.scores["match:accuracy"]
    assert [x for x, y in zip(run.ids, scores, strict=True) if y is None] == failed
    other = every_eval_ever("naive_bayes", "inspect")
    assert read_runs(path, other, on_missing="drop").compare().n == 14


def test_an_error_with_the_name_of_its_result(tmp_path):
    def change(line):
        return line | {"error": "timeout"} if line["sample_id"] == "32" else line

    (run,) = read(changed(every_eval_ever("naive_bayes"), tmp_path / "x", change))
    assert run.scores["acc"][:3] == [1.0, None, 0.0]


def test_epochs_are_repeats():
    """Whose mean has a score only if each has."""
    (run,) = read(every_eval_ever("logistic_regression", "inspect", "tumors_sampled"))
    assert run.n_repeats == [2] * 6
    assert run.scores["includes:accuracy"][:3] == [Fraction(1, 2), Fraction(1, 2), 0]
    assert run.scores["stated:mean"][1:] == [Fraction(2, 5), Fraction(2, 5), None, None, None]
    paths = [
        every_eval_ever(x, "inspect", "tumors_sampled")
        for x in ("logistic_regression", "naive_bayes")
    ]
    assert read_runs(*paths).compare("includes:accuracy").n == 6
    assert read_runs(*paths, on_missing="drop").compare("stated:mean").n == 2


def test_published():
    (run,) = read(log("published/every_eval_ever/*_samples.jsonl"))
    assert (run.task, run.model, run.ids) == (
        "demo-source.demo_bench",
        "demo-org/demo-model",
        ["demo_0001"],
    )
    assert run.scores == {"demo-source.demo_bench": [1.0]}


def test_a_folder_of_one_system():
    """With its logs of two tools: a task of each, and the results beside are no logs."""
    folders = [
        LOGS / "every_eval_ever/lm_eval/tumors/scikit-learn" / x
        for x in ("logistic_regression", "naive_bayes")
    ]
    found = read_tasks(*folders, ReadOptions())
    assert [*found] == ["tumors"]
    assert found["tumors"].metrics == ("acc", "acc_norm")


def test_several_models_in_a_file(tmp_path):
    lines = [
        *objects(every_eval_ever("naive_bayes")),
        *objects(every_eval_ever("logistic_regression")),
    ]
    path = save(tmp_path / "both_samples.jsonl", lines)
    assert [x.model for x in read(path)] == [
        "scikit-learn/naive_bayes",
        "scikit-learn/logistic_regression",
    ]


@pytest.mark.parametrize(
    ("results", "wanted"),
    [
        (
            [
                {
                    "evaluation_result_id": "acc",
                    "evaluation_name": "tumors",
                    "metric_config": {"lower_is_better": True},
                }
            ],
            {"acc": True},
        ),
        (
            [
                {
                    "evaluation_result_id": "acc",
                    "evaluation_name": "other",
                    "metric_config": {"lower_is_better": True},
                }
            ],
            {},
        ),
        (
            [
                {
                    "evaluation_result_id": "acc",
                    "evaluation_name": "tumors",
                    "metric_config": {"lower_is_better": 1},
                }
            ],
            {},
        ),
        ([3, None, {"metric_config": "x"}], {}),
        ({"acc": 1}, {}),
    ],
)
def test_directions(results, wanted, tmp_path):
    path = changed(every_eval_ever("naive_bayes"), tmp_path / "x", dict)
    beside = path.with_name(path.name.replace("_samples.jsonl", ".json"))
    save(beside, "{" + f'"evaluation_results": {_json(results)}' + "}")
    (run,) = read(path)
    assert run.lower_is_better == wanted


def test_the_results_of_a_log_with_wildcards_in_its_name(tmp_path):
    lines = objects(every_eval_ever("naive_bayes"))
    save(tmp_path / "a.json", '{"evaluation_results": 1}')
    result = {"evaluation_name": "tumors", "evaluation_result_id": "acc"}
    content = {"evaluation_results": [result | {"metric_config": {"lower_is_better": True}}]}
    for name, wanted in (("[ab]", {"acc": True}), ("[ab", {})):
        log = save(tmp_path / f"{name}_samples.jsonl", lines)
        if wanted:
            save(tmp_path / f"{name}.json", _json(content))
        (run,) = read(log)
        assert run.lower_is_better == wanted


def _json(value):
    import json

    return json.dumps(value)


def test_a_result_without_a_name(tmp_path):
    def change(line):
        kept = line["evaluation_result_id"] == "acc"
        return {x: y for x, y in line.items() if x != "evaluation_result_id"} if kept else None

    (run,) = read(changed(every_eval_ever("naive_bayes"), tmp_path / "x", change))
    assert [*run.scores] == ["score"]


def test_what_it_reports(tmp_path):
    """Its file of results says what the evaluation reported."""
    paths = [every_eval_ever(x) for x in ("naive_bayes", "logistic_regression")]
    copies = [save(tmp_path / x.name, x.read_bytes()) for x in paths]
    for path, copy in zip(paths, copies, strict=True):
        beside = path.with_name(path.name.replace("_samples.jsonl", ".json"))
        content = json.loads(beside.read_text("utf-8"))
        for result in content["evaluation_results"]:
            if result["evaluation_result_id"] == "acc":
                result["score_details"]["score"] += 0.01
        save(copy.with_name(beside.name), json.dumps(content))
    for some, n_doubts, source in ((paths, 0, "log"), (copies, 2, "assumed")):
        found = read_runs(*some).examples("acc")
        assert (len(found.doubts), found.direction.source) == (n_doubts, source)
        assert read_runs(*some).examples("acc_norm").doubts == []
