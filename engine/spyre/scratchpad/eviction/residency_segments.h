// SPDX-License-Identifier: Apache-2.0
// What it costs that LX may be wiped at a kernel boundary (spyre-scratchpad 14.6): for each pinned buffer that is used
// in several kernels, how every kernel's uses would be served with an empty scratchpad at each boundary.
#pragma once

#include "engine/spyre/pass.h"
#include "engine/spyre/scratchpad/moves.h"
#include "engine/spyre/state.h"

#include <set>
#include <vector>

namespace memplan::spyre {

/// Kernel of every op, -1 = none; and whether a copy may be put into a kernel, which loops and fallbacks forbid.
struct KernelMap {
    std::vector<int> kernelOf;  ///< parallel to the ops
    std::vector<bool> isOpen;   ///< parallel to the kernels
};

[[nodiscard]] KernelMap kernelMap(const Program& program, const std::vector<Kernel>& kernels);

/// The uses of a buffer in one kernel.
struct ResidencySegment {
    int kernel = -1;
    std::vector<OpId> ops;               ///< users but lx_evicts
    std::int64_t reads = 0, writes = 0;  ///< per run
    bool onChip = false;                 ///< the cheapest service; in the first kernel the buffer itself stays
};

/// Traffic that an empty scratchpad costs at the boundary behind or in front of the kernel of an op.
struct BoundaryPayment {
    std::string op;
    bool after = true;
    Bytes bytes = 0;
};

/// Service of a buffer that must not be on chip at a boundary. Costs nothing to compute and changes nothing.
struct Crossing {
    BufferId buffer;
    bool isClean = false;         ///< main memory has the value already
    std::vector<OpId> evictions;  ///< lx_evicts that it has already; they give way
    std::vector<ResidencySegment> segments;
    std::vector<BoundaryPayment> payments;  ///< bytes more than with content that survives

    [[nodiscard]] Bytes price() const;
};

/// The service of one buffer; nullopt when it has no address or is used in one kernel only. `refused` may not stay in
/// any kernel.
[[nodiscard]] std::optional<Crossing> crossingOf(const State& state, const KernelMap& kernels, BufferId buffer,
                                                 const std::set<BufferId>& refused = {});
/// Of every buffer, in buffer order.
[[nodiscard]] std::vector<Crossing> crossings(const State& state, const KernelMap& kernels);

/// Bytes at the boundary behind each kernel, parallel to the kernels.
[[nodiscard]] std::vector<Bytes> pricePerBoundary(const Program& program, const KernelMap& kernels,
                                                  const std::vector<BoundaryPayment>& payments);

/// One decision "boundary_price" at the last op of every kernel that has a price: what an empty scratchpad costs
/// behind it, or would cost.
void reportPrices(const Program& program, const KernelMap& kernels, const std::vector<BoundaryPayment>& payments,
                  bool paid, PassContext& context);

}  // namespace memplan::spyre
