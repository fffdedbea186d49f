/* Linear systems: right use, each NULL, each wrong size, each wrong state. */
#include "check.h"

static const double A[4] = {0.0, -4.0, 1.0, 0.0}; /* x'' = -4 x + u */
static const double B[2] = {0.0, 1.0};
static const double C[2] = {1.0, 0.0};
static const double D[1] = {0.0};

static fourbar_system *oscillator(void) {
    fourbar_system *system = NULL;
    OK(fourbar_system_new(2, 1, 1, A, B, C, D, &system));
    return system;
}

static void versions_and_texts(void) {
    char buffer[8];
    CHECK(fourbar_abi_version() == FOURBAR_ABI_VERSION);
    CHECK(strlen(fourbar_version()) >= 5);
    CHECK(strcmp(fourbar_status_name(FOURBAR_LENGTH), "FOURBAR_LENGTH") == 0);
    CHECK(strcmp(fourbar_status_name(-7), "unknown status") == 0);
    FAILS(fourbar_system_dimensions(NULL, NULL, NULL, NULL), FOURBAR_NULL, "system");
    CHECK(fourbar_last_error_copy(NULL, 0) == strlen(fourbar_last_error()) + 1);
    CHECK(fourbar_last_error_copy(buffer, sizeof buffer) == strlen(fourbar_last_error()) + 1);
    CHECK(strlen(buffer) == 7 && strncmp(buffer, fourbar_last_error(), 7) == 0);
}

static void systems(void) {
    fourbar_system *system = oscillator();
    fourbar_system *none = NULL;
    const double nan_a[4] = {0.0, NAN, 1.0, 0.0};
    const double derivative[1] = {1.0};
    size_t n = 0, m = 0, q = 0;
    double step = 0.0;
    OK(fourbar_system_dimensions(system, &n, &m, &q));
    CHECK(n == 2 && m == 1 && q == 1);
    OK(fourbar_system_dimensions(system, NULL, NULL, NULL));
    FAILS(fourbar_system_new(2, 1, 1, NULL, B, C, D, &none), FOURBAR_NULL, "'a'");
    FAILS(fourbar_system_new(2, 1, 1, A, NULL, C, D, &none), FOURBAR_NULL, "'b'");
    FAILS(fourbar_system_new(2, 1, 1, A, B, NULL, D, &none), FOURBAR_NULL, "'c'");
    FAILS(fourbar_system_new(2, 1, 1, A, B, C, NULL, &none), FOURBAR_NULL, "'d'");
    FAILS(fourbar_system_new(2, 1, 1, A, B, C, D, NULL), FOURBAR_NULL, "'out'");
    FAILS(fourbar_system_new(2, 1, 1, nan_a, B, C, D, &none), FOURBAR_NOT_FINITE, "finite");
    FAILS(fourbar_system_new((size_t)-1, 1, 1, A, B, C, D, &none), FOURBAR_LENGTH, "memory");
    CHECK(none == NULL);
    OK(fourbar_system_new(0, 0, 0, NULL, NULL, NULL, NULL, &none)); /* nothing at all is a system too */
    fourbar_system_free(none);
    OK(fourbar_system_suggest_step(system, NULL, derivative, 1, 1e-6, 1.0, &step));
    CHECK(step > 0.0 && step < 1.0);
    FAILS(fourbar_system_suggest_step(NULL, NULL, derivative, 1, 1e-6, 1.0, &step), FOURBAR_NULL, "system");
    FAILS(fourbar_system_suggest_step(system, NULL, NULL, 1, 1e-6, 1.0, &step), FOURBAR_NULL, "derivatives");
    FAILS(fourbar_system_suggest_step(system, NULL, derivative, 1, 1e-6, 1.0, NULL), FOURBAR_NULL, "step");
    FAILS(fourbar_system_suggest_step(system, NULL, derivative, 1, -1.0, 1.0, &step), FOURBAR_INVALID, "tolerance");
    CHECK(fourbar_system_suggest_step(system, NULL, derivative, 0, 1e-6, 1.0, &step) == FOURBAR_LENGTH);
    fourbar_system_free(system);
    fourbar_system_free(NULL);
}

