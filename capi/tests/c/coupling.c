/* Co-simulation: partners within the host and in a model text; values, faults, every wrong use. */
#define _POSIX_C_SOURCE 199309L
#include "check.h"

#include <time.h>

/* A mass of 2 kg with the force F on it, in the host. */
struct mass {
    double x, v;
    double fails_from; /* [s] */
    int behaviour;     /* 0: well, 1: says no, 2: NaN, 3: another time */
    int failures;      /* how often it misbehaves; -1: always */
    int destroyed;
    fourbar_coupling *coupling;
    int32_t status_inside;
};

static const fourbar_partner_variable mass_variables[3] = {
    {sizeof(fourbar_partner_variable), "F", "N", 0.0, 1.0, NULL, 0, FOURBAR_PARTNER_INPUT},
    {sizeof(fourbar_partner_variable), "x", "m", 1.0, 1.0, NULL, 0, FOURBAR_PARTNER_OUTPUT},
    {sizeof(fourbar_partner_variable), "v", "m/s", 0.0, 1.0, NULL, 0, FOURBAR_PARTNER_OUTPUT},
};
static const fourbar_partner_description mass_description = {
    sizeof(fourbar_partner_description), FOURBAR_PARTNER_VERSION, FOURBAR_PARTNER_CAN_RESTORE, 2, 3, mass_variables, 0.0};

static int32_t mass_exchange(void *instance, fourbar_partner_data *data, char *error, size_t error_size) {
    struct mass *mass = instance;
    double h = data->step, f = data->inputs[0] / 2.0, f1 = data->input_rates[0] / 2.0, f2 = data->input_curvatures[0] / 2.0;
    double time = 0.0;
    if (mass->coupling != NULL) {
        mass->status_inside = fourbar_coupling_time(mass->coupling, &time, NULL);
    }
    mass->x += h * (mass->v + h * (f / 2.0 + h * (f1 / 6.0 + h * f2 / 24.0)));
    mass->v += h * (f + h * (f1 / 2.0 + h * f2 / 6.0));
    data->outputs[0] = mass->x;
    data->outputs[1] = mass->v;
    data->reached = data->time + h;
    if (mass->behaviour != 0 && data->step > 0.0 && data->reached >= mass->fails_from && mass->failures != 0) {
        mass->failures -= mass->failures > 0 ? 1 : 0;
        if (mass->behaviour == 1) {
            snprintf(error, error_size, "the crane driver went home");
            return FOURBAR_PARTNER_FAILED;
        } else if (mass->behaviour == 2) {
            data->outputs[1] = NAN;
        } else {
            data->reached += 0.5 * h;
        }
    }
    return FOURBAR_PARTNER_OK;
}

static int32_t mass_state(void *instance, int32_t action, void *bytes, size_t *size, char *error, size_t error_size) {
    struct mass *mass = instance;
    double own[2];
    (void)error, (void)error_size;
    if (action == FOURBAR_PARTNER_SAVE) {
        if (*size < sizeof own) {
            *size = sizeof own;
            return FOURBAR_PARTNER_TOO_SMALL;
        }
        own[0] = mass->x;
        own[1] = mass->v;
        memcpy(bytes, own, sizeof own);
        *size = sizeof own;
        return FOURBAR_PARTNER_OK;
    }
    memcpy(own, bytes, sizeof own);
    mass->x = own[0];
    mass->v = own[1];
    return FOURBAR_PARTNER_OK;
}

static void mass_destroy(void *instance) { ((struct mass *)instance)->destroyed++; }

static fourbar_partner_functions mass_functions(struct mass *mass) {
    fourbar_partner_functions functions;
    memset(mass, 0, sizeof *mass);
    mass->x = 1.0;
    OK(fourbar_partner_functions_init(&functions, sizeof functions));
    functions.description = &mass_description;
    functions.user = mass;
    functions.exchange = mass_exchange;
    functions.state = mass_state;
    functions.destroy = mass_destroy;
    return functions;
}

/* A spring and damper, F = -(200 N/m x + 4 N s/m v), created by a function, with a parameter, x in mm and F in kN. */
static const uint32_t both_inputs[2] = {0, 1};
static const fourbar_partner_variable spring_variables[3] = {
    {sizeof(fourbar_partner_variable), "x", "mm", 0.0, 1.0, NULL, 0, FOURBAR_PARTNER_INPUT},
    {sizeof(fourbar_partner_variable), "v", "m/s", 0.0, 1.0, NULL, 0, FOURBAR_PARTNER_INPUT},
    {sizeof(fourbar_partner_variable), "F", "kN", 0.0, 1.0, both_inputs, 2, FOURBAR_PARTNER_OUTPUT},
};
static const fourbar_partner_description spring_description = {
    sizeof(fourbar_partner_description), FOURBAR_PARTNER_VERSION, FOURBAR_PARTNER_CAN_RESTORE, 2, 3, spring_variables, 0.0};

static int32_t spring_create(void *user, const fourbar_partner_options *options, void **instance, char *error,
                             size_t error_size) {
    double *stiffness = malloc(sizeof *stiffness);
    *stiffness = *(double *)user;
    if (options->parameter_count == 1 && strcmp(options->parameters[0].name, "stiffness") == 0) {
        *stiffness = options->parameters[0].value;
    } else if (options->parameter_count != 0) {
        snprintf(error, error_size, "there is no parameter \"%s\"", options->parameters[0].name);
        free(stiffness);
        return FOURBAR_PARTNER_INVALID;
    }
    CHECK(strcmp(options->name, "spring") == 0);
    *instance = stiffness;
    return FOURBAR_PARTNER_OK;
}

static int32_t spring_exchange(void *instance, fourbar_partner_data *data, char *error, size_t error_size) {
    double h = data->step, in[2];
    int i;
    (void)error, (void)error_size;
    for (i = 0; i < 2; i++) {
        in[i] = data->inputs[i] + h * (data->input_rates[i] + 0.5 * h * data->input_curvatures[i]);
    }
    data->outputs[0] = -1e-3 * (*(double *)instance * 1e-3 * in[0] + 4.0 * in[1]);
    data->reached = data->time + h;
    return FOURBAR_PARTNER_OK;
}

