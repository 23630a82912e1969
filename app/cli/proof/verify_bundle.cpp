// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proof/verify_bundle.h"

#include "app/cli/program/common_options.h"
#include "app/cli/program/reporter.h"
#include "app/cli/proof/mutation.h"
#include "app/cli/proof/other_graph.h"
#include "engine/base/hash.h"
#include "engine/base/text.h"
#include "engine/spyre/machine/spyre_machine.h"
#include "engine/verify/spyre/artefact/bundle/proof.h"

#include <algorithm>
#include <filesystem>

namespace memplan::cli {
namespace {

namespace fs = std::filesystem;
using sim::artefact::BundleText;

constexpr const char* kGraphFile = "graph.mpg.json";
constexpr const char* kTargetFolder = "spyre";

/// The folder of a bundle made by `convert`, given itself or its manifest; empty for anything else.
fs::path selfContained(const std::string& path) {
    std::error_code ignored;
    fs::path folder = path;
    if (folder.filename() == "manifest.json") folder = folder.parent_path();
    const bool isOne = fs::exists(folder / "manifest.json", ignored) && fs::exists(folder / kGraphFile, ignored) &&
                       fs::exists(folder / kTargetFolder / "output_code.py", ignored);
    return isOne ? folder : fs::path();
}

/// What the machine runs: the wrapper source, the kernels' MLIR and their descriptors; other files are left alone.
bool isRun(const fs::path& file) {
    const std::string name = file.filename().string();
    return name == "output_code.py" || name == "bundle.mlir" || (name.starts_with("sdsc_") && name.ends_with(".json"));
}

Result<BundleText> readBundle(const fs::path& folder, std::int64_t limit) {
    BundleText text;
    std::error_code problem;
    for (fs::recursive_directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem)) {
        if (it.depth() > 1) it.disable_recursion_pending();
        if (!it->is_regular_file(problem) || !isRun(it->path())) continue;
        auto bytes = io::readFile(it->path().string(), limit, "BND-004");
        if (!bytes) return std::move(bytes).error();
        text[it->path().lexically_relative(folder).generic_string()] = std::move(bytes).value();
    }
    if (problem) return makeError("IN-904", "", "the folder cannot be read: " + problem.message());
    return text;
}

std::string hashOf(const BundleText& text) {
    Sha256 hash;
    for (const auto& [path, bytes] : text) {
        hash.update(path);
        hash.update(std::string_view("\0", 1));
        hash.update(bytes);
    }
    return hash.hex();
}

Result<std::map<std::int64_t, std::string>> argumentsFrom(const std::vector<std::string>& texts) {
    const auto pairs = keyValuePairs(texts, "--bind-arg");
    if (!pairs) return pairs.error();
    std::map<std::int64_t, std::string> out;
    for (const auto& [key, tensor] : pairs.value()) {
        const auto k = wholeNumber("--bind-arg", key, {0, 1000});
        if (!k) return k.error();
        out[k.value()] = tensor;
    }
    return out;
}

struct Request {
    std::string graphFile;  ///< of --graph; empty: the graph beside the files
    std::int64_t mutants = 0;
    io::Bindings bindings;
    sim::artefact::ProofOptions proof;
};

Result<Request> requestFrom(const BundleTexts& texts, const ProofOptions& options) {
    Request r;
    r.graphFile = texts.graph;
    const auto count = mutantCount(texts.mutate, texts.mutants, "artefact");
    if (!count) return count.error();
    r.mutants = count.value();
    auto bindings = bindingsFrom(texts.binds);
    if (!bindings) return bindings.error();
    r.bindings = std::move(bindings).value();
    auto arguments = argumentsFrom(texts.argumentBinds);
    if (!arguments) return arguments.error();
    r.proof.arguments = std::move(arguments).value();
    r.proof.sim = options.sim;
    if (options.memoryBytes) r.proof.sim.memoryBytes = *options.memoryBytes;
    return r;
}

int prove(const std::string& path, const BundleText& text, const Graph& graph, const Request& request,
          const ProofOptions& options, const Streams& streams) {
    ProofSubject subject{path, hashOf(text), {}, {}, {}, {}};
    ProgressBar bar(streams, options.progress);
    const RunControl control = proofControl(bar, options);
    const auto outcome = sim::artefact::proveBundle(text, graph, request.proof, control);
    bar.clear();
    if (!outcome) return Reporter(streams).fail(path, outcome.error());
    if (outcome.value().kind == sim::OutcomeKind::Wrong && !request.graphFile.empty()) {
        const auto made = checkFiles(text, graph);
        if (!made) return Reporter(streams).fail(request.graphFile, made.error());
    }
    bool survived = false;
    if (request.mutants > 0 && outcome.value().kind == sim::OutcomeKind::Proved) {
        const auto mutation = sim::artefact::mutateBundle(text, graph, request.proof, request.mutants, control);
        bar.clear();
        if (!mutation) return Reporter(streams).fail(path, mutation.error());
        subject.mutation = mutationJson(mutation.value(), "artefact");
        if (options.out != "-") sayMutation(path, mutation.value(), streams);
        survived = !mutation.value().survivors.empty();
    }
    const int status = finishProof(subject, outcome.value(), options, streams);
    return survived && status == kDone ? kInternalError : status;
}

}  // namespace

