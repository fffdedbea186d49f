// The equations of a mechanism, for integrators of the host.
// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef FOURBAR_EQUATIONS_HPP
#define FOURBAR_EQUATIONS_HPP

#include "model.hpp"

namespace fourbar {

/// A pattern compressed by columns.
struct column_pattern {
    std::vector<std::size_t> offsets, rows;
};

/// What the unknowns are; see fourbar_mechanism_equations_unknowns.
struct unknown_list {
    std::vector<std::int32_t> kinds, differential, error_tested, scale_powers;
    std::vector<double> typical;
};

/// A time with y and y'.
struct point {
    double t = 0.0;
    std::vector<double> y, yp;
};

/// F(t, y, y') = 0 or y' = f(t, y) of a mechanism. One thread at a time. Points that cannot be evaluated throw fourbar::error with
/// FOURBAR_NUMERICAL: a shorter step may avoid them.
class mechanism_equations {
public:
    explicit mechanism_equations(const mechanism &of, fourbar_formulation formulation = FOURBAR_FORMULATION_MODEL) : host_(of.host_) {
        fourbar_mechanism_equations *out = nullptr;
        detail::check_calling(fourbar_mechanism_equations_new(of.get(), formulation, &out));
        own_.reset(out);
        detail::check(fourbar_mechanism_equations_get_figures(get(), &figures_, sizeof figures_));
    }

    const fourbar_mechanism_equations_figures &figures() const noexcept { return figures_; }
    unknown_list unknowns() const {
        const std::size_t n = figures_.dimension;
        unknown_list all{std::vector<std::int32_t>(n), std::vector<std::int32_t>(n), std::vector<std::int32_t>(n), std::vector<std::int32_t>(n),
                         std::vector<double>(n)};
        detail::check(fourbar_mechanism_equations_unknowns(get(), all.kinds.data(), all.differential.data(), all.error_tested.data(),
                                                           all.scale_powers.data(), all.typical.data(), n));
        return all;
    }
    std::string unknown_name(std::size_t i) const {
        return detail::text([&](char *to, std::size_t size, std::size_t *needed) {
            return fourbar_mechanism_equations_unknown_name(get(), i, to, size, needed);
        });
    }
    std::string equation_name(std::size_t i) const {
        return detail::text([&](char *to, std::size_t size, std::size_t *needed) {
            return fourbar_mechanism_equations_equation_name(get(), i, to, size, needed);
        });
    }
    column_pattern pattern() const {
        column_pattern all{std::vector<std::size_t>(figures_.dimension + 1), std::vector<std::size_t>(figures_.entries)};
        detail::check(fourbar_mechanism_equations_pattern(get(), all.offsets.data(), all.offsets.size(), all.rows.data(), all.rows.size()));
        return all;
    }

    /// The assembled start, consistent.
    point start() {
        point at = empty();
        detail::check_calling(fourbar_mechanism_equations_start(get(), &at.t, at.y.data(), at.yp.data(), at.y.size()));
        return at;
    }
    /// A consistent start from a state as numbers.
    point consistent(double t, input state) {
        point at = empty();
        at.t = t;
        detail::check_calling(fourbar_mechanism_equations_set_state(get(), t, state.data(), state.size(), at.y.data(), at.yp.data(), at.y.size()));
        return at;
    }
    /// The state as numbers that y says.
    std::vector<double> state(double t, input y) {
        std::vector<double> all(figures_.state_length);
        detail::check_calling(fourbar_mechanism_equations_get_state(get(), t, y.data(), y.size(), all.data(), all.size()));
        return all;
    }

    void residual(double t, input y, input yp, output r) {
        require(yp.size() == y.size() && r.size() == y.size());
        detail::check_calling(fourbar_mechanism_equations_residual(get(), t, y.data(), yp.data(), r.data(), y.size()));
    }
    void jacobian(double t, input y, input yp, double c, output values) {
        require(yp.size() == y.size());
        detail::check_calling(fourbar_mechanism_equations_jacobian(get(), t, y.data(), yp.data(), y.size(), c, values.data(), values.size()));
    }
    void rhs(double t, input y, output yp) {
        require(yp.size() == y.size());
        detail::check_calling(fourbar_mechanism_equations_rhs(get(), t, y.data(), yp.data(), y.size()));
    }
    /// After each accepted step; whether a method with a history has to begin anew.
    bool between_steps(double t, output y, output yp) {
        require(yp.size() == y.size());
        std::int32_t changed = 0;
        detail::check_calling(fourbar_mechanism_equations_between_steps(get(), t, y.data(), yp.data(), y.size(), &changed));
        return changed != 0;
    }
    /// Value, first and second derivative of each input, about t.
    void set_inputs(double t, input values) { detail::check(fourbar_mechanism_equations_set_inputs(get(), t, values.data(), values.size())); }

    column_pattern matrix_pattern(fourbar_mechanism_matrix which) const {
        column_pattern all{std::vector<std::size_t>(figures_.velocities + 1), std::vector<std::size_t>(entries(which))};
        detail::check(fourbar_mechanism_equations_matrix_pattern(get(), which, all.offsets.data(), all.offsets.size(), all.rows.data(), all.rows.size()));
        return all;
    }
    std::vector<double> matrix(fourbar_mechanism_matrix which, double t, input y) {
        std::vector<double> values(entries(which));
        detail::check_calling(fourbar_mechanism_equations_matrix(get(), which, t, y.data(), y.size(), values.data(), values.size()));
        return values;
    }
    std::vector<double> vector(fourbar_mechanism_vector which, double t, input y) {
        std::vector<double> values(which == FOURBAR_VECTOR_FORCES ? figures_.velocities : figures_.constraints);
        detail::check_calling(fourbar_mechanism_equations_vector(get(), which, t, y.data(), y.size(), values.data(), values.size()));
        return values;
    }
    fourbar_mechanism_equations *get() const noexcept { return own_.get(); }

private:
    friend class problem;
    static void require(bool fits) {
        if (!fits) {
            throw error(FOURBAR_LENGTH, "the arrays have different lengths, but must all have that of the unknowns");
        }
    }
    point empty() const { return {0.0, std::vector<double>(figures_.dimension), std::vector<double>(figures_.dimension)}; }
    std::size_t entries(fourbar_mechanism_matrix which) const {
        return which == FOURBAR_MATRIX_MASS ? figures_.mass_entries : figures_.constraint_entries;
    }

    std::shared_ptr<const detail::host_functions> host_;
    fourbar_mechanism_equations_figures figures_{};
    detail::handle<fourbar_mechanism_equations, fourbar_mechanism_equations_free> own_;
};

} // namespace fourbar

#endif
