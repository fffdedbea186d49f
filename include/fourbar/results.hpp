// Whole runs of model files, their results, and CSV files of the host's own.
// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef FOURBAR_RESULTS_HPP
#define FOURBAR_RESULTS_HPP

#include "model.hpp"

namespace fourbar {

/// A CSV file with units in its header, written row by row.
class csv {
public:
    /// `units` is empty, or has one for each name.
    csv(const std::string &path, const std::vector<std::string> &names, const std::vector<std::string> &units = {}) {
        if (!units.empty() && units.size() != names.size()) {
            throw error(FOURBAR_LENGTH, "'units' must have one for each name");
        }
        const auto of_names = pointers(names), of_units = pointers(units);
        fourbar_csv *out = nullptr;
        detail::check(fourbar_csv_new(path.c_str(), of_names.data(), units.empty() ? nullptr : of_units.data(), names.size(), &out));
        own_.reset(out);
    }
    void write(double time, input values) { detail::check(fourbar_csv_write(get(), time, values.data(), values.size())); }
    /// The destructor closes too, but cannot say that the last bytes were lost.
    void close() { detail::check(fourbar_csv_close(get())); }
    fourbar_csv *get() const noexcept { return own_.get(); }

private:
    static std::vector<const char *> pointers(const std::vector<std::string> &texts) {
        std::vector<const char *> all;
        for (const auto &text : texts) {
            all.push_back(text.c_str());
        }
        return all;
    }
    detail::handle<fourbar_csv, fourbar_csv_free> own_;
};

/// fourbar_run_options with its defaults: those of the model.
struct run_options : fourbar_run_options {
    run_options() { detail::check(fourbar_run_options_init(this, sizeof(fourbar_run_options))); }
};

/// A model file of any type, run from its start to its end.
class run {
public:
    static run from_file(const std::string &path, const run_options &options = {}) {
        return run([&](fourbar_run **out) { return fourbar_run_from_file(path.c_str(), &options, out); });
    }
    static run from_toml(const std::string &text, const char *file = nullptr, const run_options &options = {}) {
        return run([&](fourbar_run **out) { return fourbar_run_from_toml(text.c_str(), file, &options, out); });
    }
    /// A model as it is now, with its functions: an exception of theirs comes out of execute().
    static run from_model(const model &of, const run_options &options = {}) {
        run made([&](fourbar_run **out) { return fourbar_run_from_model(of.get(), &options, out); });
        made.host_ = of.host_;
        return made;
    }

    fourbar_outcome execute() {
        std::int32_t outcome = 0;
        const auto status = fourbar_run_execute(get(), &outcome);
        // A run that fails half way has results; what a function of the host threw ends it all the same.
        detail::check_calling(outcome == FOURBAR_OUTCOME_FAILED && detail::thrown() ? FOURBAR_CALLBACK : status);
        return static_cast<fourbar_outcome>(outcome);
    }
    /// From any thread.
    void interrupt() const { detail::check(fourbar_run_interrupt(get())); }
    std::size_t columns() const { return size(true); }
    std::size_t rows() const { return size(false); }
    std::string column_name(std::size_t i) const {
        return detail::text([&](char *to, std::size_t size, std::size_t *needed) {
            return fourbar_run_column_name(get(), i, to, size, needed);
        });
    }
    std::string column_unit(std::size_t i) const {
        return detail::text([&](char *to, std::size_t size, std::size_t *needed) {
            return fourbar_run_column_unit(get(), i, to, size, needed);
        });
    }
    std::vector<double> times() const {
        std::vector<double> all(rows());
        detail::check(fourbar_run_times(get(), all.data(), all.size()));
        return all;
    }
    std::vector<double> series(std::size_t i) const {
        std::vector<double> all(rows());
        detail::check(fourbar_run_series(get(), i, all.data(), all.size()));
        return all;
    }
    /// JSON.
    std::string summary() const {
        return detail::text(
            [&](char *to, std::size_t size, std::size_t *needed) { return fourbar_run_summary(get(), to, size, needed); });
    }
    void write_csv(const std::string &path) const { detail::check(fourbar_run_write_csv(get(), path.c_str())); }
    void write_report(const std::string &path) const { detail::check(fourbar_run_write_report(get(), path.c_str())); }
    fourbar_run *get() const noexcept { return own_.get(); }

private:
    template <class Make>
    explicit run(Make make) {
        fourbar_run *out = nullptr;
        detail::check_calling(make(&out));
        own_.reset(out);
    }
    std::size_t size(bool of_columns) const {
        std::size_t columns = 0, rows = 0;
        detail::check(fourbar_run_size(get(), &columns, &rows));
        return of_columns ? columns : rows;
    }
    std::shared_ptr<const detail::host_functions> host_; // the callables outlive what calls them
    detail::handle<fourbar_run, fourbar_run_free> own_;
};

} // namespace fourbar

#endif