void addBundleOptions(Arguments& a, BundleTexts& into) {
    a.option("--graph", "GRAPH", into.graph,
             "compare with this graph or sample: of a plan instead of its own, of a bundle folder its source");
    a.option("--machine", "FILE", into.machine, "bundle: figures of the machine that it was made for");
    a.repeated("--bind", "SYM=N", into.binds, "with --graph: fix a free dimension");
    a.repeated("--bind-arg", "K=TENSOR", into.argumentBinds,
               "bundle of one kernel: argument K is this tensor of the graph");
    a.option("--mutate", "plan|artefact", into.mutate,
             "damage copies of the plan's record, or of the bundle's files, and expect each to be found wrong");
    a.option("--mutants", "N", into.mutants, "most damaged copies, default 300");
}

bool isExportFolder(const std::string& path) {
    std::error_code ignored;
    return fs::exists(fs::path(path) / "output_code.py", ignored) ||
           fs::exists(fs::path(path) / "bundle.mlir", ignored);
}

bool isSelfContained(const std::string& path) {
    return !selfContained(path).empty();
}

Result<BundleSubject> exportedBundle(const std::string& path, const BundleTexts& texts) {
    auto machine = machineFrom(texts.machine, kTargetFolder);
    if (!machine) return machine.error();
    return BundleSubject{path, std::move(machine).value()};
}

int verifyBundle(const BundleSubject& subject, const BundleTexts& texts, const ProofOptions& options,
                 const Streams& streams) {
    const Reporter reporter(streams);
    const auto request = requestFrom(texts, options);
    if (!request) return reporter.fail("command line", request.error());
    const std::string& path = subject.path;
    const fs::path own = selfContained(path);
    const std::string graph = !texts.graph.empty() ? texts.graph : own.empty() ? "" : (own / kGraphFile).string();
    if (graph.empty()) {
        sim::Outcome unknown;
        unknown.skipped.emplace_back("a bundle does not hold its graph: name it with --graph");
        return finishProof({path, "", {}, {}, {}, {}}, unknown, options, streams);
    }
    const auto opened = open(graph, openOptions(Settings(), request.value().bindings), Wanted::Program, streams);
    if (!opened) return reporter.fail(graph, opened.error());
    if (!opened.value().graph) {
        const std::string format(opened.value().input.format);
        return reporter.fail(graph, makeError("CLI-001", "--graph", "this file holds no graph but \"" + format + "\"",
                                              "name the input that the bundle was made of"));
    }
    if (!own.empty() && !texts.graph.empty()) {
        const auto beside = open((own / kGraphFile).string(), openOptions(Settings()), Wanted::Program, streams);
        if (!beside) return reporter.fail(path, beside.error());
        const auto same =
            beside.value().graph ? checkGraph(*beside.value().graph, *opened.value().graph, "bundle") : Result<void>();
        if (!same) return reporter.fail(graph, same.error());
    }
    const auto text =
        readBundle(own.empty() ? fs::path(path) : own / kTargetFolder, io::Limits::from(Settings()).jsonBytes);
    if (!text) return reporter.fail(path, text.error());
    Request onMachine = request.value();
    onMachine.proof.lxBytes = spyreMachine(subject.machine).lxBytesPerCore;
    return prove(path, text.value(), *opened.value().graph, onMachine, options, streams);
}

}  // namespace memplan::cli
