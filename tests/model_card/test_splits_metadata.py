"""Metadata of a dict of results by split: of one split, which they name."""

from corpora.cards import RESULT, write
from pairedperm.model_card import update

INDEX = """---
model-index:
- name: m
  results:
  - task: {{type: t}}
    dataset: {{type: imdb, name: IMDb{}}}
    metrics: [{{type: accuracy, value: 0.83}}]
---
"""


def test_metadata_of_one_split(tmp_path):
    """They say which split it was."""
    card = INDEX.format(", split: validation")
    path = write(tmp_path, card)
    entry = {"dataset_id": "org/imdb", "task_id": "default", "value": 0.83}
    entry["source_url"] = "https://u"
    options = {"dataset": "imdb", "model_index": True, "eval_results": entry}
    update(path, {"test": RESULT}, **options | {"model_index": {"split": "validation"}})
    (file,) = (tmp_path / ".eval_results").iterdir()
    assert "p = 0.25 against the baseline on imdb (test), n = 6]" in file.read_text("utf-8")
    update(path, {"validation": RESULT}, **options | {"dataset": None, "model_index": "accuracy"})
    assert "baseline on the validation split, n = 6]" in file.read_text("utf-8")
    path = write(tmp_path, INDEX.format(""))
    update(path, {"test": RESULT}, **options)
    assert "baseline: the baseline" in path.read_text("utf-8")
