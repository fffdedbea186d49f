// Problems with known solutions, on which integrators of the host are measured.
// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef FOURBAR_ACCURACY_HPP
#define FOURBAR_ACCURACY_HPP

#include "core.hpp"

namespace fourbar {

/// A problem with a known solution (docs/accuracy.md); libraries without FOURBAR_HAS_ACCURACY throw FOURBAR_UNSUPPORTED. Any number of threads may
/// use it at once.
class known_problem {
public:
    explicit known_problem(const std::string &name) {
        fourbar_accuracy *out = nullptr;
        detail::check(fourbar_accuracy_new(name.c_str(), &out));
        own_.reset(out);
    }
    /// All names, one a line.
    static std::string names() { return detail::text(fourbar_accuracy_names); }
    /// What is asked for, as JSON.
    std::string question() const {
        return detail::text([&](char *to, std::size_t size, std::size_t *needed) {
            return fourbar_accuracy_question(get(), to, size, needed);
        });
    }
    /// The errors of an answer, as JSON: all columns at the first time, then at the second, ...
    std::string judge(input values) const {
        return detail::text([&](char *to, std::size_t size, std::size_t *needed) {
            return fourbar_accuracy_judge(get(), values.data(), values.size(), to, size, needed);
        });
    }
    fourbar_accuracy *get() const noexcept { return own_.get(); }

private:
    detail::handle<fourbar_accuracy, fourbar_accuracy_free> own_;
};

} // namespace fourbar

#endif
