"""Logs of eight tools: a function that reads, and the signs that tell a log from others.

- ``trec_eval -q`` prints a line for each measure and query.
- Every Eval Ever 0.3 writes ``<id>_samples.jsonl``.
- lighteval's details are ``details_<task>_<date>.parquet``.
- LeRobot tells the success of each episode in ``eval_info.json``.
- ``promptfoo eval -o results.json`` writes what it is told.
- DeepEval's test runs are ``test_run_<date>.json`` in its folder of results.
- SWE-bench's reports are of a run, ``<model>.<run>.json``, or of one instance.
- Harbor has a ``result.json`` a trial, as Terminal-Bench had before it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import zip_longest
from operator import itemgetter
from pathlib import PurePath
from typing import Any

from pairedperm.errors import counted, first_of, shown, shown_path
from pairedperm.inputs.columns import Id
from pairedperm.readers.aggregates import finite_number, with_aggregates
from pairedperm.readers.files import (
    AS_WRITTEN,
    NoLog,
    Object,
    Signs,
    TextFile,
    items_in,
    list_at,
    list_in,
    value_at,
)
from pairedperm.readers.log import (
    IS_NUMBER,
    Collector,
    Document,
    LogFormat,
    Run,
    TaskGroup,
    folder_of_run,
    in_one_line,
)
from pairedperm.readers.tables import columns_in_parts

_TREC_EVAL_SIGNS = Signs(
    start=(  # the name of a measure is filled up to 22 characters
        r"(?=[^\t\n]{22})\S+ *\t\S+\t([-+.\d]\S*|-?nan|'\S*'|(?<=\tall\t)\S+)\s*(\n|$)"
    ),
    unread=[
        NoLog(
            r"\S+[ \t]+Q?0[ \t]+\S+[ \t]+-?\d+([ \t]+\S+[ \t]+\S+)?[ \t]*(\r?\n|$)",
            "is what trec_eval is given, rankings or judgements",
            "Run trec_eval with -q, and give what it prints.",
        )
    ],
)
_IS_ROW = re.compile(r"\s*(\S+)\s*\t(\S+)\t(\S*)\s*")
_ALL = "all"  # the query of an average
_SAYS_NOTHING = re.compile("Z?((prefs_)?num_|unj|rbp_resid|relstring).*")  # of quality
_OF_FOUR_DIGITS = 1.001e-4  # proof: the average and the mean of what it prints are each 0.5e-4 off


def _read_trec_eval(file: TextFile) -> list[Run]:
    """Return the run of a log: each measure is a metric, and the averages are checked.

    Raises
    ------
    InputError
        If the log cannot be read, has lines of another format, or only averages; if it has what
        several runs printed.
    """
    collected, averages = Collector(file, TREC_EVAL.name), {}
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
            collected.add(query, None, [(measure, value)])
    measures = [x for x in collected.metrics if not _SAYS_NOTHING.fullmatch(x)]
    if not collected.metrics:
        raise file.error("has only averages of all queries", remedy="Run trec_eval with -q.")
    run = collected.run(lower_is_better=dict.fromkeys(measures, False))
    if not _TREC_EVAL_SIGNS.fit(file):
        _check_order(file, {*collected.metrics, *averages}, {*run.ids, *[_ALL] * bool(averages)})
    if len({*run.ids}) < len(run.ids):
        what = f"has a measure of query {shown(run.ids[-1])} twice"
        raise file.error(what, remedy="Give what trec_eval printed of one run.")
    return [with_aggregates(run, {x: _average(run, x, averages.get(x)) for x in measures})]


def _check_order(file: TextFile, measures: set[str], queries: set[Id]) -> None:
    """Raise InputError if these names have changed places: there are mostly more queries."""
    are_queries = _ALL in measures or any(map(str.isdigit, measures))
    if len(measures) > len(queries) or are_queries:
        many = counted(len(measures), "name")
        what = f"has {many} in its first column and {len(queries):,} in its second, but trec_eval "
        raise file.error(
            f"{what}writes measure, query and value",
            remedy=(
                "Is it of ir_measures, which writes the query first?",
                "Ask it for one measure with `-q -o jsonl`, and give that with id='query_id' and "
                "score='value'",
            ),
        )


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


TREC_EVAL = LogFormat("trec_eval", _TREC_EVAL_SIGNS, _read_trec_eval)


_EVERY_EVAL_EVER_SIGNS = Signs(
    keys=[{"schema_version", "sample_id", "evaluation"}],
    unread=[
        NoLog(
            r'\{"schema_version":"[^"]*","evaluation_id":"[^"]*","(evaluation|retrieved)_timestamp":',
            "has averages of Every Eval Ever, and no scores of examples",
            "Give the …_samples.jsonl beside it.",
        )
    ],
)
_ENDING = "_samples.jsonl"
_ByEvaluation = Mapping[tuple[str, str], Any]  # and by metric, which stands first
_SCORE = "score"  # the metric of an evaluation result without an id


def _evaluations(file: TextFile) -> Iterator[tuple[Id, Object]]:
    """Yield the id and the object of each line."""
    lacks = "Every Eval Ever, schema_version, sample_id and evaluation"
    return file.rows("sample_id", _EVERY_EVAL_EVER_SIGNS.keys, lacks)


def _tasks_of_every_eval_ever(file: TextFile) -> dict[str, dict[str, TaskGroup]]:
    """Return the tasks in the results file beside a log; none if its first line has another.

    They are in no groups.
    """
    listed: dict[str, dict[str, TaskGroup]] = {in_one_line(x): {} for _, x in _results(file)}
    _, task = _model_and_task(file.first_object)
    return listed if in_one_line(task) in listed else {}


def _read_every_eval_ever(file: TextFile) -> list[Run]:
    """Return the runs of a log, one for each model and evaluation; each result is a metric.

    Raises
    ------
    InputError
        If the log cannot be read, or has lines of another format.
    """
    collected: dict[tuple[str, str], Collector] = {}
    documents: dict[tuple[str, str, Id], Document] = {}
    for example, line in _evaluations(file):
        key = _model_and_task(line)
        metric, score = _metric_and_score(line)
        epoch = str(value_at(line, "metadata", "epoch"))  # converted logs of inspect_ai have it
        scores = [(metric, score)]
        if line.get("error"):  # a failed sample is logged with score 0
            scores = []
        document = _hashes_by_name(line, metric)
        before = documents.setdefault((*key, example), document)
        if before.keys().isdisjoint(document):  # another metric may be of another prompt
            before.update(document)
        run = collected.setdefault(key, Collector(file, EVERY_EVAL_EVER.name))
        prompt = line.get("sample_hash") if "doc_hash" in document else None
        run.add(example, document, scores, prompt, repeat=epoch)
    results = _results(file)
    return [_run(file, key, run, results) for key, run in collected.items()]


def _model_and_task(line: Object) -> tuple[str, str]:
    return str(line.get("model_id") or ""), str(line.get("evaluation_name") or "")


def _metric_and_score(line: Object) -> tuple[str, Any]:
    """Return the metric that a line's result names, and its score.

    Converted logs of lm-evaluation-harness have no such name. There the score is the first number
    among the metrics, or 0 if they have none.
    """
    named, score = line.get("evaluation_result_id"), value_at(line, "evaluation", "score")
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


def _run(file: TextFile, key: tuple[str, str], collected: Collector, results: _ByEvaluation) -> Run:
    """Return the run of one model and evaluation, with what its results say."""
    model, task = key
    of_task = {x: results.get((x, task)) for x in collected.metrics}
    lower = {x: value_at(y, "metric_config", "lower_is_better") for x, y in of_task.items()}
    run = collected.run(
        task=task,
        model=model,
        lower_is_better={x: y for x, y in lower.items() if isinstance(y, bool)},
    )
    return with_aggregates(
        run, {x: value_at(y, "score_details", "score") for x, y in of_task.items()}
    )


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
    "every_eval_ever", _EVERY_EVAL_EVER_SIGNS, _read_every_eval_ever, _tasks_of_every_eval_ever
)


_LIGHTEVAL_SIGNS = Signs(columns=[{"doc", "metric", "model_response"}])
_FIELDS = ("id", "task_name", "query", "choices", "gold_index")


def _read_lighteval(file: TextFile) -> list[Run]:
    """Return the run of each task of a log; the id is that of the document.

    Raises
    ------
    InputError
        If the log cannot be read, or has a document without an id.
    """
    collected: dict[str, Collector] = {}
    for number, row in enumerate(_details(file), 1):
        example, task, *document = (value_at(row, "doc", x) for x in _FIELDS)
        file.checked_name(example, f"has no id of document {number}", "Evaluate the task again.")
        run = collected.setdefault(task or "", Collector(file, LIGHTEVAL.name))
        run.add(example, str(document), items_in(row, "metric"))
    model = _model_in_path(file)
    return [run.run(task=task, model=model) for task, run in collected.items()]


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


LIGHTEVAL = LogFormat("lighteval", _LIGHTEVAL_SIGNS, _read_lighteval)


_LEROBOT_SIGNS = Signs(json=r'("[^"]*":\{)?"per_(task|episode)":\[')  # or one object deeper
_COLUMNS = {"success": "successes", "sum_reward": "sum_rewards", "max_reward": "max_rewards"}


def _read_lerobot(file: TextFile) -> list[Run]:
    """Return the run of each suite of a log, or of the one environment of an old log.

    The id of an episode is its seed. Later logs do not tell seeds: the id is the environment and
    the number of the episode there, whose seed is that number more than the first.

    Raises
    ------
    InputError
        If the log cannot be read, or lacks its lists; if its episodes had no seed; if it holds
        several results.
    """
    log = file.whole_object()
    if not {"per_task", "per_episode"} & log.keys():
        inner = {x: y for x, y in log.items() if isinstance(y, dict)}
        if len(inner) > 1:
            what = f"holds several results, {first_of([*map(shown, inner)])}"
            raise file.error(what, remedy="Give a file of each.")
        log = next(iter(inner.values()), log)
    collected: dict[str, Collector] = {}
    if "per_episode" in log:
        run = collected.setdefault("", Collector(file, LEROBOT.name))
        for episode in list_at(file, log, "per_episode"):
            if type(episode.get("seed")) is not int:
                what = "has episodes without a seed, which no other log shares"
                raise file.error(what, remedy="Evaluate both policies with the same --seed.")
            run.add(episode["seed"], None, [(x, episode.get(x)) for x in _COLUMNS])
    else:
        for task in list_at(file, log, "per_task"):
            run = collected.setdefault(
                str(task.get("task_group") or ""), Collector(file, LEROBOT.name)
            )
            columns = [list_in(task, "metrics", x) for x in _COLUMNS.values()]
            for number, scores in enumerate(zip_longest(*columns)):
                example = f"{task.get('task_id')}/{number}"
                run.add(example, None, zip(_COLUMNS, scores, strict=True))
    higher = dict.fromkeys(_COLUMNS, False)
    return [run.run(task=suite, lower_is_better=higher) for suite, run in collected.items()]


LEROBOT = LogFormat("lerobot", _LEROBOT_SIGNS, _read_lerobot)


_PROMPTFOO_SIGNS = Signs(
    json=r'"evalId":[^{]*"results":\{',
    unread=[
        NoLog(
            r'\{("results":\{)?"version":[12],"(results|prompts)":',
            "is of an old version of promptfoo, which wrote no indices of tests",
            "Evaluate again with a newer promptfoo.",
        )
    ],
)
_INDICES = ("testIdx", "promptIdx")


def _read_promptfoo(file: TextFile) -> list[Run]:
    """Return the run of each provider and prompt; the id of a test is its ``testIdx``.

    The same test again is a repeat of the first, as ``--repeat`` makes them. A test that ended in
    an error has no scores.

    Raises
    ------
    InputError
        If the log cannot be read, or has rows without a provider or an index.
    """
    rows = list_at(file, file.whole_object(), "results", "results")
    for number, row in enumerate(rows, 1):
        if not _provider(row) or any(type(row.get(x)) is not int for x in _INDICES):
            what = f"has no provider, testIdx and promptIdx in row {number} of its results"
            raise file.error(what, remedy=AS_WRITTEN)
    systems: dict[tuple[str, int], Collector] = {}
    first: dict[str, int] = {}  # the index of each test
    for row in sorted(rows, key=itemgetter(*_INDICES)):  # the file has them as they ended
        run = systems.setdefault(
            (_provider(row), row["promptIdx"]), Collector(file, PROMPTFOO.name)
        )
        test, index = _test(row), row["testIdx"]
        run.add(first.setdefault(test, index), test, _scores(row), repeat=index)
    return [_of_system(file, x, sorted(systems), systems[x]) for x in sorted(systems)]


def _of_system(
    file: TextFile, system: tuple[str, int], systems: list[tuple[str, int]], collected: Collector
) -> Run:
    """Return the run of a system, named by its provider, and its prompt if that has several."""
    own = [x for x in systems if x[0] == system[0]]
    prompt = f", prompt {own.index(system) + 1}" if len(own) > 1 else ""
    return collected.run(
        model=f"{system[0]}{prompt}",
        lower_is_better=dict.fromkeys(collected.metrics, False),
    )


def _provider(row: Object) -> str:
    """Return the label of a row's provider, or else its id."""
    provider = row.get("provider")
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


