"""What a process imports before its first line: what it needs, and nothing slow to load."""

import json

from interpreter import python

MEMBERS = ("hf.compare_dataset", "model_card.update", "readers.read_runs", "scoring.metric")
OF_ROOMS = f"""
import sys
for room, member in (name.split(".") for name in {MEMBERS}):
    for name in [*sys.modules]:  # no other room is imported yet
        if name.partition(".")[0] == "pairedperm":
            del sys.modules[name]
    import pairedperm
    print(getattr(getattr(pairedperm, room), member).__name__)
"""
SLOW = {"scipy", "datasets", "evaluate", "huggingface_hub", "pandas", "pyarrow", "asyncio"}
SLOW |= {"fsspec", "sacrebleu"}
COLUMNS = "[0, 1, 2, 1] * 60, [0, 1, 1, 0] * 60, [0, 1, 2, 2] * 60"
COMPARE = f"""
import pairedperm
result = pairedperm.compare({COLUMNS})
print(result.confidence_interval(), result)
print(pairedperm.compare_suite({{"a": ({COLUMNS}), "b": ({COLUMNS})}}))
"""
COMMAND = "from pairedperm.__main__ import main\nmain({})"
LOADED = "import sys; print('\\n' + ' '.join(sys.modules))"


def test_rooms_are_there(tmp_path):
    names = python("-c", OF_ROOMS, cwd=tmp_path).splitlines()
    for name, member in zip(names, MEMBERS, strict=True):
        assert name.endswith(member.partition(".")[2])


def loaded(code, folder):
    """The modules that a new interpreter has after this code, of ours the rooms; none is slow."""
    modules = python("-c", f"{code}\n{LOADED}", cwd=folder).splitlines()[-1].split()
    assert not SLOW & {name.partition(".")[0] for name in modules}
    rooms = {name.split(".")[1] for name in modules if name.startswith("pairedperm.")}
    return {*modules}, rooms


def test_what_the_package_imports(tmp_path):
    """No room but the version's, and not even numpy."""
    modules, rooms = loaded("import pairedperm; dir(pairedperm)", tmp_path)
    assert rooms == {"results"}
    assert "numpy" not in modules


def test_what_help_imports(tmp_path):
    modules, rooms = loaded(COMMAND.format(["--help"]), tmp_path)
    assert "numpy" not in modules
    assert rooms <= {"__main__", "commands", "errors", "inputs", "results", "options"}


def test_what_a_comparison_and_a_suite_import(tmp_path):
    rooms = loaded(COMPARE, tmp_path)[1]
    assert not rooms & {"hf", "readers", "model_card", "plots", "commands"}


def test_what_a_command_on_two_logs_imports(tmp_path):
    for number, name in enumerate("ab"):
        rows = [json.dumps({"id": k, "score": (k + number) % 2}) for k in range(20)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(rows), encoding="utf-8")
    modules, rooms = loaded(COMMAND.format(["compare", "a.jsonl", "b.jsonl"]), tmp_path)
    assert "pairedperm.readers.formats" in modules
    assert not rooms & {"hf", "plots"}
