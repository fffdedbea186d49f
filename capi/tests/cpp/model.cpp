// Models and simulations through fourbar.hpp: a pendulum built call by call, forces and motions as lambdas, impacts, linearization.
#include "check.hpp"

namespace {

constexpr double g = 9.81, length = 0.8;

fourbar::model pendulum() {
    fourbar::model model;
    model.set_gravity(0.0, -g, 0.0);
    fourbar::body rod("rod", 2.0);
    const double inertia[6] = {1e-3, 0.1, 0.1, 0.0, 0.0, 0.0};
    std::copy(inertia, inertia + 6, rod.inertia);
    rod.center_of_mass[0] = length;
    model.add(rod);
    model.add_joint("pivot", FOURBAR_JOINT_REVOLUTE, "rod", "ground");
    fourbar::measure angle("angle", FOURBAR_MEASURE_ANGLE);
    angle.i = "rod";
    model.add(angle);
    return model;
}

void splines() {
    auto model = pendulum();
    model.add_spline("curve", std::vector<double>{0.0, 1.0, 2.0, 3.0}, std::vector<double>{0.0, 2.0, 4.0, 6.0});
    THROWS(model.add_spline("short", std::vector<double>{0.0, 1.0}, std::vector<double>{0.0}), FOURBAR_LENGTH);
    THROWS(model.add_spline("back", std::vector<double>{1.0, 0.0}, std::vector<double>{0.0, 1.0}), FOURBAR_INVALID);
    fourbar::measure twice("twice", FOURBAR_MEASURE_EXPRESSION);
    twice.expression = "akispl(time, curve)";
    model.add(twice);
    fourbar::simulation simulation(model.compile(), fourbar::simulation_options());
    simulation.step_to(0.5);
    CHECK(std::abs(simulation.measure("twice") - 1.0) < 1e-14);
}

/// A lag three times over, as each of the blocks: 1 - exp(-2 t).
void blocks() {
    auto model = pendulum();
    model.add_transfer_function("lag", "1", {2.0}, {1.0, 2.0});
    model.add_state_space("space", {"1"}, {-2.0}, {2.0}, {1.0});
    THROWS(model.add_state_space("short", {"1"}, {-2.0, 1.0}, {2.0}, {1.0}), FOURBAR_LENGTH);
    fourbar::pid crossed("crossed", "1");
    crossed.lower = 2.0;
    crossed.upper = 1.0;
    model.add(crossed);
    THROWS(model.compile(), FOURBAR_INVALID);
    auto other = pendulum();
    other.add_transfer_function("lag", "1", {2.0}, {1.0, 2.0});
    other.add_state_space("space", {"1"}, {-2.0}, {2.0}, {1.0});
    other.add(fourbar::pid("through", "lag"));
    fourbar::simulation_options options;
    options.tolerance = 1e-10;
    fourbar::simulation simulation(other.compile(), options);
    simulation.step_to(0.5);
    const double expected = 1.0 - std::exp(-1.0);
    CHECK(std::abs(simulation.measure("lag") - expected) < 1e-8 && std::abs(simulation.measure("space") - expected) < 1e-8);
    CHECK(simulation.measure("through") == 0.0 && std::abs(simulation.measure("through.u") - expected) < 1e-8);
}

/// A pin that rubs takes energy from a pendulum.
void friction() {
    auto model = pendulum();
    fourbar::friction rub("rub", "nowhere");
    rub.mu_dynamic = 0.2;
    rub.transition_velocity = 1e-3;
    rub.pin_radius = 0.01;
    model.add(rub);
    THROWS(model.compile(), FOURBAR_INVALID);
    auto other = pendulum();
    rub = fourbar::friction("rub", "pivot");
    rub.mu_dynamic = 0.2;
    rub.transition_velocity = 1e-3;
    rub.pin_radius = 0.01;
    other.add(rub);
    CHECK(other.compile().figures().degrees_of_freedom == 1);
}

void couplers() {
    auto model = pendulum();
    fourbar::body wheel("wheel", 1.0);
    wheel.inertia[0] = wheel.inertia[1] = wheel.inertia[2] = 0.1;
    model.add(wheel);
    model.add_joint("axle", FOURBAR_JOINT_REVOLUTE, "wheel", "ground");
    THROWS(model.add_coupler("short", {"pivot", "axle"}, {1.0}), FOURBAR_LENGTH);
    model.add_coupler("belt", {"pivot", "axle"}, {1.0, -2.0});
    const auto mechanism = model.compile();
    CHECK(mechanism.figures().degrees_of_freedom == 1 && mechanism.name(FOURBAR_PART_COUPLER, 0) == "belt");
    model.add_rack_and_pinion("rack", "pivot", "axle", 0.1);
    THROWS(model.compile(), FOURBAR_INVALID);
    model.add_gear("pair", "pivot", "nothing", "ground");
    THROWS(model.compile(), FOURBAR_INVALID);
}

void curves() {
    auto model = pendulum();
    fourbar::body bead("bead", 1.0);
    bead.inertia[0] = bead.inertia[1] = bead.inertia[2] = 0.1;
    model.add(bead);
    THROWS(model.add_curve("odd", "ground", {0.0, 0.0, 1.0}), FOURBAR_LENGTH);
    model.add_curve("wire", "ground", {-1.0, 0.0, 0.0, 0.0, 1.0, 0.5});
    model.add_point_on_curve("ride", "bead", "wire");
    const auto mechanism = model.compile();
    CHECK(mechanism.figures().degrees_of_freedom == 5 && mechanism.name(FOURBAR_PART_COUPLER, 0) == "ride");
    model.add_curve_on_curve("touch", "wire", "wire");
    THROWS(model.compile(), FOURBAR_INVALID);
    THROWS(model.add_constraint("none", "1 +"), FOURBAR_INVALID);
    model.add_constraint("none", "nothing - 1");
    THROWS(model.compile(), FOURBAR_INVALID);
}

void swinging() {
    const auto mechanism = pendulum().compile();
    CHECK(mechanism.figures().bodies == 1 && mechanism.figures().degrees_of_freedom == 1);
    CHECK(mechanism.name(FOURBAR_PART_JOINT, 0) == "pivot" && mechanism.find(FOURBAR_PART_BODY, "rod") == 0);
    THROWS(mechanism.find(FOURBAR_PART_BODY, "rood"), FOURBAR_NO_SUCH_NAME);
    fourbar::simulation_options options;
    options.tolerance = 1e-9;
    fourbar::simulation simulation(mechanism, options);
    simulation.step_to(0.5);
    const auto saved = simulation.save();
    simulation.step(0.25);
    const auto there = simulation.state();
    // Energy: w^2/2 (I + m l^2) = m g l sin(angle) from the horizontal.
    const double angle = simulation.measure("angle"), rate = simulation.body(0).angular_velocity[2];
    CHECK(std::abs(0.5 * rate * rate * (0.1 + 2.0 * length * length) + 2.0 * g * length * std::sin(angle)) < 1e-5);
    simulation.restore(saved);
    simulation.step(0.25);
    CHECK(simulation.state() == there && simulation.time() == 0.75 && simulation.steps() > 0);
    CHECK(simulation.measures().size() == 1 && simulation.statistics().steps == simulation.steps());
    const auto hanging = simulation.find_equilibrium();
    CHECK(hanging.stable && std::abs(simulation.measure("angle") + 1.5707963267948966) < 1e-8);
    const auto linear = simulation.linearize();
    CHECK(linear.plant.states() == 2 && linear.coordinates.size() == 1);
    const double pivot = simulation.reaction(FOURBAR_PART_JOINT, 0)[1];
    CHECK(std::abs(pivot - 2.0 * g) < 1e-6);
}

// A ball falls by 1 m and comes up again by a quarter of it.
void bouncing() {
    fourbar::model model;
    model.set_gravity(0.0, 0.0, -g);
    fourbar::body ball("ball", 1.0);
    std::fill(ball.inertia, ball.inertia + 3, 0.004);
    ball.position[2] = 1.1;
    model.add(ball);
    fourbar::contact_pair floor("floor", FOURBAR_PAIR_SPHERE_PLANE, "ball", "ground");
    floor.radius_i = 0.1;
    floor.restitution = 0.5;
    model.add(floor);
    fourbar::simulation simulation(model.compile());
    simulation.step_to(1.5 * std::sqrt(2.0 / g));
    CHECK(std::abs(simulation.body(0).center_of_mass[2] - 0.35) < 1e-6);
}

// A spring of the host, with and without its derivatives: the same as the closed form of the oscillator.
void spring(bool with_partials) {
    fourbar::model model;
    model.add_toml("[[body]]\nname = \"cart\"\nmass = 2\ninertia = [1, 1, 1]\nposition = [0.1, 0, 0]\n"
                   "[[marker]]\nname = \"rail\"\nbody = \"ground\"\norientation = { z_axis = [1, 0, 0] }\n"
                   "[[marker]]\nname = \"shoe\"\nbody = \"cart\"\norientation = { z_axis = [1, 0, 0] }\n"
                   "[[joint]]\nname = \"slide\"\ntype = \"prismatic\"\ni = \"shoe\"\nj = \"rail\"\n"
                   "[[force]]\nname = \"pull\"\ntype = \"force\"\ni = \"cart\"\nvalue = [0, 0, 0]\n"
                   "[[measure]]\nname = \"x\"\ntype = \"position\"\ni = \"cart\"\ncomponent = \"x\"\n");
    int calls = 0;
    fourbar::force_function partials;
    if (with_partials) {
        partials = [](double, fourbar::input, fourbar::output d) { d[0] = -50.0, d[1] = 0.0, d[2] = 0.0; };
    }
    model.set_force("pull", {"x"}, 3, [&](double, fourbar::input x, fourbar::output f) {
        calls++;
        f[0] = -50.0 * x[0], f[1] = 0.0, f[2] = 0.0;
    }, partials);
    fourbar::simulation_options options;
    options.tolerance = 1e-9;
    fourbar::simulation simulation(model.compile(), options); // the mechanism may go
    simulation.step_to(1.0);
    CHECK(calls > 10 && std::abs(simulation.measure("x") - 0.1 * std::cos(5.0)) < 1e-6);
}

struct torn_cable {};

void exceptions() {
    auto model = pendulum();
    model.add(fourbar::force("drag", FOURBAR_FORCE_AXIAL_TORQUE, "rod", "ground"));
    bool torn = false;
    model.set_force("drag", {"angle"}, 1, [&](double time, fourbar::input, fourbar::output torque) {
        if (torn && time > 0.5) throw torn_cable{};
        torque[0] = 0.0;
    });
    fourbar::simulation simulation(model.compile());
    torn = true;
    try {
        simulation.step_to(1.0);
        CHECK(false);
    } catch (const torn_cable &) {
    }
    torn = false;
    simulation.step_to(1.0); // and on it goes
    CHECK(simulation.time() == 1.0);
    THROWS(fourbar::model::from_toml("[[body]]\nmas = 1\n", "wrong.toml"), FOURBAR_INVALID);
}

// A whole run with a function of the host, whose exception comes out as itself.
void whole_runs() {
    auto model = pendulum();
    model.add(fourbar::force("drag", FOURBAR_FORCE_AXIAL_TORQUE, "rod", "ground"));
    int calls = 0;
    bool torn = false;
    model.set_force("drag", {"angle"}, 1, [&](double, fourbar::input, fourbar::output torque) {
        calls++;
        if (torn) throw torn_cable{};
        torque[0] = 0.0;
    });
    fourbar::run_options options;
    options.end = 0.5;
    auto run = fourbar::run::from_model(model, options);
    CHECK(run.execute() == FOURBAR_OUTCOME_DONE && calls > 0 && run.rows() == 1001);
    torn = true;
    try {
        run.execute();
        CHECK(false);
    } catch (const torn_cable &) {
    }
}

// Whether the problems are there is said by the features of the library.
void known_problems() {
    if ((fourbar::capabilities().features & FOURBAR_HAS_ACCURACY) == 0) {
        THROWS(fourbar::known_problem("andrews"), FOURBAR_UNSUPPORTED);
        THROWS(fourbar::known_problem::names(), FOURBAR_UNSUPPORTED);
        return;
    }
    CHECK(fourbar::known_problem::names().find("andrews") == 0);
    const fourbar::known_problem andrews("andrews");
    CHECK(andrews.question().find("beta") != std::string::npos);
    const std::vector<double> one{1.0};
    THROWS(andrews.judge(one), FOURBAR_LENGTH);
}

// A ball dropped from 1 m, as a contact of a model: followed event by event in the loop of the host.
void impacts() {
    auto model = fourbar::model::from_file("models/bouncing-ball.toml");
    fourbar::simulation simulation(model.compile());
    int events = 0;
    while (simulation.event_count() < 3 && simulation.time() < 5.0) {
        events += simulation.advance(5.0) == FOURBAR_PROGRESS_EVENT;
    }
    CHECK(events >= 1 && simulation.event_count() >= 3);
    CHECK(simulation.event(0).kind == FOURBAR_EVENT_IMPACT && simulation.event(0).impulse > 0.0 && !simulation.event_text(0).empty());
    simulation.clear_events();
    CHECK(simulation.event_count() == 0);
}

} // namespace

int main() {
    splines();
    blocks();
    friction();
    couplers();
    curves();
    swinging();
    bouncing();
    spring(false);
    spring(true);
    exceptions();
    whole_runs();
    known_problems();
    impacts();
    return 0;
}
