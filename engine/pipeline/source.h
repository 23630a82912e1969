// SPDX-License-Identifier: Apache-2.0
// A program in the form of one machine, where that is no neutral graph: what the rest of the engine may know of it
// (architecture 4.4). The machine whose form it is casts it back.
#pragma once

#include <cstddef>
#include <string_view>

namespace memplan {

class Source {
public:
    virtual ~Source() = default;
    /// What it is, in words: "kernels of a bundle".
    [[nodiscard]] virtual std::string_view kind() const = 0;
    /// Id of the machine whose form it is; only that one plans it.
    [[nodiscard]] virtual std::string_view target() const = 0;
    /// Operations in it, for limits and messages.
    [[nodiscard]] virtual std::size_t opCount() const = 0;
};

}  // namespace memplan
