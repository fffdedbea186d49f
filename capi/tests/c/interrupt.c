/* Calls that take long are interrupted: by a thread, by a signal handler, from a function of the host, and before they begin. */
#define _POSIX_C_SOURCE 200809L
#include "pendulum.h"
#include <pthread.h>
#include <signal.h>
#include <time.h>

static fourbar_interrupt *interrupt;

/* Time enough for a call to be under way, in tenths of a second. */
static int patience = 1;

static void wait_a_little(void) {
    struct timespec time;
    time.tv_sec = patience / 10;
    time.tv_nsec = (long)(patience % 10) * 100 * 1000 * 1000;
    nanosleep(&time, NULL);
}

static void *raises(void *unused) {
    wait_a_little();
    OK(fourbar_interrupt_raise(interrupt));
    return unused;
}

/* Runs `call`, which has no end, while another thread raises the interrupt. */
#define INTERRUPTED(call)                                                                            \
    do {                                                                                             \
        pthread_t thread;                                                                            \
        CHECK(pthread_create(&thread, NULL, raises, NULL) == 0);                                     \
        FAILS(call, FOURBAR_INTERRUPTED, "interrupted");                                             \
        pthread_join(thread, NULL);                                                                  \
    } while (0)

/* It stands at the end of its last step, can be read while the interrupt is raised, and goes on when it is lowered. */
static void goes_on(fourbar_simulation *simulation, const char *measure) {
    double time = 0.0, value = NAN, again = NAN;
    OK(fourbar_simulation_time(simulation, &time, NULL));
    OK(fourbar_simulation_measure(simulation, measure, &value));
    FAILS(fourbar_simulation_step(simulation, 1e-3), FOURBAR_INTERRUPTED, "interrupted");
    OK(fourbar_simulation_measure(simulation, measure, &again));
    /* On a busy machine under Valgrind the first step may be the one that is interrupted. */
    CHECK(time >= 0.0 && value == again);
    OK(fourbar_interrupt_lower(interrupt));
    OK(fourbar_simulation_step_to(simulation, time + 1e-3));
    OK(fourbar_simulation_time(simulation, &again, NULL));
    CHECK(again == time + 1e-3);
}

static void simulations(void) {
    const int32_t following[2] = {FOURBAR_FOLLOWING_EVENT, FOURBAR_FOLLOWING_MOREAU_JEAN};
    fourbar_simulation *simulation = begun(compiled(pendulum_model(NULL)));
    int k;
    INTERRUPTED(fourbar_simulation_step_to(simulation, 1e9));
    goes_on(simulation, "angle");
    /* What makes an object or a result makes none. */
    {
        fourbar_system *system = NULL;
        double before[13], after[13];
        OK(fourbar_simulation_get_state(simulation, before, 13));
        OK(fourbar_interrupt_raise(interrupt));
        FAILS(fourbar_simulation_linearize(simulation, NULL, 0, NULL, &system), FOURBAR_INTERRUPTED, "interrupted");
        FAILS(fourbar_simulation_find_equilibrium(simulation, NULL, NULL), FOURBAR_INTERRUPTED, "interrupted");
        CHECK(system == NULL && strcmp(fourbar_simulation_error(simulation), fourbar_last_error()) == 0);
        OK(fourbar_simulation_get_state(simulation, after, 13));
        CHECK(memcmp(before, after, sizeof before) == 0);
        OK(fourbar_interrupt_lower(interrupt));
        OK(fourbar_simulation_linearize(simulation, NULL, 0, NULL, &system));
        fourbar_system_free(system);
    }
    fourbar_simulation_free(simulation);
    /* Contacts, event by event and in fixed steps. */
    for (k = 0; k < 2; k++) {
        fourbar_model *model = NULL;
        fourbar_mechanism *mechanism = NULL;
        fourbar_simulation_options options;
        fourbar_mechanism_figures figures;
        char measure[64];
        OK(fourbar_model_from_file("models/fourbar-impact.toml", &model));
        mechanism = compiled(model);
        OK(fourbar_mechanism_get_figures(mechanism, &figures, sizeof figures));
        CHECK(figures.measures > 0);
        OK(fourbar_mechanism_name(mechanism, FOURBAR_PART_MEASURE, 0, measure, sizeof measure, NULL));
        OK(fourbar_simulation_options_init(&options, sizeof options));
        options.following = following[k];
        *(k == 0 ? &options.largest_step : &options.fixed_step) = 1e-4;
        simulation = NULL;
        OK(fourbar_simulation_new(mechanism, &options, &simulation));
        fourbar_mechanism_free(mechanism);
        INTERRUPTED(fourbar_simulation_step_to(simulation, 1e5));
        goes_on(simulation, measure);
        fourbar_simulation_free(simulation);
    }
}