static int32_t spring_state(void *instance, int32_t action, void *bytes, size_t *size, char *error, size_t error_size) {
    (void)instance, (void)action, (void)bytes, (void)error, (void)error_size;
    *size = 0;
    return FOURBAR_PARTNER_OK;
}

static double default_stiffness = 200.0;

static fourbar_partner_functions spring_functions(void) {
    fourbar_partner_functions functions;
    OK(fourbar_partner_functions_init(&functions, sizeof functions));
    functions.description = &spring_description;
    functions.user = &default_stiffness;
    functions.create = spring_create;
    functions.exchange = spring_exchange;
    functions.state = spring_state;
    functions.destroy = free;
    return functions;
}

/* x'' + 2 x' + 100 x = 0, x(0) = 1, at t. */
static double exact(double t) {
    double omega = sqrt(99.0);
    return exp(-t) * (cos(omega * t) + sin(omega * t) / omega);
}

static fourbar_coupling_options options_of(int32_t algorithm, uint32_t order) {
    fourbar_coupling_options options;
    OK(fourbar_coupling_options_init(&options, sizeof options));
    options.algorithm = algorithm;
    options.order = order;
    options.step = 0.01;
    options.end = 5.0;
    return options;
}

static fourbar_coupling *oscillator(const fourbar_coupling_options *options, struct mass *mass, int thread) {
    fourbar_coupling *coupling = NULL;
    fourbar_partner_functions a = mass_functions(mass), b = spring_functions();
    fourbar_partner_place place;
    OK(fourbar_partner_place_init(&place, sizeof place));
    place.thread = thread;
    OK(fourbar_coupling_new(options, &coupling));
    OK(fourbar_coupling_add_functions(coupling, "mass", &a, &place));
    OK(fourbar_coupling_add_functions(coupling, "spring", &b, NULL));
    OK(fourbar_coupling_connect(coupling, "mass.x", "spring.x", 1.0, 0.0));
    OK(fourbar_coupling_connect(coupling, "mass.v", "spring.v", 1.0, 0.0));
    OK(fourbar_coupling_connect(coupling, "spring.F", "mass.F", 1.0, 0.0));
    return coupling;
}

/* Error of x at t = 1 with communication steps of `step`. */
static double error_of(int32_t algorithm, uint32_t order, double step) {
    struct mass mass;
    fourbar_coupling_options options = options_of(algorithm, order);
    fourbar_coupling *coupling;
    double x = 0.0;
    options.step = step;
    coupling = oscillator(&options, &mass, 0);
    OK(fourbar_coupling_run_to(coupling, 1.0, NULL));
    OK(fourbar_coupling_get_output(coupling, "mass.x", &x));
    fourbar_coupling_free(coupling);
    return fabs(x - exact(1.0));
}

/* Each algorithm has the order of its inputs: halving the step divides the error by 2^(order + 1). */
static void orders(void) {
    static const struct {
        int32_t algorithm;
        uint32_t order;
    } all[] = {{FOURBAR_ALGORITHM_JACOBI_DELAYED, 0},
               {FOURBAR_ALGORITHM_JACOBI, 0},
               {FOURBAR_ALGORITHM_JACOBI, 1},
               {FOURBAR_ALGORITHM_GAUSS_SEIDEL, 1},
               {FOURBAR_ALGORITHM_ITERATED, 1}};
    size_t i;
    for (i = 0; i < sizeof all / sizeof all[0]; i++) {
        double order = log2(error_of(all[i].algorithm, all[i].order, 2.5e-3) /
                            error_of(all[i].algorithm, all[i].order, 1.25e-3));
        CHECK(fabs(order - (all[i].order + 1.0)) < 0.1);
    }
    /* Parabolas begin held and straight, which leaves an error of second order, but a smaller one. */
    CHECK(error_of(FOURBAR_ALGORITHM_JACOBI, 2, 1.25e-3) < 0.2 * error_of(FOURBAR_ALGORITHM_JACOBI, 1, 1.25e-3));
}

/* Threads and steps change nothing; a partner that calls back is refused. */
static void algorithms(void) {
    static const int32_t all[4] = {FOURBAR_ALGORITHM_JACOBI_DELAYED, FOURBAR_ALGORITHM_JACOBI, FOURBAR_ALGORITHM_GAUSS_SEIDEL,
                                   FOURBAR_ALGORITHM_ITERATED};
    int i, thread;
    for (i = 0; i < 4; i++) {
        double values[2];
        for (thread = 0; thread < 2; thread++) {
            struct mass mass;
            fourbar_coupling_options options = options_of(all[i], 2);
            fourbar_coupling *coupling = oscillator(&options, &mass, thread);
            fourbar_coupling_statistics statistics;
            int32_t state = 0;
            double time = 0.0;
            mass.coupling = coupling;
            OK(fourbar_coupling_run_to(coupling, 1.0, &state));
            CHECK(state == FOURBAR_RUN_RUNNING && mass.status_inside == FOURBAR_BUSY);
            OK(fourbar_coupling_step(coupling, &state));
            OK(fourbar_coupling_time(coupling, &time, &state));
            CHECK(fabs(time - 1.01) < 1e-12);
            OK(fourbar_coupling_run_to(coupling, HUGE_VAL, &state));
            CHECK(state == FOURBAR_RUN_FINISHED);
            OK(fourbar_coupling_get_output(coupling, "mass.x", &values[thread]));
            OK(fourbar_coupling_get_statistics(coupling, &statistics, sizeof statistics));
            /* The one fault there may be is the warning of the estimated error; held inputs at a tenth of a radian have it. */
            CHECK(statistics.steps == 500 && statistics.faults == statistics.warnings && statistics.faults <= 1);
            if (all[i] == FOURBAR_ALGORITHM_JACOBI_DELAYED) {
                char text[256] = "";
                int32_t level = 0;
                OK(fourbar_coupling_fault(coupling, 0, &level, NULL, NULL, text, sizeof text, NULL));
                CHECK(level == FOURBAR_LEVEL_WARN && strstr(text, "an estimated error of") != NULL);
            }
            CHECK(all[i] != FOURBAR_ALGORITHM_ITERATED || statistics.sweeps > 500);
            fourbar_coupling_free(coupling);
            CHECK(mass.destroyed == 1);
        }
        CHECK(values[0] == values[1]);
    }
}

