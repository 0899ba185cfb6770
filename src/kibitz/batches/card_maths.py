"""Functions for which cards have no instruction: powers, exponentials and logarithms, to within 1e-13."""

import numpy as np

from kibitz.core.native import helper
from kibitz.core.scratch import numbers_in, scratch

_LOG2_E = 1.4426950408889634
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # the sum is ln 2, in more digits
_BIAS, _MANTISSA = 1023, 52
_ONE = _BIAS << _MANTISSA
_SQRT2 = 1.4142135623730951
_LEAST, _MOST = -708.0, 709.0  # exponents between which an exponential is a normal number
_TERMS = 13


@helper
def exp(x):
    """Return e to the power of x."""
    if not _LEAST <= x <= _MOST:
        return x if x != x else (np.inf if x > 0 else 0.0)
    k = np.int64(np.floor(x * _LOG2_E + 0.5))
    rest = (x - k * _LN2_HIGH) - k * _LN2_LOW
    total = 1.0
    for n in range(_TERMS, 0, -1):
        total = 1.0 + total * rest / n
    cell = scratch(1)
    cell[0] = (k + _BIAS) << _MANTISSA
    return total * numbers_in(cell, 0)[0]


@helper
def log(x):
    """Return the natural logarithm of x."""
    if not 0.0 < x < np.inf:
        return x if x != x or x > 0 else (-np.inf if x == 0 else np.nan)
    cell = scratch(1)
    numbers_in(cell, 0)[0] = x
    k = (cell[0] >> _MANTISSA) - _BIAS
    cell[0] = (cell[0] & ((1 << _MANTISSA) - 1)) | _ONE
    fraction = numbers_in(cell, 0)[0]
    if fraction > _SQRT2:
        fraction *= 0.5
        k += 1
    f = (fraction - 1.0) / (fraction + 1.0)
    total = 0.0
    for n in range(2 * _TERMS - 1, 0, -2):
        total = total * f * f + 1.0 / n
    return k * _LN2_HIGH + (2.0 * f * total + k * _LN2_LOW)


@helper
def power(x, y):
    """Return x to the power of y."""
    if y == 0.0 or x == 1.0:
        return 1.0
    if x == 0.0:
        return 0.0 if y > 0 else np.inf
    if x > 0.0:
        return exp(y * log(x))
    if y != np.floor(y):
        return np.nan
    size = exp(y * log(-x))
    return -size if np.floor(y / 2) * 2 != y else size
