/* What the test programs in C share. */
#ifndef CHECK_H
#define CHECK_H

#include <fourbar.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                             \
    do {                                                                                             \
        if (!(condition)) {                                                                          \
            fprintf(stderr, "%s:%d: %s fails; last error: %s\n", __FILE__, __LINE__, #condition,     \
                    fourbar_last_error());                                                           \
            exit(1);                                                                                 \
        }                                                                                            \
    } while (0)

#define OK(call) CHECK((call) == FOURBAR_OK)

/* A call that must fail with a status and a text in which `part` stands. */
#define FAILS(call, expected, part)                                                                  \
    do {                                                                                             \
        CHECK((call) == (expected));                                                                 \
        CHECK(strstr(fourbar_last_error(), (part)) != NULL);                                         \
    } while (0)

#endif
