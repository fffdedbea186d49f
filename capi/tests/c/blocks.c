/* Blocks added call by call: a transfer function, a linear system by its matrices, a controller; their outputs, and every wrong use. */
#include "check.h"
#include <math.h>

static void begin(fourbar_model **model) {
    fourbar_body body;
    OK(fourbar_model_new(model));
    OK(fourbar_body_init(&body, sizeof body));
    body.name = "b";
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    OK(fourbar_model_add_body(*model, &body));
}

static double measure(fourbar_simulation *simulation, const char *name) {
    double value = NAN;
    OK(fourbar_simulation_measure(simulation, name, &value));
    return value;
}

/* 1/(s^2 + 3 s + 2) as polynomials and as matrices, and an integrator with a limit, after a step of 1. */
static void outputs(void) {
    static const double numerator[1] = {1.0}, denominator[3] = {1.0, 3.0, 2.0};
    /* Column after column. */
    static const double a[4] = {0.0, -2.0, 1.0, -3.0}, b[2] = {0.0, 1.0}, c[4] = {1.0, 0.0, 0.0, 1.0}, start[2] = {0.0, 0.0};
    static const char *const inputs[1] = {"1"};
    fourbar_model *model;
    fourbar_mechanism *mechanism = NULL;
    fourbar_simulation *simulation = NULL;
    fourbar_simulation_options options;
    fourbar_state_space space;
    fourbar_pid pid;
    const double end = 0.75, response = 0.5 - exp(-end) + 0.5 * exp(-2.0 * end), rate = exp(-end) - exp(-2.0 * end);
    begin(&model);
    OK(fourbar_model_add_transfer_function(model, "tf", NULL, "1", numerator, 1, denominator, 3));
    OK(fourbar_state_space_init(&space, sizeof space));
    space.name = "ss";
    space.unit = "m";
    space.inputs = inputs;
    space.input_count = 1;
    space.state_count = space.output_count = 2;
    space.a = a;
    space.b = b;
    space.c = c;
    space.start = start;
    OK(fourbar_model_add_state_space(model, &space));
    OK(fourbar_pid_init(&pid, sizeof pid));
    CHECK(pid.kp == 0.0 && isinf(pid.lower) && isinf(pid.upper) && isnan(pid.filter) && isnan(pid.tracking));
    pid.name = "pid";
    pid.input = "1";
    pid.kp = 0.25;
    pid.ki = 1.0;
    pid.start = 0.125;
    OK(fourbar_model_add_pid(model, &pid));
    OK(fourbar_model_compile(model, &mechanism));
    OK(fourbar_simulation_options_init(&options, sizeof options));
    options.tolerance = 1e-10;
    OK(fourbar_simulation_new(mechanism, &options, &simulation));
    OK(fourbar_simulation_step_to(simulation, end));
    CHECK(fabs(measure(simulation, "tf") - response) < 1e-8);
    CHECK(fabs(measure(simulation, "ss.y1") - response) < 1e-8);
    CHECK(fabs(measure(simulation, "ss.y2") - rate) < 1e-8);
    CHECK(fabs(measure(simulation, "pid") - (0.25 + 0.125 + end)) < 1e-8);
    fourbar_simulation_free(simulation);
    fourbar_mechanism_free(mechanism);
    fourbar_model_free(model);
}

