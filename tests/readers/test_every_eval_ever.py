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
    return json.dumps(value)


@pytest.mark.parametrize(("dropped", "named"), [("", "acc"), ("metadata", "score")])
def test_a_result_without_a_name(dropped, named, tmp_path):
    def change(line):
        kept = line["evaluation_result_id"] == "acc"
        gone = "evaluation_result_id", dropped
        return {x: y for x, y in line.items() if x not in gone} if kept else None

    (run,) = read(changed(every_eval_ever("naive_bayes"), tmp_path / "x", change))
    assert [*run.scores] == [named]


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


def converted(folder, metrics, reported, filter_name="none"):
    """A log as the converter of lm-evaluation-harness writes it now.

    A line has the first number among its metrics, or 0, and no name of a result. So have the
    results of the file beside it.
    """
    folder.mkdir()
    task = "t" if filter_name == "none" else f"t/{filter_name}"
    behind = "" if filter_name == "none" else f" (filter: {filter_name})"
    lines = []
    for k, values in enumerate(zip(*metrics.values(), strict=True)):
        own = dict(zip(metrics, values, strict=True))
        score = next((float(x) for x in values if isinstance(x, (int, float))), 0.0)
        lines.append(
            {"schema_version": "0.3.0", "evaluation_id": "t/x/1", "model_id": folder.name}
            | {"evaluation_name": task, "evaluation_result_id": None, "sample_id": str(k)}
            | {"sample_hash": f"{k}", "evaluation": {"score": score, "is_correct": score == 1.0}}
            | {"metadata": {"doc_hash": f"d{k}", "target_hash": "", "prompt_hash": ""}}
        )
        lines[-1]["metadata"] |= {"filter": filter_name, "lm_eval_metrics": json.dumps(own)}
    results = [
        {"evaluation_name": task, "evaluation_result_id": None, "score_details": {"score": value}}
        | {"metric_config": {"evaluation_description": f"{x}{behind}", "lower_is_better": lower}}
        for x, (value, lower) in reported.items()
    ]
    save(folder / "u.json", json.dumps({"evaluation_results": results}))
    return save(folder / "u_samples.jsonl", lines)


@pytest.mark.parametrize("filter_name", ["none", "strict-match"])
def test_the_metric_that_the_lines_make(filter_name, tmp_path):
    """Each result has its own number and direction; the last one is a loss."""
    column = [1, 1, 1, 0]
    metrics = {"acc": column, "acc_norm": [0] * 4, "nll": [0.5] * 4}
    reported = {"acc": (0.75, False), "acc_norm": (0.0, False), "nll": (0.5, True)}
    (run,) = read(converted(tmp_path / "a", metrics, reported, filter_name))
    assert (run.scores, run.lower_is_better, run.doubts) == ({"acc": column}, {"acc": False}, {})
    assert run.task == ("t" if filter_name == "none" else "t/strict-match")
    del reported["acc"]  # the number of another metric is not that of these scores
    (run,) = read(converted(tmp_path / "b", metrics, reported, filter_name))
    assert (run.lower_is_better, run.doubts) == ({}, {})


def test_lines_of_an_unnamed_metric(tmp_path):
    """Of several results none is taken for theirs; of one it is."""
    for folder, reported in (("a", {"x": (0.5, True)}), ("b", {"x": (9, True), "y": (9, False)})):
        path = converted(tmp_path / folder, {"x": [0, 1]}, reported)

        def without(line):
            return line | {"metadata": {}}

        plain = changed(path, tmp_path / f"{folder}2", without)
        save(plain.with_name("u.json"), path.with_name("u.json").read_bytes())
        (run,) = read(plain)
        lower = {"score": True} if folder == "a" else {}
        assert (run.scores, run.lower_is_better, run.doubts) == ({"score": [0, 1]}, lower, {})


def test_lines_without_a_number(tmp_path):
    """The converter makes 0 of pairs, which is no score."""
    pair = [[-1.5, 3], [-2.0, 4]]
    texts = {"bleu": [["x", "y"]] * 2}
    paths = [converted(tmp_path / x, texts, {"bleu": (3.1, False)}) for x in "ac"]
    (run,) = read(paths[0])
    assert (run.metrics, [*run.left_out]) == ((), ["bleu"])
    with pytest.raises(InputError, match="has no scores: 'bleu' holds "):
        read_runs(*paths).compare()
    (run,) = read(converted(tmp_path / "b", {"word_perplexity": pair}, {}))
    assert run.metrics == ()


@pytest.mark.parametrize("has_file", [True, False], ids=["no result", "no file"])
def test_a_number_of_which_nothing_is_reported(has_file, tmp_path):
    """RULER's -1, converted: whether it is a score is not known."""
    paths = [converted(tmp_path / x, {"8192": [-1.0, 1.0, 0.0]}, {}) for x in "ab"]
    for path in [] if has_file else paths:
        path.with_name("u.json").unlink()
    found = read_runs(*paths).examples("8192")
    (doubt,) = map(str, found.doubts)
    assert doubt.startswith(f"8192 is -1 in 1 of 3 examples of {paths[0]} and in 1 of 3 examples ")
    assert doubt.endswith("Give the logs with the results that the tool writes beside them")
    assert not found.is_reported
