"""Cases of logs of lm-evaluation-harness and of Every Eval Ever."""

import json
from pathlib import Path

from corpora.logs import (
    SYSTEMS,
    changed,
    edited,
    every_eval_ever,
    lm_eval,
    lm_eval_files,
    objects,
    save,
)
from readers.odd_logs import Texts, dropping
from readers.telling import read

ONE, TWO = lm_eval("logistic_regression"), lm_eval("naive_bayes")
EVAL_ONE, EVAL_TWO = map(every_eval_ever, SYSTEMS[:2])

# lm-evaluation-harness

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
    Path(folder).mkdir(exist_ok=True)
    save(Path(folder, "results.json"), json.dumps(results, indent=2))
    return save(Path(folder, name), json.dumps(lines, indent=2))


def lm_eval_before_0_4_3() -> Texts:
    """Also by the names that scripts give."""
    for name in (OLD_NAME, OLD_NAME.removesuffix("l"), "samples_gsm8k_cot.json"):
        yield read(old_log("a", name), old_log("b", name))
        Path("a", name).unlink()


def lm_eval_old_results_of_another_run() -> Texts:
    """Such as those of the last evaluation."""
    for results in (OLD_RESULTS | {"config": {"model_args": "pretrained=another"}}, {}):
        yield read(*(old_log(x, results=results, scores=[(1, 0)]) for x in "ab"))


def lm_eval_the_only_filter_need_not_be_named() -> Texts:
    """Versions before 0.4.7 did not name it. A line more than there are filters is one twice."""
    configs = {"gsm8k_cot": {"filter_list": [{"name": "strict"}]}}
    results = OLD_RESULTS | {"configs": configs, "results": {}}
    one = old_log("a", results=results, scores=[(1, 0)])
    yield read(one, old_log("b", results=results, scores=[(0, 0)]), also=["exact_match"])
    yield read(one, old_log("c", results=results, scores=[(1, 0)] * 2))


def lm_eval_json_of_lines() -> Texts:
    """As of the Open LLM Leaderboard: the name tells the task, and the results what they do."""
    (results,) = TWO.parent.glob("results_*.json")
    renamed = save(Path(TWO.name.removesuffix("l")), TWO.read_bytes())
    yield read(renamed, ONE)
    save(Path(results.name), results.read_bytes())
    save(Path(f"._{results.name}"), b"\x00\x05\x16\x07")  # of macOS, of the same ending
    yield read(renamed, ONE)


def lm_eval_results_of_another_name() -> Texts:
    """As `--output_path NAME.json` calls them: their date is that of the log."""
    for day, (name, errors) in enumerate((("good", [1, 2, 3, 4]), ("bad", [5, 6, 7, 8])), 1):
        for path, content in lm_eval_files({"steps": errors}, {"steps": 2}, ["steps"]).items():
            if path.startswith("results"):
                content = json.dumps(json.loads(content) | {"model_name": name})
            renamed = path.replace("results", name).replace("11-24", f"11-{day:02}")
            save(Path(renamed), content)
            save(Path(f"._{renamed}"), b"\x00\x05\x16\x07")
    yield read(".")


def lmms_eval() -> Texts:
    """`<date>_samples_<task>.jsonl`, whose lines have an input and no list of metrics."""
    for model, scores in {"a": (1.0, 0.0), "b": (1.0, 1.0)}.items():
        Path(model).mkdir()
        lines = [
            {"doc_id": k, "target": "x", "filtered_resps": ["x"], "doc_hash": f"{k}"}
            | {"exact_match": x, "input": "<image>?"}
            for k, x in enumerate(scores)
        ]
        save(Path(model, "20250110_102231_samples_pope.jsonl"), lines)
        told = {"results": {"pope": {}}, "versions": {"pope": 1.0}, "model_name": f"org/{model}"}
        save(Path(model, "20250110_102231_results.json"), json.dumps(told))
    yield read("a", "b")


