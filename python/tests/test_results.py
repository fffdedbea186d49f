"""Results by name, with units."""

import csv
import subprocess

import numpy as np
import pytest
from conftest import MODELS

import fourbar as fb
from fourbar import errors


@pytest.fixture(scope="module")
def results():
    return fb.run(MODELS / "four-bar.toml", end=0.1, reactions=["A"])


def test_columns_come_by_name_with_units(results):
    assert results["crank_angle"].dtype == np.float64 and results["crank_angle"].shape == results.time.shape == (51,)
    assert results["coupler_point"].shape == (51, 3) and results.unit("coupler_point") == "m"
    assert results.unit("force_B") == "N" and results.units["energy"] == "J"
    assert set(results) >= {"crank_angle", "coupler_point.x"} and len(results) == len(list(results))
    assert "coupler_point" in results and "nothing" not in results
    assert results.statistics["steps"] > 0 and isinstance(results.warnings, list)
    assert "crank_angle" in repr(results)


def test_results_show_their_bodies_in_a_notebook_where_they_were_kept(results, monkeypatch):
    shown = results._repr_html_()
    assert shown.startswith("<iframe") and "packed-animation" in shown and shown.endswith("</iframe>")
    plain = fb.run(MODELS / "four-bar.toml", end=0.1, bodies=False)._repr_html_()
    assert "<table>" in plain and "iframe" not in plain
    # The numbers are the same with the bodies and without, those of coupled models too.
    assert "<table>" in fb.run(MODELS / "servo.toml", end=0.1)._repr_html_()
    one, other = (fb.run(MODELS / "press.toml", end=0.01, bodies=bodies) for bodies in (True, False))
    assert list(one) == list(other) and all(np.array_equal(one[name], other[name]) for name in one)
    assert "packed-animation" in one._repr_html_()
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    path = results.view()
    assert path.exists() and opened == [path.as_uri()]


def test_names_that_are_not_there_are_errors_that_name_those_that_are(results):
    for call in (lambda: results["crank_angel"], lambda: results.unit("crank_angel")):
        with pytest.raises(KeyError) as caught:
            call()
        assert isinstance(caught.value, errors.NoSuchNameError) and "crank_angle" in str(caught.value)
    with pytest.raises(errors.NoSuchNameError, match="run with reactions"):
        results.reaction("C")


def test_reactions_are_those_of_measures(results):
    assert np.array_equal(results.reaction("A")[:, :3], results["A.force"])


def test_a_table_of_pandas(results):
    pandas = pytest.importorskip("pandas")
    table = results.to_pandas()
    assert isinstance(table, pandas.DataFrame) and np.array_equal(table["energy"], results["energy"])
    assert "energy [J]" in results.to_pandas(units=True) and results.to_pandas(units=True).index.name == "time [s]"


def test_files_are_written(results, tmp_path):
    results.write_csv(tmp_path / "out.csv")
    results.write_report(tmp_path / "out.html")
    with open(tmp_path / "out.csv", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][0] == "time [s]" and len(rows) == 52
    assert "<html" in (tmp_path / "out.html").read_text()[:200].lower()
    with pytest.raises(errors.FileError):
        results.write_csv(tmp_path / "no" / "such" / "folder.csv")
    with pytest.raises(errors.StateError):
        fb.Results(np.zeros(1), {"a": np.zeros(1)}, {"a": ""}).write_csv(tmp_path / "a.csv")


@pytest.mark.parametrize("name", ["four-bar", "andrews", "fourbar-impact", "servo", "hydraulic-axis"])
def test_results_are_those_of_the_command_to_the_bit(name, command, tmp_path):
    path = tmp_path / "out.csv"
    subprocess.run([command, "run", MODELS / f"{name}.toml", "--out", path, "--quiet"], check=True)
    with open(path, newline="") as file:
        header, *rows = csv.reader(file)
    results = fb.run(MODELS / f"{name}.toml")
    assert [column.split(" [")[0] for column in header[1:]] == list(results)
    told = np.array(rows, dtype=float)
    assert np.array_equal(told[:, 0], results.time)
    for k, column in enumerate(results):
        assert np.array_equal(told[:, k + 1], results[column], equal_nan=True), column
