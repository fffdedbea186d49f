/* Two threads step two simulations of one mechanism, and get what one thread gets, to the last bit. */
#include "check.h"
#include <pthread.h>

typedef struct {
    const fourbar_mechanism *mechanism;
    double state[39];
} job;

static void *run(void *argument) {
    job *own = argument;
    fourbar_simulation *simulation = NULL;
    int k;
    OK(fourbar_simulation_new(own->mechanism, NULL, &simulation));
    for (k = 1; k <= 300; k++) {
        OK(fourbar_simulation_step_to(simulation, k * 1e-3));
    }
    OK(fourbar_simulation_get_state(simulation, own->state, 39));
    fourbar_simulation_free(simulation);
    return NULL;
}

int main(void) {
    const char *const files[2] = {"models/four-bar.toml", "models/fourbar-impact.toml"};
    int k;
    for (k = 0; k < 2; k++) {
        fourbar_model *model = NULL;
        fourbar_mechanism *mechanism = NULL;
        pthread_t threads[2];
        job jobs[3];
        int j;
        OK(fourbar_model_from_file(files[k], &model));
        OK(fourbar_model_compile(model, &mechanism));
        fourbar_model_free(model);
        for (j = 0; j < 3; j++) {
            jobs[j].mechanism = mechanism;
        }
        CHECK(pthread_create(&threads[0], NULL, run, &jobs[0]) == 0);
        CHECK(pthread_create(&threads[1], NULL, run, &jobs[1]) == 0);
        run(&jobs[2]);
        pthread_join(threads[0], NULL);
        pthread_join(threads[1], NULL);
        CHECK(memcmp(jobs[0].state, jobs[2].state, sizeof jobs[0].state) == 0);
        CHECK(memcmp(jobs[1].state, jobs[2].state, sizeof jobs[0].state) == 0);
        fourbar_mechanism_free(mechanism);
    }
    return 0;
}
