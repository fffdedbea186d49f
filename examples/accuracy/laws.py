"""Mechanisms in their own coordinates, by hand: M(q) v' = f(t, q, v) - G^T lambda, 0 = g(t, q). Those of ida_solver.py and scipy_solver.py.

A law has n coordinates and m constraints, its start (q, v, v', lambda), dynamics(t, q, v) -> M, f and constraints(t, q) -> g, G, dg/dt.
"""

import numpy as np


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


class Crank:
    """The slider crank with an elastic rod of the IVP test set: two angles, the slider, four elastic coordinates x."""

    n, m = 7, 3
    columns = columns(("phi1", "phi2", "x3", "q1", "q2", "q3", "q4"), "v_", ("lambda1", "lambda2", "lambda3"))
    # With the digits of the test set.
    pi = 3.1415927
    crank, rod, rate, density, width = 0.15, 0.3, 150.0, 7870.0, 0.008
    rod_mass, rod_inertia, crank_inertia, slider = 0.151104, 0.0045339259, 0.002727, 0.075552
    fm, fk, fb = density * width**2 * rod, 2e11 * width**2 / rod, width**2 * rod
    bending = pi**4 * (width / rod) ** 2
    mass = fm * np.array([[0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 8, 1], [0, 0, 1, 2]])
    stiffness = fk * np.array([[bending / 24, 0, 0, 0], [0, bending * 2 / 3, 0, 0], [0, 0, 16 / 3, -8 / 3], [0, 0, -8 / 3, 7 / 3]])
    b13, b14, b24 = -16 * fb / pi**3, fb * (8 / pi**3 - 1 / pi), 0.5 * fb / pi
    b = np.array([[0, 0, b13, b14], [0, 0, 0, b24], [-b13, 0, 0, 0], [-b14, -b24, 0, 0]])
    c1, c2 = fb * np.array([0, 0, 2 / 3, 1 / 6]), fb * np.array([2 / pi, 0, 0, 0])
    c12, c21 = fb * rod * np.array([0, 0, 1 / 3, 1 / 6]), fb * rod / pi * np.array([1, -0.5, 0, 0])

    def __init__(self, question):
        start = np.array(question["start"])
        self.start = start[:7], start[7:14], start[14:21], start[21:24]

    def dynamics(self, t, q, v):
        sin, cos = np.sin(q[0] - q[1]), np.cos(q[0] - q[1])
        x, xd, (v1, v2) = q[3:], v[3:], v[:2]
        inertia, turned = self.mass @ x, self.b @ xd
        c1, c2, c12 = self.c1 @ x, self.c2 @ x, self.c12 @ x
        half, heavy = 0.5 * self.crank * self.rod * self.rod_mass, self.density * self.crank
        mass = np.zeros((7, 7))
        mass[0, 0] = self.crank_inertia + self.rod_mass * self.crank**2
        mass[0, 1] = mass[1, 0] = half * cos + heavy * (sin * c2 + cos * c1)
        mass[1, 1] = self.rod_inertia + x @ inertia + 2 * self.density * c12
        mass[0, 3:] = mass[3:, 0] = heavy * (-sin * self.c1 + cos * self.c2)
        mass[1, 3:] = mass[3:, 1] = self.density * (self.c21 + x @ self.b)
        mass[2, 2], mass[3:, 3:] = self.slider, self.mass
        force = np.zeros(7)
        force[0] = v2**2 * (-half * sin + heavy * (-sin * c1 + cos * c2)) - 2 * heavy * v2 * (cos * self.c1 + sin * self.c2) @ xd
        force[1] = v1**2 * (half * sin + heavy * (sin * c1 - cos * c2)) - self.density * xd @ turned
        force[1] -= 2 * v2 * (self.density * self.c12 + inertia) @ xd
        force[3:] = v2**2 * (inertia + self.density * self.c12) + heavy * v1**2 * (cos * self.c1 + sin * self.c2)
        force[3:] += 2 * self.density * v2 * turned - self.stiffness @ x
        return mass, force

    def constraints(self, t, q):
        (sin1, sin2), (cos1, cos2), reach = np.sin(q[:2]), np.cos(q[:2]), self.rod + q[6]
        value = [self.crank * sin1 + reach * sin2, q[2] - self.crank * cos1 - reach * cos2, q[0] - self.rate * t]
        gradient = np.zeros((3, 7))
        gradient[0, [0, 1, 6]] = self.crank * cos1, reach * cos2, sin2
        gradient[1, [0, 1, 2, 6]] = self.crank * sin1, reach * sin2, 1.0, -cos2
        gradient[2, 0] = 1.0
        return np.array(value), gradient, np.array([0.0, 0.0, -self.rate])
