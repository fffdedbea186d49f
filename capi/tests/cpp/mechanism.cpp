// Models and simulations through fourbar.hpp: built call by call, forces from lambdas, exceptions through the library.
#include "check.hpp"

#include <stdexcept>
#include <string>

namespace {

constexpr double gravity = 13.750371636040745655; // a period of 2 s for the rod let go from the horizontal
constexpr double pi = 3.14159265358979323846;

fourbar::model pendulum() {
    fourbar::model model;
    model.set_name("pendulum");
    model.set_gravity(0.0, -gravity, 0.0);
    fourbar::body rod("rod", 1.0);
    rod.inertia[0] = 1e-3;
    rod.inertia[1] = rod.inertia[2] = 0.1875;
    rod.center_of_mass[0] = 0.75;
    model.add(rod);
    model.add_joint("pivot", FOURBAR_JOINT_REVOLUTE, "rod", "ground");
    fourbar::measure angle("angle", FOURBAR_MEASURE_ANGLE);
    angle.i = "rod";
    model.add(angle);
    return model;
}

void period() {
    const auto mechanism = pendulum().compile();
    CHECK(mechanism.figures().degrees_of_freedom == 1 && mechanism.name(FOURBAR_PART_MEASURE, 0) == "angle");
    CHECK(mechanism.unit(FOURBAR_PART_MEASURE, 0) == "rad" && mechanism.find(FOURBAR_PART_BODY, "rod") == 0);
    THROWS(mechanism.find(FOURBAR_PART_BODY, "rot"), FOURBAR_NO_SUCH_NAME);
    fourbar::simulation_options options;
    options.tolerance = 1e-8;
    fourbar::simulation simulation(mechanism, options);
    while (simulation.advance(2.5) != FOURBAR_PROGRESS_END) {
    }
    CHECK(simulation.time() == 2.5 && simulation.steps() == simulation.statistics().steps);
    CHECK(std::abs(simulation.measure("angle") + pi / 2.0) < 1e-5 && simulation.measures().size() == 1);
    const auto saved = simulation.save();
    simulation.step(0.5);
    const auto state = simulation.state();
    auto bytes = simulation.to_bytes(saved);
    simulation.restore(simulation.from_bytes(bytes));
    bytes.pop_back();
    THROWS(simulation.from_bytes(bytes), FOURBAR_INVALID);
    simulation.step_to(3.0);
    CHECK(simulation.state() == state && simulation.body(0).center_of_mass[2] == 0.0);
    simulation.set_state(0.0, state);
    CHECK(simulation.find_equilibrium().stable);
    CHECK(std::abs(simulation.reaction(FOURBAR_PART_JOINT, 0)[1] - gravity) < 1e-8);
    const auto linear = simulation.linearize();
    CHECK(linear.coordinates.size() == 1 && linear.plant.states() == 2 && linear.plant.matrix(FOURBAR_MATRIX_C).size() == 2);
    CHECK(std::abs(std::abs(linear.plant.eigenvalues().second[0]) - std::sqrt(gravity)) < 1e-8);
    CHECK(simulation.event_count() == 0);
}

void callables() {
    auto model = pendulum();
    model.add(fourbar::force("motor", FOURBAR_FORCE_AXIAL_TORQUE, "rod", "ground"));
    bool fails = false;
    // Holds the rod against gravity: it stays where it is.
    model.set_force("motor", {"angle"}, 1, [&](double time, fourbar::input arguments, fourbar::output value) {
        if (fails && time > 0.5) {
            throw std::out_of_range("no current");
        }
        value[0] = gravity * 0.75 * std::cos(arguments[0]);
    });
    fourbar::simulation simulation(model.compile());
    simulation.step_to(0.4);
    CHECK(std::abs(simulation.measure("angle")) < 1e-9);
    fails = true;
    bool caught = false;
    try {
        simulation.step_to(1.0);
    } catch (const std::out_of_range &thrown) {
        caught = std::string(thrown.what()) == "no current";
    }
    CHECK(caught && simulation.time() <= 0.5);
    fails = false;
    simulation.step_to(1.0);
    CHECK(std::abs(simulation.measure("angle")) < 1e-9);
}

void motions() {
    auto model = pendulum();
    model.add(fourbar::motion("turn", "pivot", "0"));
    model.set_motion("turn", [](double time, fourbar::output value) {
        value[0] = std::sin(time);
        value[1] = std::cos(time);
        value[2] = -std::sin(time);
    });
    const auto angles = model.compile().kinematics({0.5, 1.5});
    CHECK(std::abs(angles[0] - std::sin(0.5)) < 1e-12 && std::abs(angles[1] - std::sin(1.5)) < 1e-12);
    // Without a function the expression of the model is in force again.
    model.set_motion("turn", nullptr);
    CHECK(std::abs(model.compile().kinematics({0.5})[0]) < 1e-12);
}

void files() {
    int messages = 0;
    fourbar::set_log([&](fourbar_log_level, const char *) { messages++; });
    auto model = fourbar::model::from_file("models/four-bar.toml");
    model.add_input("push", "N", 0.0);
    model.add_marker("tip", "coupler");
    fourbar::force push("push", FOURBAR_FORCE_VECTOR, "tip");
    push.value[0] = "push";
    model.add(push);
    fourbar::simulation simulation(model.compile());
    CHECK(messages > 3);
    fourbar::set_log({});
    simulation.set_input("push", 1.0);
    simulation.set_inputs({2.0, 0.0, 0.0});
    double inputs[3] = {0.0, 1.0, 1.0};
    simulation.inputs(inputs);
    CHECK(inputs[0] == 2.0 && inputs[1] == 0.0);
    simulation.step_to(0.1);
    THROWS(fourbar::model::from_toml("[[body]]", "bad.toml"), FOURBAR_INVALID);
    THROWS(model.add_toml("[[body]]"), FOURBAR_INVALID);
    model.set_parameter("crank", 0.11);
    model.add_actuator("pump", "rocker", "crank", false, 0.0);
    CHECK(model.compile().figures().inputs == 2);
    CHECK((fourbar::capabilities().features & FOURBAR_HAS_MECHANISM) != 0);
    fourbar::simulation impacts(fourbar::model::from_file("models/fourbar-impact.toml").compile());
    impacts.step_to(0.2);
    CHECK(impacts.event_count() > 3 && impacts.event(0).kind == FOURBAR_EVENT_IMPACT && !impacts.event_text(0).empty());
    impacts.clear_events();
    CHECK(impacts.event_count() == 0);
}

} // namespace

int main() {
    period();
    callables();
    motions();
    files();
    return 0;
}
