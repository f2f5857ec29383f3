"""What a process imports before its first line: what it needs, and nothing slow to load."""

import json

from interpreter import python

SLOW = {"scipy", "datasets", "evaluate", "huggingface_hub", "pandas", "pyarrow", "asyncio"}
SLOW |= {"fsspec", "sacrebleu"}
COLUMNS = "[0, 1, 2, 1] * 60, [0, 1, 1, 0] * 60, [0, 1, 2, 2] * 60"
COMPARE = f"""
result = pairedperm.compare({COLUMNS})
print(result.confidence_interval(), result)
print(pairedperm.compare_suite({{"a": ({COLUMNS}), "b": ({COLUMNS})}}))
"""
COMMAND = "from pairedperm.__main__ import main\ntry: main({})\nexcept SystemExit: pass"
LOADED = "import sys; print('\\nloaded', *sys.modules)"
MEMBERS = ("hf.__all__", "model_card.update", "readers.read_runs", "scoring.metric")
OF_ROOMS = f"""
for room, member in (name.split(".") for name in {MEMBERS}):
    for name in [*sys.modules]:  # no other room is imported yet
        if name.partition(".")[0] == "pairedperm":
            del sys.modules[name]
    import pairedperm
    getattr(getattr(pairedperm, room), member)
"""


def loaded(folder, *steps, rest=""):
    """The modules that an interpreter has after each of these steps; none of them is slow."""
    code = "\n".join(x for step in steps for x in (step, LOADED))
    lines = python("-c", f"{code}\n{rest}", cwd=folder).splitlines()
    found = [{*line.split()[1:]} for line in lines if line.startswith("loaded ")]
    assert len(found) == len(steps)
    assert not SLOW & {name.partition(".")[0] for modules in found for name in modules}
    return found


def rooms(modules):
    return {name.split(".")[1] for name in modules if name.startswith("pairedperm.")}


def test_what_help_imports(tmp_path):
    (modules,) = loaded(tmp_path, COMMAND.format(["--help"]))
    assert "numpy" not in modules
    assert rooms(modules) <= {"__main__", "commands", "errors", "inputs", "results", "options"}


def test_what_is_imported_when(tmp_path):
    """By the package, by a comparison and a suite, and by a command; then each room alone."""
    for number, name in enumerate("ab"):
        rows = [json.dumps({"id": k, "score": (k + number) % 2}) for k in range(20)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(rows), encoding="utf-8")
    command = COMMAND.format(["compare", "a.jsonl", "b.jsonl"])
    steps = "import pairedperm; dir(pairedperm)", COMPARE, command
    package, compared, commanded = loaded(tmp_path, *steps, rest=OF_ROOMS)
    assert rooms(package) == {"results"}  # its version
    assert "numpy" not in package
    assert not rooms(compared) & {"hf", "readers", "model_card", "plots", "commands"}
    assert "pairedperm.readers.formats" in commanded
    assert not rooms(commanded) & {"hf", "plots"}
