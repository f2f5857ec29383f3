"""Logs of Every Eval Ever and inspect_ai that are refused."""

import json
import math
import zipfile
from pathlib import Path

from corpora.logs import SYSTEMS, changed, every_eval_ever, inspect, inspect_epochs, objects, save
from extras import needs
from pairedperm.readers import inspect_log, read_runs
from refusals import asks, refusal, refuses

INF = math.inf


def other_lines(log, change):
    """Read a log and a copy of it of which lines are changed."""
    path = log("naive_bayes")
    return read_runs(path, changed(path, Path("x"), change))


OF_WANDB = '{"_type": "table", "columns": ["id", "score"], "data": [[7, 0.5]], "ncols": 2}'
SPLIT = '{"columns": ["id", "score"], "index": [0], "data": [[1, 0.5]]}'
BY_COLUMN = '{"id":{"0":1},"score":{"0":0.5}}'
EXPERIMENT = '{\n  "no_generation": [],\n  "no_logs": [],\n  "resolved": ["django__django-1"]\n}'


def with_hashes_of_their_own():
    lines = objects(every_eval_ever("naive_bayes"))
    for k, x in enumerate(lines):
        x["metadata"]["doc_hash"] = f"{k}"
    return read_runs(every_eval_ever("naive_bayes"), save(Path("x_samples.jsonl"), lines))


def two_models():
    logs = [every_eval_ever(x) for x in SYSTEMS[:2]]
    both = [x for log in logs for x in objects(log)]
    return read_runs(save(Path("both_samples.jsonl"), both), logs[0])


def put(name, content):
    """By its whole path, because inspect_ai keeps what it read under a path."""
    path = Path(name).absolute()
    path.parent.mkdir(exist_ok=True)
    return save(path, content)


def of_inspect(path, **options):
    """Read a log of inspect_ai and a good one."""
    needs("inspect_ai.log", "inspect")
    return read_runs(path, inspect("logistic_regression", ending="json"), **options)


def edited(name="x.json", **entries):
    content = json.loads(inspect("naive_bayes", ending="json").read_text("utf-8"))
    return put(name, json.dumps(content | entries))


def with_inputs():
    samples = json.loads(inspect("naive_bayes", ending="json").read_text("utf-8"))["samples"]
    samples[1]["input"] = "another"
    return edited(samples=samples)


def unscored():
    samples = json.loads(inspect("naive_bayes", ending="json").read_text("utf-8"))["samples"]
    return samples[0] | {"scores": None}


def of_epochs(*several):
    """Read two logs of epochs: their values, reducers, and scores that are reduced."""
    needs("inspect_ai.log", "inspect")
    return read_runs(*(put(f"{k}.json", inspect_epochs(*x)) for k, x in enumerate(several)))


def repeated(*numbers):
    samples = json.loads(inspect("naive_bayes", ending="json").read_text("utf-8"))["samples"]
    epochs = [[x | {"epoch": k} for x in samples for k in range(1, n + 1)] for n in numbers]
    needs("inspect_ai.log", "inspect")
    return read_runs(*(edited(f"{k}.json", samples=x) for k, x in enumerate(epochs)))


def part(ending, share):
    content = inspect("naive_bayes", ending=ending).read_bytes()
    return of_inspect(put(f"x.{ending}", content[: int(share * len(content))]))


def damaged():
    content = bytearray(inspect("naive_bayes").read_bytes())
    with zipfile.ZipFile(inspect("naive_bayes")) as opened:
        start = opened.getinfo("summaries.json").header_offset + 60
    content[start : start + 8] = bytes(8)
    return of_inspect(put("x.eval", bytes(content)))


