"""Open findings of the campaign on inputs: faults of the package that are known, to be mended."""

from __future__ import annotations

from typing import Any

from campaigns.inputs.finding import Finding


def recognised(failure: Any) -> Finding | None:
    """The known finding that a failure is."""
    return next((x for x in FINDINGS if x.is_shown_by(failure)), None)


FINDINGS: tuple[Finding, ...] = ()
