"""What commands say of wrong arguments and files: flags and files, and no words of Python."""

import sys

import pytest

from interpreter import CHECKOUT


def spoken(arguments, start):
    return pytest.param(arguments, start, id=arguments[:60])


@pytest.mark.parametrize(
    ("arguments", "start"),
    [
        spoken("compare none old.jsonl", "A: none cannot be read"),
        spoken("compare old.jsonl none", "B: none cannot be read"),
        spoken("gate bad.jsonl --baseline old.jsonl", "CANDIDATE: bad.jsonl, line 2:"),
        spoken("gate empty.jsonl --baseline old.jsonl", "CANDIDATE: empty.jsonl is empty"),
        spoken("gate x.foo --baseline old.jsonl", "CANDIDATE: x.foo is of no known format"),
        spoken("gate new.jsonl --baseline empty", "`--baseline`: no log was found in empty"),
        spoken("gate new.jsonl --baseline old.jsonl --id key", "CANDIDATE: new.jsonl has no"),
        spoken("gate new.jsonl --baseline old.jsonl --id=", "`--id` must be the name of a c"),
        spoken(
            "gate new.jsonl --baseline old.jsonl --score x",
            "CANDIDATE: new.jsonl has no column 'x', --score …. It has",
        ),
        spoken("gate new.jsonl --baseline one1.jsonl", "the runs do not hold the same examp"),
        spoken("compare text1.jsonl text2.jsonl --lower-is-better", "`--lower-is-better` is"),
        spoken(
            "compare text1.jsonl text2.jsonl --metric f1",
            "`-o pos_label` is missing: with -o average=binary it",
        ),
        spoken(
            "compare text1.jsonl text2.jsonl --metric fbeta -o average=macro",
            "`-o beta` is missing",
        ),
        spoken(
            "compare text1.jsonl text2.jsonl --metric f1 -o average=x",
            "`-o average` must be one of",
        ),
        spoken(
            "compare text1.jsonl text2.jsonl --metric f1 -o pos_label=z",
            "`-o pos_label`: 'z' occurs",
        ),
        spoken(
            "compare text1.jsonl text2.jsonl --metric accuracy -o average=macro",
            "`-o average` is no option",
        ),
        spoken(
            "compare text1.jsonl text2.jsonl --metric nope", "`--metric` must be one of 'accuracy',"
        ),
        spoken("compare text1.jsonl text2.jsonl --metric span_f1", "the column of text1 "),
        spoken("compare new.jsonl old.jsonl --seed -1", "Invalid value for '--seed': -1 is not in"),
        spoken(
            "compare new.jsonl old.jsonl --name1 x --name2 x",
            "`--name1` and `--name2` are both 'x'",
        ),
        spoken(
            "compare odd.csv --format paired_perm_test",
            "A: odd.csv has an odd number of columns, 3,",
        ),
        spoken(
            "compare thirds1.jsonl thirds2.jsonl --method dp",
            "--method dp needs scores",
        ),
        spoken(
            "compare roots1.jsonl roots2.jsonl --method enumeration",
            "--method enumeration needs up to 1,073,741,824 sums of half of the examples, above t",
        ),
        spoken(
            "compare thirds1.jsonl thirds2.jsonl --group half --counts counts.json",
            "`--counts`: the result is of numbers that lie on no lattice, the column of thirds1[1]",
        ),
        spoken(
            "compare numbers1.jsonl numbers2.jsonl", "the column of numbers1[0] is a float, 0.0"
        ),
        spoken("compare thirds1.jsonl thirds2.jsonl --score third --score half --method dp", "thi"),
        spoken("compare text1.jsonl text2.jsonl --metric mse", "`--metric` must be one of"),
        spoken(
            "compare rows1.jsonl rows2.jsonl --metric f1 -o average=micro -o multilabel=true",
            "the column of rows1[0][2] is in its set twice: give each label once. Of the",
        ),
        spoken(
            "leaderboard shares1.jsonl shares2.jsonl --metric f1 -o multilabel=true "
            "-o average=micro",
            "the column of shares1 must hold a set of labels per example, got floats, 0.5. Of t",
        ),
        spoken(
            "compare shares1.jsonl shares2.jsonl --metric top_k_accuracy -o k=1",
            "the column of shares1 must hold a list of labels per example, the best first, got ",
        ),
        spoken(
            "compare hot1.jsonl hot2.jsonl --metric accuracy",
            "the column of hot1 and the column of hot2 look one-hot: rows of 3 numbers, all 0 or 1."
            " Write the label of each example instead. If they are 3 runs of each item, write e",
        ),
        spoken(
            "leaderboard hots1.jsonl hots2.jsonl --metric accuracy",
            "the column of hots1, the column of hots2 and `--references` look one-hot: rows of 3 ",
        ),
        spoken(
            "compare fine1.jsonl fine2.jsonl --method fft",
            "--method fft needs the null distribution on its whole support, ",
        ),
        spoken(
            "bootstrap fine1.jsonl fine2.jsonl --method exact", "the exact p-value needs the time"
        ),
        spoken(
            "compare text1.jsonl text2.jsonl --metric accuracy --lower-is-better",
            "`--lower-is-better` is for scores that were logged: for accuracy higher is better. L",
        ),
        spoken("compare odd.csv --format paired_perm_test --metric x", "A: odd.csv has an odd"),
        spoken("compare bad.jsonl --format paired_perm_test", "A: bad.jsonl, line 1: "),
        spoken("compare wide wide --format art", "`--metric` must be the aggregator of art for 1"),
        spoken("verify new.jsonl --sha256 abc", "`--sha256` must be 64 hexadecimal digits, as a"),
        spoken("leaderboard new.jsonl old.jsonl --baseline x", "`--baseline` must be one of"),
        spoken("power one1.jsonl one2.jsonl", "the pilot has only one of the examples"),
        spoken("power low.jsonl lower.jsonl", "the pilot has no difference"),
        spoken("power --wins 0.1 --losses 0.95", "`--wins` and `--losses` must be two shares"),
        spoken("power --wins 0 --losses 0", "the pilot has no difference: both"),
        spoken(
            "power --wins 0.1 --losses 0.05 -n 0",
            "`--n-examples` must be a positive integer, got 0.",
        ),
        spoken(
            "power --wins 0.1 --losses 0.05 --power 2", "`--power` must be above `--alpha`, 0.05"
        ),
    ],
)
def test_errors_are_in_the_words_of_a_shell(logs, here, write, refused_in_words, arguments, start):
    """Those that no command's own tests ask."""
    (here / "bad.jsonl").write_text('{"id": 1, "score": 1}\n{"id": 2, "sco', "utf-8")
    (here / "empty.jsonl").touch()
    (here / "x.foo").write_text("x", "utf-8")
    (here / "empty").mkdir()
    (here / "wide").write_text("1 2 3\n", "utf-8")
    (here / "odd.csv").write_text("1,2,3\n", "utf-8")
    write("lower.jsonl", score=[1] * 82 + [0] * 18)
    for k in (1, 2):
        thirds = [(x * k % 7) / 7 for x in range(60)]
        write(f"thirds{k}.jsonl", score=thirds, third=thirds, half=[x // 2 for x in range(60)])
        write(f"roots{k}.jsonl", score=[(x + k) ** 0.5 for x in range(60)])
        numbers = [x * 0.5 for x in range(9)]
        write(f"numbers{k}.jsonl", prediction=numbers, reference=numbers)
        write(f"rows{k}.jsonl", prediction=[[0, 1, 1]] * 9, reference=[[1, 0, 1]] * 9)
        write(f"shares{k}.jsonl", prediction=[[0.5, 0.25]] * 9, reference=[[1, 0]] * 9)
        hot = [[[0, 1, 0], [0, 0, 1], [0, 0, 0]][x % (k + 1)] for x in range(9)]
        write(f"hot{k}.jsonl", prediction=hot, reference=[1, 2, 0] * 3)
        write(f"hots{k}.jsonl", prediction=hot, reference=[[0, 0, 1]] * 9)
        write(f"fine{k}.jsonl", score=[1e6 / (x + k * k) // 1e-6 / 1e6 for x in range(60)])
    assert refused_in_words(*arguments.split()).startswith(start)


def test_references_without_a_column(logs, refused):
    said = refused("compare", "plain1.jsonl", "plain2.jsonl", "--references", "new.jsonl")
    assert said.startswith(
        "`--references`: new.jsonl has none of 'reference'. It has 'id', 'score'."
    )
    assert said.endswith("Name the column of references, --reference ….")


def test_a_reader_that_is_not_installed(refused_in_words, monkeypatch):
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    runs = CHECKOUT / "tests" / "logs" / "inspect"
    one, two = (next((runs / x).glob("*_tumors_*.eval")) for x in ("decision_tree", "naive_bayes"))
    assert "pip install" in refused_in_words("gate", one, "--baseline", two)
