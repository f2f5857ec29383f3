"""What commands say of arguments and files that they refuse: in the words of a shell."""

import shlex
import sys

import pytest

from corpora.logs import GATE, LOGS, SYSTEMS
from interpreter import CHECKOUT

EVALS = CHECKOUT / "tests" / "logs" / "inspect"
G, L = GATE.as_posix(), (LOGS / "lm_eval").as_posix()
GATED = "gate new.jsonl --baseline old.jsonl"
TEXTS = "compare text1.jsonl text2.jsonl"
TWO = "compare two1.jsonl two2.jsonl --score acc --score loss"
BOARD = "leaderboard out"
SHARES = "power --wins 0.06 --losses 0.03"
INPUT = " is an input, or in an input folder. Name another file."
UNREAD = " cannot be read: No such file or directory. Give the path of a log."
POWER = "give two logs, A and B, or --wins and --losses. Try 'pairedperm power --help'."


@pytest.fixture
def files(logs, here, write):
    """Logs, and files that are none or hold what few metrics take."""
    for name, text in (
        ("bad.jsonl", '{"id": 1, "score": 1}\n{"id": 2, "sco'),
        ("empty.jsonl", ""),
        ("x.foo", "x"),
        ("model.md", "# A model\n"),
    ):
        (here / name).write_text(text, "utf-8")
    (here / "empty").mkdir()
    write("lower.jsonl", score=[1] * 82 + [0] * 18)
    write("part.jsonl", id=[3, 4, 5], prediction=["a", "b", "a"], reference=["a", "b", "a"])
    write("out/a.jsonl", score=[1] * 30 + [0] * 10)
    write("out/b.jsonl", score=[1] * 20 + [0] * 20)
    write("out/c.jsonl", score=[0] * 10 + [1] * 30)
    write("inputs/new.jsonl", score=[1] * 100)
    for k in (1, 2):
        roots = [(x * k % 7) / 7**0.5 for x in range(60)]
        write(f"sevens{k}.jsonl", score=roots, root=roots, half=[x // 2 for x in range(60)])
        write(f"roots{k}.jsonl", score=[(x + k) ** 0.5 for x in range(60)])
        numbers = [x * 0.5 for x in range(9)]
        write(f"numbers{k}.jsonl", prediction=numbers, reference=numbers)
        write(f"rows{k}.jsonl", prediction=[[0, 1, 1]] * 9, reference=[[1, 0, 1]] * 9)
        write(f"shares{k}.jsonl", prediction=[[0.5, 0.25]] * 9, reference=[[1, 0]] * 9)
        hot = [[[0, 1, 0], [0, 0, 1], [0, 0, 0]][x % (k + 1)] for x in range(9)]
        write(f"hot{k}.jsonl", prediction=hot, reference=[1, 2, 0] * 3)
        write(f"hots{k}.jsonl", prediction=hot, reference=[[0, 0, 1]] * 9)
        write(f"fine{k}.jsonl", score=[1e6 / (x + k * k) // 1e-6 / 1e6 for x in range(60)])


OF_CLICK = [
    ("nope", "No such command 'nope'. Try 'pairedperm --help'."),
    ("--nope", "No such option", "--nope", "Try 'pairedperm --help'."),
    ("gate --nope", "No such option", "--nope"),
    (f"bootstrap {TEXTS[8:]} --counts counts.json", "No such option", "--counts"),
    ("register x", "Got unexpected extra argument (x). Try 'pairedperm register --help'."),
    ("gate --margin", "Option '--margin' requires an argument. Try 'pairedperm"),
    ("compare", "Missing argument 'A'. Try 'pairedperm compare --help'."),
    ("compare text1.jsonl", "Missing argument 'B'. Try 'pairedperm compare --help'."),
    ("compare a --format csv", "Missing argument 'B'. Try 'pairedperm compare --help'."),
    ("gate new.jsonl", "Missing option '--baseline'. Try 'pairedperm gate -"),
    ("gate --baseline x", "Missing argument 'CANDIDATE'."),
    ("leaderboard", "Missing argument 'LOGS...'. Try 'pairedperm leaderboard --help'."),
    (f"{TWO} --correction x", "Invalid value for '--correction': 'x' is not one of 'holm', "),
    (
        f"{TEXTS} --correction fdr_bh",
        "Invalid value for '--correction': 'fdr_bh' is not one of 'holm', 'bonferroni', 'bh', "
        "'by', 'none'. Did you mean 'bh'? Try 'pairedperm compare --help'.",
    ),
    (f"{TEXTS} --method x", "Invalid value for '--method': 'x' is not one of 'auto', "),
    (
        f"{GATED} --require good",
        "Invalid value for '--require': 'good' is not one of 'not worse', 'better'. Try",
    ),
    (f"{GATED} --format conll", "Invalid value for '--format': 'conll' is not one of 'jsonl', "),
    (f"{TEXTS} --format conll", "Invalid value for '--format': 'conll' is not one of 'jsonl', "),
    (f"{GATED} --margin 1%", "Invalid value for '--margin': '1%' is not a valid float. Try"),
    (f"{GATED} --seed -1", "Invalid value for '--seed': -1 is not in"),
    (f"{SHARES} -n x", "Invalid value for '-n' / '--n-examples': 'x' is not a valid integer"),
]

OF_OPTIONS = [
    (f"{TEXTS} --json --markdown", "--json and --markdown: choose one. Try 'pairedperm compare -"),
    (f"{BOARD} --json --markdown", "--json and --markdown: choose one. Try 'pairedperm lead"),
    (f"{TEXTS} -o average", "-o average: write NAME=VALUE, where NAME is an option of a metric"),
    (
        f"{TEXTS} -o avrage=macro",
        *(
            "-o avrage=macro: write NAME=VALUE, where NAME is an option of",
            " Did you mean average?",
        ),
    ),
    (f"{TEXTS} -o =macro", "-o =macro: write NAME=VALUE, where NAME is an option of a metric"),
    (
        f"{TEXTS} --metric f1 -o average=macro -o average=micro",
        "`-o average` is given again: -o average=micro. Give one",
    ),
    (f"{TEXTS} -o average=macro -o average=macro", "`-o average` is given again: -o average=macro"),
    (f"{TEXTS} --metric nope", "`--metric` must be one of 'accuracy',"),
    (f"{TEXTS} --metric mse", "`--metric` must be one of"),
    (f"{TEXTS} --metric f1", "`-o pos_label` is missing: with -o average=binary it"),
    (f"{TEXTS} --metric fbeta -o average=macro", "`-o beta` is missing"),
    (f"{TEXTS} --metric f1 -o average=x", "`-o average` must be one of"),
    (f"{TEXTS} --metric f1 -o pos_label=z", "`-o pos_label`: 'z' occurs"),
    (f"{TEXTS} --metric accuracy -o average=macro", "`-o average` is no option"),
    (f"{GATED} -o average=macro", "`-o average` is no option of 'score', whose scores were logged"),
    (f"{TEXTS} --n-resamples 0", "`--n-resamples` must be a positive integer, got 0"),
    (f"{TEXTS} --confidence-level 2", "`--confidence-level` must be between 0 and 1, "),
    (f"{GATED} --alpha 0", "`--alpha` must be between 0 and 1, got 0.0"),
    (f"{GATED} --margin 0.1 --alpha 0.6", "`--alpha` must be a number from 1e-12 to below 0.5"),
    (f"{GATED} --margin 0", "`--margin` must be a positive number in units of the score, such as"),
    (
        f"{GATED} --margin 0.1 --require better",
        "`--margin` is for a candidate that may be as good: leave it out with --require better",
    ),
    ("leaderboard new.jsonl old.jsonl --baseline x", "`--baseline` must be one of"),
    (f"{TEXTS} --name x --name x", "--name: give two names, which differ, and not 'x', 'x'."),
    (f"{TEXTS} --name x", "--name: give two names, which differ, and not 'x'."),
    (f"{TEXTS} --name x --name ' '", "--name: give two names, which differ, and not 'x', ' '."),
    (f"{TEXTS} --lower-is-better", "`--lower-is-better` is for scores that were logged: for acc"),
    ("power", POWER),
    ("power new.jsonl", POWER),
    ("power --losses 0.1", POWER),
    ("power new.jsonl old.jsonl --wins 0.1", POWER),
    ("power new.jsonl old.jsonl --wins 0.1 --losses 0.1", POWER),
    ("power --wins 0.1 --losses 0.95", "`--wins` and `--losses` must be two shares"),
    ("power --wins 0 --losses 0", "the pilot has no difference: both"),
    ("power low.jsonl lower.jsonl", "the pilot has no difference"),
    ("power one1.jsonl one2.jsonl", "the pilot has only one of the examples"),
    (f"{SHARES} -n 0", "`--n-examples` must be an integer from 1 to 100,000,000, got 0."),
    (f"{SHARES} --power 0.01", "`--power` must be above `--alpha`, 0.05"),
]

OF_LOGS = [
    ("compare none old.jsonl", f"A: none{UNREAD}"),
    ("compare old.jsonl none", f"B: none{UNREAD}"),
    ("power new.jsonl none", f"B: none{UNREAD}"),
    ("gate none --baseline x", f"CANDIDATE: none{UNREAD}"),
    ("gate new.jsonl --baseline none", f"`--baseline`: none{UNREAD}"),
    ("gate new.jsonl --baseline empty", "`--baseline`: no log was found in empty"),
    ("leaderboard nope", f"LOGS: nope{UNREAD}"),
    ("leaderboard out --markdown board.md", f"LOGS: board.md{UNREAD}"),
    ("gate bad.jsonl --baseline old.jsonl", "CANDIDATE: bad.jsonl, line 2:"),
    ("gate empty.jsonl --baseline old.jsonl", "CANDIDATE: empty.jsonl is empty"),
    ("gate x.foo --baseline old.jsonl", "CANDIDATE: x.foo is of no known format", "--format …."),
    (f"{GATED} --id key", "CANDIDATE: new.jsonl has no column 'key', ", "--id …."),
    (f"{GATED} --id=", "`--id` must be a column's name, got ''"),
    (f"{GATED} --score x", "CANDIDATE: new.jsonl has no column 'x', --score …. It has"),
    (
        f"gate {G}/candidate --baseline {G}/baseline --group nope",
        "CANDIDATE: ",
        " is of format 'lm_eval', and only tables have columns: leave out --group nope. For groups",
    ),
    (
        f"leaderboard {G} --group doc",
        f"LOGS: {G}/baseline/samples_tumors_2026-11-24T15-05-50.227925.jsonl is of format "
        "'lm_eval', and only tables have columns: leave out --group doc. ",
    ),
    ("gate new.jsonl --baseline one1.jsonl", "the runs do not hold the same examples"),
    (
        "compare text1.jsonl part.jsonl",
        "the runs do not hold the same examples. Affected ids: 17 not in part.jsonl: 0, 1, 2, 6, 7",
        " or leave these ids out, --on-missing drop.",
    ),
    (
        "compare plain1.jsonl plain2.jsonl",
        "`--references` is missing: the runs hold none, and metric",
    ),
    (
        "compare plain1.jsonl plain2.jsonl --references new.jsonl",
        "`--references`: new.jsonl has none of 'reference'. It has 'id', 'score'. ",
        "Name the column of references, --reference ….",
    ),
    (f"{GATED} --metric acc", "`--metric`: new.jsonl lacks 'acc'. It has 'score'."),
    (f"{BOARD} --metric acc", "`--metric`: out/a.jsonl lacks 'acc'. It has 'score'."),
    (
        f"gate {G}/worse --baseline {G}/baseline",
        "`--metric` is missing, and the runs have several: 'acc', 'acc_norm'. Name one.",
    ),
    (f"leaderboard {G}", "`--metric` is missing, and the runs have several: 'acc', 'acc_norm'. "),
    (
        f"gate {L}/scikit-learn__naive_bayes --baseline {L}/scikit-learn__logistic_regression",
        "task 'findings': `--metric` is missing, and the runs have several: 'exact_match,strict-",
    ),
    (f"compare {G}/worse {G}/baseline --task x", "`--task` must be one of those in A, "),
    ("leaderboard out/a.jsonl", "LOGS must hold two or more systems for each task, but holds only"),
]

OF_COLUMNS = [  # the column of whom
    (f"{TEXTS} --metric span_f1", "the column of text1 "),
    ("compare numbers1.jsonl numbers2.jsonl", "the column of numbers1[0] is a float, 0.0"),
    (
        "compare rows1.jsonl rows2.jsonl --metric f1 -o average=micro -o multilabel=true",
        "the column of rows1[0][2] is in its set twice: give each label once. Of the",
    ),
    (
        "leaderboard shares1.jsonl shares2.jsonl --metric f1 -o multilabel=true -o average=micro",
        "the column of shares1 must hold a set of labels per example, got floats, 0.5. Of t",
    ),
    (
        "compare shares1.jsonl shares2.jsonl --metric top_k_accuracy -o k=1",
        "the column of shares1 must hold a list of labels per example, the best first, got ",
    ),
    (
        "compare hot1.jsonl hot2.jsonl --metric accuracy",
        "the column of hot1 and the column of hot2 look one-hot: rows of 3 numbers, all 0 or 1."
        " Write the label of each example instead. If they are 3 runs of each item, write e",
    ),
    (
        "leaderboard hots1.jsonl hots2.jsonl --metric accuracy",
        "the column of hots1, the column of hots2 and `--references` look one-hot: rows of 3 ",
    ),
    ("compare sevens1.jsonl sevens2.jsonl --method dp", "--method dp needs scores"),
    ("compare sevens1.jsonl sevens2.jsonl --score root --score half --method dp", "root: --m"),
    (
        "compare roots1.jsonl roots2.jsonl --method enumeration",
        "--method enumeration needs up to 1,073,741,824 sums of half of the examples, above t",
    ),
    (
        "compare fine1.jsonl fine2.jsonl --method fft",
        "--method fft needs the null distribution on its whole support, ",
    ),
    ("bootstrap fine1.jsonl fine2.jsonl --method exact", "the exact p-value needs the time"),
    (
        "compare sevens1.jsonl sevens2.jsonl --group half --counts counts.json",
        *("`--counts`: the result is of numbers that lie on no lattice, the column of sevens1[1]",),
        "Give shares as Fractions, or times their common denominator: ",
    ),
]

OF_WHAT_IS_WRITTEN = [
    (f"{TWO} --card README.md", "--card takes one comparison: name a --metric and a --task. Try"),
    (f"{TEXTS} --card README.md", "there is no card at 'README.md'"),
    (f"{TEXTS} --counts counts.json --card README.md", "there is no card at 'README.md'"),
    (f"{TEXTS} --counts model.md --card model.md", "model.md"),
    (f"{TEXTS} --card text1.jsonl", f"text1.jsonl{INPUT}"),
    (f"bootstrap {TEXTS[8:]} --card ./text2.jsonl", f"text2.jsonl{INPUT}"),
    ("compare inputs old.jsonl --card inputs/new.jsonl", f"inputs/new.jsonl{INPUT}"),
    (f"{TWO} --counts c.json", "--counts takes one comparison: name a --metric and a --task. Try"),
    (f"{TEXTS} --counts", "Option '--counts' requires an argument. Try 'pairedperm compare"),
    (f"{TEXTS} --counts text1.jsonl", f"text1.jsonl{INPUT}"),
    (f"{TEXTS} --counts ./text2.jsonl", f"text2.jsonl{INPUT}"),
    (f"{TEXTS} --counts .", ". is a folder: name a file to write."),
    (f"{TEXTS} --counts none/none/c.json", "none/none/c.json cannot be written: No such"),
    (f"{TEXTS} --counts new.jsonl/c.json", "new.jsonl/c.json cannot be written: "),
    (
        "compare plain1.jsonl plain2.jsonl --references right.jsonl --counts right.jsonl",
        f"right.jsonl{INPUT}",
    ),
    ("compare inputs old.jsonl --counts inputs/counts.json", f"inputs/counts.json{INPUT}"),
    ("compare inputs old.jsonl --counts inputs/more/c.json", f"inputs/more/c.json{INPUT}"),
    (f"{GATED} --markdown new.jsonl", f"new.jsonl{INPUT}"),
    (f"{GATED} --markdown empty", "empty is a folder: name a file to write."),
    (f"{GATED} --markdown no/such/report.md", "no/such/report.md cannot be written: "),
    ("gate inputs --baseline old.jsonl --markdown inputs/new.jsonl", f"inputs/new.jsonl{INPUT}"),
    ("gate inputs --baseline old.jsonl --markdown inputs/new.md", f"inputs/new.md{INPUT}"),
    ("gate old.jsonl --baseline inputs --markdown inputs/x/a.md", f"inputs/x/a.md{INPUT}"),
    (
        "gate plain1.jsonl --baseline plain2.jsonl --references right.jsonl --markdown right.jsonl",
        f"right.jsonl{INPUT}",
    ),
]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        pytest.param(line, named, id=line.replace(G, "GATE").replace(L, "LOGS")[:70])
        for line, *named in (*(*OF_CLICK, *OF_OPTIONS, *OF_LOGS, *OF_COLUMNS, *OF_WHAT_IS_WRITTEN),)
    ],
)
def test_refusals(files, refusal_names, arguments, named):
    refusal_names(shlex.split(arguments), *named)


def test_a_reader_that_is_not_installed(refused_in_words, monkeypatch):
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    one, two = (next((EVALS / x).glob("*_tumors_*.eval")) for x in SYSTEMS[1:])
    assert "pip install" in refused_in_words("gate", one, "--baseline", two)