PROMPTFOO = LogFormat("promptfoo", _PROMPTFOO_SIGNS, _read_promptfoo)


_DEEPEVAL_SIGNS = Signs(
    json=r'("testRunData":\{)?("testFile"[^{\[]*,)?"testCases":\[',
    unread=[
        NoLog(
            r'\{"testRunLink":',
            "is a link to a test run of DeepEval, and has no scores",
            "Set DEEPEVAL_RESULTS_FOLDER, evaluate again, and give the file that is written there.",
        )
    ],
)


def _read_deepeval(file: TextFile) -> list[Run]:
    """Return the run of a log: the id is the name of a test case, the same again is a repeat.

    A metric that ended in an error has no score. If its threshold is a maximum, lower is better.

    Raises
    ------
    InputError
        If the log cannot be read, or has a test case without a name.
    """
    log = file.whole_object()
    log = log.get("testRunData", log)
    cases = list_at(file, log, "testCases")
    if value_at(log, "conversationalTestCases") is not None:
        cases = [*cases, *list_at(file, log, "conversationalTestCases")]
    collected, judged = Collector(file, DEEPEVAL.name), []
    for number, case in enumerate(cases, 1):
        example = file.checked_name(case.get("name"), f"has no name of test case {number}")
        asked = [case.get(x) for x in ("input", "expectedOutput", "scenario", "expectedOutcome")]
        metrics = [x for x in list_in(case, "metricsData") if isinstance(x, dict)]
        judged += metrics
        scores = [(str(x.get("name")), None if x.get("error") else x.get("score")) for x in metrics]
        collected.add(example, str(asked), scores, repeat=str(case.get("order", number)))
    run = collected.run(
        model=value_at(log, "hyperparameters", "model") or value_at(log, "identifier"),
        lower_is_better=_directions(judged),
    )
    return [run]


