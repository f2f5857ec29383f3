"""Each row of the benchmarks runs and its peers agree; tables are written; what is worse fails."""

import importlib
import re
import sys
import warnings
from dataclasses import replace

import pytest

from scripts import EXAMPLES

GUIDES = sorted((EXAMPLES / "guide").glob("*.md"))
SECTIONS = (
    *("Starting", "Accuracy", "Scores with many digits", "Real scores", "F1"),
    *("Macro-F1 and samples", "Counting", "Bootstraps and BLEU", "Reading strings"),
    *("Metrics of strings", "Datasets", "Boards", "Intervals of boards"),
    *("Reading of logs and tables", "Suites", "DuckDB"),
)
QUICK = ["--quick", "--seed", "0"]


@pytest.fixture
def script(monkeypatch):
    """What imports a script, in the process of the tests."""
    for name, value in {"OMP_NUM_THREADS": "1", "HF_DATASETS_DISABLE_PROGRESS_BARS": "1"}.items():
        monkeypatch.setenv(name, value)  # the script sets them itself
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module


@pytest.fixture
def benchmarks(script):
    return script("benchmarks")


@pytest.fixture
def row(script):
    """A row of one call, 7 by itself and by a peer."""
    rows = script("benchmark_rows")
    peers = {"peer": rows.Peer(lambda data: data, rows.equal, scale=2.0)}
    return rows.Row("A section", "{n} of them", lambda inputs: inputs.n, int, 7, 7, peers)


@pytest.fixture
def guide(benchmarks, monkeypatch, tmp_path):
    """A guide with a table that is not written yet."""
    path = tmp_path / "guide.md"
    path.write_text("<!-- benchmarks: A section -->\n<!-- end -->\n", encoding="utf-8")
    monkeypatch.setattr(benchmarks, "GUIDES", [path])
    return path


@pytest.mark.thorough
@pytest.mark.parametrize("section", SECTIONS)
def test_each_row(benchmarks, section, tmp_path):
    """In a quick size; it stops unless the peers that should agree do."""
    data = benchmarks.Data(tmp_path, 0, True)
    found = {}
    for row in benchmarks.ROWS:
        if row.section == section and row.quick is not None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that p is sampled
                figures = benchmarks.measured(row, data.of(row), True)
            assert figures.answers.keys() == {"pairedperm", *row.peers}
            assert all(time > 0.0 for times in figures.times.values() for time in times)
            found[row.name(True)] = benchmarks.cells_of(row, figures)
    assert len(benchmarks.table_of(found)) == len(found) + 2 > 2


def test_guides_have_the_rows(benchmarks, script):
    """Each section is listed here; the tables of the guides have the rows of theirs."""
    assert {row.section for row in benchmarks.ROWS} == {*SECTIONS}
    found, marked = {}, script("benchmark_tables").MARKED
    for guide in GUIDES:
        text = guide.read_text(encoding="utf-8")
        for _, section, table, _ in marked.findall(text):
            assert section not in found
            found[section] = [line.split("|")[0].strip() for line in table.split("\n|")[3:]]
    assert found
    names = {x: [row.name(False) for row in benchmarks.ROWS if row.section == x] for x in found}
    assert found == names


def test_a_row_that_fails(benchmarks, row, guide, capsys):
    """It is told, the others go on, and no part of a table is written."""
    text = guide.read_text(encoding="utf-8")
    rows = [replace(row, label="bad", ours=lambda data: [].gone), row]
    assert benchmarks.run(rows, 0, is_quick=True, does_write=True) == 1
    printed = capsys.readouterr().out
    assert "A section: bad: AttributeError: 'list' object has no attribute 'gone'" in printed
    assert "| 7 of them |" in printed
    assert guide.read_text(encoding="utf-8") == text


def test_main(benchmarks, monkeypatch, capsys):
    assert benchmarks.main(["--quick", "--only", "digits: 1,000,000 among"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "## Scores with many digits"
    assert lines[4].startswith("| 1,000,000 among 1,000 of ±1 |")


def planted(folder, work):
    """A package whose test loops so often, and holds as many bytes times 100."""
    package = folder / "pairedperm"
    package.mkdir(parents=True)
    code = f"def {work[0]}(*columns):\n    return sum(map(len, [bytes(100)] * {work[1]}))\n"
    code = code.replace("[bytes(100)]", "[bytes(100 + k) for k in range(100)]")
    code += "print('what a package prints is no answer')\n"
    (package / "__init__.py").write_text(code, encoding="utf-8")
    return folder


@pytest.mark.thorough
def test_against(benchmarks, script, tmp_path, capsys):
    """Twice the time and memory are worse than allowed, and a name that is gone."""
    turns, name = script("benchmark_turns"), "paired_permutation_test"
    rows = benchmarks.chosen("Counting: 10,000 scores 0 and 1$", True)
    works = {"old": (name, 3_000), "new": (name, 6_000), "gone": ("another_name", 100)}
    old, new, gone = (planted(tmp_path / x, work) for x, work in works.items())
    for before, after, code, said in (
        (old, old, 0, r"\nNo row is worse than allowed\.\n$"),
        (old, new, 1, r"Counting: 10,000 scores 0 and 1: \d\.\d+ times as long"),
        (old, gone, 1, "Counting: 10,000 scores 0 and 1: gone: AttributeError: "),
    ):
        assert turns.against(rows, before, after, sys.executable, QUICK) == code
        assert re.search(said, capsys.readouterr().out)
