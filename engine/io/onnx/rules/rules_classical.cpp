// SPDX-License-Identifier: Apache-2.0
// The classical domain ai.onnx.ml. Operators without a rule take their shapes from value_info.
#include "engine/io/onnx/rules/rules.h"

#include <array>

namespace memplan::io::onnx {

namespace {

void sameAsFloat(NodeContext& c) {
    c.out(0, c.shape(0), kFloat);
}

void same(NodeContext& c) {
    c.outLikeInput();
}

void arrayFeatureExtractor(NodeContext& c) {
    Shape out = c.shapeOfRankFrom(0, 1);
    if (out.size() == 1) out.insert(out.begin(), 1);
    out.back() = c.product(c.shape(1));
    c.out(0, std::move(out), c.type(0));
}

std::size_t listLength(const NodeContext& c, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        const Attribute* a = c.find(name);
        if (a == nullptr) continue;
        if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&a->value)) return numbers->size();
        if (const auto* strings = std::get_if<std::vector<std::string>>(&a->value)) return strings->size();
    }
    return 0;
}

bool hasStrings(const NodeContext& c, const char* name) {
    const Attribute* a = c.find(name);
    const auto* strings = a == nullptr ? nullptr : std::get_if<std::vector<std::string>>(&a->value);
    return strings != nullptr && !strings->empty();
}

std::int64_t rowsOf(const NodeContext& c) {
    return c.rank(0) < 2 ? 1 : c.shape(0)[0];
}

// Label of each row, and one score per class (one more column for two classes that share one score).
void classifier(NodeContext& c) {
    const bool strings = hasStrings(c, "classlabels_strings");
    const std::size_t classes = listLength(
        c, {strings ? "classlabels_strings" : "classlabels_int64s", "classlabels_ints", "classlabels_strings"});
    c.out(0, {rowsOf(c)}, strings ? kString : kInt64);
    if (classes > 0) c.out(1, {rowsOf(c), static_cast<std::int64_t>(classes)}, kFloat);
}

void regressor(NodeContext& c) {
    const std::int64_t targets = c.attr(c.node().op == "LinearRegressor" ? "targets" : "n_targets", 1);
    c.out(0, {rowsOf(c), targets}, kFloat);
}

void oneHotEncoder(NodeContext& c) {
    Shape out = c.shape(0);
    out.push_back(static_cast<std::int64_t>(listLength(c, {"cats_int64s", "cats_strings"})));
    c.out(0, std::move(out), kFloat);
}

void labelEncoder(NodeContext& c) {
    if (hasStrings(c, "values_strings")) return c.out(0, c.shape(0), kString);
    if (c.hasAttr("values_floats")) return c.out(0, c.shape(0), kFloat);
    if (c.hasAttr("values_int64s")) return c.out(0, c.shape(0), kInt64);
    c.out(0, c.shape(0), c.type(0) == kString ? kInt64 : kString);  // the form before version 2
}

void categoryMapper(NodeContext& c) {
    c.out(0, c.shape(0), c.type(0) == kString ? kInt64 : kString);
}

void featureVectorizer(NodeContext& c) {
    std::int64_t width = 0;
    for (std::size_t i = 0; i < c.inputCount(); ++i) {
        const Shape& x = c.shapeOfRankFrom(i, 1);
        width += x.back();
    }
    c.out(0, {rowsOf(c), width}, kFloat);
}

constexpr std::array kRules{
    ShapeRule{"Binarizer", same, "threshold"},
    ShapeRule{"Imputer", same, "imputed_value_floats,imputed_value_int64s,replaced_value_float,replaced_value_int64"},
    ShapeRule{"Normalizer", sameAsFloat, "norm"},
    ShapeRule{"Scaler", sameAsFloat, "offset,scale"},
    ShapeRule{"TreeEnsembleClassifier", classifier, ""},
    ShapeRule{"LinearClassifier", classifier, ""},
    ShapeRule{"TreeEnsembleRegressor", regressor, ""},
    ShapeRule{"LinearRegressor", regressor, ""},
    ShapeRule{"OneHotEncoder", oneHotEncoder, ""},
    ShapeRule{"LabelEncoder", labelEncoder, ""},
    ShapeRule{"CategoryMapper", categoryMapper, ""},
    ShapeRule{"FeatureVectorizer", featureVectorizer, ""},
    ShapeRule{"ArrayFeatureExtractor", arrayFeatureExtractor, ""},
};

}  // namespace

std::span<const ShapeRule> classicalRules() {
    return kRules;
}

}  // namespace memplan::io::onnx
