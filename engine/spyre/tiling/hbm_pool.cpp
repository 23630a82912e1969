// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/tiling/hbm_pool.h"

#include "engine/base/numeric.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace memplan::spyre {
namespace {

constexpr Bytes kAlignment = 128;

struct Block {
    Address offset = 0;
    Bytes bytes = 0;
};

struct Live {
    Block block;
    Step end = 0;  ///< half open
};

/// First fit over a list that only ever grows at its end.
class Allocator {
public:
    Address take(Bytes bytes, StepRange life) {
        release(life.begin);
        Block block{end_, bytes};
        const auto free = std::find_if(free_.begin(), free_.end(), [&](const Block& b) { return b.bytes >= bytes; });
        if (free == free_.end()) {
            end_ += bytes;
        } else {
            block.offset = free->offset;
            const Block rest{free->offset + bytes, free->bytes - bytes};
            free_.erase(free);
            if (rest.bytes > 0) free_.push_back(rest);
        }
        live_.push_back({block, life.end});
        used_ += bytes;
        if (used_ > peak_) {
            peak_ = used_;
            peakStep_ = life.begin;
        }
        return block.offset;
    }

    [[nodiscard]] Bytes end() const { return end_; }
    [[nodiscard]] Bytes peak() const { return peak_; }
    [[nodiscard]] Step peakStep() const { return peakStep_; }

private:
    std::vector<Live> live_;
    std::vector<Block> free_;
    Bytes end_ = 0, used_ = 0, peak_ = 0;
    Step peakStep_ = 0;

    void release(Step now) {
        std::vector<Live> kept;
        for (const Live& l : live_) {
            if (l.end > now) {
                kept.push_back(l);
                continue;
            }
            free_.push_back(l.block);
            used_ -= l.block.bytes;
        }
        live_ = std::move(kept);
    }
};

std::optional<std::size_t> largestAt(Step step, const std::vector<PoolBuffer>& buffers) {
    std::optional<std::size_t> largest;
    for (std::size_t b = 0; b < buffers.size(); ++b) {
        const bool isLive = buffers[b].life.begin <= step && step < buffers[b].life.end;
        if (isLive && (!largest || buffers[b].bytes > buffers[*largest].bytes)) largest = b;
    }
    return largest;
}

}  // namespace

PoolLayout allocatePool(const std::vector<PoolBuffer>& buffers) {
    std::vector<std::size_t> order(buffers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tie(buffers[a].life.begin, buffers[a].life.end, buffers[a].name) <
               std::tie(buffers[b].life.begin, buffers[b].life.end, buffers[b].name);
    });
    PoolLayout out;
    out.offsets.assign(buffers.size(), 0);
    Allocator allocator;
    for (const std::size_t b : order) {
        const Bytes bytes = ceilDiv(buffers[b].bytes, kAlignment) * kAlignment;
        out.offsets[b] = allocator.take(bytes, buffers[b].life);
    }
    out.size = allocator.end();
    out.peak = allocator.peak();
    out.largestAtPeak = largestAt(allocator.peakStep(), buffers);
    return out;
}

}  // namespace memplan::spyre
