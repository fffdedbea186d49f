#!/usr/bin/env python3
"""IDA of SUNDIALS in a study of accuracy: fourbar accuracy andrews car_axis --with examples/accuracy/ida_solver.py

Reads a problem as JSON on standard input and answers as JSON, as docs/accuracy.md says; needs the packages numpy and scikit-sundae.
Mechanisms are written in their own coordinates, in the form of Gear, Gupta and Leimkuhler: y = (q, v, lambda, mu) with

    q' = v - G^T mu,   M v' = f - G^T lambda,   0 = g(t, q),   0 = G v + dg/dt.

Multipliers do not enter the error test. The matrix is IDA's own, by difference quotients.
"""

import json
import sys
import time

import numpy as np
from sksundae.ida import IDA

# An absolute tolerance that takes an unknown out of the error test.
UNTESTED = 1e10
# Most steps between two times.
STEPS = 200_000


def columns(names, rate, multipliers):
    """Names of coordinates, rates, accelerations and multipliers."""
    return tuple(prefix + name for prefix in ("", rate, "a_") for name in names) + multipliers


class Pendulum:
    """A point mass of 1 kg on a rod of 1 m."""

    n, m = 2, 1
    columns = ("p.x", "p.y", "v.x", "v.y", "a.x", "a.y")

    def __init__(self, question):
        start = dict(zip((column["name"] for column in question["columns"]), question["start"]))
        self.gravity = 9.81 if question["problem"] == "A01_pendulum" else 13.750371636040745655
        self.start = np.array([start["p.x"], start["p.y"]]), np.zeros(2), np.array([0.0, -self.gravity]), np.zeros(1)

    def dynamics(self, t, q, v):
        return np.eye(2), np.array([0.0, -self.gravity])

    def constraints(self, t, q):
        return np.array([0.5 * (q @ q - 1.0)]), q[None, :], np.zeros(1)


class CarAxis:
    """The car axis of the IVP test set."""

    n, m = 4, 2
    names = ("xl", "yl", "xr", "yr")
    columns = columns(names, "v_", ("lambda1", "lambda2"))
    mass = 5e-4

    def __init__(self, question):
        self.start = np.array([0.0, 0.5, 1.0, 0.5]), np.array([-0.5, 0, -0.5, 0]), np.array([0.0, -1, 0, -1]), np.zeros(2)

    @staticmethod
    def wheel(t):
        y, rate = 0.1 * np.sin(10 * t), np.cos(10 * t)
        x = np.sqrt(1 - y * y)
        return np.array([x, y]), np.array([-y * rate / x, rate])

    def dynamics(self, t, q, v):
        spans = q[:2], q[2:] - self.wheel(t)[0]
        weight = np.array([0.0, -self.mass])
        forces = [(0.5 / np.linalg.norm(span) - 1.0) * span + weight for span in spans]
        return self.mass * np.eye(4), np.concatenate(forces)

    def constraints(self, t, q):
        (place, rate), d = self.wheel(t), q[:2] - q[2:]
        gradient = np.array([[*place, 0.0, 0.0], [*(2 * d), *(-2 * d)]])
        return np.array([place @ q[:2], d @ d - 1.0]), gradient, np.array([rate @ q[:2], 0.0])


