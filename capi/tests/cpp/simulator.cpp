// Circuits and linear systems of model files, joint starts, and interrupts through fourbar.hpp.
#include "check.hpp"

namespace {

void circuit() {
    auto axis = fourbar::simulator::from_file("models/hydraulic-axis.toml");
    const auto command = axis.find(FOURBAR_PART_INPUT, "command");
    CHECK(command < axis.size(FOURBAR_PART_INPUT) && axis.name(FOURBAR_PART_INPUT, command) == "command");
    CHECK(axis.unit(FOURBAR_PART_INPUT, command) == "1");
    axis.set_input("command", 0.1);
    axis.step_to(0.01);
    const auto saved = axis.save();
    axis.step(0.01);
    const auto there = axis.measures();
    CHECK(there.size() == axis.size(FOURBAR_PART_MEASURE));
    axis.restore(saved);
    CHECK(axis.time() == 0.01);
    axis.step(0.01);
    CHECK(axis.measures() == there && axis.measure(axis.name(FOURBAR_PART_MEASURE, 0)) == there[0]);
    std::vector<double> inputs(3 * axis.size(FOURBAR_PART_INPUT));
    axis.inputs(inputs);
    axis.set_inputs(inputs);
    THROWS(axis.measure("no such"), FOURBAR_NO_SUCH_NAME);
    THROWS(fourbar::simulator::from_file("models/pendulum.toml"), FOURBAR_UNSUPPORTED);
    THROWS(fourbar::simulator::from_toml("type = \"linear\""), FOURBAR_INVALID);
}

void interrupted() {
    fourbar::model model;
    fourbar::body rod("rod", 2.0);
    const double inertia[6] = {1e-3, 0.1, 0.1, 0.0, 0.0, 0.0};
    std::copy(inertia, inertia + 6, rod.inertia);
    model.add(rod);
    model.add_joint("pivot", FOURBAR_JOINT_REVOLUTE, "rod", "ground");
    fourbar::joint_initial initial;
    initial.angular_velocity = 3.0;
    model.set_joint_initial("pivot", initial);
    fourbar::simulation simulation(model.compile());
    CHECK(std::abs(simulation.body(0).angular_velocity[2] - 3.0) < 1e-14);
    const fourbar::interrupt interrupt;
    {
        const fourbar::interrupted_by watched(interrupt);
        simulation.step(0.1);
        interrupt.raise();
        THROWS(simulation.step(0.1), FOURBAR_INTERRUPTED);
        interrupt.lower();
        simulation.step(0.1);
        interrupt.raise();
    }
    simulation.step(0.1);
}

} // namespace

int main() {
    circuit();
    interrupted();
    return 0;
}
