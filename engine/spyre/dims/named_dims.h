// SPDX-License-Identifier: Apache-2.0
// Names of dimensions: how they travel through the operations, and the hints that use them
// (spyre-layouts-and-work-division 7).
#pragma once

#include "engine/base/result.h"
#include "engine/spyre/division/span_reduction.h"
#include "engine/spyre/program.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan::spyre {

using DimNames = std::vector<std::string>;

/// declare_tensor_dim: name -> extent. Untracked names are added on the way.
using DeclaredDims = std::map<std::string, std::int64_t, std::less<>>;

/// One scope that an op is inside: slices (or its synonyms tiles, num_tiles_per_dim) and named_dims.
struct HintScope {
    int id = 0;  ///< outer scopes have smaller ids
    std::vector<std::pair<std::string, std::int64_t>> slices;
    std::optional<DimNames> namedDims;
    friend bool operator==(const HintScope&, const HintScope&) = default;
};

/// An operand with the names of its tensor; no names = unnamed.
struct NamedRead {
    const Buffer* buffer = nullptr;
    const Index* index = nullptr;
    const DimNames* names = nullptr;
};

struct NamedOp {
    const Op* op = nullptr;
    std::vector<NamedRead> reads;
    const Buffer* output = nullptr;
    std::vector<HintScope> scopes;  ///< in id order
};

/// Names of one op: per loop in the order in which they were found, of the output, of the reduced loop.
struct OpNames {
    DimNames output;
    std::vector<std::pair<int, DimNames>> loops;
    std::optional<DimNames> reduction;

    [[nodiscard]] const DimNames* ofLoop(int loop) const;
};

/// Names of the op's loops and output. NAM-001 (KeyError) when a name is not declared; NAM-002 and NAM-003
/// go to `notices` and untracked names to `declared`.
[[nodiscard]] Result<OpNames> propagateNames(const NamedOp& op, DeclaredDims& declared, std::vector<Notice>& notices);

/// The hints of one op, sorted by scope and loop, sentinels last.
[[nodiscard]] std::vector<DimHint> assignHints(const NamedOp& op, const OpNames& names, const DeclaredDims& declared);

}  // namespace memplan::spyre
