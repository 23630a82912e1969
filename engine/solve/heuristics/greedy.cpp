// SPDX-License-Identifier: Apache-2.0
// Greedy placement (scratchpad 5) as one sweep over sorted starts and ends.
#include "engine/base/numeric.h"
#include "engine/solve/heuristics/flat_items.h"
#include "engine/solve/heuristics/heuristics.h"
#include "engine/solve/heuristics/slot_map.h"

#include <optional>
#include <vector>

namespace memplan::solve {

namespace {

constexpr int kPollInterval = 4096;  // buffers between two looks at the clock; well below 10 ms of work

std::vector<std::int64_t> widened(const std::vector<Step>& steps) {
    return {steps.begin(), steps.end()};
}

class GreedySweep {
public:
    GreedySweep(const Problem& problem, const RunControl& control)
        : flat_(problem), control_(control), live_(flat_.count(), flat_.commonAlignment), isLive_(flat_.count(), 0),
          isHanded_(flat_.count(), 0) {
        solution_.addresses.resize(flat_.count());
        solution_.inPlaceParent.assign(flat_.count(), -1);
    }

    Result<Solution> run() {
        const std::vector<int> starts = orderByKey(widened(flat_.start));
        const std::vector<int> ends = orderByKey(widened(flat_.end));
        std::size_t nextEnd = 0;
        int sincePoll = 0;
        for (const int b : starts) {
            if (++sincePoll == kPollInterval) {
                sincePoll = 0;
                if (control_.cancelled()) return cancelledError();
                if (control_.timedOut()) {
                    solution_.status = Status::Stopped;
                    break;
                }
            }
            // Everything that ends at or before this tick goes first; no end is skipped because each end is
            // at or before the next start or beyond all of them.
            const Step tick = flat_.start[static_cast<std::size_t>(b)];
            for (; nextEnd < ends.size() && flat_.end[static_cast<std::size_t>(ends[nextEnd])] <= tick; ++nextEnd) {
                retire(ends[nextEnd]);
            }
            if (flat_.candidate[static_cast<std::size_t>(b)] != 0) place(b);
        }
        return std::move(solution_);
    }

private:
    void retire(int buffer) {
        auto& live = isLive_[static_cast<std::size_t>(buffer)];
        if (live == 0) return;
        live = 0;
        live_.remove(buffer);
    }

    void place(int buffer) {
        const auto at = static_cast<std::size_t>(buffer);
        std::optional<Address> address = takeParentSlot(at);
        if (!address) address = findBlock(at);
        if (!address) return;
        solution_.addresses[at] = *address;
        isLive_[at] = 1;
        live_.add(buffer, *address, flat_.size[at]);
    }

    std::optional<Address> takeParentSlot(std::size_t child) {
        for (const int parent : flat_.parents(child)) {
            const auto p = static_cast<std::size_t>(parent);
            if (isHanded_[p] != 0 || isLive_[p] == 0 || flat_.size[child] > flat_.size[p]) continue;
            const Address address = *solution_.addresses[p];
            if (address % flat_.alignment[child] != 0) continue;
            isHanded_[p] = 1;
            solution_.inPlaceParent[child] = parent;
            return address;
        }
        return std::nullopt;
    }

    std::optional<Address> findBlock(std::size_t at) {
        const Bytes size = flat_.size[at];
        if (live_.isEmpty() || live_.lowest() >= size) return 0;
        const Address above = alignUp(live_.highest(), flat_.alignment[at]);
        if (above + size <= flat_.capacity) return above;
        return live_.lowestGap(size, flat_.alignment[at]);
    }

    FlatItems flat_;
    const RunControl& control_;
    SlotMap live_;
    std::vector<std::uint8_t> isLive_;
    std::vector<std::uint8_t> isHanded_;
    Solution solution_;
};

}  // namespace

Error cancelledError() {
    return makeError(kCancelledCode, "", "the solver was cancelled");
}

Result<Solution> placeGreedily(const Problem& problem, const RunControl& control) {
    if (problem.isHinted()) return placeGreedilyWithHints(problem, control);
    return GreedySweep(problem, control).run();
}

}  // namespace memplan::solve
