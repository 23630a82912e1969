// SPDX-License-Identifier: Apache-2.0
// The fallback kernels of a bundle: operations that the host runs between the kernels, where the wrapper source says
// it. What they read must be what the graph says; what they write then is (proof-and-search A5, A8).
#pragma once

#include "engine/verify/spyre/artefact/access/parts.h"
#include "engine/verify/spyre/artefact/run_memory.h"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace memplan::sim::artefact {

class HostCalls {
public:
    explicit HostCalls(RunMemory& memory) : m_(memory), bind_(memory.binding()), g_(memory.graph()) {}

    /// Runs those that stand before the kernel call of this number and did not run yet. Faults and doubts go to the
    /// outcome of the memory.
    void runUpTo(std::size_t position);
    void runAll();

private:
    RunMemory& m_;
    const Binding& bind_;
    const Graph& g_;
    std::size_t next_ = 0;

    void run(const HostCall& call, int number);
    void copy(const HostCall& call);
    void fillView(const HostCall& call, const HostFill& what);
    void checkOperand(const HostCall& call, const std::string& name, const std::vector<TensorId>& wanted);
    void addVersions(int root, TensorId tensor, int copies, std::set<int>& out) const;
    [[nodiscard]] bool isRead(const HostCall& call, TensorId input);
    [[nodiscard]] bool isAmong(const std::vector<std::string>& names, int tensor);
    [[nodiscard]] const std::string* nameIn(const std::vector<std::string>& names, TensorId tensor) const;
    [[nodiscard]] std::vector<TensorId> tensorsOf(const std::vector<std::string>& names) const;
    void put(const std::string& name, TensorId tensor, const Part& part);
    void misfilled(const HostCall& call, const std::string& name);
    void misplaced(const HostCall& call, TensorId tensor, const std::string& verb);
};

}  // namespace memplan::sim::artefact
