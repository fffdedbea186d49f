// Complementarity problems and friction through fourbar.hpp.
#include "check.hpp"

namespace {

void linear() {
    // w = M z + q with M = [2 1; 1 2], q = (-5, -6): z = (4/3, 7/3), w = 0.
    const auto problem = fourbar::contact_problem::lcp({2.0, 1.0, 1.0, 2.0}, {-5.0, -6.0});
    fourbar::contact_solver solver;
    const auto found = solver.solve(problem);
    CHECK(found.result.status == FOURBAR_CONTACT_SOLVED && found.result.residual < 1e-12);
    CHECK(std::abs(found.z[0] - 4.0 / 3.0) < 1e-12 && std::abs(found.z[1] - 7.0 / 3.0) < 1e-12);
    CHECK(solver.attempt(0).residual < 1e-10);
    const auto again = fourbar::contact_problem::from_json(FOURBAR_CONTACT_LCP, problem.to_json());
    CHECK(again.kind() == FOURBAR_CONTACT_LCP && again.rows() == 2 && solver.solve(again).z == found.z);
    // No z >= 0 makes -z - 1 >= 0.
    const auto impossible = fourbar::contact_problem::lcp({-1.0}, {-1.0});
    const auto none = solver.solve(impossible);
    CHECK(none.result.status != FOURBAR_CONTACT_SOLVED);
    THROWS(fourbar::contact_problem::lcp({1.0, 2.0}, {1.0}), FOURBAR_LENGTH);
}

void mixed() {
    // u + z - 1 = 0, w = u + z - ... : A = 1, B = 1, C = -1, D = 0; u = 1 - z, w = -u + 2 = 1 + z > 0, so z = 0, u = 1.
    const auto problem = fourbar::contact_problem::mixed({1.0}, {1.0}, {-1.0}, {0.0}, {-1.0}, {2.0});
    fourbar::contact_solver solver;
    const auto found = solver.solve(problem);
    CHECK(found.result.status == FOURBAR_CONTACT_SOLVED && std::abs(found.u[0] - 1.0) < 1e-12 && std::abs(found.z[0]) < 1e-12);
}

void friction() {
    // A body of 1 kg, pressed with 1 N s and pushed with 0.3 N s to the side: sticks with mu = 0.5, slips with 0.2.
    for (const double mu : {0.5, 0.2}) {
        const std::uint32_t rows[1] = {3};
        const auto problem = fourbar::contact_problem::friction(rows, {mu}, {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, {-1.0, 0.3, 0.0});
        fourbar::contact_solver solver;
        const auto found = solver.solve(problem);
        CHECK(found.result.status == FOURBAR_CONTACT_SOLVED);
        CHECK(std::abs(found.z[0] - 1.0) < 1e-10 && std::abs(found.z[1] + std::min(0.3, mu)) < 1e-10);
        const auto pyramid = problem.polyhedral(4);
        const auto edges = solver.solve(pyramid);
        const auto impulses = problem.polyhedral_impulses(4, edges.z);
        CHECK(std::abs(impulses[1] + std::min(0.3, mu)) < 1e-8);
    }
}

} // namespace

int main() {
    linear();
    mixed();
    friction();
    return 0;
}
