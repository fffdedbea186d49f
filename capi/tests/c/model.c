/* Models from TOML and built call by call; names and figures of mechanisms; the log. */
#include "pendulum.h"

static int warnings = 0, informations = 0;

static void listen(void *user, int32_t level, const char *text) {
    CHECK(*(int *)user == 42 && strlen(text) > 0);
    warnings += level == FOURBAR_LOG_WARNING;
    informations += level == FOURBAR_LOG_INFO;
}

static void capabilities(void) {
    fourbar_capability_list list;
    OK(fourbar_capabilities(&list, sizeof list));
    CHECK((list.features & FOURBAR_HAS_MECHANISM) != 0 && (list.features & FOURBAR_HAS_TOML) != 0);
    CHECK(list.abi_version == fourbar_abi_version() && list.pointer_bytes == sizeof(void *) && list.order_max == 6);
    FAILS(fourbar_capabilities(NULL, sizeof list), FOURBAR_NULL, "fourbar_capability_list");
    FAILS(fourbar_capabilities(&list, 3), FOURBAR_STRUCT_SIZE, "struct_size");
}

static void from_toml(void) {
    static const char wrong[] = "[[body]]\nname = \"rod\"\nmass = 1\nmas = 2\n";
    static const char linear[] = "type = \"linear\"\n[[state_space]]\n";
    static const char no_joint[] = "[[joint]]\nname = \"j\"\ntype = \"revolute\"\ni = \"rood\"\nj = \"ground\"\n";
    fourbar_model *model = NULL;
    fourbar_mechanism *mechanism = NULL;
    FAILS(fourbar_model_from_toml(NULL, 3, NULL, &model), FOURBAR_NULL, "text");
    FAILS(fourbar_model_from_toml(PENDULUM, strlen(PENDULUM), NULL, NULL), FOURBAR_NULL, "out");
    FAILS(fourbar_model_from_toml(PENDULUM, 0, NULL, &model), FOURBAR_INVALID, "empty");
    FAILS(fourbar_model_from_toml("\xff", 1, NULL, &model), FOURBAR_TEXT, "UTF-8");
    FAILS(fourbar_model_from_toml(PENDULUM, strlen(PENDULUM), "\xff", &model), FOURBAR_TEXT, "name");
    FAILS(fourbar_model_from_toml(wrong, strlen(wrong), "w.toml", &model), FOURBAR_INVALID, "w.toml:4:1");
    FAILS(fourbar_model_from_toml(wrong, strlen(wrong), NULL, &model), FOURBAR_INVALID, "`mass`");
    CHECK(fourbar_model_from_toml(linear, strlen(linear), NULL, &model) != FOURBAR_OK);
    FAILS(fourbar_model_from_file(NULL, &model), FOURBAR_NULL, "path");
    FAILS(fourbar_model_from_file("models/none.toml", &model), FOURBAR_FILE, "none.toml");
    FAILS(fourbar_model_from_file("models/servo.toml", &model), FOURBAR_UNSUPPORTED, "linear");
    FAILS(fourbar_model_from_file("models/four-bar.toml", NULL), FOURBAR_NULL, "out");
    CHECK(model == NULL);
    /* An error of the model as a whole has its line while the model is that of the text. */
    OK(fourbar_model_from_toml(PENDULUM, strlen(PENDULUM), NULL, &model));
    OK(fourbar_model_add_toml(model, no_joint, strlen(no_joint)));
    FAILS(fourbar_model_compile(model, &mechanism), FOURBAR_INVALID, "rood");
    CHECK(strcmp(fourbar_model_error(model), fourbar_last_error()) == 0);
    CHECK(strcmp(fourbar_model_error(NULL), "") == 0);
    FAILS(fourbar_model_add_toml(model, wrong, strlen(wrong)), FOURBAR_INVALID, "mas");
    FAILS(fourbar_model_add_toml(model, NULL, 1), FOURBAR_NULL, "text");
    FAILS(fourbar_model_add_toml(NULL, wrong, 1), FOURBAR_NULL, "model");
    fourbar_model_free(model);
    fourbar_model_free(NULL);
    CHECK(mechanism == NULL);
}

