/*
 * An integrator y' = u as a partner in a shared library that misbehaves on purpose.
 *
 * Parameters: `trouble` is what goes wrong, in the first `times` steps that end at or behind the time `at`. How often it went wrong is the
 * length of a file, whose path is the name of the instance: so it outlives the process. With the parameter `every` the process is killed in
 * every so many-th call, counted in the same way. With `tell` its number is written to that file. Macros spoil the description.
 */
#define _POSIX_C_SOURCE 200809L
#include "fourbar_partner.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef VERSION
#define VERSION FOURBAR_PARTNER_VERSION
#endif
#ifndef CAPABILITIES
#define CAPABILITIES FOURBAR_PARTNER_CAN_RESTORE
#endif
#ifndef INPUT_NAME
#define INPUT_NAME "u"
#endif
#ifndef CAUSALITY
#define CAUSALITY FOURBAR_PARTNER_INPUT
#endif
#ifndef SIZE
#define SIZE sizeof(fourbar_partner_description)
#endif
#ifndef VARIABLE_SIZE
#define VARIABLE_SIZE sizeof(fourbar_partner_variable)
#endif
#ifndef FEEDTHROUGH
#define FEEDTHROUGH 0
#endif
#ifndef FEEDTHROUGH_COUNT
#define FEEDTHROUGH_COUNT (FEEDTHROUGH == 0 ? 0 : 1)
#endif
#ifndef STATE
#define STATE fourbar_partner_state
#endif

enum {
    NONE, NOT_A_NUMBER, WRONG_TIME, ERROR, WORDLESS, UNKNOWN_STATUS, UNTERMINATED, UNWRITTEN, NO_TIME,
    HANG, CRASH, ABORT, EXIT, PRINT
};

typedef struct tank {
    double y, u;
    double trouble, at, times, every, tell;
    int sick;
    char path[512];
} tank;

static const uint32_t inputs[] = { FEEDTHROUGH };

static const fourbar_partner_variable variables[] = {
    { VARIABLE_SIZE, INPUT_NAME, "m/s", 0.0, 0.0, NULL, 0, CAUSALITY },
    { VARIABLE_SIZE, "y", "m", 1.0, 2.0, inputs, FEEDTHROUGH_COUNT, FOURBAR_PARTNER_OUTPUT },
};

const fourbar_partner_description *fourbar_partner_describe(void)
{
#ifdef NO_DESCRIPTION
    (void)variables;
    return NULL;
#else
    static const fourbar_partner_description description = { SIZE, VERSION, CAPABILITIES, 2, 2, variables, 0.0 };
    return &description;
#endif
}

static int32_t fail(const char *why, char *error, size_t error_size)
{
    snprintf(error, error_size, "%s", why);
    return FOURBAR_PARTNER_FAILED;
}

int32_t fourbar_partner_create(const fourbar_partner_options *options, void **instance, char *error, size_t error_size)
{
    tank *self = calloc(1, sizeof *self);
    uint32_t i;
    if (!self)
        return fail("there is no memory", error, error_size);
    self->y = 1.0;
    snprintf(self->path, sizeof self->path, "%s", options->name);
    for (i = 0; i < options->parameter_count; i++) {
        const fourbar_partner_parameter *p = &options->parameters[i];
        double *to = !strcmp(p->name, "trouble") ? &self->trouble : !strcmp(p->name, "at") ? &self->at :
                     !strcmp(p->name, "times") ? &self->times : !strcmp(p->name, "every") ? &self->every :
                     !strcmp(p->name, "tell") ? &self->tell : NULL;
        if (!to) {
            snprintf(error, error_size, "there is no parameter \"%s\"", p->name);
            free(self);
            return FOURBAR_PARTNER_INVALID;
        }
        *to = p->value;
    }
    if (self->tell > 0.0) {
        FILE *file = fopen(self->path, "w");
        if (file) {
            fprintf(file, "%ld", (long)getpid());
            fclose(file);
        }
    }
#ifdef NO_INSTANCE
    free(self);
    self = NULL;
#endif
#ifdef CRASH_AT_START
    abort();
#endif
    *instance = self;
    return FOURBAR_PARTNER_OK;
}

