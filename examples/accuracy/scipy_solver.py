#!/usr/bin/env python3
"""SciPy's integrators in a study of accuracy: fourbar accuracy robertson chain_N5 --with examples/accuracy/scipy_solver.py

Reads a problem as JSON on standard input and answers as JSON, as docs/accuracy.md says. SCIPY_METHOD names the method: Radau if it is not
set, else BDF, LSODA, DOP853, RK45. SciPy takes y' = f(t, y), so mechanisms are written in minimal coordinates: chains, ladders and the
governor by hand, Andrews' mechanism partitioned, its crank as the one free angle. Absolute tolerances are the relative one times the size of
an unknown. Its seconds are those of the processor.
"""

import json
import os
import sys
import time

import numpy as np
from laws import Andrews
from scipy.integrate import solve_ivp
from scipy.linalg import solve_banded

GRAVITY = 9.81
# Most iterations for the dependent angles.
NEWTON = 10
# Rods from which on chains are solved by bands: as fast as a full matrix there.
BANDED = 40


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
    """Rods of 1 m and 1 kg in a row, by their angles."""
    n = int(question["problem"].removeprefix("chain_N"))
    acceleration = banded_chain(n) if n >= BANDED else full_chain(n)

    def rate(t, y):
        return np.concatenate([y[n:], acceleration(y[:n], y[n:])])

    def values(t, y):
        parts = {"q": y[:n], "v": y[n:], "a": acceleration(y[:n], y[n:])}
        return {f"{name}{k}": part[k] for name, part in parts.items() for k in range(n)}

    return rate, np.zeros(2 * n), np.ones(2 * n), values


def full_chain(n):
    """sum_j c_ij (cos(q_i - q_j) a_j + sin(q_i - q_j) v_j^2) = -g w_i cos(q_i)."""
    behind = n - 1.0 - np.arange(n)
    c = 0.5 + np.minimum.outer(behind, behind)
    np.fill_diagonal(c, 1.0 / 3.0 + behind)

    def acceleration(q, v):
        apart = np.subtract.outer(q, q)
        force = -(c * np.sin(apart)) @ (v * v) - GRAVITY * (0.5 + behind) * np.cos(q)
        return np.linalg.solve(c * np.cos(apart), force)

    return acceleration


def banded_chain(n):
    """Newton and Euler for each rod with the forces of its hinges: unknowns x'', y'', angular acceleration, force of the left hinge; work O(n)."""
    width, k = 8, np.arange(n)
    x, y, turn, fx, fy = (5 * k + part for part in range(5))

    def acceleration(q, v):
        c, s = 0.5 * np.cos(q), 0.5 * np.sin(q)
        matrix, right = np.zeros((2 * width + 1, 5 * n)), np.zeros(5 * n)

        def put(rows, columns, values):
            matrix[width + rows - columns, columns] = values

        # The left end of a rod moves with the right end of the one before it.
        for rows, centre, arm, part in ((x, x, s, c), (y, y, -c, s)):
            put(rows, centre, 1.0)
            put(rows, turn, arm)
            put(rows[1:], centre[:-1], -1.0)
            put(rows[1:], turn[:-1], arm[:-1])
            right[rows] = -part * v * v
            right[rows[1:]] -= (part * v * v)[:-1]
        for rows, centre, force in ((turn, x, fx), (fx, y, fy)):
            put(rows, centre, 1.0)
            put(rows, force, -1.0)
            put(rows[:-1], force[1:], 1.0)
        right[fx] = -GRAVITY
        put(fy, turn, 1.0 / 12.0)
        for force, arm in ((fx, -s), (fy, c)):
            put(fy, force, arm)
            put(fy[:-1], force[1:], arm[:-1])
        return solve_banded((width, width), matrix, right, check_finite=False)[turn]

    return acceleration


def ladder(question):
    """Four-bars in a row, by the one angle of all their rods: I theta'' = W sin(theta)."""
    n = int(question["problem"].removeprefix("A02_N").split("_")[0])
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


