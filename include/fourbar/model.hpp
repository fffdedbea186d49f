// Models, from TOML or call by call, and the mechanisms compiled from them.
// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef FOURBAR_MODEL_HPP
#define FOURBAR_MODEL_HPP

#include "core.hpp"

#include <deque>

namespace fourbar {

namespace detail {

/// Copies of texts to which a struct of the C ABI points; copies of the struct share them.
class texts {
public:
    /// A copy that lives as long as this object and its copies; a null pointer stays one.
    const char *text(const char *given) { return given == nullptr ? nullptr : text(std::string(given)); }
    const char *text(std::string given) { return kept_->emplace_back(std::move(given)).c_str(); }

private:
    std::shared_ptr<std::deque<std::string>> kept_ = std::make_shared<std::deque<std::string>>();
};

} // namespace detail

/// fourbar_body with its defaults. The name is copied; so is what text() is given for other fields: `body.name = body.text(made)`.
struct body : fourbar_body, detail::texts {
    body(const char *named, double kilograms) {
        detail::check(fourbar_body_init(this, sizeof(fourbar_body)));
        name = text(named);
        mass = kilograms;
    }
};

/// fourbar_force with its defaults. Names are copied; so is what text() is given for other fields.
struct force : fourbar_force, detail::texts {
    force(const char *named, fourbar_force_kind of, const char *on, const char *against = nullptr) {
        detail::check(fourbar_force_init(this, sizeof(fourbar_force)));
        name = text(named);
        kind = of;
        i = text(on);
        j = text(against);
    }
};

/// fourbar_motion with its defaults. Names and the expression are copied; so is what text() is given for other fields.
struct motion : fourbar_motion, detail::texts {
    motion(const char *named, const char *of, const char *law_of_time = nullptr) {
        detail::check(fourbar_motion_init(this, sizeof(fourbar_motion)));
        name = text(named);
        joint = text(of);
        expression = text(law_of_time);
    }
};

/// fourbar_pid with its defaults. Texts are copied; so is what text() is given for other fields.
struct pid : fourbar_pid, detail::texts {
    pid(const char *named, const char *error_of) {
        detail::check(fourbar_pid_init(this, sizeof(fourbar_pid)));
        name = text(named);
        fourbar_pid::input = text(error_of);
    }
};

/// fourbar_friction with its defaults: pressed by the reaction. Names are copied.
struct friction : fourbar_friction, detail::texts {
    friction(const char *named, const char *of) {
        detail::check(fourbar_friction_init(this, sizeof(fourbar_friction)));
        name = text(named);
        fourbar_friction::joint = text(of);
    }
};

/// fourbar_joint_initial with its defaults: all free.
struct joint_initial : fourbar_joint_initial {
    joint_initial() { detail::check(fourbar_joint_initial_init(this, sizeof(fourbar_joint_initial))); }
};

/// fourbar_pair with its defaults; `against` may be null for stops of a joint and for shapes of one group. Names are copied; so is what text() is given
/// for other fields.
struct contact_pair : fourbar_pair, detail::texts {
    contact_pair(const char *named, fourbar_pair_kind of, const char *on, const char *against = nullptr) {
        detail::check(fourbar_pair_init(this, sizeof(fourbar_pair)));
        name = text(named);
        kind = of;
        i = text(on);
        j = text(against);
    }
};

/// fourbar_measure with its defaults. The name is copied; so is what text() is given for other fields.
struct measure : fourbar_measure, detail::texts {
    measure(const char *named, fourbar_measure_kind of) {
        detail::check(fourbar_measure_init(this, sizeof(fourbar_measure)));
        name = text(named);
        kind = of;
    }
};

/// Writes the value of a force, one number or three, from the values of its arguments.
using force_function = std::function<void(double time, input arguments, output value)>;
/// Writes the displacement of a motion and its first two derivatives.
using motion_function = std::function<void(double time, output three)>;

namespace detail {

/// The callables of a model. It only grows, so that addresses stay.
struct host_functions {
    struct computed_force {
        force_function value, partials;
        std::size_t components;
    };
    std::deque<computed_force> forces;
    std::deque<motion_function> motions;
};

} // namespace detail

/// A compiled model. Never changes: simulations of it may run in different threads, if the callables of the host allow that.
class mechanism {
public:
    fourbar_mechanism_figures figures() const {
        fourbar_mechanism_figures all{};
        detail::check(fourbar_mechanism_get_figures(get(), &all, sizeof all));
        return all;
    }
    std::string name(fourbar_part part, std::size_t index) const {
        return detail::text([&](char *to, std::size_t size, std::size_t *needed) {
            return fourbar_mechanism_name(get(), part, index, to, size, needed);
        });
    }
    std::string unit(fourbar_part part, std::size_t index) const {
        return detail::text([&](char *to, std::size_t size, std::size_t *needed) {
            return fourbar_mechanism_unit(get(), part, index, to, size, needed);
        });
    }
    std::size_t find(fourbar_part part, const std::string &name) const {
        std::size_t index = 0;
        detail::check(fourbar_mechanism_find(get(), part, name.c_str(), &index));
        return index;
    }
    /// The measures at each time, one row after the other, of a mechanism whose motions leave no degree of freedom.
    std::vector<double> kinematics(input times) const {
        std::vector<double> values(times.size() * figures().measures);
        detail::check_calling(fourbar_mechanism_kinematics(get(), times.data(), times.size(), values.data(), values.size()));
        return values;
    }
    const fourbar_mechanism *get() const noexcept { return own_.get(); }

private:
    friend class model;
    friend class simulation;
    friend class mechanism_equations;
    std::shared_ptr<const detail::host_functions> host_;
    detail::handle<fourbar_mechanism, fourbar_mechanism_free> own_;
};

/// A model while it is built.
class model {
    friend class run;

public:
    /// Without bodies.
    model() { make(fourbar_model_new); }
    /// From TOML text (docs/model-format.md); `name` stands in messages.
    static model from_toml(const std::string &text, const char *name = nullptr) {
        return model([&](fourbar_model **out) { return fourbar_model_from_toml(text.data(), text.size(), name, out); });
    }
    static model from_file(const std::string &path) {
        return model([&](fourbar_model **out) { return fourbar_model_from_file(path.c_str(), out); });
    }

