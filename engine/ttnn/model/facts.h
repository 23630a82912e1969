// SPDX-License-Identifier: Apache-2.0
// What the model knows of an operation before any layout is chosen: read once from the module, asked thousands of
// times.
#pragma once

#include "engine/ttnn/machine/op_config.h"
#include "engine/ttnn/model/op_kinds.h"
#include "engine/ttnn/model/op_query.h"
#include "engine/ttnn/module/module.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::ttnn::model {

using Shape = std::vector<std::int64_t>;

struct TensorFacts {
    Shape shape;  ///< of rank 1 at least, a scalar is {1}
    DataType dtype = DataType::BF16;
    bool isEmpty = false;                     ///< it has no elements: `shape` is that of one, its bytes do not count
    std::array<std::int64_t, 2> tiles{1, 1};  ///< of the collapsed matrix, rows and columns
    bool broadcastsRows = false;              ///< the result is larger in a dimension but the last
    bool broadcastsColumns = false;           ///< in the last

    [[nodiscard]] std::int64_t width() const { return shape.back(); }
    [[nodiscard]] std::int64_t tileCount() const { return tiles[0] * tiles[1]; }
    friend bool operator==(const TensorFacts&, const TensorFacts&) = default;
};

/// A matrix product in tiles. Batches of the first factor count as its rows while the second has none.
struct ProductFacts {
    std::int64_t rows = 1, columns = 1, inner = 1;
    std::int64_t batch = 1;  ///< products of that size
    bool isBatched = false;  ///< the second factor has batches too
    bool transposesA = false;
    friend bool operator==(const ProductFacts&, const ProductFacts&) = default;
};

/// A convolution over images of batch x height x width; padding top, left, bottom, right.
struct ConvFacts {
    std::array<std::int64_t, 2> kernel{1, 1}, stride{1, 1}, dilation{1, 1};
    std::array<std::int64_t, 4> padding{0, 0, 0, 0};
    std::int64_t batch = 1, height = 1, width = 1;  ///< of the input
    std::int64_t channels = 1, filters = 1;
    std::int64_t rows = 1;      ///< of the output: batch x height x width
    std::int64_t outWidth = 1;  ///< of one output image
    bool isProduct = false;     ///< 1 x 1, stride 1, no padding: a matrix product
    friend bool operator==(const ConvFacts&, const ConvFacts&) = default;
};

struct OpFacts {
    const OpKind* kind = nullptr;  ///< null: not modelled
    std::string word;              ///< name without dialect
    std::vector<TensorFacts> operands, results;
    std::vector<int> firstUse;  ///< by operand: the first operand that is the same value
    /// What is wrong, or missing, with any layouts.
    ValidationStatus status = ValidationStatus::Success;
    std::string problem;

    int dim = -1;            ///< softmax, concat; -1: not known
    bool isView = false;     ///< reshape in tiles that moves nothing
    bool isRowView = false;  ///< the same in rows
    bool swapsRows = false;  ///< permutes dimensions -3 and -2, nothing else
    ProductFacts product;    ///< matmul, and convolutions that are one
    ConvFacts conv;
    std::optional<Layout> ownLayout;             ///< of the first result in the module: creation keeps it
    Conv2dConfig convConfig;                     ///< of the operation itself
    std::optional<MatmulProgram> matmulProgram;  ///< of the operation itself; counts where nothing was decided
    ComputeConfig compute;

    [[nodiscard]] bool isModelled() const { return kind && kind->family != Family::Unmodelled; }
    /// The layout in the module counts where none is asked for.
    [[nodiscard]] bool keepsOwnLayout() const {
        return kind && (kind->family == Family::Creation || kind->family == Family::Conversion);
    }
};

/// It has elements, all extents are known, and its bytes stay far inside 64 bits.
[[nodiscard]] bool canBeCounted(const Shape& shape);

/// Texts longer than this are no attributes that the model reads.
inline constexpr std::size_t kLongestAttribute = 1024;

[[nodiscard]] OpFacts factsOf(const Function& function, const Operation& operation);

/// Reads attributes for the families.
class AttributeReader {
public:
    explicit AttributeReader(const Operation& operation) : operation_(operation) {}
    [[nodiscard]] std::optional<std::string_view> text(std::string_view name) const;
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name) const;
    [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(std::string_view name) const;
    [[nodiscard]] bool flag(std::string_view name) const;

private:
    const Operation& operation_;
};

/// Refuses a product of matrices that is too large to be counted.
void limitProduct(OpFacts& facts);

// What each family reads; a problem goes to `status` and `problem`.
void readEltwise(OpFacts& facts);
void readProduct(const AttributeReader& attributes, OpFacts& facts);
void readConv(const AttributeReader& attributes, OpFacts& facts);
void readReshape(OpFacts& facts);
void readPermute(const AttributeReader& attributes, OpFacts& facts);
void readConcat(const AttributeReader& attributes, OpFacts& facts);
void readDim(const AttributeReader& attributes, OpFacts& facts);
void readReduction(const AttributeReader& attributes, OpFacts& facts);

/// A reshape that need not move anything (7.1, 9.4): same elements and last dimension, and row-major, or the same
/// second-last dimension, or both second-last dimensions multiples of a tile. A scalar is one element wide.
[[nodiscard]] bool isViewReshape(const Shape& from, const Shape& to, PageLayout page);

}  // namespace memplan::ttnn::model
