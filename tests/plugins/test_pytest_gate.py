"""The pytest plugin, in runs of pytest: what tests score must pass the gate together."""

import json
import re

import pytest
import scipy.special  # noqa: F401, what a run imports first is forgotten after it, and numpy cannot
from filelock import SoftFileLock

from interpreter import CHECKOUT, python
from pairedperm import compare, gate
from pairedperm.commands import gate as _command  # noqa: F401
from pairedperm.inputs import files
from pairedperm.readers import read_runs

pytest_plugins = "pytester"
CASES = """
import pytest


@pytest.mark.paired_gate({options})
@pytest.mark.parametrize("city", [f"city {{k}}" for k in range(20)])
def test_city(city):
    assert int(city[5:]) >= {n_wrong}
"""
LOOP = """
import pytest


@pytest.mark.paired_gate({options})
def test_cities(paired_gate):
    for k in range(20):
        paired_gate({id}, {score})
"""
BROKEN = CASES.replace("assert ", "1 / int(city[5:])\n    assert ")
ALONE = "import pytest\n\n@pytest.mark.paired_gate\ndef test_it(): ..."
BASELINE = "paired_baseline.jsonl"
PLUGIN = "-p", "pairedperm.plugins.pytest_gate", "-p", "no:cacheprovider"


@pytest.fixture(scope="module", autouse=True)
def imported():
    """All that decides is imported once, and not forgotten after a run."""
    gate(compare([1] * 20, [0] * 20, [1] * 20), margin=0.5)


