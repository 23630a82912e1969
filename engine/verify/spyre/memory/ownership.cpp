// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/memory/ownership.h"

#include "engine/base/numeric.h"
#include "engine/base/small_vector.h"
#include "engine/base/text.h"
#include "engine/verify/finding.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace memplan::verify {
namespace {

using text::grouped;

constexpr std::int64_t kLargest = std::int64_t{1} << 48;
constexpr std::int64_t kMostCores = 4096;

/// First and last of something, both included.
struct Range {
    std::int64_t first = 0, last = 0;
};

/// What a core sees of one device dimension. Where the positions begin again inside a slice, `widest` is the whole
/// dimension and `surely` only what is accessed for certain.
struct Seen {
    Range surely, widest;
};

/// One op's use of a buffer.
struct Use {
    const PlanOp* op = nullptr;
    const PlanAccess* access = nullptr;
};

/// Each core works on the same elements in both uses, so a reader finds what such a writer left. Most edges are of
/// this kind: loops cut alike, the same index.
bool areAlike(const Use& a, const Use& b) {
    const auto cutAlike = [](const IterationDim& x, const IterationDim& y) {
        return x.extent == y.extent && x.slices == y.slices && x.adjusted == y.adjusted &&
               x.elemsPerStick == y.elemsPerStick;
    };
    return a.op->cores == b.op->cores && a.op->kAdjacent == b.op->kAdjacent && a.access->offset == b.access->offset &&
           a.access->coefficients == b.access->coefficients &&
           std::equal(a.op->iterationSpace.begin(), a.op->iterationSpace.end(), b.op->iterationSpace.begin(),
                      b.op->iterationSpace.end(), cutAlike);
}

using LoopRanges = SmallVector<Range, 8>;

/// Elements of every loop that a core works on; equal numbers of sticks along a stick loop.
LoopRanges loopRanges(const PlanOp& op, std::int64_t core) {
    const std::size_t count = op.iterationSpace.size();
    LoopRanges out;
    out.resize(count);
    std::int64_t before = 1;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t v = !op.kAdjacent ? i : i == 0 ? count - 1 : i - 1;
        const IterationDim& d = op.iterationSpace[v];
        const std::int64_t slices = std::max<std::int64_t>(d.slices, 1);
        const std::int64_t slice = core / before % slices;
        before *= slices;
        const std::int64_t elements = d.adjusted / slices * std::max<std::int64_t>(d.elemsPerStick, 1);
        out[v] = {std::min(slice * elements, d.extent), std::min((slice + 1) * elements, d.extent) - 1};
    }
    return out;
}

/// What one core does of a use that writes.
struct Writing {
    const Use* use = nullptr;
    LoopRanges loops;
};

/// Smallest host stride above `stride` among dimensions of more than one position; 0 for none.
std::int64_t wrapOf(const BufferLayout& layout, std::int64_t stride) {
    std::int64_t next = 0;
    for (std::size_t d = 0; d < layout.strideMap.size(); ++d) {
        const bool isAbove = layout.deviceSize[d] > 1 && layout.strideMap[d] > stride;
        if (isAbove && (next == 0 || layout.strideMap[d] < next)) next = layout.strideMap[d];
    }
    return next;
}

Seen seenOf(const Use& use, const LoopRanges& loops, std::int64_t stride, std::int64_t wrap) {
    Range at{use.access->offset, use.access->offset};
    for (std::size_t v = 0; v < loops.size(); ++v) {
        const std::int64_t step = use.access->coefficients[v];
        // A loop that goes on by whole turns of the dimension does not move along it.
        if (wrap > 0 && step % wrap == 0) continue;
        at.first += step * (step < 0 ? loops[v].last : loops[v].first);
        at.last += step * (step < 0 ? loops[v].first : loops[v].last);
    }
    if (wrap == 0) return {{at.first / stride, at.last / stride}, {at.first / stride, at.last / stride}};
    const Range ends{at.first % wrap / stride, at.last % wrap / stride};
    if (at.first / wrap == at.last / wrap) return {ends, ends};
    return {{std::min(ends.first, ends.last), std::max(ends.first, ends.last)}, {0, wrap / stride - 1}};
}

class OwnershipCheck {
public:
    explicit OwnershipCheck(const Plan& plan) : plan_(plan), uses_(plan.buffers.size()) {
        for (const PlanOp& op : plan.ops) {
            for (const PlanAccess& a : op.accesses)
                uses_[a.buffer.at()].push_back({&op, &a});
        }
    }

