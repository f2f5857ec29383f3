"""What is said of power, numbers of examples and detectable differences."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from corpora.pilots import PILOT, f1_pilot, labels, real_pilot
from pairedperm import (
    PairedCounts,
    compare,
    examples_needed,
    minimum_detectable_difference,
    paired_permutation_test,
    power,
)
from properties import one_in

TEST = "exact two-sided paired-permutation test at α = 0.05"
SUPPOSED = (
    "Supposed: system 1 scores higher on 6% of all examples and system 2 on 3%, a difference of "
    "3.00 percentage points. Fewer than 0.01% of the significant results name the wrong system."
)
SUMMARIES = {  # what is asked, and the answer in words
    "power": (
        lambda: power((0.06, 0.03), 1000),
        f"With 1,000 examples an {TEST} has a power of 87.3%. {SUPPOSED}",
    ),
    "examples needed": (
        lambda: examples_needed((0.06, 0.03)),
        f"For a power of 80% an {TEST} needs 830 examples; its power is 80.0% then. {SUPPOSED}",
    ),
    "a margin": (
        lambda: examples_needed((0.05, 0.05), margin=0.02),
        "To show with a probability of 80% that system 1 is less than 2 percentage points worse "
        "(exact interval at α = 0.05) takes 1,647 examples; the probability is 80.0% then. Fewer "
        "than 149 examples show it only if more are won than lost. Supposed: system 1 scores "
        "higher on 5% of all examples and system 2 on 5%, a difference of 0.00 percentage points.",
    ),
    "the power of a margin": (
        lambda: power((0.1, 0.1), 30, margin=0.1),
        "With a probability of 19.5%, 30 examples show that system 1 is less than 10 percentage "
        "points worse (exact interval at α = 0.05). Fewer than 29 examples show it only if more "
        "are won than lost. Supposed: system 1 scores higher on 10% of all examples and system 2 "
        "on 10%, a difference of 0.00 percentage points.",
    ),
    "detectable": (
        lambda: minimum_detectable_difference((0.03, 0.06), 1000),
        f"With 1,000 examples an {TEST} finds a difference of 2.73 percentage points with a "
        "power of 80%. Supposed: 9% of all examples differ, 5.86% for one system and 3.14% "
        "for the other. Fewer than 0.01% of the significant results name the wrong system.",
    ),
    "hardly any power": (
        lambda: power((0.01, 0.0), 20),
        f"With 20 examples an {TEST} has a power of under 0.01%. Supposed: system 1 scores "
        "higher on 1% of all examples and system 2 on 0%, a difference of 1.00 percentage "
        "points. 0% of the significant results name the wrong system. If 0 of 20 examples "
        "differ, as is expected, p cannot be below 1.",
    ),
    "a pilot": (
        lambda: examples_needed(PILOT),
        f"For a power of 80% an {TEST} needs 161 examples; its power is 80.2% then. Supposed: "
        "as in the pilot (n = 100) system 1 scores higher on 20% of all examples and system 2 "
        "on 8%, a difference of 12.00 percentage points. At the ends of the pilot's 95% "
        "interval, 0.72 to 23.08 percentage points, it takes 42,683 and 51 examples. Fewer "
        "than 0.01% of the significant results name the wrong system.",
    ),
    "an unclear pilot": (
        lambda: examples_needed(compare(*labels(4, 1, 15))),
        f"For a power of 80% an {TEST} needs 69 examples; its power is 80.3% then. Supposed: "
        "as in the pilot (n = 15) system 1 scores higher on 26.7% of all examples and system "
        "2 on 6.67%, a difference of 20.00 percentage points. The pilot's 95% interval, "
        "-16.48 to 51.95 percentage points, holds 0: no number of examples is sure to be enough. "
        "At its other end it takes 16 examples. Fewer than 0.01% of the significant results "
        "name the wrong system.",
    ),
    "groups": (
        lambda: power(compare(*labels(20, 8, 100), groups=np.arange(100) // 7), 30),
        "With 30 groups a two-sided paired-permutation test at α = 0.05 has a power of 17.4%. "
        "Supposed: as in the pilot (n = 15) 26.7% of all groups differ, a difference of 12.00 "
        "percentage points. 0.14% of the significant results name the wrong system. If 8 of "
        "30 groups differ, as is expected, p cannot be below 0.00781. Found by 4,000 draws of "
        "the pilot's groups: the power is off by up to 5 percentage points.",
    ),
    "detectable by draws": (
        lambda: minimum_detectable_difference(real_pilot(), 60),
        "With 60 examples a two-sided paired-permutation test at α = 0.05 finds a difference "
        "of 0.53 with a power of 80%. Supposed: as in the pilot (n = 60) 100% of all examples "
        "differ, and each speaks for the better system with the same probability. No "
        "significant draw names the wrong system. Found by 4,000 draws of the pilot's "
        "examples: the power is off by up to 5 percentage points.",
    ),
    "the normal approximation": (
        lambda: replace(power(PILOT, 300), method="normal approximation", approximation_error=0.01),
        "With 300 examples a two-sided paired-permutation test at α = 0.05 has a power of 97.5%. "
        "Supposed: as in the pilot (n = 100) system 1 scores higher on 20% of all examples and "
        "system 2 on 8%, a difference of 12.00 percentage points. Fewer than 0.01% of the "
        "significant results name the wrong system. Found by the normal approximation, with an "
        "error of 1.00% or so of the power.",
    ),
    "no system is worse": (
        lambda: power((0.1, 0.1), 1),
        f"With 1 example an {TEST} has a power of 0%. Supposed: system 1 scores higher on 10% "
        "of all examples and system 2 on 10%, a difference of 0.00 percentage points. If 0 of "
        "1 example differ, as is expected, p cannot be below 1.",
    ),
    "all are wins": (
        lambda: examples_needed(PairedCounts([1], [0], [20])),
        f"For a power of 80% an {TEST} needs 6 examples; its power is 100% then. Supposed: as "
        "in the pilot (n = 20) system 1 scores higher on 100% of all examples and system 2 on "
        "0%, a difference of 1.00. At the ends of the pilot's 95% interval, 0.62 to 1.00, it "
        "takes 23 and 6 examples. 0% of the significant results name the wrong system. If 6 "
        "of 6 examples differ, as is expected, p cannot be below 0.0312.",
    ),
    "a tiny difference": (
        lambda: examples_needed(PairedCounts([1, 0, 1], [0, 1, 1], [50_000, 49_000, 10**8])),
        f"For a power of 80% an {TEST} needs more than 1,000,000 examples. Supposed: as in the "
        "pilot (n = 100,099,000) system 1 scores higher on 0.05% of all examples and system 2 "
        "on 0.049%, a difference of 0.0000100. At that end of the pilot's 95% interval, "
        "0.000004 to 0.000016, which is nearer to 0, it takes more than 1,000,000 examples.",
    ),
    "always significant": (
        lambda: power(f1_pilot(), 2_000),
        "With 2,000 examples a two-sided paired-permutation test at α = 0.05 has a power of "
        "100%. Supposed: as in the pilot (n = 120) 30% of all examples differ, a difference "
        "of 15.53 percentage points. No significant draw names the wrong system. Found by "
        "4,000 draws of the pilot's examples: the power is off by up to 5 percentage points.",
    ),
    "one example decides": (
        lambda: power(paired_permutation_test([1.0] * 9 + [90.5], [0.0] * 10), 20),
        "With 20 examples a two-sided paired-permutation test at α = 0.05 has a power of "
        "25.6%. Supposed: as in the pilot (n = 10) 100% of all examples differ, a difference "
        "of 9.95. No significant draw names the wrong system. Found by 4,000 draws of the "
        "pilot's examples. A few examples decide: the power may be up to 30 percentage points "
        "larger.",
    ),
}


@one_in(5)
@pytest.mark.parametrize(("asked", "text"), SUMMARIES.values(), ids=SUMMARIES)
def test_summaries(asked, text):
    found = asked()
    assert found.summary() == text
    assert max(map(len, str(found).splitlines())) <= 80
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()


def test_an_infinite_end_is_none():
    found = replace(examples_needed(PILOT), pilot_interval=(-math.inf, 0.3), n_at_ends=(None, 9))
    assert found.to_dict()["pilot_interval"] == [None, 0.3]
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()
    assert "nan" not in found.summary()
