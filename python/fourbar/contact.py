"""Complementarity and friction problems, solved directly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from . import errors
from ._abi import (
    ArrayLike,
    Vector,
    array,
    check,
    choice,
    doubles,
    encode,
    ffi,
    filled,
    lib,
    long_call,
    make,
    matrix,
    number,
    struct,
    vector,
    words,
)

__all__ = ["ContactSolution", "contact_problem", "friction", "lcp", "mixed_lcp"]

METHODS = words(
    "FOURBAR_CONTACT_",
    ("automatic", "active_set", "lemke", "interior_point", "newton", "gauss_seidel", "enumeration", "fixed_point"),
)
_ANSWERED = {
    int(getattr(lib, f"FOURBAR_CONTACT_{name.upper()}")): name
    for name in (*METHODS, "augmented_lagrangian", "trivial", "feasibility", "continuation", "block_triangular")
}
_STATUSES = ("solved", "ray", "infeasible", "inconsistent", "max_iterations", "numerical_trouble", "out_of_budget")
_KINDS = words("FOURBAR_CONTACT_", ("lcp", "mixed", "friction", "global"))


@dataclass(frozen=True)
class ContactSolution:
    """The best point found, and how good it is. Not to find a solution is no error: look at ``solved``."""

    status: str
    """``solved``, ``ray``, ``infeasible``, ``inconsistent``, ``max_iterations``, ``numerical_trouble`` or ``out_of_budget``."""
    z: Vector
    """z, or the impulses [N s], shape (rows,)."""
    w: Vector
    """w, or the velocities of contacts [m/s], shape (rows,)."""
    u: Vector
    """Free variables of a mixed problem, velocities of the bodies of a global one; else empty."""
    residual: float
    """The number that decides, in no unit: at most the tolerance where it is solved."""
    method: str
    """Who solved it, or came nearest."""
    iterations: int
    """All tries together."""
    certificate: Optional[Vector]
    """Where it is ``infeasible``: the proof, y >= 0 with M^T y <= 0 and q^T y < 0; with friction W y = 0 and q^T y < 0. Else None."""

    @property
    def solved(self) -> bool:
        """Whether the residual is at most the tolerance."""
        return self.status == "solved"


def lcp(m: ArrayLike, q: ArrayLike, **options: Any) -> ContactSolution:
    """w = M z + q, 0 <= z _|_ w >= 0: M has shape (n, n), q (n,).

    Options of this and of the others: ``method`` (``automatic``, ``active_set``, ``lemke``, ``interior_point``, ``newton``, ``gauss_seidel``,
    ``enumeration``, ``fixed_point``), ``tolerance`` of the residual, ``max_iterations``, ``relaxation`` of Gauss-Seidel, ``work_max``,
    ``time_max`` [s], ``start``, shape (rows,). Raises LengthError, NotFiniteError, UnsupportedError for a method of other problems."""
    own_q = vector(q, "q")
    n = own_q.size
    own_m = matrix(m, "m", (n, n))
    free = lib.fourbar_contact_problem_free
    problem = make("fourbar_contact_problem", lib.fourbar_lcp_new, n, doubles(own_m), doubles(own_q), free=free)
    return _solve(problem, options)


def mixed_lcp(
    a: ArrayLike, b: ArrayLike, c: ArrayLike, d: ArrayLike, constants: ArrayLike, offsets: ArrayLike, **options: Any
) -> ContactSolution:
    """A u + B z + constants = 0, w = C u + D z + offsets, 0 <= z _|_ w >= 0, u free: f free variables and n pairs. Options as of :func:`lcp`."""
    free, pairs = vector(constants, "constants"), vector(offsets, "offsets")
    f, n = free.size, pairs.size
    parts = [matrix(a, "a", (f, f)), matrix(b, "b", (f, n)), matrix(c, "c", (n, f)), matrix(d, "d", (n, n)), free, pairs]
    pointers = [doubles(part) for part in parts]
    problem = make("fourbar_contact_problem", lib.fourbar_mixed_lcp_new, f, n, *pointers, free=lib.fourbar_contact_problem_free)
    return _solve(problem, options)


def friction(
    w: ArrayLike,
    q: ArrayLike,
    mu: ArrayLike,
    *,
    rows: Optional[ArrayLike] = None,
    spinning: Optional[ArrayLike] = None,
    rolling: Optional[ArrayLike] = None,
    **options: Any,
) -> ContactSolution:
    """u = W S + q with the law of Coulomb at each contact, whose rows are the normal, then two tangents.

    W [1/kg] has shape (n, n), q [m/s] (n,), ``mu`` one value a contact. ``rows`` are 1, 3 or 6 for each contact (3 if left out), ``spinning`` and ``rolling``
    lengths [m]. In the answer ``z`` are impulses, ``w`` velocities. Options as of :func:`lcp`."""
    coefficients, own_q = vector(mu, "mu"), vector(q, "q")
    contacts, n = coefficients.size, own_q.size
    own_w = matrix(w, "w", (n, n))
    if rows is None:
        counts = ffi.NULL
        if n != 3 * contacts:
            raise errors.LengthError(f"'q' has length {n}, but must have length {3 * contacts}: three rows a contact")
    else:
        given = vector(rows, "rows", contacts)
        if given.sum() != n or (given < 0).any():
            raise errors.LengthError(f"'rows' has the sum {given.sum():g}, but must have the sum {n}, the length of 'q'")
        counts = ffi.new("uint32_t[]", [int(own) for own in given])
    more = [None if own is None else vector(own, name, contacts) for own, name in ((spinning, "spinning"), (rolling, "rolling"))]
    problem = make(
        "fourbar_contact_problem",
        lib.fourbar_friction_new,
        contacts,
        counts,
        doubles(coefficients),
        doubles(more[0]),
        doubles(more[1]),
        n,
        doubles(own_w),
        doubles(own_q),
        free=lib.fourbar_contact_problem_free,
    )
    return _solve(problem, options)


def contact_problem(kind: str, text: str, **options: Any) -> ContactSolution:
    """A problem as JSON text of the kind ``lcp``, ``mixed``, ``friction`` or ``global`` (docs/contact.md), solved. Options as of :func:`lcp`."""
    number_of = choice(kind, "kind", _KINDS)
    free = lib.fourbar_contact_problem_free
    problem = make("fourbar_contact_problem", lib.fourbar_contact_problem_from_json, number_of, encode(text, "text"), free=free)
    return _solve(problem, options)


def _solve(problem: Any, options: dict[str, Any]) -> ContactSolution:
    settings = struct("fourbar_contact_options", lib.fourbar_contact_options_init)
    start: Optional[Vector] = None
    for name, own in options.items():
        if name == "start":
            start = array(own, "start", 1)
        elif name == "method":
            settings.method = choice(own, "method", METHODS)
        elif name in ("tolerance", "relaxation", "time_max"):
            setattr(settings, name, number(own, name))
        elif name in ("max_iterations", "work_max"):
            try:
                setattr(settings, name, own)
            except (TypeError, OverflowError):
                raise errors.InvalidValueError(f"'{name}' is {own!r}; give a whole number from 0") from None
        else:
            raise errors.InvalidTypeError(f"'{name}' is no option; see fourbar.lcp for those there are")
    solver = make("fourbar_contact_solver", lib.fourbar_contact_solver_new, settings, free=lib.fourbar_contact_solver_free)
    long_call(lib.fourbar_contact_solver_solve, solver, problem, doubles(start), 0 if start is None else start.size)
    result = filled("fourbar_contact_result", lib.fourbar_contact_solver_result, solver)
    free, rows = ffi.new("size_t *"), ffi.new("size_t *")
    check(lib.fourbar_contact_problem_size(problem, ffi.new("int32_t *"), free, rows))
    z, w, u = np.empty(rows[0]), np.empty(rows[0]), np.empty(free[0])
    check(lib.fourbar_contact_solver_get(solver, doubles(z), doubles(w), z.size, doubles(u), u.size))
    status = _STATUSES[result.status]
    certificate = None
    if status == "infeasible":
        certificate = np.empty(rows[0])
        check(lib.fourbar_contact_solver_get_certificate(solver, doubles(certificate), certificate.size))
    method = _ANSWERED.get(result.method, "other")
    return ContactSolution(status, z, w, u, float(result.residual), method, int(result.iterations), certificate)
