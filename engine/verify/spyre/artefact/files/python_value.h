// SPDX-License-Identifier: Apache-2.0
// Python values as far as a wrapper source has them (spyre-coarse-tiling-and-bundle 9.2).
#pragma once

#include "engine/verify/spyre/artefact/files/text_cursor.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::sim::artefact {

struct PythonValue {
    enum class Kind { Word, Integer, Text, List, Dictionary, Call };
    Kind kind = Kind::Word;
    std::int64_t integer = 0;
    std::string text;                ///< of a text or a word (True, 0.5, DataFormats.X), or the name of a call
    std::vector<PythonValue> items;  ///< of a list or a call; of a dictionary key, value, key, value, ..
    std::vector<std::string> keys;   ///< of a call: names of the arguments, empty = by position
    std::size_t position = 0;        ///< in the text

    [[nodiscard]] bool isCall(std::string_view name) const { return kind == Kind::Call && text == name; }
    /// Argument of a call; null where it is not given.
    [[nodiscard]] const PythonValue* keyword(std::string_view key) const;
};

/// The call of `name` whose opening parenthesis is at the cursor. Throws Broken.
[[nodiscard]] PythonValue pythonCall(TextCursor& cursor, const std::string& name);

}  // namespace memplan::sim::artefact
