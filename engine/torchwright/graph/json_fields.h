// SPDX-License-Identifier: Apache-2.0
// Members of a graph file with their types checked (inputs-and-interchange 2.7, stage C).
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/json/json_tape.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::torchwright {

class JsonFields {
public:
    JsonFields(const io::Tape& document, Diagnostics& into) : tape(document), findings(into) {}

    const io::Tape& tape;
    Diagnostics& findings;

    void error(std::string_view code, io::TapeIndex at, std::string message, std::string hint = {});
    /// MPG-106 and false where the value has another type.
    bool expect(io::TapeIndex at, io::JsonType type);
    /// Position of a member, MPG-105 and 0 where it is missing.
    [[nodiscard]] io::TapeIndex required(io::TapeIndex object, std::string_view key);
    /// MPG-108 for each key of the object that is not known and does not begin with x_.
    void warnAboutOthers(io::TapeIndex object, std::span<const std::string_view> known);

    [[nodiscard]] std::optional<std::int64_t> integer(io::TapeIndex at, std::int64_t least, std::int64_t most);
    /// The required member of this key; `least` where it is missing or wrong, after its error.
    [[nodiscard]] std::int64_t integer(io::TapeIndex object, std::string_view key, std::int64_t least,
                                       std::int64_t most);
    [[nodiscard]] bool boolean(io::TapeIndex object, std::string_view key);
    /// Text of a member, empty where there is none.
    [[nodiscard]] std::string text(io::TapeIndex object, std::string_view key, std::size_t mostBytes);
    [[nodiscard]] std::vector<std::string> texts(io::TapeIndex array, std::size_t mostBytes);
    [[nodiscard]] std::vector<std::int64_t> integers(io::TapeIndex array, std::int64_t least, std::int64_t most);
    /// A number that float32 holds; `code` is that of the error.
    [[nodiscard]] float single(io::TapeIndex at, std::string_view code);
};

}  // namespace memplan::torchwright
