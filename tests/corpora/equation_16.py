"""The paper's equation (16) as users write it, and rows that it is of."""

import numpy as np


def f1_difference(sums):
    """Equation (16): h(x) = x1 / (x1 + x2 / 2) - x3 / (x3 + x4 / 2)."""
    columns = [sums[..., k] if k < sums.shape[-1] else 0.0 * sums[..., 0] for k in range(4)]
    denominators = [columns[k] + columns[k + 1] / 2 for k in (0, 2)]
    f1 = [
        np.where(y == 0, 0.0, x / np.where(y == 0, 1.0, y))
        for x, y in zip(columns[::2], denominators, strict=True)
    ]
    return f1[0] - f1[1]


def columns_of_equation_16(rows):
    """(tp1, in1, tp2, in2) of rows (2 tp, predicted + gold) of both systems."""
    columns = np.stack(
        (rows[:, 0] // 2, rows[:, 1] - rows[:, 0], rows[:, 2] // 2, rows[:, 3] - rows[:, 2]),
        axis=1,
    )
    return columns, columns[:, [2, 3, 0, 1]]
