// SPDX-License-Identifier: Apache-2.0
// Passes 17 to 22 of the Spyre pipeline (pipeline.md 1; chapters of spyre-coarse-tiling-and-bundle):
//   17   memory_planning      offsets of HBM intermediates (14)
//   18   build_loop_scheduler_nodes  the loop tree (6)
//   19   spyre_fuse_nodes     kernels (7)
//   20   build_op_specs       the OpSpec tree
//   21   unroll_loops
//   22   write_bundle         the files of an export (12)
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/spyre/bundle/bundle.h"
#include "engine/spyre/bundle/host_call.h"
#include "engine/spyre/bundle/returned.h"
#include "engine/spyre/pass.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan::spyre {

[[nodiscard]] Result<PassOutcome> planHbmPool(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> nestInLoops(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> makeKernels(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> makeOpSpecs(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> unrollLoops(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> writeBundle(State& state, PassContext& context);

[[nodiscard]] bundle::BundleOptions bundleOptions(const Settings& settings);

/// The tree that the files of a kernel are written from: without loops where `isFlat` wants it, and where addresses are
/// baked and one moves with a loop, since a descriptor then holds one address for all iterations (12.2). What has no
/// SuperDSC form is replaced. Errors as unrolled().
[[nodiscard]] Result<bundle::SpecTree> writtenTree(const bundle::Kernel& kernel, bool isFlat,
                                                   const bundle::BundleOptions& options, Diagnostics& notes);

/// A file of an export: path below the chosen folder, with "/" between parts.
using Artefact = std::pair<std::string, std::string>;

/// output_code.py and one folder per kernel (12.1). `kernels` are the trees before unrolling; `hostCalls`, `inputs`
/// and `outputs` are for the host part. Errors as bundleFiles().
[[nodiscard]] Result<std::vector<Artefact>> bundleArtefacts(const std::vector<bundle::Kernel>& kernels,
                                                            const std::vector<bundle::HostCall>& hostCalls,
                                                            const std::vector<std::string>& inputs,
                                                            const std::vector<bundle::Returned>& outputs,
                                                            const Settings& settings, Diagnostics& notes);

}  // namespace memplan::spyre
