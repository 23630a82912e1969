// SPDX-License-Identifier: Apache-2.0
// Operations of the original's library with their weights (torchwright.md 15), and advice about small graphs.
#pragma once

#include "engine/torchwright/advice/advise.h"
#include "engine/torchwright/scheduler/scheduler.h"
#include "tests/engine/torchwright/node_sketch.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memplan::test {

using Matrix = std::vector<std::vector<float>>;

/// A sketch of which every Linear has weights.
class OpSketch : public NodeSketch {
public:
    using Id = torchwright::NodeId;

    Id inputIn(torchwright::Columns width, double low, double high);
    Id affine(Id x, const Matrix& rows, const std::vector<float>& bias = {});
    Id scale(Id x, float factor);
    /// Linear, ReLU, Linear.
    Id lrl(Id x, const Matrix& in, const std::vector<float>& inBias, const Matrix& out,
           const std::vector<float>& outBias = {});
    Id compare(Id x, float threshold, float high = 1, float low = -1);
    Id boolNot(Id x) { return compare(x, 0, -1, 1); }
    Id sum(const std::vector<Id>& scalars);
    Id allTrue(const std::vector<Id>& booleans);
    Id anyTrue(const std::vector<Id>& booleans);
    Id select(Id condition, Id whenTrue, Id whenFalse);
    /// x * x at whole numbers up to `most`, after an abs where deep.
    Id square(Id x, int most, bool isDeep);
    /// a read whose query, key and value matrices are filled with these factors.
    Id read(Id query, Id key, Id value, float queryFactor = 1, float valueFactor = 1);

    [[nodiscard]] torchwright::NodeGraph graph(Id output, std::vector<Id> extraOutputs = {}) const;
};

/// A graph with its schedule, asked for advice.
struct Advised {
    std::shared_ptr<const torchwright::NodeGraph> graph;
    torchwright::Schedule schedule;
    torchwright::AdviceReport report;

    [[nodiscard]] std::vector<const torchwright::Finding*> all(int code) const;
    [[nodiscard]] bool has(int code) const { return !all(code).empty(); }
    /// The first of its code; the test fails where there is none.
    [[nodiscard]] torchwright::Finding first(int code) const;
    /// A number among the facts of what a finding says; -1 for none.
    [[nodiscard]] static std::int64_t number(const Statement& statement, std::size_t place);
    [[nodiscard]] std::string text(int code) const;  ///< what the first of its code says
};

struct AdviceSetting {
    torchwright::ScheduleOptions options = optionsOf(256, 256, torchwright::LocalRouting::Never);
    int trials = 0;
    bool isFusing = false;
    std::vector<torchwright::ConcurrencyScope> scopes;
};
[[nodiscard]] Advised advised(torchwright::NodeGraph graph, const AdviceSetting& setting = {});

}  // namespace memplan::test
