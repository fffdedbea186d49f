/* Circuits and linear systems of model files, stepped by the host: against whole runs of the same files, against a closed form, and misused. */
#include "check.h"

#define MOST 64

/* y' = (u - y)/0.5, with a second output behind it. */
static const char LAG[] =
    "type = \"linear\"\n"
    "[[block]]\n"
    "name = \"y\"\n"
    "type = \"lag\"\n"
    "input = \"u + own\"\n"
    "time_constant = 0.5\n"
    "[[input]]\n"
    "name = \"u\"\n"
    "unit = \"V\"\n"
    "type = \"external\"\n"
    "[[input]]\n"
    "name = \"own\"\n"
    "type = \"step\"\n"
    "time = 1.25\n"
    "after = 1\n"
    "[[output]]\n"
    "name = \"y\"\n"
    "unit = \"V\"\n"
    "from = \"y\"\n"
    "[[output]]\n"
    "name = \"twice\"\n"
    "expression = \"2*y\"\n";

static fourbar_simulator *lag(void) {
    fourbar_simulator *simulator = NULL;
    OK(fourbar_simulator_from_toml(LAG, NULL, &simulator));
    return simulator;
}

/* Steps from output to output of a run are the run, to `tolerance` of the largest value of each column. */
static void against_a_run(const char *path, double end, double output_step, double tolerance) {
    fourbar_simulator *simulator = NULL;
    fourbar_run *run = NULL;
    fourbar_run_options options;
    size_t columns = 0, rows = 0, measures = 0, i, k;
    double *times, *series[MOST], values[MOST], value = 0.0;
    char own[128], other[128];
    int32_t outcome = 0;
    OK(fourbar_run_options_init(&options, sizeof options));
    options.end = end;
    options.output_step = output_step;
    OK(fourbar_run_from_file(path, &options, &run));
    OK(fourbar_run_execute(run, &outcome));
    CHECK(outcome == FOURBAR_OUTCOME_DONE);
    OK(fourbar_run_size(run, &columns, &rows));
    OK(fourbar_simulator_from_file(path, &simulator));
    OK(fourbar_simulator_size(simulator, NULL, &measures));
    CHECK(measures == columns && columns > 0 && columns <= MOST && rows > 10);
    CHECK((times = malloc(rows * sizeof *times)) != NULL);
    OK(fourbar_run_times(run, times, rows));
    for (i = 0; i < columns; i++) {
        size_t place = MOST;
        CHECK((series[i] = malloc(rows * sizeof *times)) != NULL);
        OK(fourbar_run_series(run, i, series[i], rows));
        OK(fourbar_run_column_name(run, i, other, sizeof other, NULL));
        OK(fourbar_simulator_name(simulator, FOURBAR_PART_MEASURE, i, own, sizeof own, NULL));
        CHECK(strcmp(own, other) == 0);
        OK(fourbar_simulator_find(simulator, FOURBAR_PART_MEASURE, other, &place));
        CHECK(place == i);
        OK(fourbar_run_column_unit(run, i, other, sizeof other, NULL));
        OK(fourbar_simulator_unit(simulator, FOURBAR_PART_MEASURE, i, own, sizeof own, NULL));
        CHECK(strcmp(own, other) == 0);
    }
    for (k = 0; k < rows; k++) {
        OK(fourbar_simulator_step_to(simulator, times[k]));
        OK(fourbar_simulator_measures(simulator, values, columns));
        for (i = 0; i < columns; i++) {
            double largest = 0.0;
            size_t j;
            for (j = 0; j < rows; j++) {
                largest = fmax(largest, fabs(series[i][j]));
            }
            /* What stands still does so to round-off. */
            if (!(fabs(values[i] - series[i][k]) <= fmax(tolerance * largest, 1e-15))) {
                OK(fourbar_run_column_name(run, i, other, sizeof other, NULL));
                fprintf(stderr, "%s: %s at t = %g is %.12g, in the run %.12g; largest %g\n", path, other, times[k], values[i],
                        series[i][k], largest);
                exit(1);
            }
        }
    }
    OK(fourbar_simulator_time(simulator, &value));
    CHECK(value == end);
    for (i = 0; i < columns; i++) {
        free(series[i]);
    }
    free(times);
    fourbar_run_free(run);
    fourbar_simulator_free(simulator);
}