static void compiling(void) {
    fourbar_model *model = pendulum_model(NULL);
    fourbar_mechanism *mechanism = NULL;
    OK(fourbar_interrupt_raise(interrupt));
    FAILS(fourbar_model_compile(model, &mechanism), FOURBAR_INTERRUPTED, "interrupted");
    CHECK(mechanism == NULL);
    OK(fourbar_interrupt_lower(interrupt));
    OK(fourbar_model_compile(model, &mechanism));
    fourbar_mechanism_free(mechanism);
    fourbar_model_free(model);
}

static int32_t swings(void *user, double t, const double *y, double *f) {
    (void)user, (void)t;
    f[0] = y[1];
    f[1] = -y[0];
    return 0;
}

static void integrations(void) {
    const double y[2] = {1.0, 0.0};
    int32_t method;
    for (method = FOURBAR_INTEGRATOR_GSTIFF; method <= FOURBAR_INTEGRATOR_ABAM; method++) {
        fourbar_equations equations;
        fourbar_integration_options options;
        fourbar_problem *problem = NULL;
        fourbar_integration *integration = NULL;
        int32_t stop = 0;
        double time = 0.0;
        OK(fourbar_equations_init(&equations, sizeof equations));
        equations.dimension = 2;
        equations.rhs = swings;
        OK(fourbar_problem_new(&equations, &problem));
        OK(fourbar_integration_options_init(&options, sizeof options));
        options.integrator = method;
        OK(fourbar_integration_new(problem, &options, 0.0, y, NULL, 2, &integration));
        INTERRUPTED(fourbar_integration_run(integration, 1e9, &stop));
        OK(fourbar_integration_time(integration, &time, NULL));
        CHECK(time > 0.0);
        OK(fourbar_interrupt_lower(interrupt));
        OK(fourbar_integration_run(integration, time + 1.0, &stop));
        CHECK(stop == FOURBAR_STOP_END);
        fourbar_integration_free(integration);
        fourbar_problem_free(problem);
    }
}

/* After so many calls. */
static int32_t raises_itself(void *user, double t, double *u, size_t m) {
    int *calls = user;
    (void)t, (void)m;
    u[0] = 1.0;
    return ++*calls == 1000 && fourbar_interrupt_raise(interrupt) != FOURBAR_OK;
}

