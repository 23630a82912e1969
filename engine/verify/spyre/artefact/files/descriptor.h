// SPDX-License-Identifier: Apache-2.0
// What one `sdsc_<n>.json` says: extents, slices, tensors and the function of an operation
// (spyre-coarse-tiling-and-bundle 13). A reader of its own, apart from the exporter and the importer.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::sim::artefact {

/// A loop of the operation.
struct Label {
    std::string name;
    std::int64_t extent = 1;  ///< elements of the whole op, after stick padding
    std::int64_t slices = 1;
    std::int64_t perCore = 1;  ///< elements
    /// Global elements [first, second) that the file masks out.
    std::pair<std::int64_t, std::int64_t> masked{0, 0};
};

/// One label of a tensor's layout, from the dimension next to the stick outwards.
struct ArgDim {
    int label = -1;          ///< position in Descriptor::labels
    std::int64_t scale = 1;  ///< 1; -1 absent; -2 absent and the stick holds one element
    std::int64_t slices = 1, perCore = 1;
    std::int64_t gap = 0;  ///< elements behind the whole extent (main memory), or behind the slice (LX)
};

struct Tensor {
    std::string name;
    std::string format;  ///< of its elements; empty = not given
    bool isLx = false;
    std::int64_t wordLength = 2;
    std::int64_t stickSize = 64;  ///< elements
    int stick = -1;               ///< label of the stick dimension
    std::vector<ArgDim> dims;
    /// Per core: a byte address (0 and above), or a symbol id below 0.
    std::vector<std::int64_t> start;
    bool isSymbolic = false;
    /// Slices of its own, [core][label], -1 = not divided by itself; empty: divided like the op.
    std::vector<std::vector<std::int64_t>> ownSlices;
};

/// A constant of the file: name, device format and bit pattern.
struct NamedConstant {
    std::string name, format;
    std::int64_t bits = 0;
};

struct Descriptor {
    std::string function;  ///< as in the file
    std::int64_t cores = 1;
    std::vector<Label> labels;
    std::vector<std::vector<std::int64_t>> slice;  ///< [core][label]
    std::vector<Tensor> tensors;
    std::vector<std::size_t> inputs;  ///< positions in `tensors`, operand order
    std::size_t output = 0;
    bool isReduction = false;  ///< the file lists the result among the inputs (13.2 step 11)
    bool isMasked = false;
    std::vector<NamedConstant> constants;

    [[nodiscard]] int labelNamed(std::string_view name) const;
};

/// Errors: VER-020 with a JSON pointer for a file that lacks what it needs or contradicts itself.
[[nodiscard]] Result<Descriptor> readDescriptor(std::string_view json, const std::string& where);

}  // namespace memplan::sim::artefact