static void matrices(void) {
    double e[4], g[12];
    const double pi = 3.14159265358979323846;
    /* After half a period of the oscillator with 2 rad/s, x = -x(0). */
    OK(fourbar_g_matrices(2, A, pi / 2.0, 2, e, g, 12));
    CHECK(fabs(e[0] + 1.0) < 1e-15 && fabs(e[3] + 1.0) < 1e-15 && fabs(e[1]) < 1e-15 && fabs(e[2]) < 1e-15);
    CHECK(fabs(g[2] - 0.5) < 1e-15); /* row 0, column 1 of G_0: integral of sin(2 s)/2 */
    {
        /* A chain of two integrators: G_i = [T/(i+1), T^2/((i+1)(i+2)); 0, T/(i+1)], where (s/T)^i is integrated, not s^i/i!. */
        const double chain[4] = {0.0, 0.0, 1.0, 0.0};
        const double step = 0.4;
        int i;
        OK(fourbar_g_matrices(2, chain, step, 2, NULL, g, 12));
        for (i = 0; i <= 2; i++) {
            const double *own = g + 4 * i;
            CHECK(fabs(own[0] - step / (i + 1)) < 1e-16 && own[1] == 0.0 && fabs(own[3] - step / (i + 1)) < 1e-16);
            CHECK(fabs(own[2] - step * step / ((i + 1) * (i + 2))) < 1e-16);
        }
    }
    OK(fourbar_g_matrices(2, A, 1.0, 2, e, NULL, 0));
    OK(fourbar_g_matrices(2, A, 1.0, 2, NULL, g, 12));
    FAILS(fourbar_g_matrices(2, NULL, 1.0, 2, e, g, 12), FOURBAR_NULL, "'a'");
    FAILS(fourbar_g_matrices(2, A, 1.0, 2, e, NULL, 12), FOURBAR_NULL, "'g'");
    FAILS(fourbar_g_matrices(2, A, 1.0, 2, e, g, 11), FOURBAR_LENGTH, "g_length");
    FAILS(fourbar_g_matrices(2, A, 0.0, 2, e, g, 12), FOURBAR_INVALID, "step");
    FAILS(fourbar_g_matrices(2, A, NAN, 2, e, g, 12), FOURBAR_INVALID, "step");
    CHECK(fourbar_g_matrices(2, A, 1.0, (size_t)-1, e, NULL, 0) == FOURBAR_INVALID);
    {
        /* Products of counts that no matrix can have: nothing is read. */
        const size_t half = (size_t)1 << (4 * sizeof(size_t));
        fourbar_system *system = NULL;
        FAILS(fourbar_g_matrices(half, A, 1.0, 2, e, g, 12), FOURBAR_LENGTH, "'a'");
        FAILS(fourbar_system_new(half, half, 1, A, A, A, A, &system), FOURBAR_LENGTH, "'a'");
        FAILS(fourbar_system_new(2, half / 2 * half, 1, A, A, A, A, &system), FOURBAR_LENGTH, "'b'");
        FAILS(fourbar_system_new(1, half, half, A, A, A, A, &system), FOURBAR_LENGTH, "'d'");
    }
}

