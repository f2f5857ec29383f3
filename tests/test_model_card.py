"""The card: what is written, and every byte that is not."""

import math
import os
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small import COLUMNS, EXPECTED

import pairedperm
from pairedperm import InputError, compare, paired_permutation_test
from pairedperm.model_card import card as card_module
from pairedperm.model_card import significance_section, update
from pairedperm.model_card.markers import END, START, with_section

RESULT = compare(**COLUMNS)
OTHER = compare(**COLUMNS, alternative="greater")


def sentence(result, **names):
    return significance_section(result, **names).split("\n")[2]


def rows(result, **names):
    return dict(
        re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", significance_section(result, **names), re.M)
    )


# The section


def test_section_in_full():
    assert significance_section(RESULT, name1="large", name2="small", dataset="dev") == (
        "## Statistical significance\n\n"
        "On dev, the accuracy of large is higher than that of small (83.33% against 33.33%, a "
        "difference of 50.00 percentage points; exact two-sided paired-permutation test, n = 6, "
        "p = 0.25).\n\n"
        "| | |\n|:--|:--|\n"
        "| accuracy of large | 83.33% |\n"
        "| accuracy of small | 33.33% |\n"
        "| difference | 50.00 percentage points |\n"
        "| p | 0.25 |\n"
        "| n | 6 |\n"
        "| n scored differently | 3 |\n"
        "| method | exact two-sided paired-permutation test |\n"
        f"| version | pairedperm {pairedperm.__version__} |\n\n"
        "Null hypothesis: on each example the two systems' outputs are exchangeable. p is the "
        "probability, over all 2ⁿ ways of swapping them, of a difference at least as large, in "
        "either direction; ties count."
    )


def test_results_and_their_dicts():
    assert significance_section(EXPECTED) == significance_section(RESULT)
    assert sentence(RESULT).startswith("The accuracy of this model is higher than that of the base")


def test_p_has_three_digits():
    """P = 0.0127; p = 6.3e-188; where p underflows its logarithm stands beside it."""
    for wins, p in ((3, "0.25"), (11, "0.000977"), (624, "2.87e-188"), (2000, "1.74e-602")):
        result = compare([1] * wins, [0] * wins, [1] * wins)
        assert f"p = {p})." in sentence(result)
        assert rows(result)["p"] == p
        assert rows(result).get("log p (natural)") == {2000: "-1385.6"}.get(wins)
    assert sentence({**EXPECTED, "p": 0.01267, "log_p": math.log(0.01267)}).endswith("p = 0.0127).")
    assert sentence({**EXPECTED, "p": 6.3e-188, "log_p": math.log(6.3e-188)}).endswith(
        "= 6.3e-188)."
    )


@pytest.mark.parametrize(
    ("alternative", "test", "direction"),
    [
        ("two-sided", "two-sided", "as large, in either direction; ties count."),
        ("greater", "one-sided (greater)", "as large in the first system's favour; ties count."),
        ("less", "one-sided (less)", "as large in the second system's favour; ties count."),
    ],
)
def test_alternatives(alternative, test, direction):
    result = compare(**COLUMNS, alternative=alternative)
    assert f"; exact {test} paired-permutation test, n = 6, " in sentence(result)
    assert significance_section(result).endswith(direction)


def test_orders():
    swapped = compare(COLUMNS["predictions2"], COLUMNS["predictions1"], COLUMNS["references"])
    assert "is lower than that of the baseline (33.33% against 83.33%, a diff" in sentence(swapped)
    assert "difference of 50.00 percentage points" in sentence(swapped)
    assert rows(swapped)["difference"] == "-50.00 percentage points"
    same = compare([1, 0], [1, 0], [1, 1])
    assert "is the same as that of the baseline (50.00%; exact two-sided" in sentence(same)
    assert (rows(same)["difference"], rows(same)["p"]) == ("0.00 percentage points", "1")


def test_close_scores_do_not_look_the_same():
    n = 300_000
    result = compare([1] * n, [0, *[1] * (n - 1)], [1] * n)
    assert "(100.00000% against 99.99967%, a difference of 0.00033 percentage" in sentence(result)


