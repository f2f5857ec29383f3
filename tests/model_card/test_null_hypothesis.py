"""What the paragraph under the table says of p."""

from corpora.cards import unmarked
from corpora.small import COLUMNS
from pairedperm import compare
from pairedperm.model_card import significance_section
from pairedperm.model_card.markdown import END


def test_lower_is_better():
    """The alternative is of the scores: the lower error rate is no favour to the other system."""
    texts = ["a b"] * 5, ["a c"] * 5, ["a b"] * 5
    section = significance_section(compare(*texts, "word_error_rate", alternative="less"))
    assert "word error rate of this model is significantly lower than" in section
    assert "p is the share whose difference is at most the observed difference." in section


def test_the_kind_of_interval_is_no_markup():
    found = compare(**COLUMNS, confidence_level=0.9).to_dict()
    section = significance_section(found | {"stat_interval": f"a\n\n# b\n\n{END}*c*"})
    assert "asymptotic (a # b &lt;!-- paired_perm:end -->\\*c\\*), and includes" in section


def test_an_interval_without_0_is_not_said_to_include_it():
    """As of a dict that says another p."""
    found = compare(**COLUMNS, confidence_level=0.9).to_dict()
    ends = [(-0.1, 0.6, True), (0.1, 0.6, False), (None, -0.1, False), (None, None, False)]
    for low, high, includes_0 in ends:
        section = unmarked(found | {"stat_low": low, "stat_high": high})
        assert section.endswith("includes 0 because p is above 0.1.") is includes_0
