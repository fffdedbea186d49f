/* Complementarity problems and friction solved directly: every kind, every method, every wrong use. */
#include "check.h"

static fourbar_contact_solver *solver_of(int32_t method) {
    fourbar_contact_solver *solver = NULL;
    fourbar_contact_options options;
    OK(fourbar_contact_options_init(&options, sizeof options));
    options.method = method;
    OK(fourbar_contact_solver_new(&options, &solver));
    return solver;
}

static fourbar_contact_result result_of(fourbar_contact_solver *solver) {
    fourbar_contact_result result;
    OK(fourbar_contact_solver_result(solver, &result, sizeof result));
    CHECK(result.struct_size == sizeof result);
    return result;
}

/* w = M z + q with M = (2 1; 1 2), q = (-5, -6): z = (4/3, 7/3), w = 0 (Cottle, Pang, Stone, The Linear Complementarity Problem, 1.1). */
static void linear(void) {
    static const double m[4] = {2.0, 1.0, 1.0, 2.0}, q[2] = {-5.0, -6.0}, start[2] = {1.0, 2.0};
    static const double not_finite[2] = {-5.0, NAN}, positive[2] = {1.0, 1.0};
    fourbar_contact_problem *problem = NULL, *again = NULL, *trivial = NULL;
    char text[256], twice[256];
    size_t needed = 0, free_count = 7, rows = 0;
    int32_t kind = 0, method;
    OK(fourbar_lcp_new(2, m, q, &problem));
    OK(fourbar_contact_problem_size(problem, &kind, &free_count, &rows));
    CHECK(kind == FOURBAR_CONTACT_LCP && free_count == 0 && rows == 2);
    OK(fourbar_contact_problem_size(problem, NULL, NULL, NULL));
    for (method = FOURBAR_CONTACT_AUTOMATIC; method <= FOURBAR_CONTACT_FIXED_POINT; method++) {
        fourbar_contact_solver *solver = solver_of(method);
        if (method == FOURBAR_CONTACT_FIXED_POINT || method == FOURBAR_CONTACT_NEWTON ||
            method == FOURBAR_CONTACT_AUGMENTED_LAGRANGIAN) {
            FAILS(fourbar_contact_solver_solve(solver, problem, NULL, 0), FOURBAR_UNSUPPORTED, "LEMKE");
            CHECK(strcmp(fourbar_contact_solver_error(solver), fourbar_last_error()) == 0);
        } else {
            double z[2], w[2], residual = 1.0;
            int32_t who = -1, how = -1;
            size_t iterations = 99;
            int warm;
            for (warm = 0; warm < 2; warm++) {
                fourbar_contact_result result;
                OK(fourbar_contact_solver_solve(solver, problem, warm ? start : NULL, warm ? 2 : 0));
                result = result_of(solver);
                CHECK(result.status == FOURBAR_CONTACT_SOLVED && result.residual <= 1e-10 && result.attempts >= 1);
                OK(fourbar_contact_solver_get(solver, z, w, 2, NULL, 0));
                CHECK(fabs(z[0] - 4.0 / 3.0) < 1e-9 && fabs(z[1] - 7.0 / 3.0) < 1e-9);
                CHECK(fabs(w[0]) < 1e-8 && fabs(w[1]) < 1e-8);
            }
            OK(fourbar_contact_solver_attempt(solver, 0, &who, &how, &iterations, &residual));
            CHECK(how == FOURBAR_CONTACT_SOLVED && residual <= 1e-10 && iterations != 99);
            CHECK(method == FOURBAR_CONTACT_AUTOMATIC || who == method);
            OK(fourbar_contact_solver_attempt(solver, 0, NULL, NULL, NULL, NULL));
            FAILS(fourbar_contact_solver_attempt(solver, 17, &who, NULL, NULL, NULL), FOURBAR_INVALID, "17");
            FAILS(fourbar_contact_solver_get_certificate(solver, z, 2), FOURBAR_STATE, "prove");
            if (method == FOURBAR_CONTACT_AUTOMATIC) {
                fourbar_interrupt *interrupt = NULL;
                OK(fourbar_interrupt_new(&interrupt));
                OK(fourbar_interrupt_watch(interrupt));
                OK(fourbar_interrupt_raise(interrupt));
                FAILS(fourbar_contact_solver_solve(solver, problem, NULL, 0), FOURBAR_INTERRUPTED, "best point");
                CHECK(result_of(solver).status == FOURBAR_CONTACT_OUT_OF_BUDGET && result_of(solver).residual > 0.1);
                OK(fourbar_interrupt_lower(interrupt));
                OK(fourbar_contact_solver_solve(solver, problem, NULL, 0));
                CHECK(result_of(solver).status == FOURBAR_CONTACT_SOLVED);
                OK(fourbar_interrupt_watch(NULL));
                fourbar_interrupt_free(interrupt);
            }
        }
        fourbar_contact_solver_free(solver);
    }
    /* There and back as text, to the last bit. */
    OK(fourbar_contact_problem_to_json(problem, NULL, 0, &needed));
    CHECK(needed > 1 && needed <= sizeof text);
    FAILS(fourbar_contact_problem_to_json(problem, text, needed - 1, NULL), FOURBAR_LENGTH, "bytes");
    OK(fourbar_contact_problem_to_json(problem, text, sizeof text, &needed));
    CHECK(strlen(text) + 1 == needed && strstr(text, "\"M\"") != NULL);
    OK(fourbar_contact_problem_from_json(FOURBAR_CONTACT_LCP, text, &again));
    OK(fourbar_contact_problem_to_json(again, twice, sizeof twice, NULL));
    CHECK(strcmp(text, twice) == 0);
    FAILS(fourbar_contact_problem_to_json(problem, NULL, 0, NULL), FOURBAR_NULL, "needed");
    FAILS(fourbar_contact_problem_to_json(problem, NULL, 100, &needed), FOURBAR_NULL, "buffer");
    FAILS(fourbar_contact_problem_to_json(NULL, text, sizeof text, &needed), FOURBAR_NULL, "problem");
    /* Nothing to do. */
    OK(fourbar_lcp_new(2, m, positive, &trivial));
    {
        fourbar_contact_solver *solver = solver_of(FOURBAR_CONTACT_AUTOMATIC);
        OK(fourbar_contact_solver_solve(solver, trivial, NULL, 0));
        CHECK(result_of(solver).method == FOURBAR_CONTACT_TRIVIAL);
        fourbar_contact_solver_free(solver);
    }
    fourbar_contact_problem_free(problem);
    fourbar_contact_problem_free(again);
    fourbar_contact_problem_free(trivial);
    problem = NULL;
    FAILS(fourbar_lcp_new(2, NULL, q, &problem), FOURBAR_NULL, "'m'");
    FAILS(fourbar_lcp_new(2, m, NULL, &problem), FOURBAR_NULL, "'q'");
    FAILS(fourbar_lcp_new(2, m, q, NULL), FOURBAR_NULL, "out");
    FAILS(fourbar_lcp_new(2, m, not_finite, &problem), FOURBAR_NOT_FINITE, "q");
    FAILS(fourbar_lcp_new((size_t)1 << 40, m, q, &problem), FOURBAR_LENGTH, "memory");
    FAILS(fourbar_contact_problem_from_json(FOURBAR_CONTACT_LCP, NULL, &problem), FOURBAR_NULL, "text");
    FAILS(fourbar_contact_problem_from_json(FOURBAR_CONTACT_LCP, text, NULL), FOURBAR_NULL, "out");
    FAILS(fourbar_contact_problem_from_json(99, text, &problem), FOURBAR_INVALID, "kind is 99");
    FAILS(fourbar_contact_problem_from_json(FOURBAR_CONTACT_LCP, "{\"M\": [[1", &problem), FOURBAR_INVALID, "line 1");
    FAILS(fourbar_contact_problem_from_json(FOURBAR_CONTACT_LCP, "{\"M\": [[1, 2], [3]], \"q\": [1, 1]}", &problem),
          FOURBAR_INVALID, "expected 2 x 2");
    FAILS(fourbar_contact_problem_from_json(FOURBAR_CONTACT_LCP, "\xff", &problem), FOURBAR_TEXT, "UTF-8");
    CHECK(problem == NULL);
}

