// SPDX-License-Identifier: Apache-2.0
// The codes of the advice, TW-101 to TW-148 (codes.md 6, torchwright.md 19.3, 19.4).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace memplan::torchwright {

/// What one would turn to lower the cost, in the order of the original's guide.
enum class Lever {
    Depth,
    NodeCount,
    Bounds,
    HeadWidth,
    Schedule,  ///< none of them: order, lifetimes and hints
};
[[nodiscard]] std::string_view leverName(Lever lever);  ///< "depth", "node count", ...

struct AdviceCode {
    int number = 0;         ///< 101 for TW-101
    std::string_view word;  ///< "affine_run"
    Lever lever = Lever::Depth;
    bool needsTensors = false;
};

/// By number.
[[nodiscard]] std::span<const AdviceCode> adviceCodes();
/// Null for a number that is none of them.
[[nodiscard]] const AdviceCode* adviceCode(int number);
/// The same for "TW-101".
[[nodiscard]] const AdviceCode* adviceCode(std::string_view code);
[[nodiscard]] std::string codeText(int number);  ///< "TW-101"

}  // namespace memplan::torchwright
