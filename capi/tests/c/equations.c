/* The equations of a mechanism, open: what they are, that they hold at the start, that their matrices are those of their residual, and that they
 * lead to the motion that the library finds, by a method of the host and by the library's own. */
#include "pendulum.h"

enum { MOST = 400 };

typedef struct {
    fourbar_mechanism_equations *own;
    fourbar_mechanism_equations_figures figures;
    double t, y[MOST], yp[MOST];
} opened;

static void open_equations(const fourbar_mechanism *mechanism, int32_t formulation, opened *out) {
    size_t n;
    OK(fourbar_mechanism_equations_new(mechanism, formulation, &out->own));
    OK(fourbar_mechanism_equations_get_figures(out->own, &out->figures, sizeof out->figures));
    n = out->figures.dimension;
    CHECK(n > 0 && n <= MOST);
    OK(fourbar_mechanism_equations_start(out->own, &out->t, out->y, out->yp, n));
}

static fourbar_mechanism *of_file(const char *path) {
    fourbar_model *model = NULL;
    OK(fourbar_model_from_file(path, &model));
    return compiled(model);
}

static double largest(const double *values, size_t count) {
    double most = 0.0;
    size_t k;
    for (k = 0; k < count; k++) {
        most = fmax(most, fabs(values[k]));
    }
    return most;
}

/* Column j of dF/dy + c dF/dy' is the slope of F along e_j and c e_j. */
static void check_matrix(opened *of) {
    static double values[MOST * 40], dense[MOST], above[MOST], below[MOST];
    static size_t offsets[MOST + 1], rows[MOST * 40];
    const size_t n = of->figures.dimension, entries = of->figures.entries;
    const double c = 100.0;
    size_t j, k;
    CHECK(entries > n && entries <= MOST * 40);
    OK(fourbar_mechanism_equations_pattern(of->own, offsets, n + 1, rows, entries));
    CHECK(offsets[0] == 0 && offsets[n] == entries);
    OK(fourbar_mechanism_equations_jacobian(of->own, of->t, of->y, of->yp, n, c, values, entries));
    for (j = 0; j < n; j++) {
        const double y = of->y[j], yp = of->yp[j], step = 1e-6;
        of->y[j] = y + step;
        of->yp[j] = yp + c * step;
        OK(fourbar_mechanism_equations_residual(of->own, of->t, of->y, of->yp, above, n));
        of->y[j] = y - step;
        of->yp[j] = yp - c * step;
        OK(fourbar_mechanism_equations_residual(of->own, of->t, of->y, of->yp, below, n));
        of->y[j] = y;
        of->yp[j] = yp;
        memset(dense, 0, sizeof dense);
        for (k = offsets[j]; k < offsets[j + 1]; k++) {
            CHECK(rows[k] < n && (k == offsets[j] || rows[k - 1] < rows[k]));
            dense[rows[k]] = values[k];
        }
        for (k = 0; k < n; k++) {
            const double slope = (above[k] - below[k]) / (2.0 * step);
            CHECK(fabs(slope - dense[k]) <= 1e-5 * (1.0 + fabs(slope)));
        }
    }
}

