// SPDX-License-Identifier: Apache-2.0
// Graphs whose buffers rest, return or overwrite each other, for the tests of renaming, eviction and kernel boundaries.
#pragma once

#include "engine/graph/builder.h"
#include "engine/graph/graph.h"
#include "engine/plan/plan.h"
#include "tests/support/compile_support.h"

#include <string>
#include <vector>

namespace memplan::test {

constexpr Bytes kStick = 128;

/// One core with the founding capacity of 1 677 721 B and no clones beside those that a test asks for.
[[nodiscard]] Pairs oneCore(const char* solver, Pairs more = {});

/// A graph whose ops may write an older tensor's storage again.
class Storage {
public:
    explicit Storage(const char* name) : builder_(name) {}

    TensorId input(const std::string& id, std::int64_t sticks) { return builder_.input(id, {sticks, 64}); }
    TensorId wide(const std::string& id, std::int64_t sticks) { return builder_.input(id, {2, sticks, 64}); }
    TensorId op(const std::string& id, const char* fn, std::vector<TensorId> inputs) {
        return builder_.pointwise(id, fn, std::move(inputs));
    }
    void output(TensorId t) { builder_.output(t); }
    /// `again` is the storage of `first`, overwritten.
    void sameStorage(TensorId again, TensorId first) { aliases_.emplace_back(again, first); }

    [[nodiscard]] Graph build() const {
        Graph graph = builder_.build();
        for (const auto& [again, first] : aliases_)
            graph.tensors[again.at()].aliasOf = first;
        return graph;
    }

private:
    GraphBuilder builder_;
    std::vector<std::pair<TensorId, TensorId>> aliases_;
};

/// Pattern 4: A is loaded, read twice, B is, A is again; each as large as the scratchpad.
[[nodiscard]] Graph simpleEviction(std::int64_t sticks = 13107);

/// Pattern 5: three small buffers together, then each of them with a large one, everything loaded anew.
[[nodiscard]] Graph evictionAndReallocation(std::int64_t sticks = 4369);

/// x is read, rests while y is made and read, and is read again; they do not fit together. `late` reads after the rest.
[[nodiscard]] Graph restingBuffer(std::int64_t sticks, int late, int early = 2);

/// Graphs of several shapes: chains of blocks, softmax, attention, patterns.
[[nodiscard]] std::vector<Graph> evictionSuite();

/// The count `key` that `pass` reported in the plan; -1 where it reported none.
[[nodiscard]] std::int64_t countOf(const Plan& plan, const std::string& pass, const std::string& key);

}  // namespace memplan::test
