// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/shape_check.h"

#include "engine/base/text.h"
#include "engine/ttnn/model/facts.h"
#include "engine/ttnn/module/type_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace memplan::ttnn {
namespace {

using model::AttributeReader;
using model::Shape;

constexpr std::int64_t kMostElements = std::int64_t{1} << 40;  ///< their product fits into 64 bits

bool isKnown(const Shape& shape) {
    std::int64_t elements = 1;
    for (const std::int64_t extent : shape) {
        if (extent < 0 || (extent > 0 && elements > kMostElements / extent)) return false;
        elements *= std::max<std::int64_t>(extent, 1);
    }
    return true;
}

/// One operation with the shapes of its tensors.
struct Subject {
    const Operation& operation;
    AttributeReader attributes;
    std::vector<Shape> in;
    Shape out;

    [[nodiscard]] std::int64_t rank(std::size_t k) const { return static_cast<std::int64_t>(in[k].size()); }
    /// Counted from the front; none where it is outside.
    [[nodiscard]] std::optional<std::size_t> dimension(std::int64_t given, std::size_t k) const {
        const std::int64_t counted = given < 0 ? given + rank(k) : given;
        return counted >= 0 && counted < rank(k) ? std::optional(static_cast<std::size_t>(counted)) : std::nullopt;
    }
};

/// What is wrong, empty where nothing is; `wanted` is what operands and attributes give.
std::string differs(const Subject& s, const Shape& wanted) {
    if (s.out == wanted) return {};
    return "its operands and attributes give a result of " + text::shapeText(wanted) + ", the module has " +
           text::shapeText(s.out);
}

std::string sameAsOperand(const Subject& s) {
    return differs(s, s.in[0]);
}

std::string product(const Subject& s) {
    if (s.in.size() < 2 || s.rank(0) < 2 || s.rank(1) < 2 || s.out.size() < 2) return {};
    Shape wanted = s.out;
    wanted[wanted.size() - 2] = s.in[0][s.in[0].size() - (s.attributes.flag("transpose_a") ? 1 : 2)];
    wanted.back() = s.in[1][s.in[1].size() - (s.attributes.flag("transpose_b") ? 2 : 1)];
    return differs(s, wanted);
}

std::string concat(const Subject& s) {
    const auto given = s.attributes.integer("dim");
    const auto dim = given ? s.dimension(*given, 0) : std::nullopt;
    if (!dim) return {};
    Shape wanted = s.in[0];
    for (std::size_t k = 1; k < s.in.size(); ++k) {
        Shape other = s.in[k];
        if (other.size() != wanted.size()) return {};
        const std::int64_t sum = wanted[*dim] + other[*dim];
        other[*dim] = wanted[*dim];
        if (other != wanted)
            return "operand " + std::to_string(k) + " is " + text::shapeText(s.in[k]) + ", operand 0 " +
                   text::shapeText(s.in[0]) + ": along dimension " + std::to_string(*dim) + " they do not join";
        wanted[*dim] = sum;
    }
    return differs(s, wanted);
}

std::string permutation(const Subject& s) {
    Shape wanted = s.in[0];
    if (const auto order = s.attributes.integers("permutation")) {
        if (order->size() != wanted.size()) return {};
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const auto from = s.dimension((*order)[i], 0);
            if (!from) return {};
            wanted[i] = s.in[0][*from];
        }
        return differs(s, wanted);
    }
    const auto first = s.attributes.integer("dim0"), second = s.attributes.integer("dim1");
    if (!first || !second) return {};
    const auto a = s.dimension(*first, 0), b = s.dimension(*second, 0);
    if (!a || !b) return {};
    std::swap(wanted[*a], wanted[*b]);
    return differs(s, wanted);
}

/// The reduced dimensions are 1 or gone, whichever of both the module says.
std::string reduction(const Subject& s) {
    auto dims = s.attributes.integers("dim_arg");
    if (!dims) dims = s.attributes.integers("dim");
    std::vector<bool> isReduced(s.in[0].size(), !dims || dims->empty());
    for (const std::int64_t given : dims.value_or(std::vector<std::int64_t>{})) {
        const auto dim = s.dimension(given, 0);
        if (!dim) return {};
        isReduced[*dim] = true;
    }
    Shape kept, gone;
    for (std::size_t i = 0; i < isReduced.size(); ++i) {
        kept.push_back(isReduced[i] ? 1 : s.in[0][i]);
        if (!isReduced[i]) gone.push_back(s.in[0][i]);
    }
    const bool isWhole = gone.empty() && elementsOf(s.out) == 1;
    return isWhole || s.out == gone ? std::string() : differs(s, s.attributes.flag("keep_dim") ? kept : gone);
}

std::string reshape(const Subject& s) {
    if (elementsOf(s.in[0]) == elementsOf(s.out)) return {};
    return text::shapeText(s.in[0]) + " has " + text::grouped(elementsOf(s.in[0])) + " elements, " +
           text::shapeText(s.out) + " has " + text::grouped(elementsOf(s.out));
}

