/* Results: rows as CSV; whole runs with tables, summaries and reports. */
#include "check.h"

/* A file that nobody else uses. */
static const char *fresh(void) {
    static char name[L_tmpnam];
    CHECK(tmpnam(name) != NULL);
    return name;
}

/* Whether there is one that opens and takes nothing. */
static int full_device(void) {
    FILE *file = fopen("/dev/full", "wb");
    if (file == NULL) {
        return 0;
    }
    fclose(file);
    return 1;
}

static char *content(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 22);
    CHECK(file != NULL && text != NULL);
    CHECK(fread(text, 1, (1 << 22) - 1, file) > 0);
    fclose(file);
    remove(path);
    return text;
}

static void rows(void) {
    const char *names[2] = {"angle", "ratio"}, *units[2] = {"rad", NULL}, *no_names[1] = {NULL}, *odd[1] = {"\xff"};
    double values[2] = {0.1, 1.0 / 3.0};
    fourbar_csv *csv = NULL;
    const char *path = fresh();
    char *text;
    OK(fourbar_csv_new(path, names, units, 2, &csv));
    OK(fourbar_csv_write(csv, 0.0, values, 2));
    values[0] = -1e-300;
    OK(fourbar_csv_write(csv, 0.5, values, 2));
    FAILS(fourbar_csv_write(csv, 0.5, values, 1), FOURBAR_LENGTH, "2 columns");
    FAILS(fourbar_csv_write(csv, 0.5, NULL, 2), FOURBAR_NULL, "values");
    CHECK(strcmp(fourbar_csv_error(csv), fourbar_last_error()) == 0);
    OK(fourbar_csv_close(csv));
    FAILS(fourbar_csv_write(csv, 0.5, values, 2), FOURBAR_STATE, "closed");
    FAILS(fourbar_csv_close(csv), FOURBAR_STATE, "closed");
    fourbar_csv_free(csv);
    text = content(path);
    CHECK(strcmp(text, "time [s],angle [rad],ratio\n0,0.1,0.3333333333333333\n0.5,-1e-300,0.3333333333333333\n") == 0);
    free(text);
    OK(fourbar_csv_new(path, NULL, NULL, 0, &csv));
    OK(fourbar_csv_write(csv, 1.0, NULL, 0));
    fourbar_csv_free(csv); /* closes it */
    text = content(path);
    CHECK(strcmp(text, "time [s]\n1\n") == 0);
    free(text);
    csv = NULL;
    FAILS(fourbar_csv_new(NULL, names, units, 2, &csv), FOURBAR_NULL, "path");
    FAILS(fourbar_csv_new("a.csv", NULL, units, 2, &csv), FOURBAR_NULL, "names");
    FAILS(fourbar_csv_new("a.csv", no_names, NULL, 1, &csv), FOURBAR_NULL, "names");
    FAILS(fourbar_csv_new("a.csv", odd, NULL, 1, &csv), FOURBAR_TEXT, "names");
    FAILS(fourbar_csv_new("a.csv", names, odd, 1, &csv), FOURBAR_TEXT, "units");
    FAILS(fourbar_csv_new("a.csv", names, units, 2, NULL), FOURBAR_NULL, "out");
    FAILS(fourbar_csv_new("no/such/folder/a.csv", names, units, 2, &csv), FOURBAR_FILE, "no/such/folder");
    if (full_device()) {
        /* Where nothing can be written, the header cannot either. */
        FAILS(fourbar_csv_new("/dev/full", names, units, 2, &csv), FOURBAR_FILE, "/dev/full");
    }
    CHECK(csv == NULL);
    CHECK(fourbar_csv_write(NULL, 0.0, values, 2) == FOURBAR_NULL);
    CHECK(fourbar_csv_close(NULL) == FOURBAR_NULL);
    CHECK(strcmp(fourbar_csv_error(NULL), "") == 0);
    fourbar_csv_free(NULL);
}

