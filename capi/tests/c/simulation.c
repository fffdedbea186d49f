/* Simulations: stepping, reading, setting, saving; contacts in a host's loop. */
#include "pendulum.h"

/* Three periods and a quarter after the horizontal the rod hangs straight down, with w^2 = 2 m g (l/2)/I = 2 g (3/(2 l))... = 3 g/l. */
static void pendulum(void) {
    fourbar_mechanism *mechanism = compiled(pendulum_model(NULL));
    fourbar_simulation *simulation = NULL;
    fourbar_simulation_options options;
    fourbar_simulation_statistics statistics;
    fourbar_body_state body;
    double values[2], wrench[6], time = -1.0, rate;
    const double w = -sqrt(3.0 * PENDULUM_G / 1.5);
    uint64_t steps = 0;
    int32_t progress = 0, method;
    for (method = 0; method <= 2; method++) {
        OK(fourbar_simulation_options_init(&options, sizeof options));
        options.integrator = method;
        options.formulation = method == 1 ? FOURBAR_FORMULATION_I3 : 0;
        options.tolerance = method == 1 ? 1e-9 : 1e-8;
        OK(fourbar_simulation_new(mechanism, &options, &simulation));
        OK(fourbar_simulation_step(simulation, 3.0));
        do {
            OK(fourbar_simulation_advance(simulation, 6.5, &progress));
        } while (progress == FOURBAR_PROGRESS_STEP);
        CHECK(progress == FOURBAR_PROGRESS_END);
        OK(fourbar_simulation_time(simulation, &time, &steps));
        CHECK(time == 6.5 && steps > 10);
        OK(fourbar_simulation_measures(simulation, values, 2));
        CHECK(fabs(values[0] + PI / 2.0) < 1e-5 && fabs(fabs(values[1]) - fabs(w)) < 1e-5);
        OK(fourbar_simulation_measure(simulation, "rate", &rate));
        CHECK(rate == values[1]);
        OK(fourbar_simulation_get_statistics(simulation, &statistics, sizeof statistics));
        CHECK(statistics.steps == steps && statistics.residual_evaluations > steps && statistics.step_last > 0.0);
        /* Straight down the pivot carries the weight and the centripetal force m w^2 l/2. */
        OK(fourbar_simulation_reaction(simulation, FOURBAR_PART_JOINT, 0, wrench));
        CHECK(fabs(wrench[1] - (PENDULUM_G + w * w * 0.75)) < 1e-3 && fabs(wrench[0]) < 1e-3);
        OK(fourbar_simulation_body(simulation, 0, &body, sizeof body));
        CHECK(fabs(body.center_of_mass[1] + 0.75) < 1e-5 && fabs(body.origin[0]) < 1e-9);
        CHECK(fabs(body.quaternion[0] - sqrt(0.5)) < 1e-5 && fabs(body.quaternion[3] + sqrt(0.5)) < 1e-5);
        CHECK(fabs(body.euler_313[0] + PI / 2.0) < 1e-5 && body.euler_313[1] < 1e-8 && body.euler_313[2] == 0.0);
        CHECK(fabs(body.angular_velocity[2] - rate) < 1e-12 && fabs(body.acceleration[1] - w * w * 0.75) < 1e-3);
        fourbar_simulation_free(simulation);
    }
    fourbar_mechanism_free(mechanism);
    fourbar_simulation_free(NULL);
}

