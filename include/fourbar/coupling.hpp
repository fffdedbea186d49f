// Co-simulation: partners given as callables or in shared libraries, connected and stepped together.
// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef FOURBAR_COUPLING_HPP
#define FOURBAR_COUPLING_HPP

#include "../fourbar_partner.h"
#include "core.hpp"

#include <cstdio>
#include <cstring>
#include <deque>
#include <mutex>

namespace fourbar {

/// fourbar_coupling_options with its defaults.
struct coupling_options : fourbar_coupling_options {
    coupling_options() { detail::check(fourbar_coupling_options_init(this, sizeof(fourbar_coupling_options))); }
};

/// fourbar_partner_place with its defaults.
struct partner_place : fourbar_partner_place {
    partner_place() { detail::check(fourbar_partner_place_init(this, sizeof(fourbar_partner_place))); }
};

/// A variable of a partner.
struct partner_variable {
    std::string name, unit;
    double start = 0.0;
    double nominal = 1.0;
    /// Of an output: indices of the inputs on which it depends without delay.
    std::vector<std::uint32_t> feedthrough = {};
};

/// One exchange: inputs in, a step, outputs out. Over the step an input is the polynomial
/// inputs + input_rates s + input_curvatures s^2/2, s seconds behind `time`. A step of 0 asks for the outputs of now.
struct partner_exchange {
    double time, step;
    input inputs, input_rates, input_curvatures;
    output outputs;
};

/// A partner within the host. `exchange`, `save` and `restore` may throw: the fault has the text of the exception, and where it stops the
/// run, the exception comes out of the call that stepped it.
struct partner {
    std::vector<partner_variable> inputs, outputs;
    std::function<void(const partner_exchange &)> exchange;
    /// Both or none: everything on which the further run depends.
    std::function<std::vector<unsigned char>()> save;
    std::function<void(view<const unsigned char>)> restore;
    /// Highest derivative of the inputs that `exchange` uses.
    std::uint32_t input_order = 0;
    /// Step of its own solver [s]; 0 if it steps anyhow.
    double solver_step = 0.0;
};

namespace detail {

/// A partner with the tables that describe it. It stays where it is.
class hosted_partner {
public:
    hosted_partner(const std::string &name, partner of) : quoted_name_('"' + name + '"'), own_(std::move(of)) {
        list(own_.inputs, FOURBAR_PARTNER_INPUT);
        list(own_.outputs, FOURBAR_PARTNER_OUTPUT);
        description_.struct_size = sizeof description_;
        description_.version = FOURBAR_PARTNER_VERSION;
        description_.capabilities = own_.save && own_.restore ? std::uint32_t{FOURBAR_PARTNER_CAN_RESTORE} : 0;
        description_.input_order = own_.input_order;
        description_.variable_count = static_cast<std::uint32_t>(variables_.size());
        description_.variables = variables_.data();
        description_.solver_step = own_.solver_step;
    }
    hosted_partner(const hosted_partner &) = delete;

    fourbar_partner_functions functions() {
        fourbar_partner_functions table{};
        check(fourbar_partner_functions_init(&table, sizeof table));
        table.description = &description_;
        table.user = this;
        table.exchange = exchange;
        table.state = own_.save && own_.restore ? state : nullptr;
        return table;
    }
    /// Throws what the partner threw in its last call, if `text`, the reason why a run was stopped, names it and says what the exception said.
    void rethrow(const char *text) {
        std::exception_ptr kept;
        std::string said;
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            kept = thrown_;
            said = said_;
        }
        if (kept && std::strstr(text, quoted_name_.c_str()) != nullptr && std::strstr(text, said.c_str()) != nullptr) {
            std::rethrow_exception(kept);
        }
    }

private:
    void list(const std::vector<partner_variable> &from, std::int32_t causality) {
        for (const auto &one : from) {
            fourbar_partner_variable variable{};
            variable.struct_size = sizeof variable;
            variable.name = one.name.c_str();
            variable.unit = one.unit.c_str();
            variable.start = one.start;
            variable.nominal = one.nominal;
            variable.feedthrough = one.feedthrough.data();
            variable.feedthrough_count = static_cast<std::uint32_t>(one.feedthrough.size());
            variable.causality = causality;
            variables_.push_back(variable);
        }
    }
    void keep(std::exception_ptr thrown, const char *said) noexcept {
        // It may have a thread of its own, and be late.
        const std::lock_guard<std::mutex> lock(mutex_);
        try {
            said_ = said;
            thrown_ = std::move(thrown);
        } catch (...) {
            thrown_ = nullptr; // No memory for its text: the error goes on without the exception.
        }
    }
    template <class Call>
    std::int32_t told(char *to, std::size_t size, Call call) noexcept {
        keep(nullptr, "");
        try {
            return call();
        } catch (const std::exception &reason) {
            std::snprintf(to, size, "%s", reason.what());
            keep(std::current_exception(), to);
        } catch (...) {
            std::snprintf(to, size, "an exception that is no std::exception");
            keep(std::current_exception(), to);
        }
        return FOURBAR_PARTNER_FAILED;
    }
    static std::int32_t exchange(void *instance, fourbar_partner_data *data, char *to, std::size_t size) noexcept {
        auto &hosted = *static_cast<hosted_partner *>(instance);
        auto &own = hosted.own_;
        return hosted.told(to, size, [&]() -> std::int32_t {
            const std::size_t m = own.inputs.size(), q = own.outputs.size();
            own.exchange({data->time, data->step, {data->inputs, m}, {data->input_rates, m}, {data->input_curvatures, m}, {data->outputs, q}});
            data->reached = data->time + data->step;
            return FOURBAR_PARTNER_OK;
        });
    }
    static std::int32_t state(void *instance, std::int32_t action, void *bytes, std::size_t *length, char *to, std::size_t size) noexcept {
        auto &hosted = *static_cast<hosted_partner *>(instance);
        auto &own = hosted.own_;
        return hosted.told(to, size, [&]() -> std::int32_t {
            if (action == FOURBAR_PARTNER_RESTORE) {
                own.restore({static_cast<const unsigned char *>(bytes), *length});
                return FOURBAR_PARTNER_OK;
            }
            const auto saved = own.save();
            if (*length < saved.size()) {
                *length = saved.size();
                return FOURBAR_PARTNER_TOO_SMALL;
            }
            *length = saved.size();
            if (!saved.empty()) {
                std::memcpy(bytes, saved.data(), saved.size());
            }
            return FOURBAR_PARTNER_OK;
        });
    }

