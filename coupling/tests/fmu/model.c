/* Functional mock-up units for the tests: FMI 2 or 3 by -DFMI, the model by -DMODEL. Each call is refused outside of the modes that the
   standard allows it in. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAHLQUIST 1
#define BALL 2
#define FEED 3
#define RESOURCE 4
#define VAN_DER_POL 5
#define STAIR 6
#define TROUBLE 7
#define PASS 8
#define DAE 9
#define WIDE 10
#define HANGING 11

enum { T, X, DX, Y, DY, P, Q, U, OUT, Z, RES, REALS };
enum { COUNT, IN, FOLLOWS, INTS };
enum { CREATED, CONFIGURING, INITIALIZING, EVENT, STEPPING, CONTINUOUS, ENDED, BROKEN };

typedef struct {
    double r[REALS], last, rate, array[3];
    int i[INTS], b[2], mode, has_event_mode, nstates;
    int8_t small;
    int64_t wide[2];
    char text[64], folder[512];
    void *environment;
#if FMI == 2
    const struct callbacks *callbacks;
#else
    void (*logger)(void *, int, const char *, const char *);
    void (*update)(void *, double, bool, bool, bool, bool, bool *, double *);
#endif
} M;

#if FMI == 2
struct callbacks {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*free)(void *);
    void (*finished)(void *, int);
    void *environment;
};
#endif

/* Of POSIX. */
unsigned sleep(unsigned seconds);
static int live;

static int fail(M *m, int status, const char *words) {
#if FMI == 2
    m->callbacks->logger(m->environment, "name", status, "logStatusError", words, 1.0, "more");
#else
    m->logger(m->environment, status, "logStatusError", words);
#endif
    if (status == 3) m->mode = BROKEN;
    return status;
}

#define MODES(m, ...) do { const int allowed[] = {__VA_ARGS__}; int ok = 0; \
    for (size_t k = 0; k < sizeof allowed / sizeof *allowed; k++) ok |= allowed[k] == (m)->mode; \
    if (!ok) return fail(m, 3, "called in a mode in which it may not be called"); } while (0)

static const int nx = MODEL == DAHLQUIST || MODEL == DAE ? 1 : MODEL == BALL || MODEL == VAN_DER_POL ? 2 : 0;
#if FMI == 3
static const int nz = MODEL == BALL ? 1 : 0;
#endif

static void start(M *m) {
    m->r[P] = 1.0;
    m->r[Q] = 0.7;
    m->r[X] = MODEL == VAN_DER_POL || MODEL == DAE ? 2.0 : MODEL == DAHLQUIST || MODEL == BALL ? 1.0 : 0.0;
    strcpy(m->text, "start");
    m->has_event_mode = 0;
}

static void calculate(M *m) {
    double *r = m->r;
    if (MODEL == DAHLQUIST) r[DX] = -r[P] * r[X] + r[U];
    if (MODEL == BALL) { r[DX] = r[Y]; r[DY] = -9.81; }
    if (MODEL == VAN_DER_POL) { r[DX] = r[Y]; r[DY] = r[P] * (1 - r[X] * r[X]) * r[Y] - r[X]; }
    if (MODEL == PASS) r[OUT] = r[U];
    if (MODEL == DAE) {
        /* z + z^3 = x: solved here unless the importer has turned the residual on. */
        for (int k = 0; k < 50 && !m->b[0]; k++) r[Z] -= (r[Z] + r[Z] * r[Z] * r[Z] - r[X]) / (1 + 3 * r[Z] * r[Z]);
        r[DX] = -r[X] + r[Z] + r[U];
        r[RES] = r[Z] + r[Z] * r[Z] * r[Z] - r[X];
        r[OUT] = r[Z] + r[U];
    }
    if (MODEL == FEED || MODEL == TROUBLE) { r[OUT] = r[U]; m->i[FOLLOWS] = m->i[IN]; m->b[1] = m->b[0]; }
    /* What of 64 bits is seen in 32: the lowest and the highest ones. */
    if (MODEL == WIDE) { m->i[IN] = (int)(m->wide[0] & 0xffff); m->i[FOLLOWS] = (int)((uint64_t)m->wide[1] & 0xffff); }
    if (MODEL == RESOURCE) {
        char path[600];
        snprintf(path, sizeof path, "%sy.txt", m->folder);
        FILE *file = fopen(path, "r");
        m->i[COUNT] = file ? fgetc(file) : -1;
        if (file) fclose(file);
    }
}

