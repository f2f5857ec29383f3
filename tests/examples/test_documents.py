"""The code of README, guides and cards runs; the examples run, and print what is shown."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from markdown_it import MarkdownIt

from extras import needs
from pairedperm.__main__ import main
from pairedperm.commands.app import cli
from scripts import done_in

CHECKOUT = Path(__file__).parents[2]
EXAMPLES = CHECKOUT / "examples"
GUIDES = sorted((EXAMPLES / "guide").glob("*.md"))
NOTEBOOKS = sorted((EXAMPLES / "guide" / "notebooks").glob("*.md"))
SKILL = EXAMPLES / "SKILL.md"
DOCUMENTS = [CHECKOUT / "README.md", SKILL, *GUIDES, *NOTEBOOKS]
RUN, SHOWN = "python", "py"
LEFT_TO_THE_READER = (  # by what is shown
    *("dataset", "df", "duckdb", "pipeline", "references", "system1", "system2"),
)
FOLDERS = ".github", "examples", "metrics"
PAGES = sorted({*DOCUMENTS, *(x for name in FOLDERS for x in (CHECKOUT / name).rglob("*.md"))})
LINKED = "link_open", "image"


@cache  # many tests ask for the same pages
def tokens(path):
    return MarkdownIt().parse(path.read_text(encoding="utf-8"))


def blocks(path, *languages):
    return [x.content for x in tokens(path) if x.type == "fence" and x.info in languages]


SLOW = {"boards", "results"}  # what they do is asked daily in other rooms


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(x, marks=pytest.mark.thorough if x.stem in SLOW else (), id=x.stem)
        for x in DOCUMENTS
        if x != SKILL  # runs where its commands do
    ],
)
def test_document_code(path, registered, monkeypatch):
    """One block after the other, as a reader would type them, in the checkout."""
    monkeypatch.chdir(CHECKOUT)  # whose example data they read
    run_code(path)


def run_code(path):
    namespace = {}
    for block in blocks(path, RUN):
        if block.startswith(">>> "):
            test = doctest.DocTestParser().get_doctest(block, namespace, path.name, None, 0)
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
            assert runner.run(test, clear_globs=False).failed == 0
            namespace = test.globs
        else:
            exec(compile(block, path.name, "exec"), namespace)


def test_what_is_no_code_is_known():
    """A block in another language, `python3`, would neither run nor be checked."""
    fences = {x.info for path in DOCUMENTS for x in tokens(path) if x.type == "fence"}
    assert fences <= {RUN, SHOWN, "", "markdown", "yaml"}


COMMAND = "$ pairedperm "
WITH_COMMANDS = [path for path in PAGES if COMMAND in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", WITH_COMMANDS, ids=lambda path: path.parent.name + path.stem)
def test_document_commands(path, tmp_path, monkeypatch, capsys):
    """Each in a folder that has nothing but the logs, and what it prints where that is shown."""
    for name in ("baseline", "candidate", "worse"):
        shutil.copytree(EXAMPLES / "ci_gate" / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    if path == SKILL:  # its code writes what its commands read
        run_code(path)
    text = "".join(block for block in blocks(path, "") if block.startswith("$ "))
    ran = 0
    for command, _, shown in (part.partition("\n") for part in text.split("$ ")[1:]):
        words = shlex.split(command.removesuffix("; echo $?"), comments=True)
        assert words[0] == "pairedperm"
        code = main(words[1:])
        printed = capsys.readouterr()
        assert (code in (0, 1, 3), printed.err) == (True, "")
        says_code = f"{code}\n" if command.endswith("; echo $?") else ""
        assert not shown or printed.out + says_code == shown
        ran += 1
    assert ran == text.count(COMMAND)


TYPES = """
[mypy]
check_untyped_defs = true
follow_imports = silent
ignore_missing_imports = true
[mypy-datasets.*,evaluate.*,matplotlib.*,pandas.*,pyspark.*,scipy.*,torch.*,transformers.*]
follow_imports = skip
"""
USE = """
import pairedperm
pairedperm.hf.compare_dataset
pairedperm.model_card.update
pairedperm.readers.read_runs
pairedperm.scoring.metric
pairedperm.load("paired_perm").compute(predictions1=[1], predictions2=[0], references=[1])
pairedperm.cmp
pairedperm.hf.cmp
"""


@pytest.mark.thorough
def test_document_types(tmp_path):
    """A user's mypy accepts the code, also what is shown only: each document is a module.

    It sees the rooms, and no other names: a module's __getattr__ would make any name right.
    """
    needs("mypy", "dev")
    (tmp_path / "use.py").write_text(USE, "utf-8")
    (tmp_path / "mypy.ini").write_text(TYPES, "utf-8")
    for path in DOCUMENTS:
        sources = [_without_prompts(block) for block in blocks(path, RUN, SHOWN)]
        names = [f"{name}: Any" for name in LEFT_TO_THE_READER]
        text = "\n".join(["from typing import Any", *names, *sources])
        (tmp_path / f"{path.stem}.py").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", f"--cache-dir={os.devnull}", "."],
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": os.pathsep.join(map(str, [CHECKOUT, EXAMPLES]))},
    )
    wrong = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert [line.partition(": ")[0] for line in wrong] == ["use.py:8", "use.py:9"], done.stdout
    assert all("has no attribute" in line for line in wrong)


def _without_prompts(block):
    examples = doctest.DocTestParser().get_examples(block)
    return "".join(x.source for x in examples) if examples else block


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(CHECKOUT).as_posix())
def test_links(path):
    """Each file, folder and heading that is linked to is there."""
    assert [x for x in links(path) if not _is_there(path, x)] == []


def links(path):
    children = [child for token in tokens(path) for child in token.children or []]
    found = [x.attrs.get("href", x.attrs.get("src")) for x in children if x.type in LINKED]
    found += re.findall(r'^<img src="([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)
    return [x for x in found if not x.startswith("http")]


def _is_there(path, link):
    name, _, anchor = link.partition("#")
    target = path.parent / name if name else path
    return target.exists() and (not anchor or anchor in _anchors(target))


def _anchors(path):
    """GitHub's names of the headings."""
    pairs = pairwise(tokens(path))
    headings = [text.content for token, text in pairs if token.type == "heading_open"]
    return [re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in headings]


