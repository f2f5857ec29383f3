"""The grammar of sets of labels as matrices of 0 and 1, of three columns."""

from __future__ import annotations

from random import Random

from campaigns.inputs.hostile import Slot, column, listed

_MATRICES = (
    "np.array({x})",
    "np.array({x}, dtype=bool)",
    "np.array({x}, dtype=float)",
    "np.array({x}, dtype=object)",
    "np.array({x})[:, :2]",
    "np.ma.masked_equal({x}, 1)",
    "scipy.sparse.csr_array({x})",
    "scipy.sparse.coo_matrix({x})",
    "scipy.sparse.coo_array({x}[0])",
    "pd.DataFrame({x})",
    "pd.DataFrame({x}, columns=['a', 'b', 'c'])",
    "pd.DataFrame({x}, columns=['a', 'b', 'b'])",
    "pd.DataFrame({x}, columns=[0, 'b', None])",
    "pd.DataFrame({x}).convert_dtypes()",
    "pd.DataFrame({x}).iloc[::-1]",
    "pd.DataFrame({x}).astype('category')",
    "pa.table(pd.DataFrame({x}, columns=['a', 'b', 'c']))",
)


def matrix(name: str, entries: list[str]) -> Slot:
    """An indicator matrix of these rows."""
    inner = column(name, entries).hostile

    def hostile(rng: Random) -> str:
        rows = inner(rng) if rng.random() < 0.5 else listed(entries)
        return rng.choice(_MATRICES).format(x=rows) if rng.random() < 0.8 else rows

    return Slot(name, f"np.array({listed(entries)})", hostile)