/// A row of the table for each index.
std::string lookup(const Subject& s) {
    if (s.in.size() < 2 || s.in[1].empty()) return {};
    const std::int64_t wanted = elementsOf(s.in[0]) * s.in[1].back();
    if (elementsOf(s.out) == wanted) return {};
    return text::grouped(elementsOf(s.in[0])) + " rows of " + text::grouped(s.in[1].back()) +
           " values are no result of " + text::shapeText(s.out);
}

std::string slice(const Subject& s) {
    const auto begins = s.attributes.integers("begins"), ends = s.attributes.integers("ends");
    const auto steps = s.attributes.integers("step");
    Shape wanted = s.in[0];
    const std::size_t rank = wanted.size();
    if (!begins || !ends || !steps || begins->size() != rank || ends->size() != rank || steps->size() != rank)
        return {};
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t extent = wanted[i], step = (*steps)[i];
        const auto inside = [extent](std::int64_t at) {
            return std::clamp<std::int64_t>(at < 0 ? at + extent : at, 0, extent);
        };
        if (step < 1) return {};
        const std::int64_t length = std::max<std::int64_t>(0, inside((*ends)[i]) - inside((*begins)[i]));
        wanted[i] = length / step + (length % step > 0 ? 1 : 0);
    }
    return differs(s, wanted);
}

/// Weights as the model has them: [filters, channels of a group, height, width], of a transposed convolution with
/// the first two exchanged. Those that are prepared for the device have another form.
std::string convolution(const Subject& s) {
    const auto kernel = s.attributes.integers("kernel_size");
    if (s.in.size() < 2 || s.rank(1) != 4 || s.in[0].empty() || s.out.empty()) return {};
    const Shape& weights = s.in[1];
    if (!kernel || kernel->size() != 2 || weights[2] != kernel->front() || weights[3] != kernel->back()) return {};
    const std::int64_t groups = s.attributes.integer("groups").value_or(1);
    if (groups < 1 || weights[0] < 1 || weights[1] < 1) return {};
    const bool isTransposed = s.operation.is("conv_transpose2d");
    const std::int64_t channels = isTransposed ? weights[0] : weights[1] * groups;
    const std::int64_t filters = isTransposed ? weights[1] * groups : weights[0];
    const auto counts = [groups](std::int64_t in, std::int64_t out) {
        return std::to_string(in) + " channels and " + std::to_string(out) + " filters" +
               (groups > 1 ? " in " + std::to_string(groups) + " groups" : "");
    };
    if (channels == s.in[0].back() && filters == s.out.back()) return {};
    return "weights of " + text::shapeText(weights) + " are for " + counts(channels, filters) +
           ", its operand and result have " + std::to_string(s.in[0].back()) + " and " + std::to_string(s.out.back());
}

struct Rule {
    std::string_view kind;
    std::string (*problem)(const Subject&);
};

constexpr std::array kRules{Rule{"softmax", sameAsOperand},
                            Rule{"to_layout", sameAsOperand},
                            Rule{"to_memory_config", sameAsOperand},
                            Rule{"typecast", sameAsOperand},
                            Rule{"layer_norm", sameAsOperand},
                            Rule{"rms_norm", sameAsOperand},
                            Rule{"matmul", product},
                            Rule{"linear", product},
                            Rule{"concat", concat},
                            Rule{"permute", permutation},
                            Rule{"transpose", permutation},
                            Rule{"sum", reduction},
                            Rule{"mean", reduction},
                            Rule{"max", reduction},
                            Rule{"min", reduction},
                            Rule{"prod", reduction},
                            Rule{"argmax", reduction},
                            Rule{"reshape", reshape},
                            Rule{"embedding", lookup},
                            Rule{"slice_static", slice},
                            Rule{"conv2d", convolution},
                            Rule{"conv_transpose2d", convolution}};

std::string problemOf(const Function& function, const Operation& operation) {
    const auto rule = std::ranges::find_if(kRules, [&](const Rule& r) { return operation.is(r.kind); });
    if (rule == kRules.end() || operation.results.empty()) return {};
    Subject subject{operation, AttributeReader(operation), {}, function.typeOf(operation.results.front()).shape};
    for (const ValueId operand : tensorOperands(function, operation))
        subject.in.push_back(function.typeOf(operand).shape);
    if (subject.in.empty() || !isKnown(subject.out) || !std::ranges::all_of(subject.in, isKnown)) return {};
    return rule->problem(subject);
}

}  // namespace

std::vector<Diagnostic> shapeProblems(const Function& function) {
    Diagnostics found;
    for (const OperationId id : function.order) {
        const Operation& operation = function.operation(id);
        if (!operation.name.starts_with("ttnn.")) continue;
        std::string problem = problemOf(function, operation);
        if (problem.empty()) continue;
        found.warning("TT-031", "op " + operation.location.name, operation.name + ": " + std::move(problem),
                      "correct the operation in the source");
    }
    return found.list();
}

}  // namespace memplan::ttnn
