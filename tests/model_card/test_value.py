"""A published value gets a p only if it is a rounding of the tested score."""

import pytest

from corpora.cards import RESULT, refused, write
from pairedperm import compare
from pairedperm.model_card import update
from properties import one_in

CARD = """---
model-index:
- name: m
  results:
  - task: {{type: t}}
    dataset: {{type: d, name: D}}
    metrics: [{{type: accuracy, value: {}}}]
---
"""
EIGHTH = compare([1, *[0] * 7], [0] * 8, [1] * 8)  # a score of 0.125
BLEU = {**RESULT.to_dict(), "metric": "bleu", "score1": 34.46}
MEAN = {**RESULT.to_dict(), "metric": None, "score1": 7.7}
IDS = {"dataset_id": "a/b", "task_id": "c", "source_url": "https://u"}


@one_in(2)
@pytest.mark.parametrize(
    ("result", "value"),
    [
        *((RESULT, x) for x in ("0.8", "0.83", "0.8333333333333334", "83.33", "83.", "83", "8e1")),
        (RESULT, "0.8333333730697632"),  # in single precision, as torch reports it
        (RESULT, "83 ± 2"),
        (RESULT, "83.3% (± 2)"),
        (RESULT, "'0.83'"),
        *((EIGHTH, x) for x in ("0.125", "0.12", "0.13", "12", "13")),  # a half either way
        (compare([1], [0], [1]), "1"),
        *((BLEU, x) for x in ("34.5", "34", "0.345")),
        *((MEAN, x) for x in ("7.7", "8", "770")),
    ],
)
def test_roundings(result, value, tmp_path):
    path = write(tmp_path, CARD.format(value))
    update(path, result, model_index="accuracy")
    assert "p: " in path.read_text("utf-8").split("---")[1]
    update(tmp_path, result, eval_results={**IDS, "value": value.strip("'")})


@one_in(3)
@pytest.mark.parametrize(
    "value",
    ["0.91", "0.84", "0.830", "{a: 1}", "83.4", "1", "1.0", "8", "0.83%", ".nan", "-0.83", "5/6",
     "0,83", "about 0.83", "0.83 or 0.9", "~", "1e400", "1e99999999"],
)  # fmt: skip
def test_other_values(value, tmp_path):
    path = write(tmp_path, CARD.format(value))
    message = r"`model_index`: the value is .*, and `result` has a score of 0.8333333333333334 "
    refused(path, message, model_index=True)
    message = message.replace("model_index", "eval_results")
    refused(path, message, eval_results={**IDS, "value": value})