/* Of the oscillator: 1/(4 - w^2), with a pole at w = 2, and the samples of a held input by its closed form. */
static void responses(void) {
    const double w[3] = {0.0, 1.0, 2.0}, nan_w[1] = {NAN};
    double re[3], im[3], a[4], b[2], c[2], d[1];
    const double step = 0.3, pi = 3.14159265358979323846;
    fourbar_system *system = oscillator();
    OK(fourbar_system_frequency_response(system, w, 3, re, im, 3));
    CHECK(fabs(re[0] - 0.25) < 1e-15 && fabs(re[1] - 1.0 / 3.0) < 1e-15 && im[0] == 0.0 && fabs(im[1]) < 1e-15);
    CHECK(isnan(re[2]) && isnan(im[2]));
    OK(fourbar_system_frequency_response(system, NULL, 0, NULL, NULL, 0));
    FAILS(fourbar_system_frequency_response(NULL, w, 3, re, im, 3), FOURBAR_NULL, "system");
    FAILS(fourbar_system_frequency_response(system, NULL, 3, re, im, 3), FOURBAR_NULL, "frequencies");
    FAILS(fourbar_system_frequency_response(system, w, 3, NULL, im, 3), FOURBAR_NULL, "real");
    FAILS(fourbar_system_frequency_response(system, w, 3, re, NULL, 3), FOURBAR_NULL, "imaginary");
    FAILS(fourbar_system_frequency_response(system, w, 3, re, im, 2), FOURBAR_LENGTH, "3 matrices of 1");
    FAILS(fourbar_system_frequency_response(system, nan_w, 1, re, im, 1), FOURBAR_NOT_FINITE, "frequenc");
    OK(fourbar_system_sampled(system, step, FOURBAR_SAMPLING_ZERO_ORDER, 0.0, a, b, c, d));
    CHECK(fabs(a[0] - cos(2.0 * step)) < 1e-15 && fabs(a[2] - sin(2.0 * step) / 2.0) < 1e-15);
    CHECK(fabs(b[0] - (1.0 - cos(2.0 * step)) / 4.0) < 1e-15 && c[0] == 1.0 && d[0] == 0.0);
    /* Triangle: the direct part is C G_1 B, the integral of sin(2 (T - s))/2 s/T. */
    OK(fourbar_system_sampled(system, step, FOURBAR_SAMPLING_FIRST_ORDER, 0.0, NULL, NULL, NULL, d));
    CHECK(fabs(d[0] - (0.25 - sin(2.0 * step) / (8.0 * step))) < 1e-15);
    OK(fourbar_system_sampled(system, step, FOURBAR_SAMPLING_IMPULSE, 0.0, NULL, b, NULL, NULL));
    CHECK(fabs(b[0] - step * sin(2.0 * step) / 2.0) < 1e-15);
    /* Tustin at z = 1 is s = 0, and prewarped at 1 rad/s the response there is that of the system. */
    OK(fourbar_system_sampled(system, step, FOURBAR_SAMPLING_TUSTIN, 0.0, a, b, c, d));
    {
        const double m00 = 1.0 - a[0], m01 = -a[2], m10 = -a[1], m11 = 1.0 - a[3], det = m00 * m11 - m01 * m10;
        CHECK(fabs((c[0] * (m11 * b[0] - m01 * b[1]) + c[1] * (m00 * b[1] - m10 * b[0])) / det + d[0] - 0.25) < 1e-14);
    }
    FAILS(fourbar_system_sampled(NULL, step, 1, 0.0, a, b, c, d), FOURBAR_NULL, "system");
    FAILS(fourbar_system_sampled(system, step, 9, 0.0, a, b, c, d), FOURBAR_INVALID, "sampling is 9");
    FAILS(fourbar_system_sampled(system, 0.0, 1, 0.0, a, b, c, d), FOURBAR_INVALID, "step");
    FAILS(fourbar_system_sampled(system, step, FOURBAR_SAMPLING_TUSTIN, pi / step, a, b, c, d), FOURBAR_INVALID, "prewarped_at");
    fourbar_system_free(system);
}

