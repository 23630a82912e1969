// SPDX-License-Identifier: Apache-2.0
// First-fit and best-fit (scratchpad 6.2, 6.3).
#include "engine/base/numeric.h"
#include "engine/solve/heuristics/flat_items.h"
#include "engine/solve/heuristics/heuristics.h"
#include "engine/solve/heuristics/overlap_index.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace memplan::solve {

namespace {

constexpr int kPollInterval = 1024;
constexpr std::size_t kBuckets = 64;
constexpr std::size_t kBucketUpTo = 512;

class ListFit {
public:
    ListFit(const Problem& problem, Fit fit, const RunControl& control)
        : flat_(problem), fit_(fit), control_(control), placed_(flat_), address_(flat_.count(), -1),
          isHanded_(flat_.count(), 0), parent_(flat_.count(), -1) {
        while ((flat_.capacity >> bucketShift_) >= static_cast<Bytes>(kBuckets))
            ++bucketShift_;
        for (std::size_t i = 0; i < flat_.count(); ++i) {
            if (!flat_.isFixed(i)) continue;
            address_[i] = flat_.fixed[i];
            if (flat_.size[i] > 0) placed_.add(static_cast<int>(i));
        }
    }

    Result<Solution> run(const std::vector<int>& order) {
        Status status = Status::Complete;
        int sincePoll = 0;
        for (const int b : order) {
            if (++sincePoll == kPollInterval) {
                sincePoll = 0;
                if (control_.cancelled()) return cancelledError();
                if (control_.timedOut()) {
                    status = Status::Stopped;
                    break;
                }
            }
            place(b);
        }
        return solution(status);
    }

private:
    Solution solution(Status status) {
        Solution result;
        result.addresses.resize(flat_.count());
        for (std::size_t i = 0; i < flat_.count(); ++i) {
            if (address_[i] >= 0) result.addresses[i] = address_[i];
        }
        result.inPlaceParent = std::move(parent_);
        result.status = status;
        return result;
    }

    void place(int buffer) {
        const auto at = static_cast<std::size_t>(buffer);
        if (flat_.isFixed(at)) return;
        std::optional<Address> address;
        if (hasOpenParent(at)) {
            collectObstacles(buffer, true);
            address = inParentSlot(at);
        }
        if (!address && !flat_.needsSlot(at)) {
            collectObstacles(buffer, false);
            address = inFreeGap(at);
        }
        if (!address) return;
        address_[at] = *address;
        if (flat_.size[at] > 0) placed_.add(buffer);  // a buffer of no bytes is no obstacle
    }

    /// A parent offers its slot while it is placed and has not given it away.
    [[nodiscard]] bool isOpen(int parent) const {
        const auto p = static_cast<std::size_t>(parent);
        return address_[p] >= 0 && isHanded_[p] == 0;
    }

    [[nodiscard]] bool hasOpenParent(std::size_t at) const {
        const auto parents = flat_.parents(at);
        return std::any_of(parents.begin(), parents.end(), [&](int p) { return isOpen(p); });
    }

    void collectObstacles(int buffer, bool parentsAreFree) {
        found_.clear();
        const auto parents = flat_.parents(static_cast<std::size_t>(buffer));
        placed_.forEachCoexisting(buffer, [&](int other) {
            if (parentsAreFree && std::find(parents.begin(), parents.end(), other) != parents.end()) return;
            const auto o = static_cast<std::size_t>(other);
            found_.push_back({address_[o], address_[o] + flat_.size[o]});
        });
        sortObstacles();
    }

    /// By address. The lists are short (some dozen) and there is one for every buffer, so they are dealt into buckets
    /// of equal address ranges first; what is left to do inside a bucket is next to nothing.
    void sortObstacles() {
        obstacles_.resize(found_.size());
        const auto byAddress = [](const AddressRange& a, const AddressRange& b) { return a.begin < b.begin; };
        if (found_.size() > kBucketUpTo) {
            obstacles_ = found_;
            std::sort(obstacles_.begin(), obstacles_.end(), byAddress);
            return;
        }
        std::array<std::uint16_t, kBuckets + 1> next{};
        for (const AddressRange& o : found_)
            ++next[bucketOf(o) + 1];
        for (std::size_t b = 1; b < kBuckets; ++b)
            next[b] = static_cast<std::uint16_t>(next[b] + next[b - 1]);
        for (const AddressRange& o : found_)
            obstacles_[next[bucketOf(o)]++] = o;
        for (std::size_t i = 1; i < obstacles_.size(); ++i) {
            const AddressRange moved = obstacles_[i];
            std::size_t at = i;
            for (; at > 0 && byAddress(moved, obstacles_[at - 1]); --at)
                obstacles_[at] = obstacles_[at - 1];
            obstacles_[at] = moved;
        }
    }

