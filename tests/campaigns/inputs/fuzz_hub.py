"""The grammar of calls through Hugging Face: `evaluate` modules and datasets."""

from __future__ import annotations

from random import Random

from campaigns.inputs.fuzz_call import Call, build
from campaigns.inputs.fuzz_metrics import labels, metric_slots
from campaigns.inputs.fuzz_tests import numbers, option_slots
from campaigns.inputs.hostile import Slot, anything, container, entry, listed, one_of, option

_NAMES = ("predictions1", "predictions2", "references")
_KINDS = ("integers", "strings", "binary", "sequences", "tags", "texts")
_CONFIGURATIONS = ("'accuracy'", "'exact_match'", "'f1'", "None", "'default'")
_OTHER_CONFIGURATIONS = (
    "'scores'",
    "'squad_f1'",
    "'span_f1'",
    "'f1', average='macro'",
    "'f1', labels=['a']",
    "'f1', pos_label=1",
    "'fbeta', beta=2",
    "'f1', zero_division=2",
    "'f1', average=nan",
    "'f1', pos_label=None, multilabel=True",
    "'f1', labels=[[]]",
    "'f1', pos_label=10**5000",
    "'accuracy', ignore_label=None",
    "'f1', ignore_label='x'",
    "'f2'",
    "5",
    "b'f1'",
    "np.str_('f1')",
    "['f1']",
    "'scores', keep_in_memory=True",
    "'accuracy', experiment_id='x'",
)


def _spelled(columns: dict[str, str]) -> str:
    return f"dict({', '.join(f'{name}={source}' for name, source in columns.items())})"


def batch_slot(name: str, columns: dict[str, list[str]], more: dict[str, str]) -> Slot:
    """A step with these columns, or with one that is spoiled or missing, or another one."""
    plain = {key: listed(entries) for key, entries in columns.items()}
    if name == "add":
        plain = {key: entries[0] for key, entries in columns.items()}

    def hostile(rng: Random) -> str:
        some = plain | more
        which = rng.random()
        key = rng.choice(list(some))
        if which < 0.1:
            some.pop(key)
        elif which < 0.2:
            some[rng.choice(("prediction", "predictions", "x"))] = anything(rng)
        elif name == "add" or key in more:
            some[key] = anything(rng)
        elif which < 0.6:
            some[key] = entry(rng, columns[key])
        else:
            some[key] = container(rng, plain[key])
        return f"('{name}', {_spelled(some)})"

    return Slot("", f"('{name}', {_spelled(plain | more)})", hostile)


def module(rng: Random) -> Call:
    """A module that is loaded, fed in steps, and computed."""
    name = rng.choice(("'paired_perm'", "'paired_perm'", "'paired_bootstrap'"))
    test = "bootstrap" if "bootstrap" in name else "permutation"
    is_scores = rng.random() < 0.25
    kind = "scores" if is_scores else rng.choice(_KINDS)
    n = rng.choice((2, 3, 5, 8))

    def drawn() -> dict[str, list[str]]:
        if is_scores:
            return {x: numbers(rng, n, kind_of) for x in _NAMES[:2]}
        return dict(zip(_NAMES, labels(rng, n, kind), strict=True))

    kind_of = rng.choice(("small", "decimal", "real"))
    metric = [] if is_scores else metric_slots(rng, kind)
    configuration = "'scores'" if is_scores else rng.choice(_CONFIGURATIONS[:1])
    if metric and rng.random() < 0.4:
        given = {x.name: x.plain for x in metric}
        of_load = "".join(f", {key}={x}" for key, x in given.items() if key != "metric")
        configuration, metric = f"{given['metric']}{of_load}", []
    elif kind == "texts":
        configuration = metric[0].plain
    module_slot = one_of(
        "",
        f"lambda: evaluate.load({name}, {configuration})",
        tuple(f"lambda: evaluate.load({name}, {x})" for x in _OTHER_CONFIGURATIONS),
    )
    steps: list[Slot] = []
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        steps.append(batch_slot(rng.choice(("add_batch", "add_batch", "add")), drawn(), {}))
        if rng.random() < 0.1:
            steps.append(one_of("", "('reset', {})", ("('reset', dict(x=1))", "('__len__', {})")))
    more = {x.name: x.plain for x in (*metric, *option_slots(rng, test))}
    computes = batch_slot("compute", drawn(), more)
    if steps and rng.random() < 0.4:
        computes = batch_slot("compute", {}, more)
    steps.append(computes)
    if rng.random() < 0.15:
        steps.append(batch_slot("compute", drawn(), more))
    return build(rng, "run_steps", [module_slot, *steps])


_FEATURES = (
    "ClassLabel(names=['a', 'b', 'c'])",
    "Value('string')",
    "Value('int64')",
    "Value('float32')",
    "Value('float64')",
    "Value('bool')",
    "Value('binary')",
    "Value('timestamp[s]')",
    "Value('large_string')",
    "Value('uint64')",
    "Value('decimal128(5, 2)')",
    "Value('date32')",
    "datasets.Sequence(Value('string'))",
    "datasets.Sequence(Value('int64'))",
    "datasets.Sequence(ClassLabel(names=['O', 'B-PER']))",
    "datasets.Sequence(datasets.Sequence(Value('int64')))",
    "{'text': Value('string')}",
    "datasets.Image()",
    "datasets.Array2D((1, 1), 'int64')",
)
_SEQUENCES = ("[[]] * {n}", "[[], *[['O']] * ({n} - 1)]", "[None] * {n}", "[[None]] * {n}")


