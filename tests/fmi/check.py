"""Exported units under FMPy: valid, and equal to `fourbar run` at the same times, with their own solver and with CVode. One of FMI 2.0 under
libcosim; one inside another.

usage: check.py FOURBAR LIBRARY FOLDER SPRING
SPRING is the shared library of coupling/examples/spring_library.rs.
"""

import csv
import math
import shutil
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

import fmpy
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave
from fmpy.validation import validate_fmu

MODELS = Path(__file__).resolve().parents[2] / "models"
# Model and end [s]: mechanisms without and with inputs and contacts, circuits, linear systems, a coupled model.
CASES = [
    ("slider-crank", 0.5),
    ("four-bar", 0.5),
    ("quarter-car", 0.5),
    ("bouncing-ball", 0.5),
    ("winch", 0.2),
    ("hydraulic-axis", 0.1),
    ("servo", 0.2),
    ("press", 0.02),
    ("press-stop", 0.02),
]
# Relative to the largest value of each column.
TOLERANCE = 1e-12
# Model exchange under CVode and a run, both with this tolerance: their errors add up.
EXCHANGED = [("four-bar", 0.5), ("quarter-car", 0.5), ("slider-crank", 0.5), ("hydraulic-axis", 0.02), ("servo", 0.2)]
EXCHANGE_TOLERANCE, EXCHANGE_DIFFERENCE = 1e-9, 1e-5
# Residuals (FMI-LS-DAE): the unit under CVode as any other, and solved by fourbar in a coupled model to its tolerance of 1e-6.
RESIDUALS = [("four-bar", 0.3), ("slider-crank", 0.1)]
MANIFEST, SOLVED_DIFFERENCE = "extra/org.fmi-standard.fmi-ls-dae/fmi-ls-manifest.xml", 1e-4
# Exact steps, so that the missing stop time changes nothing but round-off.
COSIM, COSIM_TOLERANCE = "servo", 1e-12
# A simulator in a shared library as the one of a coupled model.
SPRING = """
type = "coupled"
name = "spring"
[simulation]
end = 1
step = 1e-2
[[simulator]]
name = "spring"
library = "NAME"
"""
# A unit whose residuals are solved, with the output step of the run.
SOLVED = """
type = "coupled"
name = "solved"
[simulation]
end = END
step = STEP
[[simulator]]
name = "unit"
fmu = "NAME"
interface = "dae"
"""
# A unit as a simulator of a coupled model.
AROUND = """
type = "coupled"
name = "around"
[simulation]
end = 0.1
step = 1e-3
[[simulator]]
name = "servo"
fmu = "servo.fmu"
"""


def run(fourbar: str, model: Path, end: float, folder: Path, *more: str) -> list[list[str]]:
    """The rows of the run, its head first."""
    out = folder / f"{model.stem}.csv"
    subprocess.run([fourbar, "run", str(model), "--end", repr(end), "--out", str(out), "--quiet", *more], check=True)
    with open(out, newline="") as file:
        return list(csv.reader(file))


def compare(rows: list[list[str]], unit: Path, end: float, **how: object) -> float:
    """The largest difference, relative to the largest value of the column."""
    times = [float(row[0]) for row in rows[1:]]
    how.setdefault("fmi_type", "CoSimulation")
    result = fmpy.simulate_fmu(
        str(unit), start_time=0.0, stop_time=end, output_interval=times[1] - times[0], **how
    )
    assert len(result) == len(times), f"{len(result)} rows instead of {len(times)}"
    worst = 0.0
    for column, head in enumerate(rows[0][1:], 1):
        name = head.split(" [")[0]
        name = f"{name} (output)" if f"{name} (output)" in result.dtype.names else name
        values = [float(row[column]) for row in rows[1:]]
        largest = max(map(abs, values))
        # What is round-off alone has no size of its own.
        largest = largest if largest > 1e-9 else 1.0
        worst = max(worst, *(abs(a - b) / largest for a, b in zip(values, result[name])))
    return worst


