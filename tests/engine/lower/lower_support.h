// SPDX-License-Identifier: Apache-2.0
// From the text of a small model to its graph, and words to ask for its ops.
#pragma once

#include "engine/io/graph/graph_json.h"
#include "engine/io/onnx/lower/lower_onnx.h"
#include "engine/io/onnx/resolve/onnx_reader.h"
#include "tests/support/onnx_builder.h"

#include <QTest>

#include <algorithm>
#include <string>

namespace memplan::lowertest {

using namespace memplan::onnxtest;

/// The lowered model; the caller looks at `error` first.
struct Lowered {
    Graph graph;
    io::ImportReport report;
    std::string error;

    /// "kind:fn" of every op in order, parted by blanks; views left out.
    [[nodiscard]] std::string ops() const {
        std::string text;
        for (const Op& op : graph.ops) {
            if (op.kind == OpKind::View) continue;
            text += (text.empty() ? "" : " ") + std::string(opKindName(op.kind)) + ":" + op.fn;
        }
        return text;
    }
    [[nodiscard]] std::string groups() const {
        std::string text;
        for (const Group& g : graph.groups) {
            text += (text.empty() ? "" : " ") + g.kind + "(" + std::to_string(g.ops.size()) + ")";
        }
        return text;
    }
    [[nodiscard]] const Op* op(std::string_view fn) const {
        const auto it = std::find_if(graph.ops.begin(), graph.ops.end(), [&](const Op& o) { return o.fn == fn; });
        return it == graph.ops.end() ? nullptr : &*it;
    }
    [[nodiscard]] int count(std::string_view fn) const {
        return static_cast<int>(
            std::count_if(graph.ops.begin(), graph.ops.end(), [&](const Op& o) { return o.fn == fn; }));
    }
};

/// One index as it is written: "2*oh+kh-1".
inline std::string exprText(const Op& op, const IndexExpr& e) {
    if (e.dataDependent) return "?";
    std::string text;
    for (const auto& term : e.terms) {
        if (!text.empty()) text += "+";
        if (term.coefficient != 1) text += std::to_string(term.coefficient) + "*";
        text += op.iter[static_cast<std::size_t>(term.loop)].d;
    }
    if (e.constant == 0) return text.empty() ? "0" : text;
    return text + (e.constant > 0 && !text.empty() ? "+" : "") + std::to_string(e.constant);
}

inline std::string mapText(const Op& op, const OperandMap& map) {
    std::string text;
    for (const IndexExpr& e : map.value())
        text += (text.empty() ? "" : ",") + exprText(op, e);
    return text;
}

/// Loops as "n 1, oc 64 | ic 3".
inline std::string loopText(const Op& op) {
    std::string parallel, reduced;
    for (const IterDim& d : op.iter) {
        std::string& part = d.kind == IterKind::Reduction ? reduced : parallel;
        part += (part.empty() ? "" : ", ") + d.d + " " + std::to_string(d.size);
    }
    return reduced.empty() ? parallel : parallel + " | " + reduced;
}

/// Reads, lowers, saves and opens again: every rule of graph files holds.
inline Lowered lower(const std::string& bytes) {
    const auto read = io::onnx::readOnnx(bytes, {}, {});
    if (!read.ok()) return {{}, {}, "read: " + read.error().primary().code + " " + read.error().primary().message};
    const auto lowered = io::onnx::lowerOnnx(read.value().model, {}, {});
    if (!lowered.ok()) return {{}, {}, lowered.error().primary().message};
    const auto again = io::readGraphJson(io::writeGraphJson(lowered.value().graph), {}, {});
    if (!again.ok()) return {{}, {}, "saved: " + again.error().primary().code + " " + again.error().primary().message};
    return {lowered.value().graph, lowered.value().report, {}};
}

inline Lowered lower(const GraphText& graph, std::int64_t version = 17) {
    return lower(model(graph, version));
}

inline Lowered lowerContrib(const GraphText& graph) {
    return lower(model(graph, 17, wire::bytes(8, opset("com.microsoft", 1))));
}

}  // namespace memplan::lowertest
