// SPDX-License-Identifier: Apache-2.0
// The numeric probe over a whole compile (torchwright.md 10): the graph is evaluated, the exported files are read back
// by code of their own and executed, and each node is compared. A second run starts with garbage in the free columns:
// a transformer that cleans what it writes does not notice.
#pragma once

#include "engine/base/run_control.h"
#include "engine/torchwright/eval/inputs.h"
#include "engine/torchwright/export/bundle.h"
#include "engine/verify/torchwright/transformer/probe.h"

namespace memplan::torchwright {

struct ProbeRequest {
    GraphInputs inputs;
    double tolerance = 1e-3;  ///< `torchwright.verify_tolerance`
};

struct NumericProbe {
    verify::transformer::ProbeReport report;          ///< free columns zero at the start
    verify::transformer::ProbeReport garbage;         ///< free columns 7.25; empty where the compile may assume zeros
    std::vector<verify::transformer::Table> outputs;  ///< of the transformer, output first, extra outputs after it
    std::vector<Diagnostic> findings;                 ///< TW-018 for each run that diverges

    [[nodiscard]] bool passes() const { return findings.empty(); }
};

/// Files of an export against the graph that it was made of. Errors: those of reading the files, of the evaluation and
/// of the inputs; CANCELLED.
[[nodiscard]] Result<NumericProbe> probeFiles(const NodeGraph& graph, const verify::transformer::FileSource& files,
                                              const ProbeRequest& request, const RunControl& control = {});
/// The same of an export that was read.
[[nodiscard]] Result<NumericProbe> probeBundle(const NodeGraph& graph, const verify::transformer::Bundle& bundle,
                                               const ProbeRequest& request, const RunControl& control = {});
/// The same with the export that the schedule would give.
[[nodiscard]] Result<NumericProbe> probe(const NodeGraph& graph, const Schedule& schedule, const ProbeRequest& request,
                                         const RunControl& control = {});

/// The files of an export as a source.
[[nodiscard]] verify::transformer::FileSource sourceOf(std::vector<BundleFile> files);

}  // namespace memplan::torchwright
