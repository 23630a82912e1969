// SPDX-License-Identifier: Apache-2.0
// A device coordinate of the wrapper source: sums, products, quotients, floor and Mod over the symbols of an operation
// (spyre-coarse-tiling-and-bundle 9.2), evaluated in exact fractions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::sim::artefact {

class Coordinate {
public:
    /// Nullopt for another grammar, and for names that are none of `symbols`.
    [[nodiscard]] static std::optional<Coordinate> parse(std::string_view text,
                                                         const std::vector<std::string>& symbols);

    /// The value where symbol k is values[k]; nullopt for what is no integer of 64 bits.
    [[nodiscard]] std::optional<std::int64_t> at(const std::vector<std::int64_t>& values) const;
    [[nodiscard]] bool mentions(std::size_t symbol) const;

private:
    enum class Kind { Number, Symbol, Add, Subtract, Multiply, Divide, Negate, Floor, Mod };
    struct Code {
        Kind kind;
        std::int64_t value = 0;
    };
    friend class CoordinateReader;
    std::vector<Code> codes_;  ///< operands before their operation
};

}  // namespace memplan::sim::artefact
