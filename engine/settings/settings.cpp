// SPDX-License-Identifier: Apache-2.0
#include "engine/settings/settings.h"

#include "engine/base/suggestion.h"
#include "engine/base/text.h"
#include "engine/settings/owner.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <map>

namespace memplan {

namespace {

using SettingIndex = std::map<std::string_view, std::size_t, std::less<>>;

const SettingIndex& settingIndex() {
    static const SettingIndex kIndex = [] {
        SettingIndex index;
        const auto& all = allSettings();
        for (std::size_t i = 0; i < all.size(); ++i)
            index.emplace(all[i].key, i);
        return index;
    }();
    return kIndex;
}

std::optional<std::size_t> positionOf(std::string_view key) {
    const auto it = settingIndex().find(key);
    if (it == settingIndex().end()) return std::nullopt;
    return it->second;
}

std::optional<bool> parseBool(std::string_view s) {
    if (s == "true" || s == "1" || s == "on") return true;
    if (s == "false" || s == "0" || s == "off") return false;
    return std::nullopt;
}

std::string unitSuffix(const SettingInfo& info) {
    return info.unit.empty() ? "" : " " + std::string(info.unit);
}

std::string rangeText(const SettingInfo& info) {
    return text::number(info.min) + ".." + text::number(info.max) + unitSuffix(info);
}

Error badValue(const SettingInfo& info, std::string_view given, std::string_view expected) {
    return makeError("SET-002", std::string(info.key),
                     "value " + text::quoted(given) + " is not allowed, expected " + std::string(expected),
                     "the default is \"" + std::string(info.defaultValue) + "\"; see `memplan list settings`");
}

Result<SettingValue> parseEnum(const SettingInfo& info, std::string_view given) {
    std::string value(given);
    if (const auto solver = canonicalSolverName(given)) value = *solver;
    if (std::find(info.allowed.begin(), info.allowed.end(), value) != info.allowed.end()) return SettingValue(value);
    std::vector<std::string> names(info.allowed.begin(), info.allowed.end());
    std::string expected = "one of " + text::join(names, ", ");
    if (const std::string near = text::nearest(given, names); !near.empty()) expected += "; nearest is " + near;
    return badValue(info, given, expected);
}

Result<SettingValue> parseNumber(const SettingInfo& info, std::string_view given) {
    const auto value = text::parseDouble(given);
    if (!value || !std::isfinite(*value)) return badValue(info, given, "a number in " + rangeText(info));
    if (*value < info.min || *value > info.max) return badValue(info, given, "a number in " + rangeText(info));
    return SettingValue(*value);
}

Result<SettingValue> parseInteger(const SettingInfo& info, std::string_view given) {
    const auto value = text::parseInt(given);
    const auto low = static_cast<std::int64_t>(info.min);
    const auto high = static_cast<std::int64_t>(info.max);
    if (!value || *value < low || *value > high) return badValue(info, given, "a whole number in " + rangeText(info));
    return SettingValue(*value);
}

Result<SettingValue> parseText(const SettingInfo& info, std::string_view given) {
    if (!text::isValidUtf8(given) || text::escaped(given) != given) {
        return badValue(info, given, "text without control characters");
    }
    return SettingValue(std::string(given));
}

Result<SettingValue> parseValue(const SettingInfo& info, std::string_view given) {
    switch (info.type) {
    case SettingType::Bool: {
        const auto value = parseBool(given);
        if (!value) return badValue(info, given, "true or false (also 1, 0, on, off)");
        return SettingValue(*value);
    }
    case SettingType::Int:
        return parseInteger(info, given);
    case SettingType::Num:
        return parseNumber(info, given);
    case SettingType::Enum:
        return parseEnum(info, given);
    case SettingType::Text:
    case SettingType::Path:
        break;
    }
    return parseText(info, given);
}

std::string_view presetValue(const SettingInfo& info, std::string_view preset) {
    if (preset == "seed" && !info.seedValue.empty()) return info.seedValue;
    if (preset == "best" && !info.bestValue.empty()) return info.bestValue;
    return info.defaultValue;
}

Error unknownKey(std::string_view key) {
    std::vector<std::string> keys;
    for (const SettingInfo& info : allSettings())
        keys.emplace_back(info.key);
    return makeError("SET-001", text::escaped(key), "there is no setting of this name",
                     didYouMean(key, keys, "see `memplan list settings`"));
}

}  // namespace

const SettingInfo* findSetting(std::string_view key) {
    const auto position = positionOf(key);
    return position ? &allSettings()[*position] : nullptr;
}

std::optional<std::string> canonicalSolverName(std::string_view name) {
    static constexpr std::array<std::string_view, 5> kNames{"greedy", "firstfit", "bestfit", "annealing", "exact"};
    if (name == "simulated_annealing") return "annealing";
    if (name == "cpsat") return "exact";
    const auto* it = std::find(kNames.begin(), kNames.end(), name);
    if (it == kNames.end()) return std::nullopt;
    return std::string(*it);
}

Settings::Settings() {
    values_.reserve(allSettings().size());
    for (const SettingInfo& info : allSettings())
        values_.push_back(parseValue(info, info.defaultValue).value());
    explicit_.assign(values_.size(), false);
}

Result<void> Settings::set(std::string_view key, std::string_view given) {
    const auto position = positionOf(key);
    if (!position) return unknownKey(key);
    auto parsed = parseValue(allSettings()[*position], given);
    if (!parsed) return std::move(parsed).error();
    values_[*position] = std::move(parsed).value();
    explicit_[*position] = true;
    if (key == "preset") applyPreset(text("preset"));
    fillImplied();
    return {};
}

void Settings::applyPreset(std::string_view preset) {
    const auto& all = allSettings();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!explicit_[i]) values_[i] = parseValue(all[i], presetValue(all[i], preset)).value();
    }
}

