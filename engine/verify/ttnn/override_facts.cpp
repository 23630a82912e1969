// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/override_facts.h"

#include "engine/base/text.h"
#include "engine/verify/ttnn/layouts.h"
#include "engine/verify/ttnn/override_text.h"

#include <algorithm>
#include <cctype>

namespace memplan::verify::ttnn {
namespace {

/// The word is one of the layout's own; a grid counts by its numbers.
bool isWordOf(const Layout& layout, const std::string& word) {
    const std::vector<std::string> sizes = text::split(word, 'x');
    if (sizes.size() == 2)
        return text::parseInt(sizes[0]) == layout.grid.rows && text::parseInt(sizes[1]) == layout.grid.cols;
    return word == wordOf(layout.buffer) || word == wordOf(layout.page) || word == wordOf(layout.dtype) ||
           (layout.mem && word == wordOf(*layout.mem));
}

/// The name as a whole: add_1 is not in "add_12".
bool isNamedIn(std::string_view text, std::string_view name) {
    const auto goesOn = [&](std::size_t at) {
        return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1))
        if ((at == 0 || !goesOn(at - 1)) && !goesOn(at + name.size())) return true;
    return false;
}

class OverrideFacts {
public:
    OverrideFacts(const Plan& plan, const Values& values, Report& report)
        : plan_(plan), data_(ttnnData(plan)), values_(values), report_(report) {}

    void run() {
        check("ttnn.override_output_layout", "output_layout", &OverrideFacts::hasLayout);
        check("ttnn.insert_memreconfig", "input_reshard", &OverrideFacts::isResharded);
    }

private:
    using Words = std::vector<std::string>;
    using Rule = bool (OverrideFacts::*)(OpId, const Words&) const;

    const Plan& plan_;
    const TtnnData& data_;
    const Values& values_;
    Report& report_;

    void check(const char* setting, std::string_view hint, Rule isKept) {
        for (const auto& [name, words] : overrideEntries(plan_.settings.text(setting))) {
            if (isReported(name)) continue;
            for (const OpId op : named(name)) {
                if (isHinted(hint, op) || (this->*isKept)(op, words)) continue;
                report_.add("VER-013", std::string("settings ") + setting,
                            "the override of " + name + " does not hold, and no problem says so", {op});
            }
        }
    }

    [[nodiscard]] std::vector<OpId> named(const std::string& name) const {
        std::vector<OpId> found;
        for (std::size_t i = 0; i < data_.ops.size(); ++i) {
            const TtnnOp& op = data_.ops[i];
            const bool isOwn = op.conversion == TtnnConversion::None && !op.results.empty();
            const bool isIt =
                op.locationText.empty() ? plan_.ops[i].name == name : op.locationText.starts_with("\"" + name + "\"");
            if (isOwn && isIt) found.push_back(OpId::of(i));
        }
        return found;
    }

    [[nodiscard]] bool isReported(const std::string& name) const {
        return std::ranges::any_of(
            plan_.problems, [&](const Diagnostic& d) { return d.where == "op " + name || isNamedIn(d.message, name); });
    }

    [[nodiscard]] bool isHinted(std::string_view key, OpId op) const {
        const PlanOp& planned = plan_.op(op);
        const auto isOfIt = [&](const std::string& scope) {
            return scope == "op:" + planned.name || std::ranges::any_of(planned.sourceOps, [&](GraphOpId source) {
                       return plan_.graph && scope == "op:" + plan_.graph->ops.at(source.at()).id;
                   });
        };
        return std::ranges::any_of(plan_.hints, [&](const Hint& hint) {
            return hint.enabled && hint.key == key && std::ranges::any_of(hint.scopes, isOfIt);
        });
    }

    [[nodiscard]] bool hasLayout(OpId op, const Words& words) const {
        const Layout& layout = data_.ops[op.at()].results.front().layout;
        return std::ranges::all_of(words, [&](const std::string& word) { return isWordOf(layout, word); });
    }

    /// Some operand comes out of a conversion, or has the layout of the result already. Conversions are never matched.
    [[nodiscard]] bool isResharded(OpId id, const Words&) const {
        const TtnnOp& op = data_.ops[id.at()];
        if (op.name == "ttnn.to_layout") return true;
        const bool isOn = plan_.settings.boolean("ttnn.enable_optimizer") && plan_.settings.boolean("ttnn.memreconfig");
        return isOn && std::ranges::any_of(op.operands, [&](const TtnnTensor& t) {
                   const OpId from = values_.of(t.buffer).producer;
                   const Layout& result = op.results.front().layout;
                   const bool isAlready =
                       t.layout.buffer == result.buffer && t.layout.mem == result.mem && t.layout.grid == result.grid;
                   return isAlready || (from.isValid() && data_.ops[from.at()].conversion != TtnnConversion::None);
               });
    }
};

}  // namespace

void checkOverrides(const Plan& plan, const Values& values, Report& report) {
    OverrideFacts(plan, values, report).run();
}

}  // namespace memplan::verify::ttnn
