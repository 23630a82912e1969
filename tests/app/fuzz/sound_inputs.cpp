// SPDX-License-Identifier: Apache-2.0
#include "tests/app/fuzz/sound_inputs.h"

#include "engine/io/graph/graph_json.h"
#include "engine/io/hints/hint_file.h"
#include "engine/io/plan/plan_json.h"
#include "engine/io/workspace/workspace_json.h"
#include "engine/target/compile.h"
#include "tests/support/compile_support.h"
#include "tests/support/hint_support.h"
#include "tests/support/random_graph.h"

namespace memplan::test {

namespace {

Hint hint(std::string scope, std::string key, std::string value) {
    Hint h;
    h.target = "spyre";
    h.scopes = {std::move(scope)};
    h.key = std::move(key);
    h.value = test::hintValue(value);
    return h;
}

/// y = a + b, z = y * c with a loop over the rows and one over the columns.
Graph tiledGraph() {
    GraphBuilder b("tiled");
    const TensorId y = b.pointwise("add", "add", {b.input("a", {64, 256}), b.input("b", {64, 256})});
    b.output(b.pointwise("mul", "mul", {y, b.input("c", {64, 256})}));
    Graph graph = b.build();
    graph.hints = {hint("graph", "dim_sizes", R"({"A": 64, "B": 256})")};
    for (const char* input : {"a", "b", "c"})
        graph.hints.push_back(hint("tensor:" + std::string(input), "dim_names", R"(["A", "B"])"));
    for (const char* value : {R"({"A": 2})", R"({"B": 4})"}) {
        graph.hints.push_back(hint("op:add", "slices", value));
        graph.hints.back().scopes.emplace_back("op:mul");
        graph.hints.back().scopeIsArray = true;
    }
    graph.hints.push_back(hint("tensor:add", "pin", "true"));
    graph.hints.push_back(hint("tensor:mul", "address", "256"));
    graph.hints.push_back(hint("op:mul", "split", R"({"d0": 2})"));
    graph.hints.push_back(hint("op:add", "max_cores", "4"));
    return graph;
}

Graph productGraph() {
    GraphBuilder b("product");
    const TensorId x = b.input("x", {2, 32, 128});
    const TensorId p = b.matmul("product", x, b.parameter("w", {128, 96}));
    const TensorId t = b.transpose("turned", p, {0, 2, 1});
    const TensorId s = b.reduction("sum", "sum", t, {2}, false);
    b.output(b.reshape("flat", s, {192}));
    b.output(p);
    Graph graph = b.build();
    graph.hints = {hint("op:product", "split", R"({"m": 4, "n": 2})"), hint("tensor:product", "keep_off_chip", "true"),
                   hint("graph", "manual_groups", R"([{"ops": ["turned"], "levels": [{"count": 2, "dims": [0]}]}])"),
                   hint("graph", "op_order", R"(["product", "turned", "sum", "flat"])")};
    return graph;
}

void addCompiled(SoundInputs& out, const Graph& graph, const Pairs& settings) {
    CompileRequest request;
    request.graph = std::make_shared<const Graph>(graph);
    request.hints = graph.hints;
    request.settings = Settings::fromPairs(settings).value();
    request.makeArtefacts = true;
    const CompileOutcome outcome = compile(request, {});
    if (!outcome.plan) return;
    out.plans.push_back(io::writePlanJson(*outcome.plan));
    Diagnostics notes;
    auto files = planArtefacts(*outcome.plan, notes);
    if (!files) return;
    for (const auto& [path, text] : files.value()) {
        if (path == "output_code.py") out.wrappers.push_back(text);
    }
    out.bundles.push_back(std::move(files).value());
    out.bundleGraphs.push_back(io::writeGraphJson(graph));
}

std::string workspaceText(const Graph& graph) {
    io::Workspace w;
    w.input = {"graph.json", "/tmp/graph.json", "ab12", "graph", "graph.json", "S1", {{"N", "4"}}};
    w.settings = {{"spyre.cores", "4"}, {"spyre.layout_solver", "firstfit"}};
    w.hints = graph.hints;
    w.notes = {{"op", "add", "first line\nsecond"}};
    w.instance = io::Workspace::Instance{3, 4096, 64};
    w.side = {{"pass.log", "/tmp/pass.log", "cd34"}};
    w.plan = io::Workspace::ShownPlan{"0123456789abcdef", "fedcba9876543210", "one", w.settings, w.hints};
    w.viewJson = R"({"zoom":{"gantt":[0,1.5]}})";
    return io::writeWorkspaceJson(w);
}

constexpr const char* kInstances =
    R"({"name":"a","capacity":4096,"alignment":128,"buffers":[{"name":"x","size":1024,"start":0,"end":3,"in_place_parents":[],"uses":[0,2],"first_use_is_read":true},{"name":"y","size":1024,"start":2,"end":5,"in_place_parents":["x"],"uses":[2,4],"first_use_is_read":false},{"name":"z","size":2048,"start":1,"end":4,"in_place_parents":[],"uses":[1,3],"first_use_is_read":false}]}
{"name":"b","capacity":512,"alignment":128,"buffers":[{"name":"p","size":256,"start":0,"end":9,"in_place_parents":[],"uses":[0,4,8],"first_use_is_read":false},{"name":"q","size":300,"start":3,"end":6,"in_place_parents":[],"uses":[3,5],"first_use_is_read":false}]}
)";

constexpr const char* kList = "id,lower,upper,size,alignment,gaps\n"
                              "x,0,9,1048576,128,2-4\nmax,0,2,1024,128,\nsub,1,3,1048576,128,\n"
                              "exp,2,5,1048576,128,\nsum,3,5,1024,128,\ny,4,5,1048576,128,\n";

}  // namespace

SoundInputs soundInputs() {
    SoundInputs out;
    std::vector<Graph> graphs{tiledGraph(), productGraph(), softmax(64, 128, 1)};
    for (const std::uint64_t seed : {3U, 12U, 27U, 64U, 110U})
        graphs.push_back(randomCase(seed).graph);
    for (const Graph& graph : graphs) {
        out.graphs.push_back(io::writeGraphJson(graph));
        out.hints.push_back(hints::hintFileText({graph.name, {}}, graph.hints));
        out.workspaces.push_back(workspaceText(graph));
    }
    const std::vector<Pairs> settings{
        {},
        {{"spyre.address_mode", "baked"}, {"spyre.unroll_loops", "true"}},
        {{"spyre.address_mode", "per_core_constants"}, {"spyre.cores", "4"}, {"spyre.stride_model", "host_stride_map"}},
        {{"spyre.address_mode", "per_core_input_args"}, {"spyre.fusion", "false"}, {"spyre.lx_planning", "false"}},
    };
    for (std::size_t i = 0; i < graphs.size(); ++i)
        addCompiled(out, graphs[i], settings[i % settings.size()]);
    addCompiled(out, tiledGraph(), {{"preset", "best"}, {"spyre.layout_solver", "bestfit"}});
    out.instances = {kInstances};
    out.lists = {kList};
    return out;
}

}  // namespace memplan::test
