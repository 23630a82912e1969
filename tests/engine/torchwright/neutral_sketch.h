// SPDX-License-Identifier: Apache-2.0
// Small neutral graphs in code, with values of their constants.
#pragma once

#include "engine/graph/builder.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace memplan::test {

using Shape = std::vector<std::int64_t>;

inline constexpr std::int64_t kPositions = 5;

/// Numbers that differ, in [-2, 2].
inline std::vector<double> numbers(std::size_t count, double seed) {
    std::vector<double> out;
    for (std::size_t i = 0; i < count; ++i)
        out.push_back(2 * std::sin(seed + 1.7 * static_cast<double>(i)));
    return out;
}

/// A builder whose graph can be changed further.
class NeutralSketch {
public:
    GraphBuilder b{"sketch"};
    std::vector<std::pair<TensorId, std::vector<double>>> weights;
    std::vector<std::pair<std::string, std::vector<std::pair<std::string, AttrValue>>>> attributes;
    struct Placed {
        std::size_t at = 0;  ///< operations before it
        TensorId out;
        Op op;
    };
    std::vector<Placed> copies;

    TensorId input(Shape shape = {1, kPositions, 6}) { return b.input("x", std::move(shape), DType::F32); }
    TensorId weight(const std::string& id, Shape shape) {
        const TensorId made = b.parameter(id, shape, DType::F32);
        weights.emplace_back(made,
                             numbers(static_cast<std::size_t>(*elementCount(shape)), static_cast<double>(id.size())));
        return made;
    }
    TensorId matrix(const std::string& id, Shape shape, std::vector<double> values) {
        const TensorId made = b.parameter(id, std::move(shape), DType::F32);
        weights.emplace_back(made, std::move(values));
        return made;
    }
    TensorId function(const std::string& id, const std::string& fn, std::vector<TensorId> inputs,
                      std::vector<std::pair<std::string, AttrValue>> attrs = {}) {
        attributes.emplace_back(id, std::move(attrs));
        return b.pointwise(id, fn, std::move(inputs));
    }
    /// A copy over all of `loops`; `reads` and `writes` are step and start of the last axis, the others are straight.
    struct Row {
        std::int64_t step = 1, start = 0;
    };
    TensorId copied(const std::string& id, const std::string& fn, TensorId x, const Shape& shape, const Shape& loops,
                    std::pair<Row, Row> rows, TensorId storage = {}) {
        Op op = looped(id, OpKind::Copy, fn, loops);
        op.inputs = {x};
        const auto map = [&](Row row) {
            std::vector<IndexExpr> exprs;
            for (std::size_t d = 0; d < loops.size(); ++d) {
                IndexExpr& e = exprs.emplace_back();
                e.terms = {{static_cast<int>(d), d + 1 == loops.size() ? row.step : 1}};
                e.constant = d + 1 == loops.size() ? row.start : 0;
            }
            return exprs;
        };
        op.inMaps = {map(rows.first)};
        op.outMaps = {map(rows.second)};
        const TensorId out = placed(std::move(op), shape);
        storages.back().second = storage;
        return out;
    }
    std::vector<std::pair<TensorId, TensorId>> storages;

    /// `places` of an axis, of any shape, in the place of that axis.
    TensorId gathered(const std::string& id, TensorId x, Shape from, std::size_t axis, const Shape& counts,
                      std::vector<double> places, DType type = DType::I64) {
        const TensorId rows = b.parameter(id + "_rows", counts, type);
        weights.emplace_back(rows, std::move(places));
        Shape shape(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(axis));
        shape.insert(shape.end(), counts.begin(), counts.end());
        shape.insert(shape.end(), from.begin() + static_cast<std::ptrdiff_t>(axis) + 1, from.end());
        Op op = looped(id, OpKind::Gather, "gather", shape);
        std::vector<IndexExpr> table, own;
        for (std::size_t d = 0; d < from.size(); ++d) {
            IndexExpr& e = table.emplace_back();
            e.dataDependent = d == axis;
            if (d != axis) e.terms = {{static_cast<int>(d < axis ? d : d + counts.size() - 1), 1}};
        }
        for (std::size_t d = 0; d < counts.size(); ++d)
            own.emplace_back().terms = {{static_cast<int>(axis + d), 1}};
        op.inputs = {x, rows};
        op.inMaps = {table, own};
        return placed(std::move(op), shape);
    }
    /// [1, positions, 6] as [1, positions, times, 6].
    TensorId repeated(const std::string& id, TensorId x, std::int64_t times) {
        const Shape shape{1, kPositions, times, 6};
        Op op = looped(id, OpKind::Copy, "tile", shape);
        std::vector<IndexExpr> map(3);
        map[1].terms = {{1, 1}};
        map[2].terms = {{3, 1}};
        op.inputs = {x};
        op.inMaps = {map};
        return placed(std::move(op), shape);
    }
    static Op looped(const std::string& id, OpKind kind, const std::string& fn, const Shape& shape) {
        Op op;
        op.id = id;
        op.kind = kind;
        op.fn = fn;
        op.hasIter = true;
        std::vector<IndexExpr> out;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            op.iter.push_back({"l" + std::to_string(d), shape[d], {}, IterKind::Parallel});
            out.emplace_back().terms = {{static_cast<int>(d), 1}};
        }
        op.outMaps = {out};
        return op;
    }
    TensorId placed(Op op, const Shape& shape) {
        const TensorId out = b.input(op.id, shape, DType::F32);
        op.outputs = {out};
        copies.push_back({b.build().ops.size(), out, std::move(op)});
        storages.emplace_back(out, TensorId{});
        return out;
    }

    [[nodiscard]] Graph build(TensorId output) {
        b.output(output);
        Graph graph = b.build();
        for (const auto& [id, values] : weights) {
            graph.tensors[id.at()].role = TensorRole::Constant;
            graph.tensors[id.at()].value = values;
        }
        for (std::size_t i = 0; i < copies.size(); ++i) {
            const Placed& placed = copies[i];
            graph.ops.insert(graph.ops.begin() + static_cast<std::ptrdiff_t>(placed.at + i), placed.op);
            graph.tensors[placed.out.at()].role = TensorRole::Activation;
            std::erase(graph.inputs, placed.out);
        }
        for (const auto& [out, storage] : storages)
            graph.tensors[out.at()].aliasOf = storage;
        for (Op& op : graph.ops)
            for (const auto& [id, attrs] : attributes)
                if (op.id == id) op.attrs = attrs;
        return graph;
    }
};

}  // namespace memplan::test
