"""Each format of logs through the same operations; how it is recognised; and what is no log."""

import json
import os
import re
from contextlib import suppress
from pathlib import Path
from unittest.mock import patch

import fsspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.logs import lm_eval, save
from extras import on_posix
from interpreter import CHECKOUT
from pairedperm import InputError
from pairedperm.commands.app import cli
from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.files import FORMATS, TABLES
from properties import cases, one_in
from readers.held import CODECS, HELD, Row, compressed, rows

ONE, TWO = rows(1, 0, 1, 1, 0), rows(0, 0, 1, 0, 0)
ROWS = [{"id": k, "score": k % 2} for k in range(4)]
PLAIN = {"confidence_level": None}
TABLE = "id,score\n0,1\n1,1\n2,1\n3,1\n"


@pytest.fixture(params=HELD)
def held(request):
    """A format, and how its log is written."""
    return HELD[request.param]


@pytest.fixture
def pair(held, tmp_path):
    """The logs of two systems, in folders of their own."""
    return [held.written(tmp_path / "all" / x, y) for x, y in (("a", ONE), ("b", TWO))]


def files_of(log):
    """The files of a run that hold examples."""
    every = sorted(x for x in log.rglob("*") if x.is_file()) if log.is_dir() else [log]
    return [x for x in every if x.parent != log]


@pytest.fixture
def compared(held):
    """A comparison of two logs by the metric of the format."""
    return lambda *paths, **options: read_runs(*paths, **options).compare(held.metric, **PLAIN)


def test_two_systems(held, pair, compared, tmp_path):
    """In either order, and of lines in any order; 1 of 4 swaps is as large, and 1 as small."""
    found = compared(*pair)
    assert {x.format for x in read_runs(*pair).systems.values()} == {held.kind}
    assert {*FORMATS} == {x.kind for x in HELD.values()}, "add a row to HELD"
    assert (found.score1, found.score2, found.n) == (0.6, 0.2, 5)
    assert (found.n_wins, found.n_losses, found.pvalue) == (2, 0, 0.5)
    turned = compared(*pair[::-1], format=held.kind)
    assert (turned.n_losses, turned.pvalue) == (2, 0.5)
    board = read_folder(tmp_path / "all").leaderboard(held.metric)
    assert [*board.scores.values()] == [0.6, 0.2]
    shuffled = held.written(tmp_path / "b", TWO[::-1])
    assert compared(pair[0], shuffled) == found


@pytest.mark.parametrize("name", [x for x in FORMATS if x not in TABLES])
def test_each_format_is_told(name):
    """By the tool's name, such as SWE-bench for swe_bench."""
    pattern = name.replace("_", ".").replace("lm.eval", "lm.eval(uation.harness)?")
    told = {x: (CHECKOUT / x).read_text("utf-8") for x in ("README.md", "examples/guide/files.md")}
    told |= {"read_runs": read_runs.__doc__, "commands/app.py": cli.help}
    assert [x for x, text in told.items() if not re.search(pattern, text, re.IGNORECASE)] == []


def test_an_example_without_a_score(held, pair, compared, tmp_path):
    """It is none; what counts as 0 there does so here."""
    other = held.written(tmp_path / "c", rows(0, None, 1, 0, 0))
    said = f"Affected ids: 1 {held.lacks.format(held.metric)}"
    for paths in ((pair[0], other), (other, pair[0])):
        if held.lacks:
            with pytest.raises(InputError, match=said):
                compared(*paths)
        found = compared(*paths, on_missing="drop")
        assert {found.score1, found.score2} == ({0.75, 0.25} if held.lacks else {0.6, 0.2})


def test_an_example_that_comes_twice(held, pair, compared, tmp_path):
    """Of repeats the mean is taken, and of tables if that is asked for."""
    again = [Row(2, 0, "question 2")]
    twice = [held.written(tmp_path / x, [*y, *again]) for x, y in (("c", ONE), ("d", TWO))]
    if not held.again:
        return
    if "often" in held.again:  # one of the two is drawn
        assert held.again in str(read_runs(pair[0], twice[1]).matching)
        assert compared(pair[0], twice[1]).score2 in (0.0, 0.2)
    else:
        with pytest.raises(InputError, match=held.again):
            read_runs(pair[0], twice[1])
        if "query" in held.again:
            return
        left = compared(pair[0], twice[1], on_missing="drop")
        assert (left.n, left.n_wins) == (4, 2)
    if held.is_table or "often" in held.again:
        found = compared(*twice, **{"repeats": True} if held.is_table else {})
        assert (found.n, found.score1, found.score2) == (5, 0.5, 0.1)


