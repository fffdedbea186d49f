/* The host's own equations: every wrong use is refused, and functions that fail leave the handle in order. */
#include "check.h"

#include <stdint.h>

/* What the functions of the host do. */
enum { WELL, REFUSES, STOPS, STOPS_SILENTLY, NOT_A_NUMBER };

struct host {
    int behaviour;
    double from; /* time from which on it misbehaves [s] */
    fourbar_integration *integration;
    int32_t status_inside;
};

static int32_t misbehave(struct host *host, double t, double *out) {
    int32_t stop = 0;
    if (host->integration != NULL) {
        host->status_inside = fourbar_integration_step(host->integration, &stop);
    }
    if (t < host->from) {
        return 0;
    }
    switch (host->behaviour) {
    case REFUSES:
        fourbar_callback_error("the pipe is empty");
        return 1;
    case STOPS:
        fourbar_callback_error("the user pressed stop");
        return -1;
    case STOPS_SILENTLY:
        return -7;
    case NOT_A_NUMBER:
        out[0] = NAN;
        return 0;
    default:
        return 0;
    }
}

static int32_t residual(void *user, double t, const double *y, const double *yp, double *r) {
    r[0] = yp[0] + y[0];
    return misbehave(user, t, r);
}

static int32_t rhs(void *user, double t, const double *y, double *f) {
    f[0] = -y[0];
    return misbehave(user, t, f);
}

static int32_t good_rhs(void *user, double t, const double *y, double *f) {
    (void)user, (void)t;
    f[0] = -y[0];
    return 0;
}

static int32_t matrix(void *user, double t, const double *y, const double *yp, double c, double *v) {
    (void)y, (void)yp, (void)c;
    v[0] = -1.0;
    return misbehave(user, t, v);
}

static int32_t roots(void *user, double t, const double *y, const double *yp, double *r) {
    (void)yp;
    r[0] = y[0] - 0.5;
    return misbehave(user, t, r);
}

static int32_t event(void *user, double t, double *y, double *yp, const size_t *indices, const int32_t *directions,
                     size_t count, int32_t *action) {
    (void)y, (void)yp, (void)indices, (void)directions, (void)count, (void)action;
    return misbehave(user, t, y);
}

/* F = y1 - 1, without y2: singular. */
static int32_t singular(void *user, double t, const double *y, const double *yp, double *r) {
    (void)user, (void)t, (void)yp;
    r[0] = y[0] - 1.0;
    r[1] = y[0] - 1.0;
    return 0;
}

static fourbar_equations given(struct host *host) {
    fourbar_equations equations;
    OK(fourbar_equations_init(&equations, sizeof equations));
    equations.user = host;
    equations.dimension = 1;
    return equations;
}

