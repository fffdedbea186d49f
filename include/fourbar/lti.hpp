// Linear systems dx/dt = A x + B u, y = C x + D u.
// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef FOURBAR_LTI_HPP
#define FOURBAR_LTI_HPP

#include "core.hpp"

namespace fourbar {

/// A family of holds and its order: fourbar_hold with its defaults.
struct hold : fourbar_hold {
    hold() { detail::check(fourbar_hold_init(this, sizeof(fourbar_hold))); }
    hold(fourbar_method family, std::uint32_t l) : hold() {
        method = family;
        order = l;
    }
};

/// e^{AT} and G_i(T) = integral from 0 to T of e^{A(T-s)} (s/T)^i ds for i = 0 .. order, each n x n, column after column.
struct g_matrices {
    std::vector<double> exponential;
    std::vector<std::vector<double>> g;

    g_matrices(std::size_t n, input a, double step, std::size_t order) : exponential(n * n) {
        if (a.size() != n * n) {
            throw error(FOURBAR_LENGTH, "'a' must have n x n values");
        }
        std::vector<double> all((order + 1) * n * n);
        detail::check(fourbar_g_matrices(n, a.data(), step, order, exponential.data(), all.data(), all.size()));
        for (std::size_t i = 0; i <= order; i++) {
            const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i * n * n);
            g.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(n * n));
        }
    }
};

/// dx/dt = A x + B u, y = C x + D u: n states, m inputs, q outputs. Never changes; shared by threads at will.
class linear_system {
public:
    /// Matrices column after column: `a` n x n, `b` n x m, `c` q x n, `d` q x m.
    linear_system(std::size_t n, std::size_t m, std::size_t q, input a, input b, input c, input d) {
        if (a.size() != n * n || b.size() != n * m || c.size() != q * n || d.size() != q * m) {
            throw error(FOURBAR_LENGTH, "the matrices must be n x n, n x m, q x n and q x m");
        }
        fourbar_system *out = nullptr;
        detail::check(fourbar_system_new(n, m, q, a.data(), b.data(), c.data(), d.data(), &out));
        own_.reset(out);
    }

    /// Takes over a handle.
    explicit linear_system(fourbar_system *handle) noexcept : own_(handle) {}

    std::size_t states() const { return dimensions()[0]; }
    std::size_t inputs() const { return dimensions()[1]; }
    std::size_t outputs() const { return dimensions()[2]; }

    /// A matrix, column after column.
    std::vector<double> matrix(fourbar_matrix which) const {
        const auto d = dimensions();
        const std::size_t rows = which == FOURBAR_MATRIX_A || which == FOURBAR_MATRIX_B ? d[0] : d[2];
        const std::size_t columns = which == FOURBAR_MATRIX_A || which == FOURBAR_MATRIX_C ? d[0] : d[1];
        std::vector<double> values(rows * columns);
        detail::check(fourbar_system_matrix(get(), which, values.data(), values.size()));
        return values;
    }
    /// Eigenvalues of A: real parts, imaginary parts [1/s].
    std::pair<std::vector<double>, std::vector<double>> eigenvalues() const {
        std::vector<double> re(states()), im(states());
        detail::check(fourbar_system_eigenvalues(get(), re.data(), im.data(), re.size()));
        return {std::move(re), std::move(im)};
    }

    /// H(i w) at angular frequencies w [rad/s]: real and imaginary parts, one q x m matrix after the other, each column after column; NaN at a pole.
    std::pair<std::vector<double>, std::vector<double>> frequency_response(input frequencies) const {
        const std::size_t length = frequencies.size() * outputs() * inputs();
        std::vector<double> re(length), im(length);
        detail::check(fourbar_system_frequency_response(get(), frequencies.data(), frequencies.size(), re.data(), im.data(), length));
        return {std::move(re), std::move(im)};
    }
    /// The matrices of a sampled system x(k+1) = A_d x(k) + B_d u(k), y(k) = C_d x(k) + D_d u(k).
    struct sampled_matrices {
        std::vector<double> a, b, c, d;
    };
    /// Those for a step [s]; Tustin prewarped at an angular frequency [rad/s], 0: not at all.
    sampled_matrices sampled(double step, fourbar_sampling sampling, double prewarped_at = 0.0) const {
        const auto size = dimensions();
        const std::size_t n = size[0], m = size[1], q = size[2];
        sampled_matrices all{std::vector<double>(n * n), std::vector<double>(n * m), std::vector<double>(q * n), std::vector<double>(q * m)};
        detail::check(fourbar_system_sampled(get(), step, sampling, prewarped_at, all.a.data(), all.b.data(), all.c.data(), all.d.data()));
        return all;
    }

