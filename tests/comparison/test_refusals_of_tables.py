"""Results that are not published, and published tables that `verify` refuses."""

import math
import pickle
from pathlib import Path

from corpora.pilots import labels
from corpora.published import sealed
from pairedperm import PairedCounts, compare, paired_permutation_test, publish, verify
from refusals import refuses

REAL = [2**0.5, 3**0.5, 0.1, 0.2], [0.5, 0.25, 1.0, 0.0]
ROWS = [[2, 3], [1, 1], [3, 4]], [[1, 3], [1, 2], [1, 4]]
SETS = [[[x] for x in column] for column in labels(2, 1, 4)]
PUBLISHED = publish(compare(*labels(5, 2, 12)))
UNSEALED = {k: v for k, v in PUBLISHED.items() if k not in ("result", "sha256")}
SCORES = UNSEALED | {
    "version": 2,
    "metric": None,
    "rows1": [2**0.5, 1],
    "rows2": [0, 0.25],
    "multiplicities": None,
    "no_lattice": "2 ** 0.5 is no decimal",
    "rounding": 2.0**-51,
}
EMPTY = {"rows1": [], "rows2": [], "multiplicities": []}


def of_function():
    return paired_permutation_test(*ROWS, score=lambda sums: sums[..., 0] / sums[..., 1])


def in_groups(*columns, **options):
    return publish(compare(*columns, groups=[1, 1, 2, 3], **options))


def verified(text):
    """What is in a file."""
    Path("counts.json").write_text(text, "utf-8")
    return verify("counts.json")


def stated(**changed):
    return verify(PUBLISHED | {"result": PUBLISHED["result"] | changed})


@refuses
def test_refusals():
    # results
    publish([1, 0])
    # -> `result` must be that of a permutation test of scores, got [1, 0] (list).
    publish(compare(*labels(2, 1, 4), test="bootstrap"))
    # -> `result` … scores, got
    publish(of_function())
    # -> `result` has a score of its own, which a table cannot name: publish the result of a
    #    metric
    publish(pickle.loads(pickle.dumps(of_function())))
    # -> was pickled without its score function, which cannot be: there is no table of counts.
    in_groups(*REAL, None, metric="mean_score")
    # -> `result` is of numbers that lie on no lattice, `predictions1`[0] is 1.414213562373095 …
    #    only single scores without groups have a table
    in_groups(*SETS, metric="f1", average="samples", multilabel=True)
    # -> `groups` … single examples
    # tables
    verify(None)
    # -> `published` must be the path of a file, or a dict, got None
    verify("no.json")
    # -> `published` … 'no.json', cannot be read: No such file
    verified("[1]")
    # -> `published` … 'counts.json', must hold a JSON object, got [1]
    verify(PUBLISHED, sha256="0" * 64)
    # -> `published` was altered: the SHA-256 of its table is … and not '000 … Ask for the table
    #    anew.
    verify(PUBLISHED, sha256="0" * 63)
    # -> `sha256` must be 64 hexadecimal digits, publish(result)["sha256"], got
    verify(PUBLISHED | {"format": "counts"})
    # -> `published` must be a table of the format 'pairedperm counts', as
    #    `pairedperm compare --counts` writes it, got the format 'counts'.
    verify(PUBLISHED | {"version": 3})
    # -> `counts` have the version 3, and this release reads 1 and 2. Install the release of
    verify(sealed(UNSEALED | EMPTY))
    # -> `published` has an empty table: there is nothing to recompute
    verify(PairedCounts([[1, 2], [0, 2]], [[0, 1], [1, 1]], [1, 2]).to_dict())
    # -> `published` has rows of several numbers, and names no metric
    verify(PairedCounts([1, 0], [0, 1], [2**61, 2**60]).to_dict())
    # -> `published` has 3.46e+18 examples, too many to recompute
    verify(sealed(UNSEALED | {"rows1": [1]}))
    # -> `counts` are damaged: `rows1` must be as many, and as wide … Write them anew.
    verify(SCORES | {"metric": "f1"})
    # -> `published` is of f1(), which has other rows … (numbers that cannot count labels)
    verify(SCORES | {"metric": ["f1"]})
    # -> `counts`['metric'] must be a name, or None, got ['f1'] (list). Write them anew.
    verify(sealed(UNSEALED | {"metric": "nope"}))
    # -> `metric` must be one of '
    verify(SCORES | {"metric_options": [1]})
    # -> `counts` are damaged: `metric_options` must be a dict or null, got [1] (list).
    verify(SCORES | {"metric": "mean_score", "metric_options": {"metric": "f1"}})
    # -> `published` is of mean_score(metric='f1'): unexpected option 'metric'
    verify(SCORES | {"metric": "mean_score", "metric_options": {"x": 1}})
    # -> `published` is of mean_score(x=1): unexpected option 'x'
    verify(SCORES | {"rounding": 2.0**-54})
    # -> `counts`['rounding'] must be a number from 2^-53 to 2^-9, got 5.5
    verify(SCORES | {"rounding": 0.5})
    # -> `counts`['rounding'] … got 0.5 (float).
    verify(SCORES | {"rounding": True})
    # -> `counts`['rounding'] … got True (bool).
    verify(SCORES | {"rows1": [1.5]})
    # -> `counts` are damaged: `rows1` must be as many
    verify(SCORES | {"rows1": [math.nan, 1.0]})
    # -> `counts` are damaged: Out of range float values
    # what they state
    verify(SCORES)
    # -> `result` lacks 'stat': it must be what `compute` or `to_dict` gave. Write the table with
    verify(PUBLISHED | {"result": []})
    # -> `result` lacks 'stat' … Write the table with `pairedperm compare --counts`.
    verify(PUBLISHED | {"result": [1]})
    # -> `result` must be a dict, got [1] (list). Write the table with `pairedperm compare --counts`
    stated(p=math.nan)
    # -> `result`['p'] must be a number from 0 to 1, got nan
    stated(log_p_low=None)
    # -> `result`['log_p_low'] must be a finite number up to 0, got None (NoneType).
    stated(interval="x")
    # -> `result`['interval'] must be one of 'certified', 'confidence', got 'x' (str).
    stated(n_wins=-1)
    # -> `result`['n_wins'] must be an integer from 0, below 2^63, or None, got -1 (int).
    stated(schema_version=2)
    # -> `result`['schema_version'] must be an integer up to 1, which this release reads, got 2
    #    (int). Install the release of pairedperm that wrote the result.