    void add_toml(const std::string &text) { detail::check(fourbar_model_add_toml(get(), text.data(), text.size())); }
    void set_name(const std::string &name) { detail::check(fourbar_model_set_name(get(), name.c_str())); }
    /// Of the numbers of the model: one each of length, mass, time and force, such as "mm, t, s, N". Results are in SI units.
    void set_units(const std::string &units) { detail::check(fourbar_model_set_units(get(), units.c_str())); }
    /// [m/s^2]
    void set_gravity(double x, double y, double z) {
        const double gravity[3] = {x, y, z};
        detail::check(fourbar_model_set_gravity(get(), gravity));
    }
    void set_parameter(const std::string &name, double value) {
        detail::check(fourbar_model_set_parameter(get(), name.c_str(), value));
    }
    void add(const fourbar_body &one) { detail::check(fourbar_model_add_body(get(), &one)); }
    void add(const fourbar_force &one) { detail::check(fourbar_model_add_force(get(), &one)); }
    void add(const fourbar_motion &one) { detail::check(fourbar_model_add_motion(get(), &one)); }
    void add(const fourbar_friction &one) { detail::check(fourbar_model_add_friction(get(), &one)); }
    void add(const fourbar_pair &one) { detail::check(fourbar_model_add_pair(get(), &one)); }
    void add(const fourbar_measure &one) { detail::check(fourbar_model_add_measure(get(), &one)); }
    /// `position` and `quaternion` empty: 0, 0, 0 and 1, 0, 0, 0, in the frame of the body, or in the global one.
    void add_marker(const std::string &name, const std::string &body, input position = {}, input quaternion = {}, bool global = false) {
        if ((position.size() != 0 && position.size() != 3) || (quaternion.size() != 0 && quaternion.size() != 4)) {
            throw error(FOURBAR_LENGTH, "a position has three values, a quaternion four");
        }
        detail::check(fourbar_model_add_marker(get(), name.c_str(), body.c_str(), position.data(), quaternion.data(), global ? 1 : 0));
    }
    void add_joint(const std::string &name, fourbar_joint_kind kind, const std::string &i, const std::string &j, double length = 0.0) {
        detail::check(fourbar_model_add_joint(get(), name.c_str(), kind, i.c_str(), j.c_str(), length));
    }
    /// The sum of ratio times joint coordinate stays what it is; `directions` may be empty where no joint is cylindrical.
    void add_coupler(const std::string &name, const std::vector<std::string> &joints, const std::vector<double> &ratios,
                     const std::vector<std::int32_t> &directions = {}) {
        if (joints.size() != ratios.size() || (!directions.empty() && directions.size() != joints.size())) {
            throw error(FOURBAR_LENGTH, "a coupler has a ratio for each joint, and a direction for each or none");
        }
        std::vector<const char *> names;
        for (const auto &one : joints) {
            names.push_back(one.c_str());
        }
        detail::check(fourbar_model_add_coupler(get(), name.c_str(), names.data(), directions.empty() ? nullptr : directions.data(),
                                                ratios.data(), names.size()));
    }
    /// Two gears with one velocity along z of the marker `common_velocity` on their carrier, at its origin.
    void add_gear(const std::string &name, const std::string &joint_1, const std::string &joint_2, const std::string &common_velocity) {
        detail::check(fourbar_model_add_gear(get(), name.c_str(), joint_1.c_str(), joint_2.c_str(), common_velocity.c_str()));
    }
    void add_rack_and_pinion(const std::string &name, const std::string &pinion, const std::string &rack, double pitch_radius) {
        detail::check(fourbar_model_add_rack_and_pinion(get(), name.c_str(), pinion.c_str(), rack.c_str(), pitch_radius));
    }
    /// A curve through points of `dimensions` values each, fixed to a marker or body; the last point of a closed curve is its first.
    void add_curve(const std::string &name, const std::string &marker, const std::vector<double> &points, std::size_t dimensions = 2,
                   bool closed = false) {
        if (dimensions == 0 || points.size() % dimensions != 0) {
            throw error(FOURBAR_LENGTH, "points of a curve have `dimensions` values each");
        }
        detail::check(fourbar_model_add_curve(get(), name.c_str(), marker.c_str(), points.data(), points.size() / dimensions, dimensions,
                                              closed ? 1 : 0));
    }
    /// The origin of marker i stays on the curve.
    void add_point_on_curve(const std::string &name, const std::string &i, const std::string &curve) {
        detail::check(fourbar_model_add_point_on_curve(get(), name.c_str(), i.c_str(), curve.c_str()));
    }
    /// Two plane curves touch.
    void add_curve_on_curve(const std::string &name, const std::string &curve_1, const std::string &curve_2) {
        detail::check(fourbar_model_add_curve_on_curve(get(), name.c_str(), curve_1.c_str(), curve_2.c_str()));
    }
    /// An expression of displacements and `time` is zero; reactions are told at marker i, if given.
    void add_constraint(const std::string &name, const std::string &equation, const char *i = nullptr) {
        detail::check(fourbar_model_add_constraint(get(), name.c_str(), equation.c_str(), i));
    }
    void set_joint_initial(const std::string &joint, const joint_initial &initial) {
        detail::check(fourbar_model_set_joint_initial(get(), joint.c_str(), &initial));
    }
    /// A curve y(x); with z a family of curves, y curve by curve.
    void add_spline(const std::string &name, input x, input y, input z = {}) {
        const std::size_t curves = z.size() == 0 ? 1 : z.size();
        if (y.size() != x.size() * curves) {
            throw error(FOURBAR_LENGTH, "a spline has as many values y as x, for each curve");
        }
        detail::check(fourbar_model_add_spline(get(), name.c_str(), x.data(), y.data(), x.size(), z.data(), curves));
    }
    void add_input(const std::string &name, const std::string &unit = "", double start = 0.0) {
        detail::check(fourbar_model_add_input(get(), name.c_str(), unit.c_str(), start));
    }
    /// An unknown x: x' = `equation`, or if `implicit` 0 = `equation`.
    /// Six stiffnesses, damping coefficients and preloads along and about x, y, z of J; NULL for zeros.
    void add_bushing(const std::string &name, const std::string &i, const std::string &j, const double *stiffness,
                     const double *damping = nullptr, const double *preload = nullptr) {
        detail::check(fourbar_model_add_bushing(get(), name.c_str(), i.c_str(), j.c_str(), stiffness, damping, preload));
    }
    /// A sphere or disc (FOURBAR_ROLLING_..) about marker i that rolls on the x-y plane of marker j.
    void add_rolling(const std::string &name, int32_t shape, const std::string &i, const std::string &j, double radius) {
        detail::check(fourbar_model_add_rolling(get(), name.c_str(), shape, i.c_str(), j.c_str(), radius));
    }
    void add_state(const std::string &name, const std::string &equation, double start = 0.0, bool implicit = false,
                   const std::string &unit = "", double size = 1.0) {
        detail::check(fourbar_model_add_state(get(), name.c_str(), unit.c_str(), equation.c_str(), implicit ? 1 : 0, start, size));
    }
    /// What is watched; `value` and `when` may be empty: 0, and always. It needs an action.
    void add_sensor(const std::string &name, const std::string &watched, const std::string &value = "",
                    fourbar_crossing crossing = FOURBAR_CROSSING_EITHER, const std::string &when = "", bool once = false) {
        const auto text = [](const std::string &one) { return one.empty() ? nullptr : one.c_str(); };
        detail::check(fourbar_model_add_sensor(get(), name.c_str(), watched.c_str(), text(value), crossing, text(when), once ? 1 : 0));
    }
    /// What a sensor does; the action says whether `name` and `given` count.
    void add_sensor_action(const std::string &sensor, fourbar_sensor_action action, const std::string &name = "",
                           const std::string &given = "") {
        detail::check(fourbar_model_add_sensor_action(get(), sensor.c_str(), action, name.c_str(), given.c_str()));
    }
    /// Lets an element act where `active` is above 0; empty: all the time.
    void set_active(fourbar_element_kind kind, const std::string &name, const std::string &active) {
        detail::check(fourbar_model_set_active(get(), kind, name.c_str(), active.empty() ? nullptr : active.c_str()));
    }
    /// y = H(s) `driver`; coefficients with the highest power of s first.
    void add_transfer_function(const std::string &name, const std::string &driver, const std::vector<double> &numerator,
                               const std::vector<double> &denominator, const std::string &unit = "") {
        detail::check(fourbar_model_add_transfer_function(get(), name.c_str(), unit.c_str(), driver.c_str(), numerator.data(),
                                                          numerator.size(), denominator.data(), denominator.size()));
    }
    /// x' = A x + B u, y = C x + D u with the expressions `inputs`; matrices column after column, d empty for zero, x from 0.
    void add_state_space(const std::string &name, const std::vector<std::string> &inputs, const std::vector<double> &a,
                         const std::vector<double> &b, const std::vector<double> &c, const std::vector<double> &d = {},
                         const std::string &unit = "") {
        std::size_t n = 0;
        while (n * n < a.size()) {
            ++n;
        }
        const std::size_t outputs = n == 0 ? 0 : c.size() / n;
        if (n * n != a.size() || b.size() != n * inputs.size() || c.size() != n * outputs ||
            (!d.empty() && d.size() != outputs * inputs.size())) {
            throw error(FOURBAR_LENGTH, "the matrices of a state space are n x n, n x inputs, outputs x n and outputs x inputs");
        }
        std::vector<const char *> texts;
        for (const auto &one : inputs) {
            texts.push_back(one.c_str());
        }
        fourbar_state_space block;
        detail::check(fourbar_state_space_init(&block, sizeof block));
        block.name = name.c_str();
        block.unit = unit.c_str();
        block.inputs = texts.data();
        block.input_count = texts.size();
        block.state_count = n;
        block.output_count = outputs;
        block.a = a.data();
        block.b = b.data();
        block.c = c.data();
        block.d = d.empty() ? nullptr : d.data();
        detail::check(fourbar_model_add_state_space(get(), &block));
    }
    void add(const fourbar_pid &controller) { detail::check(fourbar_model_add_pid(get(), &controller)); }
    void add_actuator(const std::string &name, const std::string &i, const std::string &j, bool torque = false, double start = 0.0,
                      const char *replaces = nullptr) {
        detail::check(fourbar_model_add_actuator(get(), name.c_str(), i.c_str(), j.c_str(), torque ? 1 : 0, start, replaces));
    }
    /// A force of `components` (1 for FOURBAR_FORCE_LINE and FOURBAR_FORCE_AXIAL_TORQUE, else 3) computed by `function` from the values of
    /// `arguments`, measures and inputs by name; no function: its expressions are in force again. `partials`, if given, writes its
    /// derivatives, `components` values an argument.
    void set_force(const std::string &name, const std::vector<std::string> &arguments, std::size_t components, force_function function,
                   force_function partials = nullptr) {
        if (components != 1 && components != 3) {
            throw error(FOURBAR_LENGTH, "a force has one component or three");
        }
        if (!function) {
            detail::check(fourbar_model_set_force_function(get(), name.c_str(), nullptr, 0, nullptr, nullptr, nullptr));
            return;
        }
        std::vector<const char *> names;
        for (const auto &one : arguments) {
            names.push_back(one.c_str());
        }
        auto &kept = host_->forces.emplace_back(
            detail::host_functions::computed_force{std::move(function), std::move(partials), components});
        detail::check(fourbar_model_set_force_function(get(), name.c_str(), names.data(), names.size(), force_value,
                                                       kept.partials ? force_partials : nullptr, &kept));
    }
    /// An empty function gives the expression of the model back.
    void set_motion(const std::string &name, motion_function function) {
        if (!function) {
            detail::check(fourbar_model_set_motion_function(get(), name.c_str(), nullptr, nullptr));
            return;
        }
        auto &kept = host_->motions.emplace_back(std::move(function));
        detail::check(fourbar_model_set_motion_function(get(), name.c_str(), motion_value, &kept));
    }
    /// Checks and assembles.
    mechanism compile() const {
        fourbar_mechanism *out = nullptr;
        detail::check_calling(fourbar_model_compile(get(), &out));
        mechanism made;
        made.own_.reset(out);
        made.host_ = host_;
        return made;
    }
    fourbar_model *get() const noexcept { return own_.get(); }

private:
    template <class Make>
    explicit model(Make make_one) {
        make(make_one);
    }
    template <class Make>
    void make(Make make_one) {
        fourbar_model *out = nullptr;
        detail::check(make_one(&out));
        own_.reset(out);
    }
    using computed_force = detail::host_functions::computed_force;
    static std::int32_t force_value(void *user, double time, const double *arguments, std::size_t count, double *value) noexcept {
        const auto &own = *static_cast<const computed_force *>(user);
        return detail::run([&] { own.value(time, {arguments, count}, {value, own.components}); });
    }
    static std::int32_t force_partials(void *user, double time, const double *arguments, std::size_t count, double *partials) noexcept {
        const auto &own = *static_cast<const computed_force *>(user);
        return detail::run([&] { own.partials(time, {arguments, count}, {partials, own.components * count}); });
    }
    static std::int32_t motion_value(void *user, double time, double *value) noexcept {
        return detail::run([&] { (*static_cast<const motion_function *>(user))(time, {value, 3}); });
    }

    std::shared_ptr<detail::host_functions> host_ = std::make_shared<detail::host_functions>();
    detail::handle<fourbar_model, fourbar_model_free> own_;
};

} // namespace fourbar

#endif
