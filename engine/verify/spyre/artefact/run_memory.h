// SPDX-License-Identifier: Apache-2.0
// The memory of one run of a bundle: a region per tensor argument, what the host puts there from the start, and the
// comparison with the graph.
#pragma once

#include "engine/base/run_control.h"
#include "engine/verify/spyre/artefact/access/regions.h"
#include "engine/verify/spyre/artefact/kernel_run.h"
#include "engine/verify/spyre/artefact/oracle.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

namespace memplan::sim::artefact {

class RunMemory {
public:
    /// Makes the regions of all names that kernels, the host and the outputs have. `known`: see Machine.
    /// `unknowns`: key of the values that stand for what no file states.
    RunMemory(const LoadedBundle& bundle, const Binding& binding, Oracle& oracle, const ProofOptions& options,
              const RunControl& control, const std::unordered_set<Value>* known, std::uint64_t unknowns);

    /// Fills what the host has from the start, and nobody filled yet.
    void provide(const std::string& name);
    [[nodiscard]] Region& region(const std::string& name) { return regions_.at(name); }
    /// Element of the region that is the first one of the tensor.
    [[nodiscard]] std::int64_t offsetIn(const Region& region, TensorId tensor) const;
    /// The layout of a region is not known: not proved where a kernel accesses it. Memory that no kernel accesses needs
    /// none: the order of the host calls says what is there.
    void needLayout(const std::string& name);
    /// From now on nothing is known of what the region holds, for this reason: not proved.
    void forget(const std::string& name, std::string why);
    /// Turns a difference into faults. `what`: "output", "operand of ..".
    void report(const std::string& name, const memplan::Tensor& tensor, const Difference& difference,
                const std::string& what);
    /// The name is the argument of this slot now.
    void bind(const std::string& name, std::size_t slot);

    [[nodiscard]] const Binding& binding() const { return bind_; }
    [[nodiscard]] Oracle& oracle() { return oracle_; }
    [[nodiscard]] const Graph& graph() const { return g_; }
    [[nodiscard]] bool isFaulty() const { return !outcome.faults.empty(); }

    Machine machine;
    Outcome outcome;
    Store pool{"the pool", 0};
    std::uint32_t host = 0;   ///< event of the host
    bool hasUnknown = false;  ///< some region was forgotten
    Value firstWrong = 0;     ///< what the first element holds that is reported as wrong

private:
    const LoadedBundle& b_;
    const Binding& bind_;
    Oracle& oracle_;
    const Graph& g_;
    const ProofOptions& options_;
    const RunControl& control_;
    std::uint64_t unknowns_;
    std::map<std::string, Region> regions_;
    std::map<std::string, std::int64_t> base_;  ///< address of the last binding, for messages

    void makeRegions();
    void makeRegion(const std::string& name);
    void placeTensor(Region& region, const std::vector<DeviceLayout>& layouts);
    [[nodiscard]] std::vector<DeviceLayout> layoutsOf(const std::string& name) const;
    [[nodiscard]] int tensorOf(const std::string& name) const;
    [[nodiscard]] bool isLarge(const Region& region) const;
    [[nodiscard]] Fault& faultAt(const std::string& name, const memplan::Tensor& tensor, std::int64_t count,
                                 std::int64_t element, std::int64_t offset);
    void reportMissing(const std::string& name, const memplan::Tensor& tensor, const Difference& difference,
                       const std::string& what);
    void reportWrong(const std::string& name, const memplan::Tensor& tensor, const Difference& difference,
                     const std::string& what);
};

}  // namespace memplan::sim::artefact