/* Whether trouble is due; it is then counted. */
static int due(const tank *self, double end)
{
    FILE *file;
    long length;
    if (self->trouble == NONE || end < self->at - 1e-9)
        return 0;
    file = fopen(self->path, "ab");
    if (!file)
        return 1;
    fseek(file, 0, SEEK_END);
    length = ftell(file);
    if ((double)length < self->times)
        fputc('x', file);
    fclose(file);
    return (double)length < self->times;
}

/* Counts a call, and ends the process if it is one of those it may not survive. */
static void count_call(const tank *self)
{
    long length;
    FILE *file = self->every > 0.0 ? fopen(self->path, "ab") : NULL;
    if (!file)
        return;
    fputc('x', file);
    length = ftell(file);
    fclose(file);
    if (length % (long)self->every == 0)
        raise(SIGKILL);
}

static void wait_for(double seconds)
{
    struct timespec time;
    time.tv_sec = (time_t)seconds;
    time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    nanosleep(&time, NULL);
}

/* Statuses and faults of the process; -1 to go on. */
static int32_t make_trouble(tank *self, char *error, size_t error_size)
{
    volatile int *volatile nowhere = NULL;
    switch ((int)self->trouble) {
    case NOT_A_NUMBER:
    case UNWRITTEN: self->sick = 1; return -1;
    case ERROR: return fail("valve equation has no solution", error, error_size);
    case WORDLESS: return FOURBAR_PARTNER_FAILED;
    case UNKNOWN_STATUS: return 77;
    case UNTERMINATED: memset(error, 0xff, error_size); return FOURBAR_PARTNER_FAILED;
    case HANG: for (;;) wait_for(1.0);
    case CRASH: *nowhere = 1; return -1;
    case ABORT: abort();
    case EXIT: exit(3);
    case PRINT: puts("this belongs to nobody"); fflush(stdout); return -1;
    default: return -1;
    }
}

int32_t fourbar_partner_exchange(void *instance, fourbar_partner_data *data, char *error, size_t error_size)
{
    tank *self = instance;
    double h = data->step;
    count_call(self);
    self->u = data->inputs[0];
    data->reached = data->time + h;
    if (h > 0.0) {
        self->sick = 0;
        if (due(self, data->time + h)) {
            int32_t status = make_trouble(self, error, error_size);
            if (status >= 0)
                return status;
            if (self->trouble == WRONG_TIME)
                data->reached = data->time + 0.5 * h;
            if (self->trouble == NO_TIME)
                data->reached = NAN;
        }
        self->y += h * (data->inputs[0] + 0.5 * h * (data->input_rates[0] + h / 3.0 * data->input_curvatures[0]));
    }
    if (self->sick && self->trouble == UNWRITTEN)
        return FOURBAR_PARTNER_OK;
    data->outputs[0] = self->sick ? NAN : self->y;
    return FOURBAR_PARTNER_OK;
}

int32_t STATE(void *instance, int32_t action, void *bytes, size_t *size, char *error, size_t error_size)
{
    tank *self = instance;
    count_call(self);
#ifdef GREEDY
    /* More room is needed each time. */
    *size += 1;
    return FOURBAR_PARTNER_TOO_SMALL;
#endif
    if (action == FOURBAR_PARTNER_SAVE) {
        /* More than a host expects: it has to ask twice the first time. */
        if (*size < 1000) {
            *size = 1000;
            return FOURBAR_PARTNER_TOO_SMALL;
        }
        memset(bytes, 0, 1000);
        memcpy(bytes, &self->y, sizeof self->y);
        *size = 1000;
        return FOURBAR_PARTNER_OK;
    }
    if (action != FOURBAR_PARTNER_RESTORE || *size != 1000)
        return fail("the saved state is another's", error, error_size);
    memcpy(&self->y, bytes, sizeof self->y);
    return FOURBAR_PARTNER_OK;
}

void fourbar_partner_destroy(void *instance)
{
    free(instance);
}