static void saving(void) {
    fourbar_simulation *simulation = begun(compiled(pendulum_model(NULL)));
    fourbar_simulation *other = begun(compiled(pendulum_model(NULL)));
    fourbar_simulation_state *saved = NULL;
    double first[13], again[13], values[2];
    size_t length = 0;
    OK(fourbar_simulation_step_to(simulation, 0.7));
    OK(fourbar_simulation_save(simulation, &saved));
    OK(fourbar_simulation_step_to(simulation, 1.3));
    OK(fourbar_simulation_state_length(simulation, &length));
    CHECK(length == 13);
    OK(fourbar_simulation_get_state(simulation, first, 13));
    OK(fourbar_simulation_restore(simulation, saved));
    OK(fourbar_simulation_step_to(simulation, 1.3));
    OK(fourbar_simulation_get_state(simulation, again, 13));
    CHECK(memcmp(first, again, sizeof first) == 0); /* to the last bit */
    FAILS(fourbar_simulation_restore(other, saved), FOURBAR_STATE, "snapshot is of another compiled mechanism");
    FAILS(fourbar_simulation_restore(other, NULL), FOURBAR_NULL, "saved");
    FAILS(fourbar_simulation_restore(NULL, saved), FOURBAR_NULL, "simulation");
    FAILS(fourbar_simulation_save(NULL, &saved), FOURBAR_NULL, "simulation");
    FAILS(fourbar_simulation_save(simulation, NULL), FOURBAR_NULL, "out");
    fourbar_simulation_state_free(saved);
    fourbar_simulation_state_free(NULL);
    /* A state as numbers, at another time; it need not satisfy the constraints quite. */
    first[0] += 1e-6;
    first[7] += 1e-3;
    OK(fourbar_simulation_set_state(other, 5.0, first, 13));
    OK(fourbar_simulation_get_state(other, again, 13));
    CHECK(fabs(again[0] - first[0]) < 2e-6 && fabs(again[7] - first[7]) < 2e-3);
    CHECK(fabs(again[0] * again[0] + again[1] * again[1] - 0.5625) < 1e-12);
    /* Half a period of the same orbit before and after. */
    OK(fourbar_simulation_step_to(other, 6.0));
    OK(fourbar_simulation_step_to(simulation, 2.3));
    OK(fourbar_simulation_measures(other, values, 2));
    OK(fourbar_simulation_measures(simulation, first, 2));
    CHECK(fabs(values[0] - first[0]) < 5e-3);
    FAILS(fourbar_simulation_set_state(other, 5.0, first, 12), FOURBAR_LENGTH, "13");
    FAILS(fourbar_simulation_set_state(other, 5.0, NULL, 13), FOURBAR_NULL, "values");
    FAILS(fourbar_simulation_set_state(other, NAN, again, 13), FOURBAR_NOT_FINITE, "time");
    memset(&again[3], 0, 4 * sizeof(double));
    FAILS(fourbar_simulation_set_state(other, 5.0, again, 13), FOURBAR_INVALID, "quaternion");
    again[3] = INFINITY;
    FAILS(fourbar_simulation_set_state(other, 5.0, again, 13), FOURBAR_NOT_FINITE, "rod");
    FAILS(fourbar_simulation_set_state(NULL, 5.0, again, 13), FOURBAR_NULL, "simulation");
    FAILS(fourbar_simulation_get_state(other, again, 14), FOURBAR_LENGTH, "13");
    FAILS(fourbar_simulation_get_state(other, NULL, 13), FOURBAR_NULL, "values");
    FAILS(fourbar_simulation_get_state(NULL, again, 13), FOURBAR_NULL, "simulation");
    FAILS(fourbar_simulation_state_length(other, NULL), FOURBAR_NULL, "length");
    FAILS(fourbar_simulation_state_length(NULL, &length), FOURBAR_NULL, "simulation");
    fourbar_simulation_free(simulation);
    fourbar_simulation_free(other);
}

