"""The engine is chosen in one place, and the result holds the choice."""

import ast
import pickle
from functools import partial

import numpy as np
import pytest

from choices import plan
from pairedperm import compare, paired_bootstrap_test, paired_permutation_test
from pairedperm.convolution.engine import Answer, Best, Cost, Engine, choose
from pairedperm.convolution.plane import tail as plane
from pairedperm.errors import BudgetError
from pairedperm.errors.message import Message
from pairedperm.options import read_options
from pairedperm.permutation import ratios
from pairedperm.permutation.choose import chosen, problem_of, why_passed
from pairedperm.scoring.arguments import read_arguments
from pairedperm.scoring.ratio import Ratio
from trees import sources_of, tree_of

CHEAP = Cost(2, "tilted sums in the plane", (9, 9), 81, 99, 1e-9)
LAWS = {  # who asks for a cost: the choice asks engines, and these ask for the law of a tail
    ("convolution/engine.py", "choose"),
    ("convolution/plane/tail.py", "cost"),
    ("permutation/choose.py", "_is_quick"),  # of sampling, if the method before takes long
}


def test_who_asks_for_a_cost():
    found = set()
    for path, text in sources_of().items():
        for function in ast.walk(tree_of(text)) if ".cost(" in text else ():
            if isinstance(function, ast.FunctionDef):
                calls = [x.func for x in ast.walk(function) if isinstance(x, ast.Call)]
                if any(isinstance(x, ast.Attribute) and x.attr == "cost" for x in calls):
                    found.add((path, function.name))
    assert found == LAWS


class Fixed(Engine):
    """An engine of a cost that is given; what runs says which it is."""

    def __init__(self, name, cost, fails=False):
        self.name, self._cost, self._fails = name, cost, fails

    def cost(self, problem, limits):
        return self._cost

    def run(self, problem, limits, cost):
        if self._fails:
            raise BudgetError(f"{self.name} is too much")
        return Answer(self.name)


def seconds(x, **more):
    return Cost(1, f"in {x} s", seconds=x, **more)


FAR = Message("it is too far")
ENGINES = [
    Fixed("none", None),
    Fixed("far", Cost(1, excess=FAR)),
    *(Fixed(f"{x} s", seconds(x)) for x in (9.0, 5.0, 2.0, 5.0, 1.0)),
    Fixed("surely", seconds(7.0, settles=True)),
]


@pytest.mark.parametrize(
    ("quick", "order"),
    [
        (0.0, ["surely", "1.0 s", "2.0 s", "5.0 s", "5.0 s", "9.0 s", "far"]),
        (2.0, ["2.0 s", "1.0 s", "surely", "5.0 s", "5.0 s", "9.0 s", "far"]),
        (9.0, ["9.0 s", "5.0 s", "2.0 s", "5.0 s", "1.0 s", "surely", "far"]),
    ],
)
def test_order(quick, order):
    """The quick ones as they are listed, then the others by their seconds."""
    failed = []
    for name in order:
        found = choose(
            ((x, 0) for x in ENGINES), None, lambda choice: choice.cost.seconds <= quick, failed
        )
        assert found.engine.name == name
        assert FAR is (found.cost.excess if name == "far" else found.passed.excess)
        failed.append(found.engine)
    assert choose([(x, 0) for x in ENGINES], None, lambda _: True, failed) is None


def test_nothing_is_asked_after_the_first_that_is_quick():
    def candidates():
        yield ENGINES[2], 0
        raise AssertionError

    assert choose(candidates(), None, lambda _: True).engine.name == "9.0 s"


def test_if_none_fits_the_last_says_why():
    last = Fixed("last", Cost(2, excess=Message("no")))
    found = choose([(ENGINES[1], 0), (ENGINES[0], 0), (last, 0)], None, lambda _: True)
    assert (found.engine.name, str(found.cost.excess)) == ("last", "no.")
    assert found.passed.excess is FAR


class Fastest(Best):
    """The fastest of the engines that are its problem."""

    name = "fastest"

    def candidates(self, problem):
        return [(x, 0) for x in problem]

    def is_quick(self, choice):
        return False


FASTEST = Fastest()


