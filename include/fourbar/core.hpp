// What all parts of fourbar.hpp share: errors, views of arrays, owned handles, exceptions on their way past the library.
// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef FOURBAR_CORE_HPP
#define FOURBAR_CORE_HPP

#include "../fourbar.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace fourbar {

/// What a failed call leaves: a status of fourbar.h and its text.
class error : public std::runtime_error {
public:
    error(int status, const char *text) : std::runtime_error(text), status_(status) {}
    /// A value of fourbar_status.
    int status() const noexcept { return status_; }
    /// Its name, such as "FOURBAR_LENGTH".
    const char *name() const noexcept { return fourbar_status_name(status_); }

private:
    int status_;
};

/// Thrown by a callable of the host where the point it was asked for lies outside its domain: a shorter step may avoid it.
class outside_domain : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

namespace detail {

template <class C, class = void>
struct has_strides : std::false_type {};
template <class C>
struct has_strides<C, std::void_t<decltype(std::declval<C &>().strides())>> : std::true_type {};

/// Whether data() and size() tell where the values are: one after the other, matrices column after column. Of Eigen, vectors without a stride and
/// matrices that own their values by columns; of whatever else, what has no strides().
template <class C, class = void>
struct is_one_after_the_other : std::negation<has_strides<C>> {};
template <class C>
struct is_one_after_the_other<C, std::void_t<decltype(C::InnerStrideAtCompileTime), decltype(C::IsVectorAtCompileTime), decltype(C::IsRowMajor),
                                             typename C::PlainObject>>
    : std::bool_constant<int(C::InnerStrideAtCompileTime) == 1 &&
                         (bool(C::IsVectorAtCompileTime) || (!bool(C::IsRowMajor) && std::is_same_v<C, typename C::PlainObject>))> {};

} // namespace detail

/// A pointer and a length: `view<const double>` is read, `view<double>` written.
template <class T>
class view {
public:
    constexpr view() noexcept = default;
    constexpr view(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <std::size_t N>
    constexpr view(T (&array)[N]) noexcept : data_(array), size_(N) {}
    /// Of std::vector, std::array, std::span, Eigen vectors and matrices by columns: of whatever has data() and size(). What has strides or is kept row
    /// after row is none, at compile time: copy it first, or give a pointer and a length.
    template <class C, class = std::enable_if_t<std::is_convertible_v<decltype(std::declval<C &>().data()), T *> &&
                                                std::is_convertible_v<decltype(std::declval<C &>().size()), std::size_t> &&
                                                detail::is_one_after_the_other<std::remove_cv_t<std::remove_reference_t<C>>>::value>>
    constexpr view(C &&container) noexcept : data_(container.data()), size_(static_cast<std::size_t>(container.size())) {}
    /// Values in braces, as an argument: they live as long as the call.
    template <class U = T, class = std::enable_if_t<std::is_const_v<U>>>
    constexpr view(std::initializer_list<std::remove_const_t<T>> values) noexcept : size_(values.size()) {
        data_ = values.begin();
    }

    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr T *begin() const noexcept { return data_; }
    constexpr T *end() const noexcept { return data_ + size_; }
    constexpr T &operator[](std::size_t i) const noexcept { return data_[i]; }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

/// Read by fourbar.
using input = view<const double>;
/// Written by fourbar.
using output = view<double>;

namespace detail {

inline void check(int status) {
    if (status != FOURBAR_OK) {
        throw error(status, fourbar_last_error());
    }
}

/// Frees a handle by its function of the C ABI.
template <auto Free>
struct deleter {
    template <class T>
    void operator()(T *handle) const noexcept {
        Free(handle);
    }
};

template <class T, auto Free>
using handle = std::unique_ptr<T, deleter<Free>>;

/// A text that the library copies into a buffer: asked for its length first.
template <class Copy>
std::string text(Copy copy) {
    std::size_t needed = 0;
    check(copy(nullptr, std::size_t{0}, &needed));
    std::string all(needed, '\0');
    check(copy(all.data(), needed, &needed));
    all.resize(needed - 1); // without the NUL
    return all;
}

/// Bytes that the library copies into a buffer, likewise.
template <class Copy>
std::vector<std::uint8_t> bytes(Copy copy) {
    std::size_t needed = 0;
    check(copy(nullptr, std::size_t{0}, &needed));
    std::vector<std::uint8_t> all(needed);
    check(copy(all.data(), needed, &needed));
    return all;
}

/// The exception that a callable of the host threw last on this thread, until the call that led to it comes back.
inline std::exception_ptr &thrown() {
    thread_local std::exception_ptr kept;
    return kept;
}

/// Runs a callable for the library: 0; 1 where it throws fourbar::outside_domain; -1 where it throws anything else, which is kept.
template <class Call>
std::int32_t run(Call &&call) noexcept {
    try {
        call();
        return 0;
    } catch (const outside_domain &reason) {
        fourbar_callback_error(reason.what());
        return 1;
    } catch (const std::exception &reason) {
        fourbar_callback_error(reason.what());
        thrown() = std::current_exception();
    } catch (...) {
        fourbar_callback_error("an exception that is no std::exception");
        thrown() = std::current_exception();
    }
    return -1;
}

/// After a call that may have called the host: its own exception goes on from here.
inline void check_calling(int status) {
    auto kept = std::exchange(thrown(), nullptr);
    if (kept && status != FOURBAR_OK) {
        std::rethrow_exception(kept);
    }
    check(status);
}

} // namespace detail

/// Version of the library that is linked, such as "0.1.0".
inline std::string version() { return fourbar_version(); }

/// Throws where the library that is linked has another binary interface than the header.
inline void check_version() {
    if (fourbar_abi_version() != FOURBAR_ABI_VERSION) {
        throw error(FOURBAR_UNSUPPORTED, "the library that is linked has another binary interface than fourbar.h: rebuild the program");
    }
}

} // namespace fourbar

#endif
