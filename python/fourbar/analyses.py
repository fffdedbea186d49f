"""Analyses of models: statics, kinematics, linearization."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Union

from ._abi import ArrayLike, PathLike, Vector
from .errors import InvalidValueError
from .mechanism import Mechanism
from .model import Model
from .results import Results
from .simulation import BodyState, Linearization

__all__ = ["Statics", "kinematics", "linearize", "statics"]

AnyModel = Union[Model, Mechanism, PathLike]


@dataclass(frozen=True)
class Statics:
    """A static equilibrium."""

    stable: bool
    """Whether it is stable."""
    residual: float
    """Largest acceleration left [1/s^2]."""
    measures: Dict[str, float]
    """All measures, in SI units."""
    bodies: Dict[str, BodyState]
    """Where the bodies are."""
    reactions: Dict[str, Vector]
    """Of joints and motions on the body of their marker I: force [N] and torque [N m], global axes, shape (6,)."""


def compiled(model: AnyModel) -> Mechanism:
    """A mechanism from a model, or from a file."""
    if isinstance(model, Mechanism):
        return model
    return (model if isinstance(model, Model) else Model.from_file(model)).compile()


def statics(model: AnyModel) -> Statics:
    """The static equilibrium below the start of a mechanism, at rest. Raises NumericalError where nothing holds it."""
    mechanism = compiled(model)
    simulation = mechanism.simulate()
    found = simulation.find_equilibrium()
    return Statics(
        stable=found.stable,
        residual=found.residual,
        measures=simulation.measures(),
        bodies={name: simulation.body(name) for name in mechanism.bodies},
        reactions={name: simulation.reaction(name) for name in (*mechanism.joints, *mechanism.motions)},
    )


def kinematics(model: AnyModel, times: ArrayLike) -> Results:
    """The measures at times [s] of a mechanism whose motions leave it no freedom: see :meth:`fourbar.Mechanism.kinematics`."""
    return compiled(model).kinematics(times)


def linearize(model: AnyModel, at: Union[str, float] = "start") -> Linearization:
    """A mechanism near its ``"start"``, the static ``"equilibrium"`` below it, or where a simulation has come at a time [s]."""
    simulation = compiled(model).simulate()
    if at == "equilibrium":
        simulation.find_equilibrium()
    elif isinstance(at, (int, float)):
        simulation.step_to(float(at))
    elif at != "start":
        raise InvalidValueError(f'at is "{at}"; it must be "start", "equilibrium" or a time')
    return simulation.linearize()