    [[nodiscard]] std::size_t bucketOf(const AddressRange& o) const {
        return static_cast<std::size_t>(o.begin >> bucketShift_);
    }

    /// Calls visit(gap) upwards for every free interval of at least `size` bytes until it returns true.
    template <class Visit> void forEachGap(Bytes size, Visit&& visit) const {
        Address cursor = 0;
        for (const AddressRange& o : obstacles_) {
            if (o.begin - cursor >= size && visit(AddressRange{cursor, o.begin})) return;
            cursor = std::max(cursor, o.end);
        }
        if (flat_.capacity - cursor >= size) visit(AddressRange{cursor, flat_.capacity});
    }

    /// Bytes left over in `gap` behind the buffer; negative when it does not fit.
    [[nodiscard]] Bytes leftover(const AddressRange& gap, std::size_t at) const {
        const Address base = alignUp(gap.begin, flat_.alignment[at]);
        return base > flat_.lastAddress(at) ? -1 : gap.end - base - flat_.size[at];
    }

    std::optional<Address> inFreeGap(std::size_t at) const {
        std::optional<Address> best;
        Bytes bestLeft = 0;
        forEachGap(flat_.size[at], [&](const AddressRange& gap) {
            const Bytes left = leftover(gap, at);
            if (left < 0 || (best && left >= bestLeft)) return false;
            best = alignUp(gap.begin, flat_.alignment[at]);
            bestLeft = left;
            return fit_ == Fit::First;
        });
        return best;
    }

    std::optional<Address> inParentSlot(std::size_t at) {
        int chosen = -1;
        Bytes bestLeft = 0;
        forEachGap(flat_.size[at], [&](const AddressRange& gap) {
            const int parent = firstAdmitted(gap, at);
            const Bytes left = gap.end - alignUp(gap.begin, flat_.alignment[at]) - flat_.size[at];
            if (parent < 0 || left < 0 || (chosen >= 0 && left >= bestLeft)) return false;
            chosen = parent;
            bestLeft = left;
            return fit_ == Fit::First;
        });
        if (chosen < 0) return std::nullopt;
        isHanded_[static_cast<std::size_t>(chosen)] = 1;
        parent_[at] = chosen;
        return address_[static_cast<std::size_t>(chosen)];
    }

    /// First declared parent whose whole slot lies in the gap, -1 if none.
    [[nodiscard]] int firstAdmitted(const AddressRange& gap, std::size_t at) const {
        for (const int parent : flat_.parents(at)) {
            if (!isOpen(parent)) continue;
            const auto p = static_cast<std::size_t>(parent);
            const bool inside = gap.begin <= address_[p] && address_[p] + flat_.size[p] <= gap.end;
            const bool allowed = address_[p] % flat_.alignment[at] == 0 && address_[p] <= flat_.lastAddress(at);
            if (inside && allowed) return parent;
        }
        return -1;
    }

    FlatItems flat_;
    Fit fit_;
    const RunControl& control_;
    OverlapIndex placed_;
    std::vector<Address> address_;  ///< -1 = none
    std::vector<std::uint8_t> isHanded_;
    std::vector<int> parent_;
    int bucketShift_ = 0;                  ///< address bits that buckets do not look at
    std::vector<AddressRange> found_;      ///< obstacles of the buffer at hand, by start
    std::vector<AddressRange> obstacles_;  ///< of the buffer at hand, by address
};

}  // namespace

Result<Solution> placeInOrder(const Problem& problem, Fit fit, Ordering ordering, const RunControl& control) {
    return ListFit(problem, fit, control).run(placementOrder(problem, ordering));
}

}  // namespace memplan::solve