def lm_eval_a_dataset_that_lost_a_document() -> Texts:
    """Then all that follow have another doc_id: a place, by which neighbours would be paired."""

    def placed(path, name, first):
        return save(Path(name), [x | {"doc_id": k} for k, x in enumerate(objects(path)[first:])])

    yield dropping(placed(ONE, "x.jsonl", 0), placed(TWO, "y.jsonl", 1))


# Every Eval Ever


def every_eval_ever_a_template() -> Texts:
    """It changes the hash of a sample, which is of the prompt: the document is the same."""
    turned = {"sample_hash": "another"}
    yield read(EVAL_ONE, changed(EVAL_TWO, Path("x"), lambda line: line | turned))


def perturbed(path, changes):
    """Rows as of HELM: each result of an example has a prompt of its own."""
    rows = [
        {"schema_version": "0.3.0", "model_id": path, "evaluation_name": "t"}
        | {"sample_id": f"id{k}", "evaluation_result_id": metric, "evaluation": {"score": k % 2}}
        | {"sample_hash": changes.get((k, metric), f"{k} {metric}")}
        for k in range(4)
        for metric in ("em:test", "em:test:typos")
    ]
    return save(Path(f"{path}_samples.jsonl"), rows)


def every_eval_ever_each_metric_may_have_a_prompt() -> Texts:
    """One that no log tells is any."""
    plain = perturbed("a", {})
    for key, sample_hash in (
        ((2, "em:test:typos"), "other"),
        ((1, "em:test"), None),
        ((0, "em:test"), "0 em:test:typos"),
    ):
        other = perturbed("b", {key: sample_hash})
        yield read(plain, other)
        yield read(plain, other, same_documents="id")


def every_eval_ever_an_error_has_no_score() -> Texts:
    """The converter writes 0, whatever went wrong."""
    errors = {"32": {"error": "timeout"}}
    copy = changed(EVAL_TWO, Path("x"), lambda x: x | errors.get(x["sample_id"], {}))
    yield dropping(copy, EVAL_ONE)


def every_eval_ever_several_models_in_a_file() -> Texts:
    """They are systems of a folder, but a file of one system is named otherwise."""
    both = save(Path("both_samples.jsonl"), [*objects(EVAL_TWO), *objects(EVAL_ONE)])
    yield read(".")
    yield read(both, EVAL_ONE)


def result(name="tumors", lower=True):
    told = {"metric_config": {"lower_is_better": lower}}
    return {"evaluation_result_id": "acc", "evaluation_name": name} | told


def every_eval_ever_directions() -> Texts:
    """Those of the file of this name, wildcards or not."""
    save(Path("a.json"), json.dumps({"evaluation_results": [result()]}))
    for name, results in (
        ("[ab]", None),
        ("[ab]", [result()]),
        ("x", None),
        ("x", [result()]),
        ("x", [result("other")]),
        ("x", [result(lower=1)]),
        ("x", [3, None, {"metric_config": "x"}]),
        ("x", {"acc": 1}),
    ):
        log = save(Path(f"{name}_samples.jsonl"), EVAL_TWO.read_bytes())
        if results is not None:
            save(Path(f"{name}.json"), json.dumps({"evaluation_results": results}))
        yield dropping(log, EVAL_ONE)


def every_eval_ever_a_result_without_a_name() -> Texts:
    """Its metric is in the metadata, or has none."""
    for dropped in ("", "metadata"):

        def change(line, dropped=dropped):
            kept = line["evaluation_result_id"] == "acc"
            gone = "evaluation_result_id", dropped
            return {x: y for x, y in line.items() if x not in gone} if kept else None

        yield read(*(changed(EVAL_TWO, Path(x), change) for x in "ab"))


