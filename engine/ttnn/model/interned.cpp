// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/model/interned.h"

#include "engine/base/hash.h"

#include <algorithm>
#include <functional>

namespace memplan::ttnn::model {
namespace {

/// Of whole numbers, one after the other.
class Hash {
public:
    template <class... T> void add(T... values) { (step(static_cast<std::uint64_t>(values)), ...); }
    void text(const std::string& words) {
        if (!words.empty()) step(fnv1a(words));
    }
    template <class T> void maybe(const std::optional<T>& value) {
        step(value ? static_cast<std::uint64_t>(*value) + 2 : 1);
    }
    void maybe(const std::optional<std::string>& value) { step(value ? fnv1a(*value) : 1); }
    [[nodiscard]] std::uint64_t value() const { return value_ ^ (value_ >> 32); }

private:
    void step(std::uint64_t word) {
        constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
        value_ = (value_ ^ word) * kOdd;
        value_ ^= value_ >> 29;
    }
    std::uint64_t value_ = 0x243f6a8885a308d3ULL;
};

void add(Hash& hash, const CoreRange& range) {
    hash.add(range.first.x, range.first.y, range.last.x, range.last.y);
}

void add(Hash& hash, const ComputeConfig& c) {
    hash.maybe(c.mathFidelity);
    hash.maybe(c.mathApproxMode);
    hash.maybe(c.fp32DestAccEn);
    hash.maybe(c.packerL1Acc);
    hash.maybe(c.dstFullSyncEn);
}

void add(Hash& hash, const Conv2dConfig& c) {
    hash.maybe(c.weightsDtype);
    hash.maybe(c.activation);
    hash.maybe(c.deallocateActivation);
    hash.maybe(c.reallocateHaloOutput);
    hash.maybe(c.actBlockHOverride);
    hash.maybe(c.actBlockWDiv);
    hash.maybe(c.shardLayout);
    hash.maybe(c.outputLayout);
    hash.maybe(c.enableActDoubleBuffer);
    hash.maybe(c.enableWeightsDoubleBuffer);
}

void add(Hash& hash, const MatmulProgram& p) {
    hash.add(p.kind, p.gridX, p.gridY, p.in0BlockW, p.perCoreM, p.perCoreN, p.mcastIn0);
    hash.maybe(p.fusedActivation);
}

void add(Hash&, std::monostate) {}

void add(Hash& hash, const Conv2dAttrs& attrs) {
    if (attrs.config) add(hash, *attrs.config);
    if (attrs.compute) add(hash, *attrs.compute);
}

void add(Hash& hash, const Conv3dAttrs& attrs) {
    if (attrs.compute) add(hash, *attrs.compute);
}

void add(Hash& hash, const MatmulAttrs& attrs) {
    if (attrs.program) add(hash, *attrs.program);
    if (attrs.compute) add(hash, *attrs.compute);
}

}  // namespace

std::uint64_t hashOf(const Layout& layout) {
    Hash hash;
    const int mem = layout.mem ? static_cast<int>(*layout.mem) + 1 : 0;
    const int page = static_cast<int>(layout.page), dtype = static_cast<int>(layout.dtype);
    hash.add(static_cast<int>(layout.buffer) + 8 * mem + 64 * page + 128 * dtype + 4096 * layout.ignorePhysicalLayout,
             layout.grid.rows, layout.grid.cols, layout.shard[0], layout.shard[1]);
    hash.text(layout.linear);
    hash.text(layout.mesh);
    if (!layout.cores) return hash.value();
    for (std::size_t i = 0; i < layout.cores->size(); ++i)
        add(hash, (*layout.cores)[i]);
    return hash.value();
}

std::uint64_t hashOf(const OpAttrs& attrs) {
    Hash hash;
    hash.add(attrs.index());
    std::visit([&](const auto& held) { add(hash, held); }, attrs);
    return hash.value();
}

std::uint64_t hashOf(const std::string& text) {
    return std::hash<std::string>{}(text);
}

KeyTable::Found KeyTable::numberOf(std::span<const std::int32_t> key) {
    if (hashes_.size() * 2 >= slots_.size()) grow();
    Hash hash;
    for (const std::int32_t number : key)
        hash.add(number);
    const std::uint64_t value = hash.value();
    const auto tag = static_cast<std::uint32_t>(value >> 32);
    std::size_t at = value & (slots_.size() - 1);
    for (; slots_[at].key >= 0; at = (at + 1) & (slots_.size() - 1)) {
        const auto number = static_cast<std::size_t>(slots_[at].key);
        if (slots_[at].tag == tag && isKey(number, key)) return {number, false};
    }
    slots_[at] = {static_cast<std::int32_t>(hashes_.size()), tag};
    hashes_.push_back(value);
    numbers_.insert(numbers_.end(), key.begin(), key.end());
    begins_.push_back(numbers_.size());
    return {hashes_.size() - 1, true};
}

bool KeyTable::isKey(std::size_t number, std::span<const std::int32_t> key) const {
    const std::size_t begin = begins_[number];
    return begins_[number + 1] - begin == key.size() &&
           std::equal(key.begin(), key.end(), numbers_.begin() + static_cast<std::ptrdiff_t>(begin));
}

void KeyTable::grow() {
    constexpr std::size_t kFirst = 1024;
    slots_.assign(slots_.empty() ? kFirst : slots_.size() * 2, Slot{});
    for (std::size_t i = 0; i < hashes_.size(); ++i) {
        std::size_t at = hashes_[i] & (slots_.size() - 1);
        while (slots_[at].key >= 0)
            at = (at + 1) & (slots_.size() - 1);
        slots_[at] = {static_cast<std::int32_t>(i), static_cast<std::uint32_t>(hashes_[i] >> 32)};
    }
}

}  // namespace memplan::ttnn::model
