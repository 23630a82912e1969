// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/advice/divisions.h"

#include <algorithm>
#include <deque>
#include <set>

namespace memplan::spyre {
namespace {

const PlanAccess* accessOf(const PlanOp& op, BufferId buffer) {
    const auto it = std::find_if(op.accesses.begin(), op.accesses.end(), [&](const PlanAccess& a) {
        return a.buffer == buffer && !a.isIndirect && a.coefficients.size() == op.iterationSpace.size();
    });
    return it == op.accesses.end() ? nullptr : &*it;
}

std::int64_t slicesIn(const LoopSplits& splits, const std::string& loop) {
    const auto it = std::find_if(splits.begin(), splits.end(), [&](const auto& s) { return s.first == loop; });
    return it == splits.end() ? 1 : it->second;
}

template <class SlicesOf> std::optional<Cut> cutBy(const PlanOp& op, BufferId buffer, const SlicesOf& slicesOf) {
    const PlanAccess* access = accessOf(op, buffer);
    if (access == nullptr) return std::nullopt;
    Cut cut;
    for (std::size_t v = 0; v < op.iterationSpace.size(); ++v) {
        const std::int64_t slices = slicesOf(op.iterationSpace[v]);
        if (slices > 1 && access->coefficients[v] != 0) cut[access->coefficients[v]] = slices;
    }
    return cut;
}

/// Spreads new divisions from operation to operation over the buffers that both cut alike today.
class Spread {
public:
    Spread(const Plan& plan, BufferId refused, OpId like, Divisions start) : plan_(plan), refused_(refused) {
        fixed_.insert(like.index);
        for (auto& [op, splits] : start) {
            wanted_[op.index] = std::move(splits);
            open_.push_back(op);
        }
    }

    Divisions run() {
        while (!open_.empty()) {
            const OpId op = open_.front();
            open_.pop_front();
            spreadFrom(op);
        }
        Divisions all;
        for (auto& [op, splits] : wanted_)
            all.emplace_back(OpId{op}, std::move(splits));
        return all;
    }

private:
    void spreadFrom(OpId id) {
        const PlanOp& op = plan_.op(id);
        const LoopSplits wanted = wanted_.at(id.index);
        for (const PlanAccess& access : op.accesses) {
            if (access.buffer == refused_ || access.isIndirect) continue;
            const auto before = cutOf(op, access.buffer);
            const auto after = cutOf(op, access.buffer, wanted);
            if (!before || !after || *before == *after) continue;
            for (const OpId user : plan_.buffer(access.buffer).uses)
                follow(user, access.buffer, *before, *after);
        }
    }

    void follow(OpId user, BufferId buffer, const Cut& before, const Cut& after) {
        const PlanOp& op = plan_.op(user);
        if (wanted_.contains(user.index) || fixed_.contains(user.index) || !op.addedBy.empty()) return;
        if (cutOf(op, buffer) != before) return;
        auto splits = splitsFor(op, buffer, after);
        if (!splits || isDivided(op, *splits)) return;
        wanted_[user.index] = std::move(*splits);
        open_.push_back(user);
    }

    const Plan& plan_;
    BufferId refused_;
    std::map<int, LoopSplits> wanted_;
    std::set<int> fixed_;
    std::deque<OpId> open_;
};

}  // namespace

std::optional<Cut> cutOf(const PlanOp& op, BufferId buffer) {
    return cutBy(op, buffer, [](const IterationDim& d) { return d.slices; });
}

std::optional<Cut> cutOf(const PlanOp& op, BufferId buffer, const LoopSplits& splits) {
    return cutBy(op, buffer, [&](const IterationDim& d) { return slicesIn(splits, d.name); });
}

std::optional<LoopSplits> splitsFor(const PlanOp& op, BufferId buffer, const Cut& cut) {
    const PlanAccess* access = accessOf(op, buffer);
    if (access == nullptr) return std::nullopt;
    LoopSplits splits;
    for (const auto& [coefficient, count] : cut) {
        const auto at = std::find(access->coefficients.begin(), access->coefficients.end(), coefficient);
        if (at == access->coefficients.end()) return std::nullopt;
        const IterationDim& loop = op.iterationSpace[static_cast<std::size_t>(at - access->coefficients.begin())];
        if (loop.adjusted % count != 0) return std::nullopt;
        splits.emplace_back(loop.name, count);
    }
    return splits;
}

bool isDivided(const PlanOp& op, const LoopSplits& splits) {
    return std::all_of(op.iterationSpace.begin(), op.iterationSpace.end(),
                       [&](const IterationDim& d) { return d.slices == slicesIn(splits, d.name); });
}

std::optional<Divisions> dividedLike(const Plan& plan, BufferId buffer, OpId like) {
    const auto cut = cutOf(plan.op(like), buffer);
    if (!cut) return std::nullopt;
    Divisions changed;
    for (const OpId user : plan.buffer(buffer).uses) {
        const PlanOp& op = plan.op(user);
        auto splits = splitsFor(op, buffer, *cut);
        if (!splits) return std::nullopt;
        // What a pass added follows the operation it was added for; a hint cannot name it.
        if (isDivided(op, *splits) || !op.addedBy.empty()) continue;
        changed.emplace_back(user, std::move(*splits));
    }
    return changed.empty() ? std::nullopt : std::optional(std::move(changed));
}

std::optional<Divisions> dividedLikeWithNeighbours(const Plan& plan, BufferId buffer, OpId like) {
    auto start = dividedLike(plan, buffer, like);
    if (!start) return std::nullopt;
    return Spread(plan, buffer, like, std::move(*start)).run();
}

}  // namespace memplan::spyre
