// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/unmodelled.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace memplan::ttnn {

void reportUnmodelled(const State& state, PassContext& context) {
    if (!state.source.isTtnn()) return;
    std::map<std::string, std::int64_t> kinds;
    for (const OpMeasure& op : state.measures->ops) {
        const std::string& name = state.current().operation(op.op).name;
        if (op.status == ValidationStatus::NotImplemented && name.starts_with("ttnn.")) ++kinds[name];
    }
    if (kinds.empty()) return;
    std::string list;
    for (const auto& [name, count] : kinds)
        list += (list.empty() ? "" : ", ") + name + " x " + std::to_string(count);
    Diagnostic note;
    note.severity = Severity::Note;
    note.code = "TT-030";
    note.where = "@" + state.current().name;
    note.message = "operations without a model keep their operands and results in DRAM: " + list;
    context.report(std::move(note));
}

}  // namespace memplan::ttnn
