// SPDX-License-Identifier: Apache-2.0
// One operation of a bundle, ready to run, and where its tensors are (proof-and-search A4.3, A5).
#pragma once

#include "engine/sim/eval/functions.h"
#include "engine/sim/outcome.h"
#include "engine/verify/spyre/artefact/access/access.h"
#include "engine/verify/spyre/artefact/access/memory.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memplan::sim::artefact {

/// A descriptor ready to run.
struct ReadyOp {
    std::string name;  ///< "kernel/sdsc_3.json add"
    const Descriptor* file = nullptr;
    std::vector<Access> access;  ///< one per tensor
    enum class Form { Pointwise, Reduction, Product } form = Form::Pointwise;
    std::string function;    ///< canonical
    bool isFill = false;     ///< writes one number everywhere, to make room around data
    std::string attributes;  ///< as Function takes them
};

/// Where the tensors of one instance are: per tensor and core.
struct Placed {
    Store* store = nullptr;
    std::int64_t start = 0;  ///< byte in the store
    bool isLx = false;
};

struct InstanceCounts {
    std::int64_t bytesMoved = 0, productTerms = 0, redundantWrites = 0;
    std::int64_t readBytes = 0, writeBytes = 0;  ///< main memory, different sticks
    std::int64_t lxPeak = 0;
};

}  // namespace memplan::sim::artefact
