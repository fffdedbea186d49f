/* Runs a program of tests, compiled with -Dmain=program_main, on a thread with a stack of 256 kB, and with traps where a number becomes NaN out of
 * numbers or infinite out of finite ones: hosts run so. */
#define _GNU_SOURCE
#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define STACK (256 * 1024)

int program_main();

struct arguments {
    int count;
    char **texts;
    int result;
};

static void *run(void *given) {
    struct arguments *own = given;
    own->result = program_main(own->count, own->texts);
    return NULL;
}

#undef main
int main(int argc, char **argv) {
    struct arguments own = {argc, argv, 1};
    pthread_attr_t attributes;
    pthread_t thread;
    if (feenableexcept(FE_INVALID | FE_DIVBYZERO) == -1 || pthread_attr_init(&attributes) != 0 ||
        pthread_attr_setstacksize(&attributes, STACK) != 0 || pthread_create(&thread, &attributes, run, &own) != 0 ||
        pthread_join(thread, NULL) != 0) {
        fprintf(stderr, "the program could not be run with traps and a small stack\n");
        return 1;
    }
    return own.result;
}
