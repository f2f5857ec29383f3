"""Truth at the edge: files and names as people hold them, judged by what they stand for."""

import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.logs import save
from oracles import reals, vectors
from pairedperm import InputError
from pairedperm.readers import read_runs
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