def every_eval_ever_what_it_reports() -> Texts:
    """Its file of results says what the evaluation reported."""

    def change(content):
        for x in content["evaluation_results"]:
            x["score_details"]["score"] += 0.01 * (x["evaluation_result_id"] == "acc")

    copies = [save(Path(x.name), x.read_bytes()) for x in (EVAL_ONE, EVAL_TWO)]
    for path, copy in zip((EVAL_ONE, EVAL_TWO), copies, strict=True):
        ending = path.name.replace("_samples.jsonl", ".json")
        edited(path.with_name(ending), copy.with_name(ending), change)
    yield read(*copies)


def converted(folder, metrics, reported, filter_name="none"):
    """A log as the converter of lm-evaluation-harness writes it now.

    A line has the first number among its metrics, or 0, and no name of a result. So have the
    results of the file beside it.
    """
    task = "t" if filter_name == "none" else f"t/{filter_name}"
    behind = "" if filter_name == "none" else f" (filter: {filter_name})"
    lines = []
    for k, values in enumerate(zip(*metrics.values(), strict=True)):
        own = dict(zip(metrics, values, strict=True))
        score = next((float(x) for x in values if isinstance(x, (int, float))), 0.0)
        lines.append(
            {"schema_version": "0.3.0", "evaluation_id": "t/x/1", "model_id": folder}
            | {"evaluation_name": task, "evaluation_result_id": None, "sample_id": str(k)}
            | {"sample_hash": f"{k}", "evaluation": {"score": score, "is_correct": score == 1.0}}
            | {"metadata": {"filter": filter_name, "lm_eval_metrics": json.dumps(own)}}
        )
    results = [
        {"evaluation_name": task, "evaluation_result_id": None, "score_details": {"score": value}}
        | {"metric_config": {"evaluation_description": f"{x}{behind}", "lower_is_better": lower}}
        for x, (value, lower) in reported.items()
    ]
    Path(folder).mkdir(exist_ok=True)
    save(Path(folder, "u.json"), json.dumps({"evaluation_results": results}))
    return save(Path(folder, "u_samples.jsonl"), lines)


def every_eval_ever_the_metric_that_the_lines_make() -> Texts:
    """Each result has its own number and direction; the last one is a loss.

    The number of another metric is not that of these scores.
    """
    metrics = {"acc": [1, 1, 1, 0], "acc_norm": [0] * 4, "nll": [0.5] * 4}
    others = {"acc_norm": (0.0, False), "nll": (0.5, True)}
    for filter_name in ("none", "strict-match"):
        one = converted("a", metrics, {"acc": (0.75, False)} | others, filter_name)
        yield read(one, converted("b", metrics, others, filter_name))


def every_eval_ever_lines_of_an_unnamed_metric() -> Texts:
    """Of several results none is taken for theirs; of one it is."""
    for folder, reported in (("a", {"x": (0.5, True)}), ("b", {"x": (9, True), "y": (9, False)})):
        path = converted(folder, {"x": [0, 1]}, reported)
        changed(path, path.parent, lambda line: line | {"metadata": {}})
    yield read("a", "b")


def every_eval_ever_lines_without_a_number() -> Texts:
    """The converter makes 0 of pairs, which is no score."""
    for metrics, reported in (
        ({"bleu": [["x", "y"]] * 2}, {"bleu": (3.1, False)}),
        ({"word_perplexity": [[-1.5, 3], [-2.0, 4]]}, {}),
    ):
        yield read(*(converted(x, metrics, reported) for x in "ab"))


def with_metadata(change):
    """A log and a copy, of whose lines the metadata are changed by their number."""
    lines = objects(EVAL_TWO)
    copied = [x | {"metadata": change(k, x["metadata"])} for k, x in enumerate(lines)]
    return EVAL_TWO, save(Path("x_samples.jsonl"), copied)


def every_eval_ever_hashes_of_documents() -> Texts:
    """Also if the first line has none; those that differ in an example are several of it."""
    yield read(*with_metadata(lambda k, x: x if k > 1 else {}))
    yield read(*with_metadata(lambda k, x: x | {"doc_hash": f"{k}"}))
