/* The host's functions fail once in a run with events: the integration stands at a point of the undisturbed run, and the call
 * repeated goes on as that did, bit for bit. */
#include "check.h"

enum failure {
    NONE,
    ROOTS_STOP,
    ROOTS_DOMAIN,
    ROOTS_NAN,
    EVENT_STOP,
    EVENT_DOMAIN,
    EVENT_ACTION,
    EVENT_NAN,
    FAILURES
};

/* A ball dropped from 1 m that keeps 0.8 of its speed; its tops are events that change nothing. */
typedef struct {
    enum failure failure;
    /* It fails at this call of the function, from 1. */
    size_t at;
    size_t root_calls;
    size_t event_calls;
    int failed;
    /* y and y' that the event function got when it failed. */
    double t, y[2], yp[2];
} ball;

#define END 1.5

static int32_t fall(void *user, double t, const double *y, double *yp) {
    (void)user, (void)t;
    yp[0] = y[1];
    yp[1] = -9.81;
    return 0;
}

static int32_t height_and_speed(void *user, double t, const double *y, const double *yp, double *roots) {
    ball *b = (ball *)user;
    int fails = ++b->root_calls == b->at;
    (void)t, (void)yp;
    roots[0] = y[0];
    roots[1] = y[1];
    if (fails && b->failure >= ROOTS_STOP && b->failure <= ROOTS_NAN) {
        b->failed = 1;
        if (b->failure == ROOTS_NAN) {
            roots[1] = NAN;
            return 0;
        }
        return b->failure == ROOTS_STOP ? -1 : 1;
    }
    return 0;
}

static int32_t bounce(void *user, double t, double *y, double *yp, const size_t *indices, const int32_t *directions,
                      size_t count, int32_t *action) {
    ball *b = (ball *)user;
    int fails = ++b->event_calls == b->at && b->failure >= EVENT_STOP;
    (void)directions;
    CHECK(count == 1);
    if (fails) {
        b->failed = 1;
        b->t = t;
        memcpy(b->y, y, sizeof b->y);
        memcpy(b->yp, yp, sizeof b->yp);
    }
    if (indices[0] == 0) {
        y[1] *= -0.8;
        yp[0] = y[1];
        *action = FOURBAR_EVENT_RESTART;
    }
    if (fails) {
        switch (b->failure) {
        case EVENT_STOP: return -1;
        case EVENT_DOMAIN: return 1;
        case EVENT_ACTION: *action = 17; break;
        default: y[1] = NAN, *action = FOURBAR_EVENT_RESTART; break;
        }
    }
    return 0;
}

static fourbar_integration *start(ball *user, int32_t integrator, double fixed) {
    double y[2] = {1.0, 0.0};
    int32_t directions[2] = {-1, -1};
    fourbar_equations equations;
    fourbar_integration_options options;
    fourbar_problem *problem = NULL;
    fourbar_integration *integration = NULL;
    OK(fourbar_equations_init(&equations, sizeof equations));
    equations.user = user;
    equations.dimension = 2;
    equations.rhs = fall;
    equations.root_count = 2;
    equations.roots = height_and_speed;
    equations.root_directions = directions;
    equations.event = bounce;
    OK(fourbar_problem_new(&equations, &problem));
    OK(fourbar_integration_options_init(&options, sizeof options));
    options.integrator = integrator;
    options.fixed_step = fixed;
    OK(fourbar_integration_new(problem, &options, 0.0, y, NULL, 2, &integration));
    fourbar_problem_free(problem);
    return integration;
}

typedef struct {
    double t, y[2], yp[2];
} point;

static point present(const fourbar_integration *integration) {
    point p;
    OK(fourbar_integration_time(integration, &p.t, NULL));
    OK(fourbar_integration_get_state(integration, p.y, p.yp, 2));
    return p;
}

static int same(point a, point b) { return memcmp(&a, &b, sizeof a) == 0; }

#define POINTS 4000

/* The points of the undisturbed run; returns how many. */
static size_t undisturbed(int32_t integrator, double fixed, ball *calls, point *points) {
    fourbar_integration *integration = start(calls, integrator, fixed);
    size_t count = 0;
    int32_t stop = 0;
    OK(fourbar_integration_set_end(integration, END));
    points[count++] = present(integration);
    do {
        OK(fourbar_integration_step(integration, &stop));
        CHECK(count < POINTS);
        points[count++] = present(integration);
    } while (stop != FOURBAR_STOP_END);
    fourbar_integration_free(integration);
    return count;
}

/* Where the run failed, another integration goes on from the bytes of the point saved there. */
static fourbar_integration *moved(fourbar_integration *integration, ball *user, int32_t integrator, double fixed) {
    fourbar_integration *other = start(user, integrator, fixed);
    fourbar_integration_state *state = NULL, *read = NULL;
    static uint8_t bytes[20000];
    size_t needed = 0;
    OK(fourbar_integration_save(integration, &state));
    OK(fourbar_integration_state_to_bytes(integration, state, bytes, sizeof bytes, &needed));
    OK(fourbar_integration_state_from_bytes(other, bytes, needed, &read));
    OK(fourbar_integration_restore(other, read));
    fourbar_integration_state_free(state);
    fourbar_integration_state_free(read);
    fourbar_integration_free(integration);
    return other;
}

