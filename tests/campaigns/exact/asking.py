"""One case of the campaign on exactness: drawn, asked of its methods, judged, written as code."""

import math
import signal
import warnings
from collections.abc import Callable
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field

import numpy as np

from campaigns.exact import checks, kinds, lowered, resamples, truths
from campaigns.exact.corpora import choice
from oracles import swaps as oracle
from pairedperm import BudgetError, InputError

KINDS: tuple[tuple[Callable, float], ...] = (
    (kinds.means, 3.0),
    (kinds.reals, 1.0),
    (kinds.ratios, 3.0),
    (kinds.functions, 4.0),
    (kinds.structured, 2.0),
    (kinds.labels, 2.0),
    (kinds.real_rows, 2.0),
    (resamples.means, 1.5),
    (resamples.shared, 1.0),
    (resamples.reals, 0.5),
    (resamples.functions, 0.5),
)
SECONDS = 180  # of a case, after which it is said to hang: lowered thresholds may take minutes
_LONGEST = 6000  # characters of arguments that are written out


class Hang(BaseException):
    """A case took too long; no `except Exception` catches this."""


@dataclass
class Failure:
    """What a case found wrong."""

    kind: str
    method: str
    what: str
    index: int
    came: str
    truth: str
    code: str

    @property
    def key(self):
        """Failures with the same one are the same finding."""
        return self.kind, self.method, self.what.split(": ")[0]


@dataclass
class Answer:
    """What became of one question."""

    kind: str
    method: str
    is_refused: bool = False
    error: float = 0.0
    failures: list[Failure] = field(default_factory=list)


@dataclass
class Question:
    """A case with the alternative, the methods and the settings that it is asked with."""

    case: kinds.Case
    methods: list[str]
    options: dict
    settings: dict
    extra: dict  # which further checks are made


def drawn(seed, index, thresholds):
    """The question of this number, a pure function of all three."""
    rng = np.random.default_rng([seed, index])
    is_lowered = thresholds == "lowered" or (thresholds == "both" and index % 2 == 1)
    settings = lowered.drawn(np.random.default_rng([seed, index, 1]))
    weights = np.array([weight for _, weight in KINDS])
    maker = KINDS[int(rng.choice(len(KINDS), p=weights / weights.sum()))][0]
    case = maker(rng)
    others = list(dict.fromkeys(case.methods[1:]))
    chosen = rng.permutation(len(others))[: int(rng.integers(1, 5))]
    options = {
        "alternative": choice(rng, case.alternatives),
        "budget": {"max_points": choice(rng, (2**20, 2**20, 2**22, 2**16))},
        "n_resamples": int(rng.integers(1, 600)),
        "rng": int(rng.integers(1000)),
    }
    if len(case.ties) > 1:
        options |= {"ties": choice(rng, case.ties)}
        options |= {"confidence_level": choice(rng, (0.95, 0.95, 0.99, 0.5))}
    extra = {
        "order": rng.permutation(case.n_rows) if rng.random() < 0.3 else None,
        "exchanged": bool(rng.random() < 0.3),
        "null": bool(rng.random() < 0.5),
    }
    methods = [case.methods[0], *(others[k] for k in chosen)]
    return Question(case, methods, options, settings if is_lowered else {}, extra)


def answers(seed, index, thresholds):
    """What each method says to a question, judged; nothing where no oracle knows the truth."""
    with _limited(SECONDS):
        question = drawn(seed, index, thresholds)
        case, options = question.case, question.options
        named = {name: options[name] for name in ("alternative", "ties") if name in options}
        try:
            truth = case.truth(*named.values())
        except (truths.TooMuchError, Hang):
            return []
    found = []
    with lowered.lowered(question.settings):
        for method in question.methods:
            answer = Answer(case.kind, method)
            asked = options | {"method": method}
            try:
                with _limited(SECONDS):
                    wrong, came = _judged(question, asked, truth, answer)
            except (InputError, BudgetError) as error:
                answer.is_refused = True
                wrong, came = [], str(error)
            except Hang:
                wrong, came = [f"takes more than {SECONDS} s"], "nothing"
            except Exception as error:
                wrong, came = [f"raises {type(error).__name__}: {error}"], repr(error)
            code = as_code(question, asked) if wrong else ""
            said = f"{float(truth)!r} (log {float(oracle.log(truth)) if truth else 0!r})"
            answer.failures = [
                Failure(case.kind, method, what, index, came, said, code) for what in wrong
            ]
            found.append(answer)
    return found


