/* IDA of SUNDIALS on the equations of mechanisms, which fourbar gives it: residual, matrix, what is differential, a consistent start. Andrews'
 * mechanism and four-bars meet their references (tests/reference/multibody/references.json). Run in the folder of the checkout. */
#include "../check.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_types.h>
#include <sundials/sundials_version.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#define IDA_OK(call) CHECK((call) >= 0)

typedef struct {
    fourbar_mechanism_equations *own;
    fourbar_mechanism_equations_figures figures;
    size_t *offsets, *rows;
    double *values;
} equations;

/* A point that cannot be evaluated is one that a shorter step may avoid. */
static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void *user) {
    equations *of = user;
    return fourbar_mechanism_equations_residual(of->own, t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), N_VGetArrayPointer(r),
                                                of->figures.dimension) == FOURBAR_OK ? 0 : 1;
}

static int jacobian(realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix into, void *user, N_Vector one, N_Vector two,
                    N_Vector three) {
    equations *of = user;
    size_t j, k;
    (void)r, (void)one, (void)two, (void)three;
    if (fourbar_mechanism_equations_jacobian(of->own, t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), of->figures.dimension, c, of->values,
                                             of->figures.entries) != FOURBAR_OK) {
        return 1;
    }
    for (j = 0; j < of->figures.dimension; j++) {
        for (k = of->offsets[j]; k < of->offsets[j + 1]; k++) {
            SM_ELEMENT_D(into, of->rows[k], j) = of->values[k];
        }
    }
    return 0;
}

static fourbar_mechanism *mechanism_of(const char *path) {
    fourbar_model *model = NULL;
    fourbar_mechanism *mechanism = NULL;
    OK(fourbar_model_from_file(path, &model));
    OK(fourbar_model_compile(model, &mechanism));
    fourbar_model_free(model);
    return mechanism;
}

static void *room(size_t count, size_t size) {
    void *all = calloc(count, size);
    CHECK(all != NULL);
    return all;
}

/* Velocities, momenta and multipliers are measured against themselves; these and omega do not decide on the step. */
static void set_tolerances(void *ida, const equations *of, N_Vector id, N_Vector absolute, double relative) {
    const size_t n = of->figures.dimension;
    int32_t *differential = room(n, sizeof *differential), *tested = room(n, sizeof *tested);
    double *typical = room(n, sizeof *typical);
    size_t i;
    OK(fourbar_mechanism_equations_unknowns(of->own, NULL, differential, tested, NULL, typical, n));
    for (i = 0; i < n; i++) {
        NV_Ith_S(id, i) = differential[i];
        NV_Ith_S(absolute, i) = tested[i] ? relative * typical[i] : 1.0;
    }
    IDA_OK(IDASVtolerances(ida, relative, absolute));
    IDA_OK(IDASetId(ida, id));
    IDA_OK(IDASetSuppressAlg(ida, SUNTRUE));
    free(differential);
    free(tested);
    free(typical);
}

/* Integrates to `end`; writes the state as numbers. */
static void integrate(const fourbar_mechanism *mechanism, double relative, double end, double *state, size_t length) {
    SUNContext context = NULL;
    equations of;
    N_Vector y, yp, id, absolute;
    SUNMatrix matrix;
    SUNLinearSolver solver;
    void *ida;
    double t = 0.0;
    size_t n;
    OK(fourbar_mechanism_equations_new(mechanism, FOURBAR_FORMULATION_SI2, &of.own));
    OK(fourbar_mechanism_equations_get_figures(of.own, &of.figures, sizeof of.figures));
    CHECK(of.figures.state_length == length);
    n = of.figures.dimension;
    of.offsets = room(n + 1, sizeof *of.offsets);
    of.rows = room(of.figures.entries, sizeof *of.rows);
    of.values = room(of.figures.entries, sizeof *of.values);
    OK(fourbar_mechanism_equations_pattern(of.own, of.offsets, n + 1, of.rows, of.figures.entries));

    IDA_OK(SUNContext_Create(NULL, &context));
    y = N_VNew_Serial((sunindextype)n, context);
    yp = N_VClone(y), id = N_VClone(y), absolute = N_VClone(y);
    OK(fourbar_mechanism_equations_start(of.own, &t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), n));
    ida = IDACreate(context);
    CHECK(ida != NULL);
    IDA_OK(IDAInit(ida, residual, t, y, yp));
    set_tolerances(ida, &of, id, absolute, relative);
    matrix = SUNDenseMatrix((sunindextype)n, (sunindextype)n, context);
    solver = SUNLinSol_Dense(y, matrix, context);
    IDA_OK(IDASetLinearSolver(ida, solver, matrix));
    IDA_OK(IDASetJacFn(ida, jacobian));
    IDA_OK(IDASetUserData(ida, &of));
    IDA_OK(IDASetMaxNumSteps(ida, -1));
    IDA_OK(IDASetStopTime(ida, end));
    while (t < end) {
        /* Planar mechanisms: no chart comes near its singularity, so no step needs between_steps. */
        IDA_OK(IDASolve(ida, end, &t, y, yp, IDA_NORMAL));
    }
    OK(fourbar_mechanism_equations_get_state(of.own, t, N_VGetArrayPointer(y), n, state, length));

    IDAFree(&ida);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(y), N_VDestroy(yp), N_VDestroy(id), N_VDestroy(absolute);
    SUNContext_Free(&context);
    free(of.offsets), free(of.rows), free(of.values);
    fourbar_mechanism_equations_free(of.own);
}