static void runs(const char *text) {
    fourbar_run *run = NULL;
    fourbar_run_options options;
    const char *path = fresh();
    char name[64], *json, *written;
    double times[6], values[6], one[1];
    size_t columns = 0, count = 0, needed = 0;
    int32_t outcome = 0;
    OK(fourbar_run_options_init(&options, sizeof options));
    options.end = 0.5;
    options.output_step = 0.1;
    OK(fourbar_run_from_toml(text, "oscillator.toml", &options, &run));
    OK(fourbar_run_size(run, &columns, &count));
    OK(fourbar_run_size(run, NULL, NULL));
    CHECK(columns >= 1 && count == 0);
    OK(fourbar_run_column_name(run, 0, name, sizeof name, &needed));
    CHECK(strcmp(name, "mass.x") == 0 && needed == 7);
    OK(fourbar_run_column_unit(run, 0, name, sizeof name, NULL));
    CHECK(strcmp(name, "m") == 0);
    FAILS(fourbar_run_times(run, times, 6), FOURBAR_STATE, "execute first");
    FAILS(fourbar_run_summary(run, NULL, 0, &needed), FOURBAR_STATE, "execute first");
    OK(fourbar_run_execute(run, &outcome));
    CHECK(outcome == FOURBAR_OUTCOME_DONE);
    OK(fourbar_run_size(run, NULL, &count));
    CHECK(count == 6);
    OK(fourbar_run_times(run, times, 6));
    OK(fourbar_run_series(run, 0, values, 6));
    /* x'' = -100 x */
    CHECK(times[0] == 0.0 && fabs(times[5] - 0.5) < 1e-12 && values[0] == 1.0 && fabs(values[5] - cos(5.0)) < 1e-6);
    OK(fourbar_run_summary(run, NULL, 0, &needed));
    json = malloc(needed);
    OK(fourbar_run_summary(run, json, needed, NULL));
    CHECK(strstr(json, "\"status\":\"done\"") != NULL && strstr(json, "\"model\":\"oscillator\"") != NULL);
    free(json);
    OK(fourbar_run_write_csv(run, path));
    written = content(path);
    CHECK(strncmp(written, "time [s],mass.x [m]", 19) == 0);
    free(written);
    OK(fourbar_run_write_report(run, path));
    written = content(path);
    CHECK(strncmp(written, "<!doctype html>", 15) == 0 || strncmp(written, "<!DOCTYPE html>", 15) == 0);
    CHECK(strstr(written, "oscillator") != NULL);
    free(written);
    OK(fourbar_run_interrupt(run)); /* nothing is under way: the next run is whole */
    OK(fourbar_run_execute(run, &outcome));
    CHECK(outcome == FOURBAR_OUTCOME_DONE);
    FAILS(fourbar_run_execute(run, NULL), FOURBAR_NULL, "outcome");
    FAILS(fourbar_run_times(run, times, 5), FOURBAR_LENGTH, "times");
    FAILS(fourbar_run_times(run, NULL, 6), FOURBAR_NULL, "times");
    FAILS(fourbar_run_series(run, 99, values, 6), FOURBAR_INVALID, "column 99");
    FAILS(fourbar_run_series(run, 0, one, 1), FOURBAR_LENGTH, "values");
    FAILS(fourbar_run_series(run, 0, NULL, 6), FOURBAR_NULL, "values");
    FAILS(fourbar_run_column_name(run, 99, name, sizeof name, NULL), FOURBAR_INVALID, "column 99");
    FAILS(fourbar_run_column_unit(run, 99, name, sizeof name, NULL), FOURBAR_INVALID, "column 99");
    FAILS(fourbar_run_column_name(run, 0, name, 3, NULL), FOURBAR_LENGTH, "3 bytes");
    FAILS(fourbar_run_write_csv(run, NULL), FOURBAR_NULL, "path");
    FAILS(fourbar_run_write_csv(run, "no/such/folder/a.csv"), FOURBAR_FILE, "no/such/folder");
    FAILS(fourbar_run_write_report(run, NULL), FOURBAR_NULL, "path");
    FAILS(fourbar_run_write_report(run, "no/such/folder/a.html"), FOURBAR_FILE, "no/such/folder");
    CHECK(strcmp(fourbar_run_error(run), fourbar_last_error()) == 0);
    fourbar_run_free(run);
    run = NULL;
    options.max_step = 1.0;
    FAILS(fourbar_run_from_toml(text, NULL, &options, &run), FOURBAR_UNSUPPORTED, "max_step");
    OK(fourbar_run_options_init(&options, sizeof options));
    options.end = 0.5;
    options.algorithm = "Jacobi"; /* upper and lower case are alike */
    options.order = 2;
    OK(fourbar_run_from_toml(text, NULL, &options, &run));
    fourbar_run_free(run);
    run = NULL;
    options.order = 21;
    FAILS(fourbar_run_from_toml(text, NULL, &options, &run), FOURBAR_INVALID, "order is 21; it must be from 0 to 20");
    options.order = -1;
    options.method = "euler";
    FAILS(fourbar_run_from_toml(text, NULL, &options, &run), FOURBAR_INVALID, "method is \"euler\"; it must be one of exact");
    options.method = "\xff";
    FAILS(fourbar_run_from_toml(text, NULL, &options, &run), FOURBAR_TEXT, "method");
    options.method = NULL;
    options.integrator = "gstiff";
    FAILS(fourbar_run_from_toml(text, NULL, &options, &run), FOURBAR_UNSUPPORTED, "integrator");
    options.integrator = NULL;
    options.max_order = 13;
    FAILS(fourbar_run_from_toml(text, NULL, &options, &run), FOURBAR_INVALID, "max_order is 13; it must be from 1 to 12");
    OK(fourbar_run_options_init(&options, sizeof options));
    options.end = -1.0;
    FAILS(fourbar_run_from_toml(text, NULL, &options, &run), FOURBAR_INVALID, "end is -1; it must be at least 0");
    options.end = 0.5;
    options.output_step = 1e-30;
    FAILS(fourbar_run_from_toml(text, "a.toml", &options, &run), FOURBAR_INVALID,
          "with the options of the run (end = 0.5, output_step = 1e-30): ");
    CHECK(strstr(fourbar_last_error(), "a.toml") == NULL);
    options.struct_size = 2;
    FAILS(fourbar_run_from_toml(text, NULL, &options, &run), FOURBAR_STRUCT_SIZE, "is 2");
    FAILS(fourbar_run_options_init(NULL, sizeof options), FOURBAR_NULL, "options");
    FAILS(fourbar_run_options_init(&options, 2), FOURBAR_STRUCT_SIZE, "is 2");
    FAILS(fourbar_run_from_toml(NULL, NULL, NULL, &run), FOURBAR_NULL, "text");
    FAILS(fourbar_run_from_toml(text, NULL, NULL, NULL), FOURBAR_NULL, "out");
    FAILS(fourbar_run_from_toml("speed = 1\n", "a.toml", NULL, &run), FOURBAR_INVALID, "a.toml:1");
    FAILS(fourbar_run_from_toml("\xff", NULL, NULL, &run), FOURBAR_TEXT, "UTF-8");
    FAILS(fourbar_run_from_file("no/such/model.toml", NULL, &run), FOURBAR_FILE, "no/such/model.toml");
    FAILS(fourbar_run_from_file(NULL, NULL, &run), FOURBAR_NULL, "path");
    FAILS(fourbar_run_from_file("a", NULL, NULL), FOURBAR_NULL, "out");
    CHECK(run == NULL);
}

