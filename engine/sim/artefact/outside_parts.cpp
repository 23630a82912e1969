// SPDX-License-Identifier: Apache-2.0
#include "sim/artefact/outside_parts.h"

#include "sim/loop_walk.h"

#include <algorithm>
#include <map>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;

int64_t countOf(const memplan::Tensor& t) {
    return elementCount(t.shape).value_or(0);
}

/// Elements that a loop nest reaches in one tensor: first one and steps; false for an index that depends on data.
bool readMap(const memplan::Tensor& t, const std::vector<IndexExpr>& map, int64_t& first, std::vector<int64_t>& steps) {
    if (map.size() != t.shape.size()) return false;
    int64_t stride = 1;
    for (std::size_t d = map.size(); d-- > 0;) {
        if (map[d].dataDependent) return false;
        first += map[d].constant * stride;
        for (const IndexExpr::Term& term : map[d].terms)
            steps[static_cast<std::size_t>(term.loop)] += term.coefficient * stride;
        stride *= t.shape[d];
    }
    return true;
}

/// visit(stick, lane, element) for every element that the host knows in a region.
template <class Visit> void visitElements(const Region& region, Visit&& visit) {
    const int64_t lanes = kStickBytes / region.layout.wordLength();
    const int64_t length = region.host->rowLength();
    for (int64_t r = 0; r < region.host->rows(); ++r) {
        const HostOrder::Row row = region.host->row(r);
        for (int64_t i = 0; i < row.data; ++i)
            visit((r * length + i) / lanes, (r * length + i) % lanes, row.first + i * row.step);
    }
}

bool contains(const Part& part, int64_t element) {
    return std::binary_search(part.elements.begin(), part.elements.end(), element);
}

}  // namespace

std::set<int> partialCopies(const Graph& graph, const Binding& binding) {
    std::set<int> written;
    for (const std::string& name : binding.written) {
        const auto it = binding.tensors.find(name);
        if (it != binding.tensors.end()) written.insert(binding.origins[static_cast<std::size_t>(it->second)].root);
    }
    std::set<int> out;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const Op& op = graph.ops[i];
        const bool isCopy = op.kind == OpKind::Copy && op.hasIter && op.outputs.size() == 1 && op.outputs[0].isValid();
        if (!isCopy) continue;
        const int root = binding.origins[op.outputs[0].at()].root;
        if (!written.contains(root)) continue;
        int64_t points = 1;
        for (const IterDim& d : op.iter)
            points *= d.size;
        if (points < countOf(graph.tensors[static_cast<std::size_t>(root)])) out.insert(static_cast<int>(i));
    }
    return out;
}

Part partOf(const Graph& graph, int number) {
    const Op& op = graph.ops[static_cast<std::size_t>(number)];
    Part part;
    part.op = number;
    const memplan::Tensor& t = graph.tensor(op.outputs[0]);
    int64_t first = 0;
    std::vector<int64_t> steps(op.iter.size(), 0);
    if (op.outMaps.empty() || !op.outMaps[0] || !readMap(t, *op.outMaps[0], first, steps)) return part;
    std::vector<int64_t> extents;
    for (const IterDim& d : op.iter)
        extents.push_back(d.size);
    walkBox<1>(extents, {steps}, {first}, [&](const auto& at) { part.elements.push_back(at[0]); });
    std::sort(part.elements.begin(), part.elements.end());
    return part;
}

bool isWrittenByKernels(const Region& region, const Part& part, int64_t offset, std::uint32_t host) {
    const int64_t width = region.layout.wordLength();
    bool isWritten = false;
    visitElements(region, [&](int64_t stick, int64_t lane, int64_t element) {
        if (isWritten || !contains(part, element - offset)) return;
        int64_t other = 0;
        const Cell* cells = region.store.stick(stick, width, other);
        if (cells == nullptr || cells[lane].writer == 0 || isPadding(cells[lane])) return;
        isWritten = eventOf(cells[lane]) != host;
    });
    return isWritten;
}

void fillPart(Region& region, const Part& part, int64_t offset, const std::vector<Value>& values, std::uint32_t host) {
    const int64_t width = region.layout.wordLength();
    const int64_t lanes = kStickBytes / width;
    std::map<int64_t, std::vector<bool>> isData;  // of the sticks of the part
    visitElements(region, [&](int64_t stick, int64_t lane, int64_t element) {
        const int64_t at = element - offset;
        if (!contains(part, at) || at >= static_cast<int64_t>(values.size())) return;
        region.store.stickForWriting(stick, width)[lane] = {values[static_cast<std::size_t>(at)], host};
        isData.try_emplace(stick, static_cast<std::size_t>(lanes), false);
    });
    visitElements(region, [&](int64_t stick, int64_t lane, int64_t) {
        const auto it = isData.find(stick);
        if (it != isData.end()) it->second[static_cast<std::size_t>(lane)] = true;
    });
    for (const auto& [stick, data] : isData) {
        Cell* cells = region.store.stickForWriting(stick, width);
        for (std::size_t lane = 0; lane < data.size(); ++lane) {
            if (!data[lane] && cells[lane].writer == 0) cells[lane] = {0, host | kPadding};
        }
    }
}

}  // namespace memplan::sim::artefact