static void holds(void) {
    fourbar_hold hold;
    fourbar_discretization *d = NULL;
    fourbar_system *system = oscillator();
    const double nodes[3] = {0.0, 0.3, 1.0};
    double offsets[3], values[4];
    size_t samples = 0;
    OK(fourbar_hold_init(&hold, sizeof hold));
    FAILS(fourbar_hold_init(NULL, sizeof hold), FOURBAR_NULL, "fourbar_hold");
    FAILS(fourbar_hold_init(&hold, 4), FOURBAR_STRUCT_SIZE, "struct_size");
    hold.method = FOURBAR_METHOD_NODES;
    hold.nodes = nodes;
    hold.nodes_length = 3;
    OK(fourbar_discretization_new(system, 0.5, &hold, &d));
    OK(fourbar_discretization_samples(d, &samples));
    CHECK(samples == 3);
    OK(fourbar_discretization_offsets(d, offsets, 3));
    CHECK(offsets[0] == 0.0 && fabs(offsets[1] - 0.15) < 1e-16 && offsets[2] == 0.5);
    OK(fourbar_discretization_exponential(d, values, 4));
    CHECK(fabs(values[0] - cos(1.0)) < 1e-15);
    OK(fourbar_discretization_input_matrix(d, 2, values, 2));
    FAILS(fourbar_discretization_input_matrix(d, 3, values, 2), FOURBAR_INVALID, "sample 3");
    FAILS(fourbar_discretization_input_matrix(d, 0, values, 3), FOURBAR_LENGTH, "length 3");
    FAILS(fourbar_discretization_input_matrix(d, 0, NULL, 2), FOURBAR_NULL, "values");
    FAILS(fourbar_discretization_input_matrix(NULL, 0, values, 2), FOURBAR_NULL, "discretization");
    FAILS(fourbar_discretization_exponential(d, values, 3), FOURBAR_LENGTH, "length 3");
    FAILS(fourbar_discretization_exponential(d, NULL, 4), FOURBAR_NULL, "values");
    FAILS(fourbar_discretization_exponential(NULL, values, 4), FOURBAR_NULL, "discretization");
    FAILS(fourbar_discretization_offsets(d, offsets, 2), FOURBAR_LENGTH, "offsets");
    FAILS(fourbar_discretization_offsets(d, NULL, 3), FOURBAR_NULL, "offsets");
    FAILS(fourbar_discretization_offsets(NULL, offsets, 3), FOURBAR_NULL, "discretization");
    FAILS(fourbar_discretization_samples(NULL, &samples), FOURBAR_NULL, "discretization");
    FAILS(fourbar_discretization_samples(d, NULL), FOURBAR_NULL, "samples");
    fourbar_discretization_free(d);
    fourbar_discretization_free(NULL);
    d = NULL;
    FAILS(fourbar_discretization_new(NULL, 0.5, &hold, &d), FOURBAR_NULL, "system");
    FAILS(fourbar_discretization_new(system, 0.5, &hold, NULL), FOURBAR_NULL, "out");
    FAILS(fourbar_discretization_new(system, -1.0, &hold, &d), FOURBAR_INVALID, "step");
    hold.nodes = NULL;
    FAILS(fourbar_discretization_new(system, 0.5, &hold, &d), FOURBAR_NULL, "nodes");
    hold.method = 99;
    FAILS(fourbar_discretization_new(system, 0.5, &hold, &d), FOURBAR_INVALID, "99");
    hold.method = FOURBAR_METHOD_ALGORITHM_1;
    hold.reserved = 7;
    FAILS(fourbar_discretization_new(system, 0.5, &hold, &d), FOURBAR_INVALID, "'reserved' of fourbar_hold is 7");
    hold.struct_size = 3;
    FAILS(fourbar_discretization_new(system, 0.5, &hold, &d), FOURBAR_STRUCT_SIZE, "struct_size");
    CHECK(d == NULL);
    fourbar_system_free(system);
}

/* A caller whose struct is longer than this library knows: served while the unknown part is zero. */
static void newer_callers(void) {
    struct {
        fourbar_hold known;
        double unknown;
    } newer;
    fourbar_system *system = oscillator();
    fourbar_discretization *d = NULL;
    memset(&newer, 0xff, sizeof newer);
    OK(fourbar_hold_init(&newer.known, sizeof newer));
    CHECK(newer.known.struct_size == sizeof newer && newer.unknown == 0.0);
    OK(fourbar_discretization_new(system, 0.5, &newer.known, &d));
    fourbar_discretization_free(d);
    d = NULL;
    newer.unknown = 1.0;
    FAILS(fourbar_discretization_new(system, 0.5, &newer.known, &d), FOURBAR_UNSUPPORTED, "newer");
    fourbar_system_free(system);
}

/* A state of `one` takes neither what another stepper saves, nor is it taken back by one: of another step, or of another system of the same size. */
static void foreign_states(fourbar_stepper *one, const fourbar_stepper *other, fourbar_stepper_state *saved) {
    const double stiffer[4] = {0.0, -9.0, 1.0, 0.0};
    double x[2], y[2], zero[2] = {0.0, 0.0};
    fourbar_system *system = NULL;
    fourbar_stepper *foreign = NULL;
    OK(fourbar_system_new(2, 1, 1, stiffer, B, C, D, &system));
    OK(fourbar_stepper_new(system, 0.01, NULL, &foreign));
    OK(fourbar_stepper_get_state(one, x, 2));
    FAILS(fourbar_stepper_save_into(other, saved), FOURBAR_STATE, "saved");
    FAILS(fourbar_stepper_save_into(foreign, saved), FOURBAR_STATE, "saved");
    FAILS(fourbar_stepper_restore(foreign, saved), FOURBAR_STATE, "saved");
    OK(fourbar_stepper_set_state(one, zero, 2));
    OK(fourbar_stepper_restore(one, saved)); /* it is what it was */
    OK(fourbar_stepper_get_state(one, y, 2));
    CHECK(memcmp(x, y, sizeof x) == 0);
    fourbar_stepper_free(foreign);
    fourbar_system_free(system);
}

