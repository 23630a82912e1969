// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/pipeline/eviction_support.h"

#include "engine/graph/generate.h"
#include "engine/graph/templates.h"

namespace memplan::test {

Pairs oneCore(const char* solver, Pairs more) {
    Pairs all{{"spyre.cores", "1"},
              {"spyre.lx_capacity_rule", "seed"},
              {"spyre.clone_inputs", "false"},
              {"spyre.layout_solver", solver}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

Graph simpleEviction(std::int64_t sticks) {
    Storage s("simple_eviction");
    const TensorId aHbm = s.input("A_HBM", sticks);
    const TensorId bHbm = s.input("B_HBM", sticks);
    int output = 0;
    const auto readTwice = [&](TensorId x) {
        for (int k = 0; k < 2; ++k)
            s.output(s.op("C" + std::to_string(++output), "neg", {x}));
    };
    const TensorId a = s.op("A", "exp", {aHbm});
    readTwice(a);
    readTwice(s.op("B", "exp", {bHbm}));
    const TensorId again = s.op("A_again", "exp", {aHbm});
    s.sameStorage(again, a);
    readTwice(again);
    return s.build();
}

Graph evictionAndReallocation(std::int64_t sticks) {
    Storage s("eviction_reallocation");
    std::vector<TensorId> hbm;
    for (int i = 0; i < 3; ++i)
        hbm.push_back(s.input("S" + std::to_string(i), sticks));
    const TensorId bHbm = s.wide("S3", sticks);
    std::vector<TensorId> first(4);
    int loads = 0;
    int output = 0;
    const auto load = [&](std::size_t member) {
        const TensorId x = s.op("load" + std::to_string(loads++), "exp", {member < 3 ? hbm[member] : bHbm});
        if (first[member].isValid()) {
            s.sameStorage(x, first[member]);
        } else {
            first[member] = x;
        }
        return x;
    };
    const auto readFourTimes = [&](const char* fn, const std::vector<TensorId>& members) {
        for (int k = 0; k < 4; ++k)
            s.output(s.op("C" + std::to_string(output++), fn, members));
    };
    std::vector<TensorId> all;
    for (std::size_t m = 0; m < 3; ++m)
        all.push_back(load(m));
    readFourTimes("where", all);
    for (std::size_t m = 0; m < 3; ++m) {
        const TensorId small = load(m);
        readFourTimes("add", {small, load(3)});
    }
    return s.build();
}

Graph restingBuffer(std::int64_t sticks, int late, int early) {
    GraphBuilder b("resting");
    const TensorId a = b.input("a", {sticks, 64});
    const TensorId other = b.input("b", {sticks, 64});
    const TensorId x = b.pointwise("x", "exp", {a});
    for (int i = 0; i < early; ++i)
        b.output(b.pointwise("early" + std::to_string(i), "neg", {x}));
    const TensorId y = b.pointwise("y", "exp", {other});
    for (int i = 0; i < 3; ++i)
        b.output(b.pointwise("middle" + std::to_string(i), "neg", {y}));
    for (int i = 0; i < late; ++i)
        b.output(b.pointwise("late" + std::to_string(i), "neg", {x}));
    return b.build();
}

std::vector<Graph> evictionSuite() {
    std::vector<Graph> graphs{softmax(512, 1024, 0), softmax(1024, 2048, 1), simpleEviction(), restingBuffer(9000, 2),
                              evictionAndReallocation()};
    for (std::uint64_t seed = 0; seed < 2; ++seed)
        graphs.push_back(generateChainModel(40, seed));
    for (const TemplateInfo& info : graphTemplates()) {
        std::vector<std::int64_t> values;
        for (const TemplateParameter& p : info.parameters)
            values.push_back(p.byDefault);
        if (auto graph = makeTemplate(info.id, values)) graphs.push_back(graph.value());
    }
    return graphs;
}

std::int64_t countOf(const Plan& plan, const std::string& pass, const std::string& key) {
    for (const PassRun& run : plan.passes) {
        if (run.name == pass && run.counts.contains(key)) return run.counts.at(key);
    }
    return -1;
}

}  // namespace memplan::test
