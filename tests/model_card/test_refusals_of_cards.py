"""What `update` refuses, and then writes nothing: cards, their metadata, files of .eval_results."""

from functools import reduce
from pathlib import Path

from corpora.cards import PROSE, RESULT, untouched, write
from model_card.said import IDS
from pairedperm import compare, paired_permutation_test, structured_permutation_test
from pairedperm.model_card import END, START, load_yaml, significance_section
from refusals import asks, refusal, refuses

HERE, LONG = Path(), "x" * 5000
SPLITS = {"validation": RESULT, "test": RESULT}
SCORES = paired_permutation_test([83, 82, 84], [80, 80, 80])
SUMS = structured_permutation_test([[1], [2]], [[0], [0]], lambda x: x[..., 0])
WINS = compare([1] * 5, [0] * 5, [1] * 5, test="bootstrap")
METRIC = "{type: accuracy, name: Accuracy, value: 0.83}"
INDEX = """\
model-index:
- name: m
  results:
  - task: {type: t}
    dataset: {type: imdb, name: IMDb}
    metrics: &both
    - %s
"""
OTHER = """\
  - task: {type: t}
    dataset: {type: sst2, name: SST}
    metrics: %s
"""
TAGGED = "  notes: With tools\n"


def updating(card=PROSE, result=RESULT, **options):
    return untouched(write(HERE, card), result, **options)


def indexing(index=INDEX % METRIC, result=RESULT, model_index=True, **options):
    return updating(f"---\n{index}\n---\n# M\n", result, model_index=model_index, **options)


def entering(fields, *files):
    """With files of these contents in the folder of entries."""
    folder = HERE / ".eval_results"
    folder.mkdir()
    for name, text in zip(("org-imdb--default", "b"), files, strict=False):
        content = text if isinstance(text, bytes) else text.encode()
        (folder / f"{name}.yaml").write_bytes(content)
    return updating(eval_results=fields)


def entry(more="", **dataset):
    ids = {"id": "org/imdb", "task_id": "default", **dataset}
    return f"- dataset: {ids}\n  value: 0.22\n{more}"


def twice():
    """A card with the same comparison twice."""
    section = significance_section(RESULT)
    at = section.index("<!-- paired_perm:comparison")
    return section.replace(END, section[at:])


def folder_of(name):
    (HERE / name).mkdir()
    return HERE / name


def no_folder():
    (HERE / ".eval_results").write_text("no folder", "utf-8")
    return updating(eval_results=IDS)


