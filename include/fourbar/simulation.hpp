// Mechanisms stepped in a host's loop.
// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef FOURBAR_SIMULATION_HPP
#define FOURBAR_SIMULATION_HPP

#include "lti.hpp"
#include "model.hpp"

#include <array>

namespace fourbar {

/// fourbar_simulation_options with its defaults: all as the model says.
struct simulation_options : fourbar_simulation_options {
    simulation_options() { detail::check(fourbar_simulation_options_init(this, sizeof(fourbar_simulation_options))); }
};

/// A checkpoint of a simulation.
class simulation_state {
    friend class simulation;
    detail::handle<fourbar_simulation_state, fourbar_simulation_state_free> own_;
};

/// A linearized mechanism and the coordinates its states belong to (see fourbar_simulation_linearize).
struct linearization {
    linear_system plant;
    std::vector<std::size_t> coordinates;
};

/// A static equilibrium: the residual of its equations, and whether it is stable.
struct equilibrium {
    double residual;
    bool stable;
};

/// A mechanism in motion. One thread at a time.
class simulation {
public:
    explicit simulation(const mechanism &of, const simulation_options &options = {}) : host_(of.host_), measures_(of.figures().measures), bodies_(of.figures().bodies) {
        fourbar_simulation *out = nullptr;
        detail::check_calling(fourbar_simulation_new(of.get(), &options, &out));
        own_.reset(out);
    }

    void step_to(double time) { detail::check_calling(fourbar_simulation_step_to(get(), time)); }
    void step(double step) { detail::check_calling(fourbar_simulation_step(get(), step)); }
    /// One step of the method, or the part of one up to an event.
    fourbar_progress advance(double end) {
        std::int32_t progress = 0;
        detail::check_calling(fourbar_simulation_advance(get(), end, &progress));
        return static_cast<fourbar_progress>(progress);
    }
    double time() const {
        double t = 0.0;
        detail::check(fourbar_simulation_time(get(), &t, nullptr));
        return t;
    }
    std::uint64_t steps() const {
        std::uint64_t made = 0;
        detail::check(fourbar_simulation_time(get(), nullptr, &made));
        return made;
    }

    void set_input(const std::string &name, double value, double rate = 0.0) {
        detail::check_calling(fourbar_simulation_set_input(get(), name.c_str(), value, rate));
    }
    /// Value, first and second derivative of each input.
    void set_inputs(input values) { detail::check_calling(fourbar_simulation_set_inputs(get(), values.data(), values.size())); }
    void inputs(output values) const { detail::check(fourbar_simulation_inputs(get(), values.data(), values.size())); }

    std::vector<double> measures() {
        std::vector<double> values(measures_);
        detail::check_calling(fourbar_simulation_measures(get(), values.data(), values.size()));
        return values;
    }
    double measure(const std::string &name) {
        double value = 0.0;
        detail::check_calling(fourbar_simulation_measure(get(), name.c_str(), &value));
        return value;
    }
    fourbar_body_state body(std::size_t index) {
        fourbar_body_state state{};
        detail::check_calling(fourbar_simulation_body(get(), index, &state, sizeof state));
        return state;
    }
    /// Force [N] and torque [N m] on the body of marker I.
    std::array<double, 6> reaction(fourbar_part part, std::size_t index) {
        std::array<double, 6> wrench{};
        detail::check_calling(fourbar_simulation_reaction(get(), part, index, wrench.data()));
        return wrench;
    }

    std::size_t event_count() const {
        std::size_t count = 0;
        detail::check(fourbar_simulation_event_count(get(), &count));
        return count;
    }
    fourbar_contact_event event(std::size_t index) const {
        fourbar_contact_event one{};
        detail::check(fourbar_simulation_event(get(), index, &one, sizeof one));
        return one;
    }
    std::string event_text(std::size_t index) const {
        return detail::text([&](char *to, std::size_t size, std::size_t *needed) {
            return fourbar_simulation_event_text(get(), index, to, size, needed);
        });
    }
    /// Events of sensors and of elements with `active`.
    std::size_t switch_count() const {
        std::size_t count = 0;
        detail::check(fourbar_simulation_switch_count(get(), &count));
        return count;
    }
    fourbar_switch_event switch_event(std::size_t index) const {
        fourbar_switch_event one{};
        detail::check(fourbar_simulation_switch(get(), index, &one, sizeof one, nullptr, 0));
        return one;
    }
    std::vector<double> switch_values(std::size_t index) const {
        fourbar_switch_event one{};
        std::vector<double> values(switch_event(index).value_count);
        detail::check(fourbar_simulation_switch(get(), index, &one, sizeof one, values.data(), values.size()));
        return values;
    }
    std::string switch_text(std::size_t index) const {
        return detail::text([&](char *to, std::size_t size, std::size_t *needed) {
            return fourbar_simulation_switch_text(get(), index, to, size, needed);
        });
    }
    void clear_events() { detail::check(fourbar_simulation_clear_events(get())); }

    /// The state as numbers; see fourbar_simulation_get_state.
    std::vector<double> state() {
        std::size_t length = 0;
        detail::check(fourbar_simulation_state_length(get(), &length));
        std::vector<double> values(length);
        detail::check_calling(fourbar_simulation_get_state(get(), values.data(), values.size()));
        return values;
    }
    void set_state(double time, input values) {
        detail::check_calling(fourbar_simulation_set_state(get(), time, values.data(), values.size()));
    }
    simulation_state save() const {
        fourbar_simulation_state *out = nullptr;
        detail::check(fourbar_simulation_save(get(), &out));
        simulation_state saved;
        saved.own_.reset(out);
        return saved;
    }
    /// The bytes of a checkpoint, to be kept; simulations of the same kind read them in other processes too.
    std::vector<std::uint8_t> to_bytes(const simulation_state &saved) const {
        return detail::bytes([&](std::uint8_t *to, std::size_t size, std::size_t *needed) {
            return fourbar_simulation_state_to_bytes(get(), saved.own_.get(), to, size, needed);
        });
    }
    /// The point whose bytes these are, for restore().
    simulation_state from_bytes(view<const std::uint8_t> bytes) const {
        fourbar_simulation_state *out = nullptr;
        detail::check(fourbar_simulation_state_from_bytes(get(), bytes.data(), bytes.size(), &out));
        simulation_state saved;
        saved.own_.reset(out);
        return saved;
    }
    void restore(const simulation_state &saved) { detail::check_calling(fourbar_simulation_restore(get(), saved.own_.get())); }

    equilibrium find_equilibrium() {
        double residual = 0.0;
        std::int32_t stable = 0;
        detail::check_calling(fourbar_simulation_find_equilibrium(get(), &residual, &stable));
        return {residual, stable != 0};
    }
    linearization linearize() {
        std::size_t count = 0;
        fourbar_system *out = nullptr;
        std::vector<std::size_t> coordinates(6 * bodies_); // as many as there can be
        detail::check_calling(fourbar_simulation_linearize(get(), coordinates.data(), coordinates.size(), &count, &out));
        linearization made{linear_system(out), std::move(coordinates)};
        made.coordinates.resize(count);
        return made;
    }
    fourbar_simulation_statistics statistics() const {
        fourbar_simulation_statistics all{};
        detail::check(fourbar_simulation_get_statistics(get(), &all, sizeof all));
        return all;
    }
    fourbar_simulation *get() const noexcept { return own_.get(); }

private:
    std::shared_ptr<const detail::host_functions> host_; // the callables outlive what calls them
    std::size_t measures_, bodies_;
    detail::handle<fourbar_simulation, fourbar_simulation_free> own_;
};

} // namespace fourbar

#endif