/* Partial derivative of one variable by another. */
static double partial(const M *m, unsigned of, unsigned by) {
    const double *r = m->r;
    if (MODEL == DAHLQUIST) return of == DX && by == X ? -r[P] : 0;
    if (MODEL == DAE) return of == DX ? (by == X ? -1 : 1) : by == X ? -1 : 1 + 3 * r[Z] * r[Z];
    if (MODEL != VAN_DER_POL) return NAN;
    if (of == DX) return by == Y;
    return by == X ? -2 * r[P] * r[X] * r[Y] - 1 : r[P] * (1 - r[X] * r[X]);
}

static void product(const M *m, const unsigned *of, size_t n, const unsigned *by, size_t k, const double *seed, double *v) {
    for (size_t i = 0; i < n; i++) {
        v[i] = 0;
        for (size_t j = 0; j < k; j++) v[i] += partial(m, of[i], by[j]) * seed[j];
    }
}

/* Derivatives of outputs: those of states. */
static int rates(M *m, const unsigned *vr, size_t n, const int *o, double *v) {
    calculate(m);
    for (size_t k = 0; k < n; k++) {
        if (o[k] != 1 || (vr[k] != X && vr[k] != Y)) return fail(m, 3, "no such derivative");
        v[k] = m->r[vr[k] + 1];
    }
    return 0;
}

/* What events change; whether states have jumped. */
static int happens(M *m) {
    if (MODEL == BALL && m->r[X] <= 0 && m->r[Y] < 0) {
        m->r[X] = 2.3e-308;
        m->r[Y] *= -m->r[Q];
        m->i[COUNT]++;
        return 1;
    }
    if (MODEL == STAIR && m->r[T] >= m->i[COUNT] + 1) m->i[COUNT]++;
    return 0;
}

/* The built-in solver: Euler's method with steps of 1e-3 s. */
static void advance(M *m, double h) {
    calculate(m);
    m->r[T] += h;
    m->r[U] += h * m->rate;
    if (nx > 0) m->r[X] += h * m->r[DX];
    if (nx > 1) m->r[Y] += h * m->r[DY];
}

static int clean_folder(M *m, const char *uri) {
    const char *path = strncmp(uri, "file://", 7) ? uri : uri + 7;
    snprintf(m->folder, sizeof m->folder, "%s%s", path, FMI == 2 ? "/" : "");
    return FMI == 3 && path[strlen(path) - 1] != '/';
}

#define GET_MODES INITIALIZING, EVENT, STEPPING, CONTINUOUS, ENDED
#define SET_MODES CREATED, INITIALIZING, EVENT, STEPPING, CONTINUOUS

static double *real(M *m, unsigned vr) { return vr < REALS ? &m->r[vr] : NULL; }

static int initialized(M *m, int model_exchange) {
    MODES(m, INITIALIZING);
    calculate(m);
    m->mode = model_exchange || m->has_event_mode ? EVENT : STEPPING;
    return 0;
}

static int copy_out(const M *m, void **state) {
    if (!*state) { *state = malloc(sizeof *m); live++; }
    memcpy(*state, m, sizeof *m);
    return 0;
}

static int copy_in(M *m, const void *state) {
    memcpy(m, state, sizeof *m);
    return 0;
}

/* Steps to t + h; early where `early` and an event lies between. Status, and what happened. */
static int step(M *m, double t, double h, int early, int *event, double *reached) {
    if (fabs(t - m->r[T]) > 1e-9) return fail(m, 3, "the communication point is not the time of the model");
    if (MODEL == TROUBLE && t >= 0.5 && m->r[P] == 2) return fail(m, 2, "the step is too long");
    if (MODEL == TROUBLE && t >= 0.5 && m->r[P] == 3) return fail(m, 3, "a division by zero");
    if (MODEL == TROUBLE && t >= 0.5 && m->r[P] == 4) return fail(m, 4, "all is lost");
    if (MODEL == TROUBLE && t >= 0.5 && m->r[P] == 5) abort();
    if (MODEL == TROUBLE && m->r[P] == 1.5) fail(m, 1, "take care");
    int n = (int)floor(h / 1e-3 + 0.5);
    if (n < 1) n = 1;
    *event = 0;
    for (int k = 0; k < n; k++) {
#if FMI == 3
        if (m->update) {
            bool ask = false;
            double at = 0;
            m->update(m->environment, m->r[T], true, true, false, false, &ask, &at);
        }
#endif
        double end = t + (k + 1) * h / n;
        advance(m, end - m->r[T]);
        int due = (MODEL == BALL && m->r[X] <= 0 && m->r[Y] < 0) || (MODEL == STAIR && m->r[T] >= m->i[COUNT] + 1 - 1e-9);
        if (MODEL == STAIR && due) m->r[T] = m->i[COUNT] + 1;
        if (due && early) {
            *event = 1;
            *reached = m->r[T];
            return 0;
        }
        if (due) happens(m);
    }
    calculate(m);
    *reached = m->r[T];
    return 0;
}

