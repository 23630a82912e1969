// SPDX-License-Identifier: Apache-2.0
// What the passes of a TTNN compile hand on (pipeline.md 2).
#pragma once

#include "engine/pipeline/request.h"
#include "engine/ttnn/advice/advice.h"
#include "engine/ttnn/lower/to_graph.h"
#include "engine/ttnn/measure/measure.h"
#include "engine/ttnn/model/op_model.h"
#include "engine/ttnn/module/module.h"
#include "engine/ttnn/options/options.h"
#include "engine/ttnn/search/search_space.h"
#include "engine/ttnn/sharding/df_sharding.h"
#include "engine/ttnn/solution/solution.h"
#include "engine/ttnn/solution/transformed.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace memplan::ttnn {

struct State {
    const CompileRequest* request = nullptr;  ///< that outlives the compile
    Module source;                            ///< as read
    Module module;                            ///< lowered
    std::string mainName;                     ///< of the function that is planned
    std::size_t function = 0;                 ///< its position in the lowered module
    Options options;
    std::map<std::size_t, std::string> refusedHints;  ///< of those in force: position, and what is wrong with the value
    Bytes limit = 0;                                  ///< of a core (1.1)
    double cap = 0.95;                                ///< in force
    std::map<std::string, std::vector<GraphOpId>, std::less<>> graphOps;  ///< by location name
    std::map<std::string, std::string, std::less<>> locations;            ///< location name by id of the graph
    std::vector<std::vector<GraphOpId>> sources;  ///< operations of the input graph, by OperationId

    std::unique_ptr<Device> device;  ///< that tables and model look at
    std::unique_ptr<LayoutTable> layouts;
    std::unique_ptr<OpModel> model;
    std::vector<DataType> scalars;
    SearchSpace space;
    std::vector<Reshard> overrides;
    std::unique_ptr<const PolicyInput> policyInput;  ///< what the steps are given
    std::unique_ptr<DfSharding> sharding;            ///< between the steps 9.1 and 9.7
    std::array<std::int64_t, 3> stepFigures{};       ///< completed chains, reservations and merges so far
    Solution solution;
    bool hasSolution = false;
    bool hasChains = false;
    std::optional<double> lowerBoundNs;
    std::optional<Transformed> transformed;
    std::optional<Measures> measures;
    std::shared_ptr<const Advice> advice;  ///< null where none was asked for

    [[nodiscard]] const Function& input() const { return module.functions[function]; }
    [[nodiscard]] const Function& current() const { return transformed ? transformed->function : input(); }
};

}  // namespace memplan::ttnn
