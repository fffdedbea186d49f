#!/usr/bin/env python3
"""exudyn in a study of accuracy: fourbar accuracy andrews chain_N10 --with examples/accuracy/exudyn_solver.py

Reads a problem as JSON on standard input and answers as JSON, as docs/accuracy.md says; needs the package exudyn. Machines are built from
rigid bodies and joints, in redundant coordinates. EXUDYN_METHOD names the method: TrapezoidalIndex2 if it is not set (generalized alpha
without damping, constraints of velocities), else GeneralizedAlpha (constraints of positions). Plane machines take bodies of the plane. The step is fixed: its square is
proportional to the tolerance, for a method of order two. Its seconds are those of the processor.
"""

import functools
import json
import math
import os
import sys
import time
from fractions import Fraction

import exudyn as exu
import exudyn.itemInterface as item
import numpy as np
from exudyn.rigidBodyUtilities import RigidBodyInertia, RotationMatrixY

GRAVITY = 9.81
OUT = exu.OutputVariableType
METHOD = os.environ.get("EXUDYN_METHOD", "TrapezoidalIndex2")
INDEX2 = METHOD == "TrapezoidalIndex2"
# Spectral radius at infinite frequency, exudyn's recommendation for rigid bodies with joints.
RADIUS = 0.9
# Least number of samples of a run.
LEAST_SAMPLES = 60


class Plane:
    """Bodies of the plane; each has its frame in its centre of mass."""

    def __init__(self, gravity):
        self.container = exu.SystemContainer()
        self.system = self.container.AddSystem()
        self.ground = self.system.AddObject(item.ObjectGround())
        self.gravity, self.bodies, self.nodes = gravity, {}, {}

    def body(self, name, mass, inertia, place, rates=(0.0, 0.0, 0.0)):
        add = self.system
        node = add.AddNode(item.NodeRigidBody2D(referenceCoordinates=list(place), initialVelocities=list(rates)))
        body = add.AddObject(item.ObjectRigidBody2D(mass=mass, inertia=inertia, nodeNumber=node))
        self.bodies[name], self.nodes[name] = body, node
        if self.gravity:
            add.AddLoad(item.LoadForceVector(markerNumber=self.marker(name, (0.0, 0.0)), loadVector=[0, -mass * self.gravity, 0]))

    def marker(self, name, place):
        body = self.ground if name is None else self.bodies[name]
        return self.system.AddMarker(item.MarkerBodyPosition(bodyNumber=body, localPosition=[*place, 0.0]))

    def hinge(self, i, at_i, j, at_j):
        self.system.AddObject(item.ObjectJointRevolute2D(markerNumbers=[self.marker(i, at_i), self.marker(j, at_j)]))

    def watch(self):
        """Sensors of coordinates, rates and accelerations of each body; what they say by body at a row of samples."""
        kinds = (OUT.Coordinates, OUT.Coordinates_t, OUT.Coordinates_tt)
        sensors = {
            name: [self.system.AddSensor(item.SensorNode(nodeNumber=n, outputVariableType=k, writeToFile=False, storeInternal=True)) for k in kinds]
            for name, n in self.nodes.items()
        }
        self.stored = lambda: {n: [self.system.GetSensorStoredData(s) for s in all] for n, all in sensors.items()}


def chain(question):
    n = int(question["problem"].removeprefix("chain_N"))
    plane = Plane(GRAVITY)
    for k in range(n):
        plane.body(k, 1.0, 1.0 / 12.0, (k + 0.5, 0.0, 0.0))
        plane.hinge(k, (-0.5, 0.0), k - 1 if k else None, (0.5 if k else 0.0, 0.0))

    def values(at):
        return {f"{name}{k}": at(k, order)[2] for order, name in enumerate("qva") for k in range(n)}

    # Seconds of a step at tolerance 1.
    return plane, values, 0.3


