"""The row of a card that names the published table by its SHA-256."""

import pytest

from corpora.cards import PROSE, RESULT, unmarked, write
from extras import needs
from pairedperm import equivalence_test, publish
from pairedperm.model_card import update

SUM = publish(RESULT)["sha256"]
ROW = f"| SHA-256 of the table of counts | {SUM} |"


@pytest.mark.parametrize(
    "result",
    [RESULT, RESULT.to_dict(), equivalence_test(RESULT, margin=0.9, alpha=0.1)],
    ids=lambda x: type(x).__name__,
)
def test_the_row(result):
    """It is the table's last, and all else is as it was."""
    plain = unmarked(result)
    assert "SHA-256" not in plain
    section = unmarked(result, sha256=SUM)
    assert section.count(ROW) == 1
    assert section.replace(f"\n{ROW}", "") == plain
    before, after = section.split(f"\n{ROW}\n")
    assert before.splitlines()[-1].startswith("| version | pairedperm ")
    assert after.startswith("\nNull hypothesis: ")


def test_capitals():
    assert unmarked(RESULT, sha256=SUM.upper()) == unmarked(RESULT, sha256=SUM)


def test_update_twice(tmp_path):
    """It changes nothing; without the sum the row goes."""
    needs("markdown_it", "card")
    path = write(tmp_path, PROSE)
    update(path, RESULT, sha256=SUM)
    first = path.read_bytes()
    assert f"\n{ROW}\n" in first.decode()
    assert first.startswith(PROSE.encode())
    update(path, RESULT, sha256=SUM)
    assert path.read_bytes() == first
    update(path, RESULT, sha256="0" * 64)
    assert SUM not in path.read_text("utf-8")
    update(path, RESULT)
    assert "SHA-256" not in path.read_text("utf-8")
    update(path, RESULT, sha256=SUM)
    assert path.read_bytes() == first


def test_of_one_split():
    assert ROW in unmarked({"test": RESULT}, sha256=SUM)
