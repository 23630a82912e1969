// SPDX-License-Identifier: Apache-2.0
// A finished compile as advice looks at it (ttnn-optimizer 15.3): what was planned, with what, and what came of it.
#pragma once

#include "engine/graph/graph.h"
#include "engine/ttnn/advice/advice.h"
#include "engine/ttnn/chains/flow.h"
#include "engine/ttnn/measure/measure.h"
#include "engine/ttnn/solution/solution.h"
#include "engine/ttnn/solution/transformed.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::ttnn {

struct Situation {
    const PolicyInput& input;  ///< function before the transformation, search space, model, options
    const Solution& solution;
    const Transformed& transformed;
    const Measures& measures;
    std::vector<std::string> names;    ///< by OperationId of the transformed function
    std::vector<std::string> hintIds;  ///< by OperationId of the input: what a hint names it by; may be empty
    std::span<const Hint> hints;       ///< of the request
    std::string layoutOverrides;       ///< text of the setting
};

/// Answers about the situation that several findings need. Operations are those of the input unless said.
class Facts {
public:
    explicit Facts(const Situation& situation);

    const Situation& s;
    const Function& function;
    Flow flow;
    const ChainRecord& record;

    [[nodiscard]] const std::string& name(OperationId op) const { return s.names[op.at()]; }
    [[nodiscard]] const Operation& operation(OperationId op) const { return function.operation(op); }
    [[nodiscard]] OpId inPlan(OperationId op) const { return inPlan_[op.at()]; }
    /// In the schedule, which knows no conversions; -1 where it is not scheduled.
    [[nodiscard]] Step position(OperationId op) const { return position_[op.at()]; }
    /// Layout of its first result in the plan; null without one.
    [[nodiscard]] const Layout* layout(OperationId op) const;
    /// Layout in which it reads an operand slot in the plan; null without one.
    [[nodiscard]] const Layout* read(OperationId op, int operand) const;
    /// Layouts of its tensor operands in the plan; nothing where one has none.
    [[nodiscard]] std::optional<std::vector<Layout>> inputs(OperationId op) const;
    /// What it runs with in the plan, its layout included.
    [[nodiscard]] OpConfig config(OperationId op) const;
    [[nodiscard]] const OpMeasure* measured(OperationId op) const { return measures_[op.at()]; }
    [[nodiscard]] const OpSpace* space(OperationId op) const;
    /// Chain of an operation; null for none.
    [[nodiscard]] const ChainInfo* chainOf(OperationId op) const;
    [[nodiscard]] int chainIndex(OperationId op) const;
    [[nodiscard]] std::int64_t workers() const { return s.input.model.device().workers.volume(); }
    /// Whole tensor in DRAM, padding included.
    [[nodiscard]] Bytes wholeBytes(ValueId value) const;
    /// Runs with these layouts and gives the configuration's own, with nothing else in L1.
    [[nodiscard]] bool runs(OperationId op, std::span<const Layout> inputs, const OpConfig& config) const;

    // ---- proposals

    [[nodiscard]] bool canHint(OperationId op) const { return !s.hintIds[op.at()].empty(); }
    [[nodiscard]] Hint hint(OperationId op, std::string_view key, HintValue value) const;
    /// `output_layout` with that layout whole, or with a memory layout only.
    [[nodiscard]] Hint layoutHint(OperationId op, const Layout& layout) const;
    [[nodiscard]] Hint memLayoutHint(OperationId op, MemLayout mem) const;

    /// What makes findings alike: kinds and shapes of these operations.
    [[nodiscard]] std::string likeness(std::span<const OperationId> ops) const;

private:
    std::vector<OpId> inPlan_;
    std::vector<Step> position_;
    std::vector<const OpMeasure*> measures_;
};

/// A finding with what it is grouped by.
struct RawFinding {
    Finding finding;
    std::string likeness;
};
using RawFindings = std::vector<RawFinding>;

/// A change with that text.
[[nodiscard]] Proposal settingProposal(std::string text, std::string_view key, std::string value);
[[nodiscard]] Proposal hintProposal(std::string text, std::vector<Hint> hints);
[[nodiscard]] HintValue wordValue(std::string_view word);
/// `output_layout` with a whole layout, for the operation with that id.
[[nodiscard]] Hint layoutHintFor(const std::string& id, const Layout& layout);
/// "height_sharded 64x1", "l1 interleaved"
[[nodiscard]] std::string shortWords(const Layout& layout);

}  // namespace memplan::ttnn
