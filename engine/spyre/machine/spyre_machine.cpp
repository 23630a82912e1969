// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/machine/spyre_machine.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"

#include <array>

namespace memplan {
namespace {

constexpr SpyreMachine kBuiltIn;
constexpr Bytes kMiB = Bytes{1} << 20;
constexpr Bytes kGiB = Bytes{1} << 30;
constexpr std::string_view kLxKey = "lx_bytes_per_core";
constexpr std::string_view kRuntimeKey = "reserved_for_runtime";

constexpr std::array<MachineField, 7> kFields{{
    {kLxKey, "bytes", kBuiltIn.lxBytesPerCore, 16'384, kGiB, 128, "scratchpad (LX) of one core"},
    {"lx_alignment", "bytes", kBuiltIn.lxAlignment, 128, 65'536, 128, "an address in LX is a multiple of it"},
    {"max_cores", "cores", kBuiltIn.maxCores, 1, 32, 1, "cores that there are; spyre.cores may use fewer"},
    {"span_limit_seed", "bytes", kBuiltIn.spanLimitSeed, kMiB, 1024 * kGiB, 128,
     "device memory that one core reaches, under spyre.span_rule=seed"},
    {"span_limit_late", "bytes", kBuiltIn.spanLimitLate, kMiB, 1024 * kGiB, 128, "the same under spyre.span_rule=late"},
    {kRuntimeKey, "bytes", kBuiltIn.reservedForRuntime, 0, kGiB, 128,
     "LX kept for the runtime, under spyre.lx_capacity_rule=reserved64k"},
    {"hbm_pool_bytes", "bytes", kBuiltIn.hbmPoolBytes, kMiB, 16 * kGiB, 128,
     "of the segment of device memory that holds the intermediates"},
}};

/// Parallel to kFields.
constexpr std::array<std::int64_t SpyreMachine::*, kFields.size()> kMembers{
    &SpyreMachine::lxBytesPerCore, &SpyreMachine::lxAlignment,   &SpyreMachine::maxCores,
    &SpyreMachine::spanLimitSeed,  &SpyreMachine::spanLimitLate, &SpyreMachine::reservedForRuntime,
    &SpyreMachine::hbmPoolBytes};

MachineKind::Conflict conflict(const MachineDescription& description) {
    const SpyreMachine machine = spyreMachine(description);
    if (machine.reservedForRuntime < machine.lxBytesPerCore) return {};
    return {description.values.contains(kRuntimeKey) ? kRuntimeKey : kLxKey,
            "the runtime keeps " + text::grouped(machine.reservedForRuntime) + " bytes of the " +
                text::grouped(machine.lxBytesPerCore) + " of a core, nothing is left",
            "give " + std::string(kRuntimeKey) + " a figure below that of " + std::string(kLxKey)};
}

}  // namespace

const MachineKind& spyreMachineKind() {
    static const MachineKind kKind{"spyre", kFields, conflict};
    return kKind;
}

SpyreMachine spyreMachine(const MachineDescription& description) {
    SpyreMachine machine;
    for (std::size_t i = 0; i < kFields.size(); ++i)
        machine.*kMembers[i] = figureOf(description, kFields[i]);
    return machine;
}

Bytes usableLxBytes(const SpyreMachine& machine, double reservedFraction, LxCapacityRule rule) {
    const double keep = 1.0 - reservedFraction;
    if (rule == LxCapacityRule::Seed) return static_cast<Bytes>(static_cast<double>(machine.lxBytesPerCore) * keep);
    const auto raw =
        static_cast<Bytes>(static_cast<double>(machine.lxBytesPerCore - machine.reservedForRuntime) * keep);
    return alignUp(raw, machine.lxAlignment);
}

}  // namespace memplan
