"""Numbers of any shape are read as float64 of that shape."""

import numpy as np

from extras import needs
from pairedperm.inputs.numbers import read_shaped


def test_numbers_stay():
    for values in (3, [1.5, 2], [[1.0, 2.0]], np.arange(6).reshape(1, 2, 3), [True, 2.5]):
        found = read_shaped("x", values)
        assert found.dtype == np.float64
        assert found.tolist() == np.asarray(values, dtype=float).tolist()
    assert read_shaped("x", [float("inf")]).tolist() == [float("inf")]


def test_columns_of_others():
    pandas, torch = needs("pandas", "test"), needs("torch", "transformers")
    assert read_shaped("x", pandas.Series([1, 2], index=[5, 6])).tolist() == [1.0, 2.0]
    assert read_shaped("x", torch.tensor([[1.5, 2.0]])).tolist() == [[1.5, 2.0]]
    assert read_shaped("x", torch.tensor(0.5)).shape == ()
