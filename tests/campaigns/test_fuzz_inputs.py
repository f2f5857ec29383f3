"""The campaign on inputs: it finds nothing new in some hundred calls, and can fail."""

import re
import sys
import time
from pathlib import Path

import datasets
import evaluate
import numpy as np
import pytest

import pairedperm
from campaigns import fuzz_inputs
from campaigns.inputs import findings, fuzz_counts, fuzz_hub, fuzz_names, fuzz_run, hostile
from campaigns.inputs.finding import Finding
from campaigns.inputs.fuzz_attempt import of_index
from campaigns.inputs.fuzz_call import Call, Failure
from campaigns.inputs.fuzz_report import Report
from extras import on_posix
from pairedperm import InputError
from pairedperm.permutation import test as permutation
from properties import some

pytestmark = on_posix
SEED = 17
N_CALLS = len(some(range(300), every=2))


@pytest.fixture
def here(tmp_path, monkeypatch, registered):
    """Calls are made in a temporary directory, since they write files; nothing else is changed."""
    monkeypatch.chdir(tmp_path)
    levels = evaluate.logging.get_verbosity(), datasets.logging.get_verbosity()
    fuzz_run.prepare()
    yield
    datasets.enable_progress_bars()
    evaluate.logging.set_verbosity(levels[0])
    datasets.logging.set_verbosity(levels[1])


def reported(start, end, **options):
    report = Report(SEED)
    for batch in fuzz_run.run_here(SEED, start, end, **options):
        report.add(batch)
    return report


def some_index(function, checks=(), **sources):
    """The number of a valid call of this function, on lists."""
    return next(
        k
        for k in range(10**4)
        if (call := of_index(SEED, k)).function == function
        and call.is_valid
        and call.source("counts2")
        and call.checks.issuperset(checks)
        and all(call.source(name) == source for name, source in sources.items())
    )


def test_some_hundred_calls(here, capsys):
    report = reported(0, N_CALLS)
    text = report.summary(1.0)
    assert not report.fails, text
    assert report.n_calls == N_CALLS
    n_answered = sum(n for key, n in report.counts.items() if key.endswith("|answered"))
    assert 0.3 * N_CALLS < n_answered < 0.7 * N_CALLS
    assert f"found nothing new in {N_CALLS} calls" in text.splitlines()[-1]
    table = text.splitlines()[text.splitlines().index("") :]
    assert max(map(len, table)) <= 80


def test_a_call_is_a_function_of_seed_and_index():
    calls = [str(of_index(SEED, k)) for k in range(200)]
    assert calls == [str(of_index(SEED, k)) for k in range(200)]
    assert len(set(calls)) > 190
    assert calls != [str(of_index(SEED + 1, k)) for k in range(200)]


SOURCES = (
    *(*hostile.NUMBERS, *hostile.OTHERS, *hostile.TEXTS),
    *(source.format(x="[1, 0, 2]") for source in hostile.CONTAINERS),
    *(*fuzz_counts.PARTS, *fuzz_counts.NULLS, *fuzz_counts.TESTED),
    *(f"Dataset.from_dict({{'references': [0, 1]}}){change}" for change in fuzz_hub.CHANGES),
)


@pytest.mark.filterwarnings("ignore")
def test_every_source_has_a_value(here):
    for source in SOURCES:
        if "StringDType" not in source or hasattr(np.dtypes, "StringDType"):  # of NumPy 2
            eval(source, dict(fuzz_names.NAMES))


def found(monkeypatch, run, **options):
    """What is reported where the test itself does this."""
    index = some_index("paired_permutation_test", method="", alternative="")
    monkeypatch.setattr(permutation, "run", run)
    return reported(index, index + 1, **options)


def fails(report, kind, place):
    ((function, found_kind, found_place),) = report.groups
    assert (function, found_kind) == ("paired_permutation_test", kind)
    assert found_place == place
    assert report.fails
    text = report.summary(1.0)
    assert "paired_permutation_test(counts1=" in text
    assert f"--seed {SEED} --only " in text
    assert text.splitlines()[-1].startswith(f"Seed {SEED} found 1 new finding")


@pytest.mark.parametrize("error", [ZeroDivisionError, ValueError, IndexError, AssertionError])
def test_a_foreign_exception_is_found(here, monkeypatch, error):
    """In a valid call, which no general finding excuses."""

    def run(*arguments):
        raise error("wrong")

    report = found(monkeypatch, run)
    fails(report, error.__name__, "permutation/test.py:paired_permutation_test")