def _directions(judged: Iterable[Object]) -> dict[str, bool]:
    """Return the direction of each metric, by the side of its threshold where it succeeds."""
    sides: dict[str, set[bool]] = {}
    for metric in judged:
        score, threshold = (finite_number(metric.get(x)) for x in ("score", "threshold"))
        if score is not None and threshold is not None and score != threshold:
            is_lower = (score < threshold) == bool(metric.get("success"))
            sides.setdefault(str(metric.get("name")), set()).add(is_lower)
    return {x: side.pop() for x, side in sides.items() if len(side) == 1}


DEEPEVAL = LogFormat("deepeval", _DEEPEVAL_SIGNS, _read_deepeval)


_SWE_BENCH_SIGNS = Signs(
    json=r'"total_instances":|"[^"]+":\{"patch_is_None":',
    unread=[
        NoLog(
            r'\{"no_generation":\[',
            "is a results.json of SWE-bench/experiments, which does not list what is unresolved",
            "Give its logs: a folder with the report.json of each instance.",
        )
    ],
)
_METRIC = "resolved"
_RESOLVED = {  # SWE-bench counts what could not be evaluated, or changes nothing, as not resolved
    "resolved_ids": True,
    **dict.fromkeys(("unresolved_ids", "error_ids", "empty_patch_ids", "failed_ids"), False),
}
_IN_ALL = ("resolved_ids", "unresolved_ids")  # sb-cli and the harness write different other lists


