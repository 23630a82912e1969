// SPDX-License-Identifier: Apache-2.0
// Strong index types. An id is an index into the owning array and stays equal across plans of the
// same input graph; items that a pass adds get ids after the input's (architecture 4.1).
#pragma once

#include "engine/base/interval.h"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace memplan {

template <class Tag> struct Id {
    std::int32_t index = -1;  ///< position in the owning array, -1 = none

    [[nodiscard]] constexpr bool isValid() const { return index >= 0; }
    [[nodiscard]] constexpr std::size_t at() const { return static_cast<std::size_t>(index); }
    friend constexpr auto operator<=>(const Id&, const Id&) = default;
    static constexpr Id of(std::size_t position) { return Id{static_cast<std::int32_t>(position)}; }
};

// The source graph has ids of its own: an operation or a tensor of it becomes none, one or several of the program's.
using GraphOpId = Id<struct GraphOpTag>;
using TensorId = Id<struct TensorTag>;
using GroupId = Id<struct GroupTag>;
// Of a program and its plan.
using OpId = Id<struct OpTag>;
using BufferId = Id<struct BufferTag>;

using Bytes = std::int64_t;    ///< byte count
using Address = std::int64_t;  ///< byte address in an on-chip memory
using Step = std::int32_t;     ///< position of an op in schedule order

using StepRange = Interval<Step>;
using AddressRange = Interval<Address>;

}  // namespace memplan

template <class Tag> struct std::hash<memplan::Id<Tag>> {
    std::size_t operator()(memplan::Id<Tag> id) const noexcept { return std::hash<std::int32_t>{}(id.index); }
};
