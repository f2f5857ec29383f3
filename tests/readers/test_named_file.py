"""How files are opened: compressed, at a URL, or in a folder that fsspec lists."""

import os
import tempfile
import threading
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from zipfile import ZipFile

import fsspec
import pytest

from corpora.logs import GATE, inspect, lm_eval_files, save
from corpora.score_files import printed
from extras import needs
from pairedperm import InputError
from pairedperm.readers import read_conll, read_folder, read_runs
from readers.held import HELD, compressed, rows

ROWS = [{"id": k, "score": k % 3} for k in range(9)]


def test_an_ending_without_a_compression(put):
    """The first bytes decide: a server or a browser may have decompressed it."""
    assert read_runs(put("x.jsonl.gz", ROWS), put("y.jsonl", ROWS)).systems["x"].format == "jsonl"
    path = compressed(put("z.jsonl", ROWS), "gz")
    assert len(read_runs(path.rename(path.with_suffix("")), put("y.jsonl", ROWS)).ids) == 9


def test_compressed_results_beside_a_log(tmp_path):
    """The task is that of the name."""
    for system, right in {"a": [1, 0, 1], "b": [1, 1, 1]}.items():
        (tmp_path / system).mkdir()
        for name, content in lm_eval_files({"loss": right}, {"loss": 0}, ["loss"]).items():
            compressed(save(tmp_path / system / name, content), "zst")
    runs = read_folder(tmp_path)
    assert (runs.task, [*runs.systems]) == ("t", ["a", "b"])
    assert [x.lower_is_better for x in runs.systems.values()] == [{"loss": True}] * 2


def test_a_copy_for_inspect_ai_does_not_stay(tmp_path, monkeypatch):
    needs("inspect_ai.log", "inspect")
    plain = inspect("naive_bayes", ending="json")
    path = compressed(save(tmp_path / plain.name, plain.read_bytes()), "gz")
    (tmp_path / "copies").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "copies"))
    assert len(read_runs(path, plain).ids) == 2
    assert not [*(tmp_path / "copies").iterdir()]


def test_compressed_output_of_the_conll_scorer(put):
    path = put("muc.txt", printed({"a": (1, 3, 1, 2)}))
    copy = compressed(put("copy.txt", path.read_bytes()), "bz2")
    assert read_conll(copy, path)[0].tolist() == [[1, 3, 1, 2]]
    with pytest.raises(InputError, match=r"`path1`: \S+ would take more than 10 bytes"):
        read_conll(copy, path, max_bytes=10)


def test_a_folder_in_memory(tmp_path):
    """Hidden files are named, other large ones left alone; no file may lead out of the copy."""
    system = fsspec.filesystem("memory")
    for path in GATE.glob("*/*"):
        system.pipe(f"/gate/{path.parent.name}/{path.name}", path.read_bytes())
    system.pipe("/gate/.hidden/x.jsonl", b"{}")
    system.pipe("/gate/none/x.txt", b"")
    system.pipe("/gate/candidate/weights.bin", bytes(10**7))
    found = read_folder("memory://gate", max_bytes=10**6)
    assert [*map(str, found.notes)] == ["left out: 1 hidden file: memory://gate/.hidden/x.jsonl"]
    with pytest.raises(InputError, match=r"no log was found in memory://gate/none\. It has x\.txt"):
        read_runs("memory://gate/none", GATE)
    with ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("../../x.jsonl", b"{}")
    with pytest.raises(InputError, match="cannot be read: a file in it has a path that leads out"):
        read_runs(f"zip://::{tmp_path / 'x.zip'}", GATE)
    assert not (tmp_path.parent / "x.jsonl").exists()


ENDLESS = {"x.csv": b"id,score\n", "x.parquet": bytes(8), "x.txt": b"a\tb\t1\n"}


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


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_files_on_the_web(kind, web, tmp_path):
    """Also where a key is in the address, which nothing shows."""
    plain, other = (
        HELD[kind].written(tmp_path / x, rows(1, 0, y)) for x, y in (("a", 1), ("b", 0))
    )
    wanted, _ = read_runs(plain, other).systems.values()
    address = f"{web}/a/{plain.name}"
    secret = f"simplecache::{address.replace('//', '//me:secret@')}?key=secret"
    for given, shown in (
        (f"{address}?key=secret", address),
        (secret, f"simplecache::{address}"),
        (plain.as_uri(), plain.as_uri()),
    ):
        run, _ = read_runs(given, other).systems.values()
        assert (run.ids, run.path, run.scores) == (wanted.ids, shown, wanted.scores)
    copy = compressed(plain, "gz").name
    assert read_runs(f"{web}/a/{copy}", f"{web}/b/{other.name}").ids == wanted.ids


def test_a_large_file_on_the_web(web, put):
    """The server of this test reads no ranges, of which fsspec would ask beyond 5 MiB."""
    put("x.jsonl", [{"id": k, "score": 1, "text": "x" * 2**21} for k in range(3)])
    assert len(read_runs(f"{web}/x.jsonl", put("y.jsonl", ROWS), on_missing="drop").ids) == 3


@pytest.mark.parametrize("name", ENDLESS)
def test_a_file_on_the_web_without_an_end(web, put, name):
    kind = "trec_eval" if name == "x.txt" else None
    with pytest.raises(InputError, match="would take more than 100,000 bytes"):
        read_runs(f"{web}/endless/{name}", put("y.jsonl", ROWS), max_bytes=10**5, format=kind)


NOT_THERE = {
    "{web}/none.jsonl?key=secret": r"/none\.jsonl cannot be read: 404, ",
    "http://me:secret@{host}/none.jsonl": r"/none\.jsonl cannot be read: ",
    "simplecache::{web}/none.jsonl?key=secret": r"`: simplecache::\S+/none\.jsonl cannot be read: ",
    "{web}/": "cannot be read: the web does not list the files of a folder: name each file",
    "absent://x.jsonl": "`path1`: absent://x.jsonl cannot be read: Install no_such_package. Save",
    "nowhere://x.jsonl": "cannot be read: Protocol not known: nowhere. Save it on this machine",
    "zip://x.jsonl::{web}/x.zip?key=secret": r"x\.zip cannot be read: .* Save it on this machine",
    "memory://x.jsonl": "memory://x.jsonl cannot be read: No such file",
    # errors of fsspec of any class
    "zip://a::log.jsonl": r"cannot be read: .* Save it on this machine",
    "dir://": r"cannot be read: .* Save it on this machine",
}


def test_what_is_not_there(web, put, tmp_path, monkeypatch):
    """Nor a package that reads it; and no message shows a key."""
    monkeypatch.chdir(tmp_path)
    install = {"errtxt": "Install no_such_package", "clobber": True}
    fsspec.register_implementation("absent", "no_such_package.System", **install)
    other = put("log.jsonl", ROWS)
    for url, message in NOT_THERE.items():
        with pytest.raises(InputError, match=message) as refused:
            read_runs(url.format(web=web, host=web.partition("//")[2]), other)
        assert "secret" not in str(refused.value)


def test_folders_that_cannot_be_listed(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise PermissionError(13, "Permission denied", str(tmp_path))

    system = fsspec.filesystem("memory")
    system.pipe("/all/x.jsonl", b"{}")
    monkeypatch.setattr(type(system), "find", fail)
    monkeypatch.setattr(os, "scandir", fail)
    for folder in ("memory://all", tmp_path):
        with pytest.raises(InputError, match="cannot be read: Permission denied"):
            read_folder(folder)
