/* Forces and motions by functions of the host: the same as expressions, and every way to fail. */
#include "pendulum.h"

#define STIFFNESS 3.0
#define DAMPING 0.25

typedef struct {
    double nan_after, refuse_after, stop_after;
    int with_reason, calls, partial_calls;
    fourbar_simulation *inside; /* called back into */
    fourbar_status inner;
} host;

static host calm(void) {
    host h = {1e9, 1e9, 1e9, 0, 0, 0, NULL, FOURBAR_OK};
    return h;
}

static int32_t torque(void *user, double time, const double *arguments, size_t count, double *value) {
    host *h = user;
    h->calls++;
    CHECK(count == 2);
    if (h->inside != NULL) {
        h->inner = fourbar_simulation_step(h->inside, 0.1);
    }
    if (time > h->stop_after || time > h->refuse_after) {
        if (h->with_reason) {
            fourbar_callback_error("the host says no");
        }
        return time > h->stop_after ? -1 : 1;
    }
    *value = time > h->nan_after ? NAN : -STIFFNESS * arguments[0] - DAMPING * arguments[1];
    return 0;
}

static int32_t partials(void *user, double time, const double *arguments, size_t count, double *value) {
    (void)time;
    (void)arguments;
    ((host *)user)->partial_calls++;
    CHECK(count == 2);
    value[0] = -STIFFNESS;
    value[1] = -DAMPING;
    return 0;
}

static const char *const ARGUMENTS[2] = {"angle", "rate"};
static const char TORQUE[] =
    "[[force]]\nname = \"spring\"\ntype = \"axial_torque\"\ni = \"rod\"\nj = \"ground\"\nvalue = \"-3*angle - 0.25*rate\"\n";

static fourbar_simulation *with_torque(host *h, fourbar_force_partials derivatives) {
    fourbar_model *model = pendulum_model(TORQUE);
    if (h != NULL) {
        OK(fourbar_model_set_force_function(model, "spring", ARGUMENTS, 2, torque, derivatives, h));
    }
    return begun(compiled(model));
}

static void same_as_an_expression(void) {
    host h = calm(), differenced = calm();
    fourbar_simulation *expression = with_torque(NULL, NULL);
    fourbar_simulation *exact = with_torque(&h, partials);
    fourbar_simulation *without = with_torque(&differenced, NULL);
    double a[2], b[2], c[2];
    OK(fourbar_simulation_step_to(expression, 2.0));
    OK(fourbar_simulation_step_to(exact, 2.0));
    OK(fourbar_simulation_step_to(without, 2.0));
    OK(fourbar_simulation_measures(expression, a, 2));
    OK(fourbar_simulation_measures(exact, b, 2));
    OK(fourbar_simulation_measures(without, c, 2));
    CHECK(fabs(a[0] - b[0]) < 1e-12 && fabs(a[1] - b[1]) < 1e-12);
    CHECK(fabs(a[0] - c[0]) < 1e-8 && fabs(a[1] - c[1]) < 1e-8);
    CHECK(h.calls > 100 && h.partial_calls > 1 && differenced.partial_calls == 0);
    fourbar_simulation_free(expression);
    fourbar_simulation_free(exact);
    fourbar_simulation_free(without);
}

