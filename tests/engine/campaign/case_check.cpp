// SPDX-License-Identifier: Apache-2.0
#include "case_check.h"

#include "io/graph/graph_json.h"
#include "io/input.h"
#include "io/plan/plan_json.h"
#include "settings/settings.h"
#include "verify/verify.h"

#include <algorithm>
#include <filesystem>

namespace memplan::test {

namespace {

std::string lineOf(const Diagnostic& d) {
    return d.code + " " + d.where + " " + d.message;
}

/// What the graph says is refused with the codes of codes.md; a defect or a plan that breaks a rule never is.
bool isRefusal(const std::string& code) {
    return !code.starts_with("INT-") && !code.starts_with("VER-") && !code.starts_with("SET-") &&
           !code.starts_with("IN-") && !code.starts_with("MPG-");
}

/// The first line in which two texts differ.
std::string difference(const std::string& a, const std::string& b) {
    const auto at = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
    const std::size_t begin = at == 0 ? 0 : a.rfind('\n', at - 1) + 1;
    const auto line = [&](const std::string& s) { return s.substr(begin, s.find('\n', at) - begin); };
    return line(a) + " | " + line(b);
}

std::string graphFault(const Graph& graph) {
    for (const Diagnostic& d : io::checkGraph(graph, {})) {
        if (d.severity == Severity::Error) return "graph: " + lineOf(d);
    }
    const std::string text = io::writeGraphJson(graph);
    const auto back = io::readGraphJson(text, {}, {});
    if (!back) return "graph: " + lineOf(back.error().primary());
    return io::writeGraphJson(back.value().graph) == text ? "" : "graph: reading back gives another graph";
}

std::string planFault(const Plan& plan) {
    if (const auto findings = verifyPlan(plan); !findings.empty()) return "verify: " + lineOf(findings.front());
    const std::string text = io::writePlanJson(plan);
    const auto back = io::readPlanJson(text);
    if (!back) return "plan file: " + lineOf(back.error().primary());
    if (const std::string again = io::writePlanJson(back.value()); again != text)
        return "plan file: reading back gives another plan: " + difference(text, again);
    if (const auto findings = verifyPlan(back.value()); !findings.empty())
        return "verify of the file: " + lineOf(findings.front());
    return {};
}

}  // namespace

CaseResult checkCase(const RandomCase& c) {
    CaseResult result;
    result.fault = graphFault(c.graph);
    if (!result.fault.empty()) return result;
    auto settings = Settings::fromPairs(c.settings);
    if (!settings) {
        result.fault = "settings: " + lineOf(settings.error().primary());
        return result;
    }
    CompileRequest request;
    request.graph = std::make_shared<const Graph>(c.graph);
    request.hints = c.graph.hints;
    request.settings = std::move(settings).value();
    request.keepSnapshotTexts = false;
    request.makeArtefacts = true;
    const CompileOutcome outcome = compile(request, {});
    if (outcome.failure) {
        const Diagnostic& d = outcome.failure->error.primary();
        (isRefusal(d.code) ? result.refusal : result.fault) = "compile: " + lineOf(d);
        return result;
    }
    result.fault = planFault(*outcome.plan);
    return result;
}

std::string keepCase(const RandomCase& c) {
    const auto folder = std::filesystem::temp_directory_path() / ("memplan-campaign-" + std::to_string(c.seed));
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    const std::string path = (folder / "graph.json").string();
    if (!io::writeFileAtomically(path, io::writeGraphJson(c.graph))) return "(graph.json could not be written)";
    return "memplan compile " + path + " " + optionsText(c.settings);
}

}  // namespace memplan::test