def under_libcosim(rows: list[list[str]], unit: Path) -> float:
    """The largest difference of the outputs at the last but one time: FMI 2.0 with the steps of the run."""
    times = [float(row[0]) for row in rows[1:]]
    step = round(times[1] * 1e9)
    execution = CosimExecution.from_step_size(step)
    slave = execution.add_local_slave(CosimLocalSlave(fmu_path=str(unit), instance_name="unit"))
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)
    # libcosim gives no stop time, and the first step is shorter with one.
    assert execution.simulate_until(step * (len(times) - 2))
    # The unit has no inputs: its outputs have the first references.
    columns = list(range(1, len(rows[0])))
    values = observer.last_real_values(slave_index=slave, variable_references=columns)
    largest = [max(abs(float(row[column])) for row in rows[1:]) or 1.0 for column in columns]
    return max(abs(value - float(rows[-2][k])) / size for k, value, size in zip(columns, values, largest))


def exchanged(fourbar: str, library: str, folder: Path) -> bool:
    """Model exchange, and co-simulation by the same unit; whether anything failed."""
    failed = False
    for name, end in EXCHANGED:
        model = MODELS / f"{name}.toml"
        # Linear systems are run exactly.
        more = () if name == "servo" else ("--tolerance", repr(EXCHANGE_TOLERANCE))
        rows, plain = run(fourbar, model, end, folder, *more), run(fourbar, model, end, folder)
        for version in (2, 3):
            unit = folder / f"{name}-both-{version}.fmu"
            arguments = ["--fmi", str(version), "--interface", "both", "--library", library, "--out", str(unit)]
            subprocess.run([fourbar, "export-fmu", str(model), *arguments], check=True)
            problems = validate_fmu(str(unit))
            how = {
                "fmi_type": "ModelExchange",
                "solver": "CVode",
                "relative_tolerance": EXCHANGE_TOLERANCE,
                "record_events": False,
            }
            worst, own = compare(rows, unit, end, **how), compare(plain, unit, end)
            bad = bool(problems) or not worst <= EXCHANGE_DIFFERENCE or not own <= TOLERANCE
            failed |= bad
            words = f"model exchange {worst:.1e}, co-simulation {own:.1e}{' FAILED' if bad else ''}"
            print(f"{name} FMI {version}, both interfaces: {words}", flush=True)
            for problem in problems:
                print(f"  {problem}")
    return failed


def solved(fourbar: str, unit: Path, rows: list[list[str]], folder: Path) -> float:
    """The largest difference of a coupled model that solves the residuals, relative to the largest value of the column."""
    times = [float(row[0]) for row in rows[1:]]
    model = folder / f"{unit.stem}-solved.toml"
    text = SOLVED.replace("END", repr(times[-1])).replace("STEP", repr(times[1])).replace("NAME", unit.name)
    model.write_text(text)
    found = run(fourbar, model, times[-1], folder)
    places = {head.split(" [")[0]: column for column, head in enumerate(found[0])}
    worst = 0.0
    for column, head in enumerate(rows[0][1:], 1):
        place = places[f"unit.{head.split(' [')[0]}"]
        values = [float(row[column]) for row in rows[1:]]
        largest = max(map(abs, values))
        largest = largest if largest > 1e-9 else 1.0
        worst = max(worst, *(abs(a - float(row[place])) / largest for a, row in zip(values, found[1:])))
    return worst


def at_start(unit: Path) -> float:
    """The largest residual at the start where residuals are on, as an importer asks for them that is not fourbar."""
    from fmpy.fmi3 import FMU3Model

    description, place = fmpy.read_model_description(str(unit)), fmpy.extract(str(unit))
    model = FMU3Model(
        guid=description.guid,
        unzipDirectory=place,
        modelIdentifier=description.modelExchange.modelIdentifier,
        instanceName="residuals",
    )
    manifest = xml.etree.ElementTree.parse(Path(place) / MANIFEST).getroot()
    switch = int(manifest.find("EnableDAEParameter").get("valueReference"))
    residuals = [int(node.get("valueReference")) for node in manifest.iterfind("ModelStructure/Residual")]
    unknowns = manifest.findall("AlgebraicVariables/AlgebraicVariable")
    assert len(unknowns) == len(residuals) > 0
    model.instantiate()
    model.enterConfigurationMode()
    model.setBoolean([switch], [True])
    model.exitConfigurationMode()
    model.enterInitializationMode(startTime=0.0)
    model.exitInitializationMode()
    model.updateDiscreteStates()
    model.enterContinuousTimeMode()
    largest = max(map(abs, model.getFloat64(residuals)))
    model.terminate()
    model.freeInstance()
    return largest


