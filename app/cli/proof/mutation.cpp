// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proof/mutation.h"

#include "app/cli/program/common_options.h"
#include "app/cli/program/reporter.h"
#include "engine/base/text.h"

#include <nlohmann/json.hpp>

namespace memplan::cli {
namespace {

constexpr std::int64_t kMostMutants = 1'000'000;
constexpr std::int64_t kDefaultMutants = 300;

}  // namespace

Result<std::int64_t> mutantCount(const std::string& mutate, const std::string& mutants, const std::string& kind) {
    if (!mutate.empty() && mutate != kind) {
        const std::string what = kind == "plan" ? "a plan" : "the folder of a bundle";
        return makeError("CLI-001", "--mutate", text::quoted(mutate) + " is not possible on " + what, kind);
    }
    if (!mutants.empty() && mutate.empty()) {
        return makeError("CLI-001", "--mutants", "it counts the damaged copies of --mutate", "add --mutate " + kind);
    }
    if (mutate.empty()) return std::int64_t{0};
    return mutants.empty() ? Result<std::int64_t>(kDefaultMutants)
                           : wholeNumber("--mutants", mutants, {1, kMostMutants});
}

std::string mutationJson(const sim::MutationReport& report, const std::string& kind) {
    nlohmann::ordered_json j;
    j["of"] = kind;
    j["made"] = report.made;
    j["caught"] = report.caught;
    j["equivalent"] = report.equivalent;
    j["equivalent_by_rule"] = report.equivalentByRule;
    j["families"] = nlohmann::ordered_json::object();
    for (const auto& [family, count] : report.families)
        j["families"][family] = count.made;
    j["survivors"] = report.survivors;
    return j.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void sayMutation(const std::string& path, const sim::MutationReport& report, const Streams& streams) {
    for (const std::string& survivor : report.survivors) {
        Diagnostic d;
        d.code = "VER-027";
        d.message = "a damaged copy is not noticed: " + survivor;
        d.hint = "this is a defect of the program; please report it";
        Reporter(streams).print(path, d);
    }
    streams.out << "mutation: " << report.caught << " of " << report.made - report.equivalent
                << " damaged copies found wrong, " << report.equivalent << " equivalent by rule\n";
}

}  // namespace memplan::cli
