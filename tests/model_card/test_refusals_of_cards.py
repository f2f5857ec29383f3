"""What `update` refuses, and then writes nothing: cards, their metadata, files of .eval_results."""

from pathlib import Path

from corpora.cards import PROSE, RESULT, untouched, write
from pairedperm.model_card import END, START, significance_section
from refusals import asks, refusal, refuses

HERE, LONG = Path(), "x" * 5000


def updating(card=PROSE, result=RESULT, **options):
    return untouched(write(HERE, card), result, **options)


def twice():
    """A card with the same comparison twice."""
    section = significance_section(RESULT)
    at = section.index("<!-- paired_perm:comparison")
    return section.replace(END, section[at:])


def folder_of(name):
    (HERE / name).mkdir()
    return HERE / name


@refuses
def test_refusals():
    # Files
    untouched(HERE / "no" / "README.md")
    # -> there is no card at 'no … `path` … must be a README.md, or a folder with one. Make one
    untouched(folder_of("README.md").parent)
    # -> there is no card at 'READ … `path`
    untouched(None, folder=HERE)
    # -> `path` … None (NoneType), cannot be read
    untouched("a\0b", folder=HERE)
    # -> `path` … 'a\x00b', cannot be read
    untouched("\ud800", folder=HERE)
    # -> `path` … '\ud800'
    updating("# Größe".encode("latin-1"))
    # -> README.md' is not UTF-8 (invalid … at byte 4): save it as UTF-8
    updating(f"# A\n\n{twice()}\n")
    # -> the card has '<!-- paired_perm:comparison … twice: delete one of the two
    # What else is given
    updating(key=3)
    # -> `key` must be a name, as text, or None, got 3 (int)
    updating(dataset="\ud800")
    # -> `dataset` holds characters that UTF-8 has not, '\ud800'


test_refusals_in_rows = asks(
    # Markers
    refusal(
        lambda: updating(f"a\n{START}\n{END}\n{START}\n{END}\n"),
        *("", f"one section between {START} and {END}, or none, got {START} in line 2"),
        *("in line 3", f"{END} in line 5. Delete all but one pair, also in code, and move all"),
    ),
    refusal(
        lambda: updating("---\na: 1\n---\n" + f"{START}\r\n{END}\n" * 50),
        *("", f"{START} in line 4, {END} in line 5", "and 95 more. Delete all but"),
    ),
)
