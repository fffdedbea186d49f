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


def test_samples_of_many_steps_come_in_one_order_only():
    rng = np.random.default_rng(11)
    system = fb.StateSpace(rng.normal(size=(3, 3)), rng.normal(size=(3, 2)))
    for order in (1, 2):
        samples = rng.normal(size=(5, order, 2))
        stepper = system.stepper(0.1, "algorithm_1", order)
        stepper.set_input([0.0, 0.0])
        start = stepper.save()
        expected = stepper.run(samples)
        for same in [np.asfortranarray(samples)] + [samples[:, 0], samples.transpose(0, 2, 1)] * (order == 1):
            stepper.restore(start)
            assert np.array_equal(stepper.run(same), expected)
        stepper.restore(start)
        for wrong in (samples.T, samples.ravel(), samples[:, :, :1], samples[:, 0].T, samples[:4].reshape(2, 2 * order, 2)):
            with pytest.raises(errors.LengthError) as caught:
                stepper.run(wrong)
            assert caught.value.name == "samples" and stepper.time == 0.0


@pytest.mark.parametrize(
    "wrong",
    [
        np.full((4, 1, 1), 1 + 2j),
        np.full((4, 1, 1), "1.5"),
        [["1.5"], ["2.5"]],
        np.array([1.0, "2.0"], dtype=object),
        np.ma.masked_array(np.ones((4, 1, 1)), mask=[[[True]], [[False]], [[False]], [[False]]]),
        np.ones(4, dtype="timedelta64[s]"),
        [[1.0], [1.0, 2.0]],
        None,
    ],
    ids=["complex", "text", "texts", "object", "masked", "times", "ragged", "none"],
)
def test_samples_that_are_no_real_numbers(wrong):
    stepper = fb.StateSpace(*LAG).stepper(0.25)
    stepper.set_input([0.0])
    with pytest.raises(errors.InvalidTypeError):
        stepper.run(wrong)
    if isinstance(wrong, np.ndarray):
        with pytest.raises(errors.InvalidTypeError):
            stepper.step(wrong[:1] if isinstance(wrong, np.ma.MaskedArray) else wrong[-1:])
    assert stepper.time == 0.0
    # Masked, but nothing is.
    assert stepper.run(np.ma.masked_array(np.ones((4, 1, 1)))).shape == (4, 1)


def test_histories_and_samples_of_a_step_are_not_scrambled():
    system = fb.StateSpace([[-1.0]], [[1.0, 2.0]])
    stepper = system.stepper(0.1, "algorithm_2", 2)
    history = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])[: stepper.missing_history]
    three = system.stepper(0.1, "algorithm_1", 3)
    three.set_input([0.0, 0.0])
    with pytest.raises(errors.LengthError):
        three.step(np.ones((2, three.samples)))
    assert three.step(np.ones((three.samples, 2))).shape == (1,)
    with pytest.raises(errors.LengthError):
        stepper.set_history(np.ones((2, 3)) if stepper.missing_history == 3 else history.ravel())
    stepper.set_history(history)
    assert stepper.missing_history == 0


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


def test_frequency_responses():
    system = fb.StateSpace(*LAG)
    w = np.array([0.0, 0.5, 2.0, 1e6])
    assert system.frequency_response(w)[:, 0, 0] == pytest.approx(2 / (1j * w + 2), rel=1e-14)
    rng = np.random.default_rng(5)
    a, b, c, d = (rng.normal(size=shape) for shape in ((4, 4), (4, 2), (3, 4), (3, 2)))
    found = fb.StateSpace(a, b, c, d).frequency_response([0.3, 7.0])
    for k, frequency in enumerate((0.3, 7.0)):
        assert found[k] == pytest.approx(c @ np.linalg.solve(1j * frequency * np.eye(4) - a, b) + d, rel=1e-12)
    assert found.shape == (2, 3, 2) and np.isnan(fb.StateSpace([[0.0]], [[1.0]]).frequency_response([0.0])).all()
    assert fb.StateSpace(*LAG).frequency_response([]).shape == (0, 1, 1)
    for wrong, kind in (([np.inf], errors.NotFiniteError), ([1j], errors.InvalidTypeError), ([[1.0]], errors.LengthError)):
        with pytest.raises(kind):
            system.frequency_response(wrong)


