"""Commands are called in this process, in a folder of their own."""

import json

import pytest

from commands.files import TABLES, run, write_table


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A folder of its own, a terminal of 80 columns, and no summary of GitHub's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return tmp_path


@pytest.fixture
def logs(here):
    """Logs of several kinds, each of two systems."""
    for name, columns in TABLES.items():
        write_table(name, columns)


@pytest.fixture
def summary(here, monkeypatch):
    """The file of a GitHub step's summary."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here / "summary.md"))
    return here / "summary.md"


@pytest.fixture
def found():
    """What a command prints as JSON: results, each with its version as the last key."""

    def parsed(line, code=0):
        done = run(f"{line} --json")
        assert done.code == code, done
        found = json.loads(done.out, parse_constant=pytest.fail)
        for one in found if isinstance(found, list) else [found]:
            assert list(one)[-1] == "schema_version"
        return found

    return parsed
