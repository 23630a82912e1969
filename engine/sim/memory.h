// SPDX-License-Identifier: Apache-2.0
// A memory of cells (proof-and-search A4.1): every element that was written keeps its value and the event that wrote
// it. A cell is as wide as the narrowest element that anybody stores there; a wider element fills several.
#pragma once

#include "engine/sim/device_map.h"
#include "engine/sim/eval/values.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace memplan::sim {

/// Number of a write in the list of what happened: 0 = nothing was written, kHostEvent = put there before the plan ran.
using Event = std::uint32_t;
inline constexpr Event kNeverWritten = 0;
inline constexpr Event kHostEvent = 1;
inline constexpr Event kFirstPlanEvent = 2;

class Memory {
public:
    Memory() = default;
    /// `bytes` of cells, `cellBytes` (1, 2, 4, 8) each; `bytes` is rounded up.
    Memory(std::int64_t bytes, std::int64_t cellBytes)
        : cellBytes_(cellBytes), values_(cellsOf(bytes, cellBytes), kUnset), events_(values_.size(), kNeverWritten),
          dead_(values_.size(), 0) {}

    /// A large tensor that the host provides: what nobody wrote over follows from its place, no cell is stored. The
    /// layout must outlive the memory.
    Memory(const DeviceMap& layout, std::int64_t hostElements, std::uint64_t key, std::int64_t itemBytes)
        : cellBytes_(itemBytes), source_(&layout), sourceElements_(hostElements), key_(key) {}

    struct Cell {
        Value value = kUnset;
        Event event = kNeverWritten;
        bool dead = false;  ///< its lifetime has ended
        bool whole = true;  ///< it was written as an element of this width, at this place
    };

    [[nodiscard]] std::int64_t bytes() const {
        return (source_ != nullptr ? source_->elements() : static_cast<std::int64_t>(values_.size())) * cellBytes_;
    }
    [[nodiscard]] std::int64_t cellBytes() const { return cellBytes_; }
    [[nodiscard]] bool holds(std::int64_t address, std::int64_t itemBytes) const {
        return address >= 0 && address + itemBytes <= bytes();
    }
    [[nodiscard]] bool isAligned(std::int64_t address) const { return address % cellBytes_ == 0; }

    /// The element at an address that the memory holds and that is aligned.
    [[nodiscard]] Cell read(std::int64_t address, std::int64_t itemBytes) const {
        if (source_ != nullptr) return sourceCell(address, itemBytes);
        const std::size_t at = index(address);
        Cell cell{values_[at], events_[at], dead_[at] != 0, true};
        for (std::int64_t more = cellBytes_; more < itemBytes; more += cellBytes_) {
            const std::size_t next = index(address + more);
            cell.whole = cell.whole && values_[next] == kTail && events_[next] == cell.event;
        }
        if (itemBytes < cellBytes_ || cell.value == kTail) cell.whole = false;
        return cell;
    }

    void write(std::int64_t address, std::int64_t itemBytes, Value value, Event event) {
        if (source_ != nullptr) store();
        const std::size_t at = index(address);
        values_[at] = value;
        events_[at] = event;
        dead_[at] = 0;
        for (std::int64_t more = cellBytes_; more < itemBytes; more += cellBytes_) {
            const std::size_t next = index(address + more);
            values_[next] = kTail;
            events_[next] = event;
            dead_[next] = 0;
        }
    }

    /// What stands in [address, address + bytes) and belongs(event) is not read any more; values stand for reports.
    template <class Belongs> void kill(std::int64_t address, std::int64_t bytes, Belongs&& belongs) {
        if (source_ != nullptr) return;
        const std::int64_t end = std::min(address + bytes, this->bytes());
        for (std::int64_t a = std::max<std::int64_t>(address, 0); a < end; a += cellBytes_) {
            const std::size_t at = index(a);
            if (events_[at] != kNeverWritten && belongs(events_[at])) dead_[at] = 1;
        }
    }

    /// Room for [0, bytes); what is new was never written.
    void grow(std::int64_t bytes) {
        if (bytes <= this->bytes()) return;
        values_.resize(cellsOf(bytes, cellBytes_), kUnset);
        events_.resize(values_.size(), kNeverWritten);
        dead_.resize(values_.size(), 0);
    }

    /// As after power-on.
    void wipe() {
        std::fill(values_.begin(), values_.end(), kUnset);
        std::fill(events_.begin(), events_.end(), kNeverWritten);
        std::fill(dead_.begin(), dead_.end(), 0);
    }

    /// The cells as they are, for reading many of one width; null where they follow from their places.
    struct Cells {
        const Value* values = nullptr;
        const Event* events = nullptr;
        const char* dead = nullptr;
    };
    [[nodiscard]] Cells cells() const {
        return source_ != nullptr ? Cells{} : Cells{values_.data(), events_.data(), dead_.data()};
    }
    /// A first cell that holds a whole element of the cell's own width.
    [[nodiscard]] static bool isWhole(Value value) { return value != kTail; }

    /// Bytes that a memory of this size takes in the program.
    [[nodiscard]] static std::int64_t footprint(std::int64_t bytes, std::int64_t cellBytes) {
        return static_cast<std::int64_t>(cellsOf(bytes, cellBytes)) *
               static_cast<std::int64_t>(sizeof(Value) + sizeof(Event) + sizeof(char));
    }

private:
    /// Marks the cells behind the first one of a wide element; never the name of a value.
    static constexpr Value kTail = 0x7A117A11;

    [[nodiscard]] Cell sourceCell(std::int64_t address, std::int64_t itemBytes) const {
        const std::int64_t host = source_->hostElement(address / cellBytes_);
        if (host < 0 || host >= sourceElements_) return {};
        return {inputValue(key_, static_cast<std::uint64_t>(host)), kHostEvent, false, itemBytes == cellBytes_};
    }
    /// Turns a tensor that follows from its place into cells: somebody writes to it.
    void store() {
        const DeviceMap& layout = *source_;
        Memory cells(layout.elements() * cellBytes_, cellBytes_);
        for (std::int64_t i = 0; i < layout.elements(); ++i) {
            const Cell cell = sourceCell(i * cellBytes_, cellBytes_);
            if (cell.event != kNeverWritten) cells.write(i * cellBytes_, cellBytes_, cell.value, cell.event);
        }
        *this = std::move(cells);
    }

    static std::size_t cellsOf(std::int64_t bytes, std::int64_t cellBytes) {
        return static_cast<std::size_t>((bytes + cellBytes - 1) / cellBytes);
    }
    [[nodiscard]] std::size_t index(std::int64_t address) const {
        return static_cast<std::size_t>(address / cellBytes_);
    }

    std::int64_t cellBytes_ = 2;
    const DeviceMap* source_ = nullptr;
    std::int64_t sourceElements_ = 0;
    std::uint64_t key_ = 0;
    std::vector<Value> values_;
    std::vector<Event> events_;
    std::vector<char> dead_;
};

}  // namespace memplan::sim
