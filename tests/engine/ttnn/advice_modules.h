// SPDX-License-Identifier: Apache-2.0
// Small modules for advice: for every code one that raises it and a near miss that does not.
#pragma once

#include "engine/graph/graph.h"
#include "engine/target/compile.h"
#include "engine/ttnn/compile/target.h"
#include "engine/ttnn/module/source.h"
#include "tests/engine/ttnn/function_builder.h"

#include <QTest>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan::test {

/// A function with what it is compiled with.
struct SmallCase {
    ttnn::Function function;
    std::vector<std::pair<std::string, std::string>> settings = {};
    std::vector<Hint> hints = {};
    std::optional<ttnn::Device> device = {};
};

inline Hint opHint(const std::string& op, const std::string& key, const std::string& json) {
    Hint hint;
    hint.target = "ttnn";
    hint.scopes = {"op:" + op};
    hint.key = key;
    const auto value = HintValue::parse(json);
    if (!value) qFatal("no JSON: %s", json.c_str());
    hint.value = *value;
    return hint;
}

inline CompileRequest requestOf(const SmallCase& small) {
    ttnn::Module module;
    module.functions.push_back(small.function);
    module.functions.back().name = "main";
    if (small.device) {
        module.device = *small.device;
        module.hasDevice = true;
    }
    const auto source = std::make_shared<const ttnn::ModuleSource>(std::move(module));
    Settings settings;
    for (const auto& [key, value] : small.settings)
        if (!settings.set(key, value)) qFatal("no setting %s", key.c_str());
    return requestFor(ttnn::target().graphOf(*source, "small"), source, {}, std::move(settings), small.hints);
}

/// The code's name in lower case with "_near" behind for the near miss: "TT-050", "TT-050_near".
[[nodiscard]] SmallCase smallCase(const std::string& name);
[[nodiscard]] std::vector<std::string> adviceCodes();

}  // namespace memplan::test
