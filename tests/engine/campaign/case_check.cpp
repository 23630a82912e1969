// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/campaign/case_check.h"

#include "engine/io/files/folder.h"
#include "engine/io/graph/graph_checks.h"
#include "engine/io/graph/graph_json.h"
#include "engine/io/input.h"
#include "engine/io/plan/plan_json.h"
#include "engine/settings/settings.h"
#include "engine/sim/machine/machine.h"
#include "engine/spyre/import/bundle_import.h"
#include "engine/spyre/record/execution_record.h"
#include "engine/target/compile.h"
#include "engine/target/verify.h"
#include "engine/verify/spyre/artefact/bundle/proof.h"

#include <algorithm>
#include <cstdlib>
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

std::string faultOf(const sim::Outcome& outcome) {
    return outcome.faults.empty() ? outcome.sentence() : lineOf(outcome.faults.front().diagnostic());
}

/// Runs the plan on memories of cells and compares with the graph; text of the first fault.
std::string executionFault(const Plan& plan, CaseResult& result) {
    if (!spyre::canBeRecorded(plan)) return "execution: the plan cannot be recorded";
    const auto proof = sim::prove(spyre::executionRecord(plan), {}, {});
    if (!proof) return "execution: " + lineOf(proof.error().primary());
    const sim::Outcome& outcome = proof.value();
    if (outcome.kind == sim::OutcomeKind::Wrong) return "wrong: " + faultOf(outcome);
    if (outcome.kind == sim::OutcomeKind::NotProved) result.unproved = outcome.sentence();
    return {};
}

constexpr const char* kAddressModes[] = {"baked", "per_tensor_constants", "per_core_constants", "per_core_input_args"};

/// Text of the first fault of the files of a plan, run as they are.
std::string bundleFault(const Plan& plan, const Graph& graph, std::vector<io::FolderFile>& files, CaseResult& result) {
    Diagnostics notes;
    auto made = planArtefacts(plan, notes);
    if (!made) return lineOf(made.error().primary());
    files = std::move(made).value();
    const auto proof = sim::artefact::proveBundle({files.begin(), files.end()}, graph, {}, {});
    if (!proof) return lineOf(proof.error().primary());
    const sim::Outcome& outcome = proof.value();
    if (outcome.kind == sim::OutcomeKind::Wrong) return faultOf(outcome);
    if (outcome.kind == sim::OutcomeKind::NotProved) result.unproved = "bundle: " + outcome.sentence();
    return {};
}

/// A folder that is removed with this.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string path = (std::filesystem::temp_directory_path() / "memplan-case-XXXXXX").string();
        if (mkdtemp(path.data()) != nullptr) path_ = path;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

/// The host part of output_code.py: inputs, calls and what is returned, in their order.
std::string hostPart(const std::vector<io::FolderFile>& files) {
    for (const io::FolderFile& f : files) {
        if (f.first == "output_code.py")
            return f.second.substr(std::min(f.second.find("\ndef call("), f.second.size()));
    }
    return {};
}

/// The export opened as an input, compiled and run again.
std::string reopenedFault(const std::vector<io::FolderFile>& files, const Plan& plan, const Graph& graph,
                          CaseResult& result) {
    const TemporaryFolder folder;
    if (auto written = io::writeFolder(folder.path(), files, true); !written) return lineOf(written.error().primary());
    auto program = io::importBundleFolder(folder.path(), {}, {});
    if (!program) return lineOf(program.error().primary());
    CompileRequest request;
    request.program = std::make_shared<const bundle::ImportedProgram>(std::move(program).value());
    request.graph = graphOf(*request.program, graph.name);
    request.settings = plan.settings;
    request.makeArtefacts = true;
    const CompileOutcome outcome = compile(request, {});
    if (outcome.failure) return lineOf(outcome.failure->error.primary());
    std::vector<io::FolderFile> again;
    if (auto fault = bundleFault(*outcome.plan, graph, again, result); !fault.empty()) return fault;
    const std::string before = hostPart(files);
    const std::string after = hostPart(again);
    return before == after ? "" : "the host part is another one: " + difference(before, after);
}

/// The form that the original recorded: its loops step over other bytes than the layouts say, and the compile warns of
/// it (CT-023, CT-026; spyre-coarse-tiling-and-bundle 4.4 and 10). What it computes is known to be wrong.
bool isRecordedForm(const Plan& plan) {
    if (plan.settings.text("spyre.stride_model") != "host_stride_map") return false;
    const auto warns = [](const Diagnostic& d) { return d.code == "CT-023" || d.code == "CT-026"; };
    return std::any_of(plan.passes.begin(), plan.passes.end(), [&](const PassRun& run) {
        return std::any_of(run.diagnostics.begin(), run.diagnostics.end(), warns);
    });
}

/// The same case with loops that follow the layouts.
RandomCase withDeviceStrides(RandomCase c) {
    std::erase_if(c.settings, [](const auto& pair) { return pair.first == "spyre.stride_model"; });
    c.settings.emplace_back("spyre.stride_model", "device_row_major");
    return c;
}

std::string exportFault(const Plan& plan, const char* mode, CaseResult& result) {
    Plan inMode = plan;
    if (!inMode.settings.set("spyre.address_mode", mode)) return "settings: no address mode " + std::string(mode);
    std::vector<io::FolderFile> files;
    if (auto fault = bundleFault(inMode, *plan.graph, files, result); !fault.empty())
        return "bundle " + std::string(mode) + ": " + fault;
    if (files.empty()) return {};
    const std::string fault = reopenedFault(files, inMode, *plan.graph, result);
    return fault.empty() ? "" : "reopened " + std::string(mode) + ": " + fault;
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
    if (result.fault.empty() && isRecordedForm(*outcome.plan)) return checkCase(withDeviceStrides(c));
    if (result.fault.empty()) result.fault = executionFault(*outcome.plan, result);
    for (const char* mode : kAddressModes) {
        if (result.fault.empty()) result.fault = exportFault(*outcome.plan, mode, result);
    }
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