def dataset_slot(columns: dict[str, list[str]], maker: str) -> Slot:
    """A dataset of these columns, some spoiled, of other features, or something else."""
    plain = {key: listed(entries) for key, entries in columns.items()}
    n = len(next(iter(columns.values())))

    def hostile(rng: Random) -> str:
        some, options = dict(plain), ""
        key = rng.choice(list(some))
        which = rng.random()
        if which < 0.3:
            some[key] = entry(rng, columns[key])
        elif which < 0.4:
            for key in rng.sample(list(some), rng.randrange(1, len(some) + 1)):
                some[key] = rng.choice(_SEQUENCES).format(n=n)
            if rng.random() < 0.7:
                tags = "datasets.Sequence(Value('string'))"
                options = f", features=Features({', '.join(f'{x}={tags}' for x in some)})"
        elif which < 0.5:
            some[key] = listed(labels(rng, n, rng.choice(_KINDS))[0])
        elif which < 0.7:
            types = ", ".join(
                f"{x}={rng.choice(_FEATURES) if x == key else _feature(plain[x])}" for x in some
            )
            options = f", features=Features({types})"
        elif which < 0.75:
            some.pop(key)
        elif which < 0.8:
            return rng.choice(_NO_DATASETS).format(maker=maker, columns=_spelled(some))
        elif which < 0.9:
            return f"Dataset.from_dict({_spelled(some)}){rng.choice(CHANGES)}"
        else:
            return anything(rng)
        return maker.format(f"{_spelled(some)}{options}")

    return Slot("", maker.format(_spelled(plain)), hostile)


def _feature(source: str) -> str:
    kind = "string" if "'" in source else "float64" if "." in source else "int64"
    return f"datasets.Sequence(Value('{kind}'))" if source[:2] == "[[" else f"Value('{kind}')"


_MAKERS = ("Dataset.from_dict({})", "Dataset.from_dict({})", "streamed({})")
_NO_DATASETS = (
    "splits()",
    "splits(a=Dataset.from_dict({columns}), b=Dataset.from_dict({columns}))",
    "splits(a=Dataset.from_dict({columns}), b=Dataset.from_dict({{'x': [1]}}))",
    "{{'a': Dataset.from_dict({columns})}}",
    "{{'a': 5, 'b': Dataset.from_dict({columns})}}",
    "{{0: Dataset.from_dict({columns})}}",
    "pd.DataFrame({columns})",
    "pa.table({columns})",
    "{columns}",
    "Dataset",
    "datasets.IterableDataset.from_generator(lambda: iter([]))",
    "datasets.IterableDataset.from_generator(lambda: iter([{{'x': 1}}]))",
    "datasets.IterableDataset.from_generator(lambda: raises(0))",
)
CHANGES = (
    ".with_format('numpy')",
    ".with_format('pandas')",
    ".with_format('arrow')",
    ".with_transform(lambda batch: {})",
    ".shuffle(seed=1)",
    ".select([0, 0, 1])",
    ".select([])",
    ".to_iterable_dataset().map(lambda row: raises(0))",
    ".to_iterable_dataset().with_format('numpy')",
    ".to_iterable_dataset().filter(lambda row: False)",
    ".to_iterable_dataset().remove_columns('references')",
)
MAPPINGS = (
    "{'a': 'b', 'x': 'c'}",
    "({'a': 'b'}, {})",
    "{0: 'a'}",
    "{'LABEL_0': 'a'}",
    "[('a', 'b')]",
    "{'a': None}",
    "{None: 'a'}",
    "{'a': 0.5}",
    "({}, {}, {})",
    "{1: 2**70}",
    "{'a': '\\ud800'}",
)


def dataset(rng: Random) -> Call:
    """compare_dataset."""
    n = rng.choice((2, 3, 5, 8))
    test = rng.choice(("permutation", "permutation", "bootstrap"))
    maker = rng.choice(_MAKERS)
    if rng.random() < 0.2:
        kind_of = rng.choice(("small", "decimal", "real"))
        columns = {x: numbers(rng, n, kind_of) for x in _NAMES[:2]}
        slots = [dataset_slot(columns, maker), option("references", "None", also=("'references'",))]
    else:
        kind = rng.choice(_KINDS)
        columns = dict(zip(_NAMES, labels(rng, n, kind), strict=True))
        slots = [dataset_slot(columns, maker), *metric_slots(rng, kind)]
    if rng.random() < 0.2:
        name = rng.choice(_NAMES[:2])
        slots.append(option(name, repr(name), also=("'x'", "'references'", "''", "0")))
    if rng.random() < 0.15:
        slots.append(option("label_mapping", "None", also=MAPPINGS))
    if test == "bootstrap":
        slots.append(option("test", "'bootstrap'"))
    return build(rng, "compare_dataset", slots + option_slots(rng, test))


GRAMMARS = {module: 20, dataset: 10}
