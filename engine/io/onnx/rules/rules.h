// SPDX-License-Identifier: Apache-2.0
// Shape rules by operator family (inputs-and-interchange 3.4). A rule sets the shape and type of every
// output it can; it throws ImportFailure for impossible shapes.
#pragma once

#include "engine/io/onnx/rules/context.h"

#include <span>
#include <string_view>

namespace memplan::io::onnx {

struct ShapeRule {
    std::string_view op;
    void (*infer)(NodeContext& c) = nullptr;
    std::string_view attributes;  ///< known attribute names, separated by commas (ONNX-031)
};

std::span<const ShapeRule> elementwiseRules();
std::span<const ShapeRule> normalisationRules();
std::span<const ShapeRule> reduceRules();
std::span<const ShapeRule> convolutionRules();
std::span<const ShapeRule> poolingRules();
std::span<const ShapeRule> reshapeRules();
std::span<const ShapeRule> layoutRules();
std::span<const ShapeRule> gatherRules();
std::span<const ShapeRule> resizeRules();
std::span<const ShapeRule> matmulRules();
std::span<const ShapeRule> recurrentRules();
std::span<const ShapeRule> attentionRules();
std::span<const ShapeRule> generatorRules();
std::span<const ShapeRule> quantizeRules();
std::span<const ShapeRule> contribRules();    ///< com.microsoft
std::span<const ShapeRule> classicalRules();  ///< ai.onnx.ml

/// Rule of an operator, nullptr when none knows it. `domain` "" is ai.onnx.
[[nodiscard]] const ShapeRule* findRule(std::string_view domain, std::string_view op);
/// True when `name` is in the rule's attribute list.
[[nodiscard]] bool knowsAttribute(const ShapeRule& rule, std::string_view name);

}  // namespace memplan::io::onnx
