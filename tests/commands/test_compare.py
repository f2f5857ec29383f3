"""`pairedperm compare` and `pairedperm bootstrap`: one comparison, several, cards, scorers."""

import json
import re
from pathlib import Path

import pytest

from corpora.score_files import paths
from extras import needs
from interpreter import CHECKOUT
from pairedperm import compare, paired_bootstrap_test, paired_permutation_test
from pairedperm.readers import read_conll, read_runs
from pairedperm.scoring.aggregators import enum_sum_div_by_denom_sum, f_1, paired_perm_test_f1
from properties import one_in

RUNS = CHECKOUT / "examples" / "ci_gate"
REAL = ("compare", RUNS / "candidate", RUNS / "baseline")
TEXTS = ("compare", "text1.jsonl", "text2.jsonl")
TWO = ("compare", "two1.jsonl", "two2.jsonl", "--score", "acc", "--score", "loss")


def answers(name):
    lines = Path(f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(x)["prediction"] for x in lines]


def references(name):
    lines = Path(f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(x)["reference"] for x in lines]


def test_one_metric(said):
    assert said(*REAL, "--metric", "acc") == (
        "scikit-learn/naive_bayes against scikit-learn/logistic_regression\n"
        "tumors: 240 examples matched by id\n"
        "mean acc: 0.900 against 0.912\n"
        "difference: -0.013\n"
        "95% interval: -0.045 to 0.017 (Tango score)\n"
        "p = 0.549: no significant difference at α = 0.05\n"
        "exact two-sided paired-permutation test, 11 of 240 examples differ\n"
        "\n"
        "On tumors, the mean acc of scikit-learn/naive_bayes does not differ\n"
        "significantly from that of scikit-learn/logistic_regression: 0.900 against\n"
        "0.912. The difference is -0.013 (95% confidence interval -0.045 to 0.017). The\n"
        "exact two-sided paired-permutation test gives p = 0.549 (n = 240, α = 0.05).\n"
    )


def test_several_metrics(said, found):
    """Their p-values are adjusted; 0.549 twice is more than 1."""
    out = said(*REAL)
    assert out.startswith("scikit-learn/naive_bayes against scikit-learn/logistic_regression\n")
    assert "tumors       acc  240     0.900     0.912      -0.013  0.549           1\n" in out
    assert out.endswith("\nSignificant: 0 of 2 (Holm, α = 0.05).\n")
    assert max(map(len, out.splitlines())) <= 80
    result = found(*REAL)
    assert [(x["task"], x["logged"]) for x in result["tests"]] == [
        ("tumors", "acc"),
        ("tumors", "acc_norm"),
    ]
    assert result["tests"][0]["p"] == 0.548828125
    assert result["matching"] == ["tumors: 240 examples matched by id"]


@pytest.mark.parametrize(
    ("correction", "adjusted", "n"),
    [("holm", 2 * 2**-9, 1), ("bonferroni", 2 * 2**-9, 1), ("none", 2**-9, 1), ("bh", 2**-8, 1)],
)
def test_corrections(logs, found, said, correction, adjusted, n):
    result = found(*TWO, "--correction", correction)
    assert result["tests"][1]["p_adjusted"] == adjusted
    assert result["correction"] == (None if correction == "none" else correction)
    assert f"Significant: {n} of 2" in said(*TWO, "--correction", correction)
    assert "Significant: 2 of 2" in said(*TWO, "--correction", correction, "--alpha", "0.2")


def test_names_and_markdown(logs, said):
    out = said(*TWO)
    assert out.startswith("two1 against two2\n10 examples matched by id\nloss: lower is better, by")
    assert "\n\nmetric   n  two1  two2" in out
    assert "system 1" not in out
    out = said(*TWO, "--markdown")
    assert out.startswith("| metric | n | two1 | two2 | difference | p | adjusted p |\n")
    assert "| loss | 10 | 0.55 | 0.65 | -0.10 | 0.00195 | 0.00391 |\n" in out
    assert "\n- 10 examples matched by id\n- loss: lower is better, by its name" in out
    named = ("--name1", "large", "--name2", "small", "--dataset", "dev")
    out = said(*TWO, "--metric", "acc", *named)
    assert out.startswith("large against small\n")
    assert (
        "On dev, the mean acc of large does not differ significantly from that of small:\n0.8"
        in out
    )
    out = said(*TWO, "--metric", "acc", *named, "--markdown")
    assert out.startswith(
        "<!-- paired_perm:start -->\n\n## Statistical significance\n\n"
        '<!-- paired_perm:comparison ["mean_score(of=\'acc\')", "dev", "small"] -->\n\n'
        "### Against small: mean acc on dev\n\nOn dev, the m"
    )
    assert out.endswith("\n- 10 examples matched by id\n")