static void linear_systems(void) {
    enum { N = 120, STEPS = 200000 };
    const double one[1] = {-1.0}, in[1] = {1.0}, none[1] = {0.0};
    double *a = calloc(N * N, sizeof *a), *b = calloc(N, sizeof *b), *outputs = calloc(STEPS, sizeof *outputs);
    fourbar_system *system = NULL;
    fourbar_stepper *stepper = NULL;
    fourbar_discretization *discretization = NULL;
    fourbar_hold hold;
    double time = 0.0;
    int calls = 0, i;
    CHECK(a != NULL && b != NULL && outputs != NULL);
    OK(fourbar_hold_init(&hold, sizeof hold));
    OK(fourbar_system_new(1, 1, 1, one, in, in, none, &system));
    OK(fourbar_stepper_new(system, 1e-3, &hold, &stepper));
    FAILS(fourbar_stepper_simulate(stepper, raises_itself, &calls, outputs, STEPS), FOURBAR_INTERRUPTED, "interrupted");
    OK(fourbar_stepper_time(stepper, &time, NULL));
    CHECK(calls == 1000 && time > 0.0 && time < 1.0);
    OK(fourbar_interrupt_lower(interrupt));
    OK(fourbar_stepper_simulate(stepper, raises_itself, &calls, outputs, 1));
    fourbar_stepper_free(stepper);
    fourbar_system_free(system);
    for (i = 0; i < N * N; i++) {
        a[i] = sin(1.0 + i * i);
    }
    system = NULL;
    OK(fourbar_system_new(N, 1, 0, a, b, NULL, NULL, &system));
    OK(fourbar_interrupt_raise(interrupt));
    FAILS(fourbar_discretization_new(system, 10.0, &hold, &discretization), FOURBAR_INTERRUPTED, "interrupted");
    CHECK(discretization == NULL);
    OK(fourbar_interrupt_lower(interrupt));
    OK(fourbar_discretization_new(system, 10.0, &hold, &discretization));
    fourbar_discretization_free(discretization);
    fourbar_system_free(system);
    free(a);
    free(b);
    free(outputs);
}

static void circuits(void) {
    fourbar_simulator *simulator = NULL;
    double before = 0.0, after = 0.0, time = 0.0;
    OK(fourbar_simulator_from_file("models/hydraulic-axis.toml", &simulator));
    OK(fourbar_simulator_step_to(simulator, 0.01));
    OK(fourbar_interrupt_raise(interrupt));
    OK(fourbar_simulator_measure(simulator, "bottom.pressure", &before));
    FAILS(fourbar_simulator_step_to(simulator, 0.02), FOURBAR_INTERRUPTED, "interrupted");
    OK(fourbar_simulator_measure(simulator, "bottom.pressure", &after));
    OK(fourbar_simulator_time(simulator, &time));
    CHECK(time == 0.01 && before == after);
    OK(fourbar_interrupt_lower(interrupt));
    OK(fourbar_simulator_step_to(simulator, 0.02));
    fourbar_simulator_free(simulator);
}

static const char PAIR[] =
    "type = \"coupled\"\n"
    "[simulation]\n"
    "step = 1e-3\n"
    "[[simulator]]\n"
    "name = \"one\"\n"
    "equations = { input = [{ name = \"u\" }], state = [{ name = \"x\", start = 1, rate = \"u\" }], output = [{ name = \"y\", value = \"x\" }] }\n"
    "[[simulator]]\n"
    "name = \"other\"\n"
    "equations = { input = [{ name = \"u\" }], state = [{ name = \"x\", rate = \"-u\" }], output = [{ name = \"y\", value = \"x\" }] }\n"
    "[[connection]]\n"
    "from = \"one.y\"\n"
    "to = \"other.u\"\n"
    "[[connection]]\n"
    "from = \"other.y\"\n"
    "to = \"one.u\"\n";

static void couplings(void) {
    fourbar_coupling *coupling = NULL;
    int32_t state = 0;
    double time = 0.0, later = 0.0;
    OK(fourbar_coupling_from_toml(PAIR, NULL, NULL, &coupling));
    /* A busy machine may raise it before the first step: then it waits twice as long. */
    for (; time == 0.0 && patience < 1000; patience *= 2) {
        OK(fourbar_interrupt_lower(interrupt));
        INTERRUPTED(fourbar_coupling_run_to(coupling, 1e9, &state));
        OK(fourbar_coupling_time(coupling, &time, &state));
    }
    patience = 1;
    CHECK(time > 0.0 && state == FOURBAR_RUN_RUNNING);
    FAILS(fourbar_coupling_step(coupling, &state), FOURBAR_INTERRUPTED, "interrupted");
    OK(fourbar_interrupt_lower(interrupt));
    OK(fourbar_coupling_step(coupling, &state));
    OK(fourbar_coupling_time(coupling, &later, NULL));
    CHECK(fabs(later - time - 1e-3) < 1e-9);
    fourbar_coupling_free(coupling);
}