    /// See fourbar_system_suggest_step.
    double suggest_step(const hold &family, input derivatives, double tolerance, double largest) const {
        double step = 0.0;
        detail::check(fourbar_system_suggest_step(get(), &family, derivatives.data(), derivatives.size(), tolerance, largest, &step));
        return step;
    }

    const fourbar_system *get() const noexcept { return own_.get(); }

private:
    struct three {
        std::size_t values[3];
        std::size_t operator[](std::size_t i) const { return values[i]; }
    };
    three dimensions() const {
        three all{};
        detail::check(fourbar_system_dimensions(get(), &all.values[0], &all.values[1], &all.values[2]));
        return all;
    }
    detail::handle<fourbar_system, fourbar_system_free> own_;
};

/// x(k+1) = e^{AT} x(k) + sum of Phi_i u(t_k + offset_i). Never changes; shared by threads at will.
class discretization {
public:
    discretization(const linear_system &of, double step, const hold &family = hold()) : n_(of.states()), m_(of.inputs()) {
        fourbar_discretization *out = nullptr;
        detail::check(fourbar_discretization_new(of.get(), step, &family, &out));
        own_.reset(out);
    }

    /// Times of the samples from the beginning of the step [s].
    std::vector<double> offsets() const {
        std::size_t samples = 0;
        detail::check(fourbar_discretization_samples(get(), &samples));
        std::vector<double> all(samples);
        detail::check(fourbar_discretization_offsets(get(), all.data(), all.size()));
        return all;
    }
    /// e^{AT}, n x n, column after column.
    std::vector<double> exponential() const {
        std::vector<double> all(n_ * n_);
        detail::check(fourbar_discretization_exponential(get(), all.data(), all.size()));
        return all;
    }
    /// Phi_i, n x m, column after column.
    std::vector<double> input_matrix(std::size_t i) const {
        std::vector<double> all(n_ * m_);
        detail::check(fourbar_discretization_input_matrix(get(), i, all.data(), all.size()));
        return all;
    }

    const fourbar_discretization *get() const noexcept { return own_.get(); }

private:
    std::size_t n_, m_;
    detail::handle<fourbar_discretization, fourbar_discretization_free> own_;
};

/// Everything that changes as a stepper advances.
class stepper_state {
public:
    const fourbar_stepper_state *get() const noexcept { return own_.get(); }

private:
    friend class stepper;
    detail::handle<fourbar_stepper_state, fourbar_stepper_state_free> own_;
};

/// A linear system that advances in steps. One thread at a time; no step allocates.
class stepper {
public:
    stepper(const linear_system &of, double step, const hold &family = hold()) : n_(of.states()), q_(of.outputs()) {
        fourbar_stepper *out = nullptr;
        detail::check(fourbar_stepper_new(of.get(), step, &family, &out));
        own_.reset(out);
    }

