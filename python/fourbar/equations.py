"""The equations of motion of a mechanism, for integrators of the caller: SciPy's, SUNDIALS', one's own."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from . import errors
from ._abi import (
    ArrayLike,
    Matrix,
    Vector,
    call,
    check,
    choice,
    doubles,
    ffi,
    filled,
    lib,
    long_call,
    make,
    number,
    read_text,
    record,
    shaped,
    sizes,
    vector,
    words,
)
from ._copying import Unpickled
from .mechanism import Mechanism

__all__ = ["KINDS", "MechanismEquations"]

_FORMULATIONS = words("FOURBAR_FORMULATION_", ("model", "i3", "si2", "partitioned", "si1"))
KINDS = words(
    "FOURBAR_KIND_",
    (
        "state",
        "algebraic",
        "position",
        "orientation",
        "velocity",
        "angular_velocity",
        "momentum",
        "multiplier",
        "stabilizer",
        "multiplier_integral",
        "stabilizer_integral",
    ),
)
_KIND_NAMES = {value: name for name, value in KINDS.items()}


class MechanismEquations(Unpickled):
    """F(t, y, y') = 0 (``i3``, ``si2``, ``si1``: index 3, stabilized index 2 and 1), or y' = f(t, y) (``partitioned``), of n unknowns.

    One thread at a time. Contacts are not in them. A point that cannot be evaluated raises NumericalError: a shorter step may avoid it.

    Attributes: ``dimension`` n, ``index`` of F = 0 (0: y' = f), ``velocities`` (six times the number of bodies), ``constraints``
    (independent constraint rows).
    """

    _copying = "open other ones by mechanism.equations(formulation)"
    _pickling = "pickle the Model, and compile it there"

    def __init__(self, mechanism: Mechanism, formulation: str = "model") -> None:
        number_of = choice(formulation, "formulation", _FORMULATIONS)
        self.mechanism = mechanism
        self._handle = make(
            "fourbar_mechanism_equations",
            lib.fourbar_mechanism_equations_new,
            mechanism._handle,
            number_of,
            free=lib.fourbar_mechanism_equations_free,
        )
        own = record(filled("fourbar_mechanism_equations_figures", lib.fourbar_mechanism_equations_get_figures, self._handle))
        self.dimension: int = own["dimension"]
        self.index: int = own["index"]
        self.velocities: int = own["velocities"]
        self.constraints: int = own["constraints"]
        self._entries: int = own["entries"]
        self._matrix_entries = {1: own["mass_entries"], 2: own["constraint_entries"]}
        self._state_length: int = own["state_length"]
        self._patterns: dict[int, tuple[Any, Any]] = {}

    # ---- what the unknowns are

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the unknowns."""
        return tuple(read_text(lib.fourbar_mechanism_equations_unknown_name, self._handle, i) for i in range(self.dimension))

    @property
    def equation_names(self) -> tuple[str, ...]:
        """Names of the equations."""
        return tuple(read_text(lib.fourbar_mechanism_equations_equation_name, self._handle, i) for i in range(self.dimension))

    def unknowns(self) -> dict[str, Any]:
        """What an integrator should know of each unknown: ``kinds``, ``differential`` (whether its derivative occurs: IDA's id), ``error_tested``,
        ``scale_powers`` p (h^p times it is comparable with a position), ``typical`` magnitudes; n values each."""
        n = self.dimension
        lists = [ffi.new("int32_t[]", n) for _ in range(4)]
        typical = np.empty(n)
        check(lib.fourbar_mechanism_equations_unknowns(self._handle, *lists, doubles(typical), n))
        kinds, differential, tested, powers = (list(own) for own in lists)
        return {
            "kinds": tuple(_KIND_NAMES.get(kind, "state") for kind in kinds),
            "differential": np.array(differential, dtype=bool),
            "error_tested": np.array(tested, dtype=bool),
            "scale_powers": np.array(powers),
            "typical": typical,
        }

    # ---- starts and states

    def start(self) -> tuple[float, Vector, Vector]:
        """The assembled start, consistent: t [s], y and y', n values each."""
        t, y, yp = ffi.new("double *"), np.empty(self.dimension), np.empty(self.dimension)
        long_call(lib.fourbar_mechanism_equations_start, self._handle, t, doubles(y), doubles(yp), self.dimension)
        return float(t[0]), y, yp

    def set_state(self, t: float, state: ArrayLike) -> tuple[Vector, Vector]:
        """A consistent start (y, y') from a state as numbers, 13 a body, as ``Simulation.state`` gives it."""
        own = vector(state, "state", self._state_length)
        y, yp = np.empty(self.dimension), np.empty(self.dimension)
        long_call(
            lib.fourbar_mechanism_equations_set_state,
            self._handle,
            number(t, "t"),
            doubles(own),
            own.size,
            doubles(y),
            doubles(yp),
            self.dimension,
        )
        return y, yp

    def state(self, t: float, y: ArrayLike) -> Vector:
        """What y says, as numbers: of each body the centre of mass [m], quaternion, velocity [m/s] and angular velocity [rad/s]."""
        own, state = self._y(y), np.empty(self._state_length)
        call(lib.fourbar_mechanism_equations_get_state, self._handle, t, doubles(own), own.size, doubles(state), state.size)
        return state

    def between_steps(self, t: float, y: ArrayLike, yp: Optional[ArrayLike] = None) -> tuple[Vector, Vector, bool]:
        """To be called after each accepted step: y and y' as they go on, and whether the integrator begins anew from them.

        It counts angles through full turns, writes orientations in other coordinates before these become singular, and puts partitioned
        coordinates onto the constraints."""
        own = self._y(y).copy()
        rates = np.zeros(self.dimension) if yp is None else self._y(yp, "yp").copy()
        changed = ffi.new("int32_t *")
        call(
            lib.fourbar_mechanism_equations_between_steps,
            self._handle,
            number(t, "t"),
            doubles(own),
            doubles(rates),
            self.dimension,
            changed,
        )
        return own, rates, bool(changed[0])

    def set_inputs(self, t: float, values: ArrayLike) -> None:
        """From now on inputs are polynomials about t [s]: value, first and second derivative of each, shape (inputs, 3)."""
        own = vector(shaped(values, "values", (self.mechanism.figures["inputs"], 3)), "values")
        check(lib.fourbar_mechanism_equations_set_inputs(self._handle, number(t, "t"), doubles(own), own.size))

    # ---- evaluations

    def rhs(self, t: float, y: ArrayLike) -> Vector:
        """f(t, y) of ``partitioned``, shape (n,): what ``scipy.integrate.solve_ivp`` takes. Raises UnsupportedError for other formulations."""
        own, yp = self._y(y), np.empty(self.dimension)
        call(lib.fourbar_mechanism_equations_rhs, self._handle, t, doubles(own), doubles(yp), self.dimension)
        return yp

    def residual(self, t: float, y: ArrayLike, yp: ArrayLike) -> Vector:
        """F(t, y, y'), shape (n,)."""
        own, rates, residual = self._y(y), self._y(yp, "yp"), np.empty(self.dimension)
        call(
            lib.fourbar_mechanism_equations_residual,
            self._handle,
            t,
            doubles(own),
            doubles(rates),
            doubles(residual),
            self.dimension,
        )
        return residual

    def pattern(self) -> tuple[npt.NDArray[np.uintp], npt.NDArray[np.uintp]]:
        """Pattern of the Jacobian by columns: offsets (n + 1), rows: ``indptr`` and ``indices`` of ``scipy.sparse.csc_array``."""
        if 0 not in self._patterns:
            offsets, rows = np.empty(self.dimension + 1, dtype=np.uintp), np.empty(self._entries, dtype=np.uintp)
            check(lib.fourbar_mechanism_equations_pattern(self._handle, sizes(offsets), offsets.size, sizes(rows), rows.size))
            self._patterns[0] = (offsets, rows)
        return self._patterns[0]

    def jacobian(self, t: float, y: ArrayLike, yp: ArrayLike, c: float, *, sparse: bool = False) -> Any:
        """dF/dy + c dF/dy', shape (n, n); with ``sparse`` a ``scipy.sparse.csc_array``."""
        own, rates, values = self._y(y), self._y(yp, "yp"), np.empty(self._entries)
        call(
            lib.fourbar_mechanism_equations_jacobian,
            self._handle,
            t,
            doubles(own),
            doubles(rates),
            self.dimension,
            number(c, "c"),
            doubles(values),
            values.size,
        )
        return _whole(values, self.pattern(), (self.dimension, self.dimension), sparse)

    def mass_matrix(self, t: float, y: ArrayLike, *, sparse: bool = False) -> Any:
        """M, shape (velocities, velocities): mass [kg] and inertia about the centre of mass [kg m^2], global frame."""
        return self._matrix(lib.FOURBAR_MATRIX_MASS, self.velocities, t, y, sparse)

    def constraint_jacobian(self, t: float, y: ArrayLike, *, sparse: bool = False) -> Any:
        """Phi_q, shape (constraints, velocities): the rates of the constraints are Phi_q u + Phi_t."""
        return self._matrix(lib.FOURBAR_MATRIX_CONSTRAINT_JACOBIAN, self.constraints, t, y, sparse)

    def _matrix(self, which: int, rows: int, t: float, y: ArrayLike, sparse: bool) -> Any:
        entries = self._matrix_entries[which]
        if which not in self._patterns:
            offsets, places = np.empty(self.velocities + 1, dtype=np.uintp), np.empty(entries, dtype=np.uintp)
            check(
                lib.fourbar_mechanism_equations_matrix_pattern(
                    self._handle, which, sizes(offsets), offsets.size, sizes(places), places.size
                )
            )
            self._patterns[which] = (offsets, places)
        own, values = self._y(y), np.empty(entries)
        call(lib.fourbar_mechanism_equations_matrix, self._handle, which, t, doubles(own), own.size, doubles(values), entries)
        return _whole(values, self._patterns[which], (rows, self.velocities), sparse)

    def forces(self, t: float, y: ArrayLike) -> Vector:
        """Q, shape (velocities,): applied forces less gyroscopic torques [N, N m], so that M u' + Phi_q^T lambda = Q."""
        return self._vector(lib.FOURBAR_VECTOR_FORCES, self.velocities, t, y)

    def constraint_values(self, t: float, y: ArrayLike) -> Vector:
        """Phi, shape (constraints,) [m, rad]; 0 where it is kept."""
        return self._vector(lib.FOURBAR_VECTOR_CONSTRAINTS, self.constraints, t, y)

    def constraint_rates(self, t: float, y: ArrayLike) -> Vector:
        """Phi_q u + Phi_t, shape (constraints,) [m/s, rad/s]."""
        return self._vector(lib.FOURBAR_VECTOR_CONSTRAINT_RATES, self.constraints, t, y)

    def constraint_accelerations(self, t: float, y: ArrayLike) -> Vector:
        """gamma, what Phi_q u' must be, shape (constraints,) [m/s^2, rad/s^2]."""
        return self._vector(lib.FOURBAR_VECTOR_CONSTRAINT_ACCELERATIONS, self.constraints, t, y)

    def _vector(self, which: int, length: int, t: float, y: ArrayLike) -> Vector:
        own, values = self._y(y), np.empty(length)
        call(lib.fourbar_mechanism_equations_vector, self._handle, which, t, doubles(own), own.size, doubles(values), length)
        return values

    def _y(self, y: ArrayLike, name: str = "y") -> Vector:
        # The library looks for NaN itself; a trial point of an integrator may hold one.
        return vector(y, name, self.dimension, finite=False)

    def __repr__(self) -> str:
        what = f"F(t, y, y') = 0 of index {self.index}" if self.index else "y' = f(t, y)"
        return f"<MechanismEquations of {self.mechanism.title!r}: {what}, {self.dimension} unknowns>"


def _whole(values: Vector, pattern: tuple[Any, Any], shape: tuple[int, int], sparse: bool) -> Any:
    offsets, rows = pattern
    if sparse:
        try:
            from scipy.sparse import csc_array
        except ImportError:
            raise errors.UnsupportedError("sparse matrices need SciPy; install it, or leave out sparse=True") from None
        return csc_array((values, rows.astype(np.int64), offsets.astype(np.int64)), shape=shape)
    dense: Matrix = np.zeros(shape)
    dense[rows, np.repeat(np.arange(shape[1]), np.diff(offsets.astype(np.int64)))] = values
    return dense
