/* A host that rounds downward: calls compute as ever, and leave its rounding to it; so do its functions that they call. */
#include "check.h"
#include <fenv.h>

#if defined(__x86_64__) || defined(__aarch64__)

/* y' = -y, exact in any rounding; notes in which it was called. */
static int32_t decays(void *user, double t, const double *y, double *f) {
    *(int *)user = fegetround();
    (void)t;
    f[0] = -y[0];
    return 0;
}

/* y at t = 3 when the host rounds so. */
static double decayed(int rounding) {
    const double y[1] = {1.0};
    double end[1] = {0.0};
    int inside = -1;
    int32_t stop = 0;
    fourbar_equations equations;
    fourbar_integration_options options;
    fourbar_problem *problem = NULL;
    fourbar_integration *integration = NULL;
    OK(fourbar_equations_init(&equations, sizeof equations));
    equations.dimension = 1;
    equations.rhs = decays;
    equations.user = &inside;
    OK(fourbar_integration_options_init(&options, sizeof options));
    options.integrator = FOURBAR_INTEGRATOR_RKF45;
    CHECK(fesetround(rounding) == 0);
    OK(fourbar_problem_new(&equations, &problem));
    OK(fourbar_integration_new(problem, &options, 0.0, y, NULL, 1, &integration));
    OK(fourbar_integration_run(integration, 3.0, &stop));
    CHECK(inside == rounding && fegetround() == rounding);
    /* After a failure too. */
    CHECK(fourbar_integration_run(integration, -1.0, &stop) != FOURBAR_OK && fegetround() == rounding);
    OK(fourbar_integration_get_state(integration, end, NULL, 1));
    fourbar_integration_free(integration);
    fourbar_problem_free(problem);
    CHECK(fegetround() == rounding);
    fesetround(FE_TONEAREST);
    return end[0];
}

int main(void) {
    const double nearest = decayed(FE_TONEAREST), down = decayed(FE_DOWNWARD), up = decayed(FE_UPWARD);
    CHECK(fabs(nearest - exp(-3.0)) < 1e-5);
    CHECK(memcmp(&nearest, &down, sizeof nearest) == 0 && memcmp(&nearest, &up, sizeof nearest) == 0);
    return 0;
}

#else

int main(void) { return 0; }

#endif
