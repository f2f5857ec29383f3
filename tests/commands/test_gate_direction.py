"""Which of two scores is the better one, as `pairedperm gate` and `compare` decide it."""

import json
import math

import pytest

from corpora.logs import GATE, and_task_u, lm_eval_log

OLD = ("gate", "new.jsonl", "--baseline", "old.jsonl")


@pytest.mark.parametrize(
    ("new", "old", "options", "code"),
    [
        ("wer1", "wer2", (), 0),
        ("wer2", "wer1", (), 1),
        ("wer2", "wer1", ("--higher-is-better",), 0),
        ("wer1", "wer2", ("--higher-is-better",), 1),
        ("wer1", "wer2", ("--lower-is-better",), 0),
    ],
)
def test_the_direction_of_the_name(logs, said, new, old, options, code):
    out = said(
        "gate", f"{new}.jsonl", "--baseline", f"{old}.jsonl", "--score=wer", *options, code=code
    )
    better = "higher" if "--higher-is-better" in options else "lower"
    assert f"mean wer ({better} is better)" in out
    assert "as nothing says otherwise" not in out


def test_the_direction_of_a_metric(write, said):
    """A metric of predictions has its own: nothing is to be given."""
    for name, text in (("a", "a b c"), ("b", "a b d")):
        write(f"{name}.jsonl", prediction=[text, "x", "y"], reference=["a b c", "x", "z"])
    out = said("compare", "a.jsonl", "b.jsonl", "--metric", "word_error_rate")
    assert "is-better" not in out
    assert "word error rate" in out.lower()


@pytest.mark.parametrize("says_so", [True, False])
def test_the_direction_of_the_log(here, said, says_so):
    """What lm-evaluation-harness wrote of the metric in its results counts."""
    for name in ("baseline", "worse"):
        (here / name).mkdir()
        for path in (GATE / name).iterdir():
            text = path.read_text("utf-8")
            if path.suffix == ".json":
                known = json.loads(text)
                known["higher_is_better"]["tumors"]["acc"] = says_so
                text = json.dumps(known)
            (here / name / path.name).write_text(text, "utf-8")
    arguments = ("gate", "worse", "--baseline", "baseline", "--metric", "acc")
    out = said(*arguments, code=int(says_so))
    assert f"({'higher' if says_so else 'lower'} is better)" in out
    flag = "--lower-is-better" if says_so else "--higher-is-better"
    said(*arguments, flag, code=1 - int(says_so))


@pytest.mark.parametrize("score", ["stated", "non_toxicity", "attack_success_rate"])
def test_nobody_says_which_way(score, here, write, said, refused):
    """A gate does not guess; a comparison says what it takes for true."""
    for name, value in (("new", 0), ("old", 1)):
        write(f"{name}.jsonl", **{score: [value] * 6})
    message = f"it is not known whether a higher '{score}' is better: give --higher-is-better or --"
    assert refused(*OLD, "--score", score).startswith(message)
    said(*OLD, "--score", score, "--higher-is-better", code=1)
    assert said(*OLD, "--score", score, "--lower-is-better").startswith("PASS")
    out = said("compare", "new.jsonl", "old.jsonl", "--score", score)
    assert f"{score}: higher is better (assumed; or give --lower-is-better)\n" in out


@pytest.fixture
def logarithms(here):
    """Logs of lm-evaluation-harness of log P of each document, whose results are as told."""

    def write(name, *reported):
        for folder, mean, value in zip(("new", "old"), (-0.91, -2.29), reported, strict=True):
            column = [round(mean + x / 20, 2) for x in (-1, 0, 1) * 4]
            lm_eval_log(here / folder, {name: column}, {name: value}, lower=[name])

    return write


