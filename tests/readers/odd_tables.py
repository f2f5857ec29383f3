"""Cases of tables of one's own: cells, columns, ids, what is missing, and several metrics."""

import warnings
from decimal import Decimal
from pathlib import Path

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from corpora.logs import LOGS, lm_eval_groups, lm_eval_log, rows_of, save
from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.read import compare_all
from readers.held import HELD, Row, stored
from readers.odd_logs import Texts, dropping
from readers.telling import read

NAN, INF = float("nan"), float("inf")


def tables(*contents, ending="jsonl"):
    """Files a, b and so on."""
    return [save(Path(f"{x}.{ending}"), y) for x, y in zip("abc", contents, strict=False)]


def alike(content, ending="csv"):
    """Two files of one content."""
    return tables(content, content, ending=ending)


# Cells of CSV


def the_index_of_pandas_is_no_id() -> Texts:
    """It is asked for a column of ids, or for the name of the index, or is beside one."""
    frame = pd.DataFrame({"score": [1, 0]}, index=pd.Index(["b", "a"]))
    frame.to_csv("x.csv")
    frame.to_parquet("x.parquet")
    stored_frame = datasets.Dataset.from_pandas(frame)
    other, named = tables(
        "id,score\na,1\nb,1\n", "__index_level_0__,score\na,1\nb,1\n", ending="csv"
    )
    for path in ("x.csv", "x.parquet", stored_frame):
        yield read(path, other)
    for path in ("x.parquet", stored_frame):
        yield read(path, named, id="__index_level_0__")
    yield read(*alike(",doc,score\n7,b,1\n8,a,0\n"), id="doc")


def numbers_in_cells() -> Texts:
    """Integers stay such; an empty cell and NaN have no number."""
    cells = (
        *("1", " -2 ", "+3", "0.10", ".5", "1.", "1e2", "-1E-2", "123456789012345678901"),
        "",
        "NaN",
    )
    yield dropping(*alike("\n".join(["id,score", *(f'{k:02},"{x}"' for k, x in enumerate(cells))])))


def cells_are_of_the_types_of_the_other_file() -> Texts:
    """One that is no integer is enough for texts, and so is a zero in front.

    Of several files with other types there is no saying which they are.
    """
    for written, others in (
        (["1", "x"], [1, 1]),
        (["1", "02"], [1, 1]),
        (["1", "1"], [1, 1]),
        (["1", ""], [1, 1]),
        (["1", "0"], [True, False]),
        (["1", "1"], ["1", "1"]),
        (["1", "1"], [1, "1"]),
    ):
        text = "\n".join(["id,prediction", *(f"{k},{x}" for k, x in enumerate(written))])
        paths = [
            save(Path(f"{k}.jsonl"), [{"id": 0, "prediction": x}, {"id": 1, "prediction": x}])
            for k, x in enumerate(others)
        ]
        yield read(*tables(text, ending="csv"), *paths)


def truth_values_are_texts() -> Texts:
    """As labels they are compared as written, and they are no scores."""
    for cells in ("True False", "TRUE FALSE", "true false"):
        rows = "\n".join(f"{k},{x},True" for k, x in enumerate(cells.split()))
        paths = alike(f"id,prediction,reference\n{rows}\n")
        yield read(*paths)
        yield read(*paths, score="prediction")


# Columns

TEXTS = ["yes", "no", 'say "no", or\nnothing', "\t", "ü \u2028 ,"]
KINDS = ("jsonl", "csv", "tsv", "parquet", "dataset")


def kinds_of_tables() -> Texts:
    """Beside each other; a cell of TSV holds no tab and no line's end. References may be apart."""
    for kind in KINDS:
        texts = ["yes", "no", "maybe"] * 2 if kind == "tsv" else [*TEXTS, "no"]
        columns = {
            "id": [*range(6)],
            "prediction": [texts[0], *texts[:5]],
            "reference": texts,
            "score": [0.25, 1, -2, 0.5, 1e-3, 7],
            "group": [0, 0, 1, 1, 2, 2],
            "other": [None] * 6,
        }
        one = stored(kind, Path(), "one", columns)
        two = stored("jsonl", Path(), "two", columns | {"prediction": texts[::-1]})
        yield read(one, two)
        apart = {"id": [*range(6)][::-1], "reference": texts[::-1]}
        yield read(one, two, references=stored(kind, Path(), "right", apart))


