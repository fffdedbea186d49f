"""What tests share: models, and where those of the repository are (FOURBAR_MODELS)."""

import os
from pathlib import Path

import pytest

import fourbar as fb

MODELS = Path(os.environ.get("FOURBAR_MODELS", Path(__file__).resolve().parents[2] / "models"))


def pendulum_of(length=1.0, **fields):
    """A rod on a pivot, let go from the horizontal."""
    model = fb.Model("pendulum", gravity=(0, -9.81, 0), **fields)
    model.bar("rod", (0, 0), (length, 0), mass=2.0)
    model.revolute("pivot", "rod", "ground")
    model.measure("angle", "angle", i="rod")
    model.measure("rate", "angular_velocity", i="rod", component="z")
    return model


@pytest.fixture
def pendulum():
    return pendulum_of()


@pytest.fixture
def four_bar():
    model = fb.Model("four-bar", gravity=(0, -9.81, 0))
    model.bar("crank", (0, 0), (0, 0.1), mass=0.2)
    model.bar("coupler", (0, 0.1), (0.3, 0.25), mass=0.7)
    model.bar("rocker", (0.4, 0), (0.3, 0.25), mass=0.5)
    model.revolute("A", "ground", "crank", at=(0, 0))
    model.revolute("B", "crank", "coupler", at=(0, 0.1))
    model.revolute("C", "coupler", "rocker", at=(0.3, 0.25))
    model.revolute("D", "rocker", "ground", at=(0.4, 0))
    model.measure("tip", "position", i="coupler")
    model.measure("energy", "total_energy")
    return model


@pytest.fixture(scope="session")
def command():
    """The `fourbar` command that FOURBAR_COMMAND names, to compare with."""
    path = os.environ.get("FOURBAR_COMMAND")
    if not path:
        pytest.skip("FOURBAR_COMMAND does not name the fourbar command")
    return path
