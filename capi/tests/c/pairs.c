/* Contacts added call by call: each kind against the closed form of its motion, and every wrong use. */
#include "check.h"

#define G 9.81

static fourbar_model *empty(double gravity) {
    const double g[3] = {0.0, 0.0, -gravity};
    fourbar_model *model = NULL;
    OK(fourbar_model_new(&model));
    OK(fourbar_model_set_gravity(model, g));
    return model;
}

static void add_body(fourbar_model *model, const char *name, double x, double z, double vx) {
    fourbar_body body;
    int k;
    OK(fourbar_body_init(&body, sizeof body));
    body.name = name;
    for (k = 0; k < 3; k++) {
        body.inertia[k] = 0.01;
    }
    body.position[0] = x;
    body.position[2] = z;
    body.velocity[0] = vx;
    OK(fourbar_model_add_body(model, &body));
}

static fourbar_pair pair_of(int32_t kind, const char *i, const char *j) {
    fourbar_pair pair;
    OK(fourbar_pair_init(&pair, sizeof pair));
    pair.name = "pair";
    pair.kind = kind;
    pair.i = i;
    pair.j = j;
    return pair;
}

/* The simulation at `time`. */
static fourbar_simulation *at(double time, fourbar_model *model, const fourbar_pair *pair) {
    fourbar_mechanism *mechanism = NULL;
    fourbar_mechanism_figures figures;
    fourbar_simulation *simulation = NULL;
    OK(fourbar_model_add_pair(model, pair));
    OK(fourbar_model_compile(model, &mechanism));
    fourbar_model_free(model);
    OK(fourbar_mechanism_get_figures(mechanism, &figures, sizeof figures));
    CHECK(figures.contacts == 1);
    OK(fourbar_simulation_new(mechanism, NULL, &simulation));
    fourbar_mechanism_free(mechanism);
    OK(fourbar_simulation_step_to(simulation, time));
    return simulation;
}

/* The centre of mass of a body at the end. */
static double coordinate(fourbar_simulation *simulation, size_t body, int axis) {
    fourbar_body_state state;
    OK(fourbar_simulation_body(simulation, body, &state, sizeof state));
    return state.center_of_mass[axis];
}

/* 1 m above the ground it falls for T = sqrt(2/g) and comes up again by e^2 at 3/2 T for e = 1/2: as a sphere of 0.1 m, and as a point over a plane
 * that lies 0.1 m high. */
static void bounces(int32_t kind) {
    fourbar_model *model = empty(G);
    fourbar_pair pair = pair_of(kind, "ball", "ground");
    fourbar_simulation *simulation;
    add_body(model, "ball", 0.0, 1.1, 0.0);
    pair.restitution = 0.5;
    if (kind == FOURBAR_PAIR_POINT_PLANE) {
        pair.offset = 0.1;
    } else {
        pair.radius_i = 0.1;
    }
    simulation = at(1.5 * sqrt(2.0 / G), model, &pair);
    CHECK(fabs(coordinate(simulation, 0, 2) - 0.35) < 1e-6);
    fourbar_simulation_free(simulation);
}

/* A ball runs into another one of its mass, which takes all of its speed: they touch at 0.5 s. */
static void spheres(void) {
    fourbar_model *model = empty(0.0);
    fourbar_pair pair = pair_of(FOURBAR_PAIR_SPHERE_SPHERE, "a", "b");
    fourbar_simulation *simulation;
    add_body(model, "a", 0.0, 0.0, 1.0);
    add_body(model, "b", 1.0, 0.0, 0.0);
    pair.radius_i = 0.2;
    pair.radius_j = 0.3;
    pair.restitution = 1.0;
    simulation = at(1.0, model, &pair);
    CHECK(fabs(coordinate(simulation, 0, 0) - 0.5) < 1e-9 && fabs(coordinate(simulation, 1, 0) - 1.5) < 1e-9);
    fourbar_simulation_free(simulation);
}

