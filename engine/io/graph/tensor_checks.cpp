// SPDX-License-Identifier: Apache-2.0
// Stage F on tensors: sizes, values, aliases, use.
#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/io/graph/graph_checks.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace memplan::io {

namespace {

void checkSize(const Tensor& t, std::size_t i, const Limits& limits, Diagnostics& findings) {
    const auto count = elementCount(t.shape);
    const auto bytes = tensorBytes(t.dtype, t.shape);
    const auto where = [i] { return pointerTo("tensors", i, "shape"); };
    if (!count || *count > limits.tensorElements) {
        findings.error("MPG-311", where(),
                       "tensor " + text::quoted(t.id) + " (" + text::shapeText(t.shape) + ") has " +
                           (count ? text::grouped(*count) : std::string("more than 2^63")) +
                           " elements, at most 2^48 are allowed",
                       "check the shape");
    } else if (!bytes || *bytes > limits.tensorBytes) {
        findings.error("MPG-311", where(),
                       "tensor " + text::quoted(t.id) + " (" + text::shapeText(t.shape) + ") has " +
                           (bytes ? text::grouped(*bytes) : std::string("more than 2^63")) +
                           " bytes, at most 2^50 are allowed",
                       "check the shape");
    } else if (!t.valueText.empty() || !t.value.empty()) {
        if (static_cast<std::int64_t>(t.value.size()) == *count) return;
        findings.error("MPG-310", pointerTo("tensors", i, "value"),
                       "the value has " + text::grouped(static_cast<std::int64_t>(t.value.size())) +
                           " entries, the shape " + text::shapeText(t.shape) + " has " + text::grouped(*count) +
                           " elements",
                       "give one number per element");
    }
}

/// Where the storage of a tensor lies: its root and the byte offset into it.
struct Storage {
    std::size_t root = 0;
    std::optional<Bytes> offset = 0;  ///< nullopt = beyond 64 bits
    bool cyclic = false;              ///< on or behind a cycle of aliases
};

/// One walk per chain of aliases; every tensor is visited once.
std::vector<Storage> storageOf(const Graph& g) {
    enum class Mark : char { New, Open, Done };
    std::vector<Mark> marks(g.tensors.size(), Mark::New);
    std::vector<Storage> out(g.tensors.size());
    std::vector<std::size_t> path;
    for (std::size_t i = 0; i < g.tensors.size(); ++i) {
        path.clear();
        std::size_t at = i;
        while (marks[at] == Mark::New && g.tensors[at].aliasOf.isValid()) {
            marks[at] = Mark::Open;
            path.push_back(at);
            at = g.tensors[at].aliasOf.at();
        }
        if (marks[at] == Mark::New) {
            marks[at] = Mark::Done;
            out[at].root = at;
        }
        Storage s = out[at];
        s.cyclic = s.cyclic || marks[at] == Mark::Open;  // the walk met its own path
        for (auto it = path.rbegin(); it != path.rend(); ++it) {
            if (s.offset) s.offset = checkedAdd(*s.offset, g.tensors[*it].aliasOffset);
            out[*it] = s;
            marks[*it] = Mark::Done;
        }
    }
    return out;
}

void checkAlias(const Graph& g, std::size_t i, const Storage& storage, Diagnostics& findings) {
    const Tensor& t = g.tensors[i];
    const auto where = [i] { return pointerTo("tensors", i, "alias_of"); };
    if (storage.cyclic) {
        findings.error("MPG-312", where(), "tensor " + text::quoted(t.id) + " shares storage in a cycle",
                       "one tensor must own the storage");
        return;
    }
    const Tensor& rootTensor = g.tensors[storage.root];
    const auto bytes = tensorBytes(t.dtype, t.shape);
    const auto end = bytes && storage.offset ? checkedAdd(*bytes, *storage.offset) : std::nullopt;
    const auto root = tensorBytes(rootTensor.dtype, rootTensor.shape);
    if (end && root && *end <= *root) return;
    findings.error("MPG-312", where(),
                   "tensor " + text::quoted(t.id) + " ends at byte " +
                       (end ? text::grouped(*end) : std::string("beyond 2^63")) + " of " + text::quoted(rootTensor.id) +
                       ", which has " + text::grouped(root.value_or(0)) + " bytes",
                   "an alias fits into its root");
}

void checkUse(const Graph& g, Diagnostics& findings) {
    std::vector<bool> used(g.tensors.size(), false);
    for (const Op& op : g.ops) {
        for (const TensorId in : op.inputs) {
            if (in.isValid()) used[in.at()] = true;
        }
    }
    for (const TensorId out : g.outputs)
        used[out.at()] = true;
    for (const Tensor& t : g.tensors) {
        if (t.aliasOf.isValid()) used[t.aliasOf.at()] = true;
    }
    for (std::size_t i = 0; i < g.tensors.size(); ++i) {
        if (used[i]) continue;
        findings.warning("MPG-313", pointerTo("tensors", i),
                         "tensor " + text::quoted(g.tensors[i].id) + " is never used and is no output",
                         "remove it or make it an output");
    }
}

}  // namespace

void checkTensors(const Graph& g, const Limits& limits, Diagnostics& findings) {
    for (std::size_t i = 0; i < g.tensors.size(); ++i)
        checkSize(g.tensors[i], i, limits, findings);
    const auto storage = storageOf(g);
    for (std::size_t i = 0; i < g.tensors.size(); ++i) {
        if (g.tensors[i].aliasOf.isValid()) checkAlias(g, i, storage[i], findings);
    }
    checkUse(g, findings);
    for (std::size_t i = 0; i < g.tensors.size(); ++i) {
        const auto& shape = g.tensors[i].shape;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            if (shape[d] != 0) continue;
            findings.note("MPG-314", pointerTo("tensors", i, "shape", d),
                          "tensor " + text::quoted(g.tensors[i].id) + " has no elements: its ops are not planned");
        }
    }
}

}  // namespace memplan::io
