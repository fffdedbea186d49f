/* The host's own equations: reference problems by every integrator, events, dense output, saving. */
#include "check.h"

static int32_t robertson(void *user, double t, const double *y, const double *yp, double *r) {
    (void)user, (void)t;
    r[0] = yp[0] + 0.04 * y[0] - 1e4 * y[1] * y[2];
    r[1] = yp[1] - 0.04 * y[0] + 1e4 * y[1] * y[2] + 3e7 * y[1] * y[1];
    r[2] = y[0] + y[1] + y[2] - 1.0;
    return 0;
}

static int32_t robertson_matrix(void *user, double t, const double *y, const double *yp, double c, double *v) {
    (void)user, (void)t, (void)yp;
    v[0] = c + 0.04, v[1] = -0.04, v[2] = 1.0;
    v[3] = -1e4 * y[2], v[4] = c + 1e4 * y[2] + 6e7 * y[1], v[5] = 1.0;
    v[6] = -1e4 * y[1], v[7] = 1e4 * y[1], v[8] = 1.0;
    return 0;
}

/* mu = *(double *)user. */
static int32_t van_der_pol(void *user, double t, const double *y, double *f) {
    (void)t;
    f[0] = y[1];
    f[1] = *(double *)user * (1.0 - y[0] * y[0]) * y[1] - y[0];
    return 0;
}

static int32_t van_der_pol_matrix(void *user, double t, const double *y, const double *yp, double c, double *v) {
    double mu = *(double *)user;
    (void)t, (void)c;
    CHECK(yp == NULL);
    v[0] = -2.0 * mu * y[0] * y[1] - 1.0; /* the pattern has no entry (0, 0) */
    v[1] = 1.0;
    v[2] = mu * (1.0 - y[0] * y[0]);
    return 0;
}