static void misuse(void) {
    static const double one[1] = {1.0}, bad[1] = {NAN};
    static const char *const inputs[1] = {"1"}, *const wrong[1] = {"1 +"};
    fourbar_model *model;
    fourbar_mechanism *mechanism = NULL;
    fourbar_state_space space;
    fourbar_pid pid;
    begin(&model);
    FAILS(fourbar_model_add_transfer_function(NULL, "t", NULL, "1", one, 1, one, 1), FOURBAR_NULL, "model");
    FAILS(fourbar_model_add_transfer_function(model, NULL, NULL, "1", one, 1, one, 1), FOURBAR_NULL, "name");
    FAILS(fourbar_model_add_transfer_function(model, "t", NULL, NULL, one, 1, one, 1), FOURBAR_NULL, "input");
    FAILS(fourbar_model_add_transfer_function(model, "t", NULL, "1 +", one, 1, one, 1), FOURBAR_INVALID, "input");
    FAILS(fourbar_model_add_transfer_function(model, "t", NULL, "1", NULL, 1, one, 1), FOURBAR_NULL, "numerator");
    FAILS(fourbar_model_add_transfer_function(model, "t", NULL, "1", one, 1, NULL, 1), FOURBAR_NULL, "denominator");
    FAILS(fourbar_model_add_transfer_function(model, "t", NULL, "1", bad, 1, one, 1), FOURBAR_NOT_FINITE, "numerator");
    FAILS(fourbar_model_add_transfer_function(model, "t", NULL, "1", one, 1, bad, 1), FOURBAR_NOT_FINITE, "denominator");

    FAILS(fourbar_state_space_init(NULL, sizeof space), FOURBAR_NULL, "fourbar_state_space");
    FAILS(fourbar_state_space_init(&space, 1), FOURBAR_STRUCT_SIZE, "struct_size");
    OK(fourbar_state_space_init(&space, sizeof space));
    FAILS(fourbar_model_add_state_space(NULL, &space), FOURBAR_NULL, "model");
    FAILS(fourbar_model_add_state_space(model, NULL), FOURBAR_NULL, "block");
    FAILS(fourbar_model_add_state_space(model, &space), FOURBAR_NULL, "name");
    space.name = "s";
    space.input_count = space.state_count = space.output_count = 1;
    FAILS(fourbar_model_add_state_space(model, &space), FOURBAR_NULL, "inputs");
    space.inputs = wrong;
    FAILS(fourbar_model_add_state_space(model, &space), FOURBAR_INVALID, "inputs");
    space.inputs = inputs;
    FAILS(fourbar_model_add_state_space(model, &space), FOURBAR_NULL, "'a'");
    space.a = space.b = one;
    FAILS(fourbar_model_add_state_space(model, &space), FOURBAR_NULL, "'c'");
    space.c = bad;
    FAILS(fourbar_model_add_state_space(model, &space), FOURBAR_NOT_FINITE, "'c'");
    space.c = one;
    space.d = bad;
    FAILS(fourbar_model_add_state_space(model, &space), FOURBAR_NOT_FINITE, "'d'");
    space.d = NULL;
    space.start = bad;
    FAILS(fourbar_model_add_state_space(model, &space), FOURBAR_NOT_FINITE, "start");
    space.start = NULL;
    space.state_count = (size_t)-1;
    FAILS(fourbar_model_add_state_space(model, &space), FOURBAR_INVALID, "exceeds the memory");
    space.struct_size = 5000;
    FAILS(fourbar_model_add_state_space(model, &space), FOURBAR_STRUCT_SIZE, "struct_size");

    FAILS(fourbar_pid_init(NULL, sizeof pid), FOURBAR_NULL, "fourbar_pid");
    FAILS(fourbar_pid_init(&pid, 1), FOURBAR_STRUCT_SIZE, "struct_size");
    OK(fourbar_pid_init(&pid, sizeof pid));
    FAILS(fourbar_model_add_pid(NULL, &pid), FOURBAR_NULL, "model");
    FAILS(fourbar_model_add_pid(model, NULL), FOURBAR_NULL, "pid");
    FAILS(fourbar_model_add_pid(model, &pid), FOURBAR_NULL, "name");
    pid.name = "p";
    FAILS(fourbar_model_add_pid(model, &pid), FOURBAR_NULL, "input");
    pid.input = "1 +";
    FAILS(fourbar_model_add_pid(model, &pid), FOURBAR_INVALID, "input");
    pid.input = "1";
    pid.kp = NAN;
    FAILS(fourbar_model_add_pid(model, &pid), FOURBAR_NOT_FINITE, "kp");
    pid.kp = 1.0;
    pid.lower = NAN;
    FAILS(fourbar_model_add_pid(model, &pid), FOURBAR_NOT_FINITE, "lower");
    pid.lower = 2.0;
    pid.upper = 1.0;
    OK(fourbar_model_add_pid(model, &pid));
    FAILS(fourbar_model_compile(model, &mechanism), FOURBAR_INVALID, "pid \"p\"");
    fourbar_model_free(model);
}

int main(void) {
    outputs();
    misuse();
    return 0;
}
