"""The pytest plugin, in runs of pytest: what tests score must pass the gate together.

A run takes a tenth of a second, so that one run is asked many things, each by a test of its own.
"""

import json
import re
import shutil
from collections import defaultdict
from itertools import starmap
from types import SimpleNamespace

import pytest
import scipy.special  # noqa: F401, what a run imports first is forgotten after it, and numpy cannot
from filelock import SoftFileLock

from interpreter import CHECKOUT, python
from pairedperm import compare, gate
from pairedperm.commands import gate as _command  # noqa: F401
from pairedperm.inputs import files
from pairedperm.readers import read_runs

pytest_plugins = "pytester"
BASELINE = "paired_baseline.jsonl"
PLUGIN = "-p", "pairedperm.plugins.pytest_gate", "-p", "no:cacheprovider"
QUIET = "-W", "ignore::pytest.PytestAssertRewriteWarning"  # another test imported the plugin
UPDATE = "--paired-update"


def loop(name="x", score="1", options="", id="k", more=""):
    """A test of twenty examples."""
    return f"""
@pytest.mark.paired_gate({options})
def test_{name}(paired_gate):
    for k in range(20):
        paired_gate({id}, {score})
    {more}
"""


def cases(name="city", n_wrong=0, options="", of="range(20)", before="pass", fixtures=""):
    """A test whose twenty cases are examples, of which the first are wrong."""
    return f"""
@pytest.mark.paired_gate({options})
@pytest.mark.parametrize("k", {of}, ids=lambda k: f"c{{k}}")
def test_{name}(k{fixtures}):
    {before}
    assert k >= {n_wrong}
"""


BROKEN = "1 / k"  # of the first case
ALONE = "@pytest.mark.paired_gate\ndef test_alone(): ..."
NO_IDS = """
@pytest.mark.paired_gate
@pytest.mark.parametrize("k", [object()])
def test_ids(k): ...
"""


@pytest.fixture(scope="module", autouse=True)
def imported():
    """All that decides is imported once, and not forgotten after a run."""
    gate(compare([1] * 20, [0] * 20, [1] * 20), margin=0.5)


def named(nodeid):
    return nodeid.split("::")[1].partition("[")[0].removeprefix("test_")


@pytest.fixture
def run(pytester, monkeypatch):
    """Run a file of these tests; what pytest says, and what each gate and each failed test does."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("COLUMNS", "100")

    def run_pytest(*tests, arguments=(), conftest=""):
        pytester.makeconftest(conftest)
        pytester.makepyfile(test_it="\n".join(("import pytest", *tests)))
        done = pytester.runpytest(*PLUGIN, *QUIET, *arguments)
        reports = done.reprec.getreports("pytest_runtest_logreport")
        gates = {x.nodeid: x.outcome for x in reports if x.nodeid.endswith("::paired_gate")}
        failed = defaultdict(str)
        for x in reports:
            failed[named(x.nodeid)] += str(x.longrepr) * x.failed
        return SimpleNamespace(
            outcomes={named(x): y for x, y in gates.items()},
            failed={x: y for x, y in failed.items() if y},
            text=done.stdout.str(),
            lines=done.stdout.fnmatch_lines,
            counts=done.parseoutcomes(),
            code=done.ret,
        )

    return run_pytest


@pytest.fixture
def stored(pytester):
    """Write the baseline's scores of each test, by their ids; or read them."""

    def store(**tests):
        path = pytester.path / BASELINE
        if tests:
            rows = {f"test_it.py::test_{x}[{k}]": z for x, y in tests.items() for k, z in y.items()}
            path.write_text("".join(starmap(line, sorted(rows.items()))), "utf-8")
        read = map(json.loads, path.read_text("utf-8").splitlines())
        return {x["id"].removeprefix("test_it.py::test_"): x["score"] for x in read}

    return store


def line(id, score):
    return json.dumps({"id": id, "score": score}) + "\n"


CITIES = {f"c{k}": 1.0 for k in range(20)}
ONES = dict.fromkeys(range(20), 1.0)


def test_the_cases_of_a_test_are_examples(run, stored):
    """They are right or wrong, so the interval is exact."""
    two = CITIES | {"c0": 0.0, "c1": 0.0}
    stored(good=two, bad=two)
    done = run(cases("good", 2), cases("bad", 9))
    assert done.counts == {"passed": 30, "xfailed": 11, "failed": 1}
    assert (done.outcomes, done.code) == ({"good": "passed", "bad": "failed"}, 1)
    worse = "FAIL: candidate is significantly worse"
    for text, verdict in ((done.text, "PASS: "), (done.failed["bad"], worse)):
        assert verdict in text
        assert re.search(r"The mean score of candidate(.|\n)* exact confidence(.|\n)* p = ", text)
    assert run(cases("good", 2)).code == 0


