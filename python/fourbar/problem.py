"""Equations of the caller under fourbar's integrators: F(t, y, y') = 0 of any index, and y' = f(t, y)."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, Union

import numpy as np

from . import errors
from ._abi import (
    ArrayLike,
    Matrix,
    Vector,
    check,
    choice,
    doubles,
    ffi,
    filled,
    integers,
    lib,
    long_call,
    make,
    number,
    record,
    sizes,
    struct,
    texts,
    vector,
    words,
)
from ._callbacks import callback, read, write
from ._copying import Constant, Unpickled
from .equations import KINDS, MechanismEquations

__all__ = ["Function", "Integration", "Problem"]

INTEGRATORS = words("FOURBAR_INTEGRATOR_", ("gstiff", "rkf45", "abam", "wstiff", "dstiff", "constant_bdf", "hht"))
_STOPS = {1: "step", 2: "stop_time", 3: "end", 4: "event", 5: "host"}
_OPTIONS = {
    "max_order": "order_max",
    "first_step": "first_step",
    "min_step": "smallest_step",
    "max_step": "largest_step",
    "max_steps": "max_steps",
    "fixed_step": "fixed_step",
    "fixed_order": "fixed_order",
    "newton_iterations": "newton_iterations",
    "newton_fraction": "newton_fraction",
    "matrix_age": "matrix_age",
    "alpha": "alpha",
    "rho_infinity": "rho_infinity",
}

Function = Callable[..., Any]


class Problem(Constant):
    """Equations of the caller: F(t, y, y') = 0 by ``residual(t, y, yp)``, or y' = f(t, y) by ``rhs(t, y)``; either gives n values.

    ``jacobian(t, y, yp, c)`` gives dF/dy + c dF/dy' (of y' = f(t, y): of y' - f) as an array (n, n), or with ``sparsity`` (n, n) the values of its entries that are
    not zero, column after column; without it the matrix is differenced. ``kinds`` says what each unknown is (``fourbar.equations.KINDS``),
    ``index`` the differentiation index 1, 2 or 3 of F = 0, ``typical`` a magnitude of each unknown. ``events`` are functions g(t, y, yp) whose
    sign changes are found; ``g.direction`` 1 or -1 restricts them to one direction.

    A function raises OutsideDomain where a shorter step may avoid its point; anything else that it raises ends the call and comes out of it.
    """

    _pickling = "pickle the functions, and make the problem there"

    def __init__(
        self,
        dimension: int,
        *,
        residual: Optional[Function] = None,
        rhs: Optional[Function] = None,
        jacobian: Optional[Function] = None,
        sparsity: Optional[ArrayLike] = None,
        kinds: Optional[Sequence[str]] = None,
        index: int = 1,
        typical: Optional[ArrayLike] = None,
        names: Optional[Sequence[str]] = None,
        events: Sequence[Function] = (),
    ) -> None:
        if (residual is None) == (rhs is None):
            raise errors.InvalidTypeError("the problem has neither 'residual' nor 'rhs', or both; give one of them")
        self.dimension = int(dimension)
        own = struct("fourbar_equations", lib.fourbar_equations_init)
        own.dimension, own.index = self.dimension, index
        self._kept: list[Any] = []
        if residual is not None:
            own.residual = self._callback("fourbar_residual_function", _residual(residual, self.dimension))
        if rhs is not None:
            own.rhs = self._callback("fourbar_rhs_function", _rhs(rhs, self.dimension))
        entries = self._pattern(own, sparsity)
        if jacobian is not None:
            own.jacobian = self._callback("fourbar_jacobian_function", _jacobian(jacobian, self.dimension, entries))
        if kinds is not None:
            if isinstance(kinds, str) or len(kinds) != self.dimension:
                raise errors.LengthError(f"'kinds' must have one word for each of {self.dimension} unknowns")
            own.kinds = self._keep(integers(choice(kind, "kinds", KINDS) for kind in kinds))
        if typical is not None:
            own.typical = self._keep(doubles(vector(typical, "typical", self.dimension)))
        if names is not None:
            if len(names) != self.dimension:
                raise errors.LengthError(f"'names' has length {len(names)}, but must have length {self.dimension}")
            own.names = self._keep(texts(names, "names"))[0]
        self.events = list(events)
        if self.events:
            own.root_count = len(self.events)
            own.roots = self._callback("fourbar_roots_function", _roots(self.events, self.dimension))
            own.root_directions = self._keep(integers(int(np.sign(getattr(g, "direction", 0))) for g in self.events))
        self._handle = make("fourbar_problem", lib.fourbar_problem_new, own, free=lib.fourbar_problem_free)

    @classmethod
    def of_mechanism(cls, equations: MechanismEquations) -> Problem:
        """The equations of a mechanism as a problem for the library's integrators."""
        own = cls.__new__(cls)
        own.dimension, own._kept, own.events = equations.dimension, [equations], []
        own._handle = make(
            "fourbar_problem", lib.fourbar_problem_from_equations, equations._handle, free=lib.fourbar_problem_free
        )
        return own

    def _keep(self, made: Any) -> Any:
        self._kept.append(made)
        return made

    def _callback(self, kind: str, function: Callable[..., None]) -> Any:
        return self._keep(callback(kind, function))

    def _pattern(self, own: Any, sparsity: Optional[ArrayLike]) -> tuple[Any, Any]:
        n = self.dimension
        if sparsity is None:
            return np.tile(np.arange(n), n), np.repeat(np.arange(n), n)
        to_dense = getattr(sparsity, "toarray", None)
        dense = np.asarray(to_dense() if to_dense else sparsity) != 0
        if dense.shape != (n, n):
            raise errors.LengthError(f"'sparsity' has shape {dense.shape}, but must have shape {(n, n)}")
        columns, rows = np.nonzero(dense.T)
        offsets = np.concatenate([[0], np.cumsum(dense.sum(axis=0))]).astype(np.uintp)
        places = rows.astype(np.uintp)
        own.pattern_offsets, own.pattern_rows = self._keep(sizes(offsets)), self._keep(sizes(places))
        own.pattern_length = places.size
        return rows, columns

    def consistent_start(self, t: float, y: ArrayLike, yp: Optional[ArrayLike] = None) -> tuple[Vector, Vector]:
        """y' of the differential unknowns and the algebraic unknowns that satisfy the equations, from the differential ones in y; of index 1.

        Of a mechanism, positions and velocities are put onto the constraints. Raises NumericalError where the equations are singular."""
        own = vector(y, "y", self.dimension).copy()
        rates = np.zeros(self.dimension) if yp is None else vector(yp, "yp", self.dimension).copy()
        long_call(
            lib.fourbar_problem_consistent_start,
            self._handle,
            number(t, "t"),
            doubles(own),
            doubles(rates),
            self.dimension,
            ffi.NULL,
        )
        return own, rates

    def integrate(self, t: float, y: ArrayLike, yp: Optional[ArrayLike] = None, **options: Any) -> Integration:
        """An integration from t on: see :class:`Integration` for the options."""
        return Integration(self, t, y, yp, **options)


def _residual(function: Function, n: int) -> Callable[..., None]:
    def run(_user: Any, t: float, y: Any, yp: Any, residual: Any) -> None:
        write(residual, n, function(t, read(y, n), read(yp, n)), "residual")

    return run


def _rhs(function: Function, n: int) -> Callable[..., None]:
    def run(_user: Any, t: float, y: Any, yp: Any) -> None:
        write(yp, n, function(t, read(y, n)), "rhs")

    return run


def _jacobian(function: Function, n: int, entries: tuple[Any, Any]) -> Callable[..., None]:
    rows, columns = entries

    def run(_user: Any, t: float, y: Any, yp: Any, c: float, values: Any) -> None:
        rates = np.zeros(n) if yp == ffi.NULL else read(yp, n)
        given = np.asarray(function(t, read(y, n), rates, c), dtype=np.float64)
        write(values, rows.size, given[rows, columns] if given.shape == (n, n) else given, "jacobian")

    return run


def _roots(functions: Sequence[Function], n: int) -> Callable[..., None]:
    def run(_user: Any, t: float, y: Any, yp: Any, roots: Any) -> None:
        state, rates = read(y, n), read(yp, n)
        write(roots, len(functions), [float(g(t, state, rates)) for g in functions], "events")

    return run


class Integration(Unpickled):
    """An integration of a problem, step by step; one thread at a time.

    Options: ``method`` (``gstiff``, ``wstiff``, ``dstiff``, ``constant_bdf``, ``hht``; of y' = f(t, y) also ``rkf45``, ``abam``), ``rtol`` (1e-6),
    ``atol`` (a number in units of ``typical``, or n values), ``max_order``, ``first_step``, ``min_step``, ``max_step``, ``fixed_step`` [s], ``max_steps``, ``fixed_order``,
    ``newton_iterations``, ``newton_fraction``, ``matrix_age``, ``alpha``, ``rho_infinity``.
    """

    _copying = "begin another one with the same options, and let it restore(integration.save())"
    _pickling = "begin another one there from time and state"

    def __init__(
        self,
        problem: Problem,
        t: float,
        y: ArrayLike,
        yp: Optional[ArrayLike] = None,
        *,
        method: str = "gstiff",
        rtol: float = 1e-6,
        atol: Union[float, ArrayLike, None] = None,
        **options: Any,
    ) -> None:
        own = struct("fourbar_integration_options", lib.fourbar_integration_options_init)
        own.integrator, own.relative = choice(method, "method", INTEGRATORS), number(rtol, "rtol")
        tolerances = None
        if atol is not None and np.ndim(atol) == 0:
            own.absolute = number(atol, "atol")
        elif atol is not None:
            tolerances = doubles(vector(atol, "atol", problem.dimension))
            own.absolutes, own.absolutes_length = tolerances, problem.dimension
        for name, value in options.items():
            if name not in _OPTIONS:
                raise errors.InvalidTypeError(f"'{name}' is no option; there are method, rtol, atol, {', '.join(_OPTIONS)}")
            if value is None:
                continue
            try:
                setattr(own, _OPTIONS[name], value)
            except (TypeError, OverflowError):
                raise errors.InvalidValueError(f"'{name}' is {value!r}; give a number that the option can have") from None
        start = vector(y, "y", problem.dimension)
        rates = None if yp is None else vector(yp, "yp", problem.dimension)
        self.problem = problem
        self._handle = make(
            "fourbar_integration",
            lib.fourbar_integration_new,
            problem._handle,
            own,
            number(t, "t"),
            doubles(start),
            doubles(rates),
            problem.dimension,
            free=lib.fourbar_integration_free,
        )

    def _stop(self, function: Any, *arguments: Any) -> str:
        stop = ffi.new("int32_t *")
        long_call(function, self._handle, *arguments, stop)
        return _STOPS[stop[0]]

    def step(self) -> str:
        """One accepted step: ``"step"``, ``"stop_time"``, ``"end"`` or ``"event"``."""
        return self._stop(lib.fourbar_integration_step)

    def run(self, end: float) -> str:
        """Steps up to t = ``end``, on which the last step lands exactly; comes back earlier at an ``"event"``."""
        return self._stop(lib.fourbar_integration_run, number(end, "end"))

    def set_end(self, end: float) -> None:
        """The time on which the last step of :meth:`step` lands."""
        check(lib.fourbar_integration_set_end(self._handle, number(end, "end")))

    def set_stop_times(self, times: ArrayLike) -> None:
        """Ascending times on which steps land exactly."""
        own = vector(times, "times")
        check(lib.fourbar_integration_set_stop_times(self._handle, doubles(own), own.size))

    def restart(self, t: float, y: ArrayLike, yp: Optional[ArrayLike] = None) -> None:
        """Begins anew from t, y and y'."""
        own = vector(y, "y", self.problem.dimension)
        rates = None if yp is None else vector(yp, "yp", self.problem.dimension)
        long_call(lib.fourbar_integration_restart, self._handle, number(t, "t"), doubles(own), doubles(rates), own.size)

    def sample(self, times: ArrayLike) -> tuple[Matrix, str]:
        """Steps on and gives y at ascending times by dense output, shape (times, n), and why it stopped. At an event there are fewer rows."""
        at, n = vector(times, "times"), self.problem.dimension
        values, done, stop = np.empty(at.size * n), ffi.new("size_t *"), ffi.new("int32_t *")
        long_call(
            lib.fourbar_integration_sample, self._handle, doubles(at), at.size, doubles(values), values.size, done, stop
        )
        return values.reshape(at.size, n)[: done[0]], _STOPS[stop[0]]

    def interpolate(self, t: float) -> tuple[Vector, Vector]:
        """y and y' at a time within the last step."""
        y, yp = np.empty(self.problem.dimension), np.empty(self.problem.dimension)
        check(lib.fourbar_integration_interpolate(self._handle, number(t, "t"), doubles(y), doubles(yp), y.size))
        return y, yp

    @property
    def time(self) -> float:
        """The time now [s]."""
        time = ffi.new("double *")
        check(lib.fourbar_integration_time(self._handle, time, ffi.NULL))
        return float(time[0])

    @property
    def state(self) -> tuple[Vector, Vector]:
        """y and y' now."""
        y, yp = np.empty(self.problem.dimension), np.empty(self.problem.dimension)
        check(lib.fourbar_integration_get_state(self._handle, doubles(y), doubles(yp), y.size))
        return y, yp

    def events(self) -> list[tuple[int, int]]:
        """The events at the present time: which function (from 0), and 1 rising or -1 falling."""
        count = ffi.new("size_t *")
        check(lib.fourbar_integration_events(self._handle, ffi.NULL, ffi.NULL, 0, count))
        indices, directions = ffi.new("size_t[]", count[0]), ffi.new("int32_t[]", count[0])
        check(lib.fourbar_integration_events(self._handle, indices, directions, count[0], count))
        return list(zip(list(indices), list(directions)))

    def save(self) -> Any:
        """A point to :meth:`restore` from, to the bit."""
        free = lib.fourbar_integration_state_free
        return make("fourbar_integration_state", lib.fourbar_integration_save, self._handle, free=free, long=False)

    def restore(self, saved: Any) -> None:
        """Goes back to a point that was saved."""
        check(lib.fourbar_integration_restore(self._handle, saved))

    def statistics(self) -> dict[str, Any]:
        """Steps, rejections, evaluations, factorizations."""
        return record(filled("fourbar_solver_statistics", lib.fourbar_integration_get_statistics, self._handle))
