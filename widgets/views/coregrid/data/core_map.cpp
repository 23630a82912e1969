// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/coregrid/data/core_map.h"

#include "engine/base/text.h"

#include <algorithm>
#include <numeric>

namespace memplan::ui {
namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

/// Dimensions in the order in which core numbers count them.
std::vector<std::size_t> numberingOrder(const PlanOp& op) {
    std::vector<std::size_t> order(op.iterationSpace.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (op.kAdjacent && order.size() > 1) std::rotate(order.begin(), order.end() - 1, order.end());
    return order;
}

std::string dimText(const IterationDim& d) {
    std::string text = d.name + ": ";
    if (d.isReduction) text += "reduction, ";
    if (d.slices <= 1) return text + "not split";
    text +=
        std::to_string(d.adjusted) + " / " + std::to_string(d.slices) + " = " + std::to_string(d.adjusted / d.slices);
    return text + (d.elemsPerStick > 0 ? (d.adjusted == d.slices ? " stick each" : " sticks each") : " each");
}

}  // namespace

std::optional<std::vector<std::int64_t>> slicesOfCore(const PlanOp& op, int core) {
    if (core < 0 || core >= op.cores) return std::nullopt;
    std::vector<std::int64_t> slices(op.iterationSpace.size(), 0);
    std::int64_t rest = core;
    for (const std::size_t d : numberingOrder(op)) {
        const std::int64_t split = std::max<std::int64_t>(1, op.iterationSpace[d].slices);
        slices[d] = rest % split;
        rest /= split;
    }
    return slices;
}

std::int64_t sliceOf(const PlanOp& op, int core, std::size_t dim) {
    const auto slices = slicesOfCore(op, core);
    return slices && dim < slices->size() ? (*slices)[dim] : -1;
}

ElementRange sliceRange(const IterationDim& dim, std::int64_t slice) {
    const std::int64_t unit = dim.adjusted / std::max<std::int64_t>(1, dim.slices);
    const std::int64_t elements = dim.elemsPerStick > 0 ? dim.elemsPerStick : 1;
    return {std::min(dim.extent, slice * unit * elements), std::min(dim.extent, (slice + 1) * unit * elements)};
}

bool runsOnCores(const PlanOp& op) {
    return op.kind != "extern" || !op.iterationSpace.empty();
}

double workOfCore(const PlanOp& op, int core) {
    if (!runsOnCores(op)) return 0;
    const auto slices = slicesOfCore(op, core);
    if (!slices) return 0;
    double work = 1, pieces = 1;
    for (std::size_t d = 0; d < slices->size(); ++d) {
        work *= static_cast<double>(sliceRange(op.iterationSpace[d], (*slices)[d]).size());
        pieces *= static_cast<double>(std::max<std::int64_t>(1, op.iterationSpace[d].slices));
    }
    return work * std::min(1.0, pieces / static_cast<double>(op.cores));
}

double workOf(const PlanOp& op) {
    if (!runsOnCores(op)) return 0;
    double work = 1;
    for (const IterationDim& d : op.iterationSpace)
        work *= static_cast<double>(d.extent);
    return work;
}

PicturePlane mostSplitPlane(const PlanOp& op) {
    std::vector<int> order(op.iterationSpace.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        const IterationDim &x = op.iterationSpace[at(a)], &y = op.iterationSpace[at(b)];
        return x.slices != y.slices ? x.slices > y.slices : x.extent > y.extent;
    });
    if (order.empty()) return {};
    if (order.size() == 1) return {order[0], -1};
    return {std::min(order[0], order[1]), std::max(order[0], order[1])};
}

std::string loopSplitText(const PlanOp& op) {
    std::vector<std::string> parts;
    for (const IterationDim& d : op.iterationSpace)
        parts.push_back(dimText(d));
    return parts.empty() ? "no loops" : text::join(parts, "; ");
}

std::string wholeText(const PlanOp& op) {
    const bool isUnsaid = op.iterationSpace.empty() && op.cores > 1;
    return isUnsaid || !runsOnCores(op) ? "" : "whole";
}

std::string shortSplitText(const PlanOp& op) {
    std::vector<std::string> parts;
    for (const IterationDim& d : op.iterationSpace)
        if (d.slices > 1) parts.push_back(d.name + " " + std::to_string(d.slices));
    return parts.empty() ? wholeText(op) : text::join(parts, ", ");
}

std::optional<PlanOp> dividedAs(const PlanOp& op, const std::string& label) {
    PlanOp result = op;
    for (IterationDim& d : result.iterationSpace)
        d.slices = 1;
    result.cores = 1;
    if (label == "whole") return result;
    for (std::string part : text::split(label, ' ')) {
        part.erase(0, part.starts_with("~s") ? 2 : part.starts_with("s") ? 1 : 0);
        const auto slash = part.rfind('/');
        const std::string name = part.substr(0, slash);
        const auto count = slash == std::string::npos ? std::nullopt : text::parseInt(part.substr(slash + 1));
        const auto loop = std::find_if(result.iterationSpace.begin(), result.iterationSpace.end(),
                                       [&](const IterationDim& d) { return d.name == name; });
        if (loop == result.iterationSpace.end() || !count || *count < 1) return std::nullopt;
        loop->slices = *count;
        result.cores *= *count;
    }
    return result;
}

}  // namespace memplan::ui