def handed_out(fourbar: str, library: str, folder: Path) -> bool:
    """Units with residuals; whether anything failed."""
    failed = False
    for name, end in RESIDUALS:
        model, unit = MODELS / f"{name}.toml", folder / f"{name}-dae.fmu"
        arguments = ["--interface", "dae", "--library", library, "--out", str(unit)]
        subprocess.run([fourbar, "export-fmu", str(model), *arguments], check=True)
        problems = validate_fmu(str(unit))
        plain = run(fourbar, model, end, folder)
        rows = run(fourbar, model, end, folder, "--tolerance", repr(EXCHANGE_TOLERANCE))
        how = {"fmi_type": "ModelExchange", "solver": "CVode", "relative_tolerance": EXCHANGE_TOLERANCE}
        ordinary, own = compare(rows, unit, end, record_events=False, **how), compare(plain, unit, end)
        left, difference = at_start(unit), solved(fourbar, unit, rows, folder)
        bad = bool(problems) or not (ordinary <= EXCHANGE_DIFFERENCE and own <= TOLERANCE)
        bad |= not (left <= 1e-9 and difference <= SOLVED_DIFFERENCE)
        failed |= bad
        words = f"model exchange {ordinary:.1e}, co-simulation {own:.1e}, residuals at the start {left:.1e}, solved {difference:.1e}"
        print(f"{name} with residuals: {words}{' FAILED' if bad else ''}", flush=True)
        for problem in problems:
            print(f"  {problem}")
    return failed


def inner(fourbar: str, library: str, folder: Path) -> bool:
    """A coupled model around an exported unit, exported and simulated; whether that failed."""
    place = folder / "inner"
    place.mkdir(exist_ok=True)
    arguments = ["--library", library, "--out", str(place / "servo.fmu")]
    subprocess.run([fourbar, "export-fmu", str(MODELS / "servo.toml"), *arguments], check=True)
    model = place / "around.toml"
    model.write_text(AROUND)
    rows = run(fourbar, model, 0.1, folder)
    unit = folder / "around.fmu"
    subprocess.run([fourbar, "export-fmu", str(model), "--library", library, "--out", str(unit)], check=True)
    (place / "servo.fmu").unlink()
    worst, problems = compare(rows, unit, 0.1), validate_fmu(str(unit))
    bad = bool(problems) or not worst <= TOLERANCE
    print(f"a unit inside a unit: largest difference {worst:.1e}{' FAILED' if bad else ''}", flush=True)
    return bad


def early(folder: Path) -> bool:
    """Intermediate updates of FMI 3.0 and early returns; whether that failed."""
    from fmpy.fmi3 import FMU3Slave

    unit = folder / "quarter-car-3.fmu"
    description = fmpy.read_model_description(str(unit))
    place = fmpy.extract(str(unit))
    slave = FMU3Slave(
        guid=description.guid,
        unzipDirectory=place,
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName="early",
    )
    output = next(v for v in description.modelVariables if v.causality == "output").valueReference
    seen: list[float] = []

    def update(env, time, set_requested, get_allowed, finished, can_return, early_requested, early_time):
        assert get_allowed and finished and can_return and not set_requested
        slave.getFloat64([output])
        seen.append(time)
        if len(seen) == 5:
            early_requested[0] = True
            early_time[0] = time

    slave.instantiate(earlyReturnAllowed=True, intermediateUpdate=update)
    slave.enterInitializationMode(startTime=0.0, stopTime=1.0)
    slave.exitInitializationMode()
    _, _, returned, reached = slave.doStep(0.0, 0.3)
    first = returned and reached == seen[4] and 0.0 < reached < 0.3
    event, end, returned, reached = slave.doStep(reached, 0.3 - reached)
    bad = not (first and not returned and abs(reached - 0.3) < 1e-12 and seen == sorted(seen) and seen[-1] < 0.3)
    slave.terminate()
    slave.freeInstance()
    print(f"intermediate updates: {len(seen)}, early return at {seen[4]:.3g} s{' FAILED' if bad else ''}", flush=True)
    return bad


