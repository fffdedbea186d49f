// The host's own equations, F(t, y, y') = 0 or y' = f(t, y), and the integrators that solve them.
// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef FOURBAR_PROBLEM_HPP
#define FOURBAR_PROBLEM_HPP

#include "equations.hpp"

#include <optional>

namespace fourbar {

/// What a problem is made from: set `dimension`, `residual` or `rhs`, and what else is known. The meaning of each is that of
/// fourbar_equations; empty means NULL. A callable throws fourbar::outside_domain where it cannot be evaluated.
struct equations {
    std::size_t dimension = 0;
    /// Writes F(t, y, y').
    std::function<void(double t, input y, input yp, output residual)> residual;
    /// Writes f(t, y).
    std::function<void(double t, input y, output yp)> rhs;
    /// Writes the entries of dF/dy + c dF/dy', or of df/dy (then without yp and c), in the order of the pattern.
    std::function<void(double t, input y, input yp, double c, output values)> jacobian;
    /// By columns; both empty: all entries.
    std::vector<std::size_t> pattern_offsets, pattern_rows;
    /// Values of fourbar_kind.
    std::vector<std::int32_t> kinds;
    int index = 1;
    std::vector<std::int32_t> error_tested, scale_powers;
    std::vector<double> typical;
    std::vector<std::string> names;
    /// Writes the values of root functions, as many as `root_directions` has.
    std::function<void(double t, input y, input yp, output roots)> roots;
    /// 1 rising, -1 falling, 0 both.
    std::vector<std::int32_t> root_directions;
    /// May change y and yp; returns a value of fourbar_event_action.
    std::function<fourbar_event_action(double t, output y, output yp, view<const std::size_t> indices, view<const std::int32_t> directions)> event;
};

/// A fourbar_problem and the callables it calls. Never changes.
class problem {
public:
    explicit problem(equations of) : host_(std::make_shared<equations>(std::move(of))) {
        const equations &e = *host_;
        fourbar_equations c{};
        detail::check(fourbar_equations_init(&c, sizeof c));
        c.user = host_.get();
        c.dimension = e.dimension;
        c.residual = e.residual ? residual : nullptr;
        c.rhs = e.rhs ? rhs : nullptr;
        c.jacobian = e.jacobian ? jacobian : nullptr;
        require(e.pattern_offsets.empty() || e.pattern_offsets.size() == e.dimension + 1, "pattern_offsets");
        c.pattern_offsets = data(e.pattern_offsets);
        c.pattern_rows = data(e.pattern_rows);
        c.pattern_length = e.pattern_offsets.empty() ? 0 : e.pattern_rows.size();
        c.index = e.index;
        c.kinds = per_unknown(e.kinds, "kinds");
        c.error_tested = per_unknown(e.error_tested, "error_tested");
        c.scale_powers = per_unknown(e.scale_powers, "scale_powers");
        c.typical = per_unknown(e.typical, "typical");
        std::vector<const char *> names;
        for (const auto &name : e.names) {
            names.push_back(name.c_str());
        }
        c.names = per_unknown(names, "names");
        require(!e.roots || !e.root_directions.empty(), "root_directions");
        c.root_count = static_cast<std::uint32_t>(e.root_directions.size());
        c.root_directions = data(e.root_directions);
        c.roots = e.roots ? roots : nullptr;
        c.event = e.event ? event : nullptr;
        fourbar_problem *out = nullptr;
        detail::check(fourbar_problem_new(&c, &out));
        own_.reset(out);
    }

    /// The equations of a mechanism, in the charts that they have now; see fourbar_problem_from_equations.
    explicit problem(const mechanism_equations &of) : mechanism_(of.host_) {
        fourbar_problem *out = nullptr;
        detail::check(fourbar_problem_from_equations(of.get(), &out));
        own_.reset(out);
    }

    std::size_t dimension() const {
        std::size_t n = 0;
        detail::check(fourbar_problem_dimension(get(), &n));
        return n;
    }
    /// Makes a start consistent; see fourbar_problem_consistent_start. Returns the number of iterations.
    std::size_t consistent_start(double t, output y, output yp) const {
        require(y.size() == yp.size(), "yp");
        std::size_t iterations = 0;
        detail::check_calling(fourbar_problem_consistent_start(get(), t, y.data(), yp.data(), y.size(), &iterations));
        return iterations;
    }
    const fourbar_problem *get() const noexcept { return own_.get(); }

private:
    friend class integration;

