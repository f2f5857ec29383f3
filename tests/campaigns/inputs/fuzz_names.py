"""The names that the sources of calls are written with, as a reader would import them."""

import datetime
import math
import operator
import pickle
import random
import re
import uuid
from array import array
from collections import deque
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path

import datasets
import evaluate
import numpy as np
import pandas as pd
import pyarrow as pa
import scipy.sparse

import pairedperm
from campaigns.inputs import odd_objects
from campaigns.inputs.fuzz_deciding import looked
from campaigns.inputs.fuzz_files import decided
from campaigns.inputs.fuzz_plans import planned_and_run
from campaigns.inputs.hostile import has_torch
from pairedperm import aggregators, hf, model_card, readers
from pairedperm.__main__ import main


def run_steps(loaded, *steps):
    """What the methods of a module give one after another; a refused one changes nothing."""
    module = loaded()
    answer = refusal = None
    for step in steps:
        answer, refusal = _stepped(module, *step)
    if refusal is not None:
        raise refusal
    return answer


def _stepped(module, name, options):
    try:
        return getattr(module, name)(**options), None
    except pairedperm.InputError as error:
        return None, error


def null(*arguments, **options):
    """The null distribution of a test."""
    return pairedperm.paired_permutation_test(*arguments, **options).null_distribution()


def added(*parts):
    """The sum of paired counts."""
    return sum(parts)


def pickled(value):
    """What comes out of a pickle of it."""
    return pickle.loads(pickle.dumps(value))


def streamed(columns, **options):
    """Columns as a stream of rows."""
    return datasets.Dataset.from_dict(columns, **options).to_iterable_dataset()


def splits(**parts):
    """A DatasetDict."""
    return datasets.DatasetDict(parts)


NAMES = {
    **{name: getattr(pairedperm, name) for name in pairedperm.__all__},
    **{name: x for name, x in vars(odd_objects).items() if not name.startswith("_")},
    **{name: getattr(hf, name) for name in hf.__all__},
    **{name: getattr(readers, name) for name in readers.__all__},
    **{name: getattr(datasets, name) for name in ("Dataset", "ClassLabel", "Features", "Value")},
    **{x.__name__: x for x in (run_steps, null, added, pickled, streamed, splits)},
    **{x.__name__: x for x in (decided, looked, planned_and_run)},
    **{x.__name__: x for x in (Decimal, Fraction, Path, array, deque, partial)},
    **{x.__name__: x for x in (datetime, math, np, operator, pd, pickle, random, re, uuid)},
    "aggregators": aggregators,
    "datasets": datasets,
    "evaluate": evaluate,
    "inf": math.inf,
    "main": main,
    "model_card": model_card,
    "nan": math.nan,
    "np": np,
    "pa": pa,
    "pairedperm": pairedperm,
    "pd": pd,
    "scipy": scipy,
    "significance_section": model_card.significance_section,
    "update": model_card.update,
}
if has_torch():
    import torch

    NAMES["torch"] = torch
