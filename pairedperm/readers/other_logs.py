"""Logs of nine tools: a function that reads, and the signs that tell a log from others.

- ``trec_eval -q`` prints a line for each measure and query.
- Every Eval Ever 0.3 writes ``<id>_samples.jsonl``.
- lighteval's details are ``details_<task>_<date>.parquet``.
- LeRobot tells the success of each episode in ``eval_info.json``.
- ``promptfoo eval -o results.json`` writes what it is told.
- DeepEval's test runs are ``test_run_<date>.json`` in its folder of results.
- SWE-bench's reports are of a run, ``<model>.<run>.json``, or of one instance.
- Harbor has a ``result.json`` a trial, as Terminal-Bench had before it.
- skill-creator writes ``benchmark.json``, of an agent with a skill and without.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Generator, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from operator import itemgetter
from pathlib import PurePath
from typing import Any

from pairedperm.errors import counted, first_of, shown, shown_path
from pairedperm.inputs.columns import Id
from pairedperm.readers.aggregates import finite_number, with_aggregates
from pairedperm.readers.files import (
    AS_WRITTEN,
    Object,
    TextFile,
    items_in,
    list_in,
    value_at,
)
from pairedperm.readers.log import (
    IS_NUMBER,
    Document,
    Finish,
    LogFormat,
    Row,
    Run,
    folder_of_run,
    in_one_line,
)
from pairedperm.readers.parquet import columns_in_parts

_IS_ROW = re.compile(r"\s*(\S+)\s*\t(\S+)\t(\S*)\s*")
_ALL = "all"  # the query of an average
_SAYS_NOTHING = re.compile("Z?((prefs_)?num_|unj|rbp_resid|relstring).*")  # of quality
_OF_FOUR_DIGITS = 1.001e-4  # proof: the average and the mean of what it prints are each 0.5e-4 off


def _rows_of_trec_eval(file: TextFile) -> Generator[Row, None, Finish]:
    """Yield each measure of each query; averages are checked."""
    averages: dict[str, Any] = {}
    has_queries = False
    for number, line in enumerate(file.lines(), 1):
        row = _IS_ROW.fullmatch(line)
        if row is None and line.isspace():
            continue
        if row is None:
            what = "has no measure, query and value"
            raise file.error(what, line=number, remedy="Give what trec_eval printed.")
        measure, query, value = row[1], row[2], _printed(row[3])
        if query == _ALL:
            averages[measure] = value
        else:
            has_queries = True
            yield Row(query, [(measure, value)])
    if averages and not has_queries:
        raise file.error("has only averages of all queries", remedy="Run trec_eval with -q.")
    return partial(_of_queries, file, averages)


def _of_queries(file: TextFile, averages: Mapping[str, Any], run: Run, _: Any) -> Run:
    """Add which measures are better if higher, and averages."""
    metrics = *run.scores, *run.left_out
    if len({*run.ids}) < len(run.ids):
        what = f"has a measure of query {shown(run.ids[-1])} twice"
        raise file.error(what, remedy="Give what trec_eval printed of one run.")
    measures = [x for x in metrics if not _SAYS_NOTHING.fullmatch(x)]
    run = replace(run, lower_is_better=dict.fromkeys(measures, False))
    return with_aggregates(run, {x: _average(run, x, averages.get(x)) for x in measures})


def _average(run: Run, measure: str, printed: Any) -> Any:
    """Return a printed average, or the mean of the scores if it is that up to their digits."""
    scores = [x for x in run.scores.get(measure, ()) if x is not None]
    if not scores or finite_number(printed) is None:
        return printed
    mean = math.fsum(scores) / len(scores)
    return mean if abs(mean - printed) <= _OF_FOUR_DIGITS else printed


def _printed(text: str) -> Any:
    """Return a number, None for NaN, or a text."""
    if text.removeprefix("-") == "nan":
        return None
    return float(text) if IS_NUMBER.fullmatch(text) else text


TREC_EVAL = LogFormat(
    "trec_eval",
    "trec_eval -q",
    _rows_of_trec_eval,
    start=(  # the name of a measure is filled up to 22 characters
        r"(?=[^\t\n]{22})\S+ *\t\S+\t([-+.\d]\S*|-?nan|'\S*'|(?<=\tall\t)\S+)\s*(\n|$)"
    ),
)


_ENDING = "_samples.jsonl"
_ByEvaluation = Mapping[tuple[str, str], Any]  # and by metric, which stands first
_SCORE = "score"  # the metric of an evaluation result without an id


def _rows_of_every_eval_ever(file: TextFile) -> Generator[Row, None, Finish]:
    """Yield each result of each example; a model's run of an evaluation is a run."""
    documents: dict[tuple[str, str, Id], Document] = {}
    for _, line in file.objects():
        example, (model, task) = line["sample_id"], _model_and_task(line)
        metric, score = _metric_and_score(line)
        document = _hashes_by_name(line, metric)
        before = documents.setdefault((model, task, example), document)
        if before.keys().isdisjoint(document):  # another metric may be of another prompt
            before.update(document)
        scores = [] if line.get("error") else [(metric, score)]  # a failed one is logged as 0
        epoch = str(value_at(line, "metadata", "epoch"))  # converted logs of inspect_ai have it
        prompt = line.get("sample_hash") if "doc_hash" in document else None
        yield Row(example, scores, model, task, document, epoch, prompt)
    return partial(_of_results, _results(file))


