"""Ask every engine about random and nasty corpora until the time is up, against big integers.

    python tests/campaigns/exactness.py --minutes 30

Every case is a pure function of the seed and its index, so that `--seed S --only INDEX` asks it
again. Thresholds of engine choice are lowered in every other case, so that small corpora reach all
engines. Exit status 1 if an answer is wrong that no open finding explains, if a route of the core
was never reached in a minute or more, or if an open finding is mended.
"""

import argparse
import random
import sys
import textwrap
import time
from collections import Counter, defaultdict
from pathlib import Path

if __name__ == "__main__":
    tests = Path(__file__).resolve().parents[1]
    sys.path[:0] = [str(tests), str(tests.parent)]  # this checkout's package

from campaigns.exact import asking, lowered, open_exactness, routes

MINUTE = 60.0  # seconds after which every route must have been reached
PATIENCE = 3.0  # times the minutes, until which slow machines go on for routes not reached yet
MOST = 20  # distinct failures that are collected
_OFTEN = 30  # questions of which one must be answered
_PROGRESS = 10.0  # seconds


class Campaign:
    """The answers so far."""

    def __init__(self):
        self.asked: Counter[tuple[str, str]] = Counter()
        self.refused: Counter[tuple[str, str]] = Counter()
        self.misses: Counter[tuple[str, str]] = Counter()
        self.worst = defaultdict(float)
        self.failures = {}
        self.explained: Counter[str] = Counter()

    def add(self, answer):
        """Count an answer, and keep what is wrong with it unless that is known."""
        key = answer.kind, answer.method
        self.asked[key] += 1
        self.refused[key] += answer.is_refused
        for failure in answer.failures:
            known = [x.name for x in open_exactness.OPEN if x.matches(failure)]
            self.explained.update(known)
            if not known:
                self.misses[key] += 1
                if len(self.failures) < MOST:
                    self.failures.setdefault(failure.key, failure)
        if not answer.failures:
            self.worst[key] = max(self.worst[key], answer.error)

    def table(self):
        """Lines of at most 80 columns."""
        heads = f"{'cases':>9}{'refused':>9}{'worst error':>13}{'misses':>8}"
        yield f"{'kind':<20}{'engine':<14}{heads}"
        for key in sorted(self.asked):
            counts = f"{self.asked[key]:>9}{self.refused[key]:>9}"
            yield f"{key[0]:<20}{key[1]:<14}{counts}{self.worst[key]:>13.1e}{self.misses[key]:>8}"

    def never_answered(self):
        """Kinds and engines that have always refused."""
        return [
            f"{kind} by {method} was refused each time"
            for (kind, method), n in sorted(self.asked.items())
            if n >= _OFTEN and n == self.refused[kind, method]
        ]


def main(arguments=None):
    """Run the campaign; the exit status."""
    options = _parsed(arguments)
    lowered.check()
    for module, name in routes.ROUTES.values():
        routes.place(module, name)
    print(f"exactness: seed {options.seed}, thresholds {options.thresholds}", flush=True)
    campaign, start = Campaign(), time.monotonic()
    with routes.counted(routes.ROUTES) as reached:
        n_cases = _run(campaign, options, start, reached)
    seconds = time.monotonic() - start
    for number, failure in enumerate(campaign.failures.values(), 1):
        _report(number, failure, options)
    wrong = [] if options.only else mended()
    if options.only is None and seconds >= MINUTE:
        wrong += campaign.never_answered()
        if options.thresholds == "both":
            wrong += [f"route never reached: {name}" for name, n in reached.items() if not n]
    print(*campaign.table(), sep="\n")
    print(textwrap.fill("routes: " + ", ".join(f"{x} {n}" for x, n in reached.items()), 80))
    for finding in open_exactness.OPEN:
        n = campaign.explained[finding.name]
        print(textwrap.fill(f"open finding, {n} times: {finding.name}: {finding.what}", 80))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    n_asked, n_missed = sum(campaign.asked.values()), sum(campaign.misses.values())
    print(
        f"{n_cases} cases, {n_asked} questions in {seconds:.0f} s: {n_missed} wrong answers, "
        f"{len(campaign.failures)} distinct; {len(wrong)} other complaints."
    )
    return 1 if campaign.failures or wrong else 0


def _parsed(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30.0, help="how long (default 30)")
    parser.add_argument("--seed", type=int, help="of all cases (default: a new one)")
    parser.add_argument("--only", type=int, nargs="+", metavar="INDEX", help="just these cases")
    parser.add_argument("--thresholds", choices=("lowered", "kept", "both"), default="both")
    options = parser.parse_args(arguments)
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(2**32)
    return options


def _run(campaign, options, start, reached):
    """Ask until the time is up and all routes were reached; how many cases that were."""
    indices = iter(options.only) if options.only else iter(range(2**62))
    shown, n_cases = start, 0
    for index in indices:
        now = time.monotonic()
        used = (now - start) / (60.0 * options.minutes)
        waits = options.thresholds == "both" and now - start >= MINUTE and not all(reached.values())
        if options.only is None and used >= (PATIENCE if waits else 1.0):
            break
        if sys.stderr.isatty() and now - shown >= _PROGRESS:
            shown = now
            n_wrong = len(campaign.failures)
            print(f"{now - start:.0f} s: {index} cases, {n_wrong} failures", file=sys.stderr)
        for answer in asking.answers(options.seed, index, options.thresholds):
            campaign.add(answer)
        n_cases += 1
    return n_cases


def _report(number, failure, options):
    again = f"--seed {options.seed} --thresholds {options.thresholds} --only {failure.index}"
    print(f"\nfailure {number}: {failure.kind} by {failure.method}: {failure.what}")
    print(f"  again: python tests/campaigns/exactness.py {again}")
    print(f"  came: {failure.came}\n  true: {failure.truth}\n{failure.code}\n")


def mended():
    """Complaints about open findings that are no longer wrong."""
    return [
        f"finding {finding.name!r} is mended: delete it"
        for finding in open_exactness.OPEN
        if not finding.is_wrong()
    ]


if __name__ == "__main__":
    sys.exit(main())
