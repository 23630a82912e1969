// SPDX-License-Identifier: Apache-2.0
// The optimizer's options and overrides (ttnn-optimizer 8) as values, and their textual syntax, read and written.
#pragma once

#include "engine/base/result.h"
#include "engine/ttnn/machine/op_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::ttnn {

enum class Policy : std::uint8_t { DfSharding, GreedyL1Interleaved, BfInterleaved, GreedyBeam, Global };
[[nodiscard]] std::string_view wordOf(Policy policy);
[[nodiscard]] std::optional<Policy> policyOf(std::string_view word);

/// Fields that are set bind the output layout of an operation; full when all but `dtype` are (8.2).
struct LayoutOverride {
    std::optional<Grid> grid;
    std::optional<BufferType> buffer;
    std::optional<MemLayout> mem;
    std::optional<PageLayout> page;
    std::optional<DataType> dtype;
    [[nodiscard]] bool isFull() const { return grid && buffer && mem && page; }
    friend bool operator==(const LayoutOverride&, const LayoutOverride&) = default;
};

/// By location name, in the order given.
template <class T> using Overrides = std::vector<std::pair<std::string, T>>;

/// Errors are TT-010 to TT-015; the message begins with the word that the original uses ("invalid_format: ...").
[[nodiscard]] Result<Overrides<LayoutOverride>> parseLayoutOverrides(std::string_view text);
[[nodiscard]] Result<Overrides<Conv2dConfig>> parseConv2dOverrides(std::string_view text);
[[nodiscard]] Result<Overrides<Conv3dConfig>> parseConv3dOverrides(std::string_view text);
[[nodiscard]] Result<Overrides<std::vector<int>>> parseInsertMemreconfig(std::string_view text);

[[nodiscard]] std::string overrideText(const Overrides<LayoutOverride>& overrides);
[[nodiscard]] std::string overrideText(const Overrides<Conv2dConfig>& overrides);
[[nodiscard]] std::string overrideText(const Overrides<Conv3dConfig>& overrides);
[[nodiscard]] std::string overrideText(const Overrides<std::vector<int>>& overrides);

// The part behind the `=` of one entry.
[[nodiscard]] Result<LayoutOverride> parseLayoutParameters(std::string_view text);
[[nodiscard]] Result<Conv2dConfig> parseConv2dParameters(std::string_view text);
[[nodiscard]] Result<Conv3dConfig> parseConv3dParameters(std::string_view text);
[[nodiscard]] std::string parametersText(const LayoutOverride& value);
[[nodiscard]] std::string parametersText(const Conv2dConfig& value);
[[nodiscard]] std::string parametersText(const Conv3dConfig& value);

/// The entry of that operation; null where there is none.
template <class T> [[nodiscard]] const T* findOverride(const Overrides<T>& overrides, std::string_view name) {
    for (const auto& [entry, value] : overrides)
        if (entry == name) return &value;
    return nullptr;
}
/// Gives an operation its entry, in place of one that it has.
template <class T> void setOverride(Overrides<T>& overrides, std::string_view name, T value) {
    for (auto& [entry, old] : overrides)
        if (entry == name) {
            old = std::move(value);
            return;
        }
    overrides.emplace_back(name, std::move(value));
}

enum class SpillWish : std::uint8_t { Dram, L1Interleaved, None };

/// Wishes about one operation that the override strings do not know (hints.md 4.2), by location name.
struct ChainHints {
    std::vector<std::string> breakBefore, breakAfter, forbidMerge;
    std::vector<std::pair<std::string, SpillWish>> spill;
};

/// All that a compile is given (8.1, settings.md 3), resolved: the level has filled what was not set.
struct Options {
    bool enableOptimizer = true;
    bool memoryLayoutAnalysis = true;
    Policy policy = Policy::DfSharding;
    bool l1InterleavedFallback = false;
    bool memreconfig = true;
    int maxLegalLayouts = 64;
    bool rowMajor = false;
    double l1UsageCap = 0.95;
    Bytes l1Reserved = 0;
    bool fusing = true;
    bool strictL1Accounting = true;
    bool conservativeMatmulCb = false;
    bool conversionOpAuto = false;  ///< print to_memory_config where the page layout stays
    bool concatChains = true, reshapeReservations = true, forkReservations = true, chainMerging = true;
    bool mergeAnyOperand = false;
    bool validateOpLayouts = false;
    bool addressSimulation = false;  ///< L1 is checked address by address (12.4)
    bool checkUniqueLocs = false;
    std::string arch = "wormhole_b0", systemDesc, meshShape;
    Overrides<std::vector<int>> insertMemreconfig;
    Overrides<LayoutOverride> outputLayouts;
    Overrides<Conv2dConfig> conv2dConfigs;
    Overrides<Conv3dConfig> conv3dConfigs;
    ChainHints chainHints;
};

/// Options of the original's pipeline as given in a text: those that the text leaves alone have the original's
/// defaults, with what the level fills (8.1).
struct PipelineOptions {
    Options options;
    int level = 0;
    std::vector<std::string> explicitNames;  ///< "max-legal-layouts"
    [[nodiscard]] bool hasExplicit(std::string_view name) const;
};
/// Reads "name=value name=value". Unknown name: TT-011; a value of the wrong form or out of its range: TT-014; errors
/// of the override strings as above.
[[nodiscard]] Result<PipelineOptions> parsePipelineOptions(std::string_view text);
/// Fills what level 0, 1 or 2 sets and the caller did not (TT-014 for another level).
[[nodiscard]] Result<Options> applyLevel(int level, Options options, const std::vector<std::string>& explicitNames);
/// Whether optionsText writes the policy: the original does where one was chosen.
enum class PolicyText : std::uint8_t { Written, LeftOut };
/// In the writer's order of 8.1; no blank at the end.
[[nodiscard]] std::string optionsText(const Options& options, PolicyText policy = PolicyText::Written);

}  // namespace memplan::ttnn
