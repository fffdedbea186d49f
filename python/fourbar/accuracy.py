"""Problems with known solutions, on which solvers are measured (docs/accuracy.md)."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any, Callable, Iterable, NamedTuple, Optional, Union

import numpy as np

from ._abi import Matrix, Vector, array, doubles, encode, lib, make, read_text
from ._copying import Constant
from .errors import LengthError
from .model import Model

__all__ = ["AccuracyRecord", "KnownProblem", "accuracy", "known_problems"]


class Column(NamedTuple):
    """What is compared."""

    name: str
    """Of the measure, or of the unknown."""
    unit: str
    """Its unit."""
    quantity: str
    """``position``, ``velocity``, ``acceleration``, ``multiplier`` or ``state``."""


class KnownProblem(Constant):
    """A problem with a solution of 9 to 16 digits.

    Attributes: ``name``, ``title``, ``times`` [s] at which values are wanted, ``columns``, ``start`` (their values at the first time), ``toml`` (the model
    file of a mechanism, else None).
    """

    def __init__(self, name: str) -> None:
        self._handle = make("fourbar_accuracy", lib.fourbar_accuracy_new, encode(name, "name"), free=lib.fourbar_accuracy_free)
        asked: dict[str, Any] = json.loads(read_text(lib.fourbar_accuracy_question, self._handle))
        self.name, self.title = str(asked["problem"]), str(asked["title"])
        self.times: Vector = np.array(asked["times"])
        self.columns = tuple(Column(**column) for column in asked["columns"])
        self.start: Vector = np.array(asked["start"])
        self.toml: Optional[str] = asked["model"]

    def model(self) -> Model:
        """The model of a mechanism. Raises LengthError for equations that are none."""
        if self.toml is None:
            raise LengthError(f'the problem "{self.name}" has no model file; write its equations for your solver')
        return Model.from_toml(self.toml, f"{self.name}.toml")

    def judge(self, values: Any) -> dict[str, Optional[float]]:
        """The errors of an answer, shape (times, columns); a column with a NaN is not compared.

        Relative errors of ``position``, ``velocity``, ``acceleration``, ``multiplier``, ``state``, and the ``digits`` at the end; None where there is none."""
        own: Matrix = array(values, "values", 2, finite=False)
        wanted = (len(self.times), len(self.columns))
        if own.shape != wanted:
            raise LengthError(f"'values' has shape {own.shape}, but must have shape {wanted}")
        flat = own.reshape(-1)
        said: dict[str, Optional[float]] = json.loads(
            read_text(lib.fourbar_accuracy_judge, self._handle, doubles(flat), flat.size)
        )
        return said

    def __reduce_ex__(self, protocol: Any) -> Any:
        return KnownProblem, (self.name,)

    def __repr__(self) -> str:
        return f"<KnownProblem {self.name!r}: {self.title}, {len(self.times)} times, {len(self.columns)} columns>"


@dataclass(frozen=True)
class AccuracyRecord:
    """A run of a solver."""

    problem: str
    """The problem."""
    tolerance: float
    """The relative tolerance it was given."""
    seconds: float
    """Wall-clock time."""
    errors: dict[str, Optional[float]]
    """As :meth:`KnownProblem.judge` gives them; empty where it failed."""
    failure: Optional[str]
    """Why it failed."""


Solver = Callable[[KnownProblem, float], Any]


def known_problems() -> list[str]:
    """The names of the problems."""
    return read_text(lib.fourbar_accuracy_names).split("\n")


def accuracy(
    solver: Union[Solver, str],
    problems: Iterable[str] = ("andrews",),
    tolerances: Iterable[float] = (1e-4, 1e-6, 1e-8, 1e-10),
) -> list[AccuracyRecord]:
    """Measures a solver on problems with known solutions: compare work at equal error, never at equal tolerance.

    ``solver(problem, tolerance)`` gives values, shape (times, columns), NaN for columns that it does not have. A name such as ``"gstiff"`` stands for that
    integrator of fourbar, on problems that are mechanisms. What a solver raises becomes the ``failure`` of its record."""
    follow = solver if callable(solver) else _own(solver)
    records = []
    for name in [problems] if isinstance(problems, str) else problems:
        problem = KnownProblem(name)
        for tolerance in tolerances:
            begin, errors, failure = time.perf_counter(), {}, None
            try:
                values = follow(problem, tolerance)
                seconds = time.perf_counter() - begin
                errors = problem.judge(values)
            except Exception as reason:  # of the solver: told in its record
                seconds, failure = time.perf_counter() - begin, f"{type(reason).__name__}: {reason}"
            records.append(AccuracyRecord(name, float(tolerance), seconds, errors, failure))
    return records


def _own(integrator: str) -> Solver:
    def follow(problem: KnownProblem, tolerance: float) -> Any:
        mechanism = problem.model().compile()
        results = mechanism.simulate(integrator=integrator, tolerance=tolerance).sample(problem.times)
        return np.column_stack([results[column.name] for column in problem.columns])

    return follow