/* Steps of fifty time constants under an input that the run of the file interpolates: the file has the closed form beside. */
static void without_interpolation(void) {
    fourbar_simulator *simulator = NULL;
    int k;
    OK(fourbar_simulator_from_file("models/jiang-chai.toml", &simulator));
    for (k = 1; k <= 200; k++) {
        double error = NAN, y = NAN;
        OK(fourbar_simulator_step_to(simulator, k * 5e-3));
        OK(fourbar_simulator_measure(simulator, "y_error", &error));
        OK(fourbar_simulator_measure(simulator, "y", &y));
        CHECK(fabs(error) < 1e-13 && fabs(y) < 5.0);
    }
    fourbar_simulator_free(simulator);
}

/* Steps, ramps, and a jump of the model's own between them. */
static void inputs_and_closed_form(void) {
    fourbar_simulator *simulator = lag();
    double y = 0.0, values[2], input[3], now[3];
    const double e = exp(-1.0);
    size_t inputs = 0, place = 9;
    char text[16];
    OK(fourbar_simulator_size(simulator, &inputs, NULL));
    CHECK(inputs == 1);
    OK(fourbar_simulator_name(simulator, FOURBAR_PART_INPUT, 0, text, sizeof text, NULL));
    CHECK(strcmp(text, "u") == 0);
    OK(fourbar_simulator_unit(simulator, FOURBAR_PART_INPUT, 0, text, sizeof text, NULL));
    CHECK(strcmp(text, "V") == 0);
    OK(fourbar_simulator_find(simulator, FOURBAR_PART_INPUT, "u", &place));
    CHECK(place == 0);
    OK(fourbar_simulator_set_input(simulator, "u", 1.0, 0.0));
    OK(fourbar_simulator_step(simulator, 0.5));
    OK(fourbar_simulator_measure(simulator, "y", &y));
    CHECK(fabs(y - (1.0 - e)) < 1e-15);
    /* A ramp of rate 2: y lags it by the time constant; after half a second. */
    OK(fourbar_simulator_set_input(simulator, "u", 0.0, 2.0));
    OK(fourbar_simulator_step_to(simulator, 1.0));
    y = (y + 1.0) * e + (2.0 * 0.5 - 1.0);
    OK(fourbar_simulator_measures(simulator, values, 2));
    CHECK(fabs(values[0] - y) < 1e-15 && values[1] == 2.0 * values[0]);
    OK(fourbar_simulator_inputs(simulator, now, 3));
    CHECK(now[0] == 1.0 && now[1] == 2.0 && now[2] == 0.0);
    /* Its own input jumps by 1 at 1.25 s, within the step. */
    input[0] = 0.0;
    input[1] = 0.0;
    input[2] = 0.0;
    OK(fourbar_simulator_set_inputs(simulator, input, 3));
    OK(fourbar_simulator_step_to(simulator, 1.5));
    OK(fourbar_simulator_measure(simulator, "y", &values[0]));
    CHECK(fabs(values[0] - (y * e + 1.0 - exp(-0.5))) < 1e-15);
    fourbar_simulator_free(simulator);
}

static void saved_points(void) {
    const char *const files[2] = {"models/hydraulic-axis.toml", "models/servo.toml"};
    int k;
    for (k = 0; k < 2; k++) {
        fourbar_simulator *simulator = NULL, *other = lag();
        fourbar_simulator_state *saved = NULL;
        double first[MOST], again[MOST], time = 0.0;
        size_t measures = 0;
        OK(fourbar_simulator_from_file(files[k], &simulator));
        OK(fourbar_simulator_size(simulator, NULL, &measures));
        OK(fourbar_simulator_step_to(simulator, 0.011));
        OK(fourbar_simulator_save(simulator, &saved));
        OK(fourbar_simulator_step_to(simulator, 0.05));
        OK(fourbar_simulator_measures(simulator, first, measures));
        OK(fourbar_simulator_restore(simulator, saved));
        OK(fourbar_simulator_time(simulator, &time));
        CHECK(time == 0.011);
        OK(fourbar_simulator_step_to(simulator, 0.05));
        OK(fourbar_simulator_measures(simulator, again, measures));
        CHECK(memcmp(first, again, measures * sizeof *first) == 0);
        FAILS(fourbar_simulator_restore(other, saved), FOURBAR_STATE, "another simulator");
        FAILS(fourbar_simulator_restore(simulator, NULL), FOURBAR_NULL, "saved");
        FAILS(fourbar_simulator_restore(NULL, saved), FOURBAR_NULL, "simulator");
        FAILS(fourbar_simulator_save(simulator, NULL), FOURBAR_NULL, "out");
        CHECK(fourbar_simulator_save(NULL, &saved) == FOURBAR_NULL);
        fourbar_simulator_state_free(saved);
        fourbar_simulator_free(simulator);
        fourbar_simulator_free(other);
    }
    fourbar_simulator_state_free(NULL);
}

