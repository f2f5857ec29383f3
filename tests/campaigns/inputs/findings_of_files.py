"""Open findings of the campaign on inputs in readers of files and in model cards."""

from __future__ import annotations

from campaigns.inputs.finding import Finding
from campaigns.inputs.fuzz_call import Call

_RESULT = "compare([1, 1, 0], [0, 1, 1], [1, 1, 1], test='bootstrap').to_dict()"

OF_FILES: tuple[Finding, ...] = (
    Finding(
        "arrays, NA and infinity in a result's dict",
        "errors of numpy's for arrays, OverflowError for n = inf, warnings for float32",
        Call.of("significance_section", f"{_RESULT} | {{'n': inf}}"),
        r"ValueError|OverflowError|TypeError|leaks RuntimeWarning|\w+Error",
        r"model_card/facts.py:(_check_one_of|_check_numbers|<lambda>|facts)|"
        r"model_card/section.py:(kind_of_test|_null_hypothesis|_of_bootstrap)|"
        "results/result.py:format_pvalue",
        r"The truth value|cannot convert|boolean value of NA|RuntimeWarning: overflow|unhashable|"
        r"int too large to convert|Cannot compare struct|ufunc '\w+' |int\(\) argument must",
        function="significance_section|update",
    ),
    Finding(
        "paths in messages of readers",
        "a path with control characters or surrogates, or a very long one, is printed as it is",
        Call.of("read_art", "'a\\0b'", "'a\\0b'"),
        "a message (that cannot be printed, .*|of more than 2,000 characters)",
        "readers/score_file.py:of",
        function="read_.*",
    ),
    Finding(
        "fields of many digits",
        "a field of 100,000 digits and an e is matched in quadratic time",
        Call.of("read_art", "file(b'1' * 100000 + b'e')", "file(b'1')"),
        "takes too long",
        "readers/score_file.py:number",
        function="read_.*",
        seconds=2.0,
    ),
    Finding(
        "surrogates in a section",
        "a metric or option with a lone surrogate goes into the section, which no file can hold",
        Call.of("significance_section", f"{_RESULT} | {{'metric': '\\ud800'}}"),
        "broken: a section with characters that UTF-8 has not|UnicodeEncodeError",
        r"outside|model_card/.*",
        function="significance_section|update",
        source="ud800",
    ),
    Finding(
        "names in messages of read_conll",
        "a document's name with control characters is printed as it is",
        Call.of(
            "read_conll",
            "file(b'====> \\0:\\nRecall: (1 / 1) \\tPrecision: (1 / 1) \\n====== TOTALS =======\\n"
            "Coreference: Recall: (1 / 1) \\tPrecision: (1 / 1) \\n')",
            "file(b'====> a:\\nRecall: (1 / 1) \\tPrecision: (1 / 1) \\n====== TOTALS =======\\n"
            "Coreference: Recall: (1 / 1) \\tPrecision: (1 / 1) \\n')",
        ),
        "a message that cannot be printed, .*",
        r"readers/conll.py:(read_conll|_documents)",
        function="read_conll",
    ),
    Finding(
        "long names in messages",
        "a path, a system's name or a column's name of thousands of characters is printed in full",
        Call.of("update", "'x' * 5000", _RESULT),
        "a message of more than 2,000 characters",
        ".*",
        r"(?s).*(x{60}|1{60})",
    ),
    Finding(
        "n of thousands of digits",
        "a result's dict with such an n, or n_differing, cannot be printed",
        Call.of("significance_section", f"{_RESULT} | {{'n': 10**5000}}"),
        "ValueError",
        r"model_card/.*",
        r"Exceeds the limit \(4300 digits\)",
        function="significance_section|update",
    ),
)