/* What a function refuses keeps the simulation from going on, and no more: it stands before, and goes on once the cause is gone. */
static void refusals(void) {
    host h = calm();
    fourbar_simulation *simulation = with_torque(&h, partials);
    double time = 0.0, angle = 0.0, reference = 0.0;
    fourbar_simulation *other;
    h.nan_after = 0.3;
    FAILS(fourbar_simulation_step_to(simulation, 1.0), FOURBAR_CALLBACK, "force \"spring\"");
    OK(fourbar_simulation_time(simulation, &time, NULL));
    CHECK(time > 0.25 && time <= 0.3);
    h.nan_after = 1e9;
    h.refuse_after = 0.4;
    h.with_reason = 1;
    FAILS(fourbar_simulation_step_to(simulation, 1.0), FOURBAR_CALLBACK, "the host says no");
    h.refuse_after = 1e9;
    h.stop_after = 0.5;
    FAILS(fourbar_simulation_step_to(simulation, 1.0), FOURBAR_CALLBACK, "the host says no");
    h.with_reason = 0;
    FAILS(fourbar_simulation_step_to(simulation, 1.0), FOURBAR_CALLBACK, "-1");
    h.stop_after = 1e9;
    OK(fourbar_simulation_step_to(simulation, 1.0));
    OK(fourbar_simulation_measure(simulation, "angle", &angle));
    other = with_torque(NULL, NULL);
    OK(fourbar_simulation_step_to(other, 1.0));
    OK(fourbar_simulation_measure(other, "angle", &reference));
    CHECK(fabs(angle - reference) < 1e-6);
    /* A function that calls back into the simulation it is called from. */
    h.inside = simulation;
    OK(fourbar_simulation_step_to(simulation, 1.1));
    CHECK(h.inner == FOURBAR_BUSY);
    /* Into another one it may. */
    h.inside = other;
    OK(fourbar_simulation_step_to(simulation, 1.101));
    CHECK(h.inner == FOURBAR_OK);
    fourbar_simulation_free(simulation);
    fourbar_simulation_free(other);
}

static void at_the_start(void) {
    host h = calm();
    fourbar_model *model = pendulum_model(TORQUE);
    fourbar_mechanism *mechanism = NULL;
    const char *wrong[2] = {"angle", "rat"}, *number[1] = {"2*angle"}, *none[1] = {NULL}, *energy[1] = {"energy"};
    h.nan_after = -1.0;
    OK(fourbar_model_set_force_function(model, "spring", ARGUMENTS, 2, torque, NULL, &h));
    FAILS(fourbar_model_compile(model, &mechanism), FOURBAR_CALLBACK, "spring");
    OK(fourbar_model_set_force_function(model, "spring", wrong, 2, torque, NULL, &h));
    FAILS(fourbar_model_compile(model, &mechanism), FOURBAR_INVALID, "rat");
    OK(fourbar_model_set_force_function(model, "spring", number, 1, torque, NULL, &h));
    FAILS(fourbar_model_compile(model, &mechanism), FOURBAR_INVALID, "2*angle");
    OK(fourbar_model_add_toml(model, "[[measure]]\nname = \"energy\"\ntype = \"total_energy\"\n", 49));
    OK(fourbar_model_set_force_function(model, "spring", energy, 1, torque, NULL, &h));
    FAILS(fourbar_model_compile(model, &mechanism), FOURBAR_INVALID, "energy");
    FAILS(fourbar_model_set_force_function(model, "spring", none, 1, torque, NULL, &h), FOURBAR_NULL, "arguments");
    FAILS(fourbar_model_set_force_function(model, "spring", NULL, 1, torque, NULL, &h), FOURBAR_NULL, "arguments");
    OK(fourbar_model_set_force_function(model, "spring", NULL, 0, NULL, NULL, NULL)); /* the expression again */
    OK(fourbar_model_set_force_function(model, "sprong", ARGUMENTS, 2, torque, NULL, &h));
    FAILS(fourbar_model_compile(model, &mechanism), FOURBAR_INVALID, "spring");
    OK(fourbar_model_set_force_function(model, "sprong", NULL, 0, NULL, NULL, NULL));
    OK(fourbar_model_compile(model, &mechanism));
    fourbar_mechanism_free(mechanism);
    fourbar_model_free(model);
}

/* A force of three components in the frame of the rod, at its end: of constant size across the rod it is a torque. */
static int32_t across(void *user, double time, const double *arguments, size_t count, double *value) {
    (void)time;
    (void)arguments;
    CHECK(count == 0);
    value[0] = 0.0;
    value[1] = *(double *)user;
    value[2] = 0.0;
    return 0;
}

