// SPDX-License-Identifier: Apache-2.0
#include "engine/io/graph/graph_checks.h"

#include "engine/base/text.h"

#include <algorithm>
#include <unordered_map>

namespace memplan::io {

namespace {

template <class T>
void checkUnique(const std::vector<T>& items, std::string_view section, const char* code, Diagnostics& findings) {
    std::unordered_map<std::string_view, std::size_t> seen;
    seen.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        const auto [it, fresh] = seen.emplace(items[i].id, i);
        if (fresh) continue;
        findings.error(code, pointerTo(section, i, "id"),
                       "the id " + text::quoted(items[i].id) + " is taken by entry " + std::to_string(it->second) +
                           " of " + std::string(section),
                       "rename one of the two");
    }
}

bool inRange(TensorId id, const Graph& g) {
    return id.isValid() && id.at() < g.tensors.size();
}

void checkOperands(const Graph& g, std::size_t i, Diagnostics& findings) {
    const Op& op = g.ops[i];
    for (std::size_t k = 0; k < op.inputs.size(); ++k) {
        if (!op.inputs[k].isValid() || inRange(op.inputs[k], g)) continue;
        findings.error("MPG-203", pointerTo("ops", i, "inputs", k),
                       "op " + text::quoted(op.id) + " reads no tensor of this graph");
    }
    for (std::size_t k = 0; k < op.outputs.size(); ++k) {
        if (inRange(op.outputs[k], g)) continue;
        findings.error("MPG-203", pointerTo("ops", i, "outputs", k),
                       "op " + text::quoted(op.id) + " writes no tensor of this graph");
    }
    if (op.group.isValid() && op.group.at() >= g.groups.size()) {
        findings.error("MPG-205", pointerTo("ops", i, "group"),
                       "op " + text::quoted(op.id) + " is in no group of this graph");
    }
}

void checkInterface(const Graph& g, std::string_view list, const std::vector<TensorId>& ids, Diagnostics& findings) {
    std::vector<bool> seen(g.tensors.size(), false);
    for (std::size_t k = 0; k < ids.size(); ++k) {
        if (!inRange(ids[k], g)) {
            findings.error("MPG-206", pointerTo(list, k),
                           "entry " + std::to_string(k) + " names no tensor of this graph");
            continue;
        }
        if (seen[ids[k].at()]) {
            findings.error("MPG-206", pointerTo(list, k),
                           "tensor " + text::quoted(g.tensor(ids[k]).id) + " is named twice in " + std::string(list),
                           "remove one of the two");
        }
        seen[ids[k].at()] = true;
    }
}

void checkSymbols(const Graph& g, Diagnostics& findings) {
    const auto known = [&g](const std::string& name) {
        return std::any_of(g.dims.begin(), g.dims.end(), [&name](const DimSymbol& d) { return d.name == name; });
    };
    for (std::size_t i = 0; i < g.tensors.size(); ++i) {
        for (const SymbolicExtent& s : g.tensors[i].symbols) {
            if (known(s.symbol)) continue;
            findings.error("MPG-204", pointerTo("tensors", i, "shape", static_cast<std::size_t>(s.axis)),
                           "unknown symbol " + text::quoted(s.symbol), "declare it in dims");
        }
    }
    for (std::size_t i = 0; i < g.ops.size(); ++i) {
        for (std::size_t k = 0; k < g.ops[i].iter.size(); ++k) {
            const std::string& s = g.ops[i].iter[k].symbol;
            if (s.empty() || known(s)) continue;
            findings.error("MPG-204", pointerTo("ops", i, "iter", k) + "/size", "unknown symbol " + text::quoted(s),
                           "declare it in dims");
        }
    }
}

void append(std::vector<Diagnostic>& out, const Diagnostics& findings) {
    const auto list = findings.list();
    out.insert(out.end(), list.begin(), list.end());
}

}  // namespace

void checkUniqueIds(const Graph& g, Diagnostics& findings) {
    checkUnique(g.tensors, "tensors", "MPG-201", findings);
    checkUnique(g.ops, "ops", "MPG-202", findings);
    checkUnique(g.groups, "groups", "MPG-205", findings);
}

void checkReferences(const Graph& g, Diagnostics& findings) {
    for (std::size_t i = 0; i < g.tensors.size(); ++i) {
        const TensorId alias = g.tensors[i].aliasOf;
        if (!alias.isValid() || inRange(alias, g)) continue;
        findings.error("MPG-203", pointerTo("tensors", i, "alias_of"), "alias_of names no tensor of this graph");
    }
    for (std::size_t i = 0; i < g.ops.size(); ++i)
        checkOperands(g, i, findings);
    checkInterface(g, "inputs", g.inputs, findings);
    checkInterface(g, "outputs", g.outputs, findings);
    checkSymbols(g, findings);
    if (!findings.hasErrors()) checkGroups(g, findings);
}

std::vector<Diagnostic> checkGraph(const Graph& graph, const Limits& limits) {
    std::vector<Diagnostic> out;
    Diagnostics references;
    checkUniqueIds(graph, references);
    checkReferences(graph, references);
    append(out, references);
    if (references.hasErrors()) return out;
    Diagnostics structure;
    checkStructure(graph, structure);
    append(out, structure);
    if (structure.hasErrors()) return out;
    Diagnostics shapes;
    checkIterationSpaces(graph, shapes);
    checkTensors(graph, limits, shapes);
    append(out, shapes);
    return out;
}

}  // namespace memplan::io
