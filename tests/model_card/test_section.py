"""The section: what a card says of a comparison."""

import math
import re

import pytest
from markdown_it import MarkdownIt

import pairedperm
from corpora.cards import RESULT, unmarked
from corpora.small import COLUMNS, EXPECTED
from pairedperm import compare, paired_permutation_test
from pairedperm.model_card import significance_section
from pairedperm.model_card.markdown import END


def sentence(result, **names):
    return unmarked(result, **names).split("\n")[4]


def rows(result, **names):
    return dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", unmarked(result, **names), re.M))


def test_section_in_full():
    assert unmarked(RESULT, name1="large", name2="small", dataset="dev") == (
        "## Statistical significance\n\n"
        "### Against small: accuracy on dev\n\n"
        "On dev, the accuracy of large does not differ significantly from that of small: 83.33% "
        "against 33.33%. The difference is 50.00 percentage points (95% confidence interval -23.53 "
        "to 88.19). The exact two-sided paired-permutation test gives p = 0.25 (n = 6, α = 0.05)."
        "\n\n"
        "| quantity | value |\n|:--|:--|\n"
        "| accuracy of large | 83.33% |\n"
        "| accuracy of small | 33.33% |\n"
        "| difference | 50.00 percentage points |\n"
        "| 95% interval of the difference | -23.53 to 88.19 percentage points |\n"
        "| p | 0.25 |\n"
        "| examples (n) | 6 |\n"
        "| examples scored differently | 3 |\n"
        "| method | exact two-sided paired-permutation test |\n"
        f"| version | pairedperm {pairedperm.__version__} |\n\n"
        "Null hypothesis: on each example, the outputs of the two systems are exchangeable. Of "
        "all 2ⁿ ways to swap them, p is the share whose difference is at least as large, in either "
        "direction. Ties count. The confidence interval of the difference in the population is "
        "exact, and excludes 0 where p is at most 0.05."
    )


def test_groups():
    groups = [1, 1, 2, 2, 3, 3]
    found = unmarked(compare(**COLUMNS, groups=groups).to_dict())
    assert "| examples (n) | 6 |\n| groups | 3 |\n| groups scored differently | " in found
    assert "on each group of examples, the outputs of the two systems are exchangeable" in found
    assert "Of all ways to swap whole groups, p is the share" in found
    found = unmarked(compare(**COLUMNS, groups=groups, test="bootstrap"))
    assert (
        "A resample draws as many groups of examples with replacement. Of all resamples, p is"
        in found
    )


def test_results_and_their_dicts():
    found = compare(**COLUMNS, confidence_level=0.95).to_dict()
    assert unmarked(found) == unmarked(RESULT)
    assert "interval" not in unmarked(EXPECTED)  # which had none
    assert sentence(RESULT).startswith("The accuracy of this model does not differ significantly ")


def test_p_has_three_digits():
    """P = 0.0127; p = 6.3e-188; where p underflows its logarithm stands beside it."""
    for wins, p in ((3, "0.25"), (11, "0.000977"), (624, "2.87e-188"), (2000, "1.74e-602")):
        result = compare([1] * wins, [0] * wins, [1] * wins)
        assert f" gives p = {p} (n = " in sentence(result)
        assert rows(result)["p"] == p
        assert rows(result).get("log p (natural)") == {2000: "-1385.6"}.get(wins)
    assert sentence({**EXPECTED, "p": 0.01267, "log_p": math.log(0.01267)}).endswith(
        " gives p = 0.0127 (n = 6, α = 0.05)."
    )
    assert sentence({**EXPECTED, "p": 6.3e-188, "log_p": math.log(6.3e-188)}).endswith(
        " gives p = 6.3e-188 (n = 6, α = 0.05)."
    )


@pytest.mark.parametrize(
    ("alternative", "test", "direction"),
    [
        ("two-sided", "two-sided", "as large, in either direction. Ties count."),
        ("greater", "one-sided (greater)", "is at least the observed difference. Ties count."),
        ("less", "one-sided (less)", "is at most the observed difference. Ties count."),
    ],
)
def test_alternatives(alternative, test, direction):
    result = compare(**COLUMNS, alternative=alternative)
    assert f" The exact {test} paired-permutation test gives p = " in sentence(result)
    assert direction in unmarked(result)


