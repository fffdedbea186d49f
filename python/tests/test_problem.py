"""Equations of the caller under the library's integrators."""

import math

import numpy as np
import pytest

import fourbar as fb
from fourbar import errors


def circle(t, y):
    return [y[1], -y[0]]


def test_an_oscillator_by_every_method_for_it():
    for method in ("abam", "rkf45", "gstiff", "wstiff", "dstiff"):
        found = fb.solve_ode(circle, (0, 1.0), [1.0, 0.0], method=method, rtol=1e-9)
        assert found.success and found.status == 0 and found.t[-1] == 1.0
        assert found.y.shape == (2, len(found.t)) and found.y[:, -1] == pytest.approx([math.cos(1), -math.sin(1)], abs=1e-6)
        assert found.yp == pytest.approx([-math.sin(1), -math.cos(1)], abs=1e-5)


def test_times_that_are_wanted():
    times = np.linspace(0, 2, 9)
    found = fb.solve_ode(circle, (0, 2), [1.0, 0.0], t_eval=times, rtol=1e-10)
    assert np.array_equal(found.t, times) and found.y[0] == pytest.approx(np.cos(times), abs=1e-7)
    assert fb.solve_ode(circle, (0, 2), [1.0, 0.0], t_eval=[0.5]).y.shape == (2, 1)


def test_index_1_finds_its_own_start():
    def residual(t, y, yp):
        return [yp[0] + y[1], y[1] - 2 * y[0]]

    found = fb.solve_dae(residual, (0, 1), [1.0, 77.0], kinds=["state", "algebraic"], rtol=1e-8)
    assert found.y[:, 0] == pytest.approx([1.0, 2.0]) and found.y[:, -1] == pytest.approx(np.exp(-2) * np.array([1, 2]), rel=1e-5)
    problem = fb.Problem(2, residual=residual, kinds=["state", "algebraic"], names=["charge", "current"], typical=[1.0, 2.0])
    y, yp = problem.consistent_start(0.0, [1.0, 0.0])
    assert y == pytest.approx([1.0, 2.0]) and yp[0] == pytest.approx(-2.0)


def test_algebraic_unknowns_are_found():
    def residual(t, y, yp):
        return [yp[0] + y[1], y[1] - 2 * y[0]]

    found = fb.solve_dae(residual, (0, 1), [1.0, 77.0], rtol=1e-8)
    assert found.y[:, 0] == pytest.approx([1.0, 2.0]) and found.y[:, -1] == pytest.approx(np.exp(-2) * np.array([1, 2]), rel=1e-5)

    # A circuit whose algebraic voltage stands in a nonlinear equation, the unknowns in another order.
    def diode(t, y, yp):
        current, charge = y
        return [current - np.exp(charge - current) + 1, yp[1] + current]

    found = fb.solve_dae(diode, (0, 1), [0.0, 1.0], rtol=1e-8)
    current, charge = found.y[:, 0]
    assert charge == 1.0 and current == pytest.approx(np.exp(charge - current) - 1, abs=1e-10) and current > 0.1
    current, charge = found.y[:, -1]
    assert current == pytest.approx(np.exp(charge - current) - 1, abs=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_starts_of_random_systems_satisfy_them(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 7))
    algebraic = rng.random(n) < 0.5
    # Linear, with regular matrices in dF/dy'_d and dF/dy_a, and equations and unknowns in any order.
    mass = rng.normal(size=(n, n)) * ~algebraic
    mass[algebraic] = 0.0
    a, order = rng.normal(size=(n, n)), rng.permutation(n)
    y0 = rng.normal(size=n)
    residual = lambda t, y, yp: (mass @ yp + a @ y + 1.0)[order]
    found = fb.solve_dae(residual, (0, 1e-3), y0, rtol=1e-9)
    assert np.array_equal(found.y[~algebraic, 0], y0[~algebraic])
    assert (a @ found.y[:, 0] + 1.0)[algebraic] == pytest.approx(0.0, abs=1e-9)


def test_a_factor_that_is_0_at_the_start_makes_no_unknown_algebraic():
    # y y' = 1 - y is singular at y = 0, but a differential equation: its start is not moved.
    with pytest.raises(errors.NumericalError):
        fb.solve_dae(lambda t, y, yp: [y[0] * yp[0] + y[0] - 1], (0, 1), [0.0])
    # Beside the start the function has no values: it is asked at the start alone.
    found = fb.solve_dae(lambda t, y, yp: [yp[0] + 1 + math.sqrt(1.0005 - y[0]), y[1] - y[0]], (0, 0.1), [1.0, 0.0], rtol=1e-6)
    assert found.y[1, 0] == pytest.approx(1.0)


