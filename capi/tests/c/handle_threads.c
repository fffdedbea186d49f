/* Two threads on every kind of handle at once: of two calls that come together one is turned away with FOURBAR_BUSY, and nothing is lost or mixed.
 * Objects that never change serve both. Also run under helgrind. */
#define _POSIX_C_SOURCE 200112L
#include "pendulum.h"
#include <pthread.h>

/* One call on what the two threads share; returns its status. */
typedef fourbar_status (*turn)(void *shared);

typedef struct {
    turn call;
    void *shared;
    int calls, done, refused;
} job;

static pthread_barrier_t both;

static void *hammer(void *argument) {
    job *own = argument;
    int k;
    pthread_barrier_wait(&both);
    for (k = 0; k < own->calls; k++) {
        const fourbar_status status = own->call(own->shared);
        if (status == FOURBAR_OK) {
            own->done++;
        } else {
            CHECK(status == FOURBAR_BUSY && strstr(fourbar_last_error(), "in use") != NULL);
            own->refused++;
        }
    }
    return NULL;
}

/* How many of the calls were let in. */
static int by_two(turn call, void *shared, int calls) {
    pthread_t thread;
    job jobs[2] = {{call, shared, calls, 0, 0}, {call, shared, calls, 0, 0}};
    CHECK(pthread_barrier_init(&both, NULL, 2) == 0);
    CHECK(pthread_create(&thread, NULL, hammer, &jobs[1]) == 0);
    hammer(&jobs[0]);
    CHECK(pthread_join(thread, NULL) == 0);
    pthread_barrier_destroy(&both);
    CHECK(jobs[0].done + jobs[0].refused == calls && jobs[1].done + jobs[1].refused == calls);
    CHECK(jobs[0].done + jobs[1].done > 0);
    return jobs[0].done + jobs[1].done;
}

static fourbar_system *lag(void) {
    const double a = -1.0, b = 1.0, c = 1.0, d = 0.0;
    fourbar_system *system = NULL;
    OK(fourbar_system_new(1, 1, 1, &a, &b, &c, &d, &system));
    return system;
}

static fourbar_status step_stepper(void *shared) {
    const double u = 1.0;
    double y = 0.0;
    return fourbar_stepper_step(shared, &u, 1, &y, 1);
}

static fourbar_status read_system(void *shared) {
    double a = 0.0;
    const fourbar_status status = fourbar_system_matrix(shared, FOURBAR_MATRIX_A, &a, 1);
    CHECK(a == -1.0);
    return status;
}

static fourbar_status read_discretization(void *shared) {
    double exponential = 0.0;
    const fourbar_status status = fourbar_discretization_exponential(shared, &exponential, 1);
    CHECK(fabs(exponential - exp(-0.5)) < 1e-15);
    return status;
}

typedef struct {
    fourbar_stepper *steppers[2];
    fourbar_stepper_state *saved;
    int next;
    pthread_mutex_t mutex;
} saved_steppers;

/* Both threads save steppers of their own in one place. */
static fourbar_status save_stepper(void *shared) {
    saved_steppers *of = shared;
    int own;
    pthread_mutex_lock(&of->mutex);
    own = of->next++ % 2;
    pthread_mutex_unlock(&of->mutex);
    return fourbar_stepper_save_into(of->steppers[own], of->saved);
}

static void linear_systems(void) {
    fourbar_system *system = lag();
    fourbar_discretization *discretization = NULL;
    fourbar_stepper *stepper = NULL;
    saved_steppers of = {{NULL, NULL}, NULL, 0, PTHREAD_MUTEX_INITIALIZER};
    const double u = 1.0;
    uint64_t steps = 0;
    double x = 0.0, t = 0.0;
    int made;
    CHECK(by_two(read_system, system, 200) == 400);
    OK(fourbar_discretization_new(system, 0.5, NULL, &discretization));
    CHECK(by_two(read_discretization, discretization, 200) == 400);
    OK(fourbar_stepper_new(system, 0.01, NULL, &stepper));
    OK(fourbar_stepper_set_input(stepper, &u, 1));
    made = by_two(step_stepper, stepper, 20000);
    OK(fourbar_stepper_time(stepper, &t, &steps));
    CHECK(steps == (uint64_t)made);
    OK(fourbar_stepper_get_state(stepper, &x, 1));
    CHECK(fabs(x - (1.0 - exp(-t))) < 1e-12);
    of.steppers[0] = stepper;
    OK(fourbar_stepper_new(system, 0.01, NULL, &of.steppers[1]));
    OK(fourbar_stepper_set_input(of.steppers[1], &u, 1));
    OK(fourbar_stepper_save(stepper, &of.saved));
    by_two(save_stepper, &of, 500);
    OK(fourbar_stepper_restore(stepper, of.saved));
    fourbar_stepper_state_free(of.saved);
    fourbar_stepper_free(of.steppers[1]);
    fourbar_stepper_free(stepper);
    fourbar_discretization_free(discretization);
    fourbar_system_free(system);
}

