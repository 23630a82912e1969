// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/tiling/propagation.h"

#include "engine/base/text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace memplan::spyre {
namespace {

constexpr std::string_view kPrefix = "buf";

/// N of a name "bufN".
std::optional<std::int64_t> numberOf(const std::string& name) {
    if (name.size() <= kPrefix.size() || name.compare(0, kPrefix.size(), kPrefix) != 0) return std::nullopt;
    const std::string digits = name.substr(kPrefix.size());
    const bool plain = std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    return plain ? text::parseInt(digits) : std::nullopt;
}

class Planner {
public:
    Planner(const std::vector<TiledNode>& nodes, const std::vector<std::string>& outputs, bool copyWhenInputInternal)
        : nodes_(nodes), outputs_(outputs.begin(), outputs.end()), late_(copyWhenInputInternal) {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            for (const std::string& read : nodes[i].reads)
                readers_[read].push_back(static_cast<int>(i));
            if (nodes[i].group >= 0) groups_.insert(nodes[i].group);
        }
    }

    PropagationPlan run(const std::vector<std::string>& takenNames) {
        for (const TiledNode& n : nodes_)
            take(n.name);
        for (const std::string& name : takenNames)
            take(name);
        for (const int group : groups_) {
            for (std::size_t i = 0; i < nodes_.size(); ++i) {
                if (nodes_[i].group == group && nodes_[i].isComputed) decide(static_cast<int>(i));
            }
        }
        arrange();
        return std::move(plan_);
    }

private:
    const std::vector<TiledNode>& nodes_;
    std::set<std::string> outputs_;
    bool late_;
    std::map<std::string, std::vector<int>> readers_;
    std::set<int> groups_;
    std::set<std::string> internalTiles_;
    std::int64_t nextNumber_ = 0;
    PropagationPlan plan_;

    void take(const std::string& name) {
        if (const auto n = numberOf(name)) nextNumber_ = std::max(nextNumber_, *n + 1);
    }

    void decide(int at) {
        const TiledNode& node = nodes_[static_cast<std::size_t>(at)];
        bool outside = outputs_.contains(node.name);
        bool inside = false;
        for (const int reader : readers_[node.name]) {
            const bool same = nodes_[static_cast<std::size_t>(reader)].group == node.group;
            inside = inside || same;
            outside = outside || !same;
        }
        PropagationDecision d;
        d.node = at;
        if (!outside) {
            d.perTileFixed = true;
            internalTiles_.insert(node.name);
        } else {
            const bool readsTile =
                late_ && std::any_of(node.reads.begin(), node.reads.end(),
                                     [&](const std::string& r) { return internalTiles_.contains(r); });
            d.kind = inside || readsTile ? PropagationCase::Copy : PropagationCase::Rewire;
            d.perTileFixed = d.kind == PropagationCase::Copy && readsTile;
            d.fullBuffer = std::string(kPrefix) + std::to_string(nextNumber_++);
        }
        plan_.decisions.push_back(std::move(d));
    }

    void arrange() {
        using Entry = PropagationPlan::Entry;
        std::map<int, int> copyOf;  // node -> decision
        for (std::size_t d = 0; d < plan_.decisions.size(); ++d) {
            if (plan_.decisions[d].kind == PropagationCase::Copy) copyOf[plan_.decisions[d].node] = static_cast<int>(d);
        }
        std::set<int> opened;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const int group = nodes_[i].group;
            if (group >= 0 && opened.insert(group).second) allocate(group);
            plan_.order.push_back({Entry::Node, static_cast<int>(i)});
            if (const auto copy = copyOf.find(static_cast<int>(i)); copy != copyOf.end())
                plan_.order.push_back({Entry::Copy, copy->second});
        }
    }

    void allocate(int group) {
        for (std::size_t d = 0; d < plan_.decisions.size(); ++d) {
            const PropagationDecision& decision = plan_.decisions[d];
            const bool here = nodes_[static_cast<std::size_t>(decision.node)].group == group;
            if (here && !decision.fullBuffer.empty())
                plan_.order.push_back({PropagationPlan::Entry::Allocation, static_cast<int>(d)});
        }
    }
};

}  // namespace

PropagationPlan planPropagation(const std::vector<TiledNode>& nodes, const std::vector<std::string>& outputs,
                                bool copyWhenInputInternal, const std::vector<std::string>& takenNames) {
    return Planner(nodes, outputs, copyWhenInputInternal).run(takenNames);
}

std::string tileCopyName(const std::string& buffer) {
    return "coarse_tile_copy_" + buffer;
}

}  // namespace memplan::spyre
