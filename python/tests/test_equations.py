"""The open equations of a mechanism."""

import numpy as np
import pytest
from conftest import MODELS, pendulum_of

import fourbar as fb
from fourbar import errors

# Mazzia and Magherini 2008: the drive of Andrews' mechanism after 0.03 s [rad].
BETA = 15.8107711951537


@pytest.fixture(scope="module")
def mechanism():
    return fb.Model.from_file(MODELS / "four-bar.toml").compile()


@pytest.mark.parametrize("formulation", ["i3", "si2", "si1"])
def test_the_start_satisfies_the_equations(mechanism, formulation):
    equations = mechanism.equations(formulation)
    t, y, yp = equations.start()
    assert t == 0.0 and y.shape == yp.shape == (equations.dimension,)
    assert np.abs(equations.residual(t, y, yp)).max() < 1e-8
    assert equations.index == {"i3": 3, "si2": 2, "si1": 1}[formulation]
    with pytest.raises(errors.UnsupportedError):
        equations.rhs(t, y)


def test_the_jacobian_is_that_of_the_residual(mechanism):
    equations = mechanism.equations("si2")
    t, y, yp = equations.start()
    c, step = 7.0, 1e-6
    jacobian = equations.jacobian(t, y, yp, c)
    direction = np.random.default_rng(5).normal(size=y.size)
    ahead = equations.residual(t, y + step * direction, yp + c * step * direction)
    behind = equations.residual(t, y - step * direction, yp - c * step * direction)
    difference = (ahead - behind) / (2 * step)
    assert jacobian @ direction == pytest.approx(difference, abs=1e-5 * np.abs(difference).max())
    pytest.importorskip("scipy")
    assert np.array_equal(equations.jacobian(t, y, yp, c, sparse=True).toarray(), jacobian)


def test_mass_forces_and_constraints_make_the_motion(mechanism):
    """M u' + Phi_q^T lambda = Q and Phi_q u' = gamma give the accelerations of the partitioned equations."""
    equations = mechanism.equations("partitioned")
    t, y, _ = equations.start()
    m, phi = equations.mass_matrix(t, y), equations.constraint_jacobian(t, y)
    k = equations.constraints
    assert m.shape == (18, 18) and np.array_equal(m, m.T) and phi.shape == (k, 18)
    saddle = np.block([[m, phi.T], [phi, np.zeros((k, k))]])
    right = np.concatenate([equations.forces(t, y), equations.constraint_accelerations(t, y)])
    acceleration = np.linalg.solve(saddle, right)[:18]
    simulation = mechanism.simulate()
    bodies = [simulation.body(name) for name in mechanism.bodies]
    theirs = np.concatenate([np.concatenate([body.acceleration, body.angular_acceleration]) for body in bodies])
    assert acceleration == pytest.approx(theirs, abs=1e-6 * np.abs(theirs).max())
    assert np.abs(equations.constraint_values(t, y)).max() < 1e-9 and np.abs(equations.constraint_rates(t, y)).max() < 1e-8


def test_names_kinds_and_states(mechanism):
    equations = mechanism.equations("si2")
    t, y, _ = equations.start()
    own = equations.unknowns()
    assert len(equations.names) == len(own["kinds"]) == equations.dimension == len(equations.equation_names)
    assert {"position", "multiplier"} <= set(own["kinds"]) and own["differential"].dtype == bool and (own["typical"] > 0).all()
    state = equations.state(t, y)
    assert state == pytest.approx(mechanism.simulate().state)
    again, _ = equations.set_state(t, state)
    assert again == pytest.approx(y, abs=1e-9)
    assert "index 2" in repr(equations)


def test_wrong_arguments(mechanism):
    equations = mechanism.equations("partitioned")
    _, y, _ = equations.start()
    with pytest.raises(errors.LengthError) as caught:
        equations.rhs(0.0, y[:-1])
    assert caught.value.name == "y" and str(y.size) in caught.value.text
    with pytest.raises(errors.NotFiniteError):
        equations.rhs(0.0, np.full(y.size, np.nan))
    with pytest.raises(errors.InvalidTypeError):
        equations.rhs(0.0, ["a"] * y.size)
    with pytest.raises(errors.UnsupportedError):
        equations.residual(0.0, y, y)
    with pytest.raises(errors.InvalidValueError):
        mechanism.equations("lagrange")
    with pytest.raises(errors.LengthError):
        equations.set_inputs(0.0, [1.0])


def test_the_library_integrates_them_too(mechanism):
    equations = mechanism.equations("si2")
    t, y, yp = equations.start()
    integration = fb.Problem.of_mechanism(equations).integrate(t, y, yp, rtol=1e-8)
    assert integration.run(0.2) == "end"
    simulation = mechanism.simulate(tolerance=1e-8)
    simulation.step_to(0.2)
    state = equations.state(0.2, integration.state[0])
    assert state[:3] == pytest.approx(simulation.state[:3], abs=1e-6)


def test_what_functions_raise_comes_out():
    model = pendulum_of()

    def torque(t, angle):
        raise LookupError("no torque")

    armed = []
    model.force("motor", "axial_torque", i="rod", j="ground", value=lambda t, a: torque(t, a) if armed else 0.0, arguments=["angle"])
    equations = model.compile().equations("partitioned")
    t, y, _ = equations.start()
    armed.append(1)
    with pytest.raises(LookupError, match="no torque"):
        equations.rhs(t + 1e-3, y)


def test_scipy_integrates_andrews_mechanism():
    """By steps of SciPy's DOP853, with the coordinates kept after each; the angle of the drive is that of the test set."""
    integrate = pytest.importorskip("scipy.integrate")
    equations = fb.Model.from_file(MODELS / "andrews.toml").compile().equations("partitioned")
    t, y, _ = equations.start()
    scale = equations.unknowns()["typical"]
    h = None
    while t < 0.03:
        solver = integrate.DOP853(equations.rhs, t, y, 0.03, rtol=1e-9, atol=1e-9 * scale, first_step=h)
        changed = False
        while not changed and solver.status == "running":
            solver.step()
            y, _, changed = equations.between_steps(solver.t, solver.y, solver.f)
            if not changed:
                solver.y, solver.f = y, equations.rhs(solver.t, y)
        t, h = solver.t, min(solver.h_abs, 0.03 - solver.t) or None
    state = equations.state(t, y)
    w, _, _, z = state[3:7]
    angle = 2 * np.arctan2(z, w)
    assert (angle - BETA + np.pi) % (2 * np.pi) - np.pi == pytest.approx(0.0, abs=1e-6)