/* A rod of 10,000 cells is a sparse system: it is stepped, and has no saved states. */
static void sparse(void) {
    fourbar_simulator *simulator = NULL;
    fourbar_simulator_state *saved = NULL;
    OK(fourbar_simulator_from_file("models/heat.toml", &simulator));
    FAILS(fourbar_simulator_save(simulator, &saved), FOURBAR_UNSUPPORTED, "sparse");
    CHECK(saved == NULL);
    OK(fourbar_simulator_step(simulator, 1.0));
    fourbar_simulator_free(simulator);
}

static void other_models(void) {
    fourbar_simulator *simulator = NULL;
    FAILS(fourbar_simulator_from_file("models/pendulum.toml", &simulator), FOURBAR_UNSUPPORTED, "fourbar_simulation");
    FAILS(fourbar_simulator_from_file("models/press.toml", &simulator), FOURBAR_UNSUPPORTED, "fourbar_coupling");
    FAILS(fourbar_simulator_from_file("no such file", &simulator), FOURBAR_FILE, "no such file");
    FAILS(fourbar_simulator_from_toml("type = \"linear\"\n", "own.toml", &simulator), FOURBAR_INVALID, "own.toml");
    FAILS(fourbar_simulator_from_toml("type = \"circuit\"\n[[node]]\nname = \"a\"\ntype = \"volume\"\nvolume = -1\n", NULL, &simulator),
          FOURBAR_INVALID, "model.toml:");
    FAILS(fourbar_simulator_from_toml("\xff", NULL, &simulator), FOURBAR_TEXT, "text");
    FAILS(fourbar_simulator_from_toml(LAG, "\xff", &simulator), FOURBAR_TEXT, "file");
    FAILS(fourbar_simulator_from_toml(NULL, NULL, &simulator), FOURBAR_NULL, "text");
    FAILS(fourbar_simulator_from_toml(LAG, NULL, NULL), FOURBAR_NULL, "out");
    FAILS(fourbar_simulator_from_file(NULL, &simulator), FOURBAR_NULL, "path");
    FAILS(fourbar_simulator_from_file("models/servo.toml", NULL), FOURBAR_NULL, "out");
    CHECK(simulator == NULL);
}