static void refused_problems(void) {
    struct host host = {WELL, 0.0, NULL, 0};
    fourbar_problem *problem = NULL;
    fourbar_equations equations = given(&host), broken;
    size_t offsets[2] = {0, 1}, rows[1] = {0}, two_columns[3] = {0, 2, 1}, two_rows[2] = {1, 0}, n = 0;
    int32_t kinds[1] = {99}, powers[1] = {4}, directions[1] = {2}, tested[1] = {2};
    double typical[1] = {0.0};
    const char *no_names[1] = {NULL}, *bad_names[1] = {"\xff"};
    equations.rhs = rhs;
    FAILS(fourbar_equations_init(NULL, sizeof equations), FOURBAR_NULL, "fourbar_equations");
    FAILS(fourbar_equations_init(&broken, 8), FOURBAR_STRUCT_SIZE, "struct_size");
    FAILS(fourbar_problem_new(NULL, &problem), FOURBAR_NULL, "equations");
    FAILS(fourbar_problem_new(&equations, NULL), FOURBAR_NULL, "out");
    broken = equations;
    broken.struct_size = 3;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_STRUCT_SIZE, "is 3");
    broken = equations;
    broken.rhs = NULL;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_NULL, "residual");
    broken = equations;
    broken.residual = residual;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_INVALID, "both");
    broken = equations;
    broken.dimension = 0;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_INVALID, "dimension");
    broken = equations;
    broken.dimension = (size_t)1 << 62;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_LENGTH, "memory");
    broken = equations;
    broken.index = 4;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_INVALID, "index is 4");
    broken = equations;
    broken.kinds = kinds;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_INVALID, "kinds[0] is 99");
    broken = equations;
    broken.scale_powers = powers;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_INVALID, "scale_powers[0] is 4");
    broken = equations;
    broken.error_tested = tested;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_INVALID, "error_tested[0] is 2; it must be 0 or 1");
    broken = equations;
    broken.typical = typical;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_INVALID, "typical[0] is 0");
    broken = equations;
    broken.names = no_names;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_NULL, "names[0]");
    broken.names = bad_names;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_TEXT, "names[0]");
    broken = equations;
    broken.roots = roots;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_INVALID, "'roots' is given, but root_count is 0");
    broken.roots = NULL;
    broken.event = event;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_INVALID, "'event' is given, but root_count is 0");
    broken = equations;
    broken.root_count = 1;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_NULL, "roots");
    broken.roots = roots;
    broken.root_directions = directions;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_INVALID, "root_directions[0] is 2");
    broken.root_directions = NULL;
    broken.root_count = 4000000000u;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_LENGTH, "root_count is 4000000000");
    broken = equations;
    broken.pattern_offsets = offsets;
    broken.dimension = SIZE_MAX;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_LENGTH, "unknowns");
    broken.dimension = equations.dimension;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_INVALID, "pattern_offsets[1] is 1; it must be pattern_length, 0");
    broken.pattern_length = 1;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_NULL, "pattern_rows");
    rows[0] = 1;
    broken.pattern_rows = rows;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_INVALID, "pattern_rows[0] is 1; it must be less than dimension, 1");
    offsets[0] = 1;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_INVALID, "pattern_offsets[0] is 1");
    broken.dimension = 2;
    broken.pattern_offsets = two_columns;
    broken.pattern_rows = two_rows;
    broken.pattern_length = 2;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_INVALID, "pattern_offsets[2] is 1; it must not be less than the 2");
    two_columns[2] = 2;
    FAILS(fourbar_problem_new(&broken, &problem), FOURBAR_INVALID, "pattern_rows[1] is 0; in column 0 it must be more than the 1");
    CHECK(problem == NULL);
    FAILS(fourbar_problem_dimension(NULL, &n), FOURBAR_NULL, "problem");
    fourbar_problem_free(NULL);
}

