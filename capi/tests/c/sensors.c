/* Sensors and elements that act for a part of the time, their events, and every wrong use. */
#include "check.h"

#define NEAR(value, exact, allowed) CHECK(fabs((value) - (exact)) <= (allowed))

static void add_body(fourbar_model *model, const char *name, double x, double speed) {
    fourbar_body body;
    OK(fourbar_body_init(&body, sizeof body));
    body.name = name;
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    body.position[0] = x;
    body.velocity[0] = speed;
    OK(fourbar_model_add_body(model, &body));
}

/* A slug at 4 m/s meets a cart of the same mass that rests, and takes it along; a sensor ends the run. */
static void caught(void) {
    fourbar_model *model = NULL;
    fourbar_mechanism *mechanism = NULL;
    fourbar_simulation *simulation = NULL;
    fourbar_switch_event event;
    fourbar_measure measure;
    double time = 0.0, values[2] = {0.0, 0.0};
    size_t count = 0, needed = 0;
    char text[64];
    int32_t progress = FOURBAR_PROGRESS_STEP;
    OK(fourbar_model_new(&model));
    add_body(model, "slug", 0.0, 4.0);
    add_body(model, "cart", 2.0, 0.0);
    OK(fourbar_model_add_joint(model, "latch", FOURBAR_JOINT_FIXED, "slug", "cart", 0.0));
    OK(fourbar_measure_init(&measure, sizeof measure));
    measure.name = "gap";
    measure.kind = FOURBAR_MEASURE_DISTANCE;
    measure.i = "slug";
    measure.j = "cart";
    OK(fourbar_model_add_measure(model, &measure));
    OK(fourbar_model_set_active(model, FOURBAR_ELEMENT_JOINT, "latch", "0"));
    OK(fourbar_model_add_sensor(model, "meet", "gap", "0.4", FOURBAR_CROSSING_FALLING, NULL, 1));
    OK(fourbar_model_add_sensor_action(model, "meet", FOURBAR_SENSOR_LOCK, "latch", NULL));
    OK(fourbar_model_add_sensor_action(model, "meet", FOURBAR_SENSOR_PRINT, NULL, "gap"));
    OK(fourbar_model_add_sensor_action(model, "meet", FOURBAR_SENSOR_MAX_STEP, NULL, "0.05"));
    OK(fourbar_model_add_sensor_action(model, "meet", FOURBAR_SENSOR_STEP, NULL, "0.001"));
    OK(fourbar_model_add_sensor(model, "late", "time", "0.9", FOURBAR_CROSSING_EITHER, "gap", 0));
    OK(fourbar_model_add_sensor_action(model, "late", FOURBAR_SENSOR_STOP, NULL, NULL));
    OK(fourbar_model_compile(model, &mechanism));
    OK(fourbar_simulation_new(mechanism, NULL, &simulation));
    OK(fourbar_simulation_switch_count(simulation, &count));
    CHECK(count == 0);
    while (progress != FOURBAR_PROGRESS_END) {
        OK(fourbar_simulation_advance(simulation, 2.0, &progress));
    }
    OK(fourbar_simulation_time(simulation, &time, NULL));
    NEAR(time, 0.9, 1e-9);
    OK(fourbar_simulation_switch_count(simulation, &count));
    CHECK(count == 4);
    OK(fourbar_simulation_switch(simulation, 0, &event, sizeof event, values, 2));
    CHECK(event.kind == FOURBAR_SWITCH_FELL && event.value_count == 1);
    NEAR(event.time, 0.4, 1e-9);
    NEAR(values[0], 0.4, 1e-9);
    OK(fourbar_simulation_switch(simulation, 1, &event, sizeof event, NULL, 0));
    CHECK(event.kind == FOURBAR_SWITCH_LOCKED);
    NEAR(event.impulse, 2.0, 1e-9);
    NEAR(event.energy, -4.0, 1e-9);
    OK(fourbar_simulation_switch_text(simulation, 1, text, sizeof text, &needed));
    CHECK(strcmp(text, "joint \"latch\"") == 0);
    OK(fourbar_simulation_switch(simulation, 2, &event, sizeof event, NULL, 0));
    CHECK(event.kind == FOURBAR_SWITCH_ROSE);
    OK(fourbar_simulation_switch(simulation, 3, &event, sizeof event, NULL, 0));
    CHECK(event.kind == FOURBAR_SWITCH_STOPPED && event.kind != FOURBAR_SWITCH_OTHER);
    FAILS(fourbar_simulation_switch(simulation, 4, &event, sizeof event, NULL, 0), FOURBAR_INVALID, "events");
    FAILS(fourbar_simulation_switch(simulation, 0, &event, sizeof event, NULL, 1), FOURBAR_NULL, "values");
    FAILS(fourbar_simulation_switch_text(simulation, 4, text, sizeof text, &needed), FOURBAR_INVALID, "events");
    FAILS(fourbar_simulation_switch_count(simulation, NULL), FOURBAR_NULL, "count");
    fourbar_simulation_free(simulation);
    fourbar_mechanism_free(mechanism);
    fourbar_model_free(model);
}

