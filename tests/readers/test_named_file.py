"""How files are opened: compressed, at a URL, or in a folder that fsspec lists."""

import gzip
import json
import os
import threading
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpora.logs import GATE, inspect, lm_eval_files, save
from corpora.score_files import printed
from extras import needs
from pairedperm import InputError
from pairedperm.readers import read_conll, read_folder, read_runs
from pairedperm.readers.formats import read_logs
from pairedperm.readers.read_options import ReadOptions
from pairedperm.readers.text_file import TextFile

ROWS = [{"id": str(k), "score": k % 3} for k in range(2000)]
CELLS = [f"{x['id']},{x['score']}" for x in ROWS]
CODECS = {"gz": "gzip", "bz2": "bz2", "zst": "zstd"}


def compressed(path, ending):
    """A compressed copy beside a file."""
    copy = path.with_name(f"{path.name}.{ending}")
    with pa.output_stream(copy, compression=CODECS[ending.lower()]) as stream:
        stream.write(path.read_bytes())
    return copy


@pytest.fixture(params=["jsonl", "csv", "tsv", "parquet"])
def plain(request, put, tmp_path):
    """A table of each kind."""
    if request.param == "parquet":
        pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "x.parquet")
        return tmp_path / "x.parquet"
    lines = "\n".join(["id,score", *CELLS])
    of_kind = {"jsonl": ROWS, "csv": lines, "tsv": lines.replace(",", "\t")}
    return put(f"x.{request.param}", of_kind[request.param])


@pytest.mark.parametrize("ending", [*CODECS, "GZ"])
def test_compressed_tables(plain, ending, put):
    """What they hold is the same, and so is the name of the system."""
    other = put("y.jsonl", ROWS)
    runs = read_runs(compressed(plain, ending), other)
    assert [*runs.systems] == ["x", "y"]
    wanted, found = read_runs(plain, other).systems["x"], runs.systems["x"]
    assert (found.format, found.ids, found.scores) == (wanted.format, wanted.ids, wanted.scores)