static void refused_integrations(void) {
    struct host host = {WELL, 0.0, NULL, 0};
    fourbar_problem *problem = NULL, *implicit = NULL;
    fourbar_integration *integration = NULL;
    fourbar_equations equations = given(&host);
    fourbar_integration_options options, broken;
    double y[2] = {1.0, 1.0}, yp[2] = {-1.0, -1.0}, nan[1], tolerances[2] = {1e-6, 1e-6}, inf = HUGE_VAL;
    size_t done = 0;
    int32_t stop = 0;
    nan[0] = NAN;
    equations.rhs = rhs;
    OK(fourbar_problem_new(&equations, &problem));
    equations.rhs = NULL;
    equations.residual = residual;
    OK(fourbar_problem_new(&equations, &implicit));
    FAILS(fourbar_integration_options_init(NULL, sizeof options), FOURBAR_NULL, "options");
    FAILS(fourbar_integration_options_init(&options, 4), FOURBAR_STRUCT_SIZE, "struct_size");
    OK(fourbar_integration_options_init(&options, sizeof options));
    FAILS(fourbar_integration_new(NULL, NULL, 0.0, y, yp, 1, &integration), FOURBAR_NULL, "problem");
    FAILS(fourbar_integration_new(problem, NULL, 0.0, NULL, yp, 1, &integration), FOURBAR_NULL, "'y'");
    FAILS(fourbar_integration_new(problem, NULL, 0.0, y, yp, 1, NULL), FOURBAR_NULL, "out");
    FAILS(fourbar_integration_new(problem, NULL, 0.0, y, yp, 2, &integration), FOURBAR_LENGTH, "2");
    FAILS(fourbar_integration_new(problem, NULL, 0.0, y, NULL, 2, &integration), FOURBAR_LENGTH, "2");
    FAILS(fourbar_integration_new(problem, NULL, 0.0, nan, yp, 1, &integration), FOURBAR_NOT_FINITE, "unknown 0");
    FAILS(fourbar_integration_new(problem, NULL, 0.0, nan, NULL, 1, &integration), FOURBAR_NOT_FINITE, "start value of unknown 0 is NaN");
    FAILS(fourbar_integration_new(problem, NULL, inf, y, NULL, 1, &integration), FOURBAR_NOT_FINITE, "time of the start is inf");
    FAILS(fourbar_integration_new(problem, NULL, inf, y, yp, 1, &integration), FOURBAR_NOT_FINITE, "time");
    FAILS(fourbar_integration_new(implicit, NULL, 0.0, y, NULL, 1, &integration), FOURBAR_NULL, "consistent_start");
    broken = options;
    broken.struct_size = 1;
    FAILS(fourbar_integration_new(problem, &broken, 0.0, y, yp, 1, &integration), FOURBAR_STRUCT_SIZE, "is 1");
    broken = options;
    broken.integrator = 42;
    FAILS(fourbar_integration_new(problem, &broken, 0.0, y, yp, 1, &integration), FOURBAR_INVALID, "42");
    broken.integrator = FOURBAR_INTEGRATOR_RKF45;
    FAILS(fourbar_integration_new(implicit, &broken, 0.0, y, yp, 1, &integration), FOURBAR_UNSUPPORTED, "RKF45");
    broken.integrator = FOURBAR_INTEGRATOR_ABAM;
    FAILS(fourbar_integration_new(implicit, &broken, 0.0, y, yp, 1, &integration), FOURBAR_UNSUPPORTED, "ABAM");
    broken.order_max = 13;
    FAILS(fourbar_integration_new(problem, &broken, 0.0, y, yp, 1, &integration), FOURBAR_INVALID, "the highest order is 13");
    broken.fixed_step = 1e-3;
    FAILS(fourbar_integration_new(problem, &broken, 0.0, y, yp, 1, &integration), FOURBAR_UNSUPPORTED, "controls its steps");
    broken = options;
    broken.fixed_step = 1e-3;
    FAILS(fourbar_integration_new(problem, &broken, 0.0, y, yp, 1, &integration), FOURBAR_UNSUPPORTED, "CONSTANT_BDF");
    broken = options;
    broken.relative = -1.0;
    FAILS(fourbar_integration_new(problem, &broken, 0.0, y, yp, 1, &integration), FOURBAR_INVALID, "the relative tolerance is -1");
    broken = options;
    broken.absolute = NAN;
    FAILS(fourbar_integration_new(problem, &broken, 0.0, y, yp, 1, &integration), FOURBAR_INVALID, "the absolute tolerance of all kinds is NaN");
    broken = options;
    broken.absolutes_length = 2;
    FAILS(fourbar_integration_new(problem, &broken, 0.0, y, yp, 1, &integration), FOURBAR_NULL, "absolutes");
    broken.absolutes = tolerances;
    FAILS(fourbar_integration_new(problem, &broken, 0.0, y, yp, 1, &integration), FOURBAR_LENGTH, "2");
    tolerances[0] = -1.0;
    broken.absolutes_length = 1;
    FAILS(fourbar_integration_new(problem, &broken, 0.0, y, yp, 1, &integration), FOURBAR_INVALID, "absolute tolerance of unknown 0 is -1");
    tolerances[0] = 1e-6;
    broken = options;
    broken.order_max = 7;
    FAILS(fourbar_integration_new(problem, &broken, 0.0, y, yp, 1, &integration), FOURBAR_INVALID, "the highest order is 7");
    broken = options;
    broken.integrator = FOURBAR_INTEGRATOR_CONSTANT_BDF;
    broken.fixed_step = -1.0;
    FAILS(fourbar_integration_new(problem, &broken, 0.0, y, yp, 1, &integration), FOURBAR_INVALID, "the fixed step is -1");
    broken = options;
    broken.integrator = FOURBAR_INTEGRATOR_HHT;
    broken.alpha = 0.5;
    FAILS(fourbar_integration_new(problem, &broken, 0.0, y, yp, 1, &integration), FOURBAR_INVALID, "the alpha is 0.5; it must be from -1/3 to 0");
    broken.rho_infinity = 1.5;
    FAILS(fourbar_integration_new(problem, &broken, 0.0, y, yp, 1, &integration), FOURBAR_INVALID, "the spectral radius at infinity is 1.5");
    broken = options;
    broken.first_step = broken.smallest_step = -1.0;
    FAILS(fourbar_integration_new(problem, &broken, 0.0, y, yp, 1, &integration), FOURBAR_INVALID, "the first step is -1");
    broken = options;
    broken.matrix_age = 0;
    FAILS(fourbar_integration_new(problem, &broken, 0.0, y, yp, 1, &integration), FOURBAR_INVALID, "the matrix age is 0");
    CHECK(integration == NULL);

    options.max_steps = 3;
    OK(fourbar_integration_new(problem, &options, 0.0, y, NULL, 1, &integration));
    FAILS(fourbar_integration_run(integration, 100.0, &stop), FOURBAR_NUMERICAL, "3 steps");
    FAILS(fourbar_integration_run(integration, 100.0, NULL), FOURBAR_NULL, "stop");
    FAILS(fourbar_integration_run(integration, inf, &stop), FOURBAR_INVALID, "infinite");
    FAILS(fourbar_integration_run(integration, NAN, &stop), FOURBAR_NOT_FINITE, "end");
    FAILS(fourbar_integration_run(integration, -1.0, &stop), FOURBAR_INVALID, "before");
    FAILS(fourbar_integration_step(integration, NULL), FOURBAR_NULL, "stop");
    FAILS(fourbar_integration_set_stop_times(integration, NULL, 2), FOURBAR_NULL, "times");
    FAILS(fourbar_integration_set_stop_times(integration, tolerances, 2), FOURBAR_INVALID, "increase");
    FAILS(fourbar_integration_set_stop_times(integration, nan, 1), FOURBAR_NOT_FINITE, "stop");
    FAILS(fourbar_integration_restart(integration, 0.0, NULL, NULL, 1), FOURBAR_NULL, "'y'");
    FAILS(fourbar_integration_restart(integration, 0.0, y, yp, 2), FOURBAR_LENGTH, "2");
    FAILS(fourbar_integration_restart(integration, 0.0, nan, yp, 1), FOURBAR_NOT_FINITE, "unknown 0");
    FAILS(fourbar_integration_get_state(integration, y, NULL, 2), FOURBAR_LENGTH, "'y'");
    FAILS(fourbar_integration_get_state(integration, NULL, yp, 2), FOURBAR_LENGTH, "'yp'");
    FAILS(fourbar_integration_interpolate(integration, 1e9, y, yp, 1), FOURBAR_INVALID, "outside");
    FAILS(fourbar_integration_interpolate(integration, 0.0, NULL, yp, 1), FOURBAR_NULL, "'y'");
    FAILS(fourbar_integration_interpolate(integration, 0.0, y, NULL, 1), FOURBAR_NULL, "'yp'");
    FAILS(fourbar_integration_interpolate(integration, 0.0, y, yp, 2), FOURBAR_LENGTH, "2");
    FAILS(fourbar_integration_sample(integration, y, 1, yp, 2, &done, &stop), FOURBAR_LENGTH, "values");
    FAILS(fourbar_integration_sample(integration, NULL, 1, yp, 1, &done, &stop), FOURBAR_NULL, "times");
    FAILS(fourbar_integration_sample(integration, y, 1, NULL, 1, &done, &stop), FOURBAR_NULL, "values");
    FAILS(fourbar_integration_sample(integration, y, 1, yp, 1, NULL, &stop), FOURBAR_NULL, "done");
    FAILS(fourbar_integration_sample(integration, y, 1, yp, 1, &done, NULL), FOURBAR_NULL, "stop");
    FAILS(fourbar_integration_sample(integration, tolerances, 2, y, 2, &done, &stop), FOURBAR_INVALID, "ascend");
    FAILS(fourbar_integration_sample(integration, nan, 1, y, 1, &done, &stop), FOURBAR_INVALID, "present time");
    FAILS(fourbar_integration_get_statistics(integration, NULL, 8), FOURBAR_NULL, "statistics");
    fourbar_integration_free(integration);
    fourbar_integration_free(NULL);
    fourbar_problem_free(problem);
    fourbar_problem_free(implicit);
}

