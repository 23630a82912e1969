// SPDX-License-Identifier: Apache-2.0
// The solver's questions, asked of the OpModel (ttnn-optimizer 5.2 to 5.5): with nothing else in L1, and with the
// layouts of the module for all operands but the one of the edge.
#pragma once

#include "engine/ttnn/chains/flow.h"
#include "engine/ttnn/model/op_model.h"
#include "engine/ttnn/options/options.h"
#include "engine/ttnn/search/search_space.h"
#include "engine/ttnn/solver/shard_solver.h"
#include "engine/ttnn/solver/test_configs.h"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace memplan::ttnn {

struct SolverContext {
    const Flow& flow;
    const SearchSpace& space;
    LayoutTable& layouts;
    OpModel& model;
    const Options& options;
};

/// Messages with their counts, most frequent first.
using Refusals = std::vector<std::pair<std::string, std::int64_t>>;

class ChainChecks final : public ShardChecks {
public:
    ChainChecks(const SolverContext& context, const SolverProblem& problem);

    ConfigSet entryConfigs() override;
    std::vector<ConfigPath> paths(int edge, const ConfigSet& producers) override;
    ReshardTable reshards(int edge) override;

    /// Candidates of reshards(edge) by their numbers.
    [[nodiscard]] std::vector<Layout> candidates(int edge, const std::vector<int>& numbers);
    /// What the model has said no to on an edge; the rarest messages as one sum.
    [[nodiscard]] Refusals refusals(int edge) const;

private:
    struct End;  // the consumer of an edge
    [[nodiscard]] End endOf(int edge);
    [[nodiscard]] const std::vector<TestConfig>& testsOf(OperationId op);
    [[nodiscard]] const std::vector<OpConfig>& configsOf(OperationId op) const;
    [[nodiscard]] std::vector<const Layout*> allCandidates(const End& end);
    [[nodiscard]] Layout entryLayout(const TensorOperand& operand) const;
    /// The configuration that the test leads to; -1, noted, where it fails or leads to none.
    [[nodiscard]] int check(const End& end, const TestConfig& test, Layout& actual);
    void refuse(int edge, std::string message);

    const SolverContext& context_;
    const SolverProblem& problem_;
    std::unordered_map<int, std::vector<TestConfig>> tests_;  ///< by operation
    std::vector<std::unordered_map<std::string, std::int64_t>> refusals_;
};

}  // namespace memplan::ttnn