/* A point mass on a rail under a force that the host sets: x = a t^2/2, then a ramp: x'' = r t. */
static void inputs(void) {
    static const char rail[] =
        "[[body]]\nname = \"cart\"\nmass = 2\ninertia = [1, 1, 1]\n"
        "[[marker]]\nname = \"rail\"\nbody = \"ground\"\norientation = { z_axis = [1, 0, 0] }\n"
        "[[marker]]\nname = \"shoe\"\nbody = \"cart\"\norientation = { z_axis = [1, 0, 0] }\n"
        "[[joint]]\nname = \"slide\"\ntype = \"prismatic\"\ni = \"shoe\"\nj = \"rail\"\n"
        "[[force]]\nname = \"push\"\ntype = \"force\"\ni = \"cart\"\nvalue = [\"pull + more\", 0, 0]\n"
        "[[measure]]\nname = \"x\"\ntype = \"position\"\ni = \"cart\"\ncomponent = \"x\"\n";
    fourbar_model *model = NULL;
    fourbar_simulation *simulation;
    double x = 0.0, six[6];
    const double half[6] = {0.0, 6.0, 0.0, 0.0, 0.0, 0.0};
    OK(fourbar_model_from_toml(rail, strlen(rail), NULL, &model));
    OK(fourbar_model_add_input(model, "pull", "N", 4.0));
    OK(fourbar_model_add_input(model, "more", NULL, 0.0));
    simulation = begun(compiled(model));
    OK(fourbar_simulation_step_to(simulation, 1.0));
    OK(fourbar_simulation_measure(simulation, "x", &x));
    CHECK(fabs(x - 1.0) < 1e-6);
    OK(fourbar_simulation_set_input(simulation, "pull", -4.0, 0.0));
    OK(fourbar_simulation_step(simulation, 1.0));
    OK(fourbar_simulation_measure(simulation, "x", &x));
    CHECK(fabs(x - 2.0) < 1e-6);
    OK(fourbar_simulation_set_inputs(simulation, half, 6)); /* at rest here, x'' = 3 t */
    OK(fourbar_simulation_step(simulation, 1.0));
    OK(fourbar_simulation_measure(simulation, "x", &x));
    CHECK(fabs(x - 2.5) < 1e-5);
    OK(fourbar_simulation_inputs(simulation, six, 6));
    CHECK(fabs(six[0] - 6.0) < 1e-12 && six[1] == 6.0 && six[3] == 0.0);
    FAILS(fourbar_simulation_set_input(simulation, "pul", 1.0, 0.0), FOURBAR_NO_SUCH_NAME, "pull");
    FAILS(fourbar_simulation_set_input(simulation, "pull", NAN, 0.0), FOURBAR_NOT_FINITE, "pull");
    FAILS(fourbar_simulation_set_input(simulation, NULL, 1.0, 0.0), FOURBAR_NULL, "name");
    FAILS(fourbar_simulation_set_input(NULL, "pull", 1.0, 0.0), FOURBAR_NULL, "simulation");
    FAILS(fourbar_simulation_set_inputs(simulation, half, 3), FOURBAR_LENGTH, "6");
    FAILS(fourbar_simulation_set_inputs(simulation, NULL, 6), FOURBAR_NULL, "values");
    FAILS(fourbar_simulation_set_inputs(NULL, half, 6), FOURBAR_NULL, "simulation");
    FAILS(fourbar_simulation_inputs(simulation, six, 5), FOURBAR_LENGTH, "6");
    FAILS(fourbar_simulation_inputs(simulation, NULL, 6), FOURBAR_NULL, "values");
    FAILS(fourbar_simulation_inputs(NULL, six, 6), FOURBAR_NULL, "simulation");
    fourbar_simulation_free(simulation);
}

/* The same as below in fixed steps: the wall holds it, too. `saved` comes from another way of following. */
static void fixed_steps(fourbar_mechanism *mechanism, int32_t following, fourbar_simulation_state *saved) {
    fourbar_simulation *simulation = NULL;
    fourbar_simulation_options options;
    fourbar_simulation_statistics statistics;
    fourbar_body_state bar;
    uint64_t steps = 0;
    double time = 0.0, force = 0.0;
    int millisecond;
    OK(fourbar_simulation_options_init(&options, sizeof options));
    options.following = following;
    options.fixed_step = 5e-4;
    OK(fourbar_simulation_new(mechanism, &options, &simulation));
    FAILS(fourbar_simulation_restore(simulation, saved), FOURBAR_STATE, "snapshot");
    for (millisecond = 1; millisecond <= 400; millisecond++) {
        OK(fourbar_simulation_step_to(simulation, millisecond * 1e-3));
    }
    OK(fourbar_simulation_time(simulation, &time, &steps));
    CHECK(time == 400 * 1e-3 && steps == 800);
    OK(fourbar_simulation_get_statistics(simulation, &statistics, sizeof statistics));
    CHECK(statistics.steps == 800 && statistics.residual_evaluations == 0);
    OK(fourbar_simulation_measure(simulation, "wall_force", &force));
    CHECK(fabs(force - 52.414) < 0.05);
    /* The projection has kept the crank, 0.2 m between its pivots, on its pivot. */
    OK(fourbar_simulation_body(simulation, 0, &bar, sizeof bar));
    CHECK(fabs(hypot(bar.center_of_mass[0], bar.center_of_mass[1]) - 0.1) < 1e-12);
    fourbar_simulation_free(simulation);
}

