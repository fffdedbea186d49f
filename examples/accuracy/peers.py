#!/usr/bin/env python3
"""fourbar beside exudyn, SUNDIALS and SciPy at equal error, on one core: the table "Beside peers" of docs/multibody-results.md.

    python3 -m venv peers && peers/bin/pip install exudyn scipy numpy
    cargo build --release -p fourbar-app
    peers/bin/python examples/accuracy/peers.py > table.md

SUNDIALS 6 with its headers and a C compiler take part if they are there. For each problem and program the loosest tolerance of 1e-3, 3e-4,
1e-4 .. is searched at which the error of positions, the largest over all times of the reference, is small enough. Times are processor times
of the solution, the least of the repeats: other work on the machine hardly changes them. fourbar's are the difference between the processor
times of two processes with few and with many repeats, divided by their number; the others read the clock of their process.
"""

import argparse
import datetime
import importlib.metadata
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Tolerances, from loose to tight.
TOLERANCES = [float(f"{m}e{e}") for e in range(-3, -13, -1) for m in ("1", "0.3")]
# What a measurement of fourbar lasts about [s].
LASTS = 0.5
SCIPY = ("Radau", "BDF", "LSODA")
# Problem, what it is, error that is allowed, methods of fourbar, methods of SciPy.
CASES = (
    ("andrews", "Andrews' mechanism, 0.03 s", 1e-6, ("gstiff si2", "gstiff si1", "gstiff i3", "abam partitioned"), SCIPY),
    ("A05_governor", "governor, 10 s", 1e-4, ("gstiff si2", "gstiff i3"), SCIPY),
    ("chain_N10", "chain of 10 rods, 1 s", 1e-4, ("gstiff si2", "gstiff i3", "abam partitioned"), SCIPY),
    ("chain_N100", "chain of 100 rods, 0.5 s", 1e-4, ("gstiff si2", "gstiff i3", "abam partitioned"), SCIPY),
    # A matrix by differences of 2,000 unknowns takes Radau and BDF minutes.
    ("chain_N1000", "chain of 1000 rods, 0.5 s", 1e-4, ("gstiff si2", "gstiff i3", "abam partitioned"), ("LSODA",)),
    ("A02_N40_10s", "40 four-bars in a row, 10 s, through singular positions", 1e-3, ("gstiff si2", "gstiff i3", "abam partitioned"), SCIPY),
)


class Late(Exception):
    """A run that takes longer than allowed."""


class Program:
    """A program with its name, the version of it, and how fourbar accuracy is told to run it."""

    def __init__(self, name, version, options, series, environment=None):
        self.name, self.version, self.options, self.series = name, version, options, series
        self.environment = {**os.environ, **(environment or {})}