    std::string quoted_name_;
    partner own_;
    std::vector<fourbar_partner_variable> variables_;
    fourbar_partner_description description_{};
    std::mutex mutex_;
    std::exception_ptr thrown_;
    std::string said_;
};

} // namespace detail

/// A fault that was caught.
struct fault {
    fourbar_fault_level level;
    fourbar_fault_handling handling;
    double time;
    std::string text;
};

/// Simulators stepped together. One thread at a time.
class coupling {
public:
    explicit coupling(const coupling_options &options = {}) {
        fourbar_coupling *out = nullptr;
        detail::check(fourbar_coupling_new(&options, &out));
        own_.reset(out);
    }
    /// From the text of a model file of the type "coupled"; `file` is its name in messages.
    static coupling from_toml(const std::string &text, const char *file = nullptr, const fourbar_coupling_options *options = nullptr) {
        fourbar_coupling *out = nullptr;
        detail::check(fourbar_coupling_from_toml(text.c_str(), file, options, &out));
        return coupling(out);
    }

    coupling(coupling &&) = default;
    /// What was there before is freed first: it waits for its partners' functions, which go afterwards.
    coupling &operator=(coupling &&other) noexcept {
        own_ = std::move(other.own_);
        partners_ = std::move(other.partners_);
        return *this;
    }
    /// Waits until its partners' functions that are still at work have returned.
    ~coupling() = default;

    void add(const std::string &name, partner of, const partner_place &place = {}) {
        auto &kept = *partners_.emplace_back(std::make_unique<detail::hosted_partner>(name, std::move(of)));
        const auto table = kept.functions();
        detail::check(fourbar_coupling_add_functions(get(), name.c_str(), &table, &place));
    }
    void add_library(const std::string &name, const std::string &path, const partner_place &place = {}) {
        detail::check(fourbar_coupling_add_library(get(), name.c_str(), path.c_str(), &place));
    }
    /// "partner.output" to "partner.input".
    void connect(const std::string &from, const std::string &to, double gain = 1.0, double offset = 0.0) {
        detail::check(fourbar_coupling_connect(get(), from.c_str(), to.c_str(), gain, offset));
    }
    void set_fault_level(fourbar_fault_class of, fourbar_fault_level level, std::uint32_t attempts = 1) {
        detail::check(fourbar_coupling_set_fault_level(get(), of, level, attempts));
    }

    /// The state of the run as bytes, to be kept; runs of the same partners, connections and settings read them in other processes too.
    std::vector<std::uint8_t> save() {
        return detail::bytes([&](std::uint8_t *to, std::size_t size, std::size_t *needed) {
            return fourbar_coupling_save(get(), to, size, needed);
        });
    }
    /// Goes on from there.
    void restore(view<const std::uint8_t> bytes) { detail::check(fourbar_coupling_restore(get(), bytes.data(), bytes.size())); }
    void start() { stepped(fourbar_coupling_start(get())); }
    fourbar_run_state step() {
        std::int32_t state = 0;
        stepped(fourbar_coupling_step(get(), &state));
        return static_cast<fourbar_run_state>(state);
    }
    fourbar_run_state run_to(double time) {
        std::int32_t state = 0;
        stepped(fourbar_coupling_run_to(get(), time, &state));
        return static_cast<fourbar_run_state>(state);
    }
    double time() const {
        double t = 0.0;
        detail::check(fourbar_coupling_time(get(), &t, nullptr));
        return t;
    }
    fourbar_run_state state() const {
        std::int32_t state = 0;
        detail::check(fourbar_coupling_time(get(), nullptr, &state));
        return static_cast<fourbar_run_state>(state);
    }