/* A linkage whose joints are redundant in space: figures, names, warnings. */
static void figures_and_names(void) {
    fourbar_model *model = NULL;
    fourbar_mechanism *mechanism = NULL;
    fourbar_mechanism_figures figures;
    char buffer[64];
    size_t needed = 0, index = 99;
    int user = 42;
    OK(fourbar_log_set(listen, &user));
    OK(fourbar_model_from_file("models/four-bar.toml", &model));
    FAILS(fourbar_model_compile(model, NULL), FOURBAR_NULL, "out");
    FAILS(fourbar_model_compile(NULL, &mechanism), FOURBAR_NULL, "model");
    OK(fourbar_model_compile(model, &mechanism));
    OK(fourbar_log_set(NULL, NULL));
    CHECK(warnings == 3 && informations >= 1); /* three rows dropped; bodies moved */
    OK(fourbar_mechanism_get_figures(mechanism, &figures, sizeof figures));
    CHECK(figures.bodies == 3 && figures.joints == 4 && figures.motions == 0 && figures.forces == 1);
    CHECK(figures.degrees_of_freedom == 1 && figures.redundant_rows == 3 && figures.constraint_rows == 17);
    CHECK(figures.moved_bodies >= 1 && figures.violation_before > 1e-4 && figures.violation_after < 1e-12);
    CHECK(figures.inputs == 0 && figures.contacts == 0 && figures.measures == 8 && figures.singular_start == 0);
    FAILS(fourbar_mechanism_get_figures(NULL, &figures, sizeof figures), FOURBAR_NULL, "mechanism");
    FAILS(fourbar_mechanism_get_figures(mechanism, NULL, sizeof figures), FOURBAR_NULL, "fourbar_mechanism_figures");
    FAILS(fourbar_mechanism_get_figures(mechanism, &figures, 8), FOURBAR_STRUCT_SIZE, "struct_size");

    OK(fourbar_mechanism_name(mechanism, FOURBAR_PART_BODY, 1, buffer, sizeof buffer, &needed));
    CHECK(strcmp(buffer, "coupler") == 0 && needed == 8);
    OK(fourbar_mechanism_name(mechanism, FOURBAR_PART_MEASURE, 3, buffer, sizeof buffer, NULL));
    CHECK(strcmp(buffer, "coupler_point.x") == 0);
    OK(fourbar_mechanism_name(mechanism, FOURBAR_PART_REDUNDANT_ROW, 0, NULL, 0, &needed));
    CHECK(needed > 5);
    OK(fourbar_mechanism_name(mechanism, FOURBAR_PART_REDUNDANT_ROW, 0, buffer, sizeof buffer, NULL));
    CHECK(strstr(buffer, " (") != NULL && strchr("ABCD", buffer[0]) != NULL); /* the joint comes first */
    OK(fourbar_mechanism_unit(mechanism, FOURBAR_PART_MEASURE, 6, buffer, sizeof buffer, NULL));
    CHECK(strcmp(buffer, "N") == 0);
    OK(fourbar_mechanism_find(mechanism, FOURBAR_PART_JOINT, "C", &index));
    CHECK(index == 2);
    FAILS(fourbar_mechanism_find(mechanism, FOURBAR_PART_MEASURE, "crank_angel", &index), FOURBAR_NO_SUCH_NAME,
          "crank_angle");
    FAILS(fourbar_mechanism_find(mechanism, 99, "C", &index), FOURBAR_INVALID, "fourbar_part");
    FAILS(fourbar_mechanism_find(mechanism, FOURBAR_PART_JOINT, NULL, &index), FOURBAR_NULL, "name");
    FAILS(fourbar_mechanism_find(mechanism, FOURBAR_PART_JOINT, "C", NULL), FOURBAR_NULL, "index");
    FAILS(fourbar_mechanism_find(NULL, FOURBAR_PART_JOINT, "C", &index), FOURBAR_NULL, "mechanism");
    FAILS(fourbar_mechanism_name(mechanism, 0, 0, buffer, sizeof buffer, NULL), FOURBAR_INVALID, "part");
    FAILS(fourbar_mechanism_name(mechanism, FOURBAR_PART_BODY, 3, buffer, sizeof buffer, NULL), FOURBAR_INVALID, "index");
    FAILS(fourbar_mechanism_name(mechanism, FOURBAR_PART_BODY, 1, buffer, 7, &needed), FOURBAR_LENGTH, "8");
    FAILS(fourbar_mechanism_name(mechanism, FOURBAR_PART_BODY, 1, NULL, 8, &needed), FOURBAR_NULL, "buffer");
    FAILS(fourbar_mechanism_name(mechanism, FOURBAR_PART_BODY, 1, NULL, 0, NULL), FOURBAR_NULL, "needed");
    FAILS(fourbar_mechanism_name(NULL, FOURBAR_PART_BODY, 1, buffer, 8, NULL), FOURBAR_NULL, "mechanism");
    FAILS(fourbar_mechanism_unit(mechanism, FOURBAR_PART_BODY, 1, buffer, 8, NULL), FOURBAR_UNSUPPORTED, "unit");
    FAILS(fourbar_mechanism_unit(NULL, FOURBAR_PART_MEASURE, 1, buffer, 8, NULL), FOURBAR_NULL, "mechanism");
    FAILS(fourbar_mechanism_unit(mechanism, FOURBAR_PART_MEASURE, 8, buffer, 8, NULL), FOURBAR_INVALID, "index");
    fourbar_model_free(model);
    fourbar_mechanism_free(mechanism);
    fourbar_mechanism_free(NULL);
}

