/* Andrews' mechanism by hand in C for IDA of SUNDIALS 6: the hand-written peer of fourbar accuracy.
 *
 *     cc -O3 -march=native examples/accuracy/ida_andrews.c -o ida_andrews \
 *        -lsundials_ida -lsundials_nvecserial -lsundials_sunmatrixdense -lsundials_sunlinsoldense -lm
 *     fourbar accuracy andrews --with ./ida_andrews
 *
 * Reads a problem as JSON on standard input and answers as JSON, as docs/accuracy.md says. Seven angles q, their rates v, six forces that
 * close the loops and six multipliers of the rates, in the form of Gear, Gupta and Leimkuhler:
 *
 *     q' = v - G^T mu,   M v' = f - G^T lambda,   0 = g(q),   0 = G v.
 *
 * Multipliers do not enter the error test. The matrix is IDA's own, dense, by difference quotients. Its
 * seconds are those of the processor. */

#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <time.h>

enum { Q = 7, L = 6, N = 2 * Q + 2 * L, COLUMNS = 3 * Q + L, MOST_TIMES = 1000, MOST_STEPS = 200000 };

/* A point is a sum of arms from the ground; each arm (x, y) turns with the sum of the angles `first` and `second` (-1: none). */
typedef struct {
    int first, second;
    double x, y;
} Arm;

typedef struct {
    double ground[2];
    int count;
    Arm arms[2];
} Point;

typedef struct {
    double mass, inertia;
    int first, second;
    Point centre;
} Body;

#define A {-0.06934, -0.00227}
#define B {-0.03635, 0.03273}
#define O {0.0, 0.0}

static const Body BODIES[Q] = {
    {0.04325, 2.194e-6, 0, -1, {O, 1, {{0, -1, 0.00092, 0.0}}}},
    {0.00365, 4.410e-7, 0, 1, {O, 2, {{0, -1, 0.007, 0.0}, {0, 1, -0.0115, 0.0}}}},
    {0.02373, 5.255e-6, 2, -1, {B, 1, {{2, -1, 0.01043, -0.01874}}}},
    {0.00706, 5.667e-7, 3, 4, {A, 2, {{4, -1, 0.04, 0.0}, {3, 4, 0.0, 0.01421 - 0.02}}}},
    {0.07050, 1.169e-5, 4, -1, {A, 1, {{4, -1, 0.02308, 0.00916}}}},
    {0.00706, 5.667e-7, 5, 6, {A, 2, {{6, -1, 0.0, -0.04}, {5, 6, 0.02 - 0.01421, 0.0}}}},
    {0.05498, 1.912e-5, 6, -1, {A, 1, {{6, -1, -0.00449, -0.01228}}}},
};
static const Point END = {O, 2, {{0, -1, 0.007, 0.0}, {0, 1, -0.028, 0.0}}};
static const Point CLOSURES[3] = {
    {B, 1, {{2, -1, 0.0, -0.035}}},
    {A, 2, {{4, -1, 0.04, 0.0}, {3, 4, 0.0, -0.02}}},
    {A, 2, {{6, -1, 0.0, -0.04}, {5, 6, 0.02, 0.0}}},
};
static const Point GRIP = {B, 1, {{2, -1, 0.02, -0.018}}};
static const double HOOK[2] = {0.014, 0.072};

/* Place, gradient, and the part of the acceleration that is quadratic in the rates. */
static void follow(const Point *point, const double *q, const double *v, double *at, double gradient[2][Q], double *quadratic) {
    memcpy(at, point->ground, 2 * sizeof *at);
    memset(gradient, 0, 2 * Q * sizeof(double));
    quadratic[0] = quadratic[1] = 0.0;
    for (int k = 0; k < point->count; k++) {
        const Arm arm = point->arms[k];
        double angle = q[arm.first], rate = v[arm.first];
        if (arm.second >= 0) angle += q[arm.second], rate += v[arm.second];
        const double c = cos(angle), s = sin(angle), x = c * arm.x - s * arm.y, y = s * arm.x + c * arm.y;
        at[0] += x, at[1] += y;
        quadratic[0] -= x * rate * rate, quadratic[1] -= y * rate * rate;
        gradient[0][arm.first] -= y, gradient[1][arm.first] += x;
        if (arm.second >= 0) gradient[0][arm.second] -= y, gradient[1][arm.second] += x;
    }
}

