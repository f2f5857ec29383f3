"""`pairedperm compare` and `pairedperm bootstrap`: one comparison, several, cards."""

import json
import os
import random
import re

import pytest

from commands.columns import answers, references
from corpora.logs import lm_eval
from interpreter import CHECKOUT
from pairedperm import compare
from pairedperm.__main__ import main
from pairedperm.readers import read_runs

RUNS = CHECKOUT / "examples" / "ci_gate"
REAL = ("compare", RUNS / "candidate", RUNS / "baseline")
TEXTS = ("compare", "text1.jsonl", "text2.jsonl")
TWO = ("compare", "two1.jsonl", "two2.jsonl", "--score", "acc", "--score", "loss")


def test_one_metric(said):
    assert said(*REAL, "--metric", "acc") == (
        "scikit-learn/naive_bayes against scikit-learn/logistic_regression\n"
        "tumors: 240 examples matched by id\n"
        "mean acc: 0.9000 against 0.9125\n"
        "difference: -0.0125\n"
        "95% interval: -0.046 to 0.020 (exact)\n"
        "p = 0.549: no significant difference at α = 0.05\n"
        "exact two-sided paired-permutation test, 11 of 240 examples differ\n"
        "null: exchangeable outputs (p); no difference in the population (interval)\n"
        "\n"
        "On tumors, the mean acc of scikit-learn/naive_bayes does not differ\n"
        "significantly from that of scikit-learn/logistic_regression: 0.9000 against\n"
        "0.9125. The difference is -0.0125 (95% confidence interval -0.046 to 0.020). The\n"
        "exact two-sided paired-permutation test gives p = 0.549 (n = 240, α = 0.05).\n"
    )


def test_several_metrics(said, found):
    """Their p-values are adjusted; 0.549 twice is more than 1."""
    out = said(*REAL)
    assert out.startswith("scikit-learn/naive_bayes against scikit-learn/logistic_regression\n")
    assert "tumors       acc  240    0.9000    0.9125     -0.0125  0.549           1\n" in out
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
    named = ("--name", "large", "--name", "small", "--dataset", "dev")
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
    assert f"\n\nsystem 1: {names[0]}\nsystem 2: {names[1]}\n\nSignificant: " in out
    assert "system 1" not in said(*arguments, "--markdown")


LONG = [f"leaderboard_bbh_logical_deduction_{n}_objects" for n in ("five", "seven")]


@pytest.mark.parametrize("width", [None, 80, 70, 140])
def test_tables_are_as_wide_as_the_terminal(write, said, monkeypatch, width):
    """Or 80 columns wide where there is none; all names are whole."""

    def size(_):
        if width is None:
            raise OSError
        return os.terminal_size((width, 24))

    monkeypatch.delenv("COLUMNS")
    monkeypatch.setattr(os, "get_terminal_size", size)
    for system, right in (("one", 50), ("two", 44)):
        for task in LONG:
            scores = [float(k < right) for k in range(60)]
            write(
                f"{system}/samples_{task}_2024-11-07T10-00-00.jsonl",
                id=[*map(str, range(60))],
                doc_id=range(60),
                resps=[["a"]] * 60,
                acc=scores,
                acc_norm=scores[::-1],
            )
    rows = said("compare", "one", "two").partition("\n\n")[2].splitlines()
    assert 60 < max(map(len, rows)) <= (width or 80)
    assert sum(bool(re.search(r" acc(_norm)? +60 .* 0\.0312 ", x)) for x in rows) == 4
    boards = said("leaderboard", ".", "--metric", "acc").splitlines()
    for task in LONG:
        assert sum(x.startswith(task) for x in rows) == (2 if width == 140 else 1)
        assert task in boards


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        (("--alternative", "greater"), {"alternative": "greater"}),
        (("--alternative", "less"), {"alternative": "less"}),
        (("--method", "enumeration"), {"method": "enumeration"}),
        (("--confidence-level", "0.9"), {"confidence_level": 0.9}),
        (("--largest-group", "3"), {"largest_group": 3}),
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
    options = {"method": "monte_carlo", "n_resamples": 99} if flags else {}
    expected = compare(answers("text1"), answers("text2"), right, test="bootstrap", **options)
    arguments = ("bootstrap", "text1.jsonl", "text2.jsonl", *flags)
    assert found(*arguments).items() >= expected.to_dict().items()
    assert "paired bootstrap test" in said(*arguments)


