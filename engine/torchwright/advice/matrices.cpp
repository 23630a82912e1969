// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/advice/matrices.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {

TensorPtr tensorOf(Tensor tensor) {
    return std::make_shared<const Tensor>(std::move(tensor));
}

TensorPtr identityMatrix(Columns size) {
    return partMatrix(size, 0, size);
}

TensorPtr partMatrix(Columns rows, Columns first, Columns count) {
    Tensor out{rows, count, {}};
    for (std::int64_t i = 0; i < count; ++i)
        out.entries.push_back({(first + i) * count + i, 1.0F});
    return tensorOf(std::move(out));
}

TensorPtr filledMatrix(Columns rows, Columns columns, float value) {
    Tensor out{rows, columns, {}};
    for (std::int64_t i = 0; value != 0 && i < std::int64_t{rows} * columns; ++i)
        out.entries.push_back({i, value});
    return tensorOf(std::move(out));
}

TensorPtr vectorOf(const std::vector<float>& values) {
    Tensor out{1, static_cast<std::int64_t>(values.size()), {}};
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != 0) out.entries.push_back({static_cast<std::int64_t>(i), values[i]});
    return tensorOf(std::move(out));
}

TensorPtr stackedRows(const std::vector<TensorPtr>& parts) {
    Tensor out{0, parts.front()->columns, {}};
    for (const TensorPtr& part : parts) {
        const std::int64_t offset = out.rows * out.columns;
        for (const Tensor::Entry& e : part->entries)
            out.entries.push_back({e.index + offset, e.value});
        out.rows += part->rows;
    }
    return tensorOf(std::move(out));
}

TensorPtr blockDiagonal(const std::vector<TensorPtr>& parts) {
    Tensor out{0, 0, {}};
    for (const TensorPtr& part : parts)
        out.columns += part->columns;
    std::int64_t column = 0;
    for (const TensorPtr& part : parts) {
        for (const Tensor::Entry& e : part->entries)
            out.entries.push_back({(out.rows + part->rowOf(e)) * out.columns + column + part->columnOf(e), e.value});
        out.rows += part->rows;
        column += part->columns;
    }
    return tensorOf(std::move(out));
}

TensorPtr rowsOf(const Tensor& matrix, std::int64_t first, std::int64_t count) {
    Tensor out{count, matrix.columns, {}};
    for (std::int64_t r = 0; r < count; ++r)
        for (const Tensor::Entry& e : matrix.row(first + r))
            out.entries.push_back({r * matrix.columns + matrix.columnOf(e), e.value});
    return tensorOf(std::move(out));
}

TensorPtr sum(const Tensor& a, const Tensor& b) {
    Tensor out{a.rows, a.columns, {}};
    auto left = a.entries.begin();
    auto right = b.entries.begin();
    while (left != a.entries.end() || right != b.entries.end()) {
        const bool takesLeft = right == b.entries.end() || (left != a.entries.end() && left->index <= right->index);
        const bool takesBoth =
            takesLeft && right != b.entries.end() && left != a.entries.end() && left->index == right->index;
        Tensor::Entry e = takesLeft ? *left++ : *right++;
        if (takesBoth) e.value += (right++)->value;
        if (e.value != 0) out.entries.push_back(e);
    }
    return tensorOf(std::move(out));
}

LinearData passedThrough(Columns width, bool withTensors) {
    LinearData data;
    data.inputWidth = width;
    data.nonZeros = width;
    if (!withTensors) return data;
    data.matrix = identityMatrix(width);
    data.bias = filledMatrix(1, width, 0);
    return data;
}

LinearData summedMaps(const std::vector<LinearData>& maps) {
    LinearData out;
    std::vector<TensorPtr> matrices;
    TensorPtr bias;
    for (const LinearData& map : maps) {
        out.inputWidth += map.inputWidth;
        out.hasBias = out.hasBias || map.hasBias;
        if (!map.matrix) continue;
        matrices.push_back(map.matrix);
        bias = bias ? sum(*bias, *map.bias) : map.bias;
    }
    if (matrices.size() != maps.size()) return out;
    out.matrix = stackedRows(matrices);
    out.bias = std::move(bias);
    out.nonZeros = static_cast<std::int64_t>(out.matrix->entries.size());
    out.hasBias = !out.bias->entries.empty();
    return out;
}

}  // namespace memplan::torchwright
