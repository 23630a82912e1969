// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/joint/joint_problem.h"

#include "engine/base/numeric.h"

#include <algorithm>

namespace memplan::spyre::joint {
namespace {

std::int64_t product(const std::vector<std::int64_t>& factors) {
    std::int64_t n = 1;
    for (const std::int64_t f : factors)
        n *= f;
    return n;
}

}  // namespace

std::int64_t JointDivision::outputPartition() const {
    return product(output);
}

std::int64_t JointDivision::cores() const {
    return product(output) * product(reduction);
}

std::int64_t JointDivision::shape() const {
    std::int64_t sum = 0;
    for (const auto* list : {&output, &reduction}) {
        for (const std::int64_t f : *list)
            sum += f > 1 ? f * f : 0;
    }
    return sum;
}

Bytes JointBuffer::spillCost() const {
    constexpr Bytes kAboveAllTraffic = Bytes{1} << 46;
    if (isPinned) return kAboveAllTraffic;
    const auto touches = static_cast<Bytes>(uses.size());
    switch (boundary) {
    case Boundary::Input:
    case Boundary::Output:
        // An input's first read is its clone-in; an output is written to main memory in any case.
        return std::max<Bytes>(0, touches - 1) * size;
    case Boundary::Intermediate:
        break;
    }
    return touches * size;
}

std::vector<std::vector<int>> JointProblem::consumers() const {
    std::vector<std::vector<int>> lists(buffers.size());
    for (std::size_t c = 0; c < buffers.size(); ++c) {
        for (const JointParent& p : buffers[c].parents)
            lists[static_cast<std::size_t>(p.buffer)].push_back(static_cast<int>(c));
    }
    return lists;
}

bool JointProblem::matches(int producer, int producerDivision, int consumer, int consumerDivision) const {
    for (const JointParent& p : buffers[static_cast<std::size_t>(consumer)].parents) {
        if (p.buffer != producer) continue;
        const DivisionPair pair{producerDivision, consumerDivision};
        if (std::find(p.pairs.begin(), p.pairs.end(), pair) == p.pairs.end()) return false;
    }
    return true;
}

std::vector<bool> ineligibleUnder(const JointProblem& problem, const std::vector<int>& chosen, MismatchBars rule) {
    std::vector<bool> ineligible;
    for (const JointBuffer& b : problem.buffers)
        ineligible.push_back(b.ineligible);
    for (std::size_t c = 0; c < problem.buffers.size(); ++c) {
        for (const JointParent& p : problem.buffers[c].parents) {
            const auto producer = static_cast<std::size_t>(p.buffer);
            const DivisionPair pair{chosen[producer], chosen[c]};
            if (std::find(p.pairs.begin(), p.pairs.end(), pair) != p.pairs.end()) continue;
            ineligible[rule == MismatchBars::Producer ? producer : c] = true;
        }
    }
    return ineligible;
}

solve::Problem addressProblem(const JointProblem& problem, const std::vector<int>& chosen,
                              const std::vector<bool>& ineligible) {
    solve::Problem out;
    out.capacity = problem.capacity;
    out.alignment = problem.alignment;
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        const JointBuffer& b = problem.buffers[i];
        const JointDivision& division = b.divisions[static_cast<std::size_t>(chosen[i])];
        solve::Item item;
        item.name = b.name;
        item.size = ceilDiv(b.size, division.outputPartition() * division.outputTiles);
        item.start = b.uses.front();
        item.end = b.uses.back() + 1;
        item.uses = b.uses;
        item.firstUseIsRead = b.boundary == Boundary::Input;
        item.ineligible = ineligible[i];
        item.addressLimit = b.addressLimit;
        item.spillTraffic = b.spillCost();
        out.items.push_back(std::move(item));
    }
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        for (const int parent : problem.buffers[i].inPlaceParents) {
            if (out.items[i].size <= out.items[static_cast<std::size_t>(parent)].size)
                out.items[i].inPlaceParents.push_back(parent);
        }
    }
    return out;
}

}  // namespace memplan::spyre::joint
