"""P-values of results that one has, adjusted for their number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, describe
from pairedperm.options.constraints import reads_options
from pairedperm.permutation.attainable import law_of_pvalue
from pairedperm.results.correction import Correction, adjusted_pvalues
from pairedperm.results.result import PairedResult


@reads_options
def adjust(results: Sequence[PairedResult], correction: Correction | None = "holm") -> list[float]:
    """Adjust the p-values of several results for their number.

    A test is significant at level α if its adjusted p-value is at most α.

    Parameters
    ----------
    results : list or tuple of results, length m
        Of `compare`, `paired_permutation_test` or `paired_bootstrap_test`.
    correction : {"holm", "bonferroni", "discrete", "bh", "by"} or None
        See `compare_many`. "discrete" is for tests of different examples, see `compare_suite`.

    Returns
    -------
    list of float, length m
        The adjusted p-values, at most 1, in the order of `results`.

    Raises
    ------
    InputError
        If `results` is no list or tuple of results.

    Notes
    -----
    Give all results that you looked at, also those without a finding. For "discrete", a result that
    was pickled with a function of its own tells only the least p that it can have.

    Examples
    --------
    >>> from pairedperm import adjust, compare
    >>> right = [1] * 8
    >>> small = compare([1, 1, 1, 0, 0, 0, 0, 0], [0] * 8, right)
    >>> large = compare([1] * 8, [0] * 8, right)
    >>> small.pvalue, large.pvalue
    (0.25, 0.0078125)
    >>> adjust([small, large])
    [0.25, 0.015625]
    >>> adjust([small, large], "discrete")
    [0.25, 0.0078125]
    """
    given: Any = results
    is_list = isinstance(given, (list, tuple))
    wrong = [x for x in given if not isinstance(x, PairedResult)] if is_list else [given]
    if wrong:
        must = "be a list of results, such as [compare(...), compare(...)]"
        raise InputError(Name("results"), must=must, got=describe(wrong[0]))
    laws = [law_of_pvalue(x) for x in results] if correction == "discrete" else ()
    return adjusted_pvalues(results, correction, laws)
