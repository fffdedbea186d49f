// The host's own equations through fourbar.hpp: Robertson's kinetics, a ball that bounces, exceptions on their way.
#include "check.hpp"

namespace {

// Robertson (1966): y1' = -0.04 y1 + 1e4 y2 y3, y3' = 3e7 y2^2, y1 + y2 + y3 = 1.
fourbar::equations robertson() {
    fourbar::equations e;
    e.dimension = 3;
    e.residual = [](double, fourbar::input y, fourbar::input yp, fourbar::output r) {
        r[0] = yp[0] + 0.04 * y[0] - 1e4 * y[1] * y[2];
        r[1] = yp[1] - 0.04 * y[0] + 1e4 * y[1] * y[2] + 3e7 * y[1] * y[1];
        r[2] = y[0] + y[1] + y[2] - 1.0;
    };
    e.jacobian = [](double, fourbar::input y, fourbar::input, double c, fourbar::output j) {
        j[0] = c + 0.04, j[1] = -0.04, j[2] = 1.0;
        j[3] = -1e4 * y[2], j[4] = c + 1e4 * y[2] + 6e7 * y[1], j[5] = 1.0;
        j[6] = -1e4 * y[1], j[7] = 1e4 * y[1], j[8] = 1.0;
    };
    e.kinds = {FOURBAR_KIND_STATE, FOURBAR_KIND_STATE, FOURBAR_KIND_ALGEBRAIC};
    e.typical = {1.0, 1e-5, 1.0};
    return e;
}

void kinetics() {
    const fourbar::problem problem(robertson());
    double y[3] = {1.0, 0.0, 0.5}, yp[3] = {0.0, 0.0, 0.0};
    problem.consistent_start(0.0, y, yp);
    CHECK(problem.dimension() == 3 && std::abs(y[2]) < 1e-12 && std::abs(yp[0] + 0.04) < 1e-12);
    fourbar::integration_options options;
    options.relative = 1e-8;
    fourbar::integration integration(problem, options, 0.0, y, yp);
    CHECK(integration.run(40.0) == FOURBAR_STOP_END);
    // Hindmarsh's table for LSODE, seven digits: 7.158271e-1, 9.185535e-6, 2.841637e-1 at t = 40.
    const auto state = integration.state();
    CHECK(std::abs(state[0] - 0.7158271) < 1e-6 && std::abs(state[1] - 9.185535e-6) < 1e-11);
    CHECK(integration.statistics().steps > 50 && integration.time() == 40.0);
    const auto saved = integration.save();
    integration.run(400.0);
    const auto later = integration.state();
    integration.restore(integration.from_bytes(integration.to_bytes(saved)));
    integration.run(400.0);
    CHECK(integration.state() == later);
    THROWS(integration.run(1.0), FOURBAR_INVALID);
}

// A ball dropped from 1 m, which comes back with half its speed: impacts at sqrt(2/g), then after 2 v/g each.
void bouncing() {
    const double g = 10.0;
    fourbar::equations e;
    e.dimension = 2;
    e.rhs = [g](double, fourbar::input y, fourbar::output yp) {
        yp[0] = y[1];
        yp[1] = -g;
    };
    e.root_directions = {-1};
    e.roots = [](double, fourbar::input y, fourbar::input, fourbar::output roots) { roots[0] = y[0]; };
    std::vector<double> impacts;
    e.event = [&](double t, fourbar::output y, fourbar::output, fourbar::view<const std::size_t> indices, fourbar::view<const std::int32_t>) {
        CHECK(indices.size() == 1 && indices[0] == 0);
        impacts.push_back(t);
        y[0] = 0.0;
        y[1] = -0.5 * y[1];
        return FOURBAR_EVENT_RESTART;
    };
    const fourbar::problem problem(std::move(e));
    fourbar::integration_options options;
    options.integrator = FOURBAR_INTEGRATOR_RKF45;
    options.relative = 1e-10;
    fourbar::integration integration(problem, options, 0.0, {1.0, 0.0});
    const auto sampled = integration.sample({0.1, 0.2, 1.0});
    CHECK(sampled.size() == 6 && std::abs(sampled[0] - 0.95) < 1e-9 && std::abs(sampled[2] - 0.8) < 1e-9);
    const double first = std::sqrt(0.2);
    CHECK(impacts.size() >= 2 && std::abs(impacts[0] - first) < 1e-9 && std::abs(impacts[1] - 2.0 * first) < 1e-9);
}

struct out_of_steam {};

void exceptions() {
    fourbar::equations e;
    e.dimension = 1;
    e.rhs = [](double t, fourbar::input y, fourbar::output yp) {
        if (t > 0.5) throw out_of_steam{};
        yp[0] = -y[0];
    };
    const fourbar::problem problem(std::move(e));
    fourbar::integration integration(problem, {}, 0.0, {1.0});
    try {
        integration.run(1.0);
        CHECK(false);
    } catch (const out_of_steam &) {
    }
    CHECK(integration.time() <= 0.5 && std::abs(integration.state()[0] - std::exp(-integration.time())) < 1e-5);
    // Outside its domain: a shorter step avoids it as far as it can.
    fourbar::equations root;
    root.dimension = 1;
    root.rhs = [](double, fourbar::input y, fourbar::output yp) {
        if (y[0] < 0.0) throw fourbar::outside_domain("a negative level");
        yp[0] = -std::sqrt(y[0]);
    };
    const fourbar::problem draining(std::move(root));
    fourbar::integration emptying(draining, {}, 0.0, {1.0});
    CHECK(emptying.run(1.0) == FOURBAR_STOP_END);
    CHECK(std::abs(emptying.state()[0] - 0.25) < 1e-5); // (1 - t/2)^2
    fourbar::equations wrong;
    wrong.dimension = 2;
    wrong.kinds = {FOURBAR_KIND_STATE};
    THROWS(fourbar::problem(std::move(wrong)), FOURBAR_LENGTH);
}

} // namespace

int main() {
    kinetics();
    bouncing();
    exceptions();
    return 0;
}