static void names_and_units(void) {
    struct mass mass;
    fourbar_coupling_options options = options_of(FOURBAR_ALGORITHM_JACOBI, 2);
    fourbar_coupling *coupling = oscillator(&options, &mass, 0);
    char text[64];
    double values[3], x = 0.0;
    size_t outputs = 0, inputs = 0, needed = 0, kept = 9;
    uint64_t all = 9;
    int32_t state = 0;
    FAILS(fourbar_coupling_time(coupling, &x, &state), FOURBAR_STATE, "not set up");
    FAILS(fourbar_coupling_get_output(coupling, "mass.x", &x), FOURBAR_STATE, "not set up");
    OK(fourbar_coupling_start(coupling));
    OK(fourbar_coupling_counts(coupling, &outputs, &inputs));
    OK(fourbar_coupling_counts(coupling, NULL, NULL));
    CHECK(outputs == 3 && inputs == 3);
    OK(fourbar_coupling_output_name(coupling, 2, text, sizeof text, &needed));
    CHECK(strcmp(text, "spring.F") == 0 && needed == 9);
    OK(fourbar_coupling_input_name(coupling, 0, text, sizeof text, NULL));
    CHECK(strcmp(text, "mass.F") == 0);
    OK(fourbar_coupling_unit(coupling, "spring.F", text, sizeof text, NULL));
    CHECK(strcmp(text, "kN") == 0);
    OK(fourbar_coupling_unit(coupling, "mass.F", NULL, 0, &needed));
    CHECK(needed == 2);
    OK(fourbar_coupling_get_outputs(coupling, values, 3));
    CHECK(values[0] == 1.0 && values[1] == 0.0 && fabs(values[2] + 0.2) < 1e-15);
    OK(fourbar_coupling_fault_count(coupling, &kept, &all));
    CHECK(kept == 0 && all == 0);
    OK(fourbar_coupling_fault_count(coupling, NULL, NULL));
    OK(fourbar_coupling_time(coupling, NULL, NULL));
    FAILS(fourbar_coupling_output_name(coupling, 3, text, sizeof text, &needed), FOURBAR_INVALID, "output 3");
    FAILS(fourbar_coupling_input_name(coupling, 3, text, sizeof text, &needed), FOURBAR_INVALID, "input 3");
    FAILS(fourbar_coupling_output_name(coupling, 0, text, 2, &needed), FOURBAR_LENGTH, "2 bytes");
    FAILS(fourbar_coupling_output_name(coupling, 0, NULL, 9, &needed), FOURBAR_NULL, "buffer");
    FAILS(fourbar_coupling_unit(coupling, "spring.G", text, sizeof text, NULL), FOURBAR_NO_SUCH_NAME, "\"G\"");
    FAILS(fourbar_coupling_unit(coupling, NULL, text, sizeof text, NULL), FOURBAR_NULL, "name");
    FAILS(fourbar_coupling_get_outputs(coupling, values, 2), FOURBAR_LENGTH, "values");
    FAILS(fourbar_coupling_get_outputs(coupling, NULL, 3), FOURBAR_NULL, "values");
    FAILS(fourbar_coupling_get_output(coupling, "mas.x", &x), FOURBAR_NO_SUCH_NAME, "did you mean \"mass\"");
    FAILS(fourbar_coupling_get_output(coupling, "mass", &x), FOURBAR_INVALID, "partner.variable");
    FAILS(fourbar_coupling_get_output(coupling, NULL, &x), FOURBAR_NULL, "name");
    FAILS(fourbar_coupling_get_output(coupling, "\xff", &x), FOURBAR_TEXT, "UTF-8");
    FAILS(fourbar_coupling_get_output(coupling, "mass.x", NULL), FOURBAR_NULL, "value");
    FAILS(fourbar_coupling_set_input(coupling, "mass.F", 1.0), FOURBAR_INVALID, "fed by");
    FAILS(fourbar_coupling_set_input(coupling, "mass.G", 1.0), FOURBAR_NO_SUCH_NAME, "\"G\"");
    FAILS(fourbar_coupling_set_input(coupling, NULL, 1.0), FOURBAR_NULL, "name");
    FAILS(fourbar_coupling_connect(coupling, "mass.x", "spring.x", 1.0, 0.0), FOURBAR_STATE, "before");
    FAILS(fourbar_coupling_set_fault_level(coupling, FOURBAR_FAULT_TIME, FOURBAR_LEVEL_STOP, 0), FOURBAR_STATE, "before");
    FAILS(fourbar_coupling_run_to(coupling, NAN, &state), FOURBAR_NOT_FINITE, "time");
    FAILS(fourbar_coupling_get_statistics(coupling, NULL, 8), FOURBAR_NULL, "statistics");
    FAILS(fourbar_coupling_fault(coupling, 0, NULL, NULL, NULL, NULL, 0, &needed), FOURBAR_INVALID, "fault 0");
    CHECK(strcmp(fourbar_coupling_error(coupling), fourbar_last_error()) == 0);
    fourbar_coupling_free(coupling);
}

/* The state of a run goes to another one, which then has the same values; bytes that are none are refused. */
static void saved(void) {
    struct mass masses[2];
    fourbar_coupling_options options = options_of(FOURBAR_ALGORITHM_ITERATED, 1), other = options_of(FOURBAR_ALGORITHM_JACOBI, 1);
    fourbar_coupling *one = oscillator(&options, &masses[0], 0), *two = NULL, *stranger = NULL;
    static uint8_t bytes[1 << 16];
    size_t needed = 0;
    double x[3];
    FAILS(fourbar_coupling_save(one, bytes, sizeof bytes, &needed), FOURBAR_STATE, "not set up");
    OK(fourbar_coupling_run_to(one, 0.5, NULL));
    OK(fourbar_coupling_save(one, NULL, 0, &needed));
    CHECK(needed > 100 && needed < sizeof bytes);
    FAILS(fourbar_coupling_save(one, bytes, needed - 1, &needed), FOURBAR_LENGTH, "");
    OK(fourbar_coupling_save(one, bytes, sizeof bytes, &needed));
    OK(fourbar_coupling_run_to(one, 1.0, NULL));
    OK(fourbar_coupling_get_output(one, "mass.x", &x[0]));
    OK(fourbar_coupling_restore(one, bytes, needed));
    OK(fourbar_coupling_run_to(one, 1.0, NULL));
    OK(fourbar_coupling_get_output(one, "mass.x", &x[1]));
    two = oscillator(&options, &masses[1], 0);
    OK(fourbar_coupling_restore(two, bytes, needed));
    OK(fourbar_coupling_run_to(two, 1.0, NULL));
    OK(fourbar_coupling_get_output(two, "mass.x", &x[2]));
    CHECK(x[1] == x[0] && x[2] == x[0]);
    fourbar_coupling_free(two);
    stranger = oscillator(&other, &masses[1], 0);
    FAILS(fourbar_coupling_restore(stranger, bytes, needed), FOURBAR_STATE, "checkpoint");
    FAILS(fourbar_coupling_restore(one, bytes, needed - 1), FOURBAR_INVALID, "bytes");
    FAILS(fourbar_coupling_restore(one, NULL, 5), FOURBAR_NULL, "bytes");
    FAILS(fourbar_coupling_restore(NULL, bytes, needed), FOURBAR_NULL, "coupling");
    bytes[needed / 2] ^= 1;
    FAILS(fourbar_coupling_restore(one, bytes, needed), FOURBAR_INVALID, "damaged");
    fourbar_coupling_free(stranger);
    fourbar_coupling_free(one);
}

