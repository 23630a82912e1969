// SPDX-License-Identifier: Apache-2.0
// Policy DFSharding (ttnn-optimizer 4 to 6): chains in depth first order, each solved by itself, then as many of their
// outputs kept in L1 as fit together.
#pragma once

#include "engine/ttnn/solution/solution.h"

#include <memory>

namespace memplan::ttnn {

/// The steps of 4.4, to be called in this order. Each but buildChains and resolveChains may be left out; all optional
/// ones left out, chains are isolated and each output is spilled to DRAM. `options.concatChains` acts on buildChains
/// too. Wished spill locations (hint `spill`) are decided behind the concatenations, whatever is left out. A cancelled
/// run ends early with what it has.
class DfSharding {
public:
    /// `input` must outlive it.
    explicit DfSharding(const PolicyInput& input);
    ~DfSharding();
    DfSharding(const DfSharding&) = delete;
    DfSharding& operator=(const DfSharding&) = delete;

    void buildChains();
    void concatPreferences();
    void resolveChains();
    void resolveConcats();
    void reshapeReservations();
    void forkReservations();
    void mergeChains();

    /// What is decided so far.
    [[nodiscard]] ChainRecord record() const;
    /// The outcome; the last call.
    [[nodiscard]] Solution take();

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

/// All steps that `options` does not switch off.
[[nodiscard]] Solution dfSharding(const PolicyInput& input);

}  // namespace memplan::ttnn
