"""Logs of lm-evaluation-harness: hashes of documents, and values that are no numbers."""

import hashlib
import json
import math

import pytest

from corpora.logs import lm_eval_log, save
from pairedperm import InputError
from pairedperm.readers import read_runs
from readers.held import first_run

LISTED = [None, True, 10**20, 1e-7, math.nan, math.inf, "\n", '"', "\u2028", "\ud800", "é", [], {}]


def hashed(text):
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def test_documents_of_logs_with_and_without_hashes(tmp_path):
    """An old version hashed as the harness does now: the same documents; it named no metrics."""
    deep = []
    for _ in range(200):
        deep = [deep, "\n"]
    listed = [*LISTED, {"q": LISTED, "": {"a": 1}}, deep]
    of_all = [{"doc_id": k, "resps": [], "acc": 1} for k in range(len(listed))]
    old = [x | {"doc": y, "target": "t"} for x, y in zip(of_all, listed, strict=True)]
    texts = [json.dumps(x, indent=2, ensure_ascii=False) for x in listed]
    hashes = [{"target_hash": hashed("t"), "doc_hash": hashed(x)} for x in texts]
    new = [x | y for x, y in zip(of_all, hashes, strict=True)]
    one, two = (save(tmp_path / f"{x}.jsonl", y) for x, y in (("a", old), ("b", new)))
    assert len(read_runs(one, two).ids) == len(listed)
    changed = save(tmp_path / "c.jsonl", [old[0] | {"target": "another"}, *old[1:]])
    for other in (one, two):
        with pytest.raises(InputError, match="1 stand for different documents: 0"):
            read_runs(changed, other)


@pytest.mark.parametrize(
    "column",
    [
        [math.inf, -math.inf, 1.0],
        [10**400, 1, 2],
        [None, None, None],
        ["yes", "no", "no"],
        [[1, 2], [1, 2, 3], [1, 2]],
        [{"a": 1}, {"a": 2}, {"a": 3}],
        [[-1e308, 1]] * 3,
    ],
    ids=str,
)
def test_what_is_logged_may_be_anything(column, tmp_path):
    """A log is read, and its metrics that can be compared are: refusals come with a comparison."""
    names = ("perplexity", "word_perplexity", "bleu", "f1", "other")
    for value in (None, 0.5, -0.5, 10**400):
        columns = dict.fromkeys(names, column) | {"acc": [0, 1, 1]}
        written = (lm_eval_log(tmp_path / x, columns, dict.fromkeys(names, value)) for x in "ab")
        run = first_run(*written)
        assert run.scores["acc"] == [0, 1, 1]
        assert {*names, "acc"} == {*run.metrics, *run.left_out}