/* M u' + Phi_q^T lambda = Q and Phi_q u' = gamma, with u' and lambda as the start has them. */
static void check_dynamics(opened *of) {
    static double mass[MOST * 3], phi[MOST * 6], q[MOST], left[MOST], u[MOST], up[MOST], gamma[MOST], rate[MOST], value[MOST];
    static size_t offsets[MOST + 1], rows[MOST * 6];
    const size_t n = of->figures.dimension, velocities = of->figures.velocities, constraints = of->figures.constraints;
    const size_t bodies = velocities / 6;
    const double *lambda = (of->figures.index == 1 ? of->yp : of->y) + 15 * bodies;
    size_t b, j, k;
    for (b = 0; b < bodies; b++) {
        memcpy(u + 6 * b, of->y + 15 * b + 6, 6 * sizeof(double));
        memcpy(up + 6 * b, of->yp + 15 * b + 6, 6 * sizeof(double));
    }
    OK(fourbar_mechanism_equations_vector(of->own, FOURBAR_VECTOR_FORCES, of->t, of->y, n, q, velocities));
    OK(fourbar_mechanism_equations_vector(of->own, FOURBAR_VECTOR_CONSTRAINTS, of->t, of->y, n, value, constraints));
    CHECK(largest(value, constraints) < 1e-12);
    OK(fourbar_mechanism_equations_vector(of->own, FOURBAR_VECTOR_CONSTRAINT_RATES, of->t, of->y, n, rate, constraints));
    CHECK(largest(rate, constraints) < 1e-11);
    OK(fourbar_mechanism_equations_vector(of->own, FOURBAR_VECTOR_CONSTRAINT_ACCELERATIONS, of->t, of->y, n, gamma, constraints));
    OK(fourbar_mechanism_equations_matrix_pattern(of->own, FOURBAR_MATRIX_MASS, offsets, velocities + 1, rows, of->figures.mass_entries));
    OK(fourbar_mechanism_equations_matrix(of->own, FOURBAR_MATRIX_MASS, of->t, of->y, n, mass, of->figures.mass_entries));
    memset(left, 0, sizeof left);
    for (j = 0; j < velocities; j++) {
        for (k = offsets[j]; k < offsets[j + 1]; k++) {
            left[rows[k]] += mass[k] * up[j];
        }
    }
    OK(fourbar_mechanism_equations_matrix_pattern(of->own, FOURBAR_MATRIX_CONSTRAINT_JACOBIAN, offsets, velocities + 1, rows,
                                                  of->figures.constraint_entries));
    OK(fourbar_mechanism_equations_matrix(of->own, FOURBAR_MATRIX_CONSTRAINT_JACOBIAN, of->t, of->y, n, phi,
                                          of->figures.constraint_entries));
    memset(rate, 0, sizeof rate);
    for (j = 0; j < velocities; j++) {
        for (k = offsets[j]; k < offsets[j + 1]; k++) {
            left[j] += phi[k] * lambda[rows[k]];
            rate[rows[k]] += phi[k] * up[j];
        }
    }
    for (k = 0; k < velocities; k++) {
        CHECK(fabs(left[k] - q[k]) <= 1e-9 * (1.0 + largest(q, velocities)));
    }
    for (k = 0; k < constraints; k++) {
        CHECK(fabs(rate[k] - gamma[k]) <= 1e-9 * (1.0 + largest(up, velocities)));
    }
}

static void equations_hold_and_have_their_matrices(const char *path) {
    fourbar_mechanism *mechanism = of_file(path);
    const int32_t forms[3] = {FOURBAR_FORMULATION_SI1, FOURBAR_FORMULATION_SI2, FOURBAR_FORMULATION_I3};
    static double residual[MOST], state[MOST], y[MOST], yp[MOST];
    int k;
    for (k = 0; k < 3; k++) {
        opened of;
        size_t n, i;
        open_equations(mechanism, forms[k], &of);
        n = of.figures.dimension;
        CHECK(of.figures.index == k + 1);
        OK(fourbar_mechanism_equations_residual(of.own, of.t, of.y, of.yp, residual, n));
        CHECK(largest(residual, n) < 1e-9 * (1.0 + largest(of.y, n)));
        check_matrix(&of);
        check_dynamics(&of);
        /* A state as numbers and back is the same point, consistent. */
        OK(fourbar_mechanism_equations_get_state(of.own, of.t, of.y, n, state, of.figures.state_length));
        OK(fourbar_mechanism_equations_set_state(of.own, of.t, state, of.figures.state_length, y, yp, n));
        for (i = 0; i < n; i++) {
            CHECK(fabs(y[i] - of.y[i]) <= 1e-8 * (1.0 + fabs(of.y[i])));
        }
        /* One that is a little off is put right. */
        state[0] += 1e-4;
        OK(fourbar_mechanism_equations_set_state(of.own, of.t, state, of.figures.state_length, y, yp, n));
        OK(fourbar_mechanism_equations_residual(of.own, of.t, y, yp, residual, n));
        CHECK(largest(residual, n) < 1e-8 * (1.0 + largest(y, n)));
        fourbar_mechanism_equations_free(of.own);
    }
    fourbar_mechanism_free(mechanism);
}