def _read_swe_bench(file: TextFile) -> list[Run]:
    """Return the run of a report: what is resolved; instances without a prediction are left out.

    The report of one instance tells the folder of its run as its path. Its file is missing if the
    instance could not be evaluated.

    Raises
    ------
    InputError
        If the report cannot be read, or lacks a list of ids, or does not say what is resolved.
    """
    log, collected = file.whole_object(), Collector(file, SWE_BENCH.name)
    path, model = file.path, file.stem.rpartition(".")[0]
    if "total_instances" in log:
        for key, is_resolved in _RESOLVED.items():
            if key not in log and key not in _IN_ALL:
                continue
            for instance in list_at(file, log, key, of=str):
                collected.add(instance, None, [(_METRIC, is_resolved)])
    else:
        folder = folder_of_run(file)
        path, model = folder.path, folder.file_name
        for instance, report in log.items():
            resolved = value_at(report, _METRIC)
            if not isinstance(resolved, bool):
                what = f"does not say whether {instance} is resolved"
                raise file.error(what, remedy="Evaluate the instance again.")
            collected.add(instance, None, [(_METRIC, resolved)])
    return [collected.run(path=path, model=model, lower_is_better={_METRIC: False})]


SWE_BENCH = LogFormat("swe_bench", _SWE_BENCH_SIGNS, _read_swe_bench)