static fourbar_status name_parameter(void *shared) {
    return fourbar_model_set_parameter(shared, "weight", 3.0);
}

static fourbar_status step_simulation(void *shared) {
    return fourbar_simulation_step(shared, 1e-3);
}

static fourbar_status read_mechanism(void *shared) {
    fourbar_mechanism_figures figures;
    const fourbar_status status = fourbar_mechanism_get_figures(shared, &figures, sizeof figures);
    CHECK(figures.bodies == 1 && figures.constraint_rows == 5);
    return status;
}

static fourbar_status evaluate_equations(void *shared) {
    double y[25] = {0.0}, residual[25];
    y[4] = 1.5;
    return fourbar_mechanism_equations_residual(shared, 0.0, y, y, residual, 25);
}

typedef struct {
    fourbar_simulation *simulation;
    fourbar_simulation_state *saved;
} saved_simulation;

static fourbar_status read_saved(void *shared) {
    saved_simulation *of = shared;
    uint8_t bytes[16384];
    size_t needed = 0;
    return fourbar_simulation_state_to_bytes(of->simulation, of->saved, bytes, sizeof bytes, &needed);
}

static void mechanisms(void) {
    fourbar_model *model = pendulum_model(NULL);
    fourbar_mechanism *mechanism = NULL;
    fourbar_mechanism_equations *equations = NULL;
    fourbar_simulation *simulation = NULL;
    saved_simulation of;
    double time = 0.0;
    int made;
    by_two(name_parameter, model, 500);
    mechanism = compiled(model);
    CHECK(by_two(read_mechanism, mechanism, 200) == 400);
    OK(fourbar_mechanism_equations_new(mechanism, FOURBAR_FORMULATION_SI2, &equations));
    by_two(evaluate_equations, equations, 500);
    fourbar_mechanism_equations_free(equations);
    simulation = begun(mechanism);
    made = by_two(step_simulation, simulation, 100);
    OK(fourbar_simulation_time(simulation, &time, NULL));
    CHECK(fabs(time - 1e-3 * made) < 1e-9);
    of.simulation = simulation;
    OK(fourbar_simulation_save(simulation, &of.saved));
    by_two(read_saved, &of, 100);
    fourbar_simulation_state_free(of.saved);
    fourbar_simulation_free(simulation);
}

static int32_t decay(void *user, double t, const double *y, double *yp) {
    (void)user, (void)t;
    yp[0] = -y[0];
    return 0;
}

static fourbar_status read_problem(void *shared) {
    double y = 2.0, yp = 0.0;
    const fourbar_status status = fourbar_problem_consistent_start(shared, 0.0, &y, &yp, 1, NULL);
    CHECK(yp == -2.0);
    return status;
}

static fourbar_status step_integration(void *shared) {
    int32_t stop = 0;
    return fourbar_integration_step(shared, &stop);
}

typedef struct {
    fourbar_integration *integration;
    fourbar_integration_state *saved;
} saved_integration;

static fourbar_status save_integration(void *shared) {
    saved_integration *of = shared;
    return fourbar_integration_save_into(of->integration, of->saved);
}