void Settings::fillImplied() {
    for (const MachineSettings* machine : machineSettings()) {
        if (machine->implied == nullptr) continue;
        for (const auto& [key, text] : machine->implied(*this))
            imply(key, text);
    }
}

void Settings::imply(std::string_view key, std::string_view text) {
    const std::size_t position = *positionOf(key);
    if (!explicit_[position]) values_[position] = parseValue(allSettings()[position], text).value();
}

Result<Settings> Settings::fromPairs(std::span<const std::pair<std::string, std::string>> pairs) {
    Settings settings;
    for (const bool presetPass : {true, false}) {
        for (const auto& [key, given] : pairs) {
            if ((key == "preset") != presetPass) continue;
            auto done = settings.set(key, given);
            if (!done) return Error(done.error());
        }
    }
    if (auto checked = settings.check(); !checked) return Error(checked.error());
    return settings;
}

Result<void> Settings::check() const {
    for (const MachineSettings* machine : machineSettings()) {
        if (machine->check == nullptr) continue;
        if (auto checked = machine->check(*this); !checked) return checked;
    }
    return {};
}

const SettingValue& Settings::value(std::string_view key) const {
    const auto position = positionOf(key);
    assert(position && "a key of the settings table");
    return values_[position.value()];
}

bool Settings::boolean(std::string_view key) const {
    return std::get<bool>(value(key));
}

std::int64_t Settings::integer(std::string_view key) const {
    return std::get<std::int64_t>(value(key));
}

double Settings::number(std::string_view key) const {
    const SettingValue& v = value(key);
    if (const auto* whole = std::get_if<std::int64_t>(&v)) return static_cast<double>(*whole);
    return std::get<double>(v);
}

const std::string& Settings::text(std::string_view key) const {
    return std::get<std::string>(value(key));
}

std::string Settings::textOf(std::string_view key) const {
    const SettingValue& v = value(key);
    if (const auto* flag = std::get_if<bool>(&v)) return *flag ? "true" : "false";
    if (const auto* whole = std::get_if<std::int64_t>(&v)) return std::to_string(*whole);
    if (const auto* real = std::get_if<double>(&v)) return text::number(*real);
    return std::get<std::string>(v);
}

bool Settings::isExplicit(std::string_view key) const {
    const auto position = positionOf(key);
    return position && explicit_[*position];
}

std::string_view machineOfSetting(std::string_view key) {
    const auto headOf = [](std::string_view k) { return k.substr(0, k.find('.')); };
    for (const MachineSettings* machine : machineSettings())
        for (const SettingInfo& info : machine->rows())
            if (headOf(info.key) == headOf(key)) return headOf(info.key);
    return {};
}

std::vector<std::string> settingsWithoutEffect(const Settings& settings) {
    std::vector<std::string> keys;
    for (const SettingInfo& info : allSettings()) {
        const bool isChanged = settings.isExplicit(info.key) || settings.textOf(info.key) != info.defaultValue;
        if (!info.inUse && isChanged) keys.emplace_back(info.key);
    }
    return keys;
}

}  // namespace memplan
