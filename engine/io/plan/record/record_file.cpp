// SPDX-License-Identifier: Apache-2.0
#include "engine/io/plan/record/record_file.h"

#include "engine/io/plan/record/record_members.h"
#include "engine/target/target.h"

namespace memplan::io {
namespace {

using sim::ExecutionRecord;

void checkTarget(PlanFields& fields, TapeIndex at, const std::string& id) {
    const Target* known = findTarget(id);
    if (known != nullptr && known->info().isExecuted) return;
    std::vector<std::string> names;
    for (const Target* target : allTargets()) {
        if (target->info().isExecuted) names.push_back(text::quoted(target->info().id));
    }
    fields.fail(fields.tape.find(at, "target"), "only " + text::join(names, ", ") + " plans are executed");
}

/// Advances are per enclosing loop.
void checkAdvances(PlanFields& fields, TapeIndex ops, const ExecutionRecord& record, const std::vector<int>& depths) {
    std::size_t i = 0;
    for (const TapeIndex at : fields.tape.children(ops)) {
        const auto depth = static_cast<std::size_t>(std::max(depths[i], 0));
        const auto fits = [depth](const auto& list) { return list.empty() || list.size() == depth; };
        for (const sim::RecordArg& a : record.ops[i].args) {
            if (!fits(a.advance) || !fits(a.elementAdvance))
                fields.fail(at, "an advance has one entry for each of the " + std::to_string(depth) +
                                    " loops around the op");
        }
        ++i;
    }
}

std::size_t count(const PlanFields& fields, TapeIndex at, std::string_view key) {
    const TapeIndex list = fields.optional(at, key);
    return list == 0 ? 0 : fields.tape.count(list);
}

}  // namespace

void writeRecord(JsonWriter& writer, const ExecutionRecord& record) {
    RecordWriter file(writer);
    record::Members().of(file, record);
}

ExecutionRecord readRecord(PlanFields& fields, TapeIndex at) {
    // Ops refer to buffers, and buffers to each other: how many there are is known first.
    record::Members members(count(fields, at, "buffers"), count(fields, at, "ops"));
    RecordReader file(fields, at);
    file.expect(fields.tape.type(at) == JsonType::Object, "an object is expected");
    ExecutionRecord record;
    members.of(file, record);
    checkTarget(fields, at, record.target);
    if (!fields.error()) checkAdvances(fields, fields.tape.find(at, "ops"), record, members.depth());
    return record;
}

}  // namespace memplan::io