@pytest.fixture
def run(pytester, monkeypatch):
    """Run a test file, with these options; return the result."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("COLUMNS", "100")

    def run_pytest(template, *arguments, options="", id="k", **values):
        pytester.makepyfile(test_it=template.format(options=options, id=id, **values))
        return pytester.runpytest(*PLUGIN, *arguments)

    return run_pytest


@pytest.mark.parametrize(
    ("n_wrong", "verdict", "outcomes"),
    [
        (2, "PASS: *", {"passed": 19, "xfailed": 2}),
        (
            9,
            "FAIL: candidate is significantly worse than baseline.",
            {"passed": 11, "xfailed": 9, "failed": 1},
        ),
    ],
)
def test_the_cases_of_a_test_are_examples(run, n_wrong, verdict, outcomes):
    """They are right or wrong, so the interval is exact."""
    run(CASES, "--paired-update", n_wrong=2).assert_outcomes(passed=19, xfailed=2)
    done = run(CASES, "-rf", n_wrong=n_wrong)
    done.assert_outcomes(**outcomes)
    done.stdout.fnmatch_lines([verdict, "mean score (higher is better): *", "*(exact), p = *"])
    assert done.ret == (n_wrong > 2)


@pytest.mark.parametrize(
    ("options", "outcomes"),
    [
        ("", {"passed": 2}),
        ("alpha=0.25", {"passed": 1, "failed": 1}),
        ("require='better'", {"passed": 1, "failed": 1}),
        ("lower_is_better=True, require='better', alpha=0.25", {"passed": 2}),
        ("margin=0.3, score_range=(0, 1)", {"passed": 1, "failed": 1}),
        ("margin=0.3, score_range=(0, 1), inconclusive='skip'", {"passed": 1, "skipped": 1}),
        ("alpha=2", {"passed": 1, "failed": 1}),
    ],
)
def test_the_options_of_a_gate(run, options, outcomes):
    """Of twenty scores three are lower: p is 2/2³."""
    run(LOOP, "--paired-update", score="1")
    run(LOOP, score="float(k >= 3)", options=options).assert_outcomes(**outcomes)


def test_the_baseline_file(run, pytester):
    """Each gate has its lines; those of others stay."""
    file = f"--paired-baseline={BASELINE}"
    run(LOOP, "--paired-update", file, score="k / 10")
    run(CASES, "--paired-update", file, n_wrong=1)
    done = run(CASES, "--paired-update", file, n_wrong=0)
    done.stdout.fnmatch_lines(["20 scores were written to *, in place of 20."])
    lines = (pytester.path / BASELINE).read_text("utf-8").splitlines()
    assert len(lines) == 40
    assert json.loads(lines[-1]) == {"id": "test_it.py::test_city[city 9]", "score": 1.0}
    assert '{"id": "test_it.py::test_cities[7]", "score": 0.7}' in lines
    (pytester.path / "other.jsonl").write_text("\n".join(lines), "utf-8")
    assert len(read_runs(pytester.path / BASELINE, pytester.path / "other.jsonl").ids) == 40


@pytest.mark.parametrize(
    ("template", "values", "said"),
    [
        (LOOP, {}, "has no scores of test_it.py::test_cities. Run the baseline once with"),
        (LOOP, {"id": "k // 10"}, "examples were scored twice: '0', '1'. Give each example an id"),
        (LOOP, {"score": "None"}, r"TypeError: float\(\) argument must be"),
        (LOOP, {"options": "marign=1"}, "takes the options margin, .*, but got marign"),
        (LOOP, {"options": "0.1"}, "takes the options margin, .*, but got 0.1"),
        (LOOP, {"options": "inconclusive=1"}, "takes inconclusive='fail' or 'skip', but got 1"),
        (ALONE, {}, "has one example: parametrize the test"),
        (CASES.replace('f"city {{k}}"', "object()"), {}, "needs ids that stay when the order"),
    ],
)
def test_what_is_refused(run, template, values, said):
    done = run(template, **{"score": "1", "n_wrong": 0, **values})
    assert done.ret == 1
    assert re.search(said, done.stdout.str())


def test_a_number_in_place_of_a_baseline(run):
    """It is refused, unless the marker says that it is a system."""
    run(LOOP, "--paired-update", score="0.95")
    done = run(LOOP, score="k % 2")
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(["ERROR: p tests symmetry about 0.95, not the mean.*"])
    run(LOOP, score="1", options="constant='system'").assert_outcomes(passed=2)


def test_a_folder_is_no_baseline_file(run, pytester):
    for name in "ab":
        (pytester.path / f"{name}.jsonl").write_text('{"id": 1, "score": 1}', "utf-8")
    done = run(LOOP, "--paired-baseline=.", score="1")
    done.stdout.fnmatch_lines(["ERROR: `--paired-baseline`: * cannot be read: *"])


def test_examples_that_only_one_run_has(run):
    """They are an error, unless they may be left out; a broken test is no wrong answer."""
    run(CASES, "--paired-update", n_wrong=0)
    done = run(CASES.replace("range(20)", "range(1, 20)"), n_wrong=0)
    done.assert_outcomes(passed=19, failed=1)
    done.stdout.fnmatch_lines(["*1 not in candidate: 'city 0'*"])
    done = run(BROKEN, n_wrong=0, options="on_missing='drop'")
    done.assert_outcomes(passed=20, failed=1)
    done.stdout.fnmatch_lines(["left out: 1 not in candidate: 'city 0'"])


def test_an_example_without_a_score(run):
    run(LOOP, "--paired-update", score="1")
    done = run(LOOP, score="float('nan') if k == 7 else 1")
    done.stdout.fnmatch_lines(["*1 without score in candidate: '7'*"])
    done.assert_outcomes(passed=1, failed=1)


def test_a_run_that_stops_decides_nothing(run):
    run(CASES, "--paired-update", n_wrong=0)
    run(BROKEN, "-x", n_wrong=0).assert_outcomes(failed=1)


BY_ID = "test_it.py::test_city[city 3]", "test_it.py::test_city[city 4]"


@pytest.mark.parametrize(
    ("selected", "n_selected"),
    [
        (("-k", "3 or 4"), 4),  # also 13 and 14
        (("--deselect", BY_ID[0]), 19),
        (BY_ID, 2),
    ],
)
def test_cases_that_were_not_selected(run, pytester, selected, n_selected):
    """Their scores stay in the baseline; without them nothing is decided."""
    run(CASES, "--paired-update", n_wrong=2)
    run(LOOP, "--paired-update", score="1")
    before = (pytester.path / BASELINE).read_text("utf-8")
    assert len(before.splitlines()) == 40
    done = run(CASES, *selected, "--paired-update", n_wrong=0)
    done.assert_outcomes(
        passed=n_selected, failed=1, deselected=(20 - n_selected) * (selected is not BY_ID)
    )
    done.stdout.fnmatch_lines(["ERROR: the scores of test_it.py::test_city were not written to *"])
    assert (pytester.path / BASELINE).read_text("utf-8") == before
    done = run(CASES, *selected, n_wrong=0)
    found = done.parseoutcomes()
    assert (found["passed"], found["skipped"], done.ret) == (n_selected, 1, 0)
    done.stdout.fnmatch_lines(["Not all cases of the test were selected: nothing was decided."])


@pytest.mark.parametrize(
    ("template", "values", "said"),
    [
        (BROKEN, {"n_wrong": 0}, "were not written to *: 'test_it.py::test_city?city 0?' broke."),
        (LOOP, {"score": "1 / k"}, "were not written to *: 'test_it.py::test_cities' broke."),
    ],
)
def test_a_baseline_of_broken_cases_is_not_written(run, pytester, template, values, said):
    run(CASES, "--paired-update", n_wrong=2)
    run(LOOP, "--paired-update", score="1")
    before = (pytester.path / BASELINE).read_text("utf-8")
    done = run(template, "--paired-update", **values)
    assert done.ret == 1
    done.stdout.fnmatch_lines([f"*{said}*"])
    assert (pytester.path / BASELINE).read_text("utf-8") == before


def test_a_baseline_loses_only_what_is_gone(run, pytester):
    """A case that is skipped keeps its score, and one that the test has no longer goes."""
    run(CASES, "--paired-update", n_wrong=2)
    skips = CASES.replace("assert ", "if city == 'city 0': pytest.skip()\n    assert ")
    run(skips, "--paired-update", n_wrong=0).assert_outcomes(passed=20, skipped=1)
    scores = read_lines(pytester.path / BASELINE)
    assert [k for k, score in scores.items() if score == 0] == ["city 0"]
    assert len(scores) == 20
    run(CASES.replace("range(20)", "range(1, 20)"), "--paired-update", n_wrong=0)
    assert {*read_lines(pytester.path / BASELINE)} == {f"city {k}" for k in range(1, 20)}


def read_lines(path):
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return {x["id"].partition("[")[2][:-1]: x["score"] for x in rows}


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
ONCE = "once = {{*range(9)}}\n" + CASES.replace(
    "assert ", "if int(city[5:]) in once: raise OSError(once.discard(int(city[5:])))\n    assert "
)
ATTEMPTS = """
attempts = []

