"""The pytest plugin: scores that tests give must pass the gate against a baseline file.

Load it by ``pytest -p pairedperm.plugins.pytest_gate``, or in the ``conftest.py`` of the root
directory, ``pytest_plugins = ["pairedperm.plugins.pytest_gate"]``. The rest of the package is
imported where there are scores.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Literal

import pytest

_MARKER = "paired_gate"
_OPTIONS = (
    *("margin", "require", "alpha", "threshold"),  # of the gate
    *("lower_is_better", "score_range", "on_missing"),  # of the scores
    *("constant", "inconclusive"),
)
_WRONG = AssertionError, pytest.fail.Exception  # what makes an example wrong, and no broken test
_Scores = list[tuple[str, float]]  # of each example, by its id
_Outcome = Literal["passed", "failed", "skipped"]
_RAISED = pytest.StashKey[Any]()  # what the subtests of a case raised: a list until the case ends
_DESELECTED = pytest.StashKey[set[str]]()  # the gates with cases that do not run


class PairedGate:
    """Takes the score of each example of a test; it is the fixture `paired_gate`."""

    def __init__(self) -> None:
        self.scores: _Scores = []

    def __call__(self, example: int | str, score: float) -> None:
        """Take the score of an example.

        Parameters
        ----------
        example : int or str
            The id of the example, the same in each run.
        score : float
            Its score, a finite number; NaN stands for one that is missing.
        """
        self.scores.append((str(example), float(score)))


@pytest.fixture
def paired_gate() -> PairedGate:
    """Call it with the id and the score of each example: they must pass the gate together."""
    return PairedGate()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the baseline file."""
    group = parser.getgroup("paired gate")
    group.addoption(
        "--paired-baseline",
        metavar="FILE",
        default="paired_baseline.jsonl",
        help="JSON Lines with the baseline's score of each example; in the root directory, if "
        "relative (default: %(default)s)",
    )
    group.addoption(
        "--paired-update",
        action="store_true",
        help="write the scores of this run to the baseline file, and decide nothing",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and what decides: once, where pytest-xdist has several processes."""
    config.addinivalue_line(
        "markers",
        f"{_MARKER}({', '.join(_OPTIONS)}): each case "
        "of a parametrized test is an example, scored 1 if it passes and 0 if an assertion fails; "
        "they must pass the gate together. With the fixture of this name, options of its gate.",
    )
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Gates(config), "pairedperm gates")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let a marked test fail at once whose options are unknown, or whose examples have no ids."""
    marker = item.get_closest_marker(_MARKER)
    if marker is not None and (problem := _problem(item, marker)):
        pytest.fail(f"The marker {_MARKER} {problem}.", pytrace=False)


def _problem(item: pytest.Item, marker: pytest.Mark) -> str:
    """Say what is wrong with a marked test; "" if nothing is."""
    if wrong := [*map(repr, marker.args), *(x for x in marker.kwargs if x not in _OPTIONS)]:
        return f"takes the options {', '.join(_OPTIONS)}, but got {', '.join(wrong)}"
    if marker.kwargs.get("inconclusive", "fail") not in ("fail", "skip"):
        return f"takes inconclusive='fail' or 'skip', but got {marker.kwargs['inconclusive']!r}"
    for name, value in marker.kwargs.items():
        try:
            _as_text(value)
        except (TypeError, ValueError, RecursionError):  # noqa: PERF203, of this option
            return f"takes numbers and texts, but got {name}=... of type {type(value).__name__}"
    case = getattr(item, "callspec", None)
    if _MARKER in getattr(item, "fixturenames", ()):
        return ""
    if case is None:
        return f"has one example: parametrize the test by examples, or use the fixture {_MARKER}"
    if case.id == "-".join(f"{name}{k}" for name, k in case.indices.items()):
        return "needs ids that stay when the order changes: name them, parametrize(..., ids=...)"
    return ""


def _as_text(value: Any) -> str:
    """Return JSON in ASCII, which pytest-xdist can send whatever is in it."""
    return json.dumps(value, default=_plain)


def _plain(value: Any) -> Any:
    """Return a number that is none of JSON as a float as it prints, or an array as a list."""
    plain = value.tolist() if hasattr(value, "tolist") else float(value)
    return float(str(value)) if hasattr(value, "tolist") and type(plain) is float else plain


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Keep the gates of cases that do not run, in the process that runs the others."""
    for item in items:
        item.config.stash.setdefault(_DESELECTED, set()).add(_gate_of(item))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Say when a case runs: reports made until then are those of its subtests."""
    item.stash[_RAISED] = []
    yield
    item.stash[_RAISED] = tuple(item.stash[_RAISED])


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Give the scores of a test to its report, which goes to the process that decides.

    An example that is wrong does not fail alone, nor do its subtests.
    """
    made: Any = yield
    report, marker = made.get_result(), item.get_closest_marker(_MARKER)
    given = (getattr(item, "funcargs", None) or {}).get(_MARKER)
    if call.when != "call" or (given is None and marker is None):
        return
    is_subtest = isinstance(item.stash[_RAISED], list)
    scores = given.scores if given else _score_of(item, call.excinfo, report)
    if is_subtest and not report.failed:
        report.paired_gate = None
    elif not is_subtest and scores is not None:
        gate, asked = _gate_of(item), dict(marker.kwargs) if marker else {}
        told = {
            "gate": gate,
            "asked": asked if given else {"score_range": (0, 1), **asked},
            "scores": scores,
            "is_whole": given is None or report.passed,
            "is_part": _is_part(item, gate),
        }
        report.paired_gate = _as_text(told)


def _score_of(item: Any, error: Any, report: pytest.TestReport) -> _Scores | None:
    """Return the score of a case by what it and its subtests raised, or None if it is broken.

    A subtest says only whether it is wrong; its report is changed as that of the case.
    """
    errors = [] if error is None else [error]
    if isinstance(item.stash[_RAISED], list):
        item.stash[_RAISED] += errors * (not report.skipped)
    else:
        errors += item.stash[_RAISED]
    if not all(x.errisinstance(_WRONG) for x in errors):
        return None
    if errors and not report.skipped:
        report.outcome, report.wasxfail = "skipped", f"scored 0 for {_MARKER}"
    return [(item.callspec.id, float(not errors))]


def _gate_of(item: pytest.Item) -> str:
    """Return the name of a test without its case, nor what pytest-xdist adds for its groups."""
    name = getattr(item, "originalname", None) or item.name
    return f"{item.parent.nodeid}::{name}" if item.parent else name


def _is_part(item: pytest.Item, gate: str) -> bool:
    """Tell whether not all cases of a gate were selected: some by -k or its like, or one by id."""
    named = (x.partition("::")[2].partition("[") for x in item.config.args)
    by_id = any(bracket and gate.endswith(f"::{test}") for test, bracket, _ in named)
    return by_id or gate in item.config.stash.get(_DESELECTED, ())


@dataclass
class _Gate:
    """The scores of all tests with one name, the options of their gate, and where they are."""

    location: Any
    asked: Mapping[str, Any]
    is_part: bool  # whether not all cases were selected
    scores: dict[str, _Scores] = field(default_factory=dict)  # of each case: its last attempt


class _Gates:
    """Decides when all tests are done, by a further report for each gate."""

    def __init__(self, config: pytest.Config) -> None:
        self._path = config.rootpath / config.getoption("paired_baseline")
        self._is_update = config.getoption("paired_update")
        self._gates: dict[str, _Gate] = {}
        self._unscored: dict[str, str] = {}  # outcomes of cases that did not give all scores
        self._texts: dict[str, str] = {}  # of the gates that do not fail

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the scores that a report brings, in place of those of an earlier attempt."""
        text = getattr(report, _MARKER, "{}")
        if text is None or report.when == "teardown":  # it is a subtest's, or has its scores
            return
        given = json.loads(text)
        if given:
            new = _Gate(report.location, given["asked"], given["is_part"])
            gate = self._gates.setdefault(given["gate"], new)
            gate.scores[report.nodeid] = given["scores"]
        if report.outcome not in ("failed", "skipped") or given.get("is_whole"):
            return
        self._unscored[report.nodeid] = report.outcome
        for gate in self._gates.values() if not given else ():
            gate.scores.pop(report.nodeid, None)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Iterator[None]:
        """Report the verdicts, unless the run was stopped."""
        ended: Any = yield
        if ended.excinfo is not None or not self._gates:
            return
        from pairedperm.errors import InputError
        from pairedperm.inputs.files import locked, why

        for name, gate in self._gates.items():
            try:
                with locked(self._path) if self._is_update else nullcontext():
                    outcome, text = self._verdict(name, gate)
            except InputError as error:
                outcome, text = "failed", f"ERROR: {error}"
            except OSError as error:
                outcome, text = "failed", f"ERROR: {self._path} cannot be written: {why(error)}"
            if outcome != "failed":
                self._texts[name] = text
            path, line, _ = gate.location
            longrepr: Any = {"failed": text, "skipped": (path, (line or 0) + 1, text)}.get(outcome)
            nodeid = f"{name}::{_MARKER}"
            location = path, line, nodeid.partition("::")[2]
            report = pytest.TestReport(nodeid, location, {}, outcome, longrepr, when="call")
            session.testscollected += 1
            session.config.hook.pytest_runtest_logreport(report=report)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the verdicts that are no failures, which pytest prints."""
        for name, text in self._texts.items():
            terminalreporter.section(f"{_MARKER} of {name}")
            terminalreporter.write_line(text)

    def _verdict(self, name: str, gate: _Gate) -> tuple[_Outcome, str]:
        """Return the outcome of a gate and its text; or write its scores to the baseline file.

        Raises
        ------
        InputError
            If an example was scored twice, if the file cannot be read or written, or has no scores
            of the gate; for the reasons of `pairedperm.gate`.
        """
        from pairedperm.commands.output import write_text
        from pairedperm.errors import InputError, first_of, shown, shown_path

        is_beside_number = "threshold" in gate.asked
        if gate.is_part and (is_beside_number or not self._is_update):
            return "skipped", "Not all cases of the test were selected: nothing was decided."
        scores = [*chain.from_iterable(gate.scores.values())]
        if twice := [x for x, n in Counter(x for x, _ in scores).items() if n > 1]:
            what = f"examples were scored twice: {first_of([*map(shown, twice)])}"
            raise InputError(what, remedy="Give each example an id of its own.")
        if is_beside_number:
            return _decided({"candidate": scores}, **gate.asked)
        stored, prefix = _stored(self._path), f"{name}["
        own = [(x.removeprefix(prefix)[:-1], y) for x, y in stored if x.startswith(prefix)]
        if self._is_update:
            starts = prefix, f"{name}@"
            unscored = {x: y for x, y in self._unscored.items() if f"{x}@".startswith(starts)}
            broken = [shown(x) for x, outcome in unscored.items() if outcome == "failed"]
            if broken or gate.is_part:
                why = f"{first_of(broken)} broke" if broken else "not all cases were selected"
                what = f"the scores of {name} were not written to {self._path}: {why}"
                raise InputError(what, remedy="Run all cases of the test.")
            rows = dict(stored)
            if not unscored:
                rows = {x: y for x, y in stored if not x.startswith(prefix)}
            rows |= {f"{prefix}{x}]": y for x, y in scores}
            lines = (json.dumps({"id": x, "score": y}) for x, y in sorted(rows.items()))
            write_text(self._path, "".join(f"{line}\n" for line in lines))
            n_old = f", in place of {len(own)}" * bool(own)
            return "passed", f"{len(scores)} scores were written to {self._path}{n_old}."
        if not own:
            remedy = "Run the baseline once with --paired-update, and keep the file."
            raise InputError(
                f"{shown_path(str(self._path))} has no scores of {name}", remedy=remedy
            )
        return _decided({"candidate": scores, "baseline": own}, **gate.asked)


def _stored(path: Path) -> _Scores:
    """Return the ids and scores in the baseline file; none if it is not there."""
    from pairedperm.readers.files import JSONL, ReadOptions, TextFile
    from pairedperm.readers.tables import read_table

    if not path.exists():
        return []
    run = read_table(TextFile("--paired-baseline", path), JSONL, ReadOptions())
    return [(str(x), y) for x, y in zip(run.ids, run.scores.get("score", ()), strict=False)]


def _decided(
    scores: Mapping[str, _Scores],
    *,
    lower_is_better: bool = False,
    on_missing: Any = "error",
    inconclusive: str = "fail",
    score_range: Any = None,
    **asked: Any,
) -> tuple[_Outcome, str]:
    """Return the outcome and the text of `pairedperm.gate`."""
    from pairedperm.commands.gate import gate_examples, score_of
    from pairedperm.commands.output import notes_of
    from pairedperm.comparison.decide import gate
    from pairedperm.errors import InputError
    from pairedperm.readers.files import ReadOptions
    from pairedperm.readers.log import Run
    from pairedperm.readers.match import match_task
    from pairedperm.readers.tasks import Runs
    from pairedperm.results.told import wrapped

    runs = {}
    for name, rows in scores.items():
        columns = {"score": [y for _, y in rows]}
        runs[name] = Run(path=name, format="jsonl", ids=[x for x, _ in rows], scores=columns)
    systems, matching = match_task("", runs, None, ReadOptions(on_missing=on_missing))
    matched = Runs("", systems, matching, on_missing)
    of_score = {"lower_is_better": lower_is_better, "score_range": score_range}
    examples = matched.examples("score", **of_score)
    if "threshold" not in asked:
        result: Any = gate_examples(examples, **asked)
    elif "constant" in asked:
        raise InputError("constant", "is for two systems", remedy="Leave it out")
    else:
        result = gate(score_of(examples), **asked)
    text = "\n".join([str(result), wrapped(notes_of({"": matched}, [("", examples)]))])
    if result.passed:
        return "passed", text
    is_skipped = result.verdict == "inconclusive" and inconclusive == "skip"
    return "skipped" if is_skipped else "failed", text
