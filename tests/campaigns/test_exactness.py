"""The campaign on exactness passes, and it can fail: of engines that are spoilt it says so."""

import math
from dataclasses import replace

import pytest

from campaigns import exactness
from campaigns.exact import asking, lowered, open_exactness, routes, truths
from pairedperm.convolution.line import tail
from pairedperm.convolution.plane import tail as plane
from pairedperm.permutation.engines import bracket, enumeration
from properties import one_in

QUICK = range(6)


def run(capsys, *indices):
    """The status, and what was printed, of these cases or of a short run."""
    chosen = ["--only", *map(str, indices)] if indices else ["--minutes", "0.001"]
    status = exactness.main(["--seed", "3", *chosen])
    return status, capsys.readouterr().out


def found(capsys, sentence, kind, most=100):
    """The first case of a kind with few rows that says so, and what was printed."""
    for index in range(500):
        case = asking.drawn(3, index, "both").case
        if case.kind != kind or case.n_rows > most:
            continue
        status, out = run(capsys, index)
        assert status == out.count("\nfailure 1: ")
        if sentence in out:
            return index, out
    raise AssertionError(f"no case says: {sentence}")


def spoilt(p):
    """A probability that is off by 1e-9, and so is its interval."""
    value = min(p.value * (1.0 + 1e-9), 1.0)
    low, high = value * (1.0 - 1e-12), min(value * (1.0 + 1e-12), 1.0)
    return replace(p, value=value, low=low, high=high)


def test_some_cases_pass(capsys):
    status, out = run(capsys, *QUICK)
    assert status == 0
    assert out.splitlines()[0] == "exactness: seed 3, thresholds both"
    assert "6 cases" in out.splitlines()[-1]
    assert " 0 wrong answers" in out.splitlines()[-1]
    table = out[out.index("kind ") : out.index("routes:")].splitlines()
    assert len(table) > 10
    assert max(map(len, table)) <= 80


def test_a_case_is_a_function_of_seed_and_index():
    first, again, other = (asking.drawn(seed, 5, "both") for seed in (1, 1, 2))
    code = [asking.as_code(x, x.options) for x in (first, again, other)]
    assert code[0] == code[1] != code[2]
    assert not asking.drawn(1, 4, "both").settings
    assert not asking.drawn(1, 5, "kept").settings


@one_in(2)
@pytest.mark.parametrize(
    ("module", "name", "kind"),
    [
        (tail, "tilted_lower_tail", "mean"),
        pytest.param(tail, "halved_lower_tail", "mean", marks=pytest.mark.thorough),
        (plane, "tail_by_bands", "ratio"),
    ],
)
def test_wrong_engines_are_found(monkeypatch, capsys, module, name, kind):
    """A p that is off by 1e-9 relatively."""
    right = getattr(module, name)
    monkeypatch.setattr(module, name, lambda *x, **y: spoilt(right(*x, **y)))
    index, out = found(
        capsys, "by exact: the p-value is further from the truth than promised", kind
    )
    assert "by exact: the interval does not hold the truth" in out
    assert f"exactness.py --seed 3 --thresholds both --only {index}\n" in out
    assert "\npairedperm." in out


@pytest.mark.thorough
def test_an_interval_that_is_an_ulp_off_is_found(monkeypatch, capsys):
    right = bracket.bracket_lower_tail

    def above(*arguments):
        p = right(*arguments)
        value = math.nextafter(p.high, 1.0)
        return replace(p, value=value, low=value, high=value) if p.high < 0.5 else p

    monkeypatch.setattr(bracket, "bracket_lower_tail", above)
    found(capsys, "by bracket: the interval does not hold the truth", "mean of reals")


@pytest.mark.thorough
def test_errors_and_hangs_are_failures(monkeypatch, capsys):
    def fails(*_):
        raise ZeroDivisionError("spoilt")

    def hangs(*_):
        raise asking.Hang

    monkeypatch.setattr(enumeration, "enumerate_lower_tail", fails)
    monkeypatch.setattr(plane, "enumerate_planar_tail", hangs)
    found(capsys, "by enumeration: raises ZeroDivisionError: spoilt", "mean")
    found(capsys, "by exact: takes more than 180 s", "ratio")


