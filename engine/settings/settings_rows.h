// SPDX-License-Identifier: Apache-2.0
// How a row of the settings table is written down.
#pragma once

#include "engine/settings/settings.h"

#include <string_view>
#include <vector>

namespace memplan::detail {

/// A row under construction: `flag("a.b", "true", "help").seed("false").original("A_B")`.
class Row {
public:
    explicit Row(SettingInfo info) : info_(std::move(info)) {}

    [[nodiscard]] Row seed(std::string_view value) const;     ///< value under preset=seed
    [[nodiscard]] Row best(std::string_view value) const;     ///< value under preset=best
    [[nodiscard]] Row original(std::string_view name) const;  ///< name in the original system
    [[nodiscard]] Row unit(std::string_view unit) const;
    [[nodiscard]] Row range(double min, double max) const;
    [[nodiscard]] Row withoutUse() const;  ///< nothing in this version reads it
    operator SettingInfo() const { return info_; }

private:
    SettingInfo info_;
};

[[nodiscard]] Row flag(std::string_view key, std::string_view defaultValue, std::string_view help);
[[nodiscard]] Row whole(std::string_view key, std::string_view defaultValue, std::string_view help);
[[nodiscard]] Row real(std::string_view key, std::string_view defaultValue, std::string_view help);
[[nodiscard]] Row words(std::string_view key, std::string_view defaultValue, std::string_view help);
[[nodiscard]] Row file(std::string_view key, std::string_view help);
/// The first of `allowed` is not special; the default is named.
[[nodiscard]] Row choice(std::string_view key, std::string_view defaultValue, std::vector<std::string_view> allowed,
                         std::string_view help);

/// Rows of a part that this version does not have.
[[nodiscard]] std::vector<SettingInfo> withoutUse(std::vector<SettingInfo> rows);

[[nodiscard]] std::vector<SettingInfo> generalSettings();
[[nodiscard]] std::vector<SettingInfo> limitSettings();

}  // namespace memplan::detail
