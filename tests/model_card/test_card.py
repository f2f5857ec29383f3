"""The card: every byte that stays as it is, whatever is done with it."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from corpora.cards import PROSE, RESULT, write
from corpora.small import COLUMNS
from pairedperm import InputError, compare
from pairedperm.model_card import END, START, significance_section, update, with_comparisons
from properties import cases, one_in

OTHER = compare(**COLUMNS, alternative="greater")
ONE, TWO = (f'<!-- paired_perm:comparison "{key}" -->' for key in "kl")


def with_section(card, text="text"):
    """The card with one comparison of the key "k"."""
    return with_comparisons(card, {'"k"': text})


CARDS = {
    "prose": PROSE,
    "empty": "",
    "spaces at the end": "# A model\n   ",
    "yaml": f"---\nlicense: mit  # ours\ntags: ['a', \"b\"]\n---\n{PROSE}",
    "byte order mark": f"\ufeff---\nlicense: mit\n---\n{PROSE}",
    "our markers in yaml": f"---\nx: |\n  a\nz: '\n{START}\n\n  '\n---\n{PROSE}",
    "comment with markers": f"# A\n\n<!-- a\n```\n-->\n\n{START}\nold\n{END}\n",
    "preformatted": f"<pre>\n{START}\n\n{START}\n</pre>\n",
    "indented": f"{PROSE}\n    {START}\n",
    "foreign markers": f"{PROSE}<!-- other:start -->\nx\n<!-- other:end -->\n<!-- paired_perm -->",
    "unicode": "# 🤗 模型\u2028é\x0b\n",
    "section": f"{PROSE}\n{START}\nold\n{END}\n\nMore\n",
    "section first": f"{START}\n{END}",
    "section after a mark": f"\ufeff{START}\nold\n{END}\n",
}


@one_in(5)
@pytest.mark.parametrize("name", CARDS)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_other_byte_stays(name, newline, tmp_path):
    """Written, twice, replaced by another result, and back."""
    if newline == "\r" and "---" in CARDS[name]:
        newline = "\n"  # the Hub takes no other in YAML
    content = CARDS[name].replace("\n", newline).encode()
    path = write(tmp_path, content)
    assert update(path, RESULT, name1="large") == path
    once = path.read_bytes()
    text = newline if newline.encode() in content else "\n"
    block = significance_section(RESULT, name1="large").replace("\n", text).encode()
    assert once.count(block) == 1
    before, after = once.split(block)
    if "\nold\n" in CARDS[name] or CARDS[name].startswith(START):
        assert content.startswith(before)
        assert content.endswith(after)
    else:
        gap = before.removeprefix(content)
        assert before == content + gap
        assert gap in (b"", text.encode(), 2 * text.encode())
        assert after == text.encode()
    changed = path.stat().st_mtime_ns
    update(path, RESULT, name1="large")
    assert path.read_bytes() == once
    assert path.stat().st_mtime_ns == changed  # not even written
    update(path, OTHER, name1="small")
    assert path.read_bytes().split(END.encode())[-1] == once.split(END.encode())[-1]
    update(path, RESULT, name1="large")
    assert path.read_bytes() == once
    assert list(tmp_path.iterdir()) == [path]


def test_a_pair_in_code_beside_the_section():
    """Nothing tells which one is meant."""
    code = f"```\n{START}\n{END}\n```\n"
    with pytest.raises(InputError, match="Delete all but one pair, also in code, and move all"):
        with_section(code + with_section("text"))


@pytest.mark.parametrize("first", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", ["", "\n", "\r\n", "\r", "\n\n", "\r\n\r\n", "\r\r", "\n \r\n"])
def test_a_blank_line_is_above_the_section(first, last):
    """Whatever the line breaks; CR LF is one, also where the LF is ours."""
    once = with_section(f"# A{first}text{last}")
    assert once.startswith(f"# A{first}text{last}")
    above = once.partition(START)[0].replace("\r\n", "\n").replace("\r", "\n").replace(" ", "")
    assert above == "#A\ntext\n\n"


# Any card

FRAGMENTS = [
    *("text", "", "- a", "  b", "1. x", "   y", "2. z", "10. w", "> q", ">", "# h", "---", "==="),
    *("    code", "-", "*     c", "- - d", "\tx", "<!-- c -->", "-->", "</div>"),
]


@cases(2)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=8))
def test_the_section_is_rendered(lines):
    """As a heading, not as code; what is around it is rendered as before."""
    markdown = MarkdownIt("commonmark")
    card = "\n".join(lines) + "\n"
    html = markdown.render(with_section(card))
    section = f"{START}\n<h2>Statistical significance</h2>\n{ONE}\n<p>text</p>\n{END}\n"
    assert html.count(section) == 1
    assert "".join(html.replace(section, "").split()) == "".join(markdown.render(card).split())


BLOCKS = ["text", "", "```", "- ```", "- a", "  - b", "1. x", "> q", "<div>", "</div>", "<pre>"]
BLOCKS += ["<!-- c", "-->", "***", "===", "[a]: b", "| a |", "    text", "- <div>", "a\u2028"]
PREFIXES = ["", "  ", "   ", "    ", "\t", "- ", "> "]
LINES = st.sampled_from(BLOCKS) | st.builds(
    str.__add__, st.sampled_from(PREFIXES), st.sampled_from([START, END, ONE, TWO])
)
BREAKS = st.sampled_from(["\n", "\r\n", "\r"])
CARD = st.lists(st.tuples(LINES, BREAKS), max_size=14).map(lambda x: "".join(map("".join, x)))


@given(CARD, st.none() | st.tuples(CARD, CARD), st.sampled_from(PREFIXES), BREAKS)
def test_any_card(before, section, indent, newline):
    """What is written is read back, and nothing around it changes."""
    inside, after = section or ("", "")
    card = f"{before}{indent}{START}{newline}{inside}{indent}{END}{newline}{after}"
    card = card if section else before
    new = "New.\n\n| t |"
    try:
        once = with_section(card, new)
    except InputError:
        assert START in card
        return
    assert with_section(once, new) == once
    both = with_comparisons(once, {'"z"': "Third."})
    assert with_section(both, new) == both
    assert with_comparisons(both, {'"z"': "4th."}) == both.replace("Third.", "4th.")
    if START not in card:
        assert once.startswith(card)
    elif once.count(START) == card.count(START) == card.count(END) == 1:  # and not text
        assert once.startswith(card.partition(START)[0])
        assert once.endswith(card.rpartition(END)[2])
        lines = re.split(r"\r\n|\r|\n", inside)
        if ONE not in inside and TWO in lines and {*lines} <= {TWO, "text", "", "***"}:
            assert once.count(TWO) == card.count(TWO)


@pytest.mark.parametrize(
    "card",
    [
        " " * 40_000 + f"x\n{START}\n{END}\n",
        f"{START}\n\n<!-- paired_perm:comparison{' ' * 40_000}x\n\n{END}\n",
        "".join(f"{START}\n<!-- paired_perm:comparison {k} -->\n" for k in range(5_000)) + END,
        f"{START}\n" * 5000,
    ],
)
def test_long_cards(card):
    """They take linear time: these took minutes."""
    start = time.perf_counter()
    once = with_section(card)
    assert with_section(once) == once
    assert time.perf_counter() - start < 60.0
