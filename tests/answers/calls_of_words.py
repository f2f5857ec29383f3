"""What people read of a result: sentences, Markdown, LaTeX, HTML and tables; pictures are drawn."""

from functools import partial

from answers.answer import Call
from answers.calls_of_corpora import (
    BOARD,
    FAMILIES,
    JUDGES,
    OF_TASKS,
    PLAYERS,
    TASKS,
    bootstrapped,
    family,
    numbers,
)
from answers.package import (
    SequentialTest,
    compare,
    compare_many,
    compare_suite,
    compare_suites,
    equivalence_test,
    examples_needed,
    gate,
    gate_suite,
    minimum_detectable_difference,
    model_card,
    paired_permutation_test,
    plots,
    power,
    pvalue_bounds,
)

RIGHT = FAMILIES["accuracy"][1]
DOCUMENTS = [k // 4 for k in range(80)]


def looked():
    test = SequentialTest()
    test.update([1, 1, 0, 1], [0, 1, 1, 0])
    return test


RESULTS = {
    "accuracy": partial(family, "accuracy"),
    "F1": partial(family, "F1"),
    "macro F1": partial(family, "F1, macro, of two"),
    "a judge": partial(family, "a judge, in a range"),
    "groups": partial(compare, *RIGHT, groups=DOCUMENTS),
    "sampled": partial(family, "kappa, linear"),
    "scores": partial(paired_permutation_test, *numbers(60, 3)),
    "tiny p": partial(paired_permutation_test, [1] * 2000, [0] * 2000),
    "equal": partial(paired_permutation_test, [1, 2], [1, 2]),
    "a bootstrap": partial(bootstrapped, "accuracy"),
    "a bootstrap of F1": partial(bootstrapped, "F1"),
    "a board": partial(compare_many, PLAYERS, BOARD),
    "a board of judges": partial(compare_many, JUDGES),
    "a board of tasks": partial(compare_suites, OF_TASKS),
    "a suite": partial(compare_suite, TASKS),
    "a gate": lambda: gate(family("accuracy")),
    "a gate with a margin": lambda: gate(family("accuracy"), margin=0.1),
    "a gate of a suite": lambda: gate_suite(compare_suite(TASKS), margin=0.1),
    "equivalence": lambda: equivalence_test(compare(*RIGHT), margin=0.1),
    "bounds": partial(pvalue_bounds, 396, 378, 500),
    "power": partial(power, (0.06, 0.03), 500),
    "examples": partial(examples_needed, (0.06, 0.03)),
    "what is detectable": partial(minimum_detectable_difference, (0.06, 0.03), 500),
    "looks": looked,
}
WAYS = ("__str__", "to_markdown", "to_latex", "to_pandas", "_repr_html_")
NAMED = {"name1": "large", "name2": "small_*", "dataset": "dev | [set]"}
PICTURES = {
    "null distribution of accuracy": ("accuracy", "plot_null_distribution"),
    "null distribution of F1": ("F1", "plot_null_distribution"),
    "board": ("a board", "plot_leaderboard"),
    "p matrix": ("a board", "plot_p_matrix"),
}


def told(result, way):
    """The text of one way; frames have another name today."""
    found = result()
    text = getattr(found, way if hasattr(found, way) else "to_frame")()
    return text.to_csv() if hasattr(text, "to_csv") else text


def summary(result):
    """The sentences with names."""
    return result().summary("large", "small_*", dataset="dev | [set]")


def drawn(name, function):
    """The texts of a picture, and how many marks it has."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt
    from matplotlib.text import Text

    axes = getattr(plots, function)(RESULTS[name]())
    axes = getattr(axes, "axes", axes)
    axes = axes[0] if isinstance(axes, list) else axes
    axes.figure.canvas.draw()
    texts = [x.get_text() for x in axes.figure.findobj(Text) if x.get_text()]
    found = [sorted(texts), len(axes.lines), len(axes.patches), len(axes.collections)]
    plt.close(axes.figure)
    return found


OF_TESTS = [*RESULTS][: [*RESULTS].index("a board")]
CALLS = [
    Call(f"words, {name}, {way}", partial(told, result, way), needs="pandas")
    for name, result in RESULTS.items()
    for way in WAYS
]
CALLS += [
    Call(f"words with names, {name}", partial(summary, RESULTS[name]))
    for name in (*OF_TESTS, "equivalence")
]
CALLS += [
    Call(
        f"words of a card, {name}",
        lambda result=RESULTS[name]: model_card.significance_section(result(), **NAMED),
    )
    for name in OF_TESTS
]
CALLS += [
    Call(f"picture, {name}", partial(drawn, *of), needs="matplotlib")
    for name, of in PICTURES.items()
]
