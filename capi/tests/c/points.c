/* Checkpoints as bytes: what one process writes, another one goes on from, to the last bit. The test runs this program twice, with
 * "write" and "read", and the path of a file; without these it does both at once. */
#include "pendulum.h"

static FILE *file;
static int writes;

/* Bytes into the file, or those that are there. */
static void exchange(unsigned char *bytes, size_t *length) {
    if (writes) {
        CHECK(fwrite(length, sizeof *length, 1, file) == 1 && fwrite(bytes, 1, *length, file) == *length);
    } else {
        CHECK(fread(length, sizeof *length, 1, file) == 1 && fread(bytes, 1, *length, file) == *length);
    }
}

/* Values are those of the other process. */
static void agree(const double *values, size_t count) {
    double other[64];
    size_t length = count * sizeof *values;
    CHECK(count <= 64);
    memcpy(other, values, length);
    exchange((unsigned char *)other, &length);
    CHECK(length == count * sizeof *values && memcmp(other, values, length) == 0);
}

static unsigned char buffer[1 << 20];

/* Bytes that are no point of `parent`; `good` are some that are. */
#define REFUSALS(parent, read, free_state, good, length)                                                            \
    do {                                                                                                            \
        unsigned char *bytes = malloc((length) + 1);                                                                \
        CHECK(bytes != NULL);                                                                                       \
        memcpy(bytes, (good), (length));                                                                            \
        FAILS(read(NULL, bytes, (length), &saved), FOURBAR_NULL, "'");                                              \
        FAILS(read(parent, NULL, (length), &saved), FOURBAR_NULL, "bytes");                                         \
        FAILS(read(parent, bytes, (length), NULL), FOURBAR_NULL, "out");                                            \
        FAILS(read(parent, bytes, 0, &saved), FOURBAR_INVALID, "no checkpoint");                                   \
        FAILS(read(parent, bytes, (length) - 1, &saved), FOURBAR_INVALID, "give all that were written");            \
        FAILS(read(parent, bytes, (size_t)-1, &saved), FOURBAR_LENGTH, "bytes");                                    \
        bytes[(length) / 2] ^= 64;                                                                                  \
        FAILS(read(parent, bytes, (length), &saved), FOURBAR_INVALID, "checksum");                                  \
        bytes[(length) / 2] ^= 64;                                                                                  \
        bytes[8]++;                                                                                                 \
        FAILS(read(parent, bytes, (length), &saved), FOURBAR_UNSUPPORTED, "written by version");                    \
        bytes[8]--;                                                                                                 \
        OK(read(parent, bytes, (length), &saved));                                                                  \
        free_state(saved);                                                                                          \
        saved = NULL;                                                                                               \
        free(bytes);                                                                                                \
    } while (0)