def test_metrics():
    assert "the exact match of" in sentence(compare(**COLUMNS, metric="exact_match")).lower()
    result = paired_permutation_test([7, 9, 4.5, 10, 8], [6, 9, 5, 7, 7])
    assert "(7.70 against 6.80, a difference of 0.90; exact" in sentence(result)
    result = paired_permutation_test([10**12 + 1, 1], [10**12, 2])
    assert "same as that of the baseline (500,000,000,001.00; exact" in sentence(result)
    result = paired_permutation_test([1234567, 1], [1000000, 1])
    assert "(617,284.00 against 500,000.50, a difference of 117,283.50; exact" in sentence(result)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("org/model_name-v2.1", "org/model_name-v2.1"),
        ("_private_ *x* `code`", r"\_private\_ \*x\* \`code\`"),
        ("a|b [c](d) ~e~ $f$", r"a\|b \[c\](d) \~e\~ \$f\$"),
        ("<b>x</b> & &lt;", "&lt;b>x&lt;/b> &amp; &amp;lt;"),
        ("two\nlines\u2028of\ttext ", "two lines of text"),
        (END, "&lt;!-- paired_perm:end -->"),
        ("back\\slash", r"back\\slash"),
    ],
)
def test_names_are_no_markup(name, shown):
    section = significance_section(RESULT, name1=name, name2=f"the {name}", dataset=name)
    assert section.split("\n")[2].startswith(
        f"On {shown}, the accuracy of {shown} is higher than that of the {shown} ("
    )
    assert f"\n| accuracy of {shown} | 83.33% |\n" in section
    assert len(section.split("\n")) == len(significance_section(RESULT).split("\n"))


@pytest.mark.parametrize(
    ("results", "shown"),
    [
        (([1.44] * 4, [13.9] * 4), "(1.44 against 13.90, a difference of 12.46;"),
        (([-0.3] * 4, [50] * 4), "(-0.30 against 50.00, a difference of 50.30;"),
        (([-1e-9, 1e-9], [50, 50]), "(0.00 against 50.00, a difference of 50.00;"),
        (
            ([3e-9] * 4, [1e-9] * 4),
            "(0.0000000030 against 0.0000000010, a difference of 0.00000000",
        ),
        (([3e-17] * 3, [0] * 3), "(3e-17 against 0, a difference of 3e-17;"),
        (([1234567.5] * 2, [1234567.5] * 2), "(1,234,567.50;"),
        (([0, 0], [0, 0]), "(0.00;"),
    ],
)
def test_digits_of_scores(results, shown):
    assert shown in sentence(paired_permutation_test(*results))


def test_names_that_do_not_tell_the_systems_apart():
    for names in ({"name1": "ours", "name2": " ours"}, {"name2": "this model"}):
        with pytest.raises(InputError, match=r"`name1` and `name2` are both '.*': name the two"):
            significance_section(RESULT, **names)
    with pytest.raises(InputError, match="`dataset` holds characters that UTF-8 has not"):
        significance_section(RESULT, dataset="\ud800")


def test_other_metrics_and_methods_are_no_markup():
    found = {**EXPECTED, "metric": "a|b\nc_d", "method": "monte_carlo", "n": 6.0}
    section = significance_section(found)
    assert "| a\\|b c d of this model | 83.33% |" in section
    assert "; monte carlo two-sided paired-permutation test, n = 6, p = 0.25)." in section


@pytest.mark.parametrize("argument", ["name1", "name2", "dataset"])
@pytest.mark.parametrize("wrong", [3, "", "  ", ["a"]])
def test_no_names(argument, wrong, tmp_path):
    with pytest.raises(InputError, match=f"`{argument}` must be a name, as text, or None, got"):
        significance_section(RESULT, **{argument: wrong})


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (None, r"`result` must be a PairedPermutationResult, or what .* got None"),
        ({"test": RESULT}, r"without 'stat'\. Pass one of these results, such as result\['test'\]"),
        ({"a_stat": 1.0}, r"without 'stat'\. Pass one result of the comb.* 'a_' in"),
        ({**EXPECTED, "p": None}, r"`result`\['p'\] cannot be None"),
        ({**EXPECTED, "stat": math.nan}, r"`result`\['stat'\] cannot be nan"),
        ({**EXPECTED, "p": 1.5}, r"`result`\['p'\] cannot be 1.5"),
        ({**EXPECTED, "log_p": 0.5}, r"`result`\['log_p'\] cannot be 0.5"),
        ({**EXPECTED, "n": 4.5}, r"`result`\['n'\] cannot be 4.5"),
        ({**EXPECTED, "n": True}, r"`result`\['n'\] cannot be True"),
        ({**EXPECTED, "score1": 1e308}, r"`result`\['score1'\] cannot be 1e\+308"),
        ({**EXPECTED, "metric": 3}, r"`result`\['metric'\] must be a name, got 3"),
        ({**EXPECTED, "method": None}, r"`result`\['method'\] must be a name, got None"),
        ({**EXPECTED, "alternative": ["greater"]}, r"`result`\['alternative'\] must be one of"),
        ({**EXPECTED, "alternative": "both"}, r"`result`\['alternative'\] must be one of 'two-sid"),
    ],
)
def test_no_result(wrong, message, tmp_path):
    with pytest.raises(InputError, match=message):
        significance_section(wrong)
    with pytest.raises(InputError, match=message):
        update(write(tmp_path, "# A"), wrong)
    assert (tmp_path / "README.md").read_text() == "# A"