    std::vector<Diagnostic> run() {
        for (std::size_t b = 0; b < plan_.buffers.size(); ++b) {
            if (isOnChip(plan_.buffers[b].space)) checkBuffer(BufferId::of(b));
        }
        return std::move(found_);
    }

private:
    const Plan& plan_;
    std::vector<std::vector<Use>> uses_;
    std::vector<Diagnostic> found_;

    void checkBuffer(BufferId id) {
        const PlanBuffer& b = plan_.buffer(id);
        if (!b.layout || b.layout->strideMap.size() != b.layout->deviceSize.size()) return;
        std::vector<Use> writers;
        for (const Use& use : uses_[id.at()]) {
            if (!isReadable(use, *b.layout)) return;
            if (use.access->isWrite) writers.push_back(use);
        }
        if (writers.empty()) return;
        for (const Use& use : uses_[id.at()]) {
            const bool overTheRing = use.op->kind == "relayout";
            if (use.access->isWrite || overTheRing) continue;
            const bool asWritten =
                std::any_of(writers.begin(), writers.end(), [&](const Use& w) { return areAlike(w, use); });
            if (!asWritten && checkReader(id, writers, use)) return;
        }
    }

    /// The figures can be those of a real tensor, so that sums of them stay in 64 bits.
    static bool isReadable(const Use& use, const BufferLayout& layout) {
        const PlanAccess& a = *use.access;
        const PlanOp& op = *use.op;
        if (a.isIndirect || a.coefficients.size() != op.iterationSpace.size()) return false;
        if (op.cores < 1 || op.cores > kMostCores || a.offset < 0 || a.offset > kLargest) return false;
        for (std::size_t v = 0; v < a.coefficients.size(); ++v) {
            const IterationDim& d = op.iterationSpace[v];
            const auto reach = checkedMul(a.coefficients[v], std::max<std::int64_t>(d.extent, 1));
            if (!reach || *reach < 0 || *reach > kLargest || d.extent < 1 || d.adjusted > kLargest) return false;
        }
        return std::none_of(layout.strideMap.begin(), layout.strideMap.end(), [](auto s) { return s > kLargest; });
    }

    bool checkReader(BufferId id, const std::vector<Use>& writers, const Use& reader) {
        const BufferLayout& layout = *plan_.buffer(id).layout;
        const std::int64_t cores = reader.op->cores;
        std::vector<Writing> writings;
        for (std::int64_t core = 0; core < cores; ++core) {
            const LoopRanges loops = loopRanges(*reader.op, core);
            writings.clear();
            for (const Use& w : writers) {
                if (core < w.op->cores) writings.push_back({&w, loopRanges(*w.op, core)});
            }
            for (std::size_t d = 0; d + 1 < layout.deviceSize.size(); ++d) {
                const std::int64_t stride = layout.strideMap[d];
                if (stride <= 0 || layout.deviceSize[d] <= 1) continue;
                const std::int64_t wrap = wrapOf(layout, stride);
                const Range needs = seenOf(reader, loops, stride, wrap).surely;
                const Range has = written(writings, stride, wrap);
                if (needs.first >= has.first && needs.last <= has.last) continue;
                report(id, *reader.op, *writers.front().op, core, needs, has);
                return true;
            }
        }
        return false;
    }

    static Range written(const std::vector<Writing>& writings, std::int64_t stride, std::int64_t wrap) {
        std::optional<Range> all;
        for (const Writing& w : writings) {
            const Range r = seenOf(*w.use, w.loops, stride, wrap).widest;
            all = all ? Range{std::min(all->first, r.first), std::max(all->last, r.last)} : r;
        }
        return all.value_or(Range{0, -1});
    }

    void report(BufferId id, const PlanOp& reader, const PlanOp& writer, std::int64_t core, Range needs, Range has) {
        const auto text = [](Range r) {
            return r.last < r.first ? std::string("nothing")
                                    : "[" + grouped(r.first) + ", " + grouped(r.last + 1) + ")";
        };
        std::string message = "core " + std::to_string(core) + " of op \"" + reader.name + "\" reads positions " +
                              text(needs) + " of a device dimension of which op \"" + writer.name + "\" left it " +
                              text(has);
        found_.push_back(finding("VER-008", "buffer " + plan_.buffer(id).name, std::move(message), {}, {id}));
    }
};

}  // namespace

std::vector<Diagnostic> checkOwnership(const Plan& plan) {
    if (plan.target != "spyre") return {};
    return OwnershipCheck(plan).run();
}

}  // namespace memplan::verify
