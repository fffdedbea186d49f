"""The package as a whole: errors, the log, known problems, documentation."""

import inspect
import logging
import pickle
import re

import numpy as np
import pytest
from conftest import MODELS, pendulum_of

import fourbar as fb
from fourbar import errors


def test_errors_are_read_into_their_parts():
    whole = errors.InvalidValueError("m.toml:3:7: unknown field `mas` in body \"rod\"\n  |\n  = did you mean `mass`?")
    assert (whole.place, whole.name, whole.remedy) == ("m.toml:3:7", "mas", "did you mean `mass`?")
    timed = errors.CallbackError("force \"spring\" cannot be evaluated at t = 0.5: it gives NaN for value[0]")
    assert (timed.place, timed.name, timed.value) == ("t = 0.5", "spring", "NaN")
    bare = errors.LengthError("'u' has length 3, but must have length 4")
    assert (bare.place, bare.name, bare.value, bare.remedy) == (None, "u", "3", "it must have length 4")
    plain = errors.InternalError("lost", 101)
    assert (plain.place, plain.name, plain.value, plain.remedy, plain.status) == (None, None, None, None, 101)


def test_errors_are_errors_of_python_and_can_be_sent():
    for kind, base in (
        (errors.InvalidValueError, ValueError),
        (errors.InvalidTypeError, TypeError),
        (errors.NoSuchNameError, KeyError),
        (errors.NumericalError, ArithmeticError),
        (errors.FileError, OSError),
        (errors.NumberOverflowError, OverflowError),
    ):
        own = kind("'x' is 1; give 2")
        assert isinstance(own, base) and isinstance(own, fb.FourbarError) and str(own) == "'x' is 1; give 2"
        again = pickle.loads(pickle.dumps(own))
        assert type(again) is kind and (again.text, again.status, again.remedy) == (own.text, own.status, "give 2")


def test_every_status_has_its_class():
    from fourbar._native import lib

    for name in dir(lib):
        if name.startswith("FOURBAR_") and name in {
            f"FOURBAR_{status}"
            for status in "NULL INVALID LENGTH STATE NOT_FINITE BUSY TEXT NO_SUCH_NAME OVERFLOW NUMERICAL UNSUPPORTED CALLBACK FILE INTERRUPTED PANIC".split()
        }:
            assert errors.of_status(getattr(lib, name), "text").status == getattr(lib, name)
    assert isinstance(errors.of_status(101, "text"), errors.InternalError)


def test_the_log_goes_to_logging(caplog):
    model = fb.Model("open")
    model.bar("rod", (0, 0), (1, 0), mass=1.0)
    model.revolute("pivot", "rod", {"body": "ground", "position": [0.1, 0, 0]})
    logger = logging.getLogger("fourbar")
    fb.set_log(logger)
    try:
        with caplog.at_level(logging.INFO, logger="fourbar"):
            model.compile()
    finally:
        fb.set_log(None)
    assert any("rod" in record.message for record in caplog.records)


def test_known_problems_judge_a_solver():
    assert {"andrews", "robertson", "chain_N1"} <= set(fb.known_problems())
    own = fb.accuracy("gstiff", ["chain_N1"], [1e-4, 1e-8])
    assert own[1].errors["position"] < own[0].errors["position"] < 1e-2 and own[0].failure is None
    known = fb.KnownProblem("robertson")
    assert known.toml is None and [column.name for column in known.columns] == ["y1", "y2", "y3"] and "robertson" in repr(known)

    def solver(problem, tolerance):
        def rate(t, y):
            slow, back, fast = 0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] ** 2
            return [back - slow, slow - back - fast, fast]

        return fb.solve_ode(rate, (0, problem.times[-1]), problem.start, t_eval=problem.times, rtol=tolerance, atol=tolerance * 1e-4, method="gstiff").y.T

    (record,) = fb.accuracy(solver, "robertson", [1e-7])
    assert record.failure is None and record.errors["state"] < 1e-3 and record.seconds > 0
    partly = known.judge(np.where([True, False, True], np.tile(known.start, (len(known.times), 1)), np.nan))
    assert partly["state"] == pytest.approx(1.0, abs=0.5)


def test_what_fails_in_a_solver_is_told_in_its_record():
    (record,) = fb.accuracy(lambda problem, tolerance: 1 / 0, "chain_N1", [1e-6])
    assert record.failure.startswith("ZeroDivisionError") and record.errors == {}
    (record,) = fb.accuracy(lambda problem, tolerance: [[1.0]], "chain_N1", [1e-6])
    assert record.failure.startswith("LengthError")
    with pytest.raises(errors.NoSuchNameError):
        fb.KnownProblem("andrew")
    with pytest.raises(errors.LengthError):
        fb.KnownProblem("robertson").model()


def test_all_that_is_public_is_documented_and_typed():
    for name in fb.__all__:
        own = getattr(fb, name)
        assert inspect.getdoc(own), name
        if inspect.isclass(own):
            for member, value in vars(own).items():
                function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
                if member.startswith("_") or not inspect.isfunction(function):
                    continue
                assert inspect.getdoc(function), f"{name}.{member}"
                assert "return" in function.__annotations__, f"{name}.{member}"
    assert fb.__version__.count(".") == 2


def test_the_example_of_the_package_runs():
    text = [line.strip()[4:] for line in fb.__doc__.splitlines() if line.strip().startswith(">>> ")]
    scope = {}
    exec("\n".join(text), scope)  # noqa: S102
    assert scope["results"].reaction("A").shape == (1001, 6)
    assert pendulum_of().run(end=0.1).status == "done"


@pytest.mark.parametrize("page", ["docs/python.md", "README.md", "python/README.md"])
def test_the_examples_of_the_guides_run(page, monkeypatch):
    """All blocks of a page in Python, one after the other, from the root of the repository."""
    pytest.importorskip("scipy")
    path = MODELS.parent / page
    if not path.is_file():
        pytest.skip(f"{path} is not here")
    blocks = re.findall(r"^```python\n(.*?)^```$", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(MODELS.parent)
    scope = {}
    for block in blocks:
        exec(block, scope)  # noqa: S102
    assert blocks
