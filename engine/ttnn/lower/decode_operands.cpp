// SPDX-License-Identifier: Apache-2.0
// Kernels that decode one position of each user read an operand from L1, height sharded with a core for each user
// (OpKind::userOperand). Modules that have it elsewhere get the conversion that upstream's workarounds insert.
#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/lower/edit.h"
#include "engine/ttnn/lower/steps.h"
#include "engine/ttnn/model/op_kinds.h"
#include "engine/ttnn/transform/memory_config.h"

#include <optional>
#include <utility>

namespace memplan::ttnn::lower {

namespace {

/// The layout that the users of the value are read in; nothing where there are more of them than cores.
std::optional<Layout> layoutByUser(const Type& type, const Device& device) {
    const std::int64_t users = model::usersOf(type.shape);
    if (users < 1 || users > device.workers.volume()) return std::nullopt;
    LayoutChoice choice;
    choice.dtype = type.layout->dtype;
    choice.buffer = BufferType::L1;
    choice.mem = MemLayout::HeightSharded;
    choice.grid = {static_cast<int>(users), 1};
    return makeLayout(type.shape, choice, device);
}

/// The slot of the operand that the operation reads by users.
std::optional<std::size_t> userSlot(const Function& function, const Operation& op) {
    const model::OpKind* kind = op.name.starts_with("ttnn.") ? model::opKind(op.kind()) : nullptr;
    if (kind == nullptr || kind->userOperand < 0) return std::nullopt;
    int tensors = 0;
    for (std::size_t slot = 0; slot < op.operands.size(); ++slot) {
        const Type& type = function.typeOf(op.operands[slot]);
        if (type.isTensor && tensors++ == kind->userOperand) return type.layout ? std::optional(slot) : std::nullopt;
    }
    return std::nullopt;
}

/// The conversion of what is in the slot; none where it lies as it is read, on whichever cores.
OperationId convert(Function& function, OperationId reader, std::size_t slot, const Device& device) {
    const ValueId value = function.operation(reader).operands[slot];
    Type type = function.typeOf(value);
    std::optional<Layout> wanted = layoutByUser(type, device);
    const Layout& has = *type.layout;
    const bool isRead = wanted && has.isInL1() && has.isTiled() && has.mem == wanted->mem && has.grid == wanted->grid;
    if (!wanted || isRead) return {};
    Operation conversion = conversionOf(value, *wanted, has.isTiled() ? "to_memory_config" : "to_layout");
    conversion.location = withSuffix(function.operation(reader).location, "_by_user");
    type.layout = std::move(wanted);
    const ValueId result = function.addValue(std::move(type));
    conversion.results = {result};
    const OperationId id = function.addOperation(std::move(conversion));
    function.operation(reader).operands[slot] = result;
    return id;
}

}  // namespace

void convertUserOperands(const Device& device, Function& function) {
    std::vector<OperationId> order;
    for (const OperationId id : function.order) {
        if (const auto slot = userSlot(function, function.operation(id))) {
            if (const OperationId conversion = convert(function, id, *slot, device); conversion.isValid())
                order.push_back(conversion);
        }
        order.push_back(id);
    }
    function.order = std::move(order);
}

}  // namespace memplan::ttnn::lower
