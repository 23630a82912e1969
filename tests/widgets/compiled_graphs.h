// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs of torchwright compiled for tests of what the window shows of them.
#pragma once

#include "engine/io/input.h"
#include "engine/target/compile.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan::fixture {

struct CompiledGraph {
    CompileRequest request;
    PlanPtr plan;  ///< null where the compile failed
};

inline CompiledGraph compiledGraph(const char* graph, const std::vector<std::pair<std::string, std::string>>& settings,
                                   std::vector<Hint> hints = {}) {
    const std::string path = std::string(MEMPLAN_TEST_DATA "/torchwright/") + graph + ".graph.json";
    auto opened = io::openInput(path, {}, RunControl{});
    if (!opened) qFatal("%s", opened.error().primary().message.c_str());
    io::OpenedInput& input = opened.value();
    input.graph = graphOf(*input.program, input.input.name);
    CompiledGraph made;
    made.request =
        requestFor(input.graph, input.program, input.input, Settings::fromPairs(settings).value(), std::move(hints));
    made.plan = compile(made.request, RunControl{}).plan;
    return made;
}

/// The graph of torchwright.md 14 with a plateau and 24 parallel chains.
inline CompiledGraph compiledBasin(std::vector<Hint> hints = {}) {
    return compiledGraph("basin24_k0", {{"torchwright.d", "768"}, {"torchwright.d_hidden", "256"}}, std::move(hints));
}

inline const CompiledGraph& basin() {
    static const CompiledGraph kBasin = compiledBasin();
    return kBasin;
}

}  // namespace memplan::fixture
