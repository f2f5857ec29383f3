"""Scores of translations by sacrebleu itself."""

import inspect

TIE = 1e-10  # of a percentage point, by which rounding may move a difference


def streams(references):
    """The references as sacrebleu takes them."""
    rows = [[x] if isinstance(x, str) else x for x in references]
    return [list(stream) for stream in zip(*rows, strict=True)]


def score_of(kind):
    """The score by a class of sacrebleu's, with its options."""

    def score(texts, references, **options):
        return kind(**options).corpus_score(texts, streams(references)).score

    return score


def assert_same_defaults(metric, kind):
    """Those of a class of sacrebleu's."""
    theirs = inspect.signature(kind).parameters
    assert {x.name: x.default for x in metric.fields()} == {
        name: theirs[name].default for name in metric.takes()
    }
