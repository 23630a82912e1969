// SPDX-License-Identifier: Apache-2.0
// The self-test of A13 on the text of a bundle.
#include "engine/base/text.h"
#include "engine/verify/spyre/artefact/bundle/entry_check.h"
#include "engine/verify/spyre/artefact/kernel_run.h"
#include "engine/verify/spyre/artefact/mutation/mutants.h"
#include "engine/verify/spyre/artefact/products.h"
#include "engine/verify/spyre/artefact/proof_run.h"
#include "engine/verify/spyre/artefact/value_trace.h"

#include <algorithm>

namespace memplan::sim::artefact {
namespace {

using std::string;

constexpr const char* kSameAddresses = "all reached addresses equal";
constexpr const char* kCommutative = "operands of a commutative function";
constexpr const char* kOtherCores = "the same pieces on other cores, all in main memory";
constexpr const char* kSameSource = "the source says the same";
constexpr const char* kSameValues = "the same operations on the same values";
constexpr const char* kOpenStrides = "the source leaves the host strides open";
constexpr const char* kNothingMoves = "tiled symbols of an operation whose tensors stay where they are";
constexpr const char* kOpenLevels = "a loop whose symbols its operations list";
constexpr const char* kOnePosition = "a host stride of a dimension of one position";
constexpr const char* kOutermost = "more room behind the outermost dimension that moves";
constexpr const char* kTileStrides = "host strides of one tile, which no address follows";
constexpr const char* kLargerPool = "a pool that is larger than what is used of it";
constexpr const char* kWholeSticks = "an extent that is raised to the same whole sticks";

/// Why other host strides of a tensor change nothing; null where they are the same, or may.
const char* strideExcuse(const EntryTensor& before, const EntryTensor& after, bool isInLoop) {
    if (before.strideMap == after.strideMap) return nullptr;
    if (after.strideMap.empty()) return kOpenStrides;
    if (isInLoop) return kTileStrides;
    for (std::size_t d = 0; d < after.strideMap.size() && d < before.strideMap.size(); ++d) {
        if (before.strideMap[d] != after.strideMap[d] && after.size[d] != 1) return nullptr;
    }
    return kOnePosition;
}

/// Only sizes of dimensions have grown outside of which nothing moves.
bool hasMoreRoom(const EntryTensor& before, const EntryTensor& after) {
    bool isOutermost = true;
    bool hasGrown = false;
    for (std::size_t d = 0; d < after.size.size() && d < before.size.size(); ++d) {
        if (after.size[d] != before.size[d] && (!isOutermost || after.size[d] < before.size[d])) return false;
        hasGrown = hasGrown || after.size[d] != before.size[d];
        isOutermost = isOutermost && text::parseInt(after.coordinates[d]).has_value();
    }
    return hasGrown;
}

/// Entries that say the same but for what `rule` excuses; the first rule that applies is kept.
bool isExcused(const std::vector<OpEntry>& before, std::vector<OpEntry> after, bool isInLoop, string& rule) {
    const auto excuse = [&rule](const char* by) { rule = rule.empty() ? by : rule; };
    for (std::size_t i = 0; i < after.size() && i < before.size(); ++i) {
        OpEntry& e = after[i];
        if (isExcused(before[i].body, e.body, true, rule)) e.body = before[i].body;
        for (std::size_t t = 0; t < e.tensors.size() && t < before[i].tensors.size(); ++t) {
            if (hasMoreRoom(before[i].tensors[t], e.tensors[t])) {
                excuse(kOutermost);
                e.tensors[t].size = before[i].tensors[t].size;
            }
            const char* by = strideExcuse(before[i].tensors[t], e.tensors[t], isInLoop);
            if (by == nullptr) continue;
            excuse(by);
            e.tensors[t].strideMap = before[i].tensors[t].strideMap;
        }
        const bool isFixed =
            std::all_of(e.tensors.begin(), e.tensors.end(), [](const EntryTensor& t) { return t.isFixed; });
        const bool isExcusedList = e.isLoop ? e.tiled.empty() : isFixed;
        if (isExcusedList && e.tiled != before[i].tiled) {
            excuse(e.isLoop ? kOpenLevels : kNothingMoves);
            e.tiled = before[i].tiled;
        }
        // The check against the file lets an extent pass that its file has raised, and no other one.
        for (std::size_t l = 0; l < e.loops.size() && l < before[i].loops.size(); ++l) {
            if (e.loops[l].extent == before[i].loops[l].extent) continue;
            excuse(kWholeSticks);
            e.loops[l].extent = before[i].loops[l].extent;
        }
    }
    return before == after;
}

/// Rule by which a source that passes the check against the files says the same of them; empty = none.
string excuseOf(const WrapperCode& before, const WrapperCode& after) {
    string rule;
    if (before.calls != after.calls || before.hostCalls != after.hostCalls || before.outputs != after.outputs ||
        before.kernels.size() != after.kernels.size())
        return "";
    for (const auto& [name, kernel] : before.kernels) {
        const auto it = after.kernels.find(name);
        if (it == after.kernels.end() || it->second.poolBytes < kernel.poolBytes) return "";
        if (it->second.poolBytes > kernel.poolBytes) rule = kLargerPool;
        if (!isExcused(kernel.entries, it->second.entries, false, rule)) return "";
    }
    return rule;
}

/// Rule by which a changed file of a kernel does what the first one does; empty = none.
string equivalence(const Mutant& m, const LoadedBundle& before, const LoadedBundle& after, const Binding& binding) {
    if (traceOf(before, binding.calls, false) == traceOf(after, binding.calls, false)) return kSameAddresses;
    if (m.family == "slices" && traceOf(before, binding.calls, true) == traceOf(after, binding.calls, true))
        return kOtherCores;
    if (!m.swapsOperands) return "";
    for (const auto& [name, kernel] : after.kernels) {
        for (const auto& [path, file] : kernel->files) {
            const string full = name.empty() ? path : name + "/" + path;
            if (full == m.file && isCommutative(file->ready.function)) return kCommutative;
        }
    }
    return "";
}

class Mutation {
public:
    Mutation(const BundleText& text, const Graph& graph, const ProofOptions& options, const RunControl& control)
        : text_(text), graph_(graph), options_(options), control_(control), changed_(text) {
        options_.sim.explain = false;
    }

