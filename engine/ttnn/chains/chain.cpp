// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/chains/chain.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

Error illegal(std::string_view call, std::string why) {
    return makeError(kIllegalTransition, {}, "chain: " + std::string(call) + " is not allowed: " + std::move(why));
}

Error illegalIn(std::string_view call, ChainState state) {
    return illegal(call, "its state is " + std::string(wordOf(state)));
}

}  // namespace

Result<void> Chain::move(std::string_view call, ChainState from, ChainState to) {
    if (info_.state != from) return illegalIn(call, info_.state);
    info_.state = to;
    return {};
}

Result<void> Chain::add(OperationId op) {
    if (auto added = move("add", ChainState::InBuild, ChainState::InBuild); !added) return added;
    info_.ops.push_back(op);
    return {};
}

Result<void> Chain::build() {
    return move("build", ChainState::InBuild, ChainState::Built);
}

Result<void> Chain::resolve(bool isSolved) {
    return move("resolve", ChainState::Built, isSolved ? ChainState::Resolved : ChainState::Failed);
}

Result<void> Chain::resolve() {
    return resolve(true);
}

Result<void> Chain::fail(ChainFailure failure) {
    if (isCompleted()) return illegalIn("fail", info_.state);
    info_.state = ChainState::Failed;
    info_.failure = std::move(failure);
    return {};
}

Result<void> Chain::complete(std::vector<OpConfig> configs) {
    if (info_.state != ChainState::Resolved) return illegalIn("complete", info_.state);
    const auto hasLayout = [](const OpConfig& config) { return config.output.has_value(); };
    if (configs.size() != info_.ops.size() || !std::ranges::all_of(configs, hasLayout))
        return illegal("complete", "an operation has no configuration");
    info_.state = ChainState::Completed;
    info_.coreUsage = 0;
    for (const OpConfig& config : configs)
        info_.coreUsage += config.output->grid.volume();
    configs_ = std::move(configs);
    return {};
}

Result<void> Chain::updateConfig(OperationId op, OpConfig config) {
    if (!isCompleted()) return illegalIn("update", info_.state);
    const auto found = std::ranges::find(info_.ops, op);
    if (found == info_.ops.end() || !config.output) return illegal("update", "the operation is not of the chain");
    configs_[static_cast<std::size_t>(found - info_.ops.begin())] = std::move(config);
    return {};
}

const OpConfig* Chain::configOf(OperationId op) const {
    const auto found = std::ranges::find(info_.ops, op);
    if (!isCompleted() || found == info_.ops.end()) return nullptr;
    return &configs_[static_cast<std::size_t>(found - info_.ops.begin())];
}

const Layout* Chain::output() const {
    return isCompleted() && !configs_.empty() ? &*configs_.back().output : nullptr;
}

void Chain::setEnd(EndedBy reason, OperationId at, int operand) {
    info_.endedBy = reason;
    info_.endedAt = at;
    info_.endedOperand = operand;
}

}  // namespace memplan::ttnn