static void check_failed_point(fourbar_integration *integration, const ball *user, const point *points, size_t count) {
    point p = present(integration), dense;
    size_t i, known = 0;
    if (user->failure >= EVENT_STOP) {
        /* Before the event: as the function got it. */
        CHECK(p.t == user->t && memcmp(p.y, user->y, sizeof p.y) == 0 && memcmp(p.yp, user->yp, sizeof p.yp) == 0);
    } else {
        for (i = 0; i < count; i++) known += (size_t)same(p, points[i]);
        CHECK(known >= 1);
    }
    dense.t = p.t;
    OK(fourbar_integration_interpolate(integration, p.t, dense.y, dense.yp, 2));
    CHECK(same(p, dense));
}

/* One failure, then the call repeated. */
static void once(int32_t integrator, double fixed, enum failure failure, size_t at, int moves, const ball *calls,
                 const point *points, size_t count) {
    ball user;
    fourbar_integration *integration;
    int32_t stop = 0;
    memset(&user, 0, sizeof user);
    user.failure = failure;
    user.at = at;
    integration = start(&user, integrator, fixed);
    CHECK(fourbar_integration_run(integration, END, &stop) == FOURBAR_CALLBACK);
    CHECK(user.failed);
    if (failure == EVENT_NAN) {
        CHECK(strstr(fourbar_last_error(), "the event function cannot be evaluated at t = ") != NULL);
        CHECK(strstr(fourbar_last_error(), "it gives NaN for y of unknown 1") != NULL);
    }
    check_failed_point(integration, &user, points, count);
    if (moves) {
        integration = moved(integration, &user, integrator, fixed);
        check_failed_point(integration, &user, points, count);
    }
    OK(fourbar_integration_run(integration, END, &stop));
    CHECK(stop == FOURBAR_STOP_END);
    CHECK(same(present(integration), points[count - 1]));
    CHECK(user.event_calls == calls->event_calls + (failure >= EVENT_STOP));
    fourbar_integration_free(integration);
}

static void failing(int32_t integrator, double fixed) {
    static point points[POINTS];
    ball calls;
    size_t count, failure, at;
    memset(&calls, 0, sizeof calls);
    count = undisturbed(integrator, fixed, &calls, points);
    CHECK(calls.event_calls == 4); /* t = 0.45, 0.81, 1.17 and 1.46 s: two bounces, each with a top behind it */
    for (failure = ROOTS_STOP; failure < FAILURES; failure++) {
        size_t all = failure >= EVENT_STOP ? calls.event_calls : calls.root_calls;
        size_t stride = failure >= EVENT_STOP ? 1 : all / 150 + 1;
        for (at = 1; at <= all; at += stride) {
            /* A top that changes nothing takes no state. */
            if (failure == EVENT_NAN && at % 2 == 0) continue;
            once(integrator, fixed, (enum failure)failure, at, at % 2 == 0, &calls, points, count);
        }
    }
}

/* Samples asked for again are those of the undisturbed run. */
static void sampled(int32_t integrator) {
    double times[2] = {1.0, END}, values[4], again[4], t = 0.0;
    ball user;
    fourbar_integration *integration;
    size_t done = 0;
    int32_t stop = 0;
    memset(&user, 0, sizeof user);
    integration = start(&user, integrator, 0.0);
    OK(fourbar_integration_sample(integration, times, 2, values, 4, &done, &stop));
    fourbar_integration_free(integration);
    memset(&user, 0, sizeof user);
    user.failure = EVENT_STOP;
    user.at = 1;
    integration = start(&user, integrator, 0.0);
    OK(fourbar_integration_set_end(integration, END));
    CHECK(fourbar_integration_sample(integration, times, 2, again, 4, &done, &stop) == FOURBAR_CALLBACK);
    OK(fourbar_integration_time(integration, &t, NULL));
    CHECK(t == user.t && t < times[0]);
    OK(fourbar_integration_sample(integration, times, 2, again, 4, &done, &stop));
    CHECK(done == 2 && memcmp(values, again, sizeof values) == 0);
    fourbar_integration_free(integration);
}

/* One who begins anew where the event function failed has handled the event. */
static void begun_anew(int32_t integrator) {
    ball user;
    fourbar_integration *integration;
    int32_t stop = 0;
    memset(&user, 0, sizeof user);
    user.failure = EVENT_STOP;
    user.at = 1;
    integration = start(&user, integrator, 0.0);
    CHECK(fourbar_integration_run(integration, END, &stop) == FOURBAR_CALLBACK);
    user.y[0] = 1.0, user.y[1] = -0.1;
    OK(fourbar_integration_restart(integration, user.t, user.y, NULL, 2));
    OK(fourbar_integration_run(integration, user.t + 0.4, &stop));
    CHECK(stop == FOURBAR_STOP_END && user.event_calls == 1);
    fourbar_integration_free(integration);
}

int main(void) {
    int32_t integrator;
    for (integrator = FOURBAR_INTEGRATOR_GSTIFF; integrator <= FOURBAR_INTEGRATOR_RKF45; integrator++) {
        failing(integrator, 0.0);
        failing(integrator == FOURBAR_INTEGRATOR_GSTIFF ? FOURBAR_INTEGRATOR_CONSTANT_BDF : integrator, 1e-3);
        sampled(integrator);
        begun_anew(integrator);
    }
    return 0;
}
