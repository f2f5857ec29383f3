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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a", "--format", "art"), "Missing argument 'B'. Try 'pairedperm compare --help'."),
        (("a", "--format", "conll"), "Missing argument 'B'. Try 'pairedperm compare --help'."),
        (("a", "b", "--format", "paired_perm_test"), "a file of paired-perm-test holds both syst"),
        (
            ("art1", "art3", "--format", "art"),
            "A and B are paired line by line, but art1 has 2 lines of 1 nu",
        ),
        (("art1", "none", "--format", "art"), "B: none cannot be read: No such file or directory."),
        (
            ("none", "--format", "paired_perm_test"),
            "A: none cannot be read: No such file or direct",
        ),
        (
            ("art1", "art2", "--format", "art", "--metric", "f_1"),
            "`--metric` must be the aggregator of art for 1, 2 or 4 columns: average, ",
        ),
        (
            ("wide", "wide", "--format", "art"),
            "`--metric` must be the aggregator of art for 1, 2 or",
        ),
    ],
)
def test_files_of_scorers_that_are_refused(here, refused_in_words, arguments, message):
    for name, text in (
        ("art1", "1\n2\n"),
        ("art2", "2\n2\n"),
        ("art3", "1\n"),
        ("wide", "1 2 3\n"),
    ):
        (here / name).write_text(text, "utf-8")
    assert refused_in_words("compare", *arguments).startswith(message)


@pytest.mark.parametrize(
    ("kind", "command"),
    [("art", "compare"), ("conll", "bootstrap"), ("paired_perm_test", "compare")],
)
@pytest.mark.parametrize(
    "flags",
    [
        ("--task", "x"),
        ("--references", "right.jsonl"),
        ("--on-missing", "drop"),
        ("--repeats",),
        ("--confidence-level", "0.9"),
        ("--option", "average=macro"),
        ("--lower-is-better",),
        ("--id", "key"),
        ("--prediction", "answer"),
        ("--reference", "gold"),
        ("--score", "acc"),
        ("--group", "doc"),
    ],
    ids=" ".join,
)
def test_options_of_logs_are_not_for_files_of_scorers(refused, kind, command, flags):
    """Nor are they left aside."""
    said = refused(command, "a", "b", "--format", kind, *flags)
    assert said == (
        f"{flags[0]} is not for --format {kind}: leave it out. Try 'pairedperm {command} --help'."
    )


def test_what_is_the_default_of_logs_is_no_option(here, said):
    (here / "art1").write_text("1\n2\n", "utf-8")
    arguments = ("compare", "art1", "art1", "--format", "art", "--on-missing", "error")
    assert "p = 1" in said(*arguments)