def test_the_perplexity_of_logarithms(logarithms, said, refused):
    """The better model passes: lower is better, which the log means of exp(-mean)."""
    logarithms("perplexity", math.exp(0.91), math.exp(2.29))
    out = said("gate", "new", "--baseline", "old")
    assert out.startswith(
        "PASS: new is significantly better than old.\nperplexity (lower is better)"
    )
    assert "2.48 against 9.87 on 12 examples" in " ".join(out.split())
    said("gate", "old", "--baseline", "new", code=1)
    said("gate", "old", "--baseline", "new", "--lower-is-better", code=1)
    message = refused("gate", "new", "--baseline", "old", "--higher-is-better")
    of = "`--higher-is-better` is for scores that were logged: for perplexity lower is better. Lea"
    assert message.startswith(of)
    assert refused("compare", "new", "old", "--higher-is-better").startswith(of)


def test_a_direction_beside_perplexities(here, said):
    """It is that of the means; the perplexity has its own."""
    for folder, mean in (("new", -0.91), ("old", -2.29)):
        column = [round(mean + x / 20, 2) for x in (-1, 0, 1) * 4]
        columns = {"perplexity": column, "mine": column}
        lm_eval_log(here / folder, columns, {"perplexity": math.exp(-mean), "mine": mean})
    for flag in ("--higher-is-better", "--lower-is-better"):
        out = json.loads(said("compare", "new", "old", flag, "--json"))
        wins = {x["logged"]: x["n_wins"] for x in out["tests"]}
        assert wins == {"perplexity": 12, "mine": 12 * (flag == "--higher-is-better")}


def test_an_average_that_is_named(here, said, refused):
    """No gate decides by an F1 of which the results tell another number without a word."""
    for folder, n_right in (("new", 10), ("old", 2)):
        column = [[1, 1]] * n_right + [[1, 0]] * (12 - n_right) + [[0, 0]]
        lm_eval_log(here / folder, {"f1": column}, {"f1": 0.123})
    gate = ("gate", "new", "--baseline", "old", "--metric", "f1")
    remedy = "of which no average of F1 makes the 0.123 of the results. Say which F1 is meant, "
    assert f"{remedy}--metric f1 with -o average=…." in refused(*gate)
    out = " ".join(said(*gate, "-o", "average=macro").split())
    assert out.startswith("PASS: new is significantly better than old. macro-averaged F1")
    assert "f1: 0.123 is reported with new/samples_t_" in out
    assert "but the macro-averaged F1 of its 13 scores is" in out


def test_a_reported_score_that_is_another(logarithms, said, refused):
    """The log's direction is of its own score: the gate asks, and a comparison says so."""
    logarithms("mine", 0.4, 0.2)
    doubt = "mine: 0.4 is reported with new/samples_t_2026-11-24T15-05-50.227925.jsonl, but the mea"
    message = refused("gate", "new", "--baseline", "old")
    assert message.startswith(doubt)
    assert (
        ". it is not known whether a higher 'mine' is better: give --higher-is-better o" in message
    )
    out = said("gate", "new", "--baseline", "old", "--higher-is-better")
    assert out.startswith("PASS: new is significantly better")
    assert " but the mean of its 12 scores is -0.91" in " ".join(out.split())
    lines = said("compare", "new", "old").splitlines()
    assert lines[2].startswith(doubt)
    assert lines[4] == "mine: higher is better (assumed; or give --lower-is-better)"


@pytest.mark.parametrize("flag", [(), ("--higher-is-better",)])
def test_a_margin_of_a_mean_without_a_sentinel(flag, here, said, refused):
    """350 and 450 of 500 are right, and 1,500 documents of another length are logged as -1."""
    for folder, n in (("new", 350), ("old", 450)):
        column = [1.0] * n + [0.0] * (500 - n) + [-1.0] * 1500
        lm_eval_log(here / folder, {"4096": column}, {"4096": n / 500})
        lm_eval_log(here / f"other_{folder}", {"4096": column}, {"4096": n / 400})
    gate = ("gate", "new", "--baseline", "old", *flag)
    out = " ".join(said(*gate, "--margin", "0.1", code=1).split())
    assert "0.700 against 0.900 on 500 examples" in out
    assert "left out: 1,500 scored -1 in 4096" in out
    gate = ("gate", "other_new", "--baseline", "other_old", "--higher-is-better")
    said(*gate, code=1)
    message = refused(*gate, "--margin", "0.1")
    assert "4096: 0.875 is reported with other_new/" in message
    assert "but the mean of its 2,000 scores is -0.575" in message
    assert (
        "A margin is of the reported number: decide without one, or write tables of id and score "
        "whose mean is that number."
    ) in message