static const char *oscillator =
    "type = \"coupled\"\nname = \"oscillator\"\n[simulation]\nend = 1\nstep = 0.01\nalgorithm = \"jacobi\"\n"
    "[[simulator]]\nname = \"mass\"\n[simulator.equations]\nsolver_step = 1e-3\n"
    "state = [{ name = \"x\", start = 1, rate = \"v\" }, { name = \"v\", rate = \"-100*x\" }]\n"
    "output = [{ name = \"x\", unit = \"m\", value = \"x\" }]\n";

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fputs(text, file) >= 0);
    fclose(file);
}

static int says(const char *path, const char *text) {
    char *found = content(path);
    int same = strcmp(found, text) == 0;
    put(path, found);
    free(found);
    return same;
}

/* A file of before stays until the new one is whole, and no file that the run reads is written over. */
static void places(void) {
    const char *path = fresh();
    const char *name[1] = {"x"};
    const double value[1] = {2.0};
    fourbar_csv *csv = NULL;
    fourbar_run *run = NULL;
    int32_t outcome = 0;
    put(path, "before");
    OK(fourbar_csv_new(path, name, NULL, 1, &csv));
    OK(fourbar_csv_write(csv, 0.0, value, 1));
    CHECK(says(path, "before"));
    OK(fourbar_csv_close(csv));
    CHECK(says(path, "time [s],x\n0,2\n"));
    fourbar_csv_free(csv);
    put(path, oscillator);
    OK(fourbar_run_from_file(path, NULL, &run));
    OK(fourbar_run_execute(run, &outcome));
    FAILS(fourbar_run_write_csv(run, path), FOURBAR_INVALID, "which the run reads");
    FAILS(fourbar_run_write_report(run, path), FOURBAR_INVALID, "which the run reads");
    CHECK(says(path, oscillator));
    fourbar_run_free(run);
    remove(path);
}

static void null_handles(void) {
    double v[1];
    size_t n = 0;
    int32_t outcome = 0;
    CHECK(fourbar_run_execute(NULL, &outcome) == FOURBAR_NULL);
    CHECK(fourbar_run_interrupt(NULL) == FOURBAR_NULL);
    CHECK(fourbar_run_size(NULL, &n, &n) == FOURBAR_NULL);
    CHECK(fourbar_run_column_name(NULL, 0, NULL, 0, &n) == FOURBAR_NULL);
    CHECK(fourbar_run_column_unit(NULL, 0, NULL, 0, &n) == FOURBAR_NULL);
    CHECK(fourbar_run_times(NULL, v, 1) == FOURBAR_NULL);
    CHECK(fourbar_run_series(NULL, 0, v, 1) == FOURBAR_NULL);
    CHECK(fourbar_run_summary(NULL, NULL, 0, &n) == FOURBAR_NULL);
    CHECK(fourbar_run_write_csv(NULL, "a") == FOURBAR_NULL);
    CHECK(fourbar_run_write_report(NULL, "a") == FOURBAR_NULL);
    CHECK(strcmp(fourbar_run_error(NULL), "") == 0);
    fourbar_run_free(NULL);
}

int main(void) {
    rows();
    runs(oscillator);
    places();
    null_handles();
    return 0;
}