static void three_components(void) {
    static const char thrust[] =
        "gravity = [0, 0, 1e-300]\n[[force]]\nname = \"jet\"\ntype = \"force\"\nframe = \"rod\"\nvalue = [0, 0, 0]\n"
        "i = { body = \"rod\", position = [1.5, 0, 0] }\n";
    fourbar_model *model = pendulum_model(thrust);
    fourbar_simulation *simulation;
    double force = 0.5, angle = 0.0;
    OK(fourbar_model_set_force_function(model, "jet", NULL, 0, across, NULL, &force));
    simulation = begun(compiled(model));
    OK(fourbar_simulation_step_to(simulation, 1.0));
    OK(fourbar_simulation_measure(simulation, "angle", &angle));
    CHECK(fabs(angle - 0.5 * (0.5 * 1.5 / 0.75)) < 1e-6); /* a = F l/I t^2/2 with I = m l^2/3 */
    fourbar_simulation_free(simulation);
}

typedef struct {
    double nan_after;
} driver;

/* angle = 0.4 t^2 */
static int32_t six(void *user, double time, const double *arguments, size_t count, double *value) {
    static const double all[6] = {2.0, 0.0, 0.0, 0.0, 0.0, 0.3};
    (void)user;
    (void)time;
    (void)arguments;
    (void)count;
    memcpy(value, all, sizeof all);
    return 0;
}

/* A free body under a force and a torque of one function; to a torque alone it writes too much. */
static void six_components(void) {
    static const char MEASURES[] = "[[measure]]\nname = \"v\"\ntype = \"velocity\"\ni = \"ball\"\n"
                                   "[[measure]]\nname = \"w\"\ntype = \"angular_velocity\"\ni = \"ball\"\n";
    int32_t kind;
    for (kind = FOURBAR_FORCE_TORQUE; kind <= FOURBAR_FORCE_GENERAL; kind++) {
        double values[6];
        fourbar_body ball;
        fourbar_force push;
        fourbar_model *model = NULL;
        fourbar_mechanism *mechanism = NULL;
        fourbar_simulation *simulation = NULL;
        OK(fourbar_model_new(&model));
        OK(fourbar_body_init(&ball, sizeof ball));
        ball.name = "ball";
        ball.mass = 4.0;
        ball.inertia[0] = ball.inertia[1] = ball.inertia[2] = 0.1;
        OK(fourbar_model_add_body(model, &ball));
        OK(fourbar_force_init(&push, sizeof push));
        push.name = "push";
        push.kind = kind;
        push.i = "ball";
        OK(fourbar_model_add_force(model, &push));
        OK(fourbar_model_set_force_function(model, "push", NULL, 0, six, NULL, NULL));
        OK(fourbar_model_add_toml(model, MEASURES, strlen(MEASURES)));
        if (kind == FOURBAR_FORCE_TORQUE) {
            FAILS(fourbar_model_compile(model, &mechanism), FOURBAR_CALLBACK, "more values");
            fourbar_model_free(model);
            continue;
        }
        simulation = begun(compiled(model));
        OK(fourbar_simulation_step_to(simulation, 1.0));
        OK(fourbar_simulation_measures(simulation, values, 6));
        CHECK(fabs(values[0] - 0.5) < 1e-9 && fabs(values[5] - 3.0) < 1e-9);
        fourbar_simulation_free(simulation);
    }
}

static int32_t drive(void *user, double time, double *value) {
    if (time < 0.0) {
        return 1;
    }
    value[0] = time > ((driver *)user)->nan_after ? NAN : 0.4 * time * time;
    value[1] = 0.8 * time;
    value[2] = 0.8;
    return 0;
}

