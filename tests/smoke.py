"""What must work where only the package and what it needs are installed.

    python -I tests/smoke.py [VERSION]

Run it by the Python of a new environment. With -I nothing of the checkout is on its path.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

SCORES = {"new": [1, 1, 1, 1, 1, 0], "old": [0, 0, 0, 0, 0, 0]}
PVALUE = 0.0625  # 5 of 6 differ, all in one direction: 2 of 2^5 swaps are as extreme


def command(*arguments: str, folder: str) -> str:
    """What the installed command prints."""
    program = shutil.which("pairedperm", path=sysconfig.get_path("scripts"))
    assert program, "no command pairedperm in this environment"
    done = subprocess.run(
        [program, *arguments], cwd=folder, check=True, stdout=subprocess.PIPE, encoding="utf-8"
    )
    return done.stdout


def main(folder: str, *versions: str) -> None:
    """In an empty folder: import it, ask the commands and compare, in each way once."""
    os.environ["HF_HOME"] = folder
    import pairedperm

    place = Path(pairedperm.__file__).resolve()
    assert place.is_relative_to(Path(sys.prefix).resolve()), f"{place} is not of this environment"
    assert versions in ((), (pairedperm.__version__,)), f"the version is {pairedperm.__version__}"

    references = [1] * 6
    assert pairedperm.compare(SCORES["new"], SCORES["old"], references).pvalue == PVALUE
    answer = pairedperm.load("paired_perm").compute(
        predictions1=SCORES["new"], predictions2=SCORES["old"], references=references
    )
    assert answer["p"] == PVALUE

    assert command("--help", folder=folder).startswith("Usage: pairedperm")
    for name, scores in SCORES.items():
        rows = [json.dumps({"id": k, "score": x}) for k, x in enumerate(scores)]
        Path(folder, f"{name}.jsonl").write_text("\n".join(rows), encoding="utf-8")
    printed = command("compare", "new.jsonl", "old.jsonl", "--json", folder=folder)
    assert json.loads(printed)["p"] == PVALUE
    print(f"pairedperm {pairedperm.__version__} works in {sys.prefix}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as empty:
        main(empty, *sys.argv[1:])
