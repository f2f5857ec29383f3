"""The code of README, guides and cards runs; the examples run, and print what is shown."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from extras import needs

CHECKOUT = Path(__file__).parents[2]
GUIDES = sorted((CHECKOUT / "examples" / "guide").glob("*.md"))
DOCUMENTS = [CHECKOUT / "README.md", *GUIDES]


def blocks(path, language):
    text = path.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_document_code(path, registered, monkeypatch):
    """One block after the other, as a reader would type them, in the checkout."""
    monkeypatch.chdir(CHECKOUT)  # whose example data they read
    namespace = {}
    for block in blocks(path, "python"):
        if block.startswith(">>> "):
            test = doctest.DocTestParser().get_doctest(block, namespace, path.name, None, 0)
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
            assert runner.run(test, clear_globs=False).failed == 0
            namespace = test.globs
        else:
            exec(compile(block, path.name, "exec"), namespace)


@pytest.mark.parametrize("module", ["paired_perm", "paired_bootstrap"])
def test_card_code(registered, module):
    found = blocks(CHECKOUT / "metrics" / module / "README.md", "python")
    test = doctest.DocTestParser().get_doctest("".join(found), {}, "card", None, 0)
    assert len(test.examples) >= 8
    assert doctest.DocTestRunner().run(test).failed == 0


def test_readme_commands():
    commands = blocks(CHECKOUT / "README.md", "")[0].splitlines()
    assert [c.partition("#")[0].strip() for c in commands] == [
        "python -m pip install . && python examples/quickstart.py",
        'python -m pip install ".[test]" && python -m pytest',
    ]


def test_contributors_find_what_is_named():
    text = (CHECKOUT / ".github" / "CONTRIBUTING.md").read_text("utf-8")
    named = re.findall(r"`(?:python )?([a-z_./]+/(?:[a-z_]+\.[a-z]+)?)[ `]", text)
    assert len(named) > 30
    there = [CHECKOUT, CHECKOUT / "pairedperm"]
    assert [x for x in named if not any((folder / x).exists() for folder in there)] == []
    files = [path for name in ("pairedperm", "tests") for path in (CHECKOUT / name).rglob("*.py")]
    names = {path.name for path in files}
    assert [x for x in re.findall(r"`([a-z_]+\.py)`", text) if x not in names] == []
    code = "\n".join(path.read_text("utf-8") for path in files)
    words = re.findall(r"`([A-Za-z_]{4,})(?:\(\))?`", text)
    assert [x for x in words if not re.search(rf"\b{x}\b", code)] == []


def example(name, tmp_path, *arguments):
    """What it prints, in an empty folder of its own."""
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), "HF_HOME": str(tmp_path / "home")}
    done = subprocess.run(
        [sys.executable, str(CHECKOUT / "examples" / name), *arguments],
        capture_output=True,
        encoding="utf-8",
        check=True,
        cwd=tmp_path,
        env=environment,
    )
    return done.stdout


def test_quickstart(tmp_path):
    """It prints what is shown, of the card too, which a second run leaves as it is."""
    card = tmp_path / "README.md"
    card.write_text("# linearsvc\n", encoding="utf-8")
    printed = example("quickstart.py", tmp_path, str(card))
    numbers, _, _ = printed.partition("\nThe model card:")
    assert numbers == blocks(CHECKOUT / "README.md", "")[1]
    assert max(map(len, printed.splitlines())) <= 80
    once = card.read_text(encoding="utf-8")
    (shown,) = blocks(CHECKOUT / "examples" / "guide" / "model_cards.md", "markdown")
    assert once == shown
    example("quickstart.py", tmp_path, str(card))
    assert card.read_text(encoding="utf-8") == once


@pytest.mark.thorough
def test_pipelines_example(tmp_path):
    needs("transformers", "transformers")
    printed = example("pipelines.py", tmp_path)
    result = re.search(r"pvalue=([^,]+), .* score1=([^,]+), score2=([^,]+)", printed)
    pvalue, score1, score2 = map(float, result.groups())
    assert score1 > score2
    assert pvalue < 0.05
    assert "features: ['text', 'label', 'predictions1', 'predictions2']" in printed
    assert "## Statistical significance" in printed