static void motions(void) {
    driver d = {1e9};
    fourbar_model *model = pendulum_model(NULL);
    fourbar_simulation *simulation;
    fourbar_mechanism *mechanism = NULL;
    fourbar_motion motion;
    double values[2], wrench[6];
    OK(fourbar_motion_init(&motion, sizeof motion));
    motion.name = "turn";
    motion.joint = "pivot";
    motion.function = drive;
    motion.user = &d;
    OK(fourbar_model_add_motion(model, &motion));
    OK(fourbar_model_set_motion_function(model, "trun", drive, &d));
    FAILS(fourbar_model_compile(model, &mechanism), FOURBAR_INVALID, "turn");
    OK(fourbar_model_set_motion_function(model, "trun", NULL, NULL));
    OK(fourbar_model_set_motion_function(model, "turn", drive, &d));
    simulation = begun(compiled(model));
    OK(fourbar_simulation_step_to(simulation, 1.0));
    OK(fourbar_simulation_measures(simulation, values, 2));
    CHECK(fabs(values[0] - 0.4) < 1e-6 && fabs(values[1] - 0.8) < 1e-6);
    /* I a = torque - m g cos(angle) l/2 */
    OK(fourbar_simulation_reaction(simulation, FOURBAR_PART_MOTION, 0, wrench));
    CHECK(fabs(wrench[5] - (0.75 * 0.8 + PENDULUM_G * 0.75 * cos(0.4))) < 1e-5);
    d.nan_after = 1.2;
    FAILS(fourbar_simulation_step_to(simulation, 2.0), FOURBAR_CALLBACK, "motion \"turn\"");
    d.nan_after = 1e9;
    OK(fourbar_simulation_step_to(simulation, 2.0));
    OK(fourbar_simulation_measures(simulation, values, 2));
    CHECK(fabs(values[0] - 1.6) < 1e-6);
    fourbar_simulation_free(simulation);
}

static int32_t stop_after_a_tenth(void *user, double time, const double *arguments, size_t count, double *value) {
    (void)arguments;
    (void)count;
    *value = 0.0;
    if (time <= 0.1) {
        return 0;
    }
    ++*(int *)user;
    fourbar_callback_error("the host says stop");
    return -1;
}

/* A ball in the air above a floor, however its contacts are followed: the first answer that stops the run is the last call. */
static void stops_at_once_with_contacts(void) {
    const double gravity[3] = {0.0, 0.0, -9.81};
    int32_t following;
    for (following = FOURBAR_FOLLOWING_EVENT; following <= FOURBAR_FOLLOWING_EVENT + 3; following++) {
        int calls = 0;
        fourbar_body ball;
        fourbar_force push;
        fourbar_pair floor;
        fourbar_simulation_options options;
        fourbar_model *model = NULL;
        fourbar_mechanism *mechanism = NULL;
        fourbar_simulation *simulation = NULL;
        OK(fourbar_model_new(&model));
        OK(fourbar_model_set_gravity(model, gravity));
        OK(fourbar_body_init(&ball, sizeof ball));
        ball.name = "ball";
        ball.mass = 1.0;
        ball.inertia[0] = ball.inertia[1] = ball.inertia[2] = 0.1;
        ball.position[2] = 1.0;
        OK(fourbar_model_add_body(model, &ball));
        OK(fourbar_force_init(&push, sizeof push));
        push.name = "push";
        push.kind = FOURBAR_FORCE_LINE;
        push.i = "ball";
        push.j = "ground";
        OK(fourbar_model_add_force(model, &push));
        OK(fourbar_model_set_force_function(model, "push", NULL, 0, stop_after_a_tenth, NULL, &calls));
        OK(fourbar_pair_init(&floor, sizeof floor));
        floor.name = "floor";
        floor.kind = FOURBAR_PAIR_SPHERE_PLANE;
        floor.i = "ball";
        floor.j = "ground";
        floor.radius_i = 0.1;
        OK(fourbar_model_add_pair(model, &floor));
        OK(fourbar_model_compile(model, &mechanism));
        fourbar_model_free(model);
        OK(fourbar_simulation_options_init(&options, sizeof options));
        options.following = following;
        options.fixed_step = following == FOURBAR_FOLLOWING_EVENT ? 0.0 : 1e-3;
        OK(fourbar_simulation_new(mechanism, &options, &simulation));
        fourbar_mechanism_free(mechanism);
        FAILS(fourbar_simulation_step_to(simulation, 0.3), FOURBAR_CALLBACK, "the host says stop");
        CHECK(calls == 1);
        fourbar_simulation_free(simulation);
    }
}

int main(void) {
    stops_at_once_with_contacts();
    same_as_an_expression();
    refusals();
    at_the_start();
    three_components();
    six_components();
    motions();
    return 0;
}
