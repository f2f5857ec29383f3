"""The example of leaderboards: real systems."""

import json
from itertools import pairwise

import pytest

from extras import needs
from pairedperm import compare
from scripts import done_in, loaded


@pytest.fixture(scope="module")
def leaderboard():
    return loaded("leaderboard")


def test_taggers(leaderboard):
    """All that the data have are there; one pair has a p that is known."""
    tags, references = leaderboard.taggers()
    first = json.loads(leaderboard.DATA.read_text(encoding="utf-8").partition("\n")[0])
    assert {*tags, "id", "references"} == {*first}
    assert leaderboard.BASELINE in tags
    assert {len(column) for column in (*tags.values(), references)} == {2_077}
    result = compare(tags["linearsvc"], tags["logreg"], references)
    assert result.pvalue == pytest.approx(0.012672678821569866, rel=1e-12)
    assert result.n == 2_077  # sentences, not tokens


@pytest.mark.thorough
def test_prints_its_leaderboards(tmp_path):
    needs("sklearn", "test")
    done = done_in(tmp_path, "leaderboard")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    titles = [title for title, rule in pairwise(lines) if rule[:3] == "==="]
    assert titles == ["Classifiers of digits", "Taggers, every pair", "Taggers against mostfreq"]
