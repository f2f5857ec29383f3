"""The grammar of plain calls: sources whose <places> are drawn, each from what is listed for it."""

import re
from functools import cache

from hypothesis import strategies as st

from strategies import labels, numbers
from strategies.hostile import table

ROOMS = table(r"""
tests: compare(<columns>, <metric>, <small><exact><groups>) | compare(<columns>, <metric>, <small>)
  compare(<columns>, <metric>, <small><bootstrap>, test='bootstrap')
  compare(<scores>, <scores>, None, 'mean_score', <small><exact>)
  compare(<scores>, <scores>, <scores>, <of_columns>, <small><exact><groups>)
  compare(<columns>, metric=lambda p, r: sum(map(p[0].__eq__, p)), <small><exact>)
  paired_permutation_test(<pair>, <small><exact><groups>)
  paired_permutation_test(<pair>, <small><method>) | paired_permutation_test(<pair>, <small><side>)
  paired_permutation_test(<counted>, <small><exact>)
  paired_permutation_test(PairedCounts.from_rows(<pair>), <small><exact>)
  paired_bootstrap_test(<pair>, <small><bootstrap>)
  paired_bootstrap_test(<counted>, <small><side>)
  structured_permutation_test(<rows>, statistic=<function>, <small><method>)
  structured_permutation_test(<pair>, statistic=lambda s: s, <small><method>)
counts: Ratio(<labels>, <labels>, zero_division=0.5) | PairedCounts(<pair>, <labels>)
  PairedCounts.from_rows(<rows>) | PairedCounts([1], [0], [2**62]) | PairedCounts([], [], [])
  PairedCounts.from_json(<counts>.to_json()) | paired_counts(<columns>, <metric><groups>)
  stored(<counts>, <entry>) | stored(<counts>, <entry>)
  <tested>.null_distribution().cdf([0, 1.5]) | <tested>.null_distribution().quantile([0, 0.25, 1])
  aggregators.f_1(<fours>) | aggregators.f_1.ratio_for(np.array(<fours>), np.array(<fours>))
many: compare_many(systems=<systems>, references=<labels>, <small><family><groups>)
  compare_many(systems=<systems>, references=<labels>, <small><exact>, baseline='a')
  compare_many(systems=dict(a=<scores>, b=<scores>, c=<scores>), <small><exact><groups>)
  compare_suite(tasks=dict(a=<task>), <small><family>)
  compare_suite(tasks=dict(a=<task>, b=<task>), <small><suite>)
  compare_suite(tasks=dict(a=<task>, b=<task>), <small><exact>, groups=dict(a=<labels>))
  compare_suite(tasks=<task>, by=<labels>, <small><exact><groups>)
  compare_suite(tasks=<task>, by=['a', 'b'] * (len(<labels>) // 2), <small>)
  compare_suites(tasks=dict(a=(<systems>, <labels>), b=(<systems>, <labels>)), <small><suite>)
deciding: power(<pilot>, n=<some><alpha>)
  examples_needed(<pilot>, power=0.5<alpha>)
  minimum_detectable_difference(<pilot>, n=<some><alpha>)
  equivalence_test(compare(<labels>, <labels>, <labels>, <small>), margin=<margin><alpha>)
  equivalence_test(compare(<pair>, None, 'mean_score', score_range=(-9e9, 9e9)), margin=<margin>)
  looked(0.05, <scored>) | looked(0.5, <scored>, <scored>)
one: score_interval(<labels>, <labels><groups>) | score_interval(<scores><groups>)
  score_interval(<labels>, <labels>, <of_one><groups>)
  score_interval(<scores>, None, 'mean_score', score_range=(-9e9, 9e9)<groups>)
  rerun_test(<runs>, <runs>, <labels>, n_resamples=49, rng=0<groups><side>)
  rerun_test([<scores>], [<scores>, <scores>, <scores>], n_resamples=49, rng=0<side>)
  preference(<verdicts>, <places>) | preference(<verdicts>, <places>, items=<labels>)
  preference(<judged>, <places>, first=<firsts>, items=<labels>)
  noise([<labels>, <labels>, <labels>], <labels><groups>) | noise([<scores>, <scores>])
  gate(score_interval(<labels>, <labels><groups>), threshold=<number><beside>)
  gate(score_interval(<scores><groups>), threshold=<number><beside>)
  gate(rerun_test(<runs>, [<labels>, <labels>, <labels>], <labels>), alpha=0.1)
  gate(compare(<labels>, <labels>, <labels>, <small><groups>), margin='2%'<alpha>)
  gate(compare(<scores>, <scores>, None, 'mean_score', <small>), margin='20%'<alpha>)
  power(<supposed>, n=<some>, threshold=<number><alpha><sides>)
  examples_needed(<supposed>, power=0.5, threshold=<number><alpha><sides>)
  minimum_detectable_difference(<supposed>, n=<some>, threshold=<number><alpha><sides>)
hub: paired_perm(compute=dict(<columns>, <metric>, <small><exact>))
  paired_perm(add_batch=dict(<columns>), compute=dict(<metric>, <small><exact>))
  paired_perm(load=dict(<config>), compute=dict(<columns>, <small><exact>))
  paired_perm(load=dict(<config>), add=dict(<example>), reset=dict(), compute=dict(<columns>))
  paired_perm(load=dict(<config>), add_batch=dict(<columns>), add=dict(<example>), compute=dict())
  paired_perm(load=dict(config_name='scores'), compute=dict(<two>, <small><exact>))
  paired_perm(load=dict(config_name='scores'), add_batch=dict(<two>), compute=dict(<small><side>))
  paired_bootstrap(load=dict(<config>), compute=dict(<columns>, <small><bootstrap>))
  compare_dataset(Dataset.from_dict(dict(<columns>)), <metric>, <small><exact>)
  compare_dataset(Dataset.from_dict(dict(<columns>)).to_iterable_dataset(), <metric>, <small><map>)
  compare_dataset(Dataset.from_dict(dict(<two>)), references=None, <small><exact>)
  predict_and_compare(<pipeline>, <pipeline>, <texts>, <small><predict>)
frames: boards(<frame>, wide=True<framed>) | boards(<frame>, wide=True, system=('a', 'b')<framed>)
  boards(<frame>, <frame>, score='a'<framed>) | boards(<frame>, wide=True, references=<frame>)
files: read_conll(file(<conll>), file(<conll>))
  decided(<jsonl>, <jsonl><read>) | decided(<csv>, <csv><read>, ending='csv')
  decided(<lm_eval>, <lm_eval><read>) | decided(<ever>, <ever><read>)
  main(arguments=[<command>, <files><words>])
  main(arguments=[<command>, <lacking>, '--on-missing', 'bounds', '-o', 'score_range=[0,1]'<words>])
  main(arguments=['gate', <gated>, '--on-missing', 'bounds', '-o', 'score_range=[0,1]'<asked>])
  main(arguments=['gate', <files>, '--baseline', <file><asked>])
  main(arguments=[<of_runs>, <files><words>]) | main(arguments=['score', <file><words>])
  main(arguments=['gate', <files>, '--threshold', '0.7'<asked>])
  main(arguments=['gate', <file>, '--threshold', '0.7'<asked>])
  main(arguments=['gate', <file>, '--baseline', <file>, '--baseline', <file><asked>])
  main(arguments=['preference', <file>, '--verdict', 'score', '--order', 'random'<words>])
  main(arguments=['power', '--wins', '0.2', '--losses', '0.1', '-n', '30'<words>])
cards: significance_section(<result><named>) | update(card(<card>), <result><update>)
  update(card(<card>), compare([1, 0], [0, 0], [1, 0])<update>)
""")
_CHOICES = table(r"""
small: budget={'max_points': 2**16, 'max_bytes': 2**22}, n_resamples=49, rng=0
groups: ~ | ~ | ~ | , groups=<labels>
counted: <ratios>, score=<ratio> | <rows>, score=<function>
ratio: Ratio([1, 0], [0, 1]) | Ratio([2, 0], [1, 1]) | Ratio([1, 0], [0, 1], zero_division=1)
of_columns: lambda p, r: float(np.median(p)) | lambda p, r: np.corrcoef(p, r)[0, 1]
  lambda p, r: float((p[0] > p).sum()) | lambda p, r: p
function: quotient | lambda s: s[..., 0] - s[..., 1] | lambda s: s.max(axis=-1)
counts: PairedCounts.from_rows(<rows>) | paired_counts([3], [0], [1], 'f1', pos_label=3)
entry: rows1=[1, 0] | rows2=[[1, 2]] | multiplicities=[3] | sizes=[2] | classes=['a'] | unit=2
  occurring=[[], [[], [], []], '', 2, True] | metric_options={'average': 'macro'} | metric='f1'
  decimals=1 | is_labelled=True | n_ignored=0 | paired_by='id' | kind=None | version=2
tested: paired_permutation_test(<pair>) | paired_permutation_test(<counted>)
  compare([1, 0, 2], [1, 1, 1], [1, 0, 1], 'f1', average='macro')
fours: [[3, 2, 4, 1], [0, 1, 1, 0], [2, 2, 2, 3]]
systems: dict(a=<labels>, b=<labels>) | dict(a=<labels>, b=<labels>, c=<labels>)
task: (<labels>, <labels>, <labels>)
pilot: (0.06, 0.03) | (0.3, 0.1) | paired_permutation_test([2, 0, 1, 0.5], [0, 1, 0, 0])
  compare([1, 0, 2, 1], [1, 1, 1, 1], [1, 0, 1, 2], 'f1', average='macro') | (0.25, 0.5)
some: 9 | 1 | 30 | 200
supposed: 0.8 | 0.5 | score_interval(<labels>, <labels>) | score_interval(<scores>)
number: 0.5 | 0.86 | 0 | 1 | 0.7
places: order='random' | order='both' | order='balanced' | order='unknown' | order=None
  order='random', alternative='less' | order='random', confidence_level=0.9
runs: [<labels>] | [<labels>, <labels>] | [<labels>, <labels>, <labels>]
of_one: 'f1', average='macro' | 'cohen_kappa' | F1(pos_label=1) | 'exact_match'
margin: 0.1 | 0.02 | 0.5 | 1e-9
scored: dict(score1=<scores>, score2=<scores>) | dict(score1=1, score2=0)
two: predictions1=<scores>, predictions2=<scores>
texts: Dataset.from_dict(dict(text=['a', 'b c', ''], label=['neg', 'pos', 'pos']))
pipeline: Pipeline(labelled('neg', 'neg', 'pos'), labels=('neg', 'pos'), task='text-classification')
  Pipeline(labelled('pos', 'pos', 'neg'), labels=('neg', 'pos'), task='text-classification')
result: compare(<columns>, <metric>) | paired_permutation_test(<pair>)
  compare([1, 1, 0], [0, 1, 1], [1, 1, 1], test='bootstrap')
  compare([1, 0], [0, 0], [1, 0], method='monte_carlo', n_resamples=9, rng=0)
card: b'# A model\n\nText.\n' | b'---\nlicense: mit\ntags: [a, b]\n---\n# A model\n'
  b'# A\n\n<!-- paired_perm:start -->\nold\n<!-- paired_perm:end -->\n\nMore\n'
  b'- a\n  ```\n  code\n  ```\n> q\n\n<p class="a">\nx\n</p >\n'
frame: pd.DataFrame(dict(id=[1, 2, 3], a=<threes>, b=<threes>, c=<threes>))
  Dataset.from_dict(dict(id=[1, 2, 3], a=<threes>, b=<threes>, c=['x', 'y', 'x']))
  pa.table(dict(id=['x', 'y', 'z'], a=<threes>, b=<threes>))
  pd.DataFrame(dict(id=[3, 1, 2], a=<threes>, b=<threes>)).set_index('id')
threes: [1, 0, 1] | [0.5, 0.25, 1] | [0, 0, 1] | [True, False, True] | [1, None, 1]
file: file(b'id,score\n0,1\n1,0\n2,1\n3,0.5\n', 'csv')
of_runs: 'noise' | 'score'
command: 'compare' | 'bootstrap' | 'leaderboard'
files: <file>, file(b'id,score\n3,1\n0,0\n1,1\n2,0\n', 'csv')
lacking: <file>, file(b'id,score\n3,1\n0,\n1,1\n7,0\n', 'csv')
gated: <file>, '--baseline', file(b'id,score\n3,1\n0,\n1,1\n7,0\n', 'csv')
conll: b'====> (a); part 000:\n<parts>\n====== TOTALS =======\nCoreference: <parts>'
parts: Recall: (1 / 2) 1%\tPrecision: (1 / 1) 1%\tF1: 1%\n
""")
_OPTIONS = table("""
side: alternative='greater' | alternative='less' | alternative='two-sided'
method: method='exact' | method='dp' | method='fft' | method='enumeration'
  method='bracket' | method='monte_carlo'
bootstrap: alternative='greater' | method='exact' | confidence_level=0.9 | ties='exclude'
sides: alternative='greater' | alternative='less' | margin=0.05
beside: require='above' | margin=0.05 | alpha=0.2
alpha: alpha=0.1 | alpha=0.01
family: alpha=0.1 | correction='bonferroni' | correction='bh' | correction='by' | correction=None
  metric=F1(average='micro') | metric='exact_match' | metric='cohen_kappa'
suite: weights='size' | weights={'a': 0.5, 'b': 2} | ignore_label=1 | metric='cohen_kappa'
map: alternative='less' | test='bootstrap' | label_mapping={'a': 'b', 0: 1}
predict: batch_size=2 | label_mapping={'neg': 'pos'} | input_column='text' | alternative='less'
named: name1='large' | name2='small' | dataset='dev'
update: name1='large' | name2='small' | dataset='dev' | key='dev'
read: on_missing='drop' | on_missing='wrong' | on_missing='bounds' | runs='mean' | repeats=True
  metric='accuracy' | score=('score', 'id') | by='prediction' | wide=True
framed: by='c' | by='a' | score=('a', 'b') | on_missing='drop' | repeats=True | id='id' | group='c'
asked: '--json' | '--markdown=file.md' | '--metric=accuracy' | '--on-missing=drop' | '--margin=0.1'
  '--on-missing=bounds' | '--on-missing=wrong' | '-oscore_range=[0,1]' | '--repeats' | '--runs=mean'
  '--margin=5%' | '--require=above' | '--require=better' | '--lower-is-better' | '--alpha=0.1'
  '--by=score' | '--wide'
words: '--json' | '--markdown' | '--metric=accuracy' | '--on-missing=drop' | '--margin=0.1'
  '--by=score' | '--wide'
  '--on-missing=bounds' | '--on-missing=wrong' | '-oscore_range=[0,1]' | '--repeats' | '--runs=mean'
""")
_OPTIONS["exact"] = _OPTIONS["side"] + _OPTIONS["method"]
_LINES = {  # of logs: # is the id, @ the score
    "jsonl": '{"id": #, "score": @, "prediction": "a", "reference": "b"}\n',
    "lm_eval": '{"doc_id": #, "resps": [], "filter": "none", "metrics": ["acc"], "acc": @}\n',
    "ever": '{"schema_version": "0.3.0", "sample_id": "#", "evaluation": {"score": @}}\n',
    "csv": "#,@,a,b\n",
}
_VERDICTS = {
    "verdicts": "1 0 -1",
    "judged": "'A' 'second' 'tie' 'model_a' -1",
    "firsts": "'A' 'B'",
}
_STORED = tuple(x for x in labels.KINDS if x != "runs")  # with references


