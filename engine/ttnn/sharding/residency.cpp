// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/sharding/residency.h"

#include <utility>

namespace memplan::ttnn {

Bytes reservedAt(std::span<const Reservation> reservations, Step position) {
    Bytes bytes = 0;
    for (const Reservation& reservation : reservations)
        if (reservation.positions.contains(position)) bytes += reservation.bytes;
    return bytes;
}

void Residency::add(Resident resident, PositionRange positions, std::string purpose) {
    reservations_.push_back({resident.source, positions, resident.bytes(), std::move(purpose)});
    layouts_[resident.source.at()] = std::move(resident.layout);
}

const Layout* Residency::layoutOf(OperationId op) const {
    if (!op.isValid() || !layouts_[op.at()]) return nullptr;
    return &*layouts_[op.at()];
}

}  // namespace memplan::ttnn