    static void require(bool fits, const char *name) {
        if (!fits) {
            throw error(FOURBAR_LENGTH, (std::string("'") + name + "' does not fit the dimension").c_str());
        }
    }
    template <class T>
    static const T *data(const std::vector<T> &values) {
        return values.empty() ? nullptr : values.data();
    }
    template <class T>
    const T *per_unknown(const std::vector<T> &values, const char *name) const {
        require(values.empty() || values.size() == host_->dimension, name);
        return data(values);
    }
    static const equations &host(void *user) { return *static_cast<const equations *>(user); }
    static std::int32_t residual(void *user, double t, const double *y, const double *yp, double *r) noexcept {
        const auto &e = host(user);
        const std::size_t n = e.dimension;
        return detail::run([&] { e.residual(t, {y, n}, {yp, n}, {r, n}); });
    }
    static std::int32_t rhs(void *user, double t, const double *y, double *yp) noexcept {
        const auto &e = host(user);
        const std::size_t n = e.dimension;
        return detail::run([&] { e.rhs(t, {y, n}, {yp, n}); });
    }
    static std::int32_t jacobian(void *user, double t, const double *y, const double *yp, double c, double *values) noexcept {
        const auto &e = host(user);
        const std::size_t n = e.dimension, entries = e.pattern_offsets.empty() ? n * n : e.pattern_rows.size();
        return detail::run([&] { e.jacobian(t, {y, n}, {yp, yp == nullptr ? 0 : n}, c, {values, entries}); });
    }
    static std::int32_t roots(void *user, double t, const double *y, const double *yp, double *values) noexcept {
        const auto &e = host(user);
        const std::size_t n = e.dimension;
        return detail::run([&] { e.roots(t, {y, n}, {yp, n}, {values, e.root_directions.size()}); });
    }
    static std::int32_t event(void *user, double t, double *y, double *yp, const std::size_t *indices, const std::int32_t *directions,
                              std::size_t count, std::int32_t *action) noexcept {
        const auto &e = host(user);
        const std::size_t n = e.dimension;
        return detail::run([&] { *action = e.event(t, {y, n}, {yp, n}, {indices, count}, {directions, count}); });
    }

    std::shared_ptr<equations> host_;
    std::shared_ptr<const detail::host_functions> mechanism_;
    detail::handle<fourbar_problem, fourbar_problem_free> own_;
};

/// An integrator and its options: fourbar_integration_options with its defaults.
struct integration_options : fourbar_integration_options {
    integration_options() { detail::check(fourbar_integration_options_init(this, sizeof(fourbar_integration_options))); }
};

/// A copy of everything that changes in an integration.
class integration_state {
    friend class integration;
    detail::handle<fourbar_integration_state, fourbar_integration_state_free> own_;
};

/// A root function that changed its sign.
struct root_event {
    std::size_t index;
    std::int32_t direction;
};

/// An integrator at work on a problem. One thread at a time.
class integration {
public:
    /// `yp` may be empty for equations y' = f(t, y).
    integration(const problem &of, const integration_options &options, double t, input y, input yp = {})
        : host_(of.host_), mechanism_(of.mechanism_), n_(y.size()) {
        problem::require(yp.size() == 0 || yp.size() == y.size(), "yp");
        fourbar_integration *out = nullptr;
        detail::check_calling(fourbar_integration_new(of.get(), &options, t, y.data(), yp.data(), n_, &out));
        own_.reset(out);
    }

