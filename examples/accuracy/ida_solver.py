#!/usr/bin/env python3
"""IDA of SUNDIALS in a study of accuracy: fourbar accuracy andrews car_axis --with examples/accuracy/ida_solver.py

Reads a problem as JSON on standard input and answers as JSON, as docs/accuracy.md says; needs the packages numpy and scikit-sundae.
Mechanisms are written in their own coordinates, in the form of Gear, Gupta and Leimkuhler: y = (q, v, lambda, mu) with

    q' = v - G^T mu,   M v' = f - G^T lambda,   0 = g(t, q),   0 = G v + dg/dt.

Multipliers do not enter the error test. The matrix is IDA's own, by difference quotients. Its seconds are those of the processor.
"""

import json
import sys
import time

import numpy as np
from laws import Andrews, CarAxis, Crank, Pendulum
from sksundae.ida import IDA

# An absolute tolerance that takes an unknown out of the error test.
UNTESTED = 1e10
# Most steps between two times.
STEPS = 200_000


def mechanism(question, law):
    n, m = law.n, law.m
    q, v, a, multipliers = law.start
    y = np.concatenate([q, v, multipliers, np.zeros(m)])
    yp = np.concatenate([v, a, np.zeros(2 * m)])

    def residual(t, y, yp, r):
        q, v, force_multipliers, mu = np.split(y, [n, 2 * n, 2 * n + m])
        mass, force = law.dynamics(t, q, v)
        value, gradient, drift = law.constraints(t, q)
        r[:n] = yp[:n] - v + gradient.T @ mu
        r[n : 2 * n] = mass @ yp[n : 2 * n] - force + gradient.T @ force_multipliers
        r[2 * n : 2 * n + m] = value
        r[2 * n + m :] = gradient @ v + drift

    def values(y, yp):
        known = np.concatenate([y[: 2 * n], yp[n : 2 * n], y[2 * n : 2 * n + m]])
        return dict(zip(law.columns, known))

    sizes = np.concatenate([np.ones(2 * n), np.full(2 * m, np.inf)])
    return residual, y, yp, sizes, range(2 * n, 2 * n + 2 * m), values


def arenstorf(question):
    """A body about earth and moon, in axes that turn with them."""
    moon = 0.012277471

    def residual(t, y, yp, r):
        to_moon, to_earth = y[0] - (1 - moon), y[0] + moon
        pull = [part / np.hypot(x, y[1]) ** 3 for part, x in ((1 - moon, to_earth), (moon, to_moon))]
        r[:] = yp - y[[2, 3, 0, 1]]
        r[2:] -= 2 * y[3] - pull[0] * to_earth - pull[1] * to_moon, -2 * y[2] - sum(pull) * y[1]

    start, zeros, rates = np.array(question["start"]), np.zeros(4), np.zeros(4)
    residual(0.0, start, zeros, rates)
    names = ("x", "y", "v_x", "v_y")
    return residual, start, -rates, np.ones(4), [], lambda y, yp: dict(zip(names, y))


def robertson(question):
    def residual(t, y, yp, r):
        slow, back, fast = 0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]
        r[:] = yp[0] - back + slow, yp[1] - slow + back + fast, y.sum() - 1.0

    start, rates = np.array([1.0, 0.0, 0.0]), np.array([-0.04, 0.04, 0.0])
    return residual, start, rates, np.array([1.0, 1e-5, 1.0]), [2], lambda y, yp: dict(zip(("y1", "y2", "y3"), y))


def solve(question):
    laws = {"andrews": Andrews, "A03_andrews": Andrews, "car_axis": CarAxis, "crank": Crank, "A01_pendulum": Pendulum}
    law = laws.get(question["problem"], Pendulum if question["problem"] == "pendulum_period2" else None)
    others = {"robertson": robertson, "arenstorf": arenstorf}
    if law is None and question["problem"] not in others:
        return {"error": f"{question['problem']} is not written for IDA"}
    stated = mechanism(question, law(question)) if law else others[question["problem"]](question)
    residual, y, yp, sizes, algebraic, values = stated
    tolerance, count = question["tolerance"], 0

    def counted(t, y, yp, r):
        nonlocal count
        count += 1
        residual(t, y, yp, r)

    absolute = np.minimum(tolerance * sizes, UNTESTED)
    solver = IDA(counted, rtol=tolerance, atol=absolute, algebraic_idx=list(algebraic), max_num_steps=STEPS)
    begin = time.process_time()
    solution = solver.solve(np.array(question["times"]), y, yp)
    seconds = time.process_time() - begin
    if not solution.success:
        return {"error": str(solution.message)}
    rows = [values(y, yp) for y, yp in zip(solution.y, solution.yp)]
    names = [column["name"] for column in question["columns"]]
    return {
        "values": [[None if name not in row else float(row[name]) for name in names] for row in rows],
        # Evaluations are all of them, those of difference quotients too.
        "counts": {"evaluations": count, "jacobians": int(solution.njev)},
        "seconds": seconds,
        "method": "IDA",
    }


if __name__ == "__main__":
    json.dump(solve(json.load(sys.stdin)), sys.stdout)
