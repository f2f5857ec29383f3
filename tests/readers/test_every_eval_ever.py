"""What only logs of Every Eval Ever have, beside what `test_formats` asks of all."""

import json
from contextlib import nullcontext
from pathlib import Path

import pytest

from corpora.logs import SYSTEMS, changed, edited, every_eval_ever, objects, save
from pairedperm import InputError
from pairedperm.readers import read_folder, read_runs
from readers.held import first_run
from refusals import refuses

ONE, TWO = map(every_eval_ever, SYSTEMS[:2])


def first(path, other=ONE, **options):
    """The first run of two."""
    return first_run(path, other, on_missing="drop", **options)


def test_a_template_changes_the_hash_of_a_sample(tmp_path):
    """It is of the prompt: the document is the same."""

    def templated(line):
        return line | {"sample_hash": line["sample_hash"][::-1]}

    runs = read_runs(ONE, changed(TWO, tmp_path / "x", templated))
    assert "prompts differ on 16 of them: another template or shots?" in str(runs.matching)
    assert runs.compare("acc") == read_runs(ONE, TWO).compare("acc")


def perturbed(path, changes):
    """Rows as of HELM: each result of an example has a prompt of its own."""
    rows = [
        {"schema_version": "0.3.0", "model_id": path.name, "evaluation_name": "t"}
        | {"sample_id": f"id{k}", "evaluation_result_id": metric, "evaluation": {"score": k % 2}}
        | {"sample_hash": changes.get((k, metric), f"{k} {metric}")}
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
    paths = [perturbed(tmp_path / f"{k}_samples.jsonl", x) for k, x in enumerate(({}, changes))]
    refused = pytest.raises(InputError, match=rf"{message}\. If documents are meant to differ")
    with refused if message else nullcontext():
        assert read_runs(*paths).matching.notes == []
    (note,) = read_runs(*paths, same_documents="id").matching.notes
    assert ("documents differ on 1 of them" in note) == bool(message)


def test_an_error_has_no_score(tmp_path):
    """The converter writes 0, whatever went wrong."""
    errors = {"32": {"error": "timeout"}}
    copy = changed(TWO, tmp_path / "x", lambda x: x | errors.get(x["sample_id"], {}))
    assert first(copy).scores["acc"][:3] == [1.0, None, 0.0]


def test_several_models_in_a_file(tmp_path):
    save(tmp_path / "both_samples.jsonl", [*objects(TWO), *objects(ONE)])
    assert [*read_folder(tmp_path).systems] == [f"scikit-learn/{x}" for x in SYSTEMS[1::-1]]


def result(name="tumors", lower=True):
    told = {"metric_config": {"lower_is_better": lower}}
    return {"evaluation_result_id": "acc", "evaluation_name": name} | told


@pytest.mark.parametrize(
    ("results", "wanted"),
    [
        ([result()], {"acc": True}),
        ([result("other")], {}),
        ([result(lower=1)], {}),
        ([3, None, {"metric_config": "x"}], {}),
        ({"acc": 1}, {}),
    ],
)
@pytest.mark.parametrize("name", ["[ab]", "x"])
def test_directions(results, wanted, name, tmp_path):
    """Those of the file of this name, wildcards or not."""
    save(tmp_path / "a.json", json.dumps({"evaluation_results": [result()]}))
    log = save(tmp_path / f"{name}_samples.jsonl", TWO.read_bytes())
    assert first(log).lower_is_better == {}
    save(tmp_path / f"{name}.json", json.dumps({"evaluation_results": results}))
    assert first(log).lower_is_better == wanted


@pytest.mark.parametrize(("dropped", "named"), [("", "acc"), ("metadata", "score")])
def test_a_result_without_a_name(dropped, named, tmp_path):
    def change(line):
        kept = line["evaluation_result_id"] == "acc"
        gone = "evaluation_result_id", dropped
        return {x: y for x, y in line.items() if x not in gone} if kept else None

    paths = [changed(TWO, tmp_path / x, change) for x in "ab"]
    assert [*first(*paths).scores] == [named]


def test_what_it_reports(tmp_path):
    """Its file of results says what the evaluation reported."""

    def change(content):
        for x in content["evaluation_results"]:
            x["score_details"]["score"] += 0.01 * (x["evaluation_result_id"] == "acc")

    copies = [save(tmp_path / x.name, x.read_bytes()) for x in (ONE, TWO)]
    for path, copy in zip((ONE, TWO), copies, strict=True):
        ending = path.name.replace("_samples.jsonl", ".json")
        edited(path.with_name(ending), copy.with_name(ending), change)
    for some, n_doubts, source in (((ONE, TWO), 0, "log"), (copies, 2, "assumed")):
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
            | {"metadata": {"filter": filter_name, "lm_eval_metrics": json.dumps(own)}}
        )
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
    metrics = {"acc": [1, 1, 1, 0], "acc_norm": [0] * 4, "nll": [0.5] * 4}
    reported = {"acc": (0.75, False), "acc_norm": (0.0, False), "nll": (0.5, True)}
    one = converted(tmp_path / "a", metrics, reported, filter_name)
    del reported["acc"]  # the number of another metric is not that of these scores
    two = converted(tmp_path / "b", metrics, reported, filter_name)
    runs = read_runs(one, two)
    assert runs.task == ("t" if filter_name == "none" else "t/strict-match")
    assert (runs.metrics, runs.examples().doubts) == (("acc",), [])
    assert [x.lower_is_better for x in runs.systems.values()] == [{"acc": False}, {}]