GATES = [  # baseline, score, options, outcome, and what is said
    # Of twenty scores three are lower: p is 2/2³.
    (1.0, "float(k >= 3)", "", "passed", "PASS"),
    (1.0, "float(k >= 3)", "require='better'", "failed", "FAIL"),
    (1.0, "float(k >= 3)", "lower_is_better=True, require='better', alpha=0.25", "passed", "PASS"),
    (1.0, "float(k >= 3)", "margin=0.3, score_range=(0, 1)", "failed", "INCONCLUSIVE"),
    (1.0, "float(k >= 3)", "margin=0.3, score_range=(0, 1), inconclusive='skip'", "skipped", "INC"),
    (1.0, "float(k >= 3)", "alpha=2", "failed", "ERROR: `alpha` must"),
    (1.0, "float('nan') if k == 7 else 1", "", "failed", "1 without score in candidate: '7'"),
    # A number in place of a baseline, unless the marker says that it is a system.
    (0.95, "k % 2", "", "failed", "ERROR: p tests symmetry about 0.95, not the mean."),
    (0.95, "1", "constant='system'", "passed", "PASS"),
    # A number is asked for, and the file is not.
    (0.0, "float(k >= 3)", "threshold=0.9", "passed", "PASS: the mean score of candidate is not"),
    (0.0, "float(k >= 9)", "threshold=0.9", "failed", "FAIL: the mean score of candidate is sig"),
    (0.0, "1", "threshold=0.9, require='above'", "failed", "it takes 29"),
    (0.0, "1", "threshold=0.9, constant='system'", "failed", "ERROR: `constant` is for two"),
    (0.0, "float('nan') if k == 7 else 1", "threshold=0.9", "failed", "ERROR"),
]


def test_the_options_of_a_gate(run, stored):
    stored(**{f"g{k}": dict.fromkeys(range(20), x[0]) for k, x in enumerate(GATES)})
    done = run(*(loop(f"g{k}", x[1], x[2]) for k, x in enumerate(GATES)))
    assert done.outcomes == {f"g{k}": x[3] for k, x in enumerate(GATES)}
    for k, (*_, said) in enumerate(GATES):
        shown = re.search(rf"= paired_gate of .*test_g{k} .*\n.*", done.text)
        assert said in (done.failed.get(f"g{k}") or shown[0])


REFUSED = [
    (loop, {}, "has no scores of test_it.py::test_r0. Run the baseline once with"),
    (loop, {"id": "k // 10"}, "examples were scored twice: '0', '1'. Give each example an id"),
    (loop, {"score": "None"}, "TypeError: float() argument must be"),
    (loop, {"options": "marign=1"}, "takes the options margin, "),
    (loop, {"options": "inconclusive=1"}, "takes inconclusive='fail' or 'skip', but got 1"),
    (loop, {"options": "margin=object()"}, "takes numbers and texts, but got margin=... of "),
]


def test_what_is_refused(run):
    tests = [make(f"r{k}", **options) for k, (make, options, _) in enumerate(REFUSED)]
    done = run(*tests, ALONE, NO_IDS)
    assert done.code == 1
    for k, (*_, said) in enumerate(REFUSED):
        assert said in done.failed[f"r{k}"]
    assert "has one example: parametrize the test" in done.failed["alone"]
    assert "needs ids that stay when the order" in done.failed["ids"]


def test_the_baseline_file(run, stored, pytester):
    """Each gate has its lines; those of others stay."""
    file = f"--paired-baseline={BASELINE}", UPDATE
    run(loop("x", "k / 10"), cases(n_wrong=1), arguments=file)
    done = run(cases(), arguments=file)
    done.lines(["20 scores were written to *, in place of 20."])
    assert stored() == {f"x[{k}]": k / 10 for k in range(20)} | {f"city[{k}]": 1.0 for k in CITIES}
    path, other = pytester.path / BASELINE, pytester.path / "other.jsonl"
    lines = path.read_text("utf-8").splitlines()
    assert lines == sorted(lines)
    other.write_text("\n".join(lines), "utf-8")
    assert len(read_runs(path, other).ids) == 40
    done = run(loop(), arguments=["--paired-baseline=."])
    assert "ERROR: `--paired-baseline`: " in done.failed["x"]


