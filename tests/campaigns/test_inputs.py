"""The campaign on inputs: hostile calls of every public function, and published results."""

import json
import math
import warnings
from contextlib import suppress

import pytest
from hypothesis import Phase, assume, example, find, given, settings
from hypothesis import strategies as st

from campaigns.inputs.call import Call, called, calls
from campaigns.inputs.grammar import ROOMS, sources
from campaigns.inputs.invariants import hold
from campaigns.inputs.names import NAMES
from extras import on_posix
from pairedperm import InputError, PairedCounts, paired_permutation_test, publish, verify
from pairedperm.permutation import test as permutation
from properties import some
from strategies.hostile import CONTAINERS, SCALARS

pytestmark = [on_posix, pytest.mark.weight(2), pytest.mark.filterwarnings("ignore")]
PLAIN = "paired_permutation_test([2, 0, 1, 5], [1, 1, 0, 0], rng=0)"
CLAIMS = ("p", "p_high", "p_low", "stat", "score1", "score2", "n", "n_differing", "n_resamples")


@pytest.fixture
def here(tmp_path, monkeypatch, registered):
    """Calls are made in a temporary directory, since they write files."""
    monkeypatch.chdir(tmp_path)


def calls_of(room):
    @given(call=calls(ROOMS[room]))
    def test(here, call):
        hold(call)

    return test


for room in ROOMS:
    globals()[f"test_{room}"] = calls_of(room)


@example(
    source="compare([1, 1, 1, 2, 1, 2, 2], [1, 1, 2, 1, 1, 2, 2], [0, 0, 0, 0, 1, 0, 2], "
    "'precision', average='macro', groups=[0, 0, 0, 0, 0, 0, 0])",
    name="p",
    times=2,
)
@given(
    source=sources([ROOMS["tests"][k] for k in (5, 0, 1)]),
    name=st.sampled_from(CLAIMS),
    times=st.sampled_from((2, 1.001)),
)
def test_published_results(here, source, name, times):
    """An honest result is not refuted, and its table gives it again; an altered one is refuted."""
    result, _, _ = called(Call.of(source))
    assume(not isinstance(result, Exception))
    published = {}
    with suppress(InputError):
        published = json.loads(json.dumps(publish(result), allow_nan=False))
    assume(published and published["result"][name] is not None)
    stated = published["result"]
    if result.interval == "certified":  # of samples one in a hundred is refuted
        assert verify(published).status != "refuted"
        if published["version"] == 1:
            counts = PairedCounts.from_dict(published)
            options = {"alternative": result.alternative, "method": result.method}
            again = paired_permutation_test(counts, **options).to_dict()
            for x, y in stated.items():  # of counts of groups, ratios are added in another order
                is_score = x in ("stat", "score1", "score2")
                assert again[x] == (pytest.approx(y, rel=1e-14, abs=1e-15) if is_score else y)
    factor = 1.0 / times if name == "p_low" else times  # no interval becomes narrower
    size = abs(stated["score1"]) + abs(stated["score2"]) or 1.0
    is_score = name in ("stat", "score1", "score2")  # another beyond rounding
    value = stated[name] + times * size if is_score else (stated[name] or 1) * factor
    changed = stated | {name: value}
    changed["p_high"] = max(changed["p_high"], changed["p"])
    logs = {
        f"log_{x}": math.log(changed[x])
        for x in ("p", "p_low", "p_high")
        if changed[x] != stated[x]
    }
    with suppress(InputError):
        found = verify(published | {"result": changed | logs})
        assert found.status == "refuted" or name in found.unchecked


def test_every_source_has_a_value(here):
    for source in SCALARS + CONTAINERS:
        eval(source.replace("{x}", "[1, 0, 2]"), NAMES)


def test_every_template_has_answers(here):
    quickly = settings(max_examples=100, phases=[Phase.generate])
    for template in some([x for room in ROOMS.values() for x in room], every=5):
        plain = sources([template]).map(lambda x: called(Call.of(x))[0])
        find(plain, lambda outcome: not isinstance(outcome, Exception), settings=quickly)


def refuse(message):
    raise InputError(message)


def with_nan(result):
    object.__setattr__(result, "pvalue", math.nan)
    return result


FAULTS = {  # what the test gives instead of its result, and how this is found
    "a foreign exception": (lambda _: 1 // 0, ZeroDivisionError, "by zero"),
    "a foreign refusal": (lambda _: int("x"), ValueError, "invalid literal"),
    "a broken invariant": (with_nan, ValueError, "not JSON compliant"),
    "an endless message": (lambda _: refuse("many words " * 300), AssertionError, "2,000"),
    "an unprintable message": (lambda _: refuse("\0"), AssertionError, "cannot be printed"),
    "a warning": (lambda x: warnings.warn("x", stacklevel=1) or x, AssertionError, "leaks a User"),
}


@pytest.mark.parametrize(("fault", "kind", "message"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_found(here, monkeypatch, fault, kind, message):
    hold(Call.of(PLAIN))
    honest = permutation.run
    monkeypatch.setattr(permutation, "run", lambda *x: fault(honest(*x)))
    with pytest.raises(kind, match=message):
        hold(Call.of(PLAIN))


def test_a_changed_argument_is_found(here, monkeypatch):
    honest = permutation.read_arguments
    monkeypatch.setattr(permutation, "read_arguments", lambda *x: (honest(*x), x[0].pop())[0])
    with pytest.raises(AssertionError, match="an argument was changed"):
        hold(Call.of(PLAIN))
