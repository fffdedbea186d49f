#!/usr/bin/env python3
"""The loop of models/five-bar.toml by SciPy on accelerations: constraints differentiated twice (index 1), nothing that holds them.

    python3 -m venv peers && peers/bin/pip install numpy scipy
    peers/bin/python examples/launch/five_bar_scipy.py

The rows of docs/launch/five-bar.md. Coordinates are x, y and angle of the centre of each bar; the multipliers are solved for at each evaluation.
"""

import time
import warnings

import numpy as np
import scipy
from scipy.integrate import solve_ivp

CRANK, COUPLER, BASE, DENSITY, G = 0.2, 0.35, 0.3, 2.0, 9.81
LENGTHS = np.array([CRANK, CRANK, COUPLER, COUPLER])
MASSES = DENSITY * LENGTHS
INERTIAS = DENSITY * LENGTHS**3 / 12
INVERSE = 1 / np.ravel(np.column_stack([MASSES, MASSES, INERTIAS]))
# Of each joint the bar and the end of it (-1 or 1) on either side; None is the ground, with the place of the joint.
JOINTS = [((0, -1), (None, (0.0, 0.0))), ((2, -1), (0, 1)), ((2, 1), (3, 1)), ((3, -1), (1, 1)), ((1, -1), (None, (BASE, 0.0)))]


def start():
    opening = np.arccos(BASE / 2 / COUPLER)
    ends = [(0.0, 0.0, 0.0), (BASE, 0.0, 0.0), (CRANK, 0.0, opening), (BASE + CRANK, 0.0, np.pi - opening)]
    return np.ravel([(x + l / 2 * np.cos(a), y + l / 2 * np.sin(a), a) for (x, y, a), l in zip(ends, LENGTHS)])


def constraints(q, v):
    """Defects, their Jacobian, and minus the part of the second derivative that velocities make."""
    defects, jacobian, rest = np.zeros(10), np.zeros((10, 12)), np.zeros(10)
    for k, sides in enumerate(JOINTS):
        for sign, (bar, end) in zip((1, -1), sides):
            rows = slice(2 * k, 2 * k + 2)
            if bar is None:
                defects[rows] += sign * np.array(end)
                continue
            x, y, a = q[3 * bar : 3 * bar + 3]
            arm = end * LENGTHS[bar] / 2 * np.array([np.cos(a), np.sin(a)])
            defects[rows] += sign * (np.array([x, y]) + arm)
            jacobian[rows, 3 * bar : 3 * bar + 3] += sign * np.array([[1, 0, -arm[1]], [0, 1, arm[0]]])
            rest[rows] += sign * arm * v[3 * bar + 2] ** 2
    return defects, jacobian, rest


FORCE = np.ravel([(0, -m * G, 0) for m in MASSES])


def rates(_, y):
    q, v = y[:12], y[12:]
    _, jacobian, rest = constraints(q, v)
    free = INVERSE * FORCE
    multipliers = np.linalg.solve(jacobian * INVERSE @ jacobian.T, jacobian @ free - rest)
    return np.concatenate([v, free - INVERSE * (jacobian.T @ multipliers)])


def energy(y):
    return 0.5 * y[12:] ** 2 @ (1 / INVERSE) - FORCE @ y[:12]


def main():
    print(f"SciPy {scipy.__version__}, 30 s\n")
    print("| method, tolerance | reached [s] | joints open by [m] | energy off by [J] | evaluations | time [s] |")
    print("|---|---|---|---|---|---|")
    y0 = np.concatenate([start(), np.zeros(12)])
    for method, tolerance in (("DOP853", 1e-6), ("DOP853", 1e-8), ("LSODA", 1e-6), ("LSODA", 1e-8), ("Radau", 1e-6)):
        begun = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = solve_ivp(rates, (0, 30), y0, method=method, rtol=tolerance, atol=tolerance)
        spent = time.process_time() - begun
        opened = max(np.abs(constraints(y[:12], y[12:])[0]).max() for y in found.y.T)
        off = max(abs(energy(y) - energy(y0)) for y in found.y.T)
        print(f"| {method}, {tolerance:.0e} | {found.t[-1]:.1f} | {opened:.1e} | {off:.1e} | {found.nfev} | {spent:.0f} |", flush=True)


if __name__ == "__main__":
    main()
