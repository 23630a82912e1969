// SPDX-License-Identifier: Apache-2.0
#include "engine/io/plan/record/record_file.h"

#include "engine/io/plan/record/object_reader.h"
#include "engine/io/plan/record/object_writer.h"

namespace memplan::io {
namespace {

using sim::ExecutionRecord;

/// Advances are per enclosing loop.
void checkAdvances(const ExecutionRecord& record, TapeIndex ops, record::Reading& reading) {
    std::size_t i = 0;
    for (const TapeIndex at : reading.fields.tape.children(ops)) {
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

ExecutionRecord readRecord(PlanFields& fields, TapeIndex at) {
    record::Reading reading{fields};
    record::ObjectReader file(reading, at);
    file.isObject();
    // Ops refer to buffers, and buffers to each other: how many there are is known first.
    reading.bufferCount = file.count("buffers");
    reading.opCount = file.count("ops");
    reading.depth.assign(reading.opCount, -1);
    ExecutionRecord record;
    record::Members::ofHead(file, record);
    record::Members::ofLists(file, record);
    if (!fields.error()) checkAdvances(record, fields.tape.find(at, "ops"), reading);
    return record;
}

}  // namespace memplan::io