static void unknowns_are_told(void) {
    fourbar_mechanism *mechanism = compiled(pendulum_model(NULL));
    int32_t kinds[MOST], differential[MOST], tested[MOST], powers[MOST];
    double typical[MOST];
    char name[64];
    size_t needed = 0, n;
    opened of;
    open_equations(mechanism, FOURBAR_FORMULATION_SI2, &of);
    n = of.figures.dimension;
    CHECK(n == 15 + 2 * 5 && of.figures.velocities == 6 && of.figures.constraints == 5 && of.figures.state_length == 13);
    OK(fourbar_mechanism_equations_unknowns(of.own, kinds, differential, tested, powers, typical, n));
    CHECK(kinds[0] == FOURBAR_KIND_POSITION && differential[0] == 1 && tested[0] == 1 && powers[0] == 0 && typical[0] > 0.0);
    CHECK(kinds[9] == FOURBAR_KIND_ANGULAR_VELOCITY && differential[9] == 0);
    CHECK(kinds[15] == FOURBAR_KIND_MULTIPLIER && differential[15] == 0 && tested[15] == 0 && powers[15] == 1);
    CHECK(kinds[20] == FOURBAR_KIND_STABILIZER);
    OK(fourbar_mechanism_equations_unknowns(of.own, NULL, NULL, NULL, NULL, NULL, n));
    OK(fourbar_mechanism_equations_unknown_name(of.own, 3, name, sizeof name, &needed));
    CHECK(strcmp(name, "body \"rod\" psi") == 0 && needed == strlen(name) + 1);
    OK(fourbar_mechanism_equations_equation_name(of.own, 6, name, sizeof name, &needed));
    CHECK(strcmp(name, "body \"rod\" force balance x") == 0);
    fourbar_mechanism_equations_free(of.own);
    open_equations(mechanism, FOURBAR_FORMULATION_SI1, &of);
    OK(fourbar_mechanism_equations_unknowns(of.own, kinds, differential, tested, powers, NULL, n));
    CHECK(kinds[15] == FOURBAR_KIND_MULTIPLIER_INTEGRAL && differential[15] == 1 && tested[15] == 1 && powers[15] == 0);
    CHECK(kinds[20] == FOURBAR_KIND_STABILIZER_INTEGRAL && differential[20] == 1 && tested[20] == 0);
    fourbar_mechanism_equations_free(of.own);
    fourbar_mechanism_free(mechanism);
}

/* Kutta's method of order 4 on y' = f(t, y), a host's integrator: after one period of 2 s the pendulum is back. */
static void a_host_integrates_partitioned_equations(void) {
    fourbar_mechanism *mechanism = compiled(pendulum_model(NULL));
    double k[4][12], y[12];
    const int steps = 2000;
    const double h = 2.0 / steps;
    int step, changes = 0;
    opened of;
    open_equations(mechanism, FOURBAR_FORMULATION_PARTITIONED, &of);
    CHECK(of.figures.dimension == 12 && of.figures.entries == 0 && of.figures.index == 0);
    for (step = 0; step < steps; step++) {
        const double t = step * h;
        int s, i, changed = 0;
        int32_t told = 0;
        for (s = 0; s < 4; s++) {
            const double a = s == 0 ? 0.0 : s == 3 ? h : 0.5 * h;
            for (i = 0; i < 12; i++) {
                y[i] = of.y[i] + (s == 0 ? 0.0 : a * k[s - 1][i]);
            }
            OK(fourbar_mechanism_equations_rhs(of.own, t + a, y, k[s], 12));
        }
        for (i = 0; i < 12; i++) {
            of.y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
        }
        OK(fourbar_mechanism_equations_between_steps(of.own, t + h, of.y, of.yp, 12, &told));
        changed = told;
        changes += changed;
    }
    CHECK(changes > 0); /* the reference orientation moved on */
    {
        fourbar_simulation *simulation = begun(mechanism);
        double state[13], begin[13];
        OK(fourbar_mechanism_equations_get_state(of.own, 2.0, of.y, 12, state, 13));
        CHECK(fabs(state[0] - 0.75) < 1e-8 && fabs(state[1]) < 1e-8 && fabs(state[12]) < 1e-7);
        OK(fourbar_simulation_get_state(simulation, begin, 13));
        CHECK(fabs(state[0] - begin[0]) < 1e-8);
        fourbar_simulation_free(simulation);
    }
    fourbar_mechanism_equations_free(of.own);
}

