"""What a campaign found: failures by group, and a table that fits 80 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from campaigns.inputs.findings import recognised
from campaigns.inputs.fuzz_call import Call, Failure

_OUTCOMES = ("answered", "refused", "known", "new")


@dataclass
class Report:
    """Counts by function and outcome, and the smallest failure of each group."""

    seed: int
    counts: Counter[str] = field(default_factory=Counter)
    groups: dict[tuple[str, ...], dict[str, Any]] = field(default_factory=dict)
    n_of: Counter[tuple[str, ...]] = field(default_factory=Counter)
    stale: list[str] = field(default_factory=list)

    def add(self, batch: Mapping[str, Any]) -> None:
        """What a batch of calls reports."""
        self.counts.update(batch["counts"])
        for failure in batch["failures"]:
            group = tuple(failure["group"])
            self.n_of[group] += 1
            before = self.groups.get(group)
            if before is None or len(failure["call"]) < len(before["call"]):
                self.groups[group] = failure
            if before is None:
                print(self._described(group), flush=True)

    def add_dead(self, index: int, function: str, source: str, how: str) -> None:
        """A call that ended its process."""
        dead = Failure(Call(function, ()), how, "outside", source, "")
        if finding := recognised(dead):
            self.counts.update({f"{function}|known": 1, f"finding|{finding.name}": 1})
            return
        failure = {"index": index, "group": list(dead.group), "call": source[:1600]}
        failure |= {"message": how, "frames": []}
        self.add({"counts": {f"{function}|new": 1}, "failures": [failure]})

    @property
    def n_calls(self) -> int:
        return sum(n for key, n in self.counts.items() if not key.startswith("finding|"))

    @property
    def fails(self) -> bool:
        return bool(self.groups or self.stale)

    def _described(self, group: tuple[str, ...]) -> str:
        failure = self.groups[group]
        function, kind, place = group
        lines = [
            f"NEW: {function}: {kind} in {place}",
            f"  {failure['message']}",
            f"  {failure['call']}",
            *(f"    {frame}" for frame in failure["frames"]),
            "  rerun: python tests/campaigns/fuzz_inputs.py "
            f"--seed {self.seed} --only {failure['index']}",
        ]
        return "\n".join(lines)

    def summary(self, seconds: float) -> str:
        """The groups with their counts, the table, and a sentence."""
        lines = []
        for group, n in self.n_of.most_common():
            lines.append(f"{n} x {self._described(group)}")
        lines += self.stale
        for key, n in sorted(self.counts.items()):
            start, _, name = key.partition("|")
            if start == "finding":
                lines.append(f"known finding {name!r}: {n} calls")
        head = f"{'function':36}" + "".join(f"{x:>9}" for x in ("calls", *_OUTCOMES[:2]))
        lines += ["", f"{head}{'known':>8}{'new':>8}"]
        functions = sorted({k.partition("|")[0] for k in self.counts} - {"finding"})
        for function in functions:
            row = [self.counts[f"{function}|{x}"] for x in _OUTCOMES]
            total = sum(row) + self.counts[f"{function}|unbuilt"]
            cells = "".join(f"{x:>9,}" for x in (total, *row[:2]))
            lines.append(f"{function[:36]:36}{cells}{row[2]:>8,}{row[3]:>8,}")
        rate = self.n_calls / max(seconds, 1e-9)
        lines.append(f"{self.n_calls:,} calls in {seconds:,.0f} s: {rate:,.0f} calls/s")
        lines.append(self._sentence())
        return "\n".join(lines)

    def _sentence(self) -> str:
        if not self.fails:
            return f"Seed {self.seed} found nothing new in {self.n_calls:,} calls."
        counted = ((len(self.groups), "new finding"), (len(self.stale), "mended finding"))
        what = " and ".join(f"{n} {x}{'s' * (n > 1)}" for n, x in counted if n)
        return f"Seed {self.seed} found {what} in {self.n_calls:,} calls."
