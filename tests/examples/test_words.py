"""Sentences that people read are short: in README, guides and cards, also generated ones."""

import re
from pathlib import Path

import pytest
from huggingface_hub.repocard import REGEX_YAML_BLOCK
from markdown_it import MarkdownIt

from corpora.results import RESULTS, result
from pairedperm import (
    EquivalenceResult,
    PairedResult,
    examples_needed,
)
from pairedperm.model_card import significance_section
from properties import one_in

CHECKOUT = Path(__file__).parents[2]
GUIDES = (CHECKOUT / "examples" / "guide").glob("*.md")
CARDS = (CHECKOUT / "metrics").glob("*/README.md")
DOCUMENTS = [CHECKOUT / "README.md", *sorted(GUIDES), *sorted(CARDS)]
LONGEST = 30  # words
_SPOKEN = {"code_inline": "`code`", "softbreak": " ", "hardbreak": " "}
_MARKDOWN = MarkdownIt("commonmark").enable("table")
_END = re.compile(r"""(?<=[.?!])["”')*]*\s+(?=[^a-z]|p )""")


def sentences(text):
    """Those outside code and tables; a piece of code in a sentence is one word."""
    in_table = False
    for token in _MARKDOWN.parse(REGEX_YAML_BLOCK.sub("", text, count=1)):
        in_table = token.type == "table_open" or (in_table and token.type != "table_close")
        if token.type == "inline" and not in_table:
            parts = (_SPOKEN.get(x.type, x.content) for x in token.children)
            yield from _END.split("".join(parts))


def too_long(text):
    return [x for x in sentences(text) if len(x.split()) > LONGEST]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_documents(path):
    text = path.read_text("utf-8")
    assert sum(1 for _ in sentences(text)) >= 10
    assert too_long(text) == []


KINDS = PairedResult, EquivalenceResult


@one_in(5)
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("asked", RESULTS)
def test_sections(asked):
    found = result(asked)
    if isinstance(found, KINDS):
        named = {"name1": "large", "name2": "small", "dataset": "the English Web Treebank (test)"}
        section = significance_section(found, **named, planned=examples_needed((0.06, 0.03)))
        assert too_long(section) == []
        assert too_long(significance_section({"validation": found}, **named)) == []
        assert too_long(found.summary("large", "small", dataset=named["dataset"])) == []


def test_what_counts():
    words = " ".join(["word"] * 30)
    text = f"---\na: {words} b\n---\n# {words}\n\n{words} end. Next.\n\n```\n{words} b\n```\n"
    assert too_long(text) == [f"{words} end."]
    assert too_long(f"| a |\n|---|\n| {words} b |\n\n{words[:-5]} `some code`\n") == []
    assert too_long(f"- {words}\n- {words}\n\n{words} (i.e. so)") == [f"{words} (i.e. so)"]
