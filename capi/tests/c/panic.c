/* Panics inside the library, provoked: each becomes a status, poisons the handle it hit and nothing else, and the host goes on. */
#include <fourbar_partner.h>

#include "pendulum.h"

/* Not in the header, and only in a library built with debug assertions: the next call on this thread panics inside. */
void fourbar_provoke_panic(void);

#define PANICS(call) FAILS(call, FOURBAR_PANIC, "an error inside fourbar")
#define POISONED(call) FAILS(call, FOURBAR_POISONED, "can only be freed")

/* Of a handle that a panic hit every call is refused, its own text stays, and its neighbour knows nothing of it. */
static void steppers(void) {
    const double a[1] = {-2.0}, b[1] = {2.0}, c[1] = {1.0}, d[1] = {0.0}, u[1] = {1.0};
    double y[1] = {7.0}, expected[1];
    fourbar_system *system = NULL;
    fourbar_stepper *hit = NULL, *other = NULL;
    fourbar_stepper_state *saved = NULL;
    uint64_t steps = 0;
    int k;
    OK(fourbar_system_new(1, 1, 1, a, b, c, d, &system));
    OK(fourbar_stepper_new(system, 0.25, NULL, &hit));
    OK(fourbar_stepper_new(system, 0.25, NULL, &other));
    OK(fourbar_stepper_set_input(hit, u, 1));
    OK(fourbar_stepper_set_input(other, u, 1));
    fourbar_provoke_panic();
    PANICS(fourbar_stepper_step(hit, u, 1, y, 1));
    CHECK(y[0] == 7.0);
    CHECK(strcmp(fourbar_stepper_error(hit), fourbar_last_error()) == 0);
    for (k = 1; k <= 8; k++) {
        POISONED(fourbar_stepper_step(hit, u, 1, y, 1));
        OK(fourbar_stepper_step(other, u, 1, y, 1));
        CHECK(fabs(y[0] - (1.0 - exp(-0.5 * k))) < 1e-15);
    }
    POISONED(fourbar_stepper_time(hit, NULL, &steps));
    POISONED(fourbar_stepper_save(hit, &saved));
    POISONED(fourbar_stepper_reset(hit));
    CHECK(saved == NULL);
    /* A poisoned one as the second object of a call keeps that call from its work, and the first object goes on. */
    POISONED(fourbar_stepper_continue_from(other, hit));
    OK(fourbar_stepper_step(other, u, 1, y, 1));
    fourbar_stepper_free(hit);
    /* Saved and put back afterwards, to the last bit. */
    OK(fourbar_stepper_save(other, &saved));
    OK(fourbar_stepper_step(other, u, 1, expected, 1));
    OK(fourbar_stepper_restore(other, saved));
    OK(fourbar_stepper_step(other, u, 1, y, 1));
    CHECK(y[0] == expected[0]);
    fourbar_stepper_state_free(saved);
    /* What was not made yet leaves nothing behind. */
    hit = NULL;
    fourbar_provoke_panic();
    PANICS(fourbar_stepper_new(system, 0.25, NULL, &hit));
    CHECK(hit == NULL);
    fourbar_stepper_free(other);
    fourbar_system_free(system);
}

/* Panics in the midst of a step, below the integrator, right after a function of the host failed. */
static int32_t armed(void *user, double t, const double *y, double *f) {
    f[0] = -y[0];
    if (t > *(const double *)user) {
        fourbar_provoke_panic();
        return -1;
    }
    return 0;
}

static fourbar_integration *decay(double *armed_after) {
    fourbar_equations equations;
    fourbar_problem *problem = NULL;
    fourbar_integration *integration = NULL;
    const double y[1] = {1.0};
    OK(fourbar_equations_init(&equations, sizeof equations));
    equations.user = armed_after;
    equations.dimension = 1;
    equations.rhs = armed;
    OK(fourbar_problem_new(&equations, &problem));
    OK(fourbar_integration_new(problem, NULL, 0.0, y, NULL, 1, &integration));
    fourbar_problem_free(problem);
    return integration;
}

static void integrations(void) {
    double after = 0.5, never = 1e9, y[1];
    fourbar_integration *hit = decay(&after), *other = decay(&never);
    int32_t stop = 0;
    PANICS(fourbar_integration_run(hit, 1.0, &stop));
    POISONED(fourbar_integration_run(hit, 1.0, &stop));
    POISONED(fourbar_integration_get_state(hit, y, NULL, 1));
    fourbar_integration_free(hit);
    OK(fourbar_integration_run(other, 1.0, &stop));
    OK(fourbar_integration_get_state(other, y, NULL, 1));
    CHECK(fabs(y[0] - exp(-1.0)) < 1e-3);
    fourbar_integration_free(other);
}

/* A force that fails in one of two simulations of one mechanism, which they share: the mechanism and the other one are whole. */
static int32_t torque(void *user, double time, const double *arguments, size_t count, double *value) {
    (void)arguments, (void)count;
    if (time > *(const double *)user) {
        fourbar_provoke_panic();
        return -1;
    }
    *value = 0.0;
    return 0;
}