def test_a_broken_invariant_is_found(here, monkeypatch):
    honest = permutation.run

    def run(*arguments):
        result = honest(*arguments)
        object.__setattr__(result, "pvalue", float("nan"))
        return result

    report = found(monkeypatch, run)
    fails(report, "broken: a result is no JSON: p", "outside")


def test_a_hang_is_found(here, monkeypatch):
    def run(*arguments):
        time.sleep(30)

    report = found(monkeypatch, run, limit=0.2)
    fails(report, "takes too long", "permutation/test.py:paired_permutation_test")


def test_a_changed_argument_is_found(here, monkeypatch):
    honest = permutation.read_arguments

    def read_arguments(counts1, *others):
        found = honest(counts1, *others)
        counts1[0] = 7
        return found

    monkeypatch.setattr(permutation, "read_arguments", read_arguments)
    index = some_index("paired_permutation_test", method="", score="")
    fails(reported(index, index + 1), "broken: an argument was changed", "outside")


def test_a_warning_of_numpy_is_found(here, monkeypatch):
    import warnings

    def run(*arguments):
        warnings.warn("of others", RuntimeWarning, stacklevel=2)
        raise InputError("refused")

    report = found(monkeypatch, run)
    assert [kind for _, kind, _ in report.groups] == ["leaks RuntimeWarning"]


def test_an_endless_message_is_found(here, monkeypatch):
    def run(*arguments):
        raise InputError("many words " * 300)

    report = found(monkeypatch, run)
    assert "more than 2,000 characters" in next(iter(report.groups))[1]


def test_a_known_finding_is_no_failure(here, monkeypatch):
    def run(*arguments):
        return 1 // 0

    known = Finding("x", "y", Call.of("compare"), "ZeroDivisionError", "permutation/test.py:.*")
    monkeypatch.setattr(findings, "FINDINGS", (known,))
    report = found(monkeypatch, run)
    assert not report.fails
    assert report.counts["finding|x"] == 1


def test_a_mended_finding_is_reported(here, monkeypatch):
    call = Call.of("paired_permutation_test", "[1, 0]", "[0, 1]")
    mended = Finding("old", "what was wrong", call, "StopIteration", ".*")
    monkeypatch.setattr(findings, "FINDINGS", (mended,))
    assert fuzz_run.check_findings() == ["finding 'old' is mended (answered): delete it"]


def test_findings_are_narrow(here):
    """Each has its reproducer, and none takes any failure for itself."""
    other = Failure(
        Call.of("compare"), "ZeroDivisionError", "comparison/compare.py:compare", "", ""
    )
    assert findings.recognised(other) is None
    names = [finding.name for finding in findings.FINDINGS]
    assert len(set(names)) == len(names)


def test_findings_are_where_they_say():
    """Files and functions that a pattern names are there."""
    folder = Path(pairedperm.__file__).parent
    for finding in findings.FINDINGS:
        for file, functions in re.findall(r"([\w/]+\.py):(\([^)]*\)|\w*)", finding.place):
            assert (folder / file).exists(), f"{finding.name}: {file}"
            source = (folder / file).read_text(encoding="utf-8")
            for name in re.findall(r"\w+", re.sub("<\\w+>", "", functions)):
                assert f"def {name}(" in source, f"{finding.name}: {file}:{name}"


DYING = """
import sys, pathlib, json, os
options = dict(x[2:].split("=") for x in sys.argv[1:] if "=" in x)
skipped = [x for x in sys.argv if x.startswith("--skip")]
pathlib.Path(options["journal"]).write_text("3\\tcompare\\tcompare(1)", "utf-8")
if not skipped:
    os.kill(os.getpid(), 9)
print(json.dumps({"next": 5, "counts": {"compare|answered": 4}, "failures": []}))
"""


def test_a_call_that_ends_its_process_is_found(tmp_path, capsys):
    report = Report(SEED)
    folder = tmp_path / "here"
    folder.mkdir()
    command = [sys.executable, "-c", DYING]
    fuzz_inputs.watch(command, {"cwd": folder}, report, 5, float("inf"), 20.0)
    assert list(report.groups) == [("compare", "ends its process with status -9", "outside")]
    assert report.n_calls == 5
    assert "compare(1)" in report.summary(1.0)
