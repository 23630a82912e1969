// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/import/records/schema.h"

#include "engine/base/text.h"
#include "engine/spyre/import/records/side_text.h"

#include <algorithm>

namespace memplan::io {

void ClosedSchema::fail(TapeIndex at, const std::string& what) {
    if (error_) return;
    const std::string pointer = tape.pointer(at == kNone ? 0 : at);
    error_ =
        sideError(pointer.empty() ? "/" : pointer, what, "write the sidecar anew, or take the one of this compile");
}

bool ClosedSchema::is(TapeIndex at, JsonType type) {
    if (error_ || at == kNone) return false;
    if (tape.type(at) == type) return true;
    fail(at, std::string(jsonTypeName(type)) + " is expected");
    return false;
}

void ClosedSchema::keys(TapeIndex at, std::initializer_list<std::string_view> required,
                        std::initializer_list<std::string_view> optional) {
    if (!is(at, JsonType::Object)) return;
    const auto has = [](std::initializer_list<std::string_view> list, std::string_view key) {
        return std::find(list.begin(), list.end(), key) != list.end();
    };
    for (const TapeIndex c : tape.children(at)) {
        if (!has(required, tape.key(c)) && !has(optional, tape.key(c)))
            return fail(c, "the key \"" + memplan::text::escaped(tape.key(c)) + "\" is not part of schema 1");
    }
    for (const std::string_view key : required) {
        if (tape.find(at, key) == 0) return fail(at, "the key \"" + std::string(key) + "\" is missing");
    }
}

TapeIndex ClosedSchema::member(TapeIndex object, std::string_view key, JsonType type) {
    if (!is(object, JsonType::Object)) return kNone;
    const TapeIndex at = tape.find(object, key);
    if (at == 0) {
        fail(object, "the key \"" + std::string(key) + "\" is missing");
        return kNone;
    }
    return is(at, type) ? at : kNone;
}

std::string ClosedSchema::text(TapeIndex object, std::string_view key) {
    const TapeIndex at = member(object, key, JsonType::String);
    return at == kNone ? std::string() : std::string(tape.text(at));
}

std::optional<std::string> ClosedSchema::textOrNull(TapeIndex object, std::string_view key) {
    if (!is(object, JsonType::Object)) return std::nullopt;
    const TapeIndex at = tape.find(object, key);
    if (at != 0 && tape.type(at) == JsonType::Null) return std::nullopt;
    return text(object, key);
}

std::int64_t ClosedSchema::integer(TapeIndex object, std::string_view key, std::int64_t least) {
    const TapeIndex at = member(object, key, JsonType::Integer);
    if (at == kNone) return least;
    if (tape.at(at).integer < least) fail(at, "a number of at least " + std::to_string(least) + " is expected");
    return tape.at(at).integer;
}

std::vector<std::string> ClosedSchema::texts(TapeIndex object, std::string_view key) {
    std::vector<std::string> out;
    each(member(object, key, JsonType::Array), [&](TapeIndex c) {
        if (is(c, JsonType::String)) out.emplace_back(tape.text(c));
    });
    return out;
}

std::vector<std::int64_t> ClosedSchema::integers(TapeIndex object, std::string_view key) {
    std::vector<std::int64_t> out;
    each(member(object, key, JsonType::Array), [&](TapeIndex c) {
        if (is(c, JsonType::Integer)) out.push_back(tape.at(c).integer);
    });
    return out;
}

void ClosedSchema::mapping(TapeIndex object, std::string_view key) {
    each(member(object, key, JsonType::Object), [&](TapeIndex list) {
        if (!is(list, JsonType::Array)) return;
        each(list, [&](TapeIndex name) { (void)is(name, JsonType::String); });
    });
}

}  // namespace memplan::io
