"""What a log's tool reports of all examples, against the metric that its name means."""

import math
import pickle
import random
import statistics

import pytest
from sklearn.metrics import f1_score, matthews_corrcoef

from corpora.logs import and_task_u, lm_eval_log
from extras import needs
from pairedperm import InputError, gate, gate_suite
from pairedperm.readers import read_runs
from pairedperm.readers.log import Run, with_repeats
from pairedperm.readers.metrics import flips
from pairedperm.scoring import BLEU, F1, TER, BitsPerByte, ChrF, MatthewsCorrelation, Perplexity
from properties import one_in
from readers.odd_results import N, likelihoods, logs, of_ruler, pairs

GOLD = [random.Random(0).randint(0, 1) for _ in range(N)]
WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "mat", "in", "house", "big", "small"]
RIGHT = [" ".join(random.Random(0).choices(WORDS, k=8)) for _ in range(N)]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """All is written into a new folder."""
    monkeypatch.chdir(tmp_path)


def labels(rng):
    return [[x, x if rng.random() < 0.7 else 1 - x] for x in GOLD]


def texts(rng, write=list):
    def other(text):
        return " ".join(x if rng.random() < 0.7 else rng.choice(WORDS) for x in text.split())

    return [write((x, other(x))) for x in RIGHT]


def per_unit(entries):
    return -math.fsum(x for x, _ in entries) / sum(n for _, n in entries)


def of_sacrebleu(name):
    def score(entries):
        references, own = zip(*entries, strict=True)
        references = [x if isinstance(x, str) else x[0] for x in references]
        own = [x if isinstance(x, str) else x[0] for x in own]
        return getattr(needs("sacrebleu", "mt"), name)(own, [references]).score

    return score


# the metric's name, what is logged, what the harness reports of it, and the metric
CASES = {
    "perplexity": (likelihoods, lambda x: math.exp(-statistics.fmean(x)), Perplexity()),
    "word_perplexity": (pairs, lambda x: math.exp(per_unit(x)), Perplexity()),
    "byte_perplexity": (pairs, lambda x: math.exp(per_unit(x)), Perplexity()),
    "bits_per_byte": (pairs, lambda x: per_unit(x) / math.log(2), BitsPerByte()),
    "f1": (labels, lambda x: f1_score(*zip(*x, strict=True)), F1()),
    "mcc": (labels, lambda x: matthews_corrcoef(*zip(*x, strict=True)), MatthewsCorrelation()),
    "bleu": (texts, of_sacrebleu("corpus_bleu"), BLEU()),
    "chrf": (lambda rng: texts(rng, lambda x: [[x[0]], x[1]]), of_sacrebleu("corpus_chrf"), ChrF()),
    "ter": (lambda rng: texts(rng, lambda x: [x[0], [x[1]]]), of_sacrebleu("corpus_ter"), TER()),
}
BY_NAME = ("perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte")


def columns_of(name):
    return [CASES[name][0](random.Random(seed)) for seed in (1, 2)]


@one_in(2)
@pytest.mark.parametrize(
    ("name", "digits"), [*((x, None) for x in CASES), ("perplexity", 2), ("f1", 2), ("bleu", 1)]
)
def test_the_reported_score_is_compared(name, digits):
    """Without results names tell, of likelihoods."""
    (_, score, metric), columns = CASES[name], columns_of(name)
    wanted = [*map(score, columns)]
    paths = logs(name, columns, [x if digits is None else round(x, digits) for x in wanted])
    runs = read_runs(*paths)
    assert runs.metrics == (name,)
    examples = runs.examples()
    assert (examples.metric, examples.name, examples.doubts) == (metric, name, [])
    assert examples.direction == (metric.lower_is_better, "log")
    found = runs.compare(method="monte_carlo", n_resamples=9, rng=0)
    assert [found.score1, found.score2] == pytest.approx(wanted, rel=1e-9)
    assert found.metric == metric.name
    assert sum(map(len, flips(examples))) == found.n_wins + found.n_losses
    assert found.n_differing > 5
    next(paths[len(name) % 2].parent.glob("results*")).unlink()
    runs = read_runs(*paths)
    assert (runs.metrics, "left out" in str(runs)) == (
        ((name,), False) if name in BY_NAME else ((), True)
    )
    if name in BY_NAME:
        assert (runs.examples().metric, runs.examples().direction.source) == (metric, "log")


def test_entries_of_repeats_have_no_mean():
    scores, metrics = {"f1": [(0, 1), (1, 1), (0, 1)]}, {"f1": (F1(),)}
    run = Run(path="x", format="", ids=["b", "a", "b"], scores=scores, aggregated=metrics)
    assert with_repeats(run).scores["f1"] == [None, (1, 1)]


def test_a_margin_of_what_nothing_reports(tmp_path):
    """A gate decides none by it."""
    paths = (of_ruler(tmp_path / x, *n, report=None) for x, n in (("a", (7, 4)), ("b", (9, 8))))
    with pytest.warns(UserWarning, match="4096 is -1 in 10 of 20 examples of "):
        result = read_runs(*paths).compare("4096")
    assert gate(result).verdict == "pass"
    with pytest.raises(InputError, match=r"no results beside the log tell.* A margin is of the"):
        gate(result, margin=0.3)


@pytest.mark.parametrize("asked", ["result", "pickled", "suite"])
def test_a_margin_of_a_number_that_is_not_reported(asked, tmp_path):
    """Python's gates refuse it as the command does, also of a result that was pickled."""
    for name, n in (("a", 8), ("b", 6)):
        log = lm_eval_log(tmp_path / name, {"acc": [1] * n + [0] * (12 - n)}, {"acc": n / 12})
        and_task_u(log, {"acc": 0.9})
    runs = read_runs(tmp_path / "a", tmp_path / "b")
    decide = gate_suite if asked == "suite" else gate
    with pytest.warns(UserWarning, match=r"acc: 0\.9 is reported with"):
        found = runs.suite() if asked == "suite" else runs.tasks["u"].compare()
    found = pickle.loads(pickle.dumps(found)) if asked == "pickled" else found
    assert decide(found).passed
    with pytest.raises(
        InputError, match=r"0\.9 is reported with .* A margin is of the reported nu"
    ):
        decide(found, margin=0.4)
    assert gate(runs.tasks["t"].compare(), margin=0.4).passed


def test_an_example_called_all(two):
    """Its 1 is not the mean 0.995 or more of the others, though that prints as 1.00."""
    ids = ["all", *(f"w{k}" for k in range(600))]
    tables = ([{"id": x, "score": int(x != wrong)} for x in ids] for wrong in ("w0", "w1"))
    assert len(read_runs(*two(*tables)).ids) == 601