static int32_t wide_rhs(void *user, double t, const double *y, double *f) {
    size_t i;
    (void)t;
    for (i = 0; i < *(const size_t *)user; i++) {
        f[i] = -y[i];
    }
    return 0;
}

/* So many unknowns that a full matrix of them does not exist: who needs none is served, who does is told. */
static void without_a_matrix(void) {
    size_t n = 20000;
    double *y = malloc(n * sizeof *y);
    fourbar_equations equations;
    fourbar_problem *problem = NULL;
    fourbar_integration *integration = NULL;
    fourbar_integration_options options;
    int32_t stop = 0;
    size_t i;
    CHECK(y != NULL);
    for (i = 0; i < n; i++) {
        y[i] = 1.0;
    }
    OK(fourbar_equations_init(&equations, sizeof equations));
    equations.user = &n;
    equations.dimension = n;
    equations.rhs = wide_rhs;
    OK(fourbar_problem_new(&equations, &problem));
    OK(fourbar_integration_options_init(&options, sizeof options));
    FAILS(fourbar_integration_new(problem, &options, 0.0, y, NULL, n, &integration), FOURBAR_LENGTH, "give the pattern");
    options.integrator = FOURBAR_INTEGRATOR_RKF45;
    OK(fourbar_integration_new(problem, &options, 0.0, y, NULL, n, &integration));
    OK(fourbar_integration_run(integration, 0.1, &stop));
    OK(fourbar_integration_get_state(integration, y, NULL, n));
    CHECK(fabs(y[n - 1] - exp(-0.1)) < 1e-6);
    fourbar_integration_free(integration);
    fourbar_problem_free(problem);
    problem = NULL;
    equations.rhs = NULL;
    equations.residual = residual;
    FAILS(fourbar_problem_new(&equations, &problem), FOURBAR_LENGTH, "give the pattern");
    free(y);
}

