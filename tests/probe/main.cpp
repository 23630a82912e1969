// SPDX-License-Identifier: Apache-2.0
// engine_probe: answers recorded questions so that anyone can compare the engine with the original systems
// (command-line.md, "The conformance probe"). One JSON line out for each line in, same order, exit status 0.
#include "tests/probe/bundle_kinds.h"
#include "tests/probe/cost_kinds.h"
#include "tests/probe/layout_solve.h"
#include "tests/probe/onnx_import.h"
#include "tests/probe/registry.h"
#include "tests/probe/tiling_kinds.h"
#include "tests/probe/torchwright_kinds.h"
#include "tests/probe/ttnn_chain_kinds.h"
#include "tests/probe/ttnn_layout_kinds.h"
#include "tests/probe/ttnn_model_kinds.h"
#include "tests/probe/ttnn_pipeline_kinds.h"
#include "tests/probe/work_division_kinds.h"

#include <iostream>
#include <string>

int main() {
    std::ios::sync_with_stdio(false);
    memplan::probe::Registry registry;
    memplan::probe::registerLayoutSolve(registry);
    memplan::probe::registerOnnxImport(registry);
    memplan::probe::registerWorkDivision(registry);
    memplan::probe::registerCost(registry);
    memplan::probe::registerJoint(registry);
    memplan::probe::registerBundle(registry);
    memplan::probe::registerTiling(registry);
    memplan::probe::registerTtnnLayouts(registry);
    memplan::probe::registerTtnnChains(registry);
    memplan::probe::registerTtnnModel(registry);
    memplan::probe::registerTtnnPipeline(registry);
    memplan::probe::registerTorchwright(registry);

    std::string line;
    while (std::getline(std::cin, line)) {
        const nlohmann::json answer = registry.answer(line);
        std::cout << answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    }
    return 0;
}
