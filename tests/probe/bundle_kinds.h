// SPDX-License-Identifier: Apache-2.0
// Probe kinds of vectors/spyre-coarse-tiling.jsonl about bundles: byte_stride, unroll, bundle_mlir, sdsc_json,
// opspec_source, arg_binding (spyre-coarse-tiling-and-bundle 18); core_map by `dims`.
#pragma once

#include "tests/probe/registry.h"

namespace memplan::probe {

void registerBundle(Registry& registry);

}  // namespace memplan::probe