/* The host drives: it sets the force at each step and looks at the mass. */
static void driven(void) {
    struct mass mass;
    fourbar_partner_functions functions = mass_functions(&mass);
    fourbar_coupling_options options = options_of(FOURBAR_ALGORITHM_JACOBI, 0);
    fourbar_coupling *coupling = NULL;
    double v = 0.0;
    OK(fourbar_coupling_new(&options, &coupling));
    OK(fourbar_coupling_add_functions(coupling, "mass", &functions, NULL));
    OK(fourbar_coupling_set_input(coupling, "mass.F", 4.0));
    OK(fourbar_coupling_run_to(coupling, 0.5, NULL));
    OK(fourbar_coupling_get_output(coupling, "mass.v", &v));
    CHECK(fabs(v - 1.0) < 1e-12); /* 4 N, 2 kg, 0.5 s */
    OK(fourbar_coupling_set_input(coupling, "mass.F", -4.0));
    FAILS(fourbar_coupling_set_input(coupling, "mass.F", NAN), FOURBAR_NOT_FINITE, "mass.F");
    OK(fourbar_coupling_run_to(coupling, 1.0, NULL));
    OK(fourbar_coupling_get_output(coupling, "mass.v", &v));
    CHECK(fabs(v) < 1e-12);
    OK(fourbar_coupling_step(coupling, NULL));
    fourbar_coupling_free(coupling);
}

static void faults(void) {
    static const int32_t classes[4] = {0, FOURBAR_FAULT_COMMUNICATION, FOURBAR_FAULT_SAMPLING, FOURBAR_FAULT_TIME};
    static const char *parts[4] = {"", "the crane driver went home", "output \"v\" of \"mass\" is NaN", "it is at t ="};
    fourbar_coupling_options options = options_of(FOURBAR_ALGORITHM_JACOBI, 2);
    struct mass mass;
    fourbar_coupling *coupling;
    char text[512];
    int32_t state = 0, level = 0, handling = 0;
    double time = 0.0, untroubled = 0.0;
    size_t kept = 0;
    uint64_t all = 0;
    int behaviour;
    coupling = oscillator(&options, &mass, 0);
    OK(fourbar_coupling_run_to(coupling, 1.0, &state));
    OK(fourbar_coupling_get_output(coupling, "mass.x", &untroubled));
    fourbar_coupling_free(coupling);
    for (behaviour = 1; behaviour <= 3; behaviour++) {
        /* The default: it stops. */
        coupling = oscillator(&options, &mass, 0);
        mass.behaviour = behaviour;
        mass.failures = -1;
        mass.fails_from = 0.5;
        FAILS(fourbar_coupling_run_to(coupling, 1.0, &state), FOURBAR_CALLBACK, parts[behaviour]);
        FAILS(fourbar_coupling_step(coupling, &state), FOURBAR_CALLBACK, parts[behaviour]);
        OK(fourbar_coupling_time(coupling, &time, &state));
        CHECK(state == FOURBAR_RUN_FAILED && time < 0.5);
        OK(fourbar_coupling_fault_count(coupling, &kept, &all));
        CHECK(kept == 1 && all == 1);
        OK(fourbar_coupling_fault(coupling, 0, &level, &handling, &time, text, sizeof text, NULL));
        CHECK(level == FOURBAR_LEVEL_STOP && handling == FOURBAR_HANDLING_STOPPED && time > 0.48 && time < 0.51);
        CHECK(strstr(text, parts[behaviour]) != NULL);
        FAILS(fourbar_coupling_fault(coupling, 0, NULL, NULL, NULL, text, 3, NULL), FOURBAR_LENGTH, "3 bytes");
        fourbar_coupling_free(coupling);
        /* Asked again, it is well. */
        coupling = oscillator(&options, &mass, 0);
        OK(fourbar_coupling_set_fault_level(coupling, classes[behaviour], FOURBAR_LEVEL_RETRY, 2));
        mass.behaviour = behaviour;
        mass.failures = 1;
        mass.fails_from = 0.5;
        OK(fourbar_coupling_run_to(coupling, 1.0, &state));
        OK(fourbar_coupling_fault(coupling, 0, &level, &handling, NULL, NULL, 0, &kept));
        CHECK(level == FOURBAR_LEVEL_RETRY && handling == FOURBAR_HANDLING_RETRIED);
        OK(fourbar_coupling_get_output(coupling, "mass.x", &time));
        CHECK(time == untroubled); /* to the last bit */
        fourbar_coupling_free(coupling);
        /* Held until it is well again. */
        coupling = oscillator(&options, &mass, 0);
        OK(fourbar_coupling_set_fault_level(coupling, classes[behaviour], FOURBAR_LEVEL_RETRY_THEN_HOLD, 1));
        OK(fourbar_coupling_set_fault_level(coupling, classes[behaviour], FOURBAR_LEVEL_HOLD, 0));
        mass.behaviour = behaviour;
        mass.failures = 3;
        mass.fails_from = 0.5;
        OK(fourbar_coupling_run_to(coupling, 1.0, &state));
        OK(fourbar_coupling_fault(coupling, 0, &level, &handling, NULL, NULL, 0, &kept));
        CHECK(level == FOURBAR_LEVEL_HOLD && handling == FOURBAR_HANDLING_HELD);
        fourbar_coupling_free(coupling);
    }
    coupling = oscillator(&options, &mass, 0);
    FAILS(fourbar_coupling_set_fault_level(coupling, 99, FOURBAR_LEVEL_STOP, 0), FOURBAR_INVALID, "class is 99");
    FAILS(fourbar_coupling_set_fault_level(coupling, FOURBAR_FAULT_TIME, 99, 0), FOURBAR_INVALID, "level is 99");
    FAILS(fourbar_coupling_set_fault_level(coupling, FOURBAR_FAULT_TIME, FOURBAR_LEVEL_RETRY, 0), FOURBAR_INVALID, "attempts");
    OK(fourbar_coupling_set_fault_level(coupling, FOURBAR_FAULT_TIME, FOURBAR_LEVEL_INFORM, 0));
    FAILS(fourbar_coupling_start(coupling), FOURBAR_INVALID, "level inform cannot handle time faults: ");
    CHECK(strstr(fourbar_last_error(), "choose retry, hold or stop") != NULL);
    FAILS(fourbar_coupling_start(coupling), FOURBAR_STATE, "another coupling");
    fourbar_coupling_free(coupling);
}

