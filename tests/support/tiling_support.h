// SPDX-License-Identifier: Apache-2.0
// Graphs, hints and look-ups for tests of coarse tiling (spyre-coarse-tiling-and-bundle 15).
#pragma once

#include "engine/plan/spyre_data.h"
#include "tests/support/compile_support.h"
#include "tests/support/hint_support.h"

#include <QtDebug>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace memplan::test {

using Ints = std::vector<std::int64_t>;
using Dims = std::vector<std::vector<int>>;

inline Hint hint(std::vector<std::string> scopes, std::string key, std::string json) {
    Hint h;
    h.target = "spyre";
    h.scopeIsArray = scopes.size() > 1;
    h.scopes = std::move(scopes);
    h.key = std::move(key);
    h.value = test::hintValue(json);
    return h;
}

inline Hint slices(std::vector<std::string> ops, const std::string& json) {
    for (std::string& op : ops)
        op = "op:" + op;
    return hint(std::move(ops), "slices", json);
}

inline const Pairs& seedSettings() {
    static const Pairs kPairs = {{"preset", "seed"},
                                 {"spyre.coarse_tiling", "true"},
                                 {"spyre.lx_planning", "true"},
                                 {"spyre.allow_all_ops_in_lx", "true"},
                                 {"spyre.unroll_loops", "false"}};
    return kPairs;
}

inline Pairs with(Pairs more) {
    Pairs all = seedSettings();
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

inline CompileOutcome compileHinted(const Graph& graph, std::vector<Hint> hints, const Pairs& settings = seedSettings(),
                                    const std::string& stopAfter = {}) {
    CompileRequest request;
    request.graph = std::make_shared<Graph>(graph);
    request.settings = Settings::fromPairs(settings).value();
    request.hints = std::move(hints);
    request.stopAfter = stopAfter;
    return compile(request, RunControl{});
}

inline PlanPtr plan(const Graph& graph, std::vector<Hint> hints, const Pairs& settings = seedSettings()) {
    CompileOutcome outcome = compileHinted(graph, std::move(hints), settings);
    if (outcome.failure) {
        for (const Diagnostic& d : outcome.failure->error.diagnostics)
            qWarning("%s %s: %s", d.code.c_str(), d.where.c_str(), d.message.c_str());
    }
    return outcome.plan;
}

inline std::string errorCode(const CompileOutcome& outcome) {
    return outcome.failure ? outcome.failure->error.primary().code : "a plan";
}

/// a, b, c named A, B; y = a + b, z = y * c.
inline Graph addMul() {
    GraphBuilder b("add_mul");
    const TensorId a = b.input("a", {1024, 4096});
    const TensorId x = b.input("b", {1024, 4096});
    const TensorId c = b.input("c", {1024, 4096});
    const TensorId y = b.pointwise("add", "add", {a, x});
    b.output(b.pointwise("mul", "mul", {y, c}));
    return b.build();
}

inline std::vector<Hint> addMulHints() {
    return {hint({"graph"}, "dim_sizes", R"({"A": 1024, "B": 4096})"),
            hint({"tensor:a", "tensor:b", "tensor:c"}, "dim_names", R"(["A", "B"])"),
            slices({"add", "mul"}, R"({"A": 2})"), slices({"add", "mul"}, R"({"B": 4})")};
}

inline const SpyreOpData& dataOf(const Plan& p, const std::string& op) {
    for (std::size_t i = 0; i < p.ops.size(); ++i) {
        if (p.ops[i].name == op) return spyreData(p).ops[i];
    }
    static const SpyreOpData kNone;
    return kNone;
}

inline const PlanPropagation* caseOf(const Plan& p, const std::string& buffer) {
    if (!spyreData(p).propagation) return nullptr;
    for (const PlanPropagation& c : *spyreData(p).propagation) {
        if (c.buffer == buffer) return &c;
    }
    return nullptr;
}

inline bool hasProblem(const Plan& p, const std::string& code) {
    return std::any_of(p.problems.begin(), p.problems.end(), [&](const Diagnostic& d) { return d.code == code; });
}

inline std::vector<std::string> namesOf(const Plan& p, const std::vector<BufferId>& ids) {
    std::vector<std::string> names;
    for (const BufferId id : ids)
        names.push_back(p.buffer(id).name);
    return names;
}

inline std::vector<Hint> softmaxHints() {
    return {hint({"graph"}, "dim_sizes", R"({"B": 256, "D": 128})"), hint({"tensor:x"}, "dim_names", R"(["B", "D"])"),
            slices({"max", "sub", "exp", "sum", "div"}, R"({"B": 4})")};
}

}  // namespace memplan::test
