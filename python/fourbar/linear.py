"""Linear systems: matrices, sampled systems, steppers."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional, Sequence

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
    lib,
    long_call,
    make,
    matrix,
    number,
    read_bytes,
    reals,
    shaped,
    struct,
    vector,
    words,
)
from ._callbacks import callback, write
from ._copying import Constant, Unpickled

__all__ = ["Discretization", "SampledSystem", "StateSpace", "Stepper", "StepperCheckpoint", "g_matrices"]

METHODS = words(
    "FOURBAR_METHOD_",
    ("algorithm_1", "algorithm_2", "algorithm_1_real_time", "algorithm_2_real_time", "nodes", "mtm_4", "qam_4"),
)
_SAMPLINGS = {"zoh": 1, "foh": 2, "impulse": 3, "tustin": 4}
_PRECISIONS = words("FOURBAR_PRECISION_", ("automatic", "working", "extended"))


def _hold(method: str, order: int, nodes: Optional[ArrayLike], precision: str) -> tuple[Any, Any]:
    made = struct("fourbar_hold", lib.fourbar_hold_init)
    made.method = choice("nodes" if nodes is not None else method, "method", METHODS)
    if isinstance(order, bool) or not isinstance(order, (int, np.integer)) or order < 0:
        raise errors.InvalidValueError(f"'order' is {order!r}; give a whole number from 0")
    made.order, made.precision = int(order), choice(precision, "precision", _PRECISIONS)
    kept = None
    if nodes is not None:
        own = vector(nodes, "nodes")
        kept = doubles(own)
        made.nodes, made.nodes_length = kept, len(own)
    return made, kept


class SampledSystem(NamedTuple):
    """x(k+1) = A x(k) + B u(k), y(k) = C x(k) + D u(k)."""

    A: Matrix
    """Shape (n, n)."""
    B: Matrix
    """Shape (n, m)."""
    C: Matrix
    """Shape (q, n)."""
    D: Matrix
    """Shape (q, m)."""
    step: float
    """T [s]."""
    hold: str
    """``zoh``, ``foh``, ``impulse`` or ``tustin``."""


class StateSpace(Constant):
    """dx/dt = A x + B u, y = C x + D u, with n states, m inputs and q outputs. It never changes; threads may share it.

    A has the shape (n, n), B (n, m), C (q, n), D (q, m); without C and D the outputs are the states. Raises LengthError for other shapes,
    NotFiniteError for NaN and infinity.
    """

    def __init__(self, a: ArrayLike, b: ArrayLike, c: Optional[ArrayLike] = None, d: Optional[ArrayLike] = None) -> None:
        own_a = matrix(a, "a")
        n = own_a.shape[0]
        own_a = matrix(own_a, "a", (n, n))
        own_b = matrix(b, "b", (n, None))
        own_c = matrix(np.eye(n) if c is None else c, "c", (None, n))
        m, q = own_b.shape[1], own_c.shape[0]
        own_d = matrix(np.zeros((q, m)) if d is None else d, "d", (q, m))
        pointers = [doubles(own) for own in (own_a, own_b, own_c, own_d)]
        self._handle = make("fourbar_system", lib.fourbar_system_new, n, m, q, *pointers, free=lib.fourbar_system_free)
        self.n, self.m, self.q = n, m, q
        self.inputs = tuple(f"u{k}" for k in range(m))
        self.outputs = tuple(f"y{k}" for k in range(q))

    @classmethod
    def _of(cls, handle: Any, inputs: tuple[str, ...], outputs: tuple[str, ...]) -> StateSpace:
        own = cls.__new__(cls)
        own._handle = handle
        own.n, own.m, own.q = own._dimensions()
        own.inputs, own.outputs = inputs, outputs
        return own

    def _dimensions(self) -> tuple[int, int, int]:
        counts = [ffi.new("size_t *") for _ in range(3)]
        check(lib.fourbar_system_dimensions(self._handle, *counts))
        n, m, q = (int(count[0]) for count in counts)
        return n, m, q

    def _matrix(self, which: int, rows: int, columns: int) -> Matrix:
        values = np.empty(rows * columns)
        check(lib.fourbar_system_matrix(self._handle, which, doubles(values), len(values)))
        return values.reshape((rows, columns), order="F")

    @property
    def A(self) -> Matrix:  # noqa: N802
        """Shape (n, n)."""
        return self._matrix(lib.FOURBAR_MATRIX_A, self.n, self.n)

    @property
    def B(self) -> Matrix:  # noqa: N802
        """Shape (n, m)."""
        return self._matrix(lib.FOURBAR_MATRIX_B, self.n, self.m)

    @property
    def C(self) -> Matrix:  # noqa: N802
        """Shape (q, n)."""
        return self._matrix(lib.FOURBAR_MATRIX_C, self.q, self.n)

    @property
    def D(self) -> Matrix:  # noqa: N802
        """Shape (q, m)."""
        return self._matrix(lib.FOURBAR_MATRIX_D, self.q, self.m)

    def eigenvalues(self) -> npt.NDArray[np.complex128]:
        """Of A [1/s], shape (n,). Raises NumericalError where they are not found."""
        real, imaginary = np.empty(self.n), np.empty(self.n)
        long_call(lib.fourbar_system_eigenvalues, self._handle, doubles(real), doubles(imaginary), self.n)
        return real + 1j * imaginary

    def stepper(
        self, step: float, method: str = "algorithm_1", order: int = 1, *, nodes: Optional[ArrayLike] = None, precision: str = "automatic"
    ) -> Stepper:
        """A stepper with steps of ``step`` [s], at t = 0 in the state 0; algorithm 1 of order 1 is the first-order hold (docs/lti.md)."""
        return Stepper(self, step, method, order, nodes=nodes, precision=precision)

    def discretize(
        self, step: float, method: str = "algorithm_1", order: int = 1, *, nodes: Optional[ArrayLike] = None, precision: str = "automatic"
    ) -> Discretization:
        """The matrices of a step."""
        return Discretization(self, step, method, order, nodes=nodes, precision=precision)

    def suggest_step(self, derivatives: ArrayLike, tolerance: float, largest: float, method: str = "algorithm_1", order: int = 1) -> float:
        """The largest step up to ``largest`` [s] whose leading local error stays within ``tolerance`` where the derivatives of the inputs, of the order that
        the hold does not follow, reach ``derivatives``, shape (m,)."""
        hold, kept = _hold(method, order, None, "automatic")
        own, step = vector(derivatives, "derivatives", self.m), ffi.new("double *")
        long_call(
            lib.fourbar_system_suggest_step,
            self._handle,
            hold,
            doubles(own),
            self.m,
            number(tolerance, "tolerance"),
            number(largest, "largest"),
            step,
        )
        del kept
        return float(step[0])

    def frequency_response(self, frequencies: ArrayLike) -> npt.NDArray[np.complex128]:
        """H(i w) = C (i w I - A)^-1 B + D at angular frequencies w [rad/s], shape (frequencies, q, m); NaN at a pole.

        >>> StateSpace([[-2.0]], [[2.0]]).frequency_response([0.0, 2.0])[:, 0, 0]"""
        own = vector(frequencies, "frequencies")
        length = own.size * self.q * self.m
        real, imaginary = np.empty(length), np.empty(length)
        long_call(
            lib.fourbar_system_frequency_response, self._handle, doubles(own), own.size, doubles(real), doubles(imaginary), length
        )
        # Column after column.
        return (real + 1j * imaginary).reshape((own.size, self.m, self.q)).transpose(0, 2, 1)

    def sampled(self, step: float, hold: str = "zoh", *, prewarped_at: Optional[float] = None) -> SampledSystem:
        """The sampled system for a step T [s] (docs/lti.md): ``zoh`` (zero-order hold), ``foh`` (straight lines between the samples; its state is x less
        G_1 B u), ``impulse`` (impulse invariant) or ``tustin`` (bilinear), which ``prewarped_at`` w [rad/s] has the response of this system there.

        Raises InvalidValueError for a step that is not positive, or w not within 0 and pi/T."""
        sampling = choice(hold, "hold", _SAMPLINGS)
        if prewarped_at is not None and (sampling != _SAMPLINGS["tustin"] or not number(prewarped_at, "prewarped_at")):
            raise errors.InvalidValueError(f"'prewarped_at' is {prewarped_at!r}; it must be positive, and is for tustin alone")
        shapes = ((self.n, self.n), (self.n, self.m), (self.q, self.n), (self.q, self.m))
        flat = [np.empty(rows * columns) for rows, columns in shapes]
        warped = 0.0 if prewarped_at is None else float(prewarped_at)
        long_call(lib.fourbar_system_sampled, self._handle, number(step, "step"), sampling, warped, *map(doubles, flat))
        a, b, c, d = (own.reshape(shape, order="F") for own, shape in zip(flat, shapes))
        return SampledSystem(a, b, c, d, float(step), hold.lower())

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _state_space, (self.A, self.B, self.C, self.D, self.inputs, self.outputs)

    def __repr__(self) -> str:
        return f"<StateSpace: {self.n} states, {self.m} inputs, {self.q} outputs>"


def _state_space(a: Matrix, b: Matrix, c: Matrix, d: Matrix, inputs: tuple[str, ...], outputs: tuple[str, ...]) -> StateSpace:
    """What a pickle says."""
    own = StateSpace(a, b, c, d)
    own.inputs, own.outputs = inputs, outputs
    return own


class Discretization:
    """x(t + T) = e^(A T) x(t) + sum of Phi_i u(t + offset_i). It never changes.

    Attributes: ``offsets``, when the samples of the input are taken after the start of the step [s], shape (k,); ``exponential``, shape (n, n);
    ``input_matrices``, shape (k, n, m).
    """

    def __init__(
        self, system: StateSpace, step: float, method: str = "algorithm_1", order: int = 1, *, nodes: Optional[ArrayLike] = None, precision: str = "automatic"
    ) -> None:
        hold, kept = _hold(method, order, nodes, precision)
        handle = make(
            "fourbar_discretization",
            lib.fourbar_discretization_new,
            system._handle,
            number(step, "step"),
            hold,
            free=lib.fourbar_discretization_free,
        )
        del kept
        count = ffi.new("size_t *")
        check(lib.fourbar_discretization_samples(handle, count))
        k, n, m = count[0], system.n, system.m
        self.offsets: Vector = np.empty(k)
        check(lib.fourbar_discretization_offsets(handle, doubles(self.offsets), k))
        flat = np.empty(n * n)
        check(lib.fourbar_discretization_exponential(handle, doubles(flat), len(flat)))
        self.exponential: Matrix = flat.reshape((n, n), order="F")
        self.input_matrices = np.empty((k, n, m))
        for i in range(k):
            flat = np.empty(n * m)
            check(lib.fourbar_discretization_input_matrix(handle, i, doubles(flat), len(flat)))
            self.input_matrices[i] = flat.reshape((n, m), order="F")


class StepperCheckpoint(Constant):
    """A point to which a stepper goes back by a bitwise restart."""

    _pickling = "pickle stepper.to_bytes(point), and make the point again by stepper.from_bytes"

    def __init__(self, handle: Any) -> None:
        self._handle = handle


class Stepper(Unpickled):
    """Steps of a linear system, each exact in its own dynamics; one thread at a time. A copy goes on by itself from the same point."""

    def __init__(
        self, system: StateSpace, step: float, method: str = "algorithm_1", order: int = 1, *, nodes: Optional[ArrayLike] = None, precision: str = "automatic"
    ) -> None:
        hold, kept = _hold(method, order, nodes, precision)
        self._handle = make(
            "fourbar_stepper", lib.fourbar_stepper_new, system._handle, number(step, "step"), hold, free=lib.fourbar_stepper_free
        )
        del kept
        self._made_by = (step, method, order), {"nodes": nodes, "precision": precision}
        self._step = lib.fourbar_stepper_step
        self.system = system
        self.step_size = float(step)
        count = ffi.new("size_t *")
        check(lib.fourbar_stepper_samples(self._handle, count))
        self.samples = int(count[0])
        """Samples of the input that a step takes: the one at its start is known from the step before, or from :meth:`set_input`."""
        self.offsets: Vector = np.empty(self.samples)
        check(lib.fourbar_stepper_offsets(self._handle, doubles(self.offsets), self.samples))
        check(lib.fourbar_stepper_startup_offsets(self._handle, ffi.NULL, 0, count))
        self.startup_offsets: Vector = np.empty(count[0])
        check(lib.fourbar_stepper_startup_offsets(self._handle, doubles(self.startup_offsets), len(self.startup_offsets), count))

    def _samples(self, u: ArrayLike, offsets: Vector) -> Vector:
        # The library looks for NaN.
        return shaped(u, "u", (len(offsets), self.system.m))

    def step(self, u: ArrayLike) -> Vector:
        """One step: ``u`` holds the samples at ``offsets``, shape (samples, m); gives the outputs at its end, shape (q,).

        Raises StateError while the history is empty, NumberOverflowError when an unstable state leaves the range of double."""
        own, y = self._samples(u, self.offsets), np.empty(self.system.q)
        status = self._step(self._handle, doubles(own), own.size, doubles(y), y.size)
        if status:
            check(status)
        return y

    def start_step(self, u: ArrayLike) -> Vector:
        """One step with the one-step method of the same order, while the history of a multistep method fills; samples at ``startup_offsets``."""
        own, y = self._samples(u, self.startup_offsets), np.empty(self.system.q)
        check(lib.fourbar_stepper_start_step(self._handle, doubles(own), own.size, doubles(y), y.size))
        return y

    def run(self, samples: ArrayLike) -> Matrix:
        """Many steps: samples of one step after the other, shape (steps, samples, m); gives the outputs, shape (steps, q).

        Axes of length 1 may be left out. Another shape raises LengthError; complex numbers, texts and masked values InvalidTypeError."""
        each = self.samples * self.system.m
        if each == 0:
            raise errors.LengthError("the system has no inputs, so that no samples say how many steps to make; call step([]) for each")
        given = reals(samples, "samples")
        steps, left = divmod(given.size, each)
        if left:
            raise errors.LengthError(f"'samples' has shape {given.shape}; it must have shape {('steps', self.samples, self.system.m)}")
        own = vector(shaped(given, "samples", (steps, self.samples, self.system.m)), "samples")
        y = np.empty((steps, self.system.q))
        flat = y.reshape(-1)
        long_call(lib.fourbar_stepper_run, self._handle, doubles(own), own.size, doubles(flat), flat.size, ffi.NULL)
        return y

    def simulate(self, function: Callable[[float], Any], steps: int) -> Matrix:
        """So many steps under ``function(t)``, the inputs, shape (m,), asked for where the method wants them; gives the outputs, shape (steps, q).

        A history that is still empty is filled by the one-step method of the same order. What the function raises comes out."""

        def run(_user: Any, t: float, u: Any, m: int) -> None:
            write(u, m, function(t), "function")

        own = callback("fourbar_input_function", run)
        y = np.empty((steps, self.system.q))
        flat = y.reshape(-1)
        long_call(lib.fourbar_stepper_simulate, self._handle, own, ffi.NULL, doubles(flat), flat.size)
        return y

    def set_input(self, u: ArrayLike) -> None:
        """The input at the present time, shape (m,), for methods that begin a step with it."""
        own = vector(u, "u", self.system.m)
        check(lib.fourbar_stepper_set_input(self._handle, doubles(own), own.size))

    @property
    def missing_history(self) -> int:
        """Samples of the past that are still missing before :meth:`step` may be called."""
        count = ffi.new("size_t *")
        check(lib.fourbar_stepper_missing_history(self._handle, count))
        return int(count[0])

    def set_history(self, samples: ArrayLike) -> None:
        """The samples of the past that the first step needs, oldest first, shape (missing_history, m)."""
        own = vector(shaped(samples, "samples", (self.missing_history, self.system.m)), "samples")
        check(lib.fourbar_stepper_set_history(self._handle, doubles(own), own.size))

    @property
    def time(self) -> float:
        """The time now [s]."""
        time = ffi.new("double *")
        check(lib.fourbar_stepper_time(self._handle, time, ffi.NULL))
        return float(time[0])

    @property
    def state(self) -> Vector:
        """x, shape (n,)."""
        x = np.empty(self.system.n)
        check(lib.fourbar_stepper_get_state(self._handle, doubles(x), x.size))
        return x

    @state.setter
    def state(self, x: ArrayLike) -> None:
        own = vector(x, "x", self.system.n)
        check(lib.fourbar_stepper_set_state(self._handle, doubles(own), own.size))

    def output(self, u: ArrayLike) -> Vector:
        """C x + D u now, shape (q,)."""
        own, y = vector(u, "u", self.system.m), np.empty(self.system.q)
        check(lib.fourbar_stepper_output(self._handle, doubles(own), own.size, doubles(y), y.size))
        return y

    def local_error(self) -> Vector:
        """The estimated local error of the state over the last step, shape (n,). Raises StateError where there is none."""
        error = np.empty(self.system.n)
        check(lib.fourbar_stepper_local_error(self._handle, doubles(error), error.size))
        return error

    def reset(self) -> None:
        """Back to t = 0 in the state 0, without history."""
        check(lib.fourbar_stepper_reset(self._handle))

    def continue_from(self, other: Stepper) -> None:
        """Takes over time, state and input of another stepper of the same system with another step or method."""
        check(lib.fourbar_stepper_continue_from(self._handle, other._handle))

    def save(self) -> StepperCheckpoint:
        """A point to :meth:`restore` from, to the bit."""
        made = make("fourbar_stepper_state", lib.fourbar_stepper_save, self._handle, free=lib.fourbar_stepper_state_free, long=False)
        return StepperCheckpoint(made)

    def restore(self, saved: StepperCheckpoint) -> None:
        """Goes back to a point that was saved."""
        call(lib.fourbar_stepper_restore, self._handle, saved._handle)

    def __copy__(self) -> Stepper:
        return _stepper(self.system, self._made_by, self.to_bytes(self.save()))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _stepper, (self.system, self._made_by, self.to_bytes(self.save()))

    def to_bytes(self, saved: StepperCheckpoint) -> bytes:
        """A point as bytes."""
        return read_bytes(lib.fourbar_stepper_state_to_bytes, self._handle, saved._handle)

    def from_bytes(self, data: bytes) -> StepperCheckpoint:
        """The point whose bytes these are."""
        own = ffi.from_buffer("uint8_t[]", data) if data else ffi.new("uint8_t[1]")
        free = lib.fourbar_stepper_state_free
        return StepperCheckpoint(make("fourbar_stepper_state", lib.fourbar_stepper_state_from_bytes, self._handle, own, len(data), free=free))


def _stepper(system: StateSpace, made_by: Any, point: bytes) -> Stepper:
    """A stepper at a point, as copies and pickles say it."""
    arguments, options = made_by
    own = Stepper(system, *arguments, **options)
    own.restore(own.from_bytes(point))
    return own


def g_matrices(a: ArrayLike, step: float, order: int) -> tuple[Matrix, Sequence[Matrix]]:
    """e^{AT}, and G_i(T) = integral from 0 to T of e^{A(T-s)} (s/T)^i ds for i = 0 .. order (docs/lti.md), each of shape (n, n).

    The response to an input u(s) = sum of c_i (s/T)^i over a step T is the sum of G_i B c_i."""
    own = matrix(a, "a")
    n = own.shape[0]
    own = matrix(own, "a", (n, n))
    exponential, g = np.empty(n * n), np.empty(n * n * (order + 1))
    long_call(lib.fourbar_g_matrices, n, doubles(own), number(step, "step"), order, doubles(exponential), doubles(g), g.size)
    parts = [part.reshape((n, n), order="F") for part in g.reshape((order + 1, n * n))]
    return exponential.reshape((n, n), order="F"), parts