def test_another_question(held, pair, compared, tmp_path):
    """Of a log that tells what was asked; then ids alone may be enough."""
    other = held.written(tmp_path / "c", rows(0, 0, 1, 0, 0, q2="another"))
    if held.has_documents:
        said = r"1 stand for different documents: .+ If .* match by id alone, same_documents='id'"
        with pytest.raises(InputError, match=said):
            read_runs(pair[0], other)
        left = compared(pair[0], other, on_missing="drop")
        assert (left.n, left.score2) == (4, 0.0)
    runs = read_runs(pair[0], other, same_documents="id")
    by_id = "by id alone" + ": documents differ on 1 of them" * held.has_documents
    assert str(runs.matching).endswith(by_id)
    assert runs.compare(held.metric, **PLAIN) == compared(*pair)


@one_in(5)
@pytest.mark.parametrize("codec", [*CODECS, "GZ"])
def test_compressed_logs(codec, held, pair):
    """They say the same; what is cut off is not read, nor more than the limit allows."""

    def read(*paths, **options):
        systems = read_runs(*paths, **options).systems.values()
        return [(x.ids, x.scores, x.task, x.model) for x in systems]

    wanted = read(*pair)
    paths = [compressed(x, codec) for x in pair]
    assert read(*paths) == wanted
    path = files_of(paths[0])[0]
    whole = path.read_bytes()
    for n_bytes in (12, len(whole) - 1):
        save(path, whole[:n_bytes])
        with pytest.raises(InputError, match=f"{codec} (cannot be read|is no JSON).* ?Trunc"):
            read(path, paths[1], format=held.kind)
    compressed(save(path.with_suffix(""), b" " * 2**21), codec)
    assert path.stat().st_size < 2**12
    said = rf"`path1`: \S+{codec} would take more than 99,999 bytes, and no more are read\. If you "
    with pytest.raises(InputError, match=f"{said}trust it, raise the limit, max_bytes=…"):
        read(path, paths[1], format=held.kind, max_bytes=99_999)


