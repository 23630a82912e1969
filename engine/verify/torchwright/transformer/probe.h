// SPDX-License-Identifier: Apache-2.0
// Numeric probe (torchwright.md 10): an executed transformer against what the graph computes, node by node. A node is
// compared after the first and after the last layer in which columns hold it.
#pragma once

#include "engine/verify/torchwright/transformer/run.h"

namespace memplan::verify::transformer {

/// What the graph computes for a node.
struct Expectation {
    std::int64_t node = 0;
    Table values;
};

struct Spread {
    double least = 0, most = 0, mean = 0;
};

/// Columns and graph at the place of the largest difference.
struct Comparison {
    std::int64_t node = 0;
    int layer = 0;   ///< after which the columns were compared, the worse of the two
    std::string op;  ///< that computes it
    ColumnList columns;
    double maxError = 0;  ///< not a number counts as infinite
    std::size_t position = 0, component = 0;
    double expected = 0, got = 0;
    Spread expectedSpread, gotSpread;
};

struct Skipped {
    std::int64_t node = 0;
    std::string reason;
};

struct OutputComparison {
    std::int64_t node = 0;
    double maxError = 0;
    std::size_t position = 0, component = 0;
    double expected = 0, got = 0;
};

struct ProbeReport {
    double tolerance = 0;
    std::vector<Comparison> compared;  ///< in the order of the expectations
    std::vector<Skipped> skipped;
    std::vector<OutputComparison> outputs;

    /// The first node above the tolerance; null when none is.
    [[nodiscard]] const Comparison* firstDivergence() const;
    /// The largest differences, largest first, at most `count`.
    [[nodiscard]] std::vector<Comparison> worst(std::size_t count = 10) const;
    [[nodiscard]] double maxError() const;  ///< over nodes and outputs
    [[nodiscard]] bool passes() const;
};

/// `expected`: in topological order, every node of the graph.
[[nodiscard]] ProbeReport compareRun(const Bundle& bundle, const Run& run, const std::vector<Expectation>& expected,
                                     double tolerance);

/// TW-018, empty when the report passes: the first divergence with layer, operation, node, columns and values.
/// `setup` says how the run was set up; may be empty.
[[nodiscard]] std::vector<Diagnostic> probeFindings(const Bundle& bundle, const ProbeReport& report,
                                                    const std::string& setup);

}  // namespace memplan::verify::transformer
