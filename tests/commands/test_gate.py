"""`pairedperm gate`: the ids of what was gained and lost."""

import pytest

from commands.files import write_table
from properties import one_in

METRICS = (
    *("accuracy", "f1 -o average=macro", "f1 -o pos_label=a", "matthews_correlation"),
    *("hamming_loss", "squad_exact_match", "squad_f1"),
)


@one_in(3)
@pytest.mark.parametrize("metric", METRICS)
def test_ids_are_as_many_as_flips(logs, found, metric):
    out = found(f"gate text1.jsonl --baseline text2.jsonl --metric {metric}")
    assert (len(out["gained"]), len(out["lost"])) == (out["n_wins"], out["n_losses"])
    gained = (3,) if "pos_label=a" in metric else (2, 3)  # the others are right of no label a
    gained = (2,) if metric == "squad_f1" else gained  # an article is no word, and none is 0
    assert out["gained"] == [k for k in range(20) if k % 5 in gained]
    assert out["lost"] == []


def test_flips_of_repeated_labels_have_no_ids(here, found):
    """An example is several rows: it is counted as a group."""
    ids = [k // 2 for k in range(12)]
    for name, answers in (("a", "ab" * 6), ("b", "aa" * 6)):
        columns = {"id": ids, "prediction": [*answers], "reference": ["a"] * 12}
        write_table(name, columns)
    out = found("gate a.jsonl --baseline b.jsonl --metric accuracy --repeats", code=1)
    assert (out["n_groups"], out["gained"], out["lost"]) == (6, None, None)