static void singular_starts(void) {
    struct host host = {WELL, 0.0, NULL, 0};
    fourbar_equations equations = given(&host);
    fourbar_problem *problem = NULL;
    double y[2] = {0.0, 0.0}, yp[2] = {0.0, 0.0};
    int32_t kinds[2] = {FOURBAR_KIND_ALGEBRAIC, FOURBAR_KIND_ALGEBRAIC};
    equations.dimension = 2;
    equations.residual = singular;
    equations.kinds = kinds;
    OK(fourbar_problem_new(&equations, &problem));
    FAILS(fourbar_problem_consistent_start(problem, 0.0, y, yp, 2, NULL), FOURBAR_NUMERICAL, "singular");
    CHECK(y[0] == 0.0 && y[1] == 0.0);
    FAILS(fourbar_problem_consistent_start(problem, 0.0, y, yp, 1, NULL), FOURBAR_LENGTH, "1");
    FAILS(fourbar_problem_consistent_start(problem, NAN, y, yp, 2, NULL), FOURBAR_NOT_FINITE, "time of the start is NaN");
    FAILS(fourbar_problem_consistent_start(problem, 0.0, NULL, yp, 2, NULL), FOURBAR_NULL, "'y'");
    FAILS(fourbar_problem_consistent_start(problem, 0.0, y, NULL, 2, NULL), FOURBAR_NULL, "'yp'");
    FAILS(fourbar_problem_consistent_start(NULL, 0.0, y, yp, 2, NULL), FOURBAR_NULL, "problem");
    fourbar_problem_free(problem);
}

/* One function of the host fails from t = 0.3 s on; afterwards it behaves, and the run goes on. */
static void failing(fourbar_equations equations, int32_t integrator, int behaviour, const char *part) {
    struct host *host = equations.user;
    fourbar_problem *problem = NULL;
    fourbar_integration *integration = NULL;
    fourbar_integration_options options;
    double y[1] = {1.0}, yp[1] = {-1.0}, time = -1.0;
    int32_t stop = 0;
    host->behaviour = behaviour;
    host->from = 0.3;
    host->integration = NULL;
    OK(fourbar_problem_new(&equations, &problem));
    OK(fourbar_integration_options_init(&options, sizeof options));
    options.integrator = integrator;
    OK(fourbar_integration_new(problem, &options, 0.0, y, yp, 1, &integration));
    host->integration = integration;
    FAILS(fourbar_integration_run(integration, 1.0, &stop), FOURBAR_CALLBACK, part);
    CHECK(host->status_inside == FOURBAR_BUSY);
    OK(fourbar_integration_time(integration, &time, NULL));
    CHECK(time >= 0.0 && time <= 1.0);
    host->behaviour = WELL;
    do {
        OK(fourbar_integration_run(integration, 1.0, &stop));
    } while (stop != FOURBAR_STOP_END);
    OK(fourbar_integration_get_state(integration, y, NULL, 1));
    CHECK(fabs(y[0] - exp(-1.0)) < 1e-4);
    fourbar_integration_free(integration);
    fourbar_problem_free(problem);
}