def zipped(name, content, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile("x.eval", "w", method) as opened:
        opened.writestr(name, content)
    assert Path("x.eval").stat().st_size < 2**12
    return of_inspect(Path("x.eval").absolute(), max_bytes=2**19)


@refuses
def test_logs_of_tools():
    (
        other_lines(
            every_eval_ever, lambda x: x | ({"metadata": {}} if x["sample_id"] == "31" else {})
        )
    )
    # -> 1 stand for different documents: '31'. If documents are meant to differ, match by id …
    #    alone, same_documents='id'. Run all
    of_inspect(with_inputs())
    # -> 1 stand for different documents: 32. If documents are meant to differ
    of_inspect(edited("a/x.json", samples=[unscored()]).parent)
    # -> UnfinishedError: `path1` … x.json has no scores. Score it with `inspect score`.
    of_inspect(edited(samples=[]))
    # -> `path1` … has no samples: at least one example is
    part("eval", 0)
    # -> `path1` … x.eval is empty: at least one example is needed.
    part("eval", 0.9)
    # -> `path1` … x.eval is no log of inspect_ai, File is not a zip file. Is the file cut off?
    read_runs(save(Path("x.eval"), "map\tq1\t0.25\n"), inspect("naive_bayes"))
    # -> `path1` … x.eval is no log of inspect_ai, but lines of a measure, a query and a value.
    #    Give what `trec_eval -q` prints as it is, or a table of id and score.
    read_runs(save(Path("x.json"), SPLIT), inspect("naive_bayes"))
    # -> `path1` … x.json is a table by columns, as pandas writes it with another `orient`, or …
    #    Weights & Biases. Write an object for each row, df.to_json(path, orient='records').
    read_runs(save(Path("x.json"), OF_WANDB), inspect("naive_bayes"))
    # -> `path1` … x.json is a table by columns, as pandas
    read_runs(save(Path("x.json"), '{"0":{"id":7,"score":0.5}}'), inspect("naive_bayes"))
    # -> `path1` … x.json is an object of rows by number, as pandas writes it with orient='index', …
    #    or OpenCompass. Write a list of the rows, each with its id, as df.to_json(path, …
    read_runs(save(Path("x.json"), BY_COLUMN), inspect("naive_bayes"))
    # -> `path1` … x.json is a table by columns, as pandas
    read_runs(save(Path("results.json"), EXPERIMENT), inspect("naive_bayes"))
    # -> `path1` … results.json is a results.json of SWE-bench/experiments, which does not list
    #    what is unresolved. Give its logs: a folder with the report.json of each instance.
    part("json", 0.3)
    # -> `path1` … x.json cannot be read by inspect_ai:
    zipped("x.txt", "x")
    # -> `path1` … x.eval … inspect_ai
    zipped("header.json", bytes(2**20))
    # -> `path1` … x.eval would take more than 524,288 bytes, … raise the limit, max_bytes=….
    zipped("header.json", bytes(2**20), zipfile.ZIP_BZIP2)
    # -> `path1` … x.eval is no log of inspect_ai, header.json has the compression 12. Is the file
    zipped("_journal/summaries/2.json", "[]")
    # -> `path1` … x.eval lacks most of 2 summaries. Give the file as the tool wrote it.
    repeated(1, 2)
    # -> 2 were not run equally often by all systems: 31, 32
    repeated(2, 3)
    # -> 2 were not run equally often by all systems: 31, 32
    of_epochs((["CCI"], ["max"]), (["CCI"], ["mode"])).compare()
    # -> NoMetricError: no metric in common: … 0.json has 'match[max]'; … 1.json has 'match[mode]'.
    #    Scores of epochs that are reduced differently are not compared … score one log again with
    #    the reducer of the other, inspect_ai.score(…
    of_epochs((["CCI"], ["max"]), (["CCI"], None)).compare("match")
    # -> NoMetricError: `metric` … 0.json lacks 'match'. It has 'match[max]'. Scores of epochs that
    #    are reduced


test_logs_of_tools_in_rows = asks(
    refusal(
        two_models,
        *("path1", "holds 2 runs of task 'tumors': ", " of scikit-learn/logistic_regression, "),
        *(" of scikit-learn/naive_bayes. ", "Name the file of one run"),
    ),
    refusal(with_hashes_of_their_own, "", "Affected ids: 16 more than once in x_samples.jsonl: "),
    refusal(
        lambda: of_inspect(edited(status="error")),
        *("path1", "x.json is of an evaluation that did not end well, status 'error'. Finish it "),
        "with `inspect eval-retry`, and give that log.",
        kind=inspect_log.UnfinishedError,
    ),
    refusal(  # in a folder without another run of the task
        lambda: of_inspect(edited("a/x.json", status="cancelled").parent),
        *("path1", "x.json is of an evaluation that did not end well, status 'cancelled'. "),
        kind=inspect_log.UnfinishedError,
    ),
    refusal(damaged, "path1", "x.eval cannot be read by inspect_ai: "),
    *(
        refusal(
            lambda x=x: of_epochs((["CI", "CC"], ["mine"], x), (["CI", "CC"], ["max"])),
            *("path1", "0.json reduces epochs to match[mine], by no reducer that is known, and "),
            "does not hold all reduced scores. Score it again by mean, median, ",
        )
        for x in (
            None,
            [{"scorer": "match", "reducer": "mine", "samples": [{"sample_id": 0, "value": 1}]}],
        )
    ),
    *(
        refusal(
            lambda x=x: of_epochs(*[([[1, INF, 1], [1, 0, 0]], [x])] * 2).compare(),
            *(
                "",
                "0.json: 0; 1 with an infinite match",
                "1.json: 0. Score them as wrong, or leave them out, on_missing='drop'.",
            ),
        )
        for x in (
            "mean",
            "median",
            "mode",
            "max",
            "at_least_2",
            "pass_at_1",
            "pass_at_2",
            "pass_k_2",
        )
    ),
)