# The card


def write(folder, text):
    path = folder / "README.md"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def outside(content):
    """Before and after the section."""
    start, end = content.index(START.encode()), content.index(END.encode()) + len(END)
    return content[:start], content[end:]


PROSE = "# A model\n\nText.\n"
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
    "code": f"{PROSE}\n```md\n{START}\n# heading\n{END}\n{END}\n```\nEnd\n",
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
    "byte order mark and code": f"\ufeff```\n{START}\n{END}\n```\n",
    "inline code": f"{PROSE}\n``` not a `fence`\n\nand `{START}` in a line\n",
    "indented": f"{PROSE}\n    {START}\n",
    "foreign markers": f"{PROSE}<!-- other:start -->\nx\n<!-- other:end -->\n<!-- paired_perm -->",
    "unicode": "# 🤗 模型\u2028é\x0b\n",
    "section": f"{PROSE}\n{START}\nold\n{END}\n\nMore\n",
    "section with spaces": f"{PROSE}\n{START}  \nold\n{END}\t\nMore",
    "section first": f"{START}\n{END}",
    "section after a mark": f"\ufeff{START}\nold\n{END}\n",
    "section indented": f"{PROSE}\n  {START}\nold\n   {END}\n",
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
def test_every_other_byte_stays(card, newline, tmp_path):
    content = card.replace("\n", newline).encode()
    path = write(tmp_path, content)
    assert update(path, RESULT, name1="large") == path
    once = path.read_bytes()
    section = significance_section(RESULT, name1="large")
    text = newline if newline.encode() in content else "\n"
    assert section.replace("\n", text).encode() in once
    block = f"{START}\n\n{section}\n\n{END}".replace("\n", text).encode()
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


def test_the_old_line_ends_of_a_mac(tmp_path):
    path = write(tmp_path, b"# A\r\rText.\r")
    update(path, RESULT)
    once = path.read_bytes()
    assert once.startswith(b"# A\r\rText.\r\r" + START.encode() + b"\r\r## Stat")
    assert b"\n" not in once
    update(path, RESULT)
    assert path.read_bytes() == once


def test_unclosed_code_comes_last(tmp_path):
    """It would swallow the section."""
    path = write(tmp_path, f"{PROSE}\n```python\nx = 1\n{START}\n")
    update(path, RESULT)
    once = path.read_text()
    assert once.startswith(f"{PROSE}\n{START}\n\n## Stat")
    assert once.endswith(f"{END}\n\n```python\nx = 1\n{START}\n")
    update(path, RESULT)
    assert path.read_text() == once


def test_the_section_may_be_moved(tmp_path):
    path = write(tmp_path, f"# A\n\n{START}\n{END}\n\n# B\n")
    update(path, RESULT)
    section = significance_section(RESULT)
    assert path.read_text() == f"# A\n\n{START}\n\n{section}\n\n{END}\n\n# B\n"


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
    block = newline.join([START, "", "section", "of two lines", "", END])
    if newline not in card:
        block = block.replace(newline, "\n")
    assert once.count(block) == 1
    before, after = once.split(block)
    if re.sub(r"[\r\n]", "", before + after) != "".join(lines):  # it was there before
        old = card.removeprefix(before).removesuffix(after)
        assert before + old + after == card
        assert old.startswith(START)
        assert old.endswith(END)


