"""What copies, what pickles, and what says why not."""

import concurrent.futures
import copy
import multiprocessing
import pickle

import numpy as np
import pytest
from conftest import MODELS, pendulum_of

import fourbar as fb
from fourbar import errors

DUPLICATES = [copy.copy, copy.deepcopy]


def again(value):
    return pickle.loads(pickle.dumps(value))


def oscillator():
    return fb.StateSpace([[0.0, 1.0], [-4.0, -0.4]], [[0.0], [1.0]])


@pytest.mark.parametrize("duplicate", [*DUPLICATES, again])
@pytest.mark.parametrize(("method", "order"), [("algorithm_1", 1), ("algorithm_2", 3)])
def test_a_copied_stepper_goes_on_by_itself(duplicate, method, order):
    stepper = oscillator().stepper(0.1, method, order)
    stepper.simulate(lambda t: [np.sin(t)], 7)
    own = duplicate(stepper)
    assert own.time == stepper.time and np.array_equal(own.state, stepper.state)
    own.step([1.0])
    assert own.time > stepper.time and not np.array_equal(own.state, stepper.state)
    assert np.array_equal(stepper.step([1.0]), own.state) and np.array_equal(stepper.state, own.state)


@pytest.mark.parametrize("duplicate", [*DUPLICATES, again])
def test_a_linear_system_is_its_own_copy(duplicate):
    system = fb.linearize(pendulum_of(), "equilibrium").system
    own = duplicate(system)
    assert np.array_equal(own.A, system.A) and np.array_equal(own.C, system.C) and own.outputs == system.outputs
    assert np.array_equal(again(system.discretize(0.1)).exponential, system.discretize(0.1).exponential)


@pytest.mark.parametrize("duplicate", DUPLICATES)
def test_a_copied_simulation_goes_on_by_itself(pendulum, duplicate):
    simulation = pendulum.compile().simulate(tolerance=1e-7)
    simulation.step_to(0.3)
    own = duplicate(simulation)
    own.step_to(0.6)
    assert simulation.time == 0.3 and own.time == 0.6
    simulation.step_to(0.6)
    assert np.array_equal(simulation.state, own.state)


@pytest.mark.parametrize("duplicate", [*DUPLICATES, again])
def test_a_copied_model_is_built_on_by_itself(pendulum, duplicate):
    own = duplicate(pendulum)
    assert own.to_toml() == pendulum.to_toml()
    own.measure("energy", "total_energy")
    own._tables["simulation"]["tolerance"] = 1e-9
    assert "energy" not in pendulum.to_toml() and "tolerance" not in pendulum.to_toml()
    assert "energy" in own.run(end=0.01)


def test_results_copy_and_pickle(pendulum, tmp_path):
    results = pendulum.run(end=0.1)
    for own in (copy.copy(results), copy.deepcopy(results), again(results)):
        assert list(own) == list(results) and own.units == results.units and own.summary == results.summary
        assert np.array_equal(own["angle"], results["angle"]) and np.array_equal(own.time, results.time)
    copy.deepcopy(results)["angle"][0] = 77.0
    assert results["angle"][0] != 77.0
    copy.copy(results).write_csv(tmp_path / "copied.csv")
    results.write_csv(tmp_path / "own.csv")
    assert (tmp_path / "copied.csv").read_text() == (tmp_path / "own.csv").read_text()
    with pytest.raises(errors.StateError, match="where they were made"):
        again(results).write_csv(tmp_path / "pickled.csv")
    assert "<table>" in again(results)._repr_html_()


def run_at(model, gravity):
    model.set(g=gravity)
    return model.run(end=0.2)


def test_processes_of_a_pool_hand_models_and_results_on():
    model = fb.Model("fall", gravity=(0, "-g", 0), parameters={"g": 1.0})
    model.bar("rod", (0, 0), (1, 0), mass=2.0)
    model.revolute("pivot", "rod", "ground")
    model.measure("angle", "angle", i="rod")
    given = [1.0, 9.81]
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(run_at, [model, model], given))
    for results, gravity in zip(found, given):
        assert np.array_equal(results["angle"], run_at(model, gravity)["angle"])


def stateful():
    mechanism = pendulum_of().compile()
    simulation = mechanism.simulate()
    stepper = oscillator().stepper(0.1)
    problem = fb.Problem(1, rhs=lambda t, y: [-y[0]])
    simulator = fb.Simulator(fb.Model.from_file(MODELS / "servo.toml"))
    return {
        "integration": problem.integrate(0.0, [1.0]),
        "simulator": simulator,
        "equations": mechanism.equations(),
        "mechanism": mechanism,
        "simulation": simulation,
        "problem": problem,
        "point of a simulation": simulation.save(),
        "point of a stepper": stepper.save(),
        "point of a simulator": simulator.save(),
    }


def test_what_does_not_copy_or_pickle_says_what_to_do():
    remedies = {
        "integration": "begin another one",
        "simulator": "Model",
        "equations": "Model",
        "mechanism": "Model",
        "simulation": "to_bytes",
        "problem": "functions",
        "point of a simulation": "to_bytes",
        "point of a stepper": "to_bytes",
        "point of a simulator": "Model",
    }
    for name, own in stateful().items():
        with pytest.raises(errors.UnsupportedError, match=remedies[name]):
            pickle.dumps(own)
        for duplicate in DUPLICATES:
            if name in ("integration", "simulator", "equations"):
                with pytest.raises(errors.UnsupportedError, match="do not copy"):
                    duplicate(own)
            elif name != "simulation":
                assert duplicate(own) is own
    problem = again(fb.KnownProblem(fb.known_problems()[0]))
    assert problem.columns and problem.title
