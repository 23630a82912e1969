// SPDX-License-Identifier: Apache-2.0
// The canonical table of hint kinds (hints.md 4) with the words of the window (user-experience 11.1).
#pragma once

#include "engine/hints/scope.h"
#include "engine/plan/plan.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::hints {

/// What the value of a kind looks like; decides the editor's control and the type check (HNT-002).
enum class ValueType {
    True,            ///< `true` and nothing else
    Bool,            ///< true or false
    Bytes,           ///< whole number of bytes, a multiple of 128
    Integer,         ///< whole number
    Choice,          ///< one word of KindInfo::choices
    Splits,          ///< object loop or dimension -> slices, one or more entries
    Slices,          ///< object with exactly one entry: named dimension -> count
    DimSizes,        ///< object name -> size
    DimNames,        ///< array of declared names
    Groups,          ///< array of {"ops": [ids], "levels": [{"count": n, "dims": [n]}]}
    OpOrder,         ///< array of all op ids in another valid order
    OpIds,           ///< array of op (node) ids
    OperandIndices,  ///< array of operand positions
    OutputLayout,    ///< object with any of grid, buffer, mem, page, dtype
    ConvConfig,      ///< object of convolution fields, keys in KindInfo::choices
    Concurrency      ///< {"k": n, "terminals": [ids], "members": [[ids]]}
};

/// The JSON type that a value of this type has.
[[nodiscard]] std::string_view valueTypeText(ValueType type);

struct KindInfo {
    std::string_view target;  ///< id of the machine
    std::string_view key;
    std::string_view title;             ///< words of the window: "Pin on chip"
    std::span<const ScopeKind> scopes;  ///< kinds of subjects that it takes
    bool onlyGraphInputs = false;       ///< Tensor subjects have to be graph inputs
    ValueType type = ValueType::True;
    std::string_view value;                     ///< the value in words: "bytes, multiple of 128"
    std::string_view pass;                      ///< id of pipeline.md that reads it
    std::string_view help;                      ///< one line
    std::span<const std::string_view> choices;  ///< Choice: allowed words; OutputLayout, ConvConfig: allowed keys
    std::string_view original;                  ///< form in the original system, may be empty
    bool isRead = false;  ///< a pass of this version reads it; hints of other kinds end as `ignored`

    [[nodiscard]] bool takes(ScopeKind kind) const;
    /// "tensor", "op or group", "tensor (graph input)"
    [[nodiscard]] std::string scopeText() const;
};

/// Figures of a machine that values are held against.
struct HintFigures {
    Bytes usableBytes = 0;    ///< of its on-chip memory, per core
    Bytes alignment = 1;      ///< of an address
    std::int64_t cores = 1;   ///< that the settings let a compile use
    std::int64_t layers = 0;  ///< that a result may have
};

/// What one machine offers to hints.
struct MachineHints {
    std::string_view target;
    std::span<const KindInfo> kinds;
    std::span<const std::string_view> windowOrder;  ///< keys as the window lists them; empty: the order of `kinds`
    std::string_view ignoreKey;                     ///< setting that leaves hints out of force; empty: none
    HintFigures (*figures)(const Settings& settings, const MachineDescription& machine) = nullptr;
    std::vector<std::string> (*dimensionNames)(const Plan& plan, OpId op) = nullptr;  ///< of an operation's result
};

/// In the order of hints.md 4; also of machines that this version knows the hints of alone (targets.cpp).
[[nodiscard]] std::span<const MachineHints* const> machineHints();
[[nodiscard]] HintFigures figuresFor(std::string_view target, const Settings& settings,
                                     const MachineDescription& machine);
/// The setting that leaves the hints of a machine out of force; empty where there is none.
[[nodiscard]] std::string_view hintSwitch(std::string_view target);
[[nodiscard]] std::vector<std::string> dimensionNamesOf(const Plan& plan, OpId op);
/// A word that may stand for the target of a hint, and all of them in a sentence, `any` last.
[[nodiscard]] bool isTargetWord(std::string_view word);
[[nodiscard]] std::string targetWords();

/// Every kind, in the order of hints.md 4.
[[nodiscard]] std::span<const KindInfo> allKinds();
/// Kind of a key of this target, nullptr when the target has no such key.
[[nodiscard]] const KindInfo* findKind(std::string_view target, std::string_view key);
/// The kind that a hint means in a document of `target` (its own target, or `any`), nullptr for none.
[[nodiscard]] const KindInfo* kindOf(const Hint& hint, std::string_view target);
/// Place of a kind in the window's lists (hints.md 5): 0 is first; kinds that the chapter does not name come last.
[[nodiscard]] int windowRank(const KindInfo& kind);
/// Kinds of a target that take this kind of subject, in the window's order (hints.md 5).
[[nodiscard]] std::vector<const KindInfo*> kindsFor(std::string_view target, ScopeKind scope);

/// States of a hint after a compile (hints.md 3), as they stand in Plan::hintStates.
namespace state {
inline constexpr std::string_view kApplied = "applied";
inline constexpr std::string_view kPartlyApplied = "partly_applied";
inline constexpr std::string_view kIgnored = "ignored";
inline constexpr std::string_view kConflicting = "conflicting";
inline constexpr std::string_view kImpossible = "impossible";
inline constexpr std::string_view kUnmatched = "unmatched";
inline constexpr std::string_view kDisabled = "disabled";
}  // namespace state

}  // namespace memplan::hints