/* A slider pushed by a spring, built call by call: x'' = -(k/m) x has the period 2 pi/sqrt(k/m). */
static void call_by_call(void) {
    const double gravity[3] = {0.0, 0.0, -9.81};
    const double up_x[4] = {0.70710678118654752, 0.0, 0.70710678118654752, 0.0}; /* turns z to x */
    const double base[3] = {-1.0, 0.0, 0.0};
    fourbar_model *model = NULL;
    fourbar_mechanism *mechanism = NULL;
    fourbar_simulation *simulation = NULL;
    fourbar_body body;
    fourbar_force spring;
    fourbar_measure measure;
    double x = 0.0;
    OK(fourbar_model_new(&model));
    FAILS(fourbar_model_new(NULL), FOURBAR_NULL, "out");
    OK(fourbar_model_set_name(model, "slider"));
    OK(fourbar_model_set_gravity(model, gravity));
    OK(fourbar_model_set_parameter(model, "k", 400.0));
    OK(fourbar_body_init(&body, sizeof body));
    body.name = "mass";
    body.mass = 4.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    body.position[0] = 0.25;
    body.exact = FOURBAR_EXACT_X;
    OK(fourbar_model_add_body(model, &body));
    OK(fourbar_model_add_marker(model, "rail", "ground", NULL, up_x, 0));
    OK(fourbar_model_add_marker(model, "shoe", "mass", NULL, up_x, 0));
    OK(fourbar_model_add_marker(model, "wall", "ground", base, NULL, 1));
    OK(fourbar_model_add_joint(model, "slide", FOURBAR_JOINT_PRISMATIC, "shoe", "rail", 0.0));
    OK(fourbar_force_init(&spring, sizeof spring));
    spring.name = "spring";
    spring.kind = FOURBAR_FORCE_SPRING_DAMPER;
    spring.i = "mass";
    spring.j = "wall";
    spring.stiffness = 400.0;
    spring.free = 1.0;
    OK(fourbar_model_add_force(model, &spring));
    OK(fourbar_measure_init(&measure, sizeof measure));
    measure.name = "x";
    measure.kind = FOURBAR_MEASURE_POSITION;
    measure.component = FOURBAR_COMPONENT_X;
    measure.i = "mass";
    OK(fourbar_model_add_measure(model, &measure));
    OK(fourbar_model_compile(model, &mechanism));
    OK(fourbar_simulation_new(mechanism, NULL, &simulation));
    OK(fourbar_simulation_step_to(simulation, 2.0 * PI / 10.0 * 3.25));
    OK(fourbar_simulation_measure(simulation, "x", &x));
    CHECK(fabs(x) < 1e-4); /* a quarter of a period after three of them */
    OK(fourbar_simulation_step_to(simulation, 2.0 * PI / 10.0 * 3.5));
    OK(fourbar_simulation_measure(simulation, "x", &x));
    CHECK(fabs(x + 0.25) < 1e-4);
    fourbar_simulation_free(simulation);
    fourbar_mechanism_free(mechanism);
    /* What is wrong is named. */
    OK(fourbar_model_add_joint(model, "slide", FOURBAR_JOINT_REVOLUTE, "mass", "ground", 0.0));
    mechanism = NULL;
    FAILS(fourbar_model_compile(model, &mechanism), FOURBAR_INVALID, "slide");
    fourbar_model_free(model);
}

/* Where joints start and how fast, call by call. */
static void initial_conditions(void) {
    fourbar_model *model = pendulum_model(NULL);
    fourbar_mechanism *mechanism = NULL;
    fourbar_simulation *simulation;
    fourbar_joint_initial initial;
    double value = 0.0;
    OK(fourbar_joint_initial_init(&initial, sizeof initial));
    CHECK(isnan(initial.angle) && isnan(initial.displacement) && isnan(initial.angular_velocity) && isnan(initial.velocity));
    initial.angle = 0.3;
    initial.angular_velocity = -2.0;
    OK(fourbar_model_set_joint_initial(model, "pivot", &initial));
    OK(fourbar_model_compile(model, &mechanism));
    simulation = begun(mechanism);
    OK(fourbar_simulation_measure(simulation, "angle", &value));
    CHECK(fabs(value - 0.3) < 1e-14);
    OK(fourbar_simulation_measure(simulation, "rate", &value));
    CHECK(fabs(value + 2.0) < 1e-14);
    fourbar_simulation_free(simulation);
    /* A coordinate that the joint does not have; what is free again. */
    mechanism = NULL;
    initial.displacement = 0.1;
    OK(fourbar_model_set_joint_initial(model, "pivot", &initial));
    FAILS(fourbar_model_compile(model, &mechanism), FOURBAR_INVALID, "pivot");
    OK(fourbar_model_set_joint_initial(model, "pivot", NULL));
    OK(fourbar_model_compile(model, &mechanism));
    simulation = begun(mechanism);
    OK(fourbar_simulation_measure(simulation, "angle", &value));
    CHECK(value == 0.0);
    fourbar_simulation_free(simulation);
    FAILS(fourbar_model_set_joint_initial(model, "pivott", &initial), FOURBAR_NO_SUCH_NAME, "\"pivot\"");
    initial.angle = INFINITY;
    FAILS(fourbar_model_set_joint_initial(model, "pivot", &initial), FOURBAR_NOT_FINITE, "angle");
    initial.struct_size = 0;
    FAILS(fourbar_model_set_joint_initial(model, "pivot", &initial), FOURBAR_STRUCT_SIZE, "fourbar_joint_initial");
    FAILS(fourbar_model_set_joint_initial(model, NULL, &initial), FOURBAR_NULL, "joint");
    FAILS(fourbar_model_set_joint_initial(NULL, "pivot", &initial), FOURBAR_NULL, "model");
    FAILS(fourbar_joint_initial_init(NULL, sizeof initial), FOURBAR_NULL, "fourbar_joint_initial");
    FAILS(fourbar_joint_initial_init(&initial, 1), FOURBAR_STRUCT_SIZE, "fourbar_joint_initial");
    fourbar_model_free(model);
}