/* A rope of 2 m lets go by 1 m, and its end comes back as fast. */
static void rope(void) {
    fourbar_model *model = empty(0.0);
    fourbar_pair pair = pair_of(FOURBAR_PAIR_ROPE, "weight", "ground");
    fourbar_simulation *simulation;
    add_body(model, "weight", 1.0, 0.0, 1.0);
    pair.length = 2.0;
    pair.restitution = 1.0;
    simulation = at(1.5, model, &pair);
    CHECK(fabs(coordinate(simulation, 0, 0) - 1.5) < 1e-9);
    fourbar_simulation_free(simulation);
}

/* A box slides to its stand: mu g against 3 m/s for 0.3058 s, over v^2/(2 mu g) = 0.4587 m. Low enough, it does not tip. */
static void box(void) {
    fourbar_model *model = empty(G);
    fourbar_pair pair = pair_of(FOURBAR_PAIR_BOX_PLANE, "box", "ground");
    fourbar_simulation *simulation;
    add_body(model, "box", 0.0, 0.05, 3.0);
    pair.size[0] = 0.4;
    pair.size[1] = 0.4;
    pair.size[2] = 0.1;
    pair.friction = 1.0;
    simulation = at(0.5, model, &pair);
    CHECK(fabs(coordinate(simulation, 0, 0) - 9.0 / (2.0 * G)) < 1e-4 && fabs(coordinate(simulation, 0, 2) - 0.05) < 1e-6);
    fourbar_simulation_free(simulation);
}

/* A hinge turns at 2 rad/s up to 1 rad and back to its lower limit of -0.5 rad: there at 1.25 s, and at 0 at 1.5 s. */
static void stops(int32_t direction) {
    fourbar_model *model = empty(0.0);
    fourbar_pair pair = pair_of(FOURBAR_PAIR_JOINT_STOP, "hinge", NULL);
    fourbar_simulation *simulation;
    fourbar_body body;
    fourbar_body_state state;
    int k;
    OK(fourbar_body_init(&body, sizeof body));
    body.name = "wing";
    for (k = 0; k < 3; k++) {
        body.inertia[k] = 0.01;
    }
    body.angular_velocity[2] = 2.0;
    OK(fourbar_model_add_body(model, &body));
    OK(fourbar_model_add_joint(model, "hinge", FOURBAR_JOINT_REVOLUTE, "wing", "ground", 0.0));
    pair.direction = direction;
    pair.lower = -0.5;
    pair.upper = 1.0;
    pair.restitution = 1.0;
    simulation = at(1.5, model, &pair);
    OK(fourbar_simulation_body(simulation, 0, &state, sizeof state));
    CHECK(fabs(state.quaternion[3]) < 1e-8 && fabs(state.angular_velocity[2] - 2.0) < 1e-8);
    fourbar_simulation_free(simulation);
}

/* Shapes come as TOML; which of them touch is said here. A ball falls onto a floor and stays. */
static void shapes(void) {
    static const char toml[] =
        "[[shape]]\nname = \"skin\"\non = \"ball\"\ntype = \"sphere\"\nradius = 0.1\n"
        "[[shape]]\nname = \"floor\"\non = \"ground\"\ntype = \"half_space\"\n";
    fourbar_model *model = empty(G);
    fourbar_pair pair = pair_of(FOURBAR_PAIR_SHAPES, "skin", "floor");
    fourbar_simulation *simulation;
    add_body(model, "ball", 0.0, 0.15, 0.0);
    OK(fourbar_model_add_toml(model, toml, strlen(toml)));
    pair.friction = 0.3;
    pair.rolling = 1e-3;
    pair.spinning = 1e-3;
    simulation = at(0.5, model, &pair);
    CHECK(fabs(coordinate(simulation, 0, 2) - 0.1) < 1e-6);
    fourbar_simulation_free(simulation);
}