static void misuse(void) {
    fourbar_simulator *simulator = lag();
    double values[3] = {0.0, 0.0, 0.0}, time = 0.0;
    size_t place = 0, needed = 0;
    char text[2];
    FAILS(fourbar_simulator_step_to(simulator, NAN), FOURBAR_NOT_FINITE, "NaN");
    FAILS(fourbar_simulator_step_to(simulator, -1.0), FOURBAR_INVALID, "-1");
    FAILS(fourbar_simulator_step(simulator, INFINITY), FOURBAR_NOT_FINITE, "inf");
    CHECK(strcmp(fourbar_simulator_error(simulator), fourbar_last_error()) == 0);
    OK(fourbar_simulator_step(simulator, 0.0));
    FAILS(fourbar_simulator_set_input(simulator, "v", 1.0, 0.0), FOURBAR_NO_SUCH_NAME, "\"v\"");
    FAILS(fourbar_simulator_set_input(simulator, "u", NAN, 0.0), FOURBAR_NOT_FINITE, "\"u\"");
    FAILS(fourbar_simulator_set_input(simulator, NULL, 1.0, 0.0), FOURBAR_NULL, "name");
    FAILS(fourbar_simulator_set_inputs(simulator, values, 2), FOURBAR_LENGTH, "3");
    FAILS(fourbar_simulator_set_inputs(simulator, NULL, 3), FOURBAR_NULL, "values");
    values[2] = INFINITY;
    FAILS(fourbar_simulator_set_inputs(simulator, values, 3), FOURBAR_NOT_FINITE, "\"u\"");
    FAILS(fourbar_simulator_inputs(simulator, values, 1), FOURBAR_LENGTH, "3");
    FAILS(fourbar_simulator_inputs(simulator, NULL, 3), FOURBAR_NULL, "values");
    FAILS(fourbar_simulator_measures(simulator, values, 3), FOURBAR_LENGTH, "2");
    FAILS(fourbar_simulator_measures(simulator, NULL, 2), FOURBAR_NULL, "values");
    FAILS(fourbar_simulator_measure(simulator, "twoce", &time), FOURBAR_NO_SUCH_NAME, "\"twice\"");
    FAILS(fourbar_simulator_measure(simulator, NULL, &time), FOURBAR_NULL, "name");
    FAILS(fourbar_simulator_measure(simulator, "y", NULL), FOURBAR_NULL, "value");
    FAILS(fourbar_simulator_find(simulator, FOURBAR_PART_BODY, "y", &place), FOURBAR_INVALID, "FOURBAR_PART_MEASURE");
    FAILS(fourbar_simulator_find(simulator, FOURBAR_PART_INPUT, "y", &place), FOURBAR_NO_SUCH_NAME, "\"y\"");
    FAILS(fourbar_simulator_find(simulator, FOURBAR_PART_INPUT, "u", NULL), FOURBAR_NULL, "index");
    FAILS(fourbar_simulator_name(simulator, FOURBAR_PART_MEASURE, 2, text, sizeof text, NULL), FOURBAR_INVALID, "2");
    FAILS(fourbar_simulator_name(simulator, FOURBAR_PART_MEASURE, 1, text, sizeof text, &needed), FOURBAR_LENGTH, "6");
    CHECK(needed == 6);
    FAILS(fourbar_simulator_unit(simulator, 0, 0, text, sizeof text, NULL), FOURBAR_INVALID, "part is 0");
    FAILS(fourbar_simulator_time(simulator, NULL), FOURBAR_NULL, "time");
    fourbar_simulator_free(simulator);
    CHECK(fourbar_simulator_step_to(NULL, 1.0) == FOURBAR_NULL);
    CHECK(fourbar_simulator_step(NULL, 1.0) == FOURBAR_NULL);
    CHECK(fourbar_simulator_time(NULL, &time) == FOURBAR_NULL);
    CHECK(fourbar_simulator_size(NULL, &place, NULL) == FOURBAR_NULL);
    CHECK(fourbar_simulator_name(NULL, FOURBAR_PART_INPUT, 0, text, 2, NULL) == FOURBAR_NULL);
    CHECK(fourbar_simulator_unit(NULL, FOURBAR_PART_INPUT, 0, text, 2, NULL) == FOURBAR_NULL);
    CHECK(fourbar_simulator_find(NULL, FOURBAR_PART_INPUT, "u", &place) == FOURBAR_NULL);
    CHECK(fourbar_simulator_set_input(NULL, "u", 1.0, 0.0) == FOURBAR_NULL);
    CHECK(fourbar_simulator_set_inputs(NULL, values, 3) == FOURBAR_NULL);
    CHECK(fourbar_simulator_inputs(NULL, values, 3) == FOURBAR_NULL);
    CHECK(fourbar_simulator_measures(NULL, values, 2) == FOURBAR_NULL);
    CHECK(fourbar_simulator_measure(NULL, "y", &time) == FOURBAR_NULL);
    CHECK(strcmp(fourbar_simulator_error(NULL), "") == 0);
    fourbar_simulator_free(NULL);
}

int main(void) {
    /* Both keep their tolerances, 1e-8 and 1e-6, from step to step. */
    against_a_run("models/hydraulic-axis.toml", 0.1, 1e-3, 1e-6);
    against_a_run("models/winch.toml", 16.0, 0.02, 1e-4);
    /* Exact for the inputs that these have. */
    against_a_run("models/servo.toml", 2.0, 4e-3, 1e-12);
    against_a_run("models/heat.toml", 20.0, 1.0, 1e-9);
    without_interpolation();
    inputs_and_closed_form();
    saved_points();
    sparse();
    other_models();
    misuse();
    return 0;
}