@pytest.mark.parametrize("ending", CODECS)
def test_what_is_cut_off_is_not_read(plain, ending):
    """Not even if all examples are there."""
    path = compressed(plain, ending)
    whole = path.read_bytes()
    for n_bytes in (12, len(whole) // 2, len(whole) - 1):
        save(path, whole[:n_bytes])
        with pytest.raises(InputError, match=rf"^`path1`: \S+{ending} cannot be read: Trun"):
            read_logs("path1", path, ReadOptions())


def bomb_of(ending, put):
    """Some hundred bytes that would become 50 MB."""
    bomb = put("bomb", "")
    with pa.output_stream(bomb, compression=CODECS[ending]) as stream:
        for _ in range(50):
            stream.write(b" " * 2**20)
    assert bomb.stat().st_size < 2**16
    return bomb


def check_too_large(bomb, other, name, kind):
    renamed = bomb.rename(bomb.with_name(name))
    with pytest.raises(
        InputError,
        match=rf"^`path1`: \S+{name} would take more than 1,000,000 bytes, and no more are "
        r"read\. If you trust it, raise the limit, max_bytes=…\.$",
    ):
        read_runs(renamed, other, max_bytes=10**6, format=kind)


@pytest.mark.parametrize("ending", CODECS)
@pytest.mark.parametrize(
    ("name", "kind"),
    {
        **dict.fromkeys(["x.jsonl", "x.csv", "x.parquet", "x.tsv.gz"]),
        "x.json": "promptfoo",
        "x": "trec_eval",
        "result.json": "harbor",
    }.items(),
)
def test_no_more_is_read_than_the_limit_allows(put, ending, name, kind):
    check_too_large(bomb_of(ending, put), put("y.jsonl", ROWS), name, kind)


@pytest.mark.parametrize("ending", CODECS)
def test_no_more_is_read_of_a_log_of_inspect_ai(put, ending):
    needs("inspect_ai.log", "inspect")
    check_too_large(bomb_of(ending, put), put("y.jsonl", ROWS), "x.eval", None)


@pytest.mark.parametrize("ending", CODECS)
def test_the_limit_is_of_what_is_decompressed(put, ending):
    other = put("y.jsonl", ROWS)
    size = other.stat().st_size
    packed = compressed(other, ending)
    assert len(read_runs(packed, other, max_bytes=size).ids) == 2000
    with pytest.raises(InputError, match="would take more than"):
        read_runs(packed, other, max_bytes=size - 1)


def test_what_is_compressed_counts_too(put):
    """Endless members of gzip that hold nothing."""
    path = put("x.jsonl", gzip.compress(b"") * 10**5)
    with pytest.raises(InputError, match="would take more than 1,000,000 bytes"):
        read_runs(path, put("y.jsonl", ROWS), max_bytes=10**6)


def test_the_limit_holds_for_what_is_beside_a_log_and_for_references(tmp_path, put):
    for system in "ab":
        (tmp_path / system).mkdir()
        for name, content in lm_eval_files({"acc": [1, 0, 1]}, {"acc": 0.5}).items():
            save(tmp_path / system / name, content + " " * 10**5 * name.startswith("results"))
    with pytest.raises(InputError, match=r"results_\S+ would take more than 50,000 bytes"):
        read_runs(tmp_path / "a", tmp_path / "b", max_bytes=50_000)
    gold = put("gold.csv", "id,reference\n" + "1,1\n" * 10**5)
    with pytest.raises(InputError, match=r"`references`: \S+ would take more than 50,000 bytes"):
        read_runs(
            put("x.jsonl", ROWS[:5]), put("y.jsonl", ROWS[:5]), references=gold, max_bytes=50_000
        )


def test_a_line_of_a_compressed_file_is_named(put):
    path = compressed(put("x.jsonl", '{"id": 1}\n{"id": 2'), "gz")
    with pytest.raises(InputError, match=r"x\.jsonl\.gz, line 2: is no JSON"):
        read_logs("path1", path, ReadOptions())
    with pytest.raises(InputError, match=r"x\.jsonl\.gz is empty"):
        read_logs("path1", compressed(put("x.jsonl", ""), "gz"), ReadOptions())


def test_an_ending_without_a_compression(put):
    """The first bytes decide: a server or a browser may have decompressed it."""
    assert read_runs(put("x.jsonl.gz", ROWS), put("y.jsonl", ROWS)).systems["x"].format == "jsonl"
    path = compressed(put("z.jsonl", ROWS), "gz").rename(put("z.jsonl", "").with_name("z2.jsonl"))
    assert len(read_runs(path, put("y.jsonl", ROWS)).ids) == 2000


def test_compressed_logs(tmp_path):
    """Also the results beside them; the task is that of the name."""
    for system, right in {"a": [1, 0, 1], "b": [1, 1, 1]}.items():
        (tmp_path / system).mkdir()
        for name, content in lm_eval_files({"loss": right}, {"loss": 0}, ["loss"]).items():
            compressed(save(tmp_path / system / name, content), "zst")
            (tmp_path / system / name).unlink()
    runs = read_folder(tmp_path)
    assert (runs.task, [*runs.systems]) == ("t", ["a", "b"])
    assert [x.lower_is_better for x in runs.systems.values()] == [{"loss": True}] * 2


def test_a_compressed_log_of_inspect_ai(tmp_path):
    """Its reader is given a copy, which does not stay."""
    read_eval_log = needs("inspect_ai.log", "inspect").read_eval_log
    plain = inspect("naive_bayes", ending="json")
    path = compressed(save(tmp_path / plain.name, plain.read_bytes()), "gz")
    assert read_runs(path, plain).ids == [x.id for x in read_eval_log(str(plain)).samples]
    file = TextFile("path1", path)
    copy = file.file
    assert copy.read_bytes() == plain.read_bytes()
    del file
    assert not copy.parent.exists()


def test_compressed_output_of_the_conll_scorer(put):
    path = put("muc.txt", printed({"a": (1, 3, 1, 2)}))
    assert read_conll(compressed(path, "bz2"), path)[0].tolist() == [[1, 3, 1, 2]]
    with pytest.raises(InputError, match=r"`path1`: \S+ would take more than 10 bytes"):
        read_conll(compressed(path, "bz2"), path, max_bytes=10)


# URLs


@pytest.fixture
def memory():
    """A folder with the logs of two systems, in memory."""
    system = fsspec.filesystem("memory")
    for path in GATE.glob("*/*"):
        system.pipe(f"/logs/{path.parent.name}/{path.name}", path.read_bytes())
    system.pipe("/logs/.hidden/x.jsonl", b"{}")
    system.pipe("/logs/notes.txt", b"")
    yield "memory://logs"
    system.rm("/logs", recursive=True)


def test_a_folder_that_fsspec_lists(memory):
    """As the same folder on this machine, with the results beside the logs."""
    found, wanted = read_folder(memory, task="tumors"), read_folder(GATE, task="tumors")
    assert found.leaderboard("acc").to_dict() == wanted.leaderboard("acc").to_dict()
    versions = ([x.version for x in runs.systems.values()] for runs in (found, wanted))
    assert next(versions) == next(versions)
    assert [*map(str, found.notes)] == ["left out: 1 hidden file: memory://logs/.hidden/x.jsonl"]


def test_only_the_logs_of_the_task_are_read(memory, monkeypatch):
    """Of the others the first line is."""
    read = []
    pages = TextFile._pages
    monkeypatch.setattr(
        TextFile, "_pages", lambda file, *x: read.append(file.path) or pages(file, *x)
    )
    read_folder(memory, task="tumors")
    assert read
    assert all("samples_tumors_" in path for path in read)


def test_a_folder_without_logs(memory):
    fsspec.filesystem("memory").pipe("/logs/none/x.txt", b"")
    with pytest.raises(InputError, match=r"no log was found in memory://logs/none\. It has x\.txt"):
        read_runs(f"{memory}/none", memory)


@pytest.fixture
def web(tmp_path):
    """A server of the folder, on this machine."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            if not self.path.startswith("/endless"):
                return super().do_GET()
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):  # the reader has gone
                while True:
                    self.wfile.write(ENDLESS[self.path.rpartition("/")[2]] * 2**10)

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=tmp_path)) as server:
        thread = threading.Thread(target=server.serve_forever, args=[0.01])
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_files_on_the_web(web, plain, put):
    other = put("y.jsonl", ROWS)
    wanted = read_runs(plain, other)
    for name in (plain.name, compressed(plain, "gz").name):
        runs = read_runs(f"{web}/{name}?key=secret", f"{web}/y.jsonl")
        assert (runs.ids, [*runs.systems]) == (wanted.ids, ["x", "y"])
        assert runs.systems["x"].scores == wanted.systems["x"].scores
        assert runs.systems["x"].path == f"{web}/{name}"
    url = web.replace("//", "//me:secret@")
    runs = read_runs(f"simplecache::{url}/{plain.name}?key=secret", other)
    assert runs.ids == wanted.ids
    assert runs.systems["x"].path == f"simplecache::{web}/{plain.name}"
    assert read_runs(plain.as_uri(), other).systems["x"].path == str(plain)


def test_a_large_file_on_the_web(web, put):
    """The server of this test reads no ranges, of which fsspec would ask beyond 5 MiB."""
    put("x.jsonl", [{"id": k, "score": 1, "text": "x" * 2**21} for k in range(4)])
    other = put("y.jsonl", [{"id": k, "score": 1} for k in range(4)])
    assert len(read_runs(f"{web}/x.jsonl", other).ids) == 4


ENDLESS = {"x.csv": b"id,score\n", "x.parquet": bytes(8), "x.eval": bytes(8), "x.txt": b"a\tb\t1\n"}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_file_on_the_web_without_an_end(web, put, name):
    needs("inspect_ai.log", "inspect")
    kind = "trec_eval" if name == "x.txt" else None
    with pytest.raises(InputError, match="would take more than 1,000,000 bytes"):
        read_runs(f"{web}/endless/{name}", put("y.jsonl", ROWS), max_bytes=10**6, format=kind)


def test_files_that_the_web_has_not(web, put):
    other = put("y.jsonl", ROWS)
    for url, message in {
        f"{web}/none.jsonl?key=secret": rf"{web}/none\.jsonl cannot be read: 404, ",
        f"{web}/none.jsonl".replace("//", "//me:secret@"): rf"{web}/none\.jsonl cannot be read: ",
        f"simplecache::{web}/none.jsonl?key=secret": rf"simplecache::{web}/none\.jsonl cannot ",
        f"{web}/": "cannot be read: the web does not list the files of a folder: name each file",
        f"{web}/y.log": r"y\.log cannot be read: 404, ",
    }.items():
        with pytest.raises(InputError, match=message) as refused:
            read_runs(url, other)
        assert "secret" not in str(refused.value)


def test_urls_that_no_package_reads(put):
    fsspec.register_implementation(
        "absent", "no_such_package.System", errtxt="Install no_such_package", clobber=True
    )
    for url, why in {
        "absent://x.jsonl": "Install no_such_package",
        "nowhere://x.jsonl": "Protocol not known: nowhere",
        "zip://x.jsonl::http://127.0.0.1:9/x.zip?key=secret": ".*",
    }.items():
        where = url.partition("?")[0]
        message = f"`path1`: {where} cannot be read: {why}. Save it on this machine, and name that"
        with pytest.raises(InputError, match=message) as refused:
            read_runs(url, put("y.jsonl", ROWS))
        assert "secret" not in str(refused.value)
    for url in ("memory://x.jsonl", "memory://no_folder"):
        with pytest.raises(InputError, match=f"{url} cannot be read: No such file"):
            read_runs(url, put("y.jsonl", json.dumps(ROWS[0])))


@pytest.mark.parametrize(
    "url", ["zip://a::log.jsonl", "tar://a::log.jsonl", "dir://", "reference://x"]
)
def test_urls_that_fsspec_cannot_open(tmp_path, monkeypatch, url):
    """Its errors are of any class."""
    monkeypatch.chdir(tmp_path)
    save(tmp_path / "log.jsonl", [{"id": 1, "score": 1}])
    with pytest.raises(InputError, match=r"cannot be read: .* Save it on this machine"):
        read_folder(url)


def test_a_url_that_cannot_be_listed(monkeypatch):
    def fail(*_, **__):
        raise ValueError("Cannot traverse all of S3")

    system = fsspec.filesystem("memory")
    system.pipe("/all/x.jsonl", b"{}")
    monkeypatch.setattr(type(system), "find", fail)
    with pytest.raises(InputError, match="memory://all cannot be read: Cannot traverse all of S3"):
        read_folder("memory://all")


def test_a_folder_that_cannot_be_listed(tmp_path, monkeypatch):
    def fail(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "listdir", fail)
    with pytest.raises(InputError, match="cannot be read: Permission denied"):
        read_folder(tmp_path)
