"""Truth at the edge: files and names as people hold them, judged by what they stand for."""

import warnings
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.logs import save
from oracles import reals, vectors
from pairedperm import InputError
from pairedperm.__main__ import main
from pairedperm.readers import read_runs
from properties import cases
from strategies import files


@given(files.tables(), st.sampled_from(vectors.ALTERNATIVES))
def test_tables(tables, alternative):
    """What the files say, or a refusal where that is allowed."""
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what is left out
        paths = [Path(folder, f"{x}.{tables.ending}") for x in "ab"]
        for path, content in zip(paths, tables.contents, strict=True):
            save(path, content)
        try:
            result = read_runs(*paths).compare(tables.metric, alternative=alternative, rng=0)
        except InputError:
            assert not tables.is_read
            return
    means = [float(sum(x) / len(x)) for x in tables.scores]
    assert [result.score1, result.score2] == pytest.approx(means, rel=1e-9, abs=1e-12)
    truth = reals.pvalue(*tables.scores, alternative)
    assert result.pvalue == pytest.approx(float(truth), rel=1e-9)


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
            save(path, [{"id": k, metric: score} for k in range(9)])
        candidate, baseline = map(str, paths)
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            code = main(["gate", candidate, "--baseline", baseline, "--score", metric])
    assert code == (0 if is_better else 1) or (code == 2 and (form, said) != ("{}", "{}"))
