// SPDX-License-Identifier: Apache-2.0
// The lists of words with a fixed meaning: settings, hints, reasons, diagnostics.
#include "app/cli/output/listing.h"
#include "engine/base/text.h"
#include "engine/hints/kinds.h"
#include "engine/plan/reasons.h"
#include "engine/settings/settings.h"

namespace memplan::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string_view typeName(SettingType t) {
    switch (t) {
    case SettingType::Bool:
        return "bool";
    case SettingType::Int:
        return "int";
    case SettingType::Num:
        return "num";
    case SettingType::Enum:
        return "enum";
    case SettingType::Text:
        return "text";
    case SettingType::Path:
        break;
    }
    return "path";
}

bool isNumeric(const SettingInfo& info) {
    return info.type == SettingType::Int || info.type == SettingType::Num;
}

std::string rangeOf(const SettingInfo& info) {
    if (info.type == SettingType::Bool) return "true,false";
    if (isNumeric(info)) return text::number(info.min) + ".." + text::number(info.max);
    std::string range;
    for (const std::string_view one : info.allowed)
        range += (range.empty() ? "" : ",") + std::string(one);
    return range;
}

Json settingRow(const SettingInfo& info) {
    Json row;
    row["key"] = info.key;
    row["type"] = typeName(info.type);
    row["default"] = info.defaultValue;
    row["seed"] = info.seedValue.empty() ? info.defaultValue : info.seedValue;
    row["best"] = info.bestValue.empty() ? info.defaultValue : info.bestValue;
    row["range"] = rangeOf(info);
    row["unit"] = info.unit;
    row["original_name"] = info.originalName;
    row["in_use"] = info.inUse;
    row["help"] = info.help;
    return row;
}

}  // namespace

Listing listSettings() {
    Listing listing{{{"key", "setting"},
                     {"type", "type"},
                     {"default", "default"},
                     {"range", "range or values"},
                     {"unit", "unit"},
                     {"original_name", "original name"},
                     {"in_use", "used"},
                     {"help", "meaning"}},
                    {}};
    for (const SettingInfo& info : allSettings())
        listing.rows.push_back(settingRow(info));
    return listing;
}

Listing listHints() {
    Listing listing{{{"target", "target"},
                     {"key", "hint"},
                     {"title", "in the window"},
                     {"scope", "scope"},
                     {"value", "value"},
                     {"pass", "pass"},
                     {"read", "read"},
                     {"meaning", "meaning"}},
                    {}};
    for (const hints::KindInfo& kind : hints::allKinds()) {
        Json row;
        row["target"] = kind.target;
        row["key"] = kind.key;
        row["title"] = kind.title;
        row["scope"] = kind.scopeText();
        row["value"] = kind.value;
        row["pass"] = kind.pass;
        row["read"] = kind.isRead;
        row["meaning"] = kind.help;
        listing.rows.push_back(std::move(row));
    }
    return listing;
}

Listing listReasons() {
    Listing listing{{{"code", "reason"},
                     {"diagnostic", "diagnostic"},
                     {"target", "target"},
                     {"family", "family"},
                     {"condition", "holds when"}},
                    {}};
    for (const ReasonInfo& reason : allReasons()) {
        Json row;
        row["code"] = reason.name;
        row["diagnostic"] = reason.diagnostic;
        row["target"] = reason.target;
        row["condition"] = reason.condition;
        row["family"] = reason.family;
        listing.rows.push_back(std::move(row));
    }
    return listing;
}

Listing listDiagnostics() {
    Listing listing{{{"code", "code"}, {"exit_status", "exit"}, {"title", "title"}}, {}};
    for (const DiagnosticInfo& d : allDiagnostics()) {
        Json row;
        row["code"] = d.code;
        row["title"] = d.title;
        row["exit_status"] = d.exitStatus == 0 ? Json() : Json(d.exitStatus);
        listing.rows.push_back(std::move(row));
    }
    return listing;
}

}  // namespace memplan::cli
