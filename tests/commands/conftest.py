"""Commands are called in this process, in a folder of their own."""

import json

import pytest

from commands.files import TABLES, run, write_table


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A folder of its own, and a terminal of 80 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.fixture
def logs(here):
    """Logs of several kinds, each of two systems."""
    for name, columns in TABLES.items():
        write_table(name, columns)


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
