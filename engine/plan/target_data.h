// SPDX-License-Identifier: Apache-2.0
// What only one machine has, inside a plan (architecture 4.6a). The machine declares its own kind, and writes and reads
// it; everybody else hands it on, and asks for what plans of any machine may have.
#pragma once

#include "engine/base/ids.h"

#include <memory>
#include <span>
#include <typeinfo>
#include <vector>

namespace memplan {

struct CoOptimization;
struct OperationOrder;
struct PlanKernel;

struct TargetData {
    virtual ~TargetData() = default;

    // What a machine has no such thing of is empty.

    /// Operations that run as one program, in their order.
    [[nodiscard]] virtual std::span<const PlanKernel> programs() const { return {}; }
    /// The search over divisions and places together; null where it did not run.
    [[nodiscard]] virtual const CoOptimization* jointSearch() const { return nullptr; }
    /// The order that operations were given; null where they kept theirs.
    [[nodiscard]] virtual const OperationOrder* newOrder() const { return nullptr; }
    /// By level of the loops around an operation, outermost first: positions in its iteration space that the level
    /// tiles.
    [[nodiscard]] virtual std::span<const std::vector<int>> tiledLoops(OpId op) const {
        return (void)op, std::span<const std::vector<int>>();
    }
    /// The machine's own files can be written.
    [[nodiscard]] virtual bool hasArtefacts() const { return false; }
};

/// The data of kind T among those of a plan; null where it holds none or those of another machine.
template <class T> [[nodiscard]] const T* targetDataAs(const std::shared_ptr<const TargetData>& data) {
    const TargetData* held = data.get();
    return held != nullptr && typeid(*held) == typeid(T) ? static_cast<const T*>(held) : nullptr;
}

/// For who makes or changes a plan: its data of kind T, made where there are none and copied when others hold them too.
template <class T> [[nodiscard]] T& editTargetData(std::shared_ptr<const TargetData>& data) {
    const T* held = targetDataAs<T>(data);
    // Nobody else sees it, and the object was made by this function.
    if (held != nullptr && data.use_count() == 1) return const_cast<T&>(*held);
    auto own = held != nullptr ? std::make_shared<T>(*held) : std::make_shared<T>();
    data = own;
    return *own;
}

}  // namespace memplan
