// SPDX-License-Identifier: Apache-2.0
// An execution record as the JSON text that a plan file holds of it.
#pragma once

#include "engine/base/result.h"
#include "engine/io/plan/record/record_file.h"
#include "engine/json/json_sax.h"

#include <cstdint>
#include <string>

namespace memplan::test {

inline std::string recordJson(const sim::ExecutionRecord& record) {
    io::JsonWriter writer;
    writer.beginInlineObject();
    io::writeRecord(writer, record);
    writer.endObject();
    std::string text = writer.finish();
    text.pop_back();  // the final newline of a document
    return text;
}

/// Errors: IN-008 with a JSON pointer, as a plan file with this text has them.
inline Result<sim::ExecutionRecord> recordFromJson(const std::string& text) {
    static constexpr std::string_view kCode = "IN-008";
    static constexpr io::JsonCodes kCodes{kCode, kCode, kCode, kCode, kCode, kCode, kCode};
    io::Limits limits;
    limits.jsonBytes = std::int64_t{1} << 32;
    limits.nesting = 1024;
    const auto tape = io::readTape("{\"execution\": " + text + "}", kCodes, limits, RunControl{});
    if (!tape) {
        const std::string& where = tape.error().primary().where;  // a line where the text is no JSON
        return where.starts_with('/') ? tape.error() : makeError(std::string(kCode), "/execution", "this is no JSON");
    }
    io::PlanFields fields(tape.value());
    sim::ExecutionRecord record = io::readRecord(fields, fields.required(0, "execution"));
    if (fields.error()) return *fields.error();
    return record;
}

}  // namespace memplan::test