#if FMI == 2
#define F(name) fmi2##name
M *F(Instantiate)(const char *name, int type, const char *token, const char *folder, const struct callbacks *c, int visible, int log) {
    (void)name; (void)type; (void)visible; (void)log;
    if (strcmp(token, "{token}")) return NULL;
    M *m = c->allocate(1, sizeof(M));
    m->callbacks = c;
    m->environment = c->environment;
    start(m);
    if (clean_folder(m, folder)) return NULL;
    m->nstates = type == 0;
    live++;
    return m;
}
void F(FreeInstance)(M *m) { live--; m->callbacks->free(m); }
int F(SetupExperiment)(M *m, int tested, double tolerance, double t, int stops, double stop) {
    MODES(m, CREATED);
    (void)tested; (void)tolerance; (void)stops; (void)stop;
    m->r[T] = t;
    return 0;
}
int F(EnterInitializationMode)(M *m) { MODES(m, CREATED); m->mode = INITIALIZING; return 0; }
int F(ExitInitializationMode)(M *m) { return initialized(m, m->nstates); }
int F(Terminate)(M *m) { MODES(m, EVENT, STEPPING, CONTINUOUS); m->mode = ENDED; return 0; }
int F(GetReal)(M *m, const unsigned *vr, size_t n, double *v) {
    MODES(m, GET_MODES);
    calculate(m);
    for (size_t k = 0; k < n; k++) { if (!real(m, vr[k])) return fail(m, 3, "no such real"); v[k] = *real(m, vr[k]); }
    return 0;
}
int F(SetReal)(M *m, const unsigned *vr, size_t n, const double *v) {
    MODES(m, SET_MODES);
    for (size_t k = 0; k < n; k++) { if (!real(m, vr[k])) return fail(m, 3, "no such real"); *real(m, vr[k]) = v[k]; }
    return 0;
}
int F(GetInteger)(M *m, const unsigned *vr, size_t n, int *v) {
    MODES(m, GET_MODES);
    calculate(m);
    for (size_t k = 0; k < n; k++) v[k] = m->i[vr[k] - 20];
    return 0;
}
int F(SetInteger)(M *m, const unsigned *vr, size_t n, const int *v) {
    MODES(m, CREATED, INITIALIZING, EVENT, STEPPING);
    for (size_t k = 0; k < n; k++) m->i[vr[k] - 20] = v[k];
    return 0;
}
int F(GetBoolean)(M *m, const unsigned *vr, size_t n, int *v) { calculate(m); for (size_t k = 0; k < n; k++) v[k] = m->b[vr[k] - 30]; return 0; }
int F(SetBoolean)(M *m, const unsigned *vr, size_t n, const int *v) { for (size_t k = 0; k < n; k++) m->b[vr[k] - 30] = v[k]; return 0; }
int F(GetString)(M *m, const unsigned *vr, size_t n, const char **v) { MODES(m, INITIALIZING, EVENT, STEPPING, CONTINUOUS); (void)vr; (void)n; v[0] = m->text; return 0; }
int F(SetString)(M *m, const unsigned *vr, size_t n, const char *const *v) { (void)vr; (void)n; snprintf(m->text, 64, "%s", v[0]); m->r[Q] = (double)strlen(v[0]); return 0; }
int F(GetFMUstate)(M *m, void **s) { return copy_out(m, s); }
int F(SetFMUstate)(M *m, void *s) { return copy_in(m, s); }
int F(FreeFMUstate)(M *m, void **s) { (void)m; if (*s) live--; free(*s); *s = NULL; return 0; }
int F(SerializedFMUstateSize)(M *m, void *s, size_t *n) { (void)s; *n = sizeof *m; return 0; }
int F(SerializeFMUstate)(M *m, void *s, char *b, size_t n) { (void)m; memcpy(b, s, n); return 0; }
int F(DeSerializeFMUstate)(M *m, const char *b, size_t n, void **s) {
    M *copy = malloc(sizeof *m);
    if (n != sizeof *m) return 3;
    memcpy(copy, b, n);
    copy->environment = m->environment;
    copy->callbacks = m->callbacks;
    memcpy(copy->folder, m->folder, sizeof m->folder);
    *s = copy;
    live++;
    return 0;
}
int F(SetRealInputDerivatives)(M *m, const unsigned *vr, size_t n, const int *o, const double *v) {
    MODES(m, STEPPING);
    if (n != 1 || vr[0] != U || o[0] != 1) return fail(m, 3, "no such derivative");
    m->rate = v[0];
    return 0;
}
int F(GetRealOutputDerivatives)(M *m, const unsigned *vr, size_t n, const int *o, double *v) { MODES(m, STEPPING); return rates(m, vr, n, o, v); }
int F(GetDirectionalDerivative)(M *m, const unsigned *of, size_t n, const unsigned *by, size_t k, const double *seed, double *v) {
    MODES(m, CONTINUOUS, EVENT);
    product(m, of, n, by, k, seed, v);
    return 0;
}
int F(DoStep)(M *m, double t, double h, int keeps) {
    int event;
    double reached = t;
    (void)keeps;
    MODES(m, STEPPING);
    int status = step(m, t, h, 0, &event, &reached);
    return MODEL == TROUBLE && m->r[P] == 6 && reached > 0.5 - 1e-9 ? 2 : status;
}
int F(GetBooleanStatus)(M *m, int kind, int *value) { (void)kind; *value = m->r[P] == 6; return 0; }
int F(GetRealStatus)(M *m, int kind, double *value) { (void)kind; *value = m->r[T]; return 0; }
int F(EnterEventMode)(M *m) { MODES(m, CONTINUOUS); m->mode = EVENT; return 0; }
struct info { int again, ends, nominals, values, defined; double next; };
int F(NewDiscreteStates)(M *m, struct info *info) {
    MODES(m, EVENT);
    int before = m->i[COUNT];
    info->values = happens(m);
    info->again = m->i[COUNT] != before;
    info->ends = info->nominals = 0;
    info->defined = MODEL == STAIR;
    info->next = m->i[COUNT] + 1;
    return 0;
}
int F(EnterContinuousTimeMode)(M *m) { MODES(m, EVENT); m->mode = CONTINUOUS; return 0; }
int F(CompletedIntegratorStep)(M *m, int keeps, int *event, int *ends) { MODES(m, CONTINUOUS); (void)keeps; *event = *ends = 0; return 0; }
int F(GetNominalsOfContinuousStates)(M *m, double *v, size_t n) { (void)m; for (size_t k = 0; k < n; k++) v[k] = 1; return 0; }
#else
#define F(name) fmi3##name
static M *create(const char *token, const char *folder, void *e, void (*logger)(void *, int, const char *, const char *)) {
    if (strcmp(token, "{token}")) return NULL;
    M *m = calloc(1, sizeof(M));
    start(m);
    m->environment = e;
    m->logger = logger;
    live++;
    return clean_folder(m, folder) ? NULL : m;
}
M *F(InstantiateCoSimulation)(const char *name, const char *token, const char *folder, bool visible, bool log, bool events, bool early,
    const unsigned *wanted, size_t nwanted, void *e, void (*logger)(void *, int, const char *, const char *),
    void (*update)(void *, double, bool, bool, bool, bool, bool *, double *)) {
    (void)name; (void)visible; (void)log; (void)early; (void)wanted; (void)nwanted;
    if (MODEL == WIDE && events) return NULL;
    while (MODEL == HANGING) sleep(1);
    M *m = create(token, folder, e, logger);
    if (m) { m->has_event_mode = events; m->update = update; }
    return m;
}
M *F(InstantiateModelExchange)(const char *name, const char *token, const char *folder, bool visible, bool log, void *e,
    void (*logger)(void *, int, const char *, const char *)) {
    (void)name; (void)visible; (void)log;
    M *m = create(token, folder, e, logger);
    if (m) m->nstates = 1;
    return m;
}
void F(FreeInstance)(M *m) { live--; free(m); }
int F(EnterInitializationMode)(M *m, bool tested, double tolerance, double t, bool stops, double stop) {
    MODES(m, CREATED);
    (void)tested; (void)tolerance; (void)stops; (void)stop;
    m->r[T] = t;
    m->mode = INITIALIZING;
    return 0;
}
int F(ExitInitializationMode)(M *m) { return initialized(m, m->nstates); }
int F(Terminate)(M *m) { MODES(m, EVENT, STEPPING, CONTINUOUS); m->mode = ENDED; return 0; }
int F(GetFloat64)(M *m, const unsigned *vr, size_t n, double *v, size_t nv) {
    MODES(m, GET_MODES);
    calculate(m);
    for (size_t k = 0, j = 0; k < n; k++) {
        if (vr[k] == 41) { for (int i = 0; i < 3; i++) v[j++] = (i + 1) * m->array[i]; continue; }
        if (!real(m, vr[k])) return fail(m, 3, "no such real");
        v[j++] = *real(m, vr[k]);
        if (j > nv) return fail(m, 3, "too few values");
    }
    return 0;
}
int F(SetFloat64)(M *m, const unsigned *vr, size_t n, const double *v, size_t nv) {
    MODES(m, SET_MODES);
    for (size_t k = 0, j = 0; k < n; k++) {
        if (vr[k] == 40) { for (int i = 0; i < 3; i++) m->array[i] = v[j++]; continue; }
        if (!real(m, vr[k])) return fail(m, 3, "no such real");
        *real(m, vr[k]) = v[j++];
        if (j > nv) return fail(m, 3, "too few values");
    }
    return 0;
}
int F(GetInt32)(M *m, const unsigned *vr, size_t n, int32_t *v, size_t nv) { (void)nv; MODES(m, GET_MODES); calculate(m); for (size_t k = 0; k < n; k++) v[k] = m->i[vr[k] - 20]; return 0; }
int F(SetInt32)(M *m, const unsigned *vr, size_t n, const int32_t *v, size_t nv) {
    (void)nv;
    if (m->has_event_mode) MODES(m, CREATED, INITIALIZING, EVENT); else MODES(m, CREATED, INITIALIZING, EVENT, STEPPING);
    for (size_t k = 0; k < n; k++) m->i[vr[k] - 20] = v[k];
    return 0;
}
int F(GetInt64)(M *m, const unsigned *vr, size_t n, int64_t *v, size_t nv) { (void)nv; for (size_t k = 0; k < n; k++) v[k] = vr[k] == 72 ? m->i[COUNT] : m->wide[vr[k] - 70]; return 0; }
int F(SetInt64)(M *m, const unsigned *vr, size_t n, const int64_t *v, size_t nv) { (void)nv; for (size_t k = 0; k < n; k++) { if (vr[k] == 72) m->i[COUNT] = (int)v[k]; else m->wide[vr[k] - 70] = v[k]; } return 0; }
int F(SetUInt64)(M *m, const unsigned *vr, size_t n, const uint64_t *v, size_t nv) { (void)nv; for (size_t k = 0; k < n; k++) m->wide[vr[k] - 70] = (int64_t)v[k]; return 0; }
int F(GetInt8)(M *m, const unsigned *vr, size_t n, int8_t *v, size_t nv) { (void)vr; (void)n; (void)nv; v[0] = m->small; return 0; }
int F(SetInt8)(M *m, const unsigned *vr, size_t n, const int8_t *v, size_t nv) { (void)vr; (void)n; (void)nv; m->small = v[0]; return 0; }
int F(GetBoolean)(M *m, const unsigned *vr, size_t n, bool *v, size_t nv) { (void)nv; calculate(m); for (size_t k = 0; k < n; k++) v[k] = m->b[vr[k] - 30]; return 0; }
int F(SetBoolean)(M *m, const unsigned *vr, size_t n, const bool *v, size_t nv) { (void)nv; if (MODEL == DAE) MODES(m, CONFIGURING); for (size_t k = 0; k < n; k++) m->b[vr[k] - 30] = v[k]; return 0; }
int F(GetString)(M *m, const unsigned *vr, size_t n, const char **v, size_t nv) { MODES(m, INITIALIZING, EVENT, STEPPING, CONTINUOUS); (void)vr; (void)n; (void)nv; v[0] = m->text; return 0; }
int F(SetString)(M *m, const unsigned *vr, size_t n, const char *const *v, size_t nv) { (void)vr; (void)n; (void)nv; m->r[Q] = (double)strlen(v[0]); return 0; }
int F(GetFMUState)(M *m, void **s) { return copy_out(m, s); }
int F(SetFMUState)(M *m, void *s) { return copy_in(m, s); }
int F(FreeFMUState)(M *m, void **s) { (void)m; if (*s) live--; free(*s); *s = NULL; return 0; }
int F(SerializedFMUStateSize)(M *m, void *s, size_t *n) { (void)s; *n = sizeof *m; return 0; }
int F(SerializeFMUState)(M *m, void *s, uint8_t *b, size_t n) { (void)m; memcpy(b, s, n); return 0; }
int F(DeserializeFMUState)(M *m, const uint8_t *b, size_t n, void **s) {
    M *copy = malloc(sizeof *m);
    if (n != sizeof *m) return 3;
    memcpy(copy, b, n);
    copy->environment = m->environment;
    copy->logger = m->logger;
    copy->update = m->update;
    memcpy(copy->folder, m->folder, sizeof m->folder);
    *s = copy;
    live++;
    return 0;
}
int F(GetOutputDerivatives)(M *m, const unsigned *vr, size_t n, const int *o, double *v, size_t nv) { MODES(m, STEPPING); return nv == n ? rates(m, vr, n, o, v) : 3; }
int F(GetDirectionalDerivative)(M *m, const unsigned *of, size_t n, const unsigned *by, size_t k, const double *seed, size_t ns, double *v, size_t nv) {
    MODES(m, CONTINUOUS, EVENT);
    if (ns != k || nv != n) return fail(m, 3, "wrong number of values");
    product(m, of, n, by, k, seed, v);
    return 0;
}
int F(EnterConfigurationMode)(M *m) { MODES(m, CREATED); m->mode = CONFIGURING; return 0; }
int F(ExitConfigurationMode)(M *m) { MODES(m, CONFIGURING); m->mode = CREATED; return 0; }
int F(DoStep)(M *m, double t, double h, bool keeps, bool *event, bool *ends, bool *early, double *reached) {
    int due = 0;
    (void)keeps;
    MODES(m, STEPPING);
    int status = step(m, t, h, m->has_event_mode, &due, reached);
    *ends = MODEL == TROUBLE && m->r[P] == 6 && *reached > 0.5 - 1e-9;
    *event = due;
    *early = due && *reached < t + h - 1e-12;
    return status;
}
int F(EnterStepMode)(M *m) { MODES(m, EVENT); m->mode = STEPPING; return 0; }
int F(EnterEventMode)(M *m) { MODES(m, CONTINUOUS, STEPPING); m->mode = EVENT; return 0; }
int F(UpdateDiscreteStates)(M *m, bool *again, bool *ends, bool *nominals, bool *values, bool *defined, double *next) {
    MODES(m, EVENT);
    int before = m->i[COUNT];
    *values = happens(m);
    *again = m->i[COUNT] != before;
    *ends = *nominals = false;
    *defined = MODEL == STAIR;
    *next = m->i[COUNT] + 1;
    return 0;
}
int F(EnterContinuousTimeMode)(M *m) { MODES(m, EVENT); m->mode = CONTINUOUS; return 0; }
int F(CompletedIntegratorStep)(M *m, bool keeps, bool *event, bool *ends) { MODES(m, CONTINUOUS); (void)keeps; *event = *ends = false; return 0; }
int F(GetNumberOfContinuousStates)(M *m, size_t *n) { (void)m; *n = nx; return 0; }
int F(GetNumberOfEventIndicators)(M *m, size_t *n) { (void)m; *n = nz; return 0; }
int F(GetNominalsOfContinuousStates)(M *m, double *v, size_t n) { (void)m; for (size_t k = 0; k < n; k++) v[k] = 1; return 0; }
#endif