/* A partner that answers too late: its function may use what belongs to the host until the coupling is freed, and no longer. */
struct slow {
    int calls, inside, destroyed, destroyed_inside;
};

static const fourbar_partner_description slow_description = {
    sizeof(fourbar_partner_description), FOURBAR_PARTNER_VERSION, 0, 0, 0, NULL, 0.0};

static int32_t slow_exchange(void *instance, fourbar_partner_data *data, char *error, size_t error_size) {
    const struct timespec late = {0, 300000000};
    struct slow *slow = instance;
    (void)error, (void)error_size;
    slow->inside = 1;
    if (data->step > 0.0) {
        nanosleep(&late, NULL);
    }
    data->reached = data->time + data->step;
    slow->calls++;
    slow->inside = 0;
    return FOURBAR_PARTNER_OK;
}

static void slow_destroy(void *instance) {
    struct slow *slow = instance;
    slow->destroyed++;
    slow->destroyed_inside += slow->inside;
}

static void late(void) {
    struct slow *slow = calloc(1, sizeof *slow);
    fourbar_coupling_options options = options_of(FOURBAR_ALGORITHM_JACOBI, 0);
    fourbar_partner_functions functions;
    fourbar_partner_place place;
    fourbar_coupling *coupling = NULL;
    OK(fourbar_partner_functions_init(&functions, sizeof functions));
    functions.description = &slow_description;
    functions.user = slow;
    functions.exchange = slow_exchange;
    functions.destroy = slow_destroy;
    OK(fourbar_partner_place_init(&place, sizeof place));
    place.time_limit = 0.02;
    OK(fourbar_coupling_new(&options, &coupling));
    OK(fourbar_coupling_add_functions(coupling, "slow", &functions, &place));
    FAILS(fourbar_coupling_run_to(coupling, 1.0, NULL), FOURBAR_CALLBACK, "slow");
    fourbar_coupling_free(coupling);
    /* The last call has ended, then the instance: nobody uses it any more. */
    CHECK(slow->inside == 0 && slow->calls > 0 && slow->destroyed == 1 && slow->destroyed_inside == 0);
    free(slow);
}

/* Libraries that cannot be partners; tests/c/partner has one that can. */
static void libraries(void) {
    fourbar_coupling_options options = options_of(FOURBAR_ALGORITHM_JACOBI, 0);
    fourbar_coupling *coupling = NULL;
    fourbar_partner_place place;
    const char *names[1] = {"gain"};
    OK(fourbar_coupling_new(&options, &coupling));
    OK(fourbar_partner_place_init(&place, sizeof place));
    FAILS(fourbar_coupling_add_library(coupling, "a", "no/such/file.so", NULL), FOURBAR_FILE, "file.so");
    FAILS(fourbar_coupling_add_library(coupling, "a", "include/fourbar.h", NULL), FOURBAR_FILE, "fourbar.h");
    FAILS(fourbar_coupling_add_library(coupling, NULL, "a.so", NULL), FOURBAR_NULL, "name");
    FAILS(fourbar_coupling_add_library(coupling, "a", NULL, NULL), FOURBAR_NULL, "path");
    place.parameter_count = 1;
    FAILS(fourbar_coupling_add_library(coupling, "a", "a.so", &place), FOURBAR_NULL, "parameter_names");
    place.parameter_names = names;
    FAILS(fourbar_coupling_add_library(coupling, "a", "a.so", &place), FOURBAR_NULL, "parameter_values");
    place.struct_size = 2;
    FAILS(fourbar_coupling_add_library(coupling, "a", "a.so", &place), FOURBAR_STRUCT_SIZE, "is 2");
    fourbar_coupling_free(coupling);
}

#define OSCILLATOR(settings)                                                                         \
    "type = \"coupled\"\nname = \"oscillator\"\n[simulation]\nend = 1\nstep = 0.01\norder = 2\n" settings  \
    "[[simulator]]\nname = \"mass\"\n[simulator.equations]\nsolver_step = 1e-3\n"                       \
    "input = [{ name = \"F\", unit = \"N\" }]\n"                                                         \
    "state = [{ name = \"x\", start = 1, rate = \"v\" }, { name = \"v\", rate = \"F/2\" }]\n"           \
    "output = [{ name = \"x\", unit = \"m\", value = \"x\" }, { name = \"v\", unit = \"m/s\", value = \"v\" }]\n"

static const char model[] = OSCILLATOR("algorithm = \"jacobi\"\n");

/* Its settings name a sequence of stepping, to which partners of the host are added. */
static const char *sequential[2] = {OSCILLATOR("algorithm = \"gauss_seidel\"\nsequence = [\"mass\"]\n"),
                                    OSCILLATOR("algorithm = \"iterated\"\nsequence = [\"mass\", \"spring\"]\n")};

