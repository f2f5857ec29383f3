"""Calls of the whole public interface, whose answers a change of the code's form must keep.

As a script, which `compare_commits` runs, it prints the answers to all: a line of JSON for each,
after one that says which package was imported.
"""

from __future__ import annotations

import json

from answers import (
    calls_of_bootstrap,
    calls_of_cards,
    calls_of_counts,
    calls_of_datasets,
    calls_of_deciding,
    calls_of_families,
    calls_of_files,
    calls_of_laws,
    calls_of_methods,
    calls_of_metrics,
    calls_of_modules,
    calls_of_refusals,
    calls_of_sizes,
)
from answers.answer import PACKAGE, answer_of

CALLS = [
    *calls_of_metrics.CALLS,
    *calls_of_methods.CALLS,
    *calls_of_sizes.CALLS,
    *calls_of_bootstrap.CALLS,
    *calls_of_families.CALLS,
    *calls_of_deciding.CALLS,
    *calls_of_laws.CALLS,
    *calls_of_counts.CALLS,
    *calls_of_files.CALLS,
    *calls_of_modules.CALLS,
    *calls_of_datasets.CALLS,
    *calls_of_cards.CALLS,
    *calls_of_refusals.CALLS,
]

if __name__ == "__main__":
    print(json.dumps(str(PACKAGE)))
    for call in CALLS:
        print(json.dumps([call.name, answer_of(call)], ensure_ascii=False), flush=True)
