/* A number that is not finite, out of a function of the host: FOURBAR_CALLBACK, whatever asked, and a text that has the function, the time and
 * the place. (Input functions: lti.c; event functions: problem_failures.c; partners: coupling.c.) */
#include "pendulum.h"

/* What the functions give from a time on. */
typedef struct {
    double from, gives;
} fault;

static double faulty(const void *user, double t, double well) {
    const fault *f = (const fault *)user;
    return t >= f->from ? f->gives : well;
}

/* y' = -y, twice. */
static int32_t rhs(void *user, double t, const double *y, double *yp) {
    yp[0] = -y[0];
    yp[1] = faulty(user, t, -y[1]);
    return 0;
}

static int32_t residual(void *user, double t, const double *y, const double *yp, double *r) {
    r[0] = yp[0] + y[0];
    r[1] = faulty(user, t, yp[1] + y[1]);
    return 0;
}

static int32_t good_rhs(void *user, double t, const double *y, double *yp) {
    (void)user, (void)t;
    yp[0] = -y[0];
    yp[1] = -y[1];
    return 0;
}

static int32_t jacobian(void *user, double t, const double *y, const double *yp, double c, double *values) {
    (void)y, (void)yp, (void)c;
    values[0] = -1.0;
    values[1] = values[2] = 0.0;
    values[3] = faulty(user, t, -1.0);
    return 0;
}

static int32_t roots(void *user, double t, const double *y, const double *yp, double *values) {
    (void)y, (void)yp;
    values[0] = 1.0;
    values[1] = faulty(user, t, 1.0);
    return 0;
}

static void blamed(fourbar_status status, const char *function, const char *place) {
    CHECK(status == FOURBAR_CALLBACK);
    CHECK(strstr(fourbar_last_error(), function) != NULL);
    CHECK(strstr(fourbar_last_error(), " at t = ") != NULL);
    CHECK(strstr(fourbar_last_error(), place) != NULL);
}

/* From the start, later, and at a restart; with y' and without. */
static void integrated(fourbar_equations equations, int32_t integrator, const char *function, const char *place) {
    const double froms[2] = {-1.0, 0.3}, y[2] = {1.0, 2.0}, yp[2] = {-1.0, -2.0};
    fault *f = equations.user;
    fourbar_integration_options options;
    fourbar_problem *problem = NULL;
    int32_t stop = 0;
    int later, given;
    OK(fourbar_integration_options_init(&options, sizeof options));
    options.integrator = integrator;
    OK(fourbar_problem_new(&equations, &problem));
    for (later = 0; later < 2; later++) {
        for (given = equations.rhs == NULL; given < 2; given++) {
            fourbar_integration *integration = NULL;
            fourbar_status status;
            f->from = froms[later];
            status = fourbar_integration_new(problem, &options, 0.0, y, given ? yp : NULL, 2, &integration);
            CHECK(!later || status == FOURBAR_OK);
            if (status == FOURBAR_OK) {
                status = fourbar_integration_run(integration, 1.0, &stop);
            }
            blamed(status, function, place);
            fourbar_integration_free(integration);
            integration = NULL;
            f->from = 1e9;
            OK(fourbar_integration_new(problem, &options, 0.0, y, yp, 2, &integration));
            f->from = froms[later];
            status = fourbar_integration_restart(integration, 0.25, y, given ? yp : NULL, 2);
            if (status == FOURBAR_OK) {
                status = fourbar_integration_run(integration, 1.0, &stop);
            }
            blamed(status, function, place);
            fourbar_integration_free(integration);
        }
    }
    f->from = -1.0;
    fourbar_problem_free(problem);
}

