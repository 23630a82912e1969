// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/cut.h"

#include "engine/base/text.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

namespace memplan {

namespace {

/// `path` is `prefix` or goes on behind it with another name.
bool isUnder(std::string_view path, std::string_view prefix) {
    while (!path.empty() && path.front() == '/')
        path.remove_prefix(1);
    if (!path.starts_with(prefix)) return false;
    return path.size() == prefix.size() || std::string_view("/.:").find(path[prefix.size()]) != std::string_view::npos;
}

/// Without the separators at its ends: "/layer3/" means "layer3".
std::string_view trimmed(std::string_view prefix) {
    while (!prefix.empty() && prefix.front() == '/')
        prefix.remove_prefix(1);
    while (!prefix.empty() && prefix.back() == '/')
        prefix.remove_suffix(1);
    return prefix;
}

class Cutter {
public:
    Cutter(const Graph& graph, const GraphCut& cut) : from_(graph), cut_(cut) {}

    Result<Graph> run() {
        if (auto found = chooseOps(); !found) return found.error();
        writer_ = producers(from_);
        chooseTensors();
        out_.name = from_.name;
        out_.minor = from_.minor;
        out_.producer = from_.producer;
        out_.producerUnknown = from_.producerUnknown;
        out_.source = from_.source;
        out_.dims = from_.dims;
        out_.targetsJson = from_.targetsJson;
        out_.unknown = from_.unknown;
        copyGroups();
        copyTensors();
        copyOps();
        nameInputs();
        nameOutputs();
        copyHints();
        return std::move(out_);
    }

private:
    const Graph& from_;
    const GraphCut& cut_;
    Graph out_;
    std::vector<GraphOpId> newOp_;  ///< by old id, invalid = dropped
    std::vector<TensorId> newTensor_;
    std::vector<GroupId> newGroup_;
    std::vector<GraphOpId> writer_;  ///< by old tensor

    [[nodiscard]] bool isKept(GraphOpId op) const { return op.isValid() && newOp_[op.at()].isValid(); }
    [[nodiscard]] bool isMadeInside(TensorId t) const { return isKept(writer_[t.at()]); }
    [[nodiscard]] bool isMadeOutside(TensorId t) const { return writer_[t.at()].isValid() && !isMadeInside(t); }

    // ---- what stays ----------------------------------------------------------------------------------

    /// Position of an operation by id, else by number; `ifEmpty` without a text.
    Result<std::size_t> positionOf(const std::string& wanted, std::size_t ifEmpty) const {
        if (wanted.empty()) return ifEmpty;
        const auto named =
            std::find_if(from_.ops.begin(), from_.ops.end(), [&](const Op& o) { return o.id == wanted; });
        if (named != from_.ops.end()) return static_cast<std::size_t>(named - from_.ops.begin());
        std::size_t number = 0;
        const char* end = wanted.data() + wanted.size();
        const auto [stop, problem] = std::from_chars(wanted.data(), end, number);
        if (problem == std::errc() && stop == end && number < from_.ops.size()) return number;
        return makeError("IN-014", "/ops", "there is no operation " + text::quoted(wanted) + " in this graph",
                         "give the id of an operation or a number from 0 to " +
                             text::grouped(static_cast<std::int64_t>(from_.ops.size()) - 1));
    }

    Result<void> chooseOps() {
        if (from_.ops.empty()) return makeError("IN-014", "/ops", "the graph has no operations to choose from");
        const auto first = positionOf(cut_.first, 0);
        if (!first) return first.error();
        const auto last = positionOf(cut_.last, from_.ops.size() - 1);
        if (!last) return last.error();
        if (last.value() < first.value()) {
            return makeError("IN-014", "/ops", "the range of operations ends before it begins",
                             "the first operation comes ahead of the last");
        }
        const std::string_view prefix = trimmed(cut_.prefix);
        newOp_.assign(from_.ops.size(), GraphOpId{});
        std::size_t kept = 0;
        for (std::size_t i = first.value(); i <= last.value(); ++i) {
            const Op& op = from_.ops[i];
            const bool stays =
                prefix.empty() || isUnder(annotationOf(from_, op), prefix) || isUnder(op.origin.node, prefix);
            if (stays) newOp_[i] = GraphOpId::of(kept++);
        }
        if (kept > 0) return {};
        return makeError("IN-014", "/ops", "no operation of the range stands under " + text::quoted(cut_.prefix),
                         "annotations of this graph are, for instance, " + someAnnotations());
    }

    [[nodiscard]] std::string someAnnotations() const {
        constexpr std::size_t kShown = 3;
        std::vector<std::string> shown;
        std::set<std::string, std::less<>> seen;
        for (std::size_t i = 0; i < from_.ops.size() && shown.size() < kShown; ++i) {
            std::string path = annotationOf(from_, from_.ops[i]);
            if (path.empty()) path = from_.ops[i].origin.node;
            if (!path.empty() && seen.insert(path).second) shown.push_back(text::quoted(path));
        }
        return shown.empty() ? "none" : text::join(shown, ", ");
    }

    /// What the operations access, and what owns the storage of what they make.
    void chooseTensors() {
        std::vector<char> stays(from_.tensors.size(), 0);
        const auto take = [&](TensorId t) {
            while (t.isValid() && stays[t.at()] == 0) {
                stays[t.at()] = 1;
                t = isMadeOutside(t) ? TensorId{} : from_.tensor(t).aliasOf;
            }
        };
        for (std::size_t i = 0; i < from_.ops.size(); ++i) {
            if (!newOp_[i].isValid()) continue;
            for (const TensorId t : from_.ops[i].inputs)
                take(t);
            for (const TensorId t : from_.ops[i].outputs)
                take(t);
        }
        newTensor_.assign(from_.tensors.size(), TensorId{});
        std::size_t kept = 0;
        for (std::size_t i = 0; i < stays.size(); ++i) {
            if (stays[i] != 0) newTensor_[i] = TensorId::of(kept++);
        }
    }