static void simulation(const char *path, int32_t following, double fixed_step, double at, double until) {
    fourbar_model *model = NULL;
    fourbar_mechanism *mechanism;
    fourbar_simulation *simulation = NULL, *foreign = begun(compiled(pendulum_model("[parameters]\nmore = 1\n")));
    fourbar_simulation_state *saved = NULL;
    fourbar_simulation_options options;
    double state[64], time = 0.0;
    uint64_t steps = 0;
    size_t length = 0, needed = 0, count = 0;
    if (path == NULL) {
        model = pendulum_model(NULL);
    } else {
        OK(fourbar_model_from_file(path, &model));
    }
    mechanism = compiled(model);
    OK(fourbar_simulation_options_init(&options, sizeof options));
    options.following = following;
    options.fixed_step = fixed_step;
    OK(fourbar_simulation_new(mechanism, &options, &simulation));
    fourbar_mechanism_free(mechanism);
    OK(fourbar_simulation_state_length(simulation, &count));
    if (writes) {
        OK(fourbar_simulation_step_to(simulation, at));
        OK(fourbar_simulation_save(simulation, &saved));
        OK(fourbar_simulation_state_to_bytes(simulation, saved, NULL, 0, &needed));
        FAILS(fourbar_simulation_state_to_bytes(simulation, saved, NULL, 0, NULL), FOURBAR_NULL, "needed");
        FAILS(fourbar_simulation_state_to_bytes(simulation, saved, NULL, needed, NULL), FOURBAR_NULL, "buffer");
        FAILS(fourbar_simulation_state_to_bytes(simulation, saved, buffer, needed - 1, NULL), FOURBAR_LENGTH, "needed");
        FAILS(fourbar_simulation_state_to_bytes(simulation, NULL, buffer, needed, NULL), FOURBAR_NULL, "saved");
        FAILS(fourbar_simulation_state_to_bytes(NULL, saved, buffer, needed, NULL), FOURBAR_NULL, "simulation");
        FAILS(fourbar_simulation_state_to_bytes(foreign, saved, buffer, needed, NULL), FOURBAR_STATE, "another compiled mechanism");
        CHECK(needed <= sizeof buffer);
        OK(fourbar_simulation_state_to_bytes(simulation, saved, buffer, sizeof buffer, &length));
        CHECK(length == needed);
        fourbar_simulation_state_free(saved);
        saved = NULL;
        REFUSALS(simulation, fourbar_simulation_state_from_bytes, fourbar_simulation_state_free, buffer, length);
    }
    exchange(buffer, &length);
    FAILS(fourbar_simulation_state_from_bytes(foreign, buffer, length, &saved), FOURBAR_STATE, "not of this one");
    if (!writes) {
        OK(fourbar_simulation_state_from_bytes(simulation, buffer, length, &saved));
        OK(fourbar_simulation_time(simulation, &time, NULL));
        CHECK(time == 0.0); /* it stays where it is */
        OK(fourbar_simulation_restore(simulation, saved));
        fourbar_simulation_state_free(saved);
    }
    OK(fourbar_simulation_step_to(simulation, until));
    OK(fourbar_simulation_get_state(simulation, state, count));
    agree(state, count);
    OK(fourbar_simulation_time(simulation, &time, &steps));
    OK(fourbar_simulation_event_count(simulation, &count));
    state[0] = (double)steps;
    state[1] = (double)count;
    agree(state, 2);
    fourbar_simulation_free(simulation);
    fourbar_simulation_free(foreign);
}

static int32_t van_der_pol(void *user, double t, const double *y, double *yp) {
    (void)t;
    yp[0] = y[1];
    yp[1] = *(const double *)user * (1.0 - y[0] * y[0]) * y[1] - y[0];
    return 0;
}

/* y' = 1, y through 0.5; the root function fails where *user is not 0. */
static int32_t even(void *user, double t, const double *y, double *yp) {
    (void)user, (void)t, (void)y;
    yp[0] = 1.0;
    return 0;
}

static int32_t half(void *user, double t, const double *y, const double *yp, double *values) {
    (void)t, (void)yp;
    values[0] = y[0] - 0.5;
    return *(const int32_t *)user;
}

static void one_event(fourbar_integration *integration) {
    size_t index = 9, count = 0;
    int32_t direction = 0;
    OK(fourbar_integration_events(integration, &index, &direction, 1, &count));
    CHECK(count == 1 && index == 0 && direction == 1);
}

