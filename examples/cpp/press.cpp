// The forging press of models/press.toml, and the host in its loop: a gauge of the host, a simulator like the four others, watches the forging
// force and finds its peak; the host steps the whole, reads what it likes, and writes a CSV file of its own.
//
//   c++ -std=c++17 -O2 press.cpp $(pkg-config --cflags --libs fourbar) -o press && ./press models/press.toml press.csv
#include <fourbar.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>

int main(int count, char **arguments) {
    if (count != 3) {
        std::cerr << "usage: " << arguments[0] << " MODEL CSV\n";
        return 2;
    }
    try {
        std::ifstream file(arguments[1]);
        std::stringstream text;
        text << file.rdbuf();
        // The file names the order in which its four simulators step; with the gauge that is found anew.
        fourbar::coupling_options options;
        options.algorithm = FOURBAR_ALGORITHM_GAUSS_SEIDEL;
        options.order = 2;
        options.step = 5e-4;
        options.end = 2.0;
        auto coupling = fourbar::coupling::from_toml(text.str(), arguments[1], &options);

        fourbar::partner gauge;
        double peak = 0.0;
        gauge.inputs = {{"force", "kN"}};
        gauge.outputs = {{"peak", "kN"}};
        gauge.exchange = [&](const fourbar::partner_exchange &at) {
            peak = std::max(peak, at.inputs[0]);
            at.outputs[0] = peak;
        };
        coupling.add("gauge", std::move(gauge));
        coupling.connect("beam.forging", "gauge.force");

        const auto names = coupling.output_names();
        std::vector<std::string> units;
        for (const auto &name : names) {
            units.push_back(coupling.unit(name));
        }
        fourbar::csv csv(arguments[2], names, units);
        coupling.start();
        do {
            csv.write(coupling.time(), coupling.outputs());
        } while (coupling.step() == FOURBAR_RUN_RUNNING);
        csv.write(coupling.time(), coupling.outputs());
        csv.close();

        for (const auto &fault : coupling.faults()) {
            std::cout << fault.time << " s: " << fault.text << '\n';
        }
        const auto statistics = coupling.statistics();
        std::cout << "t = " << coupling.time() << " s after " << statistics.steps << " communication steps, peak of the force "
                  << coupling.get_output("gauge.peak") << " kN\n";
        return coupling.state() == FOURBAR_RUN_FINISHED ? 0 : 1;
    } catch (const fourbar::error &wrong) {
        std::cerr << wrong.name() << ": " << wrong.what() << '\n';
        return 1;
    }
}