def test_the_code_of_a_failure_runs_alone():
    """What is printed asks the same question."""
    for index in QUICK:
        question = asking.drawn(3, index, "kept")
        code = asking.as_code(question, question.options | {"method": "monte_carlo"})
        lines = code.splitlines()
        if "..." in lines[-1]:
            continue
        names = {}
        exec("\n".join([*lines[:-1], f"found = {lines[-1]}"]), names)
        asked = question.options | {"method": "monte_carlo"}
        result = question.case.asked(question.case.arguments(), **asked)
        assert names["found"].to_dict() == result.to_dict()


def test_an_unreached_route_is_a_failure(monkeypatch, capsys):
    monkeypatch.setattr(exactness, "MINUTE", 0.0)
    monkeypatch.setattr(open_exactness, "OPEN", [])
    monkeypatch.setattr(asking, "answers", lambda *_: [])
    status, out = run(capsys)
    assert status == 1
    assert "route never reached: plane: bands" in out
    assert out.splitlines()[-1].endswith(f"{len(routes.ROUTES)} other complaints.")


def test_what_is_always_refused_is_a_failure():
    campaign = exactness.Campaign()
    for _ in range(100):
        campaign.add(asking.Answer("mean", "dp", is_refused=True))
        campaign.add(asking.Answer("mean", "fft"))
    assert campaign.never_answered() == ["mean by dp was refused each time"]


def test_a_mended_finding_is_a_failure(monkeypatch, capsys):
    mended = open_exactness.Finding("old", "", lambda: False, lambda failure: False)
    wrong = open_exactness.Finding("new", "", lambda: True, lambda failure: False)
    monkeypatch.setattr(open_exactness, "OPEN", [mended, wrong])
    monkeypatch.setattr(asking, "answers", lambda *_: [])
    status, out = run(capsys)
    assert status == 1
    assert "finding 'old' is mended: delete it" in out
    assert "finding 'new'" not in out


def test_open_findings_are_open():
    assert exactness.mended() == []


def test_names_that_are_gone(monkeypatch):
    monkeypatch.setitem(lowered.THRESHOLDS, ("pairedperm.convolution.line.tail", "GONE"), (1,))
    with pytest.raises(LookupError, match=r"convolution\.line\.tail has no GONE any more"):
        lowered.check()
    with pytest.raises(LookupError, match=r"pairedperm\.gone is no module"):
        routes.place("pairedperm.gone", "x")


def test_settings_are_taken_back():
    before = tail.COUNTABLE
    with lowered.lowered({("pairedperm.convolution.line.tail", "COUNTABLE"): -1}):
        assert tail.COUNTABLE == -1
    assert before == tail.COUNTABLE


def test_its_own_truths_are_those_of_the_oracles():
    """Means by large and small differences apart, functions by the law of sums."""
    import numpy as np

    from corpora import sum_scores
    from oracles import swaps as oracle
    from oracles import vectors as sum_oracle

    rng = np.random.default_rng(0)
    for _ in range(40):
        d = rng.integers(-6, 7, int(rng.integers(1, 12)))
        d[rng.random(len(d)) < 0.2] *= 10**6
        rows = rng.integers(0, 3, (2, 5, 2))
        exact = sum_scores.SCORES["macro"][0]
        for alternative in ("two-sided", "greater", "less"):
            if np.abs(d).max(initial=0) < 100:
                assert truths.mean(d, alternative) == oracle.pvalue(d, alternative)
            reals = truths.reals(d.astype(float), 0.0 * d, alternative)
            assert truths.mean(d, alternative) == reals
            brute = sum_oracle.brute_force(*rows, exact, alternative)
            assert truths.function(*rows, exact, alternative) == brute
