/* What runs and single steps take in C on the library of the wheel, as JSON: see overhead.py. */
#define _POSIX_C_SOURCE 199309L
#include <fourbar.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define STEPS 10000
#define REPEATS 7

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void ok(fourbar_status status) {
    if (status != FOURBAR_OK) {
        fprintf(stderr, "%s\n", fourbar_last_error());
        exit(1);
    }
}

static void whole_run(const char *path) {
    fourbar_run *run = NULL;
    int32_t outcome = 0;
    ok(fourbar_run_from_file(path, NULL, &run));
    ok(fourbar_run_execute(run, &outcome));
    fourbar_run_free(run);
}

static void steps_of_a_mechanism(const fourbar_mechanism *mechanism) {
    fourbar_simulation *simulation = NULL;
    int k;
    ok(fourbar_simulation_new(mechanism, NULL, &simulation));
    for (k = 1; k <= STEPS; k++) {
        ok(fourbar_simulation_step_to(simulation, k * 1e-4));
    }
    fourbar_simulation_free(simulation);
}

static void steps_of_a_linear_system(fourbar_stepper *stepper) {
    double u[1], y[1];
    int k;
    for (k = 0; k < STEPS; k++) {
        u[0] = k * 1e-4;
        ok(fourbar_stepper_step(stepper, u, 1, y, 1));
    }
}

/* Four states, column after column. */
static fourbar_stepper *linear(void) {
    const double a[16] = {0, -4, 0, 0, 1, -0.4, 0, 0, 0, 1, 0, -9, 0, 0, 1, -0.6}, b[4] = {0, 0, 0, 1}, c[4] = {1, 0, 0, 0}, d[1] = {0};
    fourbar_system *system = NULL;
    fourbar_stepper *stepper = NULL;
    ok(fourbar_system_new(4, 1, 1, a, b, c, d, &system));
    ok(fourbar_stepper_new(system, 1e-3, NULL, &stepper));
    ok(fourbar_stepper_set_input(stepper, d, 1));
    fourbar_system_free(system);
    return stepper;
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "models/four-bar.toml";
    double best[3] = {1e9, 1e9, 1e9};
    fourbar_model *model = NULL;
    fourbar_mechanism *mechanism = NULL;
    fourbar_stepper *stepper = linear();
    int repeat, what;
    ok(fourbar_model_from_file(path, &model));
    ok(fourbar_model_compile(model, &mechanism));
    for (repeat = 0; repeat < REPEATS; repeat++) {
        for (what = 0; what < 3; what++) {
            double begin = now(), took;
            if (what == 0) {
                whole_run(path);
            } else if (what == 1) {
                steps_of_a_mechanism(mechanism);
            } else {
                steps_of_a_linear_system(stepper);
            }
            took = now() - begin;
            best[what] = took < best[what] ? took : best[what];
        }
    }
    printf("{\"run\": %.9g, \"mechanism_steps\": %.9g, \"linear_steps\": %.9g}\n", best[0], best[1], best[2]);
    fourbar_stepper_free(stepper);
    fourbar_mechanism_free(mechanism);
    fourbar_model_free(model);
    return 0;
}
