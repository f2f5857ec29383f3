"""Several comparisons in one card: each has a key, and updating one leaves the others."""

import re
from collections import Counter
from functools import cache

import numpy as np
import pytest
from datasets import Dataset, DatasetDict
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from corpora.cards import PROSE, RESULT, refused, unmarked, write
from corpora.small import COLUMNS
from pairedperm import (
    InputError,
    compare,
    paired_permutation_test,
    structured_permutation_test,
)
from pairedperm.hf import PipelineComparison, compare_dataset
from pairedperm.model_card import significance_section, update
from pairedperm.model_card.markdown import END, START, with_comparisons

OTHER = compare(**COLUMNS, alternative="greater")
IN_BUILTINS = compare(**COLUMNS, confidence_level=0.95).to_dict()
SPLITS = {"dev": RESULT, "test": OTHER}
COMMENT = re.compile(r"^<!-- paired_perm:comparison (.*) -->$", re.MULTILINE)


@cache
def splits():
    parts = {"validation": Dataset.from_dict(COLUMNS), "test": Dataset.from_dict(COLUMNS)}
    return DatasetDict(parts)


@cache
def of_splits():
    return compare_dataset(splits(), *COLUMNS)


def keys(path):
    return COMMENT.findall(path.read_text("utf-8"))


def parts(path):
    """What is before the comparisons, and each of them."""
    return re.split(
        "(?=^<!-- paired_perm:comparison |^<!-- paired_perm:end)",
        path.read_text("utf-8"),
        flags=re.M,
    )


def test_one_a_metric_dataset_and_baseline(tmp_path):
    path = write(tmp_path, PROSE)
    f1 = compare(**COLUMNS, metric="f1", average="macro")
    update(path, RESULT, name1="large", name2="small", dataset="dev")
    update(path, RESULT, name1="large", name2="small", dataset="test")
    update(path, RESULT, name1="large", name2="tiny", dataset="dev")
    update(path, f1, name1="large", name2="small", dataset="dev")
    assert keys(path) == [
        '["accuracy", "dev", "small"]',
        '["accuracy", "test", "small"]',
        '["accuracy", "dev", "tiny"]',
        '["f1(average=\'macro\')", "dev", "small"]',
    ]
    assert path.read_text("utf-8").count("## Statistical significance\n") == 1
    before = parts(path)
    update(path, OTHER, name1="large", name2="small", dataset="test")
    after = parts(path)
    assert [i for i, (x, y) in enumerate(zip(before, after, strict=True)) if x != y] == [2]
    assert "one-sided (greater)" in after[2]
    update(path, RESULT, name1="large", name2="small", dataset="test")
    assert parts(path) == before


def test_the_key_of_a_result_from_json(tmp_path):
    """JSON may have sorted the options."""
    path = write(tmp_path, PROSE)
    found = compare(**COLUMNS, metric="f1", labels=[1, 2], average="macro").to_dict()
    update(path, found)
    for options in (found["metric_options"], dict(reversed(found["metric_options"].items()))):
        update(path, found | {"metric_options": options})
    assert keys(path) == ['["f1(average=\'macro\', labels=[1, 2])", "", "the baseline"]']


def test_a_statistic_is_no_mean_score(tmp_path):
    """Neither has a metric."""
    path = write(tmp_path, PROSE)
    scores = [1, 2, 3], [0, 1, 5]
    update(path, paired_permutation_test(*scores))
    update(path, structured_permutation_test(*scores, np.square))
    assert keys(path) == ['[null, "", "the baseline"]', '["test statistic", "", "the baseline"]']


def test_a_key_of_ones_own(tmp_path):
    """Both tests of one comparison can stand in a card."""
    path = write(tmp_path, PROSE)
    update(path, RESULT, name2="small")
    update(path, compare(**COLUMNS, test="bootstrap"), name2="small", key=" the  bootstrap")
    assert keys(path) == ['["accuracy", "", "small"]', '"the bootstrap"']
    update(path, OTHER, name2="tiny", key="the bootstrap")
    assert "Against tiny" in path.read_text("utf-8")
    assert len(keys(path)) == 2


