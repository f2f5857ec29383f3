"""Every result is a table in notebooks, papers and pandas, with the numbers that it prints."""

import math
import re
from functools import cache

import pytest

import pairedperm as p
from corpora.pilots import labels
from pairedperm.readers.comparisons import Comparisons, Logged
from pairedperm.results.correction import with_adjusted
from pairedperm.results.table import Number, Tabular
from results.shown import of_html, of_latex, of_markdown

A, B, RIGHT = [1, 1, 1, 1, 1, 1, 0, 1], [0, 1, 0, 0, 0, 0, 1, 0], [1] * 8
BOARD = {"org/large_v2": A, "<b>|&": B, "日本語": [0] * 8}


def sequential():
    test = p.SequentialTest()
    test.update(A, B)
    return test


def comparisons():
    results = [(Logged(task, "acc_norm"), p.compare(A, B, RIGHT)) for task in ("arc", "mmlu")]
    return Comparisons(with_adjusted(results, "holm"), "holm", 0.05, "large", "a_b | c")


RESULTS = {
    "exact": lambda: p.compare(A, B, RIGHT),
    "sampled": lambda: p.compare(*labels(40, 20, 100), method="monte_carlo", n_resamples=99, rng=0),
    "one-sided": lambda: p.compare(A, B, RIGHT, alternative="greater"),
    "no shares": lambda: p.paired_permutation_test([0.5, 1.5, 2.5], [5, 6, 7.25]),
    "no scores": lambda: p.structured_permutation_test([[1]], [[2]], lambda sums: sums[..., 0]),
    "bootstrap": lambda: p.compare(A, B, RIGHT, test="bootstrap"),
    "equivalence": lambda: p.equivalence_test(A, B, RIGHT, margin=0.1),
    "gate": lambda: p.gate(p.compare(*labels(2, 8, 100))),
    "gate with a margin": lambda: p.gate(p.compare(*labels(40, 45, 1000)), margin=0.015),
    "power": lambda: p.power((0.2, 0.1), 50),
    "bounds": lambda: p.pvalue_bounds(396, 378, 500),
    "examples": lambda: p.examples_needed(p.compare(A, B, RIGHT)),
    "too many examples": lambda: p.examples_needed((0.1, 0.0999)),
    "detectable": lambda: p.minimum_detectable_difference((0.1, 0.2), 90),
    "board": lambda: p.compare_many(BOARD, RIGHT),
    "baseline": lambda: p.compare_many(BOARD, RIGHT, baseline="<b>|&"),
    "suite": lambda: p.compare_suite({"arc_c|": (A, B, RIGHT), "日本": (B, A, RIGHT)}),
    "several tasks": lambda: p.gate_suite(p.compare_suite({"arc_c|": (A, B, RIGHT)})),
    "comparisons": comparisons,
    "sequential": sequential,
}


@cache
def result(name):
    return RESULTS[name]()


every_result = pytest.mark.parametrize("name", RESULTS)


def below(kind):
    return {x for one in kind.__subclasses__() for x in {one, *below(one)}}


def test_no_kind_of_result_is_missing():
    """Of each class with slots there are two, one of which has no subclasses."""
    made = {type(result(name)).__name__ for name in RESULTS}
    for name in p.__all__:  # imported on first use
        getattr(p, name)
    every = below(Tabular)
    common = {x.__name__ for x in every if x.__subclasses__()}
    kinds = {x.__name__ for x in every} - common
    assert made == kinds


@every_result
def test_all_forms_have_the_same_cells(name):
    shown, table = result(name), result(name)._table()
    cells = [[*map(str, row)] for row in (table.header, *table.rows)]
    assert {len(row) for row in cells} == {len(table.header)}
    rows, below = of_html(shown._repr_html_())
    assert (rows, below.split()) == (cells, table.notes.split())
    rows, caption = of_latex(shown.to_latex())
    assert rows == cells
    assert re.sub(r"\W", "", caption) == re.sub(r"\W", "", table.notes)
    frame = shown.to_pandas()
    assert [*frame.columns] == cells[0]
    assert frame.shape == (len(table.rows), len(table.header))


@every_result
def test_markdown(name):
    """That of a gate has no interval in its table, but below it, and the unit in a cell."""
    parts = result(name).to_markdown().split("\n\n")
    rows, _ = of_markdown(next(x for x in parts if x.startswith("| ")))
    table = result(name)._table()
    cells = [[*map(str, row)] for row in (table.header, *table.rows)]
    if "gate" in name:
        cells = [row[:4] + row[5:] for row in cells]
        rows = [[x.removesuffix(" percentage points") for x in row] for row in rows]
        cells[0][3] = "difference"
    assert rows == cells


def parsed(text):
    """The number that a text begins with, and half a unit of its last digit."""
    number, sign = re.match(r"([-\d,.∞]+(?:e-?\d+)?)(%?)", text).groups()
    number = number.replace(",", "").replace("∞", "inf")
    digits, _, exponent = number.partition("e")
    decimals = len(digits.partition(".")[2]) - int(exponent or 0)
    scale = 0.01 if sign else 1.0
    return scale * float(number), 0.5 * scale * 10.0**-decimals


@every_result
def test_numbers_of_pandas_are_those_of_the_texts(name):
    table, frame = result(name)._table(), result(name).to_pandas()
    numbers = [
        (text, value)
        for row, values in zip(table.rows, frame.to_numpy().tolist(), strict=True)
        for text, value in zip(row, values, strict=True)
        if isinstance(text, Number)
    ]
    assert numbers
    for text, value in numbers:
        if value is None or (isinstance(value, float) and math.isnan(value)):
            assert text in ("", "baseline")
            continue
        is_interval = isinstance(value, tuple)
        texts, values = (text.split(" to "), value) if is_interval else ([text], [value])
        for one, exact in zip(texts, values, strict=True):
            number, half = parsed(one)
            assert number == pytest.approx(exact, rel=1e-9, abs=1.001 * half)


@every_result
def test_notebooks_show_a_table(name):
    """Without scripts, and no name is taken for a formula."""
    page = result(name)._repr_html_()
    assert page.startswith('<div class="tex2jax_ignore mathjax_ignore">\n<table>')
    assert not re.search(r"<script|<style|<link|href|src=|javascript", page)
