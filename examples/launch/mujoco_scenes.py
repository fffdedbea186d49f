#!/usr/bin/env python3
"""Scenes of the launch pages (docs/launch) by MuJoCo: a grip, a tower with a heavy top, a row of dominos.

    python3 -m venv peers && peers/bin/pip install mujoco==4.0.0
    peers/bin/python examples/launch/mujoco_scenes.py
    fourbar run models/dominos.toml --out dominos.csv && peers/bin/python examples/launch/mujoco_scenes.py dominos.csv

Contacts of MuJoCo are convex optimizations with a regularization: forces are steep functions of overlap and slip. `impratio` makes friction stiffer
against the normal force, `noslip_iterations` adds iterations of friction without regularization, `timeconst` is the time in which an overlap
decays, at least twice the step.
"""

import csv
import sys

import mujoco

OPTION = '<option gravity="0 0 -9.81" timestep="{step}" cone="{cone}" impratio="{impratio}" noslip_iterations="{noslip}"/>'
DEFAULT = dict(step=2e-3, cone="pyramidal", impratio=1, noslip=0)
# Name and settings; the manual advises an elliptic cone with a large impratio against slip.
FRICTION = (
    ("default", DEFAULT),
    ("elliptic cone", DEFAULT | dict(cone="elliptic")),
    ("elliptic cone, impratio 100", DEFAULT | dict(cone="elliptic", impratio=100)),
    ("default, 20 noslip iterations", DEFAULT | dict(noslip=20)),
    ("elliptic cone, impratio 100, 20 noslip iterations", DEFAULT | dict(cone="elliptic", impratio=100, noslip=20)),
)


def load(settings, bodies, default="", actuator=""):
    text = f"<mujoco>{OPTION.format(**settings)}<default>{default}</default><worldbody>{bodies}</worldbody>{actuator}</mujoco>"
    model = mujoco.MjModel.from_xml_string(text)
    return model, mujoco.MjData(model)


def grip(settings):
    """models/grip.toml: how far the capsule has sunk after 10 s, and in the last 5 s, without what settles at the start [m]."""
    bodies = """
    <geom type="box" size="0.005 0.02 0.03" pos="-0.025 0 0"/>
    <body name="capsule"><freejoint/><geom type="capsule" size="0.02 0.02" mass="0.045"/></body>
    <body pos="0.025 0 0"><joint name="guide" type="slide" axis="1 0 0"/><geom type="box" size="0.005 0.02 0.03" mass="0.1"/></body>"""
    actuator = '<actuator><motor joint="guide"/></actuator>'
    model, data = load(settings, bodies, '<geom friction="0.7"/>', actuator)
    data.ctrl[0] = -20.0
    capsule, heights = model.body("capsule").id, [0.0]
    for _ in range(round(10 / settings["step"])):
        mujoco.mj_step(model, data)
        heights.append(float(data.xpos[capsule, 2]))
    return -heights[-1], heights[len(heights) // 2] - heights[-1]


def tower(settings, timeconst):
    """models/tower.toml: the deepest overlap of two boxes after 2 s [m], and how far the top has sunk [m]."""
    box = '<body name="b{k}" pos="0 0 {z}"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="{m}"/></body>'
    boxes = "".join(box.format(k=k, z=0.1 + 0.2 * k, m=800 if k == 9 else 8) for k in range(10))
    floor = '<geom type="plane" size="2 2 0.1"/>'
    model, data = load(settings, floor + boxes, f'<geom friction="0.5" solref="{timeconst} 1"/>')
    for _ in range(round(2 / settings["step"])):
        mujoco.mj_step(model, data)
    top = float(data.xpos[model.body("b9").id, 2])
    return max(0.0, -min((contact.dist for contact in data.contact), default=0.0)), 1.9 - top


def dominos(settings, timeconst):
    """models/dominos.toml: when the centres of the tenth and the twentieth after the first fall below nine tenths of their height [s]."""
    size = 'size="0.00375 0.012 0.024" mass="0.01"'
    row = "".join(f'<body name="d{k}" pos="{0.024 * k} 0 0.024"><freejoint/><geom type="box" {size}/></body>' for k in range(30))
    floor = '<geom type="plane" size="2 2 0.1"/>'
    default = f'<geom friction="0.5" solref="{timeconst} 1"/>'
    model, data = load(settings, floor + row, default)
    # It turns about its lower front edge.
    data.qvel[:6] = [4 * 0.024, 0, 4 * 0.00375, 0, 4, 0]
    watched, found = [model.body("d10").id, model.body("d20").id], [None, None]
    for _ in range(round(1.5 / settings["step"])):
        mujoco.mj_step(model, data)
        for k, body in enumerate(watched):
            if found[k] is None and data.xpos[body, 2] < 0.9 * 0.024:
                found[k] = data.time
    return found


def of_table(path):
    """The same of a table that fourbar has written, between its rows."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    found = []
    for name in ("tenth [m]", "twentieth [m]"):
        points = [(float(row["time [s]"]), float(row[name])) for row in rows]
        (t0, z0), (t1, z1) = next(pair for pair in zip(points, points[1:]) if pair[1][1] < 0.9 * 0.024)
        found.append(t0 + (t1 - t0) * (z0 - 0.9 * 0.024) / (z0 - z1))
    return found


def main():
    if len(sys.argv) > 1:
        ten, twenty = of_table(sys.argv[1])
        print(f"tenth {ten:.4f} s, twentieth {twenty:.4f} s, {0.24 / (twenty - ten):.3f} m/s")
        return
    print(f"MuJoCo {mujoco.__version__}\n\n| grip, steps of 2 ms | sunk after 10 s [m] | in the last 5 s [m] |\n|---|---|---|")
    for name, settings in FRICTION:
        whole, half = grip(settings)
        print(f"| {name} | {whole:.1e} | {half:.1e} |")
    print("\n| tower: step, timeconst [ms] | deepest overlap after 2 s [mm] | top sunk by [mm] |\n|---|---|---|")
    for step, timeconst in ((5e-3, 0.02), (2e-3, 0.02), (2e-3, 0.004), (5e-4, 0.001)):
        deep, sunk = tower(DEFAULT | dict(step=step), timeconst)
        print(f"| {1e3 * step:g}, {1e3 * timeconst:g} | {1e3 * deep:.2g} | {1e3 * sunk:.2g} |")
    print("\n| dominos: step, timeconst [ms] | tenth falls at [s] | twentieth [s] | m/s |\n|---|---|---|---|")
    for step, timeconst in ((2e-3, 0.02), (5e-4, 0.02), (5e-4, 0.001), (1e-4, 0.0002)):
        ten, twenty = dominos(DEFAULT | dict(step=step), timeconst)
        speed = f"{0.24 / (twenty - ten):.3f}" if ten and twenty else "-"
        print(f"| {1e3 * step:g}, {1e3 * timeconst:g} | {ten} | {twenty} | {speed} |")


if __name__ == "__main__":
    main()