static void dynamics(const double *q, const double *v, double mass[Q][Q], double *force) {
    double at[2], g[2][Q], quadratic[2];
    memset(mass, 0, Q * Q * sizeof(double));
    memset(force, 0, Q * sizeof(double));
    force[0] = 0.033;
    for (int b = 0; b < Q; b++) {
        const Body *body = &BODIES[b];
        follow(&body->centre, q, v, at, g, quadratic);
        for (int i = 0; i < Q; i++) {
            for (int j = 0; j < Q; j++) mass[i][j] += body->mass * (g[0][i] * g[0][j] + g[1][i] * g[1][j]);
            force[i] -= body->mass * (g[0][i] * quadratic[0] + g[1][i] * quadratic[1]);
        }
        const int turned[2] = {body->first, body->second};
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                if (turned[i] >= 0 && turned[j] >= 0) mass[turned[i]][turned[j]] += body->inertia;
    }
    follow(&GRIP, q, v, at, g, quadratic);
    const double span[2] = {HOOK[0] - at[0], HOOK[1] - at[1]}, length = hypot(span[0], span[1]);
    const double pull = 4530.0 * (length - 0.07785) / length;
    for (int i = 0; i < Q; i++) force[i] += pull * (g[0][i] * span[0] + g[1][i] * span[1]);
}

static void constraints(const double *q, const double *v, double *value, double gradient[L][Q]) {
    double at[2], other[2], g[2][Q], h[2][Q], unused[2];
    follow(&END, q, v, at, g, unused);
    for (int k = 0; k < 3; k++) {
        follow(&CLOSURES[k], q, v, other, h, unused);
        for (int axis = 0; axis < 2; axis++) {
            value[2 * k + axis] = at[axis] - other[axis];
            for (int i = 0; i < Q; i++) gradient[2 * k + axis][i] = g[axis][i] - h[axis][i];
        }
    }
}

static long evaluations;

static int residual(realtype t, N_Vector y, N_Vector rates, N_Vector r, void *data) {
    (void)t, (void)data;
    evaluations++;
    const double *q = N_VGetArrayPointer(y), *v = q + Q, *lambda = q + 2 * Q, *mu = lambda + L;
    const double *qp = N_VGetArrayPointer(rates), *vp = qp + Q;
    double *out = N_VGetArrayPointer(r), mass[Q][Q], force[Q], gradient[L][Q];
    dynamics(q, v, mass, force);
    constraints(q, v, out + 2 * Q, gradient);
    for (int i = 0; i < Q; i++) {
        double first = qp[i] - v[i], second = -force[i];
        for (int k = 0; k < L; k++) first += gradient[k][i] * mu[k], second += gradient[k][i] * lambda[k];
        for (int j = 0; j < Q; j++) second += mass[i][j] * vp[j];
        out[i] = first, out[Q + i] = second;
    }
    for (int k = 0; k < L; k++) {
        double rate = 0.0;
        for (int i = 0; i < Q; i++) rate += gradient[k][i] * v[i];
        out[2 * Q + L + k] = rate;
    }
    return 0;
}

/* Numbers of the JSON list of this name. A text cannot hold the key: its quotes would be escaped. */
static int numbers(const char *text, const char *key, double *into, int most) {
    const char *at = strstr(text, key);
    int count = 0;
    if (!at) return 0;
    for (at += strlen(key); count < most;) {
        char *end;
        const double value = strtod(at, &end);
        if (end == at) break;
        into[count++] = value;
        if (*end != ',') break;
        at = end + 1;
    }
    return count;
}

static int refuse(const char *why) {
    printf("{\"error\": \"%s\"}", why);
    return 0;
}

static char *input(void) {
    size_t size = 0, room = 1 << 16, got;
    char *text = malloc(room + 1);
    while (text && (got = fread(text + size, 1, room - size, stdin)) > 0) {
        size += got;
        if (size == room) text = realloc(text, (room *= 2) + 1);
    }
    if (text) text[size] = 0;
    return text;
}

