"""The campaign on inputs: hostile calls of every public function, and published counts."""

import math
import warnings
from contextlib import suppress

import pytest
from hypothesis import Phase, assume, example, find, given, settings

from campaigns.inputs.call import Call, called, calls
from campaigns.inputs.grammar import ROOMS, sources
from campaigns.inputs.invariants import hold
from campaigns.inputs.names import NAMES
from extras import on_posix
from pairedperm import InputError, PairedCounts, paired_permutation_test
from pairedperm.permutation import test as permutation
from pairedperm.scoring.arguments import counts_of
from pairedperm.scoring.scores import Mean
from properties import some
from strategies.hostile import CONTAINERS, SCALARS

pytestmark = [on_posix, pytest.mark.weight(2), pytest.mark.filterwarnings("ignore")]
PLAIN = "paired_permutation_test([2, 0, 1, 5], [1, 1, 0, 0], rng=0)"
STATED = (
    *("stat", "score1", "score2", "p", "p_low", "p_high", "log_p", "log_p_low", "log_p_high"),
    *("interval", "alternative", "method", "metric", "metric_options", "n", "n_groups"),
    "n_differing",
)


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
    "compare([1, 1, 1, 2, 1, 2, 2], [1, 1, 2, 1, 1, 2, 2], [0, 0, 0, 0, 1, 0, 2], "
    "'precision', average='macro', groups=[0, 0, 0, 0, 0, 0, 0])",
)
@given(source=sources([ROOMS["tests"][k] for k in (5, 0, 1)]))
def test_published_counts(here, source):
    """The counts that p follows from give the result again."""
    result, _, _ = called(Call.of(source))
    assume(not isinstance(result, Exception) and result.score1 is not None)
    assume(result.interval == "certified")  # a sample has another seed
    evidence = result.evidence_for("counts")
    assume(evidence.metric is not None or isinstance(evidence.score, Mean))
    text = None
    with suppress(InputError):
        text = counts_of(evidence.rows, evidence.metric).to_json(labels=False)
    assume(text)
    options = {"alternative": result.alternative, "method": result.method}
    again = paired_permutation_test(PairedCounts.from_json(text), **options).to_dict()
    stated = result.to_dict()
    for x in STATED:  # of counts of groups, ratios are added in another order
        is_score = x in ("stat", "score1", "score2")
        expected = pytest.approx(stated[x], rel=1e-14, abs=1e-15) if is_score else stated[x]
        assert again[x] == expected


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
