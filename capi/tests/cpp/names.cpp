// The names of fourbar beside those of the standard library and of POSIX, all without prefix.
#include "check.hpp"

#include <chrono>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/types.h>
#include <unistd.h>
#endif

using namespace std;
using namespace fourbar;

template <class... Types>
constexpr size_t number_of = sizeof...(Types);

int main() {
    static_assert(number_of<contact_problem, contact_solver, coupling, csv, discretization, error, integration,
                            integration_state, linear_system, mechanism, model, outside_domain, problem, run, simulation, simulation_state,
                            stepper, stepper_state, view<double>, body, contact_attempt, contact_options, contact_pair, contact_solution,
                            coupling_options, equations, equilibrium, fault, force, g_matrices, hold, integration_options, linearization,
                            measure, motion, partner, partner_exchange, partner_place, partner_variable, root_event, run_options,
                            simulation_options, force_function, input, log_function, motion_function, output, interrupt, interrupted_by,
                            joint_initial, simulator, simulator_state, known_problem> == 53);
    const linear_system lag(1, 1, 1, {-2.0}, {2.0}, {1.0}, {0.0});
    stepper steps(lag, 0.25);
    steps.set_input({0.0});
    double y = 0.0;
    steps.step({0.25}, output(&y, 1));
    CHECK(y > 0.0 && version() == fourbar_version());
    CHECK(system(nullptr) == ::system(nullptr));
    return 0;
}
