"""Calls that write model cards, and the text of their section."""

from functools import partial

from answers.answer import Call
from answers.answer_data import labels, scores
from answers.package import (
    compare,
    model_card,
    paired_bootstrap_test,
    paired_permutation_test,
    structured_permutation_test,
)

NAMES = {"name1": "large", "name2": "small_*", "dataset": "dev | [set]"}
TWO = labels(50)
RESULT = compare(**TWO)
MEANS = paired_permutation_test(*scores(40, 9))
RESULTS = {
    "f1 with options": partial(compare, **TWO, metric="fbeta", beta=2, pos_label=0),
    "correlation": partial(compare, **TWO, metric="matthews_correlation"),
    "dp": partial(paired_permutation_test, *scores(20, 9), method="dp"),
    "fft": partial(paired_permutation_test, *scores(20, 9), method="fft"),
    "bracket": partial(paired_permutation_test, *scores(60, 9), method="bracket"),
    "structured": partial(structured_permutation_test, [3, 1, 2], [1, 2, 0], abs),
    "bootstrap, p is 0": partial(paired_bootstrap_test, [1, 1, 1], [0, 0, 0]),
}
FRONT = """\
---
license: mit  # ours
model-index:
- name: large
  results:
  - task: {type: text-classification}
    dataset:
      type: dev
      name: 'Dev'
    metrics:
    - type: accuracy
      value: 0.86  # measured twice
    - type: f1
      value: 86.0
      args: {k: 1}
tags: [a, 'b']
---
"""
CARD = f"{FRONT}# large\n\nText.\n\n```\n<!-- paired_perm:start -->\n```\n"
ENTRY = {
    "dataset_id": "org/imdb",
    "task_id": "default",
    "value": 0.86,
    "source_url": "https://example.org",
}


def section(result, **names):
    return model_card.significance_section(result(), **names)


def written(folder, text=CARD, result=RESULT, times=1, old=None, **options):
    """All that is there after it, and the error."""
    path = folder / "README.md"
    path.write_bytes(text.encode())
    if old is not None:
        (folder / ".eval_results").mkdir()
        (folder / ".eval_results" / "ours.yaml").write_text(old, "utf-8")
    error = None
    try:
        for _ in range(times):
            model_card.update(folder, result, **NAMES | options)
    except ValueError as refused:
        error = f"{type(refused).__name__}: {refused}"
    files = sorted(x for x in folder.rglob("*") if x.is_file())
    return [error, {x.relative_to(folder).as_posix(): x.read_bytes().decode() for x in files}]


INDENTED = """\
---
model-index:
  - name: large
    results:
      - task: {type: text-classification}
        dataset: &here
          name: IMDb
          type: imdb
        metrics:
          - name: >-
              Accuracy
            type: accuracy
            value: 0.86
            args:
              baseline: other
              log_p: -3
              # a comment
              kept: yes
        source: {name: us, url: https://example.org}
---
# large
"""
FLOW = """\
---
model-index: [{name: large, results: [{task: {type: t}, dataset: {type: dev, name: dev},
  metrics: [{type: accuracy, value: 0.9, name: "a, b"}]}]}]
---
"""
TWICE = FRONT.replace("- type: f1", "- type: accuracy")
MARKDOWN = """\
# large

> a quote
going on

- item
  1. another

      code
  ```
  <!-- paired_perm:start -->
  ```

    indented <!-- paired_perm:start -->

<div>
<!-- paired_perm:start -->
</div>

<pre>
<!-- paired_perm:end -->
</pre>

***
| a | b |
|---|---|
~~~ text
never closed
"""
OLD = "- dataset:\n    id: org/imdb\n    task_id: default\n  value: 1  # old\n  notes: ours\n"
SECTION = "<!-- paired_perm:start -->\n\nold\n\n<!-- paired_perm:end -->\n"
UPDATES = {
    "an empty card": {"text": ""},
    "Windows' lines": {"text": "# A\r\n\r\nText.\r\n"},
    "an old section": {"text": f"# A\n\n{SECTION}\n## Other\n"},
    "two sections": {"text": f"{SECTION}\n{SECTION}"},
    "a marker without its other": {"text": "# A\n<!-- paired_perm:start -->\n"},
    "a named metric": {"model_index": "f1", "dataset": "dev"},
    "a described metric": {"model_index": {"metric": "f1", "dataset": "Dev"}},
    "a metric that is not there": {"model_index": "recall", "dataset": "dev"},
    "no model-index": {"text": "# A\n", "model_index": True},
    "broken YAML": {"text": "---\na: [1\n---\n# A\n", "model_index": True},
    "eval results": {"text": "# A\n", "eval_results": ENTRY},
    "eval results twice": {"text": "# A\n", "eval_results": {**ENTRY, "notes": "ours"}, "times": 2},
    "eval results without a task": {"text": "# A\n", "eval_results": {"dataset_id": "org/imdb"}},
    "a dict": {"text": "# A\n", "result": RESULT.to_dict()},
    "no result": {"text": "# A\n", "result": {"p": 0.5}},
    "a name that is none": {"text": "# A\n", "name1": 7},
    "an indented model-index": {"text": INDENTED, "model_index": "Accuracy", "dataset": "imdb"},
    "two metrics that fit": {"text": TWICE, "model_index": True, "dataset": "dev"},
    "a model-index in a line": {"text": FLOW, "model_index": True, "dataset": "dev"},
    "a model-index that is none": {"text": "---\nmodel-index: [1]\n---\n", "model_index": True},
    "an option that is none": {"model_index": 7},
    "a key that is none": {"model_index": {"metrics": "f1"}},
    "scores in the model-index": {"result": MEANS, "model_index": True},
    "Markdown of all kinds": {"text": MARKDOWN},
    "a marker in a quote": {"text": f"> {SECTION}"},
    "a byte order mark": {"text": f"\ufeff{CARD}"},
    "YAML that is a list": {"text": "---\n- a\n---\n# A\n"},
    "p is 0": {
        "result": paired_bootstrap_test([1, 1, 1], [0, 0, 0]),
        "text": INDENTED.replace("value: 0.86", "value: 1.0"),
        "model_index": "Accuracy",
        "dataset": "imdb",
    },
    "an old entry of eval results": {
        "text": "# A\n",
        "eval_results": {**ENTRY, "notes": "ours"},
        "old": OLD,
    },
    "an old entry with other notes": {"text": "# A\n", "eval_results": ENTRY, "old": OLD},
    "eval results that are no list": {"text": "# A\n", "eval_results": ENTRY, "old": "a: 1\n"},
    "eval results that are none": {"text": "# A\n", "eval_results": 7},
}
CALLS = [
    *(
        Call(f"section of {name}", partial(section, result, **NAMES))
        for name, result in RESULTS.items()
    ),
    Call("section without names", partial(section, partial(compare, **TWO))),
    *(
        Call(f"card, {name}", partial(written, **options), in_folder=True)
        for name, options in UPDATES.items()
    ),
    *(
        Call(
            f"section, another {key}",
            partial(model_card.significance_section, {**RESULT.to_dict(), key: value}),
        )
        for key, value in (("p", 2.0), ("alternative", "larger"), ("metric_options", [1]))
    ),
    Call("section of splits", lambda: model_card.significance_section({"dev": RESULT})),
    Call("section of no keys", lambda: model_card.significance_section({"paired_perm_stat": 1})),
    Call(
        "card that is not there",
        lambda folder: model_card.update(folder / "no.md", RESULT),
        in_folder=True,
    ),
]