@pytest.mark.parametrize("dataset", ["C #", "C##", "#", "# C"])
def test_titles_end_with_the_whole_name(dataset):
    """A heading in Markdown may close with signs that are not shown."""
    title = MarkdownIt().parse(unmarked(RESULT, dataset=dataset))[4]
    shown = "".join(x.content for x in title.children)
    assert shown == f"Against the baseline: accuracy on {dataset}"


def test_brackets():
    """Of p, proven: its upper end."""
    found = EXPECTED | {"method": "bracket", "p_low": 0.2499, "log_p_low": math.log(0.2499)}
    assert rows(found)["proven interval of p"] == "0.2499 to 0.25"
    assert rows(found)["method"] == "bracketed two-sided paired-permutation test"
    assert unmarked(found).endswith(
        "Ties count. The p that is given is the upper end of a proven interval."
    )


def test_orders():
    swapped = compare(COLUMNS["predictions2"], COLUMNS["predictions1"], COLUMNS["references"])
    assert "differ significantly from that of the baseline: 33.33% against 83.33%." in sentence(
        swapped
    )
    assert "difference is -50.00 percentage points (95% confidence interval -88." in sentence(
        swapped
    )
    assert rows(swapped)["difference"] == "-50.00 percentage points"
    same = compare([1, 0], [1, 0], [1, 1])
    assert "is the same as that of the baseline: 50.00%. The difference is 0.00 perc" in sentence(
        same
    )
    assert (rows(same)["difference"], rows(same)["p"]) == ("0.00 percentage points", "1")


def test_intervals_that_do_not_include_0():
    section = unmarked(compare([1] * 20, [1] * 8 + [0] * 12, [1] * 20))
    assert section.endswith("in the population is exact, and excludes 0 where p is at most 0.05.")
    section = unmarked(paired_permutation_test([1, 2] * 20, [0.5, 0] * 20))
    assert section.endswith("difference in the population is asymptotic (studentised bootstrap).")


def test_close_scores_do_not_look_the_same():
    n = 300_000
    result = compare([1] * n, [0, *[1] * (n - 1)], [1] * n)
    assert "100.00000% against 99.99967%. The difference is 0.00033 percentage" in sentence(result)


def test_metrics():
    assert "the exact match of" in sentence(compare(**COLUMNS, metric="exact_match")).lower()
    result = paired_permutation_test([7, 9, 4.5, 10, 8], [6, 9, 5, 7, 7])
    assert ": 7.70 against 6.80. The difference is 0.90 (95% conf" in sentence(result)
    result = paired_permutation_test([10**12 + 1, 1], [10**12, 2])
    assert "same as that of the baseline: 500,000,000,001.00. The" in sentence(result)
    result = paired_permutation_test([1234567, 1], [1000000, 1])
    assert ": 617,284.00 against 500,000.50. The difference is 117,283.50." in sentence(result)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("org/model_name-v2.1", "org/model_name-v2.1"),
        ("_private_ *x* `code`", r"\_private\_ \*x\* \`code\`"),
        ("a|b [c](d) ~e~ $f$", r"a\|b \[c\](d) \~e\~ \$f\$"),
        ("<b>x</b> & &lt;", "&lt;b>x&lt;/b> &amp; &amp;lt;"),
        ("two\nlines\u2028of\ttext ", "two lines of text"),
        (END, "&lt;!-- paired_perm:end -->"),
        ("back\\slash", r"back\\slash"),
    ],
)
def test_names_are_no_markup(name, shown):
    section = unmarked(RESULT, name1=name, name2=f"the {name}", dataset=name)
    assert section.split("\n")[2] == f"### Against the {shown}: accuracy on {shown}"
    assert section.split("\n")[4].startswith(
        f"On {shown}, the accuracy of {shown} does not differ significantly from that of the "
        f"{shown}: "
    )
    assert f"\n| accuracy of {shown} | 83.33% |\n" in section
    assert len(section.split("\n")) == len(unmarked(RESULT).split("\n"))