/* A mass in a model text, a spring in the host. */
static void texts(void) {
    fourbar_partner_functions spring = spring_functions();
    fourbar_coupling_options options = options_of(FOURBAR_ALGORITHM_ITERATED, 2);
    fourbar_coupling *coupling = NULL, *refused = NULL;
    fourbar_partner_place place;
    const char *names[1] = {"stiffness"};
    double values[1] = {200.0}, x = 0.0;
    int32_t state = 0;
    int i;
    OK(fourbar_partner_place_init(&place, sizeof place));
    place.parameter_count = 1;
    place.parameter_names = names;
    place.parameter_values = values;
    default_stiffness = 0.0; /* the parameter counts */
    OK(fourbar_coupling_from_toml(model, NULL, NULL, &coupling));
    OK(fourbar_coupling_add_functions(coupling, "spring", &spring, &place));
    OK(fourbar_coupling_connect(coupling, "mass.x", "spring.x", 1.0, 0.0));
    OK(fourbar_coupling_connect(coupling, "mass.v", "spring.v", 1.0, 0.0));
    OK(fourbar_coupling_connect(coupling, "spring.F", "mass.F", 1.0, 0.0));
    OK(fourbar_coupling_run_to(coupling, 1.0, &state));
    CHECK(state == FOURBAR_RUN_FINISHED); /* the end of the text */
    OK(fourbar_coupling_get_output(coupling, "mass.x", &x));
    default_stiffness = 200.0;
    CHECK(fabs(fabs(x - exact(1.0)) - error_of(FOURBAR_ALGORITHM_JACOBI, 2, 0.01)) < 1e-6);
    fourbar_coupling_free(coupling);
    /* A sequence that the text gives goes on with the partners that are added, unless it names them. */
    for (i = 0; i < 2; i++) {
        OK(fourbar_coupling_from_toml(sequential[i], NULL, NULL, &coupling));
        OK(fourbar_coupling_add_functions(coupling, "spring", &spring, &place));
        OK(fourbar_coupling_connect(coupling, "mass.x", "spring.x", 1.0, 0.0));
        OK(fourbar_coupling_connect(coupling, "mass.v", "spring.v", 1.0, 0.0));
        OK(fourbar_coupling_connect(coupling, "spring.F", "mass.F", 1.0, 0.0));
        OK(fourbar_coupling_run_to(coupling, 1.0, &state));
        CHECK(state == FOURBAR_RUN_FINISHED);
        OK(fourbar_coupling_get_output(coupling, "mass.x", &x));
        CHECK(fabs(x - exact(1.0)) < 1e-3);
        fourbar_coupling_free(coupling);
    }
    /* The options of the caller replace those of the text. */
    OK(fourbar_coupling_from_toml(model, "folder/oscillator.toml", &options, &coupling));
    OK(fourbar_coupling_run_to(coupling, 1.0, &state));
    CHECK(state == FOURBAR_RUN_RUNNING);
    fourbar_coupling_free(coupling);
    coupling = NULL;
    FAILS(fourbar_coupling_from_toml("type = \"coupled\"\n[simulation]\nend = 1\nstep = 0.1\n[[simulator]]\nname = \"sled\"\n"
                                     "[simulator.model]\n[[simulator.model.input]]\nname = \"push\"\nunit = \"newton\"\n"
                                     "[[simulator.model.body]]\nname = \"mass\"\nmass = 1\ninertia = [1, 1, 1]\n",
                                     NULL, NULL, &refused),
          FOURBAR_INVALID, "\"newton\" is not a known unit");
    FAILS(fourbar_coupling_from_toml("type = \"coupled\"\n", NULL, NULL, &refused), FOURBAR_INVALID, "give the run one");
    CHECK(strstr(fourbar_last_error(), "--") == NULL);
    CHECK(refused == NULL);
    FAILS(fourbar_coupling_from_toml(NULL, NULL, NULL, &coupling), FOURBAR_NULL, "text");
    FAILS(fourbar_coupling_from_toml(model, NULL, NULL, NULL), FOURBAR_NULL, "out");
    FAILS(fourbar_coupling_from_toml("\xff", NULL, NULL, &coupling), FOURBAR_TEXT, "UTF-8");
    FAILS(fourbar_coupling_from_toml("type = \"coupled\"\nspeed = 1\n", "a.toml", NULL, &coupling), FOURBAR_INVALID, "a.toml:2");
    FAILS(fourbar_coupling_from_toml("name = \"x\"\n[[body]]\nname = \"b\"\nmass = 1\n", NULL, NULL, &coupling),
          FOURBAR_UNSUPPORTED, "not \"coupled\"");
    CHECK(coupling == NULL);
}

