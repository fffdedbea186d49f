"""What the package adds to runs and single steps, beside the same in C on the library of the wheel.

    python python/benches/overhead.py

It compiles overhead.c by cc. The fastest of seven repetitions in four rounds counts on both sides. A call from C costs 10 ns more than one in Rust (docs/c-abi.md).
"""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

import fourbar as fb

STEPS = 10_000
REPEATS = 7
ROUNDS = 4
STEP = 1e-4
ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "models" / "four-bar.toml"


def in_c():
    """The times of overhead.c."""
    library = next((Path(fb.__file__).parent / "_native").glob("*.so"))
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "overhead"
        # The name by which the loader looks for the library.
        (Path(folder) / "libfourbar_capi.so").symlink_to(library)
        source = ROOT / "python" / "benches" / "overhead.c"
        subprocess.run(["cc", "-std=c99", "-O2", f"-I{ROOT / 'include'}", source, library, "-o", program], check=True)
        environment = {**os.environ, "LD_LIBRARY_PATH": folder}
        done = subprocess.run([program, MODEL], env=environment, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def fastest(once, prepare=lambda: None):
    best = float("inf")
    for _ in range(REPEATS):
        prepared = prepare()
        begin = time.perf_counter()
        once(prepared)
        best = min(best, time.perf_counter() - begin)
    return best


def steps_of_a_mechanism(mechanism):
    simulation = mechanism.simulate()
    for k in range(1, STEPS + 1):
        simulation.step_to(k * STEP)


def steps_of_a_linear_system(stepper):
    for k in range(STEPS):
        stepper.step(k * 1e-4)


def main():
    mechanism = fb.Model.from_file(MODEL).compile()
    a = [[0, 1, 0, 0], [-4, -0.4, 1, 0], [0, 0, 0, 1], [0, 0, -9, -0.6]]
    system = fb.StateSpace(a, [[0], [0], [0], [1]], [[1, 0, 0, 0]], [[0]])
    stepper = system.stepper(1e-3)
    stepper.set_input([0.0])
    samples = [k * 1e-4 for k in range(STEPS)]
    measured = {
        "run": lambda: fastest(lambda _: fb.run(MODEL)),
        "mechanism_steps": lambda: fastest(lambda _: steps_of_a_mechanism(mechanism)),
        "linear_steps": lambda: fastest(lambda _: steps_of_a_linear_system(stepper)),
    }
    c, found = in_c(), {name: once() for name, once in measured.items()}
    for _ in range(ROUNDS - 1):  # in turns: others use the machine too
        c = {name: min(own, c[name]) for name, own in in_c().items()}
        found = {name: min(found[name], once()) for name, once in measured.items()}
    print(f"{'':<18}{'C [ms]':>12}{'Python [ms]':>12}{'more':>10}{'a step':>12}")
    for name, own in found.items():
        more = own - c[name]
        each = "" if name == "run" else f"{1e6 * more / STEPS:.2f} us"
        print(f"{name:<18}{1e3 * c[name]:>12.2f}{1e3 * own:>12.2f}{100 * more / c[name]:>9.0f}%{each:>12}")
    whole = fastest(lambda _: stepper.run(samples))
    print(f"{'linear, one call':<18}{1e3 * c['linear_steps']:>12.2f}{1e3 * whole:>12.2f}")


if __name__ == "__main__":
    main()