/* There is no shorter step to speak of. */
static void failing_fixed(fourbar_equations equations, int32_t integrator) {
    struct host *host = equations.user;
    fourbar_problem *problem = NULL;
    fourbar_integration *integration = NULL;
    fourbar_integration_options options;
    const double y[1] = {1.0};
    int32_t stop = 0;
    host->behaviour = REFUSES;
    host->from = 0.3;
    host->integration = NULL;
    OK(fourbar_problem_new(&equations, &problem));
    OK(fourbar_integration_options_init(&options, sizeof options));
    options.integrator = integrator;
    options.fixed_step = 0.0625;
    OK(fourbar_integration_new(problem, &options, 0.0, y, NULL, 1, &integration));
    FAILS(fourbar_integration_run(integration, 1.0, &stop), FOURBAR_CALLBACK, "the fixed step of 0.0625 s fails");
    CHECK(strstr(fourbar_last_error(), "the pipe is empty") != NULL && strstr(fourbar_last_error(), "smallest") == NULL);
    fourbar_integration_free(integration);
    fourbar_problem_free(problem);
}

/* A matrix with a NaN is the fault of its function; a reason that was followed by 0 is none. */
static int32_t bad_matrix(void *user, double t, const double *y, const double *yp, double c, double *values) {
    (void)user, (void)t, (void)y, (void)yp, (void)c;
    values[0] = NAN;
    return 0;
}

static int32_t stale_rhs(void *user, double t, const double *y, double *f) {
    (void)user;
    f[0] = -y[0];
    if (t > 0.5) {
        return -1;
    }
    fourbar_callback_error("stale");
    return 0;
}

static void blamed_rightly(void) {
    struct host host = {WELL, 0.0, NULL, 0};
    fourbar_equations equations = given(&host);
    fourbar_problem *problem = NULL;
    fourbar_integration *integration = NULL;
    const double y[1] = {1.0};
    int32_t stop = 0, i;
    for (i = 0; i < 2; i++) {
        equations.rhs = i == 0 ? good_rhs : stale_rhs;
        equations.jacobian = i == 0 ? bad_matrix : NULL;
        OK(fourbar_problem_new(&equations, &problem));
        OK(fourbar_integration_new(problem, NULL, 0.0, y, NULL, 1, &integration));
        FAILS(fourbar_integration_run(integration, 1.0, &stop), FOURBAR_CALLBACK,
              i == 0 ? "the jacobian function" : "returned -1");
        CHECK(strstr(fourbar_last_error(), "stale") == NULL);
        fourbar_integration_free(integration);
        fourbar_problem_free(problem);
    }
}

