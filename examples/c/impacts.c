/* A host's own loop around a mechanism with impacts: the four-bar of models/fourbar-impact.toml, followed event by event in frames of 1 ms, until
 * it rests against its stop.
 *
 *   cc -O2 impacts.c $(pkg-config --cflags --libs fourbar) -lm -o impacts && ./impacts models/fourbar-impact.toml
 */
#include <fourbar.h>

#include <stdio.h>
#include <stdlib.h>

static void check(fourbar_status status) {
    if (status != FOURBAR_OK) {
        fprintf(stderr, "%s: %s\n", fourbar_status_name(status), fourbar_last_error());
        exit(1);
    }
}

int main(int count, char **arguments) {
    fourbar_model *model = NULL;
    fourbar_mechanism *mechanism = NULL;
    fourbar_simulation *simulation = NULL;
    fourbar_contact_event event;
    size_t seen = 0, known = 0;
    int frame, impacts = 0, rests = 0;
    if (count != 2) {
        fprintf(stderr, "usage: %s MODEL\n", arguments[0]);
        return 2;
    }
    check(fourbar_model_from_file(arguments[1], &model));
    check(fourbar_model_compile(model, &mechanism));
    fourbar_model_free(model);
    check(fourbar_simulation_new(mechanism, NULL, &simulation));
    fourbar_mechanism_free(mechanism);
    for (frame = 1; frame <= 300; frame++) {
        check(fourbar_simulation_step_to(simulation, 1e-3 * frame)); /* the host draws, controls, exchanges here */
        check(fourbar_simulation_event_count(simulation, &known));
        for (; seen < known; seen++) {
            check(fourbar_simulation_event(simulation, seen, &event, sizeof event));
            if (event.kind == FOURBAR_EVENT_IMPACT) {
                impacts++;
                printf("%11.8f s: impact with %8.5f m/s, %9.6f N s\n", event.time, event.closing_speed, event.impulse);
            } else if (event.kind == FOURBAR_EVENT_ACCUMULATION) {
                rests++;
                printf("%11.8f s: at rest after infinitely many more\n", event.time);
            }
        }
    }
    fourbar_simulation_free(simulation);
    return impacts > 10 && rests == 1 ? 0 : 1;
}