/* The same as problems under the library's integrators, with any of their options; and simulations with all these options. */
static void the_integrators_of_the_library_run_on_them(void) {
    fourbar_mechanism *mechanism = compiled(pendulum_model(NULL));
    const int32_t forms[4] = {FOURBAR_FORMULATION_I3, FOURBAR_FORMULATION_SI2, FOURBAR_FORMULATION_PARTITIONED,
                              FOURBAR_FORMULATION_SI1};
    int k;
    for (k = 0; k < 4; k++) {
        fourbar_problem *problem = NULL;
        fourbar_integration *integration = NULL;
        fourbar_integration_options options;
        double state[13], y[MOST], yp[MOST];
        size_t n = 0, iterations = 7;
        int32_t stop = 0;
        opened of;
        open_equations(mechanism, forms[k], &of);
        OK(fourbar_problem_from_equations(of.own, &problem));
        OK(fourbar_problem_dimension(problem, &n));
        CHECK(n == of.figures.dimension);
        OK(fourbar_integration_options_init(&options, sizeof options));
        options.relative = 1e-9;
        options.integrator = k == 2 ? FOURBAR_INTEGRATOR_ABAM : FOURBAR_INTEGRATOR_GSTIFF;
        /* The start is consistent, and to make it so again leaves it. */
        memcpy(y, of.y, sizeof y);
        memcpy(yp, of.yp, sizeof yp);
        OK(fourbar_problem_consistent_start(problem, 0.0, y, yp, n, &iterations));
        CHECK(iterations == 0);
        for (n = 0; n < of.figures.dimension; n++) {
            CHECK(fabs(y[n] - of.y[n]) < 1e-10 && fabs(yp[n] - of.yp[n]) < 1e-8);
        }
        OK(fourbar_integration_new(problem, &options, 0.0, y, yp, n, &integration));
        fourbar_problem_free(problem);
        OK(fourbar_integration_run(integration, 2.0, &stop));
        CHECK(stop == FOURBAR_STOP_END);
        OK(fourbar_integration_mechanism_state(integration, state, 13));
        CHECK(fabs(state[0] - 0.75) < 1e-5 && fabs(state[1]) < 1e-5);
        FAILS(fourbar_integration_mechanism_state(integration, state, 12), FOURBAR_LENGTH, "13");
        fourbar_integration_free(integration);
        options.integrator = k == 2 ? FOURBAR_INTEGRATOR_GSTIFF : FOURBAR_INTEGRATOR_RKF45;
        OK(fourbar_problem_from_equations(of.own, &problem));
        FAILS(fourbar_integration_new(problem, &options, 0.0, y, yp, n, &integration), FOURBAR_UNSUPPORTED, "solve");
        fourbar_problem_free(problem);
        fourbar_mechanism_equations_free(of.own);
    }
    for (k = 0; k < 2; k++) {
        fourbar_simulation *simulation = NULL;
        fourbar_simulation_options options;
        fourbar_integration_options integration;
        fourbar_simulation_statistics statistics;
        double angle = 0.0;
        OK(fourbar_simulation_options_init(&options, sizeof options));
        OK(fourbar_integration_options_init(&integration, sizeof integration));
        integration.integrator = k == 0 ? FOURBAR_INTEGRATOR_CONSTANT_BDF : FOURBAR_INTEGRATOR_RKF45;
        integration.fixed_step = 1e-3;
        integration.fixed_order = 3;
        options.integration = &integration;
        OK(fourbar_simulation_new(mechanism, &options, &simulation));
        OK(fourbar_simulation_step_to(simulation, 1.0));
        OK(fourbar_simulation_measure(simulation, "angle", &angle));
        CHECK(fabs(angle + PI) < 1e-3);
        OK(fourbar_simulation_get_statistics(simulation, &statistics, sizeof statistics));
        CHECK(statistics.steps >= 1000 && statistics.steps < 1010);
        fourbar_simulation_free(simulation);
        options.tolerance = 1e-3;
        FAILS(fourbar_simulation_new(mechanism, &options, &simulation), FOURBAR_INVALID, "tolerance");
        options.tolerance = 0.0;
        integration.relative = 7.0;
        FAILS(fourbar_simulation_new(mechanism, &options, &simulation), FOURBAR_INVALID, "7");
    }
    fourbar_mechanism_free(mechanism);
}