@pytest.mark.parametrize("results", [None, {"8192": 0.5}])
def test_a_margin_of_a_mean_of_which_nothing_is_reported(results, here, said, refused):
    for folder, n in (("new", 350), ("old", 450)):
        column = [1.0] * n + [0.0] * (500 - n) + [-1.0] * 1500
        lm_eval_log(here / folder, {"4096": column}, results)
    gate = ("gate", "new", "--baseline", "old", "--higher-is-better")
    out = " ".join(said(*gate, code=1).split())
    message = refused(*gate, "--margin", "0.3")
    assert "4096 is -1 in 1,500 of 2,000 examples of new/samples_t_" in message
    remedy = (
        "no reported number tells. Give the logs with the results that the tool writes beside them"
    )
    assert remedy in out
    assert f"{remedy}. A margin is of the reported number" in message


def test_a_margin_of_a_task_whose_number_is_another(here, said, refused):
    for folder, n in (("new", 9), ("old", 11)):
        path = lm_eval_log(here / folder, {"acc": [1] * n + [0] * (12 - n)}, {"acc": 0.5})
        text = path.read_text("utf-8")
        path.with_name(path.name.replace("_t_", "_u_")).write_text(text, "utf-8")
    gate = ("gate", "new", "--baseline", "old", "--higher-is-better")
    said(*gate, code=0)
    for margin in (("--margin", "0.5"), ("--task-margin", "0.5")):
        message = refused(*gate, *margin)
        assert message.startswith("task 't': acc: 0.5 is reported with new/samples_t_")


def test_the_notes_of_tasks_name_them(here, said):
    """Both leave as many out; a line each says of which task these are."""
    for folder, n in (("new", 9), ("old", 11)):
        column = [1] * n + [0] * (12 - n) + [-1] * 3
        and_task_u(lm_eval_log(here / folder, {"4096": column}, {"4096": n / 12}), {"4096": n / 12})
    for command in ("suite", "compare"):
        out = said(command, "new", "old")
        for task in "tu":
            assert f"\n{task}: left out: 3 scored -1 in 4096, which its reported mean" in out


@pytest.mark.parametrize(
    "name", ["perplexity", "PPL", "word_perplexity", "val/token_perplexity", "bpc", "bitsPerByte"]
)
def test_logarithms_are_no_perplexities(name, here, write, said, refused):
    """Nobody says which way scores below 0 of such a name are better; of losses the name does."""
    for file, value in (("new", -0.9), ("old", -2.3)):
        scores = [value, value - 0.1] * 3
        write(f"{file}.jsonl", **{name: scores, "loss": scores})
        lm_eval_log(here / file, {name: scores})
    message = f"it is not known whether a higher '{name}' is better"
    assert message in refused(*OLD, "--score", name)
    said(*OLD, "--score", name, "--higher-is-better")
    said(*OLD, "--score", name, "--lower-is-better", code=1)
    out = said("compare", "new.jsonl", "old.jsonl", "--score", name)
    assert f"{name}: higher is better (assumed; or give --lower-is-better)\n" in out
    said(*OLD, "--score", "loss", code=1)
    if name == "perplexity":  # which lm-evaluation-harness logs as logarithms
        said("gate", "new", "--baseline", "old")
    else:
        assert message in refused("gate", "new", "--baseline", "old")