_ID = r'"id":"[^"]*",'
_TRIALS = r'"results":\[\{'  # of Terminal-Bench
_HARBOR_SIGNS = Signs(
    json=(
        rf'{_ID}("task_name":|{_TRIALS}[^{{}}]*"(trial_name|task_id)":)'
        rf'|{_TRIALS}"trial_name":'
    ),
    unread=[
        NoLog(
            rf'\{{{_ID}"started_at":[^{{]*"(n_total_trials|stats)":',
            "has averages of a run of Harbor, and no scores of examples",
            "Give its folder, in which each trial has a folder.",
        ),
        NoLog(
            rf'\{{({_ID})?"trial_name":',
            "is one trial of Terminal-Bench",
            "Give the results.json of the whole run.",
        ),
    ],
)
_LACKS = "has a trial without a task"


def _read_harbor(file: TextFile) -> list[Run]:
    """Return the run of Terminal-Bench's ``results.json``, or one trial of a run of Harbor.

    A trial tells the folder of its run as its path. The attempts at a task are its repeats. A trial
    that ended without a reward has no score.

    Raises
    ------
    InputError
        If the log cannot be read, or has a trial without a task.
    """
    trial, collected = file.whole_object(), Collector(file, HARBOR.name)
    if "results" in trial:
        return [_of_terminal_bench(file, list_at(file, trial, "results"))]
    rewards = items_in(trial, "verifier_result", "rewards")
    example = file.checked_name(trial.get("task_name"), _LACKS)
    collected.add(example, str(trial.get("task_checksum")), rewards)
    run = collected.run(
        path=folder_of_run(file).path,
        task=trial.get("source"),
        model=_agent(
            value_at(trial, "agent_info", "name"),
            value_at(trial, "agent_info", "model_info", "name"),
        ),
        lower_is_better=dict.fromkeys(collected.metrics, False),
    )
    return [run]


def _of_terminal_bench(file: TextFile, trials: list[Object]) -> Run:
    """Return the run of all trials, with what the file beside it says of the run.

    Terminal-Bench counts a trial that it could not judge as not resolved, and it is read so.
    """
    collected, n_unjudged = Collector(file, HARBOR.name), 0
    for number, trial in enumerate(trials, 1):
        is_resolved = trial.get("is_resolved")
        if is_resolved is None and "is_resolved" in trial:
            is_resolved, n_unjudged = False, n_unjudged + 1
        scores = [("is_resolved", is_resolved)]
        example = file.checked_name(trial.get("task_id"), _LACKS)
        collected.add(example, None, scores, repeat=number)
    note = (
        f"{counted(n_unjudged, 'trial')} of {shown_path(file.path)} could not be judged: counted "
        "as not resolved, as Terminal-Bench does"
    )
    of_run = file.beside("run_metadata.json")
    return collected.run(
        task=of_run.get("dataset_name"),
        version=of_run.get("dataset_version"),
        model=_agent(of_run.get("agent_name"), of_run.get("model_name")),
        lower_is_better={"is_resolved": False},
        notes=(note,) * bool(n_unjudged),
    )


def _agent(agent: Any, model: Any) -> str:
    """Return the names of an agent and its model in one."""
    return ", ".join(str(x) for x in (agent, model) if x)


HARBOR = LogFormat("harbor", _HARBOR_SIGNS, _read_harbor)
