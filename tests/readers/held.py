"""The formats that people hold: of each the smallest log of one system that has given scores.

Logs that a tool wrote are cut from `tests/logs`; the others are written by the tool's layout.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import datasets
import pyarrow as pa
import pyarrow.parquet as pq

from corpora.logs import inspect, log, save
from extras import needs
from pairedperm.readers.files import ReadOptions
from pairedperm.readers.formats import read_logs
from pairedperm.readers.log import with_repeats, without_unscored
from pairedperm.readers.tables import in_one_type


def first_run(path: Any, other: Any, **options: Any) -> Any:
    """What is read of the first of two logs, in its order."""
    chosen = ReadOptions.of(options)
    runs = without_unscored([read_logs("path", x, chosen)[0] for x in (path, other)])
    first = in_one_type(runs)[0]
    return with_repeats(first) if chosen.repeats else first


class Row(NamedTuple):
    """One answer of a system."""

    id: int
    score: Any
    asked: str

    @property
    def word(self) -> str:
        """As inspect_ai writes it."""
        return "C" if self.score else "I"


Rows = Sequence[Row]
CODECS = {"gz": "gzip", "bz2": "bz2", "zst": "zstd"}


def rows(*scores: Any, **asked: str) -> list[Row]:
    """Answers to questions 0, 1 and so on; `q2="other"` asks another second one."""
    return [Row(k, x, asked.get(f"q{k}", f"question {k}")) for k, x in enumerate(scores)]


def compressed(path: Path, ending: str) -> Path:
    """A compressed copy in place of a file, or of all files in a folder."""
    if path.is_dir():
        for x in [x for x in path.rglob("*") if x.is_file()]:
            compressed(x, ending)
        return path
    copy = path.with_name(f"{path.name}.{ending}")
    with pa.output_stream(copy, compression=CODECS[ending.lower()]) as stream:
        stream.write(path.read_bytes())
    path.unlink()
    return copy


class Held(NamedTuple):
    """A format and how a log of it is written into a folder."""

    kind: str
    write: Callable[[Path, Rows], Path]
    metric: str = "score"
    has_documents: bool = False
    """Whether a log tells what was asked."""
    again: str = "1 example run more often by one system"
    """What is said if one log has several answers to a question; by default their mean is taken."""
    lacks: str = "without {}"
    """How an example without a score is called; "" if it counts as 0."""
    other: str = "Give the file as the tool wrote it."
    """What is said of a file that is another, but is called so."""
    extra: str = ""
    """The package that reads it, if that is none of the test extra."""

    def written(self, folder: Path, some: Rows) -> Path:
        """The log, or the folder of the run."""
        if self.extra:
            needs(self.extra, "inspect")
        folder.mkdir(parents=True, exist_ok=True)
        return self.write(folder, some)

    @property
    def is_table(self) -> bool:
        return self.metric == "score"


def stored(kind: str, folder: Path, name: str, columns: dict[str, Any]) -> Any:
    """A table of these columns, in a file or a dataset."""
    if kind == "dataset":
        return datasets.Dataset.from_dict(columns)
    path = folder / f"{name}.{kind}"
    listed = [*zip(*columns.values(), strict=True)]
    if kind == "jsonl":
        return save(path, [dict(zip(columns, x, strict=True)) for x in listed])
    if kind == "parquet":
        pq.write_table(pa.table(columns), path)
        return path
    text = io.StringIO(newline="")
    quotes: dict[str, Any] = {"delimiter": "\t", "quoting": csv.QUOTE_NONE, "quotechar": None}
    writer = csv.writer(text, lineterminator="\n", **quotes if kind == "tsv" else {})
    writer.writerows([columns, *listed])
    return save(path, text.getvalue())


def _of_table(kind: str) -> Callable[[Path, Rows], Path]:
    return lambda folder, some: stored(
        kind, folder, "table", {"id": [x.id for x in some], "score": [x.score for x in some]}
    )


def _of_lines(name: str, line: Callable[[Row], dict[str, Any]]) -> Callable[[Path, Rows], Path]:
    return lambda folder, some: save(folder / name, [line(x) for x in some])


def _of_object(name: str, content: Callable[[Rows], Any]) -> Callable[[Path, Rows], Path]:
    return lambda folder, some: save(folder / name, json.dumps(content(some), indent=1))


def _lighteval(folder: Path, some: Rows) -> Path:
    path = folder / "details" / folder.name / "2026-11-27T10-00" / "details_t_2026-11-27.parquet"
    path.parent.mkdir(parents=True)
    doc = {"choices": ["a", "b"], "gold_index": [0], "task_name": "t|0"}
    listed = [
        {"doc": doc | {"id": f"{x.id}", "query": x.asked}, "metric": {"acc": x.score}}
        | {"model_response": {"text": ["a"]}}
        for x in some
    ]
    pq.write_table(pa.Table.from_pylist(listed), path)
    return path


def numbered(some: Iterable[Row]) -> Iterable[tuple[int, Row]]:
    """Each row with how often its example came before."""
    seen: Counter[int] = Counter()
    for x in some:
        yield seen[x.id], x
        seen[x.id] += 1


def told(pattern: str) -> Any:
    """The object of a log of `tests/logs`."""
    return json.loads(log(pattern).read_text("utf-8"))


def _inspect(some: Rows) -> Any:
    content = json.loads(inspect("naive_bayes", ending="json").read_text("utf-8"))
    content["results"]["scores"] = []
    content["samples"] = [
        {"id": x.id, "epoch": k + 1, "input": x.asked, "target": "yes"}
        | {"scores": {} if x.score is None else {"match": {"value": x.word}}}
        for k, x in numbered(some)
    ]
    return content


def _inspect_archive(folder: Path, some: Rows) -> Path:
    from inspect_ai.log import EvalLog, write_eval_log

    write_eval_log(EvalLog.model_validate(_inspect(some)), str(folder / "x.eval"))
    return folder / "x.eval"


def _promptfoo(some: Rows) -> Any:
    content = told("promptfoo/*")
    row = next(x for x in content["results"]["results"] if x["provider"]["id"] == "one")
    content["results"]["results"] = [
        row
        | {"testIdx": 10 * x.id + k, "testCase": {"vars": {"city": x.asked}}}
        | {"success": bool(x.score), "score": x.score, "namedScores": {}}
        | {"failureReason": 2 if x.score is None else 1 - bool(x.score)}
        for k, x in numbered(some)
    ]
    return content


def _deepeval(some: Rows) -> Any:
    content = told("deepeval/*")
    del content["conversationalTestCases"]
    case = content["testCases"][0]
    content["testCases"] = [
        case
        | {"name": f"case {x.id}", "input": x.asked, "order": k}
        | {"metricsData": [{"name": "Same", "threshold": 0.5, "score": x.score}]}
        for k, x in enumerate(some)
    ]
    return content


def _swe_bench(some: Rows) -> Any:
    lists = {"resolved_ids": [x for x in some if x.score], "error_ids": []}
    lists |= {"unresolved_ids": [x for x in some if x.score == 0], "empty_patch_ids": []}
    return told("swe_bench/*a.first*") | {x: [f"q{y.id}" for y in z] for x, z in lists.items()}


def _instances(folder: Path, some: Rows) -> Path:
    for x in some:
        if x.score is not None:
            report = {f"q{x.id}": {"patch_is_None": False, "resolved": bool(x.score)}}
            (folder / f"q{x.id}").mkdir(exist_ok=True)
            save(folder / f"q{x.id}" / "report.json", json.dumps(report, indent=4))
    return folder


def harbor(folder: Path, some: Rows, model: str = "", **rewards: float) -> Path:
    """The trials of a run of the model that its folder is called after, and its averages."""
    for k, x in numbered(some):
        trial = told("harbor/*") | {"task_name": f"q{x.id}", "task_checksum": x.asked}
        trial["agent_info"]["model_info"]["name"] = model or folder.name
        rewarded = {"rewards": {"reward": x.score, **rewards}}
        trial["verifier_result"] = None if x.score is None else rewarded
        place = folder / f"q{x.id}__{model}{k}"
        place.mkdir(parents=True)
        save(place / "result.json", json.dumps(trial))
    save(folder / "result.json", '{"id": "1", "started_at": "2026", "stats": {}}')
    return folder


def _terminal_bench(some: Rows) -> Any:
    listed = [
        {"trial_name": f"{k}", "task_id": f"q{x.id}", "is_resolved": x.score and bool(x.score)}
        for k, x in enumerate(some)
    ]
    return {"id": "0-1", "results": listed}


def _skills(some: Rows) -> Any:
    listed = [
        {"eval_id": x.id, "eval_name": x.asked, "configuration": "with_skill"}
        | {"run_number": k + 1, "result": {"pass_rate": x.score, "time_seconds": 40.5}}
        for k, x in numbered(some)
    ]
    return {"metadata": {"skill_name": "pdf", "evals_run": [0]}, "runs": listed}


def _trec_eval(folder: Path, some: Rows) -> Path:
    scores = ((x.id, "-nan" if x.score is None else f"{x.score:.4f}") for x in some)
    return save(folder / "run.txt", "\n".join(f"{'map':22}\tq{k}\t{x}\n" for k, x in scores))


_TWICE = "more than once in"
_OF_TABLE: dict[str, Any] = {
    "again": _TWICE,
    "other": "has no ids in column 'id', by which examples are matched",
}
_NO_PARQUET = "Give a whole Parquet file."
HELD = {
    "json list": Held(
        "jsonl",
        _of_object("table.json", lambda some: [{"id": x.id, "score": x.score} for x in some]),
        **_OF_TABLE,
    ),
    **{x: Held(x, _of_table(x), **_OF_TABLE) for x in ("jsonl", "csv", "tsv")},
    "parquet": Held("parquet", _of_table("parquet"), again=_TWICE, other=_NO_PARQUET),
    "lm_eval": Held(
        "lm_eval",
        _of_lines(
            "samples_t_2026-11-24T15-05-50.227925.jsonl",
            lambda x: (
                {"doc_id": x.id, "doc": {"q": x.asked}, "target": "x", "resps": []}
                | {"filter": "none", "metrics": ["acc"], "acc": x.score}
            ),
        ),
        *("acc", True, _TWICE),
        other="has no 'doc_id', and is not as lm-evaluation-harness writes it",
    ),
    "every_eval_ever": Held(
        "every_eval_ever",
        _of_lines(
            "x_samples.jsonl",
            lambda x: (
                {"schema_version": "0.3.0", "model_id": "m", "evaluation_name": "t"}
                | {"sample_id": f"{x.id}", "sample_hash": x.asked}
                | {"evaluation_result_id": "acc", "evaluation": {"score": x.score}}
            ),
        ),
        *("acc", True, _TWICE),
        other="has no 'sample_id', and is not as Every Eval Ever writes it",
    ),
    "inspect": Held(
        *("inspect", _of_object("x.json", _inspect), "match", True),
        other="cannot be read by inspect_ai",
        extra="inspect_ai.log",
    ),
    "inspect, archive": Held(
        *("inspect", _inspect_archive, "match", True),
        other="is no log of inspect_ai, File is not a zip file",
        extra="inspect_ai.log",
    ),
    "lighteval": Held(*("lighteval", _lighteval, "acc", True, _TWICE), other=_NO_PARQUET),
    "lerobot": Held(
        "lerobot",
        _of_object(
            "eval_info.json",
            lambda some: {"per_episode": [{"seed": x.id, "success": x.score} for x in some]},
        ),
        *("success", False, _TWICE),
    ),
    "promptfoo": Held(*("promptfoo", _of_object("x.json", _promptfoo), "success", True)),
    "deepeval": Held(*("deepeval", _of_object("x.json", _deepeval), "Same", True)),
    "swe_bench": Held(
        *("swe_bench", _of_object("m.run.json", _swe_bench), "resolved", False, _TWICE, "not in"),
        other="is not as SWE-bench writes it",
    ),
    "swe_bench, instances": Held(
        *("swe_bench", _instances, "resolved", False, "", "not in"),
        other="is not as SWE-bench writes it",
    ),
    "harbor": Held("harbor", harbor, "reward", True, other="has no 'task_name'"),
    "harbor, before": Held(
        *("harbor", _of_object("results.json", _terminal_bench), "is_resolved"),
        lacks="",
        other="has no 'task_name'",
    ),
    "skills": Held(*("skills", _of_object("benchmark.json", _skills), "pass_rate", True)),
    "trec_eval": Held(
        *("trec_eval", _trec_eval, "map", False, "has a measure of query 'q2' twice"),
        other="has no measure, query and value. Give what trec_eval printed.",
    ),
}
