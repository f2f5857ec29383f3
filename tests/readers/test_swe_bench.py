"""Reports that SWE-bench 5.0 made of six instances, of which five were submitted."""

import json
from pathlib import Path

import pytest

from corpora.logs import edited, log, save
from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.swe_bench import read
from pairedperm.readers.text_file import TextFile
from refusals import refuses

TWO = {"x": True, "y": False}
A, B = (log(f"swe_bench/demo__model-{x}.first.json") for x in "ab")


def instances(folder, **resolved):
    """The reports of each instance, in the folder of their run."""
    for instance, x in resolved.items():
        report = {"patch_is_None": False, "patch_exists": True, "resolved": x}
        (folder / instance).mkdir(parents=True, exist_ok=True)
        save(folder / instance / "report.json", json.dumps({instance: report}, indent=4))
    return folder


def test_reports_of_runs():
    """Errors and empty patches are not resolved, as SWE-bench counts them."""
    (run,) = read(TextFile("path1", A))
    assert (run.model, run.lower_is_better) == ("demo__model-a", {"resolved": False})
    assert dict(zip(run.ids, run.scores["resolved"], strict=True)) == {
        "demo__calc-1": True,
        "demo__calc-2": True,
        "demo__calc-4": False,
        "demo__calc-3": False,
        "demo__calc-5": False,
    }
    result = read_runs(A, B).compare()
    assert (result.n, result.n_wins, result.n_losses) == (5, 1, 1)


def test_an_instance_that_one_did_not_submit(tmp_path):
    """It has no score, not 0."""

    def change(report):
        report["error_ids"].remove("demo__calc-3")

    other = edited(A, tmp_path / "x.json", change)
    assert len(read_runs(other, B, on_missing="drop").ids) == 4
    assert read(TextFile("path1", other))[0].model == ""


@pytest.mark.parametrize("together", [True, False])
def test_reports_of_instances(together, tmp_path):
    """Those of a run are in one folder, that of the model."""
    one = instances(tmp_path / "first" / "gpt", x=True, y=True, z=False)
    two = instances(tmp_path / "first" / "claude", x=True, y=False, z=False)
    runs = read_folder(tmp_path) if together else read_runs(one, two)
    assert {*runs.systems} == {"gpt", "claude"}
    assert runs.ids == ["x", "y", "z"]
    assert runs.systems["gpt"].scores == {"resolved": [True, True, False]}


def test_reports_of_sb_cli(tmp_path):
    """They have no list of empty patches, but one of failures."""

    def change(report):
        report["failed_ids"] = report.pop("empty_patch_ids")

    runs = read_runs(A, edited(A, tmp_path / "x.json", change))
    assert (len(runs.ids), runs.compare().n_differing) == (5, 0)


def changed_to(**entries):
    return read_runs(edited(A, Path("x.json"), lambda x: x.update(entries)), B)


@refuses
def test_refusals():
    changed_to(error_ids=None)
    # -> `path1` … x.json has no list of texts under error_ids, but … Give the file as the tool
    changed_to(resolved_ids=["demo__calc-4"])
    # -> … 1 more than once in x.json: 'demo__calc-4' … leave these ids out
    read_runs(*(instances(Path(x), **y) for x, y in {"a": {"x": True}, "b": TWO}.items()))
    # -> … 1 not in a: 'y'. SWE-bench writes no report of an instance that broke, which counts as
    #    unresolved: give the report of the run, <model>.<run>.json, … or leave these ids out
    read_runs(instances(Path("a"), x="yes"), B)
    # -> `path1` … does not say whether x is resolved. Evaluate the instance again.
