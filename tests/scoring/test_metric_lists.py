"""Every list of metrics is what the script writes from the metrics."""

import pytest

from pairedperm.scoring.metric import METRICS, Metric
from scoring.metric_lists import CHECKOUT, LISTS, Listing, literals

KINDS = list(METRICS.values())
by_path = pytest.mark.parametrize("listing", LISTS, ids=lambda listing: listing.path)


class MadeUp(Metric):
    """Rejected / wrong labels.

    What is rejected is
    neither.

    Parameters
    ----------
    none
    """


MadeUp.name = "made_up"  # only now, so that it is no metric that there is


def text_of(listing):
    return (CHECKOUT / listing.path).read_text(encoding="utf-8")


@by_path
def test_list_is_as_written(listing):
    text = text_of(listing)
    remedy = f"{listing.path}: run python tests/scoring/metric_lists.py"
    assert listing.written(text, KINDS) == text, remedy


@by_path
def test_list_that_is_not(listing):
    text = text_of(listing)
    longer = listing.written(text, [*KINDS, MadeUp])
    assert longer != text
    assert longer.count("made_up") + longer.count("import MadeUp as") == 1
    assert listing.written(longer, KINDS) == text
    without = listing.written(text, KINDS[1:])
    assert len(listing.write(KINDS[1:])) <= len(listing.write(KINDS))
    assert without != text


def test_descriptions():
    kinds = [METRICS["f1"], MadeUp]
    imports, in_help, short, names = LISTS[1], LISTS[2], LISTS[3], LISTS[-1]
    assert imports.write([MadeUp]) == [f"from {__name__} import MadeUp as MadeUp"]
    assert in_help.write(kinds)[0].startswith("        f1, made_up; or an object such as")
    assert short.write(kinds)[-1] == "        'made_up': rejected / wrong labels."
    assert names.write(kinds) == ["`f1` and `made_up`: `help(pairedperm.scoring.F1)` says more."]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_metric_says_what_it_is(kind):
    for listing in LISTS[3:-1]:
        (line, *_) = listing.write([kind])
        assert line.strip().startswith((f'"{kind.name}": ', f"'{kind.name}': ", "- `"))
    assert vars(kind)["__doc__"].partition("\n")[0].endswith(".")


@pytest.mark.parametrize("text", ["", "# start\n", "# end\n", 2 * "# start\n# end\n"])
def test_marks_are_needed(text):
    listing = Listing("some.py", "# start", "# end", literals)
    with pytest.raises(ValueError, match=r"some\.py has [02] lists between '# start'"):
        listing.written(text, KINDS)