    /// One accepted step.
    fourbar_stop step() {
        std::int32_t stop = 0;
        detail::check_calling(fourbar_integration_step(get(), &stop));
        return static_cast<fourbar_stop>(stop);
    }
    /// Up to t = `end`, exactly.
    fourbar_stop run(double end) {
        std::int32_t stop = 0;
        detail::check_calling(fourbar_integration_run(get(), end, &stop));
        return static_cast<fourbar_stop>(stop);
    }
    /// y at the given times, one after the other; fewer where an event came first.
    std::vector<double> sample(input times, fourbar_stop *stop = nullptr) {
        std::vector<double> values(times.size() * n_);
        std::size_t done = 0;
        std::int32_t why = 0;
        detail::check_calling(fourbar_integration_sample(get(), times.data(), times.size(), values.data(), values.size(), &done, &why));
        values.resize(done * n_);
        if (stop != nullptr) {
            *stop = static_cast<fourbar_stop>(why);
        }
        return values;
    }
    void set_end(double end) { detail::check(fourbar_integration_set_end(get(), end)); }
    void set_stop_times(input times) { detail::check(fourbar_integration_set_stop_times(get(), times.data(), times.size())); }
    void restart(double t, input y, input yp = {}) {
        problem::require(yp.size() == 0 || yp.size() == y.size(), "yp");
        detail::check_calling(fourbar_integration_restart(get(), t, y.data(), yp.data(), y.size()));
    }

    double time() const {
        double t = 0.0;
        detail::check(fourbar_integration_time(get(), &t, nullptr));
        return t;
    }
    std::vector<double> state() const {
        std::vector<double> y(n_);
        detail::check(fourbar_integration_get_state(get(), y.data(), nullptr, n_));
        return y;
    }
    std::vector<double> derivative() const {
        std::vector<double> yp(n_);
        detail::check(fourbar_integration_get_state(get(), nullptr, yp.data(), n_));
        return yp;
    }
    /// y within the last step, by the method's own polynomial.
    std::vector<double> interpolate(double t) const {
        std::vector<double> y(n_), yp(n_);
        detail::check(fourbar_integration_interpolate(get(), t, y.data(), yp.data(), n_));
        return y;
    }
    std::vector<root_event> events() const {
        std::size_t count = 0;
        detail::check(fourbar_integration_events(get(), nullptr, nullptr, 0, &count));
        std::vector<std::size_t> indices(count);
        std::vector<std::int32_t> directions(count);
        std::vector<root_event> all;
        if (count > 0) {
            detail::check(fourbar_integration_events(get(), indices.data(), directions.data(), count, &count));
        }
        for (std::size_t k = 0; k < count; k++) {
            all.push_back({indices[k], directions[k]});
        }
        return all;
    }
    /// Where a mechanism is whose equations are integrated, as numbers: 13 a body, `length` in all (mechanism_equations::figures().state_length).
    std::vector<double> mechanism_state(std::size_t length) {
        std::vector<double> state(length);
        detail::check_calling(fourbar_integration_mechanism_state(get(), state.data(), length));
        return state;
    }
    fourbar_solver_statistics statistics() const {
        fourbar_solver_statistics all{};
        detail::check(fourbar_integration_get_statistics(get(), &all, sizeof all));
        return all;
    }
    integration_state save() const {
        fourbar_integration_state *out = nullptr;
        detail::check(fourbar_integration_save(get(), &out));
        integration_state saved;
        saved.own_.reset(out);
        return saved;
    }
    void save_into(integration_state &saved) const { detail::check(fourbar_integration_save_into(get(), saved.own_.get())); }
    /// The bytes of a checkpoint, to be kept; integrations of the same kind read them in other processes too.
    std::vector<std::uint8_t> to_bytes(const integration_state &saved) const {
        return detail::bytes([&](std::uint8_t *to, std::size_t size, std::size_t *needed) {
            return fourbar_integration_state_to_bytes(get(), saved.own_.get(), to, size, needed);
        });
    }
    /// The point whose bytes these are, for restore().
    integration_state from_bytes(view<const std::uint8_t> bytes) const {
        fourbar_integration_state *out = nullptr;
        detail::check(fourbar_integration_state_from_bytes(get(), bytes.data(), bytes.size(), &out));
        integration_state saved;
        saved.own_.reset(out);
        return saved;
    }
    void restore(const integration_state &saved) { detail::check(fourbar_integration_restore(get(), saved.own_.get())); }
    fourbar_integration *get() const noexcept { return own_.get(); }

private:
    std::shared_ptr<const equations> host_; // the callables outlive what calls them
    std::shared_ptr<const detail::host_functions> mechanism_;
    std::size_t n_;
    detail::handle<fourbar_integration, fourbar_integration_free> own_;
};

} // namespace fourbar

#endif