def test_examples_that_only_one_run_has(run, stored):
    """They are an error, unless they may be left out; a broken test is no wrong answer."""
    stored(a=CITIES, b=CITIES)
    dropped = cases("b", before=BROKEN, options="on_missing='drop'")
    done = run(cases("a", of="range(1, 20)"), dropped)
    assert "1 not in candidate: 'c0'" in done.failed["a"]
    assert done.outcomes == {"a": "failed", "b": "passed"}
    done.lines(["left out: 1 not in candidate: 'c0'"])
    assert run(cases("b", before=BROKEN), arguments=["-x"]).outcomes == {}, "a run that stops"


BY_ID = "test_it.py::test_city[c3]", "test_it.py::test_city[c4]"


@pytest.mark.parametrize(
    ("selected", "n_selected"),
    [(("-k", "c3 or c4"), 2), (("--deselect", BY_ID[0]), 19), (BY_ID, 2)],
)
def test_cases_that_were_not_selected(run, stored, selected, n_selected):
    """Their scores stay in the baseline; without them nothing is decided."""
    before = stored(city=CITIES, x=ONES)
    done = run(cases(), arguments=[*selected, UPDATE])
    n_deselected = {"deselected": 20 - n_selected} if selected is not BY_ID else {}
    assert done.counts == {"passed": n_selected, "failed": 1} | n_deselected
    assert "the scores of test_it.py::test_city were not written to " in done.failed["city"]
    assert stored() == before
    done = run(cases(), arguments=selected)
    assert (done.counts["passed"], done.counts["skipped"], done.code) == (n_selected, 1, 0)
    done.lines(["Not all cases of the test were selected: nothing was decided."])


def with_subtests(name, first="pass", **options):
    made = cases(name, before=f"with subtests.test(): {first}", fixtures=", subtests", **options)
    return made.replace("    assert ", "    with subtests.test(): assert ")


def test_a_baseline_of_broken_cases_is_not_written(run, stored):
    before = stored(a=CITIES, x=ONES)
    broken = cases("a", before=BROKEN), loop("x", "1 / k"), with_subtests("s", BROKEN)
    done = run(*broken, arguments=[UPDATE])
    assert done.code == 1
    for name, case in (("a", "test_a[c0]"), ("x", "test_x"), ("s", "test_s[c0]")):
        assert f"'test_it.py::{case}' broke." in done.failed[name]
    assert stored() == before


def test_a_baseline_loses_only_what_is_gone(run, stored):
    """A case that is skipped keeps its score, and one that the test has no longer goes."""
    stored(a=CITIES | {"c0": 0.0}, b=CITIES)
    skips = cases("a", before="if not k: pytest.skip()")
    done = run(skips, cases("b", of="range(1, 20)"), arguments=[UPDATE])
    assert done.counts == {"passed": 40, "skipped": 1}
    expected = {f"a[{k}]": float(k != "c0") for k in CITIES} | {f"b[{k}]": 1.0 for k in CITIES}
    expected.pop("b[c0]")
    assert stored() == expected


GROUPS = """
from _pytest import nodes

def pytest_collection_modifyitems(items):  # as pytest-xdist does for --dist loadgroup
    for item in items:
        item._nodeid = f"{item.nodeid}@group"
        if hasattr(nodes, "NodeId"):  # pytest 9.2
            item._id = nodes.NodeId.parse(item._nodeid)
"""
RERUNS = """
from _pytest.runner import runtestprotocol

def pytest_runtest_protocol(item, nextitem):  # as pytest-rerunfailures does for --reruns 1
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    if failed := [report for report in reports if report.failed]:
        failed[0].outcome = "rerun"
        for report in reports[: reports.index(failed[0]) + 1]:
            item.ihook.pytest_runtest_logreport(report=report)
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    return True
"""
RAISE_ONCE = "if k in once: raise OSError(once.discard(k))"
ONCE = "once = {*range(9)}" + cases(before=RAISE_ONCE, n_wrong=2)
ATTEMPTS = "attempts = []"
FAILS_ONCE = loop("f", "len(attempts)", more="assert len(attempts) == 2")
FAILS_ONCE = FAILS_ONCE.replace("for k", "attempts.append(1)\n    for k")
STRICT = "pytestmark = pytest.mark.xfail(strict=True)" + cases(n_wrong=2)


