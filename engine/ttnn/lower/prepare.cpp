// SPDX-License-Identifier: Apache-2.0
// What TTIR modules say in two ways is said in one.
#include "engine/ttnn/lower/edit.h"
#include "engine/ttnn/lower/steps.h"
#include "engine/ttnn/module/type_text.h"

#include <algorithm>
#include <array>

namespace memplan::ttnn::lower {

namespace {

/// Kinds whose operands may have sizes of 1 where the result does not.
bool repeatsOperands(const Operation& operation) {
    constexpr std::array<std::string_view, 18> kKinds{
        "add", "subtract", "multiply", "div", "divide", "maximum",     "minimum",    "eq",          "ne",
        "lt",  "le",       "gt",       "ge",  "pow",    "logical_and", "logical_or", "logical_xor", "remainder"};
    return operation.operands.size() == 2 && operation.results.size() == 1 &&
           std::ranges::find(kKinds, operation.kind()) != kKinds.end();
}

bool isBuffer(const Function& function, const Operation& operation) {
    if (operation.operands.empty() || operation.results.size() != 1) return false;
    if (!isKind(producerOf(function, operation.operands.back()), "empty")) return false;
    // An empty tensor as the only operand is what the operation works on.
    return operation.operands.size() > 1 &&
           function.typeOf(operation.operands.back()) == function.typeOf(operation.results.front());
}

void dropUnread(Function& function, std::string_view kind) {
    const Uses uses = usesOf(function);
    filterOrder(function, [&](OperationId id) {
        const Operation& operation = function.operation(id);
        if (!operation.is(kind)) return true;
        return std::ranges::any_of(operation.results, [&](ValueId v) { return !uses[v.at()].empty(); });
    });
}

/// The operand may be what it was before it was broadcast.
bool canFold(const Function& function, const Operation& user, std::size_t operand) {
    const Operation* producer = producerOf(function, user.operands[operand]);
    if (!isKind(producer, "broadcast") || producer->operands.size() != 1) return false;
    const Type& small = function.typeOf(producer->operands.front());
    const Type& other = function.typeOf(user.operands[1 - operand]);
    if (!small.isTensor || !other.isTensor) return false;
    return broadcastShape(small.shape, other.shape) == function.typeOf(user.results.front()).shape;
}

}  // namespace

void dropBuffers(Function& function) {
    for (const OperationId id : function.order) {
        Operation& operation = function.operation(id);
        if (isBuffer(function, operation)) operation.operands.pop_back();
    }
    dropUnread(function, "empty");
}

void foldBroadcasts(Function& function) {
    for (const OperationId id : function.order) {
        Operation& user = function.operation(id);
        if (!repeatsOperands(user)) continue;
        for (std::size_t i = 0; i < 2; ++i) {
            if (canFold(function, user, i)) user.operands[i] = producerOf(function, user.operands[i])->operands.front();
        }
    }
    dropUnread(function, "broadcast");
}

}  // namespace memplan::ttnn::lower
