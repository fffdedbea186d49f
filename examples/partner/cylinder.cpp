// A hydraulic axis as a partner in a shared library: servo valve, line, cylinder with two chambers, relief valve, seal friction, and the
// position control that commands the valve. Rod position and velocity in, rod force out.
//
//     c++ -std=c++17 -O2 -fPIC -shared -fvisibility=hidden -Iinclude examples/partner/cylinder.cpp -o libcylinder.so
//
// (macOS: .dylib; Windows: cl /std:c++17 /O2 /LD /Iinclude examples\partner\cylinder.cpp)
//
// Equations: orifices and bulk modulus after M. Jelali and A. Kroll, Hydraulic Servo-systems (2003), chapter 4; the data set is that of
// a forging press of 2 x 2.5 MN. Every parameter and every initial state can be given by name.
#include "fourbar_partner.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

// Spool position and velocity [-, 1/s], pressure at the valve [Pa], flow in the line [m^3/s], pressures in the chambers [Pa].
using State = std::array<double, 6>;

// An input over a step.
struct Signal {
    double value, first, second;

    double at(double s) const { return value + s * (first + 0.5 * s * second); }
};

// A positive part without a corner.
double smooth_positive(double z, double width) { return 0.5 * (z + std::sqrt(z * z + width * width)); }

// SI units.
struct Axis {
    double area_a = 0.0907920276, area_b = 0.0455530935, stroke = 0.8, dead_a = 0.004, dead_b = 0.003;
    double bulk_modulus_max = 1.8e9, supply_pressure = 25e6, tank_pressure = 2e5;
    double valve_area = 0.0012, valve_frequency = 160.0 * 3.14159265358979323846, valve_damping = 0.8;
    double leakage = 2e-12, relief_pressure = 30e6, relief_slope = 2e-8;
    double line_volume = 0.002, line_inertance = 2.4e6, line_resistance = 4e6;
    double coulomb = 8000.0, viscous = 40000.0;
    // Control: command = gain (r - x) + feed_forward r', r = reference + amplitude (1 - cos(frequency t)).
    double gain = 12.0, feed_forward = 0.6, reference = 0.2, amplitude = 0.11, frequency = 3.14159265358979323846;

    double bulk_modulus(double p) const { return 0.5 * bulk_modulus_max * std::log10(90.0 * p / 28e6 + 3.0); }

    // Flow through the opening of the valve, laminar at small pressure differences.
    double orifice(double opening, double dp) const
    {
        return 0.62 * valve_area * opening * std::sqrt(2.0 / 860.0) * dp / std::sqrt(std::sqrt(dp * dp + 1e5 * 1e5));
    }

    State derivatives(double t, const State &s, double x, double v) const
    {
        const auto [spool, spool_v, pv, q, pa, pb] = s;
        const double r = reference + amplitude * (1.0 - std::cos(frequency * t));
        const double dr = amplitude * frequency * std::sin(frequency * t);
        const double command = gain * (r - x) + feed_forward * dr;
        const double open = smooth_positive(spool, 0.01), shut = smooth_positive(-spool, 0.01);
        const double qa = orifice(open, supply_pressure - pv) - orifice(shut, pv - tank_pressure);
        const double qb = orifice(shut, supply_pressure - pb) - orifice(open, pb - tank_pressure);
        const double relief = relief_slope * smooth_positive(pa - relief_pressure, 5e4);
        const double leak = leakage * (pa - pb);
        return { spool_v,
                 valve_frequency * valve_frequency * (command - spool) - 2.0 * valve_damping * valve_frequency * spool_v,
                 bulk_modulus(pv) / line_volume * (qa - q),
                 (pv - pa - line_resistance * q) / line_inertance,
                 bulk_modulus(pa) / (dead_a + area_a * x) * (q - area_a * v - leak - relief),
                 bulk_modulus(pb) / (dead_b + area_b * (stroke - x)) * (qb + area_b * v + leak) };
    }

    double force(const State &s, double v) const
    {
        return area_a * s[4] - area_b * s[5] - coulomb * std::tanh(v / 0.02) - viscous * v;
    }
};

// Longest step of the Runge-Kutta method below [s].
constexpr double solver_step = 2.5e-5;

class Cylinder {
public:
    explicit Cylinder(const fourbar_partner_options &options)
    {
        for (std::uint32_t i = 0; i < options.parameter_count; ++i)
            parameter(options.parameters[i].name) = options.parameters[i].value;
    }

    void exchange(fourbar_partner_data &data)
    {
        const Signal x = { data.inputs[0], data.input_rates[0], data.input_curvatures[0] };
        const Signal v = { data.inputs[1], data.input_rates[1], data.input_curvatures[1] };
        if (data.step > 0.0)
            advance(data.time, data.step, x, v);
        data.reached = data.time + data.step;
        data.outputs[0] = axis.force(state, v.at(data.step));
        data.outputs[1] = state[4];
        data.outputs[2] = state[5];
    }

    State state = { 0.0, 0.0, 5e6, 0.0, 5e6, 10e6 };

private:
    // The classical Runge-Kutta method of order 4, in equal steps.
    void advance(double time, double h, const Signal &x, const Signal &v)
    {
        const double count = std::fmax(std::ceil(h / solver_step - 1e-9), 1.0);
        const double dt = h / count;
        for (double i = 0.0; i < count; i += 1.0) {
            const double s = i * dt;
            const auto slope = [&](const State &y, double node) {
                return axis.derivatives(time + s + node, y, x.at(s + node), v.at(s + node));
            };
            const auto moved = [&](const State &k, double node) {
                State y = state;
                for (std::size_t j = 0; j < y.size(); ++j)
                    y[j] += node * k[j];
                return y;
            };
            const State k1 = slope(state, 0.0), k2 = slope(moved(k1, 0.5 * dt), 0.5 * dt);
            const State k3 = slope(moved(k2, 0.5 * dt), 0.5 * dt), k4 = slope(moved(k3, dt), dt);
            for (std::size_t j = 0; j < state.size(); ++j)
                state[j] += dt / 6.0 * (k1[j] + 2.0 * (k2[j] + k3[j]) + k4[j]);
        }
    }

