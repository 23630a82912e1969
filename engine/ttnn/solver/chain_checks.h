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
    /// What it has said of each pair of an edge, and of conversions on it.
    [[nodiscard]] PairAnswers takeAnswers(int edge) { return std::move(answersOf(edge)); }

private:
    struct End;  // the consumer of an edge
    [[nodiscard]] End endOf(int edge);
    [[nodiscard]] const std::vector<TestConfig>& testsOf(OperationId op);
    [[nodiscard]] const std::vector<OpConfig>& configsOf(OperationId op) const;
    [[nodiscard]] std::vector<const Layout*> allCandidates(const End& end);
    [[nodiscard]] Layout entryLayout(const TensorOperand& operand) const;
    struct Answer {
        int config = -1;  ///< that the test leads to; -1 for none
        PairAnswer said = PairAnswer::Refused;
        Bytes need = 0, limit = 0;  ///< where memory is short
    };
    /// A refusal is counted. `actual` is the layout of the last result that fitted.
    [[nodiscard]] Answer check(const End& end, const TestConfig& test, Layout& actual);
    static void note(PairAnswers& answers, int producer, const TestConfig& test, const Answer& answer);
    void noteShortage(const End& end, int producer, const TestConfig& test, const Answer& answer);
    [[nodiscard]] PairAnswers& answersOf(int edge) { return answers_[static_cast<std::size_t>(edge + 1)]; }
    void refuse(int edge, std::string message);

    const SolverContext& context_;
    const SolverProblem& problem_;
    std::unordered_map<int, std::vector<TestConfig>> tests_;  ///< by operation
    std::vector<std::unordered_map<std::string, std::int64_t>> refusals_;
    std::vector<PairAnswers> answers_;  ///< by edge, the entry first
};

}  // namespace memplan::ttnn
