// SPDX-License-Identifier: Apache-2.0
#include "engine/io/plan/record/record_forms.h"

#include <array>
#include <cmath>
#include <limits>

namespace memplan::io::record {

void real(RecordWriter& file, std::string_view key, double value) {
    if (!std::isfinite(value)) return file.member(key, text::number(value));
    file.json().key(key);
    file.json().verbatim().append(text::number(value));
}

void real(RecordReader& file, std::string_view key, double& value) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    const Tape& tape = file.fields().tape;
    const TapeIndex at = tape.find(file.at(), key);
    const std::string_view word = tape.type(at) == JsonType::String ? tape.text(at) : std::string_view();
    if (tape.type(at) == JsonType::Integer || tape.type(at) == JsonType::Real) {
        value = tape.number(at);
    } else if (word == "inf" || word == "-inf") {
        value = word == "inf" ? kInfinite : -kInfinite;
    } else if (word == "nan") {
        value = std::numeric_limits<double>::quiet_NaN();
    } else {
        file.fields().fail(at, "a number is expected");
    }
}

void symbols(RecordWriter& file, std::string_view key, const std::vector<sim::RecordSymbol>& space) {
    JsonWriter& w = file.json();
    w.key(key);
    w.beginArray(true);
    for (const sim::RecordSymbol& s : space) {
        w.beginArray(true);
        w.string(s.name);
        w.integer(s.extent);
        if (s.isReduction) w.boolean(true);
        w.endArray();
    }
    w.endArray();
}

void symbols(RecordReader& file, std::string_view key, std::vector<sim::RecordSymbol>& space) {
    PlanFields& f = file.fields();
    f.each(f.required(file.at(), key), [&](TapeIndex at) {
        std::vector<TapeIndex> parts;
        f.each(at, [&](TapeIndex part) { parts.push_back(part); });
        if (parts.size() < 2 || parts.size() > 3)
            return f.fail(at, "[symbol, extent] or [symbol, extent, reduction] is expected");
        sim::RecordSymbol s{f.textAt(parts[0]), f.integerAt(parts[1]), parts.size() == 3 && f.booleanAt(parts[2])};
        const bool isTaken = std::ranges::find(space, s.name, &sim::RecordSymbol::name) != space.end();
        if (s.extent < 1 || s.extent > kLargest) f.fail(parts[1], "an extent from 1 to 2^48 is expected");
        if (!sim::isSymbolName(s.name) || isTaken) f.fail(parts[0], "a name of its own is expected, such as \"d0\"");
        space.push_back(std::move(s));
    });
}

void bySymbol(RecordWriter& file, std::string_view key, const std::vector<sim::RecordSymbol>& space,
              std::int64_t sim::RecordSymbol::*value) {
    if (std::ranges::all_of(
            space, [value](std::int64_t v) { return v == 1; }, value))
        return;
    file.inlineGroup(key, [&](RecordWriter& values) {
        for (const sim::RecordSymbol& s : space)
            values.sparse(s.name, s.*value, s.*value != 1);
    });
}

void bySymbol(RecordReader& file, std::string_view key, std::vector<sim::RecordSymbol>& space,
              std::int64_t sim::RecordSymbol::*value) {
    PlanFields& f = file.fields();
    f.eachMember(f.optional(file.at(), key), [&](TapeIndex at) {
        const auto s = std::ranges::find(space, f.tape.key(at), &sim::RecordSymbol::name);
        if (s == space.end()) return f.fail(at, "the op has no symbol " + text::quoted(f.tape.key(at)));
        std::int64_t& number = (*s).*value;
        number = f.integerAt(at);
        if (number < 1 || number > kLargest) f.fail(at, "a number from 1 to 2^48 is expected");
    });
}

}  // namespace memplan::io::record
