"""Two part-of-speech taggers on the same 2,077 sentences: is the better one better, or lucky?

The gold tags and the predicted tags are in `data/ewt_pos_test.jsonl` (see `data/README.md`). The
answer is printed as a section of a model card. If the command line names a card, the section goes
into it.
"""

import math
import sys
import textwrap
from pathlib import Path

import datasets
import evaluate

import pairedperm
from pairedperm import model_card

NAME1, NAME2 = "linearsvc", "logreg"
DATASET = "the English Web Treebank (test)"

datasets.disable_progress_bars()
sentences = datasets.Dataset.from_json(
    str(Path(__file__).parent / "data" / "ewt_pos_test.jsonl"), keep_in_memory=True
)

pairedperm.register()  # once a machine is enough
evaluate.utils.logging.set_verbosity_error()  # it would say that the module is not on the Hub
paired_perm = evaluate.load("paired_perm")
result = paired_perm.compute(
    predictions1=sentences[NAME1],
    predictions2=sentences[NAME2],
    references=sentences["references"],
    groups=[x.rpartition("-")[0] for x in sentences["id"]],  # sentences of a document go together
    confidence_level=0.95,
)

print(f"token accuracy of {NAME1:<9}  {result['score1']:.4%}")
print(f"token accuracy of {NAME2:<9}  {result['score2']:.4%}")
print(f"difference                   {result['stat']:+.4%}")
certified = math.ceil(math.log10(result["p_high"] - result["p_low"]))
print(f"p-value                      {result['p']:.12g}  (certified to within 1e{certified})")

shown = model_card.significance_section(result, name1=NAME1, name2=NAME2, dataset=DATASET)
if len(sys.argv) > 1:
    card = Path(sys.argv[1])
    if not card.exists():
        card.write_text(f"# {NAME1}\n\nA part-of-speech tagger.\n", encoding="utf-8")
    model_card.update(card, result, name1=NAME1, name2=NAME2, dataset=DATASET)
    shown = card.read_text(encoding="utf-8")
print("\nThe model card:\n")
for line in shown.splitlines():
    print(textwrap.fill(line, 80))
