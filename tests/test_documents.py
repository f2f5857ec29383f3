"""The README's and the card's code runs; the examples run; what they print is what is shown."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]


def blocks(path, language):
    text = path.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def test_readme_code(registered):
    found = blocks(CHECKOUT / "README.md", "python")
    assert found
    namespace = {}
    for block in found:  # one after the other, as a reader would type them
        exec(compile(block, "README.md", "exec"), namespace)


def test_card_code(registered):
    found = blocks(CHECKOUT / "metrics" / "paired_perm" / "README.md", "python")
    test = doctest.DocTestParser().get_doctest("".join(found), {}, "card", None, 0)
    assert len(test.examples) >= 8
    assert doctest.DocTestRunner().run(test).failed == 0


def test_readme_commands():
    commands = blocks(CHECKOUT / "README.md", "")[0].splitlines()
    assert [c.partition("#")[0].strip() for c in commands] == [
        "python -m pip install . && python examples/quickstart.py",
        'python -m pip install ".[test]" && python -m pytest',
    ]


def test_quickstart_prints_what_the_readme_shows(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), "HF_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, str(CHECKOUT / "examples" / "quickstart.py")],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env=environment,
    )
    shown = blocks(CHECKOUT / "README.md", "")[1]
    assert done.stdout == shown
    assert max(map(len, done.stdout.splitlines())) <= 80
