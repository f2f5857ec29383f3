"""Several comparisons in one card: each has a key, and updating one leaves the others."""

import re

import numpy as np
import pytest

from corpora.cards import PROSE, RESULT, write
from corpora.small import COLUMNS
from pairedperm import compare, structured_permutation_test
from pairedperm.model_card import update

OTHER = compare(**COLUMNS, alternative="greater")
STORED = compare(**COLUMNS, confidence_level=0.95).to_dict()
MACRO = compare(**COLUMNS, metric="f1", labels=[1, 2], average="macro").to_dict()
SORTED = MACRO | {"metric_options": dict(reversed(MACRO["metric_options"].items()))}
BOTH = {"validation": RESULT, "test": RESULT}
COMMENT = re.compile(r"^<!-- paired_perm:comparison (.*) -->$", re.MULTILINE)


def parts(path):
    """What is before the comparisons, and each of them."""
    text = path.read_text("utf-8")
    return re.split("(?=^<!-- paired_perm:comparison |^<!-- paired_perm:end)", text, flags=re.M)


def keys(path):
    return COMMENT.findall(path.read_text("utf-8"))


@pytest.mark.parametrize(
    ("updates", "expected"),
    [
        (  # one a metric, dataset and baseline
            [
                (RESULT, {"name2": "small", "dataset": "dev"}),
                (RESULT, {"name2": "small", "dataset": "test"}),
                (RESULT, {"name2": "tiny", "dataset": "dev"}),
                (MACRO, {"name2": "small", "dataset": "dev"}),
            ],
            [
                '["accuracy", "dev", "small"]',
                '["accuracy", "test", "small"]',
                '["accuracy", "dev", "tiny"]',
                '["f1(average=\'macro\', labels=[1, 2])", "dev", "small"]',
            ],
        ),
        # JSON may have sorted the options
        (
            [(MACRO, {}), (SORTED, {})],
            ['["f1(average=\'macro\', labels=[1, 2])", "", "the baseline"]'],
        ),
        # a statistic is no mean score
        (
            [(structured_permutation_test([1, 2, 3], [0, 1, 5], np.square), {})],
            ['["test statistic", "", "the baseline"]'],
        ),
        (  # a key of one's own, so that both tests of one comparison can stand in a card
            [
                (RESULT, {"name2": "small"}),
                (compare(**COLUMNS, test="bootstrap"), {"key": " the  bootstrap"}),
                (OTHER, {"name2": "tiny", "key": "the bootstrap"}),
            ],
            ['["accuracy", "", "small"]', '"the bootstrap"'],
        ),
        (
            [(BOTH, {"dataset": "IMDb"}), ({"test": STORED}, {"dataset": "IMDb"})],
            [f'["accuracy", "IMDb ({x})", "the baseline"]' for x in BOTH],
        ),
        ([(BOTH, {"key": "run 3"})], [f'["run 3", "{x}"]' for x in BOTH]),
    ],
)
def test_keys(updates, expected, tmp_path):
    """Each update changes one comparison at most, or adds its own, and once."""
    path = write(tmp_path, PROSE)
    for result, options in updates:
        before = parts(path)
        update(path, result, **options)
        once = parts(path)
        assert len({*before} - {*once}) <= 1
        update(path, result, **options)
        assert parts(path) == once
    assert keys(path) == expected
    assert path.read_text("utf-8").count("## Statistical significance\n") == 1