def call(arguments, problem, program, tolerance, repeats):
    """Runs fourbar accuracy once: the record of the program, where it was made, and the processor time of all processes [s]."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        line = [arguments.fourbar, "accuracy", problem, *program.options, "--tolerance", repr(tolerance), "--repeats", str(repeats)]
        line += ["--quiet", "--json", str(answer)]
        before = os.times()
        child = subprocess.Popen(line, env=program.environment, stdout=subprocess.DEVNULL, start_new_session=True)
        try:
            code = child.wait(arguments.limit)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            raise Late from None
        after = os.times()
        if code != 0:
            sys.exit(f"{' '.join(line)} ended with {code}")
        results = json.loads(answer.read_text())
    found = next(own for own in results["records"] if own["program"] == program.series)
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return found, results["machine"], spent


def search(arguments, problem, program, goal):
    """The loosest tolerance at which the error is small enough, with its record; else the record with the least error."""
    best = None
    for tolerance in TOLERANCES:
        try:
            record, machine, _ = call(arguments, problem, program, tolerance, 1)
        except Late:
            if best is None:
                raise
            break
        if "failure" in record:
            best = best or (tolerance, record, machine)
            continue
        error = record["errors"]["position"]
        if best is None or "failure" in best[1] or error < best[1]["errors"]["position"]:
            best = tolerance, record, machine
        if error <= goal:
            break
    return best


def measure(arguments, problem, program, tolerance, record):
    """The least processor time of a solution [s]."""
    if program.series != "fourbar":
        runs = (call(arguments, problem, program, tolerance, 1)[0] for _ in range(arguments.repeats))
        return min([record["work"]["seconds"], *(run["work"]["seconds"] for run in runs)])
    count = min(1000, max(1, round(LASTS / record["work"]["seconds"])))
    spent = lambda repeats: call(arguments, problem, program, tolerance, repeats)[2]
    return min((spent(1 + count) - spent(1)) / count for _ in range(arguments.repeats))


def programs(fourbar, scipy, folder):
    """Those that take part in a problem; `folder` holds what was compiled."""
    for method in fourbar:
        integrator, formulation = method.split()
        yield Program(f"fourbar `{method}`", "", ["--integrator", integrator, "--formulation", formulation], "fourbar")
    # The others come after the cheapest run of fourbar itself.
    beside = ["--integrator", "gstiff", "--formulation", "i3", "--max-steps", "1"]
    with_ = lambda path: [*beside, "--with", str(path)]
    if (Path(folder) / "ida_andrews").exists():
        yield Program("IDA by hand in C", "SUNDIALS", with_(Path(folder) / "ida_andrews"), "ida_andrews")
    exudyn = HERE / "exudyn_solver.py"
    yield Program("exudyn, trapezoidal rule", "exudyn", with_(exudyn), "exudyn_solver")
    yield Program("exudyn, generalized alpha", "exudyn", with_(exudyn), "exudyn_solver", {"EXUDYN_METHOD": "GeneralizedAlpha"})
    for method in scipy:
        yield Program(f"SciPy {method}, equations by hand", "scipy", with_(HERE / "scipy_solver.py"), "scipy_solver", {"SCIPY_METHOD": method})


def compiled(folder):
    """Compiles the peer in C; its version, or why it does not take part."""
    compiler = shutil.which("cc")
    libraries = ["-lsundials_ida", "-lsundials_nvecserial", "-lsundials_sunmatrixdense", "-lsundials_sunlinsoldense", "-lm"]
    target = str(Path(folder) / "ida_andrews")
    if compiler is None:
        return "absent (no C compiler)"
    built = subprocess.run([compiler, "-O3", "-march=native", str(HERE / "ida_andrews.c"), "-o", target, *libraries], capture_output=True)
    if built.returncode != 0:
        return "absent (its headers or libraries are not found)"
    printed = subprocess.run(
        [compiler, "-E", "-P", "-x", "c", "-"], input="#include <sundials/sundials_config.h>\nSUNDIALS_VERSION\n", capture_output=True, text=True
    )
    return printed.stdout.split()[-1].strip('"')


def short(value):
    """1e-6, 3.4e-5."""
    digits, exponent = f"{value:.1e}".split("e")
    return f"{digits.removesuffix('.0')}e{int(exponent)}"


def milliseconds(seconds):
    return f"{seconds * 1e3:.0f} ms" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"


def row(arguments, title, problem, goal, program):
    cells = [title, program.name]
    try:
        tolerance, record, machine = search(arguments, problem, program, goal)
        if "failure" in record:
            return [*cells, "", "fails at all tolerances", ""], machine
        error = record["errors"]["position"]
        met = short(error) if error <= goal else f"{short(error)} at best"
        seconds = measure(arguments, problem, program, tolerance, record)
        return [*cells, short(tolerance), met, milliseconds(seconds)], machine
    except Late:
        return [*cells, "", "", f"more than {arguments.limit:g} s"], None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", nargs="*", help=f"of {', '.join(case[0] for case in CASES)}; all if left out")
    parser.add_argument("--fourbar", default=str(HERE.parents[1] / "target/release/fourbar"), help="the program")
    parser.add_argument("--repeats", type=int, default=5, help="measurements of which the least counts")
    parser.add_argument("--limit", type=float, default=60.0, help="most seconds of one process")
    parser.add_argument("--core", type=int, default=0, help="the core that all run on")
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {arguments.core})
    # One thread for all, and the Python that runs this script for its programs.
    os.environ.update({name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")})
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    rows, machine = [], None
    with tempfile.TemporaryDirectory() as folder:
        sundials = compiled(folder)
        for problem, title, goal, fourbar, scipy in CASES:
            if arguments.problems and problem not in arguments.problems:
                continue
            for program in programs(fourbar, scipy, folder):
                if program.series == "ida_andrews" and problem != "andrews":
                    continue
                cells, where = row(arguments, f"{title}, to {short(goal)}", problem, goal, program)
                machine = where or machine
                rows.append(cells)
                print(" | ".join(cells), f"[{time.strftime('%H:%M:%S')}]", file=sys.stderr, flush=True)
    write(arguments, rows, machine or {}, sundials)


def write(arguments, rows, machine, sundials):
    versions = [f"{name} {importlib.metadata.version(name)}" for name in ("exudyn", "scipy", "numpy")]
    python = f"Python {sys.version.split()[0]}"
    print(f"fourbar {machine.get('version')} at commit {machine.get('commit')}, SUNDIALS {sundials}, {', '.join(versions)}, {python};")
    print(f"{machine.get('processor')}, one core, {machine.get('system')}, {datetime.date.today()}; least of {arguments.repeats}.\n")
    print("| problem, error allowed | program | tolerance | error of positions | processor time |\n|---|---|---|---|---|")
    last = None
    for title, *cells in rows:
        print(f"| {title if title != last else ''} | {' | '.join(cells)} |")
        last = title


if __name__ == "__main__":
    main()
