"""Models from code, text and files, and what is wrong with them."""

import math

import numpy as np
import pytest
from conftest import MODELS, pendulum_of

import fourbar as fb
from fourbar import errors


def test_ten_lines_run_a_four_bar(four_bar):
    results = four_bar.run(end=0.5, reactions=True)
    assert results.status == "done" and results["tip"].shape == (1001, 3)
    assert results.reaction("A").shape == (1001, 6)
    # The only energy is that of gravity and motion: it stays.
    assert np.ptp(results["energy"]) < 1e-3 * np.abs(results["energy"]).max() + 1e-3


def test_a_model_built_in_code_is_the_file_that_it_writes(pendulum):
    again = fb.Model.from_toml(pendulum.to_toml())
    assert again.title == "pendulum" and again.kind == "mechanism"
    one, other = pendulum.run(end=0.3), again.run(end=0.3)
    assert np.array_equal(one["angle"], other["angle"])


def test_a_bar_weighs_and_turns_as_a_rod():
    # Period of small oscillations of a rod about its end: 2 pi sqrt(2 l/(3 g)), the section apart.
    model = pendulum_of(length=2.0)
    period = 2 * math.pi / abs(fb.linearize(model, "equilibrium").eigenvalues[0].imag)
    assert period == pytest.approx(2 * math.pi * math.sqrt(2 * 2.0 / (3 * 9.81)), rel=1e-3)


@pytest.mark.parametrize("end", [(0, 0, 1), (1, 2, 3), (0, -1), (0, 0, -2)])
def test_a_bar_lies_between_its_ends_in_any_direction(end):
    model = fb.Model("bar")
    model.bar("rod", (1, 1, 1), np.add((1, 1, 1), [*end, 0][:3]), density=1000.0)
    model.measure("far", "position", i={"body": "rod", "position": [float(np.linalg.norm(end)), 0, 0]})
    assert model.run(end=1e-3)["far"][0] == pytest.approx(np.add((1, 1, 1), [*end, 0][:3]), abs=1e-12)


@pytest.mark.parametrize("end", [(0.3, 0.4), (0.0, 0.0, 1.2), (0.0, 0.0, -0.7), (0.3, -0.2, 0.6), (0.0, 1.0), (1e-3, 0.0, 2.0)])
def test_a_bar_of_expressions_is_the_one_of_their_values(end):
    start = (0.1, -0.2, 0.05)[: len(end)]
    names = [f"e{k}" for k in range(len(end))]
    parameters = {**dict(zip(names, end)), "s": start[0], "m": 2.0, "w": 0.03}
    built = {}
    for written in (False, True):
        model = fb.Model("bar", gravity=(0, -9.81, 1.0), parameters=parameters)
        place = ["s", *start[1:]] if written else start
        model.bar("rod", place, names if written else end, mass="m" if written else 2.0, width="w" if written else 0.03, velocity=[0.1, 0.2, 0.3])
        model.bar("heavy", start, names if written else end, density="1000*m" if written else 2000.0, angular_velocity=[1, 2, 3])
        model.measure("tip", "position", i={"body": "heavy", "position": [0.1, 0.2, 0.3]})
        model.measure("energy", "total_energy")
        built[written] = model.run(end=0.2, tolerance=1e-9)
    for name in ("tip", "energy"):
        assert built[True][name] == pytest.approx(built[False][name], rel=1e-10, abs=1e-10)


def test_a_bar_of_expressions_follows_its_parameters():
    model = fb.Model("bar", parameters={"l": 1.0})
    model.bar("rod", (0, 0), ("l", 0), mass="3*l", width="5 mm")
    model.measure("far", "position", i={"body": "rod", "position": ["l", 0, 0]})
    model.set(l=2.0)
    assert model.run(end=1e-3)["far"][0] == pytest.approx([2, 0, 0])
    assert model.compile().simulate().body("rod").center_of_mass == pytest.approx([1, 0, 0])
    model.set(l=0.0)
    with pytest.raises(errors.FourbarError):
        model.run(end=1e-3)
    with pytest.raises(errors.LengthError):
        model.bar("other", ("l",), (1, 0), mass=1.0)


def test_every_builder_writes_its_section():
    model = fb.Model("all", gravity=(0, 0, -9.81), parameters={"k": 100.0}, simulation={"tolerance": 1e-7})
    model.body("ball", 1.0, inertia=[0.1, 0.1, 0.1], position=[0, 0, 1])
    for k, kind in enumerate(("prismatic", "cylindrical", "spherical", "fixed")):
        model.bar(f"bar{k}", (k, 0), (k + 1, 0), mass=1.0)
        getattr(model, kind)(f"joint{k}", f"bar{k}", "ground", at=(k, 0, 0), axis=(0, 0, 1))
    model.bar("crossed", (0, 5), (1, 5), mass=1.0)
    model.marker("hook", "crossed", (1, 0, 0))
    model.marker("post", "ground", (0, 5, 0), frame="global")
    model.universal("cross", {"body": "crossed", "orientation": {"z_axis": [0, 1, 0]}}, "post")
    model.spring_damper("spring", "ball", "ground", stiffness="k", damping=1.0, free_length=1.0)
    model.torsion_spring_damper("twist", "crossed", "post", stiffness=1.0)
    model.input("push", unit="N", value=0.5)
    model.force("load", "force", i="ball", value=["push", 0, 0])
    model.contact("floor", "sphere_plane", i="ball", j="ground", radius=0.1)
    mechanism = model.check()
    assert mechanism.figures["joints"] == 5 and mechanism.inputs == {"push": "N"} and len(mechanism.contacts) == 1
    assert "ball" in mechanism._repr_html_() and "bodies" in repr(mechanism)