/* A body that turns about an axis that leaves any chart: between steps charts are exchanged, and y says the same orientation. */
static void charts_are_exchanged(void) {
    static const char top[] =
        "[[body]]\nname = \"top\"\nmass = 1\ninertia = [1, 2, 3]\nangular_velocity = [0, 5, 0.1]\n";
    fourbar_model *model = NULL;
    fourbar_mechanism *mechanism;
    double state[13], after[13];
    const double h = 1e-4;
    int k, i, changes = 0;
    opened of;
    OK(fourbar_model_from_toml(top, strlen(top), NULL, &model));
    mechanism = compiled(model);
    open_equations(mechanism, FOURBAR_FORMULATION_I3, &of);
    CHECK(of.figures.dimension == 15 && of.figures.constraints == 0);
    /* Follow the Euler angles by their rates, with a constant omega across the one for which the chart was chosen: far enough to meet its
     * singularity. */
    of.y[9] = 5.0;
    of.y[10] = 0.0;
    for (k = 0; k < 40000; k++) {
        int32_t changed = 0;
        double omega[3];
        memcpy(omega, of.y + 9, sizeof omega);
        for (i = 3; i < 6; i++) {
            of.y[i] += h * of.yp[i];
        }
        OK(fourbar_mechanism_equations_get_state(of.own, 0.0, of.y, 15, state, 13));
        OK(fourbar_mechanism_equations_between_steps(of.own, 0.0, of.y, of.yp, 15, &changed));
        OK(fourbar_mechanism_equations_get_state(of.own, 0.0, of.y, 15, after, 13));
        for (i = 0; i < 13; i++) {
            CHECK(fabs(after[i] - state[i]) < 1e-12);
        }
        changes += changed;
        {
            /* e' of a constant omega: the rows of e are G e' - omega. */
            double residual[15], g[3][3], wanted[3];
            int c;
            for (c = 0; c < 3; c++) {
                of.yp[3] = of.yp[4] = of.yp[5] = 0.0;
                of.yp[3 + c] = 1.0;
                OK(fourbar_mechanism_equations_residual(of.own, 0.0, of.y, of.yp, residual, 15));
                for (i = 0; i < 3; i++) {
                    g[i][c] = residual[3 + i] + omega[i];
                }
            }
            {
                const double det = g[0][0] * (g[1][1] * g[2][2] - g[1][2] * g[2][1]) -
                                   g[0][1] * (g[1][0] * g[2][2] - g[1][2] * g[2][0]) +
                                   g[0][2] * (g[1][0] * g[2][1] - g[1][1] * g[2][0]);
                CHECK(fabs(det) > 1e-3);
                for (c = 0; c < 3; c++) {
                    double m[3][3];
                    memcpy(m, g, sizeof m);
                    for (i = 0; i < 3; i++) {
                        m[i][c] = omega[i];
                    }
                    wanted[c] = (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                                 m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                                 m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])) / det;
                }
            }
            memcpy(of.yp + 3, wanted, sizeof wanted);
        }
    }
    CHECK(changes > 0);
    fourbar_mechanism_equations_free(of.own);
    fourbar_mechanism_free(mechanism);
}