def test_a_start_that_is_none_is_not_taken(monkeypatch):
    wrong = lambda self, t, y, yp=None: (np.array([1.0, 3.0]), np.zeros(2))
    monkeypatch.setattr(fb.Problem, "consistent_start", wrong)
    with pytest.raises(errors.NumericalError, match="yp0"):
        fb.solve_dae(lambda t, y, yp: [yp[0] + y[1], y[1] - 2 * y[0]], (0, 1), [1.0, 0.0])


def pendulum_index_2(t, y, yp):
    """x, y, u, v, lambda, mu: stabilized index 2."""
    x, z, u, v, force, mu = y
    return [yp[0] - u - 2 * mu * x, yp[1] - v - 2 * mu * z, yp[2] + 2 * force * x, yp[3] + 2 * force * z + 9.81, x * x + z * z - 1, x * u + z * v]


def test_a_pendulum_of_index_2():
    kinds = ["position", "position", "velocity", "velocity", "multiplier", "stabilizer"]
    start, rates = [1.0, 0, 0, 0, 0, 0], [0, 0, 0, -9.81, 0, 0]
    found = fb.solve_dae(pendulum_index_2, (0, 1), start, rates, kinds=kinds, index=2, rtol=1e-8)
    x, z, u, v = found.y[:4, -1]
    assert x * x + z * z == pytest.approx(1, abs=1e-8) and 0.5 * (u * u + v * v) + 9.81 * z == pytest.approx(0, abs=1e-4)
    with pytest.raises(errors.InvalidTypeError) as caught:
        fb.solve_dae(pendulum_index_2, (0, 1), start, kinds=kinds, index=2)
    assert caught.value.name == "yp0"


@pytest.mark.parametrize("sparse", [False, True])
def test_a_jacobian_of_the_caller_is_used(sparse):
    calls = []

    def jacobian(t, y, yp, c):
        calls.append(c)
        whole = np.array([[c, -1.0], [1.0, c]])
        return whole

    more = {"sparsity": np.ones((2, 2))} if sparse else {}
    found = fb.solve_dae(lambda t, y, yp: [yp[0] - y[1], yp[1] + y[0]], (0, 1), [1.0, 0.0], jacobian=jacobian, rtol=1e-8, **more)
    assert calls and found.y[0, -1] == pytest.approx(math.cos(1), abs=1e-5) and found.statistics["difference_evaluations"] <= 4


def test_a_sparsity_pattern_alone():
    n = 30

    def heat(t, y, yp):
        padded = np.concatenate([[0.0], y, [0.0]])
        return yp - (padded[2:] - 2 * y + padded[:-2])

    pattern = np.eye(n) + np.eye(n, k=1) + np.eye(n, k=-1)
    start = np.sin(np.pi * np.arange(1, n + 1) / (n + 1))
    found = fb.solve_dae(heat, (0, 1), start, sparsity=pattern, rtol=1e-8)
    decay = math.exp(-4 * math.sin(math.pi / (2 * (n + 1))) ** 2)
    assert found.y[:, -1] == pytest.approx(decay * start, rel=1e-5)
    scipy = pytest.importorskip("scipy.sparse")
    again = fb.solve_dae(heat, (0, 1), start, sparsity=scipy.csr_array(pattern), rtol=1e-8)
    assert np.array_equal(again.y[:, -1], found.y[:, -1])


def test_events_end_or_are_noted():
    def ground(t, y, yp):
        return y[0]

    ground.direction = -1

    def fall(t, y):
        return [y[1], -9.81]

    found = fb.solve_ode(fall, (0, 2), [1.0, 0.0], events=ground, rtol=1e-9)
    exact = math.sqrt(2 / 9.81)
    assert found.t[-1] == 2.0 and found.t_events[0] == pytest.approx([exact], abs=1e-8)
    ground.terminal = True
    for options in ({}, {"t_eval": np.linspace(0, 2, 50)}):
        found = fb.solve_ode(fall, (0, 2), [1.0, 0.0], events=[ground], rtol=1e-9, **options)
        assert found.status == 1 and found.t[-1] <= exact + 1e-9 and found.y_events[0][0] == pytest.approx([0, -9.81 * exact], abs=1e-6)
    many = fb.solve_ode(circle, (0, 10), [1.0, 0.0], events=[lambda t, y, yp: y[0]], t_eval=[10.0], rtol=1e-9)
    assert many.t_events[0] == pytest.approx([math.pi * (k + 0.5) for k in range(3)], abs=1e-6)


