"""SciPy on the open equations of Andrews' mechanism, against the reference of the IVP test set and fourbar's own integrators.

    python python/benches/andrews_scipy.py
"""

import time
from pathlib import Path

import numpy as np
from scipy.integrate import DOP853, RK45

import fourbar as fb

MODEL = Path(__file__).resolve().parents[2] / "models" / "andrews.toml"
END = 0.03
# Mazzia and Magherini 2008: the angle of the drive there [rad].
BETA = 15.8107711951537


def scipy_steps(equations, method, tolerance):
    """The state at the end, and the number of evaluations of f."""
    t, y, _ = equations.start()
    scale, first, evaluations = equations.unknowns()["typical"], None, 0
    while t < END:
        solver, changed = method(equations.rhs, t, y, END, rtol=tolerance, atol=tolerance * scale, first_step=first), False
        while not changed and solver.status == "running":
            solver.step()
            y, _, changed = equations.between_steps(solver.t, solver.y, solver.f)
            if not changed:
                solver.y, solver.f = y, equations.rhs(solver.t, y)
                evaluations += 1
        evaluations += solver.nfev
        t, first = solver.t, min(solver.h_abs, END - solver.t) or None
    return equations.state(t, y), evaluations


def error_of(state):
    """Of the angle of the drive, the first body, which turns about z."""
    angle = 2 * np.arctan2(state[6], state[3])
    return abs((angle - BETA + np.pi) % (2 * np.pi) - np.pi)


def main():
    mechanism = fb.Model.from_file(MODEL).compile()
    equations = mechanism.equations("partitioned")
    print(f"{'method':<22}{'tolerance':>10}{'error [rad]':>14}{'time [ms]':>12}{'evaluations':>13}")
    for tolerance in (1e-6, 1e-8, 1e-10):
        for method in (RK45, DOP853):
            begin = time.perf_counter()
            state, evaluations = scipy_steps(equations, method, tolerance)
            took = 1e3 * (time.perf_counter() - begin)
            print(f"{'SciPy ' + method.__name__:<22}{tolerance:>10.0e}{error_of(state):>14.1e}{took:>12.1f}{evaluations:>13}")
        for integrator in ("rkf45", "abam", "gstiff"):
            begin = time.perf_counter()
            simulation = mechanism.simulate(integrator=integrator, tolerance=tolerance, max_step=END)
            simulation.step_to(END)
            took, used = 1e3 * (time.perf_counter() - begin), simulation.statistics()["residual_evaluations"]
            error = abs(simulation.measure("beta") - BETA)
            print(f"{'fourbar ' + integrator:<22}{tolerance:>10.0e}{error:>14.1e}{took:>12.1f}{used:>13}")


if __name__ == "__main__":
    main()
