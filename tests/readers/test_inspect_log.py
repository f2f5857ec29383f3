"""What only logs of inspect_ai have, as it reads them itself, beside what `test_formats` asks."""

import json
import math
import re
import zipfile
from pathlib import Path

import pytest

from corpora.logs import inspect, inspect_epochs
from extras import needs
from pairedperm import InputError
from pairedperm.readers import read_runs
from properties import one_in
from readers.held import first_run
from readers.odd_inspect import edited, put, reduction
from refusals import refuses


@pytest.fixture(autouse=True, scope="module")
def inspect_ai():
    return needs("inspect_ai.log", "inspect")


def test_a_log_that_was_written_again(tmp_path, monkeypatch):
    """inspect_ai keeps the last JSON log that it has read, by its path."""
    monkeypatch.chdir(tmp_path)

    def change(content):
        for sample in content["samples"]:
            sample["id"] = f"{sample['id']}, again"
            sample["scores"]["match"]["value"] = "I"

    before = first_run(edited(dict), edited(dict, "y.json"))
    after = first_run(edited(change), edited(change, "y.json"))
    assert after.ids == [f"{x}, again" for x in before.ids]
    assert (before.scores, after.scores) == ({"match": [1.0, 1.0]}, {"match": [0.0, 0.0]})


@one_in(4)
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, 93])
@pytest.mark.parametrize("name", ["header.json", "summaries.json", "reductions.json"])
def test_a_directory_that_lies_of_sizes(tmp_path, method, name):
    """What the members hold is counted, and of samples only if they are read."""
    path, other = tmp_path / "x.eval", inspect("logistic_regression")
    with zipfile.ZipFile(inspect("naive_bayes")) as log, zipfile.ZipFile(path, "w", method) as copy:
        for item in log.infolist():
            content = log.read(item)
            is_long = item.filename == name or item.filename.startswith("samples/31")
            copy.writestr(item.filename, content + b" " * 2**20 * is_long)
    content = bytearray(path.read_bytes())
    for place in (x.start() for x in re.finditer(rb"PK\x01\x02", content)):
        content[place + 24 : place + 28] = (100).to_bytes(4, "little")  # of each, it says
    path.write_bytes(content)
    assert len(read_runs(path, other, max_bytes=2 * 2**20).ids) == 16
    with pytest.raises(InputError, match=r"x\.eval would take more than 1,048,576 bytes"):
        read_runs(path, other, max_bytes=2**20)


@one_in(2)
@pytest.mark.parametrize("ending", ["eval", "json"])
def test_samples_that_the_log_calls_invalid(ending, inspect_ai, tmp_path):
    """`invalidate_samples` keeps their scores; they are named, or left out."""
    old = inspect("naive_bayes")
    log = inspect_ai.read_eval_log(str(inspect("logistic_regression")))
    some = [log.samples[k] for k in (0, 5)]
    ids = ", ".join(f"{x.id}" for x in some)
    why = inspect_ai.ProvenanceData(author="x", reason="the sandbox broke")
    new = tmp_path / f"new.{ending}"
    invalid = inspect_ai.invalidate_samples(log, [x.uuid for x in some], why)
    inspect_ai.write_eval_log(invalid, str(new))
    for one, two in ((new, old), (old, new)):
        told = rf"Affected ids: 2 called invalid by .*new\.{ending}: {ids}\. "
        with pytest.raises(InputError, match=told):
            read_runs(one, two)
    runs = read_runs(new, old, on_missing="drop")
    assert f"left out: 2 called invalid by {new}: {ids}" in str(runs)
    assert runs.ids == [x.id for x in log.samples if x not in some]


def of(path, **options):
    """Read a log of inspect_ai and a good one."""
    return read_runs(path, inspect("logistic_regression", ending="json"), **options)


def in_json(name="x.json", **entries):
    content = json.loads(inspect("naive_bayes", ending="json").read_text("utf-8"))
    return put(name, json.dumps(content | entries))


def epochs(*several):
    """Read two logs of epochs: their values, reducers, and what the log holds."""
    return read_runs(*(put(f"{k}.json", inspect_epochs(*x)) for k, x in enumerate(several)))


def unscored():
    samples = json.loads(inspect("naive_bayes", ending="json").read_text("utf-8"))["samples"]
    return [samples[0] | {"scores": None}]


def damaged():
    content = bytearray(inspect("naive_bayes").read_bytes())
    with zipfile.ZipFile(inspect("naive_bayes")) as opened:
        start = opened.getinfo("summaries.json").header_offset + 60
    content[start : start + 8] = bytes(8)
    return put("x.eval", bytes(content))


def zipped(name, content, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile("x.eval", "w", method) as opened:
        opened.writestr(name, content)
    assert Path("x.eval").stat().st_size < 2**12
    return of(Path("x.eval").absolute(), max_bytes=2**19, task="tumors")


MAX = ["CCI"], ["max"], reduction("max", 1)


@refuses
def test_refusals():
    of(in_json("a/x.json", samples=unscored()).parent)
    # -> UnfinishedError: `path1` … x.json has no scores. Score it with `inspect score`.
    of(in_json(samples=[]))
    # -> `path1` … has no samples: at least one example is
    of(in_json(status="error"))
    # -> UnfinishedError: `path1` … x.json is of an evaluation that did not end well, status …
    #    Finish it with `inspect eval-retry`, and give that log.
    of(damaged(), task="tumors")
    # -> `path1` … x.eval cannot be read by inspect_ai:
    zipped("x.txt", "x")
    # -> `path1` … x.eval … inspect_ai
    zipped("header.json", bytes(2**20))
    # -> `path1` … x.eval would take more than 524,288 bytes, … raise the limit, max_bytes=….
    zipped("header.json", bytes(2**20), zipfile.ZIP_BZIP2)
    # -> `path1` … x.eval is no log of inspect_ai, header.json has the compression 12. Is the file
    zipped("_journal/summaries/2.json", "[]")
    # -> `path1` … x.eval lacks most of 2 summaries. Give the file as the tool wrote it.
    epochs(MAX, (["CC"], ["max"], reduction("max", 1))).compare()
    # -> NoMetricError: no metric in common: … 0.json has no scores: 'match[max]' holds a number …
    #    of unequally many runs that is no mean; … 1.json has no scores: 'match[max]' holds
    epochs(MAX, (["CCI"], ["mode"], reduction("mode", 1))).compare()
    # -> NoMetricError: no metric in common: … 0.json has 'match[max]'; … 1.json has 'match[mode]'.
    epochs(MAX, (["CCI"], None)).compare("match")
    # -> NoMetricError: `metric` … 0.json lacks 'match'. It has 'match[max]'.
    epochs(*[([[1, math.inf, 1], [1, 0, 0]], ["mean"])] * 2).compare()
    # -> … 0.json: 0; 1 with an infinite match … 1.json: 0. If the system failed, count
    of(put("x.json", inspect_epochs(["CI", "CC"], ["mine"])))
    # -> `path1` … x.json reduces epochs to match[mine], and does not hold all reduced scores. Score
    #    it again, `inspect score`.
