"""One module that several threads use at once."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Barrier, Event

import evaluate
import numpy as np
import pytest

from pairedperm import compare
from pairedperm.hf import PairedComparison

N_THREADS = 8
METRICS = ["accuracy", "exact_match", "balanced_accuracy", "matthews_correlation"]


def columns(seed, n=60):
    rng = np.random.default_rng(seed)
    names = ("predictions1", "predictions2", "references")
    return dict(zip(names, rng.integers(0, 3, (3, n)).tolist(), strict=True))


@pytest.fixture
def module(registered):
    return evaluate.load("paired_perm")


def together(work):
    """What each thread gets, all of which begin at once."""
    barrier = Barrier(N_THREADS)

    def begin(number):
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(N_THREADS) as pool:
        return list(pool.map(begin, range(N_THREADS)))


@pytest.mark.thorough
def test_each_computes_another_metric(module):
    def work(number):
        metric = [*METRICS, "f1", "squad_f1"][number % 6]
        if metric == "squad_f1":
            answers = {name: [f"{x} word" for x in column] for name, column in columns(1).items()}
            return module.compute(**answers, metric=metric)
        options = {"average": "macro"} if metric == "f1" else {}
        return module.compute(**columns(number), metric=metric, **options, method="exact")

    @cache
    def wanted(number, metric):
        options = {"average": "macro"} if metric == "f1" else {}
        return compare(**columns(number), metric=metric, **options, method="exact").to_dict()

    for _ in range(3):
        for number, found in enumerate(together(work)):
            if found["metric"] == "squad_f1":
                assert found["n"] == 60
            else:
                assert found == wanted(number, found["metric"])


def test_no_example_is_lost(module):
    """Each adds some and computes: every example is in exactly one result, or still there."""

    def work(number):
        sizes = []
        for step in range(20):
            module.add_batch(**columns(number, 1 + step % 3))
            if step % 4 == number % 4:
                sizes.append(module.compute(**columns(number, 5))["n"] - 5)
        return sizes

    counted = sum(map(sum, together(work)))
    added = N_THREADS * sum(1 + step % 3 for step in range(20))
    assert counted + len(module) == added


def test_what_is_added_while_another_computes(module, monkeypatch):
    """Another thread adds when the result is there, but the stream is not yet discarded."""
    has_tested, tried = Event(), Event()
    stream_test = module._stream.test

    def test(*arguments, **options):
        result = stream_test(*arguments, **options)
        has_tested.set()
        tried.wait(0.2)  # the other one waits for this to end
        return result

    monkeypatch.setattr(module._stream, "test", test)
    module.add_batch(**columns(0, 10))
    with ThreadPoolExecutor(1) as pool:
        computed = pool.submit(module.compute)
        assert has_tested.wait(10.0)
        module.add_batch(**columns(1, 7))
        tried.set()
        assert computed.result()["n"] == 10
    assert len(module) == 7
    assert module.compute()["n"] == 7


@pytest.mark.parametrize("again", [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy])
def test_a_module_may_be_copied(module, again):
    module.add_batch(**columns(0, 10))
    other = again(module)
    other.add_batch(**columns(1, 5))
    assert isinstance(other, PairedComparison)
    assert (len(module), len(other)) == (10, 15)
    assert other.compute()["n"] == 15
