"""What a process imports before its first line: what it needs, and nothing that is slow to load."""

import json

import pytest

from interpreter import python

SLOW = {"scipy", "datasets", "evaluate", "huggingface_hub", "pandas", "pyarrow", "asyncio"}
SLOW |= {"fsspec"}
COMPARE = """
import pairedperm
one, two, right = [0, 1, 2, 1] * 60, [0, 1, 1, 0] * 60, [0, 1, 2, 2] * 60
result = pairedperm.compare(one, two, right)
print(result.confidence_interval(), result)
"""
LOADED = "import sys; print('\\n' + ' '.join(sys.modules))"
LOGS = "a.jsonl", "b.jsonl"


@pytest.fixture
def loaded(tmp_path):
    """The modules that a new interpreter has after this code."""
    rows = [{"id": k, "score": k % 3 % 2} for k in range(20)]
    for number, name in enumerate(LOGS):
        lines = [json.dumps(row | {"score": (row["id"] + number) % 2}) for row in rows]
        (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")

    def run(code):
        return {*python("-c", f"{code}\n{LOADED}", cwd=tmp_path).splitlines()[-1].split()}

    return run


def command(*arguments):
    return f"from pairedperm.__main__ import main\nmain({arguments!r})"


def slow(modules):
    return SLOW & {name.partition(".")[0] for name in modules}


def rooms(modules):
    return {name.split(".")[1] for name in modules if name.startswith("pairedperm.")}


def test_the_package(loaded):
    """No room but the version's, and not even numpy."""
    modules = loaded("import pairedperm; dir(pairedperm)")
    assert rooms(modules) == {"results"}
    assert "numpy" not in modules


def test_a_comparison(loaded):
    modules = loaded(COMPARE)
    assert slow(modules) == set()
    assert not rooms(modules) & {"hf", "readers", "model_card", "plots", "commands"}


def test_a_suite(loaded):
    columns = "[0, 1, 1, 1] * 20, [0, 1, 0, 0] * 20, [0, 1, 1, 1] * 20"
    code = f"print(pairedperm.compare_suite({{'a': ({columns}), 'b': ({columns})}}))"
    assert slow(loaded(f"import pairedperm\n{code}")) == set()


def test_help(loaded):
    modules = loaded(command("--help"))
    assert slow(modules) == set()
    assert "numpy" not in modules
    assert rooms(modules) <= {"__main__", "commands", "errors", "inputs", "results", "options"}


def test_a_command_on_two_logs(loaded):
    modules = loaded(command("compare", *LOGS))
    assert "pairedperm.readers.formats" in modules
    assert slow(modules) == set()
    assert not rooms(modules) & {"hf", "plots"}
