// The least a host in C++ does: one step, one error.
#include <fourbar.hpp>

#include <cmath>
#include <iostream>

int main() {
    fourbar::check_version();
    const fourbar::g_matrices step(2, {0.0, -4.0, 1.0, 0.0}, 0.5, 1);
    if (std::abs(step.exponential[0] - std::cos(1.0)) > 1e-15) {
        return 1;
    }
    try {
        const fourbar::g_matrices wrong(2, {0.0, -4.0, 1.0, 0.0}, -1.0, 1);
        return 1;
    } catch (const fourbar::error &refused) {
        std::cout << "fourbar " << fourbar::version() << ": " << refused.name() << ": " << refused.what() << '\n';
    }
    return 0;
}
