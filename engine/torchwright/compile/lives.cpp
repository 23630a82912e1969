// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/lives.h"

#include <algorithm>
#include <map>

namespace memplan::torchwright {
namespace {

class Lives {
public:
    Lives(const Schedule& schedule, const std::vector<PlannedOp>& ops) : schedule_(schedule), ops_(ops) {
        for (std::size_t i = 0; i < ops.size(); ++i)
            note(ops[i], static_cast<Step>(i));
    }

    std::vector<ColumnLife> run() {
        std::vector<ColumnLife> lives;
        for (const Holding& holding : schedule_.holdings)
            lives.push_back({{beginOf(holding), endOf(holding)}, {}});
        for (std::size_t i = 0; i < lives.size(); ++i)
            findTakenOver(i, lives);
        return lives;
    }

private:
    const Schedule& schedule_;
    const std::vector<PlannedOp>& ops_;
    std::map<NodeId, Step> births_;  ///< operation that first writes the columns of an owner
    /// Of each layer: after its last attention operation, the cancel if there is one, values that die are gone.
    std::map<int, Step> deaths_;
    /// Owners that are new after a layer.
    std::map<int, std::vector<const Holding*>> newOwners_;

    void note(const PlannedOp& op, Step at) {
        if (op.attention != nullptr) {
            deaths_[op.layer] = at + 1;
        } else {
            deaths_.emplace(op.layer, at);
        }
        if (op.node.isValid() && (op.mlp == nullptr || op.mlp->kind != MlpKind::Bias)) {
            births_.emplace(op.node, at);
        }
        if (newOwners_.empty()) {
            for (const Holding& holding : schedule_.holdings)
                newOwners_[holding.firstLayer].push_back(&holding);
        }
    }

    [[nodiscard]] Step beginOf(const Holding& holding) const {
        const auto it = births_.find(holding.owner);
        return it == births_.end() ? 0 : it->second;
    }

    static bool overlap(const ColumnList& a, const ColumnList& b) {
        return std::ranges::any_of(a.runs(), [&](const ColumnRun& x) {
            return std::ranges::any_of(b.runs(), [&](const ColumnRun& y) {
                return x.first < y.first + y.count && y.first < x.first + x.count;
            });
        });
    }

    [[nodiscard]] Step endOf(const Holding& holding) const {
        const auto all = static_cast<Step>(ops_.size());
        const int layer = holding.lastLayer + 1;
        if (layer >= schedule_.layerCount()) return all;
        const auto death = deaths_.lower_bound(layer);
        Step end = death == deaths_.end() ? all : death->second;
        const auto fresh = newOwners_.find(layer);
        if (fresh == newOwners_.end()) return end;
        for (const Holding* other : fresh->second) {
            if (overlap(holding.columns, other->columns)) end = std::min(end, beginOf(*other));
        }
        return end;
    }

    void findTakenOver(std::size_t i, std::vector<ColumnLife>& lives) const {
        const Holding& own = schedule_.holdings[i];
        const auto birth = births_.find(own.owner);
        if (birth == births_.end()) return;
        const PlannedOp& op = ops_[static_cast<std::size_t>(birth->second)];
        if (op.attention == nullptr || op.attention->kind != AttentionKind::AddInto) return;
        for (const Holding& other : schedule_.holdings) {
            if (other.lastLayer == own.firstLayer - 1 && other.owner != own.owner && other.columns == own.columns)
                lives[i].takesOver = other.owner;
        }
    }
};

}  // namespace

std::vector<ColumnLife> columnLives(const Schedule& schedule, const std::vector<PlannedOp>& ops) {
    return Lives(schedule, ops).run();
}

}  // namespace memplan::torchwright