static void failing_functions(void) {
    static const int32_t integrators[2] = {FOURBAR_INTEGRATOR_GSTIFF, FOURBAR_INTEGRATOR_RKF45};
    struct host host = {WELL, 0.0, NULL, 0};
    fourbar_equations explicit_form = given(&host), implicit_form = given(&host), with_roots, with_event;
    fourbar_equations with_matrix = explicit_form;
    int i;
    explicit_form.rhs = rhs;
    implicit_form.residual = residual;
    with_matrix.rhs = good_rhs;
    with_matrix.jacobian = matrix;
    with_roots = explicit_form;
    with_roots.rhs = good_rhs;
    with_roots.root_count = 1;
    with_roots.roots = roots;
    for (i = 0; i < 2; i++) {
        failing(explicit_form, integrators[i], REFUSES, "the pipe is empty");
        failing(explicit_form, integrators[i], STOPS, "the user pressed stop");
        failing(explicit_form, integrators[i], STOPS_SILENTLY, "returned -7");
        failing(explicit_form, integrators[i], NOT_A_NUMBER, "it gives NaN for the derivative of unknown 0");
        failing_fixed(explicit_form, i == 0 ? FOURBAR_INTEGRATOR_CONSTANT_BDF : integrators[i]);
        failing(with_roots, integrators[i], STOPS, "the user pressed stop");
        failing(with_roots, integrators[i], NOT_A_NUMBER, "it gives NaN for root function 0");
    }
    failing(implicit_form, FOURBAR_INTEGRATOR_GSTIFF, REFUSES, "the pipe is empty");
    failing(implicit_form, FOURBAR_INTEGRATOR_GSTIFF, STOPS, "the user pressed stop");
    failing(implicit_form, FOURBAR_INTEGRATOR_GSTIFF, NOT_A_NUMBER, "it gives NaN for equation 0");
    failing(with_matrix, FOURBAR_INTEGRATOR_GSTIFF, REFUSES, "the pipe is empty");
    failing(with_matrix, FOURBAR_INTEGRATOR_GSTIFF, STOPS, "the user pressed stop");
    /* At the start. */
    {
        fourbar_problem *problem = NULL;
        fourbar_integration *integration = NULL;
        double y[1] = {1.0}, yp[1] = {0.0};
        host.behaviour = NOT_A_NUMBER;
        host.from = -1.0;
        host.integration = NULL;
        OK(fourbar_problem_new(&explicit_form, &problem));
        FAILS(fourbar_integration_new(problem, NULL, 0.0, y, NULL, 1, &integration), FOURBAR_CALLBACK, "unknown 0");
        fourbar_problem_free(problem);
        OK(fourbar_problem_new(&implicit_form, &problem));
        FAILS(fourbar_problem_consistent_start(problem, 0.0, y, yp, 1, NULL), FOURBAR_CALLBACK, "it gives NaN for equation 0");
        host.behaviour = STOPS;
        FAILS(fourbar_problem_consistent_start(problem, 0.0, y, yp, 1, NULL), FOURBAR_CALLBACK, "pressed stop");
        fourbar_problem_free(problem);
    }
    with_event = with_roots;
    with_event.event = event;
    host.behaviour = WELL;
    host.integration = NULL;
    {
        fourbar_problem *problem = NULL;
        fourbar_integration *integration = NULL;
        double y[1] = {1.0}, time = 0.0;
        int32_t stop = 0;
        OK(fourbar_problem_new(&with_event, &problem));
        OK(fourbar_integration_new(problem, NULL, 0.0, y, NULL, 1, &integration));
        host.behaviour = STOPS;
        host.from = 0.69; /* the roots function is asked up to ln 2 and fails first, or the event function does */
        FAILS(fourbar_integration_run(integration, 1.0, &stop), FOURBAR_CALLBACK, "pressed stop");
        host.behaviour = WELL;
        OK(fourbar_integration_run(integration, 1.0, &stop));
        OK(fourbar_integration_time(integration, &time, NULL));
        CHECK(time == 1.0);
        fourbar_integration_free(integration);
        fourbar_problem_free(problem);
    }
    fourbar_callback_error(NULL);
}

static void null_handles(void) {
    double v[1] = {0.0};
    size_t count = 0;
    int32_t stop = 0;
    fourbar_integration_state *saved = NULL;
    fourbar_solver_statistics statistics;
    CHECK(fourbar_integration_step(NULL, &stop) == FOURBAR_NULL);
    CHECK(fourbar_integration_run(NULL, 1.0, &stop) == FOURBAR_NULL);
    CHECK(fourbar_integration_sample(NULL, v, 1, v, 1, &count, &stop) == FOURBAR_NULL);
    CHECK(fourbar_integration_set_end(NULL, 1.0) == FOURBAR_NULL);
    CHECK(fourbar_integration_set_stop_times(NULL, v, 1) == FOURBAR_NULL);
    CHECK(fourbar_integration_restart(NULL, 0.0, v, v, 1) == FOURBAR_NULL);
    CHECK(fourbar_integration_time(NULL, v, NULL) == FOURBAR_NULL);
    CHECK(fourbar_integration_get_state(NULL, v, v, 1) == FOURBAR_NULL);
    CHECK(fourbar_integration_interpolate(NULL, 0.0, v, v, 1) == FOURBAR_NULL);
    CHECK(fourbar_integration_events(NULL, NULL, NULL, 0, &count) == FOURBAR_NULL);
    CHECK(fourbar_integration_get_statistics(NULL, &statistics, sizeof statistics) == FOURBAR_NULL);
    CHECK(fourbar_integration_save(NULL, &saved) == FOURBAR_NULL);
    CHECK(fourbar_integration_save_into(NULL, NULL) == FOURBAR_NULL);
    CHECK(fourbar_integration_restore(NULL, NULL) == FOURBAR_NULL);
    CHECK(strcmp(fourbar_integration_error(NULL), "") == 0);
    CHECK(strstr(fourbar_last_error(), "integration") != NULL);
}

int main(void) {
    refused_problems();
    refused_integrations();
    without_a_matrix();
    singular_starts();
    failing_functions();
    blamed_rightly();
    null_handles();
    return 0;
}
