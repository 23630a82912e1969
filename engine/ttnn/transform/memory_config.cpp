// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/transform/memory_config.h"

#include "engine/ttnn/layout/arithmetic.h"

namespace memplan::ttnn {
namespace {

std::string coordText(Core core) {
    return "(" + std::to_string(core.x) + ", " + std::to_string(core.y) + ")";
}

std::string shardSpecText(const Layout& layout) {
    std::string ranges;
    for (std::size_t i = 0; i < layout.cores->size(); ++i) {
        const CoreRange& range = (*layout.cores)[i];
        if (i > 0) ranges += ", ";
        ranges += "#ttnn.core_range<" + coordText(range.first) + ", " + coordText(range.last) + ">";
    }
    const std::int64_t page = layout.isTiled() ? kTile : 1;
    return "#ttnn.shard_spec<<[" + ranges + "]>, <" + std::to_string(layout.shard[0] * page) + "x" +
           std::to_string(layout.shard[1] * page) + ">, <row_major>>";
}

}  // namespace

std::string memoryConfigText(const Layout& layout) {
    std::string text = "#ttnn.memory_config<#ttnn.buffer_type<" + std::string(wordOf(layout.buffer)) + ">";
    if (layout.mem) text += ", <" + std::string(wordOf(*layout.mem)) + ">";
    if (layout.isSharded() && layout.cores) text += ", " + shardSpecText(layout);
    return text + ">";
}

Operation conversionOf(ValueId from, const Layout& to, std::string_view kind) {
    Operation op;
    op.name = "ttnn." + std::string(kind);
    op.operands = {from};
    const char* page = to.isTiled() ? "#ttnn.layout<tile>" : "#ttnn.layout<row_major>";
    if (op.is("to_layout")) setAttribute(op.properties, "layout", page);
    setAttribute(op.properties, "memory_config", memoryConfigText(to));
    return op;
}

}  // namespace memplan::ttnn