    double get_output(const std::string &name) const {
        double value = 0.0;
        detail::check(fourbar_coupling_get_output(get(), name.c_str(), &value));
        return value;
    }
    void set_input(const std::string &name, double value) { detail::check(fourbar_coupling_set_input(get(), name.c_str(), value)); }
    /// A parameter of a partner as it stands, "partner.parameter".
    fourbar_parameter get_parameter(const std::string &name) {
        fourbar_parameter own;
        detail::check(fourbar_coupling_get_parameter(get(), name.c_str(), &own, sizeof own));
        return own;
    }
    /// Sets a tunable one, from the next communication step on.
    void set_parameter(const std::string &name, double value) {
        detail::check(fourbar_coupling_set_parameter(get(), name.c_str(), value));
    }
    std::vector<std::string> parameter_names() {
        std::size_t count = 0;
        detail::check(fourbar_coupling_parameter_count(get(), &count));
        return names(count, fourbar_coupling_parameter_name);
    }
    std::string parameter_unit(const std::string &name) {
        return detail::text([&](char *to, std::size_t size, std::size_t *needed) {
            return fourbar_coupling_parameter_unit(get(), name.c_str(), to, size, needed);
        });
    }
    /// A text of a partner as it stands.
    std::string get_text(const std::string &name) {
        return detail::text([&](char *to, std::size_t size, std::size_t *needed) {
            return fourbar_coupling_get_text(get(), name.c_str(), to, size, needed);
        });
    }
    std::vector<std::string> output_names() {
        std::size_t count = 0;
        detail::check(fourbar_coupling_counts(get(), &count, nullptr));
        return names(count, fourbar_coupling_output_name);
    }
    std::vector<std::string> input_names() {
        std::size_t count = 0;
        detail::check(fourbar_coupling_counts(get(), nullptr, &count));
        return names(count, fourbar_coupling_input_name);
    }
    std::string unit(const std::string &name) const {
        return detail::text([&](char *to, std::size_t size, std::size_t *needed) {
            return fourbar_coupling_unit(get(), name.c_str(), to, size, needed);
        });
    }
    /// All, in the order of their names.
    std::vector<double> outputs() {
        std::size_t count = 0;
        detail::check(fourbar_coupling_counts(get(), &count, nullptr));
        std::vector<double> values(count);
        detail::check(fourbar_coupling_get_outputs(get(), values.data(), values.size()));
        return values;
    }

    /// The faults that are kept.
    std::vector<fault> faults() const {
        std::size_t kept = 0;
        detail::check(fourbar_coupling_fault_count(get(), &kept, nullptr));
        std::vector<fault> all;
        for (std::size_t i = 0; i < kept; i++) {
            std::int32_t level = 0, handling = 0;
            double time = 0.0;
            const auto text = detail::text([&](char *to, std::size_t size, std::size_t *needed) {
                return fourbar_coupling_fault(get(), i, &level, &handling, &time, to, size, needed);
            });
            all.push_back({static_cast<fourbar_fault_level>(level), static_cast<fourbar_fault_handling>(handling), time, text});
        }
        return all;
    }
    fourbar_coupling_statistics statistics() const {
        fourbar_coupling_statistics all{};
        detail::check(fourbar_coupling_get_statistics(get(), &all, sizeof all));
        return all;
    }
    fourbar_coupling *get() const noexcept { return own_.get(); }

private:
    explicit coupling(fourbar_coupling *handle) noexcept : own_(handle) {}
    /// Where a partner's exception stopped the run, that exception goes on.
    void stepped(int status) {
        if (status == FOURBAR_CALLBACK) {
            const std::string text = reason();
            for (const auto &partner : partners_) {
                partner->rethrow(text.c_str());
            }
        }
        detail::check(status);
    }
    /// Why a function of the host failed. The text of an error is cut where a name is very long; that of the fault is not.
    std::string reason() const {
        const std::string text = fourbar_last_error();
        if (text.size() + 4 < FOURBAR_ERROR_SIZE) {
            return text; // A cut goes between characters, of four bytes at most.
        }
        const auto all = faults();
        return all.empty() || all.back().handling != FOURBAR_HANDLING_STOPPED ? text : all.back().text;
    }
    template <class Name>
    std::vector<std::string> names(std::size_t count, Name name) const {
        std::vector<std::string> all;
        for (std::size_t i = 0; i < count; i++) {
            all.push_back(detail::text([&](char *to, std::size_t size, std::size_t *needed) { return name(get(), i, to, size, needed); }));
        }
        return all;
    }

    std::deque<std::unique_ptr<detail::hosted_partner>> partners_; // outlive the C coupling below, which is destroyed first
    detail::handle<fourbar_coupling, fourbar_coupling_free> own_;
};

} // namespace fourbar

#endif
