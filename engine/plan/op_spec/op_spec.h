// SPDX-License-Identifier: Apache-2.0
// The OpSpec tree: what a kernel is made of (coarse-tiling-and-bundle 8).
#pragma once

#include "engine/plan/op_spec/expr.h"
#include "engine/plan/op_spec/py_value.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::bundle {

/// A device format (1): SEN169_FP16 has 64 elements of 2 bytes in a stick.
struct DeviceFormat {
    std::string_view name;
    std::int64_t elemsPerStick = 64;
    std::int64_t bytes = 2;
};

/// Null for a name that the document does not list.
[[nodiscard]] const DeviceFormat* deviceFormatNamed(std::string_view name);

/// HBM base addresses of the seven argument slots (1).
inline constexpr std::array<std::int64_t, 7> kSegmentOffsets = {
    0, 0x400000000, 0x800000000, 0xC00000000, 0x1000000000, 0x1400000000, 0x1800000000};

enum class Space { Hbm, Lx, Pool };
[[nodiscard]] std::string_view spaceKey(Space s);  ///< "hbm", "lx", "pool"

/// Where a tensor is: byte address under one of the keys hbm, lx, pool.
struct Allocation {
    Space space = Space::Hbm;
    std::int64_t address = 0;
    friend bool operator==(const Allocation&, const Allocation&) = default;
};

/// Keyword arguments that this program does not know: name and value, written back as they are.
using Extra = std::vector<std::pair<std::string, PyValue>>;

struct TensorArg {
    bool isInput = false;
    std::int64_t argIndex = -1;  ///< position among the kernel's arguments, -1 for LX and pool tensors
    std::string deviceDtype = "SEN169_FP16";
    std::vector<std::int64_t> deviceSize;                ///< elements, last = one stick
    std::vector<Expr> coordinates;                       ///< as many as device dimensions
    std::optional<Allocation> allocation;                ///< empty until bound
    std::optional<std::vector<std::int64_t>> strideMap;  ///< host elements per device dimension
    bool perTileFixed = false;                           ///< one tile for all iterations: its address never advances
    Extra extra;
    friend bool operator==(const TensorArg&, const TensorArg&) = default;
};

struct IterationEntry {
    std::string symbol;
    Expr extent;
    std::int64_t split = 1;  ///< work division
    friend bool operator==(const IterationEntry&, const IterationEntry&) = default;
};

struct OpSpec {
    std::string op;
    bool isReduction = false;
    std::vector<IterationEntry> iterationSpace;  ///< order is significant
    std::vector<TensorArg> args;                 ///< inputs first, the output last
    PyValue opInfo = PyValue::dict();
    std::vector<std::string> tiledSymbols;  ///< of all levels, outermost first
    /// One list per enclosing loop, outermost first; known when our own planner made the tree.
    std::optional<std::vector<std::vector<std::string>>> tiledPerLevel;
    Extra extra;
    friend bool operator==(const OpSpec&, const OpSpec&) = default;

    [[nodiscard]] const IterationEntry* find(std::string_view symbol) const;
    [[nodiscard]] std::int64_t cores() const;  ///< product of the work divisions
};

enum class SpecKind { Op, Loop, Unimplemented, Opaque };

/// An entry of a kernel's list: an op, a counted loop around entries, an op that the machine does not have, or a
/// call of another kind that is kept as it is.
struct SpecNode {
    SpecKind kind = SpecKind::Op;
    OpSpec op;         ///< Op
    std::string name;  ///< Unimplemented: the op, or the descriptor file that should name it
    std::string lost;  ///< Unimplemented: what is wrong with that file, such as "missing descriptor"; else empty
    PyValue call;      ///< Opaque
    Expr count;        ///< Loop
    std::vector<SpecNode> body;
    std::optional<std::vector<std::string>> tiledSymbols;  ///< Loop: symbols of this level
    Extra extra;                                           ///< Loop
    friend bool operator==(const SpecNode&, const SpecNode&) = default;

    [[nodiscard]] static SpecNode ofOp(OpSpec op);
    [[nodiscard]] static SpecNode loop(Expr count, std::vector<SpecNode> body);
};

using SpecTree = std::vector<SpecNode>;

/// One kernel: its tree and the order of its arguments.
struct Kernel {
    std::string name;  ///< sdsc_fused_add_mul_0
    SpecTree specs;
    std::vector<std::string> arguments;  ///< tensor names; the k-th is arg_index k
    std::int64_t poolSize = 0;           ///< bytes of the HBM pool, 0 = none
    friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// Ops of a tree in file order, depth first.
[[nodiscard]] std::vector<const OpSpec*> opsOf(const SpecTree& tree);
[[nodiscard]] std::vector<OpSpec*> opsOf(SpecTree& tree);
/// Levels of the deepest loop; 0 for a flat list.
[[nodiscard]] int depthOf(const SpecTree& tree);

/// Binds every tensor that is neither in LX nor in the pool to its slot (8.4): arg_index is its position in
/// `order`, its address the slot's segment, one further when there is a pool. `names` holds the tensor of
/// every arg in tree order. Errors: CT-009 more than seven slots, INT-002 unknown tensor.
[[nodiscard]] Result<void> bindArguments(SpecTree& tree, const std::vector<std::string>& names,
                                         const std::vector<std::string>& order, std::int64_t poolSize);
/// The same for one arg.
[[nodiscard]] Result<void> bindArgument(TensorArg& arg, const std::string& name, const std::vector<std::string>& order,
                                        std::int64_t poolSize);

}  // namespace memplan::bundle