def test_the_next_one_runs_instead():
    slow, fast = Fixed("slow", seconds(2.0)), Fixed("fast", seconds(1.0), fails=True)
    cost = FASTEST.cost([slow, fast], None)
    assert (cost.how, cost.settles) == ("in 1.0 s", False)
    answer = FASTEST.run([slow, fast], None, cost)
    assert (answer.p, answer.instead.how, str(answer.why)) == (
        *("slow", "in 2.0 s", "fast is too much."),
    )
    answer = FASTEST.run([slow], None, FASTEST.cost([slow], None))
    assert answer == Answer("slow")


@pytest.mark.parametrize("engines", [[Fixed("a", seconds(1.0), fails=True)], [ENGINES[1]]])
def test_an_error_if_there_is_no_next_one(engines):
    with pytest.raises(BudgetError, match=r"a is too much\.|it is too far\."):
        FASTEST.run(engines, None, FASTEST.cost(engines, None))


def f1_of_400(n=400):
    rng = np.random.default_rng(0)
    return rng.integers(0, 2, (3, n))


@pytest.mark.parametrize("options", [{}, {"method": "exact"}, {"method": "exact", "n": 600}])
def test_a_result_tells_what_ran(options):
    """Also with a budget under which another engine runs than with the usual one."""
    options = dict(options)
    columns = f1_of_400(options.pop("n", 400))
    options |= {"metric": "f1", "budget": {"max_points": 200}}
    planned, result = plan(*columns, **options), compare(*columns, **options)
    assert planned.reason == "all swaps are counted"
    assert result.reason == planned.reason


def test_a_run_that_goes_another_way_says_so(monkeypatch):
    for name in ("COUNTED", "ENUMERATED"):
        monkeypatch.setattr(plane, name, -1)
    monkeypatch.setattr(plane, "tilted_cost", lambda *_: CHEAP)
    run = partial(compare, *f1_of_400(60), "f1", budget={"max_points": 1})
    planned, result = plan(*f1_of_400(60), metric="f1", budget={"max_points": 1}), run()
    assert planned.reason == "tilted sums in the plane"
    assert result.method == planned.method == "exact"
    assert result.reason.startswith("all swaps are counted, because the exact p-value needs ")
    monkeypatch.undo()
    assert result == compare(*f1_of_400(60), "f1")  # what is told is not compared


REAL = np.random.default_rng(1).normal(size=(2, 60))
WHOLE = np.random.default_rng(1).integers(0, 50, (2, 60, 2))


@pytest.mark.parametrize("method", ["auto", "exact", "enumeration", "dp", "fft", "bracket"])
def test_every_method_of_swaps(method):
    pair = WHOLE[:, :12, 0]
    result = paired_permutation_test(*pair, method=method)
    planned = plan(*pair, method=method)
    assert (result.method, result.reason) == (planned.method, planned.reason)


@pytest.mark.parametrize(
    ("test", "data", "options", "reason"),
    [
        (paired_permutation_test, REAL, {}, "a proven interval from the characteristic function, "),
        (paired_permutation_test, REAL, {"method": "monte_carlo"}, "asked for with method='mo"),
        (paired_bootstrap_test, REAL, {}, "`counts1`[0] is 0.3455"),
        (paired_bootstrap_test, REAL, {"method": "monte_carlo"}, "asked for with method='mo"),
        (paired_bootstrap_test, WHOLE[..., 0], {}, "all resamples at once"),
        (
            *(paired_bootstrap_test, WHOLE, {"score": Ratio([1, 0], [0, 1])}),
            "the two systems' denominators differ",
        ),
    ],
)
def test_reasons(test, data, options, reason):
    result = test(*data, **options)
    assert result.reason.startswith(reason)
    assert pickle.loads(pickle.dumps(result)).reason == result.reason


@pytest.mark.parametrize(
    ("data", "options"),
    [
        (WHOLE[..., 0], {}),
        (WHOLE, {"score": Ratio([1, 0], [0, 1])}),
        (WHOLE[:, :9], {"score": np.sqrt, "method": "dp"}),
        (REAL, {}),
        (WHOLE[..., 0], {"method": "monte_carlo"}),
    ],
)
def test_an_estimate_is_names_and_numbers(data, options):
    """It pickles, with all that the run uses again."""
    read = read_options(method=options.pop("method", "auto"))
    if options.get("score") is np.sqrt:
        options["score"] = root_of_product
    problem = problem_of(
        *read_arguments(*data, **{"score": None, "groups": None} | options)[:2], "two-sided"
    )
    cost = chosen(problem, read).cost
    copied = pickle.loads(pickle.dumps(cost))
    assert copied[:8] == cost[:8]