@pytest.mark.parametrize(("hold", "scipys"), [("zoh", "zoh"), ("foh", "foh"), ("impulse", "impulse"), ("tustin", "bilinear")])
def test_sampled_systems_are_those_of_scipy(hold, scipys):
    signal = pytest.importorskip("scipy.signal")
    rng = np.random.default_rng(9)
    parts = [rng.normal(size=shape) for shape in ((3, 3), (3, 2), (2, 3), (2, 2))]
    if hold == "impulse":
        parts[3] = np.zeros((2, 2))
    sampled = fb.StateSpace(*parts).sampled(0.2, hold)
    a, b, c, d, _ = signal.cont2discrete(tuple(parts), 0.2, method=scipys)
    z = np.exp(1j * 0.2 * 1.7)
    response = lambda a, b, c, d: c @ np.linalg.solve(z * np.eye(3) - a, b) + d
    if hold == "impulse":
        # SciPy's has the impulse of one input at a time, of unit area by a factor 1/T.
        a, b, c, d = a, 0.2 * a @ parts[1], c, 0.2 * c @ parts[1]
    assert response(*sampled[:4]) == pytest.approx(response(a, b, c, d), rel=1e-11)
    assert sampled.A == pytest.approx(a, rel=1e-12) and sampled.step == 0.2 and sampled.hold == hold


def test_tustin_is_exact_where_it_is_prewarped():
    system, w, step = fb.StateSpace([[0.0, 1.0], [-4.0, -0.4]], [[0.0], [1.0]]), 1.9, 0.4
    own = system.sampled(step, "tustin", prewarped_at=w)
    z = np.exp(1j * w * step)
    there = own.C @ np.linalg.solve(z * np.eye(2) - own.A, own.B) + own.D
    assert there == pytest.approx(system.frequency_response([w])[0], rel=1e-12)
    plain = system.sampled(step, "tustin")
    assert abs((plain.C @ np.linalg.solve(z * np.eye(2) - plain.A, plain.B) + plain.D - there)[0, 0]) > 1e-3
    for arguments, options in (((0.0,), {}), ((0.1, "euler"), {}), ((0.1, "zoh"), {"prewarped_at": 1.0}), ((0.1, "tustin"), {"prewarped_at": 100.0}), ((0.1, "tustin"), {"prewarped_at": 0.0})):
        with pytest.raises(errors.InvalidValueError):
            system.sampled(*arguments, **options)


def test_g_matrices_are_integrals_of_powers_of_the_part_of_the_step():
    # A chain of two integrators, by hand: the integrals of (s/T)^i and of (T - s) (s/T)^i.
    step = 0.4
    _, parts = fb.g_matrices([[0.0, 1.0], [0.0, 0.0]], step, 3)
    for i, own in enumerate(parts):
        assert own == pytest.approx(np.array([[step / (i + 1), step**2 / ((i + 1) * (i + 2))], [0.0, step / (i + 1)]]), rel=1e-15)
    # And what they are for: the response to u = 1 - 3 (s/T)^2 of a lag, with the integral by Gauss.
    (a,), (b,) = LAG
    _, parts = fb.g_matrices([a], step, 2)
    x, weights = np.polynomial.legendre.leggauss(20)
    s = step * (x + 1) / 2
    expected = step / 2 * np.sum(weights * np.exp(a[0] * (step - s)) * b[0] * (1 - 3 * (s / step) ** 2))
    assert (parts[0] - 3 * parts[2]) @ np.array([b]) == pytest.approx(np.array([[expected]]), rel=1e-13)