@refuses
def test_refusals():
    # Files
    untouched(HERE / "no" / "README.md")
    # -> there is no card at 'no … `path` … must be a README.md, or a folder with one. Make one
    untouched(folder_of("README.md").parent)
    # -> there is no card at 'READ … `path`
    untouched(None, folder=HERE)
    # -> `path` … None (NoneType), cannot be read
    untouched("a\0b", folder=HERE)
    # -> `path` … 'a\x00b', cannot be read
    untouched("\ud800", folder=HERE)
    # -> `path` … '\ud800'
    updating("# Größe".encode("latin-1"))
    # -> README.md' is not UTF-8 (invalid … at byte 4): save it as UTF-8
    updating(f"# A\n\n{twice()}\n")
    # -> the card has '<!-- paired_perm:comparison … twice: delete one of the two
    # YAML
    updating("---\na: b: c\n---\n")
    # -> the YAML of the card cannot be read, line 2: mapping values are … Correct it first; nothing
    #    was changed
    updating("---\na: !!python/object/apply:numpy.float64 [1]\n---\n")
    # -> cannot be read, line 2: could not determine a constructor for the tag
    updating("---\na: &a [*a]\n---\n")
    # -> the YAML of the card cannot be read
    load_yaml(f"a: !{LONG} 1", "it")
    # -> the YAML of it cannot be read, line 1: could not determine … …xxx … Correct it
    updating("---\n- a\n- b\n---\n")
    # -> the YAML of the card must be a mapping, got ['a', 'b'] (list). Correct it first
    # The model-index
    indexing(dataset="dev")
    # -> `model_index` … has 0 metrics for {'metric': 'accuracy', 'dataset': 'dev'}, not one … it
    #    has metric 'accuracy' = 'Accuracy', dataset 'imdb' = 'IMDb'. Say which …
    #    model_index={'metric': ..., 'dataset': ...}, or add one
    indexing(f"{INDEX % METRIC}{OTHER % f'[{METRIC}]'}")
    # -> `model_index` … has 2 metrics for {'metric': 'accuracy'}, not one … dataset 'imdb' =
    #    'IMDb'; metric 'accuracy' = 'Accuracy', dataset 'sst2' = 'SST'
    (indexing((INDEX % METRIC).replace("IMDb", "IMDb, split: validation"), {"test": RESULT}))
    # -> `model_index` … has 0 metrics for { … 'split': 'test'}, not one
    indexing(model_index=3)
    # -> `model_index` must be True, False, a metric's name, or a dict, got 3 (int)
    indexing(model_index={"task": "x"})
    # -> `model_index` may name 'metric', … got 'task' (str)
    indexing(result=SCORES)
    # -> `model_index` must name the metric for scores, which have none
    updating(model_index=True)
    # -> `model_index` … the card has no model-index
    indexing("model-index: [{name: a}]")
    # -> `model_index` … is not as the Hub needs it (KeyError('results')). Correct it first
    indexing(INDEX % METRIC.replace("}", ", args: 3}"))
    # -> `model_index` … the metric's args are 3 (int), not a mapping. Correct that first
    indexing(f"{INDEX % METRIC}{OTHER % '*both'}", dataset="imdb")
    # -> 'args' at model-index/0/results/0/metrics/0 of the YAML cannot be set without … remove the
    #    anchors (&), aliases (*) and tags (!)
    (indexing(INDEX % "{type: accuracy, value: 1.0, args: {log_p: &x -3, ours: *x}}", WINS))
    # -> 'log_p' at model-index/0/results/0/metrics/0/args of the YAML cannot be set without
    indexing(INDEX % METRIC.replace("0.83", "0.91"))
    # -> `model_index` … the value is '0.91', and `result` has a score of 0.8333333333333334 for …
    #    system 1, so p is not known to be of this value. Correct the value, or pass the … result of
    #    the predictions that it is of, or leave `model_index` out.
    indexing(result=SUMS, model_index="accuracy")
    # -> `model_index` … the value is '0.83', and `result` has no scores, so p is not known
    indexing(result=SPLITS)
    # -> `model_index` takes one result, and `result` has 2: 'validation', 'test'. Call
    # Entries
    updating(result=SPLITS, eval_results=IDS)
    # -> `eval_results` takes one result, and `result` has 2: 'validation', 'test'. Call
    updating(eval_results=IDS | {"value": reduce(lambda inside, _: [inside], range(3000), [])})
    # -> `eval_results` … is no EvalResultEntry: … recursion … It takes dataset_id
    updating(eval_results="org/imdb")
    # -> `eval_results` must be a dict with dataset_id, task_id, value … got 'org/imdb' (str)
    updating(eval_results={"dataset_id": "a/b", "value": 1})
    # -> `eval_results` is no EvalResultEntry: … task_id … It takes dataset_id, task_id
    updating(eval_results=IDS | {"source_name": "us", "source_url": None})
    # -> `eval_results` is no EvalResultEntry: … source_url
    updating(eval_results=IDS | {"value": object()})
    # -> `eval_results` is no EvalResultEntry: … represent
    updating(eval_results=IDS | {"dataset_id": 5})
    # -> `eval_results` … dataset_id must be a name, got 5 (int)
    updating(eval_results=IDS | {"value": "0.91"})
    # -> `eval_results` … the value is '0.91', and `result` has a score of … leave `eval_results
    entering(IDS, "a: b: c")
    # -> the YAML of org-imdb--default.yaml cannot be read, line 1
    entering(IDS, "a: b")
    # -> `eval_results` … org-imdb--default.yaml must hold a list of entries, each with a
    entering(IDS, b"\xff")
    # -> `eval_results` … org-imdb--default.yaml cannot be read: 'utf-8' codec
    entering(IDS, "[{dataset: {id: x, task_id: y}, value: 1}]")
    # -> `eval_results` … org-imdb--default.yaml is there without an entry for 'org/imdb' … and
    #    'default' … rename it, or give other notes
    entering(IDS, entry(), entry())
    # -> `eval_results` … which entry for 'org/imdb' (str) and 'default' (str) is meant? … b.yaml
    #    (entry 1, no notes), org-imdb--default.yaml (entry 1, no notes). Delete all but
    entering(IDS | {"notes": "With tools"}, entry(TAGGED), entry(TAGGED))
    # -> `eval_results` … entry 1, notes 'With tools' … Delete all but one, or tell them apart
    entering(IDS, entry(TAGGED), entry("  notes: x\n"))
    # -> `eval_results` … 'x') … 'With tools'). Give the `notes` of one of these, or notes=None
    entering(IDS | {"dataset_revision": "r"}, entry(revision="q"), entry(revision="s"))
    # -> `eval_results` … is meant? … apart by notes or dataset_revision
    entering(IDS, entry("  notes: [x]\n"))
    # -> `eval_results` … notes must be text, got ['x'] (list)
    # What else is given
    updating(key=3)
    # -> `key` must be a name, as text, or None, got 3 (int)
    updating(dataset="\ud800")
    # -> `dataset` holds characters that UTF-8 has not, '\ud800'


test_refusals_in_rows = asks(
    # Markers
    refusal(
        lambda: updating(f"a\n{START}\n{END}\n{START}\n{END}\n"),
        *("", f"one section between {START} and {END}, or none, got {START} in line 2"),
        *("in line 3", f"{END} in line 5. Delete all but one pair, also in code, and move all"),
    ),
    refusal(
        lambda: updating("---\na: 1\n---\n" + f"{START}\r\n{END}\n" * 50),
        *("", f"{START} in line 4, {END} in line 5", "and 95 more. Delete all but"),
    ),
    # Files of entries
    refusal(no_folder, "eval_results", ".eval_results' is no folder: move it, or leave"),
)
