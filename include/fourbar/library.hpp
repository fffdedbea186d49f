// What is in the library, what it has to say, and what ends its long calls.
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

/// What ends calls that take long: a thread watches it, another one or a signal handler raises it. An interrupted call throws an error with
/// FOURBAR_INTERRUPTED.
class interrupt {
public:
    interrupt() {
        fourbar_interrupt *out = nullptr;
        detail::check(fourbar_interrupt_new(&out));
        own_.reset(out);
    }
    /// From any thread, and from a signal handler.
    void raise() const noexcept { static_cast<void>(fourbar_interrupt_raise(get())); }
    /// Calls run again.
    void lower() const noexcept { static_cast<void>(fourbar_interrupt_lower(get())); }
    fourbar_interrupt *get() const noexcept { return own_.get(); }

private:
    detail::handle<fourbar_interrupt, fourbar_interrupt_free> own_;
};

/// As long as it lives, the calls of this thread are ended by `by`; then no call of it is interrupted.
class interrupted_by {
public:
    explicit interrupted_by(const interrupt &by) { detail::check(fourbar_interrupt_watch(by.get())); }
    ~interrupted_by() { static_cast<void>(fourbar_interrupt_watch(nullptr)); }
    interrupted_by(const interrupted_by &) = delete;
    interrupted_by &operator=(const interrupted_by &) = delete;
};

} // namespace fourbar

#endif