/* w = -z - 1 is negative for all z >= 0. */
static void infeasible(void) {
    static const double m[1] = {-1.0}, q[1] = {-1.0};
    double y[1] = {0.0};
    fourbar_contact_problem *problem = NULL;
    fourbar_contact_solver *solver = solver_of(FOURBAR_CONTACT_AUTOMATIC);
    OK(fourbar_lcp_new(1, m, q, &problem));
    OK(fourbar_contact_solver_solve(solver, problem, NULL, 0));
    CHECK(result_of(solver).status == FOURBAR_CONTACT_INFEASIBLE);
    FAILS(fourbar_contact_solver_get_certificate(solver, y, 2), FOURBAR_LENGTH, "certificate");
    OK(fourbar_contact_solver_get_certificate(solver, y, 1));
    CHECK(y[0] > 0.0 && m[0] * y[0] <= 0.0 && q[0] * y[0] < 0.0);
    fourbar_contact_problem_free(problem);
    fourbar_contact_solver_free(solver);
}

/* The point of z1 + z2 = 2, z >= 0 nearest to (3, 1): (2, 0), with the multiplier 1. */
static void mixed(void) {
    static const double a[1] = {0.0}, b[2] = {1.0, 1.0}, c[2] = {1.0, 1.0}, d[4] = {1.0, 0.0, 0.0, 1.0};
    static const double constants[1] = {-2.0}, offsets[2] = {-3.0, -1.0};
    static const int32_t methods[3] = {FOURBAR_CONTACT_AUTOMATIC, FOURBAR_CONTACT_LEMKE, FOURBAR_CONTACT_ACTIVE_SET};
    fourbar_contact_problem *problem = NULL, *contradiction = NULL;
    fourbar_contact_solver *solver;
    double z[2], w[2], u[1];
    size_t free_count = 0, rows = 0;
    int i;
    OK(fourbar_mixed_lcp_new(1, 2, a, b, c, d, constants, offsets, &problem));
    OK(fourbar_contact_problem_size(problem, NULL, &free_count, &rows));
    CHECK(free_count == 1 && rows == 2);
    for (i = 0; i < 3; i++) {
        solver = solver_of(methods[i]);
        OK(fourbar_contact_solver_solve(solver, problem, NULL, 0));
        CHECK(result_of(solver).status == FOURBAR_CONTACT_SOLVED);
        OK(fourbar_contact_solver_get(solver, z, w, 2, u, 1));
        CHECK(fabs(z[0] - 2.0) < 1e-10 && fabs(z[1]) < 1e-10 && fabs(u[0] - 1.0) < 1e-10 && fabs(w[0]) < 1e-10);
        fourbar_contact_solver_free(solver);
    }
    /* 0 u + 1 = 0. */
    OK(fourbar_mixed_lcp_new(1, 0, a, NULL, NULL, NULL, b, NULL, &contradiction));
    solver = solver_of(FOURBAR_CONTACT_AUTOMATIC);
    OK(fourbar_contact_solver_solve(solver, contradiction, NULL, 0));
    CHECK(result_of(solver).status == FOURBAR_CONTACT_INCONSISTENT);
    fourbar_contact_solver_free(solver);
    solver = solver_of(FOURBAR_CONTACT_FIXED_POINT);
    FAILS(fourbar_contact_solver_solve(solver, problem, NULL, 0), FOURBAR_UNSUPPORTED, "mixed");
    fourbar_contact_solver_free(solver);
    fourbar_contact_problem_free(problem);
    fourbar_contact_problem_free(contradiction);
    problem = NULL;
    FAILS(fourbar_mixed_lcp_new(1, 2, a, b, c, d, NULL, offsets, &problem), FOURBAR_NULL, "constants");
    FAILS(fourbar_mixed_lcp_new(1, 2, a, b, c, d, constants, NULL, &problem), FOURBAR_NULL, "offsets");
    FAILS(fourbar_mixed_lcp_new(1, 2, NULL, b, c, d, constants, offsets, &problem), FOURBAR_NULL, "'a'");
    FAILS(fourbar_mixed_lcp_new(1, 2, a, b, c, d, constants, offsets, NULL), FOURBAR_NULL, "out");
}

