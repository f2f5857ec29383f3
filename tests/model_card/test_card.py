"""The card: every byte that stays as it is."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from corpora.cards import PROSE, RESULT, write
from corpora.small import COLUMNS
from pairedperm import InputError, compare
from pairedperm.model_card import significance_section, update
from pairedperm.model_card.markdown import END, START, with_comparisons
from properties import cases

OTHER = compare(**COLUMNS, alternative="greater")


def with_section(card, text):
    """The card with one comparison of the key "k", under no heading."""
    return with_comparisons(card, "## A", {'"k"': text})


def block_of(*lines):
    return [START, "", "## A", "", '<!-- paired_perm:comparison "k" -->', "", *lines, "", END]


CARDS = {
    "prose": PROSE,
    "empty": "",
    "no newline at the end": "# A model",
    "blank line at the end": "# A model\n\n",
    "spaces at the end": "# A model\n   ",
    "yaml": f"---\nlicense: mit  # ours\ntags: ['a', \"b\"]\n---\n{PROSE}",
    "yaml only": "---\nlicense: mit\n---",
    "empty yaml": f"---\n\n---\n{PROSE}",
    "byte order mark": f"\ufeff---\nlicense: mit\n---\n{PROSE}",
    "our markers in yaml": f"---\nx: |\n  a\nz: '\n{START}\n\n  '\n---\n{PROSE}",
    "fence in yaml": f"---\nx: |\n  ```\n---\n{PROSE}",
    "rulers": f"{PROSE}\n---\n\nMore\n\n---\n",
    "tildes": f"{PROSE}\n~~~ ```\n{START}\n```\n{START}\n~~~~~\nEnd\n",
    "long fence": f"{PROSE}\n`````\n```\n{START}\n```\n`````\nEnd\n",
    "code in a list": f"- a\n  ```\n  {START}\n  ```\n- b\n",
    "code that begins a list item": f"{PROSE}\n- ```bash\n  pip install x\n  ```\n\nThe end.\n",
    "code in a numbered list": (
        f"1. a\n   - ~~~\n     {START}\n     ~~~\n\n2. ```\n   {START}\n   ```\n"
    ),
    "code that ends with its list": "- step\n  ```bash\n  pip install x\n\nThe end.\n",
    "code in a quote": f"> ```\n> {START}\n> ```\n\n> ```\n> a\nEnd\n",
    "code with a tab": f"```\n\t```\n{START}\n```\nEnd\n",
    "byte order mark alone": "\ufeff# A\n",
    "comment with code": "# A\n\n<!--\n```\nx\n-->\n\ntext\n",
    "comment with markers": f"# A\n\n<!-- a\n```\n-->\n\n{START}\nold\n{END}\n",
    "html with code": "<div>\n```\n</div>\n\ntext\n",
    "details with code": f"<details>\n<summary>x</summary>\n\n```\n{START}\n```\n\n</details>\n",
    "preformatted": f"<pre>\n{START}\n\n{START}\n</pre>\n",
    "search": "<search>\n```\n</search>\n\ntext\n",
    "empty item": "-\n  ~~~\n  code\n",
    "underlined": "text\n-\n  ```\n  x\n  ```\n",
    "unclosed in a list": "1. a\n\n   ```sh\n   pip install x\n",
    "unclosed in a quote": "> a\n> ```sh\n> pip install x\n",
    "inline code": f"{PROSE}\n``` not a `fence`\n\nand `{START}` in a line\n",
    "indented": f"{PROSE}\n    {START}\n",
    "foreign markers": f"{PROSE}<!-- other:start -->\nx\n<!-- other:end -->\n<!-- paired_perm -->",
    "unicode": "# 🤗 模型\u2028é\x0b\n",
    "section": f"{PROSE}\n{START}\nold\n{END}\n\nMore\n",
    "section with spaces": f"{PROSE}\n{START}  \nold\n{END}\t\nMore",
    "section first": f"{START}\n{END}",
    "section after a mark": f"\ufeff{START}\nold\n{END}\n",
}


def alternating():
    """Each card with either end of lines; the quick suite has it with one of them."""
    for number, name in enumerate(CARDS):
        for is_other, newline in enumerate(("\n", "\r\n")):
            marks = [pytest.mark.thorough] if (number + is_other) % 2 else []
            yield pytest.param(name, newline, id=f"{name}-{'LC'[is_other]}", marks=marks)


@pytest.mark.parametrize(("name", "newline"), [*alternating()])
def test_every_other_byte_stays(name, newline, tmp_path):
    card = CARDS[name]
    content = card.replace("\n", newline).encode()
    path = write(tmp_path, content)
    assert update(path, RESULT, name1="large") == path
    once = path.read_bytes()
    section = significance_section(RESULT, name1="large")
    text = newline if newline.encode() in content else "\n"
    block = section.replace("\n", text).encode()
    assert once.count(block) == 1
    before, after = once.split(block)
    if "\nold\n" in card or card.startswith(START):
        assert content.startswith(before)
        assert content.endswith(after)
    else:
        assert before.removesuffix(text.encode()).removesuffix(text.encode()) in (
            content,
            content.removesuffix(text.encode()),
            content.removesuffix(2 * text.encode()),
        )
        assert before.startswith(content)
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


def test_a_section_in_a_list_item():
    """It was moved there, and stays there."""
    card = f"- a\n\n  {START}\n  old\n  {END}\n\n- b\n"
    once = with_section(card, "text")
    lines = "\n".join(line and f"  {line}" for line in block_of("text"))
    assert once == f"- a\n\n{lines}\n\n- b\n"
    assert with_section(once, "text") == once
    assert with_section(once, "new") == once.replace("text", "new")
    deep = f"1.  a\n\n    {START}\n    {END}\n"
    lines = "\n".join(line and f"    {line}" for line in block_of("b"))
    assert with_section(deep, "b") == f"1.  a\n\n{lines}\n"


def test_a_section_in_html():
    """Up to a blank line it is HTML, of which our markers are a part."""
    card = f"<div>\n{START}\n\nold\n\n{END}\n</div>\n"
    once = with_section(card, "new")
    assert once == card.replace("\n".join([START, "", "old", "", END]), "\n".join(block_of("new")))
    assert with_section(once, "new") == once


@pytest.mark.thorough
@pytest.mark.parametrize(
    "card", [f"{START}\n" * 5000, f"{' ' * 9_000}\n" * 50, f"{START} x" * 5000]
)
def test_long_cards(card):
    """Time grows with the card, not with its square, which would be minutes."""
    start = time.perf_counter()
    once = with_section(card, "text")
    assert time.perf_counter() - start < 60.0
    assert once.startswith(card)
    assert with_section(once, "text") == once


def test_without_its_other_a_marker_is_text():
    """Also in code, where a card may show one."""
    for lone in (
        f"```\n{START}\n```",
        END,
        f"{END}\n{START}",
        f"> {START}\n> {END}",
        f"{START}{END}",
    ):
        once = with_section(f"{lone}\n", "text")
        assert once.startswith(f"{lone}\n\n{START}\n")
        assert with_section(once, "text") == once


def test_a_pair_in_code_beside_the_section():
    """Nothing tells which one is meant."""
    code = f"```\n{START}\n{END}\n```\n"
    once = with_section("text", "text")
    with pytest.raises(InputError, match="Delete all but one pair, also in code, and move all"):
        with_section(f"{code}{once}", "text")


def test_the_old_line_ends_of_a_mac(tmp_path):
    path = write(tmp_path, b"# A\r\rText.\r")
    update(path, RESULT)
    once = path.read_bytes()
    assert once.startswith(b"# A\r\rText.\r\r" + START.encode() + b"\r\r## Stat")
    assert b"\n" not in once
    update(path, RESULT)
    assert path.read_bytes() == once


def test_the_section_may_be_moved(tmp_path):
    path = write(tmp_path, f"# A\n\n{START}\n{END}\n\n# B\n")
    update(path, RESULT)
    assert path.read_text("utf-8") == f"# A\n\n{significance_section(RESULT)}\n\n# B\n"


FRAGMENTS = [
    *("text", "", "- a", "  b", "1. x", "   y", "2. z", "10. w", "> q", ">", "# h", "---", "==="),
    *("    code", "-", "*     c", "- - d", "\tx", "<!-- c -->", "-->", "</div>"),
]


@cases(2.5)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=8))
def test_the_section_is_rendered(lines):
    """As a heading, not as code; what is around it is rendered as before."""
    markdown = MarkdownIt("commonmark")
    card = "\n".join(lines) + "\n"
    html = markdown.render(with_section(card, "text"))
    comment = '<!-- paired_perm:comparison "k" -->'
    section = f"{START}\n<h2>A</h2>\n{comment}\n<p>text</p>\n{END}\n"
    assert html.count(section) == 1
    assert "".join(html.replace(section, "").split()) == "".join(markdown.render(card).split())


LINES = ["text", "", START, END, "```", "~~~", "   ```", "    ```", "````", "> ```", "---", "a: 1"]


@given(st.lists(st.sampled_from(LINES)), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_any_card(lines, newline, ends):
    card = newline.join(lines) + newline * ends
    try:
        once = with_section(card, "section\nof two lines")
    except InputError:
        assert START in lines or END in lines
        return
    assert with_section(once, "section\nof two lines") == once
    block = newline.join(block_of("section", "of two lines"))
    if newline not in card:
        block = block.replace(newline, "\n")
    assert once.count(block) == 1
    before, after = once.split(block)
    if re.sub(r"[\r\n]", "", before + after) != "".join(lines):  # it was there before
        old = card.removeprefix(before).removesuffix(after)
        assert before + old + after == card
        assert old.startswith(START)
        assert old.endswith(END)