@pytest.mark.parametrize(
    ("conftest", "tests", "counts"),
    [
        (GROUPS, [cases(n_wrong=2)], {"passed": 19, "xfailed": 2}),
        (RERUNS, [ONCE, ATTEMPTS, FAILS_ONCE], {"passed": 21, "xfailed": 2}),
        ("", [with_subtests("city", n_wrong=2)], {"passed": 19, "xfailed": 2}),
        ("", [STRICT], {"passed": 1, "failed": 18, "xfailed": 2}),
    ],
    ids=["groups", "reruns", "subtests", "strict"],
)
def test_an_example_is_one_case_and_its_own_outcome(run, stored, conftest, tests, counts):
    """Whatever the reports of other plugins say; of several attempts the last one counts."""
    done = run(*tests, arguments=[UPDATE], conftest=conftest)
    assert {name: done.counts.get(name) for name in counts} == counts
    found = stored()
    twice = {f"f[{k}]": 2.0 for k in range(20)} if conftest is RERUNS else {}
    assert found == {f"city[c{k}]": float(k >= 2) for k in range(20)} | twice


def test_a_baseline_that_another_run_writes(run, pytester, monkeypatch):
    """Scores of both stay: one waits for the other."""
    monkeypatch.setattr(files, "WAIT", 0.01)
    with SoftFileLock(pytester.path / f".{BASELINE}.lock"):
        done = run(loop(), arguments=[UPDATE])
    assert "cannot be written: another process changes it: if none" in done.failed["x"]
    assert run(loop(), arguments=[UPDATE]).outcomes == {"x": "passed"}


def test_the_guide(run):
    """Its tests, of a system that knows no capital but two."""
    text = (CHECKOUT / "examples" / "guide" / "files.md").read_text("utf-8")
    tests = "".join(re.findall(r"```py\n(.*?)```", text, re.DOTALL))
    system = "def pipeline(question): return 'Rome or Paris'\n\n"
    assert run(system + tests, arguments=[UPDATE]).counts == {"passed": 5, "xfailed": 1}
    assert run(system + tests).counts == {"passed": 5, "xfailed": 1}
    shutil.copy("new.jsonl", "old.jsonl")  # what the guide's lines for other tools wrote
    assert read_runs("new.jsonl", "old.jsonl").ids == ["q1", "q2", "q3"]


ODD = "f'\\udc80{k}'"
IMPORTS = "import numpy as np\nfrom decimal import Decimal\nfrom fractions import Fraction\n"
NUMBERS = (
    *("margin=np.float64(0.05)", "margin=np.float32(0.05)", "margin=Decimal('0.05')"),
    *("margin=Fraction(1, 20)", "margin=0.05, lower_is_better=np.False_"),
    "margin=0.05, score_range=np.arange(2)",
)


@pytest.mark.thorough
def test_several_processes_decide_once(run, stored, pytester, monkeypatch):
    """Of twenty scores nine are lower, whatever numbers the options are, and texts the ids."""
    scores = {f"n{k}": {f"\udc80{j}": 1.0 for j in range(20)} for k in range(len(NUMBERS))}
    stored(city=CITIES, **scores)
    asked = [x if "range" in x else f"score_range=(0, 1), {x}" for x in NUMBERS]
    run(IMPORTS, cases(), *(loop(f"n{k}", "k > 8", x, ODD) for k, x in enumerate(asked)))
    monkeypatch.setenv("PYTHONPATH", str(CHECKOUT))
    done = pytester.runpytest_subprocess(*PLUGIN, "-p", "xdist.plugin", "-n", "2")
    done.assert_outcomes(passed=21 + len(NUMBERS), failed=len(NUMBERS))
    done.stdout.fnmatch_lines(["*20 examples matched by id"])
    text = done.stdout.str().replace("\n ", "")
    assert text.count("FAIL: candidate is significantly worse") >= len(NUMBERS)


def test_a_conftest_loads_it_and_imports_nothing_else(tmp_path):
    """At its start, which each run of tests pays for."""
    (tmp_path / "conftest.py").write_text(
        'import sys\npytest_plugins = ["pairedperm.plugins.pytest_gate"]\n'
        "def pytest_unconfigure(): print(*sys.modules, file=sys.stderr)",
        "utf-8",
    )
    command = "-m", "pytest", "-p", "no:cacheprovider", "--markers"
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    markers, modules = python(*command, cwd=tmp_path, with_stderr=True, **alone)
    assert "@pytest.mark.paired_gate(margin, require, alpha, " in markers
    assert "pairedperm.plugins.pytest_gate" in modules.split()
    assert not {"numpy", "datasets", "click", "pairedperm.errors"} & {*modules.split()}
