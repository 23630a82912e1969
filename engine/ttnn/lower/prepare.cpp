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

/// Empty tensors that these TTNN operations name are room to work in or what they change, whatever the version.
bool usesEmptyOperands(const Operation& operation) {
    constexpr std::array<std::string_view, 7> kParts{"gather", "scatter", "reduce", "attention",
                                                     "cache",  "generic", "copy"};
    return operation.name.starts_with("ttnn.") && std::ranges::any_of(kParts, [&](std::string_view part) {
               return operation.name.find(part) != std::string::npos;
           });
}

/// The last operands are empty tensors of the types of the results: buffers that results are written into.
bool hasBuffers(const Function& function, const Operation& operation) {
    const std::size_t count = operation.results.size();
    // An empty tensor as the only operand is what the operation works on.
    if (count == 0 || operation.operands.size() <= count || usesEmptyOperands(operation)) return false;
    const std::size_t first = operation.operands.size() - count;
    for (std::size_t i = 0; i < count; ++i) {
        const ValueId operand = operation.operands[first + i];
        if (!isKind(producerOf(function, operand), "empty")) return false;
        if (function.typeOf(operand) != function.typeOf(operation.results[i])) return false;
    }
    return true;
}

/// Groups of operands without that of the buffers, which is the last.
void dropLastSegment(Operation& operation, std::size_t buffers) {
    constexpr std::string_view kName = "operandSegmentSizes";
    const std::string* text = operation.find(kName);
    const auto sizes = text == nullptr ? std::nullopt : integersOf(*text);
    if (!sizes || sizes->empty() || sizes->back() != static_cast<std::int64_t>(buffers)) return;
    std::int64_t sum = 0;
    for (const std::int64_t size : *sizes)
        sum += size;
    if (sum != static_cast<std::int64_t>(operation.operands.size())) return;
    const Shape rest(sizes->begin(), sizes->end() - 1);
    for (Attributes* list : {&operation.properties, &operation.attributes}) {
        if (findAttribute(*list, kName) == nullptr) continue;
        // One group is no grouping.
        if (rest.size() > 1)
            setAttribute(*list, kName, array32Text(rest));
        else
            removeAttribute(*list, kName);
    }
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
        if (!hasBuffers(function, operation)) continue;
        const std::size_t count = operation.results.size();
        dropLastSegment(operation, count);
        operation.operands.resize(operation.operands.size() - count);
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