/* The events of a stop stay through a step that fails, and are saved with their point. */
static void events(int32_t integrator) {
    double y[1] = {0.0};
    int32_t failing = 0, stop = 0;
    size_t count = 9, length = 0;
    fourbar_equations equations;
    fourbar_problem *problem = NULL;
    fourbar_integration_options options;
    fourbar_integration *integration = NULL;
    fourbar_integration_state *saved = NULL, *read = NULL;
    OK(fourbar_equations_init(&equations, sizeof equations));
    equations.user = &failing;
    equations.dimension = 1;
    equations.rhs = even;
    equations.root_count = 1;
    equations.roots = half;
    OK(fourbar_problem_new(&equations, &problem));
    OK(fourbar_integration_options_init(&options, sizeof options));
    options.integrator = integrator;
    OK(fourbar_integration_new(problem, &options, 0.0, y, NULL, 1, &integration));
    OK(fourbar_integration_set_end(integration, 1.0));
    while (stop != FOURBAR_STOP_EVENT) {
        OK(fourbar_integration_step(integration, &stop));
    }
    one_event(integration);
    OK(fourbar_integration_save(integration, &saved));
    OK(fourbar_integration_state_to_bytes(integration, saved, buffer, sizeof buffer, &length));
    failing = -1;
    CHECK(fourbar_integration_step(integration, &stop) == FOURBAR_CALLBACK);
    one_event(integration);
    failing = 0;
    OK(fourbar_integration_run(integration, 1.0, &stop));
    OK(fourbar_integration_events(integration, NULL, NULL, 0, &count));
    CHECK(count == 0);
    OK(fourbar_integration_restore(integration, saved));
    one_event(integration);
    OK(fourbar_integration_state_from_bytes(integration, buffer, length, &read));
    OK(fourbar_integration_run(integration, 1.0, &stop));
    OK(fourbar_integration_restore(integration, read));
    one_event(integration);
    fourbar_integration_state_free(saved);
    fourbar_integration_state_free(read);
    fourbar_integration_free(integration);
    fourbar_problem_free(problem);
}

static void integration(int32_t integrator) {
    double mu = 5.0, y[2] = {2.0, 0.0};
    fourbar_equations equations;
    fourbar_problem *problem = NULL;
    fourbar_integration_options options;
    fourbar_integration *integration = NULL, *other = NULL;
    fourbar_integration_state *saved = NULL, *own = NULL;
    size_t length = 0, needed = 0;
    int32_t stop = 0;
    OK(fourbar_equations_init(&equations, sizeof equations));
    equations.user = &mu;
    equations.dimension = 2;
    equations.rhs = van_der_pol;
    OK(fourbar_problem_new(&equations, &problem));
    OK(fourbar_integration_options_init(&options, sizeof options));
    options.integrator = integrator;
    OK(fourbar_integration_new(problem, &options, 0.0, y, NULL, 2, &integration));
    options.relative = 1e-4;
    options.integrator = integrator == FOURBAR_INTEGRATOR_GSTIFF ? FOURBAR_INTEGRATOR_RKF45 : FOURBAR_INTEGRATOR_GSTIFF;
    OK(fourbar_integration_new(problem, &options, 0.0, y, NULL, 2, &other));
    if (writes) {
        OK(fourbar_integration_run(integration, 1.0, &stop));
        OK(fourbar_integration_save(integration, &saved));
        OK(fourbar_integration_state_to_bytes(integration, saved, NULL, 0, &needed));
        FAILS(fourbar_integration_state_to_bytes(integration, saved, buffer, needed - 1, NULL), FOURBAR_LENGTH, "needed");
        FAILS(fourbar_integration_state_to_bytes(integration, NULL, buffer, needed, NULL), FOURBAR_NULL, "state");
        FAILS(fourbar_integration_state_to_bytes(NULL, saved, buffer, needed, NULL), FOURBAR_NULL, "integration");
        OK(fourbar_integration_save(other, &own));
        FAILS(fourbar_integration_state_to_bytes(integration, own, buffer, sizeof buffer, NULL), FOURBAR_STATE, "snapshot");
        fourbar_integration_state_free(own);
        OK(fourbar_integration_state_to_bytes(integration, saved, buffer, sizeof buffer, &length));
        CHECK(length == needed);
        fourbar_integration_state_free(saved);
        saved = NULL;
        REFUSALS(integration, fourbar_integration_state_from_bytes, fourbar_integration_state_free, buffer, length);
    }
    exchange(buffer, &length);
    FAILS(fourbar_integration_state_from_bytes(other, buffer, length, &saved), FOURBAR_STATE, "not of this one");
    if (!writes) {
        OK(fourbar_integration_state_from_bytes(integration, buffer, length, &saved));
        OK(fourbar_integration_restore(integration, saved));
        fourbar_integration_state_free(saved);
    }
    OK(fourbar_integration_run(integration, 7.0, &stop));
    OK(fourbar_integration_get_state(integration, y, NULL, 2));
    agree(y, 2);
    fourbar_integration_free(integration);
    fourbar_integration_free(other);
    fourbar_problem_free(problem);
}

