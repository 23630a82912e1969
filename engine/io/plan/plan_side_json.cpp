// SPDX-License-Identifier: Apache-2.0
#include "engine/io/plan/plan_side_json.h"

#include "engine/json/json_sax.h"

namespace memplan::io {

template <> struct Words<SideKind> {
    static constexpr std::string_view kWhat = "kind of source";
    static std::string_view name(SideKind kind) { return sideKindName(kind); }
    static std::optional<SideKind> named(std::string_view word) { return sideKindNamed(word); }
};

namespace {

constexpr JsonCodes kCodes{"IN-008", "MPG-002", "IN-008", "IN-008", "IN-008", "IN-008", "IN-008"};

/// An object with one member for each fact: a text or a whole number.
void facts(RecordWriter& file, const SideFacts& facts) {
    file.group("facts", [&](RecordWriter& object) {
        for (const SideFact& fact : facts)
            fact.number ? object.member(fact.key, *fact.number) : object.member(fact.key, fact.text);
    });
}

void facts(RecordReader& file, SideFacts& facts) {
    PlanFields& f = file.fields();
    f.eachMember(f.optional(file.at(), "facts"), [&](TapeIndex c) {
        std::string key(f.tape.key(c));
        if (f.tape.type(c) == JsonType::Integer) return facts.push_back(numberFact(std::move(key), f.integerAt(c)));
        if (f.tape.type(c) != JsonType::String) return f.fail(c, "a text or a whole number is expected");
        facts.push_back(textFact(std::move(key), std::string(f.tape.text(c))));
    });
}

}  // namespace

template <> struct Record<SideRecord> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& record) {
        file.member("source", record.source);
        facts(file, record.facts);
    }
};

template <> struct Record<SideSource> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& source) {
        file.member("kind", source.kind);
        file.member("file", source.file);
        file.optional("sha256", source.sha256);
        file.optional("records", source.records);
        file.optional("matched", source.matched);
        file.optional("by_order", source.byOrder);
        file.optional("unmatched", source.unmatched);
        facts(file, source.facts);
    }
};

template <> struct Record<SideInformation> {
    static constexpr bool kInline = false;
    template <class File> static void members(File& file, auto& side) {
        file.optional("sources", side.sources);
        file.table("ops", side.ops);
        file.table("buffers", side.buffers);
        file.table("kernels", side.kernels);
        if constexpr (File::kReads) checkSources(file, side);
    }

private:
    /// Records refer to a source by its position.
    static void checkSources(RecordReader& file, const SideInformation& side) {
        PlanFields& f = file.fields();
        for (const char* key : {"ops", "buffers", "kernels"}) {
            f.eachMember(f.optional(file.at(), key), [&](TapeIndex subject) {
                f.each(subject, [&](TapeIndex record) {
                    const std::int64_t source = f.integer(record, "source", -1);
                    if (source < 0 || source >= static_cast<std::int64_t>(side.sources.size()))
                        f.fail(record, "the source is not in the list of sources");
                });
            });
        }
    }
};

void writeSideInformation(RecordWriter& targetData, const SideInformation& side) {
    targetData.member("side_information", side);
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
    RecordReader(f, data).optional("side_information", *side);
    if (f.error()) return *f.error();
    return std::shared_ptr<const SideInformation>(std::move(side));
}

}  // namespace memplan::io
