"""Truth at the edge: files, names and labels as people hold them, judged by what they stand for."""

import json
import warnings
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from extras import needs
from oracles import jackknife, reals, vectors
from oracles.label_scores import OF_ALL, score_of
from pairedperm import InputError, compare
from pairedperm.__main__ import main
from pairedperm.readers import read_runs
from properties import cases
from strategies import files, labels
from strategies.labels import AVERAGED


def judged(case, alternative="two-sided"):
    """Read and compare: what the files say, or a refusal where that is allowed."""
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what is left out
        try:
            result = read_runs(*case.write(Path(folder))).compare(
                case.metric, alternative=alternative, rng=0
            )
        except InputError:
            assert not case.is_read
            return
    scores = [result.score1, result.score2]
    means = [float(sum(x) / len(x)) for x in case.scores]
    assert scores == pytest.approx(case.reported or means, rel=1e-9, abs=1e-12)
    if case.reported is None:
        truth = reals.pvalue(*case.scores, alternative)
        assert result.pvalue == pytest.approx(float(truth), rel=1e-9)


@given(files.tables(), st.sampled_from(vectors.ALTERNATIVES))
def test_tables(case, alternative):
    judged(case, alternative)


@given(files.logs())
def test_logs(case):
    judged(case)


@cases(1 / 4)
@given(files.epochs())
def test_epochs(case):
    needs("inspect_ai.log", "inspect")
    judged(case)


LOSSES = ("error", "loss", "wer", "log_loss", "mean_squared_error", "perplexity", "toxicity")
GAINS = ("accuracy", "correct", "f1", "success_rate")
TURNED = (  # the name of what is better where the name within is worse
    *("neg_{}", "no_{}", "non-{}", "not {}", "1-{}", "1 - {}", "-{}", "1/{}", "inverse_{}"),
    *("negative {}", "{}_free", "anti_{}", "minus.{}", "inverted/{}", "un{}", "in{}"),
)
SAID = ("{}", "eval/{}", "task.{}", "mean {}", "{},none", "{}@5", "{} (%)", "{}[mean]")


@cases(1 / 2)
@given(
    *(st.sampled_from(x) for x in (LOSSES + GAINS, ("{}", *TURNED), SAID, (str, str.title))),
    st.booleans(),
)
def test_directions_by_name(name, form, said, spelled, is_more):
    """A gate knows which way is better, or asks."""
    metric = spelled(said.format(form.format(name)))
    is_better = is_more == ((name in GAINS) == (form == "{}"))
    with TemporaryDirectory() as folder:
        paths = [Path(folder, f"{x}.jsonl") for x in "ab"]
        for path, score in zip(paths, (int(is_more), int(not is_more)), strict=True):
            lines = [json.dumps({"id": k, metric: score}) for k in range(9)]
            path.write_text("\n".join(lines), "utf-8")
        candidate, baseline = map(str, paths)
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            code = main(["gate", candidate, "--baseline", baseline, "--score", metric])
    assert code == (0 if is_better else 1) or (code == 2 and (form, said) != ("{}", "{}"))


@st.composite
def one_hot(draw):
    """Labels of two systems and references, and how their rows are held."""
    n_classes = draw(st.integers(2, 5))
    label = st.integers(0, n_classes - 1)
    least = 5 if n_classes == 2 else 1  # fewer rows of two may be sequences
    rows = draw(st.lists(st.tuples(label, label, label), min_size=least, max_size=12))
    return n_classes, [list(x) for x in zip(*rows, strict=True)], draw(st.sampled_from("li?f"))


@given(one_hot(), st.sampled_from(["accuracy", "exact_match", "cohen_kappa"]))
def test_one_hot_rows(case, metric):
    """They are refused, or read as the labels that they stand for."""
    n_classes, columns, kind = case
    rows = [np.eye(n_classes, dtype=int)[x] for x in columns]
    rows = [x.tolist() if kind == "l" else x.astype(kind) for x in rows]
    try:
        found = compare(*rows, metric)
    except InputError:
        return
    assert found == compare(*columns, metric)


@pytest.mark.filterwarnings("ignore")  # of labels that do not occur, of what is not defined
@cases(1 / 2)
@given(labels.tasks(kinds=("integers", "binary"), min_size=2))
def test_standard_errors(task):
    """Those of the infinitesimal jackknife, of constant systems too."""
    options = dict(task.options)
    metric = options.pop("metric")
    columns = task.columns
    assume(metric in OF_ALL or metric in AVERAGED)
    assume(options.get("zero_division", 0) in (0, 1) and "labels" not in options)
    assume(options.get("pos_label", 1) in columns[2] or metric == "specificity")
    try:
        found = compare(*columns, metric, method="monte_carlo", n_resamples=9, rng=0, **options)
    except InputError:  # a label that does not occur
        assume(False)
    expected = jackknife.standard_error(score_of(metric, options, columns), columns, n_copies=40)
    assume(expected is not None)  # to 1/n_copies²
    assert (found.standard_error or 0.0) == pytest.approx(expected, rel=0.01, abs=2e-3)
