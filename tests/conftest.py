"""Two suites in one tree: quick, and with --thorough everything. Every test runs offline.

Each process has a Hugging Face home of its own.
"""

import gc
import os
import subprocess
import sys
import tempfile

import flint
import pytest
from hypothesis import HealthCheck, Phase, settings

from campaigns.rounds import Rounds
from extras import PROGRAM
from interpreter import CHECKOUT

# Before evaluate is imported: it reads these once.
_HOME = tempfile.TemporaryDirectory(prefix="pairedperm-tests-", ignore_cleanup_errors=True)
os.environ.pop("HF_MODULES_CACHE", None)
os.environ.setdefault("OMP_NUM_THREADS", "1")  # pytest's processes share the cores already
os.environ.update(HF_HOME=_HOME.name, HF_EVALUATE_OFFLINE="1", HF_HUB_OFFLINE="1")

flint.ctx.prec = 256  # bits of the balls that true values are computed in
COMMON = {  # the same cases every time: new ones are what the campaigns ask
    "derandomize": True,
    "database": None,
    "deadline": None,
    "print_blob": True,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
}
settings.register_profile("quick", max_examples=12, **COMMON)
settings.register_profile("thorough", max_examples=24, **COMMON)
settings.register_profile(  # rounds of new cases, see campaigns/rounds.py: later ones of a round
    "campaign",  # are mostly changes of earlier ones
    max_examples=16,
    phases=[Phase.generate, Phase.shrink],
    **COMMON | {"derandomize": False, "suppress_health_check": list(HealthCheck)},
)


def pytest_addoption(parser):
    parser.addoption(
        "--thorough",
        action="store_true",
        help="run every test, with twice the random cases; what would be skipped fails",
    )
    parser.addoption(
        "--with-programs",
        action="store_true",
        help="with --thorough: fail too where a program is absent, such as Chromium",
    )
    parser.addoption(
        "--campaign",
        type=float,
        metavar="MINUTES",
        help="ask the properties that are chosen for so long, with new seeds",
    )


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "weight(x): the share of its file in a campaign's minutes, 1 if not given"
    )
    config.addinivalue_line("markers", "thorough: run with --thorough only: slow")
    config.addinivalue_line("markers", "one_in(every): without --thorough one in so many is run")
    profile = "thorough" if config.getoption("thorough") else "quick"
    if _is_campaign(config):
        config.pluginmanager.register(Rounds(config))
        profile = "campaign"
    settings.load_profile(profile)


def pytest_xdist_auto_num_workers(config):
    """A campaign has two processes at least, as many as there are cores else."""
    return max(2, os.cpu_count() or 1) if _is_campaign(config) else None


def _is_campaign(config):
    return config.getoption("campaign") is not None


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collected tests and imported libraries stay: no collection of garbage looks at them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """Doctests are the package's: to look for them in the tests takes seconds."""
    return [x for x in (yield) if type(x) is pytest.Module]


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(collector):
    """Of the cases of a test with `one_in(5)` each fifth is quick, counted in their order."""
    made = yield
    cases = [x for x in made if not _is_thorough(x)] if isinstance(made, list) else []
    marker = cases[0].get_closest_marker("one_in") if cases else None
    if marker:
        quick = cases[:: marker.args[0]]
        for names in _left_out(quick, cases):
            raise collector.CollectError(
                f"the quick suite takes {len(quick)} cases of {cases[0].originalname}, but not "
                f"each value of {', '.join(names)}: take {_other(marker.args[0], cases)}"
            )
        for case in cases:
            if case not in quick:
                case.add_marker("thorough")
    return made


def _other(every, cases):
    """The number nearest above with which no value is left out."""
    fits = (n for n in range(every + 1, len(cases)) if not any(_left_out(cases[::n], cases)))
    return f"`one_in({next(fits)})`"


def _left_out(quick, cases):
    """Parameters of which `quick` has fewer values than it has cases, and not all."""
    given = [mark.args[0] for mark in cases[0].iter_markers("parametrize")]
    together = [names if isinstance(names, tuple) else (names,) for names in given]
    of_fixtures = {*cases[0].callspec.params}.difference(*together)
    for names in (*together, *((name,) for name in of_fixtures)):
        taken, values = (
            {tuple(id(case.callspec.params[name]) for name in names) for case in part}
            for part in (quick, cases)
        )
        if len(taken) < min(len(values), len(quick)):
            yield names


def _is_thorough(item):
    return item.get_closest_marker("thorough") is not None


def pytest_collection_modifyitems(config, items):
    if _is_campaign(config):
        return
    if config.getoption("thorough"):
        return
    config.hook.pytest_deselected(items=[x for x in items if _is_thorough(x)])
    items[:] = [x for x in items if not _is_thorough(x)]


def _without_skips(config, report):
    """With --thorough nothing is skipped, programs apart: what would be fails, with its reason."""
    if not config.getoption("thorough") or not report.skipped or hasattr(report, "wasxfail"):
        return report
    if config.getoption("with_programs") or PROGRAM not in str(report.longrepr):
        report.outcome, report.longrepr = "failed", f"--thorough skips nothing: {report.longrepr}"
    return report


def pytest_unconfigure():
    _HOME.cleanup()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    return _without_skips(item.config, (yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    return _without_skips(collector.config, (yield))


@pytest.fixture
def terminal(monkeypatch):
    """What is written to stderr is seen: bars of progress are shown."""
    monkeypatch.setattr("pairedperm.options.is_terminal", lambda: True)


@pytest.fixture(scope="session")
def registered():
    """The registered comparison module's script."""
    import pairedperm

    return pairedperm.register()


@pytest.fixture
def paired_perm(registered):
    """The module as users load it."""
    import evaluate

    return evaluate.load("paired_perm")


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """A folder with a wheel and an sdist."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, check=True, cwd=CHECKOUT, stdout=subprocess.DEVNULL)
    return folder