def test_lines_of_an_unnamed_metric(tmp_path):
    """Of several results none is taken for theirs; of one it is."""
    for folder, reported in (("a", {"x": (0.5, True)}), ("b", {"x": (9, True), "y": (9, False)})):
        path = converted(tmp_path / folder, {"x": [0, 1]}, reported)
        changed(path, path.parent, lambda line: line | {"metadata": {}})
    runs = read_runs(tmp_path / "a", tmp_path / "b")
    assert (runs.metrics, runs.examples().doubts) == (("score",), [])
    assert [x.lower_is_better for x in runs.systems.values()] == [{"score": True}, {}]


@pytest.mark.parametrize(
    ("metrics", "reported"),
    [
        ({"bleu": [["x", "y"]] * 2}, {"bleu": (3.1, False)}),
        ({"word_perplexity": [[-1.5, 3], [-2.0, 4]]}, {}),
    ],
)
def test_lines_without_a_number(metrics, reported, tmp_path):
    """The converter makes 0 of pairs, which is no score."""
    runs = read_runs(*(converted(tmp_path / x, metrics, reported) for x in "ab"))
    assert runs.metrics == ()
    with pytest.raises(InputError, match=f"has no scores: '{next(iter(metrics))}' holds "):
        runs.compare()


def with_metadata(change):
    """Read a log and a copy, of whose lines the metadata are changed by their number."""
    lines = objects(TWO)
    changed = [x | {"metadata": change(k, x["metadata"])} for k, x in enumerate(lines)]
    return read_runs(TWO, save(Path("x_samples.jsonl"), changed))


@refuses
def test_refusals():
    with_metadata(lambda k, x: x if k > 1 else {})  # of the first example
    # -> 1 stand for different documents: '31'. If documents are meant to differ, match by id …
    #    alone, same_documents='id'. Run all
    with_metadata(lambda k, x: x | {"doc_hash": f"{k}"})
    # -> Affected ids: 16 more than once in x_samples.jsonl:
    read_runs(save(Path("both_samples.jsonl"), [*objects(ONE), *objects(TWO)]), ONE)
    # -> `path1` holds 2 runs of task 'tumors': … of scikit-learn/logistic_regression, … of
    #    scikit-learn/naive_bayes. Name the file of one run
