"""Distributions over whole Arrow columns, for SQL. What is not defined is null."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa


def t_p_column(t: pa.ChunkedArray[Any], df: pa.ChunkedArray[Any]) -> pa.Array[Any]:
    """`t_p` of whole Arrow columns, for SQL."""
    import numpy as np
    from scipy.special import stdtr

    with np.errstate(all="ignore"):
        return _finite(2 * stdtr(_numbers(df), -np.abs(_numbers(t))))


def f_p_column(f: pa.ChunkedArray[Any], df1: pa.ChunkedArray[Any], df2: pa.ChunkedArray[Any]) -> pa.Array[Any]:
    """`f_p` of whole Arrow columns, for SQL."""
    import numpy as np
    from scipy.special import fdtr, fdtrc

    with np.errstate(all="ignore"):
        x, d1, d2 = _numbers(f), _numbers(df1), _numbers(df2)
        return _finite(np.minimum(1.0, 2 * np.minimum(fdtr(d1, d2, x), fdtrc(d1, d2, x))))


def _numbers(column: pa.ChunkedArray[Any]) -> Any:
    return column.to_numpy()


def _finite(values: Any) -> pa.Array[Any]:
    import numpy as np
    import pyarrow as pa

    return pa.array(values, pa.float64(), mask=~np.isfinite(values))