def test_folder_link_and_mode(tmp_path):
    target = tmp_path / "blobs"
    target.mkdir()
    path = write(target, PROSE)
    path.chmod(0o640)
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "README.md").symlink_to(path)
    assert update(str(folder), RESULT) == folder / "README.md"
    assert (folder / "README.md").is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert START in path.read_text()


# Cards that cannot be used: nothing is written


def refused(path, message, **options):
    before = path.read_bytes() if path.is_file() else None
    there = sorted(path.parent.rglob("*")) if path.parent.is_dir() else None
    with pytest.raises(InputError, match=message):
        update(path, RESULT, **options)
    if path.is_file():
        assert path.read_bytes() == before
    if there is not None:
        assert sorted(path.parent.rglob("*")) == there


@pytest.mark.parametrize(
    ("card", "message"),
    [
        (f"a\n{START}\n{END}\n{START}\n{END}\n", "one section .* in line 2, .* line 3, .* line 5"),
        (f"{START}\n", f"there is {START} in line 1. Delete all but one pair"),
        (f"---\na: 1\n---\n\n{END}\n", f"there is {END} in line 5"),
        (f"{END}\n{START}\n", f"{END} in line 1, {START} in line 2"),
        (f"{START}\n{START}\n{END}\n", "one section"),
        (f"a\n\n{START}{END}\n", "line 3 of the card must hold one marker and nothing else, got"),
        ("---\na: &a [*a]\n---\n", "the YAML of the card cannot be read"),
        ("---\na: !!bool foo\n---\n", "the YAML of the card cannot be read"),
        ("---\na: b: c\n---\n", "the YAML of the card cannot be read, line 1: mapping values are"),
        ("---\na: [1\n---\n", r"the YAML of the card cannot be read, line \d: "),
        ("---\na: !!python/object/apply:numpy.float64 [1]\n---\n", "cannot be read, line 1: could"),
        ("---\n- a\n- b\n---\n", r"the YAML of the card must be a mapping, got \['a', 'b'\]"),
        ("# Größe".encode("latin-1"), r"is not UTF-8 \(invalid .* at byte 4\): save it as UTF-8"),
        ("# Größe".encode("utf-16"), r"is not UTF-8 \(invalid start byte at byte 0\)"),
    ],
)
def test_unreadable_cards(card, message, tmp_path):
    refused(write(tmp_path, card), message)


def test_no_card(tmp_path):
    for path in (tmp_path, tmp_path / "card.md", tmp_path / "no" / "README.md"):
        refused(path, r"there is no card at .*: `path` must be a README.md, or a folder with one")
    (tmp_path / "README.md").mkdir()
    refused(tmp_path / "README.md", "there is no card at")


@pytest.mark.parametrize("path", [None, 5, "a\0b"])
def test_no_path(path):
    with pytest.raises(InputError, match=r"`path`, .*, cannot be read"):
        update(path, RESULT)


def test_a_card_that_cannot_be_opened(tmp_path, monkeypatch):
    path = write(tmp_path, PROSE)

    def fail(*_):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(type(path), "read_bytes", fail)
        with pytest.raises(InputError, match=r"`path`, .*, cannot be read: .* Permission denied"):
            update(path, RESULT)


def test_a_read_only_card(tmp_path, monkeypatch):
    path = write(tmp_path, PROSE)
    monkeypatch.setattr(os, "access", lambda *_: False)
    refused(path, "README.md' cannot be written: .* is read-only")


def test_a_disk_that_is_full(tmp_path, monkeypatch):
    path = write(tmp_path, PROSE)

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    refused(path, "README.md' cannot be written: disk full. Nothing was changed")


def test_nothing_of_two_files_if_one_cannot_be_written(tmp_path, monkeypatch):
    """The entry's folder is checked before the card is written."""
    path = write(tmp_path, PROSE)
    (tmp_path / ".eval_results").write_text("no folder")
    refused(
        path, "cannot be written", eval_results={"dataset_id": "a/b", "task_id": "c", "value": 1}
    )


def test_only_what_differs_is_written(tmp_path, monkeypatch):
    path = write(tmp_path, PROSE)
    update(path, RESULT)
    monkeypatch.setattr(card_module, "write_whole", None)
    assert update(path, RESULT) == path