def ladder(question):
    text = question["problem"]
    n = int(text[text.index("_N") + 2 :].split("_")[0])
    plane = Plane(GRAVITY)
    for k in range(n + 1):
        plane.body(f"r{k}", 1.0, 1.0 / 12.0, (k, 0.5, 0.0), (0.5, 0.0, -1.0))
        plane.hinge(f"r{k}", (0.0, -0.5), None, (float(k), 0.0))
    for k in range(n):
        plane.body(f"c{k}", 1.0, 1.0 / 12.0, (k + 0.5, 1.0, 0.0), (1.0, 0.0, 0.0))
        plane.hinge(f"c{k}", (-0.5, 0.0), f"r{k}", (0.0, 0.5))
        plane.hinge(f"c{k}", (0.5, 0.0), f"r{k + 1}", (0.0, 0.5))

    def values(at):
        (x, y, angle), (vx, vy, spin), (ax, ay, _) = (at("r0", order) for order in range(3))
        # Rods turn about their foot at the origin: their top is twice as far as their middle. Places are those since the start.
        top = {"theta": -angle, "B0.x": 2 * x, "B0.y": 2 * (y + 0.5), "vB0.x": 2 * vx, "vB0.y": 2 * vy}
        return {**top, "aB0.x": 2 * ax, "aB0.y": 2 * ay}

    return plane, values, 0.3


def turned(angle, x, y):
    return math.cos(angle) * x - math.sin(angle) * y, math.sin(angle) * x + math.cos(angle) * y


# Andrews' bodies: mass, moment of inertia, centre of mass in the frame of the joint nearer to the ground.
ANDREWS = {
    "K1": (0.04325, 2.194e-6, (0.00092, 0.0)),
    "K2": (0.00365, 4.410e-7, (-0.0115, 0.0)),
    "K3": (0.02373, 5.255e-6, (0.01043, -0.01874)),
    "K4": (0.00706, 5.667e-7, (0.0, 0.01421 - 0.02)),
    "K5": (0.07050, 1.169e-5, (0.02308, 0.00916)),
    "K6": (0.00706, 5.667e-7, (0.02 - 0.01421, 0.0)),
    "K7": (0.05498, 1.912e-5, (-0.00449, -0.01228)),
}
A, B, C, O = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072), (0.0, 0.0)
# Joints: body and place in its frame, twice.
ANDREWS_HINGES = (
    ("K1", O, None, O),
    ("K2", O, "K1", (0.007, 0.0)),
    ("K3", (0.0, -0.035), "K2", (-0.028, 0.0)),
    ("K4", (0.0, -0.02), "K2", (-0.028, 0.0)),
    ("K6", (0.02, 0.0), "K2", (-0.028, 0.0)),
    ("K3", O, None, B),
    ("K4", O, "K5", (0.04, 0.0)),
    ("K5", O, None, A),
    ("K7", O, None, A),
    ("K6", O, "K7", (0.0, -0.04)),
)


def andrews(question):
    beta, theta, gamma, phi, delta, omega, epsilon = question["start"][:7]
    add = lambda p, q: (p[0] + q[0], p[1] + q[1])
    frames = {
        "K1": (O, beta),
        "K2": (turned(beta, 0.007, 0.0), beta + theta),
        "K3": (B, gamma),
        "K4": (add(A, turned(delta, 0.04, 0.0)), phi + delta),
        "K5": (A, delta),
        "K6": (add(A, turned(epsilon, 0.0, -0.04)), omega + epsilon),
        "K7": (A, epsilon),
    }
    plane = Plane(0.0)
    for name, (mass, inertia, centre) in ANDREWS.items():
        at, angle = frames[name]
        plane.body(name, mass, inertia, (*add(at, turned(angle, *centre)), angle))
    local = lambda name, p: p if name is None else add(p, tuple(-c for c in ANDREWS[name][2]))
    for i, at_i, j, at_j in ANDREWS_HINGES:
        plane.hinge(i, local(i, at_i), j, local(j, at_j))
    ends = [plane.marker("K3", local("K3", (0.02, -0.018))), plane.marker(None, C)]
    plane.system.AddObject(item.ObjectConnectorSpringDamper(markerNumbers=ends, referenceLength=0.07785, stiffness=4530.0))
    motor = plane.system.AddMarker(item.MarkerBodyRigid(bodyNumber=plane.bodies["K1"]))
    plane.system.AddLoad(item.LoadTorqueVector(markerNumber=motor, loadVector=[0, 0, 0.033]))

    def values(at):
        found = {}
        for order, prefix in enumerate(("", "w_", "a_")):
            k = {name: at(name, order)[2] + (frames[name][1] if order == 0 else 0.0) for name in frames}
            own = (k["K1"], k["K2"] - k["K1"], k["K3"], k["K4"] - k["K5"], k["K5"], k["K6"] - k["K7"], k["K7"])
            names = ("beta", "theta", "gamma", "phi", "delta", "omega", "epsilon")
            found.update({prefix + name: value for name, value in zip(names, own)})
        return found

    return plane, values, 2e-3