static void inputs_are_taken(void) {
    static const char actuated[] =
        "[[input]]\nname = \"push\"\n"
        "[[body]]\nname = \"cart\"\nmass = 2\ninertia = [1, 1, 1]\n"
        "[[joint]]\nname = \"track\"\ntype = \"prismatic\"\ni = \"cart\"\nj = { body = \"ground\", orientation = { axis = [0, 1, 0], angle = \"90 deg\" } }\n"
        "[[force]]\nname = \"f\"\ntype = \"force\"\ni = \"cart\"\nvalue = [\"push\", 0, 0]\n";
    fourbar_model *model = NULL;
    fourbar_mechanism *mechanism;
    double yp[12], forces[6];
    const double push[3] = {6.0, 2.0, 0.0};
    opened of;
    OK(fourbar_model_from_toml(actuated, strlen(actuated), NULL, &model));
    mechanism = compiled(model);
    open_equations(mechanism, FOURBAR_FORMULATION_PARTITIONED, &of);
    OK(fourbar_mechanism_equations_set_inputs(of.own, 0.0, push, 3));
    OK(fourbar_mechanism_equations_rhs(of.own, 1.0, of.y, yp, 12));
    CHECK(fabs(yp[6] - 4.0) < 1e-12);
    OK(fourbar_mechanism_equations_vector(of.own, FOURBAR_VECTOR_FORCES, 1.0, of.y, 12, forces, 6));
    CHECK(fabs(forces[0] - 8.0) < 1e-12);
    FAILS(fourbar_mechanism_equations_set_inputs(of.own, 0.0, push, 2), FOURBAR_LENGTH, "3");
    fourbar_mechanism_equations_free(of.own);
    fourbar_mechanism_free(mechanism);
}

