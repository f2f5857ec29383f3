"""Two part-of-speech taggers on the same 2,077 sentences: is the better one better, or lucky?

The sentences' gold and predicted tags are in `data/ewt_pos_test.jsonl` (see `data/README.md`).
"""

import math
from pathlib import Path

import datasets
import evaluate

import pairedperm

NAME1, NAME2 = "linearsvc", "logreg"

datasets.disable_progress_bars()
sentences = datasets.Dataset.from_json(
    str(Path(__file__).parent / "data" / "ewt_pos_test.jsonl"), keep_in_memory=True
)

pairedperm.register()  # once a machine is enough
paired_perm = evaluate.load("paired_perm")
result = paired_perm.compute(
    predictions1=sentences[NAME1],
    predictions2=sentences[NAME2],
    references=sentences["references"],
)

print(f"token accuracy of {NAME1:<9}  {result['score1']:.4%}")
print(f"token accuracy of {NAME2:<9}  {result['score2']:.4%}")
print(f"difference                   {result['stat']:+.4%}")
certified = math.ceil(math.log10(result["p_high"] - result["p_low"]))
print(f"p-value                      {result['p']:.12g}  (certified to within 1e{certified})")
print(
    f"\n{NAME1} tags {result['score1']:.2%} of the tokens correctly and {NAME2} "
    f"{result['score2']:.2%};\nan exact two-sided paired-permutation test over {result['n']:,} "
    f"sentences, of which they\nscore differently on {result['n_differing']}, "
    f"gives p = {result['p']:.3g}."
)
