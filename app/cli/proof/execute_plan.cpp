// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proof/execute_plan.h"

#include "app/cli/program/reporter.h"
#include "engine/base/text.h"
#include "engine/io/files/files.h"
#include "engine/io/input.h"
#include "engine/target/neutral_source.h"

#include <filesystem>
#include <memory>
#include <set>

namespace memplan::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "manifest.json";
constexpr std::int64_t kLargestFile = std::int64_t{1} << 30;

std::optional<std::string> fileIn(const fs::path& folder, const std::string& name) {
    auto bytes = io::readFile((folder / name).string(), kLargestFile, "IN-002");
    return bytes ? std::optional(std::move(bytes).value()) : std::nullopt;
}

/// The program to compare with, or why there is none.
struct Program {
    std::shared_ptr<const Source> source;
    std::string whyNone;
};

Program programOf(const io::OpenedInput& opened, const std::string& path) {
    if (opened.program) return {opened.program, {}};
    if (opened.graph) return {std::make_shared<const NeutralSource>(opened.graph), {}};
    return {nullptr,
            text::quoted(path) + " is no program but \"" + std::string(io::formatInfo(opened.input.format).id) + "\""};
}

/// The file that the plan names, seen from here or from beside the plan; empty where it is gone.
std::string inputFile(const Plan& plan, const std::string& planFile) {
    std::error_code ignored;
    const fs::path named = plan.input.path;
    if (named.empty()) return {};
    if (fs::is_regular_file(named, ignored)) return named.string();
    const fs::path beside = fs::path(planFile).parent_path() / named.filename();
    return fs::is_regular_file(beside, ignored) ? beside.string() : std::string();
}

Result<Program> programIn(const std::string& path, const io::Bindings& bindings, const Streams& streams) {
    auto opened = open(path, openOptions(Settings(), bindings), Wanted::Program, streams);
    if (!opened) return std::move(opened).error();
    return programOf(opened.value(), path);
}

/// The input that the plan names. It does not name the bindings of open sizes that it was opened with.
Result<Program> inputOf(const ExecutionSubject& subject, const io::Bindings& bindings, const Streams& streams) {
    if (subject.plan == nullptr) return Program{nullptr, "an export does not hold its graph: name it with --graph"};
    const std::string path = inputFile(*subject.plan, subject.file);
    if (path.empty()) return Program{nullptr, "the graph that the plan was made of is not here: name it with --graph"};
    auto opened = open(path, openOptions(subject.plan->settings, bindings), Wanted::Program, streams);
    if (!opened && opened.error().primary().code == kCancelledCode) return std::move(opened).error();
    if (!opened) return Program{nullptr, text::quoted(path) + ": " + opened.error().primary().message};
    if (opened.value().input.sha256 != subject.plan->input.sha256)
        return Program{nullptr,
                       text::quoted(path) + " has changed since the plan was made: name the graph with --graph"};
    return programOf(opened.value(), path);
}

int report(const ExecutionSubject& subject, const sim::Outcome& outcome, const ProofOptions& options,
           const Streams& streams) {
    if (options.out.empty()) return kDone;
    const ProofSubject proof{subject.file, subject.sha256, {}, {}, {}, {}};
    return writeResult(options.out, proofReport(proof, outcome, options.timings), streams);
}

int notExecuted(const ExecutionSubject& subject, const std::string& why, bool isWanted, const ProofOptions& options,
                const Streams& streams) {
    if (!isWanted) {
        streams.out << "not executed: " << why << '\n';
        return kDone;
    }
    sim::Outcome unknown;
    unknown.skipped.push_back(why);
    return finishProof({subject.file, subject.sha256, {}, {}, {}, {}}, unknown, options, streams);
}