static int32_t hires(void *user, double t, const double *y, double *f) {
    (void)user, (void)t;
    f[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
    f[1] = 1.71 * y[0] - 8.75 * y[1];
    f[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    f[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    f[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
    f[5] = -280.0 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    f[6] = 280.0 * y[5] * y[7] - 1.81 * y[6];
    f[7] = -f[6];
    return 0;
}

static double worst(const double *y, const double *expected, size_t n) {
    double max = 0.0;
    size_t i;
    for (i = 0; i < n; i++) {
        double error = fabs(y[i] / expected[i] - 1.0);
        max = error > max ? error : max;
    }
    return max;
}

/* Robertson's kinetics as a system of index 1; reference: Radau IIA at two tolerances, tests/reference/multibody/stiff_odes.json. */
static void kinetics(int with_matrix) {
    static const double times[3] = {40.0, 4000.0, 400000.0};
    static const double expected[9] = {0.7158270687194,  9.185534764557e-06, 0.28416374574583,
                                       0.18320225777671, 8.94237125277e-07,  0.81679684798617,
                                       0.0049382745211,  1.98499408802e-08,  0.9950617056289};
    static const double absolutes[3] = {1e-12, 1e-15, 1e-12};
    int32_t kinds[3] = {FOURBAR_KIND_STATE, FOURBAR_KIND_STATE, FOURBAR_KIND_ALGEBRAIC}, stop = 0;
    double y[3] = {1.0, 0.0, 0.3}, yp[3] = {0.0, 0.0, 0.0}, values[9];
    fourbar_equations equations;
    fourbar_integration_options options;
    fourbar_solver_statistics statistics;
    fourbar_problem *problem = NULL;
    fourbar_integration *integration = NULL;
    size_t done = 0, n = 0, iterations = 0;
    OK(fourbar_equations_init(&equations, sizeof equations));
    equations.dimension = 3;
    equations.residual = robertson;
    equations.jacobian = with_matrix ? robertson_matrix : NULL;
    equations.kinds = kinds;
    OK(fourbar_problem_new(&equations, &problem));
    OK(fourbar_problem_dimension(problem, &n));
    CHECK(n == 3);
    /* y3 = 0 and the slopes follow from the equations. */
    OK(fourbar_problem_consistent_start(problem, 0.0, y, yp, 3, &iterations));
    CHECK(iterations >= 1 && fabs(y[2]) < 1e-12 && fabs(yp[0] + 0.04) < 1e-9 && fabs(yp[1] - 0.04) < 1e-9);
    CHECK(y[0] == 1.0 && y[1] == 0.0);
    OK(fourbar_integration_options_init(&options, sizeof options));
    options.relative = 1e-8;
    options.absolutes = absolutes;
    options.absolutes_length = 3;
    OK(fourbar_integration_new(problem, &options, 0.0, y, yp, 3, &integration));
    fourbar_problem_free(problem);
    OK(fourbar_integration_sample(integration, times, 3, values, 9, &done, &stop));
    CHECK(done == 3 && stop == FOURBAR_STOP_END);
    CHECK(worst(values, expected, 9) < 1e-6);
    OK(fourbar_integration_get_statistics(integration, &statistics, sizeof statistics));
    CHECK(statistics.struct_size == sizeof statistics && statistics.steps > 100 && statistics.steps < 1500);
    CHECK(statistics.factorizations > 0 && statistics.step_largest >= statistics.step_last);
    CHECK((statistics.difference_evaluations == 0) == (with_matrix != 0));
    fourbar_integration_free(integration);
}

/* A point of 1 kg on a rod of 1 m, with the velocities held on their constraint too (Gear, Gupta, Leimkuhler 1985): x, y, u, v, lambda, mu. */
static int32_t stabilized(void *user, double t, const double *y, const double *yp, double *r) {
    double g = *(const double *)user;
    (void)t;
    r[0] = yp[0] - y[2] + y[0] * y[5];
    r[1] = yp[1] - y[3] + y[1] * y[5];
    r[2] = yp[2] + y[0] * y[4];
    r[3] = yp[3] + y[1] * y[4] + g;
    r[4] = 0.5 * (y[0] * y[0] + y[1] * y[1] - 1.0);
    r[5] = y[0] * y[2] + y[1] * y[3];
    return 0;
}

/* From the horizontal it is back after 4 K(sin(pi/4))/sqrt(g) = 2 s. */
static void stabilized_pendulum(void) {
    static const int32_t kinds[6] = {FOURBAR_KIND_POSITION, FOURBAR_KIND_POSITION,   FOURBAR_KIND_VELOCITY,
                                     FOURBAR_KIND_VELOCITY, FOURBAR_KIND_MULTIPLIER, FOURBAR_KIND_STABILIZER};
    double g = 13.750371636040745655, y[6] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0}, yp[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    fourbar_equations equations;
    fourbar_integration_options options;
    fourbar_problem *problem = NULL;
    fourbar_integration *integration = NULL;
    int32_t stop = 0;
    yp[3] = -g;
    OK(fourbar_equations_init(&equations, sizeof equations));
    equations.user = &g;
    equations.dimension = 6;
    equations.residual = stabilized;
    equations.kinds = kinds;
    OK(fourbar_problem_new(&equations, &problem));
    OK(fourbar_integration_options_init(&options, sizeof options));
    options.relative = 1e-8;
    options.absolute = 1e-8;
    OK(fourbar_integration_new(problem, &options, 0.0, y, yp, 6, &integration));
    fourbar_problem_free(problem);
    OK(fourbar_integration_run(integration, 2.0, &stop));
    OK(fourbar_integration_get_state(integration, y, NULL, 6));
    CHECK(fabs(y[0] - 1.0) < 1e-9 && fabs(y[1]) < 1e-5 && fabs(y[2]) < 1e-5 && fabs(y[3]) < 1e-4);
    /* Both constraints hold, and what holds the second one is no force. */
    CHECK(fabs(hypot(y[0], y[1]) - 1.0) < 1e-9 && fabs(y[0] * y[2] + y[1] * y[3]) < 1e-8 && fabs(y[5]) < 1e-6);
    fourbar_integration_free(integration);
}

/* mu = 1000 to t = 2000; reference: IVP test set (Mazzia, Magherini, 2008), problem vdpol in these units. */
static void relaxation_oscillation(int32_t with_matrix) {
    static const double expected[2] = {1.706167732170483, -8.928097010247975e-4};
    size_t offsets[3] = {0, 1, 3}, rows[3] = {1, 0, 1};
    double mu = 1000.0, y[2] = {2.0, 0.0}, yp[2], typical[2] = {1.0, 0.01}, time = 0.0;
    fourbar_equations equations;
    fourbar_integration_options options;
    fourbar_problem *problem = NULL;
    fourbar_integration *integration = NULL;
    int32_t stop = 0;
    size_t order = 0;
    OK(fourbar_equations_init(&equations, sizeof equations));
    equations.user = &mu;
    equations.dimension = 2;
    equations.rhs = van_der_pol;
    equations.jacobian = with_matrix ? van_der_pol_matrix : NULL;
    equations.pattern_offsets = offsets;
    equations.pattern_rows = rows;
    equations.pattern_length = 3;
    equations.typical = typical;
    OK(fourbar_problem_new(&equations, &problem));
    OK(fourbar_integration_options_init(&options, sizeof options));
    options.relative = 1e-8;
    options.absolute = 1e-9;
    OK(fourbar_integration_new(problem, &options, 0.0, y, NULL, 2, &integration));
    OK(fourbar_integration_run(integration, 2000.0, &stop));
    CHECK(stop == FOURBAR_STOP_END);
    OK(fourbar_integration_time(integration, &time, &order));
    OK(fourbar_integration_time(integration, NULL, NULL));
    CHECK(time == 2000.0 && order >= 1);
    OK(fourbar_integration_get_state(integration, y, yp, 2));
    CHECK(worst(y, expected, 2) < 1e-5);
    CHECK(fabs(yp[0] - y[1]) < 1e-6);
    fourbar_integration_free(integration);
    fourbar_problem_free(problem);
}

/* Reference: IVP test set (Mazzia, Magherini, 2008), problem HIRES, t = 321.8122. */
static void high_irradiance_response(double relative, double allowed) {
    static const double expected[8] = {0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4,
                                       0.1175651343283149e-2, 0.2386356198831331e-2, 0.6238968252742796e-2,
                                       0.2849998395185769e-2, 0.2850001604814231e-2};
    double y[8] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057};
    fourbar_equations equations;
    fourbar_integration_options options;
    fourbar_problem *problem = NULL;
    fourbar_integration *integration = NULL;
    int32_t stop = 0;
    OK(fourbar_equations_init(&equations, sizeof equations));
    equations.dimension = 8;
    equations.rhs = hires;
    OK(fourbar_problem_new(&equations, &problem));
    OK(fourbar_integration_options_init(&options, sizeof options));
    options.relative = relative;
    options.absolute = 1e-4 * relative;
    OK(fourbar_integration_new(problem, &options, 0.0, y, NULL, 8, &integration));
    OK(fourbar_integration_run(integration, 321.8122, &stop));
    OK(fourbar_integration_get_state(integration, y, NULL, 8));
    CHECK(worst(y, expected, 8) < allowed);
    fourbar_integration_free(integration);
    fourbar_problem_free(problem);
}

/* A mass of 1 kg on a rod of 1 m: x' = u, y' = v, u' = -lambda x, v' = -lambda y - g, and the rod by its position (index 3), velocity (2) or
 * acceleration (1). With this g the period from horizontal rest is 2 s, by the closed form in Jacobi's functions. */
static const double G = 13.750371636040745655;

static int32_t pendulum(void *user, double t, const double *y, const double *yp, double *r) {
    int index = *(int *)user;
    (void)t;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + G;
    if (index == 3) {
        r[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
    } else if (index == 2) {
        r[4] = y[0] * y[2] + y[1] * y[3];
    } else {
        r[4] = y[2] * y[2] + y[3] * y[3] - y[4] * (y[0] * y[0] + y[1] * y[1]) - G * y[1];
    }
    return 0;
}

static void pendulum_of_index(int index, double relative, double allowed) {
    int32_t kinds[5] = {FOURBAR_KIND_POSITION, FOURBAR_KIND_POSITION, FOURBAR_KIND_VELOCITY, FOURBAR_KIND_VELOCITY,
                        FOURBAR_KIND_MULTIPLIER};
    double y[5] = {1.0, 0.0, 0.0, 0.0, 0.0}, yp[5] = {0.0, 0.0, 0.0, 0.0, 0.0}, slope[5];
    fourbar_equations equations;
    fourbar_integration_options options;
    fourbar_problem *problem = NULL;
    fourbar_integration *integration = NULL;
    int32_t stop = 0;
    yp[3] = -G;
    OK(fourbar_equations_init(&equations, sizeof equations));
    equations.user = &index;
    equations.dimension = 5;
    equations.residual = pendulum;
    equations.kinds = kinds;
    equations.index = index;
    OK(fourbar_problem_new(&equations, &problem));
    if (index == 1) {
        OK(fourbar_problem_consistent_start(problem, 0.0, y, yp, 5, NULL));
        CHECK(fabs(y[4]) < 1e-12 && fabs(yp[3] + G) < 1e-9);
    } else {
        FAILS(fourbar_problem_consistent_start(problem, 0.0, y, yp, 5, NULL), FOURBAR_NUMERICAL, "index 1");
    }
    OK(fourbar_integration_options_init(&options, sizeof options));
    options.relative = relative;
    OK(fourbar_integration_new(problem, &options, 0.0, y, yp, 5, &integration));
    OK(fourbar_integration_run(integration, 2.0, &stop));
    OK(fourbar_integration_get_state(integration, y, slope, 5));
    if (fabs(y[0] - 1.0) > allowed || fabs(y[1]) > allowed) {
        fprintf(stderr, "index %d: %g %g\n", index, y[0] - 1.0, y[1]);
    }
    CHECK(fabs(y[0] - 1.0) < allowed && fabs(y[1]) < allowed);
    fourbar_integration_free(integration);
    fourbar_problem_free(problem);
}

/* y' = -y with a constant step: the order of the formulas is seen in the error. */
static int32_t decay(void *user, double t, const double *y, double *f) {
    (void)user, (void)t;
    f[0] = -y[0];
    return 0;
}

static double decay_error(int32_t integrator, double step, uint32_t order) {
    double y[1] = {1.0};
    fourbar_equations equations;
    fourbar_integration_options options;
    fourbar_problem *problem = NULL;
    fourbar_integration *integration = NULL;
    fourbar_solver_statistics statistics;
    int32_t stop = 0;
    OK(fourbar_equations_init(&equations, sizeof equations));
    equations.dimension = 1;
    equations.rhs = decay;
    OK(fourbar_problem_new(&equations, &problem));
    OK(fourbar_integration_options_init(&options, sizeof options));
    options.integrator = integrator;
    options.relative = 1e-12;
    options.fixed_step = step;
    options.fixed_order = order;
    OK(fourbar_integration_new(problem, &options, 0.0, y, NULL, 1, &integration));
    OK(fourbar_integration_run(integration, 1.0, &stop));
    OK(fourbar_integration_get_state(integration, y, NULL, 1));
    OK(fourbar_integration_get_statistics(integration, &statistics, sizeof statistics));
    CHECK(fabs((double)statistics.steps - 1.0 / step) <= 1.0);
    fourbar_integration_free(integration);
    fourbar_problem_free(problem);
    return fabs(y[0] - exp(-1.0));
}

static void constant_steps(void) {
    double rkf = decay_error(FOURBAR_INTEGRATOR_RKF45, 1.0 / 64, 0) / decay_error(FOURBAR_INTEGRATOR_RKF45, 1.0 / 128, 0);
    double bdf =
        decay_error(FOURBAR_INTEGRATOR_CONSTANT_BDF, 1.0 / 256, 1) / decay_error(FOURBAR_INTEGRATOR_CONSTANT_BDF, 1.0 / 512, 1);
    double bdf2 =
        decay_error(FOURBAR_INTEGRATOR_CONSTANT_BDF, 1.0 / 256, 2) / decay_error(FOURBAR_INTEGRATOR_CONSTANT_BDF, 1.0 / 512, 2);
    CHECK(rkf > 24.0 && rkf < 48.0);
    CHECK(bdf > 1.9 && bdf < 2.1);
    CHECK(bdf2 > 3.6 && bdf2 < 4.4);
    double hht = decay_error(FOURBAR_INTEGRATOR_HHT, 1.0 / 256, 0) / decay_error(FOURBAR_INTEGRATOR_HHT, 1.0 / 512, 0);
    CHECK(hht > 3.6 && hht < 4.4);
}

/* A ball thrown up at 9.81 m/s that keeps half of its speed at each bounce: it lands at t = 2, 3, 3.5, ... */
struct ball {
    int bounces;
    int action;
    double speed;
    fourbar_integration *integration;
};

static int32_t fall(void *user, double t, const double *y, double *f) {
    (void)user, (void)t;
    f[0] = y[1];
    f[1] = -9.81;
    return 0;
}

static int32_t ground(void *user, double t, const double *y, const double *yp, double *roots) {
    (void)user, (void)t, (void)yp;
    roots[0] = y[1]; /* the top: wanted falling alone, never seen rising */
    roots[1] = y[0];
    return 0;
}

static int32_t bounce(void *user, double t, double *y, double *yp, const size_t *indices, const int32_t *directions,
                      size_t count, int32_t *action) {
    struct ball *ball = user;
    double time = 0.0;
    (void)t, (void)yp;
    CHECK(count == 1 && indices[0] == 1 && directions[0] == -1 && *action == FOURBAR_EVENT_CONTINUE);
    /* The handle is in use. */
    CHECK(fourbar_integration_time(ball->integration, &time, NULL) == FOURBAR_BUSY);
    CHECK(strstr(fourbar_last_error(), "in use") != NULL);
    ball->bounces++;
    ball->speed = -0.5 * y[1];
    y[0] = 0.0;
    y[1] = ball->speed;
    *action = ball->action;
    return 0;
}

static void events(int32_t integrator) {
    struct ball ball = {0, FOURBAR_EVENT_RESTART, 0.0, NULL};
    double y[2] = {0.0, 9.81}, time = 0.0, at[3] = {1.0, 2.5, 3.25}, heights[6], slopes[2], speed;
    int32_t directions[2] = {1, -1}, found[2] = {7, 7}, stop = 0;
    int32_t kinds[2] = {FOURBAR_KIND_POSITION, FOURBAR_KIND_VELOCITY};
    const char *names[2] = {"height", "speed"};
    size_t indices[2] = {7, 7}, count = 7, done = 0;
    fourbar_equations equations;
    fourbar_integration_options options;
    fourbar_problem *problem = NULL;
    fourbar_integration *integration = NULL, *another = NULL;
    OK(fourbar_equations_init(&equations, sizeof equations));
    equations.user = &ball;
    equations.dimension = 2;
    equations.rhs = fall;
    equations.kinds = kinds;
    equations.names = names;
    equations.root_count = 2;
    equations.roots = ground;
    equations.root_directions = directions;
    equations.event = bounce;
    OK(fourbar_problem_new(&equations, &problem));
    OK(fourbar_integration_options_init(&options, sizeof options));
    options.integrator = integrator;
    options.relative = 1e-9;
    OK(fourbar_integration_new(problem, &options, 0.0, y, NULL, 2, &integration));
    ball.integration = integration;
    OK(fourbar_integration_run(integration, 3.25, &stop));
    CHECK(stop == FOURBAR_STOP_END && ball.bounces == 2);
    OK(fourbar_integration_get_state(integration, y, NULL, 2));
    /* t = 3.25: the top of the second bounce, where the speed was 9.81/4. */
    CHECK(fabs(y[0] - 9.81 / 32.0) < 1e-6 && fabs(y[1]) < 1e-6);
    OK(fourbar_integration_events(integration, indices, found, 2, &count));
    CHECK(count == 0);
    /* The host decides to stop at the bounce. */
    ball.action = FOURBAR_EVENT_STOP;
    OK(fourbar_integration_run(integration, 10.0, &stop));
    OK(fourbar_integration_time(integration, &time, NULL));
    CHECK(stop == FOURBAR_STOP_HOST && fabs(time - 3.5) < 1e-6);
    OK(fourbar_integration_events(integration, indices, found, 2, &count));
    CHECK(count == 1 && indices[0] == 1 && found[0] == -1);
    OK(fourbar_integration_events(integration, NULL, NULL, 0, &count));
    FAILS(fourbar_integration_events(integration, indices, found, 0, &count), FOURBAR_LENGTH, "room for 0");
    FAILS(fourbar_integration_events(integration, indices, found, 2, NULL), FOURBAR_NULL, "count");
    y[0] = 0.0;
    y[1] = ball.speed;
    /* A wrong length is any number: nothing is copied before it is compared. */
    FAILS(fourbar_integration_restart(integration, time, y, NULL, (size_t)1 << 44), FOURBAR_LENGTH, "must have length 2");
    FAILS(fourbar_integration_restart(integration, time, y, y, (size_t)1 << 44), FOURBAR_LENGTH, "must have length 2");
    FAILS(fourbar_integration_new(problem, &options, 0.0, y, y, (size_t)1 << 44, &another), FOURBAR_LENGTH, "must have length 2");
    options.absolutes = y;
    options.absolutes_length = (size_t)1 << 44;
    FAILS(fourbar_integration_new(problem, &options, 0.0, y, NULL, 2, &another), FOURBAR_LENGTH, "'absolutes' has length");
    options.absolutes = NULL;
    options.absolutes_length = 0;
    OK(fourbar_integration_restart(integration, time, y, NULL, 2));
    ball.action = FOURBAR_EVENT_RESTART_CONSISTENT;
    OK(fourbar_integration_run(integration, 3.8, &stop));
    CHECK(stop == FOURBAR_STOP_END && ball.bounces == 4);
    /* What the event function asks for must exist. */
    ball.action = 17;
    FAILS(fourbar_integration_run(integration, 4.0, &stop), FOURBAR_CALLBACK, "action 17");
    CHECK(strcmp(fourbar_integration_error(integration), fourbar_last_error()) == 0);
    fourbar_integration_free(integration);
    fourbar_problem_free(problem);

    /* Without an event function the caller handles events. */
    equations.event = NULL;
    OK(fourbar_problem_new(&equations, &problem));
    y[0] = 0.0;
    y[1] = 9.81;
    OK(fourbar_integration_new(problem, &options, 0.0, y, NULL, 2, &integration));
    OK(fourbar_integration_sample(integration, at, 3, heights, 6, &done, &stop));
    CHECK(stop == FOURBAR_STOP_EVENT && done == 1 && fabs(heights[0] - 9.81 / 2.0) < 1e-6);
    OK(fourbar_integration_time(integration, &time, NULL));
    CHECK(fabs(time - 2.0) < 1e-6);
    OK(fourbar_integration_get_state(integration, y, NULL, 2));
    speed = -0.5 * y[1];
    y[0] = 0.0;
    y[1] = speed;
    OK(fourbar_integration_restart(integration, time, y, NULL, 2));
    OK(fourbar_integration_sample(integration, at + 1, 1, heights, 2, &done, &stop));
    CHECK(stop == FOURBAR_STOP_END && done == 1 && fabs(heights[0] - 9.81 / 8.0) < 1e-6);
    OK(fourbar_integration_interpolate(integration, 2.5, y, slopes, 2));
    CHECK(memcmp(y, heights, sizeof y) == 0);
    fourbar_integration_free(integration);
    fourbar_problem_free(problem);
}

static void saving(void) {
    double mu = 5.0, y[2] = {2.0, 0.0}, first[2], second[2], time = 0.0;
    static const double stops[2] = {0.5, 1.5};
    fourbar_equations equations;
    fourbar_problem *problem = NULL;
    fourbar_integration *integration = NULL, *other = NULL;
    fourbar_integration_state *saved = NULL;
    fourbar_integration_options options;
    int32_t stop = 0;
    OK(fourbar_equations_init(&equations, sizeof equations));
    equations.user = &mu;
    equations.dimension = 2;
    equations.rhs = van_der_pol;
    OK(fourbar_problem_new(&equations, &problem));
    OK(fourbar_integration_new(problem, NULL, 0.0, y, NULL, 2, &integration));
    OK(fourbar_integration_set_stop_times(integration, stops, 2));
    do {
        OK(fourbar_integration_step(integration, &stop));
    } while (stop == FOURBAR_STOP_STEP);
    CHECK(stop == FOURBAR_STOP_TIME);
    OK(fourbar_integration_time(integration, &time, NULL));
    CHECK(time == 0.5);
    OK(fourbar_integration_save(integration, &saved));
    OK(fourbar_integration_run(integration, 3.0, &stop));
    OK(fourbar_integration_get_state(integration, first, NULL, 2));
    OK(fourbar_integration_restore(integration, saved));
    OK(fourbar_integration_run(integration, 3.0, &stop));
    OK(fourbar_integration_get_state(integration, second, NULL, 2));
    CHECK(memcmp(first, second, sizeof first) == 0); /* to the last bit */
    OK(fourbar_integration_save_into(integration, saved));
    OK(fourbar_integration_set_end(integration, 3.5));
    OK(fourbar_integration_step(integration, &stop));
    FAILS(fourbar_integration_set_end(integration, 1.0), FOURBAR_INVALID, "before");
    OK(fourbar_integration_options_init(&options, sizeof options));
    options.integrator = FOURBAR_INTEGRATOR_RKF45;
    OK(fourbar_integration_new(problem, &options, 0.0, y, NULL, 2, &other));
    FAILS(fourbar_integration_restore(other, saved), FOURBAR_STATE, "snapshot");
    FAILS(fourbar_integration_save_into(other, saved), FOURBAR_STATE, "of other equations");
    OK(fourbar_integration_restore(integration, saved)); /* it is what it was */
    OK(fourbar_integration_time(integration, &time, NULL));
    CHECK(time == 3.0);
    FAILS(fourbar_integration_save(integration, NULL), FOURBAR_NULL, "out");
    FAILS(fourbar_integration_save_into(integration, NULL), FOURBAR_NULL, "state");
    FAILS(fourbar_integration_restore(integration, NULL), FOURBAR_NULL, "state");
    fourbar_integration_state_free(saved);
    fourbar_integration_state_free(NULL);
    fourbar_integration_free(integration);
    fourbar_integration_free(other);
    fourbar_problem_free(problem);
}

/* e^-t by Adams' formulas: as accurate as asked for, at orders beyond those of GSTIFF, unless less is asked for. */
static void high_orders(void) {
    uint32_t order_max;
    for (order_max = 0; order_max <= 12; order_max += 4) {
        fourbar_problem *problem = NULL;
        fourbar_integration *integration = NULL;
        fourbar_equations equations;
        fourbar_integration_options options;
        fourbar_solver_statistics statistics;
        uint64_t beyond = 0;
        double y[1] = {1.0};
        int32_t stop = 0;
        uint32_t k;
        OK(fourbar_equations_init(&equations, sizeof equations));
        equations.dimension = 1;
        equations.rhs = decay;
        OK(fourbar_problem_new(&equations, &problem));
        OK(fourbar_integration_options_init(&options, sizeof options));
        options.integrator = FOURBAR_INTEGRATOR_ABAM;
        options.order_max = order_max;
        options.relative = 1e-11;
        OK(fourbar_integration_new(problem, &options, 0.0, y, NULL, 1, &integration));
        OK(fourbar_integration_run(integration, 3.0, &stop));
        OK(fourbar_integration_get_state(integration, y, NULL, 1));
        CHECK(fabs(y[0] - exp(-3.0)) < 1e-9);
        OK(fourbar_integration_get_statistics(integration, &statistics, sizeof statistics));
        for (k = order_max == 0 ? 6 : order_max; k < 12; k++) beyond += statistics.orders[k];
        CHECK((beyond > 0) == (order_max == 0));
        fourbar_integration_free(integration);
        fourbar_problem_free(problem);
    }
}

int main(void) {
    kinetics(1);
    stabilized_pendulum();
    kinetics(0);
    relaxation_oscillation(1);
    relaxation_oscillation(0);
    high_irradiance_response(1e-6, 1e-3);
    high_irradiance_response(1e-9, 1e-6);
    pendulum_of_index(3, 1e-9, 1e-4);
    pendulum_of_index(2, 1e-9, 1e-6);
    pendulum_of_index(1, 1e-9, 1e-6);
    constant_steps();
    events(FOURBAR_INTEGRATOR_GSTIFF);
    events(FOURBAR_INTEGRATOR_RKF45);
    events(FOURBAR_INTEGRATOR_ABAM);
    high_orders();
    saving();
    return 0;
}
