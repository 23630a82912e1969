// SPDX-License-Identifier: Apache-2.0
#include "engine/io/graph/graph_binding.h"

#include "engine/base/text.h"
#include "engine/io/graph/graph_checks.h"
#include "engine/io/graph/graph_fields.h"
#include "engine/io/graph/graph_json.h"

#include <algorithm>
#include <unordered_map>

namespace memplan::io {

namespace {

using Pairs = std::vector<std::pair<std::string, std::int64_t>>;

Result<Pairs> wantedExtents(const Bindings& bindings) {
    Pairs pairs = bindings.dims;
    for (const auto& [name, value] : bindings.raw) {
        const auto extent = text::parseInt(value);
        if (!extent) {
            return makeError("MPG-204", {}, text::quoted(name + "=" + value) + " does not bind a symbol to a number",
                             "write SYMBOL=NUMBER");
        }
        pairs.emplace_back(name, *extent);
    }
    return pairs;
}

Result<void> bindSymbol(Graph& g, const std::string& name, std::int64_t value) {
    const auto it = std::find_if(g.dims.begin(), g.dims.end(), [&name](const DimSymbol& d) { return d.name == name; });
    if (it == g.dims.end()) {
        std::vector<std::string> names;
        for (const DimSymbol& d : g.dims)
            names.push_back(d.name);
        return makeError("MPG-204", {}, "the graph has no symbol " + text::quoted(name),
                         names.empty() ? "it has none at all: leave the binding out"
                                       : "its symbols: " + text::join(names, ", "));
    }
    const bool isIn = value >= it->min.value_or(0) && value <= it->max.value_or(kMaxExtent) &&
                      value % it->multipleOf.value_or(1) == 0;
    if (!isIn) {
        return makeError("MPG-107", "/dims/" + name + "/value",
                         text::grouped(value) + " is outside the range of the symbol \"" + name + "\"",
                         "see min, max and multiple_of in the file");
    }
    it->value = value;
    return {};
}

void applySymbols(Graph& g) {
    std::unordered_map<std::string_view, std::int64_t> values;
    for (const DimSymbol& d : g.dims)
        values.emplace(d.name, d.value);
    for (Tensor& t : g.tensors) {
        for (const SymbolicExtent& s : t.symbols)
            t.shape[static_cast<std::size_t>(s.axis)] = values.at(s.symbol);
    }
    for (Op& op : g.ops) {
        for (IterDim& d : op.iter) {
            if (!d.symbol.empty()) d.size = values.at(d.symbol);
        }
    }
}

}  // namespace

Result<Graph> bindGraph(Graph graph, const Bindings& bindings, const Limits& limits) {
    auto pairs = wantedExtents(bindings);
    if (!pairs) return std::move(pairs).error();
    if (pairs.value().empty()) return graph;
    for (const auto& [name, value] : pairs.value()) {
        if (auto bound = bindSymbol(graph, name, value); !bound) return bound.error();
    }
    applySymbols(graph);
    std::vector<Diagnostic> errors = checkGraph(graph, limits);
    std::erase_if(errors, [](const Diagnostic& d) { return d.severity != Severity::Error; });
    if (!errors.empty()) return Error(std::move(errors));
    return graph;
}

}  // namespace memplan::io
