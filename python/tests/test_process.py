"""Ctrl-C, threads, fork, memory."""

import os
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest
from conftest import MODELS, pendulum_of

import fourbar as fb
from fourbar import errors

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


def interrupted(body):
    """Runs a program that prints "ready", sends it SIGINT, and gives what it prints afterwards."""
    program = "import time, fourbar as fb\n" + textwrap.dedent(body)
    command = [sys.executable, "-c", program, str(MODELS)]
    # A shell lets what it starts in the background ignore SIGINT, and Python then has no KeyboardInterrupt.
    heard = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heard)
    assert process.stdout.readline() == "ready\n"
    # It is in the call, or about to be: the interrupt must end it either way.
    threading.Event().wait(0.3)
    process.send_signal(signal.SIGINT)
    said, wrong = process.communicate(timeout=60)
    return said, wrong, process.returncode


LONG_RUN = """
import sys
model = fb.Model.from_file(sys.argv[1] + "/double-pendulum.toml")
print("ready", flush=True)
"""


def test_ctrl_c_ends_a_run():
    said, wrong, code = interrupted(LONG_RUN + "model.run(end=1e6, output_step=1e5, max_step=1e-4)\n")
    assert "KeyboardInterrupt" in wrong and code != 0 and said == ""


def test_a_simulation_goes_on_after_ctrl_c():
    said, wrong, code = interrupted(
        LONG_RUN
        + textwrap.dedent(
            """
            simulation = model.compile().simulate(max_step=1e-4)
            try:
                simulation.step_to(1e6)
            except KeyboardInterrupt:
                then = simulation.time
                simulation.step_to(then + 0.01)
                print("went on", simulation.time - then)
            """
        )
    )
    assert code == 0, wrong
    assert float(said.removeprefix("went on ")) == pytest.approx(0.01)


def test_ctrl_c_ends_a_solution_and_a_callback():
    said, wrong, code = interrupted(
        """
        print("ready", flush=True)
        try:
            fb.solve_ode(lambda t, y: [y[1], -y[0]], (0, 1e9), [1.0, 0.0], t_eval=[1e9])
        except KeyboardInterrupt:
            print("ended")
        """
    )
    assert said == "ended\n" and code == 0, wrong


def test_a_handler_that_raises_nothing_ends_the_call_with_an_error():
    said, wrong, code = interrupted(
        LONG_RUN
        + textwrap.dedent(
            """
            import signal
            seen = []
            signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
            try:
                model.run(end=1e6, output_step=1e5, max_step=1e-4)
            except fb.errors.InterruptedCallError:
                print("ended", len(seen))
            """
        )
    )
    assert said == "ended 1\n" and code == 0, wrong


def test_an_event_loop_still_hears_of_signals():
    said, wrong, code = interrupted(
        LONG_RUN
        + textwrap.dedent(
            """
            import signal, socket
            reader, writer = socket.socketpair()
            writer.setblocking(False)
            signal.set_wakeup_fd(writer.fileno())
            try:
                model.run(end=1e6, output_step=1e5, max_step=1e-4)
            except KeyboardInterrupt:
                reader.settimeout(10)
                print("heard", reader.recv(1)[0], signal.set_wakeup_fd(-1) == writer.fileno())
            """
        )
    )
    assert said == f"heard {int(signal.SIGINT)} True\n" and code == 0, wrong


def test_runs_on_two_threads_are_as_one_after_the_other():
    model = fb.Model.from_file(MODELS / "four-bar.toml")
    alone = model.run(end=0.5)
    found = {}

    def run(k):
        found[k] = model.run(end=0.5)

    threads = [threading.Thread(target=run, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(found[k][name], alone[name]) for k in range(2) for name in alone)


def test_python_goes_on_while_the_library_computes():
    """Without the GIL: another thread counts, and then ends the run by what a callback raises."""
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        fb.Model.from_file(MODELS / "double-pendulum.toml").run(end=20.0)
        during = counted[0]
    finally:
        done.set()
        thread.join()
    assert during > 0


def test_callbacks_on_threads_keep_their_exceptions_apart():
    def make(k):
        def torque(t, angle):
            if t > 0.1 * (k + 1):
                raise ValueError(str(k))
            return 0.0

        model = pendulum_of()
        model.force("motor", "axial_torque", i="rod", j="ground", value=torque, arguments=["angle"])
        return model

    caught = {}

    def run(k):
        try:
            make(k).run(end=1.0)
        except ValueError as error:
            caught[k] = str(error)

    threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert caught == {k: str(k) for k in range(4)}


def test_one_simulation_on_two_threads_is_refused():
    inside, leave = threading.Event(), threading.Event()

    def torque(t, angle):
        inside.set()
        assert leave.wait(30)
        return 0.0

    armed = []
    model = pendulum_of()
    model.force("motor", "axial_torque", i="rod", j="ground", value=lambda t, a: torque(t, a) if armed else 0.0, arguments=["angle"])
    simulation = model.compile().simulate()
    armed.append(1)
    thread = threading.Thread(target=simulation.step_to, args=(0.1,))
    thread.start()
    assert inside.wait(30)
    with pytest.raises(errors.BusyError):
        simulation.step_to(0.2)
    leave.set()
    thread.join()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_of_fork_computes():
    program = """
import os, sys, fourbar as fb
model = fb.Model.from_file(sys.argv[1] + "/pendulum.toml")
model.run(end=0.1)
child = os.fork()
if child == 0:
    os._exit(0 if model.run(end=0.1).status == "done" else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program, MODELS], capture_output=True, text=True, timeout=60)
    assert done.stdout == "0\n", done.stderr
