/* A program compiled against an earlier header, that of `earlier/`: its `fourbar_hold` ends before `precision`. */
#include "check.h"

int main(void) {
    const double a[4] = {0.0, -4.0, 1.0, 0.0}, b[2] = {0.0, 1.0}, c[2] = {1.0, 0.0}, d[1] = {0.0};
    double values[4], x[2] = {1.0, 0.0}, u[2] = {0.0, 0.0}, y[1];
    fourbar_system *system = NULL;
    fourbar_discretization *discretization = NULL;
    fourbar_stepper *stepper = NULL;
    struct {
        fourbar_hold own;
        unsigned char behind[32];
    } hold;
    int k;
    CHECK(fourbar_abi_version() == FOURBAR_ABI_VERSION);
    CHECK(sizeof(fourbar_hold) == 32);
    memset(&hold, 0xaa, sizeof hold);
    OK(fourbar_hold_init(&hold.own, sizeof hold.own));
    for (k = 0; k < 32; k++) {
        CHECK(hold.behind[k] == 0xaa); /* what the program does not know is not written */
    }
    hold.own.method = FOURBAR_METHOD_ALGORITHM_1;
    hold.own.order = 2;
    OK(fourbar_system_new(2, 1, 1, a, b, c, d, &system));
    OK(fourbar_discretization_new(system, 0.5, &hold.own, &discretization)); /* nor read: 0xaa.. would be refused */
    OK(fourbar_discretization_exponential(discretization, values, 4));
    CHECK(fabs(values[0] - cos(1.0)) < 1e-15);
    OK(fourbar_stepper_new(system, 0.01, &hold.own, &stepper));
    OK(fourbar_stepper_set_input(stepper, u, 1));
    OK(fourbar_stepper_set_state(stepper, x, 2));
    for (k = 0; k < 100; k++) {
        OK(fourbar_stepper_step(stepper, u, 2, y, 1));
    }
    CHECK(fabs(y[0] - cos(2.0)) < 1e-13);
    fourbar_stepper_free(stepper);
    fourbar_discretization_free(discretization);
    fourbar_system_free(system);
    return 0;
}
