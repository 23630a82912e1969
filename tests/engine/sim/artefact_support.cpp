// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/sim/artefact_support.h"

#include "engine/target/compile.h"

namespace memplan::test {

sim::Outcome proved(const sim::artefact::BundleText& text, const Graph& graph,
                    const sim::artefact::ProofOptions& options) {
    auto outcome = sim::artefact::proveBundle(text, graph, options, RunControl{});
    if (outcome) return std::move(outcome).value();
    sim::Outcome failed;
    failed.skipped.push_back(outcome.error().primary().code + " " + outcome.error().primary().message);
    return failed;
}

QString said(const sim::Outcome& v) {
    QString out = QString::fromStdString(v.sentence());
    for (const sim::Fault& f : v.faults)
        out += QString::fromStdString("; " + f.code + " " + f.op + ": " + f.message);
    for (const std::string& s : v.skipped)
        out += QString::fromStdString("; " + s);
    return out;
}

sim::artefact::BundleText filesOf(const Plan& plan) {
    Diagnostics notes;
    const auto files = planArtefacts(plan, notes);
    return files ? sim::artefact::BundleText(files.value().begin(), files.value().end()) : sim::artefact::BundleText();
}

sim::artefact::BundleText exported(const Graph& graph, const Pairs& settings) {
    const PlanPtr plan = planOf(graph, settings);
    return plan ? filesOf(*plan) : sim::artefact::BundleText();
}

QString codeOf(const sim::Outcome& v) {
    return v.faults.empty() ? QString() : QString::fromStdString(v.faults.front().code);
}

}  // namespace memplan::test
