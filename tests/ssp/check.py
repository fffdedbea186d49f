"""System structures under other people's tools.

What is written validates against the schemas of SSP 1.0 and is simulated by FMPy; what pyssp-standard writes is read. Read back, a coupled model
gives what it gave before.

usage: check.py FOURBAR LIBRARY FOLDER
"""

import csv
import subprocess
import sys
import warnings
from pathlib import Path
from zipfile import ZipFile

import fmpy.ssp.ssd as ssd
import lxml.etree as etree
from fmpy.ssp.simulation import simulate_ssp

ROOT = Path(__file__).resolve().parents[2]
LOOP = ROOT / "tests" / "ssp" / "loop.toml"
PRESS = ROOT / "models" / "press.toml"
# Model, end [s], options of both runs, and the largest difference relative to the largest value of a column. Linear systems are exact but for
# round-off. Integrators choose their steps anew in units: to some hundred times their tolerance of 1e-8. In a unit outputs follow inputs at the end of
# a step alone, which extrapolation sees: a difference that falls with the communication step.
ROUND_TRIPS = [
    (LOOP, 2.0, [], 1e-12),
    (PRESS, 0.02, ["--algorithm", "jacobi_delayed"], 1e-5),
    (PRESS, 0.02, ["--algorithm", "iterated", "--order", "1"], 1e-5),
    (PRESS, 0.02, ["--order", "1"], 1e-3),
    (PRESS, 0.02, ["--order", "1", "--step", "1.25e-4"], 1e-4),
]
# Exact steps: round-off, of the times too, which FMPy adds up.
FMPY_TOLERANCE = 1e-12


def rows(fourbar: str, model: Path, end: float, more: list[str], folder: Path) -> dict[str, list[float]]:
    """The columns of a run."""
    out = folder / f"{model.name}.csv"
    subprocess.run([fourbar, "run", str(model), "--end", repr(end), "--out", str(out), "--quiet", *more], check=True, stderr=subprocess.DEVNULL)
    with open(out, newline="") as file:
        head, *lines = csv.reader(file)
    return {name.split(" [")[0]: [float(line[k]) for line in lines] for k, name in enumerate(head)}


def difference(one: dict[str, list[float]], other: dict[str, list[float]]) -> float:
    """The largest difference of the columns of `one`, relative to the largest value of each."""
    worst = 0.0
    for name, values in one.items():
        theirs = other.get(name) or other[f"{name} (output)"]
        assert len(values) == len(theirs), f"{name}: {len(theirs)} rows instead of {len(values)}"
        largest = max(map(abs, values)) or 1.0
        worst = max(worst, *(abs(a - b) / largest for a, b in zip(values, theirs)))
    return worst


def validate(archive: Path) -> None:
    """The files of the archive against the schemas that FMPy brings."""
    schemas = Path(ssd.__file__).parent / "schema"
    with ZipFile(archive) as files:
        for name, schema in [
            ("SystemStructure.ssd", "SystemStructureDescription.xsd"),
            ("resources/parameters.ssv", "SystemStructureParameterValues.xsd"),
        ]:
            etree.XMLSchema(etree.parse(schemas / schema)).assertValid(etree.fromstring(files.read(name)))


def under_fmpy(fourbar: str, archive: Path, folder: Path) -> float:
    """The largest difference from FMPy, which steps all units with held inputs and does not know of bindings by itself."""
    expected = rows(fourbar, archive, 2.0, [], folder)
    values = ssd.read_ssv(str(archive), resource="resources/parameters.ssv")
    result = simulate_ssp(str(archive), stop_time=2.0, step_size=0.01, parameter_set=values)
    worst = 0.0
    for name in ["controller.force", "mass.position"]:
        # Its rows have the time at the beginning of a step, and the values at the end.
        theirs = list(result[name])[: len(expected[name]) - 1]
        largest = max(map(abs, expected[name]))
        worst = max(worst, *(abs(a - b) / largest for a, b in zip(expected[name][1:], theirs)))
    return worst


def by_others(archive: Path, out: Path, folder: Path) -> None:
    """The loop once more as pyssp-standard writes it, with the units of `archive`."""
    from pyssp_standard.common_content_ssc import TypeReal
    from pyssp_standard.ssd import Component, Connection, Connector, DefaultExperiment, System
    from pyssp_standard.ssp import SSP
    from pyssp_standard.ssv import SSV

    ends = {"controller": [("position", "input"), ("force", "output")], "mass": [("force", "input"), ("position", "output")]}
    with ZipFile(archive) as files:
        for name in ends:
            (folder / f"{name}.fmu").write_bytes(files.read(f"resources/{name}.fmu"))
    out.unlink(missing_ok=True)
    with SSP(out, mode="w") as ssp:
        for name in ends:
            ssp.add_resource(folder / f"{name}.fmu")
        with ssp.system_structure as structure:
            structure.name, structure.version = "loop", "1.0"
            structure.system = System(None, "loop")
            structure.default_experiment = DefaultExperiment()
            structure.default_experiment.start_time, structure.default_experiment.stop_time = 0.0, 2.0
            for name, connectors in ends.items():
                component = Component()
                component.name, component.source = name, f"resources/{name}.fmu"
                component.component_type = "application/x-fmu-sharedlibrary"
                component.connectors = [Connector(None, own, kind, TypeReal(None)) for own, kind in connectors]
                structure.system.elements.append(component)
            for a, b, what in [("controller", "mass", "force"), ("mass", "controller", "position")]:
                structure.add_connection(
                    Connection(start_element=a, start_connector=what, end_element=b, end_connector=what)
                )


def main() -> int:
    warnings.simplefilter("ignore")
    fourbar, library, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    failed, written = False, set()
    for model, end, more, tolerance in ROUND_TRIPS:
        archive = folder / f"{model.stem}.ssp"
        if model not in written:
            subprocess.run([fourbar, "export-ssp", str(model), "-o", str(archive), "--library", library], check=True)
            validate(archive)
            written.add(model)
        worst = difference(rows(fourbar, model, end, more, folder), rows(fourbar, archive, end, more, folder))
        failed |= not worst <= tolerance
        print(f"{model.stem} {' '.join(more)}: valid; read back, differs by {worst:.1e}", flush=True)
    archive = folder / "loop.ssp"
    worst = under_fmpy(fourbar, archive, folder)
    failed |= not worst <= FMPY_TOLERANCE
    print(f"loop under FMPy: differs by {worst:.1e}")
    theirs = folder / "theirs.ssp"
    by_others(archive, theirs, folder)
    told = subprocess.run([fourbar, "check", str(theirs)], check=True, capture_output=True, text=True).stdout
    failed |= "warning" in told
    more = ["--algorithm", "jacobi_delayed", "--step", "0.01"]
    worst = difference(rows(fourbar, LOOP, 2.0, [], folder), rows(fourbar, theirs, 2.0, more, folder))
    failed |= not worst <= 1e-12
    print(f"loop as pyssp-standard writes it: differs by {worst:.1e}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
