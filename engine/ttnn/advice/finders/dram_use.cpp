// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/advice/finders/dram_use.h"

#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/measure/views.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

/// Whole tensor; 0 for what is in L1 or on the host.
Bytes bytesInDram(const Type& type, const Device& device) {
    if (!type.isTensor || !type.layout || !type.layout->isInDram()) return 0;
    return dramInterleaved(type.shape, *type.layout, device).shardBytes();
}

/// A reshape in DRAM that moves nothing.
bool isView(const Function& function, const Operation& op) {
    if (!op.is("reshape") || op.operands.empty() || op.results.empty()) return false;
    const Type& from = function.typeOf(op.operands.front());
    const Type& to = function.typeOf(op.results.front());
    return from.layout && to.layout && from.layout->isInDram() && to.layout->isInDram() && canBeView(from, to);
}

}  // namespace

Bytes DramUse::most() const {
    return arguments + (values.empty() ? 0 : *std::ranges::max_element(values));
}

std::size_t DramUse::fullest() const {
    return values.empty() ? 0 : static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
}

DramUse dramUse(const Function& function, const Device& device) {
    DramUse use;
    for (const ValueId argument : function.arguments)
        use.arguments += bytesInDram(function.typeOf(argument), device);
    const std::size_t count = function.order.size();
    std::vector<std::size_t> position(function.operations.size(), 0);
    for (std::size_t at = 0; at < count; ++at)
        position[function.order[at].at()] = at;
    const Uses uses = usesOf(function);
    std::vector<std::size_t> end(function.values.size(), 0);
    for (std::size_t v = 0; v < uses.size(); ++v)
        for (const Use& reader : uses[v])
            end[v] = std::max(end[v], reader.user.isValid() ? position[reader.user.at()] + 1 : count);
    // Backwards, so that what a view is needed for keeps its source.
    std::vector<bool> isShared(function.values.size(), false);
    for (std::size_t at = count; at-- > 0;) {
        const Operation& op = function.operation(function.order[at]);
        if (!isView(function, op)) continue;
        end[op.operands.front().at()] = std::max(end[op.operands.front().at()], end[op.results.front().at()]);
        isShared[op.results.front().at()] = true;
    }
    use.values.assign(count, 0);
    for (std::size_t at = 0; at < count; ++at) {
        for (const ValueId result : function.operation(function.order[at]).results) {
            const Bytes bytes = isShared[result.at()] ? 0 : bytesInDram(function.typeOf(result), device);
            for (std::size_t p = at; bytes > 0 && p < std::max(end[result.at()], at + 1); ++p)
                use.values[p] += bytes;
        }
    }
    return use;
}

Bytes dramBytes(const Device& device) {
    return device.dramChannelSize * device.dramChannels;
}

}  // namespace memplan::ttnn
