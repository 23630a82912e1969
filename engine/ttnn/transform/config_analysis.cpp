// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/transform/config_analysis.h"

namespace memplan::ttnn {

const OpConfig* defaultConfig(const Function& function, const OpSpace& space, OperationId op) {
    if (space.configs.empty()) return nullptr;
    const ValueId result = function.resultOf(op);
    if (!result.isValid() || !function.typeOf(result).layout) return &space.configs.front();
    const PageLayout page = function.typeOf(result).layout->page;
    for (const OpConfig& config : space.configs)
        if (config.output && config.output->page == page) return &config;
    return &space.configs.front();
}

void completeConfigs(const Function& function, const SearchSpace& space, Solution& solution) {
    solution.configs.resize(function.operations.size());
    for (std::size_t i = 0; i < function.operations.size() && i < space.ops.size(); ++i) {
        if (solution.configs[i]) continue;
        if (const OpConfig* config = defaultConfig(function, space.ops[i], OperationId::of(i)))
            solution.configs[i] = *config;
    }
}

}  // namespace memplan::ttnn
