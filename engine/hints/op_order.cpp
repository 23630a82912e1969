// SPDX-License-Identifier: Apache-2.0
#include "engine/hints/op_order.h"

#include "engine/base/text.h"

#include <map>

namespace memplan::hints {
namespace {

/// Checks the order of all accesses of one storage: readers may change places among themselves only.
class StorageOrder {
public:
    explicit StorageOrder(const Graph& graph) {
        for (std::size_t i = 0; i < graph.ops.size(); ++i) {
            for (const TensorId in : graph.ops[i].inputs) {
                if (in.isValid()) touches_[aliasRoot(graph, in).at()].push_back({i, false});
            }
            for (const TensorId out : graph.ops[i].outputs) {
                if (out.isValid()) touches_[aliasRoot(graph, out).at()].push_back({i, true});
            }
        }
    }

    /// First pair (earlier, later in the graph) that `rank` turns round.
    [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>>
    broken(const std::vector<std::size_t>& rank) const {
        for (const auto& [storage, list] : touches_) {
            std::optional<std::size_t> lastWrite;  // its op
            std::vector<std::size_t> reads;        // since then
            for (const Touch& t : list) {
                if (lastWrite && *lastWrite != t.op && rank[*lastWrite] > rank[t.op]) return {{*lastWrite, t.op}};
                if (!t.isWrite) {
                    reads.push_back(t.op);
                    continue;
                }
                for (const std::size_t r : reads) {
                    if (r != t.op && rank[r] > rank[t.op]) return {{r, t.op}};
                }
                reads.clear();
                lastWrite = t.op;
            }
        }
        return std::nullopt;
    }

private:
    struct Touch {
        std::size_t op = 0;
        bool isWrite = false;
    };
    std::map<std::size_t, std::vector<Touch>> touches_;
};

}  // namespace

std::optional<OrderProblem> orderProblem(const std::vector<std::string>& order, const Graph& graph) {
    std::map<std::string, std::size_t, std::less<>> position;
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        position.emplace(graph.ops[i].id, i);
    std::vector<std::size_t> rank(graph.ops.size(), order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        const auto it = position.find(order[k]);
        const int at = static_cast<int>(k);
        if (it == position.end())
            return OrderProblem{at, "there is no operation " + text::quoted(order[k]),
                                "allowed: every operation of the graph once"};
        if (rank[it->second] != order.size())
            return OrderProblem{at, text::quoted(order[k]) + " stands twice",
                                "allowed: every operation of the graph once"};
        rank[it->second] = k;
    }
    for (std::size_t i = 0; i < rank.size(); ++i) {
        if (rank[i] == order.size()) {
            return OrderProblem{-1, text::quoted(graph.ops[i].id) + " is missing",
                                "allowed: every operation of the graph once"};
        }
    }
    if (const auto pair = StorageOrder(graph).broken(rank)) {
        const auto& [first, second] = *pair;
        return OrderProblem{static_cast<int>(rank[second]),
                            text::quoted(graph.ops[second].id) + " stands before " + text::quoted(graph.ops[first].id) +
                                ", whose result or operand it needs to follow",
                            "allowed: orders in which " + text::quoted(graph.ops[first].id) + " comes first"};
    }
    return std::nullopt;
}

}  // namespace memplan::hints
