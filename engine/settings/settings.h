// SPDX-License-Identifier: Apache-2.0
// The settings registry: one table of keys with type, default, range and help (settings.md), and a
// value set over it. Everything that a user can turn is a setting; nothing else may be read as one.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace memplan {

enum class SettingType { Bool, Int, Num, Enum, Text, Path };

struct SettingInfo {
    std::string_view key;
    SettingType type = SettingType::Text;
    std::string_view defaultValue;  ///< text form, ours
    std::string_view seedValue;     ///< under preset=seed; empty = same as default
    std::string_view bestValue;     ///< under preset=best; empty = same as default
    double min = 0;                 ///< Int and Num only
    double max = 0;
    std::vector<std::string_view> allowed;  ///< Enum only, canonical spellings
    std::string_view unit;
    std::string_view help;          ///< one line
    std::string_view originalName;  ///< in the original system, may be empty
    bool inUse = true;  ///< a part of this version reads it; others are checked and kept, and change nothing
};

/// All settings in the order of settings.md.
[[nodiscard]] const std::vector<SettingInfo>& allSettings();
[[nodiscard]] const SettingInfo* findSetting(std::string_view key);

using SettingValue = std::variant<bool, std::int64_t, double, std::string>;

/// A complete set of values. Text forms are canonical (aliases of solver names are resolved).
class Settings {
public:
    Settings();  ///< product defaults
    /// Applies `preset` (if among the pairs) first, then the others in order; the last value of a
    /// key wins. Errors: SET-001 unknown key (nearest named), SET-002 wrong type or out of range,
    /// SET-003 combination not allowed.
    [[nodiscard]] static Result<Settings> fromPairs(std::span<const std::pair<std::string, std::string>> pairs);
    /// Sets one key from its text form. `preset` resets every key that was not set explicitly.
    [[nodiscard]] Result<void> set(std::string_view key, std::string_view text);

    /// A value that follows from elsewhere, for a key that nobody set.
    void imply(std::string_view key, std::string_view text);

    /// Combinations that the specification forbids: SET-003. fromPairs has checked already.
    [[nodiscard]] Result<void> check() const;

    [[nodiscard]] bool boolean(std::string_view key) const;
    [[nodiscard]] std::int64_t integer(std::string_view key) const;
    [[nodiscard]] double number(std::string_view key) const;            ///< Num or Int
    [[nodiscard]] const std::string& text(std::string_view key) const;  ///< Enum, Text, Path
    [[nodiscard]] const SettingValue& value(std::string_view key) const;
    [[nodiscard]] std::string textOf(std::string_view key) const;  ///< canonical text form of any key
    [[nodiscard]] bool isExplicit(std::string_view key) const;     ///< set by the user, not by a default or preset

    friend bool operator==(const Settings&, const Settings&) = default;

private:
    void applyPreset(std::string_view preset);
    /// Values that follow from others, for keys that nobody set (settings.md 3).
    void fillImplied();

    std::vector<SettingValue> values_;  ///< parallel to allSettings()
    std::vector<bool> explicit_;
};

/// The settings of one machine; its keys begin with its id.
struct MachineSettings {
    std::vector<SettingInfo> (*rows)() = nullptr;
    /// Key and text of what follows from other settings where nobody set it; null = nothing.
    std::vector<std::pair<std::string_view, std::string_view>> (*implied)(const Settings&) = nullptr;
    /// SET-003 for combinations that the machine forbids; null = none.
    Result<void> (*check)(const Settings&) = nullptr;
};

/// In the order of settings.md; also of machines that this version knows the settings of alone (targets.cpp).
[[nodiscard]] std::span<const MachineSettings* const> machineSettings();

/// Keys that the user or a preset changed and that nothing in this version reads, in table order; a
/// compile with such a key warns with SET-004.
[[nodiscard]] std::vector<std::string> settingsWithoutEffect(const Settings& settings);

/// Canonical solver name for an accepted spelling (simulated_annealing, cpsat), or nullopt.
[[nodiscard]] std::optional<std::string> canonicalSolverName(std::string_view name);

}  // namespace memplan