static void stepper(void) {
    static const double a[4] = {0.0, -4.0, 1.0, -0.1}, b[2] = {0.0, 1.0}, c[2] = {1.0, 0.0}, d[1] = {0.0};
    fourbar_system *system = NULL;
    fourbar_stepper *stepper = NULL, *other = NULL;
    fourbar_stepper_state *saved = NULL;
    double u[1] = {0.0}, y[1], x[2];
    size_t length = 0, needed = 0;
    int k, begin = writes ? 0 : 50;
    OK(fourbar_system_new(2, 1, 1, a, b, c, d, &system));
    OK(fourbar_stepper_new(system, 0.01, NULL, &stepper));
    OK(fourbar_stepper_new(system, 0.02, NULL, &other));
    OK(fourbar_stepper_set_input(stepper, u, 1));
    OK(fourbar_stepper_set_input(other, u, 1));
    for (k = begin; k < 100; k++) {
        if (k == 50 && writes) {
            OK(fourbar_stepper_save(stepper, &saved));
            OK(fourbar_stepper_state_to_bytes(stepper, saved, NULL, 0, &needed));
            FAILS(fourbar_stepper_state_to_bytes(stepper, saved, buffer, needed - 1, NULL), FOURBAR_LENGTH, "needed");
            FAILS(fourbar_stepper_state_to_bytes(stepper, NULL, buffer, needed, NULL), FOURBAR_NULL, "saved");
            FAILS(fourbar_stepper_state_to_bytes(NULL, saved, buffer, needed, NULL), FOURBAR_NULL, "stepper");
            FAILS(fourbar_stepper_state_to_bytes(other, saved, buffer, needed, NULL), FOURBAR_STATE, "saved state is of another");
            OK(fourbar_stepper_state_to_bytes(stepper, saved, buffer, sizeof buffer, &length));
            CHECK(length == needed);
            fourbar_stepper_state_free(saved);
            saved = NULL;
            REFUSALS(stepper, fourbar_stepper_state_from_bytes, fourbar_stepper_state_free, buffer, length);
        }
        if (k == 50) {
            exchange(buffer, &length);
            FAILS(fourbar_stepper_state_from_bytes(other, buffer, length, &saved), FOURBAR_STATE, "not of this one");
            OK(fourbar_stepper_state_from_bytes(stepper, buffer, length, &saved));
            OK(fourbar_stepper_restore(stepper, saved));
            fourbar_stepper_state_free(saved);
        }
        u[0] = sin(0.01 * (k + 1));
        OK(fourbar_stepper_step(stepper, u, 1, y, 1));
    }
    OK(fourbar_stepper_get_state(stepper, x, 2));
    agree(x, 2);
    fourbar_stepper_free(stepper);
    fourbar_stepper_free(other);
    fourbar_system_free(system);
}

static void all(void) {
    stepper();
    integration(FOURBAR_INTEGRATOR_GSTIFF);
    integration(FOURBAR_INTEGRATOR_RKF45);
    integration(FOURBAR_INTEGRATOR_ABAM);
    events(FOURBAR_INTEGRATOR_GSTIFF);
    events(FOURBAR_INTEGRATOR_RKF45);
    events(FOURBAR_INTEGRATOR_ABAM);
    simulation(NULL, 0, 0.0, 0.7, 1.3);
    simulation("models/fourbar-impact.toml", FOURBAR_FOLLOWING_EVENT, 0.0, 0.15, 0.25);
    simulation("models/fourbar-impact.toml", FOURBAR_FOLLOWING_GAP_LCP, 5e-4, 0.15, 0.25);
}

int main(int argc, char **argv) {
    writes = argc < 2 || strcmp(argv[1], "write") == 0;
    file = argc < 3 ? tmpfile() : fopen(argv[2], writes ? "wb" : "rb");
    CHECK(file != NULL);
    all();
    if (argc < 3) {
        rewind(file);
        writes = 0;
        all();
    }
    CHECK(fclose(file) == 0);
    return 0;
}