/* An interrupted run is one that has an outcome, and rows. */
static void runs(void) {
    fourbar_run *run = NULL;
    fourbar_run_options options;
    int32_t outcome = 0;
    size_t rows = 0;
    pthread_t thread;
    OK(fourbar_run_options_init(&options, sizeof options));
    options.end = 1e5;
    options.output_step = 0.5;
    OK(fourbar_run_from_toml(PENDULUM, NULL, &options, &run));
    CHECK(pthread_create(&thread, NULL, raises, NULL) == 0);
    OK(fourbar_run_execute(run, &outcome));
    pthread_join(thread, NULL);
    OK(fourbar_run_size(run, NULL, &rows));
    CHECK(outcome == FOURBAR_OUTCOME_INTERRUPTED && rows > 0);
    OK(fourbar_interrupt_lower(interrupt));
    fourbar_run_free(run);
}

static void at_a_signal(int number) {
    (void)number;
    if (fourbar_interrupt_raise(interrupt) != FOURBAR_OK) {
        abort();
    }
}

static void *signals(void *unused) {
    wait_a_little();
    raise(SIGINT);
    return unused;
}

static void signal_handlers(void) {
    fourbar_simulation *simulation = begun(compiled(pendulum_model(NULL)));
    pthread_t thread;
    CHECK(signal(SIGINT, at_a_signal) != SIG_ERR);
    CHECK(pthread_create(&thread, NULL, signals, NULL) == 0);
    FAILS(fourbar_simulation_step_to(simulation, 1e9), FOURBAR_INTERRUPTED, "interrupted");
    pthread_join(thread, NULL);
    signal(SIGINT, SIG_DFL);
    OK(fourbar_interrupt_lower(interrupt));
    fourbar_simulation_free(simulation);
}

/* Each thread for itself, until it watches none; what is freed is not raised. */
static void watching(void) {
    fourbar_simulation *simulation = begun(compiled(pendulum_model(NULL)));
    fourbar_interrupt *own = NULL;
    OK(fourbar_interrupt_raise(interrupt));
    OK(fourbar_interrupt_watch(NULL));
    OK(fourbar_simulation_step(simulation, 0.1));
    OK(fourbar_interrupt_new(&own));
    OK(fourbar_interrupt_watch(own));
    OK(fourbar_simulation_step(simulation, 0.1));
    OK(fourbar_interrupt_raise(own));
    FAILS(fourbar_simulation_step(simulation, 0.1), FOURBAR_INTERRUPTED, "interrupted");
    /* Errors keep their names. */
    FAILS(fourbar_simulation_step_to(simulation, -1.0), FOURBAR_INVALID, "before the present time");
    FAILS(fourbar_simulation_set_input(simulation, "u", 0.0, 0.0), FOURBAR_NO_SUCH_NAME, "\"u\"");
    fourbar_interrupt_free(own);
    OK(fourbar_simulation_step(simulation, 0.1));
    OK(fourbar_interrupt_lower(interrupt));
    OK(fourbar_interrupt_watch(interrupt));
    FAILS(fourbar_interrupt_new(NULL), FOURBAR_NULL, "out");
    FAILS(fourbar_interrupt_raise(NULL), FOURBAR_NULL, "interrupt");
    FAILS(fourbar_interrupt_lower(NULL), FOURBAR_NULL, "interrupt");
    fourbar_interrupt_free(NULL);
    CHECK(strcmp(fourbar_status_name(FOURBAR_INTERRUPTED), "FOURBAR_INTERRUPTED") == 0);
    fourbar_simulation_free(simulation);
}

int main(void) {
    OK(fourbar_interrupt_new(&interrupt));
    OK(fourbar_interrupt_watch(interrupt));
    simulations();
    compiling();
    integrations();
    linear_systems();
    circuits();
    couplings();
    runs();
    signal_handlers();
    watching();
    fourbar_interrupt_free(interrupt);
    return 0;
}
