"""Tables with tabs, TSV: a line is a row, and a quote is a character."""

import pytest

from pairedperm import InputError
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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'id\tscore\n1\t2\n3\t"4\n5"\n',
            r", line 4: has 1 cell, .* 2\. In TSV every line is a row",
        ),
        ('id\tscore\n1\t"2\t3"\n', r", line 2: has 3 cells, .*line ends, save the table as CSV"),
        (
            '"id"\t"score"\n"1"\t2\n',
            r""" has the cell '"id"', quoted as in CSV, but TSV has no qu""",
        ),
        (
            'id\tprediction\n1\t"a ""b"""\n',
            r""" has the cell '"a ""b\"""', quoted .*, or save it""",
        ),
        (
            'id\tprediction\n1\t"yes, I do"\n',
            r""" has the cell '"yes, I do"', quoted as in CSV, .*, or save it as CSV\.$""",
        ),
        (
            'id\tscore\n1\t"2"\n',
            r""" has the score '"2"' \(str\) for id '1', but a score is a num""",
        ),
    ],
)
def test_tsv_that_was_quoted_as_csv(text, message, put):
    good = put("good.tsv", "id\tscore\n1\t2\n")
    with pytest.raises(InputError, match=rf"`path2`: .*bad\.tsv{message}"):
        read_runs(good, put("bad.tsv", text))


@pytest.mark.parametrize(
    ("cells", "others"),
    [
        ((('"yes"', "yes"),), None),
        ((('"yes"', "no"), ("yes", "no")), None),
        ((("no", "no"), ('"1"', "no")), [7, 1]),
        ((("yes", '"no"'), ("no", "no")), None),
        ((("yes", "?"),), 'id\treference\n0\t"yes"\n'),
    ],
)
def test_quoted_cells_of_tsv_beside_the_same_without_quotes(cells, others, put):
    """Programs quote some cells only: these would equal no other cell, and p would be wrong."""
    text = "\n".join(f"{k}\t{x}\t{y}" for k, (x, y) in enumerate(cells))
    one = put("one.tsv", f"id\tprediction\treference\n{text}\n")
    if isinstance(others, str):
        others = put("right.tsv", others)
    elif others:
        others = put("right.jsonl", [{"id": k, "reference": x} for k, x in enumerate(others)])
    message = r"(one|right)\.tsv has the cell '\".+\"', quoted as in CSV, .* save it as CSV\.$"
    with pytest.raises(InputError, match=message):
        read_runs(one, put("two.tsv", one.read_text("utf-8")), references=others)