def _of_results(results: _ByEvaluation, run: Run, _: Any) -> Run:
    """Add what the results say of the metrics of a run."""
    of_task = {x: results.get((x, run.task)) for x in (*run.scores, *run.left_out)}
    lower = {x: value_at(y, "metric_config", "lower_is_better") for x, y in of_task.items()}
    run = replace(run, lower_is_better={x: y for x, y in lower.items() if isinstance(y, bool)})
    return with_aggregates(
        run, {x: value_at(y, "score_details", "score") for x, y in of_task.items()}
    )


def _model_and_task(line: Object) -> tuple[str, str]:
    return str(line.get("model_id") or ""), str(line.get("evaluation_name") or "")


def _metric_and_score(line: Object) -> tuple[str, Any]:
    """Return the metric that a line's result names, and its score.

    Converted logs of lm-evaluation-harness have no such name. There the score is the first number
    among the metrics, or 0 if they have none.
    """
    named, score = line.get("evaluation_result_id"), value_at(line["evaluation"], "score")
    told = value_at(line, "metadata", "lm_eval_metrics")
    metrics = {}
    if not named and isinstance(told, str):
        with suppress(ValueError, RecursionError):
            metrics = json.loads(told)
    if not (isinstance(metrics, dict) and metrics):
        return str(named or _SCORE), score
    numbers = (x for x, y in metrics.items() if isinstance(y, (int, float)))
    first = next(iter(metrics))
    return next(((x, score) for x in numbers), (first, metrics[first]))


def _hashes_by_name(line: Object, metric: str) -> Document:
    """Return the hashes that tell a document.

    That of a sample is of its prompt, which differs between templates, and may between metrics.
    """
    hashes = {x: value_at(line, "metadata", x) for x in ("doc_hash", "target_hash")}
    if not hashes["doc_hash"]:
        hashes = {metric: line.get("sample_hash")}
    return Document({x: y for x, y in hashes.items() if y})


def _results(file: TextFile) -> _ByEvaluation:
    """Return each result in the file beside the log, if there is one, by metric and evaluation.

    One without an id is also known by its description, as converters of lm-evaluation-harness write
    it. Of several by one name none is returned.
    """
    results = file.beside(f"{file.file_name.removesuffix(_ENDING)}.json")
    by_name: dict[tuple[str, str], Any] = {}
    for x in list_in(results, "evaluation_results"):
        described = str(value_at(x, "metric_config", "evaluation_description"))
        named = value_at(x, "evaluation_result_id")
        names = [str(named)] if named else [_SCORE, described.partition(" (filter: ")[0]]
        for key in ((name, str(value_at(x, "evaluation_name") or "")) for name in {*names}):
            by_name[key] = None if key in by_name else x
    return by_name


EVERY_EVAL_EVER = LogFormat(
    "every_eval_ever",
    "Every Eval Ever",
    _rows_of_every_eval_ever,
    keys=[{"schema_version", "sample_id", "evaluation"}],
)


