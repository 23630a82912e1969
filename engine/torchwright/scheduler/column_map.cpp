// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/scheduler/column_map.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace memplan::torchwright {
namespace {

constexpr Columns kWordBits = 64;

}  // namespace

ColumnMap::ColumnMap(Columns d, std::size_t nodes)
    : d_(d), free_(d), freeBits_(static_cast<std::size_t>((d + kWordBits - 1) / kWordBits), ~std::uint64_t{0}),
      isDirty_(static_cast<std::size_t>(d), true), columns_(nodes) {
    if (d % kWordBits != 0) freeBits_.back() = (std::uint64_t{1} << (d % kWordBits)) - 1;
}

Columns ColumnMap::takeLowest() {
    while (freeBits_[firstWord_] == 0)
        ++firstWord_;
    std::uint64_t& word = freeBits_[firstWord_];
    const int bit = std::countr_zero(word);
    word &= word - 1;
    --free_;
    return static_cast<Columns>(firstWord_) * kWordBits + bit;
}

bool ColumnMap::allocate(NodeId owner, Columns width) {
    if (width > free_) return false;
    ColumnList& list = columns_[owner.at()];
    for (Columns i = 0; i < width; ++i)
        list.append(takeLowest());
    owners_.insert(owner);
    return true;
}

void ColumnMap::release(NodeId owner) {
    const ColumnList list = std::exchange(columns_[owner.at()], {});
    list.forEach([this](Columns c) {
        const auto word = static_cast<std::size_t>(c / kWordBits);
        freeBits_[word] |= std::uint64_t{1} << (c % kWordBits);
        firstWord_ = std::min(firstWord_, word);
    });
    free_ += list.size();
    owners_.erase(owner);
}

void ColumnMap::reassign(NodeId from, NodeId to) {
    columns_[to.at()] = std::exchange(columns_[from.at()], {});
    owners_.erase(from);
    owners_.insert(to);
}

ColumnList ColumnMap::dirtyAmong(const ColumnList& columns) const {
    ColumnList dirty;
    columns.forEach([&](Columns c) {
        if (isDirty_[static_cast<std::size_t>(c)]) dirty.append(c);
    });
    return dirty;
}

void ColumnMap::markClean(const ColumnList& columns) {
    columns.forEach([this](Columns c) { isDirty_[static_cast<std::size_t>(c)] = false; });
}

void ColumnMap::markAllClean() {
    isDirty_.assign(isDirty_.size(), false);
}

}  // namespace memplan::torchwright
