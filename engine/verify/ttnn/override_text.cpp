// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/override_text.h"

#include "engine/base/text.h"
#include "engine/json/json_value.h"
#include "engine/plan/ttnn_data.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::verify::ttnn {
namespace {

using io::JsonType;
using io::JsonValue;
using Words = std::vector<std::string>;
using Wishes = std::vector<std::pair<std::string, Words>>;

struct Option {
    std::string_view name, setting, hint;
};
constexpr std::array<Option, 4> kOptions{{{"insert-memreconfig", "ttnn.insert_memreconfig", "input_reshard"},
                                          {"override-output-layout", "ttnn.override_output_layout", "output_layout"},
                                          {"override-conv2d-config", "ttnn.override_conv2d_config", "conv2d_config"},
                                          {"override-conv3d-config", "ttnn.override_conv3d_config", "conv3d_config"}}};

/// "08" is 8, and TRUE is true.
std::string plainWord(const std::string& word) {
    if (const auto number = text::parseInt(word)) return std::to_string(*number);
    std::string plain = word;
    for (char& c : plain)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return plain;
}

/// "4x08" and "key#TRUE" by their parts.
std::string plainParts(const std::string& word) {
    for (const char by : {'#', 'x'}) {
        const std::size_t at = word.find(by);
        const bool isGrid = at != std::string::npos && text::parseInt(word.substr(0, at)).has_value();
        if (at != std::string::npos && (by == '#' || isGrid))
            return (by == '#' ? word.substr(0, at) : plainWord(word.substr(0, at))) + by +
                   plainWord(word.substr(at + 1));
    }
    return plainWord(word);
}

/// Parameters stand in any order; positions of operands in theirs.
Words plain(Words words, const Option& option) {
    for (std::string& word : words)
        word = plainParts(word);
    std::erase(words, "");
    if (option.hint != "input_reshard") std::ranges::sort(words);
    return words;
}

OverrideEntries entriesOf(const std::string& list, const Option& option) {
    OverrideEntries entries = overrideEntries(list);
    for (auto& [name, words] : entries)
        words = plain(std::move(words), option);
    return entries;
}

std::string wordOf(const JsonValue& value) {
    if (value.is(JsonType::String)) return value.string;
    if (!value.is(JsonType::Array)) return io::jsonText(value);
    std::string grid;
    for (const JsonValue& item : value.items)
        grid += (grid.empty() ? "" : "x") + io::jsonText(item);
    return grid;
}

/// {"grid": [4, 4], "buffer": "l1"} as 4x4 and l1; fields of a configuration with their keys.
Words wordsOf(const JsonValue& value, const Option& option) {
    Words words;
    const bool isConfig = option.hint.ends_with("_config");
    for (std::size_t i = 0; i < value.items.size(); ++i)
        words.push_back((isConfig && i < value.keys.size() ? value.keys[i] + "#" : std::string()) +
                        wordOf(value.items[i]));
    return plain(std::move(words), option);
}

class OverrideText {
public:
    OverrideText(const Plan& plan, Report& report) : plan_(plan), data_(ttnnData(plan)), report_(report) {}

    void run() {
        for (const Option& option : kOptions)
            check(option, entriesOf(stated(option), option));
    }

private:
    const Plan& plan_;
    const TtnnData& data_;
    Report& report_;

    /// What stands behind the option, up to the next one.
    [[nodiscard]] std::string stated(const Option& option) const {
        const std::string all = " " + data_.overrides;
        const std::size_t begin = all.find(" " + std::string(option.name) + "=");
        if (begin == std::string::npos) return {};
        std::size_t end = all.size();
        for (const Option& other : kOptions)
            end = std::min(end, all.find(" " + std::string(other.name) + "=", begin + 1));
        const std::size_t from = begin + option.name.size() + 1;  // without the blank that was put in front
        return data_.overrides.substr(from, end - 1 - from);
    }

    void check(const Option& option, const OverrideEntries& entries) {
        const std::string where = "overrides " + std::string(option.name);
        OverrideEntries wanted = entriesOf(plan_.settings.text(option.setting), option);
        Wishes open;
        const bool areAllKnown = addHints(option, wanted, open);
        for (const auto& [name, words] : entries) {
            const auto found = wanted.find(name);
            if (!areAllKnown || std::ranges::find(open, Wishes::value_type(name, words)) != open.end()) continue;
            if (found == wanted.end() || found->second != words)
                report_.add("VER-013", where, "forces " + name + ", as no setting and no hint does");
        }
        for (const auto& [name, words] : wanted)
            if (!entries.contains(name))
                report_.add("VER-013", where, "does not force " + name + ", as a setting or a hint does");
    }

    /// One that was left out, and one that was in force and not followed, have the same state.
    [[nodiscard]] bool isOpen(std::size_t hint) const {
        if (hint >= plan_.hintStates.size()) return false;
        const std::string& state = plan_.hintStates[hint];
        return state == "impossible" || state == "ignored" || state == "conflicting";
    }

    /// A hint counts more than a setting, and the last one most; `open` takes those that may have no effect. False
    /// where one is about an operation that the plan does not have by that name, whose location nobody knows then.
    [[nodiscard]] bool addHints(const Option& option, OverrideEntries& wanted, Wishes& open) const {
        bool areAllKnown = true;
        for (std::size_t i = 0; i < plan_.hints.size(); ++i) {
            const Hint& hint = plan_.hints[i];
            if (!hint.enabled || hint.key != option.hint) continue;
            for (const std::string& scope : hint.scopes) {
                if (!scope.starts_with("op:")) continue;
                const auto name = locationOf(scope.substr(3));
                areAllKnown = areAllKnown && name.has_value();
                if (name && isOpen(i))
                    open.emplace_back(*name, wordsOf(hint.value.tree(), option));
                else if (name)
                    wanted[*name] = wordsOf(hint.value.tree(), option);
            }
        }
        return areAllKnown;
    }

    /// The name in the location of the operation.
    [[nodiscard]] std::optional<std::string> locationOf(const std::string& id) const {
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            const PlanOp& op = plan_.ops[i];
            if (data_.ops[i].conversion != TtnnConversion::None || !isOf(op, id)) continue;
            const std::string& location = op.origin.node;
            const bool isPlain = !location.empty() && location.find_first_of(",= ") == std::string::npos;
            return isPlain ? std::optional(location) : std::nullopt;
        }
        return std::nullopt;
    }

    /// A plan that was read from a file has no graph: the names of its operations are those of the source.
    [[nodiscard]] bool isOf(const PlanOp& op, const std::string& id) const {
        if (!plan_.graph) return op.name == id;
        return std::ranges::any_of(op.sourceOps, [&](GraphOpId source) {
            return source.at() < plan_.graph->ops.size() && plan_.graph->ops[source.at()].id == id;
        });
    }
};

}  // namespace

OverrideEntries overrideEntries(const std::string& list) {
    OverrideEntries entries;
    for (const std::string& entry : text::split(list, ',')) {
        const std::size_t at = entry.find('=');
        if (at != std::string::npos) entries[entry.substr(0, at)] = text::split(entry.substr(at + 1), ':');
    }
    return entries;
}

void checkOverrideText(const Plan& plan, Report& report) {
    OverrideText(plan, report).run();
}

}  // namespace memplan::verify::ttnn
