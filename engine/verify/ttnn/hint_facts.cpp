// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/hint_facts.h"

#include "engine/json/json_value.h"
#include "engine/verify/ttnn/layouts.h"

#include <algorithm>

namespace memplan::verify::ttnn {
namespace {

using io::JsonValue;
using memplan::ttnn::Layout;

const JsonValue* member(const JsonValue& object, std::string_view key) {
    const auto it = std::ranges::find(object.keys, key);
    return it == object.keys.end() ? nullptr : &object.items[static_cast<std::size_t>(it - object.keys.begin())];
}

/// The field of a wanted layout that the result does not have; empty where it has all.
std::string_view missedField(const JsonValue& wanted, const Layout& got) {
    const auto differs = [&](std::string_view key, std::string_view word) {
        const JsonValue* value = member(wanted, key);
        return value != nullptr && value->string != word;
    };
    if (differs("buffer", wordOf(got.buffer))) return "buffer";
    if (differs("mem", got.mem ? wordOf(*got.mem) : std::string_view())) return "mem";
    if (differs("page", wordOf(got.page))) return "page";
    if (differs("dtype", wordOf(got.dtype))) return "dtype";
    const JsonValue* grid = member(wanted, "grid");
    const bool isGrid = grid != nullptr && grid->items.size() == 2;
    if (isGrid && (grid->items[0].integer != got.grid.rows || grid->items[1].integer != got.grid.cols)) return "grid";
    return {};
}

class HintFacts {
public:
    HintFacts(const Plan& plan, const Values& values, Report& report)
        : plan_(plan), data_(ttnnData(plan)), values_(values), report_(report) {}

    void run() {
        for (std::size_t i = 0; i < std::min(plan_.hints.size(), plan_.hintStates.size()); ++i) {
            if (plan_.hintStates[i] == "applied" && plan_.hints[i].enabled) check(i);
        }
    }

private:
    const Plan& plan_;
    const TtnnData& data_;
    const Values& values_;
    Report& report_;

    void check(std::size_t i) {
        for (const std::string& scope : plan_.hints[i].scopes) {
            if (!scope.starts_with("op:")) continue;
            const std::vector<OpId> ops = operationsOf(scope.substr(3));
            if (!ops.empty()) checkSubject(i, ops);
        }
    }

    /// Operations of the plan that stand for one of the source.
    [[nodiscard]] std::vector<OpId> operationsOf(std::string_view id) const {
        std::vector<OpId> found;
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            const PlanOp& op = plan_.ops[i];
            const bool isIt = op.name == id || std::ranges::any_of(op.sourceOps, [&](GraphOpId source) {
                                  return plan_.graph && source.at() < plan_.graph->ops.size() &&
                                         plan_.graph->ops[source.at()].id == id;
                              });
            if (isIt) found.push_back(OpId::of(i));
        }
        return found;
    }

    void checkSubject(std::size_t i, const std::vector<OpId>& ops) {
        const Hint& hint = plan_.hints[i];
        const std::string where = "/hints/" + std::to_string(i);
        if (hint.key == "output_layout") {
            const bool isMet = std::ranges::any_of(ops, [&](OpId op) {
                const auto& results = data_.ops[op.at()].results;
                return !results.empty() && missedField(hint.value.tree(), results.front().layout).empty();
            });
            if (!isMet) report_.add("VER-013", where, "is called applied, and no result has the layout", ops);
        }
        if (hint.key == "input_reshard") {
            const bool isConverted = std::ranges::any_of(ops, [&](OpId op) { return readsConversion(op); });
            if (!isConverted) report_.add("VER-013", where, "is called applied, and no reshard stands there", ops);
        }
        if (hint.key == "spill") checkSpill(where, hint, ops);
    }

    [[nodiscard]] bool readsConversion(OpId op) const {
        return std::ranges::any_of(data_.ops[op.at()].operands, [&](const TtnnTensor& t) {
            const OpId from = values_.of(t.buffer).producer;
            return from.isValid() && data_.ops[from.at()].conversion != TtnnConversion::None;
        });
    }

    void checkSpill(const std::string& where, const Hint& hint, const std::vector<OpId>& ops) {
        const std::string* word = hint.value.word();
        if (word == nullptr) return;
        const auto isWritten = [&](TtnnConversion kind) {
            return std::ranges::any_of(ops, [&](OpId op) {
                const auto& results = data_.ops[op.at()].results;
                if (results.empty()) return false;
                return std::ranges::any_of(values_.of(results.front().buffer).readers,
                                           [&](OpId r) { return data_.ops[r.at()].conversion == kind; });
            });
        };
        if (*word == "none" && isWritten(TtnnConversion::SpillToDram))
            report_.add("VER-013", where, "is called applied, and the value is written to DRAM", ops);
        if (*word == "l1_interleaved" && !isWritten(TtnnConversion::SpillToL1))
            report_.add("VER-013", where, "is called applied, and nothing writes the value to interleaved L1", ops);
    }
};

}  // namespace

void checkHints(const Plan& plan, const Values& values, Report& report) {
    HintFacts(plan, values, report).run();
}

}  // namespace memplan::verify::ttnn
