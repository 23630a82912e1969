// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/model/facts.h"

#include "engine/base/text.h"
#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/options/config_text.h"

#include <algorithm>

namespace memplan::ttnn::model {
namespace {

/// Elements of the largest tensor that is counted: its bytes and tiles stay far inside 64 bits.
constexpr std::int64_t kMostElements = std::int64_t{1} << 46;

enum class Extents : std::uint8_t { Fine, Unknown, Empty, TooLarge };

Extents judged(const Shape& shape) {
    bool isEmpty = false;
    std::int64_t elements = 1;
    for (const std::int64_t extent : shape) {
        if (extent < 0) return Extents::Unknown;
        isEmpty = isEmpty || extent == 0;
        // A tile holds at least 32 x 32 elements, so that many are counted for the last two dimensions.
        const std::int64_t counted = std::max<std::int64_t>(extent, 1);
        if (elements > kMostElements / counted) return Extents::TooLarge;
        elements *= counted;
    }
    return isEmpty ? Extents::Empty : Extents::Fine;
}

std::string_view wordOf(Extents extents) {
    if (extents == Extents::Unknown) return "an extent that is not known";
    return extents == Extents::Empty ? "no elements" : "more elements than can be counted";
}

void refuse(OpFacts& facts, ValidationStatus status, std::string why) {
    if (facts.status != ValidationStatus::Success) return;
    facts.status = status;
    facts.problem = std::move(why);
}

/// Facts of a tensor; where it has none to count, the problem, and a tensor of one element.
TensorFacts tensorFacts(const Type& type, const std::string& name, OpFacts& facts) {
    TensorFacts tensor;
    tensor.dtype = type.dtype;
    tensor.shape = type.shape.empty() ? Shape{1} : type.shape;
    const Extents extents = judged(tensor.shape);
    if (extents != Extents::Fine) {
        refuse(facts, ValidationStatus::NotImplemented, name + " has " + std::string(wordOf(extents)));
        tensor.shape = {1};
        tensor.isEmpty = extents == Extents::Empty;
    }
    tensor.tiles = tiledShape(tensor.shape);
    return tensor;
}

int firstUseOf(const std::vector<ValueId>& values, std::size_t k) {
    const auto it = std::find(values.begin(), values.end(), values[k]);
    return static_cast<int>(it - values.begin());
}

void readTensors(const Function& function, const Operation& operation, OpFacts& facts) {
    const std::vector<ValueId> operands = tensorOperands(function, operation);
    for (std::size_t k = 0; k < operands.size(); ++k) {
        facts.operands.push_back(tensorFacts(function.typeOf(operands[k]), "operand " + std::to_string(k), facts));
        facts.firstUse.push_back(firstUseOf(operands, k));
    }
    for (const ValueId result : operation.results) {
        const Type& type = function.typeOf(result);
        if (!type.isTensor) continue;
        if (facts.results.empty()) facts.ownLayout = type.layout;
        facts.results.push_back(tensorFacts(type, "result " + std::to_string(facts.results.size()), facts));
    }
}

bool needsResult(Family family) {
    return family != Family::Nothing && family != Family::Other && family != Family::Unmodelled;
}

void checkCounts(OpFacts& facts) {
    const auto least = static_cast<std::size_t>(facts.kind->minOperands);
    if (facts.operands.size() < least)
        refuse(facts, ValidationStatus::MetalBackendError,
               facts.word + " has " + std::to_string(facts.operands.size()) + " tensor operands where " +
                   std::to_string(least) + " are needed");
    if (facts.kind->family == Family::Conversion && facts.operands.size() > 1) {
        facts.status = ValidationStatus::MetalBackendError;  // whatever else is wrong with them
        facts.problem =
            facts.word + " has " + std::to_string(facts.operands.size()) + " tensor operands where it reads one";
    }
    if (needsResult(facts.kind->family) && facts.results.empty())
        refuse(facts, ValidationStatus::MetalBackendError, facts.word + " has no tensor as its result");
}

void readFamily(const AttributeReader& attributes, OpFacts& facts) {
    switch (facts.kind->family) {
    case Family::Eltwise:
        return readEltwise(facts);
    case Family::Matmul:
        return readProduct(attributes, facts);
    case Family::Conv:
        return readConv(attributes, facts);
    case Family::Softmax:
        return readDim(attributes, facts);
    case Family::Reduction:
        return readReduction(attributes, facts);
    case Family::Reshape:
        return readReshape(facts);
    case Family::Permute:
        return readPermute(attributes, facts);
    case Family::Concat:
        return readConcat(attributes, facts);
    default:
        return;
    }
}

}  // namespace

bool canBeCounted(const Shape& shape) {
    return judged(shape) == Extents::Fine;
}

std::optional<std::string_view> AttributeReader::text(std::string_view name) const {
    const std::string* found = operation_.find(name);
    if (!found || found->size() > kLongestAttribute) return std::nullopt;
    return std::string_view(*found);
}

std::optional<std::int64_t> AttributeReader::integer(std::string_view name) const {
    const std::optional<std::string_view> found = text(name);
    return found ? integerOf(*found) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> AttributeReader::integers(std::string_view name) const {
    const std::optional<std::string_view> found = text(name);
    if (!found) return std::nullopt;
    if (auto list = integersOf(*found)) return list;
    if (const auto single = integerOf(*found)) return std::vector{*single};
    return std::nullopt;
}

bool AttributeReader::flag(std::string_view name) const {
    const std::optional<std::string_view> found = text(name);
    return found && boolOf(*found).value_or(false);
}

OpFacts factsOf(const Function& function, const Operation& operation) {
    OpFacts facts;
    facts.word = operation.kind();
    facts.kind = operation.name.starts_with("ttnn.") ? opKind(facts.word) : nullptr;
    readTensors(function, operation, facts);
    if (!facts.isModelled()) {
        facts.status = ValidationStatus::NotImplemented;
        facts.problem = facts.word + " is not modelled, its operands and results stay in DRAM";
        return facts;
    }
    checkCounts(facts);
    if (facts.status != ValidationStatus::Success) return facts;
    const AttributeReader attributes(operation);
    if (const auto text = attributes.text("compute_config"))
        facts.compute = computeConfigOf(*text).value_or(ComputeConfig{});
    readFamily(attributes, facts);
    return facts;
}

void limitProduct(OpFacts& facts) {
    // So many products of tiles, times the bytes of a tile, are still far inside 64 bits.
    constexpr double kMostProducts = static_cast<double>(std::int64_t{1} << 48);
    const auto real = [](std::int64_t value) { return static_cast<double>(value); };
    const ProductFacts& size = facts.product;
    const double window = real(facts.conv.kernel[0]) * real(facts.conv.kernel[1]);
    if (real(size.batch) * real(size.rows) * real(size.columns) * real(size.inner) * window > kMostProducts)
        refuse(facts, ValidationStatus::NotImplemented, facts.word + " multiplies more tiles than can be counted");
}

void readDim(const AttributeReader& attributes, OpFacts& facts) {
    const auto rank = static_cast<std::int64_t>(facts.operands[0].shape.size());
    auto dim = attributes.integer("dimension");
    if (!dim) dim = attributes.integer("dim");
    if (!dim) dim = rank - 1;
    const std::int64_t counted = *dim < 0 ? *dim + rank : *dim;
    if (counted < 0 || counted >= rank) {
        facts.status = ValidationStatus::MetalBackendError;
        facts.problem = "dimension " + std::to_string(*dim) + " is outside the " + std::to_string(rank) +
                        " dimensions of operand 0";
        return;
    }
    facts.dim = static_cast<int>(counted);
}

void readReduction(const AttributeReader& attributes, OpFacts& facts) {
    const auto rank = static_cast<std::int64_t>(facts.operands[0].shape.size());
    auto dims = attributes.integers("dim_arg");
    if (!dims) dims = attributes.integers("dim");
    for (const std::int64_t dim : dims.value_or(std::vector<std::int64_t>{})) {
        if (dim >= -rank && dim < rank) continue;
        facts.status = ValidationStatus::MetalBackendError;
        facts.problem =
            "dimension " + std::to_string(dim) + " is outside the " + std::to_string(rank) + " dimensions of operand 0";
        return;
    }
}

}  // namespace memplan::ttnn::model