int F(SetTime)(M *m, double t) { MODES(m, CONTINUOUS, EVENT); m->r[T] = t; return 0; }
int F(SetContinuousStates)(M *m, const double *v, size_t n) {
    MODES(m, CONTINUOUS);
    if (n != (size_t)nx) return fail(m, 3, "wrong number of states");
    if (n > 0) m->r[X] = v[0];
    if (n > 1) m->r[Y] = v[1];
    return 0;
}
int F(GetContinuousStates)(M *m, double *v, size_t n) { if (n > 0) v[0] = m->r[X]; if (n > 1) v[1] = m->r[Y]; return 0; }
#if FMI == 2
int F(GetDerivatives)(M *m, double *v, size_t n) {
#else
int F(GetContinuousStateDerivatives)(M *m, double *v, size_t n) {
#endif
    MODES(m, CONTINUOUS, EVENT);
    calculate(m);
    if (n > 0) v[0] = m->r[DX];
    if (n > 1) v[1] = m->r[DY];
    return 0;
}
int F(GetEventIndicators)(M *m, double *v, size_t n) {
    MODES(m, CONTINUOUS, EVENT);
    if (n > 0) v[0] = m->r[X] == 0 && m->r[Y] == 0 ? 1 : m->r[X];
    return 0;
}