/* Follows from `start` (angles, rates, accelerations, forces) and keeps a row for each time; what IDA says if it fails. */
static int follow_all(const double *start, double tolerance, const double *times, int count, double (*rows)[COLUMNS], long *steps, long *matrices) {
    SUNContext context;
    SUNContext_Create(NULL, &context);
    N_Vector y = N_VNew_Serial(N, context), rates = N_VClone(y), absolute = N_VClone(y), kind = N_VClone(y);
    double *now = N_VGetArrayPointer(y), *slope = N_VGetArrayPointer(rates);
    N_VConst(0.0, y), N_VConst(0.0, rates), N_VConst(tolerance, absolute), N_VConst(1.0, kind);
    memcpy(now, start, 2 * Q * sizeof *now);
    memcpy(now + 2 * Q, start + 3 * Q, L * sizeof *now);
    memcpy(slope, start + Q, 2 * Q * sizeof *slope);
    /* A large absolute tolerance takes multipliers out of the corrector's test too. */
    for (int k = 2 * Q; k < N; k++) N_VGetArrayPointer(kind)[k] = 0.0, N_VGetArrayPointer(absolute)[k] = 1e10;
    void *ida = IDACreate(context);
    SUNMatrix matrix = SUNDenseMatrix(N, N, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
    IDAInit(ida, residual, 0.0, y, rates);
    IDASVtolerances(ida, tolerance, absolute);
    IDASetId(ida, kind), IDASetSuppressAlg(ida, SUNTRUE), IDASetMaxNumSteps(ida, MOST_STEPS);
    IDASetLinearSolver(ida, solver, matrix);
    int failed = 0;
    for (int k = 0; k < count && failed >= 0; k++) {
        realtype reached;
        if (times[k] > 0.0) failed = IDASolve(ida, times[k], &reached, y, rates, IDA_NORMAL);
        memcpy(rows[k], now, 2 * Q * sizeof *now);
        memcpy(rows[k] + 2 * Q, slope + Q, Q * sizeof *now);
        memcpy(rows[k] + 3 * Q, now + 2 * Q, L * sizeof *now);
    }
    IDAGetNumSteps(ida, steps), IDAGetNumJacEvals(ida, matrices);
    IDAFree(&ida), SUNLinSolFree(solver), SUNMatDestroy(matrix);
    N_VDestroy(y), N_VDestroy(rates), N_VDestroy(absolute), N_VDestroy(kind);
    SUNContext_Free(&context);
    return failed;
}

int main(void) {
    static double times[MOST_TIMES], rows[MOST_TIMES][COLUMNS];
    double start[COLUMNS], tolerance;
    char *text = input();
    if (!text) return 1;
    if (!strstr(text, "\"problem\":\"andrews\"") && !strstr(text, "\"problem\":\"A03_andrews\"")) return refuse("only Andrews' mechanism");
    const int count = numbers(text, "\"times\":[", times, MOST_TIMES);
    if (numbers(text, "\"tolerance\":", &tolerance, 1) != 1 || !count) return refuse("no tolerance or no times");
    if (numbers(text, "\"start\":[", start, COLUMNS) != COLUMNS) return refuse("start is not 27 numbers");
    free(text);
    struct timespec from, to;
    long steps = 0, matrices = 0;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    const int failed = follow_all(start, tolerance, times, count, rows, &steps, &matrices);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    if (failed < 0) return refuse(IDAGetReturnFlagName(failed));
    printf("{\"method\": \"IDA in C\", \"seconds\": %.9f, ", (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec));
    printf("\"counts\": {\"steps\": %ld, \"evaluations\": %ld, \"jacobians\": %ld}, \"values\": [", steps, evaluations, matrices);
    for (int k = 0; k < count; k++) {
        printf("%s[", k ? ", " : "");
        for (int c = 0; c < COLUMNS; c++) printf("%s%.17g", c ? ", " : "", rows[k][c]);
        printf("]");
    }
    printf("]}");
    return 0;
}
