"""The grammar of calls of predict_and_compare and of recorders."""

from __future__ import annotations

from random import Random

from campaigns.inputs.fuzz_call import Call, build
from campaigns.inputs.fuzz_hub import MAPPINGS, batch_slot, dataset_slot
from campaigns.inputs.fuzz_metrics import labels
from campaigns.inputs.fuzz_tests import option_slots
from campaigns.inputs.hostile import one_of, option

_OUTPUTS = (
    "labelled('neg', 'pos')",
    "labelled()",
    "[{'label': 'neg'}, 'raise', None]",
    "[{}] * 3",
    "[None] * 3",
    "[[]] * 3",
    "[[{'label': 'neg', 'score': nan}]] * 3",
    "[{'label': 5}] * 3",
    "[{'label': None}] * 3",
    "[{'label': 'LABEL_7'}] * 3",
    "[{'label': '\\ud800'}] * 3",
    "labelled(*'abcdefgh')",
    "[{'label': ['neg']}] * 3",
)
_PIPELINES = (
    "Pipeline([], task='fill-mask')",
    "Pipeline([], task=None)",
    "Pipeline([], task=[])",
    "Pipeline([], task='token-classification')",
    "Pipeline([], problem_type='multi_label_classification')",
    "Pipeline(labelled('a', 'b', 'c'), labels=('a', 'b'))",
    "Pipeline(labelled('LABEL_0', 'LABEL_1', 'LABEL_0'), labels=('LABEL_0', 'LABEL_1'))",
    "Pipeline(labelled('neg', 'pos', 'neg'), labels={})",
    "Pipeline(labelled('neg', 'pos', 'neg'), labels={'x': None})",
    "Pipeline(labelled('neg', 'pos', 'neg'), labels={0: ['neg']})",
    "Pipeline(labelled('neg', 'pos', 'neg'), labels=('neg', 'neg'))",
    "Pipeline(labelled('neg', 'pos', 'neg'), labels=5)",
)
_BATCH_SIZES = ("0", "-1", "True", "1.0", "10**5000", "'2'", "np.int8(2)", "np.timedelta64(5)")


def pipelines(rng: Random) -> Call:
    """predict_and_compare with what only looks like pipelines."""
    names = ["neg", "pos"]
    drawn = [[rng.choice(names) for _ in range(3)] for _ in range(3)]
    odd = [f"Pipeline({x})" for x in _OUTPUTS] + list(_PIPELINES)
    slots = [
        option("", f"Pipeline(labelled({', '.join(map(repr, x))}))", also=tuple(odd))
        for x in drawn[:2]
    ]
    columns = {"text": ["'a'", "'b c'", "''"], "label": [repr(x) for x in drawn[2]]}
    slots.append(dataset_slot(columns, "Dataset.from_dict({})"))
    if rng.random() < 0.2:
        slots.append(option("batch_size", "2", also=_BATCH_SIZES))
    if rng.random() < 0.2:
        also: tuple[str, ...] = (
            "{'neg': 'pos'}",
            "{'LABEL_0': 'neg', 'LABEL_1': 'pos'}",
            *MAPPINGS,
        )
        slots.append(option("label_mapping", "None", also=also))
    if rng.random() < 0.2:
        name = rng.choice(("input_column", "label_column"))
        also = ("'x'", "''", "'text'", "'label'")
        slots.append(option(name, "'text'" if name[0] == "i" else "'label'", also=also))
    if rng.random() < 0.3:
        slots += [option("metric", "'f1'"), option("pos_label", "'pos'")]
    return build(rng, "predict_and_compare", slots + option_slots(rng))


def recorder(rng: Random) -> Call:
    """A recorder in steps."""
    columns = dict(zip(("predictions", "references"), labels(rng, 3, "integers")[:2], strict=True))
    also = ("lambda: PredictionRecorder(PredictionRecorder())", "partial(PredictionRecorder, 1)")
    slots = [one_of("", "PredictionRecorder", also), batch_slot("compute", columns, {})]
    if rng.random() < 0.3:
        slots.append(batch_slot(rng.choice(("compute", "add", "add_batch")), columns, {}))
    return build(rng, "run_steps", slots)


GRAMMARS = {pipelines: 4, recorder: 2}
