// SPDX-License-Identifier: Apache-2.0
// The lists that describe what the engine can do: targets, passes, solvers, formats, samples.
#include "app/cli/listing.h"
#include "engine/io/input.h"
#include "engine/io/samples.h"
#include "engine/pipeline/compile.h"
#include "engine/solve/solver.h"

#include <array>

namespace memplan::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<Target, 3> kTargets{Target::Spyre, Target::Ttnn, Target::Torchwright};

std::string_view titleOf(Target t) {
    switch (t) {
    case Target::Spyre:
        return "IBM Spyre: scratchpad (LX) of each core";
    case Target::Ttnn:
        return "Tenstorrent TTNN: L1 of each core";
    case Target::Torchwright:
        break;
    }
    return "torchwright: columns of the residual stream";
}

Json passRow(Target target, const PassInfo& pass, const std::string& number) {
    Json row;
    row["target"] = targetName(target);
    row["number"] = number;
    row["id"] = pass.id;
    row["title"] = pass.title;
    row["mandatory"] = pass.mandatory;
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
    for (const Target t : kTargets) {
        const auto passes = passList(t);
        if (passes.empty()) continue;
        Json row;
        row["id"] = targetName(t);
        row["title"] = titleOf(t);
        row["passes"] = passes.size();
        row["formats"] = Json::array({"graph", "onnx"});
        listing.rows.push_back(std::move(row));
    }
    return listing;
}

Listing listPasses() {
    Listing listing{
        {{"target", "target"}, {"number", "no."}, {"id", "pass"}, {"switch", "switched by"}, {"title", "title"}}, {}};
    for (const Target t : kTargets) {
        int pass = 0;
        int step = 0;
        for (const PassInfo& info : passList(t)) {
            step = info.parent.empty() ? 0 : step + 1;
            pass += info.parent.empty() && info.replaces.empty() ? 1 : 0;
            const std::string number = std::to_string(pass) + (step > 0 ? "." + std::to_string(step) : "");
            listing.rows.push_back(passRow(t, info, number));
        }
    }
    return listing;
}

Listing listSolvers() {
    Listing listing{{{"id", "solver"}, {"aliases", "also"}, {"title", "title"}, {"help", "how"}}, {}};
    for (const solve::Solver* solver : solve::allSolvers()) {
        Json row;
        row["id"] = solver->id();
        row["title"] = solver->title();
        row["aliases"] = Json::array();
        for (const char* alias : {"simulated_annealing", "cpsat"}) {
            if (canonicalSolverName(alias) == solver->id()) row["aliases"].push_back(alias);
        }
        row["help"] = solver->help();
        listing.rows.push_back(std::move(row));
    }
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
    Listing listing{{{"id", "sample"}, {"file", "file"}, {"size", "size"}, {"title", "what it shows"}}, {}};
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
