"""The example of docs/sweeps.md: the members of a sweep mapped over the workers of Dask."""

import os

import pytest

import fourbar as fb

distributed = pytest.importorskip("dask.distributed", reason="dask[distributed] is not installed")
MODEL = os.path.join(os.environ.get("FOURBAR_MODELS", os.path.join(os.path.dirname(__file__), "..", "..", "models")), "four-bar.toml")


def swing(crank: float) -> float:
    model = fb.Model.from_file(MODEL)
    model.set(crank=crank)
    return float(model.run(end=0.1)["rocker_angle"].max())


def test_dask_gives_what_a_loop_gives() -> None:
    cranks = [0.08, 0.10, 0.12]
    # Threads of this process: what a worker imports is what the test imports.
    with distributed.Client(processes=False, n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        found = client.gather(client.map(swing, cranks))
    assert found == [swing(crank) for crank in cranks]
