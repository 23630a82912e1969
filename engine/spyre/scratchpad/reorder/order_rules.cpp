// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/reorder/order_rules.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace memplan::spyre {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// Who wrote a buffer last, and who read it since.
struct History {
    std::size_t writer = kNone;
    std::vector<std::size_t> readers;
};

std::vector<BufferId> writesOf(const Op& op) {
    std::vector<BufferId> writes = op.extraWrites;
    if (op.write.buffer.isValid()) writes.push_back(op.write.buffer);
    return writes;
}

std::vector<std::vector<std::size_t>> dependencies(const Program& program) {
    std::vector<History> history(program.buffers.size());
    std::vector<std::vector<std::size_t>> before(program.ops.size());
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Op& op = program.ops[i];
        std::vector<std::size_t>& list = before[i];
        const auto afterWriter = [&](BufferId b) {
            if (history[b.at()].writer != kNone) list.push_back(history[b.at()].writer);
        };
        for (const Access& read : op.reads)
            afterWriter(read.buffer);
        const std::vector<BufferId> writes = writesOf(op);
        for (const BufferId w : writes) {
            afterWriter(w);
            list.insert(list.end(), history[w.at()].readers.begin(), history[w.at()].readers.end());
        }
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        for (const Access& read : op.reads)
            history[read.buffer.at()].readers.push_back(i);
        for (const BufferId w : writes)
            history[w.at()] = {i, {}};
    }
    return before;
}

}  // namespace

OpOrder identityOrder(std::size_t count) {
    OpOrder order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
}

std::vector<int> singleUnits(std::size_t count) {
    std::vector<int> units(count);
    std::iota(units.begin(), units.end(), 0);
    return units;
}

OpOrder moved(const OpOrder& order, OrderRules::Block block, std::size_t position) {
    OpOrder next = order;
    const auto at = [&](std::size_t i) { return next.begin() + static_cast<std::ptrdiff_t>(i); };
    if (position < block.begin) {
        std::rotate(at(position), at(block.begin), at(block.end));
    } else {
        std::rotate(at(block.begin), at(block.end), at(position + (block.end - block.begin)));
    }
    return next;
}

OrderRules::OrderRules(const Program& program, std::vector<int> units)
    : units_(std::move(units)), before_(dependencies(program)) {
    for (const Op& op : program.ops) {
        // Room for a buffer runs nothing: it may stand anywhere before its first writer.
        barrier_.push_back(op.kind == OpClass::Extern && !op.isAllocation());
        paths_.push_back(op.loop.groupId);
    }
}

bool OrderRules::depends(std::size_t later, std::size_t earlier) const {
    return std::binary_search(before_[later].begin(), before_[later].end(), earlier);
}

bool OrderRules::isLegal(const OpOrder& order) const {
    if (order.size() != count()) return false;
    std::vector<std::size_t> at(count(), kNone);
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (order[k] >= count() || at[order[k]] != kNone) return false;
        at[order[k]] = k;
    }
    for (std::size_t op = 0; op < count(); ++op) {
        for (const std::size_t earlier : before_[op]) {
            if (at[earlier] > at[op]) return false;
        }
    }
    // Nothing crosses a barrier: it keeps its position, and both sides keep their ops.
    std::vector<std::size_t> segment(count(), 0);
    for (std::size_t op = 1; op < count(); ++op)
        segment[op] = segment[op - 1] + (barrier_[op - 1] ? 1 : 0);
    for (std::size_t k = 0; k < count(); ++k) {
        const bool stays = barrier_[order[k]] || barrier_[k] ? order[k] == k : segment[order[k]] == segment[k];
        if (!stays) return false;
    }
    // Every loop of every depth stands in one piece.
    std::map<std::vector<int>, std::size_t> last;
    for (std::size_t k = 0; k < order.size(); ++k) {
        std::vector<int> path;
        for (const int element : paths_[order[k]]) {
            path.push_back(element);
            const auto [it, isNew] = last.emplace(path, k);
            if (!isNew && it->second + 1 != k) return false;
            it->second = k;
        }
    }
    return true;
}

bool OrderRules::isWholeGroup(const OpOrder& order, Block block) const {
    const int group = groupOf(order[block.begin]);
    if (group < 0) return false;
    for (std::size_t k = block.begin; k < block.end; ++k) {
        if (groupOf(order[k]) != group) return false;
    }
    const bool openLeft = block.begin > 0 && groupOf(order[block.begin - 1]) == group;
    const bool openRight = block.end < order.size() && groupOf(order[block.end]) == group;
    return !openLeft && !openRight;
}

std::vector<OrderRules::Block> OrderRules::blocks(const OpOrder& order) const {
    std::vector<Block> found;
    const auto movable = [&](Block b) {
        return std::none_of(order.begin() + static_cast<std::ptrdiff_t>(b.begin),
                            order.begin() + static_cast<std::ptrdiff_t>(b.end),
                            [&](std::size_t op) { return isBarrier(op); });
    };
    std::size_t groupBegin = 0;
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t end = begin + 1;
        bool onePath = true;
        while (end < order.size() && unitOf(order[end]) == unitOf(order[begin])) {
            onePath = onePath && paths_[order[end]] == paths_[order[begin]];
            ++end;
        }
        if (onePath && movable({begin, end})) found.push_back({begin, end});
        const int group = groupOf(order[begin]);
        if (begin == 0 || groupOf(order[begin - 1]) != group) groupBegin = begin;
        const bool closes = end == order.size() || groupOf(order[end]) != group;
        const Block whole{groupBegin, end};
        if (group >= 0 && closes && movable(whole) && (found.empty() || found.back() != whole)) found.push_back(whole);
        begin = end;
    }
    return found;
}

bool OrderRules::mayPass(const OpOrder& order, Block block, std::size_t other) const {
    const std::size_t op = order[other];
    if (isBarrier(op)) return false;
    const bool toTheRight = other >= block.end;
    for (std::size_t k = block.begin; k < block.end; ++k) {
        if (toTheRight ? depends(op, order[k]) : depends(order[k], op)) return false;
    }
    // Inside a loop body a block passes only what stands in the same body.
    const std::vector<int>& path = paths_[order[block.begin]];
    return path.empty() || paths_[op] == path || isWholeGroup(order, block);
}

bool OrderRules::mayBeginBetween(const OpOrder& order, Block block, std::size_t left, std::size_t right) const {
    if (left == kNone || right >= order.size()) return true;
    if (unitOf(order[left]) == unitOf(order[right])) return false;
    const bool insideGroup = groupOf(order[left]) >= 0 && groupOf(order[left]) == groupOf(order[right]);
    return !insideGroup || groupOf(order[block.begin]) == groupOf(order[left]);
}

std::vector<std::size_t> OrderRules::positions(const OpOrder& order, Block block) const {
    std::vector<std::size_t> earlier, later;
    for (std::size_t left = block.begin; left-- > 0;) {
        if (!mayPass(order, block, left)) break;
        const std::size_t neighbour = left == 0 ? kNone : left - 1;
        if (mayBeginBetween(order, block, neighbour, left)) earlier.push_back(left);
    }
    for (std::size_t right = block.end; right < order.size(); ++right) {
        if (!mayPass(order, block, right)) break;
        if (mayBeginBetween(order, block, right, right + 1)) later.push_back(right + 1 - (block.end - block.begin));
    }
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < std::max(earlier.size(), later.size()); ++i) {
        if (i < earlier.size()) found.push_back(earlier[i]);
        if (i < later.size()) found.push_back(later[i]);
    }
    return found;
}

}  // namespace memplan::spyre