/* Every kind of measure and joint, once. */
static void all_kinds(void) {
    fourbar_model *model = NULL;
    fourbar_mechanism *mechanism = NULL;
    fourbar_body body;
    fourbar_measure measure;
    fourbar_motion motion;
    fourbar_force force;
    int32_t kind;
    char name[8];
    size_t length = 0;
    fourbar_mechanism_figures figures;
    double *values;
    fourbar_simulation *simulation = NULL;
    for (kind = FOURBAR_JOINT_REVOLUTE; kind <= FOURBAR_JOINT_HOOKE; kind++) {
        const double aside[3] = {0.0, 0.0, 0.5};
        OK(fourbar_model_new(&model));
        OK(fourbar_body_init(&body, sizeof body));
        body.name = "b";
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
        OK(fourbar_model_add_body(model, &body));
        OK(fourbar_model_add_marker(model, "g", "ground", kind == FOURBAR_JOINT_DISTANCE ? aside : NULL,
                                    kind == FOURBAR_JOINT_UNIVERSAL || kind == FOURBAR_JOINT_PERPENDICULAR
                                        ? (const double[4]){0.70710678118654752, 0.70710678118654752, 0.0, 0.0}
                                        : NULL,
                                    0));
        OK(fourbar_model_add_joint(model, "j", kind, "b", "g", kind == FOURBAR_JOINT_SCREW ? 0.01 : 0.0));
        OK(fourbar_model_compile(model, &mechanism));
        OK(fourbar_mechanism_get_figures(mechanism, &figures, sizeof figures));
        {
            static const size_t taken[17] = {0, 5, 5, 4, 3, 4, 3, 6, 2, 1, 2, 1, 3, 1, 5, 4, 4};
            CHECK(figures.degrees_of_freedom == 6 - taken[kind]);
        }
        fourbar_mechanism_free(mechanism);
        fourbar_model_free(model);
    }
    /* A rotor on a loaded pin slows down by mu r N/J: 0.2 0.01 100 N/1 kg m^2. */
    {
        fourbar_friction rub;
        fourbar_simulation *run;
        fourbar_body_state state;
        OK(fourbar_model_new(&model));
        OK(fourbar_body_init(&body, sizeof body));
        body.name = "rotor";
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
        body.angular_velocity[2] = 5.0;
        OK(fourbar_model_add_body(model, &body));
        OK(fourbar_model_add_joint(model, "pin", FOURBAR_JOINT_REVOLUTE, "rotor", "ground", 0.0));
        OK(fourbar_friction_init(&rub, sizeof rub));
        rub.name = "rub";
        rub.joint = "pin";
        rub.mu_dynamic = 0.2;
        rub.transition_velocity = 1e-4;
        rub.pin_radius = 0.01;
        rub.preload_force = 100.0;
        OK(fourbar_model_add_friction(model, &rub));
        OK(fourbar_model_compile(model, &mechanism));
        OK(fourbar_simulation_new(mechanism, NULL, &run));
        OK(fourbar_simulation_step_to(run, 2.0));
        OK(fourbar_simulation_body(run, 0, &state, sizeof state));
        CHECK(fabs(state.angular_velocity[2] - (5.0 - 0.2 * 0.01 * 100.0 * 2.0)) < 1e-5);
        fourbar_simulation_free(run);
        fourbar_mechanism_free(mechanism);
        fourbar_model_free(model);
    }
    /* A ball rolls: six coordinates less one of its place and two of its velocity; a motion along x of the ground takes another. */
    {
        fourbar_motion push;
        OK(fourbar_model_new(&model));
        OK(fourbar_body_init(&body, sizeof body));
        body.name = "ball";
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
        body.position[2] = 0.1;
        OK(fourbar_model_add_body(model, &body));
        OK(fourbar_model_add_rolling(model, "floor", FOURBAR_ROLLING_SPHERE, "ball", NULL, 0.1));
        OK(fourbar_motion_init(&push, sizeof push));
        push.name = "push";
        push.i = "ball";
        push.direction = FOURBAR_DIRECTION_X;
        push.expression = "0.5*time";
        OK(fourbar_model_add_motion(model, &push));
        OK(fourbar_model_compile(model, &mechanism));
        OK(fourbar_mechanism_get_figures(mechanism, &figures, sizeof figures));
        CHECK(figures.degrees_of_freedom == 2 && figures.joints == 1 && figures.motions == 1);
        fourbar_mechanism_free(mechanism);
        fourbar_model_free(model);
    }
    model = pendulum_model("[[marker]]\nname = \"far\"\nbody = \"ground\"\nposition = [0, 5, 0]\n");
    OK(fourbar_measure_init(&measure, sizeof measure));
    measure.i = "rod";
    measure.j = "far";
    measure.frame = "rod";
    measure.expression = "2*angle + time";
    measure.unit = "rad";
    for (kind = FOURBAR_MEASURE_POSITION; kind <= FOURBAR_MEASURE_EXPRESSION; kind++) {
        measure.kind = kind;
        measure.owner = kind == FOURBAR_MEASURE_MOTION_FORCE || kind == FOURBAR_MEASURE_MOTION_TORQUE ? "turn" : "pivot";
        measure.component = FOURBAR_COMPONENT_MAGNITUDE;
        name[0] = 'm';
        name[1] = (char)('a' + kind);
        name[2] = '\0';
        measure.name = name;
        OK(fourbar_model_add_measure(model, &measure));
    }
    OK(fourbar_motion_init(&motion, sizeof motion));
    motion.name = "turn";
    motion.joint = "pivot";
    motion.law = FOURBAR_MOTION_VELOCITY;
    motion.expression = "0.5*time";
    motion.initial_displacement = 0.0;
    OK(fourbar_model_add_motion(model, &motion));
    OK(fourbar_force_init(&force, sizeof force));
    for (kind = FOURBAR_FORCE_SPRING_DAMPER; kind <= FOURBAR_FORCE_GENERAL; kind++) {
        force.kind = kind;
        force.i = "rod";
        force.j = "far";
        force.frame = "rod";
        force.value[0] = "sin(time)";
        force.damping = 0.1;
        force.torque[1] = kind == FOURBAR_FORCE_GENERAL ? "cos(time)" : NULL;
        name[0] = 'f';
        name[1] = (char)('a' + kind);
        force.name = name;
        OK(fourbar_model_add_force(model, &force));
    }
    mechanism = compiled(model);
    OK(fourbar_mechanism_get_figures(mechanism, &figures, sizeof figures));
    CHECK(figures.motions == 1 && figures.forces == 7 && figures.degrees_of_freedom == 0);
    length = figures.measures;
    CHECK(length == 2 + 16);
    simulation = begun(mechanism);
    OK(fourbar_simulation_step_to(simulation, 2.0));
    values = malloc(length * sizeof *values);
    OK(fourbar_simulation_measures(simulation, values, length));
    CHECK(fabs(values[0] - 1.0) < 1e-6); /* 0.5 t^2/2 at 2 s */
    CHECK(fabs(values[17] - 4.0) < 1e-6); /* 2 angle + time */
    free(values);
    fourbar_simulation_free(simulation);
}