static void problems(void) {
    fourbar_equations equations;
    fourbar_problem *problem = NULL;
    fourbar_solver_statistics statistics;
    saved_integration of = {NULL, NULL};
    const double y = 1.0;
    int made;
    OK(fourbar_equations_init(&equations, sizeof equations));
    equations.dimension = 1;
    equations.rhs = decay;
    OK(fourbar_problem_new(&equations, &problem));
    CHECK(by_two(read_problem, problem, 200) == 400);
    OK(fourbar_integration_new(problem, NULL, 0.0, &y, NULL, 1, &of.integration));
    made = by_two(step_integration, of.integration, 200);
    OK(fourbar_integration_get_statistics(of.integration, &statistics, sizeof statistics));
    CHECK(statistics.steps == (uint64_t)made);
    OK(fourbar_integration_save(of.integration, &of.saved));
    by_two(save_integration, &of, 200);
    fourbar_integration_state_free(of.saved);
    fourbar_integration_free(of.integration);
    fourbar_problem_free(problem);
}

typedef struct {
    fourbar_contact_solver *solver;
    fourbar_contact_problem *problem;
} solving;

static fourbar_status solve(void *shared) {
    solving *of = shared;
    return fourbar_contact_solver_solve(of->solver, of->problem, NULL, 0);
}

static fourbar_status read_contact_problem(void *shared) {
    size_t rows = 0;
    const fourbar_status status = fourbar_contact_problem_size(shared, NULL, NULL, &rows);
    CHECK(rows == 2);
    return status;
}

static void contacts(void) {
    const double m[4] = {2.0, 1.0, 1.0, 2.0}, q[2] = {-5.0, -6.0};
    double z[2] = {0.0, 0.0};
    solving of = {NULL, NULL};
    OK(fourbar_lcp_new(2, m, q, &of.problem));
    CHECK(by_two(read_contact_problem, of.problem, 200) == 400);
    OK(fourbar_contact_solver_new(NULL, &of.solver));
    by_two(solve, &of, 200);
    OK(fourbar_contact_solver_get(of.solver, z, NULL, 2, NULL, 0));
    CHECK(fabs(z[0] - 4.0 / 3.0) < 1e-9);
    fourbar_contact_solver_free(of.solver);
    fourbar_contact_problem_free(of.problem);
}

static const char OSCILLATOR[] =
    "type = \"coupled\"\nname = \"oscillator\"\n[simulation]\nend = 10\nstep = 0.01\norder = 0\nalgorithm = \"jacobi\"\n"
    "[[simulator]]\nname = \"mass\"\n[simulator.equations]\nsolver_step = 1e-2\n"
    "state = [{ name = \"x\", start = 1, rate = \"v\" }, { name = \"v\", rate = \"-x\" }]\n"
    "output = [{ name = \"x\", unit = \"m\", value = \"x\" }]\n";

static fourbar_status step_coupling(void *shared) {
    return fourbar_coupling_step(shared, NULL);
}

static void couplings(void) {
    fourbar_coupling *coupling = NULL;
    double time = 0.0;
    int made;
    OK(fourbar_coupling_from_toml(OSCILLATOR, NULL, NULL, &coupling));
    OK(fourbar_coupling_start(coupling));
    made = by_two(step_coupling, coupling, 50);
    OK(fourbar_coupling_time(coupling, &time, NULL));
    CHECK(fabs(time - 0.01 * made) < 1e-9);
    fourbar_coupling_free(coupling);
}

static fourbar_status read_run(void *shared) {
    size_t columns = 0;
    const fourbar_status status = fourbar_run_size(shared, &columns, NULL);
    CHECK(status != FOURBAR_OK || columns == 1);
    return status;
}

static fourbar_status write_row(void *shared) {
    static const double value = 1.0;
    return fourbar_csv_write(shared, 1.0, &value, 1);
}

static void results(void) {
    const char *const names[1] = {"value"};
    fourbar_run *run = NULL;
    fourbar_csv *csv = NULL;
    OK(fourbar_run_from_toml(OSCILLATOR, NULL, NULL, &run));
    by_two(read_run, run, 200);
    fourbar_run_free(run);
    OK(fourbar_csv_new("/dev/null", names, NULL, 1, &csv));
    by_two(write_row, csv, 200);
    fourbar_csv_free(csv);
}

int main(void) {
    linear_systems();
    mechanisms();
    problems();
    contacts();
    couplings();
    results();
    return 0;
}
