"""Mechanisms stepped in a loop, their states, analyses."""

import math

import numpy as np
import pytest
from conftest import MODELS, pendulum_of

import fourbar as fb
from fourbar import errors


@pytest.fixture
def simulation(pendulum):
    return pendulum.compile().simulate(tolerance=1e-8)


def test_steps_and_readings(simulation):
    simulation.step_to(0.2)
    simulation.step(0.1)
    assert simulation.time == pytest.approx(0.3) and simulation.steps > 0
    assert simulation.advance(0.31) in ("step", "end")
    measures = simulation.measures()
    assert measures["angle"] == simulation.measure("angle") < 0
    body = simulation.body("rod")
    assert body.origin == pytest.approx([0, 0, 0], abs=1e-9) and body.angular_velocity[2] == pytest.approx(measures["rate"])
    # Sum of forces: m a = m g + reaction.
    assert simulation.reaction("pivot")[:3] == pytest.approx(2.0 * (body.acceleration - [0, -9.81, 0]), abs=1e-6)
    assert simulation.statistics()["steps"] == simulation.steps


def test_samples_are_results(pendulum):
    results = pendulum.compile().simulate(tolerance=1e-9).sample([0.0, 0.1, 0.2])
    run = pendulum.run(end=0.2, output_step=0.1, tolerance=1e-9)
    assert results["angle"] == pytest.approx(run["angle"], abs=1e-7) and results.unit("rate") == "rad/s"


def test_wrong_names_and_times(simulation):
    with pytest.raises(errors.NoSuchNameError, match="angle"):
        simulation.measure("angel")
    for call in (lambda: simulation.body("no"), lambda: simulation.reaction("no"), lambda: simulation.set_input("no", 1.0)):
        with pytest.raises(errors.NoSuchNameError):
            call()
    with pytest.raises(errors.InvalidTypeError):
        simulation.measure(3)
    with pytest.raises(errors.NotFiniteError):
        simulation.step_to(math.nan)
    simulation.step_to(0.1)
    with pytest.raises(errors.InvalidValueError):
        simulation.step_to(0.05)


def test_options_and_what_is_wrong_with_them(pendulum):
    mechanism = pendulum.compile()
    for options in ({"integrator": "rkf45"}, {"formulation": "i3"}, {"max_order": 2, "max_step": 0.01}, {"integrator": "abam", "tolerance": 1e-9}):
        mechanism.simulate(**options).step_to(0.05)
    with pytest.raises(errors.InvalidValueError) as caught:
        mechanism.simulate(integrator="euler")
    assert caught.value.name == "integrator" and caught.value.value == "euler"
    with pytest.raises(errors.InvalidValueError):
        mechanism.simulate(tolerance=2.0)
    with pytest.raises(errors.UnsupportedError):
        mechanism.simulate(contacts="event")
    with pytest.raises(errors.NumericalError):
        mechanism.simulate(max_steps=3).step_to(1.0)


def test_saved_points_are_restored_to_the_bit(simulation):
    simulation.step_to(0.1)
    saved = simulation.save()
    data = simulation.to_bytes(saved)
    simulation.step_to(0.4)
    there = simulation.state
    for point in (saved, simulation.from_bytes(data)):
        simulation.restore(point)
        assert simulation.time == 0.1
        simulation.step_to(0.4)
        assert np.array_equal(simulation.state, there)
    with pytest.raises(errors.InvalidValueError):
        simulation.from_bytes(data[:-1])
    with pytest.raises(errors.InvalidValueError):
        simulation.from_bytes(b"")
    with pytest.raises(errors.StateError):
        pendulum_of(length=2.0).compile().simulate().from_bytes(data)


def test_states_as_numbers(simulation):
    state = simulation.state
    assert state.shape == (13,)
    simulation.step_to(0.3)
    simulation.set_state(0.0, state)
    assert simulation.time == 0.0 and simulation.state == pytest.approx(state)
    with pytest.raises(errors.LengthError):
        simulation.set_state(0.0, state[:5])
    with pytest.raises(errors.NotFiniteError) as caught:
        simulation.set_state(0.0, np.full(13, np.nan))
    assert caught.value.name == "state" and "index 0" in str(caught.value)