    double &parameter(const std::string &name)
    {
        struct Named {
            const char *name;
            double *value;
        };
        const Named all[] = {
            { "area_a", &axis.area_a }, { "area_b", &axis.area_b }, { "stroke", &axis.stroke }, { "dead_a", &axis.dead_a },
            { "dead_b", &axis.dead_b }, { "bulk_modulus_max", &axis.bulk_modulus_max },
            { "supply_pressure", &axis.supply_pressure }, { "tank_pressure", &axis.tank_pressure },
            { "valve_area", &axis.valve_area }, { "valve_frequency", &axis.valve_frequency },
            { "valve_damping", &axis.valve_damping }, { "leakage", &axis.leakage },
            { "relief_pressure", &axis.relief_pressure }, { "relief_slope", &axis.relief_slope },
            { "line_volume", &axis.line_volume }, { "line_inertance", &axis.line_inertance },
            { "line_resistance", &axis.line_resistance }, { "coulomb", &axis.coulomb }, { "viscous", &axis.viscous },
            { "gain", &axis.gain }, { "feed_forward", &axis.feed_forward }, { "reference", &axis.reference },
            { "amplitude", &axis.amplitude }, { "frequency", &axis.frequency }, { "initial_spool", &state[0] },
            { "initial_spool_velocity", &state[1] }, { "initial_valve_pressure", &state[2] }, { "initial_flow", &state[3] },
            { "initial_pressure_a", &state[4] }, { "initial_pressure_b", &state[5] },
        };
        for (const Named &known : all)
            if (name == known.name)
                return *known.value;
        throw std::invalid_argument("there is no parameter \"" + name + "\"");
    }

    Axis axis;
};

// Calls `work`; an exception becomes a status and a text.
template <class Work> std::int32_t guarded(char *error, std::size_t error_size, Work work) noexcept
{
    const auto refuse = [&](std::int32_t status, const char *why) {
        std::strncpy(error, why, error_size - 1);
        error[error_size - 1] = '\0';
        return status;
    };
    try {
        return work();
    } catch (const std::invalid_argument &exception) {
        return refuse(FOURBAR_PARTNER_INVALID, exception.what());
    } catch (const std::exception &exception) {
        return refuse(FOURBAR_PARTNER_FAILED, exception.what());
    } catch (...) {
        return refuse(FOURBAR_PARTNER_FAILED, "an exception of unknown kind");
    }
}

const std::uint32_t velocity[] = { 1 };
const fourbar_partner_variable variables[] = {
    { sizeof(fourbar_partner_variable), "position", "m", 0.2, 0.5, nullptr, 0, FOURBAR_PARTNER_INPUT },
    { sizeof(fourbar_partner_variable), "velocity", "m/s", 0.0, 0.3, nullptr, 0, FOURBAR_PARTNER_INPUT },
    { sizeof(fourbar_partner_variable), "force", "N", 0.0, 1e6, velocity, 1, FOURBAR_PARTNER_OUTPUT },
    { sizeof(fourbar_partner_variable), "pressure_a", "Pa", 0.0, 1e7, nullptr, 0, FOURBAR_PARTNER_OUTPUT },
    { sizeof(fourbar_partner_variable), "pressure_b", "Pa", 0.0, 1e7, nullptr, 0, FOURBAR_PARTNER_OUTPUT },
};
const fourbar_partner_description description = {
    sizeof(fourbar_partner_description), FOURBAR_PARTNER_VERSION, FOURBAR_PARTNER_CAN_RESTORE, 2, 5, variables, solver_step,
};

} // namespace

extern "C" {

const fourbar_partner_description *fourbar_partner_describe(void) { return &description; }

std::int32_t fourbar_partner_create(const fourbar_partner_options *options, void **instance, char *error, std::size_t error_size)
{
    return guarded(error, error_size, [&] {
        *instance = std::make_unique<Cylinder>(*options).release();
        return FOURBAR_PARTNER_OK;
    });
}

std::int32_t fourbar_partner_exchange(void *instance, fourbar_partner_data *data, char *error, std::size_t error_size)
{
    return guarded(error, error_size, [&] {
        static_cast<Cylinder *>(instance)->exchange(*data);
        return FOURBAR_PARTNER_OK;
    });
}

std::int32_t fourbar_partner_state(void *instance, std::int32_t action, void *bytes, std::size_t *size, char *error,
                                   std::size_t error_size)
{
    return guarded(error, error_size, [&]() -> std::int32_t {
        State &state = static_cast<Cylinder *>(instance)->state;
        const std::size_t given = *size;
        *size = sizeof state;
        if (action == FOURBAR_PARTNER_SAVE) {
            if (given < sizeof state)
                return FOURBAR_PARTNER_TOO_SMALL;
            std::memcpy(bytes, state.data(), sizeof state);
            return FOURBAR_PARTNER_OK;
        }
        if (action != FOURBAR_PARTNER_RESTORE || given != sizeof state)
            throw std::invalid_argument("this is no state of a cylinder");
        std::memcpy(state.data(), bytes, sizeof state);
        return FOURBAR_PARTNER_OK;
    });
}

void fourbar_partner_destroy(void *instance) { delete static_cast<Cylinder *>(instance); }

} // extern "C"