_FIELDS = ("id", "task_name", "query", "choices", "gold_index")


def _rows_of_lighteval(file: TextFile) -> Generator[Row, None, None]:
    """Yield each document, of which the task tells the run; the id is the document's."""
    model = _model_in_path(file)
    for row in _details(file):
        example, task, *document = (row["doc"].get(x) for x in _FIELDS)
        yield Row(example, items_in(row, "metric"), model, task or "", str(document))


def _details(file: TextFile) -> list[dict[str, Any]]:
    """Return the documents and scores, without the answers, which are large."""
    with file.parquet() as opened:
        columns = [*(f"doc.{x}" for x in _FIELDS), "metric"]
        parts = columns_in_parts(file, opened, columns)
        return [row for part in parts for row in part.to_pylist()]


def _model_in_path(file: TextFile) -> str:
    """Return the model that the path tells: ``details/<model>/<date>/<file>``."""
    parts = PurePath(file.path).parts[:-2]
    is_told = "details" in parts
    return "/".join(parts[len(parts) - parts[::-1].index("details") :]) if is_told else ""


LIGHTEVAL = LogFormat(
    "lighteval", "lighteval", _rows_of_lighteval, columns=[{"doc", "metric", "model_response"}]
)


_COLUMNS = {"success": "successes", "sum_reward": "sum_rewards", "max_reward": "max_rewards"}


def _rows_of_lerobot(file: TextFile) -> Generator[Row, None, Finish]:
    """Yield each episode of each suite, or of the one environment of an old log.

    The id of an episode is its seed. Later logs do not tell seeds: the id is the environment and
    the number of the episode there, whose seed is that number more than the first.
    """
    log = file.whole_object()
    if not {"per_task", "per_episode"} & log.keys():
        inner = {x: y for x, y in log.items() if isinstance(y, dict)}
        if len(inner) > 1:
            what = f"holds several results, {first_of([*map(shown, inner)])}"
            raise file.error(what, remedy="Give a file of each.")
        log = next(iter(inner.values()), log)
    for episode in log.get("per_episode", ()):
        if type(episode.get("seed")) is not int:
            what = "has episodes without a seed, which no other log shares"
            raise file.error(what, remedy="Evaluate both policies with the same --seed.")
        yield Row(episode["seed"], [(x, episode.get(x)) for x in _COLUMNS])
    for task in () if "per_episode" in log else log["per_task"]:
        columns = [task["metrics"].get(x) or () for x in _COLUMNS.values()]
        suite = str(task.get("task_group") or "")
        for number, scores in enumerate(zip_longest(*columns)):
            example = f"{task.get('task_id')}/{number}"
            yield Row(example, zip(_COLUMNS, scores, strict=True), task=suite)
    return _all_higher


def _all_higher(run: Run, _: Any) -> Run:
    """Say that of all metrics more is better."""
    return replace(run, lower_is_better=dict.fromkeys((*run.scores, *run.left_out), False))


LEROBOT = LogFormat(
    "lerobot", "LeRobot", _rows_of_lerobot, json=r'("[^"]*":\{)?"per_(task|episode)":\['
)


def _rows_of_promptfoo(file: TextFile) -> Generator[Row, None, Finish]:
    """Yield each test of each provider and prompt; its id is its ``testIdx``.

    The same test again is a repeat of the first, as ``--repeat`` makes them. A test that ended in
    an error has no scores.
    """
    given = file.whole_object()["results"]["results"]
    rows = [(_provider(x), x["promptIdx"], x["testIdx"], _test(x), _scores(x)) for x in given]
    rows.sort(key=itemgetter(0, 1, 2))  # the file has them as they ended
    prompts: dict[str, dict[int, int]] = {}  # the number of each, by provider and index
    first: dict[str, int] = {}  # the least index of each test
    for provider, prompt, index, test, _ in rows:
        own = prompts.setdefault(provider, {})
        own.setdefault(prompt, len(own) + 1)
        first[test] = min(index, first.get(test, index))
    for provider, prompt, index, test, scores in rows:
        own = prompts[provider]
        system = f"{provider}, prompt {own[prompt]}" if len(own) > 1 else provider
        yield Row(first[test], scores, system, document=test, repeat=index)
    return _all_higher