def test_step_by_step():
    integration = fb.Problem(2, rhs=circle).integrate(0.0, [1.0, 0.0], method="rkf45", rtol=1e-8)
    assert integration.step() == "step" and integration.time > 0
    y, _ = integration.interpolate(integration.time)
    assert y == pytest.approx(integration.state[0])
    saved = integration.save()
    assert integration.run(1.0) == "end" and integration.time == 1.0
    there = integration.state[0]
    integration.restore(saved)
    integration.run(1.0)
    assert np.array_equal(integration.state[0], there)
    values, stop = integration.sample([1.5, 2.0])
    assert values.shape == (2, 2) and stop == "end"
    integration.set_stop_times([2.5])
    integration.set_end(3.0)
    stops = []
    while integration.time < 3.0:
        stops.append(integration.step())
    assert "stop_time" in stops and stops[-1] == "end" and integration.events() == []
    integration.restart(0.0, [0.0, 1.0])
    assert integration.time == 0.0 and integration.statistics()["steps"] > 0


class Broken(Exception):
    """Of a function."""


def test_exceptions_come_out_as_themselves():
    def broken(t, y):
        if t > 0.5:
            raise Broken("here")
        return [-y[0]]

    with pytest.raises(Broken, match="here"):
        fb.solve_ode(broken, (0, 1), [1.0])

    def event(t, y, yp):
        raise Broken("event")

    with pytest.raises(Broken, match="event"):
        fb.solve_ode(lambda t, y: [-y[0]], (0, 1), [1.0], events=event)
    with pytest.raises(Broken):
        fb.solve_dae(lambda t, y, yp: [yp[0] + y[0]], (0, 1), [1.0], [-1.0], jacobian=lambda *_: (_ for _ in ()).throw(Broken()))


def test_nan_and_wrong_shapes_are_told():
    with pytest.raises(errors.CallbackError) as caught:
        fb.solve_ode(lambda t, y: [math.nan if t > 0.5 else -1.0], (0, 1), [1.0])
    assert caught.value.place.startswith("t = ")
    with pytest.raises(errors.LengthError, match="'rhs' gives 2 values; it must give 1"):
        fb.solve_ode(lambda t, y: [1.0, 2.0], (0, 1), [1.0])
    with pytest.raises(errors.LengthError):
        fb.solve_dae(lambda t, y, yp: [yp[0]], (0, 1), [1.0], [0.0], jacobian=lambda t, y, yp, c: [1.0, 2.0])


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"rtol": 1.0}, errors.InvalidValueError),
        ({"rtol": "fine"}, errors.InvalidTypeError),
        ({"atol": [1.0, 2.0]}, errors.LengthError),
        ({"atol": -1.0}, errors.InvalidValueError),
        ({"method": "euler"}, errors.InvalidValueError),
        ({"speed": 1}, errors.InvalidTypeError),
        ({"max_steps": -1}, errors.InvalidValueError),
        ({"kinds": ["stat"]}, errors.InvalidValueError),
        ({"kinds": ["state", "state"]}, errors.LengthError),
        ({"typical": [0.0]}, errors.InvalidValueError),
        ({"names": ["a", "b"]}, errors.LengthError),
        ({"sparsity": np.ones((2, 2))}, errors.LengthError),
        ({"max_steps": 3, "rtol": 1e-12}, errors.NumericalError),
    ],
)
def test_wrong_options(options, kind):
    with pytest.raises(kind):
        fb.solve_ode(lambda t, y: [-y[0]], (0, 1), [1.0], **options)


def test_wrong_starts():
    for wrong, kind in (([np.nan], errors.NotFiniteError), ([[1.0]], errors.LengthError), (["a"], errors.InvalidTypeError), ([1j], errors.InvalidTypeError)):
        with pytest.raises(kind):
            fb.solve_ode(lambda t, y: [0.0], (0, 1), wrong)
    with pytest.raises(errors.LengthError):
        fb.solve_ode(lambda t, y: [0.0], (0, 1, 2), [1.0])
    with pytest.raises(errors.InvalidTypeError):
        fb.Problem(1)
    with pytest.raises(errors.UnsupportedError):
        fb.solve_dae(lambda t, y, yp: [yp[0]], (0, 1), [1.0], [0.0], method="rkf45")
