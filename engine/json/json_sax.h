// SPDX-License-Identifier: Apache-2.0
// Reads JSON text with every limit of inputs-and-interchange 2.7 and 2.8 enforced while reading:
// depth, duplicate keys, number ranges, UTF-8. Long documents are handed over piece by piece.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/json/json_tape.h"
#include "engine/json/limits.h"

#include <string>
#include <string_view>
#include <vector>

namespace memplan::io {

/// The codes that one format gives to broken bytes and syntax.
struct JsonCodes {
    std::string_view empty, tooLarge, utf8, syntax, nesting, duplicateKey, number;
    std::int64_t firstLine = 1;  ///< of the text in its file, for the place of a syntax error
};

inline constexpr JsonCodes kGraphCodes{"MPG-001", "MPG-002", "MPG-003", "MPG-011", "MPG-012", "MPG-013", "MPG-014"};

/// Receives a document whose outermost value is an object: entries of the arrays that it asks for
/// one at a time, every other member whole.
class JsonSink {
public:
    virtual ~JsonSink() = default;
    /// True when the array under this top-level key is to be handed over entry by entry.
    [[nodiscard]] virtual bool wantsEntries(std::string_view key) const = 0;
    virtual void entry(std::string_view key, std::size_t index, const Tape& value) = 0;
    /// After the last entry of such an array.
    virtual void entriesEnd(std::string_view key, std::size_t count) = 0;
    virtual void member(std::string_view key, const Tape& value) = 0;
    /// The outermost value is no object.
    virtual void notAnObject(JsonType type) = 0;
};

/// Stages A and B. The returned findings are errors; empty = well formed. `sink` may have been
/// called before an error was found.
[[nodiscard]] std::vector<Diagnostic> streamJson(std::string_view bytes, const JsonCodes& codes, const Limits& limits,
                                                 const RunControl& control, JsonSink& sink);

/// A whole document as one tape.
[[nodiscard]] Result<Tape> readTape(std::string_view bytes, const JsonCodes& codes, const Limits& limits,
                                    const RunControl& control);

/// Byte offset of the first byte that is no UTF-8 (or a zero byte), npos when all is well.
[[nodiscard]] std::size_t firstInvalidUtf8(std::string_view bytes);

}  // namespace memplan::io
