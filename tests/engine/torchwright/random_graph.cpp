// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/torchwright/random_graph.h"

#include "tests/engine/torchwright/node_sketch.h"

#include <algorithm>
#include <random>

namespace memplan::test {
namespace {

using torchwright::NodeGraph;
using torchwright::NodeId;

class RandomGraph {
public:
    RandomGraph(unsigned seed, bool isShared) : random_(seed), isShared_(isShared) {
        nodes_ = {NodeSketch::position(), sketch_.input(pick(1, 6)), sketch_.input(pick(1, 6)),
                  sketch_.literal({1, 0, 2})};
    }

    NodeGraph run(int count) {
        for (int i = 0; i < count; ++i)
            nodes_.push_back(next());
        const NodeId end = sketch_.concatenate({nodes_.back(), recent(), recent()});
        const NodeId further = recent();
        return sketch_.build(pick(0, 1) == 0 ? end : nodes_.back(), {further});
    }

private:
    int pick(int low, int high) { return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)); }
    NodeId recent() {
        return nodes_[nodes_.size() - 1 -
                      static_cast<std::size_t>(pick(0, std::min(5, static_cast<int>(nodes_.size()) - 1)))];
    }
    // Draws stand in statements of their own: compilers differ in which argument they work out first.
    NodeId anyLinear() {
        const bool hasBias = pick(0, 1) == 0;
        const int width = pick(1, 9);
        return sketch_.linear(recent(), width, hasBias);
    }
    NodeId anyChain() {
        const int width = pick(1, 9), middle = pick(1, 12);
        return sketch_.chain(recent(), middle, width);
    }
    NodeId anyAttention() {
        const int width = pick(1, 20);
        const NodeId value = recent(), key = any(), query = any();
        return sketch_.attn(query, key, value, width);
    }
    NodeId any() { return nodes_[static_cast<std::size_t>(pick(0, static_cast<int>(nodes_.size()) - 1))]; }

    NodeId waiting(NodeId id) {
        if (pick(0, 3) == 0) sketch_.at(id).after = {any()};
        return id;
    }

    NodeId sharedEnd(NodeId first) {
        const NodeId relu = waiting(sketch_.relu(first));
        return waiting(sketch_.linear(relu, sketch_.at(first).width, pick(0, 1) == 0));
    }

    /// One Linear, and in any order of their numbers its chains and an Add that may take it over.
    NodeId nextShared() {
        const NodeId first = waiting(anyLinear());
        if (pick(0, 1) == 0) nodes_.push_back(first);
        for (int i = pick(0, 2); i > 0; --i)
            nodes_.push_back(sharedEnd(first));
        if (pick(0, 1) == 0) nodes_.push_back(sketch_.add(first, sketch_.linear(any(), sketch_.at(first).width)));
        return sharedEnd(first);
    }

    NodeId next() {
        if (isShared_ && pick(0, 1) == 0) return nextShared();
        switch (pick(0, 9)) {
        case 0:
            return anyAttention();
        case 1:
        case 2: {
            const NodeId x = recent();
            return sketch_.add(x, pick(0, 3) == 0 ? x : sketch_.linear(any(), sketch_.at(x).width, true));
        }
        case 3:
            return sketch_.concatenate({recent(), any()});
        case 4:
            return sketch_.relu(recent());
        case 5:
        case 6:
            return anyLinear();
        default:
            return anyChain();
        }
    }

    std::mt19937 random_;
    bool isShared_;
    NodeSketch sketch_{8};
    std::vector<NodeId> nodes_;
};

}  // namespace

NodeGraph randomGraph(unsigned seed, int count) {
    return RandomGraph(seed, false).run(count);
}

NodeGraph randomSharedGraph(unsigned seed, int count) {
    return RandomGraph(seed, true).run(count);
}

}  // namespace memplan::test
