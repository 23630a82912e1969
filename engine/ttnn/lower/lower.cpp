// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/lower/lower.h"

#include "engine/ttnn/lower/steps.h"

#include <algorithm>
#include <utility>

namespace memplan::ttnn {

namespace {

Diagnostic noteOf(const OpaqueKind& kind) {
    Diagnostic note;
    // A kind without a counterpart is an ordinary thing; a form of a known one that cannot be read may be a mistake.
    note.severity = kind.reason.empty() ? Severity::Note : Severity::Warning;
    note.code = "TT-030";
    note.where = kind.name;
    note.message = kind.name + (kind.count == 1 ? "" : " (" + std::to_string(kind.count) + " times)") +
                   " is kept opaque, in DRAM" + (kind.reason.empty() ? "" : ": " + kind.reason);
    return note;
}

Function lowered(Function function, const LowerOptions& options, std::vector<OpaqueKind>& opaque) {
    lower::stableHloToTtir(function);
    lower::dropBuffers(function);
    lower::foldBroadcasts(function);
    if (options.fusing) lower::fuse(function);
    return lower::toTtnn(function, opaque);
}

/// A function that is only declared takes and gives what those that call it have now.
void matchDeclaration(const Module& module, Function& declared) {
    for (const Function& function : module.functions) {
        for (const OperationId id : function.order) {
            const Operation& call = function.operation(id);
            const std::string* callee = call.name == "func.call" ? call.find("callee") : nullptr;
            if (callee == nullptr || *callee != "@" + declared.name) continue;
            for (std::size_t i = 0; i < std::min(call.operands.size(), declared.arguments.size()); ++i)
                declared.value(declared.arguments[i]).type = function.typeOf(call.operands[i]);
            for (std::size_t i = 0; i < std::min(call.results.size(), declared.resultTypes.size()); ++i)
                declared.resultTypes[i] = function.typeOf(call.results[i]);
            return;
        }
    }
}

/// The wrapper around a module for the device has nothing to say once everything is for it.
void flatten(Module& module) {
    if (!module.inDeviceModule) return;
    module.inDeviceModule = false;
    if (module.name.empty()) module.name = module.outerName;
    module.outerName.clear();
    for (Attribute& attribute : std::exchange(module.outerAttributes, {})) {
        if (findAttribute(module.attributes, attribute.name) == nullptr)
            module.attributes.push_back(std::move(attribute));
    }
    module.others.insert(module.others.end(), module.outerOthers.begin(), module.outerOthers.end());
    module.outerOthers.clear();
}

}  // namespace

Result<Lowered> lowerToTtnn(const Module& module, const LowerOptions& options) {
    Lowered out;
    out.module = module;
    const bool isLowered = module.isTtnn();
    if (!isLowered) {
        for (Function& function : out.module.functions)
            lower::inlineManualComputations(function);
        if (auto done = lower::spliceCalls(out.module, options.spliceDepth, options.planned); !done)
            return done.error();
        flatten(out.module);
    }
    for (Function& function : out.module.functions) {
        if (!function.hasBody) continue;
        if (isLowered)
            lower::dropBuffers(function);
        else
            function = lowered(std::move(function), options, out.opaque);
        lower::assignLayouts(out.module, function);
        lower::convertUserOperands(out.module.device, function);
    }
    for (Function& function : out.module.functions)
        if (!function.hasBody && !isLowered) matchDeclaration(out.module, function);
    for (const OpaqueKind& kind : out.opaque)
        out.notes.push_back(noteOf(kind));
    return out;
}

}  // namespace memplan::ttnn
