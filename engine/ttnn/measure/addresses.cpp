// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/measure/addresses.h"

#include "engine/base/text.h"

#include <algorithm>
#include <vector>

namespace memplan::ttnn {
namespace {

struct Placed {
    Bytes address = 0, bytes = 0;
    Step end = 0;  ///< of its positions
};

class Placer {
public:
    Placer(Bytes limit, Bytes alignment) : limit_(limit), alignment_(std::max<Bytes>(alignment, 1)) {}

    void free(Step position) {
        std::erase_if(placed_, [&](const Placed& p) { return p.end <= position; });
    }
    /// First fit from the top. False where there is no gap.
    bool place(const L1Tensor& tensor) {
        Bytes top = limit_;
        std::size_t at = 0;
        for (; at < placed_.size(); ++at) {
            if (below(top, tensor.bytes) >= placed_[at].address + placed_[at].bytes) break;
            top = placed_[at].address;
        }
        const Bytes address = below(top, tensor.bytes);
        if (address < 0) return false;
        placed_.insert(placed_.begin() + static_cast<std::ptrdiff_t>(at),
                       {address, tensor.bytes, tensor.positions.end});
        return true;
    }
    [[nodiscard]] Bytes lowest() const { return placed_.empty() ? limit_ : placed_.back().address; }

private:
    /// Where that many bytes end at `top` or below.
    [[nodiscard]] Bytes below(Bytes top, Bytes bytes) const {
        return top < bytes ? -1 : (top - bytes) / alignment_ * alignment_;
    }

    Bytes limit_, alignment_;
    std::vector<Placed> placed_;  ///< from the top
};

}  // namespace

std::optional<Fragmented> firstFragmented(const Measures& measures, Bytes alignment) {
    std::vector<const OpMeasure*> ops(measures.residency.live.size(), nullptr);
    for (const OpMeasure& op : measures.ops)
        if (op.status != ValidationStatus::NotImplemented) ops[op.position] = &op;
    const std::vector<L1Tensor>& tensors = measures.residency.tensors;
    Placer placer(measures.limit, alignment);
    for (std::size_t at = 0, next = 0; at < ops.size(); ++at) {
        const auto step = static_cast<Step>(at);
        const Bytes live = measures.residency.live[at];
        const Bytes need = ops[at] != nullptr ? ops[at]->need : 0, cb = ops[at] != nullptr ? ops[at]->cb : 0;
        // A convolution that frees its operand needs less than all that is there: the result comes after it has gone.
        placer.free(need > 0 && need < live + cb ? step + 1 : step);
        const Bytes buffers = std::max(cb, need - live);
        for (; next < tensors.size() && tensors[next].positions.begin == step; ++next)
            if (!placer.place(tensors[next])) return Fragmented{at, buffers, 0};
        if (placer.lowest() < buffers) return Fragmented{at, buffers, placer.lowest()};
    }
    return std::nullopt;
}

std::string wordsOf(const Fragmented& found) {
    return "needs " + text::grouped(found.buffers) + " bytes of buffers on a core, and " + text::grouped(found.free) +
           " are free below the tensors in L1, which lie in pieces";
}

}  // namespace memplan::ttnn
