"""What a gate says where the systems differ on no example."""

import numpy as np
import pytest

from corpora.pilots import labels
from pairedperm import compare, gate, paired_permutation_test


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.2])
@pytest.mark.parametrize(("n", "margin"), [(100, 0.01), (2, 0.5), (3, 0.2), (40, 0.0625)])
def test_how_many_ties_decide(n, margin, alpha):
    """The interval of n ties ends at -(1 - α^(1/n)): so many are enough, one fewer is not."""
    found = gate(compare(*labels(0, 0, n)), margin=margin, alpha=alpha)
    if 1.0 - alpha ** (1.0 / n) < margin:
        assert (found.verdict, found.fewest_to_pass) == ("pass", None)
        return
    assert (found.verdict, found.reason) == ("inconclusive", "perhaps beyond the margin")
    total = found.fewest_to_pass
    assert 1.0 - alpha ** (1.0 / total) < margin <= 1.0 - alpha ** (1.0 / (total - 1))
    assert gate(compare(*labels(0, 0, total)), margin=margin, alpha=alpha).passed
    assert not gate(compare(*labels(0, 0, total - 1)), margin=margin, alpha=alpha).passed


def test_ties_of_scores():
    """How large a loss may be only a known range says, or scores that are all 0 or 1."""
    for scores in ([0, 5] * 20, [0.5, 0.25] * 20, [0.25] * 40):
        found = gate(paired_permutation_test(scores, scores), margin=0.005)
        assert (found.verdict, found.equivalence) == ("inconclusive", None)
        assert [x[:35] for x in found.outlook()] == ["No interval tests the margin here. "]
    known = {"metric": "mean_score", "score_range": (0, 5)}
    found = gate(compare([0.25] * 40, [0.25] * 40, None, **known), margin=0.1)
    assert (found.verdict, found.equivalence.interval_method) == ("inconclusive", "guaranteed")


def test_ties_of_groups():
    """Accuracy has a range; that of a corpus which is scored as one says nothing of examples."""
    groups = np.arange(100) // 4
    result = compare(*labels(0, 0, 100), groups=groups)
    found = gate(result, margin=0.01)
    assert found.equivalence.interval_method == "guaranteed"
    assert (found.verdict, found.fewest_to_pass) == ("inconclusive", None)
    found = gate(compare(*labels(0, 0, 100), "f1", groups=groups), margin=0.01)
    assert (found.verdict, found.equivalence) == ("inconclusive", None)


def test_ties_of_recall():
    """Of 1,000 examples 50 have the label: as many of further examples are supposed to."""
    right, said = [1] * 50 + [0] * 950, [1] * 40 + [0] * 960
    found = gate(compare(said, said, right, "recall"), margin=0.01)
    assert "takes at least 5,980 examples" in "".join(found.outlook())
    assert found.fewest_to_pass == 299 * 20
    groups = [min(k, 40) for k in range(80)]  # of several sizes
    found = gate(compare([1] * 80, [1] * 80, [1] * 80, groups=groups), margin=0.05)
    assert (found.verdict, found.fewest_to_pass) == ("inconclusive", None)
