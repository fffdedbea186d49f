"""Complementarity and friction problems."""

import numpy as np
import pytest

import fourbar as fb
from fourbar import errors


def test_random_problems_with_p_matrices_are_solved():
    rng = np.random.default_rng(11)
    for n in (1, 3, 10):
        root = rng.normal(size=(n, n))
        m, q = root @ root.T + np.eye(n), rng.normal(size=n)
        found = fb.lcp(m, q)
        assert found.solved and (found.z >= -1e-9).all() and np.allclose(found.w, m @ found.z + q)
        assert abs(found.z @ found.w) < 1e-9 and found.certificate is None and found.u.size == 0


def test_without_a_solution_there_is_a_proof():
    m, q = np.array([[0.0, 0.0], [0.0, 1.0]]), np.array([-1.0, 1.0])
    found = fb.lcp(m, q)
    y = found.certificate
    assert found.status == "infeasible" and not found.solved
    assert (y >= 0).all() and (m.T @ y <= 1e-12).all() and q @ y < 0


def test_matrices_are_taken_by_rows_and_columns_as_numpy_has_them():
    m, q = np.array([[2.0, 1.0], [0.0, 1.0]]), np.array([-3.0, -1.0])
    assert fb.lcp(m, q).z == pytest.approx([1.0, 1.0])
    assert fb.lcp(np.asfortranarray(m), q[::1]).z == pytest.approx([1.0, 1.0])


def test_mixed_problems():
    found = fb.mixed_lcp([[2.0]], [[1.0]], [[-1.0]], [[1.0]], [-4.0], [1.0])
    assert found.solved and 2 * found.u + found.z - 4 == pytest.approx([0.0], abs=1e-9)
    assert found.w == pytest.approx(-found.u + found.z + 1)


def test_a_sliding_contact_obeys_coulomb():
    found = fb.friction(np.eye(3), [-1.0, 2.0, 0.0], [0.5])
    # The normal impulse stops the approach; friction of half of it slows the sliding.
    assert found.solved and found.z == pytest.approx([1.0, -0.5, 0.0], abs=1e-7) and found.w == pytest.approx([0.0, 1.5, 0.0], abs=1e-7)
    stuck = fb.friction(np.eye(3), [-1.0, 0.1, 0.0], [0.5])
    assert stuck.w == pytest.approx([0.0, 0.0, 0.0], abs=1e-7)
    frictionless = fb.friction(np.eye(1), [-1.0], [0.0], rows=[1], spinning=[0.0], rolling=[0.0])
    assert frictionless.z == pytest.approx([1.0])


def test_friction_without_a_solution_has_a_proof():
    w, q = np.zeros((3, 3)), np.array([-1.0, 0.0, 0.0])
    found = fb.friction(w, q, [0.5])
    assert found.status == "infeasible"
    y = found.certificate
    assert y[0] > 0 and q @ y < 0 and np.allclose(w @ y, 0)


def test_json_and_options():
    text = '{"M": [[2, 1], [1, 2]], "q": [-5, -6]}'
    for method in ("automatic", "lemke", "active_set", "interior_point", "gauss_seidel", "enumeration"):
        found = fb.contact_problem("lcp", text, method=method, max_iterations=1000)
        assert found.z == pytest.approx([4 / 3, 7 / 3], abs=1e-6) and found.residual < 1e-8
    assert fb.lcp([[1.0]], [-1.0], start=[1.0], tolerance=1e-9).solved
    with pytest.raises(errors.UnsupportedError):
        fb.lcp([[1.0]], [-1.0], method="newton")
    with pytest.raises(errors.InvalidValueError) as caught:
        fb.lcp([[1.0]], [-1.0], method="magic")
    assert caught.value.name == "method"
    for wrong, kind in (({"speed": 1}, TypeError), ({"max_iterations": -1}, ValueError), ({"start": [1.0, 2.0]}, errors.LengthError), ({"tolerance": -1.0}, ValueError)):
        with pytest.raises(kind):
            fb.lcp([[1.0]], [-1.0], **wrong)
    with pytest.raises(errors.FourbarError):
        fb.contact_problem("lcp", "no json")


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: fb.lcp([[1.0, 0.0]], [1.0]), errors.LengthError),
        (lambda: fb.lcp([[np.nan]], [1.0]), errors.NotFiniteError),
        (lambda: fb.lcp([1.0], [1.0]), errors.LengthError),
        (lambda: fb.friction(np.eye(3), np.zeros(3), [-0.5]), errors.InvalidValueError),
        (lambda: fb.friction(np.eye(3), np.zeros(3), [0.5, 0.5]), errors.LengthError),
        (lambda: fb.friction(np.eye(3), np.zeros(3), [0.5], rows=[2]), errors.LengthError),
        (lambda: fb.friction(np.eye(3), np.zeros(3), [0.5], spinning=[1.0, 2.0]), errors.LengthError),
        (lambda: fb.mixed_lcp([[1.0]], [[1.0, 2.0]], [[1.0]], [[1.0]], [1.0], [1.0]), errors.LengthError),
    ],
)
def test_wrong_arrays(call, kind):
    with pytest.raises(kind):
        call()