def _judged(question, options, truth, answer):
    """What is wrong with the answer, and the answer in words."""
    case, extra = question.case, question.extra
    is_coarse = lowered.is_coarse(question.settings)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        result = case.asked(case.arguments(), **options)
        is_certified = result.interval == "certified"
        if is_certified:
            wrong = checks.certified(result, truth, case.promise, is_coarse)
            if checks.allowed(result, truth, case.promise, is_coarse) < math.inf:
                answer.error = checks.error_of(result, truth, case.promise)
        else:
            wrong = checks.sampled(result, truth, case.is_tied)
            if not checks.same(result, case.asked(case.arguments(), **options)):
                wrong.append("the same seed gives another result")
        if options["method"] not in ("auto", result.method):
            wrong.append(f"another method ran: {result.method}")
        is_bootstrap = len(case.ties) > 1
        if is_certified and extra["order"] is not None:
            again = case.asked(case.arguments(order=extra["order"]), **options)
            if not checks.same(result, again):
                wrong.append("in another order of the examples the result is another")
        if is_certified and extra["exchanged"] and case.n_systems:
            wrong += _exchanged(question, options, result, truth, is_coarse)
        if options["method"] == "auto" and not is_bootstrap:
            has_warned = any(issubclass(x.category, UserWarning) for x in said)
            planned = case.planned(case.arguments(), **options).method
            if planned != result.method and not has_warned:
                wrong.append(f"the plan was another method: {planned}, ran {result.method}")
        asks_null = extra["null"] and not is_bootstrap and not case.is_tied and case.knows_null
        if asks_null and is_certified and not is_coarse:
            alternative = options["alternative"]
            below = truth if alternative == "less" else None
            with suppress(BudgetError):
                wrong += checks.null(result, case, below)
        if is_bootstrap and result.method == "exact" and case.intervals is not None:
            wrong += checks.intervals(result, case.intervals(options["confidence_level"]))
    wrong += [
        f"warns {x.category.__name__}: {x.message}"
        for x in said
        if not issubclass(x.category, UserWarning) or issubclass(x.category, RuntimeWarning)
    ]
    return wrong, repr(result) + f" {result.pvalue_interval} {result.log_pvalue_interval}"


def _exchanged(question, options, result, truth, is_coarse):
    """What is wrong where the systems' names are exchanged."""
    case = question.case
    turned = {"greater": "less", "less": "greater"}
    alternative = turned.get(options["alternative"], options["alternative"])
    other = case.asked(case.arguments(is_exchanged=True), **options | {"alternative": alternative})
    if other.interval != "certified":
        return []
    wrong = checks.certified(other, truth, case.promise, is_coarse)
    if other.statistic != -result.statistic:
        wrong.append("the statistic is not the negative one")
    return [f"with the systems exchanged, {what}" for what in wrong]


def as_code(question, options):
    """Python code that asks the question alone."""
    case = question.case
    lines = ["import importlib, sys", 'sys.path[:0] = ["tests"]', "import numpy as np"]
    lines += [
        "from corpora import sum_scores",
        "import pairedperm",
        "from pairedperm import PairedCounts, Ratio",
    ]
    lines += lowered.as_code(question.settings)
    columns = [_written(column) for column in case.columns]
    if case.how_often is not None:
        columns = [f"PairedCounts({', '.join(columns)}, {_written(case.how_often)})"]
    given = {name: repr(value) for name, value in (case.options | options).items()} | case.code
    if case.test == "structured_permutation_test":
        given.pop("alternative")
    if sum(map(len, columns)) > _LONGEST:
        columns = ["...  # too long to write out: run --only"]
    named = [f"{name}={value}" for name, value in given.items()]
    return "\n".join([*lines, f"pairedperm.{case.test}({', '.join([*columns, *named])})"])


def _written(column):
    if isinstance(column, np.ndarray):
        kind = f", dtype=np.{column.dtype}" if column.dtype == np.float32 else ""
        return f"np.array({column.tolist()!r}{kind})"
    return repr(column)


@contextmanager
def _alarm(seconds):
    def ring(*_):
        raise Hang

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _limited(seconds):
    """Raise Hang after so many seconds, where the system has alarms."""
    return _alarm(seconds) if hasattr(signal, "SIGALRM") else nullcontext()
