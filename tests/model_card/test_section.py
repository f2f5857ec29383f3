"""The section of a card: of a dict as of its result, and no name is markup.

What it says is in `words.txt`.
"""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from corpora.cards import PROSE, RESULT, unmarked, write
from corpora.results import result
from corpora.small import COLUMNS, EXPECTED
from model_card.said import MARGIN, WINS
from pairedperm import compare
from pairedperm.model_card import read_result, update

INTERVAL = {"confidence_level": 0.9}
SAMPLED = {"method": "monte_carlo", "n_resamples": 99, "rng": 1}
ASKED = (
    {"alternative": "greater", "groups": [1, 1, 2, 2, 3, 3]},
    {"metric": "f1", "average": "macro", **INTERVAL},
    {**SAMPLED, **INTERVAL},
    {"test": "bootstrap", "ties": "exclude"},
    {"test": "bootstrap", **SAMPLED},
)


@pytest.mark.parametrize(
    "found", [*(compare(**COLUMNS, **x) for x in ASKED), WINS, result("equivalence")]
)
def test_a_dict_says_what_its_result_says(found):
    stored = json.loads(json.dumps(found.to_dict()))
    assert unmarked(stored | {"before": stored}) == unmarked(found)
    assert str(read_result(stored)) == str(found)


def test_p_and_its_logarithm():
    """A card says significant by the one, and prints the other."""
    assert unmarked(EXPECTED | {"p": 0.2501}) == unmarked(EXPECTED)
    assert "e-435" in unmarked(EXPECTED | {"p": 0.0, "log_p": -1000.0})
    for p, shown in ((0.01267, "0.0127"), (6.3e-188, "6.3e-188")):
        assert f" gives p = {shown} (n = 6" in unmarked(EXPECTED | {"p": p, "log_p": math.log(p)})


def test_statements_follow_from_the_numbers():
    """Whoever edits them in a file does not change what a card says."""
    edited = MARGIN | {"better": True, "worse": True, "equivalent": False}
    assert unmarked(edited) == unmarked(MARGIN)


@pytest.mark.parametrize("dataset", ["C #", "C##", "#", "# C"])
def test_titles_end_with_the_whole_name(dataset):
    """A heading in Markdown may close with signs that are not shown."""
    title = MarkdownIt().parse(unmarked(RESULT, dataset=dataset))[4]
    shown = "".join(x.content for x in title.children)
    assert shown == f"Against the baseline: accuracy on {dataset}"


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
    update(path, RESULT, **options)
    assert path.read_text("utf-8") == text
    tokens = MarkdownIt("commonmark").parse(text)
    assert [x.type for x in tokens if x.type == "html_block"] == ["html_block"] * 4
    assert sum(x.type == "heading_open" for x in tokens) == 4  # one is of the prose
    kinds = {child.type for x in tokens for child in x.children or []}
    assert kinds <= {"text", "softbreak", "text_special", "entity"}
