// SPDX-License-Identifier: Apache-2.0
// Words of the plan file for the enumerations of a plan.
#pragma once

#include "engine/base/word_table.h"
#include "engine/plan/file/record.h"

#include <array>
#include <optional>
#include <string_view>

namespace memplan::io {

/// An enumeration whose words are those of Words<E>::name: its values are tried in turn.
template <class E, std::size_t N> std::optional<E> wordAmong(const std::array<E, N>& values, std::string_view word) {
    return valueNamed(values, Words<E>::name, word);
}

template <> struct Words<BufferRole> {
    static constexpr std::string_view kWhat = "role";
    static std::string_view name(BufferRole role) {
        static constexpr std::array<std::string_view, 5> kNames{"graph_input", "parameter", "constant", "intermediate",
                                                                "graph_output"};
        return kNames[static_cast<std::size_t>(role)];
    }
    static std::optional<BufferRole> named(std::string_view word) {
        return wordAmong(std::array{BufferRole::GraphInput, BufferRole::Parameter, BufferRole::Constant,
                                    BufferRole::Intermediate, BufferRole::GraphOutput},
                         word);
    }
};

template <> struct Words<MemorySpace> {
    static constexpr std::string_view kWhat = "space";
    static std::string_view name(MemorySpace space) { return spaceName(space); }
    static std::optional<MemorySpace> named(std::string_view word) {
        return wordAmong(
            std::array{MemorySpace::Lx, MemorySpace::L1, MemorySpace::Residual, MemorySpace::Hbm, MemorySpace::Dram},
            word);
    }
};

template <> struct Words<Severity> {
    static constexpr std::string_view kWhat = "severity (error, warning or note)";
    static std::string_view name(Severity severity) { return severityName(severity); }
    static std::optional<Severity> named(std::string_view word) {
        return wordAmong(std::array{Severity::Error, Severity::Warning, Severity::Note}, word);
    }
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