/* The angle about z of a body, less `of`, in (-pi, pi]. */
static double angle_off(const double *body, double of) {
    const double angle = 2.0 * atan2(body[6], body[3]);
    return atan2(sin(angle - of), cos(angle - of));
}

static void andrews(void) {
    /* beta, theta, gamma, phi, delta, omega, epsilon at 0.03 s, 13 digits. */
    const double q[7] = {15.8107711951537, -15.75637105841183, 0.040822240119645734, -0.5347301163420797, 0.524409965879954,
                         0.5347301163420797, 1.048080741041938};
    const double v[7] = {1139.920302259106, -1424.37929517754, 11.032911910616566, 19.293374105028494, 0.5735699148293977,
                         -19.293374105028494, 0.3231791492490694};
    const double angles[7] = {q[0], q[0] + q[1], q[2], q[3] + q[4], q[4], q[5] + q[6], q[6]};
    const double rates[7] = {v[0], v[0] + v[1], v[2], v[3] + v[4], v[4], v[5] + v[6], v[6]};
    fourbar_mechanism *mechanism = mechanism_of("models/andrews.toml");
    double state[7 * 13], worst = 0.0, rate = 0.0;
    int b;
    integrate(mechanism, 1e-9, 0.03, state, 7 * 13);
    for (b = 0; b < 7; b++) {
        worst = fmax(worst, fabs(angle_off(state + 13 * b, angles[b])));
        rate = fmax(rate, fabs(state[13 * b + 12] - rates[b]) / fabs(v[0]));
    }
    printf("Andrews' mechanism at 0.03 s: angles off by %.2e rad, rates by %.2e of the largest\n", worst, rate);
    CHECK(worst < 1e-6 && rate < 1e-6);
    fourbar_mechanism_free(mechanism);
}

static void n_four_bar(void) {
    /* theta, clockwise from the upright, and the speed of the tops at 0.5 s, in closed form. */
    const double theta = 0.76881862755520604221, speed[2] = {1.9602054253718332236, -1.8962611405866766571};
    fourbar_mechanism *mechanism = mechanism_of("models/n-four-bar.toml");
    double state[5 * 13], angle, velocity;
    integrate(mechanism, 1e-9, 0.5, state, 5 * 13);
    angle = fabs(angle_off(state, -theta));
    /* The couplers move without turning, as the tops do. */
    velocity = fmax(fabs(state[3 * 13 + 7] - speed[0]), fabs(state[3 * 13 + 8] - speed[1]));
    printf("two four-bars at 0.5 s: angle off by %.2e rad, speed by %.2e m/s\n", angle, velocity);
    CHECK(angle < 1e-6 && velocity < 1e-6);
    fourbar_mechanism_free(mechanism);
}

/* A crank-rocker with a damper, against the library's own integrator at a tight tolerance. */
static void four_bar(void) {
    fourbar_mechanism *mechanism = mechanism_of("models/four-bar.toml");
    fourbar_simulation *simulation = NULL;
    fourbar_simulation_options options;
    double state[3 * 13], own[3 * 13], worst = 0.0;
    int k;
    integrate(mechanism, 1e-10, 0.5, state, 3 * 13);
    OK(fourbar_simulation_options_init(&options, sizeof options));
    options.tolerance = 1e-11;
    OK(fourbar_simulation_new(mechanism, &options, &simulation));
    OK(fourbar_simulation_step_to(simulation, 0.5));
    OK(fourbar_simulation_get_state(simulation, own, 3 * 13));
    for (k = 0; k < 3 * 13; k++) {
        worst = fmax(worst, fabs(state[k] - own[k]) / (1.0 + fabs(own[k])));
    }
    printf("four-bar at 0.5 s: state off by %.2e\n", worst);
    CHECK(worst < 1e-6);
    fourbar_simulation_free(simulation);
    fourbar_mechanism_free(mechanism);
}

int main(void) {
    printf("SUNDIALS %s\n", SUNDIALS_VERSION);
    n_four_bar();
    four_bar();
    andrews();
    return 0;
}
