/* Whole runs of models that are built call by call, and of those with functions of the host. */
#include "pendulum.h"

static int32_t still(void *user, double time, const double *arguments, size_t count, double *value) {
    const double *until = user;
    (void)arguments;
    CHECK(count == 1);
    if (time > *until) {
        fourbar_callback_error("the host says no");
        return -1;
    }
    *value = -3.0 * arguments[0];
    return 0;
}

static const char *const ARGUMENTS[1] = {"angle"};
static const char SPRING[] = "[[force]]\nname = \"spring\"\ntype = \"axial_torque\"\ni = \"rod\"\nj = \"ground\"\nvalue = \"-3*angle\"\n";

static double last(fourbar_run *run, size_t column) {
    size_t columns = 0, rows = 0;
    double *values, end;
    OK(fourbar_run_size(run, &columns, &rows));
    CHECK(column < columns && rows > 0);
    values = malloc(rows * sizeof *values);
    CHECK(values != NULL);
    OK(fourbar_run_series(run, column, values, rows));
    end = values[rows - 1];
    free(values);
    return end;
}

static double end_of(fourbar_model *model, const fourbar_run_options *options) {
    fourbar_run *run = NULL;
    int32_t outcome = 0;
    double end;
    OK(fourbar_run_from_model(model, options, &run));
    OK(fourbar_run_execute(run, &outcome));
    CHECK(outcome == FOURBAR_OUTCOME_DONE);
    end = last(run, 0);
    fourbar_run_free(run);
    return end;
}

int main(void) {
    fourbar_model *model = pendulum_model(SPRING), *empty = NULL;
    fourbar_simulation *simulation;
    fourbar_run *run = NULL;
    fourbar_run_options options;
    double until = 1e9, expression, function;
    int32_t outcome = 0;
    char summary[8192];
    size_t needed = 0;
    OK(fourbar_run_options_init(&options, sizeof options));
    FAILS(fourbar_run_from_model(model, NULL, &run), FOURBAR_INVALID, "no end time");
    CHECK(strcmp(fourbar_model_error(model), fourbar_last_error()) == 0);
    options.end = 0.5;
    expression = end_of(model, &options);
    OK(fourbar_model_set_force_function(model, "spring", ARGUMENTS, 1, still, NULL, &until));
    function = end_of(model, &options);
    CHECK(fabs(function - expression) <= 1e-7 * fabs(expression));

    /* A function that fails half way: the rows before it stand, and the summary has its reason. */
    OK(fourbar_run_from_model(model, &options, &run));
    until = 0.25;
    OK(fourbar_run_execute(run, &outcome));
    CHECK(outcome == FOURBAR_OUTCOME_FAILED);
    OK(fourbar_run_summary(run, summary, sizeof summary, &needed));
    CHECK(strstr(summary, "the host says no") != NULL);
    fourbar_run_free(run);
    run = NULL;
    until = -1.0;
    FAILS(fourbar_run_from_model(model, &options, &run), FOURBAR_CALLBACK, "the host says no");
    until = 1e9;
    OK(fourbar_model_set_force_function(model, "spring", NULL, 0, NULL, NULL, NULL));
    options.step = 0.1;
    FAILS(fourbar_run_from_model(model, &options, &run), FOURBAR_UNSUPPORTED, "step");
    options.struct_size = 1;
    FAILS(fourbar_run_from_model(model, &options, &run), FOURBAR_STRUCT_SIZE, "is 1");
    FAILS(fourbar_run_from_model(NULL, NULL, &run), FOURBAR_NULL, "model");
    FAILS(fourbar_run_from_model(model, NULL, NULL), FOURBAR_NULL, "out");
    OK(fourbar_model_new(&empty));
    /* The run of the model is as a simulation of it. */
    simulation = begun(compiled(model));
    OK(fourbar_simulation_step_to(simulation, 0.5));
    OK(fourbar_simulation_measure(simulation, "angle", &function));
    CHECK(fabs(function - expression) <= 1e-6 * fabs(expression));
    fourbar_simulation_free(simulation);
    OK(fourbar_run_options_init(&options, sizeof options));
    options.end = 1.0;
    FAILS(fourbar_run_from_model(empty, &options, &run), FOURBAR_INVALID, "body");
    CHECK(run == NULL);
    fourbar_model_free(empty);
    return 0;
}
