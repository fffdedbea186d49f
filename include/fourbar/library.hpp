// What is in the library, and what it has to say.
// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef FOURBAR_LIBRARY_HPP
#define FOURBAR_LIBRARY_HPP

#include "core.hpp"

namespace fourbar {

/// What the library has: fourbar_capability_list, filled.
inline fourbar_capability_list capabilities() {
    fourbar_capability_list list{};
    detail::check(fourbar_capabilities(&list, sizeof list));
    return list;
}

/// Takes a message of the library; must not throw.
using log_function = std::function<void(fourbar_log_level level, const char *text)>;

/// From now on `function` takes the messages of all threads; an empty one: nobody does. Set it while no other call runs.
inline void set_log(log_function function) {
    static log_function kept;
    const auto trampoline = [](void *, std::int32_t level, const char *text) noexcept {
        kept(static_cast<fourbar_log_level>(level), text);
    };
    detail::check(fourbar_log_set(nullptr, nullptr));
    kept = std::move(function);
    if (kept) {
        detail::check(fourbar_log_set(trampoline, nullptr));
    }
}

} // namespace fourbar

#endif
