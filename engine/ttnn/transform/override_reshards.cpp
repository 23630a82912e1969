// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/transform/override_reshards.h"

#include "engine/base/suggestion.h"
#include "engine/ttnn/layout/arithmetic.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace memplan::ttnn {
namespace {

using Names = std::map<std::string, std::vector<const Operation*>, std::less<>>;

Names namesOf(const Module& module) {
    Names names;
    for (const Function& function : module.functions)
        for (const OperationId id : function.order) {
            const Operation& op = function.operation(id);
            if (!op.location.name.empty()) names[op.location.name].push_back(&op);
        }
    return names;
}

struct NameChecks {
    const Names& names;
    const Names& given;  ///< of the source
    Diagnostics& found;

    template <class T> void exist(const Overrides<T>& overrides, const char* option) const {
        for (const auto& [name, value] : overrides)
            if (!names.contains(name)) missing(name, option);
    }
    void exist(const std::vector<std::string>& hinted, const char* hint) const {
        for (const std::string& name : hinted)
            if (!names.contains(name)) missing(name, hint);
    }
    template <class T> void areOfKind(const Overrides<T>& overrides, std::string_view kind) const {
        for (const auto& [name, value] : overrides) {
            const auto it = names.find(name);
            if (it == names.end()) continue;
            const Operation& op = *it->second.front();
            if (op.is(kind) || (kind == "conv2d" && op.is("conv_transpose2d"))) continue;
            found.warning("TT-015", name, "a configuration of " + std::string(kind) + " has no effect on " + op.name,
                          "remove the override, or name a convolution");
        }
    }

    /// Blocks of rows are made of whole tiles (3.4).
    void areOfTiles(const Overrides<Conv2dConfig>& overrides) const {
        for (const auto& [name, config] : overrides) {
            const std::int64_t rows = config.actBlockHOverride.value_or(0);
            if (rows % kTile == 0) continue;
            found.warning("TT-014", name,
                          "act_block_h_override is " + std::to_string(rows) + ", which is no multiple of " +
                              std::to_string(kTile) + " rows: the device refuses it",
                          "give a multiple of " + std::to_string(kTile) + ", or 0 for what the device chooses");
        }
    }

private:
    void missing(const std::string& name, const char* option) const {
        const std::string message = "Trying to override non-existing op: " + name;
        if (given.contains(name)) {
            found.error("TT-001", option, message + ", which was fused into another one or lowered away",
                        "name the operation that took it up, or switch ttnn.fusing off");
            return;
        }
        std::vector<std::string> known;
        for (const auto& [other, ops] : names)
            known.push_back(other);
        const std::string close = didYouMean(name, known);
        found.error("TT-001", option, message, close.empty() ? "use the location name of an operation" : close);
    }
};

bool isOptimisable(const Operation& op) {
    return op.name.starts_with("ttnn.") && !op.results.empty() && !op.is("get_device") && !op.is("empty");
}

void checkUnique(const Names& names, Diagnostics& found) {
    for (const auto& [name, ops] : names) {
        const auto count =
            std::count_if(ops.begin(), ops.end(), [](const Operation* op) { return isOptimisable(*op); });
        if (count > 1)
            found.error("TT-004", name, std::to_string(count) + " operations share the location name " + name,
                        "give each a name of its own, or turn check-unique-locs off");
    }
}

bool isConversion(const Operation& op) {
    return op.is("to_layout");
}

}  // namespace

Result<std::vector<Diagnostic>> checkOverrides(const Module& module, const Options& options, const Module* source) {
    const Names names = namesOf(module), given = source != nullptr ? namesOf(*source) : Names();
    Diagnostics found;
    const NameChecks checks{names, given, found};
    checks.exist(options.insertMemreconfig, "insert-memreconfig");
    checks.exist(options.outputLayouts, "override-output-layout");
    checks.exist(options.conv2dConfigs, "override-conv2d-config");
    checks.exist(options.conv3dConfigs, "override-conv3d-config");
    checks.exist(options.chainHints.breakBefore, "break_chain");
    checks.exist(options.chainHints.breakAfter, "break_chain");
    checks.exist(options.chainHints.forbidMerge, "forbid_merge");
    checks.exist(options.chainHints.spill, "spill");
    checks.areOfKind(options.conv2dConfigs, "conv2d");
    checks.areOfKind(options.conv3dConfigs, "conv3d");
    checks.areOfTiles(options.conv2dConfigs);
    if (options.checkUniqueLocs) checkUnique(names, found);
    if (found.hasErrors()) return Error(found.list());
    return found.list();
}

Result<std::vector<Reshard>> collectOverrideReshards(const Function& function, const Options& options) {
    std::vector<Reshard> reshards;
    for (const OperationId id : function.order) {
        const Operation& op = function.operation(id);
        if (op.location.name.empty() || isConversion(op)) continue;
        for (const auto& [name, operands] : options.insertMemreconfig) {
            if (name != op.location.name) continue;
            for (const int k : std::set<int>(operands.begin(), operands.end())) {
                const bool isThere = k >= 0 && static_cast<std::size_t>(k) < op.operands.size();
                if (!isThere || !function.typeOf(op.operands[static_cast<std::size_t>(k)]).isTensor)
                    return makeError("TT-013", "insert-memreconfig",
                                     "invalid_operand_index: " + name + " (" + op.name + ") has no tensor operand " +
                                         std::to_string(k),
                                     "its operands are counted from 0; it has " + std::to_string(op.operands.size()));
                reshards.push_back({id, k, {}, ReshardOrigin::Override});
            }
        }
    }
    return reshards;
}

bool isLeftOut(const Solution& solution, const Use& use) {
    return std::ranges::find(solution.leftOutOverrides, use) != solution.leftOutOverrides.end();
}

void applyOverrideReshards(const std::vector<Reshard>& overrides, Solution& solution) {
    std::set<std::pair<OperationId, int>> known;
    for (const Reshard& reshard : solution.reshards)
        known.emplace(reshard.consumer, reshard.operand);
    for (const Reshard& reshard : overrides)
        if (!isLeftOut(solution, {reshard.consumer, reshard.operand}) &&
            known.emplace(reshard.consumer, reshard.operand).second)
            solution.reshards.push_back(reshard);
}

void forceFullSlices(Function& function) {
    for (Operation& op : function.operations)
        if (op.name == "ttnn.conv2d")
            setAttribute(op.properties, "conv2d_slice_config", "#ttnn.conv2d_slice_config<l1_full, 0>");
}

}  // namespace memplan::ttnn
