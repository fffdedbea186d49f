// Circuits and linear systems of model files, stepped in a host's loop.
// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef FOURBAR_SIMULATOR_HPP
#define FOURBAR_SIMULATOR_HPP

#include "core.hpp"

namespace fourbar {

/// A checkpoint of a simulator.
class simulator_state {
    friend class simulator;
    detail::handle<fourbar_simulator_state, fourbar_simulator_state_free> own_;
};

/// A circuit or a linear system in time. One thread at a time. Parts are FOURBAR_PART_INPUT and FOURBAR_PART_MEASURE.
class simulator {
public:
    static simulator from_file(const std::string &path) {
        return simulator([&](fourbar_simulator **out) { return fourbar_simulator_from_file(path.c_str(), out); });
    }
    static simulator from_toml(const std::string &text, const char *file = nullptr) {
        return simulator([&](fourbar_simulator **out) { return fourbar_simulator_from_toml(text.c_str(), file, out); });
    }

    void step_to(double time) { detail::check(fourbar_simulator_step_to(get(), time)); }
    void step(double step) { detail::check(fourbar_simulator_step(get(), step)); }
    double time() const {
        double t = 0.0;
        detail::check(fourbar_simulator_time(get(), &t));
        return t;
    }

    std::size_t size(fourbar_part part) const {
        std::size_t inputs = 0, measures = 0;
        detail::check(fourbar_simulator_size(get(), &inputs, &measures));
        return part == FOURBAR_PART_INPUT ? inputs : measures;
    }
    std::string name(fourbar_part part, std::size_t index) const {
        return detail::text([&](char *to, std::size_t size, std::size_t *needed) {
            return fourbar_simulator_name(get(), part, index, to, size, needed);
        });
    }
    std::string unit(fourbar_part part, std::size_t index) const {
        return detail::text([&](char *to, std::size_t size, std::size_t *needed) {
            return fourbar_simulator_unit(get(), part, index, to, size, needed);
        });
    }
    std::size_t find(fourbar_part part, const std::string &name) const {
        std::size_t index = 0;
        detail::check(fourbar_simulator_find(get(), part, name.c_str(), &index));
        return index;
    }

    void set_input(const std::string &name, double value, double rate = 0.0) {
        detail::check(fourbar_simulator_set_input(get(), name.c_str(), value, rate));
    }
    /// Value, first and second derivative of each input.
    void set_inputs(input values) { detail::check(fourbar_simulator_set_inputs(get(), values.data(), values.size())); }
    void inputs(output values) const { detail::check(fourbar_simulator_inputs(get(), values.data(), values.size())); }
    std::vector<double> measures() const {
        std::vector<double> values(size(FOURBAR_PART_MEASURE));
        detail::check(fourbar_simulator_measures(get(), values.data(), values.size()));
        return values;
    }
    double measure(const std::string &name) const {
        double value = 0.0;
        detail::check(fourbar_simulator_measure(get(), name.c_str(), &value));
        return value;
    }

    simulator_state save() {
        fourbar_simulator_state *out = nullptr;
        detail::check(fourbar_simulator_save(get(), &out));
        simulator_state saved;
        saved.own_.reset(out);
        return saved;
    }
    void restore(const simulator_state &saved) { detail::check(fourbar_simulator_restore(get(), saved.own_.get())); }
    fourbar_simulator *get() const noexcept { return own_.get(); }

private:
    template <class Make>
    explicit simulator(Make make) {
        fourbar_simulator *out = nullptr;
        detail::check(make(&out));
        own_.reset(out);
    }
    detail::handle<fourbar_simulator, fourbar_simulator_free> own_;
};

} // namespace fourbar

#endif
