// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/loop_groups.h"

#include <algorithm>
#include <map>

namespace memplan::ui {
namespace {

std::string nameOf(const LoopGroup& loop) {
    std::string name = "loop ";
    for (std::size_t i = 0; i < loop.path.size(); ++i)
        name += (i == 0 ? "" : ".") + std::to_string(loop.path[i]);
    return loop.counts.size() == loop.path.size() ? name + " \u00d7" + std::to_string(loop.counts.back()) : name;
}

}  // namespace

std::int64_t LoopGroup::runs() const {
    std::int64_t runs = 1;
    for (const std::int64_t c : counts)
        runs *= c;
    return runs;
}

StepRange LoopGroup::steps() const {
    return ops.empty() ? StepRange{} : StepRange{ops.front().index, ops.back().index + 1};
}

int LoopGroups::innermostOf(OpId op) const {
    return op.isValid() && op.at() < innermost.size() ? innermost[op.at()] : -1;
}

int LoopGroups::withTreePath(const std::string& path) const {
    const auto found = std::ranges::find(groups, path, &LoopGroup::treePath);
    return found == groups.end() ? -1 : static_cast<int>(found - groups.begin());
}

LoopGroups loopGroups(const Plan& plan) {
    LoopGroups loops;
    if (std::ranges::all_of(plan.ops, [](const PlanOp& op) { return op.loopPath.empty(); })) return loops;
    loops.innermost.assign(plan.ops.size(), -1);
    std::map<std::vector<int>, int> known;
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const PlanOp& op = plan.ops[i];
        int at = -1;
        for (std::size_t level = 1; level <= op.loopPath.size(); ++level) {
            const auto depth = static_cast<std::ptrdiff_t>(level);
            const std::vector<int> path(op.loopPath.begin(), op.loopPath.begin() + depth);
            const auto [entry, isNew] = known.emplace(path, static_cast<int>(loops.groups.size()));
            if (isNew) {
                LoopGroup loop;
                loop.path = path;
                loop.counts.assign(op.loopCounts.begin(), op.loopCounts.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                                      level, op.loopCounts.size())));
                loop.parent = at;
                loop.name = nameOf(loop);
                loop.treePath = at < 0 ? loop.name : loops.group(at).treePath + '/' + loop.name;
                loops.groups.push_back(std::move(loop));
            }
            at = entry->second;
            loops.groups[static_cast<std::size_t>(at)].ops.push_back(OpId::of(i));
        }
        loops.innermost[i] = at;
    }
    return loops;
}

}  // namespace memplan::ui