class Andrews:
    """Andrews' squeezing mechanism: every point is a sum of arms (angles, x, y) that turn with the sum of their angles."""

    n, m = 7, 6
    names = ("beta", "theta", "gamma", "phi", "delta", "omega", "epsilon")
    columns = columns(names, "w_", ("E3.x", "E3.y", "E4.x", "E4.y", "E6.x", "E6.y"))
    A, B, C = np.array([-0.06934, -0.00227]), np.array([-0.03635, 0.03273]), np.array([0.014, 0.072])
    O = np.zeros(2)
    # Mass, moment of inertia, angles, ground point and arms of the centre of mass.
    bodies = (
        (0.04325, 2.194e-6, [0], O, [([0], 0.00092, 0.0)]),
        (0.00365, 4.410e-7, [0, 1], O, [([0], 0.007, 0.0), ([0, 1], -0.0115, 0.0)]),
        (0.02373, 5.255e-6, [2], B, [([2], 0.01043, -0.01874)]),
        (0.00706, 5.667e-7, [3, 4], A, [([4], 0.04, 0.0), ([3, 4], 0.0, 0.01421 - 0.02)]),
        (0.07050, 1.169e-5, [4], A, [([4], 0.02308, 0.00916)]),
        (0.00706, 5.667e-7, [5, 6], A, [([6], 0.0, -0.04), ([5, 6], 0.02 - 0.01421, 0.0)]),
        (0.05498, 1.912e-5, [6], A, [([6], -0.00449, -0.01228)]),
    )
    end = O, [([0], 0.007, 0.0), ([0, 1], -0.028, 0.0)]
    closures = (
        (B, [([2], 0.0, -0.035)]),
        (A, [([4], 0.04, 0.0), ([3, 4], 0.0, -0.02)]),
        (A, [([6], 0.0, -0.04), ([5, 6], 0.02, 0.0)]),
    )

    def __init__(self, question):
        start = np.array(question["start"])
        self.start = start[:7], start[7:14], start[14:21], start[21:27]

    @staticmethod
    def point(ground, arms, q, v):
        """Place, gradient, and the part of the acceleration that is quadratic in the rates."""
        place, gradient, quadratic = ground.copy(), np.zeros((2, 7)), np.zeros(2)
        for angles, x, y in arms:
            sin, cos = np.sin(q[angles].sum()), np.cos(q[angles].sum())
            arm = np.array([cos * x - sin * y, sin * x + cos * y])
            place += arm
            quadratic -= arm * v[angles].sum() ** 2
            gradient[:, angles] += np.array([-arm[1], arm[0]])[:, None]
        return place, gradient, quadratic

    def dynamics(self, t, q, v):
        mass, force = np.zeros((7, 7)), np.zeros(7)
        force[0] = 0.033
        for m, inertia, angles, ground, arms in self.bodies:
            _, gradient, quadratic = self.point(ground, arms, q, v)
            mass += m * gradient.T @ gradient
            mass[np.ix_(angles, angles)] += inertia
            force -= m * gradient.T @ quadratic
        grip, gradient, _ = self.point(self.B, [([2], 0.02, -0.018)], q, v)
        span = self.C - grip
        length = np.linalg.norm(span)
        return mass, force + gradient.T @ (4530.0 * (length - 0.07785) / length * span)

    def constraints(self, t, q):
        end, gradient, _ = self.point(*self.end, q, np.zeros(7))
        others = [self.point(*closure, q, np.zeros(7)) for closure in self.closures]
        value = np.concatenate([end - other[0] for other in others])
        return value, np.vstack([gradient - other[1] for other in others]), np.zeros(6)


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


def robertson(question):
    def residual(t, y, yp, r):
        slow, back, fast = 0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]
        r[:] = yp[0] - back + slow, yp[1] - slow + back + fast, y.sum() - 1.0

    start, rates = np.array([1.0, 0.0, 0.0]), np.array([-0.04, 0.04, 0.0])
    return residual, start, rates, np.array([1.0, 1e-5, 1.0]), [2], lambda y, yp: dict(zip(("y1", "y2", "y3"), y))


def solve(question):
    laws = {"andrews": Andrews, "A03_andrews": Andrews, "car_axis": CarAxis, "A01_pendulum": Pendulum}
    law = laws.get(question["problem"], Pendulum if question["problem"] == "pendulum_period2" else None)
    if law is None and question["problem"] != "robertson":
        return {"error": f"{question['problem']} is not written for IDA"}
    stated = mechanism(question, law(question)) if law else robertson(question)
    residual, y, yp, sizes, algebraic, values = stated
    tolerance, count = question["tolerance"], 0

    def counted(t, y, yp, r):
        nonlocal count
        count += 1
        residual(t, y, yp, r)

    absolute = np.minimum(tolerance * sizes, UNTESTED)
    solver = IDA(counted, rtol=tolerance, atol=absolute, algebraic_idx=list(algebraic), max_num_steps=STEPS)
    begin = time.perf_counter()
    solution = solver.solve(np.array(question["times"]), y, yp)
    seconds = time.perf_counter() - begin
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
