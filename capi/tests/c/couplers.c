/* Couplers, gears and racks added call by call, their figures and reactions, and every wrong use. */
#include "check.h"

/* Two shafts and a slide: a coupler, a gear and a rack in turn leave one of two degrees of freedom. */
static void couplers(void) {
    const char *const joints[2] = {"one", "two"};
    const int32_t directions[2] = {FOURBAR_DIRECTION_ROTATION, FOURBAR_DIRECTION_ONLY};
    const double ratios[2] = {1.0, -2.0}, at[3] = {0.5, 0.0, 0.0};
    const double up_y[4] = {0.70710678118654752, -0.70710678118654752, 0.0, 0.0}; /* turns z to y */
    int kind;
    for (kind = 0; kind < 3; kind++) {
        fourbar_model *model = NULL;
        fourbar_mechanism *mechanism = NULL;
        fourbar_simulation *simulation;
        fourbar_mechanism_figures figures;
        fourbar_body body;
        double wrench[6];
        OK(fourbar_model_new(&model));
        OK(fourbar_body_init(&body, sizeof body));
        body.mass = 2.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
        body.name = "a";
        body.angular_velocity[2] = 1.0;
        OK(fourbar_model_add_body(model, &body));
        body.name = "b";
        OK(fourbar_model_add_body(model, &body));
        OK(fourbar_model_add_marker(model, "pitch", "ground", at, up_y, 0));
        OK(fourbar_model_add_joint(model, "one", FOURBAR_JOINT_REVOLUTE, "a", "ground", 0.0));
        OK(fourbar_model_add_joint(model, "two", kind == 2 ? FOURBAR_JOINT_PRISMATIC : FOURBAR_JOINT_REVOLUTE, "b", "ground", 0.0));
        if (kind == 0) {
            OK(fourbar_model_add_coupler(model, "c", joints, directions, ratios, 2));
        } else if (kind == 1) {
            OK(fourbar_model_add_gear(model, "c", "one", "two", "pitch"));
        } else {
            OK(fourbar_model_add_rack_and_pinion(model, "c", "one", "two", 0.1));
        }
        OK(fourbar_model_compile(model, &mechanism));
        OK(fourbar_mechanism_get_figures(mechanism, &figures, sizeof figures));
        CHECK(figures.degrees_of_freedom == 1 && figures.motions == 0 && figures.joints == 2);
        simulation = NULL;
        OK(fourbar_simulation_new(mechanism, NULL, &simulation));
        OK(fourbar_simulation_reaction(simulation, FOURBAR_PART_COUPLER, 0, wrench));
        FAILS(fourbar_simulation_reaction(simulation, FOURBAR_PART_COUPLER, 1, wrench), FOURBAR_INVALID, "constraints is 1");
        fourbar_simulation_free(simulation);
        fourbar_mechanism_free(mechanism);
        FAILS(fourbar_model_add_coupler(model, "d", joints, NULL, ratios, 1), FOURBAR_INVALID, "two or three");
        FAILS(fourbar_model_add_coupler(model, "d", NULL, NULL, ratios, 2), FOURBAR_NULL, "joints");
        FAILS(fourbar_model_add_coupler(model, "d", joints, NULL, NULL, 2), FOURBAR_NULL, "ratios");
        FAILS(fourbar_model_add_gear(model, "d", "one", NULL, "pitch"), FOURBAR_NULL, "joint_2");
        FAILS(fourbar_model_add_rack_and_pinion(model, "d", "one", "two", NAN), FOURBAR_NOT_FINITE, "pitch_radius");
        fourbar_model_free(model);
    }
}

/* A bead on a curve in space, an eccentric with a line on it, and a pendulum that an equation holds. */
static void curves(void) {
    const double wire[9] = {-1.0, 0.0, 0.0, 0.0, 0.0, 0.1, 1.0, 0.2, 0.0}, line[4] = {-1.0, 0.0, 1.0, 0.0};
    const double square[10] = {1.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, -1.0, 1.0, 0.0};
    int kind;
    for (kind = 0; kind < 3; kind++) {
        const size_t expected[3] = {4, 5, 5};
        fourbar_model *model = NULL;
        fourbar_mechanism *mechanism = NULL;
        fourbar_simulation *simulation = NULL;
        fourbar_mechanism_figures figures;
        fourbar_measure measure;
        fourbar_body body;
        double wrench[6];
        OK(fourbar_model_new(&model));
        OK(fourbar_body_init(&body, sizeof body));
        body.mass = 2.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
        body.name = "a";
        body.position[1] = kind == 0 ? 0.0 : 1.0;
        OK(fourbar_model_add_body(model, &body));
        OK(fourbar_measure_init(&measure, sizeof measure));
        measure.name = "r";
        measure.kind = FOURBAR_MEASURE_DISTANCE;
        measure.i = "a";
        OK(fourbar_model_add_measure(model, &measure));
        if (kind == 0) {
            OK(fourbar_model_add_curve(model, "wire", NULL, wire, 3, 3, 0));
            OK(fourbar_model_add_point_on_curve(model, "c", "a", "wire"));
        } else if (kind == 1) {
            OK(fourbar_model_add_curve(model, "cam", "ground", square, 5, 2, 1));
            OK(fourbar_model_add_curve(model, "shoe", "a", line, 2, 2, 0));
            OK(fourbar_model_add_curve_on_curve(model, "c", "shoe", "cam"));
        } else {
            OK(fourbar_model_add_constraint(model, "c", "r^2 - 1 - 0.1*time", "a"));
        }
        OK(fourbar_model_compile(model, &mechanism));
        OK(fourbar_mechanism_get_figures(mechanism, &figures, sizeof figures));
        CHECK(figures.degrees_of_freedom == expected[kind] && figures.motions == 0 && figures.joints == 0);
        OK(fourbar_simulation_new(mechanism, NULL, &simulation));
        OK(fourbar_simulation_reaction(simulation, FOURBAR_PART_COUPLER, 0, wrench));
        fourbar_simulation_free(simulation);
        fourbar_mechanism_free(mechanism);
        FAILS(fourbar_model_add_curve(model, "d", NULL, wire, 3, 1, 0), FOURBAR_INVALID, "2 or 3");
        FAILS(fourbar_model_add_curve(model, "d", NULL, NULL, 3, 2, 0), FOURBAR_NULL, "points");
        FAILS(fourbar_model_add_point_on_curve(model, "d", NULL, "wire"), FOURBAR_NULL, "i");
        FAILS(fourbar_model_add_curve_on_curve(model, "d", "wire", NULL), FOURBAR_NULL, "curve_2");
        FAILS(fourbar_model_add_constraint(model, "d", "r -", NULL), FOURBAR_INVALID, "equation");
        fourbar_model_free(model);
    }
}

int main(void) {
    couplers();
    curves();
    return 0;
}