/* Parameters of a simulator in a model text, between steps: x' = -rate x, from 3. */
static void parameters(void) {
    static const char decay[] =
        "type = \"coupled\"\n[simulation]\nend = 2\nstep = 0.125\n[[simulator]]\nname = \"a\"\n[simulator.equations]\n"
        "parameters = { rate = 1, start = 3 }\nstate = [{ name = \"x\", start = \"start\", rate = \"-rate*x\" }]\n"
        "output = [{ name = \"x\", value = \"x\" }]\n";
    fourbar_coupling *coupling = NULL;
    fourbar_parameter own;
    char text[64];
    static uint8_t bytes[65536];
    double x = 0.0;
    size_t count = 9, needed = 0, length = 0;
    OK(fourbar_coupling_from_toml(decay, NULL, NULL, &coupling));
    FAILS(fourbar_coupling_parameter_name(coupling, 0, text, sizeof text, NULL), FOURBAR_STATE, "not set up");
    FAILS(fourbar_coupling_get_parameter(coupling, "a.rate", &own, sizeof own), FOURBAR_STATE, "not set up");
    OK(fourbar_coupling_parameter_count(coupling, &count));
    CHECK(count == 2);
    OK(fourbar_coupling_parameter_name(coupling, 0, text, sizeof text, &needed));
    CHECK(strcmp(text, "a.rate") == 0 && needed == 7);
    OK(fourbar_coupling_parameter_unit(coupling, "a.rate", text, sizeof text, &needed));
    CHECK(strcmp(text, "") == 0 && needed == 1);
    OK(fourbar_coupling_get_parameter(coupling, "a.rate", &own, sizeof own));
    CHECK(own.value == 1.0 && own.tunable == 1 && own.lowest == -HUGE_VAL && own.highest == HUGE_VAL);
    OK(fourbar_coupling_get_parameter(coupling, "a.start", &own, sizeof own));
    CHECK(own.value == 3.0 && own.tunable == 0);
    OK(fourbar_coupling_run_to(coupling, 0.5, NULL));
    OK(fourbar_coupling_set_parameter(coupling, "a.rate", 4.0));
    OK(fourbar_coupling_save(coupling, bytes, sizeof bytes, &length));
    OK(fourbar_coupling_run_to(coupling, 0.75, NULL));
    OK(fourbar_coupling_get_output(coupling, "a.x", &x));
    CHECK(fabs(x - 3.0 * exp(-0.5 - 4.0 * 0.25)) < 1e-8);
    FAILS(fourbar_coupling_parameter_name(coupling, 2, text, sizeof text, NULL), FOURBAR_INVALID, "parameter 2");
    FAILS(fourbar_coupling_parameter_name(coupling, 0, NULL, 9, NULL), FOURBAR_NULL, "buffer");
    FAILS(fourbar_coupling_parameter_count(coupling, NULL), FOURBAR_NULL, "count");
    FAILS(fourbar_coupling_parameter_unit(coupling, "a.rat", text, sizeof text, NULL), FOURBAR_NO_SUCH_NAME, "a.rate");
    FAILS(fourbar_coupling_parameter_unit(coupling, NULL, text, sizeof text, NULL), FOURBAR_NULL, "name");
    FAILS(fourbar_coupling_get_parameter(coupling, "a.rate", NULL, sizeof own), FOURBAR_NULL, "parameter");
    FAILS(fourbar_coupling_get_parameter(coupling, "a.rate", &own, 1), FOURBAR_STRUCT_SIZE, "is 1");
    FAILS(fourbar_coupling_set_parameter(coupling, "a.start", 1.0), FOURBAR_INVALID, "it is fixed");
    FAILS(fourbar_coupling_set_parameter(coupling, "a.rat", 1.0), FOURBAR_NO_SUCH_NAME, "did you mean \"rate\"");
    FAILS(fourbar_coupling_set_parameter(coupling, "b.rate", 1.0), FOURBAR_NO_SUCH_NAME, "\"b\"");
    FAILS(fourbar_coupling_set_parameter(coupling, "a.rate", NAN), FOURBAR_NOT_FINITE, "a.rate");
    FAILS(fourbar_coupling_set_parameter(coupling, NULL, 1.0), FOURBAR_NULL, "name");
    FAILS(fourbar_coupling_get_text(coupling, "a.label", text, sizeof text, NULL), FOURBAR_NO_SUCH_NAME, "a.label");
    FAILS(fourbar_coupling_get_text(coupling, NULL, text, sizeof text, NULL), FOURBAR_NULL, "name");
    fourbar_coupling_free(coupling);
    /* What was saved has the value with which it was saved. */
    OK(fourbar_coupling_from_toml(decay, NULL, NULL, &coupling));
    OK(fourbar_coupling_restore(coupling, bytes, length));
    OK(fourbar_coupling_get_parameter(coupling, "a.rate", &own, sizeof own));
    CHECK(own.value == 4.0);
    OK(fourbar_coupling_run_to(coupling, 0.75, NULL));
    OK(fourbar_coupling_get_outputs(coupling, &x, 1));
    CHECK(fabs(x - 3.0 * exp(-0.5 - 4.0 * 0.25)) < 1e-8);
    fourbar_coupling_free(coupling);
}