    /// Times of the samples that step() takes, from the beginning of the step [s].
    std::vector<double> offsets() const {
        std::size_t samples = 0;
        detail::check(fourbar_stepper_samples(get(), &samples));
        std::vector<double> all(samples);
        detail::check(fourbar_stepper_offsets(get(), all.data(), all.size()));
        return all;
    }
    /// The same for start_step().
    std::vector<double> startup_offsets() const {
        std::size_t count = 0;
        detail::check(fourbar_stepper_startup_offsets(get(), nullptr, 0, &count));
        std::vector<double> all(count);
        if (count > 0) {
            detail::check(fourbar_stepper_startup_offsets(get(), all.data(), all.size(), &count));
        }
        return all;
    }
    std::size_t missing_history() const {
        std::size_t samples = 0;
        detail::check(fourbar_stepper_missing_history(get(), &samples));
        return samples;
    }
    void set_input(input u) { detail::check(fourbar_stepper_set_input(get(), u.data(), u.size())); }
    void set_history(input samples) { detail::check(fourbar_stepper_set_history(get(), samples.data(), samples.size())); }
    void step(input u, output y) { detail::check(fourbar_stepper_step(get(), u.data(), u.size(), y.data(), y.size())); }
    void start_step(input u, output y) {
        detail::check(fourbar_stepper_start_step(get(), u.data(), u.size(), y.data(), y.size()));
    }
    /// Many steps; returns their number.
    std::size_t run(input samples, output outputs) {
        std::size_t steps = 0;
        detail::check(fourbar_stepper_run(get(), samples.data(), samples.size(), outputs.data(), outputs.size(), &steps));
        return steps;
    }
    /// outputs.size() / q steps under `function(t, u)`, which writes the m inputs at the time t [s].
    template <class Function>
    void simulate(Function &&function, output outputs) {
        using callable = std::remove_reference_t<Function>;
        const auto trampoline = [](void *user, double t, double *u, std::size_t m) noexcept -> std::int32_t {
            return detail::run([&] { (*static_cast<callable *>(user))(t, output(u, m)); });
        };
        void *user = const_cast<void *>(static_cast<const void *>(std::addressof(function)));
        detail::check_calling(fourbar_stepper_simulate(get(), trampoline, user, outputs.data(), outputs.size()));
    }

    double time() const {
        double t = 0.0;
        detail::check(fourbar_stepper_time(get(), &t, nullptr));
        return t;
    }
    std::uint64_t steps() const {
        std::uint64_t made = 0;
        detail::check(fourbar_stepper_time(get(), nullptr, &made));
        return made;
    }
    std::vector<double> state() const {
        std::vector<double> x(n_);
        detail::check(fourbar_stepper_get_state(get(), x.data(), x.size()));
        return x;
    }
    void set_state(input x) { detail::check(fourbar_stepper_set_state(get(), x.data(), x.size())); }
    /// y = C x + D u.
    std::vector<double> outputs(input u) const {
        std::vector<double> y(q_);
        detail::check(fourbar_stepper_output(get(), u.data(), u.size(), y.data(), y.size()));
        return y;
    }
    std::vector<double> local_error() const {
        std::vector<double> all(n_);
        detail::check(fourbar_stepper_local_error(get(), all.data(), all.size()));
        return all;
    }
    void reset() { detail::check(fourbar_stepper_reset(get())); }
    void continue_from(const stepper &other) { detail::check(fourbar_stepper_continue_from(get(), other.get())); }
    stepper_state save() const {
        fourbar_stepper_state *out = nullptr;
        detail::check(fourbar_stepper_save(get(), &out));
        stepper_state saved;
        saved.own_.reset(out);
        return saved;
    }
    /// Into a state saved before by this stepper; allocates nothing.
    void save_into(stepper_state &saved) const { detail::check(fourbar_stepper_save_into(get(), saved.own_.get())); }
    /// The bytes of a checkpoint, to be kept; steppers of the same kind read them in other processes too.
    std::vector<std::uint8_t> to_bytes(const stepper_state &saved) const {
        return detail::bytes([&](std::uint8_t *to, std::size_t size, std::size_t *needed) {
            return fourbar_stepper_state_to_bytes(get(), saved.own_.get(), to, size, needed);
        });
    }
    /// The point whose bytes these are, for restore().
    stepper_state from_bytes(view<const std::uint8_t> bytes) const {
        fourbar_stepper_state *out = nullptr;
        detail::check(fourbar_stepper_state_from_bytes(get(), bytes.data(), bytes.size(), &out));
        stepper_state saved;
        saved.own_.reset(out);
        return saved;
    }
    void restore(const stepper_state &saved) { detail::check(fourbar_stepper_restore(get(), saved.get())); }

    fourbar_stepper *get() const noexcept { return own_.get(); }

private:
    std::size_t n_, q_;
    detail::handle<fourbar_stepper, fourbar_stepper_free> own_;
};

} // namespace fourbar

#endif
