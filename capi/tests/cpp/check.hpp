// What the test programs in C++ share.
#ifndef CHECK_HPP
#define CHECK_HPP

#include <fourbar.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                                             \
    do {                                                                                             \
        if (!(condition)) {                                                                          \
            std::fprintf(stderr, "%s:%d: %s fails; last error: %s\n", __FILE__, __LINE__, #condition, \
                         fourbar_last_error());                                                      \
            std::exit(1);                                                                            \
        }                                                                                            \
    } while (0)

// An expression that must throw fourbar::error with a status.
#define THROWS(expression, expected)                                                                 \
    do {                                                                                             \
        bool caught = false;                                                                         \
        try {                                                                                        \
            (void)(expression);                                                                      \
        } catch (const fourbar::error &thrown) {                                                     \
            caught = thrown.status() == (expected);                                                  \
        }                                                                                            \
        CHECK(caught);                                                                               \
    } while (0)

#endif