def test_inputs():
    model = pendulum_of()
    model.input("torque", unit="N m")
    model.force("motor", "axial_torque", i="rod", j="ground", value="torque")
    simulation = model.compile().simulate()
    simulation.set_input("torque", 2.0 * 9.81 * 0.5)
    assert simulation.inputs == {"torque": 2.0 * 9.81 * 0.5}
    simulation.step_to(0.5)
    assert simulation.measure("angle") == pytest.approx(0.0, abs=1e-6)
    simulation.set_inputs([1.0])
    simulation.set_inputs([[1.0, 0.5, 0.0]])
    with pytest.raises(errors.LengthError):
        simulation.set_inputs([1.0, 2.0])
    linear = model.compile().simulate()
    linear.find_equilibrium()
    plant = linear.linearize().system
    assert plant.inputs == ("torque",) and plant.outputs[0] == "angle" and plant.B.shape == (2, 1) and plant.B[1, 0] > 0


def test_contacts_have_events():
    mechanism = fb.Model.from_file(MODELS / "bouncing-ball.toml").compile()
    simulation = mechanism.simulate()
    while not simulation.events():
        assert simulation.advance(5.0) != "end"
    event = simulation.events()[0]
    assert event.kind == "impact" and event.impulse > 0 and mechanism.contacts[event.contact] in event.text
    simulation.clear_events()
    assert simulation.events() == []


def test_statics(pendulum):
    found = fb.statics(pendulum)
    assert found.stable and found.measures["angle"] == pytest.approx(-math.pi / 2)
    assert found.reactions["pivot"] == pytest.approx([0, 2 * 9.81, 0, 0, 0, 0], abs=1e-8)
    assert found.bodies["rod"].center_of_mass == pytest.approx([0, -0.5, 0], abs=1e-9)
    loose = fb.Model("loose", gravity=(0, -9.81, 0))
    loose.body("ball", 1.0, inertia=[1, 1, 1])
    with pytest.raises(errors.NumericalError):
        fb.statics(loose)


def test_linearization(pendulum):
    made = fb.linearize(pendulum, "equilibrium")
    assert made.coordinates == ("rod.turn_z",) and made.system.A.shape == (2, 2) and made.system.C.shape == (2, 2)
    assert np.allclose(made.eigenvalues.real, 0, atol=1e-8)
    assert fb.linearize(pendulum, 0.2).system.n == fb.linearize(pendulum).system.n == 2
    with pytest.raises(errors.InvalidValueError):
        fb.linearize(pendulum, "somewhere")


def test_kinematics(pendulum):
    with pytest.raises(errors.UnsupportedError):
        fb.kinematics(pendulum, [0.0])
    pendulum.motion("drive", "pivot", displacement="0.5*time")
    results = fb.kinematics(pendulum, np.linspace(0, 1, 11))
    assert results["angle"] == pytest.approx(0.5 * results.time, abs=1e-12) and results["rate"] == pytest.approx(np.full(11, 0.5))
    assert len(fb.kinematics(pendulum, [])["angle"]) == 0
    with pytest.raises(errors.NotFiniteError):
        fb.kinematics(pendulum, [np.nan])
    with pytest.raises(errors.LengthError):
        fb.kinematics(pendulum, [[0.0]])


def test_circuits_and_linear_systems_in_a_loop():
    servo = fb.Simulator(fb.Model.from_file(MODELS / "servo.toml"))
    saved = servo.save()
    servo.step_to(0.01)
    first = servo.measures()
    assert servo.time == 0.01 and set(servo.units[1]) == set(first)
    servo.restore(saved)
    servo.step(0.01)
    assert servo.measures() == first and servo.measure(next(iter(first))) == next(iter(first.values()))
    assert servo.inputs == {}
    axis = fb.Simulator(fb.Model.from_file(MODELS / "hydraulic-axis.toml"))
    names = list(axis.units[0])
    before = axis.inputs
    assert names and list(before) == names
    axis.set_input("command", -0.003, rate=0.5)
    axis.step_to(0.001)
    assert axis.inputs == {**before, "command": pytest.approx(-0.0025)}
    with pytest.raises(errors.NoSuchNameError):
        servo.set_input("no", 1.0)
    with pytest.raises(errors.UnsupportedError):
        fb.Simulator(fb.Model.from_file(MODELS / "pendulum.toml"))