def last():
    attempts.append(0)
    return len(attempts) == 2

"""
FAILS_ONCE = ATTEMPTS + LOOP + "    assert last()\n"
TEARDOWN_FAILS_ONCE = (
    ATTEMPTS
    + LOOP.replace("(paired_gate)", "(ends, paired_gate)")
    + """

@pytest.fixture
def ends():
    yield
    assert last()
"""
)
SUBTESTS = CASES.replace("(city):", "(city, subtests):").replace(
    "    assert ", "    with subtests.test(): pass\n    with subtests.test(): assert "
)
STRICT = CASES.replace(
    "import pytest", "import pytest\npytestmark = pytest.mark.xfail(strict=True)"
)


@pytest.mark.parametrize(
    ("conftest", "template", "n_wrong", "outcomes"),
    [
        (GROUPS, CASES, 2, {"passed": 19, "xfailed": 2}),
        (RERUNS, ONCE, 2, {"passed": 19, "xfailed": 2}),
        ("", SUBTESTS, 2, {"passed": 19, "xfailed": 2}),
        ("", STRICT, 2, {"passed": 1, "failed": 18, "xfailed": 2}),
    ],
    ids=["groups", "reruns", "subtests", "strict"],
)
def test_an_example_is_one_case_and_its_own_outcome(
    run, pytester, conftest, template, n_wrong, outcomes
):
    """Whatever the reports of other plugins say."""
    pytester.makeconftest(conftest)
    done = run(template, "--paired-update", n_wrong=n_wrong)
    found = done.parseoutcomes()
    assert {name: found.get(name) for name in outcomes} == outcomes
    done.stdout.fnmatch_lines(["20 scores were written to *"])
    rows = map(json.loads, (pytester.path / BASELINE).read_text("utf-8").splitlines())
    expected = {f"test_it.py::test_city[city {k}]": float(k >= n_wrong) for k in range(20)}
    assert {x["id"]: x["score"] for x in rows} == expected


def test_a_baseline_that_another_run_writes(run, pytester, monkeypatch):
    """Scores of both stay: one waits for the other."""
    monkeypatch.setattr(files, "WAIT", 0.01)
    with SoftFileLock(pytester.path / f".{BASELINE}.lock"):
        done = run(LOOP, "--paired-update", score="1")
    done.stdout.fnmatch_lines(["ERROR: *cannot be written: another process changes it: if none*"])
    assert done.ret == 1
    run(LOOP, "--paired-update", score="1").assert_outcomes(passed=2)


@pytest.mark.parametrize("template", [FAILS_ONCE, TEARDOWN_FAILS_ONCE])
def test_the_last_attempt_counts(run, pytester, template):
    """The test passes in its second attempt, and so do its scores."""
    pytester.makeconftest(RERUNS)
    run(LOOP, "--paired-update", score="1")
    done = run(template, score="float(len(attempts))")
    done.stdout.fnmatch_lines(["PASS: *", "mean score (higher is better): 1.00 against 1.00 *"])
    assert done.ret == 0


def test_a_subtest_that_breaks_breaks_its_case(run, pytester):
    run(CASES, "--paired-update", n_wrong=0)
    broken = SUBTESTS.replace("pass\n", "1 / int(city[5:])\n")
    done = run(broken, "--paired-update", n_wrong=0)
    assert done.ret == 1
    done.stdout.fnmatch_lines(["*: 'test_it.py::test_city?city 0?' broke.*"])


def test_the_guide(run):
    """Its tests, of a system that knows no capital but two."""
    text = (CHECKOUT / "examples" / "guide" / "gates.md").read_text("utf-8")
    tests = (
        "".join(re.findall(r"```py\n(.*?)```", text, re.DOTALL))
        .replace("{", "{{")
        .replace("}", "}}")
    )
    system = "def pipeline(question): return 'Rome or Paris'\n\n"
    run(system + tests, "--paired-update").assert_outcomes(passed=5, xfailed=1)
    run(system + tests).assert_outcomes(passed=4, xfailed=1, skipped=1)


SENT = """
import execnet
from _pytest.runner import runtestprotocol