@pytest.mark.parametrize(
    ("results", "shown"),
    [
        (([1.44] * 4, [13.9] * 4), ": 1.44 against 13.90. The difference is -12.46."),
        (([-0.3] * 4, [50] * 4), ": -0.30 against 50.00. The difference is -50.30."),
        (([-1e-9, 1e-9], [50, 50]), ": 0.00 against 50.00. The difference is -50.00."),
        (
            ([3e-9] * 4, [1e-9] * 4),
            ": 0.0000000030 against 0.0000000010. The difference is 0.00000000",
        ),
        (([3e-17] * 3, [0] * 3), ": 3e-17 against 0. The difference is 3e-17."),
        (([1234567.5] * 2, [1234567.5] * 2), ": 1,234,567.50. The"),
        (([0, 0], [0, 0]), ": 0.00. The"),
    ],
)
def test_digits_of_scores(results, shown):
    assert shown in sentence(paired_permutation_test(*results))


def test_labels_that_were_left_out():
    result = compare([[1, 0, 1]], [[0, 0, 1]], [[1, -100, -100]])
    assert "| examples scored differently | 1 |\n| labels left out | 2 |\n" in unmarked(result)
    assert "left out" not in unmarked({**result.to_dict(), "n_ignored": 0})


def test_other_metrics_and_methods_are_no_markup():
    found = {**EXPECTED, "metric": "a|b\nc_d", "method": "monte_carlo", "n": 6.0}
    section = unmarked(found)
    assert "| a\\|b c d of this model | 0.83 |" in section
    assert " The Monte Carlo two-sided paired-permutation test gives p = 0.25 (n = 6," in section


def test_sampled_pvalues():
    """The section says that p was sampled, how often, and how far p may be off."""
    columns = [0] * 30 + [1] * 40, [1] * 26 + [0] * 44, [1] * 70
    result = compare(*columns, metric="f1", method="monte_carlo", n_resamples=20_000, rng=0)
    for given in (result, result.to_dict()):
        assert (
            " The Monte Carlo two-sided paired-permutation test with 20,000 samples gives p = "
            in sentence(given, name1="large", name2="small")
        )
        found = rows(given)
        assert found["method"].endswith("test with 20,000 samples")
        low, high = map(float, found["99% interval of p"].split(" to "))
        assert low < result.pvalue < high
        assert "(k + 1) / (samples + 1), where k of them are as ext" in unmarked(given)
    assert "F1 for label 1 of large" in unmarked(result, name1="large")


@pytest.mark.parametrize(
    ("metric", "name"),
    [
        ("f1", "F1 for label 1"),
        ("fbeta", "F2 for label 1"),
        ("jaccard", "Jaccard index for label 1"),
        ("precision", "precision for label 1"),
        ("accuracy", "accuracy"),
    ],
)
def test_names_of_metrics(metric, name):
    options = {"beta": 2} if metric == "fbeta" else {}
    result = compare([1, 0, 1], [1, 0, 0], [1, 1, 1], metric, **options)
    assert sentence(result).startswith(f"The {name} of this model ")


def test_lower_is_better():
    """The alternative is of the scores: the lower error rate is no favour to the other system."""
    texts = ["a b"] * 5, ["a c"] * 5, ["a b"] * 5
    section = significance_section(compare(*texts, "word_error_rate", alternative="less"))
    assert "word error rate of this model is significantly lower than" in section
    assert "p is the share whose difference is at most the observed difference." in section


def test_the_kind_of_interval_is_no_markup():
    found = compare(**COLUMNS, confidence_level=0.9).to_dict()
    section = significance_section(found | {"stat_interval": f"a\n\n# b\n\n{END}*c*"})
    assert "asymptotic (a # b &lt;!-- paired_perm:end -->\\*c\\*)." in section


def test_an_interval_without_0_is_not_said_to_include_it():
    """As of a dict that says another p."""
    found = compare(**COLUMNS, confidence_level=0.9).to_dict()
    found |= {"stat_interval": "studentised bootstrap"}
    ends = [(0.0, 0.6, True), (-0.1, 0.6, False), (None, -0.1, False), (None, None, False)]
    for low, high, includes_0 in ends:
        section = unmarked(found | {"stat_low": low, "stat_high": high})
        assert section.count("includes 0 because p is above 0.1.") == includes_0
