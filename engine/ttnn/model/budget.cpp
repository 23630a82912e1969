// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/model/budget.h"

#include "engine/base/text.h"

#include <algorithm>

namespace memplan::ttnn::model {
namespace {

Bytes l1Bytes(const Layout& layout) {
    return layout.isInL1() ? layout.shardBytes() : 0;
}

/// Operands in L1, each value once, from the first that counts.
Bytes residentBytes(const Case& c, FirstOperand first) {
    Bytes bytes = 0;
    for (std::size_t k = 0; k < c.inputs.size(); ++k) {
        const auto firstUse = static_cast<std::size_t>(c.facts.firstUse[k]);
        const bool isCountedElsewhere = firstUse == 0 && first != FirstOperand::Resident;
        if (firstUse == k && !isCountedElsewhere) bytes += l1Bytes(c.inputs[k]);
    }
    return bytes;
}

bool mayBeOnHost(const OpFacts& facts, std::size_t k) {
    const Family family = facts.kind->family;
    if (family == Family::Conv) return k > 0;
    return family == Family::Conversion || family == Family::Other || family == Family::Nothing;
}

bool resultMayBeOnHost(Family family) {
    return family == Family::Conversion || family == Family::Creation || family == Family::Other;
}

std::string gridProblem(const Layout& layout, const Device& device) {
    if (!layout.isL1Sharded() || layout.ignorePhysicalLayout) return {};
    const Grid workers = device.workers, grid = layout.grid;
    bool fits = grid.rows <= workers.rows && grid.cols <= workers.cols;
    if (layout.mem != MemLayout::BlockSharded)
        fits = std::min(grid.rows, grid.cols) == 1 && grid.volume() <= workers.volume();
    if (fits && grid.rows > 0 && grid.cols > 0) return {};
    return ", which does not fit on " + std::to_string(workers.rows) + "x" + std::to_string(workers.cols) + " cores";
}

std::optional<LayoutProblem> problemOf(const Layout& layout, const Case& c, bool mayBeHere, const std::string& name) {
    // Nearly all layouts are fine: no text is made for them.
    const bool isOnDevice = layout.isInL1() || layout.isInDram();
    const std::string_view broken = brokenRule(layout);
    const bool isOpaque = layout.mem == MemLayout::NdSharded;
    const bool isBlock = !layout.isTiled() && isBlockFloat(layout.dtype);
    std::string grid = gridProblem(layout, c.device());
    if ((isOnDevice || mayBeHere) && broken.empty() && !isOpaque && !isBlock && grid.empty()) return std::nullopt;
    const std::string is = name + " is " + wordsOf(layout);
    if (!grid.empty()) return LayoutProblem{ValidationStatus::MetalBackendError, is + grid};
    if (!broken.empty())
        return LayoutProblem{ValidationStatus::MetalBackendError, is + ", which breaks a rule: " + std::string(broken)};
    if (isOpaque) return LayoutProblem{ValidationStatus::NotImplemented, is + ", which is not modelled"};
    if (isBlock)
        return LayoutProblem{ValidationStatus::MetalBackendError,
                             is + ", and " + std::string(wordOf(layout.dtype)) + " exists in tiles only"};
    return LayoutProblem{ValidationStatus::MetalBackendError,
                         is + ", and " + c.facts.word + " works on DRAM and L1 only"};
}

void part(std::string& text, std::string_view name, Bytes bytes) {
    if (bytes <= 0) return;
    text.append(text.empty() ? "" : ", ").append(name).append(" ").append(text::grouped(bytes));
}

}  // namespace

Demand demandOf(const Case& c, const Outcome& outcome, bool isStrict) {
    const bool isView = outcome.first == FirstOperand::Aliased;
    const Bytes firstBytes = c.inputs.empty() ? 0 : l1Bytes(c.inputs[0]);
    Demand demand;
    demand.cb = outcome.cb;
    demand.outputL1 = c.facts.results.empty() ? 0 : l1Bytes(outcome.output);
    demand.tensorPeak = (isView ? 0 : demand.outputL1) + outcome.scratch;
    if (outcome.first == FirstOperand::InTensorPeak) demand.tensorPeak += firstBytes;
    demand.peak = demand.cb + demand.tensorPeak;
    if (outcome.first == FirstOperand::InPeak) demand.peak += firstBytes;
    const bool isHeld = outcome.first == FirstOperand::InPeak || outcome.first == FirstOperand::InTensorPeak;
    demand.held = isHeld ? firstBytes : 0;
    if (!isStrict) return demand;
    demand.residents = residentBytes(c, outcome.first);
    // While the halo is made the input is there, and no circular buffers and no result yet.
    if (outcome.first == FirstOperand::Freed)
        demand.residents += std::max<Bytes>(0, firstBytes + outcome.scratch - demand.peak);
    return demand;
}

Bytes needOf(const Demand& demand, Bytes additional, Bytes additionalOperands) {
    const Bytes countedTwice = std::clamp<Bytes>(additionalOperands, 0, demand.residents + demand.held);
    return demand.peak + additional + demand.residents - countedTwice;
}

std::string budgetProblem(const Demand& demand, Bytes additional, Bytes need, Bytes limit) {
    if (need <= limit) return {};
    std::string parts;
    part(parts, "circular buffers", demand.cb);
    part(parts, "result and scratch", demand.tensorPeak);
    part(parts, "operands", demand.residents + demand.peak - demand.cb - demand.tensorPeak);
    part(parts, "other tensors", additional);
    return "needs " + text::grouped(need) + " bytes on a core, and " + text::grouped(limit) + " are there (" + parts +
           ")";
}

std::optional<LayoutProblem> layoutProblem(const Case& c) {
    for (std::size_t k = 0; k < c.inputs.size(); ++k) {
        const bool mayBeHere = mayBeOnHost(c.facts, k);
        if (auto problem = problemOf(c.inputs[k], c, mayBeHere, "operand")) {
            problem->message.insert(std::string("operand").size(), " " + std::to_string(k));
            return problem;
        }
    }
    if (!c.wanted()) return std::nullopt;
    return problemOf(*c.wanted(), c, resultMayBeOnHost(c.facts.kind->family), "the result");
}

}  // namespace memplan::ttnn::model
