/* Co-simulation with a partner in a shared library, library.c; its path is the argument. */
#include "check.h"

int main(int count, char **arguments) {
    fourbar_coupling_options options;
    fourbar_coupling *coupling = NULL;
    fourbar_partner_place place;
    const char *names[1] = {"gain"}, *wrong[1] = {"loudness"}, *path = arguments[1];
    double values[1] = {3.0}, y = 0.0;
    CHECK(count == 2);
    OK(fourbar_coupling_options_init(&options, sizeof options));
    OK(fourbar_coupling_new(&options, &coupling));
    OK(fourbar_partner_place_init(&place, sizeof place));
    place.parameter_count = 1;
    place.parameter_names = names;
    place.parameter_values = values;
    OK(fourbar_coupling_add_library(coupling, "amplifier", path, &place));
    OK(fourbar_coupling_set_input(coupling, "amplifier.u", 2.0));
    OK(fourbar_coupling_step(coupling, NULL));
    OK(fourbar_coupling_get_output(coupling, "amplifier.y", &y));
    CHECK(y == 6.0);
    FAILS(fourbar_coupling_add_library(coupling, "late", path, &place), FOURBAR_STATE, "before");
    fourbar_coupling_free(coupling);
    OK(fourbar_coupling_new(&options, &coupling));
    place.parameter_names = wrong;
    FAILS(fourbar_coupling_add_library(coupling, "a", path, &place), FOURBAR_CALLBACK, "loudness");
    fourbar_coupling_free(coupling);
    return 0;
}
