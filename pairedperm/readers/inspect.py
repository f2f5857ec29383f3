"""The reader of logs of inspect_ai, ``.eval`` and ``.json`` files."""

from __future__ import annotations

import zipfile
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import IO, Any

from pairedperm.errors import InputError, extra
from pairedperm.readers.aggregates import with_aggregates
from pairedperm.readers.files import AS_WRITTEN, TextFile
from pairedperm.readers.log import (
    IS_NUMBER,
    Document,
    Finish,
    LogFormat,
    Row,
    Run,
    TaskGroup,
    in_one_line,
)

_ARCHIVE = "eval"  # of an archive; other logs are JSON
_JOURNAL = "_journal/summaries/"  # the folder of summaries, which are numbered
_FULL = "samples/"  # the folder of what only whole logs are read for
_BLOCK = 2**16  # tuned: bytes that are unpacked at once
_ZSTD = 93  # proof: the number of this compression in archives
_CUT = "(content truncated)"  # the end of a text that inspect_ai has cut
_VALUES = {  # as inspect_ai's `value_to_float` reads them
    **dict.fromkeys(("C", "yes", "true"), True),
    "P": 0.5,
    **dict.fromkeys(("I", "N", "no", "false"), False),
}
_MEAN = "mean"  # the reducer that logs without one have
_OF_ONE = ("median", "mode", "max")  # these leave the score of one epoch as it is


class UnfinishedError(InputError):
    """An evaluation did not end well, or was not scored; another log may hold its `task`."""

    def __init__(self, what: str, *, task: str = "") -> None:
        super().__init__(what)
        self.task = task


def _tasks_of_inspect(file: TextFile) -> dict[str, dict[str, TaskGroup]]:
    """Return the task in a log's header; none if it cannot be read, which its reader explains.

    It is in no groups.
    """
    file.check()
    with suppress(Exception):
        from inspect_ai.log import read_eval_log

        _check_size(file)
        return {in_one_line(read_eval_log(str(file.file), header_only=True).eval.task): {}}
    return {}


def _rows_of_inspect(file: TextFile) -> Generator[Row, None, Finish]:
    """Yield each epoch of each sample: each scorer is a metric.

    Epochs are reduced as the log says. A reducer other than the mean stands behind the metric, as
    inspect_ai writes it, "match[max]", and its scores are those that the log holds.
    """
    with extra("inspect", "a log of inspect_ai"):
        from inspect_ai.log import read_eval_log

    file.check()
    try:
        _check_size(file)
        # a JSON log is read whole, once: inspect_ai's ways to its samples keep the last JSON log by
        # its path, and give that one again once the file has changed
        header = read_eval_log(str(file.file), header_only=_is_archive(file))
        samples = _summaries(file, header)
        reducers = header.eval.config.epochs_reducer or [_MEAN]
        has_epochs = len({x.id for x in samples}) < len(samples)
        others = [x for x in reducers if x != _MEAN and (has_epochs or x not in _OF_ONE)]
        is_stored = header.status == "success" and bool(others)
        stored = _stored_scores(file, header) if is_stored else {}
        is_invalid = getattr(header, "invalidated", False)  # older versions lack it
        is_whole = is_invalid or any(map(_is_cut, samples))
        whole = {(x.id, x.epoch): x for x in _whole_samples(file, header)} if is_whole else {}
    except zipfile.BadZipFile as error:
        what = f"is no log of inspect_ai, {error}"
        raise file.error(what, remedy="Is the file cut off?") from error
    except InputError:
        raise
    except Exception as error:  # from one of the libraries that unpack and check it
        remedy = "Is the file cut off, or does a newer inspect_ai read it?"
        reason = file.in_words(error)
        raise file.error(f"cannot be read by inspect_ai: {reason}", remedy=remedy) from error
    _check_scored(file, header, samples)
    task, model = header.eval.task, header.eval.model
    suffixes = [*([""] if len(others) < len(reducers) else []), *(f"[{x}]" for x in others)]
    of_choice: set[str] = set()
    for sample in samples:
        document = _document(whole.get((sample.id, sample.epoch), sample))
        scores = []
        for metric, own in _by_metric(sample, of_choice):
            scores += [(metric, own)] * ("" in suffixes)
            for reducer in others:
                key = in_one_line(f"{metric}[{reducer}]"), str(sample.id)
                if own is not None and key not in stored:
                    what = f"reduces epochs to {key[0]}, and does not hold all reduced scores"
                    raise file.error(what, remedy="Score it again, `inspect score`.")
                scores.append((key[0], None if own is None else stored[key]))
        yield Row(sample.id, scores, model, task, document, sample.epoch)
    told: dict[str, Any] = {
        "version": in_one_line(header.eval.task_version),
        "lower_is_better": {f"{in_one_line(x)}{y}": False for x in of_choice for y in suffixes},
        "invalid": [*{x: None for (x, _), y in whole.items() if _is_invalid(y)}],
    }
    reported, no_means = _reported_means(header.results), tuple(f"[{x}]" for x in others)

    def finished(run: Run, _: Any) -> Run:
        runs = {x: y for x, y in run.runs.items() if not x.endswith(no_means)}
        return with_aggregates(replace(run, runs=runs, **told), reported)

    return finished


