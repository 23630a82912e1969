// SPDX-License-Identifier: Apache-2.0
// Memory cells of the artefact machine: one named value per element, and which event wrote it
// (proof-and-search A4.1, A5). Cells know the element width that they were written with.
#pragma once

#include "engine/sim/eval/values.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace memplan::sim::artefact {

inline constexpr std::int64_t kStickBytes = 128;

struct Cell {
    Value value = 0;
    std::uint32_t writer = 0;  ///< event number from 1, 0 = never written; with kPadding: lanes behind the data
};
inline constexpr std::uint32_t kPadding = 0x80000000U;
inline constexpr std::uint32_t kFilled = 0x40000000U;  ///< the zero of an operation `fill`: it makes room, no data

[[nodiscard]] inline bool isPadding(const Cell& c) {
    return (c.writer & kPadding) != 0;
}
[[nodiscard]] inline bool isFilled(const Cell& c) {
    return (c.writer & kFilled) != 0;
}
[[nodiscard]] inline std::uint32_t eventOf(const Cell& c) {
    return c.writer & ~(kPadding | kFilled);
}

/// One memory: an argument of a kernel, the pool, or the LX of one core. Sparse.
class Store {
public:
    Store(std::string name, std::int64_t bytes) : name_(std::move(name)), bytes_(bytes) {}

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::int64_t bytes() const { return bytes_; }
    void grow(std::int64_t bytes) { bytes_ = std::max(bytes_, bytes); }
    /// Forgets everything.
    void wipe() { pages_.clear(); }
    /// Content of the first `sticks` sticks that follows from their numbers: computed when it is read, stored where
    /// somebody writes.
    using Source = std::function<void(std::int64_t stick, std::vector<Cell>& cells)>;
    void setSource(Source source, std::int64_t sticks, std::int64_t width) {
        computed_.clear();
        source_ = std::move(source);
        sourceSticks_ = sticks;
        sourceWidth_ = width;
    }

    /// Cells of a stick for reading; null where nothing of this width was ever written. `other` is the width that
    /// stands there instead, 0 = none. Valid until the next call for this memory.
    [[nodiscard]] const Cell* stick(std::int64_t number, std::int64_t width, std::int64_t& other) const {
        other = 0;
        const auto page = static_cast<std::size_t>(number / kSticks);
        if (page >= pages_.size() || pages_[page] == nullptr)
            return number < sourceSticks_ ? computed(number, width, other) : nullptr;
        const auto at = static_cast<std::size_t>(number % kSticks);
        const Page& p = *pages_[page];
        if (p.width[at] != width) {
            other = p.width[at];
            return nullptr;
        }
        return p.cells.data() + at * p.perStick;
    }
    /// The same for writing: a stick of another width loses its content.
    [[nodiscard]] Cell* stickForWriting(std::int64_t number, std::int64_t width);
    /// Bytes of cells held.
    [[nodiscard]] std::int64_t held() const { return held_; }

private:
    static constexpr std::int64_t kSticks = 32;
    struct Page {
        std::array<std::uint8_t, kSticks> width{};
        std::size_t perStick = 0;
        std::vector<Cell> cells;
    };
    std::string name_;
    std::int64_t bytes_;
    std::vector<std::unique_ptr<Page>> pages_;
    std::int64_t held_ = 0;
    Source source_;
    std::int64_t sourceSticks_ = 0, sourceWidth_ = 0;
    /// Sticks that were computed last, by the low bits of their number: a walk across sticks comes back to them.
    struct Computed {
        std::int64_t stick = -1;
        std::vector<Cell> cells;
    };
    static constexpr std::size_t kComputed = std::size_t{1} << 15;
    mutable std::vector<Computed> computed_;

    [[nodiscard]] const Cell* computed(std::int64_t number, std::int64_t width, std::int64_t& other) const;
    void storeComputed(std::size_t page);
    [[nodiscard]] Cell* cellsOf(std::int64_t number, std::int64_t width);
};

}  // namespace memplan::sim::artefact
