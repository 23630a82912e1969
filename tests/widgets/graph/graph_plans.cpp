// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/graph/graph_plans.h"

#include "engine/graph/builder.h"
#include "engine/target/compile.h"
#include "tests/support/plan_fixture.h"

#include <array>
#include <map>
#include <string>

namespace memplan::fixture {
namespace {

/// Writer and reader of each edge of the encoder layer, by buffer name.
const std::vector<std::pair<const char*, const char*>>& encoderEdges() {
    static const std::vector<std::pair<const char*, const char*>> edges{
        {"q", "q_scaled"},     {"q_scaled", "scores"},  {"k", "scores"},        {"scores", "masked"},
        {"masked", "row_max"}, {"masked", "centred"},   {"row_max", "centred"}, {"centred", "expd"},
        {"expd", "row_sum"},   {"expd", "probs"},       {"row_sum", "probs"},   {"probs", "context"},
        {"v", "context"},      {"context", "attn_out"}, {"attn_out", "res1"},   {"res1", "mean1"},
        {"res1", "cent1"},     {"mean1", "cent1"},      {"cent1", "sq1"},       {"sq1", "var1"},
        {"var1", "rstd1"},     {"cent1", "norm1"},      {"rstd1", "norm1"},     {"norm1", "ln1"},
        {"ln1", "ffn_up"},     {"ln1", "res2"},         {"ffn_up", "cube"},     {"ffn_up", "half"},
        {"cube", "inner"},     {"inner", "tanh"},       {"tanh", "gelu"},       {"half", "gelu"},
        {"gelu", "ffn_down"},  {"ffn_down", "res2"},    {"res2", "mean2"},      {"res2", "cent2"},
        {"mean2", "cent2"},    {"cent2", "sq2"},        {"sq2", "var2"},        {"var2", "rstd2"},
        {"cent2", "norm2"},    {"rstd2", "norm2"},      {"norm2", "y"}};
    return edges;
}

void linkUses(Plan& plan) {
    for (PlanBuffer& b : plan.buffers)
        b.uses.clear();
    for (std::size_t o = 0; o < plan.ops.size(); ++o) {
        for (const BufferId out : plan.ops[o].outputs)
            plan.buffers[out.at()].uses.push_back(OpId::of(o));
        for (const BufferId in : plan.ops[o].inputs)
            plan.buffers[in.at()].uses.push_back(OpId::of(o));
    }
}

}  // namespace

PlanPtr encoderWithEdges() {
    auto plan = std::make_shared<Plan>(*encoderLayer());
    std::map<std::string, BufferId> byName;
    for (std::size_t i = 0; i < plan->buffers.size(); ++i)
        byName[plan->buffers[i].name] = BufferId::of(i);
    for (PlanOp& op : plan->ops)
        op.inputs.clear();
    for (const auto& [from, to] : encoderEdges())
        plan->ops[byName.at(to).at()].inputs.push_back(byName.at(from));
    linkUses(*plan);
    return plan;
}

PlanPtr splitMismatch(int cores) {
    GraphBuilder b("split-mismatch");
    const TensorId x = b.input("x", {512, 1024});
    const TensorId m = b.reduction("max", "max", x, {0});
    const TensorId d = b.pointwise("sub", "sub", {x, m});
    const TensorId e = b.pointwise("exp", "exp", {d});
    const TensorId s = b.reduction("sum", "sum", e, {0});
    b.output(b.pointwise("div", "truediv", {e, s}));
    CompileRequest request;
    request.graph = std::make_shared<const Graph>(b.build());
    static_cast<void>(request.settings.set("spyre.cores", std::to_string(cores)));
    return compile(request, RunControl{}).plan;
}

PlanPtr layeredPlan(int ops) {
    auto plan = std::make_shared<Plan>();
    plan->target = "spyre";
    std::uint32_t state = 12345;
    const auto below = [&state](int n) {
        state = state * 1664525 + 1013904223;
        return static_cast<int>((state >> 8) % static_cast<std::uint32_t>(n));
    };
    for (int i = 0; i < ops; ++i) {
        PlanBuffer b;
        b.name = "b" + std::to_string(i);
        b.producer = OpId{i};
        b.size = b.sizePerCore = 128 * (1 + below(20000));
        b.shape = {64, 64};
        b.life = {i, i + 4};
        if (below(3) > 0) {
            b.space = MemorySpace::Lx;
            b.address = 0;
        }
        plan->buffers.push_back(std::move(b));
        PlanOp op;
        op.name = "op" + std::to_string(i);
        op.type = i % 3 == 0 ? "sum" : "add";
        op.kind = i % 3 == 0 ? "reduction" : "pointwise";
        op.outputs = {BufferId{i}};
        if (i > 0) op.inputs.push_back(BufferId{i - 1 - below(std::min(i, 4))});
        if (i > 8) op.inputs.push_back(BufferId{i - 1 - below(8)});
        op.groupPath = "layer " + std::to_string(i / 32) + "/block " + std::to_string(i / 8 % 4);
        plan->ops.push_back(std::move(op));
    }
    linkUses(*plan);
    plan->memory.capacity = 1677721;
    return plan;
}

}  // namespace memplan::fixture
