// SPDX-License-Identifier: Apache-2.0
// The pretty forms of operations of StableHLO, and of CHLO, SDY and MHLO beside it, as generic text
// (inputs-and-interchange 4.4).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace memplan::ttnn {

/// Whether the word begins with the name of one of these dialects.
[[nodiscard]] bool isStableHloWord(std::string_view word);

struct RewrittenOperation {
    std::string text;          ///< generic form; up to the `{` of its body where `closing` is not empty
    std::size_t end = 0;       ///< where the text that it replaces ends
    std::string closing = {};  ///< goes behind the `}` of the last body that follows
    std::string second = {};   ///< stands for `do {` between two bodies; empty where there is one
};

/// The operation whose name begins at `at`; nothing where what stands there is no pretty form. `serial` makes names of
/// values that the text did not have.
[[nodiscard]] std::optional<RewrittenOperation> genericStableHlo(std::string_view s, std::size_t at, int& serial);

}  // namespace memplan::ttnn