def _provider(row: Object) -> str:
    """Return the label of a row's provider, or else its id."""
    provider = row["provider"]
    if isinstance(provider, str):
        return provider
    return str(value_at(provider, "label") or value_at(provider, "id") or "")


def _test(row: Object) -> str:
    """Return what makes a row's test: its variables and assertions."""
    test = row.get("testCase")
    kept = [value_at(test, x) for x in ("description", "vars", "assert")]
    return json.dumps(kept if isinstance(test, dict) else row.get("vars"), sort_keys=True)


def _scores(row: Object) -> list[tuple[str, Any]]:
    """Return the scores of a row; none if it ended in an error."""
    reason = row.get("failureReason")
    has_error = row.get("error") and not row.get("gradingResult")  # versions without a reason
    if reason == 2 or (reason is None and has_error):  # 1 is a failed assertion
        return []
    scores = [(x, row.get(x)) for x in ("success", "score")]
    return [*scores, *items_in(row, "namedScores")]


PROMPTFOO = LogFormat(
    "promptfoo", "promptfoo", _rows_of_promptfoo, json=r'"evalId":[^{]*"results":\{'
)


def _rows_of_deepeval(file: TextFile) -> Generator[Row, None, Finish]:
    """Yield each test case: the id is its name, the same again is a repeat.

    A metric that ended in an error has no score. If its threshold is a maximum, lower is better.
    """
    log = file.whole_object()
    log = log.get("testRunData", log)
    model = value_at(log, "hyperparameters", "model") or value_at(log, "identifier") or ""
    cases, judged = [*log["testCases"], *(log.get("conversationalTestCases") or ())], []
    for number, case in enumerate(cases, 1):
        asked = [case.get(x) for x in ("input", "expectedOutput", "scenario", "expectedOutcome")]
        metrics = [x for x in list_in(case, "metricsData") if isinstance(x, dict)]
        judged += metrics
        scores = [(str(x.get("name")), None if x.get("error") else x.get("score")) for x in metrics]
        order = str(case.get("order", number))
        yield Row(case["name"], scores, str(model), document=str(asked), repeat=order)
    return lambda run, _: replace(run, lower_is_better=_directions(judged))


def _directions(judged: Iterable[Object]) -> dict[str, bool]:
    """Return the direction of each metric, by the side of its threshold where it succeeds."""
    sides: dict[str, set[bool]] = {}
    for metric in judged:
        score, threshold = (finite_number(metric.get(x)) for x in ("score", "threshold"))
        if score is not None and threshold is not None and score != threshold:
            is_lower = (score < threshold) == bool(metric.get("success"))
            sides.setdefault(str(metric.get("name")), set()).add(is_lower)
    return {x: side.pop() for x, side in sides.items() if len(side) == 1}


DEEPEVAL = LogFormat(
    "deepeval",
    "DeepEval",
    _rows_of_deepeval,
    json=r'("testRunData":\{)?("testFile"[^{\[]*,)?"testCases":\[',
)


_METRIC = "resolved"
_RESOLVED = {  # SWE-bench counts what could not be evaluated, or changes nothing, as not resolved
    "resolved_ids": True,
    **dict.fromkeys(("unresolved_ids", "error_ids", "empty_patch_ids", "failed_ids"), False),
}
_IN_ALL = ("resolved_ids", "unresolved_ids")  # sb-cli and the harness write different other lists


def _rows_of_swe_bench(file: TextFile) -> Generator[Row, None, Finish]:
    """Yield what is resolved, of a report; instances without a prediction are left out.

    The report of one instance tells the folder of its run as its path. Its file is missing if the
    instance could not be evaluated.
    """
    log, model = file.whole_object(), file.stem.rpartition(".")[0]
    if "total_instances" in log:
        lists = {key: log[key] if key in _IN_ALL else log.get(key, []) for key in _RESOLVED}
        for key, instances in lists.items():
            if not isinstance(instances, list):
                raise file.error(f"has no list of {key}", remedy=AS_WRITTEN)
            for instance in instances:
                yield Row(instance, [(_METRIC, _RESOLVED[key])], model)
        return _all_higher
    folder = folder_of_run(file)
    for instance, report in log.items():
        yield Row(instance, [(_METRIC, report[_METRIC])], folder.file_name, path=folder.path)
    return _all_higher


