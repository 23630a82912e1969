// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/hint_value.h"

#include <algorithm>

namespace memplan {
namespace {

using io::JsonType;
using io::JsonValue;

constexpr std::int64_t kLastPosition = 64;  ///< no operation has more dimensions

// ---- from a tree to a payload ------------------------------------------------------------------------------

bool areAll(const JsonValue& value, JsonType type) {
    return std::ranges::all_of(value.items, [type](const JsonValue& v) { return v.is(type); });
}

NameList namesOf(const JsonValue& list) {
    NameList names;
    for (const JsonValue& name : list.items)
        names.push_back(name.string);
    return names;
}

std::optional<std::vector<int>> positionsOf(const JsonValue* list) {
    if (list == nullptr || !list->is(JsonType::Array)) return std::nullopt;
    std::vector<int> positions;
    for (const JsonValue& d : list->items) {
        if (!d.is(JsonType::Integer) || d.integer < 0 || d.integer > kLastPosition) return std::nullopt;
        positions.push_back(static_cast<int>(d.integer));
    }
    return positions;
}

std::optional<TilingGroup::Level> levelOf(const JsonValue& value) {
    const JsonValue* count = value.find("count");
    auto dims = positionsOf(value.find("dims"));
    if (count == nullptr || !dims || !count->is(JsonType::Integer)) return std::nullopt;
    TilingGroup::Level level{count->integer, std::move(*dims), {}};
    const JsonValue* others = value.find("dims_of");
    if (others == nullptr) return level;
    if (!others->is(JsonType::Object)) return std::nullopt;
    for (std::size_t i = 0; i < others->items.size(); ++i) {
        auto own = positionsOf(&others->items[i]);
        if (!own) return std::nullopt;
        level.dimsOf[others->keys[i]] = std::move(*own);
    }
    return level;
}

std::optional<TilingGroup> groupOf(const JsonValue& value) {
    const JsonValue* ops = value.find("ops");
    const JsonValue* levels = value.find("levels");
    if (ops == nullptr || levels == nullptr || !ops->is(JsonType::Array) || !levels->is(JsonType::Array) ||
        !areAll(*ops, JsonType::String))
        return std::nullopt;
    TilingGroup group{namesOf(*ops), {}};
    for (const JsonValue& l : levels->items) {
        auto level = levelOf(l);
        if (!level) return std::nullopt;
        group.levels.push_back(std::move(*level));
    }
    return group;
}

HintValue::Payload groupsOf(const JsonValue& list) {
    TilingGroups groups;
    for (const JsonValue& item : list.items) {
        auto group = groupOf(item);
        if (!group) return {};
        groups.push_back(std::move(*group));
    }
    return groups;
}

HintValue::Payload countsOf(const JsonValue& object) {
    if (!areAll(object, JsonType::Integer)) return {};
    NamedCounts counts;
    for (std::size_t i = 0; i < object.items.size(); ++i)
        counts.emplace_back(object.keys[i], object.items[i].integer);
    return counts;
}

HintValue::Payload payloadOf(const JsonValue& tree) {
    switch (tree.type) {
    case JsonType::Bool:
        return tree.boolean;
    case JsonType::Integer:
        return tree.integer;
    case JsonType::String:
        return tree.string;
    case JsonType::Object:
        return countsOf(tree);
    case JsonType::Array:
        if (areAll(tree, JsonType::String)) return namesOf(tree);
        return groupsOf(tree);
    case JsonType::Null:
    case JsonType::Real:
        break;
    }
    return {};
}

// ---- from a payload to a tree ------------------------------------------------------------------------------

JsonValue treeOf(std::monostate) {
    return {};
}

JsonValue treeOf(bool v) {
    return io::jsonBool(v);
}

JsonValue treeOf(std::int64_t v) {
    return io::jsonInteger(v);
}

JsonValue treeOf(const std::string& v) {
    return io::jsonString(v);
}

JsonValue treeOf(const std::vector<int>& positions);
JsonValue treeOf(const TilingGroup::Level& level);
JsonValue treeOf(const TilingGroup& group);

/// Keys that are known to differ: no search among thousands.
template <class Members> JsonValue objectOf(const Members& members) {
    JsonValue object;
    object.type = JsonType::Object;
    for (const auto& [key, value] : members) {
        object.keys.push_back(key);
        object.items.push_back(treeOf(value));
    }
    return object;
}

template <class T> JsonValue listOf(const std::vector<T>& values) {
    std::vector<JsonValue> items;
    for (const T& v : values)
        items.push_back(treeOf(v));
    return io::jsonArray(std::move(items));
}

JsonValue treeOf(const std::vector<int>& positions) {
    return listOf(std::vector<std::int64_t>(positions.begin(), positions.end()));
}

JsonValue treeOf(const NamedCounts& counts) {
    return objectOf(counts);
}

JsonValue treeOf(const NameList& names) {
    return listOf(names);
}

JsonValue treeOf(const TilingGroup::Level& level) {
    JsonValue object;
    io::setMember(object, "count", treeOf(level.count));
    io::setMember(object, "dims", treeOf(level.dims));
    if (!level.dimsOf.empty()) io::setMember(object, "dims_of", objectOf(level.dimsOf));
    return object;
}

JsonValue treeOf(const TilingGroup& group) {
    JsonValue object;
    io::setMember(object, "ops", treeOf(group.ops));
    io::setMember(object, "levels", listOf(group.levels));
    return object;
}

JsonValue treeOf(const TilingGroups& groups) {
    return listOf(groups);
}

}  // namespace

HintValue::HintValue() {
    static const auto kNull = std::make_shared<const Held>();
    held_ = kNull;
}

HintValue::HintValue(Payload payload) {
    JsonValue tree = std::visit([](const auto& held) { return treeOf(held); }, payload);
    held_ = std::make_shared<const Held>(Held{std::move(tree), std::move(payload)});
}

HintValue::HintValue(io::JsonValue tree) {
    Payload payload = payloadOf(tree);
    held_ = std::make_shared<const Held>(Held{std::move(tree), std::move(payload)});
}

std::optional<HintValue> HintValue::parse(std::string_view json) {
    auto tree = io::parseJsonValue(json);
    if (!tree) return std::nullopt;
    return HintValue(std::move(*tree));
}

bool operator==(const HintValue& a, const HintValue& b) {
    return a.held_ == b.held_ || a.held_->tree == b.held_->tree;
}

const TilingGroups* HintValue::groups() const {
    static const TilingGroups kNone;
    if (const auto* names = std::get_if<NameList>(&held_->payload); names != nullptr && names->empty()) return &kNone;
    return std::get_if<TilingGroups>(&held_->payload);
}

}  // namespace memplan
