// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/lower/main_function.h"

#include "engine/base/text.h"

#include <algorithm>
#include <string>
#include <vector>

namespace memplan::ttnn {
namespace {

using Positions = std::vector<std::size_t>;

/// Another function names it: it calls it, keeps its results, records or replays it.
bool isCalled(const Module& module, const std::string& name) {
    const std::string symbol = "@" + name;
    const auto isNamed = [&](const Attribute& attribute) { return attribute.text == symbol; };
    const auto names = [&](const Operation& op) {
        return std::ranges::any_of(op.properties, isNamed) || std::ranges::any_of(op.attributes, isNamed);
    };
    return std::ranges::any_of(module.functions,
                               [&](const Function& f) { return std::ranges::any_of(f.operations, names); });
}

/// It says itself that it is run once, ahead of the others.
bool isConstEval(const Function& function) {
    return std::ranges::any_of(function.attributes, [](const Attribute& attribute) {
        return attribute.name == "const_eval" || attribute.name.ends_with(".const_eval") ||
               attribute.text == "\"const_eval\"";
    });
}

std::string namesOf(const Module& module, const Positions& positions) {
    std::string names;
    for (const std::size_t i : positions)
        names += (names.empty() ? "" : ", ") + module.functions[i].name;
    return names;
}

template <class Keep> Positions positionsOf(const Module& module, Keep&& keep) {
    Positions found;
    for (std::size_t i = 0; i < module.functions.size(); ++i) {
        const Function& f = module.functions[i];
        if (f.hasBody && !f.operations.empty() && keep(f)) found.push_back(i);
    }
    return found;
}

}  // namespace

Result<std::size_t> mainFunction(const Module& module, std::string_view name) {
    const Positions bodies = positionsOf(module, [](const Function&) { return true; });
    if (!name.empty()) {
        const auto it = std::ranges::find(bodies, name, [&](std::size_t i) { return module.functions[i].name; });
        if (it != bodies.end()) return *it;
        return makeError("MLIR-001", "ttnn.function", "the module has no function " + text::quoted(std::string(name)),
                         "it has " + namesOf(module, bodies));
    }
    const Positions open = positionsOf(module, [](const Function& f) { return f.visibility != "private"; });
    Positions roots = open.empty() ? bodies : open;
    if (roots.size() > 1)
        std::erase_if(roots, [&](std::size_t i) {
            return isCalled(module, module.functions[i].name) || isConstEval(module.functions[i]);
        });
    if (roots.size() == 1) return roots.front();
    if (bodies.empty())
        return makeError("MLIR-001", "", "the module has no function with operations",
                         "export the model with its body");
    return makeError("MLIR-007", "",
                     "the module has several public functions and none is chosen: " +
                         namesOf(module, roots.empty() ? open : roots),
                     "name one with ttnn.function");
}

}  // namespace memplan::ttnn