/* A force that acts for half a second and a parameter that is set; the other kinds of events. */
static void pushed(void) {
    const int32_t kinds[] = {FOURBAR_SWITCH_ROSE, FOURBAR_SWITCH_SET, FOURBAR_SWITCH_RELEASED, FOURBAR_SWITCH_ACTIVATED,
                             FOURBAR_SWITCH_ROSE, FOURBAR_SWITCH_DEACTIVATED};
    fourbar_model *model = NULL;
    fourbar_mechanism *mechanism = NULL;
    fourbar_simulation *simulation = NULL;
    fourbar_switch_event event;
    fourbar_force force;
    size_t count = 0, k;
    OK(fourbar_model_new(&model));
    add_body(model, "ball", 0.0, 0.0);
    OK(fourbar_model_set_parameter(model, "size", 1.0));
    OK(fourbar_model_add_joint(model, "hold", FOURBAR_JOINT_FIXED, "ball", "ground", 0.0));
    OK(fourbar_force_init(&force, sizeof force));
    force.name = "push";
    force.kind = FOURBAR_FORCE_VECTOR;
    force.i = "ball";
    force.value[0] = "size";
    force.value[1] = force.value[2] = "0";
    OK(fourbar_model_add_force(model, &force));
    OK(fourbar_model_set_active(model, FOURBAR_ELEMENT_FORCE, "push", "0"));
    OK(fourbar_model_add_sensor(model, "go", "time", "0.25", FOURBAR_CROSSING_RISING, NULL, 0));
    OK(fourbar_model_add_sensor_action(model, "go", FOURBAR_SENSOR_RELEASE, "hold", NULL));
    OK(fourbar_model_add_sensor_action(model, "go", FOURBAR_SENSOR_ACTIVATE, "push", NULL));
    OK(fourbar_model_add_sensor_action(model, "go", FOURBAR_SENSOR_SET, "size", "2*size"));
    OK(fourbar_model_add_sensor(model, "end", "time", "0.75", FOURBAR_CROSSING_RISING, NULL, 0));
    OK(fourbar_model_add_sensor_action(model, "end", FOURBAR_SENSOR_DEACTIVATE, "push", NULL));
    OK(fourbar_model_compile(model, &mechanism));
    OK(fourbar_simulation_new(mechanism, NULL, &simulation));
    OK(fourbar_simulation_step_to(simulation, 1.0));
    OK(fourbar_simulation_switch_count(simulation, &count));
    CHECK(count == sizeof kinds / sizeof *kinds);
    for (k = 0; k < count; k++) {
        OK(fourbar_simulation_switch(simulation, k, &event, sizeof event, NULL, 0));
        CHECK(event.kind == kinds[k]);
    }
    fourbar_simulation_free(simulation);
    fourbar_mechanism_free(mechanism);
    mechanism = NULL;
    FAILS(fourbar_model_add_sensor(model, "x", NULL, NULL, FOURBAR_CROSSING_EITHER, NULL, 0), FOURBAR_NULL, "watched");
    FAILS(fourbar_model_add_sensor(model, "x", "1 +", NULL, FOURBAR_CROSSING_EITHER, NULL, 0), FOURBAR_INVALID, "watched");
    FAILS(fourbar_model_add_sensor(model, "x", "time", NULL, 7, NULL, 0), FOURBAR_INVALID, "crossing");
    FAILS(fourbar_model_add_sensor_action(model, "none", FOURBAR_SENSOR_STOP, NULL, NULL), FOURBAR_INVALID, "none");
    FAILS(fourbar_model_add_sensor_action(model, "go", FOURBAR_SENSOR_LOCK, NULL, NULL), FOURBAR_NULL, "name");
    FAILS(fourbar_model_add_sensor_action(model, "go", 0, NULL, NULL), FOURBAR_INVALID, "action");
    FAILS(fourbar_model_set_active(model, 0, "push", "1"), FOURBAR_INVALID, "kind");
    OK(fourbar_model_set_active(model, FOURBAR_ELEMENT_FORCE, "push", NULL));
    OK(fourbar_model_set_active(model, FOURBAR_ELEMENT_MOTION, "none", "time"));
    FAILS(fourbar_model_compile(model, &mechanism), FOURBAR_INVALID, "motion");
    fourbar_model_free(model);
}

int main(void) {
    caught();
    pushed();
    return 0;
}