def _is_invalid(sample: Any) -> bool:
    return getattr(sample, "invalidation", None) is not None


def _check_scored(file: TextFile, header: Any, samples: Sequence[Any]) -> None:
    """Raise InputError unless the evaluation ended well, with samples and scores."""
    if header.status != "success":
        what = f"is of an evaluation that did not end well, status {header.status!r}"
        remedy = "Finish it with `inspect eval-retry`, and give that log."
        raise UnfinishedError(str(file.error(what, remedy=remedy)), task=header.eval.task)
    if not samples:
        raise file.error("has no samples", remedy="at least one example is needed")
    if not any(x.scores for x in samples):
        unscored = file.error("has no scores", remedy="Score it with `inspect score`.")
        raise UnfinishedError(str(unscored), task=header.eval.task)


def _by_metric(sample: Any, of_choice: set[str]) -> list[tuple[str, Any]]:
    """Return a sample's scores by metric; metrics of right and wrong are added to `of_choice`."""
    scores = []
    for scorer, score in (sample.scores or {}).items():
        for metric, given in _named_values(scorer, score.value):
            value = _value(given)
            scores.append((metric, value))
            if isinstance(given, str) and value in (0.0, 0.5, 1.0):
                of_choice.add(metric)  # correct, partly correct, incorrect
    return scores


def _reported_means(results: Any) -> dict[str, float]:
    """Return the mean that the log reports of each metric of which it reports one."""
    reported = {}
    for score in results.scores if results else ():
        plain = score.name if score.name == score.scorer else f"{score.scorer}.{score.name}"
        suffix = "" if score.reducer in (None, "mean", "avg") else f"[{score.reducer}]"
        for mean in ("accuracy", "mean"):
            if mean in score.metrics:
                reported[in_one_line(f"{plain}{suffix}")] = score.metrics[mean].value
    return reported


def _is_archive(file: TextFile) -> bool:
    """Tell whether a log holds its header and its samples apart; JSON is one text."""
    return file.ending == _ARCHIVE


def _summaries(file: TextFile, log: Any) -> Sequence[Any]:
    """Return the summaries of all samples."""
    from inspect_ai.log import read_eval_log_sample_summaries

    if _is_archive(file):
        return [*read_eval_log_sample_summaries(str(file.file))]
    return [x.summary() for x in log.samples or ()]


def _stored_scores(file: TextFile, log: Any) -> Mapping[tuple[str, str], Any]:
    """Return the reduced scores of a log by metric and sample id."""
    from inspect_ai.log import read_eval_log

    _check_size(file, is_whole=True)
    whole = read_eval_log(str(file.file)) if _is_archive(file) else log
    return {
        (in_one_line(f"{metric}[{reduction.reducer}]"), str(sample.sample_id)): _value(value)
        for reduction in whole.reductions or ()
        for sample in reduction.samples
        for metric, value in _named_values(reduction.scorer, sample.value)
    }


