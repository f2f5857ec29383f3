"""Open findings of the campaign on inputs: faults of the package that are known, to be mended."""

from __future__ import annotations

from typing import Any

from campaigns.inputs.finding import Finding
from campaigns.inputs.fuzz_call import Call


def recognised(failure: Any) -> Finding | None:
    """The known finding that a failure is."""
    return next((x for x in FINDINGS if x.is_shown_by(failure)), None)


_SCORES = "paired_permutation_test"

FINDINGS: tuple[Finding, ...] = (
    Finding(
        "no numbers for a law",
        "cdf and quantile of texts, objects, ragged lists, huge integers: numpy's own errors",
        Call.of("NullDistribution.quantile", "null([2, 1, 0], [0, 0, 1])", "'a'"),
        r"(?!Assertion|ZeroDivision)\w+Error|leaks \w+Warning",
        r"results/null_distribution.py:(cdf|quantile)",
        function=r"NullDistribution\.(cdf|quantile)",
    ),
    Finding(
        "no numbers for f_1",
        "aggregators.f_1 of texts, objects, ragged lists: numpy's own errors",
        Call.of("aggregators.f_1", "'a'"),
        r"(?!Assertion|ZeroDivision)\w+Error|leaks \w+Warning",
        "scoring/aggregators.py:(__call__|ratio_for|_check_columns)",
        function=r"aggregators\.f_1(\.ratio_for)?",
    ),
    Finding(
        "support beyond 2^53",
        "points of a null distribution that no float tells apart occur twice in its support",
        Call.of(
            "PairedPermutationResult.null_distribution",
            f"{_SCORES}([4611686018427387910, 1000005, 1099511627780, 1000005], [0, 0, 0, 3])",
        ),
        "broken: a support that does not ascend",
        "outside",
        source=r"\d{16}|2\*\*|10\*\*|1e16",
    ),
    Finding(
        "an interval above 1",
        "a certified interval's upper end exceeds 1 by its rounding",
        Call.of(
            _SCORES,
            "[1] * 59 + [0]",
            "[0] * 59 + [1]",
            alternative="'less'",
            method="'enumeration'",
        ),
        r"broken: p_high = 1\.0000000000000002 > 1",
        "outside",
    ),
    Finding(
        "an endless number of resamples",
        "n_resamples of 1e9 and more is accepted, and takes hours or all memory",
        Call.of(
            "paired_bootstrap_test",
            "[3, 1, 2]",
            "[1, 2, 0]",
            method="'monte_carlo'",
            n_resamples="10**12",
            rng="0",
        ),
        r"takes too long|MemoryError|_ArrayMemoryError|OverflowError|ValueError",
        r"(convolution|bootstrap|permutation)/.*|results/sampled.py:.*|"
        r"scoring/(class_score|function|ratio).py:.*",
        function=r"compare|paired_permutation_test|paired_bootstrap_test|run_steps|"
        r"structured_permutation_test|compare_dataset|predict_and_compare",
        source=r"n_resamples=([^,]*1e\d|10\*\*|2\*\*|np.uint64\(2|np.float)",
        seconds=2.0,
    ),
    Finding(
        "only empty sequences",
        "compare_dataset with span_f1 where a column has only empty sequences: IndexError",
        Call.of(
            "compare_dataset",
            "Dataset.from_dict(dict(predictions1=[[]], predictions2=[['O']], references=[[]]), "
            "features=Features(dict.fromkeys(('predictions1', 'predictions2', 'references'), "
            "datasets.Sequence(Value('string')))))",
            metric="'span_f1'",
        ),
        "IndexError",
        r".*",
        "list index out of range|index 0 is out of bounds",
        function="compare_dataset",
        source=r"\[\[\]",
    ),
)
