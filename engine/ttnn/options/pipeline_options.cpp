// SPDX-License-Identifier: Apache-2.0
// The options of the original's pipeline as text (ttnn-optimizer 8.1).
#include "engine/base/suggestion.h"
#include "engine/base/text.h"
#include "engine/base/word_table.h"
#include "engine/ttnn/options/options.h"

#include <algorithm>
#include <array>
#include <limits>

namespace memplan::ttnn {
namespace {

constexpr WordTable<Policy, 5> kPolicies{{{Policy::DfSharding, "DFSharding"},
                                          {Policy::GreedyL1Interleaved, "GreedyL1Interleaved"},
                                          {Policy::BfInterleaved, "BFInterleaved"},
                                          {Policy::GreedyBeam, "GreedyBeam"},
                                          {Policy::Global, "Global"}}};

constexpr std::string_view kEnable = "enable-optimizer", kAnalysis = "memory-layout-analysis-enabled";

Error badValue(std::string_view name, std::string_view value, const std::string& allowed) {
    return makeError("TT-014", std::string(name),
                     "invalid_value: " + text::quoted(value) + " is not a value of " + std::string(name),
                     "allowed: " + allowed);
}

Result<void> readBool(std::string_view name, std::string_view value, bool& target) {
    if (value != "true" && value != "false" && value != "1" && value != "0")
        return badValue(name, value, "true or false");
    target = value == "true" || value == "1";
    return {};
}

Result<void> readWhole(std::string_view name, std::string_view value, int& target) {
    const auto number = text::parseInt(value);
    if (!number || *number < 0 || *number > std::numeric_limits<int>::max())
        return badValue(name, value, "a whole number, not negative");
    target = static_cast<int>(*number);
    return {};
}

Result<void> readShare(std::string_view name, std::string_view value, double& target) {
    const auto number = text::parseDouble(value);
    if (!number || !(*number >= 0 && *number <= 1)) return badValue(name, value, "a share from 0 to 1");
    target = *number;
    return {};
}

Result<void> readMesh(std::string_view name, std::string_view value, std::string& target) {
    for (const std::string& size : text::split(value, ',')) {
        const auto number = text::parseInt(size);
        if (!number || *number < 1) return badValue(name, value, "sizes with commas between them: 1,2");
    }
    target = value;
    return {};
}

template <class T> Result<void> take(std::string_view name, Result<T> value, T& target) {
    if (!value) {
        Error error = std::move(value).error();
        error.diagnostics.front().where = name;
        return error;
    }
    target = std::move(value).value();
    return {};
}

Result<void> readPolicy(std::string_view name, std::string_view value, Policy& target) {
    const auto policy = policyOf(value);
    if (!policy) return badValue(name, value, "DFSharding, GreedyL1Interleaved, BFInterleaved, GreedyBeam or Global");
    target = *policy;
    return {};
}

using Set = Result<void> (*)(std::string_view name, std::string_view value, PipelineOptions& into);
struct OptionRow {
    std::string_view name;
    Set set;
};
using Name = std::string_view;
using Value = std::string_view;

// clang-format off
constexpr std::array<OptionRow, 18> kRows{{
    {"optimization-level", [](Name n, Value v, PipelineOptions& p) { return readWhole(n, v, p.level); }},
    {kEnable, [](Name n, Value v, PipelineOptions& p) { return readBool(n, v, p.options.enableOptimizer); }},
    {kAnalysis, [](Name n, Value v, PipelineOptions& p) { return readBool(n, v, p.options.memoryLayoutAnalysis); }},
    {"memory-layout-analysis-policy", [](Name n, Value v, PipelineOptions& p) { return readPolicy(n, v, p.options.policy); }},
    {"l1-interleaved-fallback-analysis-enabled", [](Name n, Value v, PipelineOptions& p) { return readBool(n, v, p.options.l1InterleavedFallback); }},
    {"memreconfig-enabled", [](Name n, Value v, PipelineOptions& p) { return readBool(n, v, p.options.memreconfig); }},
    {"max-legal-layouts", [](Name n, Value v, PipelineOptions& p) { return readWhole(n, v, p.options.maxLegalLayouts); }},
    {"row-major-enabled", [](Name n, Value v, PipelineOptions& p) { return readBool(n, v, p.options.rowMajor); }},
    {"tensor-l1-usage-cap", [](Name n, Value v, PipelineOptions& p) { return readShare(n, v, p.options.l1UsageCap); }},
    {"insert-memreconfig", [](Name n, Value v, PipelineOptions& p) { return take(n, parseInsertMemreconfig(v), p.options.insertMemreconfig); }},
    {"override-output-layout", [](Name n, Value v, PipelineOptions& p) { return take(n, parseLayoutOverrides(v), p.options.outputLayouts); }},
    {"override-conv2d-config", [](Name n, Value v, PipelineOptions& p) { return take(n, parseConv2dOverrides(v), p.options.conv2dConfigs); }},
    {"override-conv3d-config", [](Name n, Value v, PipelineOptions& p) { return take(n, parseConv3dOverrides(v), p.options.conv3dConfigs); }},
    {"system-desc-path", [](Name, Value v, PipelineOptions& p) { p.options.systemDesc = v; return Result<void>(); }},
    {"mock-system-desc-arch", [](Name, Value v, PipelineOptions& p) { p.options.arch = v; return Result<void>(); }},
    {"mesh-shape", [](Name n, Value v, PipelineOptions& p) { return readMesh(n, v, p.options.meshShape); }},
    {"check-unique-locs", [](Name n, Value v, PipelineOptions& p) { return readBool(n, v, p.options.checkUniqueLocs); }},
    {"enable-fusing-pass", [](Name n, Value v, PipelineOptions& p) { return readBool(n, v, p.options.fusing); }},
}};
// clang-format on

/// One "name=value"; a name alone switches on.
Result<void> readOption(std::string_view option, PipelineOptions& into) {
    const std::size_t equals = option.find('=');
    const std::string_view name = option.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? "true" : option.substr(equals + 1);
    for (const OptionRow& row : kRows) {
        if (row.name != name) continue;
        into.explicitNames.emplace_back(name);
        return row.set(name, value, into);
    }
    std::vector<std::string> names;
    for (const OptionRow& row : kRows)
        names.emplace_back(row.name);
    return makeError("TT-011", "options", "invalid_parameter: there is no option " + text::quoted(name),
                     didYouMean(name, names));
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

PipelineOptions originalDefaults() {
    PipelineOptions defaults;
    defaults.options.enableOptimizer = false;
    defaults.options.memoryLayoutAnalysis = false;
    return defaults;
}

}  // namespace

std::string_view wordOf(Policy policy) {
    return wordIn(kPolicies, policy);
}

std::optional<Policy> policyOf(std::string_view word) {
    return valueIn(kPolicies, word);
}

bool PipelineOptions::hasExplicit(std::string_view name) const {
    return contains(explicitNames, name);
}

Result<PipelineOptions> parsePipelineOptions(std::string_view text) {
    PipelineOptions read = originalDefaults();
    for (const std::string& option : text::split(text, ' ')) {
        if (option.empty()) continue;
        if (auto done = readOption(option, read); !done) return done.error();
    }
    auto filled = applyLevel(read.level, std::move(read.options), read.explicitNames);
    if (!filled) return std::move(filled).error();
    read.options = std::move(filled).value();
    return read;
}

Result<Options> applyLevel(int level, Options options, const std::vector<std::string>& explicitNames) {
    if (level < 0 || level > 2) return badValue("optimization-level", std::to_string(level), "0, 1 or 2");
    if (!contains(explicitNames, kEnable)) options.enableOptimizer = level >= 1;
    if (!contains(explicitNames, kAnalysis)) options.memoryLayoutAnalysis = level >= 2;
    return options;
}

std::string optionsText(const Options& options, PolicyText policy) {
    std::vector<std::string> parts;
    const auto add = [&](std::string_view name, std::string_view value) {
        if (!value.empty()) parts.push_back(std::string(name) + "=" + std::string(value));
    };
    const auto flag = [&](std::string_view name, bool isOn) { add(name, isOn ? "true" : ""); };
    flag(kEnable, options.enableOptimizer);
    flag("memreconfig-enabled", options.memreconfig);
    flag(kAnalysis, options.memoryLayoutAnalysis);
    flag("l1-interleaved-fallback-analysis-enabled", options.l1InterleavedFallback);
    if (policy == PolicyText::Written) add("memory-layout-analysis-policy", wordOf(options.policy));
    add("insert-memreconfig", overrideText(options.insertMemreconfig));
    add("override-output-layout", overrideText(options.outputLayouts));
    add("override-conv2d-config", overrideText(options.conv2dConfigs));
    add("system-desc-path", options.systemDesc);
    if (options.maxLegalLayouts > 0) add("max-legal-layouts", std::to_string(options.maxLegalLayouts));
    add("mesh-shape", options.meshShape);
    if (options.l1UsageCap > 0) add("tensor-l1-usage-cap", text::number(options.l1UsageCap));
    return text::join(parts, " ");
}

}  // namespace memplan::ttnn
