"""fourbar simulates machines: mechanisms, contacts, hydraulics, linear systems, co-simulation.

>>> import fourbar as fb
>>> m = fb.Model("four-bar", gravity=(0, -9.81, 0))
>>> m.bar("crank", (0, 0), (0, 0.1), mass=0.2)
>>> m.bar("coupler", (0, 0.1), (0.3, 0.25), mass=0.7)
>>> m.bar("rocker", (0.4, 0), (0.3, 0.25), mass=0.5)
>>> m.revolute("A", "ground", "crank", at=(0, 0))
>>> m.revolute("B", "crank", "coupler", at=(0, 0.1))
>>> m.revolute("C", "coupler", "rocker", at=(0.3, 0.25))
>>> m.revolute("D", "rocker", "ground", at=(0.4, 0))
>>> m.measure("tip", "position", i="rocker")
>>> results = m.run(end=1.0, reactions=True)
>>> results["tip"], results.reaction("A")

Arrays are NumPy's, of doubles. Units are those of the International System unless a name says otherwise. Errors are those of
:mod:`fourbar.errors`: classes by status, with name, value, place and remedy. The computing is done by the library in Rust, without the GIL.
"""

from __future__ import annotations

from typing import Any

from . import errors
from ._abi import lib as _lib
from ._abi import text as _text
from .accuracy import AccuracyRecord, KnownProblem, accuracy, known_problems
from .analyses import Statics, kinematics, linearize, statics
from .contact import ContactSolution, contact_problem, friction, lcp, mixed_lcp
from .equations import MechanismEquations
from .errors import FourbarError, OutsideDomain
from .linear import Discretization, SampledSystem, StateSpace, Stepper, g_matrices
from .log import set_log
from .mechanism import Mechanism
from .model import Model
from .problem import Integration, Problem
from .results import Results
from .simulation import BodyState, ContactEvent, Equilibrium, Linearization, Simulation
from .simulator import Simulator
from .solution import Solution, solve_dae, solve_ode

__all__ = [
    "AccuracyRecord",
    "BodyState",
    "ContactEvent",
    "ContactSolution",
    "Discretization",
    "Equilibrium",
    "FourbarError",
    "Integration",
    "KnownProblem",
    "Linearization",
    "Mechanism",
    "MechanismEquations",
    "Model",
    "OutsideDomain",
    "Problem",
    "Results",
    "SampledSystem",
    "Simulation",
    "Simulator",
    "Solution",
    "StateSpace",
    "Statics",
    "Stepper",
    "accuracy",
    "contact_problem",
    "errors",
    "friction",
    "g_matrices",
    "kinematics",
    "known_problems",
    "lcp",
    "linearize",
    "mixed_lcp",
    "run",
    "set_log",
    "solve_dae",
    "solve_ode",
    "statics",
]

__version__ = _text(_lib.fourbar_version())


def run(path: Any, **settings: Any) -> Results:
    """Runs the model file at ``path``, of any type: see :meth:`Model.run` for the settings."""
    return Model.from_file(path).run(**settings)
