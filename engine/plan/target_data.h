// SPDX-License-Identifier: Apache-2.0
// What only one machine has, inside a plan (architecture 4.6a). The machine declares its own kind, and writes and reads
// it; everybody else hands it on.
#pragma once

#include <memory>
#include <typeinfo>

namespace memplan {

struct TargetData {
    virtual ~TargetData() = default;
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
