// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/joint/operation_order.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace memplan::spyre::joint {
namespace {

/// Who wrote a buffer last, and who read it since.
struct History {
    int writer = -1;
    std::vector<std::size_t> readers;
};

std::vector<std::vector<std::size_t>> dependencies(const std::vector<OrderedOp>& ops) {
    std::map<std::string_view, History> history;
    std::vector<std::vector<std::size_t>> predecessors(ops.size());
    for (std::size_t i = 0; i < ops.size(); ++i) {
        std::set<std::size_t> before;
        const auto afterWriter = [&](const std::string& name) {
            const History& h = history[name];
            if (h.writer >= 0) before.insert(static_cast<std::size_t>(h.writer));
        };
        const auto afterReaders = [&](const std::string& name) {
            afterWriter(name);
            const History& h = history[name];
            before.insert(h.readers.begin(), h.readers.end());
        };
        for (const std::string& name : ops[i].reads)
            afterWriter(name);
        for (const std::string& name : ops[i].mutates)
            afterReaders(name);
        afterReaders(ops[i].name);
        before.erase(i);
        predecessors[i].assign(before.begin(), before.end());
        for (const std::string& name : ops[i].reads)
            history[name].readers.push_back(i);
        const auto written = [&](const std::string& name) { history[name] = {static_cast<int>(i), {}}; };
        written(ops[i].name);
        for (const std::string& name : ops[i].mutates)
            written(name);
    }
    return predecessors;
}

/// Units in list order: an outermost loop group is one unit at the place of its first op.
class Units {
public:
    explicit Units(const std::vector<OrderedOp>& ops, const std::vector<std::vector<std::size_t>>& predecessors)
        : unitOf_(ops.size()) {
        std::map<int, std::size_t> ofLoop;
        for (std::size_t i = 0; i < ops.size(); ++i) {
            std::size_t unit = members_.size();
            if (!ops[i].loopPath.empty()) unit = ofLoop.emplace(ops[i].loopPath.front(), unit).first->second;
            if (unit == members_.size()) members_.emplace_back();
            members_[unit].push_back(i);
            unitOf_[i] = unit;
        }
        before_.resize(members_.size());
        for (std::size_t i = 0; i < ops.size(); ++i) {
            for (const std::size_t p : predecessors[i]) {
                if (unitOf_[p] != unitOf_[i]) before_[unitOf_[i]].insert(unitOf_[p]);
            }
        }
    }

    /// Depth first; false when units depend on each other in a circle.
    bool order(std::vector<std::size_t>& out) {
        mark_.assign(members_.size(), Mark::New);
        for (std::size_t u = 0; u < members_.size(); ++u) {
            if (!visit(u, out)) return false;
        }
        return true;
    }

private:
    enum class Mark { New, Open, Done };

    /// An explicit stack: chains of ops are as long as the graph.
    bool visit(std::size_t first, std::vector<std::size_t>& out) {
        if (mark_[first] == Mark::Done) return true;
        std::vector<std::pair<std::size_t, std::set<std::size_t>::const_iterator>> stack;
        const auto open = [&](std::size_t u) {
            mark_[u] = Mark::Open;
            stack.emplace_back(u, before_[u].begin());
        };
        open(first);
        while (!stack.empty()) {
            auto& [unit, next] = stack.back();
            if (next == before_[unit].end()) {
                mark_[unit] = Mark::Done;
                out.insert(out.end(), members_[unit].begin(), members_[unit].end());
                stack.pop_back();
                continue;
            }
            const std::size_t child = *next++;
            if (mark_[child] == Mark::Open) return false;
            if (mark_[child] == Mark::New) open(child);
        }
        return true;
    }

    std::vector<std::size_t> unitOf_;
    std::vector<std::vector<std::size_t>> members_;
    std::vector<std::set<std::size_t>> before_;
    std::vector<Mark> mark_;
};

}  // namespace

OperationOrder orderOperations(const std::vector<OrderedOp>& ops) {
    OperationOrder result;
    result.predecessors = dependencies(ops);
    Units units(ops, result.predecessors);
    result.groupsMadeAtomic = units.order(result.order);
    if (!result.groupsMadeAtomic) {
        result.order.resize(ops.size());
        std::iota(result.order.begin(), result.order.end(), std::size_t{0});
    }
    return result;
}

}  // namespace memplan::spyre::joint