@pytest.mark.filterwarnings("ignore:p is estimated")
@pytest.mark.parametrize(
    ("command", "test", "keys"),
    [
        (("compare", "a.jsonl", "b.jsonl"), "permutation", ()),
        (("bootstrap", "a.jsonl", "b.jsonl"), "bootstrap", ()),
        (("gate", "a.jsonl", "--baseline", "b.jsonl"), "permutation", ()),
        (("leaderboard", "a.jsonl", "b.jsonl"), "permutation", (0, "pairs", 0)),
    ],
    ids=lambda x: x[0] if x else "",
)
def test_a_sampled_p_is_that_of_python(here, capsys, command, test, keys):
    """Its seed follows from the data, unless one is given."""
    rng = random.Random(2)
    right = [rng.randrange(9) for _ in range(150)]
    systems = [[x if rng.random() < 0.6 else rng.randrange(9) for x in right] for _ in "ab"]
    for name, predictions in zip("ab", systems, strict=True):
        rows = zip(predictions, right, strict=True)
        lines = (
            json.dumps({"id": k, "prediction": x, "reference": y}) for k, (x, y) in enumerate(rows)
        )
        (here / f"{name}.jsonl").write_text("\n".join(lines), "utf-8")
    result = compare(*systems, right, metric="f1", average="macro", test=test)
    assert result.method == "monte_carlo"
    for flags, is_same in (((), True), (("--seed", "7"), False)):
        main([*command, "--metric", "f1", "-o", "average=macro", "--json", *flags])
        found = json.loads(capsys.readouterr().out)
        for key in keys:
            found = found[key]
        assert (found["p"] == result.pvalue) == is_same
        assert (found["seed"] == result.seed) == is_same


# Cards


def test_card(logs, here, said):
    """Twice changes nothing."""
    card = here / "README.md"
    card.write_text("# A model\n\nText.\n", "utf-8")
    out = said(*TEXTS, "--card", "README.md", "--name", "large", "--name", "text2")
    first = card.read_text("utf-8")
    assert first.startswith("# A model\n\nText.\n\n<!-- paired_perm:start -->\n")
    assert "The accuracy of large is significantly higher than that of text2: " in first
    assert out.startswith("large against text2\n")
    said(*TEXTS, "--card", ".", "--name", "large", "--name", "text2", "--json")
    assert card.read_text("utf-8") == first


def test_card_in_the_folder_of_its_logs(logs, here, said):
    (here / "model").mkdir()
    (here / "text1.jsonl").rename(here / "model" / "text1.jsonl")
    card = here / "model" / "README.md"
    card.write_text("# A model\n", "utf-8")
    said("compare", "model", "text2.jsonl", "--card", "model")
    assert "<!-- paired_perm:start -->" in card.read_text("utf-8")


# Refused


def test_many_tasks_share_a_line(said, found):
    """That of those that match; one that does not has its own."""
    one, two = (lm_eval(x).parent for x in ("logistic_regression", "naive_bayes"))
    n = len(lm_eval("naive_bayes").read_text("utf-8").splitlines())
    n += len(read_runs(one, two, task="findings").ids)
    note = f"2 tasks: {n} examples matched by id"
    assert said("compare", one, two).splitlines()[1] == note
    assert found("compare", one, two)["matching"][0] == note
    assert f"\n- {note}\n" in said("compare", one, two, "--markdown")
