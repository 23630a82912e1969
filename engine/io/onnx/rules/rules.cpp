// SPDX-License-Identifier: Apache-2.0
#include "engine/io/onnx/rules/rules.h"

#include <unordered_map>

namespace memplan::io::onnx {

namespace {

using Table = std::unordered_map<std::string_view, const ShapeRule*>;

void addAll(Table& table, std::span<const ShapeRule> rules) {
    for (const ShapeRule& rule : rules)
        table.emplace(rule.op, &rule);
}

const Table& standardTable() {
    static const Table kTable = [] {
        Table t;
        for (const auto rules :
             {elementwiseRules(), normalisationRules(), reduceRules(), convolutionRules(), poolingRules(),
              reshapeRules(), layoutRules(), gatherRules(), resizeRules(), matmulRules(), recurrentRules(),
              attentionRules(), generatorRules(), quantizeRules()}) {
            addAll(t, rules);
        }
        return t;
    }();
    return kTable;
}

const Table& contribTable() {
    static const Table kTable = [] {
        Table t;
        addAll(t, contribRules());
        return t;
    }();
    return kTable;
}

const Table& classicalTable() {
    static const Table kTable = [] {
        Table t;
        addAll(t, classicalRules());
        return t;
    }();
    return kTable;
}

const ShapeRule* lookUp(const Table& table, std::string_view op) {
    const auto at = table.find(op);
    return at == table.end() ? nullptr : at->second;
}

}  // namespace

const ShapeRule* findRule(std::string_view domain, std::string_view op) {
    if (domain.empty()) return lookUp(standardTable(), op);
    if (domain == "com.microsoft") return lookUp(contribTable(), op);
    if (domain == "ai.onnx.ml") return lookUp(classicalTable(), op);
    return nullptr;
}

bool knowsAttribute(const ShapeRule& rule, std::string_view name) {
    std::string_view rest = rule.attributes;
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        if (rest.substr(0, comma) == name) return true;
        if (comma == std::string_view::npos) return false;
        rest.remove_prefix(comma + 1);
    }
    return false;
}

}  // namespace memplan::io::onnx