def repeats() -> Texts:
    """Their mean is that of the decimals, or of the shares, exactly; none has no mean."""
    rows = [(1, 0.1), (2, 1), (1, 0.2), (2, None), (1, 0.6), (2, 0)]
    table = {
        "id": [f"x{k}" for k, _ in rows],
        "score": [x for _, x in rows],
        "prediction": [str(x) for _, x in rows],
        "reference": [str(k) for k, _ in rows],
        "group": [k for k, _ in rows],
    }
    for kind in ("jsonl", "csv", "parquet", "dataset"):
        yield dropping(*(stored(kind, Path(), x, table) for x in "ab"), repeats=True)
    thirds = [1 / 3, 2 / 3, 1.0, 1 / 3]
    shares = [{"id": k // 2, "a": x, "b": x if k else 0.333} for k, x in enumerate(thirds)]
    yield read(*alike(shares, "jsonl"), score=["a", "b"], repeats=True)


def narrow_shares() -> Texts:
    """k/3 in few bits ties as in a float32 array, also as means of repeats, and beside nulls."""
    columns = [0, 1, 3, 2, 2, 1], [1, 2, 1, 0, 3, 1]
    for kind in (np.float32, np.float16):
        for n_repeats in (1, 3):
            logs = []
            for name, column in zip("ab", columns, strict=True):
                shares = [*(np.array(column) / 3).astype(kind), None] * n_repeats
                scores = pa.array(shares, pa.from_numpy_dtype(kind))
                table = pa.table({"id": [*range(7)] * n_repeats, "score": scores})
                pq.write_table(table, f"{name}.parquet")
                # in JSON float32 is widened
                json = (
                    save(Path(f"{name}.jsonl"), table.to_pylist()) if kind == np.float32 else None
                )
                logs.append((f"{name}.parquet", datasets.Dataset(table), json))
            for one, two in zip(*logs, strict=True):
                if one:
                    yield dropping(one, two, repeats=n_repeats > 1)


def decimals_and_nulls_stay() -> Texts:
    """So do narrow floats, as the decimals that they print as."""
    scores = [Decimal("0.10"), None, Decimal("2.25")]
    narrow = pa.array(np.array([0.1, 0.7, 2], np.float32))
    table = pa.table({"id": ["a", "b", "c"], "score": scores, "f": narrow})
    pq.write_table(table, "a.parquet")
    yield dropping("a.parquet", datasets.Dataset(table), score=["score", "f"])


def class_labels_are_their_names() -> Texts:
    """-1 stands for none."""
    names = datasets.ClassLabel(names=["no", "yes"])
    features = datasets.Features(id=datasets.Value("int32"), prediction=names, reference=names)
    table = {"id": [3, 1, 2], "prediction": [0, 1, 1], "reference": [1, 1, -1]}
    dataset = datasets.Dataset.from_dict(table, features=features)
    yield dropping(dataset, *tables([{"id": k, "prediction": "yes"} for k in (1, 2, 3)]))


def values_in_objects() -> Texts:
    """A name with dots is that of a column, or else of what is in an object; 0 and null count."""
    table = {
        "doc": [{"id": 2}, {"id": 1}],
        "metrics": [{"acc": 0, "by": {"judge": 0.0}}, {"acc": 0, "by": None}],
        "metrics.f1": [0.25, 1.0],
    }
    names = {"id": "doc.id", "score": ["metrics.acc", "metrics.f1", "metrics.by.judge"]}
    for kind in ("jsonl", "parquet", "dataset"):
        yield dropping(*(stored(kind, Path(), x, table) for x in "ab"), **names)


def minus_one_in_a_table() -> Texts:
    """A judge's 1 to 10, and -1 where it failed: it is told; -1, 0 and 1 are a scale."""
    for rest in ([7, 8.5, None], [0, 10, 9], [0, 1, 1], [3, -2, 4]):
        yield dropping(*alike(rows_of(score=[-1, *rest]), ending="jsonl"))


def a_named_column_that_the_first_line_lacks() -> Texts:
    """It is there, and that example has no score."""
    rows = [{"id": 1, "score": 1}, {"id": 2, "judge": 0.5}, {"id": 3, "judge": 1}]
    yield dropping(*alike(rows, ending="jsonl"), score="judge")


def the_range_that_a_name_tells() -> Texts:
    """Right and wrong whatever they are called, also beside numbers 0 and 1, but not ½."""
    for name, scores in (
        ("metric.x", [True, False, None]),
        ("metric.x", [True, 0.5, False]),
        ("acc", [0, 1, None]),
        ("exact_match,strict-match", [0, 1]),
        ("metric.acc", [0, 1]),  # a value in an object
        ("acc", [0, 0.5]),
        ("metric.x", [0, 1]),
    ):
        yield dropping(
            *alike([{"id": k, name: x} for k, x in enumerate(scores)], "jsonl"), score=name
        )
    # no perplexity is below 0: it may be a logarithm or a negative of one
    yield read(*alike(rows_of(perplexity=[-1.5, -2.5]), "jsonl"), score="perplexity")


# Ids, and what is missing


def ids(some, **columns):
    """Objects of these ids and columns."""
    return rows_of(id=some, **{"score": [1] * len(some), **columns})


def examples_that_differ() -> Texts:
    """They are left out, and counted: missing, twice, of other references or groups."""
    for contents in (
        [ids("xwy"), ids("xyz")],
        [ids("xyx"), ids("xy")],
        [ids("xyz"), ids("zxy"), ids("yz")],
        [ids("xyz", reference="123"), ids("zxy"), ids("xyz", reference="124")],
        [ids("xyz", group=[1, 2, None]), ids("zxy", group=[3, 1, 1])],
    ):
        yield read(*tables(*contents), door=read_folder, on_missing="drop")
    many = read(*tables(ids(range(10_001)), ids([0])), on_missing="drop")
    yield many.partition("\n\n")[0]
    repeated = ids([0, 1, 2] * 2), ids([0, 1, 2] * 2 + [0])
    yield dropping(*tables(*repeated), repeats=True)
    right = save(Path("right.jsonl"), ids(range(5), reference=[1] * 5))
    yield read(*tables(ids([0, 1, 2]), ids([2, 1, 0])), references=right)


def examples_without_a_score() -> Texts:
    """Also of an answer that could not be parsed: JSON of Python writes infinities and NaN."""
    for one, other in (
        ([1, None, 0, 1, 1], [0, 1, NAN, NAN, 1]),
        ([1, INF, 0, 1, 1], [0, 1, 1, -INF, None]),
    ):
        yield dropping(*tables(rows_of(score=one), rows_of(score=other)))
        sets = (datasets.Dataset.from_dict({"id": [*range(5)], "score": x}) for x in (other, one))
        yield dropping(*sets)


def examples_without_a_label() -> Texts:
    """A prediction, or a reference; a log may lack what the other has."""
    for kind in ("prediction", "reference"):
        columns = {"prediction": [1, 0, 1, 1], "reference": [1, 0, 1, 1], kind: [1, None, 1, 0]}
        yield dropping(*tables(rows_of(**columns), rows_of(**columns | {"prediction": [0] * 4})))
    one = rows_of(prediction=[1, 1, 1], reference=[1, None, None], group=[None, "y", None])
    other = rows_of(prediction=[0, 1, 0], reference=[None, 0, 1], group=["x", None, "y"])
    yield read(*tables(one, other))


# Several metrics


def which_examples_speak_for_which_system() -> Texts:
    """By scores, by labels, and where fewer are better; runs of an example are none of either."""
    right, one, two = [0, 1, 1, 0, 1, 0], [0, 1, 1, 1, 0, 0], [0, 0, 1, 0, 1, 1]
    for name in ("score", "loss"):
        tables_of_both = (
            rows_of(**{"prediction": x, "reference": right, name: y, "group": [*"aabbcc"]})
            for x, y in ((one, [0.5, 1, 0, 2, 0, 1]), (two, [1, 1, 0.5, 0, 0, 0]))
        )
        yield read(*tables(*tables_of_both), score=name, also=["accuracy", "f1"])
    runs = [{"id": k // 2, "prediction": k % 2, "reference": 1} for k in range(8)]
    yield read(*alike(runs, "jsonl"), repeats=True)


def compared(*runs, **options):
    """The tests of all metrics, and what is left out."""
    found, examples = compare_all([*runs], **options)
    tests = (
        f"{x['logged']}: {x['n']} examples, {x['n_wins']} : {x['n_losses']}, {x['p']:g}, "
        f"adjusted {x['p_adjusted']:g}, {y.direction}"
        for x, y in zip(found.tests, examples, strict=True)
    )
    return "\n".join([*tests, *map(str, found.left_out)]).replace(str(LOGS), "logs")


def metrics_that_only_some_examples_have() -> Texts:
    """They block no other; with drop they are compared."""
    paths = tables(
        *([{"id": k, "whole": x} | ({"part": x} if k else {}) for k in range(4)] for x in (1, 0))
    )
    yield compared(read_runs(*paths, score=["whole", "part"]))
    yield compared(read_runs(*paths, score=["whole", "part"], on_missing="drop"))


def tasks_that_lack_the_metric() -> Texts:
    """They are left out, and listed; the others are compared, as if there were no more."""
    folders = (next(LOGS.glob(f"lm_eval/*{x}")) for x in ("logistic_regression", "naive_bayes"))
    tasks = [*read_runs(*folders).tasks.values()]
    yield compared(*tasks, metrics=["acc"], lower_is_better=True, alpha=0.2)
    unscored = [{"doc_id": k, "resps": [], "filter": "none", "metrics": []} for k in range(3)]
    yield compared(read_runs(*alike(unscored, "jsonl")), *tasks, correction="bh")


def metrics_that_seem_the_same() -> Texts:
    """Six wins have p = 2 / 2^6; of two tests it would be doubled. Either may be named.

    Others are of all examples at once, or count errors.
    """
    for second in (1, 0.5):
        rows = [[Row(k, x, f"{k}") for k in range(6)] for x in (1, 0)]
        rows[0][5] = Row(5, second, "5")
        paths = [HELD["promptfoo"].written(Path(x), y) for x, y in zip("ab", rows, strict=True)]
        yield read(*paths, also=[None])
        runs = read_runs(*paths)
        yield compared(runs)
        yield compared(runs, metrics=["success", "score"])
    loss = [[-1.0, 2], [-2.0, 3], [-3.0, 1]]
    losses = {"word_perplexity": loss, "byte_perplexity": loss}
    yield compared(read_runs(*(lm_eval_log(Path(x), losses) for x in "cd")))
    counted = tables(*(rows_of(errors=[x] * 3, right=[x] * 3) for x in (0, 1)))
    yield compared(read_runs(*counted, score=["errors", "right"]))


# Averages of groups of tasks

GROUPS = {"g": ["inner", "g_c"], "inner": ["g_a", "g_b"], "other": ["x"]}
OF_TASKS = {
    "g_a": ([1, 0, 1, 1], [0, 1, 0, 1]),
    "g_b": ([1, 1, 1, 1, 0, 1, 1, 0, 1], [0, 0, 1, 0, 0, 1, 0, 0, 1]),
    "g_c": ([0, 0, 1, 0, 0], [1, 0, 0, 1, 0]),
    "x": ([1, 1, 0], [0, 1, 1]),
}


def of_groups(task, by_size=True, changes=(None, None)):
    """Runs, of whose groups results report averages, which functions change."""
    return read_runs(
        *(
            lm_eval_groups(
                Path(name), {x: y[k] for x, y in OF_TASKS.items()}, GROUPS, by_size, change
            )
            for k, (name, change) in enumerate(zip("ab", changes, strict=True))
        ),
        task=task,
    )


def averaged(runs, **options):
    """The averages of a suite, and what is said of them."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        average = runs.suite("acc", **options).average
    said = (f"  {x.message}" for x in found)
    return "\n".join([f"{options}: {average.score1:.6g} {average.score2:.6g}", *said])


def the_weights_make_the_reported_average() -> Texts:
    """With groups in groups: all tasks of a group have a weight of their own."""
    for asked in ("g", "inner", "g_*", "g_[ac]", "*", "x"):
        for by_size in (True, False):
            runs = of_groups(asked, by_size)
            yield f"{asked}, {by_size}\n{averaged(runs)}"
            for weights in ("size", "equal", {x: k for k, x in enumerate(runs.tasks, 1)}):
                yield averaged(runs, weights=weights)


def averages_that_are_others() -> Texts:
    """Of both systems, or of one; a group may have none."""

    def other(results):
        results["results"]["g"].update({"acc,none": 0.9})

    def none(results):
        del results["results"]["g"]

    def of_no_group(results):
        results.update(group_subtasks={"g": []})

    for changes in ((other, other), (none, other), (none, none), (of_no_group, of_no_group)):
        yield averaged(of_groups("g_?", changes=changes), weights="size")