static void misuse(void) {
    const double bad[4] = {NAN, 0.0, 0.0, 0.0};
    fourbar_model *model = NULL;
    fourbar_body body;
    fourbar_force force;
    fourbar_measure measure;
    fourbar_motion motion;
    OK(fourbar_model_new(&model));
    FAILS(fourbar_model_set_name(NULL, "a"), FOURBAR_NULL, "model");
    FAILS(fourbar_model_set_name(model, NULL), FOURBAR_NULL, "name");
    FAILS(fourbar_model_set_name(model, "\xff"), FOURBAR_TEXT, "UTF-8");
    FAILS(fourbar_model_set_units(NULL, "mm, t, s, N"), FOURBAR_NULL, "model");
    FAILS(fourbar_model_set_units(model, NULL), FOURBAR_NULL, "units");
    FAILS(fourbar_model_set_units(model, "\xff"), FOURBAR_TEXT, "UTF-8");
    FAILS(fourbar_model_set_units(model, "mm, t, s"), FOURBAR_INVALID, "no unit of force");
    FAILS(fourbar_model_set_gravity(NULL, bad), FOURBAR_NULL, "model");
    FAILS(fourbar_model_set_gravity(model, NULL), FOURBAR_NULL, "gravity");
    FAILS(fourbar_model_set_gravity(model, bad), FOURBAR_NOT_FINITE, "gravity");
    FAILS(fourbar_model_set_parameter(NULL, "p", 1.0), FOURBAR_NULL, "model");
    FAILS(fourbar_model_set_parameter(model, NULL, 1.0), FOURBAR_NULL, "name");
    FAILS(fourbar_model_set_parameter(model, "p", INFINITY), FOURBAR_NOT_FINITE, "value");
    OK(fourbar_model_set_parameter(model, "p", 1.0));
    {
        const double at[3] = {0.0, 1.0, 3.0}, repeated[3] = {0.0, 1.0, 1.0};
        const double values[6] = {0.0, 2.0, 1.0, 0.0, 4.0, 2.0}, levels[2] = {0.0, 1.0};
        FAILS(fourbar_model_add_spline(NULL, "c", at, values, 3, NULL, 1), FOURBAR_NULL, "model");
        FAILS(fourbar_model_add_spline(model, NULL, at, values, 3, NULL, 1), FOURBAR_NULL, "name");
        FAILS(fourbar_model_add_spline(model, "c", NULL, values, 3, NULL, 1), FOURBAR_NULL, "x");
        FAILS(fourbar_model_add_spline(model, "c", at, NULL, 3, NULL, 1), FOURBAR_NULL, "y");
        FAILS(fourbar_model_add_spline(model, "c", repeated, values, 3, NULL, 1), FOURBAR_INVALID, "x[2]");
        FAILS(fourbar_model_add_spline(model, "c", at, values, 3, NULL, 2), FOURBAR_INVALID, "curves");
        OK(fourbar_model_add_spline(model, "c", at, values, 3, NULL, 1));
        OK(fourbar_model_add_spline(model, "family", at, values, 3, levels, 2));
    }
    OK(fourbar_force_init(&force, sizeof force));
    force.name = "both";
    force.i = "rod";
    force.kind = FOURBAR_FORCE_VECTOR;
    force.torque[2] = "1";
    FAILS(fourbar_model_add_force(model, &force), FOURBAR_INVALID, "FOURBAR_FORCE_GENERAL");
    {
        double k[36] = {1e5}, preload[6] = {0.0};
        FAILS(fourbar_model_add_bushing(NULL, "b", "rod", "ground", k, NULL, NULL), FOURBAR_NULL, "model");
        FAILS(fourbar_model_add_bushing(model, NULL, "rod", "ground", k, NULL, NULL), FOURBAR_NULL, "name");
        FAILS(fourbar_model_add_bushing(model, "b", NULL, "ground", k, NULL, NULL), FOURBAR_NULL, "i");
        FAILS(fourbar_model_add_bushing(model, "b", "rod", NULL, k, NULL, NULL), FOURBAR_NULL, "j");
        preload[5] = INFINITY;
        FAILS(fourbar_model_add_bushing(model, "b", "rod", "ground", k, k, preload), FOURBAR_NOT_FINITE, "preload");
        k[35] = NAN;
        FAILS(fourbar_model_add_bushing(model, "b", "rod", "ground", k, NULL, NULL), FOURBAR_NOT_FINITE, "stiffness");
        FAILS(fourbar_model_add_bushing(model, "b", "rod", "ground", NULL, k, NULL), FOURBAR_NOT_FINITE, "damping");
    }
    {
        fourbar_friction rub;
        FAILS(fourbar_friction_init(NULL, sizeof rub), FOURBAR_NULL, "fourbar_friction");
        FAILS(fourbar_friction_init(&rub, 1), FOURBAR_STRUCT_SIZE, "is 1");
        OK(fourbar_friction_init(&rub, sizeof rub));
        FAILS(fourbar_model_add_friction(model, NULL), FOURBAR_NULL, "friction");
        rub.reserved = 1;
        FAILS(fourbar_model_add_friction(model, &rub), FOURBAR_INVALID, "'reserved' of fourbar_friction is 1");
        rub.reserved = 0;
        FAILS(fourbar_model_add_friction(model, &rub), FOURBAR_NULL, "name");
        rub.name = "rub";
        FAILS(fourbar_model_add_friction(model, &rub), FOURBAR_NULL, "joint");
        rub.joint = "pin";
        rub.mu_dynamic = NAN;
        FAILS(fourbar_model_add_friction(model, &rub), FOURBAR_NOT_FINITE, "mu_dynamic");
        rub.mu_dynamic = 0.2;
        rub.pin_radius = INFINITY;
        FAILS(fourbar_model_add_friction(model, &rub), FOURBAR_NOT_FINITE, "pin_radius");
    }
    FAILS(fourbar_model_add_toml(model, "parameters = { p = 2 }", 22), FOURBAR_INVALID, "\"p\"");

    FAILS(fourbar_body_init(NULL, sizeof body), FOURBAR_NULL, "fourbar_body");
    FAILS(fourbar_body_init(&body, 8), FOURBAR_STRUCT_SIZE, "struct_size");
    OK(fourbar_body_init(&body, sizeof body));
    FAILS(fourbar_model_add_body(model, &body), FOURBAR_NULL, "name");
    FAILS(fourbar_model_add_body(model, NULL), FOURBAR_NULL, "body");
    FAILS(fourbar_model_add_body(NULL, &body), FOURBAR_NULL, "model");
    body.name = "b";
    body.exact = 1u << 8;
    FAILS(fourbar_model_add_body(model, &body), FOURBAR_INVALID, "exact");
    body.exact = 0;
    body.reserved = 1;
    FAILS(fourbar_model_add_body(model, &body), FOURBAR_INVALID, "'reserved' of fourbar_body is 1");
    body.reserved = 0;
    body.velocity[1] = NAN;
    FAILS(fourbar_model_add_body(model, &body), FOURBAR_NOT_FINITE, "velocity");
    body.struct_size = 5000;
    FAILS(fourbar_model_add_body(model, &body), FOURBAR_STRUCT_SIZE, "struct_size");

    FAILS(fourbar_model_add_marker(NULL, "m", "b", NULL, NULL, 0), FOURBAR_NULL, "model");
    FAILS(fourbar_model_add_marker(model, NULL, "b", NULL, NULL, 0), FOURBAR_NULL, "name");
    FAILS(fourbar_model_add_marker(model, "m", NULL, NULL, NULL, 0), FOURBAR_NULL, "body");
    FAILS(fourbar_model_add_marker(model, "m", "b", bad, NULL, 0), FOURBAR_NOT_FINITE, "position");
    FAILS(fourbar_model_add_marker(model, "m", "b", NULL, bad, 0), FOURBAR_NOT_FINITE, "quaternion");
    FAILS(fourbar_model_add_joint(NULL, "j", 1, "b", "ground", 0.0), FOURBAR_NULL, "model");
    FAILS(fourbar_model_add_joint(model, NULL, 1, "b", "ground", 0.0), FOURBAR_NULL, "name");
    FAILS(fourbar_model_add_joint(model, "j", 1, NULL, "ground", 0.0), FOURBAR_NULL, "'i'");
    FAILS(fourbar_model_add_joint(model, "j", 1, "b", NULL, 0.0), FOURBAR_NULL, "'j'");
    FAILS(fourbar_model_add_joint(model, "j", 17, "b", "ground", 0.0), FOURBAR_INVALID, "17");
    FAILS(fourbar_model_add_joint(model, "j", 1, "b", "ground", NAN), FOURBAR_NOT_FINITE, "length");
    FAILS(fourbar_model_add_rolling(NULL, "r", 1, "b", NULL, 0.1), FOURBAR_NULL, "model");
    FAILS(fourbar_model_add_rolling(model, NULL, 1, "b", NULL, 0.1), FOURBAR_NULL, "name");
    FAILS(fourbar_model_add_rolling(model, "r", 3, "b", NULL, 0.1), FOURBAR_INVALID, "shape is 3");
    FAILS(fourbar_model_add_rolling(model, "r", 1, NULL, NULL, 0.1), FOURBAR_NULL, "'i'");
    FAILS(fourbar_model_add_rolling(model, "r", 1, "b", NULL, NAN), FOURBAR_NOT_FINITE, "radius");
    FAILS(fourbar_model_add_input(NULL, "u", NULL, 0.0), FOURBAR_NULL, "model");
    FAILS(fourbar_model_add_input(model, NULL, NULL, 0.0), FOURBAR_NULL, "name");
    FAILS(fourbar_model_add_input(model, "u", NULL, NAN), FOURBAR_NOT_FINITE, "start");
    FAILS(fourbar_model_add_state(NULL, "s", NULL, "1", 0, 0.0, 1.0), FOURBAR_NULL, "model");
    FAILS(fourbar_model_add_state(model, NULL, NULL, "1", 0, 0.0, 1.0), FOURBAR_NULL, "name");
    FAILS(fourbar_model_add_state(model, "s", NULL, "1 +", 0, 0.0, 1.0), FOURBAR_INVALID, "equation");
    FAILS(fourbar_model_add_state(model, "s", NULL, "1", 0, NAN, 1.0), FOURBAR_NOT_FINITE, "start");
    FAILS(fourbar_model_add_state(model, "s", NULL, "1", 0, 0.0, NAN), FOURBAR_NOT_FINITE, "size");
    FAILS(fourbar_model_add_actuator(NULL, "a", "b", "ground", 0, 0.0, NULL), FOURBAR_NULL, "model");
    FAILS(fourbar_model_add_actuator(model, NULL, "b", "ground", 0, 0.0, NULL), FOURBAR_NULL, "name");
    FAILS(fourbar_model_add_actuator(model, "a", NULL, "ground", 0, 0.0, NULL), FOURBAR_NULL, "'i'");
    FAILS(fourbar_model_add_actuator(model, "a", "b", NULL, 0, 0.0, NULL), FOURBAR_NULL, "'j'");
    FAILS(fourbar_model_add_actuator(model, "a", "b", "ground", 0, NAN, NULL), FOURBAR_NOT_FINITE, "start");

    FAILS(fourbar_force_init(NULL, sizeof force), FOURBAR_NULL, "fourbar_force");
    FAILS(fourbar_force_init(&force, 1), FOURBAR_STRUCT_SIZE, "struct_size");
    OK(fourbar_force_init(&force, sizeof force));
    force.reserved = 1;
    FAILS(fourbar_model_add_force(model, &force), FOURBAR_INVALID, "'reserved' of fourbar_force is 1");
    force.reserved = 0;
    FAILS(fourbar_model_add_force(model, &force), FOURBAR_NULL, "name");
    force.name = "f";
    FAILS(fourbar_model_add_force(model, &force), FOURBAR_NULL, "'i'");
    force.i = "b";
    FAILS(fourbar_model_add_force(model, &force), FOURBAR_INVALID, "kind is 0");
    force.kind = FOURBAR_FORCE_LINE;
    FAILS(fourbar_model_add_force(model, &force), FOURBAR_NULL, "'j'");
    force.j = "ground";
    force.value[0] = "sin(";
    FAILS(fourbar_model_add_force(model, &force), FOURBAR_INVALID, "value");
    force.value[0] = force.value[2] = "1";
    FAILS(fourbar_model_add_force(model, &force), FOURBAR_INVALID, "value[2]");
    force.value[2] = NULL;
    force.stiffness = NAN;
    FAILS(fourbar_model_add_force(model, &force), FOURBAR_NOT_FINITE, "stiffness");
    FAILS(fourbar_model_add_force(model, NULL), FOURBAR_NULL, "force");
    FAILS(fourbar_model_add_force(NULL, &force), FOURBAR_NULL, "model");

    FAILS(fourbar_measure_init(NULL, sizeof measure), FOURBAR_NULL, "fourbar_measure");
    FAILS(fourbar_measure_init(&measure, 1), FOURBAR_STRUCT_SIZE, "struct_size");
    OK(fourbar_measure_init(&measure, sizeof measure));
    FAILS(fourbar_model_add_measure(model, &measure), FOURBAR_NULL, "name");
    measure.name = "m";
    FAILS(fourbar_model_add_measure(model, &measure), FOURBAR_INVALID, "kind is 0");
    measure.kind = FOURBAR_MEASURE_ANGLE;
    FAILS(fourbar_model_add_measure(model, &measure), FOURBAR_NULL, "'i'");
    measure.kind = FOURBAR_MEASURE_JOINT_FORCE;
    FAILS(fourbar_model_add_measure(model, &measure), FOURBAR_NULL, "owner");
    measure.kind = FOURBAR_MEASURE_CONTACT_GAP;
    FAILS(fourbar_model_add_measure(model, &measure), FOURBAR_NULL, "owner");
    measure.kind = FOURBAR_MEASURE_EXPRESSION;
    FAILS(fourbar_model_add_measure(model, &measure), FOURBAR_NULL, "expression");
    measure.component = 5;
    FAILS(fourbar_model_add_measure(model, &measure), FOURBAR_INVALID, "component");
    FAILS(fourbar_model_add_measure(model, NULL), FOURBAR_NULL, "measure");
    FAILS(fourbar_model_add_measure(NULL, &measure), FOURBAR_NULL, "model");

    FAILS(fourbar_motion_init(NULL, sizeof motion), FOURBAR_NULL, "fourbar_motion");
    FAILS(fourbar_motion_init(&motion, 1), FOURBAR_STRUCT_SIZE, "struct_size");
    OK(fourbar_motion_init(&motion, sizeof motion));
    FAILS(fourbar_model_add_motion(model, &motion), FOURBAR_NULL, "name");
    motion.name = "m";
    FAILS(fourbar_model_add_motion(model, &motion), FOURBAR_NULL, "joint");
    motion.joint = "j";
    FAILS(fourbar_model_add_motion(model, &motion), FOURBAR_NULL, "expression");
    motion.expression = "1 +";
    FAILS(fourbar_model_add_motion(model, &motion), FOURBAR_INVALID, "expression");
    motion.expression = "time";
    motion.law = 4;
    FAILS(fourbar_model_add_motion(model, &motion), FOURBAR_INVALID, "law");
    motion.direction = 9;
    FAILS(fourbar_model_add_motion(model, &motion), FOURBAR_INVALID, "direction");
    motion.direction = 0;
    motion.initial_velocity = NAN;
    FAILS(fourbar_model_add_motion(model, &motion), FOURBAR_NOT_FINITE, "initial_velocity");
    FAILS(fourbar_model_add_motion(model, NULL), FOURBAR_NULL, "motion");
    FAILS(fourbar_model_add_motion(NULL, &motion), FOURBAR_NULL, "model");
    FAILS(fourbar_model_set_motion_function(NULL, "m", NULL, NULL), FOURBAR_NULL, "model");
    FAILS(fourbar_model_set_motion_function(model, NULL, NULL, NULL), FOURBAR_NULL, "name");
    FAILS(fourbar_model_set_force_function(NULL, "f", NULL, 0, NULL, NULL, NULL), FOURBAR_NULL, "model");
    FAILS(fourbar_model_set_force_function(model, NULL, NULL, 0, NULL, NULL, NULL), FOURBAR_NULL, "name");
    fourbar_model_free(model);
}

int main(void) {
    capabilities();
    from_toml();
    figures_and_names();
    call_by_call();
    initial_conditions();
    all_kinds();
    misuse();
    return 0;
}