static void stepping(void) {
    fourbar_system *system = oscillator();
    fourbar_stepper *stepper = NULL, *other = NULL;
    fourbar_stepper_state *saved = NULL;
    double y[1], u[2] = {0.0, 0.0}, x[2] = {1.0, 0.0}, first[2], error[2], outputs[10], offsets[4];
    double time = 0.0;
    uint64_t steps = 0;
    size_t count = 0;
    int k;
    OK(fourbar_stepper_new(system, 0.01, NULL, &stepper));
    FAILS(fourbar_stepper_new(NULL, 0.01, NULL, &other), FOURBAR_NULL, "system");
    FAILS(fourbar_stepper_new(system, 0.01, NULL, NULL), FOURBAR_NULL, "out");
    FAILS(fourbar_stepper_new(system, INFINITY, NULL, &other), FOURBAR_INVALID, "step");
    OK(fourbar_stepper_samples(stepper, &count));
    CHECK(count == 1);
    OK(fourbar_stepper_offsets(stepper, offsets, 1));
    CHECK(offsets[0] == 0.01);
    OK(fourbar_stepper_missing_history(stepper, &count));
    CHECK(count == 1);
    FAILS(fourbar_stepper_step(stepper, u, 1, y, 1), FOURBAR_STATE, "history");
    CHECK(strcmp(fourbar_stepper_error(stepper), fourbar_last_error()) == 0);
    OK(fourbar_stepper_set_input(stepper, u, 1));
    OK(fourbar_stepper_set_state(stepper, x, 2));
    FAILS(fourbar_stepper_step(stepper, u, 2, y, 1), FOURBAR_LENGTH, "length 2");
    FAILS(fourbar_stepper_step(stepper, u, 1, y, 0), FOURBAR_LENGTH, "output");
    FAILS(fourbar_stepper_step(stepper, NULL, 1, y, 1), FOURBAR_NULL, "'u'");
    FAILS(fourbar_stepper_step(stepper, u, 1, NULL, 1), FOURBAR_NULL, "'y'");
    u[0] = NAN;
    FAILS(fourbar_stepper_step(stepper, u, 1, y, 1), FOURBAR_NOT_FINITE, "input");
    FAILS(fourbar_stepper_set_input(stepper, u, 1), FOURBAR_NOT_FINITE, "input");
    u[0] = 0.0;
    for (k = 1; k <= 100; k++) {
        OK(fourbar_stepper_step(stepper, u, 1, y, 1));
        CHECK(fabs(y[0] - cos(2.0 * 0.01 * k)) < 1e-13);
    }
    OK(fourbar_stepper_time(stepper, &time, &steps));
    CHECK(fabs(time - 1.0) < 1e-15 && steps == 100);
    OK(fourbar_stepper_time(stepper, NULL, NULL));
    OK(fourbar_stepper_output(stepper, u, 1, y, 1));
    OK(fourbar_stepper_local_error(stepper, error, 2));
    OK(fourbar_stepper_save(stepper, &saved));
    OK(fourbar_stepper_step(stepper, u, 1, y, 1));
    OK(fourbar_stepper_get_state(stepper, first, 2));
    OK(fourbar_stepper_restore(stepper, saved));
    OK(fourbar_stepper_step(stepper, u, 1, y, 1));
    OK(fourbar_stepper_get_state(stepper, x, 2));
    CHECK(memcmp(first, x, sizeof x) == 0); /* to the last bit */
    OK(fourbar_stepper_save_into(stepper, saved));
    OK(fourbar_stepper_new(system, 0.005, NULL, &other));
    FAILS(fourbar_stepper_restore(other, saved), FOURBAR_STATE, "saved");
    OK(fourbar_stepper_continue_from(other, stepper));
    OK(fourbar_stepper_time(other, &time, &steps));
    CHECK(fabs(time - 1.01) < 1e-14 && steps == 0);
    FAILS(fourbar_stepper_continue_from(other, other), FOURBAR_BUSY, "in use");
    foreign_states(stepper, other, saved);
    {
        double samples[10] = {0.0};
        OK(fourbar_stepper_run(other, samples, 10, outputs, 10, &count));
        CHECK(count == 10);
        FAILS(fourbar_stepper_run(other, samples, 10, outputs, 9, &count), FOURBAR_LENGTH, "outputs");
        FAILS(fourbar_stepper_run(other, NULL, 10, outputs, 10, &count), FOURBAR_NULL, "samples");
        FAILS(fourbar_stepper_run(other, samples, 10, NULL, 10, &count), FOURBAR_NULL, "outputs");
        OK(fourbar_stepper_run(other, samples, 1, outputs, 1, NULL));
    }
    OK(fourbar_stepper_reset(stepper));
    OK(fourbar_stepper_missing_history(stepper, &count));
    CHECK(count == 1);
    FAILS(fourbar_stepper_local_error(stepper, error, 2), FOURBAR_STATE, "estimate");
    fourbar_stepper_state_free(saved);
    fourbar_stepper_free(stepper);
    fourbar_stepper_free(other);
    fourbar_stepper_free(NULL);
    fourbar_stepper_state_free(NULL);
    fourbar_system_free(system);
}