def test_names_that_do_not_fit_a_table(write, said):
    """They are numbered, and said below it."""
    names = [f"a_system_with_a_long_name_{x}" for x in ("one", "two")]
    for k, name in enumerate(names):
        write(f"{name}.jsonl", acc=[1, 0, 1, k] * 5, loss=[0.25, k, 1.0, 0.5] * 5)
    pair = [f"{name}.jsonl" for name in names]
    arguments = ("compare", *pair, "--score", "acc", "--score", "loss")
    out = said(*arguments)
    assert out.startswith(f"{names[0]} against {names[1]}\n20 examples matched by id\n")
    assert "  system 1  system 2  difference" in out
    assert f"\n\nsystem 1: {names[0]}; system 2: {names[1]}\n\nSignificant: " in out
    assert "system 1" not in said(*arguments, "--markdown")


METRICS = [
    ("text", ("--metric", "accuracy"), ("accuracy", {})),
    ("text", (), ("accuracy", {})),
    ("text", ("--metric", "f1", "-o", "average=macro"), ("f1", {"average": "macro"})),
    ("text", ("--metric", "f1", "-o", "pos_label=a"), ("f1", {"pos_label": "a"})),
    ("text", ("--metric", "f1", "-o", " pos-label=b"), ("f1", {"pos_label": "b"})),
    ("int", ("--metric", "f1", "-o", "pos_label=1"), ("f1", {"pos_label": 1})),
    (
        "text",
        ("--metric", "f1", "-o", "average=micro", "-o", "labels=a,b"),
        ("f1", {"average": "micro", "labels": ["a", "b"]}),
    ),
    (
        "text",
        ("--metric", "f1", "-o", "average=micro", "-o", 'labels=["a", "b"]'),
        ("f1", {"average": "micro", "labels": ["a", "b"]}),
    ),
    (
        "int",
        ("--metric", "f1", "-o", "average=macro", "-o", "labels=1,2"),
        ("f1", {"average": "macro", "labels": [1, 2]}),
    ),
    (
        "int",
        ("--metric", "fbeta", "-o", "beta=0.5", "-o", "average=macro"),
        ("fbeta", {"beta": 0.5, "average": "macro"}),
    ),
    ("text", ("--metric", "squad_exact_match"), ("squad_exact_match", {})),
]


@one_in(3)
@pytest.mark.parametrize(("kind", "flags", "asked"), METRICS, ids=lambda x: " ".join(map(str, x)))
def test_metrics_of_predictions(logs, found, kind, flags, asked):
    metric, options = asked
    one, two = f"{kind}1", f"{kind}2"
    columns = answers(one), answers(two), references(one)
    expected = compare(*columns, metric, confidence_level=0.95, **options).to_dict()
    result = found("compare", f"{one}.jsonl", f"{two}.jsonl", *flags)
    assert {key: result[key] for key in expected} == expected


TEXT_LABELS = ["1", "2", "None", "true", "2,1", "True", "False"]


@pytest.mark.parametrize("text", ["1", "2,1", "true", "None", "True", "False"])
def test_labels_that_are_texts_stay_texts(write, found, text):
    """In JSON or Python they would be something else."""
    for k, column in enumerate((TEXT_LABELS, ["1"] * 7), 1):
        write(f"a{k}.jsonl", prediction=column, reference=TEXT_LABELS)
    arguments = ("compare", "a1.jsonl", "a2.jsonl", "--metric", "f1")
    out = found(*arguments, "-o", f"pos_label={text}")
    assert out["metric_options"]["pos_label"] == text


