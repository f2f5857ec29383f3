"""Tables with tabs, TSV: a line is a row, and a quote is a character."""

from pairedperm.readers import read_runs

QUOTATIONS = ['"He said', "nothing", 'more."', *"abcd", '"Then', 'he left."', '"He came."']


def tsv(put, name, texts, scores):
    """A table of one text and one score a line; its ids count from 0."""
    rows = zip(range(len(texts)), texts, scores, strict=True)
    lines = ["id\tprediction\tscore", *("\t".join(map(str, row)) for row in rows)]
    return put(name, "\n".join(lines))


def test_each_line_of_tsv_is_a_row(put):
    """Quotes are characters, also those that open in one line and close in another."""
    paths = [tsv(put, f"{x}.tsv", QUOTATIONS, y) for x, y in (("a", [1] * 10), ("b", 10 * [0]))]
    runs = read_runs(*paths)
    assert runs.systems["a"].predictions == QUOTATIONS
    assert runs.compare("score").pvalue == 2 / 2**10
    right = put("right.jsonl", [{"id": k, "reference": x} for k, x in enumerate(QUOTATIONS)])
    assert read_runs(*paths, references=right).compare("accuracy").score1 == 1.0
