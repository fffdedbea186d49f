/* The loops that overhead.rs times, in C; they take the function, as a host has it that loads the library. Other numbers than 0 say that a call failed. */
#include <fourbar.h>
#include <stdint.h>

typedef fourbar_status (*step_function)(fourbar_stepper *, const double *, size_t, double *, size_t);
typedef fourbar_status (*advance_function)(fourbar_simulation *, double, int32_t *);

int bench_stepper_steps(step_function step, fourbar_stepper *stepper, uint64_t count) {
    const double u[1] = {1.0};
    double y[1];
    for (; count > 0; count--) {
        if (step(stepper, u, 1, y, 1) != FOURBAR_OK) {
            return 1;
        }
    }
    return 0;
}

int bench_simulation_steps(advance_function advance, fourbar_simulation *simulation, double end, uint64_t count) {
    int32_t progress = 0;
    for (; count > 0; count--) {
        if (advance(simulation, end, &progress) != FOURBAR_OK || progress != FOURBAR_PROGRESS_STEP) {
            return 1;
        }
    }
    return 0;
}