def test_splits(tmp_path):
    path = write(tmp_path, PROSE)
    update(path, of_splits(), name2="small", dataset="IMDb")
    assert keys(path) == [
        '["accuracy", "IMDb (validation)", "small"]',
        '["accuracy", "IMDb (test)", "small"]',
    ]
    assert "### Against small: accuracy on IMDb (test)\n\nOn IMDb (test), the" in path.read_text(
        "utf-8"
    )
    once = path.read_bytes()
    update(
        path,
        {"test": IN_BUILTINS},
        name2="small",
        dataset="IMDb",
    )
    assert path.read_bytes() == once
    path = write(tmp_path, PROSE)
    update(path, of_splits(), name2="small", key="run 3")
    assert keys(path) == ['["run 3", "validation"]', '["run 3", "test"]']
    assert "accuracy on the test split\n\nOn the test split, the accuracy" in path.read_text(
        "utf-8"
    )


def test_the_section_of_splits():
    section = unmarked(of_splits(), name2="small")
    assert section.count("## Statistical significance") == 1
    assert re.findall("^### .*", section, re.M) == [
        "### Against small: accuracy on the validation split",
        "### Against small: accuracy on the test split",
    ]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("result", "pasted"), [(RESULT, RESULT), (OTHER, RESULT), (SPLITS, SPLITS)]
)
@pytest.mark.parametrize("tail", ["", "\nMore.\n\n## Other\n"])
def test_pasted_then_updated(result, pasted, tail, newline, tmp_path):
    """A section that was pasted into a card by hand is what `update` brings up to date."""

    def lines(result):
        section = significance_section(result, name2="small", dataset="C #")
        return f"{PROSE}\n{section}\n{tail}".replace("\n", newline)

    path = write(tmp_path, lines(pasted))
    for _ in range(2):
        update(path, result, name2="small", dataset="C #")
        assert path.read_bytes().decode() == lines(result)


def test_two_sections_that_were_pasted(tmp_path):
    """The message tells how to make them one."""
    one, other = (significance_section(RESULT, name2=name) for name in ("small", "tiny"))
    path = write(tmp_path, f"{one}\n\n{other}\n")
    message = (
        "Delete all but one pair, also in code, and move all comparisons into it, each from its "
    )
    refused(path, message, name2="small")
    comparison = other[other.index("<!-- paired_perm:comparison ") : other.index(END)]
    path.write_text(f"{one.removesuffix(END)}{comparison}{END}\n", "utf-8")
    update(path, RESULT, name2="tiny")
    assert path.read_text("utf-8") == f"{one.removesuffix(END)}{comparison}{END}\n"


def test_a_section_without_markers_is_text(tmp_path):
    """A new one is added."""
    text = unmarked(RESULT, name2="small")
    path = write(tmp_path, text)
    update(path, RESULT, name2="small")
    assert path.read_text("utf-8") == f"{text}\n\n{significance_section(RESULT, name2='small')}\n"


def test_pipelines(tmp_path):
    path = write(tmp_path, PROSE)
    update(path, PipelineComparison(RESULT, splits()["test"]))
    expected = path.read_bytes()
    update(write(tmp_path, PROSE), RESULT)
    assert path.read_bytes() == expected
    update(path, {"test": PipelineComparison(RESULT, splits()["test"])})
    assert len(keys(path)) == 2


def test_splits_and_results_with_other_keys():
    """A split may have the name of a result's key, and a result may come with other results."""
    section = unmarked({"stat": IN_BUILTINS, "p": RESULT})
    assert "on the stat split" in section
    assert "on the p split" in section
    assert unmarked(IN_BUILTINS | {"before": IN_BUILTINS}) == unmarked(IN_BUILTINS)