static void misuse_is_told(void) {
    fourbar_mechanism *mechanism = compiled(pendulum_model(NULL));
    fourbar_mechanism_equations *made = NULL;
    fourbar_problem *problem = NULL;
    double values[MOST], wrong[MOST];
    size_t offsets[MOST], rows[MOST], n, needed = 0;
    opened of, explicit_form;
    char name[4];
    FAILS(fourbar_mechanism_equations_new(NULL, 1, &made), FOURBAR_NULL, "mechanism");
    FAILS(fourbar_mechanism_equations_new(mechanism, 1, NULL), FOURBAR_NULL, "out");
    FAILS(fourbar_mechanism_equations_new(mechanism, 5, &made), FOURBAR_INVALID, "4");
    open_equations(mechanism, FOURBAR_FORMULATION_MODEL, &of);
    open_equations(mechanism, FOURBAR_FORMULATION_PARTITIONED, &explicit_form);
    n = of.figures.dimension;
    FAILS(fourbar_mechanism_equations_get_figures(NULL, &of.figures, sizeof of.figures), FOURBAR_NULL, "equations");
    FAILS(fourbar_mechanism_equations_get_figures(of.own, NULL, sizeof of.figures), FOURBAR_NULL, "");
    FAILS(fourbar_mechanism_equations_unknowns(of.own, NULL, NULL, NULL, NULL, NULL, n + 1), FOURBAR_LENGTH, "25");
    FAILS(fourbar_mechanism_equations_unknown_name(of.own, n, name, sizeof name, &needed), FOURBAR_INVALID, "unknowns");
    FAILS(fourbar_mechanism_equations_unknown_name(of.own, 0, name, sizeof name, &needed), FOURBAR_LENGTH, "needs");
    FAILS(fourbar_mechanism_equations_equation_name(of.own, n, name, sizeof name, &needed), FOURBAR_INVALID, "equations");
    FAILS(fourbar_mechanism_equations_pattern(of.own, offsets, n, rows, of.figures.entries), FOURBAR_LENGTH, "offsets");
    FAILS(fourbar_mechanism_equations_pattern(of.own, NULL, n + 1, rows, of.figures.entries), FOURBAR_NULL, "offsets");
    FAILS(fourbar_mechanism_equations_pattern(explicit_form.own, offsets, 13, rows, 0), FOURBAR_UNSUPPORTED, "no matrix");
    FAILS(fourbar_mechanism_equations_residual(of.own, 0.0, of.y, of.yp, values, n - 1), FOURBAR_LENGTH, "25");
    FAILS(fourbar_mechanism_equations_residual(of.own, 0.0, NULL, of.yp, values, n), FOURBAR_NULL, "'y'");
    FAILS(fourbar_mechanism_equations_residual(of.own, 0.0, of.y, of.yp, NULL, n), FOURBAR_NULL, "residual");
    FAILS(fourbar_mechanism_equations_residual(of.own, HUGE_VAL, of.y, of.yp, values, n), FOURBAR_NOT_FINITE, "'t'");
    memcpy(wrong, of.y, sizeof wrong);
    wrong[3] = HUGE_VAL;
    FAILS(fourbar_mechanism_equations_residual(of.own, 0.0, wrong, of.yp, values, n), FOURBAR_NOT_FINITE, "psi");
    CHECK(strstr(fourbar_mechanism_equations_error(of.own), "psi") != NULL);
    FAILS(fourbar_mechanism_equations_residual(explicit_form.own, 0.0, of.y, of.yp, values, 12), FOURBAR_UNSUPPORTED, "rhs");
    FAILS(fourbar_mechanism_equations_jacobian(of.own, 0.0, of.y, of.yp, n, 1.0, values, 3), FOURBAR_LENGTH, "values");
    FAILS(fourbar_mechanism_equations_jacobian(of.own, 0.0, of.y, of.yp, n, HUGE_VAL, values, of.figures.entries), FOURBAR_NOT_FINITE, "'c'");
    FAILS(fourbar_mechanism_equations_jacobian(explicit_form.own, 0.0, of.y, of.yp, 12, 1.0, values, 0), FOURBAR_UNSUPPORTED, "matrix");
    FAILS(fourbar_mechanism_equations_rhs(of.own, 0.0, of.y, values, n), FOURBAR_UNSUPPORTED, "PARTITIONED");
    FAILS(fourbar_mechanism_equations_between_steps(of.own, 0.0, NULL, of.yp, n, NULL), FOURBAR_NULL, "'y'");
    FAILS(fourbar_mechanism_equations_set_inputs(of.own, 0.0, values, 3), FOURBAR_LENGTH, "0");
    FAILS(fourbar_mechanism_equations_start(of.own, NULL, NULL, of.yp, n), FOURBAR_NULL, "'y'");
    FAILS(fourbar_mechanism_equations_start(of.own, NULL, of.y, of.yp, n + 1), FOURBAR_LENGTH, "25");
    FAILS(fourbar_mechanism_equations_get_state(of.own, 0.0, of.y, n, values, 12), FOURBAR_LENGTH, "13");
    memset(values, 0, sizeof values);
    FAILS(fourbar_mechanism_equations_set_state(of.own, 0.0, values, 13, of.y, of.yp, n), FOURBAR_INVALID, "quaternion");
    FAILS(fourbar_mechanism_equations_set_state(of.own, 0.0, values, 12, of.y, of.yp, n), FOURBAR_LENGTH, "13");
    FAILS(fourbar_mechanism_equations_matrix_pattern(of.own, 3, offsets, 7, rows, 12), FOURBAR_INVALID, "3");
    FAILS(fourbar_mechanism_equations_matrix(of.own, FOURBAR_MATRIX_MASS, 0.0, of.y, n, values, 11), FOURBAR_LENGTH, "12");
    FAILS(fourbar_mechanism_equations_vector(of.own, 0, 0.0, of.y, n, values, 6), FOURBAR_INVALID, "0");
    FAILS(fourbar_mechanism_equations_vector(of.own, FOURBAR_VECTOR_FORCES, 0.0, of.y, n, values, 5), FOURBAR_LENGTH, "6");
    FAILS(fourbar_problem_from_equations(NULL, &problem), FOURBAR_NULL, "equations");
    FAILS(fourbar_problem_from_equations(of.own, NULL), FOURBAR_NULL, "out");
    CHECK(fourbar_mechanism_equations_error(NULL)[0] == '\0');
    fourbar_mechanism_equations_free(NULL);
    fourbar_mechanism_equations_free(of.own);
    fourbar_mechanism_equations_free(explicit_form.own);
    fourbar_mechanism_free(mechanism);
}

int main(void) {
    equations_hold_and_have_their_matrices("models/four-bar.toml");
    equations_hold_and_have_their_matrices("models/double-pendulum.toml");
    unknowns_are_told();
    a_host_integrates_partitioned_equations();
    the_integrators_of_the_library_run_on_them();
    charts_are_exchanged();
    inputs_are_taken();
    misuse_is_told();
    return 0;
}