def own(fourbar: str, library: str, folder: Path, spring: Path) -> bool:
    """A simulator in Rust, and one in C++ where there is a compiler, as units; whether that failed."""
    place = folder / "own"
    place.mkdir(exist_ok=True)
    shutil.copy(spring, place / spring.name)
    (place / "spring.toml").write_text(SPRING.replace("NAME", spring.name))
    unit, end = folder / "spring.fmu", 0.5
    arguments = ["--library", library, "--out", str(unit)]
    subprocess.run([fourbar, "export-fmu", str(place / "spring.toml"), *arguments], check=True)
    problems = validate_fmu(str(unit))
    # The force begins to act with the first step: 0.01 m, 100 N/m, 1 kg, 2 N.
    result = fmpy.simulate_fmu(
        str(unit), stop_time=end, output_interval=1e-2, start_values={"spring.force": 2.0}, fmi_type="CoSimulation"
    )
    worst = max(abs(x - 0.02 + 0.01 * math.cos(10.0 * t)) for t, x in zip(result["time"], result["spring.position"]))
    bad = bool(problems) or not worst <= 1e-12
    print(f"a simulator in Rust: largest difference {worst:.1e} m{' FAILED' if bad else ''}", flush=True)
    for problem in problems:
        print(f"  {problem}")
    compiler, root = shutil.which("c++"), MODELS.parent
    if compiler is None:
        print("skipped: a simulator in C++ as a unit, for which there is no compiler named c++")
        return bad
    source, built = root / "examples" / "partner" / "cylinder.cpp", place / f"libcylinder{spring.suffix}"
    include = ["-I", str(root / "include")]
    subprocess.run([compiler, "-std=c++17", "-O2", "-shared", "-fPIC", *include, str(source), "-o", str(built)], check=True)
    model = place / "mass-and-cylinder.toml"
    text = (source.parent / model.name).read_text()
    model.write_text(text.replace("process = true", "process = false").replace("libcylinder", built.name))
    rows = run(fourbar, model, 0.05, folder)
    unit = folder / "cylinder.fmu"
    subprocess.run([fourbar, "export-fmu", str(model), "--library", library, "--out", str(unit)], check=True)
    worst = compare(rows, unit, 0.05)
    wrong = bool(validate_fmu(str(unit))) or not worst <= TOLERANCE
    print(f"a simulator in C++: largest difference {worst:.1e}{' FAILED' if wrong else ''}", flush=True)
    return bad or wrong


def tuned(folder: Path) -> bool:
    """A parameter that is set between steps, and one that cannot be; whether that failed."""
    from fmpy.fmi3 import FMU3Slave

    unit = folder / "hydraulic-axis-3.fmu"
    description = fmpy.read_model_description(str(unit))
    slave = FMU3Slave(
        guid=description.guid,
        unzipDirectory=fmpy.extract(str(unit)),
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName="tuned",
    )
    variables = {v.name: v for v in description.modelVariables}
    leakage = variables["parameters.leakage"]
    slave.instantiate()
    slave.enterInitializationMode(startTime=0.0, stopTime=1.0)
    slave.exitInitializationMode()
    slave.doStep(0.0, 0.01)
    slave.setFloat64([leakage.valueReference], [4e-11])
    slave.doStep(0.01, 0.01)
    good = leakage.variability == "tunable" and slave.getFloat64([leakage.valueReference]) == [4e-11]
    slave.terminate()
    slave.freeInstance()
    print(f"a parameter between steps: {leakage.variability}{'' if good else ' FAILED'}", flush=True)
    return not good


def main() -> int:
    fourbar, library, folder, spring = sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
    failed = False
    for name, end in CASES:
        model = MODELS / f"{name}.toml"
        rows = run(fourbar, model, end, folder)
        for version in (2, 3):
            unit = folder / f"{name}-{version}.fmu"
            arguments = ["--fmi", str(version), "--library", library, "--out", str(unit)]
            subprocess.run([fourbar, "export-fmu", str(model), *arguments], check=True)
            problems = validate_fmu(str(unit))
            worst = compare(rows, unit, end)
            if name == COSIM and version == 2:
                other = under_libcosim(rows, unit)
                failed |= not other <= COSIM_TOLERANCE
                print(f"{name} FMI 2 under libcosim: difference {other:.1e}")
            bad = bool(problems) or not worst <= TOLERANCE
            failed |= bad
            print(f"{name} FMI {version}: largest difference {worst:.1e}{' FAILED' if bad else ''}", flush=True)
            for problem in problems:
                print(f"  {problem}")
    failed |= exchanged(fourbar, library, folder)
    failed |= handed_out(fourbar, library, folder)
    failed |= inner(fourbar, library, folder)
    failed |= early(folder)
    failed |= tuned(folder)
    failed |= own(fourbar, library, folder, spring)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