def pytest_runtest_protocol(item, nextitem):  # as pytest-xdist does
    hook = item.config.hook
    for report in runtestprotocol(item, nextitem=nextitem, log=False):
        sent = execnet.dumps(hook.pytest_report_to_serializable(config=item.config, report=report))
        got = hook.pytest_report_from_serializable(config=item.config, data=execnet.loads(sent))
        hook.pytest_runtest_logreport(report=got)
    return True
"""
ODD = "f'\\udc80{k}'"
IMPORTS = "import numpy as np\nfrom decimal import Decimal\nfrom fractions import Fraction\n"


@pytest.mark.parametrize(
    "options",
    [
        "margin=np.float64(0.05)",
        "margin=np.float32(0.05)",
        "margin=Decimal('0.05')",
        "margin=Fraction(1, 20)",
        "margin=0.05, lower_is_better=np.False_",
        "margin=0.05, score_range=np.arange(2)",
    ],
)
def test_options_and_ids_can_be_sent(run, pytester, options):
    """Of twenty scores nine are lower, whatever numbers the options are, and texts the ids."""
    pytester.makeconftest(SENT)
    of_range = "score_range=(0, 1), " * ("range" not in options)
    loop = IMPORTS + LOOP
    run(loop, "--paired-update", score="1", id=ODD)
    done = run(loop, score="k > 8", id=ODD, options=of_range + options)
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(["FAIL: candidate is significantly worse*", "  to be below 0.05."])


def test_an_option_that_cannot_be_sent(run):
    """It fails the test, in whichever process it runs."""
    done = run(LOOP, score="1", options="margin=object()")
    assert done.ret == 1
    done.stdout.fnmatch_lines(["*takes numbers and texts, but got margin=... of type object*"])


@pytest.mark.thorough
def test_several_processes_fail_a_gate(run, pytester, monkeypatch):
    run(IMPORTS + LOOP, "--paired-update", score="1", id=ODD)
    text = (pytester.path / "test_it.py").read_text("utf-8")
    worse = text.replace(", 1)", ", k > 8)")
    worse = worse.replace("paired_gate()", "paired_gate(margin=np.float64(0.05))")
    pytester.makepyfile(test_it=worse)
    monkeypatch.setenv("PYTHONPATH", str(CHECKOUT))
    done = pytester.runpytest_subprocess(*PLUGIN, "-p", "xdist.plugin", "-n", "2")
    done.assert_outcomes(passed=1, failed=1)


@pytest.mark.thorough
def test_several_processes_decide_once(run, pytester, monkeypatch):
    run(CASES, "--paired-update", n_wrong=0)
    monkeypatch.setenv("PYTHONPATH", str(CHECKOUT))
    done = pytester.runpytest_subprocess(*PLUGIN, "-p", "xdist.plugin", "-n", "2")
    done.assert_outcomes(passed=21)
    done.stdout.fnmatch_lines(["*20 examples matched by id"])


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
