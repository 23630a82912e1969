// SPDX-License-Identifier: Apache-2.0
// The families of operations (ttnn-optimizer 9.4): may it run with these layouts, what does it return, how large are
// its circular buffers.
#pragma once

#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/model/facts.h"
#include "engine/ttnn/model/figures.h"

#include <span>
#include <string>
#include <vector>

namespace memplan::ttnn::model {

struct Environment {
    Device device;
    ModelFigures figures;
    bool conservativeMatmulCb = false;
};

/// An operation with candidate layouts. One layout for each operand of the facts, all of them valid (1.2) and in DRAM
/// or L1 unless the family takes others.
struct Case {
    const OpFacts& facts;
    std::span<const Layout> inputs;
    const OpConfig& config;
    const Environment& environment;

    [[nodiscard]] const Device& device() const { return environment.device; }
    [[nodiscard]] const ModelFigures& figures() const { return environment.figures; }
    [[nodiscard]] const TensorFacts& result() const { return facts.results.front(); }
    /// The layout that is asked for; null: the model decides.
    [[nodiscard]] const Layout* wanted() const { return config.output ? &*config.output : nullptr; }
    [[nodiscard]] DataType outputType() const { return config.output ? config.output->dtype : result().dtype; }
    /// Page layout of the result where none is asked for.
    [[nodiscard]] PageLayout inputPage() const {
        const auto k = static_cast<std::size_t>(facts.kind->pageOperand);
        return k < inputs.size() ? inputs[k].page : PageLayout::Tile;
    }
    /// A sharded layout is asked for, its grid is not.
    [[nodiscard]] bool wantsSomeGrid() const {
        return config.output && config.output->ignorePhysicalLayout && config.output->isSharded();
    }
};

/// How the bytes of operand 0 in L1 count (9.2).
enum class FirstOperand : std::uint8_t {
    Resident,      ///< as those of all operands: beside the peak
    Aliased,       ///< the result is a view of it, and nothing is allocated
    InPeak,        ///< part of the peak
    InTensorPeak,  ///< part of what the operation is charged for
    Freed          ///< there until the halo is made
};

struct Outcome {
    ValidationStatus status = ValidationStatus::Success;
    std::string message;
    Bytes cb = 0;
    Bytes scratch = 0;  ///< tensors beside the result: a halo
    FirstOperand first = FirstOperand::Resident;
    Layout output;  ///< of the first result
};

[[nodiscard]] Outcome eltwise(const Case& c);
[[nodiscard]] Outcome matmul(const Case& c);
[[nodiscard]] Outcome conv(const Case& c);
[[nodiscard]] Outcome softmax(const Case& c);
[[nodiscard]] Outcome norm(const Case& c);
[[nodiscard]] Outcome rotary(const Case& c);
[[nodiscard]] Outcome reduction(const Case& c);
[[nodiscard]] Outcome reshape(const Case& c);
[[nodiscard]] Outcome permute(const Case& c);
[[nodiscard]] Outcome concat(const Case& c);
[[nodiscard]] Outcome conversion(const Case& c);
[[nodiscard]] Outcome creation(const Case& c);
[[nodiscard]] Outcome movement(const Case& c);
[[nodiscard]] Outcome other(const Case& c);
[[nodiscard]] Outcome nothing(const Case& c);

/// The family's function; the facts are those of a modelled operation.
[[nodiscard]] Outcome outcomeOf(const Case& c);

// ---- what families share ----

[[nodiscard]] Outcome refused(std::string message);
/// "l1 height_sharded 8x1", "dram interleaved", "l1 interleaved row_major".
[[nodiscard]] std::string wordsOf(const Layout& layout);
/// "operand 1 is l1 block_sharded 7x8".
[[nodiscard]] std::string operandWords(const Case& c, std::size_t k);

/// Bytes that a circular buffer holds for one tile: of a row-major tensor 32 rows of its shard, each rounded up to 16
/// bytes (9.3).
[[nodiscard]] Bytes bufferTile(const Layout& layout);
[[nodiscard]] Bytes bytesOf(double tiles, Bytes tile);
/// The shards lie on the same cores in the same way.
[[nodiscard]] bool sharesSharding(const Layout& a, const Layout& b);
/// First operand that is not interleaved; none where all are.
[[nodiscard]] std::optional<std::size_t> shardedOperand(const Case& c, std::size_t from = 0);
/// Of a family whose operands are all interleaved; empty where they are.
[[nodiscard]] std::string refusalOfSharded(const Case& c);

// Layouts of the first result, with the scalar type that is asked for.
[[nodiscard]] Layout interleaved(const Case& c, PageLayout page, BufferType buffer);
/// Dealt out as another one is: memory layout, grid, cores and page layout.
[[nodiscard]] Layout shardedAs(const Case& c, const Layout& like);

/// Results behind the first are interleaved in DRAM.
[[nodiscard]] Layout furtherOutput(const TensorFacts& tensor, PageLayout page, const Device& device);

/// For families that know interleaved layouts only: the result, in the buffer that is asked for, else in that of
/// operand 0; or a refusal.
struct PlainOutput {
    std::optional<Layout> layout;
    std::string refusal;
};
[[nodiscard]] PlainOutput plainOutput(const Case& c);
/// The same whatever the operands are.
[[nodiscard]] PlainOutput plainResult(const Case& c);

}  // namespace memplan::ttnn::model
