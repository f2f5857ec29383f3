"""A section that was pasted into a card by hand is what `update` brings up to date."""

import pytest

from corpora.cards import PROSE, RESULT, refused, unmarked, write
from corpora.small import COLUMNS
from extras import needs
from pairedperm import compare, examples_needed
from pairedperm.model_card import significance_section, update
from pairedperm.model_card.markdown import END

needs("markdown_it", "card")
NAMES = {"name1": "large", "name2": "small", "dataset": "C #"}
OLD = unmarked(RESULT, **NAMES).replace("pairedperm 0", "pairedperm -1")
OTHER = compare(**COLUMNS, alternative="greater")
SPLITS = {"dev": RESULT, "test": OTHER}
PLANNED = unmarked(RESULT, **NAMES, planned=examples_needed((0.2, 0.1)))
HEADING, TITLE = OLD.split("\n\n")[:2]
TAIL = "\nMore.\n\n## Other\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("result", "pasted"),
    [
        (RESULT, significance_section(RESULT, **NAMES)),
        (OTHER, significance_section(RESULT, **NAMES)),
        (RESULT, OLD),
        (RESULT, OLD.replace(TITLE, f"#{TITLE}")),
        (OTHER, OLD),
        (RESULT, PLANNED),
        (SPLITS, significance_section(SPLITS, **NAMES)),
        (SPLITS, unmarked(SPLITS, **NAMES)),
    ],
)
@pytest.mark.parametrize("tail", ["", TAIL])
def test_pasted_then_updated(result, pasted, tail, newline, tmp_path):
    def lines(section):
        return f"{PROSE}\n{section}\n{tail}".replace("\n", newline)

    path = write(tmp_path, lines(pasted))
    for _ in range(2):
        update(path, result, **NAMES)
        assert path.read_bytes().decode() == lines(significance_section(result, **NAMES))


@pytest.mark.parametrize(
    ("card", "line"),
    [
        (OLD.replace(HEADING, f"{HEADING}\n\nOur words."), 5),
        (OLD.replace("##", "#", 1), 3),
        (OLD.replace("Null hypothesis: ", "Null: "), 3),
        (OLD.replace("\n\n|", "\n\nOur words.\n\n|"), 3),
        (OLD.replace("Null hypothesis: ", "- Ours\n\nNull hypothesis: "), 3),
        (f"{OLD}\n\n{OLD}", 3),
        (f"{OLD}\n\n{OLD.replace('small', 'tiny').removeprefix(HEADING)}", 3),
        (f"{PLANNED}\n\n{OLD.replace('small', 'tiny').removeprefix(HEADING)}", 3),
        (f"{significance_section(RESULT, name2='tiny')}\n\n{OLD}", 29),
        (f"# A\n\n{TITLE}\n", 3),
        (OLD.replace("##", "###"), 3),
        (OLD.replace("##", "#"), 3),
        (OLD.replace(HEADING, f"{HEADING[3:]}\n---").replace(TITLE, f"{TITLE[4:]}\n---"), 4),
        (
            f"{OLD}\n\n{OLD.replace('small', 'tiny').removeprefix(HEADING).replace('###', '####')}",
            3,
        ),
    ],
)
def test_what_cannot_be_told_from_other_words(card, line, tmp_path):
    """It would stand there twice."""
    path = write(tmp_path, card)
    message = f"^line {line} of the card begins this comparison outside <!-- paired_perm:start --> "
    refused(path, message, **NAMES)


def test_two_sections_that_were_pasted(tmp_path):
    """The message tells how to make them one."""
    one, other = (significance_section(RESULT, name2=name) for name in ("small", "tiny"))
    path = write(tmp_path, f"{one}\n\n{other}\n")
    message = (
        "Delete all but one pair, and move all comparisons into it, each from its line <!-- pai"
    )
    refused(path, message, name2="small")
    comparison = other[other.index("<!-- paired_perm:comparison ") : other.index(END)]
    path.write_text(f"{one.removesuffix(END)}{comparison}{END}\n", "utf-8")
    update(path, RESULT, name2="tiny")
    assert path.read_text("utf-8") == f"{one.removesuffix(END)}{comparison}{END}\n"


@pytest.mark.parametrize(
    "card",
    [
        f"```\n{OLD}\n```\n",
        OLD.replace("small", "tiny"),
        f"{HEADING}\n\nOur words.\n",
        f"{OLD.replace('small', 'tiny')}\n\n## Against all odds\n",
        f"> {TITLE}\n",
        f"{TITLE} of last year\n",
    ],
)
def test_what_is_another_section(card, tmp_path):
    path = write(tmp_path, card)
    update(path, RESULT, **NAMES)
    assert (
        path.read_text("utf-8") == f"{card.rstrip()}\n\n{significance_section(RESULT, **NAMES)}\n"
    )


def test_a_key_of_its_own(tmp_path):
    """Then the same title may be of another comparison."""
    path = write(tmp_path, OLD)
    update(path, OTHER, **NAMES, key="one-sided")
    assert path.read_text("utf-8").startswith(f"{OLD}\n\n<!-- paired_perm:start -->\n")