static void misuse(void) {
    struct mass mass;
    fourbar_partner_functions functions = mass_functions(&mass), broken;
    fourbar_partner_description description = mass_description;
    fourbar_partner_place place;
    fourbar_coupling_options options = options_of(FOURBAR_ALGORITHM_JACOBI, 2), wrong;
    fourbar_coupling_statistics statistics;
    fourbar_coupling *coupling = NULL;
    double v[1];
    size_t n = 0;
    FAILS(fourbar_coupling_options_init(NULL, sizeof options), FOURBAR_NULL, "options");
    FAILS(fourbar_coupling_options_init(&options, 1), FOURBAR_STRUCT_SIZE, "is 1");
    FAILS(fourbar_partner_functions_init(NULL, sizeof functions), FOURBAR_NULL, "functions");
    FAILS(fourbar_partner_functions_init(&functions, 1), FOURBAR_STRUCT_SIZE, "is 1");
    FAILS(fourbar_partner_place_init(NULL, sizeof place), FOURBAR_NULL, "place");
    FAILS(fourbar_partner_place_init(&place, 1), FOURBAR_STRUCT_SIZE, "is 1");
    FAILS(fourbar_coupling_new(&options, NULL), FOURBAR_NULL, "out");
    OK(fourbar_coupling_new(&options, &coupling));
    FAILS(fourbar_coupling_start(coupling), FOURBAR_STATE, "no partners");
    FAILS(fourbar_coupling_step(coupling, NULL), FOURBAR_STATE, "no partners");
    FAILS(fourbar_coupling_run_to(coupling, 1.0, NULL), FOURBAR_STATE, "add one first");
    fourbar_coupling_free(coupling);
    coupling = NULL;
    wrong = options;
    wrong.algorithm = 9;
    FAILS(fourbar_coupling_new(&wrong, &coupling), FOURBAR_INVALID, "algorithm is 9");
    wrong = options;
    wrong.order = 3;
    FAILS(fourbar_coupling_new(&wrong, &coupling), FOURBAR_INVALID, "order is 3");
    wrong = options;
    wrong.algorithm = FOURBAR_ALGORITHM_ITERATED;
    wrong.acceleration = 7;
    FAILS(fourbar_coupling_new(&wrong, &coupling), FOURBAR_INVALID, "acceleration is 7");
    wrong = options;
    wrong.adaptive_tolerance = -1.0;
    FAILS(fourbar_coupling_new(&wrong, &coupling), FOURBAR_INVALID, "adaptive_tolerance is -1; it must be at least 0 (0: ");
    wrong.adaptive_tolerance = NAN;
    FAILS(fourbar_coupling_new(&wrong, &coupling), FOURBAR_NOT_FINITE, "adaptive_tolerance is NaN");
    wrong = options;
    wrong.real_time_factor = -0.5;
    FAILS(fourbar_coupling_new(&wrong, &coupling), FOURBAR_INVALID, "real_time_factor is -0.5; it must be at least 0 (0: ");
    wrong.struct_size = 5;
    FAILS(fourbar_coupling_new(&wrong, &coupling), FOURBAR_STRUCT_SIZE, "is 5");
    CHECK(coupling == NULL);

    OK(fourbar_coupling_new(&options, &coupling));
    FAILS(fourbar_coupling_add_functions(coupling, NULL, &functions, NULL), FOURBAR_NULL, "name");
    FAILS(fourbar_coupling_add_functions(coupling, "a", NULL, NULL), FOURBAR_NULL, "functions");
    broken = functions;
    broken.exchange = NULL;
    FAILS(fourbar_coupling_add_functions(coupling, "a", &broken, NULL), FOURBAR_NULL, "exchange");
    broken = functions;
    broken.description = NULL;
    FAILS(fourbar_coupling_add_functions(coupling, "a", &broken, NULL), FOURBAR_NULL, "description");
    broken = functions;
    broken.user = NULL;
    FAILS(fourbar_coupling_add_functions(coupling, "a", &broken, NULL), FOURBAR_NULL, "'create' or 'user'");
    description.version = 77;
    broken = functions;
    broken.description = &description;
    FAILS(fourbar_coupling_add_functions(coupling, "a", &broken, NULL), FOURBAR_INVALID, "77");
    OK(fourbar_partner_place_init(&place, sizeof place));
    place.time_limit = NAN;
    FAILS(fourbar_coupling_add_functions(coupling, "a", &functions, &place), FOURBAR_INVALID, "time_limit");
    place.time_limit = 0.0;
    place.every = 0;
    FAILS(fourbar_coupling_add_functions(coupling, "a", &functions, &place), FOURBAR_INVALID, "every is 0");
    FAILS(fourbar_coupling_add_functions(coupling, "a.b", &functions, NULL), FOURBAR_INVALID, "no dot");
    OK(fourbar_coupling_add_functions(coupling, "twin", &functions, NULL));
    FAILS(fourbar_coupling_add_functions(coupling, "twin", &functions, NULL), FOURBAR_INVALID, "already");
    FAILS(fourbar_coupling_connect(coupling, NULL, "a.F", 1.0, 0.0), FOURBAR_NULL, "from");
    FAILS(fourbar_coupling_connect(coupling, "a.x", NULL, 1.0, 0.0), FOURBAR_NULL, "to");
    fourbar_coupling_free(coupling);

    /* What does not fit together is refused where the run is set up. */
    OK(fourbar_coupling_new(&options, &coupling));
    OK(fourbar_coupling_add_functions(coupling, "mass", &functions, NULL));
    OK(fourbar_coupling_connect(coupling, "mass.x", "mass.F", 1.0, 0.0));
    FAILS(fourbar_coupling_step(coupling, NULL), FOURBAR_INVALID, "measures something else");
    fourbar_coupling_free(coupling);
    OK(fourbar_coupling_new(NULL, &coupling));
    OK(fourbar_coupling_add_functions(coupling, "mass", &functions, NULL));
    FAILS(fourbar_coupling_run_to(coupling, HUGE_VAL, NULL), FOURBAR_NOT_FINITE, "time");
    fourbar_coupling_free(coupling);

    CHECK(fourbar_coupling_add_functions(NULL, "a", &functions, NULL) == FOURBAR_NULL);
    CHECK(fourbar_coupling_add_library(NULL, "a", "a.so", NULL) == FOURBAR_NULL);
    CHECK(fourbar_coupling_connect(NULL, "a", "b", 1.0, 0.0) == FOURBAR_NULL);
    CHECK(fourbar_coupling_set_fault_level(NULL, 1, 6, 0) == FOURBAR_NULL);
    CHECK(fourbar_coupling_start(NULL) == FOURBAR_NULL);
    CHECK(fourbar_coupling_step(NULL, NULL) == FOURBAR_NULL);
    CHECK(fourbar_coupling_run_to(NULL, 1.0, NULL) == FOURBAR_NULL);
    CHECK(fourbar_coupling_time(NULL, v, NULL) == FOURBAR_NULL);
    CHECK(fourbar_coupling_get_statistics(NULL, &statistics, sizeof statistics) == FOURBAR_NULL);
    CHECK(fourbar_coupling_get_output(NULL, "a.b", v) == FOURBAR_NULL);
    CHECK(fourbar_coupling_set_input(NULL, "a.b", 1.0) == FOURBAR_NULL);
    CHECK(fourbar_coupling_counts(NULL, &n, &n) == FOURBAR_NULL);
    CHECK(fourbar_coupling_parameter_count(NULL, &n) == FOURBAR_NULL);
    CHECK(fourbar_coupling_parameter_name(NULL, 0, NULL, 0, &n) == FOURBAR_NULL);
    CHECK(fourbar_coupling_parameter_unit(NULL, "a.b", NULL, 0, &n) == FOURBAR_NULL);
    CHECK(fourbar_coupling_get_parameter(NULL, "a.b", NULL, 0) == FOURBAR_NULL);
    CHECK(fourbar_coupling_set_parameter(NULL, "a.b", 1.0) == FOURBAR_NULL);
    CHECK(fourbar_coupling_get_text(NULL, "a.b", NULL, 0, &n) == FOURBAR_NULL);
    CHECK(fourbar_coupling_output_name(NULL, 0, NULL, 0, &n) == FOURBAR_NULL);
    CHECK(fourbar_coupling_input_name(NULL, 0, NULL, 0, &n) == FOURBAR_NULL);
    CHECK(fourbar_coupling_unit(NULL, "a.b", NULL, 0, &n) == FOURBAR_NULL);
    CHECK(fourbar_coupling_get_outputs(NULL, v, 1) == FOURBAR_NULL);
    CHECK(fourbar_coupling_fault_count(NULL, &n, NULL) == FOURBAR_NULL);
    CHECK(fourbar_coupling_fault(NULL, 0, NULL, NULL, NULL, NULL, 0, &n) == FOURBAR_NULL);
    CHECK(strcmp(fourbar_coupling_error(NULL), "") == 0);
    fourbar_coupling_free(NULL);
}

int main(void) {
    orders();
    algorithms();
    names_and_units();
    driven();
    saved();
    faults();
    late();
    libraries();
    texts();
    parameters();
    misuse();
    return 0;
}
