"""Functions of Python as forces and motions, and what they raise."""

import numpy as np
import pytest
from conftest import pendulum_of

import fourbar as fb
from fourbar import errors


def sprung(function, **fields):
    model = pendulum_of()
    model.force("spring", "axial_torque", i="rod", j="ground", value=function, arguments=["angle", "rate"], **fields)
    return model


def test_a_function_is_as_its_expression():
    law = pendulum_of()
    law.force("spring", "axial_torque", i="rod", j="ground", value="-3*angle - 0.25*rate")
    calls = []

    def torque(t, angle, rate):
        calls.append(t)
        return -3 * angle - 0.25 * rate

    of_function = sprung(torque).run(end=1.0)
    assert calls and np.abs(of_function["angle"] - law.run(end=1.0)["angle"]).max() < 1e-5


def test_partial_derivatives_and_three_components():
    model = fb.Model("free")
    model.body("ball", 1.0, inertia=[1, 1, 1])
    model.measure("x", "position", i="ball", component="x")
    model.force("push", "force", i="ball", value=[0, 0, 0])
    asked = []

    def partials(t, x):
        asked.append(t)
        return [[-4.0, 0.0, 0.0]]

    model.force_function("push", ["x"], lambda t, x: [1.0 - 4.0 * x, 0, 0], components=3, partials=partials)
    results = model.run(end=1.0, tolerance=1e-8)
    assert asked and results["x"][-1] == pytest.approx(0.25 * (1 - np.cos(2.0)), abs=1e-6)


def test_a_motion_by_a_function():
    model = pendulum_of()
    model.motion("drive", "pivot", displacement=lambda t: (0.1 * t * t, 0.2 * t, 0.2))
    results = model.run(end=1.0)
    assert results["angle"] == pytest.approx(0.1 * results.time**2, abs=1e-9)
    assert fb.kinematics(model, [0.5, 0.1])["angle"] == pytest.approx([0.025, 0.001], abs=1e-12)


class Torn(Exception):
    """Of a cable."""


@pytest.mark.parametrize("kind", [Torn, ValueError, KeyboardInterrupt, SystemExit])
def test_what_a_function_raises_comes_out_as_itself(kind):
    raised = kind("the cable")

    def torque(t, angle, rate):
        if t > 0.3:
            raise raised
        return 0.0

    with pytest.raises(kind) as caught:
        sprung(torque).run(end=1.0)
    assert caught.value is raised
    simulation = sprung(torque).compile().simulate()
    with pytest.raises(kind) as caught:
        simulation.step_to(1.0)
    assert caught.value is raised and 0.0 < simulation.time < 1.0


def test_an_exception_of_before_is_not_that_of_a_later_failure():
    armed = [True]

    def torque(t, angle, rate):
        if armed[0] and t > 0.3:
            raise Torn
        return 0.0

    simulation = sprung(torque).compile().simulate()
    with pytest.raises(Torn):
        simulation.step_to(1.0)
    armed[0] = False
    with pytest.raises(errors.NotFiniteError):
        simulation.step_to(float("nan"))
    simulation.step_to(1.0)
    assert simulation.time == 1.0


def test_outside_its_domain_a_step_is_repeated_and_nan_is_an_error():
    refused = []

    def torque(t, angle, rate):
        if not refused and t > 0.2:
            refused.append(t)
            raise fb.OutsideDomain("once")
        return 0.0

    assert sprung(torque).run(end=0.5).status == "done" and refused
    for wrong in (float("nan"), float("inf")):
        with pytest.raises(errors.RunFailedError) as caught:
            sprung(lambda t, a, r, wrong=wrong: wrong if t > 0.2 else 0.0).run(end=1.0)
        results = caught.value.results
        assert results.status == "failed" and 0 < len(results.time) < 1001 and "spring" in str(caught.value)


def test_a_function_of_the_wrong_shape_is_told():
    with pytest.raises(errors.LengthError, match="gives 2 values; it must give 1"):
        sprung(lambda t, a, r: [1.0, 2.0]).run(end=1.0)
    with pytest.raises((TypeError, ValueError)):
        sprung(lambda t, a, r: "strong").run(end=1.0)
    with pytest.raises(TypeError):
        sprung(lambda t: 0.0).run(end=1.0)


def test_names_that_a_model_does_not_have():
    model = pendulum_of()
    model.force_function("no_force", [], lambda t: 0.0)
    with pytest.raises(errors.InvalidValueError, match="no_force"):
        model.run(end=1.0)
    model = sprung(lambda t, a: 0.0)
    model.force_function("spring", ["angel"], lambda t, a: 0.0)
    with pytest.raises(errors.InvalidValueError, match="angel"):
        model.compile()


def test_what_is_compiled_keeps_its_functions():
    import gc

    def make():
        return sprung(lambda t, a, r: -3 * a).compile().simulate()

    simulation = make()
    gc.collect()
    simulation.step_to(0.2)
    assert simulation.time == 0.2


def test_a_callback_may_not_use_the_object_that_calls_it():
    seen = []
    simulation = None

    def torque(t, angle, rate):
        if simulation is not None and not seen:
            with pytest.raises(errors.BusyError):
                simulation.step_to(2.0)
            seen.append(t)
        return 0.0

    simulation = sprung(torque).compile().simulate()
    simulation.step_to(0.1)
    assert seen
