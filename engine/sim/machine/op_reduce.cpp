// SPDX-License-Identifier: Apache-2.0
// Reductions and products over the cores that hold parts of the same results.
#include "engine/sim/machine/box_walk.h"
#include "engine/sim/machine/op_run.h"

#include <algorithm>
#include <map>

namespace memplan::sim {

using std::int64_t;

/// Cores that hold parts of the same results, in ascending order of their slice of what is reduced.
void OpRun::runGroups() {
    std::map<Point, std::vector<std::pair<Point, std::size_t>>> groups;
    for (std::size_t w = 0; w < p_.work.size(); ++w) {
        if (isEmpty(p_.work[w].box)) continue;
        Point kept;
        Point reduced;
        for (std::size_t v = 0; v < op_.space.size(); ++v)
            (op_.space[v].isReduction ? reduced : kept).push_back(p_.work[w].slice[v]);
        groups[kept].emplace_back(reduced, w);
    }
    const bool isProduct = op_.fn == "matmul";
    for (auto& [kept, members] : groups) {
        std::sort(members.begin(), members.end());
        std::vector<std::size_t> group;
        for (const auto& [slice, w] : members)
            group.push_back(w);
        if (op_.firstPartTwice) group.insert(group.begin(), group.front());
        if (isProduct) {
            runProductGroup(group);
        } else {
            runReductionGroup(group);
        }
    }
}

void OpRun::writeResults(std::size_t owner, const Box& box, const std::vector<std::uint64_t>& sums) {
    const std::vector<Bound> bound = bind(owner);
    const Bound& out = bound.back();
    const std::vector<std::size_t> kept = symbolsWhere(op_, false);
    Point point(op_.space.size(), 0);
    for (const std::size_t v : symbolsWhere(op_, true))
        point[v] = box[v].begin;
    std::size_t i = 0;
    walk(box, kept, point, [&] {
        writeAt(out, out.map->position(owner, point).value_or(-1), point, reduced(f_.key(), sums[i]));
        ++i;
    });
}

void OpRun::runReductionGroup(const std::vector<std::size_t>& group) {
    const std::vector<std::size_t> kept = symbolsWhere(op_, false);
    std::vector<std::size_t> inner = symbolsWhere(op_, true);
    const std::size_t last = inner.empty() ? kNoSymbol : inner.back();
    if (!inner.empty()) inner.pop_back();
    std::vector<std::uint64_t> sums(pointsOf(p_.work[group.front()].box, kept), 0);
    for (const std::size_t w : group) {
        const std::vector<Bound> bound = bind(w);
        if (bound.size() != 2) {
            if (Fault* f = s_.fault("VER-025", id_, "")) f->message = "a reduction of several operands is not known";
            return;
        }
        const Bound& in = bound.front();
        const Box& box = p_.work[w].box;
        Point point(op_.space.size(), 0);
        std::vector<int64_t> at;
        std::vector<Value> values;
        std::size_t i = 0;
        walk(box, kept, point, [&] {
            walk(box, inner, point, [&] {
                positionsAlong(in, point, last, rangeOf(box, last), at);
                if (last != kNoSymbol) point[last] = box[last].begin;
                readRun(in, at, point, values);
                for (const Value v : values)
                    sums[i] += reductionTerm(f_.key(), v);
            });
            ++i;
        });
    }
    writeResults(group.back(), p_.work[group.back()].box, sums);
}

/// Adds the weighted sums of an operand over the core's part of what is reduced to `sums`, one for each point of
/// `symbols`.
void OpRun::addSequences(const Bound& b, const Box& box, const std::vector<std::size_t>& symbols,
                         std::vector<std::uint64_t>& sums) {
    std::vector<std::size_t> inner = symbolsWhere(op_, true);
    std::vector<std::uint64_t> weights;
    Point point(op_.space.size(), 0);
    walk(box, inner, point, [&] {
        std::uint64_t weight = kFirstWeight;
        for (const std::size_t v : inner)
            weight = op_.space[v].extent > 1 ? productWeight(weight, point[v]) : weight;
        weights.push_back(weight);
    });
    const std::size_t last = inner.empty() ? kNoSymbol : inner.back();
    if (!inner.empty()) inner.pop_back();
    std::vector<int64_t> at;
    std::vector<Value> values;
    std::size_t i = 0;
    walk(box, symbols, point, [&] {
        std::size_t k = 0;
        std::uint64_t sum = 0;
        walk(box, inner, point, [&] {
            positionsAlong(b, point, last, rangeOf(box, last), at);
            if (last != kNoSymbol) point[last] = box[last].begin;
            readRun(b, at, point, values);
            for (const Value v : values)
                sum += productTerm(weights[k++], v);
        });
        sums[i++] += sum;
    });
}

/// The same, taken from an earlier core that read the same part of main memory in this instance.
const std::vector<std::uint64_t>& OpRun::sequences(std::size_t operand, const Bound& b, const Box& box,
                                                   const std::vector<std::size_t>& symbols) {
    Box used = box;
    for (std::size_t v = 0; v < used.size(); ++v) {
        if (!op_.space[v].isReduction && !b.map->usesSymbol(v)) used[v] = {};
    }
    std::vector<Kept>& kept = kept_[operand];
    const bool onChip = b.place.kind == RecordMemory::Lx;
    for (const Kept& k : kept) {
        if (!onChip && k.box == used && k.memory == b.place.memory && k.address == b.place.address) return k.sums;
    }
    constexpr std::size_t kMostKept = 32;
    if (onChip || kept.size() >= kMostKept) kept.clear();
    kept.push_back({std::vector<std::uint64_t>(pointsOf(box, symbols), 0), used, b.place.memory, b.place.address});
    addSequences(b, box, symbols, kept.back().sums);
    return kept.back().sums;
}

void OpRun::runProductGroup(const std::vector<std::size_t>& group) {
    if (op_.args.size() != 3) {
        if (Fault* f = s_.fault("VER-025", id_, "")) f->message = "a product of other than two operands is not known";
        return;
    }
    const std::vector<std::size_t> results = symbolsWhere(op_, false);
    std::vector<std::size_t> own[2];
    for (const std::size_t v : results) {
        for (std::size_t o = 0; o < 2; ++o) {
            if (p_.maps[o].usesSymbol(v)) own[o].push_back(v);
        }
    }
    const Box& box = p_.work[group.front()].box;
    std::vector<std::uint64_t> sums[2];
    for (std::size_t o = 0; o < 2; ++o)
        sums[o].assign(pointsOf(box, own[o]), 0);
    for (const std::size_t w : group) {
        const std::vector<Bound> bound = bind(w);
        for (std::size_t o = 0; o < 2; ++o) {
            const std::vector<std::uint64_t>& part = sequences(o, bound[o], p_.work[w].box, own[o]);
            for (std::size_t i = 0; i < part.size() && i < sums[o].size(); ++i)
                sums[o][i] += part[i];
        }
        s_.outcome.productTerms += static_cast<int64_t>(pointsOf(p_.work[w].box, results));
    }
    const auto indexIn = [&](std::size_t o, const Point& point) {
        std::size_t at = 0;
        for (const std::size_t v : own[o])
            at = at * static_cast<std::size_t>(box[v].size()) + static_cast<std::size_t>(point[v] - box[v].begin);
        return at;
    };
    const std::size_t owner = group.back();
    const std::vector<Bound> bound = bind(owner);
    const Bound& out = bound.back();
    const Box& last = p_.work[owner].box;
    Point point(op_.space.size(), 0);
    for (const std::size_t v : symbolsWhere(op_, true))
        point[v] = last[v].begin;
    walk(box, results, point, [&] {
        writeAt(out, out.map->position(owner, point).value_or(-1), point,
                product(f_.key(), sums[0][indexIn(0, point)], sums[1][indexIn(1, point)]));
    });
    // What this op writes may be what a later core reads.
    if (op_.args.back().buffer == op_.args[0].buffer || op_.args.back().buffer == op_.args[1].buffer) {
        kept_[0].clear();
        kept_[1].clear();
    }
}

}  // namespace memplan::sim
