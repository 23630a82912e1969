// SPDX-License-Identifier: Apache-2.0
// Lines and balanced values of log texts.
#pragma once

#include "engine/base/result.h"
#include "engine/plan/side_info.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::io {

/// Lines of a text without their ends, with their numbers from 1. CR before LF is dropped.
class TextLines {
public:
    explicit TextLines(std::string_view text) : text_(text) {}

    /// The next line, nullopt at the end.
    [[nodiscard]] std::optional<std::string_view> next();
    /// The line that next() would return.
    [[nodiscard]] std::optional<std::string_view> peek() const;
    [[nodiscard]] int number() const { return number_; }  ///< of the line that next() returned last

private:
    std::string_view text_;
    std::size_t at_ = 0;
    int number_ = 0;
};

/// Adds a fact; where the key is taken the new value gets a number: layout_2. A list holds 64 at most.
void addFact(SideFacts& facts, SideFact fact);

[[nodiscard]] std::string_view trimmed(std::string_view s);
/// Brackets opened minus brackets closed in a line, strings in quotes aside.
[[nodiscard]] int openBrackets(std::string_view line);

/// BND-108 with the place and what to do.
[[nodiscard]] Error sideError(std::string where, const std::string& what, std::string fix);

}  // namespace memplan::io
