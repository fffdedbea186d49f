/* A real-time servo loop: a controller at 1 kHz on an axis that fourbar discretized exactly.
 *
 * The axis: 20 kg, friction 40 N s/m, an amplifier that settles in 10 us (a hundredth of the step: no explicit method of that step would be
 * stable). States: position, velocity, force. Inputs: the force asked for, the load. The controller is cascaded, position around velocity.
 *
 * Each period: read, control, step, wait for the next. fourbar_stepper_step allocates nothing and takes no lock: it may run in a thread of
 * real-time priority. The loop measures its own steps.
 *
 *   cc -O2 servo.c $(pkg-config --cflags --libs fourbar) -lm -o servo && ./servo
 */
#define _POSIX_C_SOURCE 199309L
#include <fourbar.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void check(fourbar_status status) {
    if (status != FOURBAR_OK) {
        fprintf(stderr, "%s: %s\n", fourbar_status_name(status), fourbar_last_error());
        exit(1);
    }
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void sleep_until(double time) {
    const double left = time - seconds();
    if (left > 0.0) {
        struct timespec pause;
        pause.tv_sec = (time_t)left;
        pause.tv_nsec = (long)(1e9 * (left - floor(left)));
        nanosleep(&pause, NULL);
    }
}

int main(int count, char **arguments) {
    enum { STEPS = 2000 };
    const double period = 1e-3, mass = 20.0, friction = 40.0, amplifier = 1e-5;
    const double kp = 12.0, kv = 800.0, ki = 4000.0;
    /* Column after column. */
    const double a[9] = {0, 0, 0, 1, -friction / mass, 0, 0, 1 / mass, -1 / amplifier};
    const double b[6] = {0, 0, 1 / amplifier, 0, -1 / mass, 0};
    const double c[6] = {1, 0, 0, 1, 0, 0}; /* position and velocity are measured */
    const double d[4] = {0, 0, 0, 0};
    const int paced = count < 2 || arguments[1][0] != 'f'; /* "fast": without the clock */
    fourbar_system *axis = NULL;
    fourbar_stepper *stepper = NULL;
    fourbar_hold hold;
    double y[2] = {0, 0}, u[2] = {0, 0}, integral = 0, longest = 0, sum = 0, begin;
    int k, late = 0;

    /* The outputs of a controller are constant over a period: the zero-order hold, without the sample at the end of the step. */
    check(fourbar_hold_init(&hold, sizeof hold));
    hold.method = FOURBAR_METHOD_ALGORITHM_2_REAL_TIME;
    hold.order = 0;
    check(fourbar_system_new(3, 2, 2, a, b, c, d, &axis));
    check(fourbar_stepper_new(axis, period, &hold, &stepper));
    fourbar_system_free(axis);

    begin = seconds();
    for (k = 0; k < STEPS; k++) {
        const double reference = 0.1, load = k >= 500 ? 200.0 : 0.0;
        const double error = kp * (reference - y[0]) - y[1];
        double before, taken;
        integral += ki * error * period;
        u[0] = kv * error + integral;
        u[1] = load;
        before = seconds();
        check(fourbar_stepper_step(stepper, u, 2, y, 2));
        taken = seconds() - before;
        sum += taken;
        longest = taken > longest ? taken : longest;
        if (paced) {
            const double next = begin + (k + 1) * period;
            late += seconds() > next;
            sleep_until(next);
        }
    }
    printf("after %d ms: position %.6f m, velocity %.2e m/s, force %.1f N\n", STEPS, y[0], y[1], u[0]);
    printf("a step with its clock: %.0f ns on average, %.0f ns at most; %d of %d periods began late\n", 1e9 * sum / STEPS,
           1e9 * longest, late, STEPS);
    fourbar_stepper_free(stepper);
    return fabs(y[0] - 0.1) < 1e-4 ? 0 : 1;
}
