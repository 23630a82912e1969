// SPDX-License-Identifier: Apache-2.0
// Reductions; where the axes come from changed with the opset (inputs-and-interchange 3.4).
#include "engine/io/onnx/rules/reduce_axes.h"
#include "engine/io/onnx/rules/rules.h"

#include <algorithm>
#include <array>

namespace memplan::io::onnx {

std::vector<std::size_t> reducedAxes(const NodeContext& c) {
    const std::size_t rank = c.rank(0);
    const bool fromInput = c.opset() >= (c.node().op == "ReduceSum" ? 13 : 18);
    std::optional<std::vector<std::int64_t>> given;
    if (fromInput && c.has(1))
        given = c.needIntegers(1, "the axes");
    else
        given = c.attrInts("axes");
    if (given && !given->empty()) {
        std::vector<std::size_t> axes = c.axes(*given, rank);
        std::sort(axes.begin(), axes.end());
        return axes;
    }
    if (fromInput && c.attr("noop_with_empty_axes", 0) != 0) return {};
    std::vector<std::size_t> all(rank);
    for (std::size_t i = 0; i < rank; ++i)
        all[i] = i;
    return all;
}

namespace {

Shape withoutAxes(const Shape& x, const std::vector<std::size_t>& axes, bool keep) {
    Shape out;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const bool reduced = std::find(axes.begin(), axes.end(), i) != axes.end();
        if (!reduced)
            out.push_back(x[i]);
        else if (keep)
            out.push_back(1);
    }
    return out;
}

void reduce(NodeContext& c) {
    c.out(0, withoutAxes(c.shape(0), reducedAxes(c), c.attr("keepdims", 1) != 0), c.type(0));
}

void argReduce(NodeContext& c) {
    const Shape& x = c.shape(0);
    const std::size_t axis = c.axis(c.attr("axis", 0), x.size());
    c.out(0, withoutAxes(x, {axis}, c.attr("keepdims", 1) != 0), kInt64);
}

void topK(NodeContext& c) {
    Shape x = c.shape(0);
    const std::size_t axis = c.axis(c.attr("axis", -1), x.size());
    std::int64_t k = 0;
    if (c.opset() < 10 && c.hasAttr("k"))
        k = c.attr("k", 0);
    else
        k = c.needInteger(1, "the number of elements k");
    if (k < 0 || k > x[axis]) c.failShape("k = " + std::to_string(k) + " of " + std::to_string(x[axis]) + " elements");
    x[axis] = k;
    c.out(0, x, c.type(0));
    c.out(1, x, kInt64);
}

constexpr std::string_view kReduceAttributes = "axes,keepdims,noop_with_empty_axes";

constexpr std::array kRules{
    ShapeRule{"ReduceL1", reduce, kReduceAttributes},
    ShapeRule{"ReduceL2", reduce, kReduceAttributes},
    ShapeRule{"ReduceLogSum", reduce, kReduceAttributes},
    ShapeRule{"ReduceLogSumExp", reduce, kReduceAttributes},
    ShapeRule{"ReduceMax", reduce, kReduceAttributes},
    ShapeRule{"ReduceMean", reduce, kReduceAttributes},
    ShapeRule{"ReduceMin", reduce, kReduceAttributes},
    ShapeRule{"ReduceProd", reduce, kReduceAttributes},
    ShapeRule{"ReduceSum", reduce, kReduceAttributes},
    ShapeRule{"ReduceSumSquare", reduce, kReduceAttributes},
    ShapeRule{"ArgMax", argReduce, "axis,keepdims,select_last_index"},
    ShapeRule{"ArgMin", argReduce, "axis,keepdims,select_last_index"},
    ShapeRule{"TopK", topK, "axis,k,largest,sorted"},
};

}  // namespace

std::span<const ShapeRule> reduceRules() {
    return kRules;
}

}  // namespace memplan::io::onnx
