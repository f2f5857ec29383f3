"""What is wrong for an argument of some name, or instead of a call of some function."""

import re

from hypothesis import strategies as st

from strategies.hostile import SCALARS, anything, filled, table

_LISTED = table(r"""
number: 0 | -1 | 0.5 | 1 | 1.5 | 2 | 2.5 | inf | nan | None | True | '9' | [3] | np.int64(50)
rng: None | [1, 2] | 2**200 | -1 | 1.0 | '1' | np.random.RandomState(0) | np.random.PCG64(1)
  random | np.random | np.random.SeedSequence(3) | np.array([1, 2]) | np.random.default_rng(3)
score: raises | None | 'f1' | Ratio | Ratio([1], [1]) | Ratio([1, 0], [0, -1]) | aggregators.f_1
  Ratio([1] * 9, [1] * 9) | aggregators.average | aggregators.paired_perm_test_f1
  aggregators.enum_sum_div_by_denom_sum | lambda s: 1 // 0 | lambda s: s[..., 0] * nan
  lambda s: np.log(s[..., 0] * 0) | lambda s: 1.0 | lambda s: None | lambda s: [[1], [2, 3]]
  lambda s: np.array(['a'] * len(s)) | lambda s: s[..., 0] + 1j | lambda s: np.tile(s[..., 0], 2)
  lambda s: s.__iadd__(1.0)[..., 0] | lambda s: s[..., 0] + random.random()
  lambda s: s[..., 0] - np.mean(s[..., 0]) | lambda s: warnings.warn('x') or s[..., 0]
budget: {'max_points': 9, 'x': 1} | Budget | {} | {'max_points': <number>} | Budget(max_bytes=inf)
systems: {'a': [1]} | {} | [('a', [1]), ('a', [2])] | {1: [1], 'b': [2]} | {'': [1]}
metric: 'f_1' | 3 | 'bleu' | ['accuracy'] | {'a': 'f1'} | {} | F1() | 'mean_score'
ending: 'csv' | 'tsv' | 'parquet' | 'json' | 'eval' | 'txt' | 'JSONL'
config_name: 'scores' | 'squad_f1' | 'span_f1' | None | 'default' | 'f2' | 5 | b'f1' | ['f1']
dict: dict({x}, x=1) | dict({x}, predictions=[1]) | dict()
arguments: '--metric' | '-o' | '--alpha' | '2' | '--seed' | '--version' | 'regster' | '-h' | '-1'
  '--task' | '\ud800' | '' | '--id' | 'missing' | '.' | 'a\0b' | 'x' * 5000 | '\x1b[31m'
Dataset.from_dict: {x}.with_format('numpy') | {x}.with_format('pandas') | {x}.with_format('arrow')
  {x}.shuffle(seed=1) | {x}.select([0, 0, 1]) | {x}.select([]) | {x}.to_dict() | {x}.to_pandas()
  {x}.data.table | {x}.with_transform(lambda batch: {}) | {x}.remove_columns('references')
  {x}.to_iterable_dataset().map(raises) | {x}.to_iterable_dataset().filter(lambda row: False)
  {x}.to_iterable_dataset().with_format('numpy') | datasets.DatasetDict(a={x}, b={x}) | {0: {x}}
  datasets.IterableDataset.from_generator(lambda: iter([])) | {'a': 5, 'b': {x}} | Dataset
  {x}.cast_column('references', <type>) | {x}.cast_column('predictions1', <type>) | {'a': {x}}
type: ClassLabel(names=['a', 'b', 'c']) | Value('<stored>') | datasets.Sequence(Value('string'))
stored: string | int64 | float32 | bool | binary | timestamp[s] | uint64 | decimal128(5, 2) | date32
labelled: labelled() | [{'label': 'neg'}, 'raise', None] | [<output>] * 3 | labelled(*'abcdefgh')
  labelled(5, None, 'LABEL_7') | labelled('LABEL_0', 'LABEL_1', 'LABEL_0')
  labelled(['neg'], 'neg')
output: {} | None | [] | [{'label': 'neg', 'score': nan}] | {'label': '\ud800'}
labels: ('a', 'b') | ('LABEL_0', 'LABEL_1') | {} | {'x': None} | {0: ['neg']} | ('neg', 'neg') | 5
task: 'fill-mask' | None | [] | 'token-classification'
label_mapping: {'a': 'b', 'x': 'c'} | ({'a': 'b'}, {}) | {0: 'a'} | {'LABEL_0': 'neg'} | ({}, {})
  [('a', 'b')] | {'a': None} | {None: 'a'} | {'a': 0.5} | {1: 2**70} | {'a': '\ud800'}
result: {x}.to_dict() | {'a': {x}} | dict({x}.to_dict(), <key>=<scalar>)
key: stat | p | log_p | p_low | p_high | log_p_low | log_p_high | interval | score1 | score2
  metric | method | n | n_differing | n_resamples | confidence_level | metric_options | test
  stat_low
scalar: 2 | 1e300 | -1e-300 | 'bootstrap' | 'bracket' | {'a': [1]} | {'a': 10**5000}
file: 'missing' | '.' | '' | 'a\0b' | 'x' * 5000 | '\ud800'
card: 'missing' | '.' | 'a\0b' | card(b'<mark>') | card(b'<sign>' * 5000)
  card(b'> ' * 49 + b'x\n' + b'y\n' * 5000)
mark: <start>\n<start>\n<end>\n | <end>\n<start>\n | <start>\n | > <start>\n> <end>\n | <start> x\n
  ```\n<start>\n```\n<start>\nx\n<end> | \xff\xfe# A | # A\r\n\r\n```\r\nx | ---\n
start: <!-- paired_perm:start -->
end: <!-- paired_perm:end -->
sign: > | a | <!-- | ``` | < | \t- x | 1. | \0 | * *
""")
_LISTED["scalar"] += SCALARS
_OWN = {
    name: st.sampled_from([y for x in listed for y in filled(x, _LISTED)])
    for name, listed in _LISTED.items()
}
_tame = anything.filter(  # no number of resamples that takes for ever, or seed that ends NumPy
    lambda x: not re.search(r"recursive|deep|matrix|10\*\*|2\*\*|1e(9|16|308)", x)
)
WRONG = {
    **{name: own | own | anything for name, own in _OWN.items()},
    **dict.fromkeys(("compare", "paired_permutation_test"), _OWN["result"] | anything),
    "n": _OWN["number"],
    **{name: _OWN[name] for name in ("arguments", "config_name", "dict", "ending")},
    "n_resamples": _OWN["number"] | _tame,
    "rng": _OWN["rng"] | _tame,
    "statistic": _OWN["score"] | anything,
    "tasks": _OWN["systems"] | anything,
}
