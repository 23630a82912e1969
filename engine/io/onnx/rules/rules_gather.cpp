// SPDX-License-Identifier: Apache-2.0
// Gather, scatter, sampling and operators whose output size depends on data.
#include "engine/io/onnx/rules/rules.h"

#include <array>

namespace memplan::io::onnx {

namespace {

/// A known index outside of the axis it walks is an error of the model, whether the data is known or not.
void checkIndex(const NodeContext& c, std::int64_t index, std::int64_t extent) {
    if (index >= -extent && index < extent) return;
    c.failShape("the index " + std::to_string(index) + " is outside an axis of " + std::to_string(extent));
}

void checkIndices(const NodeContext& c, std::size_t input, std::int64_t extent) {
    for (const std::int64_t index : c.integers(input).value_or(std::vector<std::int64_t>{}))
        checkIndex(c, index, extent);
}

/// Rows of `indices.back()` numbers each, for the axes of x from `first` on.
void checkIndexRows(const NodeContext& c, const Shape& x, const Shape& indices, std::size_t first) {
    const auto known = c.integers(1);
    const auto depth = static_cast<std::size_t>(indices.back());
    for (std::size_t i = 0; known && depth > 0 && i < known->size(); ++i)
        checkIndex(c, (*known)[i], x[first + i % depth]);
}

void gather(NodeContext& c) {
    const Shape& x = c.shapeOfRankFrom(0, 1);
    const Shape& index = c.shape(1);
    const auto axis = static_cast<std::ptrdiff_t>(c.axis(c.attr("axis", 0), x.size()));
    checkIndices(c, 1, x[static_cast<std::size_t>(axis)]);
    Shape out(x.begin(), x.begin() + axis);
    out.insert(out.end(), index.begin(), index.end());
    out.insert(out.end(), x.begin() + axis + 1, x.end());
    c.out(0, std::move(out), c.type(0));
}

void gatherElements(NodeContext& c) {
    const Shape& x = c.shapeOfRankFrom(0, 1);
    checkIndices(c, 1, x[c.axis(c.attr("axis", 0), x.size())]);
    c.out(0, c.shapeOfRank(1, x.size()), c.type(0));
}

void gatherNd(NodeContext& c) {
    const Shape& x = c.shapeOfRankFrom(0, 1);
    const Shape& index = c.shapeOfRankFrom(1, 1);
    const std::int64_t batch = c.attr("batch_dims", 0);
    const std::int64_t depth = index.back();
    const auto rank = static_cast<std::int64_t>(x.size());
    if (batch < 0 || batch >= static_cast<std::int64_t>(index.size()) || depth < 1 || depth > rank ||
        batch > rank - depth) {
        c.failShape("indices of " + std::to_string(depth) + " numbers with " + std::to_string(batch) + " batch axes");
    }
    checkIndexRows(c, x, index, static_cast<std::size_t>(batch));
    Shape out(index.begin(), index.end() - 1);
    out.insert(out.end(), x.begin() + batch + depth, x.end());
    c.out(0, std::move(out), c.type(0));
}

void scatter(NodeContext& c) {
    const Shape& x = c.shapeOfRankFrom(0, 1);
    checkIndices(c, 1, x[c.axis(c.attr("axis", 0), x.size())]);
    if (c.shapeOfRank(1, x.size()) != c.shapeOfRank(2, x.size())) c.failShape("indices and updates differ");
    c.outLikeInput();
}

void scatterNd(NodeContext& c) {
    const Shape& x = c.shapeOfRankFrom(0, 1);
    const Shape& index = c.shapeOfRankFrom(1, 1);
    (void)c.shape(2);
    const std::int64_t depth = index.back();
    if (depth > static_cast<std::int64_t>(x.size())) c.failShape("indices of " + std::to_string(depth) + " numbers");
    checkIndexRows(c, x, index, 0);
    c.outLikeInput();
}

void tensorScatter(NodeContext& c) {
    c.outLikeInput();
}

void oneHot(NodeContext& c) {
    Shape out = c.shape(0);
    const std::int64_t depth = c.needInteger(1, "the number of classes");
    const std::size_t axis = c.axis(c.attr("axis", -1), out.size() + 1);
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(axis), depth);
    c.out(0, std::move(out), c.type(2));
}

void gridSample(NodeContext& c) {
    const Shape& x = c.shapeOfRankFrom(0, 3);
    const Shape& grid = c.shapeOfRank(1, x.size());
    if (grid.back() != static_cast<std::int64_t>(x.size()) - 2)
        c.failShape("the grid has " + std::to_string(grid.back()) + " coordinates");
    Shape out{x[0], x[1]};
    out.insert(out.end(), grid.begin() + 1, grid.end() - 1);
    c.out(0, std::move(out), c.type(0));
}

void affineGrid(NodeContext& c) {
    const std::vector<std::int64_t> size = c.needIntegers(1, "the image extents");
    if (size.size() != 4 && size.size() != 5)
        c.failShape("the image extents have " + std::to_string(size.size()) + " numbers");
    Shape out{size[0]};
    out.insert(out.end(), size.begin() + 2, size.end());
    out.push_back(static_cast<std::int64_t>(size.size()) - 2);
    c.out(0, std::move(out), c.type(0));
}

// A known condition selects a known number of elements.
void compress(NodeContext& c) {
    const auto condition = c.integers(1);
    if (!condition) c.failDataDependent();
    std::int64_t count = 0;
    for (const std::int64_t v : *condition)
        count += v != 0 ? 1 : 0;
    if (!c.hasAttr("axis")) {
        c.out(0, {count}, c.type(0));
        return;
    }
    Shape out = c.shape(0);
    out[c.axis(c.attr("axis", 0), out.size())] = count;
    c.out(0, std::move(out), c.type(0));
}

// Scalars count as one element of rank 0: ONNX gives the result shape [0, n] for them.
void nonZero(NodeContext& c) {
    const auto value = c.reals(0);
    if (!value) c.failDataDependent();
    std::int64_t count = 0;
    for (const double v : *value)
        count += v != 0.0 ? 1 : 0;
    c.out(0, {static_cast<std::int64_t>(c.rank(0)), count}, kInt64);
}

void dataDependent(NodeContext& c) {
    c.failDataDependent();
}

constexpr std::array kRules{
    ShapeRule{"Gather", gather, "axis"},
    ShapeRule{"GatherElements", gatherElements, "axis"},
    ShapeRule{"GatherND", gatherNd, "batch_dims"},
    ShapeRule{"Scatter", scatter, "axis"},
    ShapeRule{"ScatterElements", scatter, "axis,reduction"},
    ShapeRule{"ScatterND", scatterNd, "reduction"},
    ShapeRule{"TensorScatter", tensorScatter, "axis,mode"},
    ShapeRule{"OneHot", oneHot, "axis"},
    ShapeRule{"GridSample", gridSample, "align_corners,mode,padding_mode"},
    ShapeRule{"AffineGrid", affineGrid, "align_corners"},
    ShapeRule{"Compress", compress, "axis"},
    ShapeRule{"NonZero", nonZero, ""},
    ShapeRule{"ImageDecoder", dataDependent, "pixel_format"},
    ShapeRule{"Unique", dataDependent, "axis,sorted"},
    ShapeRule{"NonMaxSuppression", dataDependent, "center_point_box"},
    ShapeRule{"StringSplit", dataDependent, "delimiter,maxsplit"},
    ShapeRule{"TfIdfVectorizer", dataDependent,
              "max_gram_length,max_skip_count,min_gram_length,mode,ngram_counts,ngram_indexes,pool_int64s,pool_strings,"
              "weights"},
    ShapeRule{"StringNormalizer", dataDependent, "case_change_action,is_case_sensitive,locale,stopwords"},
    ShapeRule{"RegexFullMatch", [](NodeContext& c) { c.out(0, c.shape(0), kBool); }, "pattern"},
    ShapeRule{"StringConcat", [](NodeContext& c) { c.out(0, c.broadcast(c.shape(0), c.shape(1)), kString); }, ""},
};

}  // namespace

std::span<const ShapeRule> gatherRules() {
    return kRules;
}

}  // namespace memplan::io::onnx
