"""Mechanisms stepped in a loop of the caller."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Optional

import numpy as np

from . import errors
from ._abi import (
    ArrayLike,
    Vector,
    call,
    check,
    choice,
    doubles,
    encode,
    ffi,
    filled,
    lib,
    long_call,
    make,
    number,
    read_bytes,
    read_text,
    record,
    sizes,
    struct,
    vector,
    words,
)
from ._copying import Constant, Unpickled
from .linear import StateSpace
from .mechanism import Mechanism
from .results import Results

__all__ = ["BodyState", "Checkpoint", "ContactEvent", "Equilibrium", "Linearization", "Simulation"]

INTEGRATORS = words("FOURBAR_INTEGRATOR_", ("gstiff", "rkf45", "abam", "wstiff", "dstiff", "constant_bdf", "hht"))
FORMULATIONS = words("FOURBAR_FORMULATION_", ("model", "i3", "si2", "partitioned", "si1"))
_FOLLOWING = words("FOURBAR_FOLLOWING_", ("model", "event", "gap_lcp", "moreau_jean", "ggl"))
_PROGRESS = {1: "step", 2: "event", 3: "end"}
_EVENTS = {1: "impact", 2: "closed", 3: "opened", 4: "stuck", 5: "slipped", 6: "accumulation", 7: "painleve_shock"}
_COORDINATES = ("x", "y", "z", "turn_x", "turn_y", "turn_z")


class BodyState(NamedTuple):
    """Where a body is and how it moves, in the global frame."""

    center_of_mass: Vector
    """[m], shape (3,); as all but the quaternion."""
    origin: Vector
    """Origin of the body frame [m]."""
    quaternion: Vector
    """Orientation w, x, y, z, shape (4,), with w >= 0."""
    euler_313: Vector
    """The same as turns about z, the new x, the new z [rad]."""
    velocity: Vector
    """Of the centre of mass [m/s]."""
    angular_velocity: Vector
    """[rad/s]."""
    acceleration: Vector
    """Of the centre of mass [m/s^2]."""
    angular_acceleration: Vector
    """[rad/s^2]."""


class ContactEvent(NamedTuple):
    """A contact that closed, opened, stuck or slipped."""

    time: float
    """[s]."""
    kind: str
    """``impact``, ``closed``, ``opened``, ``stuck``, ``slipped``, ``accumulation``, ``painleve_shock`` or ``other``."""
    contact: int
    """Index among ``Mechanism.contacts``."""
    closing_speed: float
    """[m/s]."""
    impulse: float
    """Normal impulse [N s]."""
    energy: float
    """Change of the kinetic energy [J]."""
    text: str
    """The same in words."""


class Equilibrium(NamedTuple):
    """A static equilibrium."""

    residual: float
    """Largest acceleration left [1/s^2]."""
    stable: bool
    """Whether it is stable."""


@dataclass(frozen=True)
class Linearization:
    """A mechanism near a state: dx/dt = A x + B u, y = C x + D u, as deviations."""

    system: StateSpace
    """The matrices; inputs are those of the model, outputs its measures."""
    coordinates: tuple[str, ...]
    """Names of the first states, the independent coordinates, such as ``"rod.turn_z"``; their rates follow them."""

    @property
    def eigenvalues(self) -> Any:
        """Of A [1/s], complex."""
        return self.system.eigenvalues()


class Checkpoint(Constant):
    """A point to which a simulation goes back by a bitwise restart."""

    _pickling = "pickle simulation.to_bytes(point), and make the point again by simulation.from_bytes"

    def __init__(self, handle: Any) -> None:
        self._handle = handle


class Simulation(Unpickled):
    """A mechanism in motion, stepped by the caller; one thread at a time. A copy goes on by itself from the same point.

    Options, each as the model says if left out: ``integrator``, ``formulation``, ``contacts`` (how they are followed), ``max_order``, ``tolerance``,
    ``max_step`` [s], ``step`` [s] of fixed steps, ``max_steps``.
    """

    _pickling = "pickle the Model and simulation.to_bytes(simulation.save()), and go on there from that point"

    def __init__(
        self,
        mechanism: Mechanism,
        *,
        integrator: Optional[str] = None,
        formulation: Optional[str] = None,
        contacts: Optional[str] = None,
        max_order: int = 0,
        tolerance: float = 0.0,
        max_step: float = 0.0,
        step: float = 0.0,
        max_steps: int = 0,
    ) -> None:
        made = struct("fourbar_simulation_options", lib.fourbar_simulation_options_init)
        made.integrator = 0 if integrator is None else choice(integrator, "integrator", INTEGRATORS)
        made.formulation = 0 if formulation is None else choice(formulation, "formulation", FORMULATIONS)
        made.following = 0 if contacts is None else choice(contacts, "contacts", _FOLLOWING)
        made.order_max, made.max_steps = max_order, max_steps
        made.tolerance, made.largest_step = number(tolerance, "tolerance"), number(max_step, "max_step")
        made.fixed_step = number(step, "step")
        self.mechanism, self._options = mechanism, made
        self._handle = make(
            "fourbar_simulation", lib.fourbar_simulation_new, mechanism._handle, made, free=lib.fourbar_simulation_free
        )
        self._step_to = lib.fourbar_simulation_step_to

    def __copy__(self) -> Simulation:
        own = type(self).__new__(type(self))
        own.__dict__.update(self.__dict__)
        own._handle = make(
            "fourbar_simulation",
            lib.fourbar_simulation_new,
            self.mechanism._handle,
            self._options,
            free=lib.fourbar_simulation_free,
        )
        own.restore(self.save())
        return own

    # ---- stepping

    def step_to(self, time: float) -> None:
        """Steps to a time [s], on which the last step lands exactly. Ctrl-C ends it at the last step made."""
        long_call(self._step_to, self._handle, time)

    def step(self, step: float) -> None:
        """Steps on by so many seconds."""
        long_call(lib.fourbar_simulation_step, self._handle, step)

    def advance(self, end: float) -> str:
        """One step of the method towards ``end`` [s]: ``"step"``, ``"event"`` of contacts, or ``"end"``."""
        progress = ffi.new("int32_t *")
        long_call(lib.fourbar_simulation_advance, self._handle, end, progress)
        return _PROGRESS[progress[0]]

    @property
    def time(self) -> float:
        """The time now [s]."""
        time = ffi.new("double *")
        check(lib.fourbar_simulation_time(self._handle, time, ffi.NULL))
        return float(time[0])

    @property
    def steps(self) -> int:
        """Steps of the method so far."""
        made = ffi.new("uint64_t *")
        check(lib.fourbar_simulation_time(self._handle, ffi.NULL, made))
        return int(made[0])

    def sample(self, times: ArrayLike) -> Results:
        """Steps to each of the ascending times [s] and reads all measures there."""
        at, units = vector(times, "times"), self.mechanism.measures
        values = np.empty((len(at), len(units)))
        for k, time in enumerate(at):
            if time != self.time:
                self.step_to(float(time))
            call(lib.fourbar_simulation_measures, self._handle, doubles(values[k]), len(units))
        return Results(at, {name: values[:, k].copy() for k, name in enumerate(units)}, units, title=self.mechanism.title)

    # ---- inputs

    def set_input(self, name: str, value: float, rate: float = 0.0) -> None:
        """From now on an input has this value, and this rate a second."""
        call(lib.fourbar_simulation_set_input, self._handle, encode(name, "name"), number(value, "value"), number(rate, "rate"))

    def set_inputs(self, values: ArrayLike) -> None:
        """Value, first and second derivative of each input: shape (inputs, 3), or a vector of values."""
        count = self.mechanism.figures["inputs"]
        given = np.asarray(values, dtype=float)
        own = np.column_stack([given, np.zeros((count, 2))]) if given.shape == (count,) else given
        if own.shape != (count, 3):
            raise errors.LengthError(f"'values' has shape {given.shape}, but must have shape {(count, 3)} or {(count,)}")
        call(lib.fourbar_simulation_set_inputs, self._handle, doubles(np.ascontiguousarray(own).reshape(-1)), own.size)

    @property
    def inputs(self) -> dict[str, float]:
        """Values of the inputs now."""
        names = self.mechanism.inputs
        # Value, first and second derivative of each.
        values = np.empty(3 * len(names))
        check(lib.fourbar_simulation_inputs(self._handle, doubles(values), values.size))
        return dict(zip(names, values[::3].tolist()))

    # ---- reading

    def measures(self) -> dict[str, float]:
        """All measures now, in SI units."""
        names = self.mechanism.measures
        values = np.empty(len(names))
        call(lib.fourbar_simulation_measures, self._handle, doubles(values), len(values))
        return dict(zip(names, values.tolist()))

    def measure(self, name: str) -> float:
        """One measure now. Raises NoSuchNameError with the nearest name."""
        value = ffi.new("double *")
        call(lib.fourbar_simulation_measure, self._handle, encode(name, "name"), value)
        return float(value[0])

    def body(self, name: str) -> BodyState:
        """Where a body is now and how it moves."""
        index = self.mechanism.find(lib.FOURBAR_PART_BODY, name)
        return BodyState(**record(filled("fourbar_body_state", lib.fourbar_simulation_body, self._handle, index)))

    def reaction(self, name: str) -> Vector:
        """What a joint, or else a motion, does to the body of its marker I now: force [N] and torque about the origin of I [N m], global, shape (6,)."""
        part = lib.FOURBAR_PART_MOTION if name in self.mechanism.motions else lib.FOURBAR_PART_JOINT
        if name in self.mechanism.joints:
            part = lib.FOURBAR_PART_JOINT
        wrench = np.empty(6)
        call(lib.fourbar_simulation_reaction, self._handle, part, self.mechanism.find(part, name), doubles(wrench))
        return wrench

    def events(self) -> list[ContactEvent]:
        """Events of contacts since the start or :meth:`clear_events`."""
        count = ffi.new("size_t *")
        check(lib.fourbar_simulation_event_count(self._handle, count))
        return [self._event(index) for index in range(count[0])]

    def _event(self, index: int) -> ContactEvent:
        one = filled("fourbar_contact_event", lib.fourbar_simulation_event, self._handle, index)
        said = read_text(lib.fourbar_simulation_event_text, self._handle, index)
        kind = _EVENTS.get(one.kind, "other")
        return ContactEvent(one.time, kind, int(one.contact), one.closing_speed, one.impulse, one.energy, said)

    def clear_events(self) -> None:
        """Forgets the events."""
        check(lib.fourbar_simulation_clear_events(self._handle))

    def statistics(self) -> dict[str, Any]:
        """Steps, rejections, evaluations, factorizations."""
        return record(filled("fourbar_simulation_statistics", lib.fourbar_simulation_get_statistics, self._handle))

    # ---- states

    @property
    def state(self) -> Vector:
        """The state as numbers: of each body the centre of mass [m], quaternion, velocity [m/s], angular velocity [rad/s], 13 values; then the
        coordinates of motions."""
        length = ffi.new("size_t *")
        check(lib.fourbar_simulation_state_length(self._handle, length))
        values = np.empty(length[0])
        call(lib.fourbar_simulation_get_state, self._handle, doubles(values), len(values))
        return values

    def set_state(self, time: float, state: ArrayLike) -> None:
        """Begins anew at a time [s] from a state as numbers, put onto the joints."""
        own = vector(state, "state")
        long_call(lib.fourbar_simulation_set_state, self._handle, number(time, "time"), doubles(own), len(own))

    def save(self) -> Checkpoint:
        """A point to :meth:`restore` from, to the bit."""
        return Checkpoint(
            make("fourbar_simulation_state", lib.fourbar_simulation_save, self._handle, free=lib.fourbar_simulation_state_free)
        )

    def restore(self, saved: Checkpoint) -> None:
        """Goes back to a point that was saved."""
        call(lib.fourbar_simulation_restore, self._handle, saved._handle)

    def to_bytes(self, saved: Checkpoint) -> bytes:
        """A point as bytes, for a file or another process."""
        return read_bytes(lib.fourbar_simulation_state_to_bytes, self._handle, saved._handle)

    def from_bytes(self, data: bytes) -> Checkpoint:
        """The point whose bytes these are. Raises InvalidValueError for damaged ones, StateError for those of another model."""
        made = make(
            "fourbar_simulation_state",
            lib.fourbar_simulation_state_from_bytes,
            self._handle,
            ffi.from_buffer("uint8_t[]", data) if data else ffi.new("uint8_t[1]"),
            len(data),
            free=lib.fourbar_simulation_state_free,
        )
        return Checkpoint(made)

    # ---- analyses

    def find_equilibrium(self) -> Equilibrium:
        """Goes to the static equilibrium below the positions of now, at rest. Raises NumericalError where nothing holds the mechanism."""
        residual, stable = ffi.new("double *"), ffi.new("int32_t *")
        long_call(lib.fourbar_simulation_find_equilibrium, self._handle, residual, stable)
        return Equilibrium(float(residual[0]), bool(stable[0]))

    def linearize(self) -> Linearization:
        """The mechanism near its state of now."""
        bodies = self.mechanism.bodies
        indices, count = np.empty(6 * len(bodies), dtype=np.uintp), ffi.new("size_t *")
        system = make(
            "fourbar_system",
            lib.fourbar_simulation_linearize,
            self._handle,
            sizes(indices),
            len(indices),
            count,
            free=lib.fourbar_system_free,
        )
        names = tuple(f"{bodies[k // 6]}.{_COORDINATES[k % 6]}" for k in indices[: count[0]].tolist())
        plant = StateSpace._of(system, inputs=tuple(self.mechanism.inputs), outputs=tuple(self.mechanism.measures))
        return Linearization(plant, names)

