// SPDX-License-Identifier: Apache-2.0
// Greedy placement among fixed buffers (scratchpad 4.1, 5): the rules of the chapter, with every fixed buffer
// that coexists counted as live, also before its lifetime begins.
#include "engine/base/numeric.h"
#include "engine/solve/heuristics/flat_items.h"
#include "engine/solve/heuristics/heuristics.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace memplan::solve {

namespace {

constexpr int kPollInterval = 256;

struct Taken {
    Address begin = 0;
    Address end = 0;
    int buffer = -1;
};

class HintedGreedy {
public:
    HintedGreedy(const Problem& problem, const RunControl& control)
        : flat_(problem), control_(control), isHanded_(flat_.count(), 0) {
        solution_.addresses.resize(flat_.count());
        solution_.inPlaceParent.assign(flat_.count(), -1);
        for (std::size_t i = 0; i < flat_.count(); ++i) {
            if (!flat_.isFixed(i)) continue;
            fixed_.push_back(static_cast<int>(i));
            solution_.addresses[i] = flat_.fixed[i];
        }
    }

    Result<Solution> run() {
        int sincePoll = 0;
        for (const int b : orderByKey(std::vector<std::int64_t>(flat_.start.begin(), flat_.start.end()))) {
            if (++sincePoll == kPollInterval) {
                sincePoll = 0;
                if (control_.cancelled()) return cancelledError();
                if (control_.timedOut()) {
                    solution_.status = Status::Stopped;
                    break;
                }
            }
            const auto at = static_cast<std::size_t>(b);
            std::erase_if(live_,
                          [&](int other) { return flat_.end[static_cast<std::size_t>(other)] <= flat_.start[at]; });
            if (flat_.candidate[at] != 0 && !flat_.isFixed(at)) place(b);
        }
        return std::move(solution_);
    }

private:
    void place(int buffer) {
        const auto at = static_cast<std::size_t>(buffer);
        collect(at);
        std::optional<Address> address = parentSlot(at);
        if (!address && !flat_.needsSlot(at)) address = block(at);
        if (!address) return;
        solution_.addresses[at] = *address;
        live_.push_back(buffer);
    }

    /// Everything that counts as live for this buffer, by address.
    void collect(std::size_t at) {
        taken_.clear();
        const auto add = [&](int other) {
            const auto o = static_cast<std::size_t>(other);
            if (flat_.size[o] == 0) return;
            taken_.push_back({*solution_.addresses[o], *solution_.addresses[o] + flat_.size[o], other});
        };
        for (const int other : live_)
            add(other);
        for (const int other : fixed_) {
            const auto o = static_cast<std::size_t>(other);
            if (flat_.start[o] < flat_.end[at] && flat_.start[at] < flat_.end[o]) add(other);
        }
        std::sort(taken_.begin(), taken_.end(), [](const Taken& a, const Taken& b) { return a.begin < b.begin; });
    }

    [[nodiscard]] bool isFree(Address begin, Address end, int apartFrom) const {
        return std::none_of(taken_.begin(), taken_.end(),
                            [&](const Taken& t) { return t.buffer != apartFrom && t.begin < end && begin < t.end; });
    }

    std::optional<Address> parentSlot(std::size_t child) {
        for (const int parent : flat_.parents(child)) {
            const auto p = static_cast<std::size_t>(parent);
            if (isHanded_[p] != 0 || !solution_.addresses[p] || flat_.size[child] > flat_.size[p]) continue;
            const Address address = *solution_.addresses[p];
            if (address % flat_.alignment[child] != 0 || address > flat_.lastAddress(child)) continue;
            if (!isFree(address, address + flat_.size[child], parent)) continue;
            isHanded_[p] = 1;
            solution_.inPlaceParent[child] = parent;
            return address;
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<Address> block(std::size_t at) const {
        const Bytes size = flat_.size[at];
        const Address last = flat_.lastAddress(at);
        if (last < 0) return std::nullopt;
        if (taken_.empty() || taken_.front().begin >= size) return 0;
        Address top = 0;
        for (const Taken& t : taken_)
            top = std::max(top, t.end);
        const Address above = alignUp(top, flat_.alignment[at]);
        if (above <= last) return above;
        Address reached = taken_.front().end;
        for (const Taken& t : taken_) {
            const Address base = alignUp(reached, flat_.alignment[at]);
            if (t.begin > reached && base + size <= t.begin && base <= last) return base;
            reached = std::max(reached, t.end);
        }
        return std::nullopt;
    }

    FlatItems flat_;
    const RunControl& control_;
    std::vector<int> fixed_;
    std::vector<int> live_;  ///< placed and not fixed
    std::vector<Taken> taken_;
    std::vector<std::uint8_t> isHanded_;
    Solution solution_;
};

}  // namespace

Result<Solution> placeGreedilyWithHints(const Problem& problem, const RunControl& control) {
    return HintedGreedy(problem, control).run();
}

}  // namespace memplan::solve
