"""What trec_eval 10 printed of two runs and three queries, of which one run has no third."""

from pathlib import Path

import pytest

from corpora.logs import log, save
from pairedperm import InputError
from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.text_file import TextFile
from pairedperm.readers.trec_eval import read, signs
from refusals import asks_alike

BM25, DENSE = log("trec_eval/bm25.txt"), log("trec_eval/dense.txt")
ROW = "map                   \tq1\t0.5\n"


def test_measures_are_metrics():
    (run,) = read(TextFile("path1", BM25))
    assert run.ids == ["q1", "q2", "q3"]
    assert run.scores == {
        "num_rel_ret": [2, 1, 0],
        "map": [0.8333, 0.5, 0],
        "recip_rank": [1, 0.5, 0],
    }
    assert run.lower_is_better == {"map": False, "recip_rank": False}
    assert [*run.left_out] == ["relstring"]
    assert run.doubts == {}  # the sum of num_rel_ret is no average


def test_runs_are_named_by_their_files():
    runs = read_folder(BM25.parent)
    assert [*runs.systems] == ["bm25", "dense"]
    result = runs.compare("map")
    assert (result.n, str(result.score1)) == (3, "0.44443333333333335")


def test_averages_that_count_other_queries(put):
    """With `-c`, trec_eval averages over queries that it printed no row of."""
    lines = BM25.read_text("utf-8").splitlines(keepends=True)
    path = put("x", "".join(x for x in lines if "\tq3\t" not in x))
    (run,) = read(TextFile("path1", path))
    assert "0.4444 is reported" in str(run.doubts["map"])
    with pytest.raises(
        InputError, match=r"1 not in .*: 'q3'\. A query .* `trec_eval -q -c` .*drop"
    ):
        read_runs(path, DENSE)
    assert len(read_runs(path, DENSE, on_missing="drop").ids) == 2


@pytest.mark.parametrize(("measure", "average"), [("map", "0.2500"), ("prefs_num_prefs", "1")])
def test_averages_that_are_no_others(measure, average, put):
    """Scores and averages are rounded to four digits, and numbers of preferences are summed."""
    rows = [("q1", "0.3333"), ("q2", "0.1665"), ("all", average)]
    path = put("x", "".join(f"{measure:22}\t{query}\t{x}\n" for query, x in rows))
    (run,) = read(TextFile("path1", path))
    assert (run.scores[measure], run.doubts) == ([0.3333, 0.1665], {})


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("x", ROW, True),
        ("x.eval", ROW, True),
        ("x.txt", "relstring             \tq1\t'01'\r\n", True),
        ("x", "runid                 \tall\tbm25\n", True),
        ("x", "Zmap                   \tq1\t-nan\n", True),
        ("x", "map\tq1\t0.5\n", False),
        ("x.tsv", "identifier_of_the_example\tprediction\treference\n", False),
        ("x", "map                   \tq1\t0.5\t1\n", False),
    ],
)
def test_the_first_line(name, text, wanted, put):
    assert signs.fit(TextFile("path1", put(name, text))) == wanted


def test_nan_is_a_missing_score(put):
    (run,) = read(TextFile("path1", put("x", ROW + "\n" + ROW.replace("q1\t0.5", "q2\t-nan"))))
    assert run.scores == {"map": [0.5, None]}


OF_IR_MEASURES = "".join(f"{x}\tnDCG@10\t0.5000\n" for x in ("q1", "q2", "q3", "all"))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (OF_IR_MEASURES, "4 names in its first column and 1 in its second"),
        (OF_IR_MEASURES.replace("all", "q4"), "4 names in its first column and 1 in its"),
        ("q1\tAP\t0.5\nq1\tP@5\t0.2\nall\tAP\t0.5\nall\tP@5\t0.2\n", "2 names in its first"),
        ("301\tAP\t0.5\n301\tP@5\t0.2\n", "1 name in its first column and 2 in its second"),
    ],
)
def test_a_layout_with_the_query_first(text, names, put):
    """Every query would be a metric."""
    path = put("x.tsv", text)
    told = (
        rf"{names}.*, but trec_eval writes measure, query and value\. Is it of ir_measures, which "
        r"writes the query first\? Ask it for one measure with `-q -o jsonl`, and give that "
        r"with id='query_id' and score='value'\.$"
    )
    with pytest.raises(InputError, match=told):
        read_runs(path, DENSE, format="trec_eval")


def test_more_measures_than_queries(put):
    """Which trec_eval writes: it fills up the names of measures."""
    (run,) = read(TextFile("path1", put("x", ROW + ROW.replace("map", "gm3"))))
    assert (run.ids, run.metrics) == (["q1"], ("map", "gm3"))


def beside(text):
    return read_runs(save(Path("x.txt"), text), DENSE)


test_refusals = asks_alike(
    *(beside, ""),
    (ROW.replace("q1", "all"), "x.txt has only averages of all queries. Run trec_eval with -q."),
    (f"{ROW}map 2\n", "x.txt, line 2: has no measure, query and value. Give what trec_eval pr"),
    (ROW * 2, "x.txt has a measure of query 'q1' twice. Give what trec_eval printed of one run."),
)
