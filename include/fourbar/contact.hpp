// Complementarity problems and problems with friction, solved directly.
// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef FOURBAR_CONTACT_HPP
#define FOURBAR_CONTACT_HPP

#include "core.hpp"

namespace fourbar {

/// A problem as data: linear or mixed complementarity, friction in cone or global form. Never changes.
class contact_problem {
public:
    /// w = M z + q, w >= 0, z >= 0, w z = 0: `m` is n x n, column after column.
    static contact_problem lcp(input m, input q) {
        require(m.size() == q.size() * q.size(), "m");
        return make([&](fourbar_contact_problem **out) { return fourbar_lcp_new(q.size(), m.data(), q.data(), out); });
    }
    /// A u + B z + constants = 0, w = C u + D z + offsets, w >= 0, z >= 0, w z = 0.
    static contact_problem mixed(input a, input b, input c, input d, input constants, input offsets) {
        const std::size_t f = constants.size(), n = offsets.size();
        require(a.size() == f * f, "a");
        require(b.size() == f * n, "b");
        require(c.size() == n * f, "c");
        require(d.size() == n * n, "d");
        return make([&](fourbar_contact_problem **out) {
            return fourbar_mixed_lcp_new(f, n, a.data(), b.data(), c.data(), d.data(), constants.data(), offsets.data(), out);
        });
    }
    /// Contacts in reduced form: `rows` and `mu` have one value for each contact, `spinning` and `rolling` one or none; W is n x n, q has n
    /// values. See fourbar_friction_new.
    static contact_problem friction(view<const std::uint32_t> rows, input mu, input w, input q, input spinning = {}, input rolling = {}) {
        require(mu.size() == rows.size(), "mu");
        require(spinning.size() == 0 || spinning.size() == rows.size(), "spinning");
        require(rolling.size() == 0 || rolling.size() == rows.size(), "rolling");
        require(w.size() == q.size() * q.size(), "w");
        return make([&](fourbar_contact_problem **out) {
            return fourbar_friction_new(rows.size(), rows.data(), mu.data(), spinning.data(), rolling.data(), q.size(), w.data(),
                                        q.data(), out);
        });
    }
    /// Contacts of free bodies. See fourbar_global_friction_new.
    static contact_problem global(view<const fourbar_free_body> bodies, view<const fourbar_global_contact> contacts,
                                  view<const fourbar_global_bilateral> bilaterals = {}) {
        return make([&](fourbar_contact_problem **out) {
            return fourbar_global_friction_new(bodies.data(), bodies.size(), contacts.data(), contacts.size(), bilaterals.data(),
                                               bilaterals.size(), out);
        });
    }
    static contact_problem from_json(fourbar_contact_kind kind, const std::string &text) {
        return make([&](fourbar_contact_problem **out) { return fourbar_contact_problem_from_json(kind, text.c_str(), out); });
    }
    std::string to_json() const {
        return detail::text([&](char *to, std::size_t size, std::size_t *needed) {
            return fourbar_contact_problem_to_json(get(), to, size, needed);
        });
    }
    /// The linear problem of a pyramid with `directions` edges in place of each cone.
    contact_problem polyhedral(std::uint32_t directions) const {
        return make([&](fourbar_contact_problem **out) { return fourbar_friction_polyhedral(get(), directions, out); });
    }
    /// Impulses in the rows of this problem from the solution z of its polyhedral one.
    std::vector<double> polyhedral_impulses(std::uint32_t directions, input z) const {
        std::vector<double> impulses(rows());
        detail::check(
            fourbar_friction_polyhedral_impulses(get(), directions, z.data(), z.size(), impulses.data(), impulses.size()));
        return impulses;
    }
    fourbar_contact_kind kind() const {
        std::int32_t own = 0;
        detail::check(fourbar_contact_problem_size(get(), &own, nullptr, nullptr));
        return static_cast<fourbar_contact_kind>(own);
    }
    std::size_t rows() const {
        std::size_t n = 0;
        detail::check(fourbar_contact_problem_size(get(), nullptr, nullptr, &n));
        return n;
    }
    std::size_t free_variables() const {
        std::size_t f = 0;
        detail::check(fourbar_contact_problem_size(get(), nullptr, &f, nullptr));
        return f;
    }
    const fourbar_contact_problem *get() const noexcept { return own_.get(); }

private:
    static void require(bool fits, const char *name) {
        if (!fits) {
            throw error(FOURBAR_LENGTH, (std::string("'") + name + "' does not fit the others").c_str());
        }
    }
    template <class Make>
    static contact_problem make(Make make_one) {
        fourbar_contact_problem *out = nullptr;
        detail::check(make_one(&out));
        contact_problem made;
        made.own_.reset(out);
        return made;
    }
    contact_problem() = default;
    detail::handle<fourbar_contact_problem, fourbar_contact_problem_free> own_;
};

/// fourbar_contact_options with its defaults.
struct contact_options : fourbar_contact_options {
    contact_options() { detail::check(fourbar_contact_options_init(this, sizeof(fourbar_contact_options))); }
};

/// A solution, or the best point found: look at `result.status`.
struct contact_solution {
    fourbar_contact_result result;
    /// z and w, or impulses and velocities of contacts.
    std::vector<double> z, w;
    /// Free variables of mixed problems.
    std::vector<double> u;
};

/// One try of a solver.
struct contact_attempt {
    fourbar_contact_method method;
    fourbar_contact_status status;
    std::size_t iterations;
    double residual;
};

/// A solver with its workspace. One thread at a time.
class contact_solver {
public:
    explicit contact_solver(const contact_options &options = {}) {
        fourbar_contact_solver *out = nullptr;
        detail::check(fourbar_contact_solver_new(&options, &out));
        own_.reset(out);
    }
    /// From `start`, z or the impulses of a similar problem; empty: from nothing. A problem without a solution is a status, not an exception.
    contact_solution solve(const contact_problem &problem, input start = {}) {
        detail::check(fourbar_contact_solver_solve(get(), problem.get(), start.data(), start.size()));
        contact_solution found{};
        detail::check(fourbar_contact_solver_result(get(), &found.result, sizeof found.result));
        found.z.resize(problem.rows());
        found.w.resize(problem.rows());
        found.u.resize(problem.free_variables());
        detail::check(
            fourbar_contact_solver_get(get(), found.z.data(), found.w.data(), found.z.size(), found.u.data(), found.u.size()));
        return found;
    }
    /// Of a global problem with `count` bilateral rows.
    std::vector<double> bilateral_impulses(std::size_t count) const {
        std::vector<double> all(count);
        detail::check(fourbar_contact_solver_get_bilateral(get(), all.data(), all.size()));
        return all;
    }
    /// The proof that a problem of `rows` rows has no solution.
    std::vector<double> certificate(std::size_t rows) const {
        std::vector<double> all(rows);
        detail::check(fourbar_contact_solver_get_certificate(get(), all.data(), all.size()));
        return all;
    }
    /// Try `i` of the last solve, which made `result.attempts` of them.
    contact_attempt attempt(std::size_t i) const {
        std::int32_t method = 0, status = 0;
        std::size_t iterations = 0;
        double residual = 0.0;
        detail::check(fourbar_contact_solver_attempt(get(), i, &method, &status, &iterations, &residual));
        return {static_cast<fourbar_contact_method>(method), static_cast<fourbar_contact_status>(status), iterations, residual};
    }
    fourbar_contact_solver *get() const noexcept { return own_.get(); }

private:
    detail::handle<fourbar_contact_solver, fourbar_contact_solver_free> own_;
};

} // namespace fourbar

#endif
