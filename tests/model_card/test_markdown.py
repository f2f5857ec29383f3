"""The section in Markdown of any kind: lists, quotes, code, HTML and all line breaks."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairedperm import InputError
from pairedperm.model_card.markdown import END, START, with_comparisons

FIRST, SECOND = (f'<!-- paired_perm:comparison "{key}" -->' for key in "kl")
NEW = {'"k"': "New.\n\n| t |"}
BLOCKS = ["text", "", "```", "- ```", "- a", "  - b", "1. x", "> q", "<div>", "</div>", "<pre>"]
BLOCKS += ["<!-- c", "-->", "***", "===", "[a]: b", "| a |", "    text", "- <div>", "a\u2028"]
MARKERS = [START, END, FIRST, SECOND]
PREFIXES = ["", "  ", "   ", "    ", "\t", "- ", "> "]
LINES = st.sampled_from(BLOCKS) | st.builds(
    str.__add__, st.sampled_from(PREFIXES), st.sampled_from(MARKERS)
)
BREAKS = st.sampled_from(["\n", "\r\n", "\r"])
CARDS = st.lists(st.tuples(LINES, BREAKS), max_size=14).map(
    lambda lines: "".join(map("".join, lines))
)


def ends(card):
    """What is before the first marker of the section's start, and after the last one of its end."""
    return card.partition(START)[0], card.rpartition(END)[2]


@given(CARDS, CARDS, CARDS, st.sampled_from(PREFIXES), BREAKS)
def test_any_markdown(before, inside, after, indent, newline):
    """What is written is read back, and nothing around it changes."""
    card = f"{before}{indent}{START}{newline}{inside}{indent}{END}{newline}{after}"
    try:
        once = with_comparisons(card, "## H", NEW)
    except InputError:
        return
    assert with_comparisons(once, "## H", NEW) == once
    both = with_comparisons(once, "## H", {'"z"': "Third."})
    assert with_comparisons(both, "## H", NEW) == both
    assert with_comparisons(both, "## H", {'"z"': "4th."}) == both.replace("Third.", "4th.")
    is_section = once.count(START) == 1  # not in code or in a comment, where a new one is added
    if is_section and card.count(START) == card.count(END) == 1:
        start, end = ends(card)
        assert once.startswith(start)
        assert once.endswith(end)
        lines = re.split(r"\r\n|\r|\n", inside)
        if FIRST not in inside and SECOND in lines and {*lines} <= {SECOND, "text", "", "***"}:
            assert once.count(SECOND) == card.count(SECOND)


@pytest.mark.parametrize("first", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", ["", "\n", "\r\n", "\r", "\n\n", "\r\n\r\n", "\r\r", "\n \r\n"])
def test_a_blank_line_is_above_the_section(first, last):
    """Whatever the line breaks; CR LF is one, also where the LF is ours."""
    once = with_comparisons(f"# A{first}text{last}", "## H", NEW)
    assert once.startswith(f"# A{first}text{last}")
    above = once.partition(START)[0].replace("\r\n", "\n").replace("\r", "\n").replace(" ", "")
    assert above == "#A\ntext\n\n"


@pytest.mark.parametrize("mark", ["> ", "- "])
def test_comparisons_in_quotes_and_lists_are_text(mark):
    section = f"{START}\n\n{FIRST}\n\nOld.\n\n{END}\n"
    card = f"{section}\n{mark}{SECOND}\n"
    assert with_comparisons(card, "## H", NEW).endswith(f"{END}\n\n{mark}{SECOND}\n")
    card = section.replace(FIRST, f"{mark}{SECOND}\n\n{FIRST}")
    assert with_comparisons(card, "## H", NEW) == card.replace("Old.", NEW['"k"'])


@pytest.mark.parametrize(
    "card",
    [
        " " * 40_000 + f"x\n{START}\n{END}\n",
        f"{START}\n\n<!-- paired_perm:comparison{' ' * 40_000}x\n\n{END}\n",
        "".join(f"{START}\n<!-- paired_perm:comparison {k} -->\n" for k in range(5_000)) + END,
    ],
)
def test_long_cards(card):
    """They take linear time: these took minutes."""
    once = with_comparisons(card, "## H", NEW)
    assert with_comparisons(once, "## H", NEW) == once


def test_many_sections():
    """The message finds the lines of the first five markers in linear time."""
    card = f"a\r\n{START}\r\n{END}\n" * 5_000
    with pytest.raises(InputError) as caught:
        with_comparisons(card, "## H", NEW, start=3)
    for line in (2, 3, 5, 6, 8):
        assert f"in line {line}" in str(caught.value)
    assert " and 9,995 more" in str(caught.value)
