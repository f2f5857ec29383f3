"""Open findings of the campaign on inputs: faults of the package that are known, to be mended."""

from __future__ import annotations

from typing import Any

from campaigns.inputs.finding import Finding
from campaigns.inputs.findings_of_files import OF_FILES
from campaigns.inputs.fuzz_call import Call


def recognised(failure: Any) -> Finding | None:
    """The known finding that a failure is."""
    return next((x for x in FINDINGS if x.is_shown_by(failure)), None)


_SCORES = "paired_permutation_test"
_TEXTS = "Dataset.from_dict(dict(text=['a', 'b'], label=['neg', 'pos']))"
_IMAGES = (
    "Dataset.from_dict(dict(text=['a'], label=['neg']), "
    "features=Features(text=datasets.Image(), label=Value('string')))"
)

FINDINGS: tuple[Finding, ...] = (
    Finding(
        "arrays as options",
        "an array or a Series as method, metric or average ends in numpy's own error",
        Call.of("compare", "[1]", "[0]", "[1]", method="np.array([1, 2])", test="'bootstrap'"),
        "ValueError|TypeError",
        r"options.py:read_options|hf/label_stream.py:_replaced|hf/dataset.py:new_stream|"
        r"hf/comparison.py:compute",
        r"The truth value of|boolean value of NA is|unhashable type|Cannot compare struct",
    ),
    Finding(
        "timedelta64 as a number",
        "np.timedelta64 is a np.integer: taken for one, it ends in numpy's own error",
        Call.of(_SCORES, "[1, 0]", "[0, 1]", max_bytes="np.timedelta64(5)"),
        "UFuncTypeError|TypeError|UFuncNoLoopError",
        r"options.py:(_positive_integer|_confidence_level|_seed|read_zero_division)|scoring/metric.py:is_given|"
        r"scoring/metrics/label_scores.py:(_read_beta|_label)|scoring/ratio.py:.*|"
        r"inputs/numbers.py:_check_integers|inputs/columns.py:(integers|beyond_int64|<genexpr>)",
        r"ufunc '\w+' |int\(\) argument must be .* not '(NoneType|datetime.timedelta)'",
    ),
    Finding(
        "a nest without end as rng",
        "np.random.default_rng crashes the process on a np.matrix, or a list that holds itself",
        Call.of(_SCORES, "[1, 0]", "[0, 1]", rng="np.asmatrix([1, 2])"),
        "ends its process with status -11",
        "outside",
        r".*rng=\S*(np\.asmatrix|recursive|deep)",
    ),
    Finding(
        "an integer beyond int64 among floats",
        "-2**63 among floats is refused by its absolute value, and then not found",
        Call.of(_SCORES, "[1.5, -2**63]", "[0, 0]"),
        "StopIteration|RuntimeError",
        r"inputs/columns.py:beyond_int64|hf/score_stream.py:_read",
        "$|generator raised StopIteration",
    ),
    Finding(
        "pos_label of thousands of digits",
        "the warning that it does not occur cannot print it",
        Call.of("compare", "[1, 0]", "[0, 1]", "[1, 1]", "'f1'", pos_label="10**5000"),
        "ValueError",
        r"scoring/metric.py:checked_score|results/result.py:.*",
        r"Exceeds the limit \(4300 digits\)",
    ),
    Finding(
        "np.matrix of rows",
        "np.matrix stays a matrix: numpy's own error deep inside",
        Call.of(_SCORES, "np.asmatrix([[1, 2], [2, 2]])", "[[0, 1], [2, 3]]", score="quotient"),
        "TypeError|ValueError|IndexError",
        ".*",
        r"matrix\.\w+\(\) got an unexpected keyword|object too deep for desired|shape too large|"
        r"can only convert an array of size 1|must be real number, not list|all the input arrays|"
        "operands could not be broadcast",
        source="matrix",
    ),
    Finding(
        "texts in a StringDType or a chararray",
        "the message about a column of texts asks a str for its item()",
        Call.of(_SCORES, "[1, 0]", "np.char.array(['a', 'b'])"),
        "AttributeError",
        "inputs/numbers.py:read_scores",
        r"'(str|bytes)' object has no attribute 'item'",
    ),
    Finding(
        "longdouble beyond float64 in a list",
        "np.longdouble('1e400') in a list of floats leaks numpy's warning of an overflow",
        Call.of(_SCORES, "[1.5, np.longdouble('1e400')]", "[0, 0]"),
        "leaks RuntimeWarning",
        "inputs/numbers.py:_array_of_numbers",
        "RuntimeWarning: overflow encountered in cast",
    ),
    Finding(
        "a length without entries",
        "what has a length but no entries to read (np.dtype, odd memoryviews) ends in TypeError",
        Call.of("compare", "np.dtype('f8')", "[0]", "[1]"),
        "TypeError|NotImplementedError",
        r"inputs/columns.py:materialise|inputs/labels.py:(read_labels|_row)|"
        r"inputs/numbers.py:_array_of_rows|hf/recorder.py:compute|"
        r"scoring/metrics/label_scores.py:read_labels_chosen",
        r".* is not iterable|iteration over a 0-d|"
        r"len\(\) of unsized object|memoryview: (unsupported )?format",
    ),
    Finding(
        "pickled counts can be written to",
        "arrays of PairedCounts, which are read-only, are not after pickling",
        Call.of("pickled", "PairedCounts([1], [0], [2])"),
        "broken: paired counts can be written to",
        "outside",
        function="pickled",
    ),
    Finding(
        "only empty sequences",
        "compare_dataset with span_f1 where a column has only empty sequences: IndexError",
        Call.of(
            "compare_dataset",
            "Dataset.from_dict(dict(predictions1=[[]], predictions2=[['O']], references=[[]]), "
            "features=Features(dict.fromkeys(('predictions1', 'predictions2', 'references'), "
            "datasets.Sequence(Value('string')))))",
            metric="'span_f1'",
        ),
        "IndexError",
        r".*",
        "list index out of range|index 0 is out of bounds",
        function="compare_dataset",
        source=r"\[\[\]",
    ),
    Finding(
        "a repr of pandas's in messages",
        "the repr of an Index or a Series holds control characters of its texts as they are",
        Call.of("Ratio", "[1]", r"pd.Index(['\x1b[31m'])"),
        "a message that cannot be printed, .*",
        ".*",
        r"(?s).*(Index|Series|DataFrame|Array|Categorical)\b",
        source=r"pd\.",
    ),
    Finding(
        "a column of images as texts",
        "datasets decodes the column: FileNotFoundError, where a text is asked for",
        Call.of("predict_and_compare", *["Pipeline(labelled('neg'))"] * 2, _IMAGES),
        "FileNotFoundError|ImportError|UnidentifiedImageError",
        r"hf/tasks.py:_rows|hf/dataset.py:_batches",
        function="predict_and_compare|compare_dataset",
    ),
    Finding(
        "what only looks like a pipeline",
        "outputs that are no labels, too few of them, an unhashable task: foreign exceptions",
        Call.of(
            "predict_and_compare", "Pipeline(labelled('neg'))", "Pipeline(labelled('neg'))", _TEXTS
        ),
        "KeyError|ValueError|TypeError|UnicodeEncodeError|AttributeError",
        r"hf/pipelines.py:.*|hf/tasks.py:(labels|_is_before|_offset)|hf/meaning.py:.*",
        function="predict_and_compare",
    ),
    Finding(
        "a recorder of no metric",
        "PredictionRecorder takes anything for a metric, and ends in AttributeError at compute",
        Call.of(
            "run_steps",
            "partial(PredictionRecorder, 1)",
            "('compute', dict(predictions=[1, 0], references=[1, 1]))",
        ),
        "AttributeError",
        "hf/recorder.py:compute",
        "'int' object has no attribute 'compute'",
        function="run_steps",
    ),
    Finding(
        "narrow multiplicities",
        "float16 multiplicities are compared with 2^53, which leaks a warning of numpy's",
        Call.of("PairedCounts", "[3]", "[1]", multiplicities="np.array([2], dtype='f2')"),
        "leaks RuntimeWarning",
        "scoring/counts.py:_read_multiplicities",
        "RuntimeWarning: overflow",
    ),
    *OF_FILES,
    Finding(  # the last one: what none of the others is
        "another exception or message of hostile values",
        "somewhere numpy's, torch's or Python's own error, or a message that cannot be printed",
        Call.of(
            "paired_permutation_test",
            "np.sin(np.arange(60))",
            "np.cos(np.arange(60))",
            max_frequencies="np.longdouble('1e400')",
        ),
        r"(?!Assertion|ZeroDivision|Name|Attribute)\w+Error|leaks \w+Warning|a message .*",
        ".*",
        is_general=True,
    ),
)