def _document(sample: Any) -> Document:
    """Return the question, the right answer, and the choices, which older summaries lack."""
    given = sample.input
    if not isinstance(given, str):  # messages, whose ids differ from run to run
        given = [(message.role, message.text) for message in given]
    document = Document(input=str(given), target=str(sample.target))
    choices = getattr(sample, "choices", None)  # summaries of before December 2025 lack them
    return document if choices is None else Document(document, choices=str(choices))


def _is_cut(sample: Any) -> bool:
    """Tell whether the summary of a sample cuts its document short."""
    return any(str(x).endswith(_CUT) for x in (sample.input, sample.target))


def _whole_samples(file: TextFile, log: Any) -> Iterable[Any]:
    """Return all samples, of which summaries lack some things."""
    from inspect_ai.log import read_eval_log_samples

    samples: Iterable[Any] = log.samples or ()
    if _is_archive(file):
        _check_size(file, is_whole=True)
        samples = read_eval_log_samples(str(file.file), all_samples_required=False)
    return samples


def _check_size(file: TextFile, *, is_whole: bool = False) -> None:
    """Raise InputError if what is read of a log is too large.

    The members of an archive are unpacked and counted, because its directory may lie. Samples are
    if the log is read as a whole.
    """
    if _is_archive(file):
        n_bytes = 0
        with zipfile.ZipFile(file.file) as archive:
            _check_journal(file, archive.namelist())
            for item in archive.infolist():
                if is_whole or not item.filename.startswith(_FULL):
                    with _unpacked(archive, item, file.max_bytes) as opened:
                        while n_bytes <= file.max_bytes and (block := opened.read(_BLOCK)):
                            n_bytes += len(block)
    else:
        n_bytes = file.file.stat().st_size
    if n_bytes > file.max_bytes:
        raise file.too_large()


def _check_journal(file: TextFile, members: Sequence[str]) -> None:
    """Raise InputError if a log counts more summaries than it can hold; inspect_ai goes by that."""
    of_journal = (x for x in members if x.startswith(_JOURNAL) and x.endswith(".json"))
    numbers = [int(x.rpartition("/")[2].partition(".")[0]) for x in of_journal]
    if max(numbers, default=0) > len(members):
        raise file.error(f"lacks most of {max(numbers):,} summaries", remedy=AS_WRITTEN)


def _unpacked(archive: zipfile.ZipFile, item: zipfile.ZipInfo, most: int) -> IO[bytes]:
    """Open a member of an archive; its stated size and sum of bytes are not believed."""
    item.CRC, item.file_size = None, most + 1  # type: ignore[assignment]
    if item.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return archive.open(item)
    if item.compress_type != _ZSTD:  # those of others give all that a block holds at once
        raise zipfile.BadZipFile(f"{item.filename} has the compression {item.compress_type}")
    import pyarrow as pa

    item.compress_type, item.file_size = zipfile.ZIP_STORED, item.compress_size
    opened: IO[bytes] = pa.input_stream(archive.open(item), compression="zstd")
    return opened


def _named_values(scorer: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the parts of a score by name."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _named_values(f"{scorer}.{key}", part)
    else:
        yield scorer, value


def _value(value: Any) -> Any:
    """Return the number or the truth value that a text stands for; others stay."""
    if not isinstance(value, str):
        return value
    known = _VALUES.get(value, _VALUES.get(value.lower()))
    is_number = known is None and IS_NUMBER.fullmatch(value)
    return float(value) if is_number else value if known is None else known


INSPECT = LogFormat(
    "inspect",
    "inspect_ai",
    _rows_of_inspect,
    _tasks_of_inspect,
    ending=_ARCHIVE,
    json=r'"version":\d+,"status":',
)
