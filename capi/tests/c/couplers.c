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
        FAILS(fourbar_simulation_reaction(simulation, FOURBAR_PART_COUPLER, 1, wrench), FOURBAR_INVALID, "racks is 1");
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

int main(void) {
    couplers();
    return 0;
}
