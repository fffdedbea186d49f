// The equations of a mechanism through fourbar.hpp; and what a view may be made from.
#include "check.hpp"

#include <array>

namespace {

// As Eigen's types say of themselves: a matrix by columns, one by rows, a vector, every second value of a vector, a block.
template <int Inner, bool Vector, bool Rows>
struct like_eigen {
    enum { InnerStrideAtCompileTime = Inner, IsVectorAtCompileTime = Vector, IsRowMajor = Rows };
    using PlainObject = like_eigen<1, Vector, Rows>;
    const double *data() const { return nullptr; }
    long size() const { return 0; }
};
struct block_like_eigen : like_eigen<1, false, false> {
    using PlainObject = like_eigen<1, false, false>;
};
struct strided {
    const double *data() const { return nullptr; }
    std::size_t size() const { return 0; }
    std::array<std::size_t, 2> strides() const { return {1, 2}; }
};

template <class C>
constexpr bool viewed = std::is_constructible_v<fourbar::input, C &>;

static_assert(viewed<std::vector<double>> && viewed<const std::vector<double>> && viewed<std::array<double, 3>>);
static_assert(viewed<like_eigen<1, false, false>> && viewed<const like_eigen<1, true, false>> && viewed<like_eigen<1, true, true>>);
static_assert(!viewed<like_eigen<1, false, true>>, "row after row");
static_assert(!viewed<like_eigen<2, true, false>> && !viewed<like_eigen<-1, true, false>>, "a stride");
static_assert(!viewed<block_like_eigen> && !viewed<strided>, "columns apart");

// Names of temporaries: the structs keep copies, and copies of the structs share them.
void names_are_copied() {
    fourbar::force push = [] {
        const std::string named(40, 'p'), on = "ro" + std::string("d");
        fourbar::force made(named.c_str(), FOURBAR_FORCE_VECTOR, on.c_str());
        made.frame = made.text(std::string("gro") + "und");
        return made;
    }();
    const fourbar::force again = push;
    CHECK(std::string(again.name) == std::string(40, 'p') && std::string(again.i) == "rod" && again.j == nullptr);
    CHECK(std::string(again.frame) == "ground" && again.name == push.name);
}

void four_bar() {
    const auto mechanism = fourbar::model::from_file("models/four-bar.toml").compile();
    fourbar::mechanism_equations equations(mechanism, FOURBAR_FORMULATION_SI2);
    const auto start = equations.start();
    std::vector<double> residual(start.y.size()), values(equations.figures().entries);
    equations.residual(start.t, start.y, start.yp, residual);
    for (double r : residual) {
        CHECK(std::abs(r) < 1e-9);
    }
    equations.jacobian(start.t, start.y, start.yp, 1.0, values);
    CHECK(equations.pattern().rows.size() == values.size() && equations.unknowns().kinds.size() == start.y.size());
    CHECK(equations.unknown_name(0) == "body \"crank\" x" && equations.equation_name(0) == "body \"crank\" x' = Vx");
    const auto state = equations.state(start.t, start.y);
    CHECK(equations.consistent(0.0, state).y.size() == start.y.size());
    CHECK(equations.matrix_pattern(FOURBAR_MATRIX_MASS).rows.size() == equations.matrix(FOURBAR_MATRIX_MASS, 0.0, start.y).size());
    for (double phi : equations.vector(FOURBAR_VECTOR_CONSTRAINTS, 0.0, start.y)) {
        CHECK(std::abs(phi) < 1e-12);
    }
    THROWS(equations.rhs(0.0, start.y, residual), FOURBAR_UNSUPPORTED);
    THROWS(equations.residual(0.0, start.y, {0.0}, residual), FOURBAR_LENGTH);
    equations.set_inputs(0.0, {});

    fourbar::integration_options options;
    fourbar::integration integration(fourbar::problem(equations), options, start.t, start.y, start.yp);
    CHECK(integration.run(0.1) == FOURBAR_STOP_END);
    const auto there = integration.mechanism_state(equations.figures().state_length);
    fourbar::simulation simulation(mechanism);
    simulation.step_to(0.1);
    const auto expected = simulation.state();
    for (std::size_t k = 0; k < expected.size(); k++) {
        CHECK(std::abs(there[k] - expected[k]) < 1e-3 * (1.0 + std::abs(expected[k])));
    }

    fourbar::mechanism_equations explicit_form(mechanism, FOURBAR_FORMULATION_PARTITIONED);
    auto at = explicit_form.start();
    std::vector<double> slope(at.y.size());
    explicit_form.rhs(at.t, at.y, slope);
    explicit_form.between_steps(at.t, at.y, at.yp);
    CHECK(slope.size() == 36);
}

} // namespace

int main() {
    names_are_copied();
    four_bar();
    return 0;
}
