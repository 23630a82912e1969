// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/sharding/residents.h"

#include <utility>

namespace memplan::ttnn {

ResidencyTry::ResidencyTry(ShardingState& state, OperationId source, std::string purpose, SpillLocation option)
    : state_(state) {
    resident_.source = source;
    record_.source = source;
    record_.purpose = std::move(purpose);
    record_.option = option;
}

ResidencyTry::~ResidencyTry() {
    state_.record.trials.push_back(std::move(record_));
}

void ResidencyTry::setLayout(Layout layout) {
    resident_.layout = std::move(layout);
    record_.bytes = resident_.bytes();
}

bool ResidencyTry::reject(std::string_view step, const Refusal& refusal) {
    record_.rejectedBy = step;
    record_.rejectedAt = refusal.at;
    record_.message = refusal.message;
    record_.needed = refusal.needed;
    record_.available = refusal.available;
    return false;
}

bool ResidencyTry::hasReadersHere() {
    const OperationId source = resident_.source;
    if (state_.flow.isReturned(source)) return reject("returned", {source, "the value is returned", 0, 0});
    for (const OperationId reader : state_.flow.readers(source))
        if (state_.positionOf(reader) < 0) return reject("reader", {reader, "the reader is not scheduled", 0, 0});
    return true;
}

bool ResidencyTry::fits(PositionRange range, const ShardingState::Modified& modified) {
    const Outcome refused = state_.validateRange(range, {&resident_, 1}, modified);
    return !refused || reject("range", *refused);
}

void ResidencyTry::accept(Step last) {
    record_.isAccepted = true;
    state_.reserve(resident_, last, record_.purpose);
}

}  // namespace memplan::ttnn
