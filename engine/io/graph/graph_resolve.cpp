// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"
#include "engine/io/graph/graph_checks.h"

#include <unordered_map>

namespace memplan::io {

namespace {

using NameMap = std::unordered_map<std::string_view, std::int32_t>;

template <class T> NameMap namesOf(const std::vector<T>& items) {
    NameMap map;
    map.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i)
        map.emplace(items[i].id, static_cast<std::int32_t>(i));
    return map;
}

std::int32_t lookUp(const NameMap& map, std::string_view name) {
    const auto it = map.find(name);
    return it == map.end() ? -1 : it->second;
}

class Resolver {
public:
    Resolver(RawGraph raw, Diagnostics& findings)
        : raw_(std::move(raw)), g_(raw_.graph), findings_(findings), tensors_(namesOf(g_.tensors)),
          ops_(namesOf(g_.ops)), groups_(namesOf(g_.groups)) {}

    Graph run() {
        for (const DimSymbol& d : g_.dims)
            symbols_.emplace(d.name, d.value);
        for (std::size_t i = 0; i < g_.tensors.size(); ++i)
            resolveTensor(i);
        for (std::size_t i = 0; i < g_.ops.size(); ++i)
            resolveOp(i);
        for (std::size_t i = 0; i < g_.groups.size(); ++i)
            resolveGroup(i);
        joinGroups();
        g_.inputs = resolveInterface("inputs", raw_.inputs);
        g_.outputs = resolveInterface("outputs", raw_.outputs);
        for (std::size_t i = 0; i < g_.hints.size(); ++i)
            checkHint(i);
        return std::move(g_);
    }

private:
    TensorId tensor(std::string_view name) const { return TensorId{lookUp(tensors_, name)}; }

    std::int64_t symbol(const std::string& name, std::string where) {
        const auto it = symbols_.find(name);
        if (it != symbols_.end()) return it->second;
        findings_.error("MPG-204", std::move(where), "unknown symbol " + text::quoted(name), "declare it in dims");
        return 0;
    }

    void resolveTensor(std::size_t i) {
        Tensor& t = g_.tensors[i];
        for (const SymbolicExtent& s : t.symbols) {
            const auto axis = static_cast<std::size_t>(s.axis);
            t.shape[axis] = symbol(s.symbol, pointerTo("tensors", i, "shape", axis));
        }
        const std::string& alias = raw_.aliases[i];
        if (alias.empty()) return;
        t.aliasOf = tensor(alias);
        if (!t.aliasOf.isValid()) {
            findings_.error("MPG-203", pointerTo("tensors", i, "alias_of"),
                            "tensor " + text::quoted(t.id) + " shares the storage of the unknown tensor " +
                                text::quoted(alias),
                            "add that tensor or remove alias_of");
        }
    }

    void unknownOperand(std::size_t op, std::string_view list, std::size_t k, std::string_view name) {
        std::vector<std::string> ids;
        constexpr std::size_t kSuggestFrom = 2000;  // a nearest name is looked for in small graphs only
        if (g_.tensors.size() <= kSuggestFrom) {
            for (const Tensor& t : g_.tensors)
                ids.push_back(t.id);
        }
        const std::string near = text::nearest(name, ids);
        findings_.error("MPG-203", pointerTo("ops", op, list, k),
                        "op " + text::quoted(g_.ops[op].id) + " refers to the unknown tensor " + text::quoted(name),
                        near.empty() ? "add that tensor" : "the nearest name is " + text::quoted(near));
    }

    void resolveOp(std::size_t i) {
        Op& op = g_.ops[i];
        const RawGraph::OpRefs& refs = raw_.ops[i];
        for (std::size_t k = 0; k < refs.inputs.size(); ++k) {
            op.inputs.push_back(refs.inputs[k] ? tensor(*refs.inputs[k]) : TensorId{});
            if (refs.inputs[k] && !op.inputs.back().isValid()) unknownOperand(i, "inputs", k, *refs.inputs[k]);
        }
        for (std::size_t k = 0; k < refs.outputs.size(); ++k) {
            op.outputs.push_back(tensor(refs.outputs[k]));
            if (!op.outputs.back().isValid()) unknownOperand(i, "outputs", k, refs.outputs[k]);
        }
        for (std::size_t k = 0; k < op.iter.size(); ++k) {
            IterDim& d = op.iter[k];
            if (!d.symbol.empty()) d.size = symbol(d.symbol, pointerTo("ops", i, "iter", k) + "/size");
        }
        if (!refs.group) return;
        op.group = GroupId{lookUp(groups_, *refs.group)};
        if (!op.group.isValid()) {
            findings_.error("MPG-205", pointerTo("ops", i, "group"),
                            "op " + text::quoted(op.id) + " names the unknown group " + text::quoted(*refs.group),
                            "declare it in groups");
        }
    }