/* Multistep: a history from outside, or a start-up. */
static void histories(void) {
    fourbar_system *system = oscillator();
    fourbar_stepper *stepper = NULL;
    fourbar_hold hold;
    double offsets[8], u[8] = {0.0}, y[1];
    size_t count = 0, missing = 0;
    OK(fourbar_hold_init(&hold, sizeof hold));
    hold.method = FOURBAR_METHOD_ALGORITHM_2;
    hold.order = 3;
    OK(fourbar_stepper_new(system, 0.01, &hold, &stepper));
    OK(fourbar_stepper_missing_history(stepper, &missing));
    CHECK(missing == 3);
    OK(fourbar_stepper_startup_offsets(stepper, NULL, 0, &count));
    CHECK(count > 0 && count <= 8);
    OK(fourbar_stepper_startup_offsets(stepper, offsets, count, &count));
    FAILS(fourbar_stepper_startup_offsets(stepper, offsets, count + 1, &count), FOURBAR_LENGTH, "offsets");
    FAILS(fourbar_stepper_startup_offsets(stepper, offsets, count, NULL), FOURBAR_NULL, "count");
    FAILS(fourbar_stepper_start_step(stepper, u, count, y, 1), FOURBAR_STATE, "history");
    OK(fourbar_stepper_set_input(stepper, u, 1));
    while (missing > 0) {
        OK(fourbar_stepper_missing_history(stepper, &missing));
        if (missing > 0) {
            OK(fourbar_stepper_start_step(stepper, u, count, y, 1));
        }
    }
    OK(fourbar_stepper_step(stepper, u, 1, y, 1));
    OK(fourbar_stepper_reset(stepper));
    FAILS(fourbar_stepper_set_history(stepper, u, 2), FOURBAR_LENGTH, "history");
    FAILS(fourbar_stepper_set_history(stepper, NULL, 3), FOURBAR_NULL, "samples");
    OK(fourbar_stepper_set_history(stepper, u, 3));
    OK(fourbar_stepper_step(stepper, u, 1, y, 1));
    fourbar_stepper_free(stepper);
    fourbar_system_free(system);
}

/* An input computed by the host: x'' = -4 x + sin t. It fails at the time that `user` points to. */
static int32_t input(void *user, double t, double *u, size_t m) {
    const double fails_at = *(const double *)user;
    if (t >= fails_at) {
        fourbar_callback_error("the sensor is silent");
        return -1;
    }
    CHECK(m == 1);
    u[0] = fails_at < 0.0 ? NAN : sin(t);
    return 0;
}

static int32_t nan_input(void *user, double t, double *u, size_t m) {
    (void)user, (void)t, (void)m;
    u[0] = NAN;
    return 0;
}

