"""Linear systems, their matrices and steppers."""

import numpy as np
import pytest

import fourbar as fb
from fourbar import errors

LAG = ([[-2.0]], [[2.0]])


def test_matrices_keep_their_shapes_and_values():
    rng = np.random.default_rng(7)
    parts = [rng.normal(size=shape) for shape in ((3, 3), (3, 2), (4, 3), (4, 2))]
    system = fb.StateSpace(*parts)
    for own, given in zip((system.A, system.B, system.C, system.D), parts):
        assert np.array_equal(own, given)
    assert np.sort_complex(system.eigenvalues()) == pytest.approx(np.sort_complex(np.linalg.eigvals(parts[0])))
    assert repr(system) == "<StateSpace: 3 states, 2 inputs, 4 outputs>"
    assert np.array_equal(fb.StateSpace(parts[0].T, parts[1][:, ::-1]).A, parts[0].T)


@pytest.mark.parametrize(
    ("arguments", "kind", "name"),
    [
        (([[1.0, 2.0]], [[1.0]]), errors.LengthError, "a"),
        (([[1.0]], [1.0]), errors.LengthError, "b"),
        (([[1.0]], [[1.0], [2.0]]), errors.LengthError, "b"),
        (([[1.0]], [[1.0]], [[1.0, 2.0]]), errors.LengthError, "c"),
        (([[1.0]], [[1.0]], [[1.0]], [[1.0, 2.0]]), errors.LengthError, "d"),
        (([[np.nan]], [[1.0]]), errors.NotFiniteError, "a"),
        (([[1.0]], [[np.inf]]), errors.NotFiniteError, "b"),
        (([[1j]], [[1.0]]), errors.InvalidTypeError, "a"),
        (([["x"]], [[1.0]]), errors.InvalidTypeError, "a"),
        ((None, [[1.0]]), errors.FourbarError, "a"),
        (([[1.0], [1.0, 2.0]], [[1.0]]), errors.InvalidTypeError, "a"),
    ],
)
def test_wrong_matrices_are_named(arguments, kind, name):
    with pytest.raises(kind) as caught:
        fb.StateSpace(*arguments)
    assert caught.value.name == name


def test_a_step_is_exact():
    stepper = fb.StateSpace(*LAG).stepper(0.25)
    assert stepper.samples == 1 and stepper.offsets.tolist() == [0.25]
    stepper.set_input([1.0])
    y = stepper.step([[1.0]])
    assert y == pytest.approx([1 - np.exp(-0.5)], abs=1e-14) and stepper.time == 0.25
    assert np.array_equal(stepper.state, y) and stepper.output([0.0]) == pytest.approx(y)
    saved = stepper.save()
    data = stepper.to_bytes(saved)
    there = stepper.step([2.0])
    for point in (saved, stepper.from_bytes(data)):
        stepper.restore(point)
        assert np.array_equal(stepper.step([2.0]), there)
    assert stepper.local_error().shape == (1,)
    stepper.state = [3.0]
    assert stepper.state.tolist() == [3.0]
    other = fb.StateSpace(*LAG).stepper(0.5)
    other.continue_from(stepper)
    assert other.time == stepper.time
    stepper.reset()
    assert stepper.time == 0.0


def test_many_steps_are_as_single_ones():
    system, rng = fb.StateSpace([[0.0, 1.0], [-4.0, -0.4]], [[0.0], [1.0]]), np.random.default_rng(3)
    samples = rng.normal(size=(20, 1, 1))
    one, many = system.stepper(0.1), system.stepper(0.1)
    for stepper in (one, many):
        stepper.set_input(samples[0, 0])
    singly = np.array([one.step(own) for own in samples])
    assert np.array_equal(many.run(samples), singly) and singly.shape == (20, 2)
    two = fb.StateSpace([[-1.0]], [[1.0, 0.0]]).stepper(0.1)
    with pytest.raises(errors.LengthError):
        two.run(np.zeros(3))
    with pytest.raises(errors.NotFiniteError):
        many.run([np.nan])


def test_a_function_as_input_and_its_exception():
    stepper = fb.StateSpace(*LAG).stepper(0.1, "algorithm_2", 2)
    assert stepper.missing_history > 0
    y = stepper.simulate(lambda t: [np.sin(t)], 20)
    exact = 2 * (2 * np.sin(2.0) - np.cos(2.0) + np.exp(-4.0)) / 5
    assert y.shape == (20, 1) and y[-1, 0] == pytest.approx(exact, abs=1e-4)

    def broken(t):
        raise LookupError("no signal")

    with pytest.raises(LookupError, match="no signal"):
        stepper.simulate(broken, 2)
    with pytest.raises(errors.CallbackError):
        stepper.simulate(lambda t: np.nan, 2)


def test_histories():
    stepper = fb.StateSpace(*LAG).stepper(0.1, "algorithm_2", 2)
    with pytest.raises(errors.StateError):
        stepper.step(np.zeros((stepper.samples, 1)))
    stepper.set_input([0.0])
    stepper.start_step(np.zeros((len(stepper.startup_offsets), 1)))
    fresh = fb.StateSpace(*LAG).stepper(0.1, "algorithm_2", 2)
    fresh.set_history(np.zeros((fresh.missing_history, 1)))
    assert fresh.missing_history == 0
    fresh.step(np.ones((fresh.samples, 1)))


def test_wrong_samples_and_options():
    stepper = fb.StateSpace(*LAG).stepper(0.25)
    stepper.set_input([0.0])
    for wrong, kind in (([1.0, 2.0], errors.LengthError), ([np.nan], errors.NotFiniteError), (np.ones((3, 1)), errors.LengthError), ("ab", errors.FourbarError), (np.array([1j]), errors.InvalidTypeError)):
        with pytest.raises(kind):
            stepper.step(wrong)
    for arguments in ((0.0,), (-1.0,), (0.1, "euler"), (0.1, "algorithm_1", -1), (0.1, "algorithm_1", 1.5)):
        with pytest.raises(errors.InvalidValueError):
            fb.StateSpace(*LAG).stepper(*arguments)
    with pytest.raises(errors.InvalidTypeError):
        fb.StateSpace(*LAG).stepper("long")
    unstable = fb.StateSpace([[1e3]], [[1.0]]).stepper(0.5, "algorithm_1", 0)
    unstable.state = [1.0]
    with pytest.raises(OverflowError):
        for _ in range(3):
            unstable.step(np.zeros(unstable.samples))


def test_discretization_and_g_matrices():
    sampled = fb.StateSpace(*LAG).discretize(0.5)
    assert sampled.exponential == pytest.approx(np.exp([[-1.0]])) and sampled.input_matrices.shape == (2, 1, 1)
    assert sampled.input_matrices.sum() == pytest.approx(1 - np.exp(-1.0))
    nodes = fb.StateSpace(*LAG).discretize(0.5, nodes=[0.0, 0.5, 1.0])
    assert nodes.offsets.tolist() == [0.0, 0.25, 0.5]
    exponential, parts = fb.g_matrices([[0.0, 1.0], [0.0, 0.0]], 0.5, 1)
    assert exponential == pytest.approx(np.array([[1.0, 0.5], [0.0, 1.0]])) and len(parts) == 2
    assert 0 < fb.StateSpace(*LAG).suggest_step([1.0], 1e-6, 1.0) < 1.0