SWE_BENCH = LogFormat(
    "swe_bench",
    "SWE-bench",
    _rows_of_swe_bench,
    json=r'"total_instances":|"[^"]+":\{"patch_is_None":',
)


_ID = r'"id":"[^"]*",'
_TRIALS = r'"results":\[\{'  # of Terminal-Bench


def _rows_of_harbor(file: TextFile) -> Generator[Row, None, Finish]:
    """Yield the trials of Terminal-Bench's ``results.json``, or the one of a trial of Harbor.

    A trial of Harbor tells the folder of its run as its path. The attempts at a task are its
    repeats. A trial that ended without a reward has no score.
    """
    trial = file.whole_object()
    if "results" in trial:
        told = yield from _of_terminal_bench(file, trial["results"])
        return told
    model = value_at(trial, "agent_info", "model_info", "name")
    yield Row(
        trial["task_name"],
        items_in(trial, "verifier_result", "rewards"),
        _agent(value_at(trial, "agent_info", "name"), model),
        trial.get("source") or "",
        document=str(trial.get("task_checksum")),
        path=folder_of_run(file).path,
    )
    return _all_higher


def _of_terminal_bench(file: TextFile, trials: list[Object]) -> Generator[Row, None, Finish]:
    """Yield all trials, with what the file beside it says of the run.

    Terminal-Bench counts a trial that it could not judge as not resolved, and it is read so.
    """
    n_unjudged, of_run = 0, file.beside("run_metadata.json")
    agent = _agent(of_run.get("agent_name"), of_run.get("model_name"))
    for number, trial in enumerate(trials, 1):
        is_resolved = trial.get("is_resolved")
        if is_resolved is None and "is_resolved" in trial:
            is_resolved, n_unjudged = False, n_unjudged + 1
        scores, task = [("is_resolved", is_resolved)], of_run.get("dataset_name") or ""
        yield Row(trial["task_id"], scores, agent, task, repeat=number)
    note = (
        f"{counted(n_unjudged, 'trial')} of {shown_path(file.path)} could not be judged: counted "
        "as not resolved, as Terminal-Bench does"
    )
    version = in_one_line(of_run.get("dataset_version") or "")
    notes = (note,) * bool(n_unjudged)
    return lambda run, _: replace(_all_higher(run, _), version=version, notes=notes)


def _agent(agent: Any, model: Any) -> str:
    """Return the names of an agent and its model in one."""
    return ", ".join(str(x) for x in (agent, model) if x)


HARBOR = LogFormat(
    "harbor",
    "Harbor, or Terminal-Bench,",
    _rows_of_harbor,
    json=(
        rf'{_ID}("task_name":|{_TRIALS}[^{{}}]*"(trial_name|task_id)":)'
        rf'|{_TRIALS}"trial_name":'
    ),
)


_LESS_IS_BETTER = {"pass_rate": False, "time_seconds": True, "tokens": True}  # of what it sums up


def _rows_of_skills(file: TextFile) -> Generator[Row, None, Finish]:
    """Yield each run of each evaluation: a configuration is a system, and the skill the task.

    The name of an evaluation, which not all versions write, tells what was asked.
    """
    log = file.whole_object()
    skill = str(value_at(log, "metadata", "skill_name") or "")
    for run in log["runs"]:
        scores = [(x, run["result"].get(x)) for x in _LESS_IS_BETTER]
        system, document = str(run["configuration"]), run.get("eval_name")
        yield Row(run["eval_id"], scores, system, skill, document, str(run.get("run_number")))
    return lambda run, _: replace(run, lower_is_better=_LESS_IS_BETTER)


SKILLS = LogFormat(
    "skills", "skill-creator", _rows_of_skills, json=r'"metadata":\{[^{}]*"skill_name":'
)

OTHER_LOGS = (
    *(TREC_EVAL, EVERY_EVAL_EVER, LIGHTEVAL, LEROBOT),
    *(PROMPTFOO, DEEPEVAL, SWE_BENCH, HARBOR, SKILLS),
)
