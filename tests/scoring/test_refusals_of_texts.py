"""What answers, texts, words and tags a metric refuses."""

import numpy as np

from doors import in_batches
from extras import needs
from pairedperm import compare
from pairedperm.inputs.labels import Labels, read_labels
from pairedperm.scoring.metrics.span_scores import read_label_names
from pairedperm.scoring.metrics.tags import read_tags
from refusals import refuses

TAGS = np.array([1, 1]), "strings", np.array([2])


def squad(one, two=("x",), right=("x",)):
    return compare(one, two, right, "squad_f1")


def answered(*ids):
    return [{"id": key, "prediction_text": "x"} for key in ids]


def right(*ids):
    return [{"id": key, "answers": {"text": ["x"]}} for key in ids]


def words(one, two, right, metric="word_error_rate"):
    needs("rapidfuzz", "wer")
    return compare(one, two, right, metric)


def bleu(one, two, right, door=compare):
    needs("sacrebleu", "mt")
    return door(one, two, right, metric="bleu")


def tagged(rows, scheme=None, names=None):
    """Examples from number 5 on."""
    return read_tags(read_labels("references", rows, 5), scheme, names)


@refuses
def test_refusals():
    # answers
    squad(answered(1, 1), answered(1, 2), right(1, 2))
    # -> `predictions1` has the id 1 twice
    squad(answered(1, 7, 2), answered(1, 2, 3), right(3, 2, 1))
    # -> `predictions1` has no prediction for 1 of 3 ids, such as 3. Give every question an
    #    answer, '' for none
    squad(answered(1, 2), answered(1, 2), right(10**5000, 1))
    # -> `predictions1` … for 1 of 2 ids, such as a very large integer
    squad(answered([1]), answered(1), right(1))
    # -> `predictions1`[0] has the id [1] (list): it must be a string or an integer
    squad(answered(1, 2), answered(1, 2), [*right(1), "x"])
    # -> `references` has an 'id' in 1 of 2 examples: give all, or none
    squad(None)
    # -> `predictions1` is missing: pass a text, or a dict with the key 'prediction_text' per
    #    example
    squad(["x"], right=None)
    # -> `references` is missing: pass a text, a list of texts, or a dict with the key 'answers'
    #    or 'text' per
    squad(["x"], [5])
    # -> `predictions2`[0] must be a text, or a dict with the key 'prediction_text', got 5 (int)
    squad(["x"], right=[["x", 5]])
    # -> `references`[0] must be a text, a list of texts, or a dict with the key 'answers' or
    #    'text', got
    squad(["x", "y"], ["x", "y"], ["x", {"answers": {"text": []}}])
    # -> `references`[1] has no answer. Leave unanswerable questions out of all columns
    # words and characters
    words([1, 2], ["a", "b"], ["a", "b"])
    # -> `predictions1` must hold a text, or a sequence of tokens, per example, got single
    #    integers (1)
    words([["a"], None], ["a"] * 2, ["a"] * 2)
    # -> `predictions1`[1] is missing
    words([["a"]], [["b"]], [[3]])
    # -> `predictions1` holds the token 'a' (str) and `references` 3 (int): no token could match.
    #    Convert all
    words([["a"], []], [["b"], []], [[], []])
    # -> `references` holds no word: a rate needs one
    words([1], ["a"], ["a"], "character_error_rate")
    # -> `predictions1` must hold a text per example, got integers
    words(["a", ""], ["b", ""], ["", " "], "character_error_rate")
    # -> `references` holds no character: a rate needs one
    bleu(["a"] * 3, ["b"] * 3, [["a", "b", "c"], ["d", "e", "f"]])
    # -> `references` has 2 lists of 3 texts, and `predictions1` has 3 texts. Give a list for each
    #    sentence; sacrebleu takes a list for each of its references. list(zip(*references)) turns
    #    them
    bleu(["a"] * 2, ["b"] * 2, [["a", "b"], "c"], in_batches)
    # -> `references` has 1 texts for some sentences and 2 for others: give every sentence the
    #    same number
    # tags
    tagged(["B-X"])
    # -> `references` has single labels ('B-X'): spans need a list of tags per example, such as
    #    ['B-PER'
    tagged([[1]])
    # -> `references` holds integers (1): spans need tags such as 'B-PER'. Say which tag each id
    #    is, label_names=['O', 'B-PER', ...], or convert ids to tag names, for instance with
    read_tags(Labels("tags", *TAGS, ["O", 1]))
    # -> `tags` holds integers (1): spans need
    read_tags(Labels("tags", *TAGS, ["O", 1]), label_names=("O", "B-X"))
    # -> `tags` holds integers (1): spans need
    tagged([["O"], ["O", "I-Y"]], names=("O", "B-X"))
    # -> `references`[6][1] is 'I-Y', which `label_names` lacks, got 'O', 'B-X'. `label_names`
    #    gives the tags of ids: leave it out if columns hold tags
    tagged([[0], [1, 2, 5]], names=("O", "B-X"))
    # -> `references`[6][1] is 2, which `label_names` lacks: its ids are 0 to 1
    tagged([[0, -100]], names=("O", "B-X"))
    # -> `references`[5][1] is -100, which
    tagged([["O"], ["O", ""]])
    # -> `references`[6][1] is an empty tag: write 'O' outside of spans
    read_tags(Labels("tags", *TAGS, ["O", ""]))
    # -> `tags`[0][0] is an empty tag
    tagged([["O", "E-X"]], "IOB1")
    # -> `references`[5][1] is 'E-X', which is no tag of scheme 'IOB1': its tags begin with I, O
    #    or B. Name the scheme that all tags are in, or leave out `mode` and `scheme`
    # names of tags
    read_label_names("O")
    # -> `label_names` must be a list of tags, each at its id, such as ['O', 'B-PER'], or a dict
    #    {0: 'O', 1: 'B-PER'}, got 'O' (str)
    read_label_names({"O": 0, "B-X": 1})
    # -> `label_names` must have the ids from 0, without gaps, as its keys, like the id2label of
    #    transformers
    read_label_names({"0": "O", 0: "B-X"})
    # -> `label_names` … the ids from 0
    read_label_names({"0": "O", "01": "B-X"})
    # -> `label_names` … the ids from 0
    read_label_names(["O", 1])
    # -> `label_names`[1] must be a tag, such as 'B-PER', got 1 (int)
    # columns of other lengths
    squad(["x"], ["x", "y"], ["x", "y"])
    # -> `predictions1` has 1 examples and `references` has 2: all columns must have the same
    #    length. Pair the examples by id first