/* The four-bar driven onto a wall, in a loop of 1 ms: its impacts accumulate at 0.2294578 s, and the wall then holds 52.414 N
 * (docs/contact.md). */
static void impacts_in_a_loop(void) {
    fourbar_model *model = NULL;
    fourbar_mechanism *mechanism;
    fourbar_simulation *simulation = NULL;
    fourbar_simulation_state *saved = NULL;
    fourbar_contact_event event;
    size_t count = 0, k, impacts = 0;
    double rest = 0.0, force = 0.0, wrench[6], pivot = 0.0, impulse = 0.0;
    char text[64];
    int32_t following;
    int millisecond;
    OK(fourbar_model_from_file("models/fourbar-impact.toml", &model));
    mechanism = compiled(model);
    OK(fourbar_simulation_new(mechanism, NULL, &simulation));
    for (millisecond = 1; millisecond <= 400; millisecond++) {
        OK(fourbar_simulation_step_to(simulation, millisecond * 1e-3));
        OK(fourbar_simulation_event_count(simulation, &count));
        for (k = 0; k < count; k++) {
            OK(fourbar_simulation_event(simulation, k, &event, sizeof event));
            CHECK(event.time <= millisecond * 1e-3 && event.contact == 0);
            impacts += event.kind == FOURBAR_EVENT_IMPACT;
            if (event.kind == FOURBAR_EVENT_ACCUMULATION) {
                rest = event.time;
                OK(fourbar_simulation_event_text(simulation, k, text, sizeof text, NULL));
                CHECK(strstr(text, "wall") != NULL);
            }
        }
        OK(fourbar_simulation_clear_events(simulation));
        if (millisecond == 150) {
            OK(fourbar_simulation_save(simulation, &saved));
        }
    }
    CHECK(impacts > 10 && fabs(rest - 0.2294578) < 1e-6);
    OK(fourbar_simulation_measure(simulation, "wall_force", &force));
    CHECK(fabs(force - 52.414) < 1e-3);
    OK(fourbar_simulation_measure(simulation, "pivot_force", &pivot));
    OK(fourbar_simulation_reaction(simulation, FOURBAR_PART_JOINT, 0, wrench));
    CHECK(fabs(wrench[0] - pivot) < 1e-9 && fabs(pivot) > 1.0);
    OK(fourbar_simulation_measure(simulation, "contact_impulse", &impulse));
    /* Back in the middle, and on to the same bits. */
    {
        double first[39], again[39];
        OK(fourbar_simulation_get_state(simulation, first, 39));
        OK(fourbar_simulation_restore(simulation, saved));
        for (millisecond = 151; millisecond <= 400; millisecond++) {
            OK(fourbar_simulation_step_to(simulation, millisecond * 1e-3));
        }
        OK(fourbar_simulation_get_state(simulation, again, 39));
        CHECK(memcmp(first, again, sizeof first) == 0);
        /* Set to the state of rest it stays there. */
        OK(fourbar_simulation_set_state(simulation, 0.0, first, 39));
        OK(fourbar_simulation_step_to(simulation, 0.05));
        OK(fourbar_simulation_measure(simulation, "wall_force", &force));
        CHECK(fabs(force - 52.414) < 1e-3);
    }
    FAILS(fourbar_simulation_event(simulation, 1000, &event, sizeof event), FOURBAR_INVALID, "index");
    FAILS(fourbar_simulation_event_text(simulation, 1000, text, sizeof text, NULL), FOURBAR_INVALID, "index");
    fourbar_simulation_free(simulation);
    for (following = FOURBAR_FOLLOWING_GAP_LCP; following <= FOURBAR_FOLLOWING_GGL; following++) {
        fixed_steps(mechanism, following, saved);
    }
    fourbar_simulation_state_free(saved);
    fourbar_mechanism_free(mechanism);
}

