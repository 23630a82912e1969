// SPDX-License-Identifier: Apache-2.0
// What a bundle directory or a wrapper source states: kernels as OpSpec trees, with what had to be
// reconstructed (spyre-coarse-tiling-and-bundle 9.2, 17.1, 17.6).
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/pipeline/source.h"
#include "engine/plan/op_spec/op_spec.h"
#include "engine/spyre/bundle/host_call.h"
#include "engine/spyre/bundle/returned.h"
#include "engine/spyre/bundle/strides.h"

#include <optional>
#include <string>
#include <vector>

namespace memplan::bundle {

enum class ImportSource { Bundle, Wrapper };

struct ImportedProgram final : Source {
    [[nodiscard]] std::string_view kind() const override { return "kernels of a Spyre bundle"; }
    [[nodiscard]] std::string_view target() const override { return "spyre"; }
    [[nodiscard]] std::size_t opCount() const override;

    ImportSource source = ImportSource::Wrapper;
    bool hasHostPart = false;                ///< the source says what the caller passes, be it nothing
    std::vector<Kernel> kernels;             ///< running order
    std::vector<std::string> inputs;         ///< of the host part, where known
    std::vector<Returned> outputs;           ///< in order; a name may be an input, or come twice
    std::vector<HostCall> hostCalls;         ///< fallback kernels in running order, where the source says them
    std::optional<StrideModel> strideModel;  ///< what the address steps of a bundle follow, where that is known
    std::vector<Diagnostic> problems;        ///< damage, doubts, and what cannot be recovered (BND-109)
};

/// The checks of chapter 8.5: findings CT-025 with paths such as sdsc_x[0].body[1].args[2]; numbers 1, 3
/// and 5 are errors. `cores` is the number of cores of the machine.
void checkKernel(const Kernel& kernel, std::int64_t cores, Diagnostics& notes);

/// Bytes of one core's part of an arg in LX: the product of its per-core extents, whole sticks along the
/// stick (17.1). 0 when the op has no SuperDSC form.
[[nodiscard]] std::int64_t lxBytesPerCore(const OpSpec& op, std::size_t arg);

/// Host strides of a row-major tensor that fills its device layout, as a stride map: what stands in for the real
/// one where a source does not record it (17.6). -1 for dimensions that no loop moves along.
[[nodiscard]] std::vector<std::int64_t> rowMajorStrideMap(const OpSpec& op, const TensorArg& arg);

/// One life of a tensor in LX: from the op that writes it (or the first that reads what nobody wrote) to its
/// last reader. Steps are positions in opsOf().
struct LxTensor {
    std::int64_t address = 0, bytes = 0;    ///< per core
    int first = 0, last = 0;                ///< steps, last included
    std::vector<std::pair<int, int>> uses;  ///< (step, arg) of every touch
    int inPlaceOf = -1;                     ///< position of the LxTensor whose address its writer read
    bool isFromBefore = false;              ///< read first: an earlier kernel left it there
    bool isCut = false;                     ///< its readers round its size up, and the next tensor begins before that
};

[[nodiscard]] std::vector<LxTensor> lxTensors(const Kernel& kernel);

/// Two LX tensors, as positions in lxTensors(), that are live at once and share bytes, in steps `from` to `to`, both
/// included.
struct LxOverlap {
    std::size_t first = 0, second = 0;
    int from = 0, to = 0;
    friend bool operator==(const LxOverlap&, const LxOverlap&) = default;
};
constexpr std::size_t kMostComparedLxTensors = 20'000;
constexpr std::size_t kMostLxOverlaps = 1'000;

/// Such pairs without slots that are handed on, by the start of the second; the first kMostLxOverlaps. None above
/// kMostComparedLxTensors.
[[nodiscard]] std::vector<LxOverlap> lxOverlaps(const std::vector<LxTensor>& tensors);

}  // namespace memplan::bundle