class Space:
    """Bodies in space, by Euler parameters."""

    def __init__(self):
        self.container = exu.SystemContainer()
        self.system = self.container.AddSystem()
        self.ground = self.system.AddObject(item.ObjectGround())
        self.bodies = {}

    def body(self, name, mass, inertia, place, turn, velocity, rates):
        own = RigidBodyInertia(mass, np.diag(inertia))
        self.bodies[name] = self.system.CreateRigidBody(
            inertia=own, nodeType=exu.NodeType.RotationEulerParameters, referencePosition=place, referenceRotationMatrix=turn,
            initialVelocity=velocity, initialAngularVelocity=rates, gravity=[0, 0, -GRAVITY]
        )

    def watch(self):
        kinds = (OUT.Position, OUT.RotationMatrix, OUT.Velocity, OUT.AngularVelocity)
        sensors = {
            name: [self.system.AddSensor(item.SensorBody(bodyNumber=b, outputVariableType=k, writeToFile=False, storeInternal=True)) for k in kinds]
            for name, b in self.bodies.items()
        }
        self.stored = lambda: {n: [self.system.GetSensorStoredData(s) for s in all] for n, all in sensors.items()}


def governor(question):
    space = Space()
    rod, ball, rate = 0.3, 5.0, 2 * math.pi
    reach = (rod * 0.5 + ball) / (rod + ball)
    across = rod * 1.0001 / 12 + rod * (reach - 0.5) ** 2 + ball * (1 - reach) ** 2
    turning = [0, 0, rate]
    space.body("shaft", 0.3, [0.3 * 1.0001 / 12] * 2 + [0.3 * 2e-4 / 12], [0, 0, 0.5], np.eye(3), [0, 0, 0], turning)
    space.body("slider", 3.0, [0.005] * 3, [0, 0, 0.5], np.eye(3), [0, 0, 0], turning)
    arms = {"right": (0.05, math.pi / 6), "left": (-0.05, 5 * math.pi / 6)}
    for name, (x, angle) in arms.items():
        turn = RotationMatrixY(angle)
        centre = np.array([x, 0, 1]) + turn @ [reach, 0, 0]
        velocity = np.cross(turning, centre)
        space.body(name, rod + ball, [rod * 2e-4 / 12, across, across], centre, turn, velocity, turning)
    own, bodies = space.system, space.bodies
    own.CreateRevoluteJoint(bodyNumbers=[space.ground, bodies["shaft"]], position=[0, 0, 0], axis=[0, 0, 1], useGlobalFrame=True)
    own.CreatePrismaticJoint(bodyNumbers=[bodies["shaft"], bodies["slider"]], position=[0, 0, 0.5], axis=[0, 0, 1], useGlobalFrame=True)
    for name, (x, _) in arms.items():
        own.CreateRevoluteJoint(bodyNumbers=[bodies["shaft"], bodies[name]], position=[x, 0, 1], axis=[0, 1, 0], useGlobalFrame=True)
        own.CreateSpringDamper(
            bodyNumbers=[bodies[name], bodies["slider"]], localPosition0=[0.5 - reach, 0, 0], localPosition1=[x, 0, 0],
            referenceLength=0.5, stiffness=8e5, damping=4e4
        )

    def values(at):
        shaft, arm = (at(name, 1).reshape(3, 3) for name in ("shaft", "right"))
        relative, rates = shaft.T @ arm, shaft.T @ (at("right", 3) - at("shaft", 3))
        psi = math.atan2(shaft[1, 0], shaft[0, 0])
        beta = math.atan2(-relative[2, 0], relative[0, 0])
        row = {"psi": psi, "s": at("slider", 0)[2], "beta": beta, "omega": at("shaft", 3)[2]}
        return {**row, "s_d": at("slider", 2)[2], "beta_d": rates[1]}

    return space, values, 0.3


