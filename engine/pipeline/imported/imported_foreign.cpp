// SPDX-License-Identifier: Apache-2.0
#include "pipeline/imported/imported_foreign.h"

#include "base/text.h"

namespace memplan {

std::string describeForeign(const bundle::SpecNode& node, const std::string& kernel, OpId id, PlanOp& op,
                            std::vector<Diagnostic>& problems) {
    const std::string number = "op" + std::to_string(id.index) + "_";
    op.kind = "extern";
    if (node.lost.empty()) {
        op.type = node.kind == bundle::SpecKind::Opaque ? node.call.text : node.name;
        return number + "not_implemented";
    }
    op.type = node.lost;
    const std::string file = text::escaped(node.name);
    const std::string where = kernel + "/" + file;
    const std::string inside = where + ":";
    for (Diagnostic& d : problems) {
        if (d.where == where || d.where.starts_with(inside)) d.ops.push_back(id);
    }
    const std::string stem = file.ends_with(".json") ? file.substr(0, file.size() - 5) : file;
    return number + stem + "_" + node.lost.substr(0, node.lost.find(' '));
}

}  // namespace memplan