static void simulations(void) {
    static const char spring[] = "[[force]]\nname = \"none\"\ntype = \"axial_torque\"\ni = \"rod\"\nj = \"ground\"\nvalue = 0\n";
    static const char *const arguments[1] = {"angle"};
    fourbar_model *model = pendulum_model(spring);
    fourbar_mechanism *mechanism = NULL;
    fourbar_simulation *hit = NULL, *other = NULL;
    double after = 0.5, angle = 0.0, time = 0.0;
    OK(fourbar_model_set_force_function(model, "none", arguments, 1, torque, NULL, &after));
    mechanism = compiled(model);
    OK(fourbar_simulation_new(mechanism, NULL, &hit));
    OK(fourbar_simulation_new(mechanism, NULL, &other));
    PANICS(fourbar_simulation_step_to(hit, 1.0));
    POISONED(fourbar_simulation_time(hit, &time, NULL));
    POISONED(fourbar_simulation_measure(hit, "angle", &angle));
    fourbar_simulation_free(hit);
    /* Half a period after it was let go the rod stands still on the other side. */
    after = 1e9;
    OK(fourbar_simulation_step_to(other, 1.0));
    OK(fourbar_simulation_measure(other, "angle", &angle));
    CHECK(fabs(fabs(angle) - PI) < 1e-5);
    fourbar_simulation_free(other);
    /* What never changes cannot be left half changed. */
    hit = NULL;
    fourbar_provoke_panic();
    PANICS(fourbar_simulation_new(mechanism, NULL, &hit));
    CHECK(hit == NULL);
    fourbar_simulation_free(begun(mechanism));
}

/* A partner of the host after whose second step fourbar panics, on the thread that steps the coupling or on one of its own. */
static const fourbar_partner_variable frail_variables[1] = {
    {sizeof(fourbar_partner_variable), "x", "m", 0.0, 1.0, NULL, 0, FOURBAR_PARTNER_OUTPUT}};
static const fourbar_partner_description frail_description = {
    sizeof(fourbar_partner_description), FOURBAR_PARTNER_VERSION, 0, 0, 1, frail_variables, 0.0};

static int32_t frail_exchange(void *instance, fourbar_partner_data *data, char *error, size_t error_size) {
    int *steps = instance;
    (void)error, (void)error_size;
    data->outputs[0] = data->reached = data->time + data->step;
    if (data->step > 0.0 && ++*steps == 2) {
        fourbar_provoke_panic();
    }
    return FOURBAR_PARTNER_OK;
}

static void frail_destroy(void *instance) { *(int *)instance += 100; }

static void partners(int32_t thread) {
    fourbar_coupling_options options;
    fourbar_partner_functions functions;
    fourbar_partner_place place;
    fourbar_coupling *coupling = NULL;
    double time = 0.0;
    int steps = 0;
    int32_t state = 0;
    OK(fourbar_coupling_options_init(&options, sizeof options));
    options.step = 0.1;
    options.end = 1.0;
    OK(fourbar_coupling_new(&options, &coupling));
    OK(fourbar_partner_functions_init(&functions, sizeof functions));
    functions.description = &frail_description;
    functions.user = &steps;
    functions.exchange = frail_exchange;
    functions.destroy = frail_destroy;
    OK(fourbar_partner_place_init(&place, sizeof place));
    place.thread = thread;
    OK(fourbar_coupling_add_functions(coupling, "frail", &functions, &place));
    OK(fourbar_coupling_step(coupling, &state));
    CHECK(state == FOURBAR_RUN_RUNNING && steps == 1);
    FAILS(fourbar_coupling_run_to(coupling, 1.0, &state), FOURBAR_PANIC, "provoked by a test");
    CHECK(steps == 2 || steps == 102); /* with its thread goes its instance */
    CHECK(strcmp(fourbar_coupling_error(coupling), fourbar_last_error()) == 0);
    CHECK(!thread || strstr(fourbar_last_error(), "\"frail\"") != NULL);
    POISONED(fourbar_coupling_step(coupling, &state));
    POISONED(fourbar_coupling_time(coupling, &time, &state));
    fourbar_coupling_free(coupling);
    CHECK(steps == 102);
}

/* What the panic said goes to the log and into the text; into the streams of the host goes nothing, which the caller of this program sees. */
static int heard = 0;

static void listen(void *user, int32_t level, const char *text) {
    CHECK(user == &heard && level == FOURBAR_LOG_WARNING);
    CHECK(strstr(text, "provoked by a test") != NULL);
    heard++;
}

static void words(void) {
    const double a[1] = {-2.0};
    fourbar_system *system = NULL;
    OK(fourbar_log_set(listen, &heard));
    heard = 0;
    fourbar_provoke_panic();
    FAILS(fourbar_system_new(1, 0, 0, a, NULL, NULL, NULL, &system), FOURBAR_PANIC, "provoked by a test");
    OK(fourbar_log_set(NULL, NULL));
    CHECK(heard == 1);
}

int main(void) {
    int round;
    /* Again and again: nothing is used up. */
    for (round = 0; round < 3; round++) {
        steppers();
        integrations();
        simulations();
        partners(0);
        partners(1);
        words();
    }
    return 0;
}
