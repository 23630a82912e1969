// SPDX-License-Identifier: Apache-2.0
#include "engine/io/plan/plan_side_json.h"

#include "engine/json/json_sax.h"

namespace memplan::io {

namespace {

constexpr JsonCodes kCodes{"IN-008", "MPG-002", "IN-008", "IN-008", "IN-008", "IN-008", "IN-008"};

void writeFacts(JsonWriter& w, const SideFacts& facts) {
    w.key("facts");
    w.beginObject();
    for (const SideFact& fact : facts) {
        if (fact.number) {
            w.member(fact.key, *fact.number);
        } else {
            w.member(fact.key, fact.text);
        }
    }
    w.endObject();
}

SideFacts readFacts(PlanFields& f, TapeIndex at) {
    SideFacts facts;
    f.eachMember(f.optional(at, "facts"), [&](TapeIndex c) {
        std::string key(f.tape.key(c));
        if (f.tape.type(c) == JsonType::Integer) return facts.push_back(numberFact(std::move(key), f.integerAt(c)));
        if (f.tape.type(c) != JsonType::String) return f.fail(c, "a text or a whole number is expected");
        facts.push_back(textFact(std::move(key), std::string(f.tape.text(c))));
    });
    return facts;
}

void writeRecords(JsonWriter& w, std::string_view key, const SideRecords& records) {
    w.key(key);
    w.beginObject();
    for (const auto& [name, list] : records) {
        w.key(name);
        w.beginArray();
        for (const SideRecord& record : list) {
            w.beginObject();
            w.member("source", record.source);
            writeFacts(w, record.facts);
            w.endObject();
        }
        w.endArray();
    }
    w.endObject();
}

SideRecords readRecords(PlanFields& f, TapeIndex side, std::string_view key, std::size_t sources) {
    SideRecords records;
    f.eachMember(f.optional(side, key), [&](TapeIndex subject) {
        f.each(subject, [&](TapeIndex at) {
            const std::int64_t source = f.integer(at, "source");
            if (source < 0 || source >= static_cast<std::int64_t>(sources))
                return f.fail(at, "the source is not in the list of sources");
            records[std::string(f.tape.key(subject))].push_back({static_cast<int>(source), readFacts(f, at)});
        });
    });
    return records;
}

SideSource readSource(PlanFields& f, TapeIndex at) {
    SideSource source;
    const auto kind = sideKindNamed(f.text(at, "kind"));
    if (!kind) f.fail(at, "the kind of the source is not known");
    source.kind = kind.value_or(SideKind::PassLog);
    source.file = f.text(at, "file");
    source.sha256 = f.text(at, "sha256", "");
    source.records = f.integer(at, "records", 0);
    source.matched = f.integer(at, "matched", 0);
    source.byOrder = f.boolean(at, "by_order", false);
    f.each(f.optional(at, "unmatched"), [&](TapeIndex n) { source.unmatched.emplace_back(f.tape.text(n)); });
    source.facts = readFacts(f, at);
    return source;
}

}  // namespace

void writeSideInformation(JsonWriter& w, const SideInformation& side) {
    w.key("side_information");
    w.beginObject();
    w.key("sources");
    w.beginArray();
    for (const SideSource& source : side.sources) {
        w.beginObject();
        w.member("kind", sideKindName(source.kind));
        w.member("file", source.file);
        w.member("sha256", source.sha256);
        w.member("records", source.records);
        w.member("matched", source.matched);
        w.member("by_order", source.byOrder);
        w.key("unmatched");
        w.beginArray(true);
        for (const std::string& name : source.unmatched)
            w.string(name);
        w.endArray();
        writeFacts(w, source.facts);
        w.endObject();
    }
    w.endArray();
    writeRecords(w, "ops", side.ops);
    writeRecords(w, "buffers", side.buffers);
    writeRecords(w, "kernels", side.kernels);
    w.endObject();
}

Result<std::shared_ptr<const SideInformation>> readPlanSide(std::string_view bytes) {
    Limits limits;
    limits.jsonBytes = std::int64_t{1} << 30;  // the caller has applied its limit to the file
    auto tape = readTape(bytes, kCodes, limits, RunControl{});
    if (!tape) return std::move(tape).error();
    PlanFields f(tape.value());
    const TapeIndex data = f.optional(0, "target_data");
    const TapeIndex at = data == 0 ? 0 : f.optional(data, "side_information");
    if (at == 0) return std::shared_ptr<const SideInformation>();
    auto side = std::make_shared<SideInformation>();
    f.each(f.optional(at, "sources"), [&](TapeIndex source) { side->sources.push_back(readSource(f, source)); });
    side->ops = readRecords(f, at, "ops", side->sources.size());
    side->buffers = readRecords(f, at, "buffers", side->sources.size());
    side->kernels = readRecords(f, at, "kernels", side->sources.size());
    if (f.error()) return *f.error();
    return std::shared_ptr<const SideInformation>(std::move(side));
}

}  // namespace memplan::io
