"""Compiled mechanisms: names, figures, kinematics."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from ._abi import ArrayLike, check, encode, ffi, filled, lib, long_call, read_text, record, vector
from ._copying import Constant
from .results import Results

if TYPE_CHECKING:
    from .equations import MechanismEquations
    from .simulation import Simulation

__all__ = ["Mechanism"]


class Mechanism(Constant):
    """A model, compiled and assembled (:meth:`fourbar.Model.compile`). It never changes; threads may share it.

    Attributes: ``figures``, a dictionary of counts and of what assembly did, among them ``degrees_of_freedom``, ``constraint_rows``,
    ``redundant_rows``, ``violation_before`` and ``violation_after`` [m, rad].
    """

    _pickling = "pickle the Model, and compile it there"

    def __init__(self, handle: Any, kept: Any, title: str) -> None:
        self._handle = handle
        self._kept = kept
        self.title = title
        self.figures: dict[str, Any] = record(
            filled("fourbar_mechanism_figures", lib.fourbar_mechanism_get_figures, handle)
        )

    def _names(self, part: int, count: int) -> tuple[str, ...]:
        return tuple(read_text(lib.fourbar_mechanism_name, self._handle, part, i) for i in range(count))

    def _units(self, part: int, count: int) -> tuple[str, ...]:
        return tuple(read_text(lib.fourbar_mechanism_unit, self._handle, part, i) for i in range(count))

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of the bodies, without the ground."""
        return self._names(lib.FOURBAR_PART_BODY, self.figures["bodies"])

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints."""
        return self._names(lib.FOURBAR_PART_JOINT, self.figures["joints"])

    @property
    def motions(self) -> tuple[str, ...]:
        """Names of the motions in force."""
        return self._names(lib.FOURBAR_PART_MOTION, self.figures["motions"])

    @property
    def inputs(self) -> dict[str, str]:
        """Inputs, and their units."""
        count = self.figures["inputs"]
        return dict(zip(self._names(lib.FOURBAR_PART_INPUT, count), self._units(lib.FOURBAR_PART_INPUT, count)))

    @property
    def measures(self) -> dict[str, str]:
        """Measured numbers, and their units."""
        count = self.figures["measures"]
        return dict(zip(self._names(lib.FOURBAR_PART_MEASURE, count), self._units(lib.FOURBAR_PART_MEASURE, count)))

    @property
    def contacts(self) -> tuple[str, ...]:
        """Names of the contacts."""
        return self._names(lib.FOURBAR_PART_CONTACT, self.figures["contacts"])

    @property
    def redundant(self) -> tuple[str, ...]:
        """Constraint rows that depend on others and were dropped: the joint, and what the row keeps."""
        return self._names(lib.FOURBAR_PART_REDUNDANT_ROW, self.figures["redundant_rows"])

    @property
    def moved(self) -> tuple[str, ...]:
        """Bodies that assembly moved."""
        return self._names(lib.FOURBAR_PART_MOVED_BODY, self.figures["moved_bodies"])

    @property
    def degrees_of_freedom(self) -> int:
        """Degrees of freedom at the start, motions counted as constraints."""
        return int(self.figures["degrees_of_freedom"])

    def find(self, part: int, name: str) -> int:
        """The index of a part by its name. Raises NoSuchNameError with the nearest name."""
        index = ffi.new("size_t *")
        check(lib.fourbar_mechanism_find(self._handle, part, encode(name, "name"), index))
        return int(index[0])

    def kinematics(self, times: ArrayLike) -> Results:
        """The measures at each of the times [s], in any order, of a mechanism whose motions leave it no freedom: no integration.

        Raises UnsupportedError where a freedom is left or there are contacts, NumericalError where the joints cannot follow."""
        at = vector(times, "times")
        units = self.measures
        values = np.empty((len(at), len(units)))
        long_call(
            lib.fourbar_mechanism_kinematics,
            self._handle,
            ffi.from_buffer("double[]", at) if len(at) else ffi.new("double[1]"),
            len(at),
            ffi.from_buffer("double[]", values.reshape(-1)) if values.size else ffi.new("double[1]"),
            values.size,
        )
        return Results(at, {name: values[:, k].copy() for k, name in enumerate(units)}, units, title=self.title)

    def simulate(self, **options: Any) -> Simulation:
        """A simulation at its start, stepped by the caller: see :class:`fourbar.Simulation` for the options."""
        from .simulation import Simulation

        return Simulation(self, **options)

    def equations(self, formulation: str = "model") -> MechanismEquations:
        """The equations of motion, for integrators of the caller: see :class:`fourbar.MechanismEquations`."""
        from .equations import MechanismEquations

        return MechanismEquations(self, formulation)

    def __repr__(self) -> str:
        own = self.figures
        return f"<Mechanism {self.title!r}: {own['bodies']} bodies, {own['joints']} joints, {self.degrees_of_freedom} degrees of freedom>"

    def _repr_html_(self) -> str:
        shown: dict[str, Optional[object]] = {
            "bodies": ", ".join(self.bodies),
            "joints": ", ".join(self.joints),
            "motions": ", ".join(self.motions),
            "measures": ", ".join(self.measures),
            "degrees of freedom": self.degrees_of_freedom,
            "redundant rows": ", ".join(self.redundant) or "none",
            "moved by assembly": ", ".join(self.moved) or "none",
        }
        rows = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(str(said))}</td></tr>" for name, said in shown.items())
        return f"<table><caption>{html.escape(self.title)}</caption>{rows}</table>"


def compiled(model: Any, kept: Any, title: str) -> Mechanism:
    """The mechanism of a model in C."""
    out = ffi.new("fourbar_mechanism **")
    long_call(lib.fourbar_model_compile, model, out)
    return Mechanism(ffi.gc(out[0], lib.fourbar_mechanism_free), kept, title)
