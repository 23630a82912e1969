// SPDX-License-Identifier: Apache-2.0
// Words of the plan file for the enumerations of a plan.
#pragma once

#include "engine/plan/file/record.h"

#include <array>
#include <optional>
#include <string_view>

namespace memplan::io {

constexpr std::string_view roleWord(BufferRole role) {
    constexpr std::array<std::string_view, 5> kNames{"graph_input", "parameter", "constant", "intermediate",
                                                     "graph_output"};
    return kNames[static_cast<std::size_t>(role)];
}
inline std::string_view severityWord(Severity severity) {
    return severityName(severity);
}

template <> struct Words<BufferRole> : WordsUpTo<BufferRole, roleWord, BufferRole::GraphOutput> {
    static constexpr std::string_view kWhat = "role";
};

template <> struct Words<MemorySpace> : WordsUpTo<MemorySpace, spaceName, MemorySpace::Dram> {
    static constexpr std::string_view kWhat = "space";
};

template <> struct Words<Severity> : WordsUpTo<Severity, severityWord, Severity::Note> {
    static constexpr std::string_view kWhat = "severity (error, warning or note)";
};

template <> struct Words<ReasonCode> {
    static constexpr std::string_view kWhat = "reason";
    static std::string_view name(ReasonCode code) { return reasonInfo(code).name; }
    static std::optional<ReasonCode> named(std::string_view word) { return reasonFromName(word); }
};

template <> struct Words<DType> {
    static constexpr std::string_view kWhat = "dtype";
    static std::string_view name(DType type) { return dtypeName(type); }
    static std::optional<DType> named(std::string_view word) { return dtypeFromName(word); }
};

}  // namespace memplan::io
