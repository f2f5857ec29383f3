"""The reader of SWE-bench's reports: of a run, ``<model>.<run>.json``, or of one instance."""

from __future__ import annotations

from pairedperm.readers.collector import Collector, LogFormat, folder_of_run
from pairedperm.readers.run import Run
from pairedperm.readers.text_file import NoLog, Signs, TextFile, list_at, value_at

_SWE_BENCH_SIGNS = Signs(
    json=r'"total_instances":|"[^"]+":\{"patch_is_None":',
    unread=[
        NoLog(
            r'\{"no_generation":\[',
            "is a results.json of SWE-bench/experiments, which does not list what is unresolved",
            "Give its logs: a folder with the report.json of each instance.",
        )
    ],
)
_METRIC = "resolved"
_RESOLVED = {  # SWE-bench counts what could not be evaluated, or changes nothing, as not resolved
    "resolved_ids": True,
    **dict.fromkeys(("unresolved_ids", "error_ids", "empty_patch_ids", "failed_ids"), False),
}
_IN_ALL = ("resolved_ids", "unresolved_ids")  # sb-cli and the harness write different other lists


def _read_swe_bench(file: TextFile) -> list[Run]:
    """Return the run of a report: what is resolved; instances without a prediction are left out.

    The report of one instance tells the folder of its run as its path. Its file is missing if the
    instance could not be evaluated.

    Raises
    ------
    InputError
        If the report cannot be read, or lacks a list of ids, or does not say what is resolved.
    """
    log, collected = file.whole_object(), Collector(file, SWE_BENCH.name)
    path, model = file.path, file.stem.rpartition(".")[0]
    if "total_instances" in log:
        for key, is_resolved in _RESOLVED.items():
            if key not in log and key not in _IN_ALL:
                continue
            for instance in list_at(file, log, key, of=str):
                collected.add(instance, None, [(_METRIC, is_resolved)])
    else:
        folder = folder_of_run(file)
        path, model = folder.path, folder.file_name
        for instance, report in log.items():
            resolved = value_at(report, _METRIC)
            if not isinstance(resolved, bool):
                what = f"does not say whether {instance} is resolved"
                raise file.error(what, remedy="Evaluate the instance again.")
            collected.add(instance, None, [(_METRIC, resolved)])
    return [collected.run(path=path, model=model, lower_is_better={_METRIC: False})]


SWE_BENCH = LogFormat("swe_bench", _SWE_BENCH_SIGNS, _read_swe_bench)
