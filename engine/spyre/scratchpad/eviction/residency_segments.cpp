// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/eviction/residency_segments.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/spyre/joint/relayout.h"
#include "engine/spyre/texts/decisions.h"

#include <algorithm>
#include <map>

namespace memplan::spyre {
namespace {

bool isShuffle(const Op& op) {
    return op.fn == joint::kRelayoutFn;
}

class CrossingBuilder {
public:
    CrossingBuilder(const State& state, const KernelMap& kernels, const std::set<BufferId>& refused)
        : program_(state.program), entries_(state.scratchpad.entries), kernels_(kernels), refused_(refused) {}

    [[nodiscard]] std::optional<Crossing> build(BufferId id) const {
        if (!entries_[id.at()].address) return std::nullopt;
        Crossing c;
        c.buffer = id;
        c.isClean = program_.buffers[id.at()].cloneOf.isValid();
        collectStays(c);
        if (!isCrossing(c)) return std::nullopt;
        choose(c);
        pay(c);
        return c;
    }

private:
    [[nodiscard]] int kernelOf(OpId op) const { return kernels_.kernelOf[op.at()]; }
    [[nodiscard]] const std::string& nameOf(OpId op) const { return program_.ops[op.at()].name; }

    void collectStays(Crossing& c) const {
        for (const OpId use : entries_[c.buffer.at()].uses) {
            if (kernelOf(use) < 0) continue;
            if (isEvict(program_.ops[use.at()])) {
                c.evictions.push_back(use);
                continue;
            }
            if (c.segments.empty() || c.segments.back().kernel != kernelOf(use))
                c.segments.push_back({kernelOf(use), {}, 0, 0});
            c.segments.back().ops.push_back(use);
            c.segments.back().reads += readsPerRun(program_, use, c.buffer);
            c.segments.back().writes += writesPerRun(program_, use, c.buffer);
        }
    }

    [[nodiscard]] bool isCrossing(const Crossing& c) const {
        if (c.segments.size() != 1) return !c.segments.empty();
        return std::any_of(c.evictions.begin(), c.evictions.end(),
                           [&](OpId e) { return kernelOf(e) != c.segments.front().kernel; });
    }

    /// A stay on chip costs one transfer each way and pays from the second read on; the first one needs no fetching.
    void choose(Crossing& c) const {
        const bool mayStay = !refused_.contains(c.buffer) && !shuffleSource(c).isValid() && holdsOneValue(c);
        for (std::size_t s = 0; s < c.segments.size(); ++s) {
            ResidencySegment& segment = c.segments[s];
            const std::int64_t least = s == 0 && !c.isClean ? 1 : 2;
            segment.onChip =
                mayStay && kernels_.isOpen[static_cast<std::size_t>(segment.kernel)] && segment.reads >= least;
        }
    }

    [[nodiscard]] bool holdsOneValue(const Crossing& c) const {
        std::size_t writers = 0;
        for (const ResidencySegment& s : c.segments) {
            for (const OpId op : s.ops)
                writers += program_.ops[op.at()].write.buffer == c.buffer ? 1U : 0U;
        }
        return writers == 1 && c.segments.front().writes > 0;
    }

    /// A shuffle reads slices of other cores on chip: its source and copies leave the chip together. Invalid without.
    [[nodiscard]] BufferId shuffleSource(const Crossing& c) const {
        for (const OpId use : entries_[c.buffer.at()].uses) {
            if (isShuffle(program_.ops[use.at()])) return program_.ops[use.at()].reads.front().buffer;
        }
        return {};
    }

    void pay(Crossing& c) const {
        const Bytes size = entries_[c.buffer.at()].size;
        const auto add = [&](OpId op, bool after, std::int64_t transfers) {
            if (transfers != 0) c.payments.push_back({nameOf(op), after, saturatedMul(size, transfers)});
        };
        if (const BufferId source = shuffleSource(c); source.isValid()) return payShuffle(c, source);
        const ResidencySegment& first = c.segments.front();
        const std::int64_t had = c.evictions.empty() ? 0 : 1;
        if (!c.isClean) {
            add(first.ops.back(), true, (first.onChip ? 1 : first.writes + first.reads) - had);
        } else if (!first.onChip && first.ops.size() > 1) {
            add(first.ops.back(), true, first.reads - 1);  // its copy's read falls away
        } else if (!first.onChip && c.segments.size() > 1) {
            add(c.segments[1].ops.front(), false, -1);
        }
        for (std::size_t s = 1; s < c.segments.size(); ++s)
            add(c.segments[s].ops.front(), false,
                c.segments[s].onChip ? 1 : c.segments[s].reads + c.segments[s].writes);
    }