def test_files_that_are_others(held, pair):
    """Empty, of another format, or cut off: each is refused, and named."""
    path = files_of(pair[0])[0]
    whole = path.read_bytes()
    empty = "is empty: at least one example is|is no JSON of results, Expecting"
    half = whole[: len(whole) // 2]
    for content, said in ((b"", empty), (b'{"a": 1}', held.other), (half, "")):
        save(path, content)
        with pytest.raises(InputError, match=f"{path.name}.*({said})"):
            read_runs(path, pair[1], format=held.kind)


def test_a_folder_that_fsspec_lists(held, pair, tmp_path):
    """As the same folder on this machine."""
    system = fsspec.filesystem("memory")
    system.put(str(tmp_path / "all"), "/logs", recursive=True)
    wanted = read_folder(tmp_path / "all").leaderboard(held.metric)
    try:
        assert read_folder("memory://logs").leaderboard(held.metric).scores == wanted.scores
    finally:
        system.rm("/logs", recursive=True)


def _indexed(value, path=()):
    """The places of all that is nested in a value."""
    pairs = enumerate(value) if isinstance(value, list) else ()
    for key, inner in value.items() if isinstance(value, dict) else pairs:
        yield (*path, key)
        yield from _indexed(inner, (*path, key))


JUNK = (None, True, 0, -1, 3.5, "", "x", {}, [], [1], {"a": 1}, float("nan"), float("inf"))
OF_JSON = ("lerobot", "promptfoo", "deepeval", "swe_bench", "swe_bench, instances", "harbor")


@pytest.mark.parametrize("name", [*OF_JSON, "harbor, before", "skills"])
@cases(0.1)
@given(data=st.data())
def test_changed_logs_are_read_or_refused(name, data, tmp_path_factory):
    """Whatever stands at some place of an object."""
    folder = tmp_path_factory.mktemp("logs")
    one, other = (HELD[name].written(folder / x, ONE[:2]) for x in "ab")
    content = json.loads(files_of(other)[0].read_text("utf-8"))
    *path, last = data.draw(st.sampled_from([*_indexed(content)]))
    holder = content
    for key in path:
        holder = holder[key]
    if data.draw(st.booleans()):
        holder[last] = data.draw(st.sampled_from(JUNK))
    else:
        del holder[last]
    save(files_of(other)[0], json.dumps(content))
    with suppress(InputError):
        assert read_folder(one, other, on_missing="drop", format=HELD[name].kind).ids


# how a format is recognised

OF_TREC = f"{'map':22}\tq1\t0.5\n"
RESPONSES = {"doc_id": 1, "resps": [], "acc": 1}


@pytest.mark.parametrize(
    ("name", "content", "wanted", "options"),
    [
        ("x.NDJSON", ROWS, "jsonl", {}),
        (".x.jsonl", ROWS, "jsonl", {}),  # hidden, but named
        ("x.log", ROWS, "jsonl", {"format": "jsonl"}),
        ("x.TSV", "id\tscore\n1\t1\n", "tsv", {}),
        ("x.jsonl", "\n" + json.dumps(RESPONSES), "lm_eval", {}),
        ("x.jsonl", '{"doc_id": 1, "filtered_resps": [], "acc": 1}', "lm_eval", {}),
        ("x.json", [RESPONSES], "lm_eval", {}),
        ("x.jsonl", '{"doc_id": 1, "score": 1}', "jsonl", {"id": "doc_id"}),
        ("x", OF_TREC, "trec_eval", {}),
        ("x.eval", OF_TREC, "trec_eval", {}),
        ("x.txt", "relstring             \tq1\t'01'\r\n" + OF_TREC, "trec_eval", {}),
        ("x", "runid                 \tall\tbm25\n" + OF_TREC, "trec_eval", {}),
        ("x", f"{'Zmap':22}\tq1\t-nan\n{OF_TREC}", "trec_eval", {}),
        ("x.tsv", "long_name_of_ids\tprediction\n1\ta\n", "tsv", {"id": "long_name_of_ids"}),
    ],
)
def test_what_tells_a_format(name, content, wanted, options, put, tmp_path):
    path = put(name, content)
    other = save(tmp_path / f"other{path.suffix}", path.read_bytes())
    assert {x.format for x in read_runs(path, other, **options).systems.values()} == {wanted}


# what else lies in a folder


@pytest.fixture
def folders(tmp_path):
    """Two folders with a table each, in one folder."""
    for k, name in enumerate("ab"):
        (tmp_path / "all" / name).mkdir(parents=True)
        save(tmp_path / "all" / name / "x.jsonl", [x | {"score": k} for x in ROWS])
    return tmp_path / "all"


@on_posix
def test_links_that_lead_out_are_left_out(folders, tmp_path):
    """So that a folder shows only what is in it; a file that is named itself may be a link."""
    token = save(tmp_path / "token.csv", TABLE)
    plain = read_folder(folders)
    for name, target in (("c.csv", token), ("d", tmp_path), (".e.csv", token)):
        (folders / "b" / name).symlink_to(target)
    (folders / "b" / "broken.csv").symlink_to(tmp_path / "nothing")
    (folders / "b" / "loop.csv").symlink_to("loop.csv")
    runs = read_folder(folders)
    assert runs.leaderboard() == plain.leaderboard()
    (note,) = map(str, runs.notes)
    assert note.startswith("left out: 2 links out of the folder: ")
    assert note.endswith(os.path.join("b", "d"))
    assert len(read_runs(folders / "b" / "c.csv", folders / "a").ids) == 4
    (folders / "c").mkdir()
    (folders / "c" / "in.jsonl").symlink_to(folders / "a" / "x.jsonl")
    assert len(read_folder(folders).systems) == 3
    with pytest.raises(InputError, match=r"It is empty\. Links that lead out of it are left out\."):
        read_folder(folders / "c", folders / "a")


@on_posix
def test_links_of_the_cache_of_the_hub(folders):
    """They lead to the blobs beside the snapshots, as huggingface_hub makes them."""
    snapshot = folders / "snapshots" / "0a1b" / "x"
    snapshot.mkdir(parents=True)
    folders.joinpath("a").rename(folders / "blobs")
    for name in "cd":
        (snapshot / f"{name}.jsonl").symlink_to("../../../blobs/x.jsonl")
    for folder in (snapshot, snapshot.parent):
        assert read_folder(folder).notes == ()


@on_posix
def test_results_beside_that_lead_out(tmp_path):
    """A link beside a log is refused, within the folder or alone; within the folder it may be."""
    log = lm_eval("naive_bayes")
    (results,) = log.parent.glob("results_*.json")
    run = tmp_path / "all" / "run"
    run.mkdir(parents=True)
    save(run / log.name, log.read_bytes())
    (run / results.name).symlink_to(save(tmp_path / "all" / "r.json", results.read_bytes()))
    runs = read_runs(tmp_path / "all", lm_eval("decision_tree"))
    assert next(iter(runs.systems)) == "scikit-learn/naive_bayes"
    for path in (run, run / log.name):
        with pytest.raises(InputError, match=r"is a link that leads out of .* Copy the file there"):
            read_runs(path, log)


@on_posix
def test_what_no_log_is(folders):
    """JSON of other programs, a pipe, which would wait for ever, and what others may not read."""
    for k, content in enumerate(('{"results": {}}', '{"id": "1", "results": [{}]}', b"[\xff", "")):
        save(folders / f"{k}.json", content)
    os.mkfifo(folders / "pipe.jsonl")
    assert len(read_folder(folders).systems) == 2
    secret = save(folders / "secret.txt", "x")
    opened = Path.open

    def closed(path, *how, **named):
        if path == secret:
            raise PermissionError(13, "Permission denied")
        return opened(path, *how, **named)

    with patch("pathlib.Path.open", closed):
        assert len(read_folder(folders).systems) == 2