static void equations_of_the_host(double gives, const char *name) {
    static const char *const functions[4] = {"the rhs function", "the residual function", "the jacobian function",
                                          "the roots function"};
    static const char *const places[4] = {"the derivative of unknown 1", "equation 1", "entry 3", "root function 1"};
    int32_t integrator;
    int k;
    for (k = 0; k < 4; k++) {
        fault f;
        fourbar_equations equations;
        char place[64];
        snprintf(place, sizeof place, "it gives %s for %s", name, places[k]);
        f.from = -1.0, f.gives = gives;
        OK(fourbar_equations_init(&equations, sizeof equations));
        equations.user = &f;
        equations.dimension = 2;
        equations.rhs = k == 0 ? rhs : k == 1 ? NULL : good_rhs;
        equations.residual = k == 1 ? residual : NULL;
        equations.root_count = k == 3 ? 2 : 0;
        equations.roots = k == 3 ? roots : NULL;
        if (k == 2) {
            /* Asked for where the method wants a new matrix. */
            fourbar_problem *problem = NULL;
            fourbar_integration *integration = NULL;
            const double y[2] = {1.0, 2.0};
            int32_t stop = 0;
            equations.jacobian = jacobian;
            OK(fourbar_problem_new(&equations, &problem));
            OK(fourbar_integration_new(problem, NULL, 0.0, y, NULL, 2, &integration));
            blamed(fourbar_integration_run(integration, 1.0, &stop), functions[k], place);
            fourbar_integration_free(integration);
            fourbar_problem_free(problem);
            continue;
        }
        for (integrator = FOURBAR_INTEGRATOR_GSTIFF; integrator <= FOURBAR_INTEGRATOR_ABAM; integrator++) {
            if (k == 1 && integrator != FOURBAR_INTEGRATOR_GSTIFF) continue;
            integrated(equations, integrator, functions[k], place);
        }
        if (k < 2) {
            fourbar_problem *problem = NULL;
            double y[2] = {1.0, 2.0}, yp[2] = {0.0, 0.0};
            OK(fourbar_problem_new(&equations, &problem));
            blamed(fourbar_problem_consistent_start(problem, 0.0, y, yp, 2, NULL), functions[k], place);
            fourbar_problem_free(problem);
        }
    }
}

/* No step is blamed for being too long, and times are short to read. */
static void short_texts(void) {
    fault f = {1e-300, 0.0};
    fourbar_equations equations;
    fourbar_integration_options options;
    fourbar_problem *problem = NULL;
    fourbar_integration *integration = NULL;
    const double y[2] = {1.0, 2.0};
    int32_t stop = 0;
    f.gives = NAN;
    OK(fourbar_equations_init(&equations, sizeof equations));
    equations.user = &f;
    equations.dimension = 2;
    equations.rhs = rhs;
    OK(fourbar_problem_new(&equations, &problem));
    OK(fourbar_integration_options_init(&options, sizeof options));
    options.integrator = FOURBAR_INTEGRATOR_RKF45;
    OK(fourbar_integration_new(problem, &options, 0.0, y, NULL, 2, &integration));
    blamed(fourbar_integration_step(integration, &stop), "the rhs function", "it gives NaN for the derivative of unknown 1");
    CHECK(strstr(fourbar_last_error(), "too long") == NULL);
    CHECK(strlen(fourbar_last_error()) < 400);
    fourbar_integration_free(integration);
    fourbar_problem_free(problem);
}

static int32_t force(void *user, double time, const double *arguments, size_t count, double *value) {
    (void)arguments, (void)count;
    value[0] = 0.0;
    value[1] = faulty(user, time, 0.0);
    value[2] = 0.0;
    return 0;
}

static int32_t torque(void *user, double time, const double *arguments, size_t count, double *value) {
    (void)user, (void)time, (void)count;
    value[0] = -arguments[0] - arguments[1];
    return 0;
}

static int32_t partials(void *user, double time, const double *arguments, size_t count, double *value) {
    (void)arguments, (void)count;
    value[0] = -1.0;
    value[1] = faulty(user, time, -1.0);
    return 0;
}

/* The joint stands still. */
static int32_t motion(void *user, double time, double *value) {
    value[0] = value[2] = 0.0;
    value[1] = faulty(user, time, 0.0);
    return 0;
}

enum { FORCE, PARTIALS, MOTION, KINDS };

/* With contacts: a ball at the hinge, far above a floor. */
static fourbar_model *model_with(int kind, int contacts, fault *f) {
    static const char *const arguments[2] = {"angle", "rate"};
    fourbar_model *model = pendulum_model("[[marker]]\nname = \"floor\"\nbody = \"ground\"\nposition = [0, 0, -5]\n");
    fourbar_force push;
    fourbar_motion turn;
    fourbar_pair floor;
    OK(fourbar_force_init(&push, sizeof push));
    push.name = "push";
    push.i = "rod";
    if (kind == FORCE) {
        push.kind = FOURBAR_FORCE_VECTOR;
        OK(fourbar_model_add_force(model, &push));
        OK(fourbar_model_set_force_function(model, "push", NULL, 0, force, NULL, f));
    } else if (kind == PARTIALS) {
        push.kind = FOURBAR_FORCE_AXIAL_TORQUE;
        push.j = "ground";
        OK(fourbar_model_add_force(model, &push));
        OK(fourbar_model_set_force_function(model, "push", arguments, 2, torque, partials, f));
    } else {
        OK(fourbar_motion_init(&turn, sizeof turn));
        turn.name = "turn";
        turn.joint = "pivot";
        turn.function = motion;
        turn.user = f;
        OK(fourbar_model_add_motion(model, &turn));
    }
    if (contacts) {
        OK(fourbar_pair_init(&floor, sizeof floor));
        floor.name = "floor";
        floor.kind = FOURBAR_PAIR_SPHERE_PLANE;
        floor.i = "rod";
        floor.j = "floor";
        floor.radius_i = 0.1;
        OK(fourbar_model_add_pair(model, &floor));
    }
    return model;
}

