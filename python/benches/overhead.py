"""What the package adds to runs and single steps, beside the same in Rust.

    cargo run --release --example python_overhead > rust.json
    python python/benches/overhead.py rust.json

The fastest of seven repetitions counts on both sides.
"""

import json
import sys
import time
from pathlib import Path

import fourbar as fb

STEPS = 10_000
REPEATS = 7
STEP = 1e-4
MODEL = Path(__file__).resolve().parents[2] / "models" / "four-bar.toml"


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
    rust = json.loads(Path(sys.argv[1]).read_text())
    mechanism = fb.Model.from_file(MODEL).compile()
    a = [[0, 1, 0, 0], [-4, -0.4, 1, 0], [0, 0, 0, 1], [0, 0, -9, -0.6]]
    system = fb.StateSpace(a, [[0], [0], [0], [1]], [[1, 0, 0, 0]], [[0]])
    stepper = system.stepper(1e-3)
    stepper.set_input([0.0])
    samples = [k * 1e-4 for k in range(STEPS)]
    found = {
        "run": fastest(lambda _: fb.run(MODEL)),
        "mechanism_steps": fastest(lambda _: steps_of_a_mechanism(mechanism)),
        "linear_steps": fastest(lambda _: steps_of_a_linear_system(stepper)),
    }
    print(f"{'':<18}{'Rust [ms]':>12}{'Python [ms]':>12}{'more':>10}{'a step':>12}")
    for name, own in found.items():
        more = own - rust[name]
        each = "" if name == "run" else f"{1e6 * more / STEPS:.2f} us"
        print(f"{name:<18}{1e3 * rust[name]:>12.2f}{1e3 * own:>12.2f}{100 * more / rust[name]:>9.0f}%{each:>12}")
    whole = fastest(lambda _: stepper.run(samples))
    print(f"{'linear, one call':<18}{1e3 * rust['linear_steps']:>12.2f}{1e3 * whole:>12.2f}")


if __name__ == "__main__":
    main()