Result<Execution> execute(const ExecutionSubject& subject, const Source& program, const ProofOptions& options,
                          const Streams& streams) {
    ProgressBar bar(streams, options.progress);
    const RunControl control = proofControl(bar, options);
    ExecutionRequest request;
    request.seed = options.sim.seed;
    if (subject.plan != nullptr) return subject.executor->execute(*subject.plan, program, request, control);
    const fs::path folder = subject.file;
    const ExportFiles files = [&folder](const std::string& name) { return fileIn(folder, name); };
    return subject.executor->executeExport(files, program, request, control);
}

/// The machine that a file holds a program of, one of those whose exports nothing executes; null for any other file.
const Target* machineOfProgram(const fs::path& path) {
    constexpr std::int64_t kHead = 1 << 20;
    for (const Target* target : allTargets()) {
        if (target->executor() != nullptr || target->info().isExecuted) continue;
        for (const TargetFormat& format : target->formats()) {
            const bool isNamedSo = !format.extension.empty() && path.string().ends_with(format.extension);
            if (!isNamedSo || format.isRecords || format.isFolder) continue;
            auto file = io::InputFile::open(path.string());
            const auto head = file ? file.value().read(kHead) : Result<std::string>(file.error());
            if (head && io::recognise(head.value()).id == format.id) return target;
        }
    }
    return nullptr;
}

}  // namespace

std::optional<Error> exportThatIsNotExecuted(const std::string& folder) {
    std::error_code problem;
    std::set<fs::path> files;
    for (fs::directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem))
        if (it->is_regular_file(problem)) files.insert(it->path());
    for (const fs::path& file : files) {
        const Target* target = machineOfProgram(file);
        if (target == nullptr) continue;
        return makeError("IN-904", "",
                         "the folder holds " + text::quoted(file.filename().string()) + ", a program for " +
                             std::string(target->info().id) + "; exports for that machine cannot be executed",
                         "verify the plan file of the compile that wrote it, or give `memplan verify " + file.string() +
                             "`, which plans the program and checks that plan");
    }
    return std::nullopt;
}

const Executor* executorOf(const Plan& plan) {
    const Target* target = findTarget(plan.target);
    return target != nullptr ? target->executor() : nullptr;
}

const Executor* executorOfFolder(const std::string& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored) || !fs::exists(fs::path(path) / kManifest, ignored)) return nullptr;
    const auto manifest = fileIn(path, kManifest);
    for (const Target* target : allTargets()) {
        const Executor* executor = target->executor();
        if (executor != nullptr && manifest && executor->isExport(*manifest)) return executor;
    }
    return nullptr;
}

int executeBeside(const ExecutionSubject& subject, const BundleTexts& texts, bool isWanted, const ProofOptions& options,
                  const Streams& streams) {
    const Reporter reporter(streams);
    const auto bindings = bindingsFrom(texts.binds);
    if (!bindings) return reporter.fail("command line", bindings.error());
    const bool isNamed = !texts.graph.empty();
    const auto program =
        isNamed ? programIn(texts.graph, bindings.value(), streams) : inputOf(subject, bindings.value(), streams);
    if (!program) return reporter.fail(isNamed ? texts.graph : subject.file, program.error());
    if (!program.value().source) return notExecuted(subject, program.value().whyNone, isWanted, options, streams);
    const auto outcome = execute(subject, *program.value().source, options, streams);
    if (!outcome) return reporter.fail(subject.file, outcome.error());
    const Execution& done = outcome.value();
    if (!done.whyNot.empty()) return notExecuted(subject, done.whyNot, isWanted, options, streams);
    for (const Diagnostic& d : done.findings)
        reporter.print(subject.file, d);
    sim::Outcome result = brokenRules(done.findings);
    result.kind = done.findings.empty() ? sim::OutcomeKind::Proved : sim::OutcomeKind::Wrong;
    if (options.out != "-") streams.out << "executed: " << done.summary << '\n';
    const int written = report(subject, result, options, streams);
    if (written != kDone) return written;
    return done.findings.empty() ? kDone : kAnswerIsNo;
}

}  // namespace memplan::cli