def _digits(most, n):
    """Small integers; in a single draw, which is quick."""
    digits = st.text("01234"[: most + 1], min_size=n, max_size=n)
    return digits.map(lambda x: [*map(int, x)])


def _log(name, scores):
    header = "id,score,prediction,reference\n" if name == "csv" else ""
    lines = (_LINES[name].replace("#", str(k)).replace("@", str(x / 2)) for k, x in scores)
    return f"{header}{''.join(lines)}".encode()


@cache
def _place(name, n):
    """What may stand in a place, of n examples; made once, since a strategy is checked first."""
    if name in _OPTIONS:  # two at most
        chosen = st.lists(st.sampled_from(_OPTIONS[name]), max_size=2)
        by_name = chosen.map(lambda x: {y.partition("=")[0]: y for y in x}.values())
        return by_name.map(lambda x: "".join(f", {y}" for y in x))
    if name in _LINES:
        return _digits(2, n).map(lambda x: repr(_log(name, enumerate(x))))
    if name == "labels":
        return _digits(2, n).map(repr)
    if name in _VERDICTS:
        words = st.sampled_from(_VERDICTS[name].split())
        return st.lists(words, min_size=n, max_size=n).map(lambda x: f"[{', '.join(x)}]")
    if name == "scores":
        return numbers.columns(n).map(repr)
    if name == "ratios":
        rows = st.tuples(*[_digits(4, n) for _ in range(4)]).map(lambda x: [*zip(*x, strict=True)])
        return rows.map(lambda x: f"{[sorted(y[:2]) for y in x]}, {[sorted(y[2:]) for y in x]}")
    if name == "rows":
        pairs = numbers.pairs(2 * n, 2 * n).map(lambda x: [*zip(x.one, x.two, strict=True)])
        return pairs.map(lambda x: f"{x[:n]}, {x[n:]}")
    if name == "pair":
        return numbers.pairs(n, n).map(lambda x: f"{x.one}, {x.two}")
    return st.sampled_from(_CHOICES[name])


def _of_task(task):
    columns = dict(zip(("predictions1", "predictions2", "references"), task.columns, strict=True))
    example = {name: x and x[0] for name, x in columns.items()}
    given = {"columns": columns, "example": example, "metric": task.options}
    given = {x: ", ".join(f"{k}={v!r}" for k, v in y.items()) for x, y in given.items()}
    return given | {"config": given["metric"].replace("metric=", "config_name=", 1)}


@st.composite
def sources(draw, templates):
    """The source of a plain call."""
    template, n = draw(st.sampled_from(templates)), draw(st.integers(2, 12))
    kinds = labels.KINDS if template[:8] == "compare(" else _STORED
    of_task: dict[str, str] = {}

    def drawn(place):
        if place[1] not in ("columns", "example", "metric", "config"):
            return re.sub(r"<(\w+)>", drawn, draw(_place(place[1], n)))
        if not of_task:
            of_task.update(_of_task(draw(labels.tasks(kinds, n, n))))
        return of_task[place[1]]

    return re.sub(r"<(\w+)>", drawn, template)
