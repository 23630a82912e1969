// SPDX-License-Identifier: Apache-2.0
// Kernels of a program as OpSpec trees (spyre-coarse-tiling-and-bundle 8).
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/base/result.h"
#include "engine/plan/op_spec/op_spec.h"
#include "engine/spyre/bundle/strides.h"
#include "engine/spyre/state.h"

#include <string>
#include <vector>

namespace memplan::spyre {

/// The op name of the SuperDSC vocabulary: div is realdiv, a copy is identity, ...
[[nodiscard]] std::string opSpecName(const Op& op);

/// Trees of all kernels that are no fallback kernels, in run order. An op or tensor that has no form becomes an
/// UnimplementedOp with a finding in `notes`; so does a kernel with more tensors than there are address
/// slots (CT-009), whose arguments stay unbound. `model` says whether a write of slices shows the size of the whole
/// buffer or, as the original lists it, that of the slice (4.4).
[[nodiscard]] std::vector<bundle::Kernel> buildOpSpecs(const State& state, bundle::StrideModel model, unsigned threads,
                                                       Diagnostics& notes);

}  // namespace memplan::spyre
