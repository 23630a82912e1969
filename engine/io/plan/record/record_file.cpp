// SPDX-License-Identifier: Apache-2.0
#include "engine/io/plan/record/record_file.h"

#include "engine/io/plan/record/object_reader.h"
#include "engine/io/plan/record/object_writer.h"
#include "engine/json/json_sax.h"

namespace memplan::io {
namespace {

using sim::ExecutionRecord;

/// Advances are per enclosing loop.
void checkAdvances(const ExecutionRecord& record, TapeIndex ops, record::Reading& reading) {
    std::size_t i = 0;
    for (const TapeIndex at : reading.tape->children(ops)) {
        const auto depth = static_cast<std::size_t>(std::max(reading.depth[i], 0));
        const auto fits = [depth](const auto& list) { return list.empty() || list.size() == depth; };
        for (const sim::RecordArg& a : record.ops[i].args) {
            record::ObjectReader(reading, at)
                .expect(fits(a.advance) && fits(a.elementAdvance),
                        "an advance has one entry for each of the " + std::to_string(depth) + " loops around the op");
        }
        ++i;
    }
}

}  // namespace

void appendRecordJson(TextBuffer& out, const ExecutionRecord& record) {
    record::ObjectWriter file(out);
    record::Members::ofHead(file, record);
    record::Members::ofLists(file, record);
}

std::string recordJson(const ExecutionRecord& record) {
    TextBuffer out;
    appendRecordJson(out, record);
    return std::move(out).finish();
}

Result<ExecutionRecord> recordFromTape(const Tape& tape, TapeIndex at, std::string_view place) {
    record::Reading reading;
    reading.tape = &tape;
    reading.place = place;
    record::ObjectReader file(reading, at);
    file.isObject();
    // Ops refer to buffers, and buffers to each other: how many there are is known first.
    reading.bufferCount = file.count("buffers");
    reading.opCount = file.count("ops");
    reading.depth.assign(reading.opCount, -1);
    ExecutionRecord record;
    record::Members::ofHead(file, record);
    record::Members::ofLists(file, record);
    if (!reading.error) checkAdvances(record, tape.find(at, "ops"), reading);
    if (reading.error) return *std::move(reading.error);
    return record;
}

Result<ExecutionRecord> recordFromJson(std::string_view text) {
    static constexpr JsonCodes kCodes{"IN-008", "IN-008", "IN-008", "IN-008", "IN-008", "IN-008", "IN-008"};
    Limits limits;
    limits.jsonBytes = std::int64_t{1} << 32;  // the caller has applied its limits to the file
    limits.nesting = 1024;
    const auto tape = readTape(text, kCodes, limits, RunControl{});
    if (!tape) {
        const Diagnostic& d = tape.error().primary();
        const bool hasPlace = d.where.starts_with('/');
        return makeError("IN-008", hasPlace ? "/execution" + d.where : "/execution",
                         hasPlace ? d.message : "this is no JSON");
    }
    return recordFromTape(tape.value(), 0, "/execution");
}

}  // namespace memplan::io