/* A block of 1 kg pushed down at 4 m/s and along at (3, -4) m/s with mu = 0.2: normal impulse 4 N s, friction 0.8 N s against the slip. */
static void friction(void) {
    static const double w[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, q[3] = {-4.0, 3.0, -4.0}, mu[1] = {0.2};
    static const double negative[1] = {-0.2};
    static const int32_t methods[4] = {FOURBAR_CONTACT_AUTOMATIC, FOURBAR_CONTACT_GAUSS_SEIDEL, FOURBAR_CONTACT_NEWTON,
                                       FOURBAR_CONTACT_FIXED_POINT};
    static const uint32_t normal[1] = {1}, odd[1] = {2};
    fourbar_contact_problem *problem = NULL, *smooth = NULL, *pyramid = NULL;
    fourbar_contact_solver *solver;
    double s[3], u[3], z[64], nan[3] = {NAN, 0.0, 0.0};
    size_t rows = 0;
    int i;
    OK(fourbar_friction_new(1, NULL, mu, NULL, NULL, 3, w, q, &problem));
    for (i = 0; i < 4; i++) {
        solver = solver_of(methods[i]);
        OK(fourbar_contact_solver_solve(solver, problem, NULL, 0));
        CHECK(result_of(solver).status == FOURBAR_CONTACT_SOLVED);
        OK(fourbar_contact_solver_get(solver, s, u, 3, NULL, 0));
        CHECK(fabs(s[0] - 4.0) < 1e-7 && fabs(s[1] + 0.48) < 1e-7 && fabs(s[2] - 0.64) < 1e-7);
        CHECK(fabs(u[0]) < 1e-7 && fabs(u[1] - 2.52) < 1e-7 && fabs(u[2] + 3.36) < 1e-7);
        OK(fourbar_contact_solver_solve(solver, problem, s, 3));
        fourbar_contact_solver_free(solver);
    }
    solver = solver_of(FOURBAR_CONTACT_LEMKE);
    FAILS(fourbar_contact_solver_solve(solver, problem, NULL, 0), FOURBAR_UNSUPPORTED, "friction");
    FAILS(fourbar_contact_solver_get(solver, s, u, 3, NULL, 0), FOURBAR_STATE, "solve first");
    fourbar_contact_solver_free(solver);
    /* The polygon of 16 directions is inscribed in the circle: friction takes its full strength along the direction next to the slip, which is
     * at 135 degrees, 8.13 from that of the cone. */
    OK(fourbar_friction_polyhedral(problem, 16, &pyramid));
    OK(fourbar_contact_problem_size(pyramid, NULL, NULL, &rows));
    CHECK(rows == 18);
    solver = solver_of(FOURBAR_CONTACT_LEMKE);
    OK(fourbar_contact_solver_solve(solver, pyramid, NULL, 0));
    CHECK(result_of(solver).status == FOURBAR_CONTACT_SOLVED);
    OK(fourbar_contact_solver_get(solver, z, NULL, rows, NULL, 0));
    OK(fourbar_friction_polyhedral_impulses(problem, 16, z, rows, s, 3));
    CHECK(fabs(s[0] - 4.0) < 1e-9 && fabs(s[1] + 0.8 * sqrt(0.5)) < 1e-9 && fabs(s[2] - 0.8 * sqrt(0.5)) < 1e-9);
    FAILS(fourbar_friction_polyhedral(problem, 5, &smooth), FOURBAR_INVALID, "directions");
    FAILS(fourbar_friction_polyhedral(problem, 4000000000u, &smooth), FOURBAR_INVALID, "give fewer");
    FAILS(fourbar_friction_polyhedral(pyramid, 16, &smooth), FOURBAR_UNSUPPORTED, "reduced form");
    FAILS(fourbar_friction_polyhedral(NULL, 16, &smooth), FOURBAR_NULL, "problem");
    FAILS(fourbar_friction_polyhedral(problem, 16, NULL), FOURBAR_NULL, "out");
    FAILS(fourbar_friction_polyhedral_impulses(problem, 16, z, rows - 1, s, 3), FOURBAR_LENGTH, "z");
    FAILS(fourbar_friction_polyhedral_impulses(problem, 16, z, rows, s, 2), FOURBAR_LENGTH, "impulses");
    FAILS(fourbar_friction_polyhedral_impulses(problem, 16, NULL, rows, s, 3), FOURBAR_NULL, "'z'");
    FAILS(fourbar_friction_polyhedral_impulses(problem, 16, z, rows, NULL, 3), FOURBAR_NULL, "impulses");
    FAILS(fourbar_friction_polyhedral_impulses(NULL, 16, z, rows, s, 3), FOURBAR_NULL, "problem");
    FAILS(fourbar_contact_solver_solve(solver, problem, s, 2), FOURBAR_LENGTH, "start");
    FAILS(fourbar_contact_solver_solve(solver, problem, nan, 3), FOURBAR_NOT_FINITE, "entry 0");
    FAILS(fourbar_contact_solver_solve(solver, NULL, NULL, 0), FOURBAR_NULL, "problem");
    fourbar_contact_solver_free(solver);
    /* The normal alone. */
    OK(fourbar_friction_new(1, normal, mu, mu, mu, 1, w, q, &smooth));
    solver = solver_of(FOURBAR_CONTACT_AUTOMATIC);
    OK(fourbar_contact_solver_solve(solver, smooth, NULL, 0));
    OK(fourbar_contact_solver_get(solver, s, NULL, 1, NULL, 0));
    CHECK(fabs(s[0] - 4.0) < 1e-12);
    FAILS(fourbar_contact_solver_get(solver, s, NULL, 3, NULL, 0), FOURBAR_LENGTH, "'z'");
    FAILS(fourbar_contact_solver_get_bilateral(solver, s, 1), FOURBAR_LENGTH, "impulses");
    FAILS(fourbar_contact_solver_result(solver, NULL, sizeof(fourbar_contact_result)), FOURBAR_NULL, "result");
    fourbar_contact_solver_free(solver);
    fourbar_contact_problem_free(smooth);
    fourbar_contact_problem_free(pyramid);
    fourbar_contact_problem_free(problem);
    problem = NULL;
    FAILS(fourbar_friction_new(1, odd, mu, NULL, NULL, 3, w, q, &problem), FOURBAR_INVALID, "1, 3 or 6");
    FAILS(fourbar_friction_new(1, NULL, negative, NULL, NULL, 3, w, q, &problem), FOURBAR_INVALID, "friction of contact 0");
    FAILS(fourbar_friction_new(2, NULL, w, NULL, NULL, 3, w, q, &problem), FOURBAR_LENGTH, "rows");
    FAILS(fourbar_friction_new(1, NULL, NULL, NULL, NULL, 3, w, q, &problem), FOURBAR_NULL, "mu");
    FAILS(fourbar_friction_new(1, NULL, mu, NULL, NULL, 3, NULL, q, &problem), FOURBAR_NULL, "'w'");
    FAILS(fourbar_friction_new(1, NULL, mu, NULL, NULL, 3, w, NULL, &problem), FOURBAR_NULL, "'q'");
    FAILS(fourbar_friction_new(1, NULL, mu, NULL, NULL, 3, w, q, NULL), FOURBAR_NULL, "out");
}

/* A cube of 2 kg lands at 3 m/s and slides at 1 m/s, mu = 0.5 at its centre: it sticks (mu S_N = 3 N s, 2 N s are needed); two such
 * cubes, the second held in x by a bilateral row. */
static void global(void) {
    fourbar_free_body bodies[2];
    fourbar_global_contact contacts[2];
    fourbar_global_bilateral bilateral;
    fourbar_contact_problem *problem = NULL, *again = NULL;
    static const int32_t methods[2] = {FOURBAR_CONTACT_AUTOMATIC, FOURBAR_CONTACT_GAUSS_SEIDEL};
    double s[6], w[6], u[12], held[1];
    size_t free_count = 0, rows = 0, needed = 0;
    int i, k;
    memset(bodies, 0, sizeof bodies);
    memset(contacts, 0, sizeof contacts);
    memset(&bilateral, 0, sizeof bilateral);
    for (i = 0; i < 2; i++) {
        bodies[i].inverse_mass = 0.5;
        bodies[i].velocity[0] = 1.0;
        bodies[i].velocity[2] = -3.0;
        contacts[i].bodies[0] = (size_t)i;
        contacts[i].bodies[1] = 2;
        contacts[i].mu = 0.5;
        contacts[i].count = 3;
        contacts[i].rows[0][2] = 1.0; /* normal: z */
        contacts[i].rows[1][0] = 1.0;
        contacts[i].rows[2][1] = 1.0;
    }
    bilateral.bodies[0] = 1;
    bilateral.bodies[1] = 2;
    bilateral.row[0] = 1.0;
    OK(fourbar_global_friction_new(bodies, 2, contacts, 2, &bilateral, 1, &problem));
    OK(fourbar_contact_problem_size(problem, NULL, &free_count, &rows));
    CHECK(free_count == 12 && rows == 6);
    for (i = 0; i < 2; i++) {
        fourbar_contact_solver *solver = solver_of(methods[i]);
        OK(fourbar_contact_solver_solve(solver, problem, NULL, 0));
        CHECK(result_of(solver).status == FOURBAR_CONTACT_SOLVED && result_of(solver).residual <= 1e-8);
        OK(fourbar_contact_solver_get(solver, s, w, 6, u, 12));
        for (k = 0; k < 2; k++) {
            CHECK(fabs(s[3 * k] - 6.0) < 1e-6 && fabs(w[3 * k]) < 1e-7 && fabs(w[3 * k + 1]) < 1e-7);
            CHECK(fabs(u[6 * k]) < 1e-7 && fabs(u[6 * k + 2]) < 1e-7);
        }
        CHECK(fabs(s[1] + 2.0) < 1e-6);
        OK(fourbar_contact_solver_get_bilateral(solver, held, 1));
        CHECK(fabs(held[0] + s[4] + 2.0) < 1e-6);
        OK(fourbar_contact_solver_solve(solver, problem, s, 6));
        CHECK(result_of(solver).status == FOURBAR_CONTACT_SOLVED);
        fourbar_contact_solver_free(solver);
    }
    {
        fourbar_contact_solver *solver = solver_of(FOURBAR_CONTACT_NEWTON);
        char *text;
        FAILS(fourbar_contact_solver_solve(solver, problem, NULL, 0), FOURBAR_UNSUPPORTED, "global");
        fourbar_contact_solver_free(solver);
        OK(fourbar_contact_problem_to_json(problem, NULL, 0, &needed));
        text = malloc(needed);
        OK(fourbar_contact_problem_to_json(problem, text, needed, NULL));
        OK(fourbar_contact_problem_from_json(FOURBAR_CONTACT_GLOBAL, text, &again));
        free(text);
    }
    fourbar_contact_problem_free(problem);
    fourbar_contact_problem_free(again);
    problem = NULL;
    FAILS(fourbar_global_friction_new(NULL, 2, contacts, 2, NULL, 0, &problem), FOURBAR_NULL, "bodies");
    FAILS(fourbar_global_friction_new(bodies, 2, NULL, 2, NULL, 0, &problem), FOURBAR_NULL, "contacts");
    FAILS(fourbar_global_friction_new(bodies, 2, NULL, 0, NULL, 1, &problem), FOURBAR_NULL, "bilaterals");
    FAILS(fourbar_global_friction_new(bodies, 2, contacts, 2, NULL, 0, NULL), FOURBAR_NULL, "out");
    contacts[1].reserved = 1;
    FAILS(fourbar_global_friction_new(bodies, 2, contacts, 2, NULL, 0, &problem), FOURBAR_INVALID, "'reserved' of contact 1");
    contacts[1].reserved = 0;
    contacts[1].bodies[1] = 1;
    FAILS(fourbar_global_friction_new(bodies, 2, contacts, 2, NULL, 0, &problem), FOURBAR_INVALID, "both bodies of contact 1");
    CHECK(problem == NULL);
    contacts[1].bodies[1] = 2;
    contacts[1].bodies[0] = 7;
    FAILS(fourbar_global_friction_new(bodies, 2, contacts, 2, NULL, 0, &problem), FOURBAR_INVALID, "body of contact 1");
    contacts[1].count = 4;
    FAILS(fourbar_global_friction_new(bodies, 2, contacts, 2, NULL, 0, &problem), FOURBAR_INVALID, "1, 3 or 6");
    bodies[0].inverse_mass = NAN;
    FAILS(fourbar_global_friction_new(bodies, 2, contacts, 1, NULL, 0, &problem), FOURBAR_NOT_FINITE, "inverse mass");
}

static void misuse(void) {
    fourbar_contact_options options;
    fourbar_contact_result result;
    fourbar_contact_solver *solver = NULL;
    double v[1] = {0.0};
    FAILS(fourbar_contact_options_init(NULL, sizeof options), FOURBAR_NULL, "options");
    FAILS(fourbar_contact_options_init(&options, 3), FOURBAR_STRUCT_SIZE, "is 3");
    OK(fourbar_contact_options_init(&options, sizeof options));
    FAILS(fourbar_contact_solver_new(&options, NULL), FOURBAR_NULL, "out");
    options.method = FOURBAR_CONTACT_TRIVIAL;
    FAILS(fourbar_contact_solver_new(&options, &solver), FOURBAR_INVALID, "method is 9");
    options.method = FOURBAR_CONTACT_LEMKE;
    options.tolerance = -1.0;
    FAILS(fourbar_contact_solver_new(&options, &solver), FOURBAR_INVALID, "tolerance");
    options.tolerance = NAN;
    FAILS(fourbar_contact_solver_new(&options, &solver), FOURBAR_INVALID, "tolerance");
    options.tolerance = 1e-8;
    options.relaxation = 2.0;
    FAILS(fourbar_contact_solver_new(&options, &solver), FOURBAR_INVALID, "relaxation");
    options.relaxation = 1.0;
    options.time_max = -1.0;
    FAILS(fourbar_contact_solver_new(&options, &solver), FOURBAR_INVALID, "time_max");
    options.time_max = 0.0;
    options.struct_size = 8;
    FAILS(fourbar_contact_solver_new(&options, &solver), FOURBAR_STRUCT_SIZE, "is 8");
    OK(fourbar_contact_solver_new(NULL, &solver));
    FAILS(fourbar_contact_solver_result(solver, &result, sizeof result), FOURBAR_STATE, "solve first");
    FAILS(fourbar_contact_solver_get(solver, v, v, 1, v, 1), FOURBAR_STATE, "solve first");
    FAILS(fourbar_contact_solver_get_bilateral(solver, v, 1), FOURBAR_STATE, "solve first");
    FAILS(fourbar_contact_solver_get_certificate(solver, v, 1), FOURBAR_STATE, "solve first");
    FAILS(fourbar_contact_solver_attempt(solver, 0, NULL, NULL, NULL, NULL), FOURBAR_STATE, "solve first");
    fourbar_contact_solver_free(solver);
    CHECK(fourbar_contact_problem_size(NULL, NULL, NULL, NULL) == FOURBAR_NULL);
    CHECK(fourbar_contact_solver_solve(NULL, NULL, NULL, 0) == FOURBAR_NULL);
    CHECK(fourbar_contact_solver_result(NULL, &result, sizeof result) == FOURBAR_NULL);
    CHECK(fourbar_contact_solver_get(NULL, v, v, 1, v, 1) == FOURBAR_NULL);
    CHECK(fourbar_contact_solver_get_bilateral(NULL, v, 1) == FOURBAR_NULL);
    CHECK(fourbar_contact_solver_get_certificate(NULL, v, 1) == FOURBAR_NULL);
    CHECK(fourbar_contact_solver_attempt(NULL, 0, NULL, NULL, NULL, NULL) == FOURBAR_NULL);
    CHECK(strcmp(fourbar_contact_solver_error(NULL), "") == 0);
    fourbar_contact_solver_free(NULL);
    fourbar_contact_problem_free(NULL);
}

int main(void) {
    linear();
    infeasible();
    mixed();
    friction();
    global();
    misuse();
    return 0;
}
