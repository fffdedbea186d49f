"""Exported units under FMPy: valid, and equal to `fourbar run` at the same times. One of FMI 2.0 under libcosim.

usage: check.py FOURBAR LIBRARY FOLDER
"""

import csv
import subprocess
import sys
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
# Exact steps, so that the missing stop time changes nothing but round-off.
COSIM, COSIM_TOLERANCE = "servo", 1e-12


def run(fourbar: str, model: Path, end: float, folder: Path) -> list[list[str]]:
    """The rows of the run, its head first."""
    out = folder / f"{model.stem}.csv"
    subprocess.run([fourbar, "run", str(model), "--end", repr(end), "--out", str(out), "--quiet"], check=True)
    with open(out, newline="") as file:
        return list(csv.reader(file))


def compare(rows: list[list[str]], unit: Path, end: float) -> float:
    """The largest difference, relative to the largest value of the column."""
    times = [float(row[0]) for row in rows[1:]]
    result = fmpy.simulate_fmu(
        str(unit), start_time=0.0, stop_time=end, output_interval=times[1] - times[0], fmi_type="CoSimulation"
    )
    assert len(result) == len(times), f"{len(result)} rows instead of {len(times)}"
    worst = 0.0
    for column, head in enumerate(rows[0][1:], 1):
        name = head.split(" [")[0]
        name = f"{name} (output)" if f"{name} (output)" in result.dtype.names else name
        values = [float(row[column]) for row in rows[1:]]
        largest = max(map(abs, values)) or 1.0
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


def main() -> int:
    fourbar, library, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
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
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
