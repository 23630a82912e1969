// SPDX-License-Identifier: Apache-2.0
#include "engine/machine/machine.h"

#include <algorithm>

namespace memplan {

const MachineField* MachineKind::find(std::string_view key) const {
    const auto at = std::ranges::find(fields, key, &MachineField::key);
    return at == fields.end() ? nullptr : &*at;
}

std::int64_t figureOf(const MachineDescription& machine, const MachineField& field) {
    const auto at = machine.values.find(field.key);
    return at == machine.values.end() ? field.defaultValue : at->second;
}

std::string machineKey(const MachineDescription& machine) {
    if (machine.isBuiltIn()) return {};
    std::string key = "machine " + machine.name + '\n';
    for (const auto& [figure, value] : machine.values)
        key += figure + '=' + std::to_string(value) + '\n';
    return key;
}

}  // namespace memplan