def test_a_section_without_keys_is_replaced(tmp_path):
    """Its text with it."""
    path = write(
        tmp_path, f"# A\n\n{START}\n\n## Statistical significance\n\nOld.\n\n{END}\n\n# B\n"
    )
    update(path, RESULT)
    text = path.read_text("utf-8")
    assert "Old." not in text
    assert text.startswith(
        f"# A\n\n{START}\n\n## Statistical significance\n\n<!-- paired_perm:comp"
    )
    assert text.endswith(f"\n\n{END}\n\n# B\n")


def test_own_words_above_the_comparisons_stay(tmp_path):
    path = write(tmp_path, PROSE)
    update(path, RESULT)
    text = path.read_text("utf-8").replace("## Statistical significance\n", "# Tests\n\nOurs.\n")
    path.write_text(text, "utf-8")
    update(path, OTHER)
    assert "# Tests\n\nOurs.\n\n<!-- paired_perm:comparison" in path.read_text("utf-8")


def test_a_comparison_twice(tmp_path):
    path = write(tmp_path, PROSE)
    update(path, RESULT)
    update(path, RESULT, name2="small")
    text = path.read_text("utf-8")
    (_, block, _, end) = parts(path)
    path.write_text(text.replace(end, block + end), "utf-8")
    update(path, OTHER, name2="small")  # of another key; none is lost
    assert Counter(keys(path)).most_common(1)[0][1] == 2


NAMES = st.text(
    st.sampled_from("a -<>!`*|\\&#\"'[]\n\u2028\x85") | st.characters(exclude_categories=["Cs"]),
    min_size=1,
    max_size=12,
).filter(str.strip)


@pytest.mark.thorough
@given(NAMES, NAMES, NAMES | st.none())
def test_no_name_is_markup(tmp_path_factory, name, dataset, key):
    """Keys, titles and sentences carry names, and none ends a comment or begins another."""
    path = write(tmp_path_factory.mktemp("card"), PROSE)
    options = {"name2": f"x {name}", "dataset": dataset, "key": key}
    update(path, RESULT, **options)
    update(path, RESULT, name2="another baseline")
    text = path.read_text("utf-8")
    assert len(keys(path)) == 2
    update(path, RESULT, **options)
    assert path.read_text("utf-8") == text
    tokens = MarkdownIt("commonmark").parse(text)
    assert [x.type for x in tokens if x.type == "html_block"] == ["html_block"] * 4
    assert sum(x.type == "heading_open" for x in tokens) == 4  # one is of the prose
    kinds = {child.type for x in tokens for child in x.children or []}
    assert kinds <= {"text", "softbreak", "text_special", "entity"}


LINES = [
    "text",
    "",
    "```",
    '<!-- paired_perm:comparison "k" -->',
    '<!-- paired_perm:comparison "l" -->',
    "- a",
    "<div>",
]


@given(st.lists(st.sampled_from(LINES)), st.sampled_from(["\n", "\r\n"]))
def test_any_section(lines, newline):
    """What is before the first comparison and under other keys stays."""
    card = newline.join(["# A", "", START, *lines, "", END, "", "end"])
    try:
        once = with_comparisons(card, "## B", {'"k"': "new"})
    except InputError:
        assert lines.count(LINES[3]) > 1 or "```" in lines
        return
    assert with_comparisons(once, "## B", {'"k"': "new"}) == once
    if "```" in lines or "<div>" in lines:
        return
    others = [i for i, x in enumerate(lines) if x in LINES[3:5]]
    assert once.startswith("# A")
    assert once.endswith(newline.join([END, "", "end"]))
    assert once.count("new") == 1
    assert once.count(LINES[4]) == lines.count(LINES[4])
    if others:
        assert once.startswith(newline.join(["# A", "", START, *lines[: others[0]], ""]))
