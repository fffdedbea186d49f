"""Solutions of equations of the caller, from a start to an end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence

import numpy as np

from . import _starts, errors
from ._abi import ArrayLike, Matrix, Vector, vector
from .problem import Function, Integration, Problem

__all__ = ["Solution", "solve_dae", "solve_ode"]


@dataclass
class Solution:
    """What :func:`solve_dae` and :func:`solve_ode` give, named as by ``scipy.integrate.solve_ivp``."""

    t: Vector
    """Times, shape (k,)."""
    y: Matrix
    """Unknowns, shape (n, k)."""
    yp: Matrix
    """Their derivatives at the end, shape (n,)."""
    t_events: list[Vector]
    """Times of each event function."""
    y_events: list[Matrix]
    """Unknowns there, shape (events, n) each."""
    status: int
    """0: the end is reached; 1: an event with ``terminal`` ended it."""
    message: str
    """The same in words."""
    statistics: dict[str, Any]
    """Steps, evaluations, factorizations."""

    @property
    def success(self) -> bool:
        """Always: what fails is raised."""
        return self.status >= 0


def solve_dae(
    residual: Function, t_span: Sequence[float], y0: ArrayLike, yp0: Optional[ArrayLike] = None, **options: Any
) -> Solution:
    """Solves F(t, y, y') = 0 from ``t_span[0]`` to ``t_span[1]``; ``residual(t, y, yp)`` gives n values.

    ``y0`` and ``yp0`` satisfy the equations; without ``yp0`` a consistent start is found (index 1 alone): y of the differential unknowns is kept, their y' and
    the algebraic unknowns, which ``y0`` guesses, are solved for. Unknowns whose derivatives no equation has are algebraic, unless ``kinds`` says what each is. Further options are ``t_eval`` (times that are
    wanted; all steps if left out), ``events`` (a function g(t, y, yp) or a list of them; ``g.terminal = True`` ends the solution there, ``g.direction``
    restricts it), those of :class:`Problem` and of :class:`Integration`.

    >>> solve_dae(lambda t, y, yp: [yp[0] + y[0]], (0, 1), [1.0]).y[0, -1]

    Raises NumericalError where it comes no further, CallbackError where the function gives NaN and no shorter step avoids it; what the
    function raises comes out as itself."""
    return _solve({"residual": residual}, t_span, y0, yp0, options)


def solve_ode(rhs: Function, t_span: Sequence[float], y0: ArrayLike, **options: Any) -> Solution:
    """Solves y' = f(t, y) by fourbar's integrators; ``rhs(t, y)`` gives n values. Options as of :func:`solve_dae`, and as ``solve_ivp`` has them.

    The method is ``abam`` if left out; stiff equations want ``gstiff``."""
    options.setdefault("method", "abam")
    return _solve({"rhs": rhs}, t_span, y0, None, options)


_OF_PROBLEM = ("jacobian", "sparsity", "kinds", "index", "typical", "names")


def _solve(function: dict[str, Function], t_span: Sequence[float], y0: ArrayLike, yp0: Any, options: dict[str, Any]) -> Solution:
    of_problem: dict[str, Any] = dict(function)
    start = vector(y0, "y0")
    begin, end = (float(own) for own in vector(t_span, "t_span", 2))
    t_eval, events = options.pop("t_eval", None), options.pop("events", None) or []
    events = [events] if callable(events) else list(events)
    of_problem |= {name: options.pop(name) for name in _OF_PROBLEM if name in options}
    residual = function.get("residual")
    if residual is not None and yp0 is None and "kinds" not in of_problem and of_problem.get("index", 1) == 1:
        found = _starts.algebraic(residual, begin, start)
        of_problem["kinds"] = ["algebraic" if own else "state" for own in found]
    problem = Problem(start.size, **of_problem, events=events)
    if yp0 is None:
        if residual is not None and int(of_problem.get("index", 1)) > 1:
            raise errors.InvalidTypeError("'yp0' is missing; give a start that satisfies equations of a higher index")
        guess = start
        start, yp0 = problem.consistent_start(begin, guess)
        if residual is not None:
            _starts.check_start(residual, begin, guess, start, yp0)
    integration = problem.integrate(begin, start, yp0, **options)
    integration.set_end(end)
    walk = _Walk(integration, events)
    if t_eval is None:
        t, y, ended = walk.steps(begin, start, end)
    else:
        t, y, ended = walk.samples(vector(t_eval, "t_eval"), end)
    message = "an event ended the solution" if ended else "the end is reached"
    return Solution(
        t=t,
        y=y.T,
        yp=integration.state[1],
        t_events=[np.array(own) for own in walk.times],
        y_events=[np.array(own).reshape(-1, start.size) for own in walk.states],
        status=int(ended),
        message=message,
        statistics=integration.statistics(),
    )


class _Walk:
    """The way from the start to the end, with its events."""

    def __init__(self, integration: Integration, events: Sequence[Function]) -> None:
        self.integration, self.functions = integration, events
        self.times: list[list[float]] = [[] for _ in events]
        self.states: list[list[Vector]] = [[] for _ in events]

    def ends(self) -> bool:
        """Notes the events of now; whether one of them ends the solution."""
        ended = False
        for index, _ in self.integration.events():
            self.times[index].append(self.integration.time)
            self.states[index].append(self.integration.state[0])
            ended |= bool(getattr(self.functions[index], "terminal", False))
        return ended

    def steps(self, begin: float, start: Vector, end: float) -> tuple[Vector, Matrix, bool]:
        times, states, ended = [begin], [start], False
        while begin < end and not ended:
            stop = self.integration.step()
            ended = stop == "event" and self.ends()
            times.append(self.integration.time)
            states.append(self.integration.state[0])
            if stop == "end":
                break
        return np.array(times), np.array(states), ended

    def samples(self, times: Vector, end: float) -> tuple[Vector, Matrix, bool]:
        rows, done, ended = [], 0, False
        while done < times.size and not ended:
            values, stop = self.integration.sample(times[done:])
            rows.append(values)
            done += len(values)
            ended = stop == "event" and self.ends()
        while not ended and self.integration.time < end:
            ended = self.integration.run(end) == "event" and self.ends()
        n = self.integration.problem.dimension
        return times[:done], np.concatenate(rows) if rows else np.empty((0, n)), ended