    /// The source is written and read in main memory by everybody; reported once, at the source if that crosses itself.
    void payShuffle(Crossing& c, BufferId source) const {
        if (c.buffer != source && build(source)) return;
        std::int64_t transfers = 0;
        OpId last;
        for (std::size_t i = 0; i < program_.ops.size(); ++i) {
            const OpId id = OpId::of(i);
            const Op& op = program_.ops[i];
            if (op.write.buffer == source) last = id;
            transfers += writesPerRun(program_, id, source);
            if (!isShuffle(op)) transfers += readsPerRun(program_, id, source);
            if (isShuffle(op) && op.reads.front().buffer == source) transfers += readsOf(op.write.buffer);
        }
        if (last.isValid())
            c.payments.push_back({nameOf(last), true, saturatedMul(entries_[source.at()].size, transfers)});
    }

    [[nodiscard]] std::int64_t readsOf(BufferId buffer) const {
        std::int64_t reads = 0;
        for (const OpId use : entries_[buffer.at()].uses)
            reads += readsPerRun(program_, use, buffer);
        return reads;
    }

    const Program& program_;
    const std::vector<ScratchpadState::Entry>& entries_;
    const KernelMap& kernels_;
    const std::set<BufferId>& refused_;
};

}  // namespace

Bytes Crossing::price() const {
    Bytes sum = 0;
    for (const auto& p : payments)
        sum += p.bytes;
    return sum;
}

KernelMap kernelMap(const Program& program, const std::vector<Kernel>& kernels) {
    KernelMap map;
    map.kernelOf.assign(program.ops.size(), -1);
    for (std::size_t k = 0; k < kernels.size(); ++k) {
        const bool loops =
            std::any_of(kernels[k].nodes.begin(), kernels[k].nodes.end(), [](const LoopNode& n) { return n.isLoop(); });
        map.isOpen.push_back(!loops && !kernels[k].isFallback);
        for (const OpId op : kernels[k].ops)
            map.kernelOf[op.at()] = static_cast<int>(k);
    }
    return map;
}

std::optional<Crossing> crossingOf(const State& state, const KernelMap& kernels, BufferId buffer,
                                   const std::set<BufferId>& refused) {
    return CrossingBuilder(state, kernels, refused).build(buffer);
}

std::vector<Crossing> crossings(const State& state, const KernelMap& kernels) {
    std::vector<Crossing> found;
    const std::set<BufferId> none;
    const CrossingBuilder builder(state, kernels, none);
    for (std::size_t b = 0; b < state.scratchpad.entries.size(); ++b) {
        if (auto c = builder.build(BufferId::of(b))) found.push_back(std::move(*c));
    }
    return found;
}

std::vector<Bytes> pricePerBoundary(const Program& program, const KernelMap& kernels,
                                    const std::vector<BoundaryPayment>& payments) {
    std::vector<Bytes> price(kernels.isOpen.size(), 0);
    std::map<std::string, std::size_t> position;
    for (std::size_t i = 0; i < program.ops.size(); ++i)
        position[program.ops[i].name] = i;
    // The last kernel has no boundary behind it, the first none in front.
    const int last = std::max(static_cast<int>(price.size()) - 2, 0);
    for (const BoundaryPayment& p : payments) {
        const auto at = position.find(p.op);
        if (at == position.end() || kernels.kernelOf[at->second] < 0) continue;
        const int boundary = std::clamp(kernels.kernelOf[at->second] - (p.after ? 0 : 1), 0, last);
        price[static_cast<std::size_t>(boundary)] += p.bytes;
    }
    return price;
}

void reportPrices(const Program& program, const KernelMap& kernels, const std::vector<BoundaryPayment>& payments,
                  bool paid, PassContext& context) {
    const std::vector<Bytes> price = pricePerBoundary(program, kernels, payments);
    std::vector<OpId> lastOf(price.size());
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if (kernels.kernelOf[i] >= 0) lastOf[static_cast<std::size_t>(kernels.kernelOf[i])] = OpId::of(i);
    }
    for (std::size_t k = 0; k < price.size(); ++k) {
        if (price[k] == 0 || !lastOf[k].isValid()) continue;
        Decision d;
        d.op = lastOf[k];
        d.kind = DecisionKind::BoundaryPrice;
        d.chosen = {say::kBytes, price[k]};
        d.alternatives = {{say::kTrafficBytes, static_cast<double>(price[k])}};
        d.why = {paid ? say::kBoundaryCosts : say::kBoundaryWouldCost};
        context.decide(std::move(d));
    }
}

}  // namespace memplan::spyre
