// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/file/plan_names.h"

#include <algorithm>
#include <array>

namespace memplan::io {

namespace {

constexpr std::array<std::string_view, 5> kRoles = {"graph_input", "parameter", "constant", "intermediate",
                                                    "graph_output"};

template <class E, std::size_t N, class F>
std::optional<E> valueNamed(const std::array<E, N>& values, F&& nameOf, std::string_view name) {
    const auto it =
        std::find_if(values.begin(), values.end(), [&](E v) { return std::string_view(nameOf(v)) == name; });
    if (it == values.end()) return std::nullopt;
    return *it;
}

}  // namespace

std::string_view bufferRoleName(BufferRole r) {
    return kRoles[static_cast<std::size_t>(r)];
}

std::optional<BufferRole> bufferRoleFromName(std::string_view name) {
    constexpr std::array kValues = {BufferRole::GraphInput, BufferRole::Parameter, BufferRole::Constant,
                                    BufferRole::Intermediate, BufferRole::GraphOutput};
    return valueNamed(kValues, bufferRoleName, name);
}

std::optional<MemorySpace> spaceFromName(std::string_view name) {
    constexpr std::array kValues = {MemorySpace::Lx, MemorySpace::L1, MemorySpace::Residual, MemorySpace::Hbm,
                                    MemorySpace::Dram};
    return valueNamed(kValues, spaceName, name);
}

std::optional<Severity> severityFromName(std::string_view name) {
    constexpr std::array kValues = {Severity::Error, Severity::Warning, Severity::Note};
    return valueNamed(kValues, severityName, name);
}

}  // namespace memplan::io