static void simulating(void) {
    fourbar_system *system = oscillator();
    fourbar_stepper *stepper = NULL;
    fourbar_hold hold;
    double y[100], x[2], fails_at = 1e9, time = 0.0;
    OK(fourbar_hold_init(&hold, sizeof hold));
    CHECK(hold.precision == FOURBAR_PRECISION_AUTOMATIC);
    hold.method = FOURBAR_METHOD_ALGORITHM_2;
    hold.order = 3;
    hold.precision = FOURBAR_PRECISION_WORKING;
    OK(fourbar_stepper_new(system, 0.01, &hold, &stepper));
    OK(fourbar_stepper_simulate(stepper, input, &fails_at, y, 100));
    CHECK(fabs(y[99] - (sin(1.0) / 3.0 - sin(2.0) / 6.0)) < 1e-9);
    fails_at = 1.5;
    FAILS(fourbar_stepper_simulate(stepper, input, &fails_at, y, 100), FOURBAR_CALLBACK, "the sensor is silent");
    OK(fourbar_stepper_time(stepper, &time, NULL));
    CHECK(fabs(time - 1.49) < 1e-12); /* before the step that failed */
    FAILS(fourbar_stepper_simulate(stepper, nan_input, NULL, y, 100), FOURBAR_CALLBACK, "the input function failed at t = 1.5 s: it gives NaN for u[0]");
    FAILS(fourbar_stepper_simulate(stepper, NULL, NULL, y, 100), FOURBAR_NULL, "input");
    FAILS(fourbar_stepper_simulate(stepper, nan_input, NULL, NULL, 100), FOURBAR_NULL, "outputs");
    CHECK(fourbar_stepper_simulate(NULL, nan_input, NULL, y, 100) == FOURBAR_NULL);
    OK(fourbar_stepper_get_state(stepper, x, 2));
    CHECK(isfinite(x[0]) && isfinite(x[1]));
    fails_at = 1e9;
    OK(fourbar_stepper_simulate(stepper, input, &fails_at, y, 1)); /* and on it goes */
    fourbar_stepper_free(stepper);
    stepper = NULL;
    hold.precision = 3;
    FAILS(fourbar_stepper_new(system, 0.01, &hold, &stepper), FOURBAR_INVALID, "precision is 3");
    hold.precision = FOURBAR_PRECISION_EXTENDED;
    OK(fourbar_stepper_new(system, 0.01, &hold, &stepper));
    fourbar_stepper_free(stepper);
    fourbar_system_free(system);
}

/* Each function refuses a NULL handle. */
static void null_handles(void) {
    double v[1] = {0.0};
    size_t count = 0;
    fourbar_stepper_state *saved = NULL;
    CHECK(fourbar_stepper_samples(NULL, &count) == FOURBAR_NULL);
    CHECK(fourbar_stepper_offsets(NULL, v, 1) == FOURBAR_NULL);
    CHECK(fourbar_stepper_startup_offsets(NULL, v, 1, &count) == FOURBAR_NULL);
    CHECK(fourbar_stepper_missing_history(NULL, &count) == FOURBAR_NULL);
    CHECK(fourbar_stepper_set_input(NULL, v, 1) == FOURBAR_NULL);
    CHECK(fourbar_stepper_set_history(NULL, v, 1) == FOURBAR_NULL);
    CHECK(fourbar_stepper_step(NULL, v, 1, v, 1) == FOURBAR_NULL);
    CHECK(fourbar_stepper_start_step(NULL, v, 1, v, 1) == FOURBAR_NULL);
    CHECK(fourbar_stepper_run(NULL, v, 1, v, 1, &count) == FOURBAR_NULL);
    CHECK(fourbar_stepper_time(NULL, v, NULL) == FOURBAR_NULL);
    CHECK(fourbar_stepper_get_state(NULL, v, 1) == FOURBAR_NULL);
    CHECK(fourbar_stepper_set_state(NULL, v, 1) == FOURBAR_NULL);
    CHECK(fourbar_stepper_output(NULL, v, 1, v, 1) == FOURBAR_NULL);
    CHECK(fourbar_stepper_local_error(NULL, v, 1) == FOURBAR_NULL);
    CHECK(fourbar_stepper_reset(NULL) == FOURBAR_NULL);
    CHECK(fourbar_stepper_continue_from(NULL, NULL) == FOURBAR_NULL);
    CHECK(fourbar_stepper_save(NULL, &saved) == FOURBAR_NULL);
    CHECK(fourbar_stepper_save_into(NULL, NULL) == FOURBAR_NULL);
    CHECK(fourbar_stepper_restore(NULL, NULL) == FOURBAR_NULL);
    CHECK(strcmp(fourbar_stepper_error(NULL), "") == 0);
    CHECK(strstr(fourbar_last_error(), "stepper") != NULL);
}

int main(void) {
    versions_and_texts();
    systems();
    matrices();
    responses();
    holds();
    newer_callers();
    stepping();
    histories();
    simulating();
    null_handles();
    return 0;
}