@pytest.mark.parametrize(("text", "label"), [("True", True), ("false", False), ("1", 1)])
def test_labels_that_are_no_texts_are_as_in_python(write, found, text, label):
    """Of truth values as of numbers: what the references are."""
    right = [True, False, True, True] * 4 if isinstance(label, bool) else [1, 0, 2, 1] * 4
    write("a1.jsonl", prediction=right[1:] + right[:1], reference=right)
    write("a2.jsonl", prediction=right, reference=right)
    arguments = ("compare", "a1.jsonl", "a2.jsonl", "--metric", "f1", "-o", f"pos_label={text}")
    assert found(*arguments)["metric_options"]["pos_label"] == label


def test_labels_of_sets(write, found):
    """They are of the type of what is in the sets."""
    right = [["1", "2"], ["2"], []] * 4
    write("a1.jsonl", prediction=[["1"], ["2"], ["1"]] * 4, reference=right)
    write("a2.jsonl", prediction=[["1"], ["1"], ["1"]] * 4, reference=right)
    flags = ("-o", "multilabel=true", "-o", "labels=1,2", "-o", "average=micro")
    out = found("compare", "a1.jsonl", "a2.jsonl", "--metric", "f1", *flags)
    assert out["metric_options"]["labels"] == ["1", "2"]
    assert out["n_wins"] == 4


def test_references_and_missing(logs, found, write, said, refused):
    """Of the ids that both have, or of none."""
    out = found("compare", "plain1.jsonl", "plain2.jsonl", "--references", "right.jsonl")
    assert out["p"] == found(*TEXTS)["p"]
    write("part.jsonl", id=[3, 4, 5], prediction=["a", "b", "a"], reference=["a", "b", "a"])
    message = "or leave these ids out, --on-missing drop."
    assert refused("compare", "text1.jsonl", "part.jsonl").endswith(message)
    out = said("compare", "text1.jsonl", "part.jsonl", "--on-missing", "drop")
    assert "3 examples matched by id\nleft out: 17 not in part.jsonl: 0, 1, 2, 6, 7" in out


def test_repeats(write, found):
    for name, scores in (("a", [1, 1, 0, 1]), ("b", [0, 1, 0, 0])):
        write(f"{name}.jsonl", id=[7, 7, 8, 8], score=scores)
    out = found("compare", "a.jsonl", "b.jsonl", "--repeats")
    expected = paired_permutation_test([1, 0.5], [0.5, 0])
    assert (out["n"], out["p"], out["score1"]) == (2, expected.pvalue, 0.75)


def test_columns(write, found):
    """Each has a name; groups are swapped together."""
    for k, right in enumerate(("aaaabb", "aabbbb"), 1):
        write(
            f"a{k}.jsonl", key=[*"uvwxyz"], answer=[*right], gold=["a"] * 6, doc=[1, 1, 2, 2, 3, 3]
        )
    flags = ("--id", "key", "--prediction", "answer", "--reference", "gold", "--group", "doc")
    out = found("compare", "a1.jsonl", "a2.jsonl", *flags)
    expected = compare([*"aaaabb"], [*"aabbbb"], ["a"] * 6, groups=[1, 1, 2, 2, 3, 3])
    assert (out["n_groups"], out["p"]) == (3, expected.pvalue)


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        (("--alternative", "greater"), {"alternative": "greater"}),
        (("--alternative", "less"), {"alternative": "less"}),
        (("--method", "enumeration"), {"method": "enumeration"}),
        (("--confidence-level", "0.9"), {"confidence_level": 0.9}),
        (
            ("--method", "monte_carlo", "--n-resamples", "99", "--seed", "3"),
            {"method": "monte_carlo", "n_resamples": 99, "rng": 3},
        ),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, tuple) else "",
)
def test_options_of_the_test(logs, found, flags, options):
    expected = read_runs("text1.jsonl", "text2.jsonl").compare(**options).to_dict()
    assert found(*TEXTS, *flags).items() >= expected.items()


