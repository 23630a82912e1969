// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/annealing/move_probe.h"

#include "engine/base/numeric.h"

#include <algorithm>

namespace memplan::solve {

namespace {

constexpr std::size_t kCheckEvery = 16;  // positions behind the change

std::size_t at(int item) {
    return static_cast<std::size_t>(item);
}

}  // namespace

MoveProbe::MoveProbe(const Packer& packer) : packer_(packer), columns_(packer.columns()), count_(packer.count()) {
    alwaysAligned_ = true;
    Bytes alignment = 1;
    for (std::size_t k = 0; k < count_; ++k) {
        const Packer::Entry& e = packer.entry(k);
        flat_.push_back(
            {static_cast<std::uint32_t>(e.firstColumn), static_cast<std::uint32_t>(e.endColumn), e.size, e.weight});
        alignment = std::max(alignment, e.alignment);
        hasPartners_ = hasPartners_ || !e.partners.empty();
    }
    isHinted_ = packer.isHinted();
    for (std::size_t k = 0; k < count_; ++k) {
        const Packer::Entry& e = packer.entry(k);
        alwaysAligned_ = alwaysAligned_ && e.size % alignment == 0 && alignment % e.alignment == 0;
    }
    heights_.resize((count_ + 1) * columns_);
    quality_.resize(count_ + 1);
    addressNow_.resize(count_);
    prefix_.resize(columns_);
    trial_.resize(columns_);
    prefixAddress_.resize(count_);
    trialAddress_.resize(count_);
}

bool MoveProbe::shareColumn(int a, int b) const {
    return flat_[at(a)].firstColumn < flat_[at(b)].endColumn && flat_[at(b)].firstColumn < flat_[at(a)].endColumn;
}

std::int64_t MoveProbe::rest(int item, Address* tops, Address* addresses) const {
    const Flat& flat = flat_[at(item)];
    Address top = 0;
    for (std::uint32_t c = flat.firstColumn; c < flat.endColumn; ++c)
        top = std::max(top, tops[c]);
    if (top == Packer::kSpilled) {
        if (hasPartners_) addresses[at(item)] = Packer::kNone;
        for (std::uint32_t c = flat.firstColumn; c < flat.endColumn; ++c)
            tops[c] = Packer::kSpilled;
        return 0;
    }
    Address address = Packer::kNone;
    if (isHinted_) {
        address = packer_.amongFixed(packer_.entry(at(item)), top, {addresses, count_});
    } else if (hasPartners_) {
        address = packer_.partnerAddress(packer_.entry(at(item)), {addresses, count_});
    }
    const bool isShared = address != Packer::kNone;
    if (!isShared && !isHinted_) address = alwaysAligned_ ? top : alignUp(top, packer_.entry(at(item)).alignment);
    const bool fits = address != Packer::kNone && address + flat.size <= packer_.capacity();
    if (hasPartners_) addresses[at(item)] = fits ? address : Packer::kNone;
    const Address end = fits ? address + flat.size : Packer::kSpilled;
    if (isShared) {
        for (std::uint32_t c = flat.firstColumn; c < flat.endColumn; ++c)
            tops[c] = std::max(tops[c], end);
    } else {
        for (std::uint32_t c = flat.firstColumn; c < flat.endColumn; ++c)
            tops[c] = end;
    }
    return fits ? flat.weight : 0;
}

void MoveProbe::setOrder(std::span<const int> order) {
    order_.assign(order.begin(), order.end());
    std::fill(addressNow_.begin(), addressNow_.end(), Packer::kUnset);
    std::fill_n(heights(0), columns_, 0);
    quality_[0] = 0;
    for (std::size_t k = 0; k < count_; ++k) {
        std::copy_n(heights(k), columns_, heights(k + 1));
        quality_[k + 1] = quality_[k] + rest(order_[k], heights(k + 1), addressNow_.data());
    }
}

/// With in-place partners the addresses count as well as the heights.
bool MoveProbe::isAsBefore(std::size_t position) const {
    const auto now = heights_.begin() + static_cast<std::ptrdiff_t>(position * columns_);
    if (!std::equal(trial_.begin(), trial_.end(), now)) return false;
    if (!hasPartners_) return true;
    return std::all_of(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(position),
                       [&](int item) { return trialAddress_[at(item)] == addressNow_[at(item)]; });
}

/// Packs the other items from `next` on, on top of trial_. Behind position `changedEnd` the order is the kept one.
std::int64_t MoveProbe::finish(std::size_t next, std::size_t changedEnd) {
    std::int64_t gained = 0;
    std::size_t k = next;
    for (std::size_t stop = changedEnd - 1;; stop = std::min(stop + kCheckEvery, others_.size())) {
        for (; k < stop; ++k)
            gained += rest(others_[k], trial_.data(), trialAddress_.data());
        if (k >= others_.size()) return gained;
        if (isAsBefore(k + 1)) return gained + quality_[count_] - quality_[k + 1];
    }
}

std::span<const std::int64_t> MoveProbe::qualities(int from, int last) {
    const int moved = order_[at(from)];
    others_ = order_;
    others_.erase(others_.begin() + from);
    result_.assign(at(last) + 1, quality_[count_]);
    std::fill(prefix_.begin(), prefix_.end(), 0);
    std::fill(prefixAddress_.begin(), prefixAddress_.end(), Packer::kUnset);
    std::int64_t before = 0;
    // Passing an item that shares no column changes nothing, so such a target is worth as much as the one before it.
    bool isSame = false;
    for (int target = 0; target <= last; ++target) {
        if (isSame) {
            result_[at(target)] = result_[at(target) - 1];
        } else if (target != from) {
            trial_ = prefix_;
            if (hasPartners_) trialAddress_ = prefixAddress_;
            std::int64_t quality = before + rest(moved, trial_.data(), trialAddress_.data());
            quality += finish(at(target), at(std::max(from, target)) + 1);
            result_[at(target)] = quality;
        }
        if (at(target) >= others_.size()) break;
        const int passed = others_[at(target)];
        isSame = !shareColumn(moved, passed);
        before += rest(passed, prefix_.data(), prefixAddress_.data());
    }
    return result_;
}

}  // namespace memplan::solve