static void misuse(void) {
    fourbar_model *model = empty(G);
    fourbar_mechanism *mechanism = NULL;
    fourbar_pair pair, wrong;
    double *numbers[11];
    int k;
    FAILS(fourbar_pair_init(NULL, sizeof pair), FOURBAR_NULL, "fourbar_pair");
    FAILS(fourbar_pair_init(&pair, 1), FOURBAR_STRUCT_SIZE, "is 1");
    OK(fourbar_pair_init(&pair, sizeof pair));
    pair.reserved = 1;
    FAILS(fourbar_model_add_pair(model, &pair), FOURBAR_INVALID, "'reserved' of fourbar_pair is 1");
    pair.reserved = 0;
    FAILS(fourbar_model_add_pair(model, &pair), FOURBAR_NULL, "name");
    pair.name = "\xff";
    FAILS(fourbar_model_add_pair(model, &pair), FOURBAR_TEXT, "name");
    pair.name = "pair";
    FAILS(fourbar_model_add_pair(model, &pair), FOURBAR_INVALID, "kind is 0");
    for (k = 1; k <= 8; k++) {
        pair.kind = k;
        if (k == 8) {
            FAILS(fourbar_model_add_pair(model, &pair), FOURBAR_INVALID, "kind is 8");
            continue;
        }
        FAILS(fourbar_model_add_pair(model, &pair), FOURBAR_NULL, "'i'");
        pair.i = "ball";
        if (k != FOURBAR_PAIR_JOINT_STOP && k != FOURBAR_PAIR_SHAPES) {
            FAILS(fourbar_model_add_pair(model, &pair), FOURBAR_NULL, "'j'");
        }
        pair.i = NULL;
    }
    pair.i = "ball";
    pair.j = "ground";
    numbers[0] = &wrong.restitution, numbers[1] = &wrong.friction, numbers[2] = &wrong.rolling, numbers[3] = &wrong.spinning;
    numbers[4] = &wrong.offset, numbers[5] = &wrong.radius_i, numbers[6] = &wrong.radius_j, numbers[7] = &wrong.size[2];
    numbers[8] = &wrong.length, numbers[9] = &wrong.lower, numbers[10] = &wrong.upper;
    for (k = 0; k < 11; k++) {
        static const int32_t kinds[11] = {1, 1, 1, 1, 2, 2, 3, 4, 6, 5, 5};
        wrong = pair;
        wrong.kind = kinds[k];
        *numbers[k] = INFINITY;
        FAILS(fourbar_model_add_pair(model, &wrong), FOURBAR_NOT_FINITE, "inf");
    }
    wrong = pair;
    wrong.kind = FOURBAR_PAIR_JOINT_STOP;
    wrong.direction = 3;
    FAILS(fourbar_model_add_pair(model, &wrong), FOURBAR_INVALID, "direction is 3");
    wrong.struct_size = 3;
    FAILS(fourbar_model_add_pair(model, &wrong), FOURBAR_STRUCT_SIZE, "is 3");
    FAILS(fourbar_model_add_pair(model, NULL), FOURBAR_NULL, "pair");
    FAILS(fourbar_model_add_pair(NULL, &pair), FOURBAR_NULL, "model");
    /* Nothing of these was added; what names no body is found when all is there. */
    add_body(model, "boll", 0.0, 1.0, 0.0);
    pair.kind = FOURBAR_PAIR_SPHERE_PLANE;
    pair.radius_i = 0.1;
    OK(fourbar_model_add_pair(model, &pair));
    FAILS(fourbar_model_compile(model, &mechanism), FOURBAR_INVALID, "boll");
    fourbar_model_free(model);
}

int main(void) {
    bounces(FOURBAR_PAIR_POINT_PLANE);
    bounces(FOURBAR_PAIR_SPHERE_PLANE);
    spheres();
    rope();
    box();
    stops(FOURBAR_DIRECTION_ONLY);
    stops(FOURBAR_DIRECTION_ROTATION);
    shapes();
    misuse();
    return 0;
}
