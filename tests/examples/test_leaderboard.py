"""The example of leaderboards: real systems, whose pairs are those of `compare`."""

import json
from itertools import pairwise

import pytest

from extras import needs
from pairedperm import compare, compare_many
from scripts import done_in, loaded


@pytest.fixture(scope="module")
def leaderboard():
    return loaded("leaderboard")


@pytest.fixture(scope="module")
def digits(leaderboard):
    needs("sklearn", "test")
    return leaderboard.digits()


@pytest.fixture(scope="module")
def taggers(leaderboard):
    return leaderboard.taggers()


def check(board, systems, references, k):
    """One pair is that of `compare`, and exact."""
    pair = board.pairs[k]
    found = compare(systems[pair["system1"]], systems[pair["system2"]], references)
    assert (pair["interval"], pair["method"]) == ("certified", found.method)
    assert pair["p"] == pytest.approx(found.pvalue, rel=1e-12)
    assert pair["p_adjusted"] >= pair["p"]
    assert (pair["score1"], pair["score2"]) == pytest.approx((found.score1, found.score2))


def rows(markdown):
    """The cells of each row of a table, without the header."""
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.thorough
def test_digits(digits):
    systems, labels = digits
    assert len(systems) >= 6
    board = compare_many(systems, labels, "accuracy")
    assert len(board.pairs) == len(systems) * (len(systems) - 1) // 2
    tiers = [*board.tiers.values()]
    assert tiers[0] == 1
    assert tiers[-1] > 1  # a tree is far behind
    assert [row[0] for row in rows(board.to_markdown())] == [*board.systems]
    assert max(map(len, str(board).splitlines())) <= 80
    for k in (0, 7, -1):
        check(board, systems, labels, k)


def test_all_taggers_are_there(leaderboard, taggers):
    tags, references = taggers
    first = json.loads(leaderboard.DATA.read_text(encoding="utf-8").partition("\n")[0])
    assert {*tags, "id", "references"} == {*first}
    assert leaderboard.BASELINE in tags
    assert {len(column) for column in (*tags.values(), references)} == {2_077}


@pytest.mark.thorough
def test_taggers(taggers):
    tags, references = taggers
    board = compare_many(tags, references)
    assert board.systems == ("linearsvc", "logreg", "mostfreq")
    assert [*board.tiers.values()] == [1, 2, 3]
    assert [row[0] for row in rows(board.to_markdown())] == [*board.systems]
    assert board.pairs[0]["p"] == pytest.approx(0.012672678821569866, rel=1e-12)
    assert board.pairs[0]["n"] == 2_077  # sentences, not tokens
    check(board, tags, references, 0)


@pytest.mark.thorough
def test_taggers_against_a_baseline(leaderboard, taggers):
    tags, references = taggers
    board = compare_many(tags, references, baseline=leaderboard.BASELINE)
    assert {pair["system2"] for pair in board.pairs} == {"mostfreq"}
    assert [row[2] == "baseline" for row in rows(board.to_markdown())] == [False, False, True]
    check(board, tags, references, 0)


@pytest.mark.thorough
def test_prints_its_leaderboards(tmp_path):
    needs("sklearn", "test")
    done = done_in(tmp_path, "leaderboard")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    titles = [title for title, rule in pairwise(lines) if rule[:3] == "==="]
    assert titles == ["Classifiers of digits", "Taggers, every pair", "Taggers against mostfreq"]
    assert lines.count("| system | score | tier | letters |") == 2
