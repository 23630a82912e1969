// SPDX-License-Identifier: Apache-2.0
// Functions that are called become part of their callers.
#include "engine/ttnn/lower/steps.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace memplan::ttnn::lower {

namespace {

constexpr std::size_t kMostOperations = 1'000'000;  ///< of a function with all that it calls

/// The function that a call names, or the one that a composite operation stands for.
std::string calleeOf(const Operation& call) {
    const std::string* text = call.find(call.name == "func.call" ? "callee" : "decomposition");
    if (text == nullptr || !text->starts_with('@')) return {};
    const std::string name = text->substr(1);
    return stringOf(name).value_or(name);
}

bool isComposite(const Operation& operation) {
    return operation.name == "stablehlo.composite" || operation.name == "ttir.composite";
}

bool isCall(const Operation& operation) {
    return operation.name == "func.call" || isComposite(operation);
}

/// Names that operations call, those inside regions too.
void addCallees(const std::vector<Operation>& operations, std::vector<std::string>& names) {
    for (const Operation& operation : operations) {
        if (isCall(operation)) names.push_back(calleeOf(operation));
        for (const Region& region : operation.regions)
            for (const Region::Block& block : region.blocks)
                addCallees(block.operations, names);
    }
}

/// Writes a function anew with its calls spliced in.
class Splicer {
public:
    explicit Splicer(const Module& module, int depth) : module_(module), depth_(depth) {}

    Result<Function> run(const Function& from) {
        out_ = from;
        out_.operations.clear();
        out_.order.clear();
        Values same(from.values.size());
        for (std::size_t i = 0; i < same.size(); ++i)
            same[i] = ValueId::of(i);
        // Values keep their ids; those of called functions come behind.
        if (auto done = body(from, same, 0); !done) return done.error();
        for (ValueId& value : out_.returned)
            value = resolved(value);
        return std::move(out_);
    }

private:
    using Values = std::vector<ValueId>;

    Result<void> body(const Function& from, const Values& values, int level) {
        for (const OperationId id : from.order) {
            Operation copy = from.operation(id);
            rename(copy, values);
            if (out_.operations.size() > kMostOperations)
                return makeError("MLIR-008", {}, "calls make more than a million operations", {});
            if (!isCall(copy) || isElsewhere(copy)) {
                out_.order.push_back(out_.addOperation(std::move(copy)));
                continue;
            }
            if (auto done = call(copy, level); !done) return done;
        }
        return {};
    }

    void rename(Operation& operation, const Values& values) {
        for (ValueId& operand : operation.operands)
            operand = resolved(values[operand.at()]);
        for (ValueId& result : operation.results)
            result = values[result.at()];
        for (Region& region : operation.regions) {
            for (Region::Block& block : region.blocks) {
                for (ValueId& argument : block.arguments)
                    argument = values[argument.at()];
                for (Operation& inner : block.operations)
                    rename(inner, values);
            }
        }
    }

    /// A function that is declared here runs on the host, and a composite operation may keep what it stands for.
    [[nodiscard]] bool isElsewhere(const Operation& call) const {
        const auto callee = std::ranges::find(module_.functions, calleeOf(call), &Function::name);
        return callee == module_.functions.end() ? isComposite(call) : !callee->hasBody;
    }

    Result<void> call(const Operation& call, int level) {
        const std::string name = calleeOf(call);
        const auto callee = std::ranges::find(module_.functions, name, &Function::name);
        if (callee == module_.functions.end())
            return makeError("MLIR-008", {}, "a call names the function @" + name + ", which is not here",
                             "export the module with that function");
        if (level >= depth_)
            return makeError("MLIR-008", {}, "calls nest deeper than " + std::to_string(depth_) + ", at @" + name,
                             "a function may not call itself");
        if (callee->arguments.size() != call.operands.size() || callee->returned.size() != call.results.size())
            return makeError("MLIR-004", {}, "a call of @" + name + " has another number of operands or results", {});
        Values inner;
        for (const Value& value : callee->values)
            inner.push_back(out_.addValue(value.type, value.name));
        for (std::size_t i = 0; i < call.operands.size(); ++i)
            inner[callee->arguments[i].at()] = call.operands[i];
        if (auto done = body(*callee, inner, level + 1); !done) return done;
        for (std::size_t i = 0; i < call.results.size(); ++i)
            instead_[call.results[i].index] = resolved(inner[callee->returned[i].at()]);
        return {};
    }

    [[nodiscard]] ValueId resolved(ValueId value) const {
        const auto it = instead_.find(value.index);
        return it == instead_.end() ? value : it->second;
    }

    const Module& module_;
    int depth_;
    Function out_;
    std::unordered_map<std::int32_t, ValueId> instead_;  ///< results of calls
};

bool hasCalls(const Function& function) {
    return std::ranges::any_of(function.operations, isCall);
}

/// Private functions that are still called, from regions or from each other.
void keepCalled(const Module& module, std::vector<Function>& whole) {
    std::vector<std::string> names;
    for (const Function& function : whole)
        addCallees(function.operations, names);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto from = std::ranges::find(module.functions, names[i], &Function::name);
        const bool isThere = std::ranges::find(whole, names[i], &Function::name) != whole.end();
        if (from == module.functions.end() || isThere) continue;
        whole.push_back(*from);
        addCallees(from->operations, names);
    }
}

}  // namespace

Result<void> spliceCalls(Module& module, int depth, std::string_view planned) {
    if (std::ranges::none_of(module.functions, hasCalls)) return {};
    std::vector<Function> whole;
    for (const Function& function : module.functions) {
        // A private function is part of those that call it; only such a one may be, or the one that is planned.
        if (function.visibility == "private" && function.hasBody && function.name != planned) continue;
        auto spliced = Splicer(module, depth).run(function);
        if (!spliced) return spliced.error();
        whole.push_back(std::move(spliced).value());
    }
    if (std::ranges::none_of(whole, &Function::hasBody)) return {};
    keepCalled(module, whole);
    module.functions = std::move(whole);
    return {};
}

}  // namespace memplan::ttnn::lower
