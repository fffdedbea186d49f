/* The calls that overhead.rs times, made by a program in C; NULL and other numbers than 0 say that one failed. */
#include <fourbar.h>
#include <stddef.h>
#include <stdint.h>

/* One input, one output, the first-order hold. */
fourbar_stepper *bench_stepper(size_t n, const double *a, const double *b, const double *c, double step) {
    const double d[1] = {0.0}, u[1] = {1.0};
    fourbar_system *system = NULL;
    fourbar_stepper *stepper = NULL;
    if (fourbar_system_new(n, 1, 1, a, b, c, d, &system) != FOURBAR_OK) {
        return NULL;
    }
    if (fourbar_stepper_new(system, step, NULL, &stepper) == FOURBAR_OK) {
        fourbar_stepper_set_input(stepper, u, 1);
    }
    fourbar_system_free(system);
    return stepper;
}

int bench_stepper_steps(fourbar_stepper *stepper, uint64_t count) {
    const double u[1] = {1.0};
    double y[1];
    for (; count > 0; count--) {
        if (fourbar_stepper_step(stepper, u, 1, y, 1) != FOURBAR_OK) {
            return 1;
        }
    }
    return 0;
}

/* A model in a file, its contacts followed in fixed steps where `following` is not 0. */
fourbar_simulation *bench_simulation(const char *path, int32_t following, double fixed_step) {
    fourbar_simulation_options options;
    fourbar_model *model = NULL;
    fourbar_mechanism *mechanism = NULL;
    fourbar_simulation *simulation = NULL;
    if (fourbar_simulation_options_init(&options, sizeof options) != FOURBAR_OK ||
        fourbar_model_from_file(path, &model) != FOURBAR_OK) {
        return NULL;
    }
    options.following = following;
    options.fixed_step = fixed_step;
    if (fourbar_model_compile(model, &mechanism) == FOURBAR_OK) {
        fourbar_simulation_new(mechanism, &options, &simulation);
    }
    fourbar_mechanism_free(mechanism);
    fourbar_model_free(model);
    return simulation;
}

int bench_simulation_steps(fourbar_simulation *simulation, double end, uint64_t count) {
    int32_t progress = 0;
    for (; count > 0; count--) {
        if (fourbar_simulation_advance(simulation, end, &progress) != FOURBAR_OK || progress != FOURBAR_PROGRESS_STEP) {
            return 1;
        }
    }
    return 0;
}
