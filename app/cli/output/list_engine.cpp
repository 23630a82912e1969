// SPDX-License-Identifier: Apache-2.0
// The lists that describe what the engine can do: targets, passes, solvers, formats, samples.
#include "app/cli/output/listing.h"
#include "engine/io/input.h"
#include "engine/io/samples.h"
#include "engine/solve/machine_solvers.h"
#include "engine/target/compile.h"

#include <array>

namespace memplan::cli {

namespace {

using Json = nlohmann::ordered_json;

Json passRow(std::string_view target, const PassInfo& pass, const std::string& number) {
    Json row;
    row["target"] = target;
    row["number"] = number;
    row["id"] = pass.id;
    row["title"] = pass.title;
    row["mandatory"] = pass.isMandatory();
    row["switch"] = pass.switchKey;
    row["needs"] = pass.needs;
    row["provides"] = pass.provides;
    row["part_of"] = pass.parent;
    row["purpose"] = pass.purpose;
    return row;
}

/// "KEY=VALUE" as --set and --bind take them.
Json options(const io::SettingPairs& pairs) {
    Json list = Json::array();
    for (const auto& [key, value] : pairs)
        list.push_back(key + "=" + value);
    return list;
}

}  // namespace

Listing listTargets() {
    Listing listing{{{"id", "target"}, {"title", "what is planned"}, {"passes", "passes"}, {"formats", "formats"}}, {}};
    for (const Target* target : allTargets()) {
        Json row;
        row["id"] = target->info().id;
        row["title"] = target->info().title;
        row["passes"] = target->passes().size();
        row["formats"] = target->info().formats;
        listing.rows.push_back(std::move(row));
    }
    return listing;
}

Listing listMachines() {
    Listing listing{{{"target", "target"},
                     {"key", "figure"},
                     {"default", "default"},
                     {"range", "range"},
                     {"multiple_of", "multiple of"},
                     {"unit", "unit"},
                     {"meaning", "meaning"}},
                    {}};
    for (const Target* target : allTargets()) {
        for (const MachineField& field : target->machineKind().fields) {
            Json row;
            row["target"] = target->info().id;
            row["key"] = field.key;
            row["default"] = field.defaultValue;
            row["range"] = std::to_string(field.min) + ".." + std::to_string(field.max);
            row["multiple_of"] = field.multipleOf;
            row["unit"] = field.unit;
            row["meaning"] = field.help;
            listing.rows.push_back(std::move(row));
        }
    }
    return listing;
}

Listing listPasses() {
    Listing listing{
        {{"target", "target"}, {"number", "no."}, {"id", "pass"}, {"switch", "switched by"}, {"title", "title"}}, {}};
    for (const Target* target : allTargets()) {
        int pass = 0;
        int step = 0;
        for (const PassInfo& info : target->passes()) {
            step = info.parent.empty() ? 0 : step + 1;
            pass += info.parent.empty() && info.replaces.empty() ? 1 : 0;
            const std::string number = std::to_string(pass) + (step > 0 ? "." + std::to_string(step) : "");
            listing.rows.push_back(passRow(target->info().id, info, number));
        }
    }
    return listing;
}

Json solverRow(const solve::MachineSolvers& of, const solve::MachineSolver& solver) {
    Json row;
    row["target"] = of.target;
    row["id"] = solver.name;
    row["set"] = std::string(of.key) + "=" + std::string(solver.value);
    row["title"] = solver.title;
    row["aliases"] = Json::array();
    for (const char* alias : {"simulated_annealing", "cpsat"}) {
        if (canonicalSolverName(alias) == solver.name) row["aliases"].push_back(alias);
    }
    row["help"] = solver.help;
    return row;
}

Listing listSolvers() {
    Listing listing{{{"target", "target"},
                     {"id", "solver"},
                     {"aliases", "also"},
                     {"set", "chosen by"},
                     {"title", "title"},
                     {"help", "how"}},
                    {}};
    for (const solve::MachineSolvers* of : solve::machineSolvers())
        for (const solve::MachineSolver& solver : of->solvers)
            listing.rows.push_back(solverRow(*of, solver));
    return listing;
}

Listing listFormats() {
    Listing listing{{{"id", "format"},
                     {"extension", "suffix"},
                     {"reads", "reads"},
                     {"writes", "writes"},
                     {"needs", "written from"},
                     {"title", "title"}},
                    {}};
    for (const io::FormatInfo& format : io::allFormats()) {
        if (format.format == io::Format::Unknown) continue;
        Json row;
        row["id"] = format.id;
        row["title"] = format.title;
        row["extension"] = format.extension;
        row["reads"] = format.imports;
        row["writes"] = format.exports;
        row["needs"] = format.needs;
        listing.rows.push_back(std::move(row));
    }
    return listing;
}

Listing listSamples() {
    Listing listing{{{"id", "sample"}, {"title", "what it shows"}, {"size", "size"}, {"file", "file"}}, {}};
    for (const io::SampleInfo& sample : io::listSamples()) {
        Json row;
        row["id"] = sample.id;
        row["title"] = sample.title;
        row["question"] = sample.question;
        row["size"] = sample.sizeText;
        row["file"] = sample.path;
        row["settings"] = options(sample.settings);
        row["bindings"] = options(sample.bindings);
        listing.rows.push_back(std::move(row));
    }
    return listing;
}

}  // namespace memplan::cli
