"""Sentences for LaTeX: what it typesets is the text, and nothing in it is a command."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairedperm import (
    compare,
    equivalence_test,
    examples_needed,
    paired_bootstrap_test,
    paired_permutation_test,
)
from pairedperm.results.table import latex_text
from properties import cases
from results.shown import typeset

COLUMNS = [1, 1, 0, 1, 1, 1], [0, 0, 0, 0, 0, 1], [1, 1, 1, 1, 1, 1]
NAMES = ("50%_of $x$ & {y} #1", r"a\b~c^d--<e>|`f`")


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("95% interval -8.55 to 81.24", r"95\% interval $-$8.55 to 81.24"),
        ("α = 0.05, p ≤ 1e-16", r"$\alpha$ = 0.05, p $\leq$ 1e-16"),
        ("-∞ to −0.5 (-3)", r"$-$$\infty$ to $-$0.5 ($-$3)"),
        ("paired-permutation, gpt-4, 1--2", "paired-permutation, gpt-4, 1-{}-2"),
        ("a_b & c #1 $5 {d}", r"a\_b \& c \#1 \$5 \{d\}"),
        (r"\~^", r"\textbackslash{}\textasciitilde{}\textasciicircum{}"),
        ("é 中 “x” …", "é 中 “x” …"),
    ],
)
def test_what_is_written(text, latex):
    assert latex_text(text) == latex


@cases(2)
@given(st.text(st.sampled_from("ab1 .-−%&_#${}\\~^<>|`'\"αβγδωΔΣµ∞≤≥≈√→×±·é中")))
def test_any_text(text):
    shown = typeset(latex_text(text))
    assert shown.replace("−", "-") == text.replace("−", "-").replace("µ", "μ")


@pytest.mark.parametrize(
    "summary",
    [
        compare(*COLUMNS).summary,
        paired_permutation_test([0, 0, 1], [5, 5, 5]).summary,
        paired_bootstrap_test([0, 0, 1], [5, 5, 5]).summary,
        equivalence_test(compare(*COLUMNS), margin=0.1).summary,
    ],
)
def test_summaries(summary):
    for names in ((), NAMES):
        latex = summary(*names, dataset="C&A_50%", latex=True)
        assert typeset(latex).replace("−", "-") == summary(*names, dataset="C&A_50%")
        assert r"C\&A\_50\%" in latex
        assert r"$\alpha$ = 0.05" in latex
        assert not re.search(r"(?<!\\)%", latex)


def test_a_planned_number_of_examples():
    found = examples_needed((0.1, 0.06))
    assert typeset(found.summary(latex=True)) == found.summary()
    assert r"For a power of 80\%" in found.summary(latex=True)
