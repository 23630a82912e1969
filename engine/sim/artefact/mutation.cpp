// SPDX-License-Identifier: Apache-2.0
// The self-test of A13 on the text of a bundle.
#include "sim/artefact/kernel_run.h"
#include "sim/artefact/mutants.h"
#include "sim/artefact/products.h"
#include "sim/artefact/proof_run.h"

#include <algorithm>

namespace memplan::sim::artefact {
namespace {

using std::string;

constexpr const char* kSameAddresses = "all reached addresses equal";
constexpr const char* kCommutative = "operands of a commutative function";
constexpr const char* kOtherCores = "the same pieces on other cores, all in main memory";

/// Rule by which a changed bundle does what the first one does; empty = none.
string equivalence(const Mutant& m, const LoadedBundle& before, const LoadedBundle& after, const Binding& binding) {
    if (traceOf(before, binding.calls, false) == traceOf(after, binding.calls, false)) return kSameAddresses;
    if (m.family == "slices" && traceOf(before, binding.calls, true) == traceOf(after, binding.calls, true))
        return kOtherCores;
    if (m.family != "operands" || m.what.find("exchanged") == string::npos) return "";
    for (const auto& [name, kernel] : after.kernels) {
        for (const auto& [path, file] : kernel->files) {
            const string full = name.empty() ? path : name + "/" + path;
            if (full == m.file && isCommutative(file->ready.function)) return kCommutative;
        }
    }
    return "";
}

}  // namespace

Result<MutationReport> mutateBundle(const BundleText& text, const Graph& graph, const ProofOptions& options,
                                    std::int64_t most, const RunControl& control) {
    auto base = loadBundle(text);
    if (!base) return base.error();
    const Graph whole = withProducts(graph, base.value());
    auto binding = bindArguments(base.value(), whole, options.arguments);
    if (!binding) return binding.error();
    Oracle oracle(whole, options.sim);
    if (auto ok = oracle.prepare(binding.value(), base.value(), control); !ok) return ok.error();
    ProofOptions quiet = options;
    quiet.sim.explain = false;
    MutationReport report;
    const std::vector<Mutant> mutants = mutantsOf(text, base.value(), options.sim.seed, most);
    for (const Mutant& m : mutants) {
        if (control.cancelled()) return makeError(kCancelledCode, "", "cancelled");
        if (control.timedOut()) break;
        control.progress("change the files", static_cast<double>(report.made), static_cast<double>(mutants.size()));
        MutationCount& family = report.families[m.family];
        ++report.made;
        ++family.made;
        BundleText changed = text;
        changed[m.file] = m.text;
        const auto loaded = reloadBundle(base.value(), changed, m.file);
        if (!loaded) {
            ++report.caught;
            ++family.caught;
            continue;
        }
        if (const string rule = equivalence(m, base.value(), loaded.value(), binding.value()); !rule.empty()) {
            ++report.equivalent;
            ++family.equivalent;
            ++report.equivalentByRule[rule];
            continue;
        }
        const auto verdict = runBundle(loaded.value(), binding.value(), oracle, quiet, control);
        if (!verdict && verdict.error().primary().code == kCancelledCode) return verdict.error();
        if (!verdict || verdict.value().kind == VerdictKind::Wrong) {
            ++report.caught;
            ++family.caught;
        } else {
            report.survivors.push_back(m.file + " " + m.family + ": " + m.what);
        }
    }
    return report;
}

}  // namespace memplan::sim::artefact
