/* A uniform rod of 1.5 m, hinged at its end and let go from the horizontal: its period is 2 s (complete elliptic integral
 * K(sin(pi/4)) = 1.85407467730137; T = 4 K sqrt(2 l/(3 g))). */
#ifndef PENDULUM_H
#define PENDULUM_H

#include "check.h"

#define PENDULUM_G 13.750371636040745655
#define PI 3.14159265358979323846

static const char PENDULUM[] =
    "name = \"pendulum\"\n"
    "gravity = [0, -13.750371636040745655, 0]\n"
    "simulation = { tolerance = 1e-8 }\n"
    "[[body]]\n"
    "name = \"rod\"\n"
    "mass = 1\n"
    "inertia = [1e-3, 0.1875, 0.1875]\n"
    "center_of_mass = [0.75, 0, 0]\n"
    "[[joint]]\n"
    "name = \"pivot\"\n"
    "type = \"revolute\"\n"
    "i = \"rod\"\n"
    "j = \"ground\"\n"
    "[[measure]]\n"
    "name = \"angle\"\n"
    "type = \"angle\"\n"
    "i = \"rod\"\n"
    "[[measure]]\n"
    "name = \"rate\"\n"
    "type = \"angular_velocity\"\n"
    "i = \"rod\"\n"
    "component = \"z\"\n";

/* `more` is TOML that is added; NULL: none. */
static fourbar_model *pendulum_model(const char *more) {
    fourbar_model *model = NULL;
    OK(fourbar_model_from_toml(PENDULUM, strlen(PENDULUM), "pendulum.toml", &model));
    if (more != NULL) {
        OK(fourbar_model_add_toml(model, more, strlen(more)));
    }
    return model;
}

static fourbar_mechanism *compiled(fourbar_model *model) {
    fourbar_mechanism *mechanism = NULL;
    OK(fourbar_model_compile(model, &mechanism));
    fourbar_model_free(model);
    return mechanism;
}

static fourbar_simulation *begun(fourbar_mechanism *mechanism) {
    fourbar_simulation *simulation = NULL;
    OK(fourbar_simulation_new(mechanism, NULL, &simulation));
    fourbar_mechanism_free(mechanism);
    return simulation;
}

#endif
