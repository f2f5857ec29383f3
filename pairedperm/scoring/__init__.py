"""Metrics: the rows that examples contribute, and the score of their sums."""

import importlib
import pkgutil

from pairedperm.scoring import metrics

for _file in sorted(module.name for module in pkgutil.iter_modules(metrics.__path__)):
    importlib.import_module(f"{metrics.__name__}.{_file}")  # which registers its metrics
