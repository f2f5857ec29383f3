"""Files of scorers: art, CoNLL, and paired-perm-test."""

import pytest

from corpora.score_files import paths
from pairedperm import paired_bootstrap_test, paired_permutation_test
from pairedperm.readers import read_conll
from pairedperm.scoring.aggregators import enum_sum_div_by_denom_sum, f_1, paired_perm_test_f1


def test_conll(found, said):
    one, two = paths("muc")
    expected = paired_permutation_test(*read_conll(one, two), score=f_1)
    out = found("compare", one, two, "--format", "conll")
    assert out.items() >= expected.to_dict().items()
    assert out["stat"] == expected.statistic
    assert "difference: " in said("bootstrap", one, two, "--format", "conll", "--seed", "3")


@pytest.mark.parametrize(
    ("rows1", "rows2", "score", "flags"),
    [
        ([[2], [1], [0], [3]], [[1], [1], [0], [1]], None, ()),
        ([[2], [1], [0], [3]], [[1], [1], [0], [1]], None, ("--metric", "average")),
        ([[2, 3], [1, 1], [3, 4]], [[1, 3], [1, 2], [1, 4]], enum_sum_div_by_denom_sum, ()),
        ([[2, 3, 2, 4], [1, 1, 1, 2]], [[1, 3, 1, 2], [1, 2, 1, 3]], f_1, ("--metric", "f_1")),
    ],
    ids=["average", "named", "ratio", "f_1"],
)
def test_art(here, found, rows1, rows2, score, flags):
    for k, rows in enumerate((rows1, rows2), 1):
        text = "".join(f"{' '.join(map(str, row))}\n" for row in rows)
        (here / f"art{k}").write_text(text, "utf-8")
    columns = [[x[0] for x in rows] if score is None else rows for rows in (rows1, rows2)]
    expected = paired_permutation_test(*columns, score=score)
    arguments = ("art1", "art2", "--format", "art", *flags)
    assert found("compare", *arguments)["p"] == expected.pvalue
    boot = paired_bootstrap_test(*columns, score=score, rng=0)
    assert found("bootstrap", *arguments)["p"] == boot.pvalue


@pytest.mark.parametrize(
    ("text", "columns", "score"),
    [
        ("a,b\n1,0\n1,1\n0,0\n1,0\n", ([1, 1, 0, 1], [0, 1, 0, 0]), None),
        (
            "1,0,0,1\n1,1,1,2\n0,0,1,1\n",
            ([[1, 0], [1, 1], [0, 0]], [[0, 1], [1, 2], [1, 1]]),
            paired_perm_test_f1,
        ),
    ],
    ids=["accuracy", "f1"],
)
def test_paired_perm_test(here, found, said, text, columns, score):
    """A file holds both systems."""
    (here / "both.csv").write_text(text, "utf-8")
    arguments = ("compare", "both.csv", "--format", "paired_perm_test")
    assert found(*arguments)["p"] == paired_permutation_test(*columns, score=score).pvalue
    out = said(*arguments, "--name1", "large", "--name2", "small", "--dataset", "dev")
    assert out.startswith("large against small\n")
    assert "On dev, the mean score of large " in out


def test_what_is_the_default_of_logs_is_no_option(here, said):
    (here / "art1").write_text("1\n2\n", "utf-8")
    arguments = ("compare", "art1", "art1", "--format", "art", "--on-missing", "error")
    assert "p = 1" in said(*arguments)