    Result<MutationReport> run(std::int64_t most) {
        auto base = loadBundle(text_);
        if (!base) return base.error();
        base_ = std::move(base).value();
        whole_ = withProducts(graph_, base_);
        auto binding = bindArguments(base_, whole_, options_.arguments);
        if (!binding) return binding.error();
        binding_ = std::move(binding).value();
        Oracle oracle(whole_, options_.sim);
        if (auto ok = oracle.prepare(binding_, base_, control_); !ok) return ok.error();
        if (base_.hasWrapper) {
            auto outcome = runBundle(base_, binding_, oracle, options_, control_);
            if (!outcome) return outcome.error();
            skipped_ = outcome.value().skipped;
            outputs_ = namedOutputs(base_, binding_, whole_);
        }
        const std::vector<Mutant> mutants = mutantsOf(text_, base_, options_.sim.seed, most);
        for (const Mutant& m : mutants) {
            if (control_.cancelled()) return makeError(kCancelledCode, "", "cancelled");
            if (control_.timedOut()) break;
            control_.progress("change the files", static_cast<double>(report_.made),
                              static_cast<double>(mutants.size()));
            auto result = tried(m, oracle);
            if (!result) return result.error();
            count(m, result.value());
        }
        return std::move(report_);
    }

private:
    /// What became of a change: caught, equivalent by a rule, or neither.
    struct MutantResult {
        bool isCaught = false;
        string rule;
    };

    const BundleText& text_;
    const Graph& graph_;
    ProofOptions options_;
    const RunControl& control_;
    BundleText changed_;
    LoadedBundle base_;
    Graph whole_;
    Binding binding_;
    std::vector<string> skipped_;  ///< of the run of the unchanged bundle
    std::uint64_t outputs_ = 0;
    MutationReport report_;

    void count(const Mutant& m, const MutantResult& result) {
        for (MutationCount* n : {static_cast<MutationCount*>(&report_), &report_.families[m.family]}) {
            ++n->made;
            n->caught += result.isCaught ? 1 : 0;
            n->equivalent += result.rule.empty() ? 0 : 1;
        }
        if (!result.rule.empty()) ++report_.equivalentByRule[result.rule];
        if (!result.isCaught && result.rule.empty())
            report_.survivors.push_back(m.file + " " + m.family + ": " + m.what);
    }

    Result<MutantResult> tried(const Mutant& m, Oracle& oracle) {
        changed_[m.file] = m.text;
        const auto loaded = reloadBundle(base_, changed_, m.file);
        changed_[m.file] = text_.at(m.file);
        if (!loaded) return MutantResult{true, ""};
        if (m.file == kWrapperFile) return triedWrapper(loaded.value());
        if (string rule = equivalence(m, base_, loaded.value(), binding_); !rule.empty())
            return MutantResult{false, std::move(rule)};
        const auto outcome = runBundle(loaded.value(), binding_, oracle, options_, control_);
        if (isCancelled(outcome)) return outcome.error();
        return MutantResult{!outcome || outcome.value().kind == OutcomeKind::Wrong, ""};
    }

    static bool isCancelled(const Result<Outcome>& outcome) {
        return !outcome && outcome.error().primary().code == kCancelledCode;
    }

    /// Another source: other names, calls, or descriptions of operations.
    Result<MutantResult> triedWrapper(const LoadedBundle& loaded) {
        if (base_.wrapper == loaded.wrapper) return MutantResult{false, kSameSource};
        const Graph whole = withProducts(graph_, loaded);
        const auto binding = bindArguments(loaded, whole, options_.arguments);
        if (!binding || checkEntries(loaded)) return MutantResult{true, ""};
        if (base_.wrapper.kernels == loaded.wrapper.kernels && namedOutputs(loaded, binding.value(), whole) == outputs_)
            return MutantResult{false, kSameValues};
        Oracle oracle(whole, options_.sim);
        if (auto ok = oracle.prepare(binding.value(), loaded, control_); !ok) return MutantResult{true, ""};
        const auto outcome = runBundle(loaded, binding.value(), oracle, options_, control_);
        if (isCancelled(outcome)) return outcome.error();
        // Not proved for a reason that the unchanged bundle does not give: refused.
        const bool isCaught =
            !outcome || outcome.value().kind == OutcomeKind::Wrong || outcome.value().skipped != skipped_;
        return MutantResult{isCaught, isCaught ? "" : excuseOf(base_.wrapper, loaded.wrapper)};
    }
};

}  // namespace

Result<MutationReport> mutateBundle(const BundleText& text, const Graph& graph, const ProofOptions& options,
                                    std::int64_t most, const RunControl& control) {
    return Mutation(text, graph, options, control).run(most);
}

}  // namespace memplan::sim::artefact