@pytest.mark.parametrize("flags", [(), ("--method", "monte_carlo", "--n-resamples", "99")])
def test_bootstrap(logs, found, said, flags):
    right = references("text1")
    options = {"method": "monte_carlo", "n_resamples": 99, "rng": 0} if flags else {}
    expected = compare(answers("text1"), answers("text2"), right, test="bootstrap", **options)
    arguments = ("bootstrap", "text1.jsonl", "text2.jsonl", *flags)
    assert found(*arguments).items() >= expected.to_dict().items()
    assert "paired bootstrap test" in said(*arguments)


# Cards


def test_card(logs, here, said):
    """Twice changes nothing."""
    needs("markdown_it", "card")
    card = here / "README.md"
    card.write_text("# A model\n\nText.\n", "utf-8")
    out = said(*TEXTS, "--card", "README.md", "--name1", "large")
    first = card.read_text("utf-8")
    assert first.startswith("# A model\n\nText.\n\n<!-- paired_perm:start -->\n")
    assert "The accuracy of large is significantly higher than that of text2: " in first
    assert out.startswith("large against text2\n")
    said(*TEXTS, "--card", ".", "--name1", "large", "--json")
    assert card.read_text("utf-8") == first


def test_cards_that_are_refused(logs, here, refused_in_words):
    message = refused_in_words(*TWO, "--card", "README.md")
    assert message.startswith("--card takes one comparison: name a --metric and a --task. Try")
    assert refused_in_words(*TEXTS, "--card", "README.md").startswith(
        "there is no card at 'README.md'"
    )
    assert not (here / "README.md").exists()


# Files of scorers


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


# Refused


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Missing argument 'A'. Try 'pairedperm compare --help'."),
        (("text1.jsonl",), "Missing argument 'B'. Try 'pairedperm compare --help'."),
        (("a", "b", "c"), "Got unexpected extra argument (c). Try 'pairedperm compare --help'."),
        ((*TEXTS[1:], "--json", "--markdown"), "--json and --markdown: choose one. Try"),
        ((*TEXTS[1:], "-o", "average"), "-o average: write NAME=VALUE, where NAME is an option of"),
        (
            (*TEXTS[1:], "-o", "avrage=macro"),
            "-o avrage=macro: write NAME=VALUE, where NAME is an o",
        ),
        (
            (*TEXTS[1:], "-o", "=macro"),
            "-o =macro: write NAME=VALUE, where NAME is an option of a m",
        ),
        (
            (*TWO[1:], "--correction", "discrete"),
            "`--correction` 'discrete' is not for several met",
        ),
        (
            (*TWO[1:], "--correction", "x"),
            "Invalid value for '--correction': 'x' is not one of 'ho",
        ),
        ((*TEXTS[1:], "--method", "x"), "Invalid value for '--method': 'x' is not one of 'auto', "),
        ((*TEXTS[1:], "--alternative", "up"), "Invalid value for '--alternative': 'up' is not one"),
        ((*TEXTS[1:], "--n-resamples", "0"), "`--n-resamples` must be a positive integer, got 0"),
        (
            (*TEXTS[1:], "--confidence-level", "2"),
            "`--confidence-level` must be between 0 and 1, f",
        ),
        ((*TEXTS[1:], "--alpha", "2"), "`--alpha` must be between 0 and 1, got 2.0"),
        (("plain1.jsonl", "plain2.jsonl"), "`--references` is missing: the runs hold none, and me"),
        (
            ("old.jsonl", "text1.jsonl", "--on-missing", "x"),
            "Invalid value for '--on-missing': 'x'",
        ),
        (
            (RUNS / "worse", RUNS / "baseline", "--task", "x"),
            "`--task` must be one of those in A, ",
        ),
    ],
    ids=lambda x: x[:40] if isinstance(x, str) else "",
)
def test_refused(logs, refused_in_words, arguments, message):
    assert refused_in_words("compare", *arguments).startswith(message)


def test_a_near_option_is_named(logs, refused):
    assert " Did you mean average?" in refused(*TEXTS, "-o", "avrage=macro")
    assert "Did you mean" not in refused(*TEXTS, "-o", "qqq=macro")


def test_json_is_strict(logs, said):
    """An interval without an end has none in JSON."""
    out = said("compare", "one1.jsonl", "one2.jsonl", "--json")
    assert not re.search(r"NaN|Infinity", out)
    assert json.loads(out)["p"] == 1.0