def test_skill_is_one():
    """As agents want it: front matter with a name and what it is for, and not too long to read."""
    text = SKILL.read_text(encoding="utf-8")
    _, front, body = text.split("---\n", 2)
    said = yaml.safe_load(front)
    assert said.keys() == {"name", "description", "license"}
    assert re.fullmatch("[a-z-]{1,64}", said["name"])
    assert len(said["description"]) <= 1024
    assert text.count("\n") <= 120
    named = {line.split()[2] for line in body.splitlines() if line.startswith(COMMAND)}
    assert {*cli.commands} - named - {"bootstrap", "register"} == set()


def test_readme_leads_to_every_guide():
    readme = CHECKOUT / "README.md"
    linked = {(CHECKOUT / link).resolve() for link in links(readme)}
    assert [x.name for x in GUIDES if x.resolve() not in linked and x.stem != "index"] == []


@pytest.mark.parametrize("module", ["paired_perm", "paired_bootstrap"])
def test_card_code(registered, module):
    found = blocks(CHECKOUT / "metrics" / module / "README.md", "python")
    test = doctest.DocTestParser().get_doctest("".join(found), {}, "card", None, 0)
    assert len(test.examples) >= 8
    assert doctest.DocTestRunner().run(test).failed == 0


def test_contributors_find_what_is_named():
    text = (CHECKOUT / ".github" / "CONTRIBUTING.md").read_text("utf-8")
    named = re.findall(r"`(?:python )?([a-z_./]+/(?:[a-z_]+\.[a-z]+)?)[ `]", text)
    assert len(named) > 30
    there = [CHECKOUT, CHECKOUT / "pairedperm"]
    assert [x for x in named if not any((folder / x).exists() for folder in there)] == []
    files = [path for name in ("pairedperm", "tests") for path in (CHECKOUT / name).rglob("*.py")]
    names = {path.name for path in files}
    assert [x for x in re.findall(r"`([a-z_]+\.py)`", text) if x not in names] == []
    code = {word for path in files for word in re.findall(r"\w+", path.read_text("utf-8"))}
    assert {*re.findall(r"`([A-Za-z_]{4,})(?:\(\))?`", text)} - code == set()


def example(name, tmp_path, *arguments, **variables):
    """What it prints, in an empty folder of its own."""
    done = done_in(tmp_path, name, *arguments, HF_HOME=str(tmp_path / "home"), **variables)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.thorough
def test_quickstart(tmp_path):
    """It prints what is shown, of the card too, which a second run leaves as it is."""
    card = tmp_path / "README.md"
    card.write_text("# linearsvc\n", encoding="utf-8")
    printed = example("quickstart", tmp_path, str(card))
    numbers, _, _ = printed.partition("\nThe model card:")
    assert numbers == blocks(CHECKOUT / "README.md", "")[1]
    assert max(map(len, printed.splitlines())) <= 80
    once = card.read_text(encoding="utf-8")
    (shown,) = blocks(EXAMPLES / "guide" / "hugging_face.md", "markdown")
    assert once == shown
    example("quickstart", tmp_path, str(card))
    assert card.read_text(encoding="utf-8") == once


@pytest.mark.thorough
def test_pipelines_example(tmp_path):
    needs("transformers", "transformers")
    printed = example("pipelines", tmp_path, PYTHONPATH=str(CHECKOUT))
    said = " ".join(printed.split())
    result = re.search(r"(\S+)% against (\S+)%\. .*? gives p = (\S+) ", said)
    score1, score2, pvalue = map(float, result.groups())
    assert score1 > score2
    assert pvalue < 0.05
