/* Kinematics, equilibrium, linearization. */
#include "pendulum.h"

static void kinematics(void) {
    const double times[3] = {1.0, 0.25, 2.0}, bad[1] = {NAN};
    double values[6];
    fourbar_model *model = pendulum_model(NULL);
    fourbar_mechanism *mechanism, *free_one = compiled(pendulum_model(NULL)), *impact;
    fourbar_motion motion;
    int k;
    OK(fourbar_motion_init(&motion, sizeof motion));
    motion.name = "turn";
    motion.joint = "pivot";
    motion.expression = "0.4*time^2";
    OK(fourbar_model_add_motion(model, &motion));
    mechanism = compiled(model);
    OK(fourbar_mechanism_kinematics(mechanism, times, 3, values, 6));
    for (k = 0; k < 3; k++) {
        CHECK(fabs(values[2 * k] - 0.4 * times[k] * times[k]) < 1e-12);
        CHECK(fabs(values[2 * k + 1] - 0.8 * times[k]) < 1e-12);
    }
    OK(fourbar_mechanism_kinematics(mechanism, NULL, 0, NULL, 0));
    FAILS(fourbar_mechanism_kinematics(mechanism, times, 3, values, 5), FOURBAR_LENGTH, "3 times 2");
    FAILS(fourbar_mechanism_kinematics(mechanism, NULL, 3, values, 6), FOURBAR_NULL, "times");
    FAILS(fourbar_mechanism_kinematics(mechanism, times, 3, NULL, 6), FOURBAR_NULL, "values");
    FAILS(fourbar_mechanism_kinematics(mechanism, bad, 1, values, 2), FOURBAR_NOT_FINITE, "times");
    FAILS(fourbar_mechanism_kinematics(NULL, times, 3, values, 6), FOURBAR_NULL, "mechanism");
    FAILS(fourbar_mechanism_kinematics(free_one, times, 3, values, 6), FOURBAR_UNSUPPORTED, "1 degree of freedom");
    model = NULL;
    OK(fourbar_model_from_file("models/fourbar-impact.toml", &model));
    impact = compiled(model);
    FAILS(fourbar_mechanism_kinematics(impact, times, 1, values, 6), FOURBAR_UNSUPPORTED, "contacts");
    {
        fourbar_simulation *simulation = begun(impact);
        fourbar_system *system = NULL;
        /* Contacts are closed as they stand. */
        OK(fourbar_simulation_find_equilibrium(simulation, NULL, NULL));
        OK(fourbar_simulation_linearize(simulation, NULL, 0, NULL, &system));
        fourbar_system_free(system);
        fourbar_simulation_free(simulation);
    }
    fourbar_mechanism_free(mechanism);
    fourbar_mechanism_free(free_one);
}

/* From the horizontal the rod comes to hang; there it is an oscillator with omega^2 = 3 g/(2 l). */
static void equilibrium_and_linearization(void) {
    const double square = 1.5 * PENDULUM_G / 1.5;
    fourbar_simulation *simulation = begun(compiled(pendulum_model(NULL)));
    fourbar_system *system = NULL;
    double residual = 1.0, angle = 0.0, real[2], imaginary[2], a[4];
    int32_t stable = 0;
    size_t coordinates[3], count = 0, n = 0, m = 9, q = 0;
    fourbar_model *model = NULL;
    fourbar_simulation *two;
    OK(fourbar_simulation_find_equilibrium(simulation, &residual, &stable));
    CHECK(stable == 1 && residual < 1e-9);
    OK(fourbar_simulation_measure(simulation, "angle", &angle));
    CHECK(fabs(angle + PI / 2.0) < 1e-10);
    OK(fourbar_simulation_find_equilibrium(simulation, NULL, NULL));
    OK(fourbar_simulation_linearize(simulation, NULL, 0, &count, &system));
    CHECK(count == 1);
    fourbar_system_free(system);
    OK(fourbar_simulation_linearize(simulation, coordinates, 1, NULL, &system));
    CHECK(coordinates[0] < 6);
    OK(fourbar_system_dimensions(system, &n, &m, &q));
    CHECK(n == 2 && m == 0 && q == 2);
    OK(fourbar_system_eigenvalues(system, real, imaginary, 2));
    CHECK(fabs(real[0]) < 1e-8 && fabs(imaginary[0] * imaginary[0] - square) < 1e-8 && imaginary[0] == -imaginary[1]);
    OK(fourbar_system_matrix(system, FOURBAR_MATRIX_A, a, 4));
    CHECK(a[0] == 0.0 && a[2] == 1.0 && fabs(a[1] + square) < 1e-8 && fabs(a[3]) < 1e-9);
    OK(fourbar_system_matrix(system, FOURBAR_MATRIX_C, a, 4));
    OK(fourbar_system_matrix(system, FOURBAR_MATRIX_B, NULL, 0));
    OK(fourbar_system_matrix(system, FOURBAR_MATRIX_D, NULL, 0));
    FAILS(fourbar_system_matrix(system, 5, a, 4), FOURBAR_INVALID, "fourbar_matrix");
    FAILS(fourbar_system_matrix(system, FOURBAR_MATRIX_A, a, 3), FOURBAR_LENGTH, "4");
    FAILS(fourbar_system_matrix(system, FOURBAR_MATRIX_A, NULL, 4), FOURBAR_NULL, "values");
    FAILS(fourbar_system_matrix(NULL, FOURBAR_MATRIX_A, a, 4), FOURBAR_NULL, "system");
    FAILS(fourbar_system_eigenvalues(system, real, imaginary, 1), FOURBAR_LENGTH, "2");
    FAILS(fourbar_system_eigenvalues(system, NULL, imaginary, 2), FOURBAR_NULL, "real");
    FAILS(fourbar_system_eigenvalues(system, real, NULL, 2), FOURBAR_NULL, "imaginary");
    FAILS(fourbar_system_eigenvalues(NULL, real, imaginary, 2), FOURBAR_NULL, "system");
    fourbar_system_free(system);
    system = NULL;
    OK(fourbar_model_from_file("models/double-pendulum.toml", &model));
    two = begun(compiled(model));
    FAILS(fourbar_simulation_linearize(two, coordinates, 1, NULL, &system), FOURBAR_LENGTH, "2 at least");
    /* More room than is needed stays as it was. */
    coordinates[2] = 99;
    OK(fourbar_simulation_linearize(two, coordinates, 3, &count, &system));
    CHECK(count == 2 && coordinates[0] < coordinates[1] && coordinates[1] < 12 && coordinates[2] == 99);
    fourbar_system_free(system);
    fourbar_simulation_free(two);
    system = NULL;
    FAILS(fourbar_simulation_linearize(simulation, NULL, 1, NULL, &system), FOURBAR_NULL, "coordinates");
    FAILS(fourbar_simulation_linearize(simulation, NULL, 0, NULL, NULL), FOURBAR_NULL, "out");
    FAILS(fourbar_simulation_linearize(NULL, NULL, 0, NULL, &system), FOURBAR_NULL, "simulation");
    FAILS(fourbar_simulation_find_equilibrium(NULL, NULL, NULL), FOURBAR_NULL, "simulation");
    CHECK(system == NULL);
    fourbar_simulation_free(simulation);
}

int main(void) {
    kinematics();
    equilibrium_and_linearization();
    return 0;
}