static void misuse(void) {
    fourbar_mechanism *mechanism = compiled(pendulum_model(NULL));
    fourbar_simulation *simulation = NULL, *none = NULL;
    fourbar_simulation_options options;
    fourbar_simulation_statistics statistics;
    fourbar_body_state body;
    fourbar_contact_event event;
    double value = 0.0, wrench[6];
    size_t count = 7;
    FAILS(fourbar_simulation_options_init(NULL, sizeof options), FOURBAR_NULL, "fourbar_simulation_options");
    FAILS(fourbar_simulation_options_init(&options, 2), FOURBAR_STRUCT_SIZE, "struct_size");
    OK(fourbar_simulation_options_init(&options, sizeof options));
    FAILS(fourbar_simulation_new(NULL, &options, &none), FOURBAR_NULL, "mechanism");
    FAILS(fourbar_simulation_new(mechanism, &options, NULL), FOURBAR_NULL, "out");
    options.integrator = 8;
    FAILS(fourbar_simulation_new(mechanism, &options, &none), FOURBAR_INVALID, "integrator");
    options.integrator = 2;
    options.formulation = 2;
    FAILS(fourbar_simulation_new(mechanism, &options, &none), FOURBAR_INVALID, "formulation");
    options.formulation = -1;
    FAILS(fourbar_simulation_new(mechanism, &options, &none), FOURBAR_INVALID, "formulation");
    OK(fourbar_simulation_options_init(&options, sizeof options));
    options.following = 1;
    FAILS(fourbar_simulation_new(mechanism, &options, &none), FOURBAR_UNSUPPORTED, "no following");
    options.following = 0;
    options.tolerance = 1.0;
    FAILS(fourbar_simulation_new(mechanism, &options, &none), FOURBAR_INVALID, "tolerance");
    options.tolerance = 0.0;
    options.order_max = 300;
    FAILS(fourbar_simulation_new(mechanism, &options, &none), FOURBAR_INVALID, "order_max");
    options.order_max = 7;
    FAILS(fourbar_simulation_new(mechanism, &options, &none), FOURBAR_INVALID, "`order_max`: the value is 7");
    OK(fourbar_simulation_options_init(&options, sizeof options));
    options.largest_step = -1.0;
    FAILS(fourbar_simulation_new(mechanism, &options, &none), FOURBAR_INVALID, "largest_step is -1; it must be at least 0 (0: ");
    options.largest_step = NAN;
    FAILS(fourbar_simulation_new(mechanism, &options, &none), FOURBAR_NOT_FINITE, "largest_step is NaN");
    options.largest_step = 0.0;
    options.fixed_step = 1e-3;
    FAILS(fourbar_simulation_new(mechanism, &options, &none), FOURBAR_UNSUPPORTED, "no fixed_step");
    options.struct_size = 1;
    FAILS(fourbar_simulation_new(mechanism, &options, &none), FOURBAR_STRUCT_SIZE, "struct_size");
    CHECK(none == NULL);
    OK(fourbar_simulation_options_init(&options, sizeof options));
    options.max_steps = 3;
    OK(fourbar_simulation_new(mechanism, &options, &simulation));
    FAILS(fourbar_simulation_step_to(simulation, 1.0), FOURBAR_NUMERICAL, "3 steps");
    CHECK(strcmp(fourbar_simulation_error(simulation), fourbar_last_error()) == 0);
    CHECK(strcmp(fourbar_simulation_error(NULL), "") == 0);
    fourbar_simulation_free(simulation);
    simulation = begun(mechanism);
    OK(fourbar_simulation_step_to(simulation, 0.5));
    OK(fourbar_simulation_step_to(simulation, 0.5));
    FAILS(fourbar_simulation_step_to(simulation, 0.25), FOURBAR_INVALID, "0.25");
    FAILS(fourbar_simulation_step_to(simulation, NAN), FOURBAR_NOT_FINITE, "NaN");
    FAILS(fourbar_simulation_step(simulation, INFINITY), FOURBAR_NOT_FINITE, "inf");
    FAILS(fourbar_simulation_step(NULL, 1.0), FOURBAR_NULL, "simulation");
    FAILS(fourbar_simulation_step_to(NULL, 1.0), FOURBAR_NULL, "simulation");
    FAILS(fourbar_simulation_advance(NULL, 1.0, NULL), FOURBAR_NULL, "simulation");
    OK(fourbar_simulation_advance(simulation, 1.0, NULL));
    OK(fourbar_simulation_time(simulation, NULL, NULL));
    FAILS(fourbar_simulation_time(NULL, NULL, NULL), FOURBAR_NULL, "simulation");
    FAILS(fourbar_simulation_measures(simulation, &value, 1), FOURBAR_LENGTH, "2");
    FAILS(fourbar_simulation_measures(simulation, NULL, 2), FOURBAR_NULL, "values");
    FAILS(fourbar_simulation_measures(NULL, &value, 1), FOURBAR_NULL, "simulation");
    FAILS(fourbar_simulation_measure(simulation, "angel", &value), FOURBAR_NO_SUCH_NAME, "angle");
    FAILS(fourbar_simulation_measure(simulation, NULL, &value), FOURBAR_NULL, "name");
    FAILS(fourbar_simulation_measure(simulation, "angle", NULL), FOURBAR_NULL, "value");
    FAILS(fourbar_simulation_measure(NULL, "angle", &value), FOURBAR_NULL, "simulation");
    FAILS(fourbar_simulation_body(simulation, 1, &body, sizeof body), FOURBAR_INVALID, "the number of bodies is 1");
    FAILS(fourbar_simulation_body(simulation, 0, NULL, sizeof body), FOURBAR_NULL, "fourbar_body_state");
    FAILS(fourbar_simulation_body(simulation, 0, &body, 9), FOURBAR_STRUCT_SIZE, "struct_size");
    FAILS(fourbar_simulation_body(NULL, 0, &body, sizeof body), FOURBAR_NULL, "simulation");
    FAILS(fourbar_simulation_reaction(simulation, FOURBAR_PART_BODY, 0, wrench), FOURBAR_INVALID, "part");
    FAILS(fourbar_simulation_reaction(simulation, FOURBAR_PART_MOTION, 0, wrench), FOURBAR_INVALID, "the number of motions in force is 0");
    FAILS(fourbar_simulation_reaction(simulation, FOURBAR_PART_JOINT, 0, NULL), FOURBAR_NULL, "wrench");
    FAILS(fourbar_simulation_reaction(NULL, FOURBAR_PART_JOINT, 0, wrench), FOURBAR_NULL, "simulation");
    OK(fourbar_simulation_event_count(simulation, &count));
    CHECK(count == 0);
    FAILS(fourbar_simulation_event_count(simulation, NULL), FOURBAR_NULL, "count");
    FAILS(fourbar_simulation_event_count(NULL, &count), FOURBAR_NULL, "simulation");
    FAILS(fourbar_simulation_event(NULL, 0, &event, sizeof event), FOURBAR_NULL, "simulation");
    FAILS(fourbar_simulation_event_text(NULL, 0, NULL, 0, &count), FOURBAR_NULL, "simulation");
    OK(fourbar_simulation_clear_events(simulation));
    FAILS(fourbar_simulation_clear_events(NULL), FOURBAR_NULL, "simulation");
    FAILS(fourbar_simulation_get_statistics(simulation, NULL, sizeof statistics), FOURBAR_NULL, "statistics");
    FAILS(fourbar_simulation_get_statistics(simulation, &statistics, 4), FOURBAR_STRUCT_SIZE, "struct_size");
    FAILS(fourbar_simulation_get_statistics(NULL, &statistics, sizeof statistics), FOURBAR_NULL, "simulation");
    fourbar_simulation_free(simulation);
}

int main(void) {
    pendulum();
    saving();
    inputs();
    impacts_in_a_loop();
    misuse();
    return 0;
}
