// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/transform/override_reshards.h"

#include "engine/base/suggestion.h"

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
            found.note("TT-015", name, "a configuration of " + std::string(kind) + " has no effect on " + op.name);
        }
    }

private:
    void missing(const std::string& name, const char* option) const {
        std::vector<std::string> known;
        for (const auto& [other, ops] : names)
            known.push_back(other);
        const std::string close = didYouMean(name, known);
        found.error("TT-001", option, "Trying to override non-existing op: " + name,
                    close.empty() ? "use the location name of an operation" : close);
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

Result<std::vector<Diagnostic>> checkOverrides(const Module& module, const Options& options) {
    const Names names = namesOf(module);
    Diagnostics found;
    const NameChecks checks{names, found};
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
