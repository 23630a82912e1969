// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/file/plan_fields.h"

#include "engine/base/text.h"

#include <limits>

namespace memplan::io {

void PlanFields::fail(TapeIndex at, std::string message) {
    if (error_) return;
    error_ =
        makeError("IN-008", tape.pointer(at), std::move(message), "compile the input again to get a sound plan file");
}

TapeIndex PlanFields::optional(TapeIndex object, std::string_view key) const {
    const TapeIndex at = tape.find(object, key);
    return at != 0 && tape.type(at) == JsonType::Null ? 0 : at;
}

TapeIndex PlanFields::required(TapeIndex object, std::string_view key) {
    const TapeIndex at = tape.find(object, key);
    if (at == 0) fail(object, "the key " + text::quoted(key) + " is missing");
    return at;
}

TapeIndex PlanFields::array(TapeIndex object, std::string_view key) {
    const TapeIndex at = required(object, key);
    if (at == 0 || tape.type(at) == JsonType::Array) return at;
    fail(at, "an array is expected");
    return 0;
}

TapeIndex PlanFields::object(TapeIndex parent, std::string_view key) {
    const TapeIndex at = required(parent, key);
    if (at == 0 || tape.type(at) == JsonType::Object) return at;
    fail(at, "an object is expected");
    return 0;
}

std::string PlanFields::textAt(TapeIndex at) {
    if (tape.type(at) != JsonType::String) fail(at, "a string is expected");
    return std::string(tape.text(at));
}

std::int64_t PlanFields::integerAt(TapeIndex at) {
    if (tape.type(at) != JsonType::Integer) fail(at, "an integer is expected");
    return tape.at(at).integer;
}

std::int32_t PlanFields::smallAt(TapeIndex at) {
    const std::int64_t v = integerAt(at);
    if (v < INT32_MIN || v > INT32_MAX) fail(at, "the number does not fit 32 bits");
    return static_cast<std::int32_t>(v);
}

double PlanFields::numberAt(TapeIndex at) {
    const JsonType type = tape.type(at);
    if (type == JsonType::Null) return std::numeric_limits<double>::infinity();
    if (type != JsonType::Integer && type != JsonType::Real) fail(at, "a number is expected");
    return tape.number(at);
}

bool PlanFields::booleanAt(TapeIndex at) {
    if (tape.type(at) != JsonType::Bool) fail(at, "a boolean is expected");
    return tape.at(at).boolean;
}

std::string PlanFields::text(TapeIndex object, std::string_view key) {
    const TapeIndex at = required(object, key);
    return at == 0 ? std::string() : textAt(at);
}

std::int64_t PlanFields::integer(TapeIndex object, std::string_view key) {
    const TapeIndex at = required(object, key);
    return at == 0 ? 0 : integerAt(at);
}

std::int64_t PlanFields::integer(TapeIndex object, std::string_view key, std::int64_t otherwise) {
    const TapeIndex at = optional(object, key);
    return at == 0 ? otherwise : integerAt(at);
}

void PlanFields::name(TapeIndex array, std::string_view key, Names& names) {
    std::int32_t position = 0;
    each(array, [&](TapeIndex c) {
        const TapeIndex id = required(c, key);
        if (id == 0) return;
        if (!names.emplace(tape.text(id), position++).second)
            fail(id, "the name " + text::quoted(tape.text(id)) + " is taken");
    });
}

std::int32_t PlanFields::lookUp(TapeIndex at, std::string_view wanted, const Names& names) {
    const auto it = names.find(wanted);
    if (it != names.end()) return it->second;
    fail(at, "unknown name " + text::quoted(wanted));
    return -1;
}

OpId PlanFields::opNamed(TapeIndex at, std::string_view wanted) {
    return OpId{lookUp(at, wanted, ops_)};
}

BufferId PlanFields::bufferNamed(TapeIndex at) {
    if (tape.type(at) == JsonType::String) return BufferId{lookUp(at, tape.text(at), buffers_)};
    fail(at, "the name of a buffer is expected");
    return {};
}

std::vector<std::int32_t> PlanFields::positions(TapeIndex object, std::string_view key, std::size_t count) {
    std::vector<std::int32_t> out;
    each(optional(object, key), [&](TapeIndex c) {
        const std::int64_t v = integerAt(c);
        if (v < 0 || v >= static_cast<std::int64_t>(count))
            return fail(c, "no item has the position " + text::grouped(v));
        out.push_back(static_cast<std::int32_t>(v));
    });
    return out;
}

std::vector<OpId> PlanFields::opPositions(TapeIndex object, std::string_view key) {
    std::vector<OpId> out;
    for (const std::int32_t v : positions(object, key, ops_.size()))
        out.push_back(OpId{v});
    return out;
}

std::vector<BufferId> PlanFields::bufferPositions(TapeIndex object, std::string_view key) {
    std::vector<BufferId> out;
    for (const std::int32_t v : positions(object, key, buffers_.size()))
        out.push_back(BufferId{v});
    return out;
}

}  // namespace memplan::io