    // ---- copies with new ids -------------------------------------------------------------------------

    [[nodiscard]] TensorId mapped(TensorId t) const { return t.isValid() ? newTensor_[t.at()] : t; }

    void copyGroups() {
        std::vector<char> stays(from_.groups.size(), 0);
        for (std::size_t i = 0; i < from_.ops.size(); ++i) {
            GroupId g = newOp_[i].isValid() ? from_.ops[i].group : GroupId{};
            for (; g.isValid() && stays[g.at()] == 0; g = from_.groups[g.at()].parent)
                stays[g.at()] = 1;
        }
        newGroup_.assign(from_.groups.size(), GroupId{});
        std::size_t kept = 0;
        for (std::size_t i = 0; i < stays.size(); ++i) {
            if (stays[i] != 0) newGroup_[i] = GroupId::of(kept++);
        }
        for (std::size_t i = 0; i < stays.size(); ++i) {
            if (stays[i] == 0) continue;
            Group group = from_.groups[i];
            if (group.parent.isValid()) group.parent = newGroup_[group.parent.at()];
            std::erase_if(group.ops, [this](GraphOpId op) { return !isKept(op); });
            for (GraphOpId& op : group.ops)
                op = newOp_[op.at()];
            out_.groups.push_back(std::move(group));
        }
    }

    void copyTensors() {
        for (std::size_t i = 0; i < from_.tensors.size(); ++i) {
            if (!newTensor_[i].isValid()) continue;
            Tensor t = from_.tensors[i];
            t.aliasOf = mapped(t.aliasOf);
            if (isMadeOutside(TensorId::of(i))) {
                t.role = TensorRole::Input;
                t.aliasOf = {};
            }
            if (!t.aliasOf.isValid()) t.aliasOffset = 0;
            out_.tensors.push_back(std::move(t));
        }
    }

    void copyOps() {
        for (std::size_t i = 0; i < from_.ops.size(); ++i) {
            if (!newOp_[i].isValid()) continue;
            Op op = from_.ops[i];
            for (TensorId& t : op.inputs)
                t = mapped(t);
            for (TensorId& t : op.outputs)
                t = mapped(t);
            if (op.group.isValid()) op.group = newGroup_[op.group.at()];
            out_.ops.push_back(std::move(op));
        }
    }

    /// Those of the whole graph in their order, then what came from outside.
    void nameInputs() {
        for (const TensorId t : from_.inputs) {
            if (newTensor_[t.at()].isValid()) out_.inputs.push_back(newTensor_[t.at()]);
        }
        for (std::size_t i = 0; i < from_.tensors.size(); ++i) {
            if (newTensor_[i].isValid() && isMadeOutside(TensorId::of(i))) out_.inputs.push_back(newTensor_[i]);
        }
    }

    /// Those of the whole graph that are made inside, in their order; then what operations outside read; and when
    /// nobody wants anything, the results of the last operation.
    void nameOutputs() {
        std::vector<char> named(from_.tensors.size(), 0);
        const auto name = [&](TensorId t) {
            if (!t.isValid() || !isMadeInside(t) || named[t.at()] != 0) return;
            named[t.at()] = 1;
            out_.outputs.push_back(newTensor_[t.at()]);
        };
        for (const TensorId t : from_.outputs)
            name(t);
        for (std::size_t i = 0; i < from_.ops.size(); ++i) {
            if (newOp_[i].isValid()) continue;
            for (const TensorId t : from_.ops[i].inputs)
                name(t);
        }
        if (out_.outputs.empty()) out_.outputs = out_.ops.back().outputs;
    }

    // ---- hints ---------------------------------------------------------------------------------------

    [[nodiscard]] bool scopeStays(const std::set<std::string, std::less<>>& ids, const std::string& scope) const {
        const bool hasId = scope.starts_with("op:") || scope.starts_with("tensor:") || scope.starts_with("group:");
        return !hasId || ids.contains(scope);
    }

    void copyHints() {
        if (from_.hints.empty()) return;
        std::set<std::string, std::less<>> ids;
        for (const Op& op : out_.ops)
            ids.insert("op:" + op.id);
        for (const Tensor& t : out_.tensors)
            ids.insert("tensor:" + t.id);
        for (const Group& g : out_.groups)
            ids.insert("group:" + g.id);
        for (const Hint& hint : from_.hints) {
            Hint left = hint;
            std::erase_if(left.scopes, [&](const std::string& scope) { return !scopeStays(ids, scope); });
            if (!left.scopes.empty() || hint.scopes.empty()) out_.hints.push_back(std::move(left));
        }
    }
};

}  // namespace

std::string GraphCut::text() const {
    std::string words;
    if (!first.empty() || !last.empty())
        words = "ops " + (first.empty() ? "0" : first) + " to " + (last.empty() ? "the last" : last);
    if (!prefix.empty()) words += (words.empty() ? "under " : " under ") + prefix;
    return words;
}

std::string annotationOf(const Graph& graph, const Op& op) {
    std::string path;
    for (GroupId g = op.group; g.isValid(); g = graph.groups[g.at()].parent)
        path = path.empty() ? graph.groups[g.at()].id : graph.groups[g.at()].id + "/" + path;
    return path;
}

Result<Graph> cutGraph(const Graph& graph, const GraphCut& cut) {
    if (cut.isEmpty()) return graph;
    return Cutter(graph, cut).run();
}

}  // namespace memplan
