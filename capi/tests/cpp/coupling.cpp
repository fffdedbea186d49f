// Co-simulation through fourbar.hpp: two partners of the host, faults, a model file run whole, a CSV file.
#include "check.hpp"

#include <cstring>
#include <chrono>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

namespace {

// A mass of 1 kg with the force F on it, integrated exactly for a constant force.
fourbar::partner mass(double &x, double &v, const bool &broken) {
    fourbar::partner own;
    own.inputs = {{"F", "N"}};
    own.outputs = {{"x", "m", 1.0}, {"v", "m/s"}};
    own.exchange = [&](const fourbar::partner_exchange &at) {
        if (broken && at.time > 0.5) throw std::runtime_error("the crane driver went home");
        const double h = at.step, f = at.inputs[0];
        x += h * (v + 0.5 * h * f);
        v += h * f;
        at.outputs[0] = x;
        at.outputs[1] = v;
    };
    own.save = [&] {
        std::vector<unsigned char> bytes(2 * sizeof(double));
        std::memcpy(bytes.data(), &x, sizeof x);
        std::memcpy(bytes.data() + sizeof x, &v, sizeof v);
        return bytes;
    };
    own.restore = [&](fourbar::view<const unsigned char> bytes) {
        std::memcpy(&x, bytes.data(), sizeof x);
        std::memcpy(&v, bytes.data() + sizeof x, sizeof v);
    };
    return own;
}

fourbar::partner spring() {
    fourbar::partner own;
    own.inputs = {{"x", "mm"}};
    own.outputs = {{"F", "kN", -0.1, 1.0, {0}}};
    own.exchange = [](const fourbar::partner_exchange &at) { at.outputs[0] = -1e-4 * at.inputs[0]; }; // 100 N/m
    // It has no state: any byte will do.
    own.save = [] { return std::vector<unsigned char>(1); };
    own.restore = [](fourbar::view<const unsigned char>) {};
    return own;
}

void wrong_connections() {
    double x = 1.0, v = 0.0;
    const bool broken = false;
    fourbar::coupling coupling;
    coupling.add("mass", mass(x, v, broken));
    coupling.connect("mass.x", "mass.G");
    bool refused = false;
    try {
        coupling.start(); // where all ends are known
    } catch (const fourbar::error &wrong) {
        refused = std::string(wrong.what()).find("G") != std::string::npos;
    }
    CHECK(refused);
}

template <typename Call> bool refuses(Call call) {
    try {
        call();
    } catch (const fourbar::error &wrong) {
        return std::string(wrong.what()).find("weight") != std::string::npos;
    }
    return false;
}

void oscillator() {
    double x = 1.0, v = 0.0;
    bool broken = false;
    fourbar::coupling_options options;
    options.algorithm = FOURBAR_ALGORITHM_GAUSS_SEIDEL;
    options.step = 1e-4;
    options.end = 2.0;
    fourbar::coupling coupling(options);
    coupling.add("mass", mass(x, v, broken));
    coupling.add("spring", spring());
    coupling.connect("mass.x", "spring.x"); // metres to millimetres, kilonewtons to newtons: by their units
    coupling.connect("spring.F", "mass.F");
    coupling.run_to(0.5);
    CHECK(std::abs(coupling.get_output("mass.x") - std::cos(5.0)) < 5e-3);
    CHECK(coupling.output_names().size() == 3 && coupling.outputs().size() == 3 && coupling.unit("spring.F") == "kN");
    CHECK(coupling.input_names().size() == 2 && coupling.statistics().steps >= 5000);
    CHECK(coupling.parameter_names().empty());
    CHECK(refuses([&] { coupling.set_parameter("mass.weight", 1.0); }));
    CHECK(refuses([&] { coupling.get_parameter("mass.weight"); }) && refuses([&] { coupling.parameter_unit("mass.weight"); }));
    const auto bytes = coupling.save();
    coupling.run_to(0.6);
    const double later = coupling.get_output("mass.x");
    coupling.restore(bytes);
    coupling.run_to(0.6);
    CHECK(coupling.get_output("mass.x") == later);
    coupling.restore(bytes);
    broken = true;
    // The exception of the partner comes out of the call, and again where the stopped run is asked to go on.
    for (int again = 0; again < 2; again++) {
        bool stopped = false;
        try {
            coupling.run_to(1.0);
        } catch (const std::runtime_error &thrown) {
            stopped = std::string(thrown.what()) == "the crane driver went home";
        }
        CHECK(stopped && coupling.time() < 0.51 && coupling.state() == FOURBAR_RUN_FAILED);
    }
    const auto faults = coupling.faults();
    CHECK(!faults.empty() && faults.back().text.find("the crane driver went home") != std::string::npos);
}

struct blown_fuse {
    int ampere;
};

// What a partner throws comes out of the call that it stops, from a thread of its own too, and not out of one that another stops.
void thrown(bool on_thread, fourbar_fault_level level) {
    fourbar::coupling_options options;
    options.step = 0.01;
    options.end = 1.0;
    fourbar::partner_place place;
    place.thread = on_thread;
    fourbar::partner fuse, gauge;
    fuse.outputs = {{"x", "m"}};
    gauge.outputs = {{"fuse", "m"}}; // The name of a partner in a text does not make it the one that threw.
    fuse.exchange = [](const fourbar::partner_exchange &now) {
        if (now.time > 0.2) throw blown_fuse{16};
        now.outputs[0] = 0.0;
    };
    gauge.exchange = [](const fourbar::partner_exchange &now) { now.outputs[0] = now.time > 0.5 ? std::nan("") : 0.0; };
    fourbar::coupling coupling(options);
    coupling.add("fuse", std::move(fuse), place);
    coupling.add("gauge", std::move(gauge), place);
    coupling.set_fault_level(FOURBAR_FAULT_COMMUNICATION, level);
    coupling.set_fault_level(FOURBAR_FAULT_SAMPLING, FOURBAR_LEVEL_STOP);
    int ampere = 0, status = 0;
    try {
        coupling.run_to(1.0);
    } catch (const blown_fuse &fuse_thrown) {
        ampere = fuse_thrown.ampere;
    } catch (const fourbar::error &wrong) {
        status = wrong.status();
    }
    CHECK(level == FOURBAR_LEVEL_STOP ? ampere == 16 : status == FOURBAR_CALLBACK);
    CHECK(level == FOURBAR_LEVEL_STOP ? coupling.time() < 0.25 : coupling.time() > 0.45);
}

// A name so long that the text of an error is cut within it hides no exception.
void named_at_length() {
    for (const double from : {-1.0, 0.2}) {
        fourbar::coupling_options options;
        options.step = 0.01;
        options.end = 1.0;
        fourbar::partner fuse;
        fuse.outputs = {{"x", "m"}};
        fuse.exchange = [from](const fourbar::partner_exchange &now) {
            if (now.time > from) throw blown_fuse{16};
            now.outputs[0] = 0.0;
        };
        fourbar::coupling coupling(options);
        coupling.add(std::string(3000, 'n'), std::move(fuse));
        for (int again = 0; again < 2; again++) {
            int ampere = 0;
            try {
                coupling.run_to(1.0);
            } catch (const blown_fuse &thrown) {
                ampere = thrown.ampere;
            } catch (const fourbar::error &) {
            }
            CHECK(ampere == 16 || (again == 1 && from < 0.0)); // A run that never began is not there to go on.
        }
    }
}

// A coupling that is assigned to waits for a late partner before what that uses goes.
void assigned() {
    fourbar::coupling_options options;
    options.step = 0.01;
    options.end = 1.0;
    fourbar::partner_place place;
    place.time_limit = 0.02;
    auto ended = std::make_shared<bool>(false);
    fourbar::partner late;
    late.outputs = {{"x", "m"}};
    late.exchange = [ended](const fourbar::partner_exchange &now) {
        if (now.step > 0.0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            *ended = true;
        }
        now.outputs[0] = 0.0;
    };
    fourbar::coupling coupling(options);
    coupling.add("late", std::move(late), place);
    THROWS(coupling.run_to(1.0), FOURBAR_CALLBACK);
    coupling = fourbar::coupling(options);
    CHECK(*ended && ended.use_count() == 1);
}

void whole_runs() {
    auto run = fourbar::run::from_file("models/bouncing-ball.toml");
    CHECK(run.execute() == FOURBAR_OUTCOME_DONE);
    CHECK(run.columns() > 0 && run.rows() > 10 && run.times().size() == run.rows() && run.series(0).size() == run.rows());
    CHECK(!run.column_name(0).empty() && run.summary().find("bouncing-ball") != std::string::npos);
    THROWS(run.series(1000), FOURBAR_INVALID);
    THROWS(fourbar::run::from_file("models/there-is-none.toml"), FOURBAR_FILE);
}

void files() {
    const std::string path = std::tmpnam(nullptr);
    {
        fourbar::csv csv(path, {"x", "F"}, {"m", ""});
        csv.write(0.0, {1.0, 2.0});
        csv.write(0.5, {0.1, -3e10});
        THROWS(csv.write(1.0, {1.0}), FOURBAR_LENGTH);
        csv.close();
    }
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    CHECK(text.str().rfind("time [s],x [m],F", 0) == 0);
    std::remove(path.c_str());
}

} // namespace

int main() {
    wrong_connections();
    oscillator();
    for (const bool on_thread : {false, true}) {
        thrown(on_thread, FOURBAR_LEVEL_STOP);
        thrown(on_thread, FOURBAR_LEVEL_HOLD);
    }
    named_at_length();
    assigned();
    whole_runs();
    files();
    return 0;
}