def governor(question):
    """The governor by the angle psi of its shaft, the height s of its slider and the angle beta of both arms below the horizontal."""
    rod, ball, slider, pivot = 0.3, 5.0, 3.0, 0.05
    reach = (0.5 * rod + ball) / (rod + ball)
    along = rod * 2e-4 / 12
    across = rod * 1.0001 / 12 + rod * (reach - 0.5) ** 2 + ball * (1 - reach) ** 2
    still = 0.3 * 2e-4 / 12 + 0.005

    def rate(t, y):
        _, s, beta, omega, v, w = y
        sin, cos = np.sin(beta), np.cos(beta)
        out = pivot + reach * cos
        about = still + 2 * ((rod + ball) * out**2 + along * sin**2 + across * cos**2)
        slope = 2 * (-2 * (rod + ball) * out * reach * sin + 2 * (along - across) * sin * cos)
        dx, dz = 0.5 * cos, 1 - 0.5 * sin - s
        length = np.hypot(dx, dz)
        by_beta, by_s = (-0.5 * sin * dx - 0.5 * cos * dz) / length, -dz / length
        force = 8e5 * (length - 0.5) + 4e4 * (by_beta * w + by_s * v)
        weight = 2 * (rod + ball) * GRAVITY * reach * cos
        turning = (weight + 0.5 * slope * omega**2 - 2 * force * by_beta) / (2 * (across + (rod + ball) * reach**2))
        return [omega, v, w, -slope * w * omega / about, -GRAVITY - 2 * force * by_s / slider, turning]

    def values(t, y):
        names = ("psi", "s", "beta", "omega", "s_d", "beta_d", "omega_d", "s_dd", "beta_dd")
        return dict(zip(names, [*y, *rate(t, y)[3:]]))

    return rate, [0.0, 0.5, np.pi / 6, 2 * np.pi, 0.0, 0.0], np.ones(6), values


def andrews(question):
    """Andrews' mechanism partitioned: the other six angles from the closures by Newton, from those of the call before."""
    law = Andrews(question)
    place = law.start[0].copy()
    passed = [place.copy()]

    def whole(t, y):
        before = place.copy()
        place[0] = y[0]
        for _ in range(NEWTON):
            value, gradient, _ = law.constraints(t, place)
            change = np.linalg.solve(gradient[:, 1:], value)
            place[1:] -= change
            # Newton doubles the digits: the next change would be below round-off.
            if np.abs(change).max() < 1e-8:
                break
        else:
            # A step that was far too long: no number tells the method so.
            place[:] = before
            return [np.full(k, np.nan) for k in (law.n, law.n, law.n, law.m)]
        gradient = law.constraints(t, place)[1]
        v = np.concatenate([y[1:], -np.linalg.solve(gradient[:, 1:], gradient[:, 0] * y[1])])
        mass, force = law.dynamics(t, place, v)
        ends = [law.point(*law.end, place, v)[2] - law.point(*closure, place, v)[2] for closure in law.closures]
        matrix = np.block([[mass, gradient.T], [gradient, np.zeros((law.m, law.m))]])
        solved = np.linalg.solve(matrix, np.concatenate([force, -np.concatenate(ends)]))
        return place.copy(), v, solved[: law.n], solved[law.n :]

    def rate(t, y):
        q, _, a, _ = whole(t, y)
        passed.append(q)
        return [y[1], a[0]]

    def values(t, y):
        place[:] = min(passed, key=lambda own: abs(own[0] - y[0]))
        return dict(zip(law.columns, np.concatenate(whole(t, y))))

    # The crank turns at some 500 rad/s.
    return rate, [law.start[0][0], 0.0], [1.0, 500.0], values


def statement(question):
    name = question["problem"]
    known = {"robertson": robertson, "van_der_pol": van_der_pol, "chain_N": chain, "A02_N": ladder}
    known |= {"andrews": andrews, "A03_andrews": andrews, "A05_governor": governor}
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
    begin = time.process_time()
    solution = solve_ivp(
        rate, (0.0, times[-1]), start, method=method, t_eval=times, rtol=tolerance, atol=tolerance * np.array(sizes)
    )
    seconds = time.process_time() - begin
    if not solution.success:
        return {"error": solution.message}
    rows = [values(t, y) for t, y in zip(times, solution.y.T)]
    names = [column["name"] for column in question["columns"]]
    counts = {"evaluations": solution.nfev, "jacobians": solution.njev, "factorizations": solution.nlu}
    return {
        "values": [[None if name not in row else float(row[name]) for name in names] for row in rows],
        "counts": {name: int(count) for name, count in counts.items()},
        "seconds": seconds,
        "method": method,
    }


if __name__ == "__main__":
    json.dump(solve(json.load(sys.stdin)), sys.stdout)
