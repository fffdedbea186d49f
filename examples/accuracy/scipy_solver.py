#!/usr/bin/env python3
"""SciPy's integrators in a study of accuracy: fourbar accuracy robertson chain_N5 --with examples/accuracy/scipy_solver.py

Reads a problem as JSON on standard input and answers as JSON, as docs/accuracy.md says. SCIPY_METHOD names the method: Radau if it is not
set, else BDF, LSODA, DOP853, RK45. SciPy takes y' = f(t, y), so mechanisms are written in minimal coordinates. Absolute tolerances are
the relative one times the size of an unknown.
"""

import json
import os
import sys
import time

import numpy as np
from scipy.integrate import solve_ivp

GRAVITY = 9.81


def robertson(question):
    def rate(t, y):
        slow, back, fast = 0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]
        return [back - slow, slow - back - fast, fast]

    return rate, [1.0, 0.0, 0.0], [1.0, 1e-5, 1.0], lambda t, y: dict(zip(("y1", "y2", "y3"), y))


def van_der_pol(question):
    def rate(t, y):
        return [y[1], 1000.0 * (1.0 - y[0] * y[0]) * y[1] - y[0]]

    return rate, [2.0, 0.0], [1.0, 1e-3], lambda t, y: dict(zip(("y1", "y2"), y))


def chain(question):
    """Rods of 1 m and 1 kg in a row, by their angles: sum_j c_ij (cos(q_i - q_j) a_j + sin(q_i - q_j) v_j^2) = -g w_i cos(q_i)."""
    n = sum(column["name"].startswith("q") for column in question["columns"])
    behind = n - 1.0 - np.arange(n)
    c = 0.5 + np.minimum.outer(behind, behind)
    np.fill_diagonal(c, 1.0 / 3.0 + behind)

    def acceleration(q, v):
        apart = np.subtract.outer(q, q)
        force = -(c * np.sin(apart)) @ (v * v) - GRAVITY * (0.5 + behind) * np.cos(q)
        return np.linalg.solve(c * np.cos(apart), force)

    def rate(t, y):
        return np.concatenate([y[n:], acceleration(y[:n], y[n:])])

    def values(t, y):
        parts = {"q": y[:n], "v": y[n:], "a": acceleration(y[:n], y[n:])}
        return {f"{name}{k}": part[k] for name, part in parts.items() for k in range(n)}

    return rate, np.zeros(2 * n), np.ones(2 * n), values


def ladder(question):
    """Four-bars in a row, by the one angle of all their rods: I theta'' = W sin(theta)."""
    n = int(question["problem"].removeprefix("A02_N"))
    factor = ((n + 1.0) / 2.0 + n) * GRAVITY / ((n + 1.0) / 3.0 + n)

    def rate(t, y):
        return [y[1], factor * np.sin(y[0])]

    def values(t, y):
        (theta, v), a = y, factor * np.sin(y[0])
        along, across = np.array([np.cos(theta), -np.sin(theta)]), np.array([np.sin(theta), np.cos(theta)])
        vectors = {"B0": across, "vB0": v * along, "aB0": a * along - v * v * across}
        parts = {f"{name}.{axis}": vector[k] for name, vector in vectors.items() for k, axis in enumerate("xy")}
        return {"theta": theta, **parts}

    return rate, [0.0, 1.0], [1.0, 1.0], values


def statement(question):
    name = question["problem"]
    known = {"robertson": robertson, "van_der_pol": van_der_pol, "chain_N": chain, "A02_N": ladder}
    for start, of in known.items():
        if name == start or (start.endswith("N") and name.startswith(start)):
            return of(question)
    return None


def solve(question):
    stated = statement(question)
    if stated is None:
        return {"error": f"{question['problem']} is not written for SciPy"}
    rate, start, sizes, values = stated
    method, times = os.environ.get("SCIPY_METHOD", "Radau"), question["times"]
    tolerance = question["tolerance"]
    begin = time.perf_counter()
    solution = solve_ivp(
        rate, (0.0, times[-1]), start, method=method, dense_output=True, rtol=tolerance, atol=tolerance * np.array(sizes)
    )
    seconds = time.perf_counter() - begin
    if not solution.success:
        return {"error": solution.message}
    rows = [values(t, solution.sol(t)) for t in times]
    names = [column["name"] for column in question["columns"]]
    counts = {"steps": len(solution.t) - 1, "evaluations": solution.nfev, "jacobians": solution.njev, "factorizations": solution.nlu}
    return {
        "values": [[None if name not in row else float(row[name]) for name in names] for row in rows],
        "counts": {name: int(count) for name, count in counts.items()},
        "seconds": seconds,
        "method": method,
    }


if __name__ == "__main__":
    json.dump(solve(json.load(sys.stdin)), sys.stdout)