def test_parameters_get_other_values():
    model = fb.Model("drop", parameters={"g": 9.81})
    model.body("ball", 1.0, inertia=[1, 1, 1])
    model.force("weight", "force", i="ball", value=[0, "-g", 0])
    model.measure("y", "position", i="ball", component="y")
    assert model.run(end=1.0)["y"][-1] == pytest.approx(-9.81 / 2, rel=1e-6)
    model.set(g=1.62)
    assert model.run(end=1.0)["y"][-1] == pytest.approx(-1.62 / 2, rel=1e-6)
    with pytest.raises(errors.InvalidTypeError) as caught:
        model.set(g="heavy")
    assert caught.value.name == "g"


def test_errors_of_files_have_place_name_and_remedy():
    text = 'name = "wrong"\n[[body]]\nname = "rod"\nmas = 1\n'
    with pytest.raises(errors.InvalidValueError) as caught:
        fb.Model.from_toml(text, "wrong.toml").check()
    error = caught.value
    assert isinstance(error, ValueError) and error.status == 2
    assert error.place == "wrong.toml:4:1" and error.name == "mas" and "did you mean `mass`?" in error.remedy
    assert str(error) == error.text


def test_errors_of_settings_have_name_value_and_remedy(pendulum):
    with pytest.raises(errors.InvalidValueError) as caught:
        pendulum.run(end=1.0, integrator="euler")
    assert (caught.value.name, caught.value.value) == ("integrator", "euler") and "one of gstiff" in caught.value.remedy
    with pytest.raises(errors.InvalidValueError) as caught:
        pendulum.run(end=-1.0)
    assert (caught.value.name, caught.value.value) == ("end", "-1") and caught.value.remedy.startswith("it must be at least 0")
    for wrong in ({"end": 0.0}, {"end": math.nan}, {"end": 1.0, "tolerance": math.inf}, {"end": 1.0, "max_steps": -1}):
        with pytest.raises(errors.InvalidValueError):
            pendulum.run(**wrong)
    for wrong in ({"end": "soon"}, {"ende": 1.0}, {"end": 1.0, "integrator": 3}, {"end": 1.0, "max_order": 2.5}, {"end": 1.0, "reactions": "A"}):
        with pytest.raises(errors.InvalidTypeError):
            pendulum.run(**wrong)
    with pytest.raises(errors.UnsupportedError):
        pendulum.run(end=1.0, method="exact")
    with pytest.raises(errors.InvalidValueError, match="no end time"):
        pendulum.run()


def test_wrong_arguments_of_builders_are_named():
    model = fb.Model("wrong")
    for call, kind in (
        (lambda: model.bar("b", (0, 0), (0, 0), mass=1), errors.InvalidValueError),
        (lambda: model.bar("b", (0, 0), (1, 0)), errors.InvalidTypeError),
        (lambda: model.bar("b", (0, 0), (1, 0), mass=1, density=2), errors.InvalidTypeError),
        (lambda: model.bar("b", (0,), (1, 0), mass=1), errors.LengthError),
        (lambda: model.bar("b", None, (1, 0), mass=1), errors.LengthError),
        (lambda: model.revolute("j", {"body": "a"}, "b", at=(0, 0)), errors.InvalidTypeError),
        (lambda: model.revolute("j", "a", "b", axis=(0, 0, 1)), errors.InvalidTypeError),
        (lambda: model.add("body", mass=object()), errors.InvalidTypeError),
        (lambda: model.force_function("f", ["x"], None), errors.InvalidTypeError),
        (lambda: model.force_function("f", "x", abs), errors.InvalidTypeError),
        (lambda: model.force_function("f", ["x"], abs, components=2), errors.InvalidValueError),
        (lambda: model.motion_function("m", 3), errors.InvalidTypeError),
        (lambda: fb.Model.from_toml("a\0b"), errors.TextError),
        (lambda: fb.Model.from_toml(3), errors.InvalidTypeError),
        (lambda: fb.Model.from_file("no/such/file.toml"), errors.FileError),
    ):
        with pytest.raises(kind) as caught:
            call()
        assert caught.value.text and caught.value.remedy is not None or kind is errors.FileError


def test_numbers_that_are_not_finite_are_refused_by_the_file():
    model = fb.Model("nan")
    model.body("ball", math.nan)
    with pytest.raises(errors.InvalidValueError) as caught:
        model.check()
    assert caught.value.place.startswith("model.toml:")


def test_models_of_every_type_run():
    assert fb.run(MODELS / "servo.toml").status == "done"
    coupled = fb.run(MODELS / "press.toml", end=0.02)
    assert coupled.status == "done" and len(coupled) > 3
    ball = fb.Model.from_file(MODELS / "bouncing-ball.toml").run(end=0.5)
    assert ball.summary["events"][0]["kind"]
    linear = fb.Model.from_file(MODELS / "servo.toml")
    assert linear.kind == "linear"
    with pytest.raises(errors.UnsupportedError):
        linear.compile()


def test_a_text_is_added_to():
    text = (MODELS / "pendulum.toml").read_text()
    model = fb.Model.from_toml(text, MODELS / "pendulum.toml")
    model.measure("more", "total_energy")
    results = model.run(end=0.1)
    assert np.array_equal(results["more"], results["energy"]) and repr(model).startswith("<Model")
