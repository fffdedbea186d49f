"""Circuits and linear systems of model files, stepped in a loop of the caller."""

from __future__ import annotations

from typing import Any, Dict, Tuple

import numpy as np

from ._abi import call, check, doubles, encode, ffi, lib, long_call, make, number, read_text
from ._copying import Constant, Unpickled
from .model import Model

__all__ = ["Simulator", "SimulatorCheckpoint"]


class SimulatorCheckpoint(Constant):
    """A point to which a simulator goes back."""

    _pickling = "pickle the Model, and step to that time there"

    def __init__(self, handle: Any) -> None:
        self._handle = handle


class Simulator(Unpickled):
    """A model of the type ``circuit`` or ``linear``, stepped by the caller; one thread at a time.

    Inputs of a linear system are those of the type ``external``. Raises UnsupportedError for models of other types."""

    _copying = "make another one of the same Model"
    _pickling = "pickle the Model, and make a Simulator of it there"

    def __init__(self, model: Model) -> None:
        text = encode(model.to_toml(), "text")
        file = ffi.NULL if model._file is None else ffi.new("char[]", encode(model._file, "file"))
        self._handle = make("fourbar_simulator", lib.fourbar_simulator_from_toml, text, file, free=lib.fourbar_simulator_free)
        inputs, measures = ffi.new("size_t *"), ffi.new("size_t *")
        check(lib.fourbar_simulator_size(self._handle, inputs, measures))
        self._inputs = self._parts(lib.FOURBAR_PART_INPUT, inputs[0])
        self._measures = self._parts(lib.FOURBAR_PART_MEASURE, measures[0])

    def _parts(self, part: int, count: int) -> Dict[str, str]:
        def read(function: Any, i: int) -> str:
            return read_text(function, self._handle, part, i)

        return {read(lib.fourbar_simulator_name, i): read(lib.fourbar_simulator_unit, i) for i in range(count)}

    @property
    def units(self) -> Tuple[Dict[str, str], Dict[str, str]]:
        """Inputs and measures with their units."""
        return dict(self._inputs), dict(self._measures)

    def step_to(self, time: float) -> None:
        """Steps to a time [s]. A step that fails leaves all as it was."""
        long_call(lib.fourbar_simulator_step_to, self._handle, number(time, "time"))

    def step(self, step: float) -> None:
        """Steps on by so many seconds."""
        long_call(lib.fourbar_simulator_step, self._handle, number(step, "step"))

    @property
    def time(self) -> float:
        """The time now [s]."""
        time = ffi.new("double *")
        check(lib.fourbar_simulator_time(self._handle, time))
        return float(time[0])

    def set_input(self, name: str, value: float, rate: float = 0.0) -> None:
        """From now on an input has this value, and this rate a second."""
        call(lib.fourbar_simulator_set_input, self._handle, encode(name, "name"), number(value, "value"), number(rate, "rate"))

    @property
    def inputs(self) -> Dict[str, float]:
        """Values of the inputs now."""
        # Value, first and second derivative of each.
        values = np.empty(3 * len(self._inputs))
        check(lib.fourbar_simulator_inputs(self._handle, doubles(values), values.size))
        return dict(zip(self._inputs, values[::3].tolist()))

    def measures(self) -> Dict[str, float]:
        """All measures now, in their units."""
        values = np.empty(len(self._measures))
        check(lib.fourbar_simulator_measures(self._handle, doubles(values), values.size))
        return dict(zip(self._measures, values.tolist()))

    def measure(self, name: str) -> float:
        """One measure now."""
        value = ffi.new("double *")
        check(lib.fourbar_simulator_measure(self._handle, encode(name, "name"), value))
        return float(value[0])

    def save(self) -> SimulatorCheckpoint:
        """A point to :meth:`restore` from. Raises UnsupportedError for sparse systems."""
        free = lib.fourbar_simulator_state_free
        return SimulatorCheckpoint(make("fourbar_simulator_state", lib.fourbar_simulator_save, self._handle, free=free, long=False))

    def restore(self, saved: SimulatorCheckpoint) -> None:
        """Goes back to a point that was saved."""
        call(lib.fourbar_simulator_restore, self._handle, saved._handle)