    void resolveGroup(std::size_t i) {
        Group& group = g_.groups[i];
        const RawGraph::GroupRefs& refs = raw_.groups[i];
        for (std::size_t k = 0; k < refs.ops.size(); ++k) {
            const GraphOpId op{lookUp(ops_, refs.ops[k])};
            group.ops.push_back(op);
            if (op.isValid()) continue;
            findings_.error("MPG-205", pointerTo("groups", i, "ops", k),
                            "group " + text::quoted(group.id) + " lists the unknown op " + text::quoted(refs.ops[k]),
                            "add that op or remove the entry");
        }
        if (!refs.parent) return;
        group.parent = GroupId{lookUp(groups_, *refs.parent)};
        if (!group.parent.isValid()) {
            findings_.error("MPG-205", pointerTo("groups", i, "parent"),
                            "group " + text::quoted(group.id) + " names the unknown parent " +
                                text::quoted(*refs.parent),
                            "declare it in groups");
        }
    }

    /// An op that only its group names belongs to it all the same.
    void joinGroups() {
        for (std::size_t k = 0; k < g_.groups.size(); ++k) {
            for (const GraphOpId op : g_.groups[k].ops) {
                if (!op.isValid() || raw_.ops[op.at()].group || g_.ops[op.at()].group.isValid()) continue;
                g_.ops[op.at()].group = GroupId::of(k);
            }
        }
    }

    std::vector<TensorId> resolveInterface(std::string_view list, const std::vector<std::string>& names) {
        std::vector<TensorId> out;
        for (std::size_t k = 0; k < names.size(); ++k) {
            out.push_back(tensor(names[k]));
            if (out.back().isValid()) continue;
            findings_.error("MPG-206", pointerTo(list, k), "unknown tensor " + text::quoted(names[k]),
                            "add that tensor");
        }
        return out;
    }

    bool scopeExists(std::string_view scope) const {
        if (scope == "graph") return true;
        const std::size_t colon = scope.find(':');
        const std::string_view kind = scope.substr(0, colon);
        const std::string_view id = scope.substr(colon + 1);
        if (kind == "op") return lookUp(ops_, id) >= 0;
        if (kind == "tensor") return lookUp(tensors_, id) >= 0;
        return kind == "group" && lookUp(groups_, id) >= 0;
    }

    void checkHint(std::size_t i) {
        const Hint& h = g_.hints[i];
        for (std::size_t k = 0; k < h.scopes.size(); ++k) {
            if (scopeExists(h.scopes[k])) continue;
            std::string where = pointerTo("hints", i, "scope");
            if (h.scopeIsArray) where = pointerTo("hints", i, "scope", k);
            findings_.error("MPG-210", std::move(where),
                            "the hint's subject " + text::quoted(h.scopes[k]) + " does not exist",
                            "name an op, tensor or group of this graph");
        }
    }

    RawGraph raw_;
    Graph& g_;
    Diagnostics& findings_;
    NameMap tensors_, ops_, groups_;
    std::unordered_map<std::string_view, std::int64_t> symbols_;
};

}  // namespace

std::string pointerTo(std::string_view section, std::size_t index) {
    return "/" + std::string(section) + "/" + std::to_string(index);
}

std::string pointerTo(std::string_view section, std::size_t index, std::string_view member) {
    return pointerTo(section, index) + "/" + std::string(member);
}

std::string pointerTo(std::string_view section, std::size_t index, std::string_view member, std::size_t entry) {
    return pointerTo(section, index, member) + "/" + std::to_string(entry);
}

Graph resolveGraph(RawGraph raw, Diagnostics& findings) {
    return Resolver(std::move(raw), findings).run();
}

}  // namespace memplan::io
