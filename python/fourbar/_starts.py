"""Starts of equations F(t, y, y') = 0: which unknowns are algebraic, and whether a start satisfies the equations."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ._abi import Vector
from .errors import NumericalError, OutsideDomain

__all__ = ["algebraic", "check_start"]

_LEFT = 1e-6
"""Largest residual of a start, relative to that of before."""


def algebraic(residual: Callable[..., Any], t: float, y: Vector) -> list[bool]:
    """Whether each unknown is algebraic: its derivative changes no equation, neither at y nor beside it."""
    n = y.size
    occurs = np.zeros(n, dtype=bool)
    _mark(residual, t, y, np.zeros(n), occurs)
    # A factor of a derivative that happens to be 0 at the start, or the square of a derivative, is not beside it.
    pattern = np.sin(1.0 + np.arange(n))
    with np.errstate(all="ignore"):
        try:
            _mark(residual, t, y + 1e-3 * (1.0 + np.abs(y)) * pattern, pattern[::-1].copy(), occurs)
        except (ArithmeticError, ValueError, OutsideDomain):
            pass  # nobody asked for a point there
    return [bool(own) for own in ~occurs]


def _mark(residual: Callable[..., Any], t: float, y: Vector, yp: Vector, occurs: Any) -> None:
    base = _values(residual, t, y, yp)
    for j in np.flatnonzero(~occurs):
        moved = yp.copy()
        moved[j] += 1.0
        occurs[j] = not np.array_equal(_values(residual, t, y, moved), base, equal_nan=True)


def _values(residual: Callable[..., Any], t: float, y: Vector, yp: Vector) -> Vector:
    return np.array(residual(t, y.copy(), yp.copy()), dtype=np.float64)


def check_start(residual: Callable[..., Any], t: float, before: Vector, y: Vector, yp: Vector) -> None:
    """Raises NumericalError where y and y' leave more of the equations than round-off of what they began with."""
    left = np.abs(_values(residual, t, y, yp))
    begun = np.abs(_values(residual, t, before, np.zeros(y.size)))
    allowed = _LEFT * (1.0 + np.max(begun, initial=0.0))
    if not np.all(left <= allowed):
        worst = int(np.argmax(np.where(np.isnan(left), np.inf, left)))
        raise NumericalError(
            f"the start that was found at t = {t:g} leaves {left[worst]:g} of equation {worst}, more than {allowed:g}; "
            "give 'yp0', or a nearer guess of the algebraic unknowns in 'y0'"
        )