static void models(double gives, const char *name) {
    static const char *const owners[KINDS] = {"force \"push\"", "force \"push\"", "motion \"turn\""};
    static const char *const places[KINDS] = {"it gives %s for value[1]",
                                           "the function of its partial derivatives gives %s for partials[1]",
                                           "it gives %s for value[1]"};
    int kind, following;
    for (kind = 0; kind < KINDS; kind++) {
        char place[96];
        snprintf(place, sizeof place, places[kind], name);
        for (following = 0; following <= FOURBAR_FOLLOWING_EVENT + 3; following++) {
            fault f;
            fourbar_simulation_options options;
            fourbar_mechanism *mechanism = NULL;
            fourbar_simulation *simulation = NULL;
            /* Explicit motion between events takes no partial derivatives. */
            if (kind == PARTIALS && following != 0) continue;
            f.from = 0.1, f.gives = gives;
            mechanism = compiled(model_with(kind, following != 0, &f));
            if (following == 0) {
                simulation = begun(mechanism);
            } else {
                OK(fourbar_simulation_options_init(&options, sizeof options));
                options.following = following;
                options.fixed_step = following > FOURBAR_FOLLOWING_EVENT ? 1e-3 : 0.0;
                OK(fourbar_simulation_new(mechanism, &options, &simulation));
                fourbar_mechanism_free(mechanism);
            }
            blamed(fourbar_simulation_step_to(simulation, 0.3), owners[kind], place);
            fourbar_simulation_free(simulation);
        }
        /* From the start. */
        if (kind != PARTIALS) {
            fault f;
            fourbar_mechanism *mechanism = NULL;
            fourbar_model *model;
            f.from = -1.0, f.gives = gives;
            model = model_with(kind, 0, &f);
            CHECK(fourbar_model_compile(model, &mechanism) == FOURBAR_CALLBACK);
            CHECK(strstr(fourbar_last_error(), owners[kind]) != NULL && strstr(fourbar_last_error(), place) != NULL);
            fourbar_model_free(model);
        }
    }
}

/* Writes the first of two derivatives, and from `t` = 0.5 on neither; the array had numbers the call before. */
static int32_t forgets(void *user, double t, const double *y, double *yp) {
    if (t < 0.5) {
        yp[1] = -y[1];
    }
    yp[0] = *(const double *)user * y[0];
    return 0;
}

static int32_t forgets_input(void *user, double t, double *u, size_t m) {
    (void)user, (void)m;
    if (t < 0.5) {
        u[0] = 1.0;
    }
    return 0;
}

/* What a function does not write is no number, not that of the call before. */
static void forgotten_values(void) {
    const double rate = -1.0, y[2] = {1.0, 1.0}, one = 1.0, a = -1.0, d = 0.0;
    double outputs[20];
    fourbar_equations equations;
    fourbar_problem *problem = NULL;
    fourbar_integration *integration = NULL;
    fourbar_system *system = NULL;
    fourbar_stepper *stepper = NULL;
    int32_t stop = 0;
    OK(fourbar_equations_init(&equations, sizeof equations));
    equations.dimension = 2;
    equations.rhs = forgets;
    equations.user = (void *)&rate;
    OK(fourbar_problem_new(&equations, &problem));
    OK(fourbar_integration_new(problem, NULL, 0.0, y, NULL, 2, &integration));
    FAILS(fourbar_integration_run(integration, 1.0, &stop), FOURBAR_CALLBACK, "NaN for the derivative of unknown 1");
    fourbar_integration_free(integration);
    fourbar_problem_free(problem);
    OK(fourbar_system_new(1, 1, 1, &a, &one, &one, &d, &system));
    OK(fourbar_stepper_new(system, 0.1, NULL, &stepper));
    FAILS(fourbar_stepper_simulate(stepper, forgets_input, NULL, outputs, 20), FOURBAR_CALLBACK, "NaN for u[0]");
    fourbar_stepper_free(stepper);
    fourbar_system_free(system);
}

int main(void) {
    forgotten_values();
    equations_of_the_host(NAN, "NaN");
    equations_of_the_host(INFINITY, "inf");
    short_texts();
    models(NAN, "NaN");
    models(INFINITY, "inf");
    return 0;
}
