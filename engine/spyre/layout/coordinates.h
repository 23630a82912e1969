// SPDX-License-Identifier: Apache-2.0
// Where each dimension of a tensor stands as a function of the loops: integer terms, no symbolic
// algebra (spyre-layouts-and-work-division 3).
#pragma once

#include "engine/base/result.h"
#include "engine/base/small_vector.h"
#include "engine/spyre/program.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace memplan::spyre {

/// floor(((loop * step) mod wrap) / stride); wrap 0 means no wrap.
struct CoordinateTerm {
    int loop = 0;
    std::int64_t step = 1;
    std::int64_t wrap = 0;
    std::int64_t stride = 1;

    [[nodiscard]] std::int64_t at(std::int64_t value) const {
        const std::int64_t moved = value * step;
        return (wrap == 0 ? moved : moved % wrap) / stride;
    }
    /// The value of the loop itself, or that value modulo `wrap / stride`.
    [[nodiscard]] bool isPlain() const { return step == stride && (wrap == 0 || wrap % stride == 0); }
    friend bool operator==(const CoordinateTerm&, const CoordinateTerm&) = default;
};

/// Loops as a bit set; an op has far fewer than 64.
using LoopMask = std::uint64_t;

/// One dimension: a constant plus its terms in loop order.
struct CoordinateView {
    std::int64_t constant = 0;
    std::span<const CoordinateTerm> terms;

    [[nodiscard]] LoopMask loops() const;
    [[nodiscard]] bool isZero() const { return constant == 0 && terms.empty(); }
    /// The loop that this coordinate is, without any wrap.
    [[nodiscard]] std::optional<int> bareLoop() const;
    /// The only loop of the expression; nullopt for none or several.
    [[nodiscard]] std::optional<int> onlyLoop() const;
    [[nodiscard]] std::int64_t at(std::span<const std::int64_t> loopValues) const;
    [[nodiscard]] std::string text(std::span<const LoopVar> loops) const;  ///< "floor(d1/64) + 1"
    friend bool operator==(const CoordinateView& a, const CoordinateView& b) {
        return a.constant == b.constant && std::equal(a.terms.begin(), a.terms.end(), b.terms.begin(), b.terms.end());
    }
};

/// One expression per dimension, outermost first.
class Coordinates {
public:
    [[nodiscard]] std::size_t size() const { return dims_.size(); }
    [[nodiscard]] CoordinateView operator[](std::size_t dim) const {
        const Dim& d = dims_[dim];
        return {d.constant, std::span<const CoordinateTerm>(terms_.data() + d.first, d.count)};
    }
    [[nodiscard]] CoordinateView back() const { return (*this)[dims_.size() - 1]; }
    [[nodiscard]] std::string text(std::span<const LoopVar> loops) const;  ///< "[floor(d1/64), d0, d1 mod 64]"
    friend bool operator==(const Coordinates& a, const Coordinates& b);

private:
    friend Coordinates coordinates(std::span<const std::int64_t>, std::span<const std::int64_t>,
                                   std::span<const LoopVar>, const Index&);
    struct Dim {
        std::int64_t constant = 0;
        std::uint32_t first = 0, count = 0;
    };
    SmallVector<Dim, 7> dims_;
    SmallVector<CoordinateTerm, 7> terms_;
};

/// Coordinates of `index` in a tensor of `size` and `stride` (elements); entries with a stride <= 0
/// never move.
[[nodiscard]] Coordinates coordinates(std::span<const std::int64_t> size, std::span<const std::int64_t> stride,
                                      std::span<const LoopVar> loops, const Index& index);
[[nodiscard]] inline Coordinates hostCoordinates(const Buffer& buffer, std::span<const LoopVar> loops,
                                                 const Index& index) {
    return coordinates(buffer.size, buffer.stride, loops, index);
}
/// Coordinates in device memory. LAY-003 when the stick coordinate is not 0, a loop, or a loop modulo
/// the elements per stick, LAY-007 when the terms carry from one dimension into another (index_range.h).
[[nodiscard]] Result<Coordinates> deviceCoordinates(const StickLayout& layout, std::span<const LoopVar> loops,
                                                    const Index& index);
/// The stick check of chapter 3.
[[nodiscard]] bool isSupportedStick(CoordinateView stick, std::int64_t elemsPerStick);

/// The dimension of `coords` that moves with the only loop of `expression`: the loop itself, or the loop
/// modulo b for an expression that is the loop modulo a <= b. nullopt for none or several.
[[nodiscard]] std::optional<std::size_t> matchingDim(const Coordinates& coords, CoordinateView expression);

/// Error of the class "Unsupported": `message` after the words that every such message starts with
/// (chapter 17).
[[nodiscard]] Error unsupported(std::string code, std::string where, const std::string& message);

}  // namespace memplan::spyre