LAWS = {"A05_governor": governor, "andrews": andrews, "A03_andrews": andrews, "chain_N": chain, "A02_N": ladder}


def settings(end, steps, period):
    own = exu.SimulationSettings()
    own.timeIntegration.numberOfSteps, own.timeIntegration.endTime = steps, end
    # exudyn has index 2 with the trapezoidal rule only, which is generalized alpha with a radius of 1.
    own.timeIntegration.generalizedAlpha.spectralRadius = 1.0 if INDEX2 else RADIUS
    own.timeIntegration.generalizedAlpha.useIndex2Constraints = INDEX2
    own.timeIntegration.generalizedAlpha.useNewmark = INDEX2
    own.timeIntegration.adaptiveStep = False
    own.timeIntegration.verboseMode = 0
    own.timeIntegration.newton.useModifiedNewton = True
    # By default Newton stops at 1e-8: errors of Andrews' mechanism then stay at 1.4e-6, however short the steps.
    own.timeIntegration.newton.relativeTolerance, own.timeIntegration.newton.absoluteTolerance = 1e-10, 1e-12
    # The faster one of its solvers on all problems here.
    own.linearSolverType = exu.LinearSolverType.EigenSparse
    own.solutionSettings.writeSolutionToFile = False
    own.solutionSettings.sensorsWritePeriod = period
    return own


def solve(question):
    name = question["problem"]
    law = next((law for start, law in LAWS.items() if name.startswith(start)), None)
    if law is None:
        return {"error": f"{name} is not written for exudyn"}
    machine, values, unit = law(question)
    machine.watch()
    machine.system.Assemble()
    times = question["times"]
    # Times wanted are a whole number of periods, and those a whole number of steps.
    period = functools.reduce(common, times[1:])
    # Angles are followed over full turns, of which a period must be a small part.
    period /= math.ceil(period * LEAST_SAMPLES / times[-1])
    count = max(1, math.ceil(period / (unit * math.sqrt(question["tolerance"]))))
    periods = round(times[-1] / period)
    own = settings(times[-1], periods * count, period)
    begin = time.process_time()
    if not machine.system.SolveDynamic(own):
        return {"error": "exudyn did not converge"}
    seconds = time.process_time() - begin
    stored = machine.stored()
    samples = [values(lambda body, kind: stored[body][kind][k, 1:]) for k in range(periods + 1)]
    if "psi" in samples[0]:
        turned_on = np.unwrap([sample["psi"] for sample in samples])
        samples = [{**sample, "psi": psi} for sample, psi in zip(samples, turned_on)]
    names = [column["name"] for column in question["columns"]]
    rows = [samples[round(t / period)] for t in times]
    table = [[None if name not in row else float(row[name]) for name in names] for row in rows]
    return {"values": table, "counts": {"steps": periods * count}, "seconds": seconds, "method": METHOD}


def common(a, b):
    """The largest period of which both are multiples."""
    a, b = Fraction(a).limit_denominator(10**6), Fraction(b).limit_denominator(10**6)
    return float(Fraction(math.gcd(a.numerator * b.denominator, b.numerator * a.denominator), a.denominator * b.denominator))


if __name__ == "__main__":
    # What exudyn prints is no part of the answer.
    answer, sys.stdout = sys.stdout, sys.stderr
    json.dump(solve(json.load(sys.stdin)), answer)
