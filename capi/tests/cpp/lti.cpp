// Linear systems through fourbar.hpp: values against closed forms, errors as exceptions, exceptions of the host's own functions.
#include "check.hpp"

#include <array>
#include <limits>

namespace {

fourbar::linear_system oscillator() { // x'' = -4 x + u
    return {2, 1, 1, {0.0, -4.0, 1.0, 0.0}, {0.0, 1.0}, {1.0, 0.0}, {0.0}};
}

struct silent_sensor {
    int which;
};

void matrices() {
    const fourbar::g_matrices matrices(2, {0.0, -4.0, 1.0, 0.0}, 0.5, 1);
    CHECK(std::abs(matrices.exponential[0] - std::cos(1.0)) < 1e-15);
    CHECK(matrices.g.size() == 2);
    // One integrator: the integral of (s/T)^i is T/(i+1).
    const fourbar::g_matrices integrator(1, {0.0}, 0.4, 3);
    for (std::size_t i = 0; i < 4; i++) {
        CHECK(std::abs(integrator.g[i][0] - 0.4 / static_cast<double>(i + 1)) < 1e-16);
    }
    const auto system = oscillator();
    CHECK(system.states() == 2 && system.inputs() == 1 && system.outputs() == 1);
    const fourbar::discretization step(system, 0.5, {FOURBAR_METHOD_ALGORITHM_2, 2});
    CHECK(step.offsets().size() == 3 && step.exponential() == matrices.exponential && step.input_matrix(1).size() == 2);
    const auto response = system.frequency_response({0.0, 1.0});
    CHECK(std::abs(response.first[1] - 1.0 / 3.0) < 1e-15 && response.second.size() == 2);
    const auto held = system.sampled(0.5, FOURBAR_SAMPLING_ZERO_ORDER);
    CHECK(std::abs(held.a[0] - std::cos(1.0)) < 1e-15 && std::abs(held.b[0] - (1.0 - std::cos(1.0)) / 4.0) < 1e-15);
    CHECK(held.c.size() == 2 && held.d.size() == 1);
    THROWS(system.sampled(-0.5, FOURBAR_SAMPLING_TUSTIN), FOURBAR_INVALID);
    THROWS(fourbar::discretization(system, -1.0), FOURBAR_INVALID);
    THROWS(step.input_matrix(7), FOURBAR_INVALID);
    THROWS(fourbar::linear_system(2, 1, 1, {1.0}, {0.0, 1.0}, {1.0, 0.0}, {0.0}), FOURBAR_LENGTH);
}

void stepping() {
    const auto system = oscillator();
    fourbar::stepper stepper(system, 0.01, {FOURBAR_METHOD_ALGORITHM_2, 3});
    std::array<double, 100> y{};
    stepper.simulate([](double t, fourbar::output u) { u[0] = std::sin(t); }, y);
    CHECK(std::abs(y[99] - (std::sin(1.0) / 3.0 - std::sin(2.0) / 6.0)) < 1e-9);
    const auto saved = stepper.save();
    stepper.step({0.0}, fourbar::output(y.data(), 1));
    const auto after = stepper.state();
    stepper.restore(stepper.from_bytes(stepper.to_bytes(saved)));
    stepper.step({0.0}, fourbar::output(y.data(), 1));
    CHECK(stepper.state() == after && stepper.steps() == 101);
    THROWS(stepper.step({0.0, 1.0}, fourbar::output(y.data(), 1)), FOURBAR_LENGTH);
    fourbar::stepper moved = std::move(stepper);
    CHECK(moved.get() != nullptr && stepper.get() == nullptr);
    THROWS(stepper.reset(), FOURBAR_NULL);
}

void exceptions_of_the_host() {
    const auto system = oscillator();
    fourbar::stepper stepper(system, 0.01);
    std::vector<double> y(100);
    try {
        stepper.simulate([](double t, fourbar::output u) {
            if (t > 0.5) throw silent_sensor{7};
            u[0] = 0.0;
        }, y);
        CHECK(false);
    } catch (const silent_sensor &own) {
        CHECK(own.which == 7); // the very object, past the library
    }
    try {
        stepper.simulate([](double, fourbar::output) { throw std::out_of_range("nothing at 1.0"); }, y);
        CHECK(false);
    } catch (const std::out_of_range &own) {
        CHECK(std::string(own.what()) == "nothing at 1.0");
        CHECK(std::string(fourbar_last_error()).find("nothing at 1.0") != std::string::npos);
    }
    THROWS(stepper.simulate([](double, fourbar::output u) { u[0] = std::numeric_limits<double>::quiet_NaN(); }, y), FOURBAR_CALLBACK);
    stepper.simulate([](double, fourbar::output u) { u[0] = 0.0; }, y); // and on it goes
}

} // namespace

int main() {
    fourbar::check_version();
    CHECK(!fourbar::version().empty());
    matrices();
    stepping();
    exceptions_of_the_host();
    return 0;
}