def root_of_product(sums):
    return np.sqrt(sums[..., 0] * sums[..., 1])


def test_sampling_is_refused_after_a_run_that_failed():
    """The ideal bootstrap proves to be too much, and so many resamples are too many."""
    options = {"n_resamples": 10**9, "budget": {"max_points": 1}}
    with pytest.raises(BudgetError, match="`n_resamples` must be at most"):
        compare(*f1_of_400(3000), test="bootstrap", **options)


def test_sampling_seeks_no_lattice(monkeypatch):
    monkeypatch.setattr(ratios, "spanned", None)
    pair = WHOLE
    result = paired_permutation_test(*pair, score=Ratio([1, 0], [0, 1]), method="monte_carlo")
    assert result.reason == "asked for with method='monte_carlo'"


def test_the_first_reason_is_told(monkeypatch):
    """The tilted sums prove to be too much, then enumeration is refused, and p is sampled."""
    for name in ("COUNTED", "ENUMERATED", "MANY_BITS", "MANY_SUMS"):
        monkeypatch.setattr(plane, name, -1)
    monkeypatch.setattr(plane, "tilted_cost", lambda *_: CHEAP)
    with pytest.warns(UserWarning, match="because the exact p-value needs a Fourier transform in"):
        result = compare(*f1_of_400(60), "f1", budget={"max_points": 1})
    assert result.reason.startswith("p is sampled, because the exact p-value needs a Fourier")
    assert result.method == "monte_carlo"


def decimals(n, digits):
    """Scores of two systems, of so many decimals."""
    one, two = np.random.default_rng(n).random((2, n))
    return np.round(one + 0.1, digits), np.round(two, digits)


@pytest.mark.parametrize(
    ("n", "digits", "method", "width"),
    [
        *((800, 4, "exact", 1e-11), (40, 8, "exact", 1e-11), (60, 12, "bracket", 1e-3)),
        *((100, 6, "bracket", 1e-3), (100, 16, "bracket", 1e-3), (200, 8, "bracket", 1e-3)),
        *((400, 8, "bracket", 1e-5), (800, 8, "bracket", 1e-6), (3000, 12, "bracket", 1e-6)),
    ],
)
def test_the_digits_of_auto(n, digits, method, width):
    """Eleven where they are prompt, six where these are, and three of whatever scores."""
    scores = decimals(n, digits)
    result = paired_permutation_test(*scores)
    low, high = result.pvalue_interval
    assert result.method == method
    assert high - low < width * high
    assert result.pvalue == (high if method == "bracket" else pytest.approx(low, rel=1e-11))


@pytest.mark.thorough
@pytest.mark.parametrize(("n", "digits"), [(400, 8), (100, 6)])
def test_the_exact_pvalue_is_in_the_bracket_of_auto(n, digits):
    scores = decimals(n, digits)
    found, exact = (paired_permutation_test(*scores, method=x) for x in ("auto", "exact"))
    low, high = found.pvalue_interval
    assert (found.method, exact.method) == ("bracket", "exact")
    assert low <= exact.pvalue_interval[0] <= exact.pvalue_interval[1] <= high == found.pvalue


def test_auto_takes_no_bracket_without_a_digit():
    """Sums in clusters, of some tall and many short, which no lattice separates."""
    signs = np.where(np.random.default_rng(1).random(48) < 0.3, -1.0, 1.0)
    scores = signs * np.repeat([1.0, 1.0 + 1e-13, 1e-13 * 2**0.5, 1e-13 * 3**0.5], 12)
    asked, found = (
        paired_permutation_test(scores, np.zeros(48), method=x) for x in ("bracket", "auto")
    )
    low, high = asked.pvalue_interval
    assert high - low > 0.5 * high
    assert found.method == "enumeration"
    assert low <= found.pvalue_interval[0] <= found.pvalue <= high


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.031, "0.031 s"), (9.96, "10 s"), (99.7, "100 s"), (1234.5, "1,234 s")]
)
def test_how_long_the_exact_pvalue_takes(seconds, told):
    assert f"takes about {told}, and " in str(why_passed(Cost(1, seconds=seconds)))
